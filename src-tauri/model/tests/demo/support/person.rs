//! The person: answers every question as the script says, and adds a word here and there.

use super::phone::{DemoPhone, Hand};
use agent::Handle;
use protocol::{Answer, AskKind, Choice, Event, Op, What};
use secrecy::SecretString;
use std::collections::VecDeque;
use std::sync::Arc;

/// What the person does at the next question.
pub(crate) enum Says {
    Yes,
    No,
    /// Types the newest code that arrived by text message.
    Code,
    /// Types something else.
    Types(&'static str),
    /// Takes over, does something by hand, hands back.
    Takes(Box<dyn Fn(&mut Hand<'_>)>),
    /// The phone changes, then the answer is Yes.
    YesAfter(Box<dyn Fn(&mut Hand<'_>)>),
    /// At this step, without being asked, says something.
    Adds(u32, &'static str),
    /// At this step, without being asked, takes over, does something by hand, hands back.
    TakesAt(u32, Box<dyn Fn(&mut Hand<'_>)>),
}

#[derive(Default)]
pub(crate) struct Person {
    answers: VecDeque<Says>,
    unasked: Vec<Says>,
}

impl Person {
    pub(crate) fn new(says: impl IntoIterator<Item = Says>) -> Self {
        let (unasked, answers): (Vec<Says>, Vec<Says>) =
            says.into_iter().partition(|says| matches!(says, Says::Adds(..) | Says::TakesAt(..)));
        Self { answers: answers.into(), unasked }
    }

    pub(crate) async fn hear(&mut self, event: &Event, handle: &Handle, phone: &Arc<DemoPhone>) {
        match &event.what {
            What::Asked { ask, .. } => {
                let answer = |choice| {
                    handle.answer(Answer { ask: ask.id.clone(), digest: ask.digest.clone(), choice });
                };
                let supply = |value: String| {
                    assert!(ask.choices.contains(&Choice::Supply), "{ask:?}");
                    handle.supply(ask.id.clone(), ask.digest.clone(), SecretString::from(value));
                };
                // Who has nothing to say is asked in vain: the run would wait.
                match self.answers.pop_front() {
                    Some(Says::Yes) => {
                        assert!(ask.choices.contains(&Choice::Approve), "{ask:?}");
                        answer(Choice::Approve);
                    }
                    Some(Says::Code) => supply(newest_code(phone)),
                    Some(Says::Types(words)) => supply(words.to_owned()),
                    Some(Says::Takes(hand)) => take_over(handle, phone, &*hand).await,
                    Some(Says::YesAfter(hand)) => {
                        phone.touch(|own| hand(own));
                        answer(Choice::Approve);
                    }
                    Some(Says::No) => answer(Choice::Deny),
                    Some(Says::Adds(..) | Says::TakesAt(..)) | None => {
                        assert_ne!(ask.kind, AskKind::Act, "nothing asks before every step here");
                        answer(Choice::Deny);
                    }
                }
            }
            What::Looked { step, .. } => {
                let due = |says: &Says| matches!(says, Says::Adds(at, _) | Says::TakesAt(at, _) if at == step);
                if let Some(at) = self.unasked.iter().position(due) {
                    match self.unasked.remove(at) {
                        Says::Adds(_, text) => handle.steer(Op::Say { text: text.into() }).await,
                        Says::TakesAt(_, hand) => take_over(handle, phone, &*hand).await,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether the person lets a paused run go on: never by itself.
    pub(crate) async fn resumes(&mut self, _handle: &Handle) -> bool {
        false
    }
}

async fn take_over(handle: &Handle, phone: &Arc<DemoPhone>, hand: &dyn Fn(&mut Hand<'_>)) {
    let grip = handle.take_over();
    phone.touch(|own| hand(own));
    grip.release();
    handle.steer(Op::HandBack).await;
}

/// The digits of the newest message from the bank.
fn newest_code(phone: &DemoPhone) -> String {
    phone.touch(|hand| hand.wait(2000));
    let state = phone.tell();
    let received = state["messages"]["received"].as_array().cloned().unwrap_or_default();
    let text = received.last().map(|last| last["text"].to_string()).unwrap_or_default();
    text.chars().filter(char::is_ascii_digit).collect()
}
