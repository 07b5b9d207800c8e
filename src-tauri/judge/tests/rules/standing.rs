//! In which order words of the person's count, what a Yes is for, and what a page says was done.

use crate::case::Labelled;
use crate::table;
use judge::after::done;
use judge::{Case, Input, Verdict, Yes, after_yes, bind, judge};
use protocol::{
    Answer, Ask, AskBefore, AskId, AskKind, AskReason, Choice, Claim, Evidence, Level, PhoneId, Rule,
    RuleName, Rules, RunId, Screen, Settings,
};
use std::time::{Duration, Instant};

const PAGES: &str = r#"
= chat | en | com.example.chat | 1080x2400
text "Dana" @40,90,640,220
field "Message" "On my way" * @40,1250,840,1380
icon ~"Send" #send @860,1250,1040,1380
> tap "Send" => ask send :: sends
= shop | en | com.example.shop | 1080x2400
text "Total $23.40" @40,200,1040,330
button "Pay $23.40" #pay @40,2000,1040,2130
> tap "Pay $23.40" => ask payment :: pays
= news | en | com.example.news | 1080x2400
text "Today" @40,200,1040,330
button "Follow the story" #story @40,700,1040,830
> tap "Follow the story" => ask unknown :: nobody knows
"#;
const SIGNER: &str = "5f2c";
const VERSION: &str = "412";
const NOW: u64 = 100 * 24 * 60 * 60 * 1000;

fn page(id: &str) -> (Screen, Vec<Input>) {
    let cases = table::read(PAGES);
    let case = cases
        .iter()
        .find(|case| case.id.starts_with(id))
        .map(Labelled::screen)
        .unwrap();
    let element = case
        .elements
        .iter()
        .rev()
        .find(|element| !element.resource_id.is_empty())
        .unwrap();
    let b = element.bounds;
    let at = (i32::midpoint(b.left, b.right), i32::midpoint(b.top, b.bottom));
    (case, vec![Input::Tap { at }])
}

fn rule(kind: AskKind, screen: &Screen, used: u64) -> Rule {
    let element = screen
        .elements
        .iter()
        .rev()
        .find(|element| !element.resource_id.is_empty())
        .unwrap();
    Rule {
        kind,
        app: Some(screen.current_app.clone()),
        app_label: String::new(),
        phone: None,
        since: 1,
        element: bind(kind, screen, None, &[SIGNER.to_owned()], VERSION, element, used),
    }
}

fn said(screen: &Screen, inputs: &[Input], settings: &Settings, signer: &str) -> String {
    let signers = [signer.to_owned()];
    let case = Case {
        signers: &signers,
        version: VERSION,
        ..Case::new(inputs, screen, settings, NOW, Instant::now())
    };
    match judge(&case) {
        Verdict::Allow(_) => "allow".to_owned(),
        Verdict::Ask(pending) => format!("ask {:?}", pending.kind()),
        Verdict::Refuse { rule } => format!("refuse {rule}"),
    }
}

#[test]
fn never_comes_before_asking_and_asking_before_allowing() {
    let (chat, send) = page("chat");
    let kind = |kind| Rule {
        element: None,
        ..rule(kind, &chat, NOW)
    };
    let lax = AskBefore {
        sending: false,
        ..AskBefore::default()
    };
    for (level, ask_before, never, ask, allowed, expected) in [
        (
            Level::WhenItMatters,
            AskBefore::default(),
            vec![],
            vec![],
            vec![],
            "ask Send",
        ),
        (Level::WhenItMatters, lax, vec![], vec![], vec![], "allow"),
        (
            Level::HardStops,
            AskBefore::default(),
            vec![],
            vec![],
            vec![],
            "allow",
        ),
        (
            Level::HardStops,
            lax,
            vec![],
            vec![kind(AskKind::Send)],
            vec![],
            "ask Send",
        ),
        (
            Level::HardStops,
            lax,
            vec![],
            vec![kind(AskKind::Act)],
            vec![],
            "ask Act",
        ),
        (
            Level::HardStops,
            lax,
            vec![kind(AskKind::Send)],
            vec![],
            vec![],
            "refuse person_said_never",
        ),
        (
            Level::HardStops,
            lax,
            vec![kind(AskKind::Act)],
            vec![],
            vec![],
            "refuse person_said_never",
        ),
        (Level::Everything, lax, vec![], vec![], vec![], "ask Act"),
        // A kind in a whole app grants nothing; the element does.
        (
            Level::WhenItMatters,
            AskBefore::default(),
            vec![],
            vec![],
            vec![kind(AskKind::Send)],
            "ask Send",
        ),
        (
            Level::WhenItMatters,
            AskBefore::default(),
            vec![],
            vec![],
            vec![rule(AskKind::Send, &chat, NOW)],
            "allow",
        ),
        (
            Level::WhenItMatters,
            AskBefore::default(),
            vec![],
            vec![kind(AskKind::Send)],
            vec![rule(AskKind::Send, &chat, NOW)],
            "ask Send",
        ),
    ] {
        let rules = Rules { never, ask, allowed };
        let settings = Settings {
            level,
            ask_before,
            rules,
            ..Settings::default()
        };
        assert_eq!(said(&chat, &send, &settings, SIGNER), expected, "{settings:?}");
    }
}

#[test]
fn a_yes_for_good_is_for_one_element_of_one_page_of_one_app_and_ages() {
    let allowing = |rule: Rule| Settings {
        rules: Rules {
            allowed: vec![rule],
            ..Rules::default()
        },
        ..Settings::default()
    };
    let (chat, send) = page("chat");
    let given = || allowing(rule(AskKind::Send, &chat, NOW));
    assert_eq!(said(&chat, &send, &given(), SIGNER), "allow");
    assert_eq!(
        said(&chat, &send, &given(), "another"),
        "ask Send",
        "another signer is another app"
    );
    let old = allowing(rule(AskKind::Send, &chat, NOW - 31 * 24 * 60 * 60 * 1000));
    assert_eq!(said(&chat, &send, &old, SIGNER), "ask Send", "unused for 30 days");
    let mut other = chat.clone();
    other.elements[0].label = "Robin".to_owned();
    assert_eq!(said(&other, &send, &given(), SIGNER), "ask Send", "another page");
    let mut renamed = chat.clone();
    renamed
        .elements
        .iter_mut()
        .filter(|one| !one.resource_id.is_empty())
        .for_each(|one| one.label = "Send to all".to_owned());
    assert_eq!(
        said(&renamed, &send, &given(), SIGNER),
        "ask Send",
        "another label"
    );
    let (shop, pay) = page("shop");
    assert_eq!(
        said(&shop, &pay, &allowing(rule(AskKind::Payment, &shop, NOW)), SIGNER),
        "ask Payment",
        "never money"
    );
    let (news, follow) = page("news");
    assert_eq!(said(&news, &follow, &Settings::default(), SIGNER), "ask Send");
}

fn ask(kind: AskKind, digest: &str) -> Ask {
    Ask {
        id: AskId("1".to_owned()),
        run: RunId("1".to_owned()),
        phone: PhoneId("phone".to_owned()),
        phone_name: String::new(),
        goal: String::new(),
        kind,
        reason: AskReason::Rule {
            rule: RuleName::PayButton.into(),
        },
        app: String::new(),
        app_label: String::new(),
        action: None,
        element: None,
        evidence: Evidence::default(),
        claim: Claim::default(),
        choices: vec![Choice::Deny, Choice::Approve],
        digest: digest.to_owned(),
        asked_at: 0,
        deadline: 0,
    }
}

#[test]
fn a_yes_is_for_the_act_that_was_shown() {
    let (chat, send) = page("chat");
    let settings = Settings::default();
    let case = Case::new(&send, &chat, &settings, NOW, Instant::now());
    let Verdict::Ask(pending) = judge(&case) else {
        panic!("it is asked")
    };
    let pending = pending.asked_as("d1");
    let answer = |ask: &Ask, choice| Answer {
        ask: ask.id.clone(),
        digest: ask.digest.clone(),
        choice,
        words: None,
        amount: None,
    };
    let asked = ask(AskKind::Send, "d1");
    assert!(Yes::read(&asked, &answer(&asked, Choice::Deny)).is_none());
    let yes = Yes::read(&asked, &answer(&asked, Choice::Approve)).unwrap();
    let judged = after_yes(&case, &pending, &yes).unwrap();
    assert_eq!(
        judged.iter().map(|one| one.input().clone()).collect::<Vec<_>>(),
        send
    );
    assert!(judged[0].is_good(case.at) && !judged[0].is_good(case.at + Duration::from_secs(61)));
    // Another question, another kind, other inputs, a screen on which it is another matter.
    let other = ask(AskKind::Send, "d2");
    let elsewhere = Yes::read(&other, &answer(&other, Choice::Approve)).unwrap();
    assert!(after_yes(&case, &pending, &elsewhere).is_none());
    let paid = ask(AskKind::Payment, "d1");
    let paid = Yes::read(&paid, &answer(&paid, Choice::Approve)).unwrap();
    assert!(after_yes(&case, &pending, &paid).is_none());
    let moved = [Input::Tap { at: (500, 500) }];
    assert!(
        after_yes(
            &Case {
                inputs: &moved,
                ..case.clone()
            },
            &pending,
            &yes
        )
        .is_none()
    );
    let (shop, _) = page("shop");
    let now_pays = [Input::Tap { at: (540, 2060) }];
    assert!(
        after_yes(
            &Case {
                inputs: &now_pays,
                screen: &shop,
                ..case.clone()
            },
            &pending,
            &yes
        )
        .is_none()
    );
}

#[test]
fn a_page_says_what_was_done() {
    let screen = |lines: &str| {
        let text = format!("= a | en | com.example.a | 1080x2400\n{lines}\n> key BACK => allow x :: x\n");
        table::read(&text)[0].screen()
    };
    let before = screen("text \"Trash\"\nitem \"Message sent to Dana\"");
    for (now, expected) in [
        ("text \"Order placed\"", Some((AskKind::Payment, None))),
        (
            "text \"Payment successful\"\ntext \"$23.40\"",
            Some((AskKind::Payment, None)),
        ),
        ("text \"Pedido confirmado\"", Some((AskKind::Payment, None))),
        ("text \"支付成功\"", Some((AskKind::Payment, None))),
        ("text \"Nachricht gesendet\"", Some((AskKind::Send, None))),
        (
            "text \"Сообщение отправлено\"\nbutton \"Отменить\"",
            Some((AskKind::Send, Some(2))),
        ),
        (
            "text \"Moved to trash\"\nbutton \"Undo\"",
            Some((AskKind::Delete, Some(2))),
        ),
        (
            "text \"削除しました\"\nbutton \"元に戻す\"",
            Some((AskKind::Delete, Some(2))),
        ),
        // What stood there before was done before; what tells more is an article.
        ("item \"Message sent to Dana\"", None),
        (
            "text \"Sent mail is kept for thirty days before it is removed from here for good\"",
            None,
        ),
        ("text \"Trash\"", None),
        ("field \"Sent\" \"Order placed\"", None),
    ] {
        let found = done(&before, &screen(now)).map(|done| (done.kind, done.undo));
        assert_eq!(found, expected, "{now}");
    }
}

#[test]
fn a_run_may_take_back_what_it_wrote_and_nothing_else() {
    const NOTE: &str = r#"
= note | en | com.example.notes | 1080x2400
field "Note" "Apple pie: 200 g flour, 3 apples, cinnamon. Plum cake: 500 g plums, sugar" #note * @40,400,1040,1400
> type "x" => allow :: a draft
"#;
    let screen = table::read(NOTE).first().map(Labelled::screen).unwrap();
    let written = |texts: &[&str]| {
        let written: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let (inputs, settings) = ([Input::ClearText], Settings::default());
        let case = Case {
            written: &written,
            ..Case::new(&inputs, &screen, &settings, NOW, Instant::now())
        };
        matches!(judge(&case), Verdict::Allow(_))
    };
    assert!(written(&[
        "Apple pie: 200 g flour, 3 apples, cinnamon. Plum cake: 500 g plums, sugar"
    ]));
    assert!(!written(&[]));
    assert!(!written(&["Apple pie: 200 g flour"]));
}
