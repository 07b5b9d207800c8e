//! Secrets leave no trace in elements.

use crate::common::{bounds, read, screen};
use proptest::prelude::*;
use screen::{code_like, mask, mask_text};
use secrecy::SecretString;

fn secret(text: &str) -> SecretString {
    SecretString::from(text)
}

/// A text and a secret, and what is left.
#[track_caller]
fn check(text: &str, hidden: &str, expected: Option<&str>) {
    assert_eq!(
        mask_text(text, &secret(hidden), "••••").as_deref(),
        expected,
        "{hidden} in {text}"
    );
}

#[test]
fn a_code_is_found_however_it_is_written() {
    check("Your code is 482913.", "482913", Some("Your code is ••••."));
    check("482 913", "482913", Some("••••"));
    check("482-913 or 482913", "482913", Some("•••• or ••••"));
    check("4 8 2 9 1 3", "482913", Some("••••"));
    check("4 8  2\n9 - 1 3", "482913", None);
    check("4–8–2–9–1–3", "482913", Some("••••"));
    check("٤٨٢٩١٣", "482913", Some("••••"));
    check("４８２９１３", "482913", Some("••••"));
    check("482913", "482-913", Some("••••"));
    check("G482 913", "482913", Some("G••••"));
    check("ab12cd", "AB12CD", Some("••••"));
    check("1482913", "482913", Some("1••••"));
    check("482914", "482913", None);
    check("", "482913", None);
    check("anything", "", None);
}

#[test]
fn a_password_is_found_as_it_is_in_any_case() {
    check("Hunter2!", "hunter2!", Some("••••"));
    check("my pass word", "pass word", Some("my ••••"));
    check("mypassword", "pass word", None);
    check("a.b-c", "a.b-c", Some("••••"));
    check("h u n t e r", "hunter", Some("••••"));
    check("şifre: ÇİÇEK", "çiçek", Some("şifre: ••••"));
}

#[test]
fn a_short_secret_is_replaced_where_it_stands_alone() {
    check("7", "7", Some("••••"));
    check("$7.00", "7", None);
    check("4 2", "42", Some("••••"));
    check("Room 42", "42", None);
}

#[test]
fn every_element_that_shows_it_is_masked_and_told() {
    let mut on = screen(
        r#"
FrameLayout [0,0][1080,2400]
  TextView [0,100][1080,200] "Your code is 482 913"
  EditText [0,300][1080,400] #code "482913" hint="Code" click
  EditText [0,500][1080,600] #pw "hunter2" click password
  TextView [0,700][1080,800] "Total $23.40"
"#,
    );
    let before = on.clone();
    let shown = mask(&mut on, &secret("482913"), "••••••");
    assert_eq!(
        shown,
        [
            bounds(0, 100, 1080, 200),
            bounds(0, 300, 1080, 400),
            bounds(0, 500, 1080, 600)
        ]
    );
    assert_eq!(on.elements[0].label, "Your code is ••••••");
    assert_eq!(on.elements[1].value.as_deref(), Some("••••••"));
    assert!(!format!("{on:?}").contains("482"));
    // A name made of the code's own words could be guessed back.
    assert_eq!(on.elements[0].track_id, "masked.1");
    assert_eq!(on.elements[3], before.elements[3]);
    // Once masked there is nothing left to find.
    let again = on.clone();
    mask(&mut on, &secret("482913"), "••••••");
    assert_eq!(on, again);
}

#[test]
fn a_code_in_boxes_of_one_digit_each() {
    let boxes = |digits: &str| {
        let mut drawing =
            String::from("FrameLayout [0,0][1080,2400]\n  TextView [0,0][1080,90] \"Enter the code\"\n");
        for (n, digit) in digits.chars().enumerate() {
            let left = n * 150;
            let text = if digit == '_' {
                String::new()
            } else {
                format!("\"{digit}\"")
            };
            drawing.push_str(&format!(
                "  EditText [{left},300][{},400] {text} click\n",
                left + 120
            ));
        }
        drawing.push_str("  TextView [0,500][1080,590] \"4\"\n  Button [0,700][1080,800] \"Next\" click\n");
        screen(&drawing)
    };
    let hidden = |digits: &str| {
        let mut on = boxes(digits);
        let shown = mask(&mut on, &secret("482913"), "•");
        (
            on.elements
                .iter()
                .filter_map(|e| e.value.clone())
                .collect::<String>(),
            shown.len(),
        )
    };
    assert_eq!(hidden("482913"), ("••••••".into(), 6));
    // Half typed.
    assert_eq!(hidden("482___"), ("•••".into(), 3));
    // Another code is not ours to hide.
    assert_eq!(hidden("111111"), ("111111".into(), 0));
}

#[test]
fn a_code_in_two_halves() {
    let halves = |flag: &str| {
        screen(&format!(
            "LinearLayout [0,0][1080,200] {flag}\n  TextView [0,0][400,90] \"Code\"\n  TextView [400,0][600,90] \"482\"\n  TextView [600,0][800,90] \"913\""
        ))
    };
    for flag in ["", "click"] {
        let mut on = halves(flag);
        mask(&mut on, &secret("482913"), "•");
        let labels: Vec<&str> = on.elements.iter().map(|e| e.label.as_str()).collect();
        assert_eq!(
            labels.concat().replace(", ", ""),
            if flag.is_empty() { "Code••" } else { "Code•" }
        );
    }
    // One half is no code.
    let mut on = screen("TextView [0,0][400,90] \"482\"");
    assert_eq!(mask(&mut on, &secret("482913"), "•"), []);
}

#[test]
fn the_keys_of_a_keypad_stay_readable() {
    let mut drawing = String::from("FrameLayout [0,0][1080,2400]\n");
    for (n, digit) in "123".chars().enumerate() {
        let left = n * 150;
        drawing.push_str(&format!(
            "  android.view.View [{left},300][{},400] desc=\"{digit}\" click\n",
            left + 120
        ));
    }
    for n in 0..10 {
        let (left, top) = (n % 3 * 300, 1000 + n / 3 * 200);
        let key = (n + 1) % 10;
        drawing.push_str(&format!(
            "  Button [{left},{top}][{},{}] \"{key}\" click\n",
            left + 280,
            top + 180
        ));
    }
    let mut on = screen(&drawing);
    assert_eq!(mask(&mut on, &secret("123456"), "•").len(), 3);
    let labels: String = on.elements.iter().map(|e| e.label.as_str()).collect();
    assert_eq!(labels, "•••1234567890");
}

#[test]
fn the_raw_tree_is_masked_too() {
    let mut tree = read(
        "FrameLayout [0,0][1080,2400]\n  TextView [0,0][900,90] \"Code 482-913\" desc=\"482913\"\n  TextView [0,100][900,190] \"Hi\"",
    );
    let shown = tree.mask(&secret("482913"), "••••");
    assert_eq!(shown, [bounds(0, 0, 900, 90)]);
    assert!(!format!("{tree:?}").contains("913"));
    assert_eq!(tree.nodes[1].description, "••••");
}

#[test]
fn no_name_is_made_of_a_code() {
    let with = |code: &str| {
        let message = |n: i32, text: &str| {
            let (top, bottom) = (n * 300, n * 300 + 300);
            format!(
                "  LinearLayout [0,{top}][1080,{bottom}] #row\n    TextView [0,{top}][900,{bottom}] #text \"{text}\" long\n    ImageView [900,{top}][1080,{bottom}] #more click\n"
            )
        };
        let mut tree = read(&format!(
            "androidx.recyclerview.widget.RecyclerView [0,0][1080,2400] scroll\n{}{}",
            message(0, "Hello"),
            message(1, &format!("Your code is {code}"))
        ));
        let before = tree.elements.clone();
        tree.mask(&secret(code), "••••");
        let names =
            |elements: &[protocol::Element]| elements.iter().map(|e| e.track_id.clone()).collect::<Vec<_>>();
        (names(&before), names(&tree.elements))
    };
    let (first, second) = (with("482913"), with("773120"));
    assert_ne!(first.0, second.0, "entries of a list are named by their words");
    assert_eq!(first.1, second.1, "but not by a code");
}

#[test]
fn what_looks_like_a_code() {
    for code in [
        "482913",
        "4829",
        "48291347",
        "482 913",
        "482-913",
        "12-34",
        "G-482913",
        "4 8 2 9 1 3",
        "AB12CD",
        " 482913 ",
        "٤٨٢٩١٣",
    ] {
        assert!(code_like(code), "{code}");
    }
    for other in [
        "",
        "482",
        "482913476",
        "Hello",
        "HELLO",
        "ab12cd",
        "$48.29",
        "12:30",
        "12.05",
        "482 91",
        "482 913 555 010",
        "Pay 482913",
        "-",
        "1 2",
    ] {
        assert!(!code_like(other), "{other}");
    }
}

#[test]
fn a_description_holds_no_secret_either() {
    let mut on = screen("TextView [0,0][1080,200] \"New message\" desc=\"Your code is 482 913\"");
    let shown = mask(&mut on, &secret("482913"), "••••");
    assert_eq!(shown, [bounds(0, 0, 1080, 200)]);
    assert_eq!(on.elements[0].description.as_deref(), Some("Your code is ••••"));
    assert_eq!(on.elements[0].label, "New message");
}

proptest! {
    #[test]
    fn nothing_of_a_code_is_left(
        code in "[0-9]{4,8}", before in "[a-zA-Z $.,]{0,12}", after in "[a-zA-Z $.,]{0,12}", gaps in prop::collection::vec("[ -]?", 8),
    ) {
        let spaced: String = code.chars().zip(&gaps).map(|(c, gap)| format!("{c}{gap}")).collect();
        let text = format!("{before}{spaced}{after}");
        let masked = mask_text(&text, &secret(&code), "#").unwrap();
        let digits: String = masked.chars().filter(char::is_ascii_digit).collect();
        prop_assert!(!digits.contains(&code), "{}", masked);
        prop_assert!(masked.contains('#'));
    }

    #[test]
    fn any_text_and_any_secret_are_survived(text in "\\PC{0,40}", hidden in "\\PC{0,10}") {
        if let Some(masked) = mask_text(&text, &secret(&hidden), "") {
            prop_assert!(masked.len() <= text.len());
            if hidden.chars().count() >= 3 {
                prop_assert!(!masked.contains(&hidden) || text.len() > masked.len());
            }
        }
        let _ = code_like(&text);
    }
}

#[test]
fn a_secret_is_taken_out_as_files_write_it_too() {
    let secret = SecretString::from("fern&harbour<9");
    for (text, expected) in [
        ("v=\"fern&harbour<9\"", Some("v=\"***\"")),
        ("v=\"fern&amp;harbour&lt;9\"", Some("v=\"***\"")),
        ("?q=fern%26harbour%3C9&x", Some("?q=***&x")),
        ("fern&amp;harbor", None),
    ] {
        assert_eq!(mask_text(text, &secret, "***").as_deref(), expected, "{text}");
    }
}
