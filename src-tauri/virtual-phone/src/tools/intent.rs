//! Intents on a command line (`core/java/android/content/Intent.java`: `parseCommandArgs`, `toString`).

use super::name::short;
use crate::android::{Component, Intent};
use std::fmt::Write as _;

/// An intent as written, with the flags nobody here acts on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ParsedIntent {
    pub(super) intent: Intent,
    pub(super) flags: u32,
    pub(super) mime: Option<String>,
    extras: bool,
}

/// An option of the command itself (`am start -W`), not of the intent.
pub(super) type OwnOption<'a> = dyn FnMut(&str, &mut std::vec::IntoIter<String>) -> bool + 'a;

/// Reads words; `own` takes the options that are the command's.
///
/// # Errors
/// What `IllegalArgumentException` or `am` says.
pub(super) fn read(words: Vec<String>, own: &mut OwnOption<'_>) -> Result<ParsedIntent, String> {
    let mut written = ParsedIntent::default();
    let mut words = words.into_iter();
    let mut bare = None;
    while let Some(word) = words.next() {
        if !word.starts_with('-') || word == "-" {
            bare = Some(word);
            break;
        }
        if own(&word, &mut words) {
            continue;
        }
        let mut value = || {
            words
                .next()
                .ok_or_else(|| format!("Argument expected after \"{word}\""))
        };
        match word.as_str() {
            "-a" => written.intent.action = Some(value()?),
            "-d" => written.intent.data = Some(value()?),
            "-t" => written.mime = Some(value()?),
            "-i" => {
                value()?;
            }
            "-c" => written.intent.categories.push(value()?),
            "-n" => {
                let name = value()?;
                if !name.contains('/') || name.ends_with('/') {
                    return Err(format!("Bad component name: {name}"));
                }
                written.intent.component = Some(name);
            }
            "-p" => written.intent.package = Some(value()?),
            "-f" => {
                let text = value()?;
                let parsed = match text.strip_prefix("0x") {
                    Some(hex) => u32::from_str_radix(hex, 16),
                    None => text.parse(),
                };
                written.flags |= parsed.map_err(|_| format!("For input string: \"{text}\""))?;
            }
            "-e" | "--es" | "--ei" | "--el" | "--ef" | "--ez" | "--eu" | "--ecn" | "--eia" | "--esa"
            | "--ela" | "--efa" | "--eial" | "--esal" => {
                let (key, value) = (value()?, value()?);
                written.intent.extras.push((key, value));
                written.extras = true;
            }
            "--esn" => {
                let key = value()?;
                written.intent.extras.push((key, String::new()));
                written.extras = true;
            }
            "--grant-read-uri-permission" => written.flags |= 0x1,
            "--grant-write-uri-permission" => written.flags |= 0x2,
            "--activity-clear-task" => written.flags |= 0x8000,
            "--activity-clear-top" => written.flags |= 0x0400_0000,
            "--activity-no-history" => written.flags |= 0x4000_0000,
            "--activity-reorder-to-front" => written.flags |= 0x0002_0000,
            "--activity-single-top" => written.flags |= 0x2000_0000,
            "--activity-brought-to-front" => written.flags |= 0x0040_0000,
            "--include-stopped-packages" => written.flags |= 0x20,
            "--exclude-stopped-packages" => written.flags |= 0x10,
            "--receiver-foreground" => written.flags |= 0x1000_0000,
            "--selector" => {}
            _ => return Err(format!("Unknown option: {word}")),
        }
    }
    if let Some(word) = bare {
        if word.contains(':') {
            written.intent.data.get_or_insert(word);
            written
                .intent
                .action
                .get_or_insert_with(|| "android.intent.action.VIEW".to_owned());
        } else if word.contains('/') {
            written.intent.component.get_or_insert(word);
            let main = || "android.intent.action.MAIN".to_owned();
            written.intent.action.get_or_insert_with(main);
        } else {
            written.intent.package.get_or_insert(word);
            if written.intent.action.is_none() && written.intent.categories.is_empty() {
                written.intent.action = Some("android.intent.action.MAIN".to_owned());
                written
                    .intent
                    .categories
                    .push("android.intent.category.LAUNCHER".to_owned());
            }
        }
    }
    Ok(written)
}

impl ParsedIntent {
    /// Whether anything was said at all.
    pub(super) fn is_empty(&self) -> bool {
        self.intent == Intent::default()
    }

    /// `Intent { act=… cat=[…] dat=… flg=0x… pkg=… cmp=… (has extras) }`.
    pub(super) fn describe(&self) -> String {
        let intent = &self.intent;
        let mut parts = Vec::new();
        if let Some(action) = &intent.action {
            parts.push(format!("act={action}"));
        }
        if !intent.categories.is_empty() {
            parts.push(format!("cat=[{}]", intent.categories.join(",")));
        }
        if let Some(data) = &intent.data {
            parts.push(format!("dat={}", safe(data)));
        }
        if let Some(mime) = &self.mime {
            parts.push(format!("typ={mime}"));
        }
        if self.flags != 0 {
            parts.push(format!("flg=0x{:x}", self.flags));
        }
        if let Some(package) = &intent.package {
            parts.push(format!("pkg={package}"));
        }
        if let Some(component) = self.component() {
            parts.push(format!("cmp={}", short(&component)));
        }
        let mut text = parts.join(" ");
        if self.extras {
            let _ = write!(text, "{}(has extras)", if text.is_empty() { "" } else { " " });
        }
        format!("Intent {{ {text} }}")
    }

    /// The component that was named, its class whole.
    pub(super) fn component(&self) -> Option<Component> {
        let (package, class) = self.intent.component.as_ref()?.split_once('/')?;
        let class = if class.starts_with('.') {
            format!("{package}{class}")
        } else {
            class.to_owned()
        };
        Some(Component {
            package: package.to_owned(),
            class,
        })
    }
}

/// `Uri.toSafeString`: what follows a web address's host, and any telephone number or mail address, is not shown.
fn safe(data: &str) -> String {
    let Some((scheme, rest)) = data.split_once(':') else {
        return data.to_owned();
    };
    match scheme {
        "tel" | "sip" | "sms" | "smsto" | "mailto" | "nfc" => {
            let hidden = rest
                .chars()
                .map(|c| if matches!(c, '-' | '@' | '.') { c } else { 'x' });
            format!("{scheme}:{}", hidden.collect::<String>())
        }
        "http" | "https" | "ftp" | "rtsp" => {
            let host = rest
                .trim_start_matches('/')
                .split(['/', '?', '#'])
                .next()
                .unwrap_or_default();
            format!("{scheme}://{host}/...")
        }
        _ => data.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(line: &str) -> Result<String, String> {
        let words = shlex::split(line).unwrap();
        read(words, &mut |_, _| false).map(|written| written.describe())
    }

    #[test]
    fn intents_are_read_and_told_as_android_does() {
        for (line, expected) in [
            ("-n com.x/.Main", "Intent { cmp=com.x/.Main }"),
            (
                "-n com.x/com.x.Main --es k v",
                "Intent { cmp=com.x/.Main (has extras) }",
            ),
            (
                "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER -p com.x -f 0x10200000",
                "Intent { act=android.intent.action.MAIN cat=[android.intent.category.LAUNCHER] flg=0x10200000 pkg=com.x }",
            ),
            (
                "-a android.intent.action.VIEW -d https://greenleaf.example/cart?id=7",
                "Intent { act=android.intent.action.VIEW dat=https://greenleaf.example/... }",
            ),
            (
                "tel:12-34",
                "Intent { act=android.intent.action.VIEW dat=tel:xx-xx }",
            ),
            (
                "com.x",
                "Intent { act=android.intent.action.MAIN cat=[android.intent.category.LAUNCHER] pkg=com.x }",
            ),
        ] {
            assert_eq!(described(line).as_deref(), Ok(expected), "{line}");
        }
        assert_eq!(described("-z"), Err("Unknown option: -z".into()));
        assert_eq!(described("-a"), Err("Argument expected after \"-a\"".into()));
        assert_eq!(described("-n com.x"), Err("Bad component name: com.x".into()));
    }
}
