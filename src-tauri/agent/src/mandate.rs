//! What a task itself names: "send Mum: on my way", "delete the 34 screenshots". Asked of the model once, before the first
//! step, and taken only where every word of it is the person's own. Pure.

use crate::ports::App;
use judge::folded;
use protocol::{AskKind, Mandate};
use serde::Deserialize;
use std::fmt::Write as _;

/// A task names a few deeds; more is no reading of it.
const MOST: usize = 5;
/// Characters of a message, or of a thing's name.
const LONGEST: usize = 500;
/// How often one deed may be named.
const OFTENEST: u32 = 1_000;
/// Apps the model chooses from.
const APPS: usize = 150;

/// What passwords are called.
const PASSWORDS: &[&str] = &[
    "password",
    "passcode",
    "pin",
    "passwort",
    "kennwort",
    "mot de passe",
    "contraseña",
    "senha",
    "palavra passe",
    "wachtwoord",
    "hasło",
    "пароль",
    "şifre",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
];

/// How the model is asked.
pub const SYSTEM: &str = "You read a task that a person wrote for their phone, and list the messages it tells to send and the \
things it tells to delete. Answer with one JSON object and nothing else: \
{\"deeds\": [{\"kind\": \"send\" or \"delete\", \"app\": package, \"recipient\": string, \"text\": string, \"count\": number}]}. \
Copy recipient and text letter for letter from the task: for send, to whom and the message itself; for delete leave recipient \
out, and text is what the things are called. count is how many things, or how often; 1 where the task gives no number. List a \
deed only where the task gives all of it word for word. Never list payments, codes, passwords, permissions or installs. Where \
nothing is left, deeds is empty.";

/// The question about a task.
#[must_use]
pub fn question(goal: &str, apps: &[App]) -> String {
    let mut text = format!("The task:\n{goal}\n\nThe apps, package and name:\n");
    for app in apps.iter().take(APPS) {
        let _ = writeln!(text, "{} {}", app.package, app.label);
    }
    text
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MandateReply {
    deeds: Vec<ProposedMandate>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProposedMandate {
    kind: Kind,
    app: String,
    #[serde(default)]
    recipient: Option<String>,
    text: String,
    #[serde(default = "once")]
    count: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Send,
    Delete,
}

fn once() -> u32 {
    1
}

/// What the answer says the task names. Nothing where it is no such answer, or where one word of it is not the person's own:
/// what was misread once may be misread altogether.
#[must_use]
pub fn read(answer: &str, goal: &str, apps: &[App]) -> Vec<Mandate> {
    let json = answer.find('{').zip(answer.rfind('}'));
    let json = json
        .and_then(|(from, to)| answer.get(from..=to))
        .unwrap_or_default();
    let Ok(MandateReply { deeds }) = serde_json::from_str(json) else {
        return Vec::new();
    };
    if deeds.len() > MOST {
        return Vec::new();
    }
    let task = NormalizedText::of(goal);
    let read: Option<Vec<Mandate>> = deeds.into_iter().map(|deed| deed.mandate(&task, apps)).collect();
    read.unwrap_or_default()
}

impl ProposedMandate {
    fn mandate(self, task: &NormalizedText, apps: &[App]) -> Option<Mandate> {
        let app = apps.iter().find(|app| app.package == self.app)?;
        let text = self.text.trim().to_owned();
        let recipient = self.recipient.map(|name| name.trim().to_owned());
        let whom = match self.kind {
            Kind::Send => Some(recipient.filter(|name| !name.is_empty())?),
            Kind::Delete if recipient.is_none_or(|name| name.is_empty()) => None,
            Kind::Delete => return None,
        };
        let counted =
            self.count == 1 || (2..=OFTENEST).contains(&self.count) && task.contains(&self.count.to_string());
        let own = task.contains(&text)
            && whom
                .as_deref()
                .is_none_or(|whom| task.contains(whom) && whom != text);
        let harmless =
            text.chars().count() <= LONGEST && screen::amounts(&text).is_empty() && !is_secret(&text);
        (counted && own && harmless).then(|| Mandate {
            kind: match self.kind {
                Kind::Send => AskKind::Send,
                Kind::Delete => AskKind::Delete,
            },
            app: app.package.clone(),
            app_label: app.label.clone(),
            recipient: whom,
            text: Some(text),
            count: self.count,
        })
    }
}

/// It speaks of a code or a password, or something in it looks like one.
fn is_secret(text: &str) -> bool {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let mut words = text.split_whitespace().map(bare);
    judge::mentions_code(text)
        || judge::mentions(text, PASSWORDS)
        || words.any(|word| screen::code_like(&word))
}

/// A person's words, as they are compared.
struct NormalizedText(Vec<char>);

impl NormalizedText {
    fn of(text: &str) -> Self {
        Self(folded(text).chars().collect())
    }

    /// Whether `part` stands in them, whole words and not empty.
    fn contains(&self, part: &str) -> bool {
        let part: Vec<char> = folded(part).chars().collect();
        let (Some(first), Some(last)) = (part.first(), part.last()) else {
            return false;
        };
        let places = self.0.windows(part.len()).enumerate();
        let mut found = places
            .filter(|(_, window)| *window == part.as_slice())
            .map(|(at, _)| at);
        found.any(|at| {
            let before = at.checked_sub(1).and_then(|at| self.0.get(at));
            let after = self.0.get(at + part.len());
            !before.is_some_and(|c| is_one_word(*c, *first)) && !after.is_some_and(|c| is_one_word(*last, *c))
        })
    }
}

/// Two characters side by side are one word; where words are not parted by blanks, any place parts them.
fn is_one_word(one: char, next: char) -> bool {
    let dense = |c: char| matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2ffff}');
    one.is_alphanumeric() && next.is_alphanumeric() && !dense(one) && !dense(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn apps() -> Vec<App> {
        [
            ("com.android.messages", "Messages"),
            ("com.android.gallery", "Photos"),
        ]
        .map(|(package, label)| App {
            package: package.into(),
            label: label.into(),
        })
        .into()
    }

    /// Recipient, text and count of each deed that is taken.
    #[track_caller]
    fn check(goal: &str, deeds: Value, expected: &[(Option<&str>, &str, u32)]) {
        let answer = json!({ "deeds": deeds }).to_string();
        let read = read(&answer, goal, &apps());
        let read: Vec<_> = read
            .iter()
            .map(|deed| {
                (
                    deed.recipient.as_deref(),
                    deed.text.as_deref().unwrap_or_default(),
                    deed.count,
                )
            })
            .collect();
        assert_eq!(read, expected, "{goal}: {answer}");
    }

    fn send(recipient: &str, text: &str) -> Value {
        json!({"kind": "send", "app": "com.android.messages", "recipient": recipient, "text": text})
    }

    fn delete(text: &str, count: u32) -> Value {
        json!({"kind": "delete", "app": "com.android.gallery", "text": text, "count": count})
    }

    #[test]
    fn what_the_task_says_word_for_word_is_taken() {
        check(
            "send Mum: on my way",
            json!([send("Mum", "on my way")]),
            &[(Some("Mum"), "on my way", 1)],
        );
        // Quotes, capitals and blanks are written in many ways.
        check(
            "Send  mum “On my way!”",
            json!([send("Mum", "on my way!")]),
            &[(Some("Mum"), "on my way!", 1)],
        );
        check(
            "Schreib Jürgen: „bin gleich da“",
            json!([send("Jürgen", "bin gleich da")]),
            &[(Some("Jürgen"), "bin gleich da", 1)],
        );
        check(
            "给妈妈发：我在路上",
            json!([send("妈妈", "我在路上")]),
            &[(Some("妈妈"), "我在路上", 1)],
        );
        check(
            "delete the 34 screenshots",
            json!([delete("screenshots", 34)]),
            &[(None, "screenshots", 34)],
        );
        check(
            "Tell Dana “see you at 9” and delete the old note",
            json!([send("Dana", "see you at 9"), delete("old note", 1)]),
            &[(Some("Dana"), "see you at 9", 1), (None, "old note", 1)],
        );
        check("open the gallery", json!([]), &[]);
    }

    #[test]
    fn one_word_that_is_not_the_persons_own_and_nothing_is_taken() {
        let goal = "send Mum: on my way, and delete the 34 screenshots";
        for deeds in [
            json!([send("Dad", "on my way")]),
            json!([send("Mum", "I am on my way")]),
            json!([send("Mum", "on my way"), send("Eve", "on my way")]),
            // A part of a word is another word.
            json!([send("Mu", "on my way")]),
            json!([send("Mum", "y way")]),
            json!([delete("shots", 34)]),
            // Neither nothing nor the same twice.
            json!([send("", "on my way")]),
            json!([send("Mum", "  ")]),
            json!([send("Mum", "Mum")]),
            json!([{"kind": "send", "app": "com.android.messages", "text": "on my way"}]),
            json!([{"kind": "delete", "app": "com.android.gallery", "recipient": "Mum", "text": "screenshots"}]),
            // Another number, or none that was said.
            json!([delete("screenshots", 35)]),
            json!([delete("screenshots", 3)]),
            json!([delete("screenshots", 0)]),
            // An app that is not there.
            json!([{"kind": "send", "app": "com.evil", "recipient": "Mum", "text": "on my way"}]),
            json!([{"kind": "pay", "app": "com.android.messages", "recipient": "Mum", "text": "on my way"}]),
            json!([{"kind": "send", "app": "com.android.messages", "recipient": "Mum", "text": "on my way", "always": true}]),
            json!("on my way"),
        ] {
            check(goal, deeds, &[]);
        }
        let six = vec![send("Mum", "on my way"); MOST + 1];
        check(goal, json!(six), &[]);
    }

    #[test]
    fn money_and_secrets_are_never_agreed_to_beforehand() {
        for (goal, text) in [
            ("send Mum $20", "$20"),
            ("send Dana: the code is 418023", "the code is 418023"),
            ("send Dana: 418023", "418023"),
            ("send Dana: my password is fern", "my password is fern"),
        ] {
            let to = if goal.contains("Mum") { "Mum" } else { "Dana" };
            check(goal, json!([send(to, text)]), &[]);
        }
    }

    #[test]
    fn what_is_no_such_answer_names_nothing() {
        let goal = "send Mum: on my way";
        let whole = json!({"deeds": [send("Mum", "on my way")]}).to_string();
        for answer in [
            "",
            "{}",
            "I would send it.",
            "{\"deeds\": 3}",
            "}{",
            "{\"deeds\": [{}]}",
            &whole[1..],
        ] {
            assert_eq!(read(answer, goal, &apps()), [], "{answer}");
        }
        let fenced = format!("Here it is:\n```json\n{whole}\n```");
        assert_eq!(read(&fenced, goal, &apps()).len(), 1);
    }
}
