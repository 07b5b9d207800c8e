//! `dumpsys` (`frameworks/native/cmds/dumpsys/dumpsys.cpp`): what services print of themselves.
//!
//! Each dump holds the lines that are asked for in the field, in their real order; numbers nobody here counts are
//! invented. A service without a dump prints nothing, as many do.

mod activity;
mod battery;
mod display;
mod input;
mod input_method;
mod notification;
mod package;
mod power;
mod window;

use super::cmd::{SERVICES, exists};
use super::{name, users};
use crate::fault::Fault;
use crate::process::{Call, ProgramResult};
use crate::toybox::Moment;
use std::fmt::Write as _;

/// A dump takes a phone so long.
const MILLIS: u64 = 28;

/// `dumpsys [-l] [-t SECONDS] [SERVICE [ARG…]]`. A service that is not there is exit 0.
pub(super) async fn main(call: Call) -> ProgramResult {
    let mut words = call.arguments().to_vec();
    while let Some(flag) = words.first().cloned().filter(|word| word.starts_with('-')) {
        words.remove(0);
        match flag.as_str() {
            "-t" | "-T" | "--priority" if !words.is_empty() => {
                words.remove(0);
            }
            "-l" => {
                let living = SERVICES.iter().filter(|(name, _)| exists(&call, name));
                let names: String = living.map(|(name, _)| format!("  {name}\n")).collect();
                call.out(format!("Currently running services:\n{names}")).await?;
                return Ok(0);
            }
            _ => {}
        }
    }
    call.phone.clock.work(MILLIS).await;
    let Some((service, rest)) = words.split_first() else {
        return everything(&call).await;
    };
    if !exists(&call, service) {
        call.err(format!("Can't find service: {service}\n")).await?;
        return Ok(0);
    }
    let mut text = dump(&call, service, rest);
    for package in users::packages(&call.phone) {
        text = users::of_second(&text, &package);
    }
    if call.phone.has(Fault::HugeDumps) {
        text.push_str(&others(service));
    }
    if call.phone.has(Fault::StrayWords) {
        text = strayed(&text);
    }
    call.out(text).await?;
    Ok(0)
}

/// Windows and activities of apps nobody sees now, 400 kB of them.
fn others(service: &str) -> String {
    if !matches!(service, "window" | "activity" | "activity_task") {
        return String::new();
    }
    let mut out = String::new();
    for at in 0..500 {
        let package = format!("com.vendor.service{at:03}");
        let code = name::code(&package);
        let _ = write!(
            out,
            "  Hidden #{at} {code} u0 {package}:\n    mDisplayId=0 rootTaskId=1 mSession=Session{{{code} 2{at:03}:u0a10{at:03}}} \
             mClient=android.os.BinderProxy@{code}\n    mOwnerUid=10{at:03} showForAllUsers=false package={package} appop=NONE\n    \
             mAttrs={{(0,0)(0x0) sim={{adjust=resize}} ty=BASE_APPLICATION fmt=TRANSPARENT\n      fl=NOT_FOCUSABLE NOT_TOUCHABLE \
             HARDWARE_ACCELERATED\n      pfl=COLOR_SPACE_AGNOSTIC\n      bhv=DEFAULT}}\n    Requested w=0 h=0 mLayoutSeq=471\n    \
             mBaseLayer=11000 mSubLayer=0    mToken=WindowToken{{{code} type=2015 android.os.BinderProxy@{code}}}\n    \
             mViewVisibility=0x8 mHaveFrame=false mObscured=false\n    mGivenContentInsets=[0,0][0,0] mGivenVisibleInsets=[0,0][0,0]\n    \
             mFullConfiguration={{1.0 310mcc260mnc [en_US] ldltr sw411dp w411dp h866dp 420dpi nrml long widecg port finger -keyb/v/h}}\n"
        );
    }
    out
}

/// A dump as vendors leave it: other displays' empty focus (sample focus_01), a brace too many (focus_12), a NUL.
fn strayed(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    for line in text.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("mCurrentFocus=") || trimmed.starts_with("mFocusedApp=") {
            out.push_str(line);
            out.push_str("}\n");
            if trimmed.starts_with("mCurrentFocus=") {
                out.push_str("  mCurrentFocus=null\n");
            }
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.push_str("\0\n");
    out
}

fn dump(call: &Call, service: &str, words: &[String]) -> String {
    let phone = &call.phone;
    // `-a` asks for everything: so does its absence here.
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| *word != "-a")
        .collect();
    match service {
        "window" => window::dump(phone, &words),
        "activity" | "activity_task" => activity::dump(phone, &words),
        "battery" => battery::dump(phone),
        "power" => power::dump(phone),
        "display" => display::dump(phone),
        "input" => input::dump(phone),
        "input_method" => input_method::dump(phone),
        "notification" => notification::dump(phone, &words),
        "package" => package::dump(phone, &words),
        "SurfaceFlinger" => display::flinger(phone, &words),
        _ => String::new(),
    }
}

async fn everything(call: &Call) -> ProgramResult {
    let living: Vec<&str> = SERVICES
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| exists(call, name))
        .collect();
    let names: String = living.iter().map(|name| format!("  {name}\n")).collect();
    call.out(format!("Currently running services:\n{names}")).await?;
    for name in living {
        let line = "-".repeat(79);
        let now = Moment::new(call.phone.clock.wall().as_secs()).format("%F %T");
        let text = dump(call, name, &[]);
        call.out(format!(
            "{line}\nDUMP OF SERVICE {name}:\n{text}--------- 0.012s was the duration of dumpsys {name}, ending at: {now}\n"
        ))
        .await?;
    }
    Ok(0)
}
