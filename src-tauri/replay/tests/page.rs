//! The same page on another day, and another page.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod common;

use common::{drawing, page, shop, values};
use protocol::Screen;
use replay::{PageKey, PageView};

fn key(screen: &Screen, who: &str) -> PageKey {
    PageKey::of(PageView::of(screen, Some("5167")), &values(&[("who", who)]))
}

/// The recorded checkout, beside a changed one.
fn check(change: impl Fn(&str) -> String, same: bool) {
    let recorded = key(&shop(drawing::CHECKOUT), "Dana");
    let changed = shop(&change(drawing::CHECKOUT));
    let shown = key(&changed, "Dana");
    let lines = drawing::lines(&changed.elements);
    assert_eq!(
        recorded.is_like(&shown),
        same,
        "{} of\n{lines}",
        recorded.similarity(&shown)
    );
}

/// The first lines of it.
fn lines(drawing: &str, most: usize) -> String {
    drawing.lines().take(most).collect::<Vec<_>>().join("\n")
}

fn without(drawing: &str, word: &str) -> String {
    let left = drawing.lines().filter(|line| !line.contains(word));
    left.collect::<Vec<_>>().join("\n")
}

/// A conversation too short to scroll: what was said in it is no part of the page; whose it is is one.
#[test]
fn what_was_said_before_makes_no_other_page() {
    let talk = |who: &str, said: [&str; 3]| {
        let mut drawn = format!(
            "FrameLayout [0,0][1080,2400]\n  ImageButton [20,140][130,250] #back desc=\"Back\" click\n  TextView [160,150][700,230] #title \"{who}\"\n  androidx.recyclerview.widget.RecyclerView [0,300][1080,2000] #messages\n"
        );
        for (n, said) in said.iter().enumerate() {
            let (top, bottom) = (400 + n * 200, 500 + n * 200);
            drawn.push_str(&format!(
                "    TextView [60,{top}][800,{bottom}] #said \"{said}\"\n"
            ));
        }
        drawn.push_str("  EditText [60,2200][800,2320] #compose \"\" hint=\"Text message\" click\n  ImageButton [860,2200][1000,2320] #send desc=\"Send\" click\n");
        shop(&drawn)
    };
    let recorded = key(&talk("Dana", ["Good morning", "Hello", "See you later"]), "Dana");
    let check = |who: &str, said: [&str; 3], of: &str, same: bool| {
        let shown = key(&talk(who, said), of);
        assert_eq!(recorded.is_like(&shown), same, "{}", recorded.similarity(&shown));
    };
    check("Dana", ["Soup on Sunday?", "With pleasure", "Fine"], "Dana", true);
    check("Mum", ["Soup on Sunday?", "With pleasure", "Fine"], "Mum", true);
    check("Dana", ["Good morning", "Hello", "See you later"], "Mum", false);
    check("Jo", ["Good morning", "Hello", "See you later"], "Dana", false);
    // Somebody else wrote the name.
    check("Jo", ["Dana", "Hello", "Dana"], "Dana", false);
}

#[test]
fn what_changes_by_itself_makes_no_other_page() {
    check(str::to_owned, true);
    // Another price, another order, one thing less.
    check(
        |page| page.replace("$23.40", "$99.10").replace("$5.80", "$6"),
        true,
    );
    check(
        |page| {
            page.replace("Whole milk", "Oat milk")
                .replace("Visa •••• 4821", "Visa •••• 9000")
        },
        true,
    );
    check(|page| without(page, "eggs"), true);
    // What a field holds.
    check(
        |page| page.replace("hint=\"Note", "\"Ring twice\" hint=\"Note"),
        true,
    );
    // Another place, another size.
    check(
        |page| page.replace("[40,2150][1040,2290]", "[40,1900][1040,2040]"),
        true,
    );
    // The screen ends above the note and the button.
    check(|page| lines(page, 14), true);
    // Another language.
    check(
        |page| {
            page.replace("Checkout", "Kasse")
                .replace("\"Back\"", "\"Zurück\"")
                .replace("\"Total\"", "\"Summe\"")
                .replace("Paid to", "Zahlung an")
                .replace("\"Pay $", "\"Zahle $")
                .replace("Expires", "Gültig bis")
        },
        true,
    );
}

/// A new release of an app gives new ids: what says what it said is the same thing. Where words are others too, it is another.
#[test]
fn new_ids_make_no_other_page_as_long_as_the_words_are_there() {
    let renamed = |page: &str| {
        page.replace("#pay", "#main_action")
            .replace("#title", "#heading")
            .replace("#total", "#sum")
    };
    check(renamed, true);
    check(
        |page| {
            renamed(page)
                .replace("Checkout", "Your cards")
                .replace("Pay $23.40", "Save card")
        },
        false,
    );
    // A few words in common under ids of its own.
    check(
        |page| renamed(&lines(page, 4)).replace("\"Back\"", "\"Close\""),
        false,
    );
}

#[test]
fn another_page_is_another() {
    check(|page| lines(page, 4), false);
    check(
        |_| {
            "FrameLayout [0,0][1080,2400]\n  Button [40,2150][1040,2290] #pay \"Pay $23.40\" click".to_owned()
        },
        false,
    );
    check(
        |page| {
            page.replace("#pay", "#save")
                .replace("#title \"Checkout\"", "#heading \"Your cards\"")
                .replace("#lines", "#cards")
                .replace("#total", "#balance")
                .replace("Pay $23.40", "Save card")
        },
        false,
    );
    check(|_| "FrameLayout [0,0][1080,2400]".to_owned(), false);
}

/// On a screen too low for it the page scrolls: a thing more that has an id, its title within what is read as a list, and
/// what lies further down not there.
#[test]
fn a_page_that_has_to_scroll_is_the_same() {
    let drawn = |title: &str, scrolls: bool| {
        let (page, summary) = match scrolls {
            true => (
                "androidx.recyclerview.widget.RecyclerView [0,0][1080,900] #page scroll\n  ",
                "",
            ),
            false => (
                "",
                "  TextView [100,400][900,460] #summary \"Wednesday, to your door\"\n",
            ),
        };
        shop(&format!(
            "FrameLayout [0,0][1080,2400]\n  {page}  TextView [100,200][900,300] #{title} \"Order placed\"\n\
             {summary}  Button [100,1000][900,1100] #back \"Back to shop\" click"
        ))
    };
    let read = |title, scrolls| key(&drawn(title, scrolls), "Dana");
    let (whole, part) = (read("title", false), read("title", true));
    assert!(whole.is_like(&part), "{}", whole.similarity(&part));
    assert!(part.is_like(&whole), "{}", part.similarity(&whole));
    // The same words on another thing of a list are one of its entries.
    let entry = read("entry_title", true);
    assert!(!whole.is_like(&entry), "{}", whole.similarity(&entry));
}

#[test]
fn another_app_or_signer_is_never_the_same() {
    let checkout = shop(drawing::CHECKOUT);
    let recorded = key(&checkout, "Dana");
    let other = Screen {
        current_app: "com.evil".to_owned(),
        ..checkout.clone()
    };
    assert_eq!(recorded.similarity(&key(&other, "Dana")), 0.0);
    let signed = PageKey::of(PageView::of(&checkout, Some("bad")), &values(&[]));
    assert_eq!(recorded.similarity(&signed), 0.0);
    let unknown = PageKey::of(PageView::of(&checkout, None), &values(&[]));
    assert_eq!(recorded.similarity(&unknown), 1.0);
}

#[test]
fn a_page_with_a_variable_on_it_is_known_by_its_new_value() {
    let talk = |who: &str| {
        shop(&format!(
            "FrameLayout [0,0][1080,2400]\n  TextView [150,150][700,230] \"{who}\"\n  Button [800,2200][1000,2300] desc=\"Send\" click"
        ))
    };
    // However much else is the same.
    let rich = |who: &str| shop(&drawing::CHECKOUT.replace("Checkout", who));
    assert!(key(&rich("Dana"), "Dana").is_like(&key(&rich("Mum"), "Mum")));
    assert!(!key(&rich("Dana"), "Dana").is_like(&key(&rich("Jo"), "Mum")));
    assert!(key(&talk("Dana"), "Dana").is_like(&key(&talk("Mum"), "Mum")));
    assert!(!key(&talk("Dana"), "Dana").is_like(&key(&talk("Dana"), "Mum")));
}

/// Each page of the simulated phone is like itself and like no other, its own window and the wide checkout aside.
#[test]
fn no_two_screens_of_a_phone_are_one() {
    let read = |name: &str| {
        let app = drawing::demo(name).packages.first().cloned().unwrap_or_default();
        key(&page(drawing::demo_xml(name), &app, name, (0, 0)), "Dana")
    };
    let same_page = |a: &str, b: &str| {
        let family = |name: &str| match name {
            "greenleaf-checkout-wide" => "greenleaf-checkout".to_owned(),
            "settings-scrolled" => "settings".to_owned(),
            name => name
                .strip_prefix("messages-")
                .map_or(name.to_owned(), |_| "messages".to_owned()),
        };
        family(a) == family(b)
    };
    for (a, _) in drawing::DEMO {
        for (b, _) in drawing::DEMO {
            let similarity = read(a).similarity(&read(b));
            assert_eq!(
                similarity >= PageKey::SAME,
                same_page(a, b),
                "{a} and {b}: {similarity}"
            );
        }
    }
}
