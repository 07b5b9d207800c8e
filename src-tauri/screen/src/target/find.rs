//! Elements by number and by text.

use super::error::{Candidate, TargetError};
use super::region::middle;
use crate::money::amounts;
use crate::rect;
use crate::stable_hash::base;
use crate::text::{collapse, fold, without_digits};
use protocol::{Element, ElementState, LocatorStrategy, Screen};

/// Candidates named in a refusal.
const CANDIDATES: usize = 20;

/// The element a number of `shown` means, on `now`.
pub(super) fn by_number<'a>(
    number: u32,
    shown: &Screen,
    now: &'a Screen,
) -> Result<&'a Element, TargetError> {
    let no_such = |screen: &Screen| TargetError::NoElement {
        number,
        count: screen.elements.len(),
    };
    let find = |screen: &'a Screen| screen.elements.iter().find(|e| e.index == number);
    if std::ptr::eq(shown, now) {
        return find(now).ok_or(no_such(now));
    }
    let meant = shown
        .elements
        .iter()
        .find(|e| e.index == number)
        .ok_or(no_such(shown))?;
    let same = |e: &&Element| e.role == meant.role && e.label == meant.label;
    let again = now
        .elements
        .iter()
        .find(|e| e.track_id == meant.track_id)
        .filter(same)
        .filter(|e| is_certain(meant, e, shown, now));
    let in_place = || find(now).filter(same).filter(|e| e.bounds == meant.bounds);
    again.or_else(in_place).ok_or(TargetError::Stale { number })
}

/// The element with a track id, on `now`. Where the model was shown it, it must still be of the same kind and say the
/// same, numbers that are no money aside (a counter runs, a price does not).
pub(super) fn by_track<'a>(id: &str, shown: &Screen, now: &'a Screen) -> Result<&'a Element, TargetError> {
    let find = |screen: &'a Screen| screen.elements.iter().find(|e| e.track_id == id);
    let gone = || TargetError::NoTrackId(id.to_owned());
    let found = find(now).ok_or_else(gone)?;
    if std::ptr::eq(shown, now) {
        return Ok(found);
    }
    let Some(meant) = shown.elements.iter().find(|e| e.track_id == id) else {
        // From an earlier screen: good where nothing else can be meant.
        return if has_twins(id, now) {
            Err(gone())
        } else {
            Ok(found)
        };
    };
    let says = |e: &Element| (without_digits(&e.label), amounts(&e.label));
    let same = found.role == meant.role && (found.label == meant.label || says(found) == says(meant));
    if same && is_certain(meant, found, shown, now) {
        Ok(found)
    } else {
        Err(TargetError::Stale { number: meant.index })
    }
}

/// Whether two elements with one track id are one thing. A memoryless name counts those that are alike in their order
/// (`name.2`): there it says little once one came or went, and the place must say the same.
fn is_certain(meant: &Element, found: &Element, shown: &Screen, now: &Screen) -> bool {
    let twins = has_twins(&meant.track_id, shown) || has_twins(&meant.track_id, now);
    !twins || meant.bounds == found.bounds
}

/// Whether others share a name without its ordinal. The ids a [`Tracker`](crate::Tracker) gives are never shared.
fn has_twins(id: &str, screen: &Screen) -> bool {
    let like = screen.elements.iter().filter(|e| base(&e.track_id) == base(id));
    id.contains('.') || like.count() > 1
}

/// The element that says a text, by the first way that finds any.
pub(super) fn by_text<'a>(
    text: &str,
    region: Option<[f64; 4]>,
    screen: &'a Screen,
) -> Result<(&'a Element, LocatorStrategy), TargetError> {
    let wanted = collapse(text);
    let folded = fold(text);
    let strategy = |words: &str| {
        if words == wanted {
            return Some(LocatorStrategy::TextExact);
        }
        let words = fold(words);
        if words == folded {
            Some(LocatorStrategy::TextAnyCase)
        } else {
            words.contains(&folded).then_some(LocatorStrategy::TextContains)
        }
    };
    // The strategies are declared in the order they are tried.
    let best = |e: &Element| {
        [
            Some(e.label.as_str()),
            e.description.as_deref(),
            e.value.as_deref(),
        ]
        .into_iter()
        .flatten()
        .filter_map(strategy)
        .min()
    };
    let fits: Vec<(LocatorStrategy, &Element)> = screen
        .elements
        .iter()
        .filter_map(|e| best(e).map(|by| (by, e)))
        .collect();
    let Some(found_by) = fits.iter().map(|(by, _)| *by).min() else {
        return Err(TargetError::NoText(wanted));
    };
    let all: Vec<&Element> = fits
        .into_iter()
        .filter(|(by, _)| *by == found_by)
        .map(|(_, e)| e)
        .collect();
    let tappable: Vec<&Element> = all.iter().copied().filter(|e| is_actionable(e)).collect();
    let best = if tappable.is_empty() { all } else { tappable };
    match one_of(&best, region, screen) {
        Some(element) => Ok((element, found_by)),
        None => Err(TargetError::Ambiguous {
            count: best.len(),
            candidates: best
                .iter()
                .take(CANDIDATES)
                .map(|e| Candidate::of(e, screen))
                .collect(),
        }),
    }
}

/// The one that is meant among equally good ones, if one is.
fn one_of<'a>(fits: &[&'a Element], region: Option<[f64; 4]>, screen: &Screen) -> Option<&'a Element> {
    let innermost = *fits.iter().min_by_key(|e| rect::area(e.bounds))?;
    if fits.iter().all(|e| rect::covers(e.bounds, innermost.bounds)) {
        return Some(innermost);
    }
    let (x, y) = middle(region?, screen).ok()?;
    let mut pointed = fits.iter().filter(|e| rect::holds(e.bounds, x, y));
    match (pointed.next(), pointed.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Whether a touch on it does something: it can be tapped, pressed, checked or typed into.
#[must_use]
pub fn is_actionable(element: &Element) -> bool {
    element.states.iter().any(|state| {
        matches!(
            state,
            ElementState::Clickable
                | ElementState::LongClickable
                | ElementState::Checkable
                | ElementState::Editable
        )
    })
}
