//! The weekly groceries: ordered and paid in the shop.

use crate::common::{SHOP, drawing};
use crate::days::{self, Day, moved, node};
use crate::task::{Does, STEP, Step, Task, Values};
use protocol::AskKind;

pub(crate) const GROCERIES: Task = Task {
    name: "groceries",
    app: SHOP,
    values: &[],
    steps: &[
        STEP,
        Step {
            page: "home",
            does: tap("add_all", "Add all to basket"),
            ..STEP
        },
        Step {
            page: "basket",
            does: tap("primary_button", "Go to checkout"),
            ..STEP
        },
        Step {
            page: "checkout",
            does: tap("primary_button", "Pay $23.40"),
            asks: Some(AskKind::Payment),
            ..STEP
        },
    ],
    end: "placed",
    tree,
    first: "home",
    covered: "basket",
    replaced: &["basket", "checkout"],
    days,
};

const fn tap(id: &'static str, label: &'static str) -> Does {
    Does::Tap {
        id,
        label,
        entry: None,
    }
}

pub(crate) const HOME: &str = r#"
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

fn tree(name: &str, _: Values) -> String {
    match name {
        "home" => drawing::xml(HOME),
        "placed" => drawing::xml(PLACED),
        other => drawing::demo_xml(&format!("greenleaf-{other}")).to_owned(),
    }
}

const GERMAN: &[(&str, &str)] = &[
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

fn days() -> Vec<Day> {
    vec![
        Day {
            size: (2400, 1080),
            ..Day::changed("turned", |name, xml, _| match name {
                "checkout" => drawing::demo_xml("greenleaf-checkout-wide").replace("$21.85", "$23.40"),
                _ => moved(&xml, |x, y| (x * 20 / 9, y * 9 / 20)),
            })
        },
        Day {
            accepts: true,
            ..Day::changed(days::OTHER_DATA, |_, xml, _| xml.replace("$23.40", "$25.10"))
        },
        Day::changed(days::OTHER_PAYEE, |_, xml, _| xml.replace("4821", "9999")),
        Day::changed(days::OTHER_ORDER, |_, xml, _| {
            let xml = xml.replace("Whole milk", "?").replace("Carrots", "Whole milk");
            xml.replace('?', "Carrots").replacen("<Carrotsxml", "<?xml", 1)
        }),
        Day::changed(days::MOVED, |_, xml, _| {
            node(&xml, "primary_button", |one| moved(one, |x, y| (x / 2, y - 1800)))
        }),
        Day::reworded(days::OTHER_WORDING, &[("Go to checkout", "Continue")]),
        Day::reworded(days::OTHER_ID, &[("primary_button", "main_action")]),
        Day::reworded(days::OTHER_LANGUAGE, GERMAN),
        Day::changed(days::GONE, |name, xml, _| match name {
            "basket" => node(&xml, "primary_button", |_| String::new()),
            _ => xml,
        }),
        Day::changed(days::FURTHER_DOWN, |name, xml, scrolled| match name {
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
        Day::changed(days::TWINS, |name, xml, _| match name {
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
    ]
}
