//! What an act is about, and when it has become another matter.

use crate::common::screen;
use protocol::{Bounds, Screen};
use screen::{Change, MayDiffer, changed_but};

/// What becomes of a Yes to the thing with this id when the drawing changes, so many seconds later.
#[track_caller]
fn check_later(drawing: &str, id: &str, from: &str, to: &str, seconds: u64, expected: Option<Change>) {
    check_restless(drawing, id, (from, to), seconds, None, expected);
}

#[track_caller]
fn check_restless(
    drawing: &str,
    id: &str,
    (from, to): (&str, &str),
    seconds: u64,
    restless: Option<Bounds>,
    expected: Option<Change>,
) {
    assert!(drawing.contains(from), "{from}");
    let before = screen(drawing);
    let mut after: Screen = screen(&drawing.replacen(from, to, 1));
    after.captured_at = before.captured_at + seconds * 1000;
    let target = before.elements.iter().find(|e| e.resource_id.ends_with(id));
    assert!(target.is_some(), "{id}");
    let but = MayDiffer {
        restless,
        ..MayDiffer::default()
    };
    assert_eq!(
        changed_but(&before, &after, target, but),
        expected,
        "{from} → {to}"
    );
}

#[track_caller]
fn check(drawing: &str, id: &str, from: &str, to: &str, expected: Option<Change>) {
    check_later(drawing, id, from, to, 30, expected);
}

const REQUEST: &str = r#"
FrameLayout [0,0][1080,2400]
  TextView [40,120][700,200] #title "Join request"
  TextView [40,400][700,480] #who "Dana Whitlock"
  TextView [40,500][700,560] #when "2 min ago"
  TextView [40,600][700,660] #likes "128"
  TextView [40,700][1040,900] #promo_banner "Now with maps"
  TextView [40,1000][1040,1200] #slide "Trees of the north"
  Button [40,1500][1040,1640] #accept "Accept" click
"#;

#[test]
fn on_a_small_page_every_word_is_of_the_matter() {
    let words = Some(Change::Words);
    check(REQUEST, "/accept", "Dana Whitlock", "Eve Moss", words);
    check(REQUEST, "/accept", "Dana Whitlock", "", words);
    check(REQUEST, "/accept", "2 min ago", "2 years ago", words);
    check(REQUEST, "/accept", "2 min ago", "40 min ago", words);
    check(REQUEST, "/accept", "Trees of the north", "Birds", words);
    check_later(REQUEST, "/accept", "2 min ago", "7 min ago", 300, None);
    check(REQUEST, "/accept", "\"128\"", "\"131\"", None);
    check(REQUEST, "/accept", "Now with maps", "Now with boats", None);
    // What comes beside it is none of it: an offer, a hint.
    let more = "  TextView [40,2000][1040,2100] \"Deal of the day\"\n  Button";
    check(REQUEST, "/accept", "  Button", more, None);
}

#[test]
fn what_goes_on_moving_is_no_part_of_it_unless_it_is_all_there_is() {
    let slides = ("Trees of the north", "Birds");
    let at = |top, bottom| {
        Some(Bounds {
            left: 0,
            top,
            right: 1080,
            bottom,
        })
    };
    let words = Some(Change::Words);
    check_restless(REQUEST, "/accept", slides, 30, at(950, 1250), None);
    check_restless(REQUEST, "/accept", slides, 30, at(700, 900), words);
    check_restless(REQUEST, "/accept", slides, 30, at(0, 2400), words);
    let names = ("Dana Whitlock", "Eve Moss");
    check_restless(REQUEST, "/accept", names, 30, at(950, 1250), words);
}

const DIALOG: &str = r#"
FrameLayout [80,900][1000,1500]
  TextView [120,940][960,1020] #alertTitle "Delete conversation?"
  TextView [120,1060][960,1180] #message "Old notes"
  TextView [120,1200][960,1260] #left "Closes in 0:59"
  Button [120,1360][500,1460] #button2 "Cancel" click
  Button [560,1360][960,1460] #button1 "Delete" click
"#;

#[test]
fn on_a_dialog_what_comes_is_a_change_too() {
    let words = Some(Change::Words);
    check(DIALOG, "/button1", "Old notes", "Wedding photos", words);
    check(
        DIALOG,
        "/button1",
        "  Button",
        "  TextView [120,1270][960,1330] \"And all photos in it\"\n  Button",
        words,
    );
    check_later(DIALOG, "/button1", "0:59", "0:29", 30, None);
    check_later(DIALOG, "/button1", "0:59", "0:40", 90, words);
}

/// A list of mails with a Delete icon each.
fn inbox(subjects: &[&str]) -> String {
    let mut drawing = String::from(
        "FrameLayout [0,0][1080,2400]\n  TextView [40,120][700,200] #title \"Inbox\"\n  TextView [40,220][700,280] \"9 unread mails\"\n",
    );
    for (n, subject) in subjects.iter().enumerate() {
        let top = 400 + n * 150;
        let row = format!(
            "  TextView [40,{top}][800,{}] #subject \"{subject}\"\n  TextView [40,{}][800,{}] #snippet \"About {subject}\"\n  \
             ImageButton [840,{}][960,{}] #delete desc=\"Delete\" click\n",
            top + 60,
            top + 70,
            top + 130,
            top + 10,
            top + 120
        );
        drawing.push_str(&row);
    }
    drawing
}

#[test]
fn in_a_list_the_row_is_the_matter() {
    let before = inbox(&["Old news", "Invoice", "Wedding", "Rent"]);
    let words = Some(Change::Words);
    check(&before, "/delete", "\"Old news\"", "\"Contract\"", words);
    check(&before, "/delete", "About Old news", "About the contract", words);
    // Elsewhere in the list, and what is counted above it.
    check(&before, "/delete", "\"Wedding\"", "\"Wedding: new\"", None);
    check(&before, "/delete", "About Rent", "Rent is due", None);
    check(&before, "/delete", "9 unread mails", "10 unread mails", None);
    // The first row goes away: another's icon is at its place.
    let (old, new) = (screen(&before), screen(&inbox(&["Invoice", "Wedding", "Rent"])));
    let icon = old.elements.iter().find(|e| e.resource_id.ends_with("/delete"));
    assert_eq!(
        changed_but(&old, &new, icon, MayDiffer::default()),
        Some(Change::Words)
    );
}

/// More than a few things, and one button of its kind.
const PROFILE: &str = r#"
FrameLayout [0,0][1080,2400]
  TextView [150,150][700,230] #title "Requests"
  TextView [40,300][700,360] "People near you"
  TextView [40,400][700,460] "Offers of today"
  TextView [40,500][700,560] "Walks this week"
  Button [40,600][1040,700] #more "Show more" click
  TextView [40,900][700,960] #who "Dana Whitlock"
  TextView [40,1000][700,1060] #what "wants to join your walk"
  Button [40,1300][500,1400] #decline "Decline" click
  Button [40,1500][500,1600] #accept "Accept" click
  TextView [40,1900][1040,1960] "Seen by 12 people"
"#;

#[test]
fn on_a_large_page_it_is_what_was_read_before_the_button() {
    let words = Some(Change::Words);
    for id in ["/accept", "/decline"] {
        check(PROFILE, id, "Dana Whitlock", "Eve Moss", words);
        check(PROFILE, id, "wants to join", "wants to lead", words);
        check(PROFILE, id, "Offers of today", "Offers of tomorrow", None);
        check(PROFILE, id, "Seen by 12", "Seen by 15", None);
    }
}

#[test]
fn what_the_field_holds_that_is_written_in_is_let_differ_and_nothing_else() {
    let drawing = r#"
FrameLayout [0,0][1080,2400]
  TextView [150,150][700,230] #title "Sign in"
  TextView [40,400][1040,460] #notice "Enter the code of Northbank"
  EditText [40,600][1040,700] #code "41" click
  EditText [40,800][1040,900] #name "anna" click
"#;
    let before = screen(drawing);
    let field = before.elements.iter().find(|e| e.resource_id.ends_with("/code"));
    let but = MayDiffer {
        field,
        ..MayDiffer::default()
    };
    for (from, to, expected) in [
        ("\"41\"", "\"418\"", None),
        ("\"anna\"", "\"eve\"", Some(Change::Field)),
        (
            "Enter the code of Northbank",
            "Pay $500.00 to Eve Moss",
            Some(Change::Amount),
        ),
        (
            "Enter the code of Northbank",
            "Enter the code of Southbank",
            Some(Change::Words),
        ),
    ] {
        let after = screen(&drawing.replacen(from, to, 1));
        assert_eq!(changed_but(&before, &after, None, but), expected, "{from} → {to}");
    }
}
