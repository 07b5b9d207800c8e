//! Doing what a client says (`server/…/control/Controller.java`).

use super::message::{Dialect, Message, Position, acknowledge, clipboard, take};
use super::video::Shared;
use crate::android::{FingerAction, Intent};
use crate::fault::Fault;
use crate::process::Call;
use crate::record::Received;
use bytes::BytesMut;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

const KEYCODE_BACK: u32 = 4;
const KEYCODE_SLEEP: u32 = 223;
const KEYCODE_WAKEUP: u32 = 224;
const KEYCODE_CUT: u32 = 277;
const KEYCODE_COPY: u32 = 278;
const KEYCODE_PASTE: u32 = 279;
/// So often the clipboard is looked at (Android tells its listeners at once; a fiftieth of a second is as good).
const WATCH: Duration = Duration::from_millis(20);
/// A notch of a wheel moves a list so far, in hundredths of the display's height. Invented.
const NOTCH: f32 = 0.04;

/// One client's control socket.
pub(super) struct Session<'a> {
    call: Call,
    shared: &'a Shared,
    dialect: Dialect,
    autosync: bool,
    /// The clipboard as the client knows it.
    known: String,
    /// Fingers on the glass by the client's numbers, in the order they came; one that left before others leaves a hole
    /// (`PointersState.java`).
    fingers: Vec<Option<i64>>,
}

/// A character with an accent in two: the letter, and what stands on it (`KeyComposition.java`).
const ACCENTED: &str = "àáâãäåèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ";

impl<'a> Session<'a> {
    pub(super) fn new(call: Call, dialect: Dialect, autosync: bool, shared: &'a Shared) -> Self {
        let known = call.phone.with(|android| android.clipboard());
        Self {
            call,
            shared,
            dialect,
            autosync,
            known,
            fingers: Vec::new(),
        }
    }

    /// Obeys until the client hangs up, or says what this version does not know.
    pub(super) async fn run(mut self, mut socket: DuplexStream) {
        let mut bytes = BytesMut::new();
        loop {
            loop {
                match take(&mut bytes, self.dialect) {
                    Ok(Some(message)) => {
                        let answers = self.obey(message).await;
                        if socket.write_all(&answers).await.is_err() {
                            return;
                        }
                    }
                    Ok(None) => break,
                    Err(broken) => {
                        let line = format!("[server] ERROR: Control error: {broken}\n");
                        let _ = self.call.err(line).await;
                        return;
                    }
                }
            }
            tokio::select! {
                read = socket.read_buf(&mut bytes) => match read {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                },
                () = tokio::time::sleep(WATCH), if self.autosync => {
                    let news = self.news();
                    if !news.is_empty() && socket.write_all(&news).await.is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// What was copied on the phone since it was last told.
    fn news(&mut self) -> Vec<u8> {
        let now = self.call.phone.with(|android| android.clipboard());
        if now == self.known {
            return Vec::new();
        }
        self.known = now;
        clipboard(&self.known)
    }

    async fn warn(&self, line: String) {
        // Its words may be heard by nobody.
        let _ = self.call.out(format!("[server] WARN: {line}\n")).await;
    }

    /// Without the permission every event is dropped, and the log says so.
    async fn may_inject(&self) -> bool {
        let denied = self.call.phone.has(Fault::InjectEvents);
        if denied {
            let line = "[server] ERROR: Could not invoke method\njava.lang.SecurityException: Injecting input events requires \
                        the caller (or the source of the instrumentation, if any) to have the INJECT_EVENTS permission.\n";
            let _ = self.call.err(line).await;
        }
        !denied
    }

    /// Does one thing; gives back what the client is told.
    async fn obey(&mut self, message: Message) -> Vec<u8> {
        let phone = std::sync::Arc::clone(&self.call.phone);
        match message {
            Message::Key {
                action: 0,
                code,
                repeat,
                meta,
            } => {
                if self.may_inject().await {
                    phone.key(code, meta, repeat > 0);
                }
            }
            Message::Text(text) => self.type_text(&text).await,
            Message::Touch { action, pointer, at } => {
                let action = match action {
                    0 => FingerAction::Down,
                    1 => FingerAction::Up,
                    2 => FingerAction::Move,
                    3 => FingerAction::Cancel,
                    _ => return Vec::new(),
                };
                // One meant for a picture of another size is dropped without a word.
                if let Some((x, y)) = self.shared.place(&at)
                    && self.may_inject().await
                {
                    match self.place_of(pointer, action) {
                        Some(0) => phone.finger(action, x, y),
                        Some(finger) => phone.other_finger(finger, action, x, y),
                        None => {}
                    }
                }
            }
            Message::Scroll { at, right, up } => self.scroll(at, right, up).await,
            Message::BackOrScreenOn(0) => {
                let awake = phone.with(|android| android.power()).awake;
                if self.may_inject().await {
                    phone.key(if awake { KEYCODE_BACK } else { KEYCODE_WAKEUP }, 0, false);
                }
            }
            Message::ExpandNotifications | Message::ExpandSettings => {
                phone.with(|android| android.open_shade(true));
            }
            Message::CollapsePanels => phone.with(|android| android.open_shade(false)),
            Message::GetClipboard(copy) => return self.get_clipboard(copy),
            Message::SetClipboard {
                sequence,
                paste,
                text,
            } => return self.set_clipboard(sequence, paste, &text).await,
            Message::DisplayPower(on) => {
                let awake = phone.with(|android| android.power()).awake;
                // The panel alone goes dark on a phone; here the phone sleeps with it.
                if on != awake {
                    phone.key(if on { KEYCODE_WAKEUP } else { KEYCODE_SLEEP }, 0, false);
                }
            }
            Message::Rotate => {
                let turned = phone.with(|android| android.display().rotation) % 2 == 1;
                phone.put_setting("system", "accelerometer_rotation", Some("0"));
                let to = if turned { "0" } else { "1" };
                phone.put_setting("system", "user_rotation", Some(to));
            }
            Message::ResetVideo => self.shared.reset.notify_one(),
            Message::StartApp(name) => self.start(&name).await,
            Message::KeyboardSettings => {
                let intent = Intent {
                    action: Some("android.settings.HARD_KEYBOARD_SETTINGS".to_owned()),
                    ..Intent::default()
                };
                // A phone without that page opens nothing.
                let _ = phone.start(&intent);
            }
            Message::UhidInput { report, .. } => self.press(&report).await,
            // What comes of these is seen nowhere on this phone.
            Message::Key { .. }
            | Message::BackOrScreenOn(_)
            | Message::UhidCreate(_)
            | Message::UhidDestroy(_)
            | Message::Unheeded => {}
        }
        Vec::new()
    }

    /// Which of the fingers it is, from 0. At most ten touch at once, and one that did not touch does nothing else.
    fn place_of(&mut self, pointer: i64, action: FingerAction) -> Option<usize> {
        const MOST: usize = 10;
        let known = self.fingers.iter().position(|finger| *finger == Some(pointer));
        match (known, action) {
            (Some(place), FingerAction::Up | FingerAction::Cancel) => {
                self.fingers[place] = None;
                if self.fingers.iter().all(Option::is_none) {
                    self.fingers.clear();
                }
                Some(place)
            }
            (None, FingerAction::Down) if self.fingers.len() < MOST => {
                self.fingers.push(Some(pointer));
                Some(self.fingers.len() - 1)
            }
            (known, _) => known,
        }
    }

    async fn type_text(&self, text: &str) {
        if !self.may_inject().await {
            return;
        }
        self.call.phone.with(|android| android.begin_run());
        for character in text.chars() {
            let mapped = self.call.phone.with(|android| android.maps(character));
            let typed = if mapped {
                self.call.phone.character(character)
            } else {
                // An accent is a dead key before its letter: together they give the one character.
                ACCENTED.contains(character)
                    && self
                        .call
                        .phone
                        .with(|android| android.commit(&character.to_string()))
            };
            if !typed {
                let code = u32::from(character);
                self.warn(format!("Could not inject char u+{code:04x}")).await;
            }
        }
    }

    async fn scroll(&self, at: Position, right: f32, up: f32) {
        let Some((x, y)) = self.shared.place(&at) else {
            return;
        };
        if !self.may_inject().await {
            return;
        }
        let phone = &self.call.phone;
        let height = phone.with(|android| android.display()).height as f32;
        let (dx, dy) = (right * NOTCH * height, up * NOTCH * height);
        // A wheel moves a list as a slow finger does.
        phone.finger(FingerAction::Down, x, y);
        for part in [0.25, 0.5, 0.75, 1.0_f32] {
            phone.clock.spend(Duration::from_millis(30)).await;
            phone.finger(FingerAction::Move, x + dx * part, y + dy * part);
        }
        phone.clock.spend(Duration::from_millis(120)).await;
        phone.finger(FingerAction::Up, x + dx, y + dy);
    }

    fn get_clipboard(&mut self, copy: u8) -> Vec<u8> {
        let phone = std::sync::Arc::clone(&self.call.phone);
        if let Some(key) = [None, Some(KEYCODE_COPY), Some(KEYCODE_CUT)]
            .get(usize::from(copy))
            .copied()
            .flatten()
        {
            phone.key(key, 0, false);
        }
        // With autosync it is told when it changes, and only then.
        if self.autosync {
            return self.news();
        }
        let text = phone.with(|android| android.clipboard());
        // An empty clipboard is no text: nothing is said.
        if text.is_empty() {
            return Vec::new();
        }
        clipboard(&text)
    }

    async fn set_clipboard(&mut self, sequence: u64, paste: bool, text: &str) -> Vec<u8> {
        let phone = std::sync::Arc::clone(&self.call.phone);
        phone.record(Received::Service {
            name: format!("scrcpy: set clipboard ({} bytes)", text.len()),
        });
        phone.with(|android| android.set_clipboard(text));
        text.clone_into(&mut self.known);
        let _ = self.call.out("[server] INFO: Device clipboard set\n").await;
        if paste && phone.profile.sdk >= 24 && self.may_inject().await {
            phone.key(KEYCODE_PASTE, 0, false);
        }
        if sequence == 0 {
            Vec::new()
        } else {
            acknowledge(sequence)
        }
    }

    /// `+package` stops it first; `?name` looks for it by what stands under its icon.
    async fn start(&self, name: &str) {
        let phone = &self.call.phone;
        let stopped = name.strip_prefix('+');
        let name = stopped.unwrap_or(name);
        let package = match name.strip_prefix('?') {
            Some(label) => {
                let label = label.to_lowercase();
                let packages = phone.with(|android| android.packages());
                packages
                    .into_iter()
                    .find(|package| {
                        package.launcher.is_some() && package.label.to_lowercase().starts_with(&label)
                    })
                    .map(|package| package.name)
            }
            None => Some(name.to_owned()),
        };
        if let (Some(package), true) = (&package, stopped.is_some()) {
            phone.with(|android| android.force_stop(package));
        }
        let intent = package.map(|package| Intent {
            action: Some("android.intent.action.MAIN".to_owned()),
            categories: vec!["android.intent.category.LAUNCHER".to_owned()],
            package: Some(package),
            ..Intent::default()
        });
        if intent.is_none_or(|intent| phone.start(&intent).is_err()) {
            self.warn(format!("No app found for name \"{name}\"")).await;
        }
    }

    /// A keyboard's report (USB HID, "boot keyboard"): modifiers, nothing, six keys.
    async fn press(&self, report: &[u8]) {
        let [modifiers, _, keys @ ..] = report else { return };
        let mut meta = 0;
        for (bits, mask) in [(0x22, 0x1), (0x44, 0x2), (0x11, 0x1000)] {
            if modifiers & bits != 0 {
                meta |= mask;
            }
        }
        for usage in keys.iter().filter(|usage| **usage != 0) {
            if let Some(code) = key_of(*usage)
                && self.may_inject().await
            {
                self.call.phone.key(code, meta, false);
            }
        }
    }
}

/// Android's code of a key's place (USB HID usage tables, page 7; `Generic.kl`).
fn key_of(usage: u8) -> Option<u32> {
    Some(match usage {
        0x04..=0x1d => u32::from(usage) - 4 + 29,
        0x1e..=0x26 => u32::from(usage) - 0x1e + 8,
        0x27 => 7,
        0x28 => 66,
        0x29 => 111,
        0x2a => 67,
        0x2b => 61,
        0x2c => 62,
        0x2d => 69,
        0x2e => 70,
        0x2f => 71,
        0x30 => 72,
        0x31 => 73,
        0x33 => 74,
        0x34 => 75,
        0x35 => 68,
        0x36 => 55,
        0x37 => 56,
        0x38 => 76,
        0x4f => 22,
        0x50 => 21,
        0x51 => 20,
        0x52 => 19,
        _ => return None,
    })
}
