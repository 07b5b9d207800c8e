//! Elements by number and by text.

use super::{Miss, Rule, is_actionable, middle};
use crate::rect;
use crate::text::{collapse, fold};
use protocol::{Element, Screen};

/// The element a number of `shown` means, on `now`.
pub(super) fn by_number<'a>(number: u32, shown: &Screen, now: &'a Screen) -> Result<&'a Element, Miss> {
    let find = |screen: &'a Screen| screen.elements.iter().find(|e| e.index == number);
    if std::ptr::eq(shown, now) {
        return find(now).ok_or(Miss::NoElement {
            number,
            count: now.elements.len(),
        });
    }
    let meant = shown
        .elements
        .iter()
        .find(|e| e.index == number)
        .ok_or(Miss::NoElement {
            number,
            count: shown.elements.len(),
        })?;
    let same = |e: &&Element| e.role == meant.role && e.label == meant.label;
    let again = now
        .elements
        .iter()
        .find(|e| e.track_id == meant.track_id)
        .filter(same);
    let in_place = || find(now).filter(same).filter(|e| e.bounds == meant.bounds);
    again.or_else(in_place).ok_or(Miss::Stale { number })
}

/// The element that says a text, by the best rule that finds any.
pub(super) fn by_text<'a>(
    text: &str,
    region: Option<[f64; 4]>,
    screen: &'a Screen,
) -> Result<(&'a Element, Rule), Miss> {
    let wanted = collapse(text);
    let folded = fold(text);
    let rule = |words: &str| {
        if words == wanted {
            return Some(Rule::TextExact);
        }
        let words = fold(words);
        if words == folded {
            Some(Rule::TextAnyCase)
        } else {
            words.contains(&folded).then_some(Rule::TextContains)
        }
    };
    // The rules are declared in the order they are tried.
    let best_rule = |e: &Element| {
        [Some(e.label.as_str()), e.value.as_deref()]
            .into_iter()
            .flatten()
            .filter_map(rule)
            .min()
    };
    let fits: Vec<(Rule, &Element)> = screen
        .elements
        .iter()
        .filter_map(|e| best_rule(e).map(|rule| (rule, e)))
        .collect();
    let Some(rule) = fits.iter().map(|(rule, _)| *rule).min() else {
        return Err(Miss::NoText(wanted));
    };
    let all: Vec<&Element> = fits
        .into_iter()
        .filter(|(r, _)| *r == rule)
        .map(|(_, e)| e)
        .collect();
    let tappable: Vec<&Element> = all.iter().copied().filter(|e| is_actionable(e)).collect();
    let best = if tappable.is_empty() { all } else { tappable };
    match one_of(&best, region, screen) {
        Some(element) => Ok((element, rule)),
        None => Err(Miss::Ambiguous {
            candidates: best.iter().take(20).map(|e| e.index).collect(),
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
