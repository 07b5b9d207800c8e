//! One phone: its system behind one lock, and everything around it that the wire reaches.

mod faults;
mod link;
mod properties;
mod sockets;

pub(crate) use link::{Hub, Link};
pub(crate) use properties::{NotSet, Properties};
pub use sockets::{Listener, LocalSockets};

use crate::android::{Android, FingerAction, Intent, NotStarted, Profile, StartedActivity};
use crate::clock::{Clock, Speed, Times};
use crate::fault::Fault;
use crate::files::Files;
use crate::process::Processes;
use crate::record::{Received, Record};
use crate::video::Clip;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// While somebody is connected the system hears so often what time it is.
const TICK: Duration = Duration::from_millis(33);

/// One phone.
pub(crate) struct Phone {
    android: Mutex<Box<dyn Android>>,
    pub(crate) profile: Profile,
    pub(crate) clock: Clock,
    pub(crate) files: Files,
    pub(crate) processes: Processes,
    pub(crate) properties: Properties,
    pub(crate) record: Record,
    pub(crate) link: Arc<Link>,
    pub(crate) sockets: LocalSockets,
    /// The first finger is on the glass.
    touched: AtomicBool,
    /// Only one UI tree is read at a time (`UiAutomation` can be registered once).
    pub(crate) dumping: tokio::sync::Mutex<()>,
    /// One that stays reads them ([`crate::reader`]).
    pub(crate) is_read: AtomicBool,
    /// What its video is, instead of its display; and when that began last.
    clip: Mutex<(Option<Arc<Clip>>, Option<tokio::time::Instant>)>,
    /// The version of scrcpy's server any file is taken for.
    scrcpy: Mutex<Option<String>>,
    /// Its sound cannot be captured.
    mute: AtomicBool,
    /// Where it was told that it is, in degrees.
    place: Mutex<Option<(f64, f64)>>,
    faults: Mutex<Vec<Fault>>,
    /// What of it somebody came upon.
    met: Mutex<Vec<Fault>>,
    /// Fingerprints of the computers' keys the person was asked about since the cable went in.
    asked: Mutex<Vec<String>>,
    /// The person allowed the computer for this time only.
    once: AtomicBool,
    commands: AtomicU32,
    connected: Mutex<usize>,
    /// Everything this phone does ends with it.
    pub(crate) stopped: CancellationToken,
    pub(crate) tasks: TaskTracker,
}

impl std::fmt::Debug for Phone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Phone")
            .field("serial", &self.profile.serial)
            .finish_non_exhaustive()
    }
}

impl Phone {
    /// A phone with these programs in `/system/bin`.
    pub(crate) fn new(
        mut android: Box<dyn Android>,
        (speed, times): (Speed, Times),
        born: SystemTime,
        programs: &[&'static str],
        hub: Hub,
        stopped: CancellationToken,
    ) -> Self {
        let profile = android.profile().clone();
        android.tick(Duration::ZERO);
        let clock = Clock::new(speed, times, born, profile.sdk);
        android.set_born(clock.wall());
        let properties = Properties::new(&profile, clock.wall());
        let files = Files::new_phone(programs, &properties.build_prop(), clock.wall().as_secs());
        Self {
            android: Mutex::new(android),
            clock,
            files,
            processes: Processes::default(),
            properties,
            record: Record::default(),
            link: Arc::new(Link::new(&stopped, hub)),
            sockets: LocalSockets::default(),
            touched: AtomicBool::new(false),
            dumping: tokio::sync::Mutex::new(()),
            is_read: AtomicBool::new(false),
            clip: Mutex::default(),
            scrcpy: Mutex::default(),
            mute: AtomicBool::default(),
            place: Mutex::default(),
            faults: Mutex::default(),
            met: Mutex::default(),
            asked: Mutex::default(),
            once: AtomicBool::new(false),
            commands: AtomicU32::new(0),
            connected: Mutex::new(0),
            stopped,
            tasks: TaskTracker::new(),
            profile,
        }
    }

    /// Asks the system something, after telling it the time.
    pub(crate) fn with<R>(&self, ask: impl FnOnce(&mut dyn Android) -> R) -> R {
        let (answer, allowed, always) = {
            let mut android = self.android.lock().unwrap_or_else(PoisonError::into_inner);
            android.tick(self.clock.now());
            let answer = ask(&mut **android);
            (
                answer,
                android.debugging_answer() == Some(true),
                android.debugging_always(),
            )
        };
        if allowed && !self.asked().is_empty() {
            self.asked().clear();
            self.once.store(!always, Ordering::Relaxed);
            self.clear_fault(Fault::Unauthorized);
        }
        answer
    }

    fn asked(&self) -> MutexGuard<'_, Vec<String>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A computer shows its key, and is not allowed: the person is asked, once for each plugging.
    pub(crate) fn ask_debugging(&self, fingerprint: &str) {
        self.with(|android| {
            let mut asked = self.asked();
            if !asked.iter().any(|known| known == fingerprint) {
                android.ask_debugging(fingerprint);
                asked.push(fingerprint.to_owned());
            }
        });
    }

    pub(crate) fn record(&self, what: Received) {
        if crate::test_support::TEST_SUPPORT {
            self.record.add(self.clock.now(), what);
        }
    }

    // What goes in by hand, recorded.

    /// One event of the first finger. What is not down neither moves nor leaves: the dispatcher drops the event
    /// (`InputDispatcher::findTouchedWindowTargetsLocked`), and whoever injected it hears nothing of that.
    pub(crate) fn finger(&self, action: FingerAction, x: f32, y: f32) {
        let is_down = matches!(action, FingerAction::Down | FingerAction::Move);
        let was_down = self.touched.fetch_and(is_down, Ordering::Relaxed);
        match action {
            FingerAction::Down => self.touched.store(true, Ordering::Relaxed),
            _ if !was_down => return,
            _ => {}
        }
        let word = action.word();
        self.record(Received::Finger { action: word, x, y });
        self.with(|android| android.finger(action, x, y));
    }

    /// Whether the first finger is on the glass.
    pub(crate) fn is_touched(&self) -> bool {
        self.touched.load(Ordering::Relaxed)
    }

    /// A finger beside the first. With two on the glass the first presses and scrolls nothing any more; what two do is done
    /// by no app here.
    pub(crate) fn other_finger(&self, finger: usize, action: FingerAction, x: f32, y: f32) {
        let word = action.word();
        self.record(Received::OtherFinger {
            finger,
            action: word,
            x,
            y,
        });
        if action == FingerAction::Down {
            self.with(|android| android.finger(FingerAction::Cancel, x, y));
        }
    }

    pub(crate) fn key(&self, code: u32, meta: u32, long: bool) {
        self.record(Received::Key { code, meta, long });
        self.with(|android| android.key(code, meta, long));
    }

    /// False when the key map lacks the character: then nothing is recorded.
    pub(crate) fn character(&self, character: char) -> bool {
        let known = self.with(|android| android.character(character));
        if known {
            // A keyboard that composes makes of it what it likes.
            self.meets(Fault::Autocorrect);
            self.meets(Fault::Pinyin);
            self.record(Received::Text { character });
        }
        known
    }

    pub(crate) fn start(&self, intent: &Intent) -> Result<StartedActivity, NotStarted> {
        let started = self.with(|android| android.start(intent))?;
        let component = format!("{}/{}", started.component.package, started.component.class);
        self.record(Received::Activity { component });
        Ok(started)
    }

    pub(crate) fn put_setting(&self, namespace: &str, name: &str, value: Option<&str>) {
        self.record(Received::Setting {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            value: value.map(str::to_owned),
        });
        self.with(|android| android.put_setting(namespace, name, value));
    }

    /// What version of scrcpy's server any file is; none: only what is known for one.
    pub(crate) fn scrcpy(&self) -> Option<String> {
        self.scrcpy.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn place(&self, place: (f64, f64)) {
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = Some(place);
    }

    pub(crate) fn placed(&self) -> Option<(f64, f64)> {
        *self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_mute(&self, mute: bool) {
        self.mute.store(mute, Ordering::Relaxed);
    }

    /// Whether its sound cannot be captured.
    pub(crate) fn is_mute(&self) -> bool {
        self.mute.load(Ordering::Relaxed)
    }

    pub(crate) fn set_scrcpy(&self, version: Option<String>) {
        *self.scrcpy.lock().unwrap_or_else(PoisonError::into_inner) = version;
    }

    fn clips(&self) -> MutexGuard<'_, (Option<Arc<Clip>>, Option<tokio::time::Instant>)> {
        self.clip.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What its video is, instead of its display.
    pub(crate) fn clip(&self) -> Option<Arc<Clip>> {
        crate::test_support::TEST_SUPPORT
            .then(|| self.clips().0.clone())
            .flatten()
    }

    pub(crate) fn set_clip(&self, clip: Option<Arc<Clip>>) {
        *self.clips() = (clip, None);
    }

    /// When the newest stream of it began.
    pub(crate) fn clip_begun(&self) -> Option<tokio::time::Instant> {
        self.clips().1
    }

    pub(crate) fn begin_clip(&self, now: tokio::time::Instant) {
        self.clips().1 = Some(now);
    }

    /// Whether the lock screen is up, and whether an app is shown over it.
    pub(crate) fn keyguard(&self) -> (bool, bool) {
        let occluded = self.has(Fault::Occluded);
        (occluded || self.with(|android| android.power().locked), occluded)
    }

    /// Counts a command. False: the cable came out as it arrived.
    pub(crate) fn take_command(&self) -> bool {
        let count = self.commands.fetch_add(1, Ordering::Relaxed) + 1;
        let (mut limit, mut turns) = (None, false);
        for fault in self.all_faults() {
            match fault {
                Fault::UnplugAfter(commands) => limit = Some(commands),
                Fault::RotateAfter(commands) => turns = count == commands + 1,
                // Whoever asks anything finds the phone so.
                Fault::Slow(_)
                | Fault::Locked
                | Fault::KeyguardPin
                | Fault::ScreenOff
                | Fault::Dozing
                | Fault::NotResponding
                | Fault::SplitScreen => self.meets(fault),
                _ => {}
            }
        }
        if turns {
            self.meets(Fault::RotateAfter(0));
            self.turn(1);
        }
        if limit.is_some_and(|limit| count > limit) {
            self.meets(Fault::UnplugAfter(0));
            self.unplug();
            return false;
        }
        true
    }

    /// Turns the display, and holds it so.
    fn turn(&self, quarters: u8) {
        self.with(|android| {
            android.put_setting("system", "accelerometer_rotation", Some("0"));
            android.put_setting("system", "user_rotation", Some(&quarters.to_string()));
        });
    }

    // The cable.

    pub(crate) fn unplug(&self) {
        if self.link.unplug() {
            self.asked().clear();
            // Without "Always allow" the person is asked again each time.
            if self.once.swap(false, Ordering::Relaxed) {
                self.set_fault_quietly(Fault::Unauthorized);
            }
            self.record(Received::Link { plugged: false });
        }
    }

    pub(crate) fn replug(&self) {
        self.commands.store(0, Ordering::Relaxed);
        self.clear_fault(Fault::UnplugAfter(0));
        if self.link.replug() {
            self.record(Received::Link { plugged: true });
        }
    }

    fn connected(&self) -> MutexGuard<'_, usize> {
        self.connected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the system's time running until the guard is dropped.
    pub(crate) fn connect(self: &Arc<Self>) -> ConnectionGuard {
        let first = {
            let mut connected = self.connected();
            *connected += 1;
            *connected == 1
        };
        if first {
            let phone = Arc::clone(self);
            self.tasks.spawn(async move {
                let stopped = phone.stopped.clone();
                while *phone.connected() > 0 {
                    tokio::select! {
                        () = stopped.cancelled() => return,
                        () = tokio::time::sleep(TICK) => phone.with(|_| ()),
                    }
                }
            });
        }
        ConnectionGuard {
            phone: Arc::clone(self),
        }
    }
}

/// Somebody is connected to the phone.
#[derive(Debug)]
pub(crate) struct ConnectionGuard {
    phone: Arc<Phone>,
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        *self.phone.connected() -= 1;
    }
}
