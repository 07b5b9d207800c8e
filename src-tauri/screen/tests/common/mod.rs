//! Trees written down the way a person would draw them, and elements written the way a person reads them.

#![allow(dead_code, reason = "each test file uses its part")]

use protocol::{Bounds, CaptureResult, Element, ElementState, Frame, PhoneId, Screen};
use screen::Tree;
use std::fmt::Write;

pub(crate) const WIDTH: u32 = 1080;
pub(crate) const HEIGHT: u32 = 2400;

/// A drawn tree as the XML a phone would give. One node a line, children two spaces further in:
/// `Button [40,2100][1040,2240] #pay "Pay $23.40" click`. The class gets `android.widget.` where it has no point,
/// `#id` gets the app's package; words in quotes are the text, `desc="…"` and `hint="…"` are what they say, any other
/// word is a flag: click long check checked scroll password focused selected disabled hidden.
pub(crate) fn xml(drawing: &str) -> String {
    let mut xml =
        String::from("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">");
    let mut depths: Vec<usize> = Vec::new();
    for line in drawing.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        while depths.last().is_some_and(|last| *last >= depth) {
            depths.pop();
            xml.push_str("</node>");
        }
        depths.push(depth);
        node(&mut xml, line.trim());
    }
    for _ in depths {
        xml.push_str("</node>");
    }
    xml.push_str("</hierarchy>UI hierchary dumped to: /dev/tty\n");
    xml
}

fn node(xml: &mut String, line: &str) {
    let words = split(line);
    let class = &words[0];
    let class = if class.contains('.') {
        class.clone()
    } else {
        format!("android.widget.{class}")
    };
    let (mut text, mut desc, mut hint, mut id, mut package) = (
        String::new(),
        String::new(),
        String::new(),
        String::new(),
        "com.greenleaf.shop".to_owned(),
    );
    let mut flags = Vec::new();
    for word in &words[2..] {
        if let Some(quoted) = word.strip_prefix('"') {
            text = quoted.trim_end_matches('"').to_owned();
        } else if let Some(quoted) = word.strip_prefix("desc=\"") {
            desc = quoted.trim_end_matches('"').to_owned();
        } else if let Some(quoted) = word.strip_prefix("hint=\"") {
            hint = quoted.trim_end_matches('"').to_owned();
        } else if let Some(name) = word.strip_prefix("package=") {
            package = name.to_owned();
        } else if let Some(name) = word.strip_prefix('#') {
            id = name.to_owned();
        } else {
            flags.push(word.as_str());
        }
    }
    let id = if id.is_empty() || id.contains(':') {
        id
    } else {
        format!("{package}:id/{id}")
    };
    let escape = |text: &str| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('"', "&quot;")
    };
    let known = [
        "click", "long", "check", "checked", "scroll", "password", "focused", "selected", "disabled",
        "hidden",
    ];
    assert!(
        flags.iter().all(|flag| known.contains(flag)),
        "a flag nobody knows in {line}"
    );
    let is = |flag| flags.contains(&flag);
    write!(
        xml,
        "<node index=\"0\" text=\"{}\" resource-id=\"{id}\" class=\"{class}\" package=\"{package}\" \
         content-desc=\"{}\" hint=\"{}\" checkable=\"{}\" checked=\"{}\" clickable=\"{}\" enabled=\"{}\" \
         focusable=\"true\" focused=\"{}\" scrollable=\"{}\" long-clickable=\"{}\" password=\"{}\" selected=\"{}\" \
         visible-to-user=\"{}\" bounds=\"{}\">",
        escape(&text),
        escape(&desc),
        escape(&hint),
        is("check"),
        is("checked"),
        is("click"),
        !is("disabled"),
        is("focused"),
        is("scroll"),
        is("long"),
        is("password"),
        is("selected"),
        !is("hidden"),
        words[1],
    )
    .unwrap();
}

/// At spaces outside quotes.
fn split(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        if c == '"' {
            quoted = !quoted;
        }
        if c == ' ' && !quoted {
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            word.push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A drawing, read.
pub(crate) fn read(drawing: &str) -> Tree {
    read_at(drawing, WIDTH, HEIGHT)
}

/// The same on a screen of another size.
pub(crate) fn read_at(drawing: &str, width: u32, height: u32) -> Tree {
    Tree::read(&xml(drawing), width, height, 1000).unwrap()
}

/// A screen with the drawn elements and no picture.
pub(crate) fn screen(drawing: &str) -> Screen {
    screen_of(read(drawing))
}

pub(crate) fn screen_of(tree: Tree) -> Screen {
    Screen {
        phone: PhoneId::from("shop-phone"),
        current_app: "com.greenleaf.shop".into(),
        window: Some("com.greenleaf.shop/.CheckoutActivity".into()),
        width: WIDTH,
        height: HEIGHT,
        captured_at: 0,
        capture: CaptureResult::Ok,
        frame: None,
        elements: tree.elements,
        tree_read: true,
        tree_bounds: None,
        totals: tree.totals,
        keyboard_shown: false,
    }
}

/// One line an element: number, role, label, value, states, place and size, id, track id.
pub(crate) fn lines(elements: &[Element]) -> String {
    let mut out = String::new();
    for e in elements {
        let b = e.bounds;
        write!(out, "{:>3} {:<12} {:?}", e.index, e.role, e.label).unwrap();
        if let Some(value) = &e.value {
            write!(out, " = {value:?}").unwrap();
        }
        if !e.states.is_empty() {
            let states: Vec<String> = e.states.iter().map(word).collect();
            write!(out, " ({})", states.join(" ")).unwrap();
        }
        write!(
            out,
            " [{},{} {}×{}]",
            b.left,
            b.top,
            b.right - b.left,
            b.bottom - b.top
        )
        .unwrap();
        if let Some((_, id)) = e.resource_id.split_once('/') {
            write!(out, " #{id}").unwrap();
        }
        writeln!(out, " @{}", e.track_id).unwrap();
    }
    out
}

fn word(state: &ElementState) -> String {
    match state {
        ElementState::LongClickable => "long".into(),
        other => format!("{other:?}").to_lowercase(),
    }
}

pub(crate) fn bounds(left: i32, top: i32, right: i32, bottom: i32) -> Bounds {
    Bounds {
        left,
        top,
        right,
        bottom,
    }
}

/// A picture painted by a rule.
pub(crate) fn paint(width: u32, height: u32, colour: impl Fn(u32, u32) -> [u8; 3]) -> Frame {
    let mut rgba = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let [r, g, b] = colour(x, y);
            rgba.extend_from_slice(&[r, g, b, 255]);
        }
    }
    Frame {
        width,
        height,
        rgba: rgba.into(),
    }
}

pub(crate) fn pixel(frame: &Frame, x: i32, y: i32) -> [u8; 3] {
    let at = (usize::try_from(y).unwrap() * usize::try_from(frame.width).unwrap()
        + usize::try_from(x).unwrap())
        * 4;
    [frame.rgba[at], frame.rgba[at + 1], frame.rgba[at + 2]]
}

/// The checkout of the demo shop.
pub(crate) const CHECKOUT: &str = r#"
FrameLayout [0,0][1080,2400]
  TextView [150,150][700,230] #title "Checkout"
  ImageButton [20,140][130,250] #back desc="Back" click
  androidx.recyclerview.widget.RecyclerView [0,300][1080,1200] #lines scroll
    LinearLayout [0,300][1080,480] #row click
      TextView [200,320][700,380] #name "Whole milk"
      TextView [200,390][700,440] #detail "2 × ½ gal"
      TextView [860,340][1040,400] #price "$5.80"
    LinearLayout [0,480][1080,660] #row click
      TextView [200,500][700,560] #name "Free-range eggs"
      TextView [860,520][1040,580] #price "$4.65"
  LinearLayout [40,1240][1040,1400] #card click
    TextView [200,1260][700,1320] "Visa •••• 4821"
    TextView [200,1330][700,1380] "Expires 08/27"
  TextView [60,1500][400,1560] #total_label "Total"
  TextView [860,1500][1020,1560] #total "$23.40"
  TextView [60,1600][400,1660] "Paid to"
  TextView [500,1600][1020,1660] "Greenleaf Groceries"
  EditText [60,1750][1020,1860] #note hint="Note for the courier" click
  Button [40,2150][1040,2290] #pay "Pay $23.40" click
"#;

/// A screen of the simulated phone (`data/README.md`), read; in a picture of the tree's own size.
pub(crate) fn demo(name: &str) -> Tree {
    Tree::read(demo_xml(name), 0, 0, 1000).unwrap()
}

/// The names of all of them, and their trees.
pub(crate) const DEMO: &[(&str, &str)] = &[
    (
        "browser-the-alder-post",
        include_str!("../data/demo/browser-the-alder-post.xml"),
    ),
    ("calendar", include_str!("../data/demo/calendar.xml")),
    ("contacts", include_str!("../data/demo/contacts.xml")),
    ("drawer", include_str!("../data/demo/drawer.xml")),
    (
        "greenleaf-basket",
        include_str!("../data/demo/greenleaf-basket.xml"),
    ),
    (
        "greenleaf-checkout-wide",
        include_str!("../data/demo/greenleaf-checkout-wide.xml"),
    ),
    (
        "greenleaf-checkout",
        include_str!("../data/demo/greenleaf-checkout.xml"),
    ),
    ("home-3", include_str!("../data/demo/home-3.xml")),
    (
        "messages-conversation",
        include_str!("../data/demo/messages-conversation.xml"),
    ),
    (
        "messages-keyboard",
        include_str!("../data/demo/messages-keyboard.xml"),
    ),
    ("messages-sent", include_str!("../data/demo/messages-sent.xml")),
    ("northbank-home", include_str!("../data/demo/northbank-home.xml")),
    (
        "northbank-transfer",
        include_str!("../data/demo/northbank-transfer.xml"),
    ),
    ("phone-number", include_str!("../data/demo/phone-number.xml")),
    ("recents", include_str!("../data/demo/recents.xml")),
    (
        "settings-scrolled",
        include_str!("../data/demo/settings-scrolled.xml"),
    ),
    ("settings", include_str!("../data/demo/settings.xml")),
    ("shade", include_str!("../data/demo/shade.xml")),
];

pub(crate) fn demo_xml(name: &str) -> &'static str {
    DEMO.iter().find(|(n, _)| *n == name).unwrap().1
}
