//! ADBKeyboard, where the person installed it: a keyboard app that types what a broadcast brings it.
//!
//! It is enabled and chosen when a run first needs it, and the keyboard from before is chosen again when the run ends or is
//! interrupted, when it has typed nothing for a while, before a secret, and by the phone itself where this program is gone by
//! then. What is to be put back also stands in a file on the phone: where even that shell was lost, whoever takes the phone
//! next puts it back. A person's own hand has it put back at once. It is never installed by this program (its licence is
//! its own), and never used for secrets.

use crate::connect::server::Device;
use crate::dumpsys::properties::is_package;
use crate::dumpsys::screen;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::exec::quote::quote;
use crate::exec::remote_command::brief;
use crate::exec::several;
use crate::input::injector::Injector;
use crate::input::keys::send;
use crate::input::text_chunking::Piece;
use crate::input::watchdog_shell::WatchdogShell;
use agent::lease::{Grip, Pass};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, sleep_until};

const PACKAGE: &str = "com.android.adbkeyboard";
const ID: &str = "com.android.adbkeyboard/.AdbIME";
/// What is to be put back, and whether ADBKeyboard was enabled (1) or not (0).
const FILE: &str = "/data/local/tmp/pocketdeck-keyboard";
/// How long it may take to come up.
const COMES_UP: Duration = Duration::from_secs(3);
const AGAIN: Duration = Duration::from_millis(150);
const MOMENT: Duration = Duration::from_secs(5);
/// After so long without a text the person's keyboard is put back: they may want to type themselves.
const IDLE: Duration = Duration::from_secs(30);
/// Bytes of text in one broadcast, at most: a phone without shell v2 takes a line of 4,096 bytes, and the text is a third
/// longer in it; and whoever stops a text waits for the one on its way.
const MOST: usize = 2900;

/// Whether a keyboard is this one.
pub(crate) fn is_ours(keyboard: &str) -> bool {
    keyboard == ID
}

/// ADBKeyboard on one phone: whether it is there, and whether it is in use.
#[derive(Default)]
pub(crate) struct AdbKeyboard {
    /// The phone was seen to have it.
    installed: AtomicBool,
    /// It was looked for what an earlier program left.
    looked: AtomicBool,
    chosen: Mutex<Option<Chosen>>,
}

/// What is to be put back.
struct Chosen {
    device: Device,
    before: Option<String>,
    was_enabled: bool,
    /// Puts it back by itself when nobody speaks to it any more. Absent on phones whose shell does not listen.
    promise: Option<WatchdogShell>,
    used: Instant,
    /// The lease does not drain before it is put back.
    _pass: Pass,
}

impl AdbKeyboard {
    /// Whether the phone has it.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub(crate) async fn is_installed(&self, device: &Device) -> Result<bool, AdbError> {
        if self.installed.load(Ordering::Relaxed) {
            return Ok(true);
        }
        let known = device.look("ime list -a -s", MOMENT).await?.text();
        let installed = lists(&known);
        self.installed.store(installed, Ordering::Relaxed);
        Ok(installed)
    }

    /// Types the pieces through it. Where it `stays`, it is the phone's keyboard until the grip is lost, or it typed nothing
    /// for a while; else the one from before is back when this returns.
    ///
    /// # Errors
    /// [`AdbError::CannotType`] when it is not installed; else what went wrong, and the keyboard from before is back.
    pub(crate) async fn types(
        self: &Arc<Self>,
        input: &Injector,
        guard: &CancelGuard,
        pieces: &[Piece],
        stays: bool,
    ) -> Result<(), AdbError> {
        let mut slot = self.chosen.lock().await;
        let device = &input.device;
        let is_ready = match slot.as_mut() {
            Some(chosen) => chosen.device.serial() == device.serial() && chosen.is_kept().await,
            None => false,
        };
        if !is_ready {
            if let Some(chosen) = slot.take() {
                chosen.put_back().await?;
            }
            *slot = Some(self.choose(device, guard).await?);
            self.put_back_later(guard.grip());
        }
        let typed = broadcast(input, guard, pieces).await;
        if let Some(chosen) = slot.as_mut() {
            chosen.used = Instant::now();
        }
        if (!stays || typed.is_err())
            && let Some(chosen) = slot.take()
        {
            let restored = chosen.put_back().await;
            typed?;
            return restored;
        }
        typed
    }

    /// The keyboard from before is the phone's again, if this was in use.
    ///
    /// # Errors
    /// When the phone cannot be asked, or does not choose it: then it does so by itself.
    pub(crate) async fn put_back(&self) -> Result<(), AdbError> {
        match self.chosen.lock().await.take() {
            Some(chosen) => chosen.put_back().await,
            None => Ok(()),
        }
    }

    /// Puts back what an earlier program could not; asked once. A phone that does not tell is left as it is.
    pub(crate) async fn put_back_left(&self, device: &Device) {
        if self.looked.swap(true, Ordering::Relaxed) || self.chosen.lock().await.is_some() {
            return;
        }
        let told = match device.look(&format!("cat {FILE} 2>/dev/null"), MOMENT).await {
            Ok(told) => told.answer(),
            Err(error) => {
                tracing::debug!(%error, "whether a keyboard is to be put back was not told");
                self.looked.store(false, Ordering::Relaxed);
                return;
            }
        };
        let Some((before, was_enabled)) = left(&told) else {
            return;
        };
        match device.look(&restoring(Some(before), was_enabled), MOMENT).await {
            Ok(_) => tracing::info!("a keyboard that was left is put back"),
            Err(error) => tracing::info!(%error, "a keyboard that was left could not be put back"),
        }
    }

    /// Chooses it, once it is promised that the one from before comes back.
    async fn choose(&self, device: &Device, guard: &CancelGuard) -> Result<Chosen, AdbError> {
        let line = several::line(&[
            "ime list -a -s",
            "ime list -s",
            "settings get secure default_input_method",
        ]);
        let said = device.look(&line, MOMENT).await?.text();
        let mut told = several::answers(&said);
        let installed = told.next().is_some_and(lists);
        self.installed.store(installed, Ordering::Relaxed);
        if !installed {
            return Err(AdbError::CannotType);
        }
        let was_enabled = told.next().is_some_and(lists);
        let before = told.next().and_then(keyboard_in).filter(|id| id != ID);
        // Held until the old keyboard is back: the lease does not drain in between.
        let pass = guard.pass()?;
        let mut chosen = Chosen {
            promise: promise(device, before.as_deref(), was_enabled).await,
            device: device.clone(),
            before,
            was_enabled,
            used: Instant::now(),
            _pass: pass,
        };
        match chosen.come_up(guard).await {
            Ok(()) => Ok(chosen),
            Err(error) => {
                chosen.put_back().await?;
                Err(error)
            }
        }
    }

    /// Puts it back when the grip is lost, or nothing was typed for a while.
    fn put_back_later(self: &Arc<Self>, grip: Grip) {
        let keyboard = Arc::downgrade(self);
        tokio::spawn(async move {
            let mut due = Instant::now() + IDLE;
            loop {
                tokio::select! {
                    () = grip.lost() => {}
                    () = sleep_until(due) => {}
                }
                let Some(keyboard) = keyboard.upgrade() else {
                    return;
                };
                let mut slot = keyboard.chosen.lock().await;
                let Some(used) = slot.as_ref().map(|chosen| chosen.used) else {
                    return;
                };
                due = used + IDLE;
                if grip.holds() && due > Instant::now() {
                    continue;
                }
                if let Some(chosen) = slot.take()
                    && let Err(error) = chosen.put_back().await
                {
                    tracing::warn!(%error, "the keyboard from before was not put back");
                }
                return;
            }
        });
    }
}

impl Chosen {
    /// Enables and chooses it, and waits until it is in use: before, broadcasts go nowhere.
    async fn come_up(&mut self, guard: &CancelGuard) -> Result<(), AdbError> {
        let until = Instant::now() + COMES_UP;
        let note = match &self.before {
            Some(before) => format!(
                "umask 077; echo {} > {FILE}; ",
                quote(&format!("{before} {}", u8::from(self.was_enabled)))?
            ),
            None => String::new(),
        };
        let mut line = format!("{note}ime enable {ID}; ime set {ID}");
        loop {
            let said = if line.is_empty() {
                String::new()
            } else {
                brief(&self.device, guard, &line).await?.all()
            };
            // A keyboard that was installed just now cannot be set before the system lists it.
            line = if said.contains("nknown input method") {
                format!("ime enable {ID}; ime set {ID}")
            } else {
                String::new()
            };
            let state = self.device.look("dumpsys input_method", MOMENT).await?.text();
            let bound =
                state.contains(&format!("mCurMethodId={ID}")) || state.contains(&format!("mCurId={ID}"));
            if bound && screen::keyboard(&state) == Some(true) {
                return Ok(());
            }
            if Instant::now() >= until {
                break;
            }
            sleep(AGAIN).await;
        }
        // Some phones print neither; that it is chosen must do.
        let line = "settings get secure default_input_method";
        let chosen = keyboard_in(&self.device.look(line, MOMENT).await?.text());
        if chosen.as_deref() == Some(ID) {
            Ok(())
        } else {
            Err(AdbError::Refused("ADBKeyboard could not be chosen".to_owned()))
        }
    }

    /// Says that it is still in use, before the phone takes it that nobody speaks of it any more; false where it did.
    async fn is_kept(&mut self) -> bool {
        match &mut self.promise {
            Some(promise) => promise.keep(MOMENT).await.is_ok(),
            None => true,
        }
    }

    /// Puts things back as they were, however the lease stands: this ends what was begun.
    async fn put_back(mut self) -> Result<(), AdbError> {
        let line = restoring(self.before.as_deref(), self.was_enabled);
        let said = self.device.look(&line, MOMENT).await?.text();
        if self.before.is_some() && keyboard_in(&said) != self.before {
            return Err(AdbError::Refused(
                "the keyboard from before could not be chosen again".to_owned(),
            ));
        }
        if let Some(promise) = &mut self.promise {
            promise.forget(MOMENT).await;
        }
        Ok(())
    }
}

/// Whether a list of keyboards holds this one.
fn lists(keyboards: &str) -> bool {
    keyboards.lines().any(|line| line.trim() == ID)
}

/// The last keyboard that was printed.
fn keyboard_in(said: &str) -> Option<String> {
    let id = said.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
    (id.contains('/') && !id.contains(char::is_whitespace)).then(|| id.to_owned())
}

/// What stands in [`FILE`]: the keyboard from before, and whether ADBKeyboard was enabled. An older phone tells what `cat`
/// complains of as if it were the file's text: what is not exactly a keyboard's id and a digit is nothing.
fn left(told: &str) -> Option<(&str, bool)> {
    let (id, enabled) = told.split_once(' ')?;
    let (package, class) = id.split_once('/')?;
    let is_id = is_package(package) && package.contains('.') && !class.is_empty() && !class.contains('/');
    let was_enabled = match enabled {
        "0" => false,
        "1" => true,
        _ => return None,
    };
    is_id.then_some((id, was_enabled))
}

/// Puts a keyboard back, and prints which one is chosen then.
fn restoring(before: Option<&str>, was_enabled: bool) -> String {
    let set = before
        .and_then(|id| quote(id).ok())
        .map_or_else(String::new, |id| format!("ime set {id}; "));
    let disable = if was_enabled {
        String::new()
    } else {
        format!("ime disable {ID}; ")
    };
    format!("{set}{disable}rm -f {FILE}; settings get secure default_input_method")
}

/// The phone puts it back by itself when this program is gone. Nothing where it cannot, or there is nothing to put back.
async fn promise(device: &Device, before: Option<&str>, was_enabled: bool) -> Option<WatchdogShell> {
    let end = restoring(Some(before?), was_enabled);
    let promise = WatchdogShell::promise(device, &end, MOMENT).await;
    promise
        .inspect_err(|error| tracing::debug!(%error, "the phone would not put its keyboard back by itself"))
        .ok()
}

/// Sends the pieces: characters as broadcasts, as many in one as it may hold, and keys as keys.
async fn broadcast(input: &Injector, guard: &CancelGuard, pieces: &[Piece]) -> Result<(), AdbError> {
    let mut held = String::new();
    for piece in pieces {
        match piece {
            Piece::Characters(characters) => {
                if held.len() + characters.len() > MOST {
                    say(input, guard, &std::mem::take(&mut held)).await?;
                }
                held.push_str(characters);
            }
            Piece::Key(_) => {
                say(input, guard, &std::mem::take(&mut held)).await?;
                send(input, guard, piece).await?;
            }
        }
    }
    say(input, guard, &held).await
}

/// One broadcast.
async fn say(input: &Injector, guard: &CancelGuard, text: &str) -> Result<(), AdbError> {
    if text.is_empty() {
        return Ok(());
    }
    let packed = STANDARD.encode(text.as_bytes());
    let line = format!("am broadcast -a ADB_INPUT_B64 -p {PACKAGE} --es msg {packed}");
    let output = brief(&input.device, guard, &line).await?;
    let said = output.all();
    if output.failed() || said.contains("Exception") || said.contains("Error") {
        return Err(AdbError::Refused("ADBKeyboard did not take the text".to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_left_is_read_as_left() {
        for (told, expected) in [
            ("com.gboard/.Ime 1", Some(("com.gboard/.Ime", true))),
            (
                "com.gboard/com.gboard.Ime 0",
                Some(("com.gboard/com.gboard.Ime", false)),
            ),
            (
                "cat: /data/local/tmp/pocketdeck-keyboard: No such file or directory",
                None,
            ),
            (
                "/system/bin/cat: /data/local/tmp/pocketdeck-keyboard: No such file or directory",
                None,
            ),
            ("/system/bin/sh: 1", None),
            ("sh/.Ime 1", None),
            ("com.gboard/.Ime yes", None),
            ("com.gboard/.Ime 10", None),
            ("com.gboard/a/b 1", None),
            ("com.gboard/ 1", None),
            ("com.gboard/.Ime", None),
            ("", None),
        ] {
            assert_eq!(left(told), expected, "{told:?}");
        }
    }
}
