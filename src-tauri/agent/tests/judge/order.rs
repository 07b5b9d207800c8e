//! In which order rules count: what no setting lifts, the person's never, what is always asked, what was allowed, and
//! what is a risk by itself.

use crate::case::{Label, Outcome};
use crate::table;
use agent::judge::{Case, Verdict, judge, reaches};
use agent::plan::plan;
use protocol::{
    Action, AskBefore, AskKind, CaptureResult, Level, PhoneId, Reach, Rule, Rules, Screen, Settings, Totals,
};

const SHOP: &str = "com.example.shop";
const CHAT: &str = "com.example.chat";

/// One screen with one button on it, in an app.
fn screen(app: &str, label: &str) -> Screen {
    let xml = format!(
        r#"<hierarchy rotation="0"><node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="{app}" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][1080,2400]"><node index="0" text="{label}" resource-id="" class="android.widget.Button" package="{app}" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[100,2000][980,2140]" /></node></hierarchy>"#
    );
    let tree = screen::Tree::read(&xml, 1080, 2400, 100).unwrap();
    Screen {
        phone: PhoneId("phone".into()),
        current_app: app.to_owned(),
        window: None,
        width: 1080,
        height: 2400,
        captured_at: 0,
        capture: CaptureResult::Ok,
        frame: None,
        elements: tree.elements,
        tree_read: true,
        totals: Totals::default(),
        keyboard_shown: false,
    }
}

fn tap(label: &str) -> String {
    serde_json::json!({"type": "tap", "target": {"text": label}}).to_string()
}

fn rule(kind: AskKind, app: Option<&str>) -> Rule {
    Rule {
        kind,
        app: app.map(str::to_owned),
        app_label: String::new(),
        phone: Some(PhoneId("phone".into())),
        since: 1,
    }
}

fn with(level: Level, rules: Rules) -> Settings {
    Settings {
        level,
        rules,
        ..Settings::default()
    }
}

/// The one door: what the judge says of an action on a screen, in a word: `allow`, `ask KIND RULE`, `refuse RULE`.
#[track_caller]
fn check(screen: &Screen, action: &str, settings: &Settings, task_allowed: &[Rule], expected: &str) {
    check_flagged(screen, action, settings, task_allowed, false, expected);
}

#[track_caller]
fn check_flagged(
    screen: &Screen,
    action: &str,
    settings: &Settings,
    task_allowed: &[Rule],
    flagged: bool,
    expected: &str,
) {
    let action: Action = serde_json::from_str(action).unwrap();
    let planned = plan(&action, screen, screen, &[]).unwrap();
    let verdict = judge(&Case {
        action: &action,
        touches: &planned.touches,
        screen,
        settings,
        task_allowed,
        before: None,
        flagged,
        blind_allowed: false,
        holds_secret: false,
        secret_given: false,
        task_signs_in: false,
    });
    let said = match verdict {
        Verdict::Allow => "allow".to_owned(),
        Verdict::Ask { kind, rule } => format!("ask {kind:?} {rule}"),
        Verdict::Refuse { rule } => format!("refuse {rule}"),
    };
    assert!(said.starts_with(expected), "{said}, expected {expected}");
}

/// The examples the rules carry hold: else everything would be asked about.
#[test]
fn every_rule_finds_and_leaves_what_it_says() {
    assert_eq!(agent::judge::broken_rules(), Vec::<String>::new());
}

#[test]
fn nothing_lifts_a_hard_rule() {
    let wipe = r#"{"type": "shell", "command": "am broadcast -a android.intent.action.MASTER_CLEAR"}"#;
    let all = [AskKind::Act, AskKind::Shell, AskKind::Delete, AskKind::Unknown];
    let allowed: Vec<Rule> = all.iter().map(|kind| rule(*kind, Some(CHAT))).collect();
    let rules = Rules {
        allowed: allowed.clone(),
        ..Rules::default()
    };
    let switches = AskBefore {
        sending: false,
        deleting: false,
        installing: false,
        shell: false,
    };
    for level in [Level::Everything, Level::WhenItMatters, Level::HardStops] {
        let settings = Settings {
            ask_before: switches,
            ..with(level, rules.clone())
        };
        check(
            &screen(CHAT, "Hello"),
            wipe,
            &settings,
            &allowed,
            "refuse factory_reset",
        );
    }
}

#[test]
fn never_beats_asking_and_allowing() {
    let never = |kind, app| {
        let rules = Rules {
            never: vec![rule(kind, app)],
            ask: vec![rule(kind, None)],
            allowed: vec![rule(kind, Some(SHOP)), rule(AskKind::Act, Some(SHOP))],
        };
        with(Level::HardStops, rules)
    };
    let pay = screen(SHOP, "Pay $23.40");
    let send = screen(CHAT, "Send");
    let open = screen(SHOP, "Details");
    let in_shop = never(AskKind::Payment, Some(SHOP));
    check(
        &pay,
        &tap("Pay $23.40"),
        &in_shop,
        &[],
        "refuse person_said_never",
    );
    check(&open, &tap("Details"), &in_shop, &[], "allow");
    let send_never = never(AskKind::Send, None);
    check(
        &screen(CHAT, "Send message"),
        &tap("Send message"),
        &send_never,
        &[],
        "refuse person_said_never",
    );
    check(
        &send,
        r#"{"type": "wait"}"#,
        &never(AskKind::Act, None),
        &[],
        "allow",
    );
    check(
        &open,
        &tap("Details"),
        &never(AskKind::Act, Some(SHOP)),
        &[],
        "refuse person_said_never",
    );
    check(
        &screen(CHAT, "Details"),
        &tap("Details"),
        &never(AskKind::Act, Some(SHOP)),
        &[],
        "ask Act person_asks",
    );
}

#[test]
fn what_is_always_asked_beats_what_was_allowed() {
    let everything: Vec<Rule> = [
        AskKind::Payment,
        AskKind::Send,
        AskKind::Delete,
        AskKind::Install,
        AskKind::Permission,
        AskKind::Shell,
        AskKind::Script,
        AskKind::Unreadable,
        AskKind::Act,
    ]
    .into_iter()
    .map(|kind| rule(kind, Some(SHOP)))
    .collect();
    let rules = Rules {
        allowed: everything.clone(),
        ..Rules::default()
    };
    for level in [Level::Everything, Level::WhenItMatters, Level::HardStops] {
        let settings = with(level, rules.clone());
        let pay = screen(SHOP, "Pay $23.40");
        check(&pay, &tap("Pay $23.40"), &settings, &everything, "ask Payment");
        check(
            &pay,
            r#"{"type": "run_script", "script": "echo hello"}"#,
            &settings,
            &everything,
            "ask Script",
        );
    }
    let settings = with(Level::WhenItMatters, rules.clone());
    let delete = screen(SHOP, "Delete conversation");
    check(
        &delete,
        &tap("Delete conversation"),
        &settings,
        &everything,
        "ask Delete",
    );
    let send = screen(SHOP, "Send message");
    check(&send, &tap("Send message"), &settings, &everything, "ask Send");
    // The person's own "ask me" is a switch for one app, at every level.
    let asks = Rules {
        ask: vec![rule(AskKind::Send, Some(CHAT)), rule(AskKind::Act, Some(SHOP))],
        allowed: everything.clone(),
        ..Rules::default()
    };
    let settings = Settings {
        ask_before: AskBefore {
            sending: false,
            ..AskBefore::default()
        },
        ..with(Level::HardStops, asks)
    };
    check(
        &screen(CHAT, "Send message"),
        &tap("Send message"),
        &settings,
        &everything,
        "ask Send",
    );
    check(
        &send,
        &tap("Send message"),
        &settings,
        &everything,
        "ask Act person_asks",
    );
}

#[test]
fn what_was_allowed_is_for_its_app_its_phone_and_its_kind() {
    let open = screen(CHAT, "Details");
    let ask = "ask Act everything";
    for (given, expected) in [
        (rule(AskKind::Act, Some(CHAT)), "allow"),
        (rule(AskKind::Act, Some(SHOP)), ask),
        (rule(AskKind::Oauth, Some(CHAT)), ask),
        // A rule that names no app allows nothing.
        (rule(AskKind::Act, None), ask),
        (
            Rule {
                phone: Some(PhoneId("another".into())),
                ..rule(AskKind::Act, Some(CHAT))
            },
            ask,
        ),
    ] {
        let for_good = Rules {
            allowed: vec![given.clone()],
            ..Rules::default()
        };
        check(
            &open,
            &tap("Details"),
            &with(Level::Everything, for_good),
            &[],
            expected,
        );
        let plain = with(Level::Everything, Rules::default());
        check(&open, &tap("Details"), &plain, &[given], expected);
    }
    // The model's own mark adds a question; what was allowed of it lifts that one and no other.
    let plain = Settings::default();
    check_flagged(
        &open,
        &tap("Details"),
        &plain,
        &[],
        true,
        "ask Unknown model_flag",
    );
    let marked = [rule(AskKind::Unknown, Some(CHAT))];
    check_flagged(&open, &tap("Details"), &plain, &marked, true, "allow");
    let pay = screen(CHAT, "Pay $23.40");
    check_flagged(&pay, &tap("Pay $23.40"), &plain, &marked, true, "ask Payment");
    // Where the rules know what it risks, what the person said of that holds: the mark says no more.
    let paid = screen(CHAT, "Send");
    let sends = [rule(AskKind::Send, Some(CHAT))];
    check_flagged(
        &paid,
        &tap("Send"),
        &with(Level::WhenItMatters, Rules::default()),
        &[],
        true,
        "ask Send",
    );
    let open_hand = Settings {
        ask_before: AskBefore {
            sending: false,
            ..AskBefore::default()
        },
        ..Settings::default()
    };
    check_flagged(&paid, &tap("Send"), &open_hand, &sends, true, "allow");
    // An unusual link stays a question of its own, whatever was allowed of everything else.
    let link = r#"{"type": "open_url", "url": "javascript:alert(1)"}"#;
    check(
        &open,
        link,
        &plain,
        &[rule(AskKind::Act, Some(CHAT))],
        "ask Act unusual_link",
    );
}

#[test]
fn a_wider_yes_is_offered_only_where_it_would_change_something() {
    use Reach::{Always, Once, Task};
    let phone = PhoneId("phone".into());
    let plain = Settings::default();
    for (kind, by, app, expected) in [
        (AskKind::Payment, "pay_button", SHOP, &[Once][..]),
        (AskKind::Send, "send_button", CHAT, &[Once]),
        (AskKind::Script, "script", CHAT, &[Once]),
        (AskKind::Unreadable, "no_elements", CHAT, &[Once]),
        (AskKind::Permission, "grant", CHAT, &[Once]),
        (AskKind::Act, "everything", CHAT, &[Once, Task, Always]),
        (AskKind::Act, "unusual_link", CHAT, &[Once]),
        (AskKind::Oauth, "sign_in", CHAT, &[Once, Task, Always]),
        (AskKind::Oauth, "sign_in", "unknown", &[Once]),
        (AskKind::Unknown, "model_flag", CHAT, &[Once, Task]),
    ] {
        assert_eq!(reaches(kind, by, app, &phone, &plain), expected, "{kind:?} {by}");
    }
    let asks = Rules {
        ask: vec![rule(AskKind::Oauth, Some(CHAT))],
        ..Rules::default()
    };
    let settings = with(Level::WhenItMatters, asks);
    assert_eq!(
        reaches(AskKind::Oauth, "sign_in", CHAT, &phone, &settings),
        [Once]
    );
}

/// What the person wrote themselves is not asked back; every other task asks before it signs in.
#[test]
fn a_task_that_says_to_sign_in_is_the_persons_word() {
    let page = "= bank | en | com.example.bank | 1080x2400\nfield \"User name\" \"dana\"\npass \"Password\" \"••••••\"\n\
                button \"Sign in\"\n> tap \"Sign in\" => ask sign_in :: lets the AI in\n";
    for (task, expected) in [
        ("Sign in to Northbank", Label::Allow),
        ("Bei der Nordbank anmelden", Label::Allow),
        ("Sign in and tell me the balance", Label::Allow),
        ("Sign me in to Northbnak please", Label::Allow),
        ("Pay for the groceries", Label::MustAsk),
        ("Tell me how much I have", Label::MustAsk),
    ] {
        for mut case in table::read(page) {
            case.facts.task = Some(task.to_owned());
            let Outcome::Judged(said, rule) = case.outcome() else {
                panic!("{task}: {:?}", case.outcome());
            };
            assert_eq!((said, task), (expected, task), "{rule}");
        }
    }
}
