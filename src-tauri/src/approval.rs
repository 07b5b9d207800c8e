//! The approval window's life, and the guard against a Yes by accident.
//!
//! It opens with the first question and closes with the last. Closing it is not an answer. It approves nothing until it
//! was in sight for 0.8 s with this very question, and the person moved the pointer or the focus inside it: both are
//! checked here, whatever the page says.
//!
//! A change of the settings that loosens something is asked here too, before every question: the person just made it.
//! Closing the window on it is No.

use crate::approval_window::{front, height, show};
use crate::{notices, windows};
use engine::Engine;
use protocol::{AskId, Choice, Failure, FailureCode, OpenAsks};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tauri::{AppHandle, Runtime};

/// How long a question must have been in sight.
const IN_SIGHT: Duration = Duration::from_millis(800);

/// Which question is in sight, since when, and whether the person moved.
#[derive(Default)]
pub struct Approvals {
    front: Mutex<Option<Front>>,
}

struct Front {
    ask: AskId,
    since: Instant,
    noticed: bool,
}

impl Approvals {
    fn front(&self) -> MutexGuard<'_, Option<Front>> {
        self.front.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page shows this question now.
    pub fn shows(&self, ask: Option<&AskId>) {
        let mut front = self.front();
        match ask {
            Some(ask) if front.as_ref().is_none_or(|front| front.ask != *ask) => {
                *front = Some(Front {
                    ask: ask.clone(),
                    since: Instant::now(),
                    noticed: false,
                });
            }
            Some(_) => {}
            None => *front = None,
        }
    }

    /// The person moved the pointer or the focus inside the window.
    pub fn noticed(&self, ask: &AskId) {
        if let Some(front) = self.front().as_mut().filter(|front| front.ask == *ask) {
            front.noticed = true;
        }
    }

    /// The window is gone; the next one starts anew.
    pub fn closed(&self) {
        *self.front() = None;
    }

    /// Whether a Yes to this question may count.
    fn may_approve(&self, ask: &AskId) -> bool {
        self.front()
            .as_ref()
            .is_some_and(|front| front.ask == *ask && front.noticed && front.since.elapsed() >= IN_SIGHT)
    }

    /// Lets a No through at once, and a Yes or a code only when the person can have meant it.
    ///
    /// # Errors
    /// `not_now` for a Yes that came too early.
    pub fn check(&self, ask: &AskId, choice: Choice) -> Result<(), Failure> {
        let weighs = !matches!(choice, Choice::Deny | Choice::TakeOver | Choice::MoreTime);
        if weighs && !self.may_approve(ask) {
            let detail =
                Some("the question was not in sight long enough, or nobody moved in its window".to_owned());
            return Err(Failure {
                code: FailureCode::NotNow,
                values: BTreeMap::new(),
                detail,
            });
        }
        Ok(())
    }
}

/// Opens, changes and closes the window with the questions; raises a notice for each.
pub(crate) fn follow<R: Runtime>(app: &AppHandle<R>, engine: &Engine) {
    let app = app.clone();
    let (mut open, engine) = (engine.open_asks(), engine.clone());
    tauri::async_runtime::spawn(async move {
        let mut before = OpenAsks::default();
        while open.changed().await.is_ok() {
            let now = open.borrow_and_update().clone();
            let mut is_new = false;
            for ask in now
                .asks
                .iter()
                .filter(|ask| !before.asks.iter().any(|old| old.id == ask.id))
            {
                is_new = true;
                notices::raise(&app, ask, engine.settings().notices.sound);
                windows::call_attention(&app);
            }
            for ask in before
                .asks
                .iter()
                .filter(|ask| !now.asks.iter().any(|new| new.id == ask.id))
            {
                notices::withdraw(&app, ask);
            }
            match (front(&now), front(&before)) {
                (Some(first), known) if known != Some(first) => {
                    show(&app, height(&now));
                    // Whoever pressed something in the settings is led to what it asks.
                    if !now.changes.is_empty() {
                        windows::focus_approval(&app);
                    }
                }
                // A window that was closed on another question comes back for a new one.
                (Some(_), _) if is_new && !windows::approval_is_visible(&app) => show(&app, height(&now)),
                (Some(_), _) => {}
                (None, _) => windows::close_approval(&app),
            }
            before = now;
        }
    });
}
