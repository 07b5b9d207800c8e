//! `svc` (`frameworks/base/cmds/svc`): switches, kept as settings.

use crate::process::{Call, ProgramResult};

/// `svc wifi|data|bluetooth|nfc|power …`.
pub(super) async fn main(call: Call) -> ProgramResult {
    call.phone.clock.work(20).await;
    let words: Vec<&str> = call.arguments().iter().map(String::as_str).collect();
    let setting = |name: &str, on: bool| {
        call.phone
            .put_setting("global", name, Some(if on { "1" } else { "0" }))
    };
    match words.as_slice() {
        ["wifi", word @ ("enable" | "disable")] => setting("wifi_on", *word == "enable"),
        ["data", word @ ("enable" | "disable")] => setting("mobile_data", *word == "enable"),
        ["bluetooth", word @ ("enable" | "disable")] => setting("bluetooth_on", *word == "enable"),
        ["nfc", word @ ("enable" | "disable")] => setting("nfc_on", *word == "enable"),
        ["power", "stayon", kind] => {
            let value = match *kind {
                "true" => "7",
                "false" => "0",
                "ac" => "1",
                "usb" => "2",
                "wireless" => "4",
                _ => return usage(&call, POWER).await,
            };
            call.phone
                .put_setting("global", "stay_on_while_plugged_in", Some(value));
        }
        ["power", "reboot" | "shutdown", ..] => {
            crate::services::switch_off_and_on(&call.phone);
            return Ok(0);
        }
        ["power", ..] => return usage(&call, POWER).await,
        ["wifi", ..] => return usage(&call, WIFI).await,
        _ => return usage(&call, USAGE).await,
    }
    Ok(0)
}

/// `reboot [REASON]`: the phone goes away in the middle of it.
pub(super) async fn reboot(call: Call) -> ProgramResult {
    crate::services::switch_off_and_on(&call.phone);
    Ok(0)
}

async fn usage(call: &Call, text: &'static str) -> ProgramResult {
    call.err(text).await?;
    Ok(0)
}

const USAGE: &str = "Available commands:\n    help     Show information about the subcommands\n    power    Control the power \
     manager\n    data     Control mobile data connectivity\n    wifi     Control the Wi-Fi manager\n    usb      Control Usb \
     state\n    nfc      Control NFC functions\n    bluetooth Control Bluetooth service\n";
const POWER: &str = "Control the power manager\n\nusage: svc power stayon [true|false|usb|ac|wireless]\n         Set the \
     'keep awake while plugged in' setting.\n       svc power reboot [reason]\n         Perform a runtime shutdown and reboot \
     device with specified reason.\n       svc power shutdown\n         Perform a runtime shutdown and power off the device.\n";
const WIFI: &str =
    "Control the Wi-Fi manager\n\nusage: svc wifi [enable|disable]\n         Turn Wi-Fi on or off.\n\n";
