//! The groceries, ordered once and then again on other days: what is decided at each look.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod common;
#[path = "../../../tests/shared/long.rs"]
mod long;

use common::{Run, SHOP, drawing, element, page, tap, values};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use protocol::{Act, Action, AskKind, Direction, Millis, Screen};
use replay::{Last, Next, Recording, Replay, Seen, record};
use std::fmt::Write as _;

/// How long a page is waited for.
const BUDGET: Millis = 8_000;
/// What an act takes until the screen is quiet again.
const ACT: Millis = 500;

const HOME: &str = r#"
FrameLayout [0,0][1080,2400]
  TextView [90,150][500,250] #logo "Greenleaf"
  ImageButton [700,140][820,260] #orders desc="Your orders" click
  ImageButton [900,140][1020,260] #basket desc="Basket" click
  ScrollView [0,300][1080,2337] #home_list
    LinearLayout [50,320][1030,450] #search_bar click
      TextView [150,350][900,420] #search_hint "Search groceries"
    FrameLayout [50,480][1030,900] #usual_order click
      TextView [100,520][700,590] #usual_title "Your usual order"
      TextView [100,600][700,650] #usual_summary "8 items · $23.40"
      Button [100,700][600,820] #add_all "Add all to basket" click
    TextView [60,940][500,1010] "Browse"
"#;

const PLACED: &str = r#"
FrameLayout [0,0][1080,2400]
  TextView [200,700][880,800] #order_title "Order placed"
  TextView [200,820][880,880] #order_slot "Thursday, 6–8 pm"
  TextView [200,900][880,960] #order_number "Order 4711 · $23.40 paid with Visa •••• 4821"
  Button [50,2132][1030,2292] #primary_button "Back to shop" click
"#;

const HELP: &str = r#"
FrameLayout [0,0][1080,2400]
  TextView [166,179][1051,252] #help_title "What is new"
  TextView [100,400][900,700] "Fresh bread every morning"
  ImageView [100,800][900,1500] #help_picture desc="A loaf"
"#;

const RATING: &str = r#"
FrameLayout [100,900][980,1500]
  TextView [150,950][900,1050] #android:id/alertTitle "Enjoying Greenleaf?"
  TextView [150,1060][900,1150] #android:id/message "Rate this app in the store"
  Button [150,1350][500,1450] #android:id/button2 "Not now" click
  Button [600,1350][900,1450] #android:id/button1 "Rate" click
"#;

const PERMISSION: &str = r#"
FrameLayout [100,900][980,1500]
  TextView [150,950][900,1050] package=com.android.permissioncontroller #permission_message "Allow Greenleaf to send you notifications?"
  Button [150,1150][900,1250] package=com.android.permissioncontroller #permission_allow_button "Allow" click
  Button [150,1350][900,1450] package=com.android.permissioncontroller #permission_deny_button "Don’t allow" click
"#;

const UNKNOWN: &str = r#"
FrameLayout [100,900][980,1500]
  TextView [150,950][900,1050] #survey "How old are you?"
  Button [150,1350][500,1450] #survey_skip "Send answer" click
"#;

/// The page's tree on the day it was recorded.
fn tree(name: &str) -> String {
    match name {
        "home" => drawing::xml(HOME),
        "placed" => drawing::xml(PLACED),
        "help" => drawing::xml(HELP),
        "rating" => drawing::xml(RATING),
        "permission" => drawing::xml(PERMISSION),
        "survey" => drawing::xml(UNKNOWN),
        "launcher" => drawing::demo_xml("home-3").to_owned(),
        other => drawing::demo_xml(&format!("greenleaf-{other}")).to_owned(),
    }
}

fn shown(name: &str, xml: &str, size: (u32, u32)) -> Screen {
    let app = match name {
        "launcher" => "com.android.launcher3",
        "permission" => "com.android.permissioncontroller",
        _ => SHOP,
    };
    page(xml, app, name, size)
}

const SIZE: (u32, u32) = (1080, 2400);

fn recording() -> Recording {
    let mut run = Run::default();
    let at = |name: &str| shown(name, &tree(name), SIZE);
    let launcher = at("launcher");
    let package_name = SHOP.to_owned();
    run.does(&launcher, None, Act::LaunchApp { package_name }, "done");
    for (name, touched, kind) in [
        ("home", "add_all", None),
        ("basket", "primary_button", None),
        ("checkout", "primary_button", Some(AskKind::Payment)),
    ] {
        let screen = at(name);
        let touched = element(&screen, touched);
        run.asks(&screen, Some(touched), tap(touched.index), "done", kind);
    }
    run.ends(&at("placed"));
    record(&run.events, &run.screens, &values(&[])).unwrap()
}

/// What is otherwise on the day it is done again.
struct Day {
    name: &'static str,
    size: (u32, u32),
    /// The page's name, its tree, and how often it was scrolled.
    change: fn(&str, String, u32) -> String,
    /// What lies over a page when it opens.
    over: Option<(&'static str, &'static str)>,
    /// Another page opens in the place of this one.
    detour: Option<&'static str>,
    /// How long a page takes to open.
    slow: Millis,
    /// What is told of the press on Pay.
    paid: Last,
    /// The person lets it go on where something is another.
    accepts: bool,
}

impl Day {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            size: SIZE,
            change: |_, xml, _| xml,
            over: None,
            detour: None,
            slow: 0,
            paid: Last::Done,
            accepts: false,
        }
    }

    fn changed(name: &'static str, change: fn(&str, String, u32) -> String) -> Self {
        Self {
            change,
            ..Self::new(name)
        }
    }
}

/// A phone as far as the shop goes.
struct Phone<'a> {
    day: &'a Day,
    page: &'static str,
    opening: Option<(Millis, &'static str)>,
    over: Option<&'static str>,
    scrolled: u32,
}

impl Phone<'_> {
    fn screen(&self) -> Screen {
        let name = self.over.unwrap_or(self.page);
        let xml = (self.day.change)(name, tree(name), self.scrolled);
        shown(name, &xml, self.day.size)
    }

    fn open(&mut self, page: &'static str, at: Millis) {
        let page = if self.day.detour == Some(page) {
            "help"
        } else {
            page
        };
        self.opening = Some((at + self.day.slow, page));
        self.arrive(at);
    }

    fn arrive(&mut self, at: Millis) {
        if let Some((when, page)) = self.opening
            && when <= at
        {
            self.opening = None;
            self.page = page;
            self.scrolled = 0;
            self.over = self.day.over.filter(|(on, _)| *on == page).map(|(_, over)| over);
        }
    }

    /// What comes after a page where its own button is pressed.
    fn on(&mut self, at: Millis) {
        let next = match self.page {
            "launcher" => "home",
            "home" | "help" => "basket",
            "basket" => "checkout",
            "checkout" => "placed",
            other => panic!("nothing comes after {other}"),
        };
        self.open(next, at);
    }

    /// Does it. Whatever is tapped must be what was recorded, or close what lies over the page.
    fn act(&mut self, action: &Action, screen: &Screen, at: Millis) -> String {
        match &action.act {
            Act::LaunchApp { package_name } => {
                self.on(at);
                format!("open {package_name}")
            }
            Act::Tap { target, .. } => {
                let number = target.as_ref().and_then(|target| target.element).unwrap();
                let touched = screen.elements.iter().find(|e| e.index == number).unwrap();
                let id = touched.resource_id.rsplit('/').next().unwrap_or_default();
                let recorded = match self.page {
                    "home" => ("add_all", "Add all to basket"),
                    "basket" => ("primary_button", "Go to checkout"),
                    _ => ("primary_button", "Pay $23.40"),
                };
                if self.over.is_some() {
                    assert_eq!(
                        touched.label, "Not now",
                        "{}: closed by something else",
                        self.day.name
                    );
                    self.over = None;
                } else {
                    let is_it = id == recorded.0 || touched.label == recorded.1;
                    assert!(is_it, "{}: tapped {touched:?}", self.day.name);
                    self.on(at);
                }
                format!(
                    "tap #{id} {:?} at {},{}",
                    touched.label, touched.bounds.left, touched.bounds.top
                )
            }
            Act::Scroll { direction, .. } => {
                assert_eq!(*direction, Direction::Down);
                self.scrolled += 1;
                "scroll down".to_owned()
            }
            Act::Keyevent { keycode } => {
                // Whatever opened in between was opened over the page that was to come.
                self.page = if self.page == "help" {
                    self.day.detour.unwrap()
                } else {
                    self.page
                };
                keycode.clone()
            }
            Act::RequestHumanAuth { capability, .. } => {
                self.over = None;
                format!("ask the person ({capability:?})")
            }
            other => panic!("{}: {other:?}", self.day.name),
        }
    }
}

fn word(value: impl serde::Serialize) -> String {
    serde_json::to_value(value)
        .unwrap()
        .as_str()
        .unwrap_or("?")
        .to_owned()
}

/// What is decided, a line each, with the seconds that passed.
fn decisions(day: &Day) -> String {
    let mut replay = Replay::new(recording(), values(&[]), BUDGET);
    let mut phone = Phone {
        day,
        page: "launcher",
        opening: None,
        over: None,
        scrolled: 0,
    };
    let (mut at, mut last) = (0, Last::Nothing);
    let mut out = String::new();
    for _ in 0..40 {
        phone.arrive(at);
        let screen = phone.screen();
        let seen = Seen {
            screen: &screen,
            signer: Some("5167"),
            at,
        };
        let on = phone.over.unwrap_or(phone.page);
        let next = replay.next(&seen, last);
        write!(out, "{:>5.1} s  {on:<10} ", at as f64 / 1000.0).unwrap();
        last = Last::Nothing;
        match next {
            Next::Wait { until } => {
                assert!(until > at && until <= at + BUDGET);
                writeln!(out, "wait").unwrap();
                at = phone
                    .opening
                    .map_or(until, |(when, _)| when.min(until))
                    .max(at + 1);
            }
            Next::Act { action, by } => {
                let is_paying = phone.page == "checkout";
                last = if is_paying { day.paid } else { Last::Done };
                let before = phone.page;
                let done = phone.act(&action, &screen, at + ACT);
                writeln!(out, "{done} ({})", word(by)).unwrap();
                at += ACT;
                if last == Last::Refused {
                    phone.page = before;
                }
            }
            Next::Heal(heal) => {
                let done = phone.act(&heal.action, &screen, at + ACT);
                writeln!(out, "mend: {done} ({})", word(heal.by)).unwrap();
                at += ACT;
                last = Last::Done;
            }
            Next::AskAi { why } => {
                writeln!(out, "ask the AI for this step ({why:?})").unwrap();
                phone.over = None;
                phone.on(at + ACT);
                at += ACT;
                last = Last::Done;
            }
            Next::Stop { why, recorded } => {
                let picture = recorded.map(|frame| frame.0).unwrap_or_default();
                writeln!(out, "stop: {} (recorded picture {picture})", word(why)).unwrap();
                if !day.accepts {
                    break;
                }
                replay.accept(Some("run2/4".into()));
            }
            Next::HandOver { why } => {
                writeln!(out, "hand over: {}", word(why)).unwrap();
                break;
            }
            Next::Finished => {
                writeln!(out, "finished").unwrap();
                break;
            }
        }
    }
    let known = recording();
    for (new, old) in replay
        .learned()
        .iter()
        .flat_map(|new| new.steps.iter().zip(&known.steps))
    {
        if new.approval != old.approval {
            writeln!(
                out,
                "         (learned: {})",
                serde_json::to_string(&new.approval).unwrap()
            )
            .unwrap();
        }
        if new.deed != old.deed {
            writeln!(out, "         (learned: the target of step {})", new.step).unwrap();
        }
    }
    out
}

/// Every rectangle of a tree, moved.
fn moved(xml: &str, to: impl Fn(u32, u32) -> (u32, u32)) -> String {
    let mut out = String::new();
    let mut rest = xml;
    while let Some((before, after)) = rest.split_once("bounds=\"[") {
        let (edges, behind) = after.split_once("]\"").unwrap();
        let numbers: Vec<u32> = edges
            .split(['[', ']', ','])
            .filter(|n| !n.is_empty())
            .map(|n| n.parse().unwrap())
            .collect();
        let ((left, top), (right, bottom)) = (to(numbers[0], numbers[1]), to(numbers[2], numbers[3]));
        write!(out, "{before}bounds=\"[{left},{top}][{right},{bottom}]\"").unwrap();
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// The node with an id, in another form.
fn node(xml: &str, id: &str, change: impl Fn(&str) -> String) -> String {
    let Some(at) = xml.find(&format!(":id/{id}\"")) else {
        return xml.to_owned();
    };
    let from = xml[..at].rfind("<node").unwrap();
    let to = at + xml[at..].find('>').unwrap() + 1;
    format!("{}{}{}", &xml[..from], change(&xml[from..to]), &xml[to..])
}

fn german(_: &str, xml: String, _: u32) -> String {
    let words = [
        ("Add all to basket", "Alles in den Korb"),
        ("Your usual order", "Deine übliche Bestellung"),
        ("Search groceries", "Lebensmittel suchen"),
        ("Your orders", "Deine Bestellungen"),
        ("Go to checkout", "Zur Kasse"),
        ("Checkout", "Kasse"),
        ("Basket", "Korb"),
        ("Browse", "Stöbern"),
        ("Pay $", "Zahle $"),
        ("\"Total\"", "\"Summe\""),
        ("Subtotal", "Zwischensumme"),
        ("Delivery", "Lieferung"),
        ("\"Back\"", "\"Zurück\""),
        ("See all items", "Alle ansehen"),
        ("Order placed", "Bestellt"),
        ("Back to shop", "Zum Laden"),
        ("Remove one", "Weniger"),
        ("Add one", "Mehr"),
    ];
    words.iter().fold(xml, |xml, (from, to)| xml.replace(from, to))
}

fn days() -> Vec<Day> {
    let over = |name, on, what| Day {
        over: Some((on, what)),
        ..Day::new(name)
    };
    vec![
        Day::new("the same"),
        Day {
            slow: 3_000,
            ..Day::new("slow")
        },
        Day {
            size: (720, 1600),
            ..Day::changed("a smaller screen", |_, xml, _| {
                moved(&xml, |x, y| (x * 2 / 3, y * 2 / 3))
            })
        },
        Day {
            size: (2400, 1080),
            ..Day::changed("turned", |name, xml, _| match name {
                "checkout" => drawing::demo_xml("greenleaf-checkout-wide").replace("$21.85", "$23.40"),
                _ => moved(&xml, |x, y| (x * 20 / 9, y * 9 / 20)),
            })
        },
        Day {
            accepts: true,
            ..Day::changed("another price", |_, xml, _| xml.replace("$23.40", "$25.10"))
        },
        Day::changed("another card", |_, xml, _| xml.replace("4821", "9999")),
        Day::changed("another order of items", |_, xml, _| {
            let xml = xml.replace("Whole milk", "?").replace("Carrots", "Whole milk");
            xml.replace('?', "Carrots").replacen("<Carrotsxml", "<?xml", 1)
        }),
        over("a rating prompt", "basket", "rating"),
        over("a permission dialog", "home", "permission"),
        over("a dialog nobody knows", "basket", "survey"),
        Day::changed("the button moved", |_, xml, _| {
            node(&xml, "primary_button", |one| moved(one, |x, y| (x / 2, y - 1800)))
        }),
        Day::changed("another wording", |_, xml, _| {
            xml.replace("Go to checkout", "Continue")
        }),
        Day::changed("another id", |_, xml, _| {
            xml.replace("primary_button", "main_action")
        }),
        Day::changed("another language", german),
        Day::changed("the button is gone", |name, xml, _| match name {
            "basket" => node(&xml, "primary_button", |_| String::new()),
            _ => xml,
        }),
        Day::changed("the button is further down", |name, xml, scrolled| match name {
            "basket" => {
                let list = node(&xml, "basket_list", |one| {
                    one.replace("scrollable=\"false\"", "scrollable=\"true\"")
                });
                if scrolled < 2 {
                    node(&list, "primary_button", |_| String::new())
                } else {
                    list
                }
            }
            _ => xml,
        }),
        Day::changed("two that fit", |name, xml, _| match name {
            "checkout" => node(&xml, "primary_button", |one| {
                format!("{}{one}", moved(one, |x, y| (x, y - 160)))
            }),
            _ => xml,
        }),
        Day {
            detour: Some("basket"),
            ..Day::new("a page in between")
        },
        Day::changed("another app's page", |name, xml, _| match name {
            "basket" | "checkout" => {
                drawing::demo_xml("northbank-home").replace("com.northbank", "com.greenleaf")
            }
            _ => xml,
        }),
        Day {
            paid: Last::Unknown,
            ..Day::new("nobody knows whether it was paid")
        },
        Day {
            paid: Last::Refused,
            ..Day::new("the person says No")
        },
    ]
}

#[test]
fn the_groceries_on_other_days() {
    let told: Vec<String> = days()
        .iter()
        .map(|day| format!("## {}\n{}", day.name, decisions(day)))
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

/// Whatever pages come in whatever order, and whatever is told of what was done: a thing is tapped only where it was recorded,
/// no step is done again of which it is not certain that it was not done, and what is over stays over.
#[test]
fn whatever_comes_nothing_else_is_tapped_and_nothing_is_repeated() {
    let names = [
        "launcher", "home", "basket", "checkout", "placed", "help", "rating", "survey",
    ];
    let pages: Vec<(&str, Screen)> = names
        .iter()
        .map(|name| (*name, shown(name, &tree(name), SIZE)))
        .collect();
    let told = [
        Last::Done,
        Last::Done,
        Last::Done,
        Last::NotDone,
        Last::Refused,
        Last::Unknown,
    ];
    let mut runner = TestRunner::new(Config {
        cases: long::times(500),
        failure_persistence: None,
        ..Config::default()
    });
    // Often the page that is to come, else any.
    let look = (0..2_usize, 0..pages.len(), 0..told.len(), 0..9_000_u64);
    let looks = proptest::collection::vec(look, 1..25);
    let recorded = recording();
    runner
        .run(&looks, |looks| {
            let mut replay = Replay::new(recorded.clone(), values(&[]), BUDGET);
            let (mut at, mut last) = (0, Last::Nothing);
            let mut done: Vec<(u32, Last)> = Vec::new();
            let mut over: Option<Next> = None;
            for (expected, any, tells, later) in looks {
                at += later;
                let step = replay.step().map_or(5, |step| step.step);
                let index = if expected == 0 { (step - 1) as usize } else { any };
                let (name, screen) = &pages[index];
                let seen = Seen {
                    screen,
                    signer: None,
                    at,
                };
                let next = replay.next(&seen, last);
                let step = replay.step().map_or(0, |step| step.step);
                if let Some(over) = &over {
                    prop_assert_eq!(&next, over);
                }
                last = Last::Nothing;
                let action = match &next {
                    Next::Act { action, .. } => {
                        let again = done.iter().rev().find(|(known, _)| *known == step);
                        prop_assert!(again.is_none_or(|(_, last)| *last == Last::NotDone));
                        prop_assert!(done.last().is_none_or(|(_, last)| *last != Last::Unknown));
                        last = told[tells];
                        done.push((step, last));
                        Some(action)
                    }
                    Next::Heal(heal) => {
                        last = told[tells];
                        Some(&heal.action)
                    }
                    Next::AskAi { .. } => {
                        last = told[tells];
                        None
                    }
                    Next::Wait { .. } => None,
                    Next::HandOver { .. } | Next::Stop { .. } | Next::Finished => {
                        over = Some(next.clone());
                        None
                    }
                };
                if let Some(Act::Tap { target, .. }) = action.map(|action| &action.act) {
                    let number = target.as_ref().and_then(|target| target.element);
                    let touched = screen.elements.iter().find(|e| Some(e.index) == number);
                    let label = touched.map_or("", |touched| touched.label.as_str());
                    let recorded = match (*name, step) {
                        ("home", 2) => "Add all to basket",
                        ("basket", 3) => "Go to checkout",
                        ("checkout", 4) => "Pay $23.40",
                        ("rating", _) => "Not now",
                        _ => "nothing",
                    };
                    prop_assert_eq!(label, recorded, "on {} at step {}", name, step);
                }
            }
            Ok(())
        })
        .unwrap();
}

/// What is not told of is unknown, and what is unknown is never done again.
#[test]
fn an_act_nobody_tells_of_is_not_repeated() {
    let mut replay = Replay::new(recording(), values(&[]), BUDGET);
    let screen = shown("launcher", &tree("launcher"), SIZE);
    let seen = Seen {
        screen: &screen,
        signer: None,
        at: 0,
    };
    assert!(matches!(replay.next(&seen, Last::Nothing), Next::Act { .. }));
    for last in [Last::Nothing, Last::Done, Last::NotDone] {
        let why = protocol::Divergence::OutcomeUnknown;
        assert_eq!(replay.next(&seen, last), Next::HandOver { why });
    }
}

/// What surely was not done is done once more, and not a third time.
#[test]
fn what_was_not_done_is_tried_once_more() {
    let mut replay = Replay::new(recording(), values(&[]), BUDGET);
    let screen = shown("launcher", &tree("launcher"), SIZE);
    let seen = Seen {
        screen: &screen,
        signer: None,
        at: 0,
    };
    assert!(matches!(replay.next(&seen, Last::Nothing), Next::Act { .. }));
    assert!(matches!(replay.next(&seen, Last::NotDone), Next::Act { .. }));
    let why = protocol::Divergence::OtherOutcome;
    assert_eq!(replay.next(&seen, Last::NotDone), Next::HandOver { why });
}

#[test]
fn a_recording_is_read_as_it_was_written() {
    let written = recording().write().unwrap();
    assert_eq!(Recording::read(&written).unwrap(), recording());
    let newer = written.replacen("\"version\":1", "\"version\":2", 1);
    assert_eq!(Recording::read(&newer), Err(replay::RecordError::Version(2)));
    assert!(matches!(
        Recording::read("{}"),
        Err(replay::RecordError::Broken(_))
    ));
}
