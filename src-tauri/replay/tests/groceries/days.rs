//! What is otherwise on other days.

use crate::common::drawing;
use crate::phone::Day;
use replay::Last;
use std::fmt::Write as _;

/// Every rectangle of a tree, moved.
pub(crate) fn moved(xml: &str, to: impl Fn(u32, u32) -> (u32, u32)) -> String {
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
pub(crate) fn node(xml: &str, id: &str, change: impl Fn(&str) -> String) -> String {
    let Some(at) = xml.find(&format!(":id/{id}\"")) else {
        return xml.to_owned();
    };
    let from = xml[..at].rfind("<node").unwrap();
    let to = at + xml[at..].find('>').unwrap() + 1;
    format!("{}{}{}", &xml[..from], change(&xml[from..to]), &xml[to..])
}

pub(crate) fn german(_: &str, xml: String, _: u32) -> String {
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

pub(crate) fn days() -> Vec<Day> {
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
        Day::changed("two that are the same in everything", |name, xml, _| match name {
            "checkout" => node(&xml, "primary_button", |one| {
                format!("{}{one}", moved(one, |x, y| (x, y - 160)))
            }),
            _ => xml,
        }),
        Day::changed(
            "two that fit, one in a box of its own",
            |name, xml, _| match name {
                "checkout" => node(&xml, "primary_button", |one| {
                    let box_of_its_own = one
                        .replace("primary_button", "promotion")
                        .replace("Pay $23.40", "Pay in parts")
                        .replace("/>", ">");
                    let (around, inside) = (
                        moved(&box_of_its_own, |x, y| (x, y - 1000)),
                        moved(one, |x, y| (x + 20 - x / 30, y - 990 - y / 200)),
                    );
                    format!("{around}{inside}</node>{one}")
                }),
                _ => xml,
            },
        ),
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
