//! UI trees: what real phones give, and what broken ones give.

use crate::common;
use crate::common::{HEIGHT, WIDTH, lines, read, xml};
use proptest::prelude::*;
use protocol::{ElementState, Role};
use screen::{Tree, TreeError};

/// AdvancedSharpAdbClient, Tests/Assets/DumpScreen.txt: a profile page of a video app, Android 11–13, 1440 × 3060.
const BILIBILI: &str = include_str!("../data/ui_01_bilibili.txt");
/// AdvancedSharpAdbClient, Tests/Assets/DumpScreen.Error.txt: MIUI's stack traces, then no tree.
const MIUI_ERROR: &str = include_str!("../data/ui_04_miui_error.txt");
/// The same project: what `uiautomator` says on stderr.
const NULL_ROOT: &str = include_str!("../data/ui_07_null_root.txt");

/// One of each, in the shapes toolkits give them.
const WIDGETS: &str = r#"
FrameLayout [0,0][1080,2400]
  ScrollView [0,100][1080,2300] scroll
    LinearLayout [0,100][1080,2600]
      LinearLayout [0,100][1080,250] click
        TextView [60,120][600,170] #android:id/title "Wi-Fi"
        TextView [60,180][600,220] #android:id/summary "Connected"
        Switch [900,130][1040,220] #android:id/switch_widget "ON" check checked
      LinearLayout [0,250][1080,400]
        TextView [60,270][600,320] "Battery saver"
        Switch [900,280][1040,370] check click
      android.view.View [0,400][1080,500] check checked click
      TextView [60,420][600,480] "Download notification"
      android.view.View [0,500][1080,600] check click
      TextView [60,520][600,580] "Save thumbnail"
      RadioButton [0,600][1080,700] "Large" check click selected
      TextView [60,720][600,770] "Brightness"
      SeekBar [60,780][1020,850] #bright "75.0"
      Spinner [60,900][1020,1000] #language click
        TextView [80,910][900,990] #android:id/text1 "English"
      ProgressBar [500,1050][580,1130]
      RatingBar [60,1150][600,1230] "4.0"
      TextView [60,1300][500,1350] "Password"
      EditText [60,1360][1020,1460] #pw "hunter2" click password
      EditText [60,1500][1020,1600] #search "Search" click focused
      EditText [60,1620][1020,1720] #name "Dana Whitlock" hint="Full name" click
      EditText [60,1740][1020,1840] #empty "Street" hint="Street" click disabled
      android.view.View [60,1900][500,2000] click
        TextView [80,1920][400,1980] "Unload"
        Button [60,1900][500,2000]
      android.view.View [540,1900][1000,2000] check click
        RadioButton [540,1900][600,2000]
        TextView [620,1920][900,1980] "Express"
      TextView [60,2550][500,2590] "Below the fold"
  android.webkit.WebView [0,2300][1080,2380]
    android.view.View [0,2300][500,2380] "Terms" click
      TextView [0,2300][500,2380] "Terms"
  HorizontalScrollView [0,2380][1080,2400] #tabs scroll
    LinearLayout [0,2380][540,2400] desc="Home" click selected
    LinearLayout [540,2380][1080,2400] desc="Orders" click
  TextView [60,50][600,90] "Gone" hidden
  TextView [60,50][60,90] "Thin"
  android.view.View [0,0][1080,2]
  FrameLayout [0,2000][200,2100] package=com.google.android.inputmethod.latin desc="q" click
"#;

fn check(xml: &str, expected: Result<usize, TreeError>) {
    assert_eq!(
        Tree::read(xml, WIDTH, HEIGHT, 1000).map(|tree| tree.elements.len()),
        expected
    );
}

#[test]
fn a_real_page_of_145_nodes() {
    let tree = Tree::read(BILIBILI, 1440, 3060, 1000).unwrap();
    assert_eq!(tree.nodes.len(), 145);
    assert_eq!(tree.nodes.iter().filter(|n| n.clickable).count(), 34);
    assert_eq!(tree.nodes.iter().filter(|n| !n.text.is_empty()).count(), 31);
    assert_eq!((tree.rotation, tree.extent), (0, (1440, 3060)));
    // Without a picture the tree's own size is taken.
    assert_eq!(Tree::read(BILIBILI, 0, 0, 1000), Ok(tree.clone()));
    assert_eq!(tree.packages, ["com.bilibili.app.in"]);
    insta::assert_snapshot!(lines(&tree.elements));
}

#[test]
fn the_checkout() {
    insta::assert_snapshot!(lines(&read(common::CHECKOUT).elements));
}

#[test]
fn settings_forms_and_other_widgets() {
    insta::assert_snapshot!(lines(&read(WIDGETS).elements));
}

#[test]
fn what_is_no_whole_tree_is_a_typed_error() {
    check(MIUI_ERROR, Err(TreeError::NoXml));
    check(NULL_ROOT, Err(TreeError::NoWindow));
    check("ERROR: could not get idle state.\n", Err(TreeError::NeverIdle));
    check("", Err(TreeError::Empty));
    check("\u{feff}\r\n \0", Err(TreeError::Empty));
    check("adb: device offline", Err(TreeError::NoXml));
    check("<?xml version='1.0'?>", Err(TreeError::Truncated { nodes: 0 }));
    check(
        "<hierarchy rotation=\"0\"><node bounds=\"[0,0][9,9]\"",
        Err(TreeError::Truncated { nodes: 0 }),
    );
    check(
        "<hierarchy><node text=\"Pay\" bounds=\"[0,0][9,9]\" />",
        Err(TreeError::Truncated { nodes: 1 }),
    );
    check(
        "<hierarchy><node text=\"a\" </hierarchy>",
        Err(TreeError::Malformed { at: 11 }),
    );
    check(
        "<hierarchy><!node></hierarchy>",
        Err(TreeError::Malformed { at: 11 }),
    );
    check(
        "<hierarchy><node></hierarchy>",
        Err(TreeError::Malformed { at: 17 }),
    );
    check(
        &format!("<hierarchy>{}", " ".repeat(33 * 1024 * 1024)),
        Err(TreeError::TooLarge),
    );
    let many = format!("<hierarchy>{}</hierarchy>", "<node/>".repeat(50_001));
    check(&many, Err(TreeError::TooLarge));
}

#[test]
fn what_phones_write_around_and_inside_a_tree_is_survived() {
    let pay =
        "<node text=\"Pay\" class=\"android.widget.Button\" clickable=\"true\" bounds=\"[0,0][90,90]\" />";
    // An empty screen is not an unread one.
    check("<?xml version='1.0'?><hierarchy rotation=\"0\" />", Ok(0));
    check("<hierarchy rotation=\"0\"></hierarchy>", Ok(0));
    check(
        &format!("\u{feff}<?xml version='1.0'?>\r\n<hierarchy>\r\n{pay}\r\n</hierarchy>\r\n"),
        Ok(1),
    );
    check(&format!("{MIUI_ERROR}<hierarchy>{pay}</hierarchy>"), Ok(1));
    check(
        &format!("<hierarchy>{pay}</hierarchy>UI hierchary dumped to: /dev/tty"),
        Ok(1),
    );
    check(&format!("<hierarchy>\0{pay}\u{1}</hierarchy><<<>>>"), Ok(1));
    check(
        &format!("<hierarchy><!-- > -->{pay}<![CDATA[<node]]></hierarchy>"),
        Ok(1),
    );
    check(
        &format!(
            "<displays><display id=\"0\"><window title=\"a\"><hierarchy>{pay}</hierarchy></window><window title=\"b\"><hierarchy>{pay}</hierarchy></window></display></displays>"
        ),
        Ok(2),
    );
    check(
        "<hierarchy><android.widget.Button text=\"Pay\" displayed=\"true\" bounds=\"[0,0][9,9]\"/></hierarchy>",
        Ok(1),
    );
    check(
        "<hierarchy><node text=\"a < b & c > d\" bounds='[0,0][9,9]'/></hierarchy>",
        Ok(1),
    );

    let odd = "<hierarchy rotation=\"1\"><node text=\"Tom &amp; Jerry\u{0}&#0;&#55357;&#56832;\n  2\" bounds=\"[0,0][9,9]\"/></hierarchy>";
    let tree = Tree::read(odd, WIDTH, HEIGHT, 10).unwrap();
    assert_eq!(tree.elements[0].label, "Tom & Jerry😀 2");
    assert_eq!(tree.rotation, 1);
}

#[test]
fn a_passwords_text_is_kept_nowhere() {
    let tree = read("EditText [0,0][900,100] #pw \"hunter2\" password click focused");
    assert!(!format!("{tree:?}").contains("hunter2"));
    let field = tree.fields().next().unwrap();
    assert_eq!(
        (field.class_name(), field.id_name(), field.password),
        ("EditText", "pw", true)
    );
    assert_eq!(tree.elements[0].value, None);
    assert!(tree.elements[0].states.contains(&ElementState::Password));
    assert_eq!(tree.node(1), Some(field));
    assert_eq!((tree.node(0), tree.node(2)), (None, None));
}

#[test]
fn the_cap_counts_what_it_leaves_out_and_changes_no_number() {
    let whole = Tree::read(BILIBILI, 1440, 3060, 1000).unwrap();
    for cap in [0, 1, 7, 41, 1000] {
        let tree = Tree::read(BILIBILI, 1440, 3060, cap).unwrap();
        assert_eq!(tree.elements, whole.elements[..cap.min(41)]);
        assert_eq!(tree.totals.total_elements, 41);
        assert_eq!(
            tree.totals.truncated_elements as usize,
            41_usize.saturating_sub(cap)
        );
    }
}

#[test]
fn depth_costs_no_stack() {
    let deep = 40_000;
    let open = "<node clickable=\"true\" scrollable=\"true\" resource-id=\"a:id/b\" bounds=\"[0,0][99,99]\">";
    let tree = format!(
        "<hierarchy>{}{}</hierarchy>",
        open.repeat(deep),
        "</node>".repeat(deep)
    );
    let tree = Tree::read(&tree, WIDTH, HEIGHT, 10).unwrap();
    assert_eq!((tree.nodes.len(), tree.elements.len()), (deep, 10));
}

/// The track ids of every label.
fn tracks(drawing: &str) -> Vec<(String, String)> {
    read(drawing)
        .elements
        .into_iter()
        .map(|e| (e.label, e.track_id))
        .collect()
}

fn track(drawing: &str, label: &str) -> String {
    let found: Vec<_> = tracks(drawing).into_iter().filter(|(l, _)| l == label).collect();
    assert_eq!(found.len(), 1, "{label}");
    found[0].1.clone()
}

#[test]
fn track_ids_survive_what_changes() {
    // The total changes, the note is filled, the button moves: the same button.
    let later = common::CHECKOUT
        .replace("$23.40", "$24.10")
        .replace(
            "hint=\"Note for the courier\"",
            "\"Ring twice\" hint=\"Note for the courier\"",
        )
        .replace("[40,2150][1040,2290]", "[40,2000][1040,2140]");
    assert_eq!(track(common::CHECKOUT, "Pay $23.40"), track(&later, "Pay $24.10"));
    assert_eq!(
        track(common::CHECKOUT, "Note for the courier"),
        track(&later, "Note for the courier")
    );
    // Another word is another button; another app's is too.
    let other = common::CHECKOUT.replace("Pay $23.40", "Cancel");
    assert_ne!(track(common::CHECKOUT, "Pay $23.40"), track(&other, "Cancel"));
    let fake = common::CHECKOUT.replace("\"Pay $23.40\"", "\"Pay $23.40\" package=com.other");
    assert_ne!(track(common::CHECKOUT, "Pay $23.40"), track(&fake, "Pay $23.40"));
}

#[test]
fn entries_of_a_list_keep_their_names_when_it_scrolls() {
    let list = |top: i32, names: &[&str]| {
        let mut drawing = "androidx.recyclerview.widget.RecyclerView [0,0][1080,2400] scroll\n".to_owned();
        for (n, name) in (0..).zip(names) {
            let (top, bottom) = (top + n * 200, top + n * 200 + 200);
            drawing.push_str(&format!(
                "  LinearLayout [0,{top}][1080,{bottom}] #row click\n    TextView [0,{top}][500,{bottom}] #name \"{name}\"\n    ImageView [900,{top}][1080,{bottom}] #more click\n"
            ));
        }
        drawing
    };
    let before = list(0, &["Order 1001", "Order 1002", "Order 1003"]);
    let after = list(-150, &["Order 1002", "Order 1003", "Order 1004"]);
    for name in ["Order 1002", "Order 1003"] {
        assert_eq!(track(&before, name), track(&after, name), "{name}");
    }
    // So do the nameless things inside: the second entry's menu is the first one's now.
    let (before, after) = (tracks(&before), tracks(&after));
    assert_eq!((before[4].0.as_str(), after[2].0.as_str()), ("", ""));
    assert_eq!(before[4].1, after[2].1);
    let mut all: Vec<&String> = before.iter().map(|(_, id)| id).collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), before.len(), "all differ");
}

proptest! {
    #[test]
    fn any_damage_to_a_real_tree_is_an_error_or_a_sound_list(
        cut in 0..52_000_usize, at in 0..52_000_usize, junk in "[<>&\"'/= a-z\\x00\\[\\],0-9]{0,40}", cap in 0..60_usize,
    ) {
        let boundary = |mut n: usize| { while !BILIBILI.is_char_boundary(n) { n -= 1; } n };
        let at = boundary(at);
        let damaged = format!("{}{junk}{}", &BILIBILI[..at], &BILIBILI[at..]);
        for xml in [&BILIBILI[..boundary(cut)], &damaged] {
            if let Ok(tree) = Tree::read(xml, 1440, 3060, cap) {
                sound(&tree, 1440, 3060)?;
            }
        }
        prop_assert!(Tree::read(&BILIBILI[..boundary(cut)], 1440, 3060, cap).is_err(), "a cut tree is never whole");
    }

    #[test]
    fn any_tree_gives_a_sound_list(
        nodes in prop::collection::vec(
            (0..6_usize, -300..1300_i32, -300..2700_i32, -50..1400_i32, -50..2700_i32, 0..64_u8, "[a-c $0-9.]{0,6}", 0..9_usize),
            0..60,
        ),
        width in 0..1200_u32, height in 0..2500_u32,
    ) {
        let classes = ["TextView", "Button", "EditText", "Switch", "FrameLayout", "ListView", "ImageView", "Spinner", "SeekBar"];
        let mut drawing = String::new();
        let mut last = 0;
        for (n, (depth, left, top, wide, high, flags, text, class)) in nodes.iter().enumerate() {
            let depth = if n == 0 { 0 } else { *depth.min(&(last + 1)) };
            last = depth;
            let names = ["click", "long", "check", "scroll", "password", "hidden"];
            let flags: Vec<&str> = names.iter().enumerate().filter(|(bit, _)| flags & (1 << bit) != 0).map(|(_, n)| *n).collect();
            drawing.push_str(&format!(
                "{}{} [{left},{top}][{},{}] \"{text}\" {}\n",
                "  ".repeat(depth), classes[*class], left + wide, top + high, flags.join(" ")
            ));
        }
        let tree = Tree::read(&xml(&drawing), width, height, 1000).unwrap();
        prop_assert_eq!(tree.nodes.len(), nodes.len());
        let (width, height) = if width == 0 || height == 0 { tree.extent } else { (width, height) };
        sound(&tree, width, height)?;
        // Reading twice gives the same, track ids too.
        prop_assert_eq!(Tree::read(&xml(&drawing), width, height, 1000).unwrap(), tree);
    }
}

#[test]
fn a_label_that_floats_in_its_field_names_it() {
    // The words above belong to something else; those inside the frame are the field's.
    let tree = read(
        r#"
LinearLayout [0,0][1080,900]
  TextView [63,73][1017,119] #from_account "From Everyday account · $2,418.60"
  FrameLayout [63,156][1017,319]
    EditText [63,156][1017,319] #recipient "Dana Whitlock" click
    TextView [105,180][144,220] "To"
  EditText [63,356][1017,519] #pin password click
    TextView [105,380][244,420] "PIN"
  TextView [63,560][1017,606] "Note"
  EditText [63,656][1017,819] #note click
"#,
    );
    insta::assert_snapshot!(lines(&tree.elements));
}

#[test]
fn a_tile_says_once_how_it_stands() {
    let tree = read(
        r#"
android.view.View [0,0][500,200] desc="Bluetooth" check checked click #tile
  Switch [10,10][20,20]
  TextView [100,20][300,60] "Bluetooth"
  TextView [100,70][300,100] "On"
Switch [0,200][500,400] desc="Internet" check click
  TextView [100,220][300,260] "Internet"
  TextView [100,270][300,300] "Off"
"#,
    );
    insta::assert_snapshot!(lines(&tree.elements));
}

#[test]
fn no_words_are_lost_when_things_are_put_together() {
    // A row, a nameless box inside it that can be checked, and words inside that.
    let tree = read(
        r#"
LinearLayout [0,0][1080,300] click
  TextView [0,0][500,100] "Newsletter"
  CheckedTextView [0,100][1080,300] check checked
    TextView [0,100][500,200] "Weekly"
"#,
    );
    assert_eq!(lines(&tree.elements).lines().count(), 1);
    assert_eq!(tree.elements[0].label, "Newsletter, Weekly");
    assert_eq!(tree.elements[0].role, Role::Checkbox);
}

/// Numbers run from 1, everything lies on the screen, no track id stands twice, no password shows.
fn sound(tree: &Tree, width: u32, height: u32) -> Result<(), TestCaseError> {
    let mut tracks = std::collections::HashSet::new();
    for (n, e) in (1..).zip(&tree.elements) {
        prop_assert_eq!(e.index, n);
        let b = e.bounds;
        prop_assert!(
            0 <= b.left && b.left < b.right && i64::from(b.right) <= i64::from(width),
            "{:?}",
            b
        );
        prop_assert!(
            0 <= b.top && b.top < b.bottom && i64::from(b.bottom) <= i64::from(height),
            "{:?}",
            b
        );
        prop_assert!(tracks.insert(e.track_id.clone()), "{} twice", e.track_id);
        prop_assert!(!e.states.contains(&ElementState::Password) || e.value.is_none());
        prop_assert!(tree.node(n).is_some());
    }
    // Every word that can be seen stands on some element, unless a cap cut it off.
    if tree.totals.truncated_elements > 0 {
        return Ok(());
    }
    let said: Vec<&str> = tree
        .elements
        .iter()
        .flat_map(|e| [Some(e.label.as_str()), e.value.as_deref()])
        .flatten()
        .collect();
    for node in tree.nodes.iter().filter(|n| n.class_name() == "TextView") {
        // What is no letter and no space is not shown.
        let words: String = node
            .text
            .chars()
            .filter(|c| c.is_whitespace() || !c.is_control())
            .collect();
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        prop_assert!(
            words.is_empty()
                || !is_seen(node, tree, width, height)
                || said
                    .iter()
                    .any(|s| s.contains(&words) || s.eq_ignore_ascii_case(&words)),
            "{words:?}"
        );
    }
    Ok(())
}

/// Something of it lies on the screen and inside all that scrolls around it.
fn is_seen(node: &screen::Node, tree: &Tree, width: u32, height: u32) -> bool {
    let mut b = node.bounds;
    let mut clip = |by: protocol::Bounds| {
        b.left = b.left.max(by.left);
        b.top = b.top.max(by.top);
        b.right = b.right.min(by.right);
        b.bottom = b.bottom.min(by.bottom);
        b.left < b.right && b.top < b.bottom
    };
    let mut seen = node.visible
        && clip(common::bounds(
            0,
            0,
            i32::try_from(width).unwrap(),
            i32::try_from(height).unwrap(),
        ));
    let mut around = node.parent;
    while let Some(at) = around {
        let parent = &tree.nodes[at];
        seen = seen && (!parent.scrollable || !parent.visible || clip(parent.bounds));
        around = parent.parent;
    }
    seen
}

#[test]
fn the_demo_phones_screens_read_as_a_person_would() {
    for name in ["shade", "northbank-transfer", "messages-keyboard", "calendar"] {
        insta::assert_snapshot!(format!("demo_{name}"), lines(&common::demo(name).elements));
    }
    // Every screen of it: sound, and no two neighbours say the same.
    for (name, xml) in common::DEMO {
        let tree = Tree::read(xml, 0, 0, 1000).unwrap();
        sound(&tree, tree.extent.0, tree.extent.1).unwrap();
        for two in tree.elements.windows(2) {
            let twins =
                two[0].label == two[1].label && two[0].role == two[1].role && !two[0].label.is_empty();
            assert!(!twins, "{name}: {:?} twice", two[0].label);
        }
    }
    // Who is paid is still read where the caption floats in the field.
    let transfer = common::screen_of(common::demo("northbank-transfer"));
    let surest = screen::parties(&transfer).remove(0);
    assert_eq!(
        (surest.found, surest.text.as_str()),
        (screen::PartySource::Labelled, "Dana Whitlock")
    );
}
