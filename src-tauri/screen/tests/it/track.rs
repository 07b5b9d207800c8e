//! Ids that follow a thing from screen to screen.

use crate::common::{HEIGHT, WIDTH, bounds, demo, read};
use crate::long;
use proptest::prelude::*;
use protocol::{Bounds, Element, Role};
use screen::Tracker;
use std::collections::{HashMap, HashSet};

/// Follows screens one after the other; for each, its elements with their ids.
fn follow(screens: &[Vec<Element>]) -> Vec<Vec<Element>> {
    let mut tracker = Tracker::new();
    let mut out = Vec::new();
    for screen in screens {
        let mut elements = screen.clone();
        tracker.follow(&mut elements, WIDTH, HEIGHT);
        out.push(elements);
    }
    out
}

/// The id of the only element with this label.
fn id(elements: &[Element], label: &str) -> String {
    let found: Vec<_> = elements.iter().filter(|e| e.label == label).collect();
    assert_eq!(found.len(), 1, "{label}");
    found[0].track_id.clone()
}

/// Which labels keep their id from one screen to the next, among those that are the only one on both.
fn kept(before: &[Element], after: &[Element]) -> (usize, usize) {
    let ids = |elements: &[Element]| -> HashMap<(Role, String), Vec<String>> {
        let mut ids: HashMap<_, Vec<String>> = HashMap::new();
        for e in elements.iter().filter(|e| !e.label.is_empty()) {
            ids.entry((e.role, e.label.clone()))
                .or_default()
                .push(e.track_id.clone());
        }
        ids.retain(|_, ids| ids.len() == 1);
        ids
    };
    let (old, new) = (ids(before), ids(after));
    let both: Vec<_> = old.iter().filter(|(key, _)| new.contains_key(*key)).collect();
    let same = both.iter().filter(|(key, id)| &new[*key] == *id).count();
    (same, both.len())
}

#[test]
fn the_demo_phones_screens_are_followed() {
    for (before, after) in [
        ("settings", "settings-scrolled"),
        ("messages-conversation", "messages-sent"),
        ("messages-keyboard", "messages-sent"),
        ("greenleaf-checkout", "greenleaf-checkout-wide"),
        ("home-3", "home-3"),
        ("calendar", "calendar"),
        ("phone-number", "phone-number"),
    ] {
        let screens = follow(&[demo(before).elements, demo(after).elements]);
        let (same, both) = kept(&screens[0], &screens[1]);
        assert_eq!(same, both, "{before} → {after}");
        assert!(both > 2, "{before} → {after}: {both}");
        if before == after {
            assert_eq!(screens[0], screens[1]);
        }
    }
}

#[test]
fn what_a_name_without_memory_cannot_follow() {
    // The total changes its letters, too; the play button becomes a pause button; a counter among its like counts on.
    let player = |button: &str, total: &str, likes: &str| {
        read(&format!(
            "TextView [60,100][900,160] \"Ferns\"\nTextView [60,200][900,260] \"Alder Street Trio\"\n\
             Button [60,300][200,400] #toggle desc=\"{button}\" click\nTextView [60,500][300,560] #total \"{total}\"\n\
             Button [60,600][300,700] #count \"61\" click\nButton [360,600][600,700] #count \"{likes}\" click\n\
             Button [660,600][900,700] #count \"4\" click\n"
        ))
        .elements
    };
    let screens = follow(&[player("Play", "free", "222"), player("Pause", "$4.10", "223")]);
    let ids = |n: usize| -> Vec<String> { screens[n].iter().map(|e| e.track_id.clone()).collect() };
    assert_eq!(ids(0), ids(1));
    // On another page of the app, the same button with other words is another button.
    let other = read(
        "Button [60,300][200,400] #toggle desc=\"Buy\" click\nTextView [60,900][900,960] \"Thank you\"\n",
    );
    let screens = follow(&[player("Play", "free", "222"), other.elements]);
    assert_ne!(id(&screens[0], "Play"), id(&screens[1], "Buy"));
}

#[test]
fn gone_after_three_misses() {
    let with =
        read("TextView [0,0][900,90] \"Inbox\"\nButton [0,200][300,300] #undo \"Undo\" click").elements;
    let without = read("TextView [0,0][900,90] \"Inbox\"").elements;
    let missing = |times: usize| {
        let mut screens = vec![with.clone()];
        screens.extend(std::iter::repeat_n(without.clone(), times));
        screens.push(with.clone());
        let screens = follow(&screens);
        assert_eq!(id(&screens[0], "Inbox"), id(&screens[times + 1], "Inbox"));
        id(&screens[0], "Undo") == id(&screens[times + 1], "Undo")
    };
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(missing),
        [true, true, true, false, false, false]
    );
    let mut tracker = Tracker::new();
    for n in [2, 2, 2, 1, 1] {
        let mut elements = if n == 2 { with.clone() } else { without.clone() };
        tracker.follow(&mut elements, WIDTH, HEIGHT);
    }
    assert_eq!(tracker.followed(), 2);
    tracker.follow(&mut without.clone(), WIDTH, HEIGHT);
    assert_eq!(tracker.followed(), 1);
    // The whole screen gone and back, three times.
    let mut all = HashSet::new();
    for _ in 0..3 {
        let mut elements = with.clone();
        tracker.follow(&mut elements, WIDTH, HEIGHT);
        all.insert(id(&elements, "Undo"));
        for _ in 0..3 {
            tracker.follow(&mut [], WIDTH, HEIGHT);
        }
        assert_eq!(tracker.followed(), 0);
    }
    assert_eq!(all.len(), 3, "an id never comes twice");
}

#[test]
fn the_first_of_a_name_is_called_by_it() {
    // What one prints after one look means the same to another that starts on the same screen.
    let drawing = "TextView [0,0][900,90] \"Inbox\"\nButton [0,200][300,300] #undo \"Undo\" click\n\
                   Button [0,400][300,500] #more \"More\" click\nButton [0,600][300,700] #more \"More\" click\n";
    let plain = read(drawing).elements;
    assert!(plain.iter().any(|element| element.track_id.ends_with(".2")));
    let printed = follow(std::slice::from_ref(&plain))[0].clone();
    // Alone with its name it is called by it; of several that are alike none is called by its place among them.
    assert_eq!(printed[1].track_id, plain[1].track_id);
    assert!(printed.iter().all(|element| !element.track_id.contains('.')));
    let screens = follow(&[plain.clone(), Vec::new(), plain.clone()]);
    let ids = |elements: &[Element]| -> Vec<String> { elements.iter().map(|e| e.track_id.clone()).collect() };
    assert_eq!(ids(&printed), ids(&screens[0]));
    assert_eq!(ids(&printed), ids(&screens[2]));
    // Once they are gone, nothing is called so again.
    let none = Vec::new;
    let screens = follow(&[plain.clone(), none(), none(), none(), plain.clone()]);
    let (before, after) = (ids(&screens[0]), ids(&screens[4]));
    assert_eq!(before, ids(&printed));
    assert!(
        after.iter().all(|id| !before.contains(id)),
        "{before:?} {after:?}"
    );
    // A third like the two stands before them: they keep what they are called, and it is called something new.
    let third = read(&format!(
        "{drawing}Button [0,800][300,900] #more \"More\" click\n"
    ));
    let screens = follow(&[plain.clone(), third.elements]);
    let after = ids(&screens[1]);
    assert!(ids(&printed).iter().all(|id| after.contains(id)), "{after:?}");
    assert_eq!(after.iter().collect::<HashSet<_>>().len(), after.len());
}

#[test]
fn another_app_with_the_same_words_is_another_thing() {
    let mine = read("Button [0,200][300,300] #pay \"Pay\" click").elements;
    let fake = read("Button [0,200][300,300] #pay \"Pay\" click package=com.other").elements;
    let screens = follow(&[mine, fake]);
    assert_ne!(id(&screens[0], "Pay"), id(&screens[1], "Pay"));
}

#[test]
fn all_at_once_not_one_after_the_other() {
    // Two rows moved up by one. Taken one by one, the second row's button stands nearest to where the first one's was
    // and would take its id; together, both keep theirs.
    let rows = |top: i32, names: &[&str]| {
        let mut drawing = String::from("TextView [0,0][900,90] \"Orders\"\n");
        for (n, name) in (0..).zip(names) {
            let at = top + n * 120;
            drawing.push_str(&format!(
                "TextView [40,{at}][600,{}] \"{name}\"\nImageView [800,{at}][900,{}] #more click\n",
                at + 100,
                at + 100
            ));
        }
        read(&drawing).elements
    };
    let screens = follow(&[
        rows(300, &["Milk", "Eggs", "Bread"]),
        rows(300, &["Eggs", "Bread", "Tea"]),
    ]);
    let more = |n: usize| -> Vec<String> {
        let all = screens[n].iter().filter(|e| e.role == Role::Image);
        all.map(|e| e.track_id.clone()).collect()
    };
    assert_eq!(id(&screens[0], "Eggs"), id(&screens[1], "Eggs"));
    assert_eq!(more(0)[1..], more(1)[..2]);
    assert!(!more(0).contains(&more(1)[2]));
}

/// A page: a bar on top and rows of a title, a subtitle and a nameless button, some with ids.
fn page(rows: &[(u32, bool)], scrolled: i32) -> Vec<Element> {
    let mut out = Vec::new();
    let mut add = |role: Role, label: String, id: &str, name: String, b: Bounds| {
        out.push(Element {
            index: u32::try_from(out.len() + 1).unwrap(),
            track_id: name,
            role,
            label,
            description: None,
            value: None,
            states: Vec::new(),
            bounds: b,
            resource_id: id.into(),
            package: "com.example".into(),
        });
    };
    add(
        Role::Text,
        "Orders".into(),
        "title",
        "title".into(),
        bounds(0, 0, 900, 90),
    );
    add(
        Role::Button,
        String::new(),
        "back",
        "back".into(),
        bounds(0, 100, 90, 190),
    );
    for (n, (name, with_id)) in (0..).zip(rows) {
        let top = 300 + n * 150 - scrolled;
        let row = |part: &'static str| if *with_id { part } else { "" };
        add(
            Role::Item,
            format!("Order {name}, paid"),
            row("row"),
            format!("r{name}"),
            bounds(0, top, 1080, top + 140),
        );
        add(
            Role::Text,
            format!("Entry {name}"),
            row("sub"),
            format!("s{name}"),
            bounds(40, top + 70, 600, top + 130),
        );
        add(
            Role::Image,
            String::new(),
            row("more"),
            format!("m{name}"),
            bounds(950, top + 20, 1050, top + 120),
        );
    }
    out
}

fn ids_by_name(names: &[Element], followed: &[Element]) -> HashMap<String, String> {
    names
        .iter()
        .zip(followed)
        .map(|(n, f)| (n.track_id.clone(), f.track_id.clone()))
        .collect()
}

/// Follows `before`, then `after`; every thing in both (by the name it was drawn with) must keep its id, every other
/// must have a new one.
fn check(before: &[Element], after: &[Element], size: (u32, u32)) -> Result<(), TestCaseError> {
    let mut tracker = Tracker::new();
    let (mut first, mut second) = (before.to_vec(), after.to_vec());
    tracker.follow(&mut first, WIDTH, HEIGHT);
    tracker.follow(&mut second, size.0, size.1);
    for elements in [&first, &second] {
        let ids: HashSet<&str> = elements.iter().map(|e| e.track_id.as_str()).collect();
        prop_assert_eq!(ids.len(), elements.len());
    }
    let (old, new) = (ids_by_name(before, &first), ids_by_name(after, &second));
    let given: HashSet<&String> = old.values().collect();
    for (name, id) in &new {
        match old.get(name) {
            Some(before) => prop_assert_eq!(before, id, "{} lost its id", name),
            None => prop_assert!(!given.contains(id), "{} got another's id", name),
        }
    }
    Ok(())
}

fn rows() -> impl Strategy<Value = Vec<(u32, bool)>> {
    (prop::collection::hash_set(1000..9999_u32, 1..12), any::<bool>())
        .prop_map(|(names, ids)| names.into_iter().map(|name| (name, ids)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long::times(400)))]

    #[test]
    fn in_any_order(rows in rows(), seed in any::<u64>()) {
        let before = page(&rows, 0);
        let mut after = before.clone();
        // Another order of the list, the same places.
        let mut at = seed;
        for n in (1..after.len()).rev() {
            at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            after.swap(n, usize::try_from(at >> 33).unwrap() % (n + 1));
        }
        check(&before, &after, (WIDTH, HEIGHT))?;
    }

    #[test]
    fn through_scrolling(rows in rows(), dy in -900..900_i32, first in 0..11_usize) {
        let before = page(&rows, 0);
        // Some rows left at the top, one came in at the bottom.
        let left = first.min(rows.len() - 1);
        let mut later: Vec<(u32, bool)> = rows[left..].to_vec();
        later.push((500, rows[0].1));
        let after = page(&later, dy - i32::try_from(left).unwrap() * 150);
        check(&before, &after, (WIDTH, HEIGHT))?;
    }

    #[test]
    fn through_one_more_and_one_less(rows in rows(), at in 0..11_usize, more in any::<bool>()) {
        let before = page(&rows, 0);
        let mut later = rows.clone();
        let at = at % rows.len();
        if more {
            later.insert(at, (501, rows[0].1));
        } else {
            later.remove(at);
        }
        let after = page(&later, 0);
        check(&before, &after, (WIDTH, HEIGHT))?;
        check(&after, &before, (WIDTH, HEIGHT))?;
    }

    #[test]
    fn through_other_words(rows in rows(), at in 0..40_usize, words in "[A-Z][a-z]{3,8}") {
        let mut before = page(&rows, 0);
        // Ids that only one has: a title that changes is still the title.
        for element in &mut before {
            element.resource_id = format!("only_{}", element.track_id);
        }
        let mut after = before.clone();
        let at = at % after.len();
        after[at].label = words;
        check(&before, &after, (WIDTH, HEIGHT))?;
    }

    #[test]
    fn through_turning(rows in rows()) {
        let before = page(&rows, 0);
        // Everything is laid out anew on the wide screen: wider rows, two thirds as high.
        let after: Vec<Element> = before.iter().cloned().map(|mut e| {
            let b = e.bounds;
            e.bounds = bounds(b.left * 2, b.top * 2 / 3, b.right * 2, b.bottom * 2 / 3);
            e
        }).collect();
        check(&before, &after, (HEIGHT, WIDTH))?;
    }

    #[test]
    fn whatever_comes_no_id_stands_twice(
        screens in prop::collection::vec(
            prop::collection::vec((0..3_u8, 0..3_u8, 0..4_u8, -100..1200_i32, -100..2500_i32, 0..400_i32), 0..40),
            1..7,
        ),
    ) {
        let mut tracker = Tracker::new();
        let mut last_seen: HashMap<String, usize> = HashMap::new();
        for (n, screen) in screens.iter().enumerate() {
            let mut elements: Vec<Element> = (1..).zip(screen).map(|(index, (id, label, name, x, y, size))| Element {
                index,
                track_id: format!("n{name}"),
                role: Role::Button,
                label: ["", "Edit", "Delete 3"][usize::from(*label)].into(),
                description: None,
                value: None,
                states: Vec::new(),
                bounds: bounds(*x, *y, x + size, y + size),
                resource_id: ["", "a", "b"][usize::from(*id)].into(),
                package: String::new(),
            }).collect();
            tracker.follow(&mut elements, WIDTH, HEIGHT);
            let mut here = HashSet::new();
            for element in &elements {
                prop_assert!(here.insert(element.track_id.clone()), "{} twice", element.track_id);
                if let Some(last) = last_seen.insert(element.track_id.clone(), n) {
                    prop_assert!(n - last <= 3, "back after {} screens", n - last);
                }
            }
            prop_assert!(tracker.followed() >= elements.len());
        }
    }
}
