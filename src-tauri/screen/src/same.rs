//! Is it still the same screen?
//!
//! Two questions. [`changed`] is asked after a person's Yes and is strict: one cent or one letter voids it.
//! [`same_place`] counts how often the same action was tried on the same screen, and is forgiving.

use crate::account::accounts;
use crate::money::{amounts, pieces_on};
use crate::party::parties;
use crate::picture::{Scale, crop, difference, fingerprint, status_bar};
use crate::rect;
use crate::scope::Scope;
use crate::text::{digit, without_digits};
use protocol::{Bounds, Element, ElementState, Role, Screen};
use std::collections::HashMap;

/// Why a Yes given on an earlier look no longer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Another app is in front.
    App,
    /// Another window is.
    Window,
    /// Another site is in front, in a browser: whoever knows the sites says so.
    Site,
    /// The screen has another size: it was turned.
    Size,
    /// Another answer to "can it be seen?": protected, black or failed where it was not, or the other way round.
    Capture,
    /// The elements could be read on one look and not on the other.
    Tree,
    /// The element is gone.
    TargetGone,
    /// It has become another kind of thing.
    TargetRole,
    /// Something else stands on it.
    TargetLabel,
    /// It holds something else, or is checked where it was not.
    TargetValue,
    /// It moved or grew by more than 2 % of the screen.
    TargetMoved,
    /// It looks different.
    TargetPicture,
    /// An amount of money is different, gone or new.
    Amount,
    /// A card or account is.
    Account,
    /// A recipient is.
    Recipient,
    /// What stands in a field is: the message itself.
    Field,
    /// What stands around the target is: what the act is about.
    Words,
    /// On a screen without elements: the picture is different.
    Picture,
}

impl Change {
    /// A stable word for events and logs: `app`, `target_gone`, …
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Window => "window",
            Self::Site => "site",
            Self::Size => "size",
            Self::Capture => "capture",
            Self::Tree => "tree",
            Self::TargetGone => "target_gone",
            Self::TargetRole => "target_role",
            Self::TargetLabel => "target_label",
            Self::TargetValue => "target_value",
            Self::TargetMoved => "target_moved",
            Self::TargetPicture => "target_picture",
            Self::Amount => "amount",
            Self::Account => "account",
            Self::Recipient => "recipient",
            Self::Field => "field",
            Self::Words => "words",
            Self::Picture => "picture",
        }
    }
}

/// What may differ between a question's look and the newest one.
#[derive(Clone, Copy, Debug, Default)]
pub struct MayDiffer<'a> {
    /// Where something went on changing when it was asked.
    pub restless: Option<Bounds>,
    /// The field that is to be written in: what it holds.
    pub field: Option<&'a Element>,
}

/// What changed between the look a person said Yes to and the newest one; `None`: nothing that matters.
///
/// Changed means: another app or window; the target gone, or with another label, role, value or picture, or moved by
/// more than 2 % of the screen; any amount, account or recipient different, gone or new; other text in a field; other words
/// in what the act is about ([`Scope`]). Where the elements could be read on neither look, any change of the picture counts.
/// The status bar, a blinking text cursor, and movement and words elsewhere do not. `target` is the element on `before`. Give
/// both screens with all their elements, not cut by a cap.
#[must_use]
pub fn changed(before: &Screen, after: &Screen, target: Option<&Element>) -> Option<Change> {
    changed_but(before, after, target, MayDiffer::default())
}

/// The same, but for what may differ.
#[must_use]
pub fn changed_but(
    before: &Screen,
    after: &Screen,
    target: Option<&Element>,
    but: MayDiffer<'_>,
) -> Option<Change> {
    if before.current_app != after.current_app {
        return Some(Change::App);
    }
    if before.window != after.window {
        return Some(Change::Window);
    }
    if (before.width, before.height) != (after.width, after.height) {
        return Some(Change::Size);
    }
    if before.capture != after.capture || before.frame.is_some() != after.frame.is_some() {
        return Some(Change::Capture);
    }
    if before.tree_read != after.tree_read {
        return Some(Change::Tree);
    }
    if !before.tree_read {
        return whole_picture(before, after);
    }
    if let Some(target) = target
        && let Some(change) = target_changed(before, after, target)
    {
        return Some(change);
    }
    let (old, new) = (
        ScreenFacts::of(before, but.field),
        ScreenFacts::of(after, but.field),
    );
    if old.amounts != new.amounts {
        return Some(Change::Amount);
    }
    if old.accounts != new.accounts {
        return Some(Change::Account);
    }
    if old.parties != new.parties {
        return Some(Change::Recipient);
    }
    if old.fields != new.fields {
        return Some(Change::Field);
    }
    let about = target.or(but.field);
    let again = about.and_then(|about| again(after, about));
    let scope = Scope::of(before, about, but.restless);
    let later = scope.again(after, again, but.restless);
    (!scope.holds(&later)).then_some(Change::Words)
}

/// Every fact on a screen that a Yes may have rested on, sorted: only what is there counts, not where.
struct ScreenFacts {
    amounts: Vec<String>,
    accounts: Vec<String>,
    parties: Vec<String>,
    fields: Vec<String>,
}

impl ScreenFacts {
    fn of(screen: &Screen, but: Option<&Element>) -> Self {
        // What it holds may be all that stands on it.
        let is_it = |e: &Element| {
            but.is_some_and(|but| {
                let there = e.resource_id == but.resource_id && !has_moved(but.bounds, e.bounds, screen);
                e.track_id == but.track_id || there
            })
        };
        let shown = pieces_on(own_elements(screen));
        let amounts = shown.amounts.into_iter().map(|(_, amount)| amount.text);
        let mut facts = Self {
            amounts: amounts
                .chain(shown.figures.into_iter().map(|figure| figure.text))
                .collect(),
            accounts: Vec::new(),
            parties: parties(screen).into_iter().map(|party| party.text).collect(),
            fields: Vec::new(),
        };
        for element in own_elements(screen) {
            for text in texts(element) {
                facts
                    .accounts
                    .extend(accounts(text).into_iter().map(|account| account.text));
            }
            if element.role == Role::Field
                && !is_it(element)
                && let Some(value) = &element.value
            {
                facts.fields.push(value.clone());
            }
        }
        for list in [
            &mut facts.amounts,
            &mut facts.accounts,
            &mut facts.parties,
            &mut facts.fields,
        ] {
            list.sort_unstable();
        }
        facts
    }
}

/// The app's own elements: not the system's bars.
fn own_elements(screen: &Screen) -> impl Iterator<Item = &Element> {
    const SYSTEM: &str = "com.android.systemui";
    screen
        .elements
        .iter()
        .filter(|e| e.package != SYSTEM || screen.current_app == SYSTEM)
}

/// An element's label, and its value where that says something else.
fn texts(element: &Element) -> impl Iterator<Item = &str> {
    let value = element.value.as_deref().filter(|value| *value != element.label);
    [Some(element.label.as_str()), value].into_iter().flatten()
}

/// A thing of one look on a later one.
#[must_use]
pub fn again<'a>(after: &'a Screen, target: &Element) -> Option<&'a Element> {
    let mut elements = after.elements.iter();
    let tracked = elements.find(|e| e.track_id == target.track_id);
    // A new like thing before it moves the ordinals: then it is known by all the rest.
    tracked.or_else(|| after.elements.iter().find(|e| is_like(target, e, after)))
}

/// Whether it is known by all but its track: what it is, what stands on it and where it is.
fn is_like(target: &Element, e: &Element, screen: &Screen) -> bool {
    let same = e.role == target.role && e.label == target.label;
    e.resource_id == target.resource_id && same && !has_moved(target.bounds, e.bounds, screen)
}

fn target_changed(before: &Screen, after: &Screen, target: &Element) -> Option<Change> {
    let Some(again) = again(after, target) else {
        return Some(Change::TargetGone);
    };
    let checked = |e: &Element| e.states.contains(&ElementState::Checked);
    if again.role != target.role {
        Some(Change::TargetRole)
    } else if again.label != target.label {
        Some(Change::TargetLabel)
    } else if again.value != target.value || checked(again) != checked(target) {
        Some(Change::TargetValue)
    } else if has_moved(target.bounds, again.bounds, after) {
        Some(Change::TargetMoved)
    } else {
        target_picture(before, after, target.bounds, again.bounds)
    }
}

/// Any edge by more than 2 % of the screen's width or height.
fn has_moved(a: Bounds, b: Bounds, screen: &Screen) -> bool {
    let far = |a: i32, b: i32, size: u32| i64::from(a).abs_diff(i64::from(b)) * 50 > u64::from(size);
    far(a.left, b.left, screen.width)
        || far(a.right, b.right, screen.width)
        || far(a.top, b.top, screen.height)
        || far(a.bottom, b.bottom, screen.height)
}

fn target_picture(before: &Screen, after: &Screen, old: Bounds, new: Bounds) -> Option<Change> {
    let (Some(old_frame), Some(new_frame)) = (&before.frame, &after.frame) else {
        return None;
    };
    // All that follows is in pixels of the pictures, which may be smaller than the screens.
    let scale = |screen: &Screen, frame| Scale::of((screen.width, screen.height), frame);
    let (old_scale, new_scale) = (scale(before, old_frame), scale(after, new_frame));
    let (old, new) = (old_scale.on_picture(old), new_scale.on_picture(new));
    // Its edges may have moved a little: what both show from the top left corner on is compared.
    let size = |b: Bounds| (b.right.saturating_sub(b.left), b.bottom.saturating_sub(b.top));
    let ((w1, h1), (w2, h2)) = (size(old), size(new));
    let part = |b: Bounds| Bounds {
        right: b.left.saturating_add(w1.min(w2)),
        bottom: b.top.saturating_add(h1.min(h2)),
        ..b
    };
    match (crop(old_frame, part(old)), crop(new_frame, part(new))) {
        (Ok(a), Ok(b)) => {
            let bar = old_scale.on_picture(status_bar(before.width, before.height));
            let bar = Bounds {
                left: bar.left.saturating_sub(old.left),
                top: bar.top.saturating_sub(old.top),
                right: bar.right.saturating_sub(old.left),
                bottom: bar.bottom.saturating_sub(old.top),
            };
            // A target that lies wholly in the bar has nothing else to be compared by.
            let whole = rect::screen(a.width, a.height);
            let ignoring: &[Bounds] = if rect::covers(bar, whole) { &[] } else { &[bar] };
            let difference = difference(&a, &b, ignoring);
            (!difference.is_none() && !difference.is_caret()).then_some(Change::TargetPicture)
        }
        (Err(a), Err(b)) if a == b => None,
        _ => Some(Change::TargetPicture),
    }
}

fn whole_picture(before: &Screen, after: &Screen) -> Option<Change> {
    let (Some(a), Some(b)) = (&before.frame, &after.frame) else {
        // Neither elements nor a picture, on both looks: nothing says it is the same.
        return (!std::ptr::eq(before, after) && before != after).then_some(Change::Picture);
    };
    let difference = difference(a, b, &[status_bar(a.width, a.height)]);
    (!difference.is_none() && !difference.is_caret()).then_some(Change::Picture)
}

/// Whether two looks are at the same screen, for counting the same action on it. Another app, window or size is
/// another place. So is one where something was achieved: other text in a field, something checked or chosen, other
/// amounts or counts. Clocks, moving pictures and a few other words do not make another place.
#[must_use]
pub fn same_place(before: &Screen, after: &Screen) -> bool {
    if before.current_app != after.current_app
        || before.window != after.window
        || (before.width, before.height) != (after.width, after.height)
    {
        return false;
    }
    let readable = |screen: &Screen| screen.tree_read && !screen.elements.is_empty();
    if readable(before) && readable(after) {
        return progress(before) == progress(after) && likeness(before, after) >= 0.8;
    }
    match (&before.frame, &after.frame) {
        (Some(a), Some(b)) => {
            let bar = [status_bar(a.width, a.height)];
            fingerprint(a, &bar).distance(&fingerprint(b, &bar)) <= 0.02
        }
        (None, None) => true,
        _ => false,
    }
}

/// What shows that an action had an effect.
fn progress(screen: &Screen) -> Vec<String> {
    let mut signs = Vec::new();
    for element in own_elements(screen) {
        let is = |state| element.states.contains(&state);
        if is(ElementState::Checked) || is(ElementState::Selected) {
            signs.push(format!("chosen {}", element.track_id));
        }
        if let Some(value) = &element.value {
            signs.push(format!("value {value}"));
        }
        let label = element.label.trim();
        let counts = !label.is_empty()
            && label
                .chars()
                .all(|c| digit(c).is_some() || matches!(c, '.' | ','));
        if counts {
            signs.push(format!("count {label}"));
        }
        signs.extend(amounts(label).into_iter().map(|amount| amount.text));
    }
    signs.sort_unstable();
    signs
}

/// How much of what stands on either screen stands on both, from 0 to 1; numbers in texts do not count.
fn likeness(before: &Screen, after: &Screen) -> f64 {
    let mut left: HashMap<(Role, String), u32> = HashMap::new();
    let key = |e: &'_ Element| without_digits(&e.label);
    let mut all = 0_u32;
    for element in own_elements(before) {
        *left.entry((element.role, key(element))).or_default() += 1;
        all += 1;
    }
    let mut both = 0_u32;
    for element in own_elements(after) {
        match left.get_mut(&(element.role, key(element))) {
            Some(count) if *count > 0 => {
                *count -= 1;
                both += 1;
            }
            _ => all += 1,
        }
    }
    if all == 0 {
        1.0
    } else {
        f64::from(both) / f64::from(all)
    }
}
