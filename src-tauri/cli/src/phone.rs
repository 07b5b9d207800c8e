//! `deck phone`: a virtual phone on this computer.

use crate::args::Phone;
use crate::say::{self, Done};
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Door, NoDoor, Options, open_door};

pub(crate) async fn phone(args: Phone) -> Done {
    let mut faults = Vec::new();
    for name in &args.faults {
        match name.parse() {
            Ok(fault) => faults.push(fault),
            Err(error) => return Ok(say::usage(&format!("{error}"))),
        }
    }
    let door = Door {
        port: args.port,
        server_port: args.server_port,
        options: Options {
            faults,
            ..Options::default()
        },
    };
    let ended = async {
        // Ctrl-C, or nobody can press it: then the phone stays until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let input = tokio::io::BufReader::new(tokio::io::stdin());
    let opened = open_door(
        Box::new(System::new(SystemOptions::default())),
        door,
        input,
        tokio::io::stdout(),
        ended,
    )
    .await;
    match opened {
        Ok(()) => Ok(say::FINE),
        Err(error @ (NoDoor::Reserved(_) | NoDoor::Port(..))) => Ok(say::usage(&error.to_string())),
        Err(NoDoor::Output(_)) => Ok(say::FAILED),
    }
}
