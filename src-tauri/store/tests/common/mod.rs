//! Runs to write down.

#![allow(dead_code, reason = "each test file uses its part")]

use agent::ports::{Journal, KeptScreen};
use protocol::{
    Act, Action, Amount, Ask, AskId, AskKind, AskOutcome, AskReason, Capability, Choice, Claim, Ending,
    Event, Evidence, Failure, Frame, Outcome, OutcomeCode, PhoneId, RunId, Usage, What,
};
use std::sync::Arc;
use store::Store;

pub(crate) fn tap() -> Action {
    Action::from(Act::Tap {
        x: Some(540.0),
        y: Some(1200.5),
        target: None,
    })
}

pub(crate) fn started(goal: &str) -> What {
    What::Started {
        goal: goal.to_owned(),
        model: "demo".to_owned(),
        demo_ai: true,
        automation: None,
        goes_on: None,
    }
}

pub(crate) fn acting(step: u32) -> What {
    doing(step, tap())
}

pub(crate) fn doing(step: u32, action: Action) -> What {
    What::Acting {
        step,
        action,
        label: Some("Pay $23.40".to_owned()),
        role: None,
        place: None,
        app_label: None,
        ring: None,
        secret_characters: None,
    }
}

pub(crate) fn acted(step: u32, ok: bool) -> What {
    let outcome = Outcome {
        ok,
        code: if ok {
            OutcomeCode::Done
        } else {
            OutcomeCode::PhoneRefused
        }
        .into(),
        changed: Some(true),
        ..Outcome::default()
    };
    What::Acted {
        step,
        outcome,
        took_ms: 80,
    }
}

pub(crate) fn thought(input_tokens: u64, dollars: Option<f64>) -> What {
    What::Unclear {
        step: 1,
        code: protocol::UnclearCode::Empty,
        message: String::new(),
        raw: None,
        usage: Usage {
            input_tokens,
            output_tokens: 10,
            dollars,
            ..Usage::default()
        },
    }
}

pub(crate) fn answered(ask: &str, outcome: AskOutcome) -> What {
    What::Answered {
        ask: AskId::from(ask),
        outcome,
    }
}

pub(crate) fn ended(ending: Ending) -> What {
    What::Ended {
        ending,
        maybe_running: false,
    }
}

/// A question about a payment in Greenleaf.
pub(crate) fn payment(id: &str, amount: Option<&str>, action: Option<Action>) -> What {
    let ask = Ask {
        id: AskId::from(id),
        run: RunId::from("-"),
        phone: PhoneId::from("-"),
        phone_name: "Spare Moto".to_owned(),
        goal: "Order the weekly groceries and pay".to_owned(),
        kind: AskKind::Payment,
        reason: AskReason::Model {
            capability: Capability::Payment,
        },
        app: "com.greenleaf".to_owned(),
        app_label: "Greenleaf".to_owned(),
        action,
        evidence: Evidence {
            amount: amount.map(|text| Amount {
                text: text.to_owned(),
                minor: None,
                currency: "$".to_owned(),
            }),
            ..Evidence::default()
        },
        claim: Claim::default(),
        element: None,
        choices: vec![Choice::Deny, Choice::Approve],
        digest: "d".to_owned(),
        asked_at: 1,
        deadline: 2,
    };
    What::Asked { step: 1, ask }
}

/// Writes one run down, event by event.
pub(crate) struct Story<'a> {
    pub(crate) store: &'a Store,
    pub(crate) run: RunId,
    pub(crate) phone: PhoneId,
    pub(crate) seq: u64,
    pub(crate) at: u64,
}

impl<'a> Story<'a> {
    pub(crate) async fn begin(store: &'a Store, run: &str, phone: &str) -> Self {
        let mut story = Self {
            store,
            run: RunId::from(run),
            phone: PhoneId::from(phone),
            seq: 0,
            at: 1_750_000_000_000,
        };
        story.tell(started("Order the weekly groceries and pay")).await;
        story
    }

    pub(crate) fn event(&self, what: What) -> Event {
        Event {
            run: self.run.clone(),
            phone: self.phone.clone(),
            seq: self.seq + 1,
            at: self.at + 1_000,
            what,
        }
    }

    pub(crate) async fn try_tell(&mut self, what: What) -> Result<Event, Failure> {
        let event = self.event(what);
        self.store.append(&event).await?;
        self.seq = event.seq;
        self.at = event.at;
        Ok(event)
    }

    pub(crate) async fn tell(&mut self, what: What) -> Event {
        self.try_tell(what).await.expect("the event is taken")
    }

    pub(crate) async fn tell_all(&mut self, whats: impl IntoIterator<Item = What>) {
        for what in whats {
            self.tell(what).await;
        }
    }
}

/// A picture of one colour with one line in another.
pub(crate) fn picture(width: u32, height: u32, grey: u8) -> Frame {
    let mut rgba = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let shade = if x == y { 255 - grey } else { grey };
            rgba.extend_from_slice(&[shade, shade, shade.wrapping_add(1), 255]);
        }
    }
    Frame {
        width,
        height,
        rgba: Arc::from(rgba),
    }
}

/// A screen that its picture shows pixel for pixel, with nothing that was read from it.
pub(crate) fn screen(picture: &Frame) -> KeptScreen<'_> {
    KeptScreen {
        picture,
        width: picture.width,
        height: picture.height,
        elements: &[],
    }
}

/// A picture that packs badly.
pub(crate) fn noise(width: u32, height: u32) -> Frame {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    let rgba = (0..width * height * 4).map(|_| next()).collect();
    Frame { width, height, rgba }
}

/// Every byte of every file in a folder and those below.
pub(crate) fn all_bytes(folder: &std::path::Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            bytes.extend(all_bytes(&path));
        } else {
            bytes.extend(std::fs::read(&path).unwrap());
        }
    }
    bytes
}

pub(crate) fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}
