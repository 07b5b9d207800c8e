//! `settings` (`packages/SettingsProvider/src/com/android/providers/settings/SettingsService.java`).

use super::reply::Reply;
use crate::phone::Phone;

/// `cmd settings [--user USER] get|put|delete|list|reset …`.
pub(super) fn command(phone: &Phone, command: &str, words: Vec<String>) -> Reply {
    let mut words = std::iter::once(command.to_owned())
        .chain(words)
        .filter(|word| !word.is_empty())
        .peekable();
    if words.peek().is_none() {
        return Reply::failed(HELP);
    }
    let mut rest = Vec::new();
    while let Some(word) = words.next() {
        if word == "--user" {
            words.next();
        } else {
            rest.push(word);
        }
    }
    let mut rest = rest.into_iter();
    let verb = rest.next().unwrap_or_default().to_lowercase();
    if matches!(verb.as_str(), "help" | "-h") {
        return Reply::failed(HELP);
    }
    if !matches!(verb.as_str(), "get" | "put" | "delete" | "list" | "reset") {
        return Reply::error(format!("Invalid command: {verb}"));
    }
    let Some(table) = rest.next() else {
        return Reply::error("Bad arguments");
    };
    let namespace = table.to_lowercase();
    if !matches!(namespace.as_str(), "system" | "secure" | "global") {
        return Reply::error(format!("Invalid namespace '{table}'"));
    }
    let rest: Vec<String> = rest.collect();
    match (verb.as_str(), rest.as_slice()) {
        ("list", _) => {
            let mut lines: Vec<String> = phone
                .with(|android| android.settings(&namespace))
                .into_iter()
                .map(|(name, value)| format!("{name}={value}\n"))
                .collect();
            lines.sort();
            Reply::out(lines.concat())
        }
        ("get", [name]) => {
            let value = phone.with(|android| android.setting(&namespace, name));
            Reply::out(format!("{}\n", value.unwrap_or_else(|| "null".to_owned())))
        }
        ("delete", [name]) => {
            let there = phone.with(|android| android.setting(&namespace, name)).is_some();
            if there {
                phone.put_setting(&namespace, name, None);
            }
            Reply::out(format!("Deleted {} rows\n", u8::from(there)))
        }
        ("get" | "delete", [_, _, ..]) => Reply::error("Too many arguments"),
        ("put", [name, value, ..]) => {
            phone.put_setting(&namespace, name, Some(value));
            Reply::done()
        }
        ("reset", [_, ..]) => Reply::done(),
        _ => Reply::error("Bad arguments"),
    }
}

const HELP: &str = "Settings provider (settings) commands:\n  help\n      Print this help text.\n  get [--user <USER_ID> | \
     current] NAMESPACE KEY\n      Retrieve the current value of KEY.\n  put [--user <USER_ID> | current] NAMESPACE KEY VALUE \
     [TAG] [default]\n      Change the contents of KEY to VALUE.\n  delete [--user <USER_ID> | current] NAMESPACE KEY\n      \
     Delete the entry for KEY.\n  reset [--user <USER_ID> | current] NAMESPACE {PACKAGE_NAME | RESET_MODE}\n      Reset the \
     global/secure table for a package with mode.\n  list [--user <USER_ID> | current] NAMESPACE\n      Print all defined \
     keys.\n\n  NAMESPACE is one of {system, secure, global}, case-insensitive\n";
