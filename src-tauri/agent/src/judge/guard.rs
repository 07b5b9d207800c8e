//! What guards the phone: permissions, switches of protection, and what is never done.

use super::Risks;
use super::lexicon::NEVER_WORDS;
use super::page::{Page, allows, has, side_by_side, subject};
use super::refusal::refuses;
use super::stake::{is_choice, says_yes};
use super::vocabulary as v;
use super::words::{self, Label};
use protocol::{AskKind, Element, State};

/// Longer labels explain; they do not do.
const LABEL_WORDS: usize = 12;

/// Adds what allowing or switching this risks.
pub(super) fn risks(page: &Page<'_>, element: &Element, risks: &mut Risks) {
    let label = Label::new(subject(element));
    let refused = refuses(element);
    if page.is_permission_dialog()
        && (allows(element)
            || (pressable(element) && v::GRANT.names(&label))
            || (is_choice(element) && page.stake().asks && page.refusable() && !v::MILD.is(&label)))
        && !refused
    {
        risks.entry(AskKind::Permission).or_insert("permission_dialog");
    }
    // On Android's page about one permission the choice itself allows.
    let answered = || {
        let answers = |other: &Element| {
            let label = Label::new(&other.label);
            is_choice(other)
                && !label.words.is_empty()
                && !v::MILD.is(&label)
                && !v::NO.is(&label)
                && other.role == "button"
        };
        page.screen.elements.iter().any(answers)
    };
    let chooses = element.role == "radio" && !refused && !has(element, State::Checked);
    if page.is_permission_dialog() && chooses && !answered() {
        risks.entry(AskKind::Permission).or_insert("permission_dialog");
    }
    if !has(element, State::Clickable) && !switches(element) || has(element, State::Editable) {
        return;
    }
    let asks = page.stake().asks;
    if asks
        && pressable(element)
        && !refused
        && v::GRANT.any(&label, |place| place.whole || (place.at == 0 && place.most))
    {
        let about = page.statements().any(|text| v::PERMISSION_TOPIC.mentioned(&text));
        if about || page.is_system() {
            risks.entry(AskKind::Permission).or_insert("grants");
        }
    }
    let whole = Label::new(&element.label);
    let on = has(element, State::Checked);
    // A row may be its own switch without a tree saying so.
    if !switches(element) && page.is_system() && has(element, State::Clickable) && special_row(page, &whole) {
        risks.entry(AskKind::Permission).or_insert("service");
    }
    if switches(element) && page.is_system() {
        let special = v::SPECIAL_ACCESS.mentioned(&whole)
            || page
                .titles()
                .take(2)
                .any(|title| v::SPECIAL_ACCESS.mentioned(&title));
        if special && !on {
            risks.entry(AskKind::Permission).or_insert("special_access");
        }
        if !on && special_row(page, &whole) {
            risks.entry(AskKind::Permission).or_insert("service");
        }
        if !on && is_accessibility_service(page, &whole) {
            risks.entry(AskKind::Permission).or_insert("service");
        }
    }
    if page.is_system() && switches(element) && on && v::NETWORK.is(&label) {
        risks.entry(AskKind::Act).or_insert("cuts_off");
    }
    if page.is_system() && !refused && v::DEBUGGING.names(&label) && has(element, State::Clickable) {
        risks.entry(AskKind::Act).or_insert("cuts_off");
    }
    let system_bar = matches!(
        page.screen.current_app.as_str(),
        "com.android.systemui" | "android"
    );
    if page.is_system()
        && !refused
        && v::CUTOFF.names(&label)
        && (switches(element) || has_switch(page, element) || system_bar || page.stake().dialog)
    {
        risks.entry(AskKind::Act).or_insert("cuts_off");
    }
}

/// On a page that says it may see and control everything, the row that carries the page's own name.
fn special_row(page: &Page<'_>, row: &Label) -> bool {
    let title = page.titles().next();
    let named = title.is_some_and(|title| {
        !title.words.is_empty()
            && row.words.len() > title.words.len()
            && row.text.contains(title.text.as_str())
    });
    named && page.statements().any(|text| v::CONTROL.mentioned(&text))
}

/// Android's page of an accessibility service, in any language: its name, a switch that names it, and a row about its
/// shortcut that names it too. Other switches that begin so turn on what is Android's own.
fn is_accessibility_service(page: &Page<'_>, switch: &Label) -> bool {
    let names = |label: &Label, name: &Label| {
        label.words.len() > name.words.len() && label.text.contains(name.text.as_str())
    };
    let Some(name) = page
        .titles()
        .find(|title| !title.words.is_empty() && names(switch, title))
    else {
        return false;
    };
    page.screen.elements.iter().any(|other| {
        let label = Label::new(subject(other));
        has(other, State::Clickable) && !switches(other) && names(&label, &name)
    })
}

/// The hard rule pressing this breaks.
pub(super) fn never(page: &Page<'_>, element: &Element) -> Option<&'static str> {
    if has(element, State::Editable) || (refuses(element) && !page.is_androids_yes(element)) {
        return None;
    }
    let label = Label::new(subject(element));
    let whole = Label::new(&element.label);
    let on = has(element, State::Checked);
    if whole.words.len() <= LABEL_WORDS {
        if let Some((rule, _)) = NEVER_WORDS.iter().find(|(rule, phrases)| {
            !(*rule == "unknown_sources" && on) && words::mentions(&element.label, phrases)
        }) {
            return Some(rule);
        }
        if has(element, State::Clickable) || switches(element) {
            if v::RESET.names(&label) && page.is_system() {
                return Some("factory_reset");
            }
            if v::PROTECTION.names(&label) {
                return Some("disable_protection");
            }
            let sources = || {
                v::SOURCES.names(&label)
                    || (switches(element)
                        && page.titles().next().is_some_and(|title| v::SOURCES.names(&title)))
            };
            if !on && page.is_system() && sources() {
                return Some("unknown_sources");
            }
        }
    }
    // The page's own switch says no more than "On".
    let main = || {
        whole.words.len() <= 2
            && page
                .titles()
                .next()
                .is_some_and(|title| v::GUARD.mentioned(&title))
    };
    if switches(element) && on && (v::GUARD.mentioned(&whole) || main()) {
        return Some("disable_protection");
    }
    if switches(element)
        && !on
        && page.is_system()
        && page.titles().take(2).any(|title| v::ADMIN.mentioned(&title))
    {
        return Some("device_admin");
    }
    let wipes = || page.titles().take(2).any(|title| v::RESET.mentioned(&title));
    if !has(element, State::Clickable) || !(page.is_system() || page.stake().asks || wipes()) {
        return None;
    }
    by_page(page, element, &label)
}

/// What the page says that its yes would do.
fn by_page(page: &Page<'_>, element: &Element, label: &Label) -> Option<&'static str> {
    let stake = page.stake();
    let texts: Vec<Label> = if stake.asks {
        page.statements().collect()
    } else {
        page.titles().take(2).collect()
    };
    let says = |vocabulary: &v::Vocabulary| texts.iter().any(|text| vocabulary.mentioned(text));
    let titled = |vocabulary: &v::Vocabulary| page.titles().take(2).any(|text| vocabulary.mentioned(&text));
    if titled(&v::LOCK) && v::NONE.is(label) && page.is_system() {
        return Some("disable_protection");
    }
    if !is_choice(element) {
        return None;
    }
    let yes = says_yes(label) || v::ACTIVATE.is(label);
    let deletes = super::lexicon::known(AskKind::Delete)
        .is_some_and(|known| known.strong.names(label) || v::DELETE.names(label));
    let installs = super::lexicon::known(AskKind::Install)
        .is_some_and(|known| known.strong.names(label) || v::INSTALL.names(label));
    let secret = |text: &Label| {
        text.words.len() <= 6
            && (v::SECRET.mentioned(text) || v::PASSWORD.mentioned(text) || v::PATTERN.mentioned(text))
    };
    if page.is_system() && stake.asks && deletes && page.titles().next().is_some_and(|title| secret(&title)) {
        return Some("disable_protection");
    }
    let unlocks = || texts.iter().any(|text| v::LOCK.within(text));
    if page.is_system() && stake.asks && (deletes || v::TURN_OFF.names(label)) && unlocks() {
        return Some("disable_protection");
    }
    if says(&v::RESET) && (yes || deletes || v::RESET.names(label)) {
        return Some("factory_reset");
    }
    let storage = || {
        page.is_system()
            && page
                .statements()
                .any(|text| v::STORAGE.mentioned(&text) || v::FORMAT.mentioned(&text))
    };
    if storage() && (v::FORMAT.names(label) || (says(&v::FORMAT) && (yes || deletes))) {
        return Some("wipe");
    }
    if says(&v::PROTECTION) && (yes || deletes || v::TURN_OFF.names(label)) {
        return Some("disable_protection");
    }
    if says(&v::GUARD) && v::TURN_OFF.names(label) {
        return Some("disable_protection");
    }
    if says(&v::ADMIN) && (yes || v::ACTIVATE.mentioned(label)) && page.is_system() {
        return Some("device_admin");
    }
    if says(&v::CERTIFICATE) && (yes || installs) {
        return Some("disable_protection");
    }
    let installer = page.screen.current_app.contains("packageinstaller");
    (installer && installs && !deletes).then_some("unknown_sources")
}

/// It is switched, or a row that is.
fn switches(element: &Element) -> bool {
    matches!(element.role.as_str(), "switch" | "checkbox" | "radio") || has(element, State::Checkable)
}

/// A row with a switch of its own at its end.
fn has_switch(page: &Page<'_>, element: &Element) -> bool {
    let mut elements = page.screen.elements.iter();
    is_choice(element)
        && elements.any(|other| other.role == "switch" && side_by_side(other.bounds, element.bounds))
}

fn pressable(element: &Element) -> bool {
    has(element, State::Clickable) && !has(element, State::Disabled)
}
