//! `cmd` and the scripts around it (`frameworks/native/cmds/cmd/cmd.cpp`; `wm`, `am`, `pm`, `settings`, `ime`,
//! `input` are one-line scripts that run `cmd` with a service).

use super::reply::{Reply, tell};
use super::{activity, input, input_method, package, settings, window};
use crate::fault::Fault;
use crate::process::{Call, ProgramResult};

/// The services this phone lists (`cmd -l`, `service list`, `dumpsys -l`), with their interfaces.
pub(super) const SERVICES: [(&str, &str); 24] = [
    ("SurfaceFlinger", "android.ui.ISurfaceComposer"),
    (
        "accessibility",
        "android.view.accessibility.IAccessibilityManager",
    ),
    ("activity", "android.app.IActivityManager"),
    ("activity_task", "android.app.IActivityTaskManager"),
    ("alarm", "android.app.IAlarmManager"),
    ("audio", "android.media.IAudioService"),
    ("battery", ""),
    ("bluetooth_manager", "android.bluetooth.IBluetoothManager"),
    ("clipboard", "android.content.IClipboard"),
    ("connectivity", "android.net.IConnectivityManager"),
    ("display", "android.hardware.display.IDisplayManager"),
    ("input", "android.hardware.input.IInputManager"),
    ("input_method", "com.android.internal.view.IInputMethodManager"),
    ("location", "android.location.ILocationManager"),
    ("meminfo", ""),
    ("notification", "android.app.INotificationManager"),
    ("package", "android.content.pm.IPackageManager"),
    ("phone", "com.android.internal.telephony.ITelephony"),
    ("power", "android.os.IPowerManager"),
    ("settings", ""),
    ("statusbar", "com.android.internal.statusbar.IStatusBarService"),
    ("user", "android.os.IUserManager"),
    ("wifi", "android.net.wifi.IWifiManager"),
    ("window", "android.view.IWindowManager"),
];

/// A command inside the system server costs so much.
const MILLIS: u64 = 22;
/// `am start -W` waits for the first picture so long.
const START_MILLIS: u64 = 231;
/// `cmd`'s own failures.
const NO_SERVICE: i32 = 20;

pub(super) fn exists(call: &Call, service: &str) -> bool {
    let known = SERVICES.iter().any(|(name, _)| *name == service);
    // SurfaceFlinger is a process of its own: it outlives the system server.
    known && (service == "SurfaceFlinger" || !call.phone.has(Fault::ServicesRestarting))
}

/// `cmd [-l | [-w] SERVICE [ARG…]]`.
pub(super) async fn main(call: Call) -> ProgramResult {
    let mut words = call.arguments().to_vec();
    if words.first().is_some_and(|word| word == "-w") && words.len() > 1 {
        words.remove(0);
    }
    if words.is_empty() {
        call.err(
            "cmd: No service specified; use -l to list all running services. Use -w to start and wait for a service.\n",
        )
        .await?;
        return Ok(NO_SERVICE);
    }
    let service = words.remove(0);
    if service == "-l" && words.is_empty() {
        let names: String = SERVICES
            .iter()
            .filter(|(name, _)| exists(&call, name))
            .map(|(name, _)| format!("  {name}\n"))
            .collect();
        call.out(format!("Currently running services:\n{names}")).await?;
        return Ok(0);
    }
    run(call, &service, words).await
}

/// Runs a service's shell command.
pub(super) async fn run(call: Call, service: &str, words: Vec<String>) -> ProgramResult {
    if !exists(&call, service) {
        call.err(format!("cmd: Can't find service: {service}\n")).await?;
        return Ok(NO_SERVICE);
    }
    if service == "input" {
        return input::run(call, words).await;
    }
    let waits = service == "activity" && words.iter().any(|word| word == "-W");
    call.phone
        .clock
        .work(if waits { MILLIS + START_MILLIS } else { MILLIS })
        .await;
    let (command, rest) = match words.split_first() {
        Some((command, rest)) => (command.as_str(), rest.to_vec()),
        None => ("", Vec::new()),
    };
    let reply = match service {
        "window" => window::command(&call.phone, command, rest),
        "activity" | "activity_task" => activity::command(&call.phone, command, rest),
        "package" => package::command(&call, command, rest).await,
        "settings" => settings::command(&call.phone, command, rest),
        "input_method" => input_method::command(&call.phone, command, rest),
        "clipboard" if call.phone.has(Fault::ClipboardSilent) => Reply::done(),
        // `Binder.onShellCommand`, where a service has none of its own.
        _ => Reply {
            err: "No shell command implementation.\n".to_owned(),
            ..Reply::default()
        },
    };
    tell(&call, reply).await
}

/// The scripts: `wm` is `cmd window`, and so on.
macro_rules! scripts {
    ($($name:ident => $service:literal),*) => {
        $(pub(super) async fn $name(call: Call) -> ProgramResult {
            let words = call.arguments().to_vec();
            run(call, $service, words).await
        })*
    };
}
scripts!(wm => "window", am => "activity", pm => "package", settings_script => "settings", ime => "input_method", input_script => "input");
