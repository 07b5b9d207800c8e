//! `ime` (`services/core/java/com/android/server/inputmethod/InputMethodManagerService.java`: `ShellCommandImpl`).

use super::reply::Reply;
use crate::phone::Phone;

/// `cmd input_method COMMAND …`.
pub(super) fn command(phone: &Phone, command: &str, words: Vec<String>) -> Reply {
    let (mut all, mut brief) = (false, false);
    let mut rest = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-a" => all = true,
            "-s" => brief = true,
            "--user" | "-u" => {
                words.next();
            }
            _ => rest.push(word),
        }
    }
    let (keyboard, known) = phone.with(|android| (android.keyboard(), android.input_methods()));
    let id = rest.first().cloned();
    match (command, id) {
        ("list", _) => {
            let lines = if all { &known } else { &keyboard.enabled }
                .iter()
                .map(|id| if brief { format!("{id}\n") } else { described(id) });
            Reply::out(lines.collect::<String>())
        }
        ("set" | "enable" | "disable", None) => Reply::argument_expected(command, command, &[]),
        ("set", Some(id)) if keyboard.enabled.contains(&id) => {
            phone.put_setting("secure", "default_input_method", Some(&id));
            Reply::out(format!("Input method {id} selected for user #0\n"))
        }
        ("set", Some(id)) => Reply::error(format!(
            "Unknown input method {id} cannot be selected for user #0"
        )),
        ("enable", Some(id)) if keyboard.enabled.contains(&id) => {
            Reply::out(format!("Input method {id}: already enabled for user #0\n"))
        }
        ("enable", Some(id)) if known.contains(&id) => {
            let enabled = [keyboard.enabled, vec![id.clone()]].concat().join(":");
            phone.put_setting("secure", "enabled_input_methods", Some(&enabled));
            Reply::out(format!("Input method {id}: now enabled for user #0\n"))
        }
        ("enable", Some(id)) => {
            Reply::error(format!("Unknown input method {id} cannot be enabled for user #0"))
        }
        ("disable", Some(id)) if keyboard.enabled.len() > 1 && keyboard.enabled.contains(&id) => {
            let left: Vec<String> = keyboard
                .enabled
                .into_iter()
                .filter(|other| *other != id)
                .collect();
            phone.put_setting("secure", "enabled_input_methods", Some(&left.join(":")));
            if keyboard.ime == id {
                // Another one is chosen in its place.
                phone.put_setting("secure", "default_input_method", left.first().map(String::as_str));
            }
            Reply::out(format!("Input method {id}: now disabled for user #0\n"))
        }
        ("disable", Some(id)) => Reply::out(format!("Input method {id}: already disabled for user #0\n")),
        ("reset", _) => Reply::out(format!(
            "Reset current and enabled IMEs for user #0\n  Selected IME: {}\n  Newly enabled IMEs:\n{}",
            keyboard.ime,
            keyboard
                .enabled
                .iter()
                .map(|id| format!("    {id}\n"))
                .collect::<String>()
        )),
        ("" | "help" | "-h", _) => Reply::failed(HELP),
        (other, _) => Reply::unknown(other),
    }
}

fn described(id: &str) -> String {
    let package = id.split('/').next().unwrap_or(id);
    format!(
        "{id}:\n  mId={id} mSettingsActivityName=null mIsVrOnly=false mSupportsSwitchingToNextInputMethod=true\n  \
         mIsDefaultResId=0x7f050000\n  Service:\n    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 \
         isDefault=false\n    ServiceInfo:\n      packageName={package}\n"
    )
}

const HELP: &str = "InputMethodManagerService commands:\n  help\n    Prints this help text.\n  dump [options]\n    Synonym of \
     dumpsys.\n  ime <command> [options]\n    Manipulate IMEs.  Run \"ime help\" for details.\n";
