//! The person: answers every question as the script says, and adds a word here and there.

use super::hand::Hand;
use super::phone::DemoPhone;
use agent::{Grip, Handle};
use protocol::{Answer, AskKind, AskReason, Choice, Event, Op, What};
use secrecy::SecretString;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// What the person does at the next question.
pub(crate) enum Says {
    Yes,
    No,
    /// Types the newest code that arrived by text message.
    Code,
    /// Types something else.
    Types(&'static str),
    /// Without a word of the script, yes to whatever nobody knows: a page that speaks to assistants is asked about.
    LooksOn,
    /// Takes over, does something by hand, hands back.
    Takes(Box<dyn Fn(&mut Hand<'_>)>),
    /// The phone changes, then the answer is Yes.
    YesAfter(Box<dyn Fn(&mut Hand<'_>)>),
    /// Does not answer: the question times out.
    Nothing,
    /// Lets a run go on that paused.
    Resumes,
    /// At this step, without being asked, says something.
    Adds(u32, &'static str),
    /// Stops the run a second after the AI was asked for this step.
    StopsAt(u32),
    /// At this step, without being asked, takes over, does something by hand, hands back.
    TakesAt(u32, Box<dyn Fn(&mut Hand<'_>)>),
}

impl Says {
    /// Takes over, does something by hand, hands back.
    pub(crate) fn takes(hand: impl Fn(&mut Hand<'_>) + 'static) -> Self {
        Self::Takes(Box::new(hand))
    }

    /// The same at a step, without being asked.
    pub(crate) fn takes_at(step: u32, hand: impl Fn(&mut Hand<'_>) + 'static) -> Self {
        Self::TakesAt(step, Box::new(hand))
    }

    /// The phone changes, then the answer is Yes.
    pub(crate) fn yes_after(hand: impl Fn(&mut Hand<'_>) + 'static) -> Self {
        Self::YesAfter(Box::new(hand))
    }
}

#[derive(Default)]
pub(crate) struct Person {
    answers: VecDeque<Says>,
    unasked: Vec<Says>,
    /// The phone is in the person's hand.
    grip: Option<Grip>,
    /// How long it took until the run had stopped.
    pub(super) stopped_in: Option<Duration>,
}

impl Person {
    pub(crate) fn new(says: impl IntoIterator<Item = Says>) -> Self {
        let (unasked, answers): (Vec<Says>, Vec<Says>) = says.into_iter().partition(|says| {
            matches!(
                says,
                Says::LooksOn | Says::Adds(..) | Says::TakesAt(..) | Says::StopsAt(_)
            )
        });
        Self {
            answers: answers.into(),
            unasked,
            grip: None,
            stopped_in: None,
        }
    }

    pub(crate) async fn hear(&mut self, event: &Event, handle: &Handle, phone: &Arc<DemoPhone>) {
        match &event.what {
            What::Asked { ask, .. } => {
                let answer = |choice| {
                    handle.answer(Answer {
                        ask: ask.id.clone(),
                        digest: ask.digest.clone(),
                        choice,
                        words: None,
                        amount: None,
                    });
                };
                let supply = |value: String| {
                    if ask.choices.contains(&Choice::Supply) {
                        handle.supply(ask.id.clone(), ask.digest.clone(), SecretString::from(value));
                    } else {
                        answer(Choice::Deny);
                    }
                };
                // Where a Yes is not offered, there is only No.
                let approve = || {
                    let offered = ask.choices.contains(&Choice::Approve);
                    answer(if offered { Choice::Approve } else { Choice::Deny });
                };
                let looks_on = self.unasked.iter().any(|says| matches!(says, Says::LooksOn));
                let is_unknown = ask.kind == AskKind::Unknown && matches!(ask.reason, AskReason::Rule { .. });
                if looks_on && is_unknown {
                    return approve();
                }
                match self.answers.pop_front() {
                    Some(Says::Nothing) => {}
                    Some(Says::Yes) => approve(),
                    Some(Says::Code) => supply(phone.touch(|hand| hand.newest_code())),
                    Some(Says::Types(words)) => supply(words.to_owned()),
                    Some(Says::Takes(hand)) => self.take_over(handle, phone, &*hand),
                    Some(Says::YesAfter(hand)) => {
                        phone.touch(|own| hand(own));
                        approve();
                    }
                    Some(Says::No) => answer(Choice::Deny),
                    // Whoever is asked more than the script foresees says no.
                    Some(
                        Says::LooksOn | Says::Adds(..) | Says::TakesAt(..) | Says::StopsAt(_) | Says::Resumes,
                    )
                    | None => {
                        answer(Choice::Deny);
                    }
                }
            }
            What::Looked { step, .. } => {
                let due =
                    |says: &Says| matches!(says, Says::Adds(at, _) | Says::TakesAt(at, _) if at == step);
                if let Some(at) = self.unasked.iter().position(due) {
                    match self.unasked.remove(at) {
                        Says::Adds(_, text) => handle.steer(Op::Say { text: text.into() }).await,
                        Says::TakesAt(_, hand) => self.take_over(handle, phone, &*hand),
                        _ => {}
                    }
                }
            }
            What::Thinking { step } => {
                let stops = |says: &Says| matches!(says, Says::StopsAt(at) if at == step);
                if self.unasked.iter().any(stops) {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    let asked = tokio::time::Instant::now();
                    handle.stop().await;
                    self.stopped_in = Some(asked.elapsed());
                }
            }
            What::TakenOver => {
                if let Some(grip) = self.grip.take() {
                    grip.release();
                    handle.steer(Op::HandBack).await;
                }
            }
            _ => {}
        }
    }

    /// Takes the phone and uses it; gives it back once the run says that it let go.
    fn take_over(&mut self, handle: &Handle, phone: &Arc<DemoPhone>, hand: &dyn Fn(&mut Hand<'_>)) {
        self.grip = Some(handle.take_over());
        phone.touch(|own| hand(own));
    }

    /// Whether the person lets a paused run go on.
    pub(crate) async fn resumes(&mut self, handle: &Handle) -> bool {
        let resumes = matches!(self.answers.front(), Some(Says::Resumes));
        if resumes {
            self.answers.pop_front();
            handle.steer(Op::Resume).await;
        }
        resumes
    }
}
