//! What a phone is like, what becomes of it, and what it tells of that.

use super::{Blink, Counts, FakePhone, Received, World};
use agent::ports::{Effect, PhoneError, ScriptEnd};
use std::time::Duration;

impl FakePhone {
    /// Every call begins here.
    pub(super) fn call(&self) -> Result<(), PhoneError> {
        let mut state = self.state.lock().unwrap();
        state.calls += 1;
        if state.gone_at == Some(state.calls) {
            state.gone = true;
        }
        if state.gone {
            Err(state.trouble.clone())
        } else {
            Ok(())
        }
    }

    pub(super) fn note(&self, line: String, effect: impl FnOnce(&mut World)) {
        let mut state = self.state.lock().unwrap();
        state.record.push(line);
        let (paid, sent) = (state.world.paid.len(), state.world.sent.len());
        effect(&mut state.world);
        let world = &state.world;
        let paid = world.paid.iter().skip(paid).map(|total| format!("paid {total}"));
        let sent = world.sent.iter().skip(sent).map(|text| format!("sent {text}"));
        let now = tokio::time::Instant::now();
        let new: Vec<_> = paid.chain(sent).map(|what| (now, what)).collect();
        state.effects.extend(new);
    }

    /// What every command prints.
    pub(super) fn printed(&self) -> Effect {
        let end = self.state.lock().unwrap().says.clone();
        Effect {
            output: Some(end.stdout),
            stderr: Some(end.stderr).filter(|text| !text.is_empty()),
            exit: end.exit,
            ..Effect::default()
        }
    }

    pub(crate) fn record(&self) -> Vec<String> {
        self.state.lock().unwrap().record.clone()
    }

    /// Every input that came, with the screen it came to.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.state.lock().unwrap().received.clone()
    }

    pub(crate) fn world(&self) -> World {
        self.state.lock().unwrap().world.clone()
    }

    pub(crate) fn with_tree(&self) {
        self.state.lock().unwrap().no_tree = false;
    }

    pub(crate) fn counts(&self) -> Counts {
        self.state.lock().unwrap().counts
    }

    /// The world changes by itself, as worlds do.
    pub(crate) fn change(&self, change: impl Fn(&mut World)) {
        change(&mut self.state.lock().unwrap().world);
    }

    pub(crate) fn calls(&self) -> u64 {
        self.state.lock().unwrap().calls
    }

    pub(crate) fn go_away_at(&self, call: u64) {
        self.state.lock().unwrap().gone_at = Some(call);
    }

    pub(crate) fn come_back(&self) {
        let mut state = self.state.lock().unwrap();
        state.gone = false;
        state.gone_at = None;
    }

    pub(crate) fn without_tree(&self) {
        self.state.lock().unwrap().no_tree = true;
    }

    /// Every app was updated.
    pub(crate) fn updated_to(&self, version: &str) {
        self.state.lock().unwrap().version = version.to_owned();
    }

    /// These signed every app.
    pub(crate) fn signed_by(&self, signers: &[&str]) {
        self.state.lock().unwrap().signers = signers.iter().map(|one| (*one).to_owned()).collect();
    }

    pub(crate) fn double_taps_slowly(&self, ms: u64) {
        self.state.lock().unwrap().gap_ms = Some(ms);
    }

    /// What commands and scripts say from now on, after so long.
    pub(crate) fn says(&self, takes: Duration, exit: i32, stdout: &str, stderr: &str) {
        let mut state = self.state.lock().unwrap();
        state.takes = takes;
        state.says = ScriptEnd {
            exit: Some(exit),
            timed_out: false,
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
            folder: None,
        };
    }

    /// It has copied this, and something on it can tell.
    pub(crate) fn tells_its_clipboard(&self, text: &str) {
        self.state.lock().unwrap().copied = Some(text.to_owned());
    }

    pub(crate) fn hides_its_screen(&self) {
        self.state.lock().unwrap().hidden = true;
    }

    pub(crate) fn sends_half_pictures(&self) {
        self.state.lock().unwrap().half = true;
    }

    pub(crate) fn sends_thumbnails(&self) {
        self.state.lock().unwrap().thumbnails = true;
    }

    pub(crate) fn reads_its_tree_in(&self, ms: u64) {
        self.state.lock().unwrap().tree_takes = Duration::from_millis(ms);
    }

    /// It knows what was drawn since a mark.
    pub(crate) fn tells_what_is_drawn(&self) {
        self.state.lock().unwrap().tells = true;
    }

    /// Its reader tells of every change of its tree.
    pub(crate) fn tells_events(&self) {
        self.state.lock().unwrap().tells_events = true;
    }

    /// Something on its screen never stops turning.
    pub(crate) fn spins(&self) {
        self.state.lock().unwrap().spins = true;
    }

    /// After each touch a ring turns for so long, then this stands in its place.
    pub(crate) fn turns(&self, lasts: Duration, loads: &'static str) {
        self.state.lock().unwrap().turns = Some((lasts, loads));
    }

    /// Its record says when a tree was read.
    pub(crate) fn records_trees(&self) {
        self.state.lock().unwrap().tells_trees = true;
    }

    /// What was paid or sent, and when.
    pub(crate) fn effects(&self) -> Vec<(tokio::time::Instant, String)> {
        self.state.lock().unwrap().effects.clone()
    }

    /// The cable comes out now.
    pub(crate) fn go_away(&self) {
        self.state.lock().unwrap().gone = true;
    }

    /// From now on every call comes to this.
    pub(crate) fn fails_with(&self, trouble: PhoneError) {
        let mut state = self.state.lock().unwrap();
        state.trouble = trouble;
        state.gone = true;
    }

    /// The next input is done, and its answer never comes.
    pub(crate) fn loses_answer(&self, trouble: PhoneError) {
        self.state.lock().unwrap().loses = Some(trouble);
    }

    pub(crate) fn has_a_plain_keyboard(&self) {
        self.state.lock().unwrap().plain_keyboard = true;
    }

    pub(crate) fn types_nowhere(&self) {
        self.state.lock().unwrap().deaf = true;
    }

    pub(crate) fn streams(&self) {
        self.state.lock().unwrap().streams = true;
    }

    /// A dialog comes over its page just before the nth tree is read, for so long.
    pub(crate) fn blinks(&self, tree: u32, lasts: Duration) {
        self.state.lock().unwrap().blink = Some(Blink {
            tree,
            lasts,
            since: None,
        });
    }

    /// The world changes before the nth look.
    pub(crate) fn before_look(&self, n: u64, change: impl Fn(&mut World) + Send + 'static) {
        self.state.lock().unwrap().before_look = Some((n, Box::new(change)));
    }

    pub(crate) fn turn(&self) {
        self.state.lock().unwrap().turned = true;
    }

    pub(crate) fn falls_asleep(&self) {
        self.state.lock().unwrap().asleep = true;
    }

    /// Its lock screen is up, or is not.
    pub(crate) fn is_locked(&self, locked: bool) {
        self.state.lock().unwrap().locked = locked;
    }

    pub(crate) fn is_an_emulator(&self) {
        self.state.lock().unwrap().emulator = true;
    }

    /// Its apps are somebody else's now.
    pub(crate) fn is_signed_by(&self, signer: &str) {
        self.state.lock().unwrap().signers = vec![signer.into()];
    }
}
