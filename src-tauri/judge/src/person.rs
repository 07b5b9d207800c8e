//! What the person decided beforehand: rules, switches, elements that need no question.

use crate::case::Case;
use crate::facts::Page;
use crate::input::Input;
use protocol::{AskKind, Element, ElementBinding, Level, Millis, PhoneId, Rule, Screen, Settings};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// An element that answered no question for so long asks again: 30 days, in milliseconds.
const UNUSED: Millis = 30 * 24 * 60 * 60 * 1000;

/// Whether one of `rules` is about this kind of action in this app on this phone.
#[must_use]
pub fn any_rule(rules: &[Rule], kind: AskKind, app: &str, phone: &PhoneId) -> bool {
    rules.iter().any(|rule| fits(rule, kind, app, phone))
}

fn fits(rule: &Rule, kind: AskKind, app: &str, phone: &PhoneId) -> bool {
    let in_app = rule.app.as_deref().is_none_or(|of| of == app);
    let on_phone = rule.phone.as_ref().is_none_or(|of| of == phone);
    rule.kind == kind && in_app && on_phone
}

/// Whether "always here" may be offered for a question of this kind.
#[must_use]
pub fn may_bind(kind: AskKind) -> bool {
    matches!(
        kind,
        AskKind::Send | AskKind::Delete | AskKind::Oauth | AskKind::Unknown | AskKind::Act
    )
}

/// What a Yes of this kind to this element is kept as. `None` where nobody knows who signed the app or which version it is, what
/// page, which site, or to whom what is sent there goes.
#[must_use]
pub fn bind(
    kind: AskKind,
    screen: &Screen,
    site: Option<&str>,
    signers: &[String],
    version: &str,
    element: &Element,
    now: Millis,
) -> Option<ElementBinding> {
    let known = screen.tree_read && screen.current_app == element.package && !version.is_empty();
    // What nobody knows may pay another sum tomorrow.
    let pays = || Page::new(screen).facts().pays() || !screen::amounts(&element.label).is_empty();
    let known = known && !(kind == AskKind::Unknown && pays());
    known.then_some(())?;
    Some(ElementBinding {
        signer: signers.first()?.clone(),
        version: version.to_owned(),
        page: page_key(kind, screen, site, element)?,
        resource_id: element.resource_id.clone(),
        role: element.role,
        label: undated(&element.label),
        used: now,
    })
}

/// The page by what stands on it and does not change: its window, its title, the ids of its things. A conversation is told apart
/// letter for letter: a number may be all that names the other one. So is what a deletion or what nobody knows is about, by the
/// words around the button: the same button asks about another thing tomorrow. They are kept as a sum, for they are the person's.
/// A browser shows any site: each is a place of its own.
fn page_key(kind: AskKind, screen: &Screen, site: Option<&str>, element: &Element) -> Option<String> {
    if site.is_none() && screen::is_browser(&screen.current_app) {
        return None;
    }
    let ids = screen.elements.iter().map(|element| element.resource_id.as_str());
    let mut ids: Vec<&str> = ids.filter(|id| !id.is_empty()).collect();
    ids.sort_unstable();
    ids.dedup();
    let title = if kind == AskKind::Send {
        screen::addressee(screen)?
    } else {
        screen::title(screen).map_or_else(String::new, |title| undated(&title))
    };
    let window = screen.window.as_deref().unwrap_or_default();
    let about = match kind {
        AskKind::Delete | AskKind::Act | AskKind::Unknown => about(screen, element),
        _ => String::new(),
    };
    let site = site.unwrap_or_default();
    Some(format!("{window}|{title}|{}|{site}|{about}", ids.join(",")))
}

/// The words an act on this is about, and those on it, as a sum.
fn about(screen: &Screen, element: &Element) -> String {
    let scope = screen::Scope::of(screen, Some(element), None);
    let mut sum = Sha256::new();
    for text in scope.texts().iter().chain([&element.label]) {
        sum.update(text.len().to_le_bytes());
        sum.update(text);
    }
    sum.finalize()
        .iter()
        .take(16)
        .fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}

fn undated(label: &str) -> String {
    label.chars().filter(|c| !c.is_numeric()).collect()
}

pub(crate) fn never(case: &Case<'_>, kind: AskKind) -> bool {
    any_rule(&case.settings.rules.never, kind, case.app(), &case.screen.phone)
}

pub(crate) fn asks(case: &Case<'_>, kind: AskKind) -> bool {
    any_rule(&case.settings.rules.ask, kind, case.app(), &case.screen.phone)
}

/// Whether the person's own word about the very element that is touched makes the question needless: for one tap of it, and
/// nothing beside.
pub(crate) fn allows(case: &Case<'_>, kind: AskKind, element: Option<u32>) -> bool {
    if !matches!(case.inputs, [Input::Tap { .. }]) {
        return false;
    }
    let touched = element.and_then(|index| case.screen.elements.iter().find(|one| one.index == index));
    let rules = || case.settings.rules.allowed.iter().chain(case.bindings);
    let here = |rule: &&Rule| rule.app.is_some() && fits(rule, kind, case.app(), &case.screen.phone);
    let Some(touched) = touched.filter(|_| may_bind(kind) && rules().any(|rule| here(&rule))) else {
        return false;
    };
    let is = |binding: &ElementBinding| {
        let used = case.now.saturating_sub(binding.used) <= UNUSED;
        let now = bind(
            kind,
            case.screen,
            case.site,
            std::slice::from_ref(&binding.signer),
            case.version,
            touched,
            binding.used,
        );
        used && case.signers.contains(&binding.signer) && now.as_ref() == Some(binding)
    };
    rules()
        .filter(here)
        .filter_map(|rule| rule.element.as_ref())
        .any(is)
}

/// Whether the switch about this kind asks; `None` where there is none.
pub(crate) fn switch(settings: &Settings, kind: AskKind) -> Option<bool> {
    let on = match kind {
        AskKind::Send => settings.ask_before.sending,
        AskKind::Delete => settings.ask_before.deleting,
        AskKind::Install | AskKind::Permission => settings.ask_before.installing,
        AskKind::Shell => settings.ask_before.shell,
        _ => return None,
    };
    Some(on && settings.level != Level::HardStops)
}
