//! Native notifications: the question, with *Deny* and *Review*. A toast shows no evidence, so it never approves.

use crate::approval_window;
use engine::{Engine, words};
use protocol::{Ask, AskKind};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use tauri::{AppHandle, Runtime};
use tauri_plugin_notification::{Action, ActionPerformed, ActionType, NotificationExt};

/// The kind of notification that asks.
const APPROVAL: &str = "approval";
const DENY: &str = "deny";
const REVIEW: &str = "review";
/// The plugin's word for a click on the notification itself.
pub(crate) const TAP: &str = "tap";

/// Says which buttons a question has, and what they do.
///
/// # Errors
/// When the plugin has no place for them.
pub(crate) fn register<R: Runtime>(
    app: &AppHandle<R>,
    engine: &Engine,
) -> Result<(), tauri_plugin_notification::Error> {
    name_buttons(app)?;
    let (handle, engine) = (app.clone(), engine.clone());
    app.notification()
        .on_action(move |performed| act(&handle, &engine, performed))
}

/// Names the buttons in the language that is spoken.
///
/// # Errors
/// When the plugin has no place for them.
pub(crate) fn name_buttons<R: Runtime>(app: &AppHandle<R>) -> Result<(), tauri_plugin_notification::Error> {
    let buttons = vec![
        Action::builder(DENY, words::get("notices.deny")).build(),
        Action::builder(REVIEW, words::get("notices.review")).build(),
    ];
    app.notification()
        .register_action_types(vec![ActionType::builder(APPROVAL).actions(buttons).build()])
}

/// The sound of a new message, by the name each system knows it under.
const SOUND: &str = if cfg!(target_os = "macos") {
    "Ping"
} else if cfg!(windows) {
    "Default"
} else {
    "message-new-instant"
};

/// Raises the notification for a question, with a sound where the person wants one.
pub(crate) fn raise<R: Runtime>(app: &AppHandle<R>, ask: &Ask, sound: bool) {
    let notice = app
        .notification()
        .builder()
        .id(number(&ask.id.0))
        .title(words::fill("notices.title", &[("phone", &ask.phone_name)]))
        .body(question(ask))
        .action_type_id(APPROVAL);
    let shown = if sound { notice.sound(SOUND) } else { notice }.show();
    if let Err(error) = shown {
        tracing::warn!(%error, "no notification could be shown");
    }
}

/// The question in one sentence.
pub(crate) fn question(ask: &Ask) -> String {
    let amount = ask.evidence.amount.as_ref();
    let values = [
        ("phone", ask.phone_name.as_str()),
        ("app", words::app_of(ask)),
        ("amount", amount.map_or("", |amount| amount.text.as_str())),
    ];
    if ask.kind == AskKind::Payment && amount.is_some() {
        return words::fill("notices.payment_amount", &values);
    }
    let particular = format!("notices.{}", words::words_of(ask));
    let found = words::fill(&particular, &values);
    if found == particular {
        // What a kind is in particular has no notice of its own.
        return words::fill(&format!("notices.{}", words::tag(&ask.kind)), &values);
    }
    found
}

/// Takes it away again, where the system lets us.
pub(crate) fn withdraw<R: Runtime>(app: &AppHandle<R>, ask: &Ask) {
    if let Err(error) = app.notification().remove_active(vec![number(&ask.id.0)]) {
        tracing::debug!(%error, "a notification could not be taken away");
    }
}

fn act<R: Runtime>(app: &AppHandle<R>, engine: &Engine, performed: &ActionPerformed) {
    let Some(shown) = performed.notification() else {
        return;
    };
    let open = engine.open_asks();
    let ask = open
        .borrow()
        .asks
        .iter()
        .find(|ask| number(&ask.id.0) == shown.id())
        .cloned();
    // Answered meanwhile: there is nothing to do.
    let Some(ask) = ask else { return };
    match performed.action_id() {
        DENY => {
            if let Err(failure) = engine.answer(engine::no(&ask)) {
                tracing::info!(?failure, "a No came too late");
            }
        }
        REVIEW | TAP => {
            approval_window::review(app, engine, &ask.id);
        }
        other => tracing::warn!(action = other, "a notification has no such button"),
    }
}

/// Notifications are numbered; what has the same name always has the same number.
pub(crate) fn number(name: &str) -> i32 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    // Any 31 bits of it will do.
    (hasher.finish() & 0x7fff_ffff) as i32
}
