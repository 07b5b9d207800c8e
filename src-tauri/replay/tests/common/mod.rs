//! Pages drawn as text, runs written as a few lines.

#![allow(dead_code, reason = "each test file uses its part")]

#[path = "../../../screen/tests/common/mod.rs"]
pub(crate) mod drawing;

use protocol::{
    Act, Action, Ask, AskId, AskKind, AskOutcome, AskReason, Bounds, CaptureResult, Claim, Element, Ending,
    Event, Evidence, Outcome, PhoneId, RuleName, RunId, Screen, Target, Usage, What,
};
use replay::{RecordedStep, Variables};
use screen::Tree;

pub(crate) const SHOP: &str = "com.greenleaf.shop";

/// A page of the shop, drawn.
pub(crate) fn shop(drawing: &str) -> Screen {
    page(&drawing::xml(drawing), SHOP, "Checkout", (1080, 2400))
}

/// A page of any app, from a tree.
pub(crate) fn page(xml: &str, app: &str, window: &str, (width, height): (u32, u32)) -> Screen {
    let tree = Tree::read(xml, width, height, 1000).unwrap();
    Screen {
        phone: PhoneId::from("phone"),
        current_app: app.to_owned(),
        window: Some(format!("{app}/.{window}")),
        width,
        height,
        captured_at: 0,
        capture: CaptureResult::Ok,
        frame: None,
        elements: tree.elements,
        tree_read: true,
        tree_bounds: None,
        totals: tree.totals,
        keyboard_shown: false,
    }
}

pub(crate) fn values(all: &[(&str, &str)]) -> Variables {
    let all = all
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Variables::new(&all.collect())
}

/// The one whose id or label ends so.
pub(crate) fn element<'a>(screen: &'a Screen, name: &str) -> &'a Element {
    let is = |element: &&Element| element.resource_id.ends_with(&format!("/{name}")) || element.label == name;
    let found = screen.elements.iter().find(is);
    found.unwrap_or_else(|| panic!("no {name} on {}", drawing::lines(&screen.elements)))
}

pub(crate) fn action(act: Act) -> Action {
    Action {
        reason: Some("because".to_owned()),
        ..Action::from(act)
    }
}

pub(crate) fn tap(number: u32) -> Act {
    Act::Tap {
        x: None,
        y: None,
        target: Some(Target {
            element: Some(number),
            ..Target::default()
        }),
    }
}

/// A run as its journal has it, written step by step.
#[derive(Default)]
pub(crate) struct Run {
    pub(crate) events: Vec<Event>,
    pub(crate) screens: Vec<RecordedStep>,
    step: u32,
}

impl Run {
    pub(crate) fn tell(&mut self, what: What) {
        self.events.push(Event {
            run: RunId::from("run"),
            phone: PhoneId::from("phone"),
            seq: self.events.len() as u64 + 1,
            at: 0,
            what,
        });
    }

    fn look(&mut self, screen: &Screen, ring: Option<Bounds>) {
        self.step += 1;
        self.tell(What::Looked {
            step: self.step,
            frame: Some(format!("run/{}", self.step).as_str().into()),
            app: screen.current_app.clone(),
            width: screen.width,
            height: screen.height,
            capture: CaptureResult::Ok,
            elements: 0,
        });
        self.screens
            .push(RecordedStep::of(self.step, screen, Some("5167"), ring));
    }

    pub(crate) fn decided(&mut self, said: &Action) {
        self.tell(What::Decided {
            step: self.step,
            thought: String::new(),
            action: said.clone(),
            dialect: "openpocket".to_owned(),
            sensitivity: None,
            defaulted: Vec::new(),
            warnings: Vec::new(),
            raw: None,
            usage: Usage::default(),
        });
    }

    /// What the model says, and what is sent of it to an element of a screen.
    pub(crate) fn does(&mut self, screen: &Screen, on: Option<&Element>, said: Act, outcome: &str) {
        self.asks(screen, on, said, outcome, None);
    }

    /// The same with a question that was answered Yes.
    pub(crate) fn asks(
        &mut self,
        screen: &Screen,
        on: Option<&Element>,
        said: Act,
        outcome: &str,
        kind: Option<AskKind>,
    ) {
        self.look(screen, on.map(|element| element.bounds));
        let said = action(said);
        self.decided(&said);
        if let Some(kind) = kind {
            let page = judge::Page::new(screen);
            let evidence = agent::evidence::gather(kind, &page, on, Some(&said));
            self.question(kind, evidence, AskOutcome::Allowed);
        }
        self.acting(on, said, None);
        self.acted(outcome);
    }

    pub(crate) fn acting(&mut self, on: Option<&Element>, action: Action, secret_characters: Option<u32>) {
        self.tell(What::Acting {
            step: self.step,
            action,
            label: on.map(|e| e.label.clone()).filter(|label| !label.is_empty()),
            role: on.map(|e| e.role),
            place: None,
            app_label: None,
            ring: on.map(|e| e.bounds),
            secret_characters,
        });
    }

    pub(crate) fn acted(&mut self, code: &str) {
        self.tell(What::Acted {
            step: self.step,
            outcome: Outcome {
                ok: code == "done",
                code: serde_json::from_value(code.into()).unwrap(),
                ..Outcome::default()
            },
            took_ms: 5,
        });
    }

    pub(crate) fn question(&mut self, kind: AskKind, evidence: Evidence, outcome: AskOutcome) {
        let id = AskId::from(format!("ask {}", self.step).as_str());
        let ask = Ask {
            id: id.clone(),
            run: RunId::from("run"),
            phone: PhoneId::from("phone"),
            phone_name: "Phone".to_owned(),
            goal: String::new(),
            kind,
            reason: AskReason::Rule {
                rule: RuleName::PayButton.into(),
            },
            app: SHOP.to_owned(),
            app_label: "Greenleaf".to_owned(),
            action: None,
            evidence: Evidence {
                frame: Some(format!("run/{}", self.step).as_str().into()),
                ..evidence
            },
            claim: Claim::default(),
            element: None,
            choices: Vec::new(),
            digest: String::new(),
            asked_at: 0,
            deadline: 0,
        };
        self.tell(What::Asked { step: self.step, ask });
        self.tell(What::Answered { ask: id, outcome });
    }

    /// The last look, and the end.
    pub(crate) fn ends(&mut self, screen: &Screen) {
        self.look(screen, None);
        let ending = Ending::Finished {
            message: "Done.".to_owned(),
            declined: false,
        };
        self.tell(What::Ended {
            ending,
            maybe_running: false,
        });
    }

    /// What only the model and the person see of a look.
    pub(crate) fn looks(&mut self, screen: &Screen) {
        self.look(screen, None);
    }
}
