//! The approval window's life, and the guard against a Yes by accident.
//!
//! It opens with the first question and closes with the last. Closing it is not an answer. It approves nothing until it
//! was in sight for 0.8 s with this very question, and the person moved the pointer or the focus inside it: both are
//! checked here, whatever the page says.
//!
//! A change of the settings that loosens something is asked here too, before every question: the person just made it.
//! Closing the window on it is No.

use crate::notices;
use crate::windows::{self, APPROVAL};
use engine::{Engine, words};
use protocol::{Ask, AskId, AskKind, Choice, Failure, FailureCode, OpenAsks};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tauri::{AppHandle, Manager, Runtime};

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

/// Shows the window with this question in front, for the person pressed Review on it. False where it is over.
pub(crate) fn review<R: Runtime>(app: &AppHandle<R>, engine: &Engine, ask: &AskId) -> bool {
    if !engine.bring_forward(ask) {
        return false;
    }
    let height = height(&engine.open_asks().borrow());
    show(app, height);
    windows::focus_approval(app);
    true
}

/// What the window shows first: a change of the settings, else the question that was put first, else the oldest.
pub(crate) fn front(open: &OpenAsks) -> Option<&AskId> {
    let change = open.changes.first().map(|change| &change.id);
    change.or_else(|| open.asks.first().map(|ask| &ask.id))
}

/// Shows the window, as tall as what it shows ([`height`]).
pub(crate) fn show<R: Runtime>(app: &AppHandle<R>, height: f64) {
    if let Err(error) = windows::open_approval(app, &words::get("notices.approval_window"), height) {
        tracing::error!(%error, "the approval window could not be shown");
    }
    // Where it could not be raised above others, the main window asks for attention; its amber bar leads here.
    if !windows::approval_is_visible(app)
        && let Some(window) = app.get_webview_window(windows::MAIN)
    {
        let _ = window.request_user_attention(Some(tauri::UserAttentionType::Critical));
    }
    debug_assert!(app.get_webview_window(APPROVAL).is_some() || cfg!(test));
}

/// Tall enough for what is in front.
pub(crate) fn height(open: &OpenAsks) -> f64 {
    match (open.changes.first(), open.asks.first()) {
        (Some(change), _) if change.loosens.len() > 1 => 560.0,
        (Some(_), _) => 380.0,
        (None, Some(ask)) => height_of(ask),
        (None, None) => 640.0,
    }
}

/// Tall enough for what each question shows.
fn height_of(ask: &Ask) -> f64 {
    let evidence = &ask.evidence;
    match ask.kind {
        AskKind::Code | AskKind::Password => 560.0,
        // The amount is picked, or read in a large picture.
        AskKind::Payment if evidence.amount.is_none() || !evidence.other_amounts.is_empty() => 720.0,
        // Words that are read in full, and a Yes from now on.
        AskKind::Send | AskKind::Act | AskKind::Unknown => 690.0,
        _ => 640.0,
    }
}
