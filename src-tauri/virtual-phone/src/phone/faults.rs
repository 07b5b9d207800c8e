//! What is wrong with a phone: begun, ended, and whether anybody came upon it.

use super::Phone;
use crate::android::CompositionMode;
use crate::fault::{ConnectionState, Fault};
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};

/// `KEYCODE_SLEEP`, `KEYCODE_WAKEUP`.
const SLEEP: u32 = 223;
const WAKEUP: u32 = 224;
/// What `keyguard_pin` asks for. Invented.
const PIN: &str = "1379";

impl Phone {
    fn faults(&self) -> MutexGuard<'_, Vec<Fault>> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn has(&self, fault: Fault) -> bool {
        self.meets(fault);
        self.is_set(fault)
    }

    fn is_set(&self, fault: Fault) -> bool {
        crate::test_support::TEST_SUPPORT && self.faults().iter().any(|set| set.is_like(fault))
    }

    /// Somebody comes upon what is wrong, if it is.
    pub(crate) fn meets(&self, fault: Fault) {
        if !self.is_set(fault) {
            return;
        }
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        if !met.iter().any(|one| one.is_like(fault)) {
            met.push(fault);
        }
    }

    /// Whether anybody did, since it began.
    pub(crate) fn has_met(&self, fault: Fault) -> bool {
        let met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        met.iter().any(|one| one.is_like(fault))
    }

    /// The state the phone stands in, when it is none of the common three.
    pub(crate) fn standing(&self) -> Option<ConnectionState> {
        let standing = self.all_faults().into_iter().find_map(|fault| match fault {
            Fault::ListedAs(standing) => Some(standing),
            _ => None,
        })?;
        self.meets(Fault::ListedAs(standing));
        Some(standing)
    }

    /// Everything that is wrong; nothing is, without test support.
    pub(crate) fn all_faults(&self) -> Vec<Fault> {
        if crate::test_support::TEST_SUPPORT {
            self.faults().clone()
        } else {
            Vec::new()
        }
    }

    /// What is wrong from the start: nobody is connected yet, so nothing is cut.
    pub(crate) fn begin_with(&self, faults: &[Fault]) {
        for fault in faults {
            self.set_fault_quietly(*fault);
        }
    }

    pub(crate) fn set_fault(&self, fault: Fault) {
        if !crate::test_support::TEST_SUPPORT {
            return;
        }
        self.set_fault_quietly(fault);
        if matches!(fault, Fault::Unauthorized | Fault::Offline | Fault::ListedAs(_)) {
            self.asked().clear();
            self.link.reset();
        }
    }

    pub(super) fn set_fault_quietly(&self, fault: Fault) {
        if !crate::test_support::TEST_SUPPORT {
            return;
        }
        {
            let mut faults = self.faults();
            faults.retain(|set| !set.is_like(fault));
            faults.push(fault);
            let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
            met.retain(|one| !one.is_like(fault));
        }
        match fault {
            Fault::Slow(factor) => self.clock.set_slowness(factor),
            Fault::UnplugAfter(_) | Fault::RotateAfter(_) => self.commands.store(0, Ordering::Relaxed),
            Fault::ClockSkew(seconds) => self.clock.set_skew(seconds),
            Fault::LowStorage => self.files.set_full(true),
            Fault::KeyguardPin => self.with(|android| {
                android.set_pin(Some(PIN));
                android.key(SLEEP, 0, false);
                android.key(WAKEUP, 0, false);
            }),
            Fault::ScreenOff | Fault::Dozing => self.with(|android| android.key(SLEEP, 0, false)),
            Fault::NotResponding => self.with(|android| android.stop_responding(true)),
            Fault::SplitScreen => self.with(|android| android.split(true)),
            Fault::Autocorrect => {
                self.with(|android| android.choose_composing(Some(CompositionMode::Corrects)))
            }
            Fault::Pinyin => self.with(|android| android.choose_composing(Some(CompositionMode::Spells))),
            Fault::Locked => self.with(|android| {
                android.key(SLEEP, 0, false);
                android.key(WAKEUP, 0, false);
            }),
            _ => {}
        }
    }

    pub(crate) fn clear_fault(&self, fault: Fault) {
        if !crate::test_support::TEST_SUPPORT {
            return;
        }
        let was_set = {
            let mut faults = self.faults();
            let before = faults.len();
            faults.retain(|set| !set.is_like(fault));
            faults.len() != before
        };
        if !was_set {
            return;
        }
        match fault {
            Fault::Slow(_) => self.clock.set_slowness(1.0),
            Fault::ScreenOff | Fault::Dozing => self.with(|android| android.key(WAKEUP, 0, false)),
            Fault::NotResponding => self.with(|android| android.stop_responding(false)),
            Fault::SplitScreen => self.with(|android| android.split(false)),
            Fault::Autocorrect | Fault::Pinyin => self.with(|android| android.choose_composing(None)),
            Fault::Locked => self.with(|android| android.dismiss_keyguard()),
            Fault::KeyguardPin => self.with(|android| {
                android.set_pin(None);
                android.dismiss_keyguard();
            }),
            Fault::ClockSkew(_) => self.clock.set_skew(0),
            Fault::LowStorage => self.files.set_full(false),
            Fault::RotateAfter(_) => self.turn(0),
            Fault::Unauthorized | Fault::Offline | Fault::ListedAs(_) => self.link.tell(),
            _ => {}
        }
    }
}
