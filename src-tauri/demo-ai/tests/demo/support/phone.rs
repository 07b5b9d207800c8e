//! The demo phone as room `agent` sees a phone: the commands of a run become fingers, keys and letters.

use super::hand::{Hand, list};
use agent::Grip;
use agent::ports::{App, Effect, Phone, PhoneError, PictureSource, RawObservation, RawTree};
use async_trait::async_trait;
use judge::{Input, Judged};
use protocol::{CaptureResult, Frame, PhoneId};
use secrecy::{ExposeSecret, SecretString};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use virtual_phone::android::{Android, FingerAction, Intent};
use virtual_phone::system::System;

/// What is known of the world outside: `com.android.email` is called so by room `adb`, whatever stands under its icon.
const LABELS: [(&str, &str); 5] = [
    ("com.android.dialer", "Phone"),
    ("com.android.email", "Email"),
    ("com.android.gallery3d", "Gallery"),
    ("com.android.messaging", "Messages"),
    ("com.android.store", "Store"),
];
/// The phone's clock moves in steps of a frame.
const FRAME: Duration = Duration::from_millis(16);
/// A swipe that moved on and was let go in motion runs on for so long at most.
const REST: Duration = Duration::from_millis(1800);

pub(crate) struct DemoPhone {
    state: Mutex<State>,
}

pub(super) struct State {
    pub(super) system: System,
    now: Duration,
    /// So many trees from now on cannot be read.
    unread: u32,
    /// So often its elements were asked for.
    looks: u32,
    /// Done before looks.
    hook: Option<(When, Hook)>,
    pictures: bool,
    /// All that was done, in order.
    done: Vec<Input>,
}

/// Before which look something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// The nth, from 1.
    Look(u32),
    Always,
}

/// Something that happens on the phone by itself, or by the person's hand.
pub(crate) type Hook = Box<dyn Fn(&mut System) + Send>;

/// What a tree takes: quicker than a model is asked without it.
const TREE: Duration = Duration::from_millis(300);

impl DemoPhone {
    pub(crate) fn new(system: System, pictures: bool) -> Self {
        let state = State {
            system,
            now: Duration::ZERO,
            unread: 0,
            looks: 0,
            hook: None,
            pictures,
            done: Vec::new(),
        };
        Self {
            state: Mutex::new(state),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The phone's own state.
    pub(crate) fn tell(&self) -> serde_json::Value {
        self.state().system.state()
    }

    /// All that a run did, in order.
    pub(crate) fn done(&self) -> Vec<Input> {
        self.state().done.clone()
    }

    /// The next trees cannot be read.
    pub(crate) fn hide_tree(&self, times: u32) {
        self.state().unread = times;
    }

    /// Before looks something happens.
    pub(crate) fn before_looks(&self, when: When, hook: Hook) {
        self.state().hook = Some((when, hook));
    }

    /// Somebody else's hand.
    pub(crate) fn touch<T>(&self, hand: impl FnOnce(&mut Hand<'_>) -> T) -> T {
        hand(&mut Hand {
            state: &mut self.state(),
        })
    }

    /// What stands on the screen, to read.
    pub(crate) fn screen(&self) -> String {
        list(&self.state().elements())
    }
}

impl State {
    pub(super) fn elements(&mut self) -> Vec<protocol::Element> {
        let display = self.system.display();
        let xml = self.system.hierarchy().unwrap_or_default();
        let tree = screen::Tree::read(&xml, display.width, display.height, 1000);
        tree.map_or_else(|_| Vec::new(), |tree| tree.elements)
    }

    pub(super) fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.now = (self.now + FRAME).min(end);
            self.system.tick(self.now);
        }
    }

    fn sight(&mut self) -> RawObservation {
        let display = self.system.display();
        let windows = self.system.windows();
        let focused = windows.iter().find(|window| window.focused);
        let told = self.system.state();
        let awake = told["screen"]["awake"] == true;
        let secure = told["screen"]["secure"] == true;
        let capture = match (awake, secure) {
            (false, _) => CaptureResult::Black,
            (true, true) => CaptureResult::Protected,
            (true, false) => CaptureResult::Ok,
        };
        let tree = self.system.hierarchy().unwrap_or_default();
        // As room `adb` reads it: a window that names no activity lies over the app that has the focus.
        let named = focused
            .filter(|window| window.title.contains('/'))
            .map(|window| window.package.clone());
        let app = named.or_else(|| self.system.focused_app().map(|component| component.package));
        let mut hasher = DefaultHasher::new();
        tree.hash(&mut hasher);
        let [a, b, c, d, ..] = hasher.finish().to_le_bytes();
        // One colour that changes with anything that stands on the screen: what a picture is looked at for here.
        let shade = [a, b, c, 255, d, a, b, 255];
        RawObservation {
            capture,
            frame: (capture == CaptureResult::Ok).then(|| {
                if self.pictures {
                    let picture = self.system.picture();
                    return Frame {
                        width: picture.width,
                        height: picture.height,
                        rgba: picture.rgba,
                    };
                }
                Frame {
                    width: 32,
                    height: 32,
                    rgba: shade.repeat(16 * 32).into(),
                }
            }),
            width: display.width,
            height: display.height,
            app: app.unwrap_or_else(|| "unknown".into()),
            window: focused.map(|window| window.title.clone()),
            keyboard_shown: self.system.keyboard().shown,
            at: 0,
            quiet: true,
            restless: None,
            source: PictureSource::Capture,
            mark: None,
        }
    }

    pub(super) fn perform(&mut self, input: &Input) -> Result<Effect, PhoneError> {
        match input {
            Input::Tap { at: (x, y) } => self.tap(*x, *y, 40),
            Input::Hold { at: (x, y), ms } => self.tap(*x, *y, *ms),
            Input::DoubleTap { at: (x, y) } => {
                self.tap(*x, *y, 40);
                self.tap(*x, *y, 40);
            }
            Input::Swipe { from, to, ms } | Input::Drag { from, to, ms } => self.swipe(*from, *to, *ms),
            Input::Text(text) => self.type_text(text.as_str())?,
            Input::ClearText => self.clear(),
            Input::Replace(text) => {
                self.clear();
                self.type_text(text.as_str())?;
            }
            Input::Key(key) => self.system.key(u32::from(key.code()), 0, false),
            Input::Launch(package) => {
                let intent = Intent {
                    action: Some("android.intent.action.MAIN".into()),
                    categories: vec!["android.intent.category.LAUNCHER".into()],
                    package: Some(package.clone()),
                    ..Intent::default()
                };
                let started = self.system.start(&intent);
                started.map_err(|_| PhoneError::AppNotFound(package.clone()))?;
            }
            Input::Link(url) => {
                let intent = Intent {
                    action: Some("android.intent.action.VIEW".into()),
                    data: Some(url.clone()),
                    ..Intent::default()
                };
                self.system
                    .start(&intent)
                    .map_err(|error| PhoneError::Refused(format!("{error:?}")))?;
            }
            _ => return Err(PhoneError::NotSupported("not here".into())),
        }
        self.wait(Duration::from_millis(350));
        Ok(Effect::default())
    }

    fn type_text(&mut self, text: &str) -> Result<(), PhoneError> {
        if !text.chars().all(|c| self.system.maps(c)) {
            return Err(PhoneError::CannotType);
        }
        self.write(text);
        Ok(())
    }

    fn clear(&mut self) {
        self.system.key(29, 0x1000, false);
        self.system.key(67, 0, false);
    }

    pub(super) fn tap(&mut self, x: i32, y: i32, ms: u64) {
        self.system.finger(FingerAction::Down, x as f32, y as f32);
        self.wait(Duration::from_millis(ms));
        self.system.finger(FingerAction::Up, x as f32, y as f32);
        self.wait(Duration::from_millis(60));
    }

    pub(super) fn swipe(&mut self, from: (i32, i32), to: (i32, i32), ms: u64) {
        self.system
            .finger(FingerAction::Down, from.0 as f32, from.1 as f32);
        let steps = (ms / 16).max(1);
        for step in 1..=steps {
            self.wait(FRAME);
            let part = step as f32 / steps as f32;
            let at = |a: i32, b: i32| a as f32 + (b - a) as f32 * part;
            self.system
                .finger(FingerAction::Move, at(from.0, to.0), at(from.1, to.1));
        }
        self.system.finger(FingerAction::Up, to.0 as f32, to.1 as f32);
        self.wait(REST);
    }

    pub(super) fn write(&mut self, text: &str) {
        for character in text.chars() {
            assert!(
                self.system.character(character),
                "{character:?} is on the key map"
            );
        }
    }
}

pub(super) fn code(key: &str) -> Result<u32, PhoneError> {
    Ok(match key.trim_start_matches("KEYCODE_") {
        "HOME" => 3,
        "BACK" => 4,
        "ENTER" => 66,
        "DEL" => 67,
        "WAKEUP" => 224,
        "APP_SWITCH" => 187,
        "MENU" => 82,
        "NOTIFICATION" => 83,
        "MOVE_END" => 123,
        other => return Err(PhoneError::Refused(format!("no key {other}"))),
    })
}

#[async_trait]
impl Phone for DemoPhone {
    fn id(&self) -> PhoneId {
        PhoneId("demo".into())
    }

    async fn see(&self) -> Result<RawObservation, PhoneError> {
        tokio::time::sleep(Duration::from_millis(400)).await;
        self.state().wait(Duration::from_millis(400));
        Ok(self.state().sight())
    }

    async fn read(&self) -> Result<RawTree, PhoneError> {
        tokio::time::sleep(TREE).await;
        let mut state = self.state();
        state.looks += 1;
        if let Some((when, hook)) = state.hook.take() {
            if when == When::Always || when == When::Look(state.looks) {
                hook(&mut state.system);
            }
            state.hook = Some((when, hook));
        }
        if state.unread > 0 {
            state.unread -= 1;
            return Err(PhoneError::Tree("ERROR: could not get idle state.".into()));
        }
        state
            .system
            .hierarchy()
            .map(|xml| RawTree { xml, mark: None })
            .map_err(|why| PhoneError::Tree(format!("{why:?}")))
    }

    async fn settle(&self, _bound: Duration) -> Result<RawObservation, PhoneError> {
        tokio::time::sleep(Duration::from_millis(800)).await;
        let mut state = self.state();
        state.wait(Duration::from_millis(800));
        Ok(state.sight())
    }

    async fn perform(&self, judged: &Judged, grip: &Grip) -> Result<Effect, PhoneError> {
        let _pass = grip.pass().map_err(|_| PhoneError::LeaseLost)?;
        tokio::time::sleep(Duration::from_millis(80)).await;
        let mut state = self.state();
        state.done.push(judged.input().clone());
        state.perform(judged.input())
    }

    async fn type_secret(
        &self,
        secret: &SecretString,
        _judged: &Judged,
        grip: &Grip,
    ) -> Result<Effect, PhoneError> {
        let _pass = grip.pass().map_err(|_| PhoneError::LeaseLost)?;
        let mut state = self.state();
        state.write(secret.expose_secret());
        state.wait(Duration::from_millis(350));
        Ok(Effect::default())
    }

    async fn apps(&self) -> Result<Vec<App>, PhoneError> {
        let packages = self.state().system.packages();
        let apps = packages.into_iter().filter(|package| package.launcher.is_some());
        let label = |name: &str, label: String| {
            LABELS
                .iter()
                .find(|(known, _)| *known == name)
                .map_or(label, |(_, told)| (*told).to_owned())
        };
        Ok(apps
            .map(|package| App {
                label: label(&package.name, package.label),
                package: package.name,
            })
            .collect())
    }
}
