//! Who is on the other side, and is it the same screen again?

use crate::common;
use crate::common::{CHECKOUT, HEIGHT, WIDTH, bounds, paint, screen};
use protocol::Screen;
use screen::picture::fill;
use screen::{PartySource, addressee, parties, same_place};

#[test]
fn who_is_on_the_other_side() {
    let found = |drawing: &str| {
        parties(&screen(drawing))
            .into_iter()
            .map(|p| format!("{:?} {}", p.found, p.text))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        found(CHECKOUT),
        ["Labelled Greenleaf Groceries", "Title Checkout"]
    );
    assert_eq!(
        found(
            r#"
FrameLayout [0,0][1080,2400]
  TextView [150,150][900,230] "Dana Whitlock"
  TextView [60,700][900,760] "To: Dana Whitlock"
  TextView [60,800][900,860] "Empfänger"
  TextView [60,870][900,930] "Northbank"
  TextView [60,1000][900,1060] "To continue, sign in"
  TextView [60,1100][900,1160] "to the moon"
  TextView [60,1200][900,1260] #merchant_name "Greenleaf"
  TextView [60,1300][900,1360] #payeeName "Mum"
  LinearLayout [60,1370][900,1390] click
    TextView [60,1370][300,1390] "Paid to"
    TextView [300,1370][600,1390] "Greenleaf, Ltd"
    TextView [600,1370][900,1390] "Visa"
  TextView [60,1400][900,1460] "Call 0555 010 2030 or write to dana@example.com"
  EditText [60,1500][900,1560] "+1 555 010 2030" hint="To" click
  TextView [60,1600][900,1660] "@danaw"
  TextView [60,1700][900,1760] "Total: 8 items"
"#
        ),
        [
            "Labelled Dana Whitlock",
            "Labelled Northbank",
            "Labelled Greenleaf",
            "Labelled +1 555 010 2030",
            "Named Greenleaf",
            "Named Mum",
            "Address dana@example.com",
            "Address 0555 010 2030",
            "Address +1 555 010 2030",
            "Address @danaw",
            "Title Dana Whitlock",
        ]
    );
    assert!(PartySource::Labelled < PartySource::Title);
}

/// A list beside a conversation has a title too, and how much is unread is nobody's name.
#[test]
fn whom_a_message_goes_to_beside_a_list() {
    let check = |top: &str, field: &str, expected: Option<&str>| {
        let drawing =
            format!("FrameLayout [0,0][1080,2400]\n{top}\n  EditText {field} #draft hint=\"Message\" click");
        assert_eq!(addressee(&screen(&drawing)).as_deref(), expected, "{top}");
    };
    let list = "  TextView [20,150][300,230] \"Messages\"";
    let (left, right) = ("[20,2200][300,2300]", "[420,2200][1060,2300]");
    check(list, left, Some("Messages"));
    check(list, right, None);
    check(
        &format!("{list}\n  TextView [420,150][700,230] \"Anna\""),
        right,
        Some("Anna"),
    );
    // A header that can be pressed is the name, and what is said below it is not.
    let said = "  Button [420,130][1060,200] \"Ben\" click\n  TextView [420,220][700,260] \"Anna\"";
    check(&format!("{list}\n{said}"), right, None);
    check(
        "  TextView [20,150][80,230] \"12\"\n  TextView [100,150][700,230] \"Anna\"",
        left,
        None,
    );
    check(
        "  TextView [20,150][700,230] \"+49 170 1234567\"",
        left,
        Some("+49 170 1234567"),
    );
}

/// The bar with the name is as high on a phone that lies on its side; what is said below it is nobody's name.
#[test]
fn whom_a_message_goes_to_on_a_phone_on_its_side() {
    let lying = |width: u32, height: u32, title: [i32; 2], said: [i32; 2]| {
        let drawing = format!(
            "FrameLayout [0,0][{width},{height}]\n  TextView [150,{}][900,{}] \"Dana Whitlock\"\n  \
             TextView [60,{}][900,{}] \"See you at 9:40?\"\n",
            title[0], title[1], said[0], said[1]
        );
        let tree = common::read_at(&drawing, width, height);
        let on = Screen {
            width,
            height,
            ..common::screen_of(tree)
        };
        let found = parties(&on).into_iter();
        found
            .map(|p| format!("{:?} {}", p.found, p.text))
            .collect::<Vec<_>>()
    };
    let dana = ["Title Dana Whitlock"];
    assert_eq!(lying(2400, 1080, [178, 254], [330, 400]), dana);
    assert_eq!(lying(1280, 720, [115, 173], [230, 280]), dana);
    assert_eq!(lying(2560, 1600, [170, 250], [700, 760]), dana);
    let nobody: [&str; 0] = [];
    assert_eq!(lying(2400, 1080, [450, 520], [600, 660]), nobody);
}

/// Whether a change of the drawing leaves it the same place.
#[track_caller]
fn check_place(from: &str, to: &str, expected: bool) {
    assert!(CHECKOUT.contains(from), "{from}");
    let (before, after) = (screen(CHECKOUT), screen(&CHECKOUT.replacen(from, to, 1)));
    assert_eq!(same_place(&before, &after), expected, "{from} → {to}");
    assert_eq!(same_place(&after, &before), expected, "{to} → {from}");
}

#[test]
fn the_same_place_forgives_what_is_no_progress() {
    check_place("2 × ½ gal", "3 × ½ gal", true);
    check_place("\"Whole milk\"", "\"Fresh milk\"", true);
    check_place("[40,2150][1040,2290]", "[40,2000][1040,2140]", true);
    // What shows that something was achieved.
    check_place("\"$23.40\"", "\"$24.40\"", false);
    check_place("#note hint", "#note \"Ring\" hint", false);
    check_place("#card click", "#card click selected", false);
    check_place("\"Total\"", "\"8\"", false);
    let before = screen(CHECKOUT);
    let other = Screen {
        window: Some("com.greenleaf.shop/.Other".into()),
        ..before.clone()
    };
    assert!(!same_place(&before, &other));
    assert!(!same_place(
        &before,
        &screen("Button [0,0][500,500] \"OK\" click")
    ));
}

#[test]
fn a_scrolled_list_is_another_place() {
    let list = |first: i32| {
        let rows: String = (0..8)
            .map(|n| {
                let (top, name) = (n * 300, char::from(b'A' + u8::try_from(first + n).unwrap()));
                format!(
                    "  TextView [0,{top}][1080,{}] \"Contact {name}\" click\n",
                    top + 300
                )
            })
            .collect();
        screen(&format!("ListView [0,0][1080,2400] scroll\n{rows}"))
    };
    assert!(same_place(&list(0), &list(0)));
    assert!(!same_place(&list(0), &list(3)));
}

#[test]
fn places_without_elements_are_told_by_their_pictures() {
    let unread = |colour: [u8; 3]| {
        let mut on = screen("");
        on.tree_read = false;
        on.frame = Some(paint(
            WIDTH,
            HEIGHT,
            |_, y| if y < 100 { colour } else { [250; 3] },
        ));
        on
    };
    assert!(same_place(&unread([0; 3]), &unread([255; 3])), "only the clock");
    let mut other = unread([0; 3]);
    fill(
        other.frame.as_mut().unwrap(),
        bounds(100, 500, 900, 1900),
        [10, 20, 30],
    );
    assert!(!same_place(&unread([0; 3]), &other));
    other.frame = None;
    assert!(!same_place(&unread([0; 3]), &other));
}
