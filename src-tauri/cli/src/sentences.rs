//! What happened, in the sentences of the one file they live in.

use crate::say::steers;
use engine::words;
use protocol::{Ask, Ending, Failure, PauseReason};

/// Why a run waits. Where the words go on, they speak of the window's buttons.
pub(crate) fn paused(reason: &PauseReason) -> String {
    let title = |name: &str| words::first(&words::get(&format!("paused.{name}")));
    match reason {
        PauseReason::Person => title("person.title"),
        PauseReason::TimedOut { .. } => title("timed_out.title"),
        PauseReason::Unclear => title("unclear.title"),
        PauseReason::Repeating => title("repeating.title"),
        PauseReason::Denied => title("denied.title"),
        PauseReason::ManyQuestions => title("many_questions.title"),
        PauseReason::Unapproved { .. } => title("unapproved.title"),
        PauseReason::Limit { limit } => words::first(&words::of("paused.limit", &limit.to_string())),
        PauseReason::PhoneGone => title("phone_gone.title"),
        PauseReason::Protected => title("protected.title"),
        PauseReason::Model { failure } | PauseReason::Journal { failure } | PauseReason::Look { failure } => {
            words::failed(failure)
        }
    }
}

/// What a pause comes from, for support.
pub(crate) fn behind(reason: &PauseReason) -> Option<&Failure> {
    match reason {
        PauseReason::Model { failure } | PauseReason::Journal { failure } | PauseReason::Look { failure } => {
            Some(failure)
        }
        _ => None,
    }
}

/// How a run ended, where its last event does not say it in words already.
pub(crate) fn ended(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Finished { .. } => None,
        Ending::Stopped => Some(words::closed(&words::get("ended.stopped"))),
        Ending::Failed { failure } => Some(words::failed(failure)),
        Ending::Interrupted { unknown_effect } => {
            let mut sentences = vec![words::get("ended.interrupted")];
            sentences.extend(unknown_effect.then(|| words::get("ended.unknown_effect")));
            Some(words::in_a_row(&sentences))
        }
    }
}

/// A question, what it is about, and what comes of silence.
pub(crate) fn question(ask: &Ask) -> String {
    let seen = &ask.evidence;
    let amount = seen.amount.as_ref().map(|amount| amount.text.as_str());
    // Money whose receiver the page does not name goes by way of the app in front.
    let by_way_of = amount.map(|_| words::app_of(ask));
    let about = [
        amount,
        seen.payee.as_deref().or(seen.recipient.as_deref()).or(by_way_of),
        seen.text.as_deref(),
    ];
    let about: Vec<String> = about.into_iter().flatten().map(plain).collect();
    let mut sentences = vec![words::closed(&ask_words(ask, "question"))];
    if !about.is_empty() {
        sentences.push(words::closed(&words::listed(&about)));
    }
    if seen.maybe_done {
        sentences.push(words::get("approval.maybe_done"));
    }
    sentences.push(ask_words(ask, "nothing"));
    words::in_a_row(&sentences)
}

/// One of a question's sentences.
pub(crate) fn ask_words(ask: &Ask, name: &str) -> String {
    let (app, phone) = (plain(words::app_of(ask)), plain(&ask.phone_name));
    let values = [("app", app.as_str()), ("phone", phone.as_str())];
    words::fill(&format!("ask.{}.{name}", words::words_of(ask)), &values)
}

/// Words from the phone or the AI, on one line and without what would steer a terminal.
pub(crate) fn plain(text: &str) -> String {
    text.chars()
        .map(|one| if steers(one) { ' ' } else { one })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{AskId, FailureCode};
    use serde_json::Value;
    use std::collections::BTreeMap;

    #[test]
    fn every_pause_is_one_sentence_of_its_own() {
        let limits = ["steps", "minutes", "dollars", "another"].map(|limit| PauseReason::Limit {
            limit: serde_json::from_value(limit.into()).unwrap(),
        });
        let others = [
            PauseReason::Person,
            PauseReason::TimedOut {
                ask: AskId("1/1".to_owned()),
            },
            PauseReason::Unclear,
            PauseReason::Repeating,
            PauseReason::Denied,
            PauseReason::ManyQuestions,
            PauseReason::Unapproved {
                kind: protocol::AskKind::Send,
                undo: None,
            },
            PauseReason::PhoneGone,
            PauseReason::Protected,
        ];
        let mut told: Vec<String> = limits.iter().chain(&others).map(paused).collect();
        for sentence in &told {
            assert!(sentence.ends_with('.') && sentence.contains(' '), "{sentence}");
            assert!(
                !sentence.contains("Resume") && !sentence.contains('{'),
                "{sentence}"
            );
        }
        told.sort();
        told.dedup();
        assert_eq!(told.len(), limits.len() + others.len(), "{told:#?}");
    }

    #[test]
    fn a_failure_behind_a_pause_is_what_is_said() {
        let failure = Failure {
            code: FailureCode::ModelKey,
            values: BTreeMap::new(),
            detail: None,
        };
        let reason = PauseReason::Model {
            failure: failure.clone(),
        };
        assert_eq!(paused(&reason), words::failed(&failure));
        assert_ne!(words::failed(&failure), "failures.model_key");
    }

    /// A title without a mark of its own does not run into what follows.
    #[test]
    fn a_question_is_told_in_whole_sentences() {
        let ask = |more: Value| -> Ask {
            let mut ask = serde_json::json!({
                "id": "1", "run": "r", "phone": "p", "phoneName": "Spare Moto", "goal": "", "kind": "unknown",
                "reason": { "by": "model", "capability": "unknown" }, "app": "com.a", "appLabel": "Northbank",
                "evidence": { "width": 1, "height": 1 }, "claim": { "says": "" }, "choices": [], "digest": "",
                "askedAt": 1, "deadline": 2,
            });
            let more = more.as_object().unwrap().clone();
            ask.as_object_mut().unwrap().extend(more);
            serde_json::from_value(ask).unwrap()
        };
        let seen = |text: &str| serde_json::json!({"width": 1, "height": 1, "text": text});
        for (more, told) in [
            (
                serde_json::json!({}),
                "Can you help the AI? If you do nothing, the task pauses here.",
            ),
            (
                serde_json::json!({"kind": "code"}),
                "Enter the code for Northbank. If you do nothing, the task pauses here.",
            ),
            (
                serde_json::json!({"kind": "send", "evidence": seen("On my way!")}),
                "Send this message? On my way! If you do nothing, nothing is sent.",
            ),
            (
                serde_json::json!({"kind": "send", "action": {"type": "open_url", "url": "tel:911"}}),
                "Make this phone call? If you do nothing, no call is made.",
            ),
            (
                serde_json::json!({
                    "kind": "permission", "app": "com.android.permissioncontroller", "appLabel": "permissioncontroller",
                }),
                "Let Android have this permission? If you do nothing, nothing is allowed.",
            ),
        ] {
            assert_eq!(question(&ask(more)), told);
        }
    }

    #[test]
    fn codes_without_a_sentence_have_the_groups_own() {
        assert_eq!(
            words::of("refusals", "of a newer version"),
            words::get("refusals.other")
        );
        assert_ne!(words::of("refusals", "wipe"), words::get("refusals.other"));
    }

    /// The window reads message files with plural forms and all; what is read here are plain sentences.
    #[test]
    fn what_is_read_here_is_there_and_plain() {
        for text in [
            include_str!("../../../ui/words/en.json"),
            include_str!("../../../ui/words/zh.json"),
        ] {
            plain_where_read(&serde_json::from_str(text).unwrap());
        }
    }

    fn plain_where_read(words: &Value) {
        let check = |name: &str, text: &Value, values: &[&str]| {
            let mut text = text
                .as_str()
                .unwrap_or_else(|| panic!("no words for {name}"))
                .to_owned();
            for value in values {
                text = text.replace(value, "");
            }
            assert!(!text.contains(['{', '}', '\'', '<']), "{name}: {text}");
        };
        for group in ["unclear", "refusals", "outcomes"] {
            for (name, text) in words[group].as_object().unwrap() {
                check(name, text, &[]);
            }
        }
        for name in ["nobody", "not_done", "kept"] {
            check(name, &words["deck"][name], &[]);
        }
        for name in ["nothing_waits", "not_offered"] {
            check(name, &words["approval"][name], &[]);
        }
        for name in ["stopped", "interrupted", "maybe_running"] {
            check(name, &words["ended"][name], &[]);
        }
        check("empty", &words["empty"]["title"], &[]);
        for (kind, sentences) in words["ask"].as_object().unwrap() {
            for name in ["question", "nothing", "allowed", "denied"] {
                check(&format!("{kind}.{name}"), &sentences[name], &["{app}", "{phone}"]);
            }
        }
    }

    #[test]
    fn words_from_the_phone_cannot_steer_a_terminal() {
        assert_eq!(plain("Pay\u{1b}[2J\r\nnow\u{9b}1m\u{202e}"), "Pay [2J  now 1m ");
    }
}
