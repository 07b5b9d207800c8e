//! The person's own rules: never, always ask, allowed; and how far a Yes may reach.

use protocol::{AskKind, Level, PhoneId, Reach, Rule, Settings};

/// Whether a rule is about this kind of action in this app on this phone.
fn fits(rule: &Rule, kind: AskKind, app: &str, phone: &PhoneId) -> bool {
    let in_app = rule.app.as_deref().is_none_or(|of| of == app);
    let on_phone = rule.phone.as_ref().is_none_or(|of| of == phone);
    rule.kind == kind && in_app && on_phone
}

/// Whether one of `rules` is about this kind of action in this app on this phone.
pub(crate) fn any(rules: &[Rule], kind: AskKind, app: &str, phone: &PhoneId) -> bool {
    rules.iter().any(|rule| fits(rule, kind, app, phone))
}

/// Whether one of `rules` lets this be done unasked. A rule that names no app, and one about what is asked every time,
/// allows nothing.
pub(super) fn allow(rules: &[Rule], kind: AskKind, app: &str, phone: &PhoneId) -> bool {
    is_scoped(kind)
        && rules
            .iter()
            .any(|rule| rule.app.is_some() && fits(rule, kind, app, phone))
}

/// Kinds of which a Yes may be given for more than one action.
fn is_scoped(kind: AskKind) -> bool {
    matches!(
        kind,
        AskKind::Oauth
            | AskKind::Camera
            | AskKind::Location
            | AskKind::Contacts
            | AskKind::Calendar
            | AskKind::Files
            | AskKind::Notification
            | AskKind::Unknown
            | AskKind::Act
    )
}

/// How far a Yes may reach beyond the one action that `rule` asked about. What a switch or the person's own rule has
/// asked every time gets no wider Yes: it would change nothing.
#[must_use]
pub fn reaches(
    kind: AskKind,
    rule: &str,
    app: &str,
    phone: &PhoneId,
    settings: &Settings,
) -> &'static [Reach] {
    let named = !app.is_empty() && app != "unknown";
    if !named || always(kind, app, phone, settings) {
        return &[Reach::Once];
    }
    match kind {
        // The model's own mark is about the step, never about the app for good.
        AskKind::Unknown => &[Reach::Once, Reach::Task],
        // Only what "ask me about everything" asks; an unusual link stays a question of its own.
        AskKind::Act if rule != EVERYTHING => &[Reach::Once],
        kind if is_scoped(kind) => &[Reach::Once, Reach::Task, Reach::Always],
        _ => &[Reach::Once],
    }
}

/// The rule of the level that asks about everything.
pub(super) const EVERYTHING: &str = "everything";

/// Asked every time: what no setting lifts, what the switches name, what the person's rules name.
pub(super) fn always(kind: AskKind, app: &str, phone: &PhoneId, settings: &Settings) -> bool {
    if any(&settings.rules.ask, kind, app, phone) {
        return true;
    }
    let matters = settings.level != Level::HardStops;
    match kind {
        AskKind::Payment
        | AskKind::Code
        | AskKind::Password
        | AskKind::Script
        | AskKind::ComputerScript
        | AskKind::Clipboard => true,
        AskKind::Send => matters && settings.ask_before.sending,
        AskKind::Delete => matters && settings.ask_before.deleting,
        AskKind::Install | AskKind::Permission => matters && settings.ask_before.installing,
        AskKind::Shell => matters && settings.ask_before.shell,
        AskKind::Oauth
        | AskKind::Camera
        | AskKind::Location
        | AskKind::Contacts
        | AskKind::Calendar
        | AskKind::Files
        | AskKind::Notification
        | AskKind::Biometric
        | AskKind::Unreadable
        | AskKind::Act
        | AskKind::Unknown => false,
    }
}

/// Asked because it is a risk, unless it was allowed.
pub(super) fn by_default(kind: AskKind, settings: &Settings) -> bool {
    match kind {
        // A link nobody can tell what it does, and a screen nobody can read: no level is about them.
        AskKind::Unreadable | AskKind::Act => true,
        AskKind::Oauth
        | AskKind::Camera
        | AskKind::Location
        | AskKind::Contacts
        | AskKind::Calendar
        | AskKind::Files
        | AskKind::Notification
        | AskKind::Biometric
        | AskKind::Unknown => settings.level != Level::HardStops,
        // Their switch says it: what it does not ask about is not asked.
        AskKind::Payment
        | AskKind::Code
        | AskKind::Password
        | AskKind::Script
        | AskKind::ComputerScript
        | AskKind::Clipboard
        | AskKind::Send
        | AskKind::Delete
        | AskKind::Install
        | AskKind::Permission
        | AskKind::Shell => false,
    }
}
