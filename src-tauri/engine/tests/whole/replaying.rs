//! A task done once by the AI, then done again without it: on the same phone, at another price, turned, in the dark, under a
//! dialog.

use crate::rig::{Rig, Says, Turn, at, finish, on, say};
use engine::{Keychain, ModelChoice};
use protocol::{
    Act, Ask, AskKind, AskReason, Attention, Automation, AutomationId, AutomationPhones, AutomationPlan,
    Choice, Divergence, Ending, Event, FailureCode, MissedRun, RuleName, RunId, Settings, Variable,
    VariableKind, What,
};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use virtual_phone::system::{Basket, SystemOptions};

pub(crate) const GOAL: &str = "Order the weekly groceries and pay";

/// The shop, with an empty basket, behind the home screen.
fn shop() -> SystemOptions {
    SystemOptions {
        start: None,
        basket: Basket::Empty,
        ..at("")
    }
}

/// What the AI does the first time.
fn groceries() -> Arc<Says> {
    let tap = || json!({"type": "tap"});
    Says::new(vec![
        say(json!({"type": "launch_app", "packageName": "com.greenleaf.shop"})),
        on("add_all", tap()),
        on("primary_button", tap()),
        on("slot", tap()),
        on("primary_button", tap()),
        pay(),
        pay(),
        finish(),
    ])
}

/// Presses Pay as long as it is there: a Yes is void where the page had not come to rest when it was given.
fn pay() -> Turn {
    Box::new(|prompt| {
        let mut elements = prompt.facts.screen.elements.iter();
        match elements.find(|one| one.label.starts_with("Pay $")) {
            Some(button) => json!({"type": "tap", "target": {"element": button.index}}),
            None => json!({"type": "finish", "message": "Done."}),
        }
    })
}

pub(crate) fn plan(task: &str, recorded: &RunId) -> AutomationPlan {
    AutomationPlan {
        name: "Groceries".to_owned(),
        task: task.to_owned(),
        variables: Vec::new(),
        phones: AutomationPhones::All,
        schedule: None,
        trigger: None,
        missed: MissedRun::Late,
        recorded: Some(recorded.clone()),
    }
}

/// A task done by the AI on one day, kept as an automation that repeats it.
struct Recorded {
    rig: Rig,
    id: AutomationId,
    /// What it repeats.
    run: RunId,
}

async fn recorded() -> Recorded {
    let recorded = recorded_of(shop(), GOAL, &groceries()).await;
    assert_eq!(recorded.rig.state("/greenleaf/orders/0/amount"), json!(2340));
    recorded
}

async fn recorded_of(phone: SystemOptions, goal: &str, ai: &Arc<Says>) -> Recorded {
    let mut rig = Rig::new(phone, Keychain::absent()).await;
    let run = rig.run_task(goal, ai, Settings::default());
    rig.end(&run, Choice::Approve).await;
    let card = rig.engine.save_automation(None, plan(goal, &run)).await.unwrap();
    let id = card.automation.id;
    Recorded { rig, id, run }
}

impl Recorded {
    /// Another day: the program anew over the same data, and the phone as it is then.
    async fn on(self, phone: SystemOptions) -> Self {
        self.rig.engine.close().await;
        let rig = Rig::in_folder(phone, Keychain::absent(), Arc::clone(&self.rig.folder)).await;
        Self { rig, ..self }
    }

    async fn edit(&self, plan: AutomationPlan) {
        let edited = self.rig.engine.save_automation(Some(&self.id), plan);
        edited.await.unwrap();
    }

    async fn begin(&self, values: &[(&str, &str)]) -> Vec<RunId> {
        let values = values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let values: BTreeMap<_, _> = values.collect();
        let begun = self
            .rig
            .engine
            .run_automation(&self.id, &values, &ModelChoice::Settings);
        begun.await.unwrap()
    }

    /// Done again, each question answered so.
    async fn again(&mut self, choice: Choice) -> Again {
        self.again_with(&[], choice).await
    }

    /// The same with what is said at the start.
    async fn again_with(&mut self, values: &[(&str, &str)], choice: Choice) -> Again {
        let runs = self.begin(values).await;
        let (asks, events) = self.rig.end(&runs[0], choice).await;
        Again { asks, events }
    }

    /// The automation, once what its last run came to is counted.
    async fn counted(&self, clean: u32) -> Automation {
        let counted = async {
            loop {
                let cards = self.rig.engine.automations().await.unwrap();
                let card = cards.into_iter().find(|card| card.automation.id == self.id);
                let automation = card.unwrap().automation;
                if automation.clean_replays == clean {
                    return automation;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(60), counted)
            .await
            .unwrap()
    }
}

/// One more time.
struct Again {
    asks: Vec<Ask>,
    events: Vec<Event>,
}

impl Again {
    /// How often a model was asked.
    fn requests(&self) -> usize {
        let asks = |event: &&Event| matches!(event.what, What::Thinking { .. } | What::Decided { .. });
        self.events.iter().filter(asks).count()
    }

    /// How each step was found, and what did not fit.
    fn told(&self) -> Vec<String> {
        let told = self.events.iter().filter_map(|event| match &event.what {
            What::Replayed { by, .. } => Some(format!("{by:?}")),
            What::Diverged { why, .. } => Some(format!("{why:?}")),
            _ => None,
        });
        told.collect()
    }

    /// What was typed.
    fn typed(&self) -> Vec<&str> {
        let typed = self.events.iter().filter_map(|event| match &event.what {
            What::Acting { action, .. } => match &action.act {
                Act::Type { text, .. } => Some(text.as_str()),
                _ => None,
            },
            _ => None,
        });
        typed.collect()
    }

    fn ending(&self) -> &Ending {
        match &self.events.last().unwrap().what {
            What::Ended { ending, .. } => ending,
            other => panic!("{other:?}"),
        }
    }

    /// It went to its end without a word of the AI's, and paid after one question; one whose Yes became void is asked anew.
    fn is_clean(&self, amount: &str) {
        assert!(
            matches!(self.ending(), Ending::Finished { .. }),
            "{:#?}",
            self.events
        );
        assert_eq!(self.requests(), 0, "{:#?}", self.events);
        let void = |event: &&Event| matches!(event.what, What::Voided { .. });
        let void = self.events.iter().filter(void).count();
        assert_eq!(self.asks.len(), 1 + void, "{:#?}", self.asks);
        for ask in &self.asks {
            let shown = ask.evidence.amount.as_ref().map(|amount| amount.text.as_str());
            assert_eq!((ask.kind, shown), (AskKind::Payment, Some(amount)));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_done_once_is_done_again_without_a_request_to_the_ai() {
    let mut day = recorded().await.on(shop()).await;
    let again = day.again(Choice::Approve).await;
    again.is_clean("$23.40");
    println!("{:?}", again.told());
    let What::Started {
        automation: Some(of), ..
    } = &again.events[0].what
    else {
        panic!("{:?}", again.events[0])
    };
    assert!(of.replay);
    assert_eq!(of.attention, Attention::Watched, "nobody saw it repeated yet");
    assert_eq!(day.rig.state("/greenleaf/orders/0/amount"), json!(2340));
    assert_eq!(day.rig.state("/greenleaf/orders/1"), json!(null));
    day.counted(1).await;
    let engine = &day.rig.engine;
    let early = engine.quiet_automation(&day.id, true).await.unwrap_err();
    assert_eq!(early.code, FailureCode::NotNow, "one clean time is not three");
}

/// After three clean times it may run quietly, until one is not.
#[tokio::test(flavor = "multi_thread")]
async fn three_clean_times_make_it_quiet_until_one_needs_help() {
    let attention = |again: &Again| match &again.events[0].what {
        What::Started {
            automation: Some(of), ..
        } => of.attention,
        other => panic!("{other:?}"),
    };
    let mut day = recorded().await;
    for (n, expected) in [
        (1, Attention::Watched),
        (2, Attention::Usual),
        (3, Attention::Usual),
    ] {
        day = day.on(shop()).await;
        let again = day.again(Choice::Approve).await;
        assert_eq!(attention(&again), expected, "{n}");
        day.counted(n).await;
    }
    day.rig.engine.quiet_automation(&day.id, true).await.unwrap();
    let dearer = SystemOptions {
        total: Some(2510),
        ..shop()
    };
    day = day.on(dearer).await;
    let again = day.again(Choice::Deny).await;
    assert_eq!(attention(&again), Attention::Quiet);
    assert!(!day.counted(0).await.quiet, "it is watched again");
}

/// A No to the payment leaves everything unpaid, and the AI does not try in its place.
#[tokio::test(flavor = "multi_thread")]
async fn another_price_asks_with_the_new_price_and_both_pictures() {
    let dearer = SystemOptions {
        total: Some(2510),
        ..shop()
    };
    let mut day = recorded().await.on(dearer.clone()).await;
    let again = day.again(Choice::Deny).await;
    assert_eq!(again.ending(), &Ending::Stopped, "{:#?}", again.events);
    let [ask] = again.asks.as_slice() else {
        panic!("{:#?}", again.asks)
    };
    let rule = RuleName::ReplayDiffers.into();
    assert_eq!(ask.reason, AskReason::Rule { rule });
    assert_eq!(ask.evidence.amount.as_ref().unwrap().text, "$25.10");
    let (then, now) = (ask.evidence.recorded.clone(), ask.evidence.frame.clone());
    assert_ne!(then, now);
    for frame in [then, now] {
        day.rig.engine.store().frame(&frame.unwrap()).await.unwrap();
    }
    assert_eq!(day.rig.state("/greenleaf/orders"), json!([]));

    let mut day = day.on(dearer.clone()).await;
    let again = day.again(Choice::Approve).await;
    again.is_clean("$25.10");
    assert_eq!(again.told().last().unwrap(), "IdAndText", "{:?}", again.told());
    assert!(again.told().contains(&format!("{:?}", Divergence::OtherAmount)));
    assert_eq!(day.rig.state("/greenleaf/orders/0/amount"), json!(2510));
    day.counted(0).await;

    // What they said Yes to is what is expected the next time.
    let mut day = day.on(dearer).await;
    let again = day.again(Choice::Approve).await;
    again.is_clean("$25.10");
    assert!(!again.told().contains(&format!("{:?}", Divergence::OtherAmount)));
    day.counted(1).await;
}

/// The same shop on phones and days that look otherwise.
#[tokio::test(flavor = "multi_thread")]
async fn a_phone_that_looks_otherwise_is_no_other_task() {
    let mut larger = shop();
    larger.profile.phone.size = (480, 960);
    larger.profile.phone.density = 200;
    let turned = SystemOptions {
        rotation: 1,
        ..shop()
    };
    let mut day = recorded().await;
    for (name, phone) in [
        ("a larger screen", larger),
        ("dark", SystemOptions { dark: true, ..shop() }),
        ("turned", turned),
    ] {
        day = day.on(phone).await;
        let again = day.again(Choice::Approve).await;
        println!("{name}: {:?}", again.told());
        again.is_clean("$23.40");
        assert_eq!(day.rig.state("/greenleaf/orders/0/amount"), json!(2340), "{name}");
    }
    day.counted(3).await;
}

/// Nothing is left of the run: the AI does it, and the run says why.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_recording_the_ai_does_it_and_that_is_said() {
    let mut day = recorded().await.on(shop()).await;
    day.rig.engine.erase_run(&day.run).await.unwrap();
    let again = day.again(Choice::Approve).await;
    assert_eq!(again.told(), [format!("{:?}", Divergence::NoRecording)]);
    assert!(matches!(again.ending(), Ending::Finished { .. }));
    assert!(again.requests() > 0);
    assert_eq!(day.rig.state("/greenleaf/orders/0/amount"), json!(2340));
    day.counted(0).await;
}

/// The person says another task in its place: nothing of the old one is done, nor bought.
#[tokio::test(flavor = "multi_thread")]
async fn other_words_are_another_task() {
    let mut day = recorded().await.on(shop()).await;
    day.again(Choice::Approve).await.is_clean("$23.40");
    day.counted(1).await;
    day.edit(plan("Turn off Battery Saver", &day.run)).await;
    let mut day = day.on(shop()).await;
    let again = day.again(Choice::Deny).await;
    assert_eq!(again.told(), [format!("{:?}", Divergence::NoRecording)]);
    assert!(again.requests() > 0);
    assert!(
        matches!(again.ending(), Ending::Finished { .. }),
        "{:#?}",
        again.events
    );
    assert_eq!(day.rig.state("/greenleaf/orders"), json!([]));
}

/// A word of the task becomes a name: what another value is said for is not done with the old one.
#[tokio::test(flavor = "multi_thread")]
async fn a_word_that_becomes_a_name_is_one_in_the_recording_too() {
    let editor = || at("com.android.notes/.EditorActivity");
    let write = json!({"type": "type", "text": "milk"});
    let ai = Says::new(vec![on("body", write), finish()]);
    let day = recorded_of(editor(), "Write milk down", &ai).await;
    let mut day = day.on(editor()).await;
    assert_eq!(day.again(Choice::Approve).await.typed(), ["milk"]);
    day.counted(1).await;
    let what = Variable {
        name: "what".to_owned(),
        kind: VariableKind::Text,
        value: "milk".to_owned(),
        ask: true,
    };
    let named = AutomationPlan {
        variables: vec![what],
        ..plan("Write {what} down", &day.run)
    };
    day.edit(named).await;
    let mut day = day.on(editor()).await;
    let again = day.again_with(&[("what", "bread")], Choice::Approve).await;
    assert_eq!((again.typed(), again.requests()), (vec!["bread"], 0));
}
