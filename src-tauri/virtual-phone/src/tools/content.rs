//! `content` (`frameworks/base/cmds/content`): settings, the one provider that is modelled.

use crate::process::{Call, ProgramResult};

/// `content query --uri content://settings/NAMESPACE[/NAME] [--where "name='NAME'"]`, `content insert`, `content delete`.
pub(super) async fn main(call: Call) -> ProgramResult {
    call.phone.clock.work(20).await;
    let words = call.arguments().to_vec();
    let value = |flag: &str| {
        words
            .iter()
            .position(|word| word == flag)
            .and_then(|at| words.get(at + 1))
            .cloned()
    };
    let Some(uri) = value("--uri") else {
        call.err("usage: adb shell content [subcommand] [options]\n")
            .await?;
        return Ok(0);
    };
    let Some(path) = uri.strip_prefix("content://settings/") else {
        let authority = uri
            .trim_start_matches("content://")
            .split('/')
            .next()
            .unwrap_or_default();
        let frame = "\tat com.android.commands.content.Content$Command.execute(Content.java:513)\n";
        call.err(format!("Error while accessing provider:{authority}\njava.lang.IllegalStateException: Could not find provider: {authority}\n{frame}")).await?;
        return Ok(1);
    };
    let (namespace, name) = path
        .split_once('/')
        .map_or((path, None), |(namespace, name)| (namespace, Some(name)));
    let condition = value("--where");
    let quoted = condition.as_ref().and_then(|text| text.strip_prefix("name="));
    let asked = name.or(quoted.map(|text| text.trim_matches(['\'', '"', '\\'])));
    match words.first().map(String::as_str) {
        Some("query") => {
            let mut rows: Vec<(String, String)> = match asked {
                Some(name) => {
                    let found = call.phone.with(|android| android.setting(namespace, name));
                    found.into_iter().map(|value| (name.to_owned(), value)).collect()
                }
                None => call.phone.with(|android| android.settings(namespace)),
            };
            rows.sort();
            if rows.is_empty() {
                call.out("No result found.\n").await?;
            }
            for (at, (name, value)) in rows.iter().enumerate() {
                call.out(format!("Row: {at} _id={}, name={name}, value={value}\n", at + 1))
                    .await?;
            }
        }
        Some("insert") => {
            let bound = |key: &str| {
                let prefix = format!("{key}:s:");
                words
                    .iter()
                    .find_map(|word| word.strip_prefix(&prefix))
                    .map(str::to_owned)
            };
            if let (Some(name), Some(value)) = (bound("name"), bound("value")) {
                call.phone.put_setting(namespace, &name, Some(&value));
            }
        }
        Some("delete") => {
            if let Some(name) = asked {
                call.phone.put_setting(namespace, name, None);
            }
        }
        other => {
            call.err(format!(
                "[ERROR] Unsupported operation: {}\n",
                other.unwrap_or("null")
            ))
            .await?;
        }
    }
    Ok(0)
}
