//! The approval window on the screen: what is in front in it, how tall it is, and how it is brought before the person.

use crate::windows::{self, APPROVAL};
use engine::{Engine, words};
use protocol::{Ask, AskId, AskKind, OpenAsks};
use tauri::{AppHandle, Manager, Runtime};

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
