//! What is recorded of a run, what is left out, and what another value makes of it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod common;

use common::{Run, action, drawing, element, page, shop, tap, values};
use protocol::{
    Act, AskKind, AskOutcome, Capability, Direction, Divergence, Ending, Evidence, ReplayedBy, Screen,
    Target, VariableKind, What,
};
use replay::{
    LastActResult, NotRepeatable, RecordError, RecordedAction, Recording, Replay, ReplayStep, ReplayView,
    Replayer, Template, Variables, WhyAi, propose, record,
};
use std::collections::BTreeMap;

const MESSAGES: &str = "com.android.messages";
const GOAL: &str = "Text Dana that I am 10 minutes late";

fn talks(names: &[&str]) -> Screen {
    let mut drawing = String::from(
        "FrameLayout [0,0][1080,2400]\n  TextView [60,150][600,230] #title \"Messages\"\n  \
         androidx.recyclerview.widget.RecyclerView [0,300][1080,2200] #conversations scroll\n",
    );
    for (n, name) in names.iter().enumerate() {
        let (top, bottom) = (300 + n * 200, 500 + n * 200);
        drawing.push_str(&format!(
            "    LinearLayout [0,{top}][1080,{bottom}] #conversation click\n      TextView [200,{}][700,{}] \"{name}\"\n      TextView [200,{}][700,{}] \"See you at {n}:30\"\n",
            top + 20, top + 80, top + 100, top + 160
        ));
    }
    drawn(&drawing, "List")
}

fn talk(name: &str, written: &str) -> Screen {
    drawn(
        &format!(
            "FrameLayout [0,0][1080,2400]\n  ImageButton [20,140][130,250] desc=\"Back\" click\n  TextView [160,150][700,230] #who \"{name}\"\n  ImageButton [760,140][860,250] #call desc=\"Call\" click\n  ImageButton [900,140][1000,250] #more desc=\"More\" click\n  ImageButton [60,2080][160,2180] #attach desc=\"Attach\" click\n  ImageButton [200,2080][300,2180] #smile desc=\"Emoji\" click\n  ImageButton [340,2080][440,2180] #record desc=\"Voice\" click\n  EditText [60,2200][800,2320] #compose \"{written}\" hint=\"Text message\" click focused\n  ImageButton [860,2200][1000,2320] #send desc=\"Send\" click\n"
        ),
        "Talk",
    )
}

fn drawn(drawing: &str, window: &str) -> Screen {
    let xml = drawing::xml(drawing).replace("com.greenleaf.shop", MESSAGES);
    page(&xml, MESSAGES, window, (1080, 2400))
}

fn typing(text: &str) -> Act {
    Act::Type {
        text: text.to_owned(),
        target: None,
    }
}

fn run() -> Run {
    let mut run = Run::default();
    let (list, empty, full) = (
        talks(&["Jo", "Dana"]),
        talk("Dana", ""),
        talk("Dana", "I am 10 minutes late"),
    );
    let package_name = MESSAGES.to_owned();
    run.does(&list, None, Act::LaunchApp { package_name }, "done");
    let row = list
        .elements
        .iter()
        .find(|e| e.label.starts_with("Dana"))
        .unwrap();
    run.does(&list, Some(row), tap(row.index), "done");
    run.does(&empty, None, Act::Wait { duration_ms: 500.0 }, "done");
    run.does(&empty, None, typing("I am 10 minutes late"), "done");
    let send = element(&full, "send");
    run.asks(&full, Some(send), tap(send.index), "done", Some(AskKind::Send));
    run.ends(&talk("Dana", ""));
    run
}

fn named(variables: &[protocol::Variable]) -> Variables {
    let all = variables.iter().map(|one| (one.name.clone(), one.value.clone()));
    Variables::new(&all.collect::<BTreeMap<_, _>>())
}

fn message() -> Recording {
    let run = run();
    let (_, variables) = propose(GOAL, &run.events);
    record(&run.events, &run.screens, &named(&variables)).unwrap()
}

#[test]
fn a_message_is_recorded_with_its_variables() {
    let (task, variables) = propose(GOAL, &run().events);
    assert_eq!(task, "Text {dana} that I am {number} minutes late");
    let kinds: Vec<_> = variables
        .iter()
        .map(|one| (one.value.as_str(), one.kind))
        .collect();
    assert_eq!(
        kinds,
        [("Dana", VariableKind::Text), ("10", VariableKind::Number)]
    );
    insta::assert_snapshot!(serde_json::to_string_pretty(&message()).unwrap());
}

#[test]
fn the_words_of_a_task_that_were_used_are_proposed() {
    let check = |goal: &str, typed: &str, expected: &str| {
        let mut run = Run::default();
        let screen = talk("Dana", "");
        run.does(&screen, None, typing(typed), "done");
        assert_eq!(propose(goal, &run.events).0, expected, "{goal}, typed {typed:?}");
    };
    check("order oat milk", "oat milk", "order {text}");
    check(
        "Tell Dana Whitlock “on my way”",
        "on my way",
        "Tell Dana Whitlock “{text}”",
    );
    check("Search for Anna and Bob", "Bob", "Search for Anna and {bob}");
    check("搜索“牛奶”", "牛奶", "搜索“{text}”");
    // Nothing of it was typed; the first word is no name; what was typed is not the person's.
    check("Pay Dana 20", "hello", "Pay Dana 20");
    check("Pay the bill", "Pay now", "Pay the bill");
    check("use {braces}", "braces", "use {{{braces}}}");
}

#[test]
fn a_template_is_filled_and_written_as_it_was() {
    let check = |text: &str, written: &str, filled: Option<&str>| {
        let template = values(&[("who", "Dana"), ("whole", "Dana Whitlock"), ("n", "10")]).template(text);
        assert_eq!(template.to_string(), written);
        assert_eq!(Template::from(written), template);
        let next = values(&[("who", "Mum"), ("n", "5")]);
        assert_eq!(template.fill(&next).as_deref(), filled);
    };
    check("to dana at 10:30", "to {who} at {n}:30", Some("to Mum at 5:30"));
    check("Danas 100", "Danas 100", Some("Danas 100"));
    check("a {b} c", "a {{b}} c", Some("a {b} c"));
    check("Dana Whitlock", "{whole}", None);
    check("给Dana发", "给{who}发", Some("给Mum发"));
}

/// One step on a page with fields, and the deed it becomes.
fn check(make: impl Fn(&mut Run, &Screen), expected: &str) {
    let screen = shop(
        "FrameLayout [0,0][1080,2400]\n  EditText [60,300][1000,400] #pin \"\" hint=\"PIN\" click password\n  EditText [60,500][1000,600] #note \"\" hint=\"Note\" click focused\n  android.view.View [60,700][160,800] click\n  androidx.recyclerview.widget.RecyclerView [0,900][1080,2300] #lines scroll\n",
    );
    let mut run = Run::default();
    make(&mut run, &screen);
    run.ends(&screen);
    let got = match record(&run.events, &run.screens, &values(&[("who", "Dana")])) {
        Err(error) => error.to_string(),
        Ok(recording) => match &recording.steps[0].deed {
            RecordedAction::Ai { why } => format!("{why:?}"),
            RecordedAction::Person { capability } => format!("person {capability:?}"),
            RecordedAction::Act { action, text, target } => format!(
                "{} {} {}",
                serde_json::to_value(action).unwrap()["type"].as_str().unwrap(),
                text.as_ref().map(ToString::to_string).unwrap_or_default(),
                target
                    .as_ref()
                    .map(|target| target.id.clone())
                    .unwrap_or_default(),
            ),
        },
    };
    assert_eq!(got.trim(), expected);
}

#[test]
fn what_is_secret_or_was_read_is_not_recorded() {
    let on = |text: &'static str, id: &'static str| {
        move |run: &mut Run, screen: &Screen| {
            run.does(screen, Some(element(screen, id)), typing(text), "done")
        }
    };
    check(
        on("hello Dana", "note"),
        "type hello {who} com.greenleaf.shop:id/note",
    );
    check(on("the code is 482913", "note"), "Secret");
    check(on("hunter2", "pin"), "Secret");
    check(
        on("{{secret:shop}}", "pin"),
        "type {{{{secret:shop}}}} com.greenleaf.shop:id/pin",
    );
    // What the person typed for it.
    check(
        |run, screen| {
            run.looks(screen);
            run.decided(&action(typing("")));
            run.acting(Some(element(screen, "pin")), action(typing("")), Some(6));
            run.acted("done");
        },
        "Secret",
    );
    // A variable of the model's own, filled before it was sent.
    check(
        |run, screen| {
            run.looks(screen);
            run.decided(&action(typing("__CogName_Price__")));
            run.acting(Some(element(screen, "note")), action(typing("$5")), None);
            run.acted("done");
        },
        "Read",
    );
}

#[test]
fn what_cannot_be_told_again_is_left_to_the_ai() {
    let does = |act: Act, code: &'static str| {
        move |run: &mut Run, screen: &Screen| run.does(screen, None, act.clone(), code)
    };
    let point = |x: f64, y: f64| Act::Tap {
        x: Some(x),
        y: Some(y),
        target: None,
    };
    // A thing without id, words or neighbour; a place where nothing is.
    check(does(point(110.0, 750.0), "done"), "NoTarget");
    check(does(point(1050.0, 50.0), "done"), "NoTarget");
    check(
        does(point(500.0, 550.0), "done"),
        "tap  com.greenleaf.shop:id/note",
    );
    let swipe = |x1: f64, y1: f64, x2: f64, y2: f64| Act::Swipe {
        x1,
        y1,
        x2,
        y2,
        duration_ms: 300.0,
    };
    check(
        does(swipe(500.0, 2000.0, 500.0, 1300.0), "done"),
        "scroll  com.greenleaf.shop:id/lines",
    );
    check(does(swipe(500.0, 2000.0, 900.0, 1600.0), "done"), "Gesture");
    check(does(swipe(500.0, 350.0, 900.0, 350.0), "done"), "Gesture");
    check(does(point(500.0, 550.0), "unknown"), "HalfDone");
    check(
        does(point(500.0, 550.0), "not_supported"),
        "the run did nothing that could be done again",
    );
    let shell = |command: &str| Act::Shell {
        command: command.to_owned(),
    };
    check(does(shell("date"), "done"), "shell");
    check(does(shell("echo Dana"), "done"), "Variable");
    check(|run, _| run.tell(What::TakenOver), "ByHand");
    let asked = |outcome: AskOutcome| {
        move |run: &mut Run, screen: &Screen| {
            run.looks(screen);
            run.decided(&action(Act::RequestHumanAuth {
                capability: Capability::TwoFactor,
                instruction: "The code".to_owned(),
                timeout_sec: 300.0,
            }));
            run.question(AskKind::Code, Evidence::default(), outcome.clone());
        }
    };
    check(asked(AskOutcome::Supplied { characters: 6 }), "person TwoFactor");
    check(
        asked(AskOutcome::Denied),
        "the run did nothing that could be done again",
    );
}

#[test]
fn only_a_run_that_ended_well_is_recorded() {
    let mut run = run();
    run.tell(What::Ended {
        ending: Ending::Stopped,
        maybe_running: false,
    });
    let recorded = record(&run.events, &run.screens, &values(&[]));
    assert_eq!(recorded, Err(RecordError::NotFinished));
    run.tell(What::Unreadable {
        was: "acting".to_owned(),
    });
    let recorded = record(&run.events, &run.screens, &values(&[]));
    assert_eq!(recorded, Err(RecordError::Unreadable));
}

/// What is done next on each of these screens, where all before it was done.
fn replayed(variables: &Variables, screens: &[Screen]) -> (Vec<ReplayStep>, Replay) {
    let mut replay = Replay::new(message(), variables.clone(), 0);
    let mut last = LastActResult::Nothing;
    let mut all = Vec::new();
    for screen in screens {
        let seen = ReplayView {
            screen,
            signer: None,
            at: 0,
        };
        let next = replay.next(&seen, last);
        last = if matches!(next, ReplayStep::Act { .. }) {
            LastActResult::Done
        } else {
            LastActResult::Nothing
        };
        all.push(next);
    }
    (all, replay)
}

#[test]
fn another_value_is_typed_to_somebody_else() {
    let names = ["Mum", "Dana", "Jo"];
    let late = "I am 5 minutes late";
    let screens = [
        talks(&names),
        talks(&names),
        talk("Mum", ""),
        talk("Mum", late),
        talk("Mum", ""),
    ];
    let (all, replay) = replayed(&values(&[("dana", "Mum"), ("number", "5")]), &screens);
    let told: Vec<String> = all
        .iter()
        .map(|next| match next {
            ReplayStep::Act { action, by } => {
                format!("{} {by:?}", serde_json::to_string(&action.act).unwrap())
            }
            other => format!("{other:?}"),
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"));
    assert_eq!(replay.learned(), None);
    // Somebody else's conversation opened.
    let wrong = [talks(&names), talks(&names), talk("Mum", ""), talk("Jo", late)];
    let (all, _) = replayed(&values(&[("dana", "Mum"), ("number", "5")]), &wrong);
    assert!(!matches!(all[3], ReplayStep::Act { .. }), "{:?}", all[3]);
    // Nobody of that name is there.
    let (all, _) = replayed(&values(&[("dana", "Zoe"), ("number", "5")]), &screens[..2]);
    assert!(!matches!(all[1], ReplayStep::Act { .. }), "{:?}", all[1]);
    // No value: nothing is typed in its place.
    let (all, _) = replayed(&values(&[("dana", "Mum")]), &screens[..3]);
    let why = WhyAi::NotRepeatable(NotRepeatable::Variable);
    assert_eq!(all[2], ReplayStep::AskAi { why });
}

/// The text is lost, something stood in the field before, or it is another one: the AI looks. It is waited for first.
#[test]
fn a_message_is_not_sent_without_its_text() {
    let variables = values(&[("dana", "Dana"), ("number", "10")]);
    let check = |written: &str, is_sent: bool| {
        let list = || talks(&["Jo", "Dana"]);
        let screens = [list(), list(), talk("Dana", ""), talk("Dana", written)];
        let (all, _) = replayed(&variables, &screens);
        let why = Divergence::OtherOutcome;
        assert_eq!(
            matches!(all[3], ReplayStep::Act { .. }),
            is_sent,
            "{written}: {:?}",
            all[3]
        );
        assert_eq!(
            all[3] == ReplayStep::HandOver { why },
            !is_sent,
            "{written}: {:?}",
            all[3]
        );
    };
    check("I am 10 minutes late", true);
    check("I am 10 minutes  late ", true);
    check("", false);
    check("See you at 9 I am 10 minutes late", false);
    check("I am 5 minutes late", false);
}

/// What the AI did in the place of a step is done without it next time; not where the run did not end well.
#[test]
fn what_the_ai_found_is_learned_when_the_run_ended_well() {
    let renamed = |screen: &Screen| {
        let mut screen = screen.clone();
        for element in &mut screen.elements {
            if element.resource_id.ends_with("/send") {
                element.resource_id = format!("{MESSAGES}:id/fab");
                element.label = "Go".to_owned();
            }
        }
        screen
    };
    let variables = values(&[("dana", "Dana"), ("number", "10")]);
    let names = ["Jo", "Dana"];
    let full = renamed(&talk("Dana", "I am 10 minutes late"));
    let (all, mut replay) = replayed(
        &variables,
        &[talks(&names), talks(&names), talk("Dana", ""), full.clone()],
    );
    let why = WhyAi::Healing(Divergence::TargetMissing);
    assert_eq!(all[3], ReplayStep::AskAi { why });
    let seen = ReplayView {
        screen: &full,
        signer: None,
        at: 0,
    };
    let button = element(&full, "fab");
    let did = action(tap(button.index));
    replay.ai_did(&seen, &did, &did, Some(button.bounds));
    assert_eq!(replay.learned(), None);
    let sent = talk("Dana", "");
    let seen = ReplayView {
        screen: &sent,
        signer: None,
        at: 0,
    };
    assert_eq!(replay.next(&seen, LastActResult::Done), ReplayStep::Finished);
    let learned = replay.learned().unwrap();
    let RecordedAction::Act {
        target: Some(target), ..
    } = &learned.steps[3].deed
    else {
        panic!("{:?}", learned.steps[3]);
    };
    assert_eq!(
        (target.id.as_str(), target.text.clone()),
        ("com.android.messages:id/fab", Some("Go".into()))
    );
    assert_eq!(learned.steps[..3], message().steps[..3]);
    // And it is found without the AI.
    let mut again = Replay::new(learned, variables, 0);
    let mut last = LastActResult::Nothing;
    for screen in [talks(&names), talks(&names), talk("Dana", ""), full] {
        let seen = ReplayView {
            screen: &screen,
            signer: None,
            at: 0,
        };
        assert!(matches!(again.next(&seen, last), ReplayStep::Act { .. }));
        last = LastActResult::Done;
    }
}

/// A scroll that shows what is there already is left out: on a larger screen there is nothing to scroll.
#[test]
fn a_scroll_that_shows_nothing_new_is_left_out() {
    let list = |names: &[&str]| talks(names);
    let mut run = Run::default();
    let (above, below) = (list(&["Jo", "Mum"]), list(&["Mum", "Dana"]));
    let scroll = Act::Scroll {
        direction: Direction::Down,
        amount: 4.0,
        x: None,
        y: None,
        target: None,
    };
    run.does(&above, None, scroll, "done");
    let row = below
        .elements
        .iter()
        .find(|e| e.label.starts_with("Dana"))
        .unwrap();
    let by_name = Act::Tap {
        x: None,
        y: None,
        target: Some(Target {
            element: Some(row.index),
            ..Target::default()
        }),
    };
    run.does(&below, Some(row), by_name, "done");
    run.ends(&talk("Dana", ""));
    let recording = record(&run.events, &run.screens, &values(&[])).unwrap();
    let check = |screen: &Screen, scrolls: bool| {
        let mut replay = Replay::new(recording.clone(), values(&[]), 0);
        let next = replay.next(
            &ReplayView {
                screen,
                signer: None,
                at: 0,
            },
            LastActResult::Nothing,
        );
        let ReplayStep::Act { action, by } = next else {
            panic!("{next:?}")
        };
        assert_eq!(matches!(action.act, Act::Scroll { .. }), scrolls);
        assert_eq!(by == ReplayedBy::IdAndText, !scrolls);
    };
    check(&above, true);
    check(&list(&["Jo", "Mum", "Dana"]), false);
}
