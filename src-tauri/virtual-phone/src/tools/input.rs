//! `input` (`services/core/java/com/android/server/input/InputShellCommand.java`).
//!
//! From Android 12 on it runs inside the system server: ending the client does not end a gesture that has begun. Before,
//! it is a Java program of its own (`cmds/input/src/com/android/commands/input/Input.java`): it takes as long as a virtual
//! machine takes to start, and what ends it ends its gesture where that is, the finger down. Single events came with
//! Android 10, their `CANCEL` with 11, two keys at once with 12.

use super::gesture::{LONG_PRESS, Stroke, tap};
use super::keys::{code, modifier};
use super::reply::{Arguments, Reply, tell};
use crate::android::FingerAction;
use crate::fault::Fault;
use crate::phone::Phone;
use crate::process::{Call, ProgramResult};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// Of `input`'s time, what passes before the event is at its window, in hundredths; then it is waited for, and told back.
const THERE_PERCENT: u64 = 56;
/// What starting a virtual machine adds.
const MACHINE_MILLIS: u64 = 560;
/// `android.os.Build.VERSION_CODES`: Q, R, S.
const ANDROID_10: u32 = 29;
const ANDROID_11: u32 = 30;
const ANDROID_12: u32 = 31;
/// One character's two key events.
const CHARACTER: Duration = Duration::from_millis(3);
/// `ViewConfiguration.getDoubleTapMinTime()`.
const DOUBLE_TAP: Duration = Duration::from_millis(40);
const KEYCODE_TAB: u32 = 61;
const KEYCODE_ENTER: u32 = 66;

const SOURCES: [&str; 10] = [
    "keyboard",
    "dpad",
    "gamepad",
    "touchscreen",
    "mouse",
    "stylus",
    "trackball",
    "touchpad",
    "touchnavigation",
    "joystick",
];

/// Runs `cmd input WORDS…`: the client waits, the system server works.
pub(super) async fn run(call: Call, arguments: Vec<String>) -> ProgramResult {
    let all = call.phone.clock.times().input;
    let there = all * THERE_PERCENT / 100;
    call.phone.clock.work(there).await;
    if call.phone.profile.sdk < ANDROID_12 {
        call.phone.clock.work(MACHINE_MILLIS).await;
        let reply = execute(&call.phone, arguments).await;
        return tell(&call, reply).await;
    }
    let (answer, answered) = oneshot::channel();
    let phone = Arc::clone(&call.phone);
    let stopped = phone.stopped.clone();
    let working = async move {
        let reply = execute(&phone, arguments).await;
        phone.clock.work(all - there).await;
        // Nobody waits when the client was ended.
        let _ = answer.send(reply);
    };
    call.phone.tasks.spawn(async move {
        tokio::select! {
            () = stopped.cancelled() => {}
            () = working => {}
        }
    });
    match answered.await {
        Ok(reply) => tell(&call, reply).await,
        Err(_) => Ok(255),
    }
}

/// What goes wrong: an exception of Java's, and the frames it came through.
struct JavaException(String, &'static [&'static str]);

impl JavaException {
    fn argument(text: impl std::fmt::Display) -> Self {
        Self(
            format!("java.lang.IllegalArgumentException: {text}"),
            &[ON_COMMAND],
        )
    }
}

const ON_COMMAND: &str = "com.android.server.input.InputShellCommand.onCommand(InputShellCommand.java:251)";
/// Of sample input_01 (a real Android 14 or 15).
const TEXT_FRAMES: [&str; 3] = [
    "com.android.server.input.InputShellCommand.sendText(InputShellCommand.java:338)",
    "com.android.server.input.InputShellCommand.runText(InputShellCommand.java:310)",
    ON_COMMAND,
];
/// `InputManagerService.injectInputEventToTarget`, when the caller lacks the permission (MIUI's "Security settings").
const DENIED: &str = "java.lang.SecurityException: Injecting input events requires the caller (or the source of the \
     instrumentation, if any) to have the INJECT_EVENTS permission.";
const DENIED_FRAMES: [&str; 2] = [
    "com.android.server.input.InputManagerService.injectInputEventToTarget(InputManagerService.java:814)",
    ON_COMMAND,
];

async fn execute(phone: &Phone, arguments: Vec<String>) -> Reply {
    let Some((first, rest)) = arguments.split_first() else {
        return Reply::failed(usage());
    };
    let mut arguments = Arguments::new(first, rest.to_vec());
    let mut command = first.clone();
    let exception = 'parsed: {
        if SOURCES.contains(&command.as_str()) {
            match arguments.next() {
                Some(next) => command = next,
                None => break 'parsed expected(&arguments),
            }
        }
        if command == "-d" {
            let Some(display) = arguments.next() else {
                break 'parsed expected(&arguments);
            };
            let known = matches!(
                display.to_uppercase().as_str(),
                "INVALID_DISPLAY" | "DEFAULT_DISPLAY"
            );
            if !known && display.parse::<i32>().is_err() {
                break 'parsed JavaException::argument("Error: Invalid arguments for display ID.");
            }
            match arguments.next() {
                Some(next) => command = next,
                None => break 'parsed expected(&arguments),
            }
        }
        if !knows(phone, &command) {
            // `cmds/input/src/com/android/commands/input/Input.java` before Android 11.
            return Reply {
                err: format!("Error: Unknown command: {command}\n{}", old_usage()),
                ..Reply::default()
            };
        }
        if !matches!(
            command.as_str(),
            "text"
                | "keyevent"
                | "tap"
                | "swipe"
                | "draganddrop"
                | "press"
                | "roll"
                | "motionevent"
                | "keycombination"
        ) {
            return if matches!(command.as_str(), "help" | "-h") {
                Reply::failed(usage())
            } else {
                Reply::unknown(&command)
            };
        }
        match inject(phone, &command, &mut arguments).await {
            Ok(()) => return Reply::done(),
            Err(exception) => exception,
        }
    };
    Reply::exception(first, exception.0, exception.1)
}

/// Whether a phone of this age knows a command at all.
fn knows(phone: &Phone, command: &str) -> bool {
    let since = match command {
        "motionevent" => ANDROID_10,
        "keycombination" => ANDROID_12,
        "draganddrop" => 0,
        _ => return true,
    };
    phone.profile.sdk >= since && !phone.has(Fault::OldInput)
}

fn expected(arguments: &Arguments) -> JavaException {
    JavaException::argument(format!("Argument expected after \"{}\"", arguments.last()))
}

fn required(arguments: &mut Arguments) -> Result<String, JavaException> {
    match arguments.next() {
        Some(word) => Ok(word),
        None => Err(expected(arguments)),
    }
}

fn number<T: std::str::FromStr>(command: &str, word: &str) -> Result<T, JavaException> {
    word.trim()
        .parse()
        .map_err(|_| JavaException::argument(format!("Error: Invalid arguments for command: {command}")))
}

/// A coordinate: Java reads `NaN` and `Infinity` too, but no screen has such a place.
fn place(command: &str, arguments: &mut Arguments) -> Result<f32, JavaException> {
    let word = required(arguments)?;
    let value: f32 = number(command, &word)?;
    if value.is_finite() {
        Ok(value)
    } else {
        number(command, "")
    }
}

async fn inject(phone: &Phone, command: &str, arguments: &mut Arguments) -> Result<(), JavaException> {
    // Everything is read before anything is injected, but for the permission, which the first event finds missing.
    let denied = || {
        if phone.has(Fault::InjectEvents) {
            Err(JavaException(DENIED.into(), &DENIED_FRAMES))
        } else {
            Ok(())
        }
    };
    match command {
        "text" => {
            let text = required(arguments)?;
            type_text(phone, &text, denied).await
        }
        "tap" => {
            let (x, y) = (place(command, arguments)?, place(command, arguments)?);
            denied()?;
            tap(phone, x, y);
            Ok(())
        }
        "swipe" | "draganddrop" => {
            let from = (place(command, arguments)?, place(command, arguments)?);
            let to = (place(command, arguments)?, place(command, arguments)?);
            let millis: i32 = match arguments.next() {
                Some(word) => number(command, &word)?,
                None => -1,
            };
            denied()?;
            let time = Duration::from_millis(u64::try_from(millis).unwrap_or(300));
            Stroke {
                from,
                to,
                time,
                drags: command == "draganddrop",
            }
            .go(phone)
            .await;
            Ok(())
        }
        "motionevent" => {
            let word = required(arguments)?;
            let action = match word.to_uppercase().as_str() {
                "DOWN" => FingerAction::Down,
                "UP" => FingerAction::Up,
                "MOVE" => FingerAction::Move,
                "CANCEL" if phone.profile.sdk >= ANDROID_11 => FingerAction::Cancel,
                _ => return Err(JavaException::argument(format!("Unknown action: {word}"))),
            };
            let (x, y) = if action == FingerAction::Cancel && arguments.peek().is_none() {
                (0.0, 0.0)
            } else {
                (place(command, arguments)?, place(command, arguments)?)
            };
            denied()?;
            phone.finger(action, x, y);
            Ok(())
        }
        "keyevent" => key_events(phone, arguments, denied).await,
        "keycombination" => key_combination(phone, arguments, denied).await,
        // A trackball: nothing on this phone listens to one.
        "roll" => {
            place(command, arguments)?;
            place(command, arguments)?;
            denied()
        }
        _ => denied(),
    }
}

/// `sendText`: `%s` is a blank; one character the key map lacks, and nothing at all is typed.
async fn type_text(
    phone: &Phone,
    text: &str,
    denied: impl Fn() -> Result<(), JavaException>,
) -> Result<(), JavaException> {
    let characters: Vec<char> = text.replace("%s", " ").chars().collect();
    let unmapped = || {
        JavaException(
            "java.lang.NullPointerException: Attempt to get length of null array".into(),
            &TEXT_FRAMES,
        )
    };
    if !phone.with(|android| characters.iter().all(|character| android.maps(*character))) {
        return Err(unmapped());
    }
    phone.with(|android| android.begin_run());
    for character in characters {
        denied()?;
        match character {
            '\n' => phone.key(KEYCODE_ENTER, 0, false),
            '\t' => phone.key(KEYCODE_TAB, 0, false),
            character => {
                if !phone.character(character) {
                    return Err(unmapped());
                }
            }
        }
        phone.clock.spend(CHARACTER).await;
    }
    Ok(())
}

async fn key_events(
    phone: &Phone,
    arguments: &mut Arguments,
    denied: impl Fn() -> Result<(), JavaException>,
) -> Result<(), JavaException> {
    let (mut long, mut twice, mut delay) = (false, false, Duration::ZERO);
    let mut next = Some(required(arguments)?);
    while let Some(word) = next.take_if(|word| word.starts_with("--")) {
        match word.as_str() {
            "--longpress" => long = true,
            "--doubletap" => twice = true,
            "--delay" => delay = Duration::from_millis(number("keyevent", &required(arguments)?)?),
            _ => {}
        }
        next = arguments.next();
    }
    let mut first = true;
    while let Some(word) = next {
        if !first && !delay.is_zero() {
            phone.clock.spend(delay).await;
        }
        first = false;
        denied()?;
        let code = code(&word);
        for repeat in 0..=u8::from(twice) {
            if repeat > 0 {
                phone.clock.spend(DOUBLE_TAP).await;
            }
            if long {
                phone.clock.spend(LONG_PRESS).await;
            }
            phone.key(code, 0, long);
        }
        next = arguments.next();
    }
    Ok(())
}

async fn key_combination(
    phone: &Phone,
    arguments: &mut Arguments,
    denied: impl Fn() -> Result<(), JavaException>,
) -> Result<(), JavaException> {
    let mut next = Some(required(arguments)?);
    let mut held = Duration::ZERO;
    if next.as_deref() == Some("-t") {
        held = Duration::from_millis(number("keycombination", &required(arguments)?)?);
        next = Some(required(arguments)?);
    }
    let mut codes = Vec::new();
    while let Some(word) = next {
        match code(&word) {
            0 => return Err(JavaException::argument(format!("Unknown keycode: {word}"))),
            code => codes.push(code),
        }
        next = arguments.next();
    }
    if codes.len() < 2 {
        return Err(JavaException::argument(
            "keycombination requires at least 2 keycodes",
        ));
    }
    denied()?;
    let mut meta = 0;
    let mut pressed = Vec::new();
    for code in codes {
        if modifier(code) == 0 {
            pressed.push((code, meta));
        }
        meta |= modifier(code);
    }
    phone.clock.spend(held).await;
    for (code, meta) in pressed {
        phone.key(code, meta, false);
    }
    Ok(())
}

fn usage() -> String {
    let sources: String = SOURCES.iter().map(|source| format!("      {source}\n")).collect();
    format!(
        "Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n\nThe sources are: \n{sources}\n\
         -d: specify the display ID.\n      (Default: -1 for key event, 0 for motion event if not specified.)\n\
         The commands and default sources are:\n      text <string> (Default: touchscreen)\n      \
         keyevent [--longpress|--doubletap|--async|--delay <duration between keycodes in ms>] <key code number or \
         name> ... (Default: keyboard)\n      tap <x> <y> (Default: touchscreen)\n      swipe <x1> <y1> <x2> <y2> \
         [duration(ms)] (Default: touchscreen)\n      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: \
         touchscreen)\n      press (Default: trackball)\n      roll <dx> <dy> (Default: trackball)\n      \
         motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)\n      keycombination [-t duration(ms)] \
         <key code 1> <key code 2> ... (Default: keyboard, the key order is important here.)\n"
    )
}

fn old_usage() -> &'static str {
    "Usage: input [<source>] <command> [<arg>...]\n\nThe sources are: \n      keyboard\n      touchscreen\n      mouse\n\n\
     The commands and default sources are:\n      text <string> (Default: touchscreen)\n      keyevent [--longpress] \
     <key code number or name> ... (Default: keyboard)\n      tap <x> <y> (Default: touchscreen)\n      swipe <x1> <y1> \
     <x2> <y2> [duration(ms)] (Default: touchscreen)\n      press (Default: trackball)\n      roll <dx> <dy> (Default: \
     trackball)\n"
}
