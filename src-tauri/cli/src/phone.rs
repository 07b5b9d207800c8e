//! `deck phone`: a virtual phone on this computer.

use crate::args::{Pace, Phone};
use crate::interrupts::Interrupts;
use crate::phone_usage::{ANDROID, PIXEL};
use crate::run::no_interrupts;
use crate::say::{self, CommandResult};
use virtual_phone::system::{Brand, System, SystemOptions};
use virtual_phone::{Options, PhoneServerError, PhoneServerOptions, Speed, serve_phone};

const WITHOUT_TEST_SUPPORT: &str = "is for tests, and this deck was built without them: cargo run -p cli --features virtual-phone/test-support -- phone";

impl From<Pace> for Speed {
    fn from(pace: Pace) -> Self {
        match pace {
            Pace::Phone => Self::Phone,
            Pace::Instant => Self::Instant,
        }
    }
}

/// What is asked for that only a deck with test support has.
fn beyond(args: &Phone) -> Option<&'static str> {
    let asked = [
        ("--fault", !args.faults.is_empty()),
        ("--port", args.port.is_some()),
        ("--brand", args.brand != PIXEL),
        ("--android", args.android != ANDROID),
    ];
    asked.into_iter().find(|(_, asked)| *asked).map(|(name, _)| name)
}

pub(crate) async fn phone(args: Phone) -> CommandResult {
    if let Some(name) = beyond(&args).filter(|_| !virtual_phone::TEST_SUPPORT) {
        return Ok(say::usage(&format!("{name} {WITHOUT_TEST_SUPPORT}")));
    }
    let mut faults = Vec::new();
    for name in &args.faults {
        match name.parse() {
            Ok(fault) => faults.push(fault),
            Err(error) => return Ok(say::usage(&format!("{error}"))),
        }
    }
    let profile = match args
        .brand
        .parse::<Brand>()
        .map(|brand| (brand, brand.profile(args.android)))
    {
        Ok((brand, Ok(profile))) => {
            faults.extend_from_slice(brand.faults());
            profile
        }
        Ok((_, Err(error))) | Err(error) => return Ok(say::usage(&error.to_string())),
    };
    let asked = PhoneServerOptions {
        port: args.port,
        server_port: args.server_port,
        options: Options {
            speed: args.speed.into(),
            faults,
            ..Options::default()
        },
    };
    let system = System::new(SystemOptions {
        start: args.start,
        adb_keyboard: args.adb_keyboard,
        ..SystemOptions::of(profile)
    });
    let mut interrupts = Interrupts::listen().map_err(no_interrupts)?;
    let input = tokio::io::BufReader::new(tokio::io::stdin());
    let opened = serve_phone(
        Box::new(system),
        asked,
        input,
        tokio::io::stdout(),
        interrupts.next(),
    )
    .await;
    match opened {
        Ok(()) => Ok(say::FINE),
        Err(error @ (PhoneServerError::Reserved(_) | PhoneServerError::Port(..))) => {
            Ok(say::usage(&error.to_string()))
        }
        Err(PhoneServerError::Output(_)) => Ok(say::FAILED),
    }
}
