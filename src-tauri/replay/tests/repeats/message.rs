//! A message to somebody: who and how late are variables.

use crate::common::drawing;
use crate::days::{self, Day, moved, node};
use crate::overlays::in_app;
use crate::task::{Does, STEP, Step, Task, Values};
use protocol::AskKind;
use std::fmt::Write as _;

const APP: &str = "com.android.messaging";
const TEXT: &str = "Running about {minutes} minutes late, sorry! Want me to bring you a coffee?";
const MUM: Values = &[("who", "Mum"), ("minutes", "25")];

pub(crate) const MESSAGE: Task = Task {
    name: "message",
    app: APP,
    values: &[("who", "Dana"), ("minutes", "10")],
    steps: &[
        STEP,
        Step {
            page: "list",
            does: Does::Tap {
                id: "",
                label: "{who}",
                entry: None,
            },
            also: &["Dana Whitlock"],
            ..STEP
        },
        Step {
            page: "talk",
            does: Does::Type {
                id: "compose_message_text",
                text: TEXT,
            },
            shows: &[("conversation_title", "{who}")],
            ..STEP
        },
        Step {
            page: "talk-written",
            does: Does::Tap {
                id: "send_message_button",
                label: "Send SMS",
                entry: None,
            },
            asks: Some(AskKind::Send),
            shows: &[("conversation_title", "{who}"), ("compose_message_text", TEXT)],
            ..STEP
        },
    ],
    end: "talk-sent",
    tree,
    first: "list",
    covered: "talk",
    replaced: &["talk", "talk-written"],
    days,
};

const PEOPLE: [&str; 8] = [
    "Mum",
    "Plant man",
    "Jo",
    "Dana",
    "Dana’s Bakery",
    "Northbank",
    "Anna",
    "Flower stall",
];

/// The list of conversations.
fn list(people: &[&str]) -> String {
    let mut drawn = String::from(
        "FrameLayout [0,126][1080,2337]\n  \
         LinearLayout [0,126][1080,2337]\n    \
         TextView [63,184][1080,271] #toolbar_title \"Messages\"\n    \
         LinearLayout [45,320][1035,470] #search_bar click\n      \
         TextView [200,370][900,420] #search_text \"Search messages\"\n    \
         androidx.recyclerview.widget.RecyclerView [0,500][1080,2337] #list scroll\n",
    );
    for (n, name) in people.iter().enumerate() {
        let top = 500 + n * 210;
        let (line, below) = (top + 20, top + 100);
        writeln!(
            drawn,
            "      FrameLayout [0,{top}][1080,{}] #swipeableContainer click long\n        \
             ImageView [53,{line}][179,{}] #conversation_icon\n        \
             TextView [224,{line}][800,{}] #conversation_name \"{name}\"\n        \
             TextView [900,{line}][1040,{}] #conversation_timestamp \"9:{n}2 AM\"\n        \
             TextView [224,{below}][1000,{}] #conversation_snippet \"See you at {n}:30\"",
            top + 210,
            line + 126,
            line + 60,
            line + 60,
            below + 60,
        )
        .unwrap();
    }
    drawn.push_str(
        "  ImageButton [869,2126][1027,2284] #start_new_conversation_button desc=\"Start new conversation\" click\n",
    );
    in_app(&drawn, APP)
}

/// What was written before, and what is written with somebody else or a week later.
const TALK: &[(&str, &str)] = &[
    (
        "Do you know if the plant man will be there this week?",
        "Your parcel came, I put it in the hall",
    ),
    (
        "He is! He messaged me about the ferns &#127807;",
        "Thank you! I’ll fetch it at noon",
    ),
    (
        "Morning! Are we still on for the market?",
        "Lunch on Sunday? Your sister comes too",
    ),
    ("Yes! Can’t wait &#127799;", "With pleasure"),
    (
        "Great. I’ll be by the flower stall, the one next to the bridge.",
        "Then I make the soup you like so much.",
    ),
    ("See you at 9:40? ☕", "At half past twelve?"),
];

fn tree(name: &str, values: Values) -> String {
    let value = |name: &str| values.iter().find(|(known, _)| *known == name).unwrap().1;
    let text = TEXT.replace("{minutes}", value("minutes"));
    let recorded = TEXT.replace("{minutes}", "10");
    let demo = |name: &str| {
        let xml = drawing::demo_xml(name).replace("Dana Whitlock", value("who"));
        if value("who") == "Dana" {
            xml
        } else {
            other_talk(xml)
        }
    };
    match name {
        "list" => list(&PEOPLE),
        "talk" => demo("messages-conversation").replace(&recorded, "Text message"),
        "talk-written" => demo("messages-conversation").replace(&recorded, &text),
        "talk-sent" => demo("messages-sent").replace(&recorded, &text),
        other => panic!("no page {other}"),
    }
}

fn other_talk(xml: String) -> String {
    TALK.iter().fold(xml, |xml, (was, is)| xml.replace(was, is))
}

const GERMAN: &[(&str, &str)] = &[
    ("\"Messages\"", "\"Nachrichten\""),
    ("Search messages", "Nachrichten suchen"),
    ("Start new conversation", "Neue Unterhaltung"),
    ("Navigate up", "Nach oben"),
    ("\"Call\"", "\"Anrufen\""),
    ("More options", "Weitere Optionen"),
    ("\"Attach\"", "\"Anhängen\""),
    ("Text message", "SMS-Nachricht"),
    ("Send SMS", "SMS senden"),
    ("Yesterday", "Gestern"),
    ("Today", "Heute"),
    ("\"Sent\"", "\"Gesendet\""),
];

/// Another list of people; pages of it are six further down each.
fn people(name: &'static str, people: &'static [&'static str]) -> Day {
    Day::changed(name, |page, xml, scrolled| {
        let from = people.len().saturating_sub(8).min(scrolled as usize * 6);
        let shown: Vec<&str> = people[from..].iter().copied().take(8).collect();
        if page == "list" { list(&shown) } else { xml }
    })
}

/// The conversation with somebody else, who wrote the name that was asked for.
fn with(name: &'static str, who: &'static str, other: &'static str) -> Day {
    Day::changed(name, move |page, xml, _| {
        if !page.starts_with("talk") {
            return xml;
        }
        let xml = xml.replace(&format!("\"{who}\""), &format!("\"{other}\""));
        TALK.iter().enumerate().fold(xml, |xml, (n, (was, is))| {
            let (was, is) = if other == "Dana" { (is, was) } else { (was, is) };
            xml.replace(was, if n == 4 { who } else { is })
        })
    })
}

fn days() -> Vec<Day> {
    const MANY: &[&str] = &[
        "Mum",
        "Plant man",
        "Jo",
        "Northbank",
        "Anna",
        "Flower stall",
        "Greenleaf",
        "Dentist",
        "Landlord",
        "Choir",
        "Bike shop",
        "Dana",
        "Dana’s Bakery",
        "Taxi",
    ];
    vec![
        // The bar above and the one below are as high as ever; what is between them is not.
        Day {
            size: (2400, 1080),
            ..Day::changed("turned", |page, xml, _| {
                let is_talk = page.starts_with("talk");
                moved(&xml, |x, y| {
                    let y = match y {
                        0..=326 if is_talk => y,
                        1999.. if is_talk => y - 1320,
                        _ if is_talk => 326 + (y - 326) * 353 / 1673,
                        _ => y * 9 / 20,
                    };
                    (x * 20 / 9, y)
                })
            })
        },
        Day::changed(days::OTHER_DATA, |_, xml, _| {
            let xml = xml.replace("See you at 3:30", "At half past twelve?");
            other_talk(xml.replace("9:32 AM", "Yesterday"))
        }),
        Day {
            values: Some(MUM),
            ..Day::new(days::OTHER_VALUE)
        },
        with(days::OTHER_PAYEE, "Dana", "Jo"),
        Day {
            values: Some(MUM),
            ..with(days::OLD_VALUE, "Mum", "Dana")
        },
        Day::reworded(days::LONGER_NAME, &[("\"Dana\"", "\"Dana Whitlock\"")]),
        Day::changed(days::FULL_FIELD, |_, xml, _| {
            xml.replace("Text message", "See you there")
                .replace("text=\"Running", "text=\"See you thereRunning")
        }),
        people(
            days::OTHER_ORDER,
            &[
                "Dana’s Bakery",
                "Dana",
                "Flower stall",
                "Jo",
                "Mum",
                "Anna",
                "Northbank",
                "Plant man",
            ],
        ),
        Day::changed(days::MOVED, |_, xml, _| {
            node(&xml, "send_message_button", |one| {
                moved(one, |x, y| (x / 2, y - 1800))
            })
        }),
        Day::reworded(days::OTHER_WORDING, &[("Send SMS", "Send")]),
        Day::reworded(days::OTHER_ID, &[("send_message_button", "send_button")]),
        Day::reworded(days::OTHER_LANGUAGE, GERMAN),
        Day::changed(days::GONE, |_, xml, _| {
            node(&xml, "send_message_button", |_| String::new())
        }),
        people(days::FURTHER_DOWN, MANY),
        people(
            days::TWINS,
            &["Mum", "Dana", "Plant man", "Jo", "Dana", "Northbank", "Anna"],
        ),
    ]
}
