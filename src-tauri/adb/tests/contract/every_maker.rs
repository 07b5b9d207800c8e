//! Every maker's phone with every Android, walked over once: what was done there, by which way, and what came of it.
//!
//! A snapshot for each maker, a line for each Android, read by eye. What is harder – a finger let go of, locks, split screens – is
//! [`super::makers`]'s.

use crate::rig::{Rig, Setup, node, told, value};
use adb::Command;
use agent::ports::{Effect, Phone, PhoneError, RawObservation};
use protocol::ActMethod;
use secrecy::SecretString;
use std::fmt::Write;
use virtual_phone::system::Brand;

const EDITOR: &str = "com.android.notes/.EditorActivity";
const BANK: &str = "com.northbank.mobile";
const ASCII: &str = "two words, 5%so";
const BEYOND: &str = " é漢🙂";
const SECRET: &str = "harbour-9";
/// As small as the apps can be drawn: their pictures cost little.
const SIZE: (u32, u32) = (120, 266);
const DENSITY: u32 = 46;

/// A phone with the switches on that its maker asks for.
fn phone(brand: Brand, android: u32) -> Rig {
    let mut setup = Setup::at(EDITOR).slow();
    setup.options.profile = brand.profile(android).unwrap();
    setup.options.profile.phone.size = SIZE;
    setup.options.profile.phone.density = DENSITY;
    setup.options.adb_keyboard = true;
    setup.options.northbank_remembered = false;
    let rig = Rig::pipe(setup);
    rig.phone.use_scrcpy(None);
    rig
}

/// How something was done, or why it was not.
fn way(done: &Result<Effect, PhoneError>) -> String {
    match done {
        Ok(effect) => effect.via.map_or("input", ActMethod::as_str).to_owned(),
        Err(why) => format!("not done: {why}"),
    }
}

/// The app and its page, the app's name left out where the page says it.
fn front(sight: &RawObservation) -> String {
    let window = sight.window.as_deref().unwrap_or("no window");
    let page = window.strip_prefix(sight.app.as_str()).unwrap_or(window);
    format!("{} {page}", sight.app)
}

/// Something done, then the field with the focus.
struct Walk {
    rig: Rig,
    line: String,
}

impl Walk {
    fn tell(&mut self, what: &str) {
        let part = if self.line.is_empty() { "" } else { "; " };
        write!(self.line, "{part}{what}").unwrap();
    }

    async fn see(&self) -> RawObservation {
        self.rig.phone.see().await.unwrap()
    }

    async fn field(&self) -> String {
        let tree = self.rig.phone.read().await.unwrap();
        match tree
            .split("<node ")
            .find(|node| node.contains("focused=\"true\""))
        {
            Some(field) => value(field, "text").unwrap(),
            None => "no field".to_owned(),
        }
    }

    async fn look(&mut self) {
        let sight = self.see().await;
        let tree = self.rig.phone.read().await.unwrap();
        let picture = sight
            .frame
            .as_ref()
            .map_or((0, 0), |frame| (frame.width, frame.height));
        let labelled = tree
            .split("<node ")
            .filter(|node| !node.contains(" text=\"\""))
            .count();
        self.tell(&format!(
            "looks at {}, {:?} {}×{}, {labelled} texts",
            front(&sight),
            sight.capture,
            picture.0,
            picture.1
        ));
    }

    async fn tap(&mut self, attribute: &str, name: &str) {
        let (x, y) = self.rig.find(attribute).await;
        let before = self.rig.effects().len();
        let done = self.rig.by_hand(Command::Tap { x, y }).await;
        let fingers = told(&self.rig.effects()[before..]);
        let keyboard = if self.see().await.keyboard_shown {
            "up"
        } else {
            "down"
        };
        let is_there = fingers == format!("down {x},{y} up {x},{y}");
        let arrived = if is_there { "there" } else { fingers.as_str() };
        self.tell(&format!(
            "taps {name} by {}, {arrived}, keyboard {keyboard}",
            way(&done)
        ));
    }

    async fn swipe(&mut self) {
        let (x, low, high) = (60, 160, 60);
        let before = self.rig.effects().len();
        let swipe = Command::Swipe {
            from: (x, low),
            to: (x, high),
            ms: 900,
        };
        let done = self.rig.by_hand(swipe).await;
        let fingers = told(&self.rig.effects()[before..]);
        let expected = format!("down {x},{low} ~ up {x},{high}");
        let arrived = if fingers == expected {
            "there"
        } else {
            fingers.as_str()
        };
        self.tell(&format!("swipes by {}, {arrived}", way(&done)));
    }

    async fn types(&mut self, text: &str) {
        let done = self.rig.by_hand(Command::Text(text.to_owned())).await;
        let field = self.field().await;
        self.tell(&format!("types {text:?} by {}, stands {field:?}", way(&done)));
    }

    async fn empties(&mut self) {
        let done = self.rig.by_hand(Command::ClearText).await;
        let field = self.field().await;
        self.tell(&format!("empties by {}, hint {field:?}", way(&done)));
    }

    async fn types_secret(&mut self) {
        let (secret, grip) = (SecretString::from(SECRET), self.rig.lease.take());
        let typed = self
            .rig
            .phone
            .type_secret(&secret, &crate::judged::secret(), &grip)
            .await;
        let tree = self.rig.phone.read().await.unwrap();
        let field = node(&tree, "password=\"true\"");
        let shown = value(field, "text").unwrap();
        let is_out = tree.contains(SECRET) || format!("{typed:?}").contains(SECRET);
        let kept = if is_out { "told in clear" } else { "told nowhere" };
        self.tell(&format!("secret by {}, stands {shown:?}, {kept}", way(&typed)));
    }

    async fn key(&mut self, key: &str) {
        let done = self.rig.by_hand(Command::Key(key.to_owned())).await;
        let sight = self.see().await;
        let keyboard = if sight.keyboard_shown { "up" } else { "down" };
        self.tell(&format!(
            "{key} by {}, in front {}, keyboard {keyboard}",
            way(&done),
            front(&sight)
        ));
    }

    async fn launch(&mut self, app: &str) {
        let done = self.rig.by_hand(Command::Launch(app.to_owned())).await;
        let sight = self.see().await;
        self.tell(&format!(
            "opens {app} by {}, in front {}",
            way(&done),
            front(&sight)
        ));
    }
}

/// Walks over one phone; what it came to, in a line.
async fn walk(brand: Brand, android: u32) -> String {
    let mut walk = Walk {
        rig: phone(brand, android),
        line: String::new(),
    };
    walk.look().await;
    walk.tap("text=\"Note\"", "the note").await;
    walk.types(ASCII).await;
    walk.types(BEYOND).await;
    walk.empties().await;
    walk.key("BACK").await;
    walk.swipe().await;
    walk.launch(BANK).await;
    walk.tap("text=\"Your password\"", "the password").await;
    walk.types_secret().await;
    walk.key("HOME").await;
    walk.line
}

/// All Androids of one maker's.
async fn check(name: &str, brand: Brand) {
    let mut lines = String::new();
    for android in 8..=16 {
        let line = walk(brand, android).await;
        writeln!(lines, "{name} with Android {android}: {line}").unwrap();
    }
    insta::assert_snapshot!(name, lines);
}

/// No maker is left out, and none of them an Android: the list is the virtual phone's own.
#[test]
fn every_maker_has_its_walk() {
    let names = Brand::NAMES.map(|(name, _)| name);
    assert_eq!(names, ["pixel", "samsung", "xiaomi", "huawei", "honor"]);
    let modelled: Vec<u32> = (1..40)
        .filter(|android| Brand::Pixel.profile(*android).is_ok())
        .collect();
    assert_eq!(modelled, (8..=16).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn every_android_of_google() {
    check("pixel", Brand::Pixel).await;
}

#[tokio::test(start_paused = true)]
async fn every_android_of_samsung() {
    check("samsung", Brand::Samsung).await;
}

#[tokio::test(start_paused = true)]
async fn every_android_of_xiaomi() {
    check("xiaomi", Brand::Xiaomi).await;
}

#[tokio::test(start_paused = true)]
async fn every_android_of_huawei() {
    check("huawei", Brand::Huawei).await;
}

#[tokio::test(start_paused = true)]
async fn every_android_of_honor() {
    check("honor", Brand::Honor).await;
}
