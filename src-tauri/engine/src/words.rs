//! The sentences, from the files they live in, one a language. Rust holds none.
//!
//! The window reads the same files with plural forms and all; what Rust needs (notices, `deck`) are plain sentences with
//! `{name}` in them, which a test holds them to. One language is spoken by the whole program ([`speak`]).

use protocol::{Act, Ask, AskKind, AskReason, Failure, Language, RuleName as R};
use serde::Serialize;
use serde_json::Value;
use std::sync::LazyLock;
use tokio::sync::watch;

static ENGLISH: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../ui/words/en.json")).unwrap_or_default());
static CHINESE: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../ui/words/zh.json")).unwrap_or_default());

/// What is spoken: never `System`. English until somebody says otherwise.
static SPOKEN: LazyLock<watch::Sender<Language>> = LazyLock::new(|| watch::Sender::new(Language::En));

/// Speaks a language from now on.
pub fn speak(language: Language) {
    let spoken = match language {
        Language::System => of_system(),
        chosen => chosen,
    };
    SPOKEN.send_if_modified(|now| std::mem::replace(now, spoken) != spoken);
}

/// What is spoken, anew at each change: whatever wrote a sentence down writes it again.
#[must_use]
pub fn spoken() -> watch::Receiver<Language> {
    SPOKEN.subscribe()
}

/// The system's language: as POSIX names it where it does, else as the system's own settings say.
fn of_system() -> Language {
    let named = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    of_tag(&named.or_else(sys_locale::get_locale).unwrap_or_default())
}

/// The language of `zh_CN.UTF-8`, `zh-Hans-CN` or `en`; English where there are no sentences in it.
fn of_tag(tag: &str) -> Language {
    let name = tag.split(['-', '_', '.', '@']).next().unwrap_or_default();
    if name.eq_ignore_ascii_case("zh") {
        Language::Zh
    } else {
        Language::En
    }
}

/// The sentence under a dotted name; the name itself where there is none, which a test rules out.
#[must_use]
pub fn get(name: &str) -> String {
    find(name).map_or_else(|| name.to_owned(), str::to_owned)
}

/// Sentences one after the other; Chinese ones stand without a blank between them.
#[must_use]
pub fn in_a_row(sentences: &[String]) -> String {
    sentences.join(if is_chinese() { "" } else { " " })
}

/// Names one after the other.
#[must_use]
pub fn listed(names: &[String]) -> String {
    names.join(if is_chinese() { "，" } else { ", " })
}

fn is_chinese() -> bool {
    *SPOKEN.borrow() == Language::Zh
}

/// The same with values put in for `{name}`.
#[must_use]
pub fn fill(name: &str, values: &[(&str, &str)]) -> String {
    let mut text = get(name);
    for (key, value) in values {
        text = text.replace(&format!("{{{key}}}"), value);
    }
    text
}

/// By what name a question has its sentences, in the group `ask`: one of our own about a step nobody understands is no
/// cry for help, a call is no message, a password that would be shown is not one that is wanted, and what the phone tells by itself
/// nobody has to paste. The pages' own copy is `ui/src/words/ask-words.ts`.
#[must_use]
pub fn words_of(ask: &Ask) -> String {
    let special = match (ask.kind, &ask.reason) {
        (AskKind::Unknown, AskReason::Rule { rule }) if *rule == R::ModelFlag => Some("marked"),
        (AskKind::Unknown, AskReason::Rule { .. }) => Some("unread"),
        (AskKind::Password, AskReason::Rule { rule }) if *rule == R::RevealsSecret => Some("shown"),
        (AskKind::Clipboard, AskReason::Rule { rule }) if *rule == R::ClipboardRead => Some("copied"),
        (AskKind::Send, AskReason::Rule { rule })
            if matches!(rule.known(), Some(R::Answers | R::AnswersCall)) =>
        {
            Some("incoming")
        }
        (AskKind::Send, AskReason::Rule { rule }) if matches!(rule.known(), Some(R::Calls | R::CallKey)) => {
            Some("call")
        }
        (AskKind::Send, _) if ask.action.as_ref().is_some_and(|action| calls(&action.act)) => Some("call"),
        _ => None,
    };
    special.map_or_else(|| tag(&ask.kind), str::to_owned)
}

/// A code's name on the wire, which is its name in the words' files.
#[must_use]
pub fn tag(code: &impl Serialize) -> String {
    let value = serde_json::to_value(code).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

/// A failure's sentence.
#[must_use]
pub fn failed(failure: &Failure) -> String {
    let values: Vec<(&str, &str)> = failure
        .values
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    fill(&format!("failures.{}", tag(&failure.code)), &values)
}

/// A code's sentence in a group, or the group's sentence for all others.
#[must_use]
pub fn of(group: &str, code: &str) -> String {
    let name = format!("{group}.{code}");
    find(&name).map_or_else(|| get(&format!("{group}.other")), str::to_owned)
}

/// Whether an action calls somebody.
fn calls(act: &Act) -> bool {
    match act {
        Act::OpenUrl { url } => {
            let scheme = url
                .split_once(':')
                .map(|(scheme, _)| scheme.trim().to_ascii_lowercase());
            matches!(scheme.as_deref(), Some("tel" | "sip" | "sips" | "callto"))
        }
        Act::Shell { command } => ["tel:", "intent.action.CALL", "intent.action.DIAL"]
            .iter()
            .any(|word| command.contains(word)),
        _ => false,
    }
}

/// What the app of a question is called. Android's own programs, which nobody knows by name, are Android.
#[must_use]
pub fn app_of(ask: &Ask) -> &str {
    let own = ask
        .app
        .strip_prefix("com.google.")
        .or(ask.app.strip_prefix("com."));
    match own {
        _ if ask.app == "android" => "Android",
        Some("android.permissioncontroller" | "android.packageinstaller" | "android.systemui") => "Android",
        _ => &ask.app_label,
    }
}

/// A title as a sentence of its own, before another: one without a mark at its end gets its full stop.
#[must_use]
pub fn closed(title: &str) -> String {
    let ends = |c: char| c.is_alphanumeric() || "”’)）%".contains(c);
    if title.ends_with(ends) {
        fill("app.sentence", &[("text", title)])
    } else {
        title.to_owned()
    }
}

/// The first sentence of several.
#[must_use]
pub fn first(text: &str) -> String {
    let end = text.find(". ").map(|at| at + 1);
    let end = end.or_else(|| text.find('。').map(|at| at + '。'.len_utf8()));
    text[..end.unwrap_or(text.len())].to_owned()
}

fn find(name: &str) -> Option<&'static str> {
    let own = if is_chinese() { &*CHINESE } else { &*ENGLISH };
    find_in(own, name).or_else(|| find_in(&ENGLISH, name))
}

fn find_in(words: &'static Value, name: &str) -> Option<&'static str> {
    let mut at = words;
    for part in name.split('.') {
        at = at.get(part)?;
    }
    at.as_str()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn sentences_are_found_and_filled() {
        assert_ne!(get("notices.title"), "notices.title");
        let title = fill("notices.title", &[("phone", "Shop phone")]);
        assert!(title.contains("Shop phone") && !title.contains('{'), "{title}");
    }

    /// A question that says these things, and as little else as may be.
    pub(crate) fn ask(more: Value) -> Ask {
        let mut ask = json!({
            "id": "1", "run": "r", "phone": "p", "phoneName": "p", "goal": "", "kind": "send",
            "reason": { "by": "rule", "rule": "link_that_sends" }, "app": "com.a", "appLabel": "A",
            "evidence": { "width": 1, "height": 1 }, "claim": { "says": "" }, "choices": [], "digest": "",
            "askedAt": 1, "deadline": 2,
        });
        let more = more.as_object().unwrap().clone();
        ask.as_object_mut().unwrap().extend(more);
        serde_json::from_value(ask).unwrap()
    }

    #[test]
    fn a_question_is_called_by_what_it_is() {
        let open = |url: &str| json!({"action": {"type": "open_url", "url": url}});
        let rule = |kind: &str, rule: &str| json!({"kind": kind, "reason": {"by": "rule", "rule": rule}});
        for (more, words) in [
            (open("tel:+15550100"), "call"),
            (open(" TEL:911"), "call"),
            (open("sip:dana@example.org"), "call"),
            (open("sms:+15550100"), "send"),
            (open("https://a.example/?q=tel:1"), "send"),
            (
                json!({"action": {"type": "shell", "command": "am start -a android.intent.action.CALL -d tel:911"}}),
                "call",
            ),
            (rule("send", "calls"), "call"),
            (rule("send", "answers"), "incoming"),
            // As earlier versions wrote it.
            (rule("send", "call_key"), "call"),
            (rule("send", "answers_call"), "incoming"),
            (rule("unknown", "model_flag"), "marked"),
            (rule("unknown", "anything"), "unread"),
            (rule("payment", "pay_button"), "payment"),
            (rule("password", "reveals_secret"), "shown"),
            (rule("clipboard", "clipboard"), "clipboard"),
            (rule("clipboard", "clipboard_read"), "copied"),
        ] {
            let found = words_of(&ask(more));
            assert_eq!(found, words);
            for name in ["question", "nothing", "allowed", "denied"] {
                let name = format!("ask.{found}.{name}");
                assert_ne!(get(&name), name);
            }
            let notice = format!("notices.{found}");
            assert!(
                get(&notice) != notice || ["marked", "unread"].contains(&words),
                "{notice}"
            );
        }
    }

    #[test]
    fn a_systems_language_is_known_by_its_tag() {
        for (tag, language) in [
            ("zh_CN.UTF-8", Language::Zh),
            ("zh-Hans-CN", Language::Zh),
            ("ZH", Language::Zh),
            ("en_GB.UTF-8", Language::En),
            ("de_DE@euro", Language::En),
            ("C", Language::En),
            ("", Language::En),
        ] {
            assert_eq!(of_tag(tag), language, "{tag}");
        }
    }

    /// Every sentence of a file is in the other, and the other has none of its own.
    #[test]
    fn both_languages_say_the_same() {
        let names = |words: &Value| -> Vec<String> {
            fn walk(value: &Value, path: &str, found: &mut Vec<String>) {
                match value {
                    Value::Object(group) => {
                        for (name, inner) in group {
                            walk(inner, &format!("{path}.{name}"), found);
                        }
                    }
                    _ => found.push(path.to_owned()),
                }
            }
            let mut found = Vec::new();
            walk(words, "", &mut found);
            found
        };
        let english = names(&ENGLISH);
        assert!(english.len() > 1000, "{}", english.len());
        assert_eq!(english, names(&CHINESE));
    }

    #[test]
    fn the_first_sentence_ends_where_its_mark_is() {
        for (text, sentence) in [
            ("The task is paused. Press Resume.", "The task is paused."),
            ("任务已暂停。请按“继续”。", "任务已暂停。"),
            ("One", "One"),
            ("", ""),
        ] {
            assert_eq!(first(text), sentence);
        }
    }

    #[test]
    fn androids_own_programs_are_android() {
        for (app, name) in [
            ("com.android.permissioncontroller", "Android"),
            ("com.google.android.permissioncontroller", "Android"),
            ("com.google.android.packageinstaller", "Android"),
            ("android", "Android"),
            ("com.android.settings", "A"),
            ("org.android.systemui", "A"),
        ] {
            assert_eq!(app_of(&ask(json!({"app": app}))), name, "{app}");
        }
    }

    #[test]
    fn a_title_before_a_sentence_is_a_sentence() {
        for (title, sentence) in [
            ("The AI needs your help", "The AI needs your help."),
            ("Send this message?", "Send this message?"),
            (
                "Type the code from “Northbank”",
                "Type the code from “Northbank”.",
            ),
            ("Wait…", "Wait…"),
            ("", ""),
        ] {
            assert_eq!(closed(title), sentence);
        }
    }

    /// Every sentence of a group, its groups' too.
    fn flat(group: &serde_json::Map<String, Value>) -> Vec<(String, String)> {
        let inner = |(name, value): (&String, &Value)| match value {
            Value::Object(group) => flat(group),
            text => vec![(name.clone(), text.as_str().unwrap().to_owned())],
        };
        group.iter().flat_map(inner).collect()
    }

    #[test]
    fn what_rust_reads_holds_plain_names_only() {
        for (words, group) in [&*ENGLISH, &*CHINESE]
            .into_iter()
            .flat_map(|words| ["notices", "failures", "export"].map(|group| (words, group)))
        {
            let group = words.get(group).and_then(Value::as_object).unwrap();
            for (name, text) in flat(group) {
                assert!(
                    !text.contains("plural") && !text.contains("select"),
                    "{name}: {text}"
                );
                assert!(
                    !text.contains('\''),
                    "a straight apostrophe is an escape in message files: {name}"
                );
            }
        }
    }
}
