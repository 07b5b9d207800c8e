//! What an act is about: the words that stand around the thing it is done to.
//!
//! A button says what is done, and seldom to whom or what: that stands beside it. A person who says Yes has read it there, so
//! it is part of what the Yes is for.

use crate::elapsed::{has_run_out, is_same_later};
use crate::party::title;
use crate::rect;
use crate::target::is_actionable;
use crate::text::digit;
use protocol::{Bounds, Element, ElementState, Role, Screen};

/// A page of so few things with words is about one matter.
const FEW: usize = 8;
/// What goes on moving on a larger part of the screen than one of so many is the page itself.
const PART: i64 = 3;

/// The words an act is about: on a dialog and on a small page all of them; else those of its row or card, or what is read
/// above it up to the next thing there that can be pressed, that one with it; and the title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Sorted: what stands there counts, not where.
    texts: Vec<String>,
    reach: ScopeKind,
    at: u64,
}

/// How much of a screen an act is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScopeKind {
    /// Everything in it is of the matter: what comes is as much a change as what goes.
    Whole,
    /// A small page is about one matter, and has room for what is not of it: what comes is no change.
    Small,
    /// A part of a larger page; what comes is no change.
    Page,
}

impl Scope {
    /// Of an act on `target`, or on the screen as a whole. What fields hold is left out, as it is written by the act or counted
    /// by itself; so is what stands on the target. `restless` is where something goes on changing.
    #[must_use]
    pub fn of(screen: &Screen, target: Option<&Element>, restless: Option<Bounds>) -> Self {
        Self::on(screen, target, restless, FEW)
    }

    /// The same act on a later look. A small page that has become larger meanwhile is read whole all the same.
    #[must_use]
    pub fn again(&self, later: &Screen, target: Option<&Element>, restless: Option<Bounds>) -> Self {
        let few = if self.reach == ScopeKind::Small {
            usize::MAX
        } else {
            FEW
        };
        Self::on(later, target, restless, few)
    }

    fn on(screen: &Screen, target: Option<&Element>, restless: Option<Bounds>, few: usize) -> Self {
        let target_is = |e: &Element| target.is_some_and(|target| target.index == e.index);
        let package = target.map_or(screen.current_app.as_str(), |target| target.package.as_str());
        let own = || screen.elements.iter().filter(|e| e.package == package);
        let said: Vec<&Element> = own().filter(|e| !target_is(e) && says(e)).collect();
        let (around, reach): (Vec<&Element>, ScopeKind) = if is_dialog(screen, own) {
            (said, ScopeKind::Whole)
        } else if said.len() < few {
            (said, ScopeKind::Small)
        } else if let Some(target) = target {
            match rows(target, own()) {
                Some(row) => (
                    said.into_iter().filter(|e| is_within(e, row)).collect(),
                    ScopeKind::Whole,
                ),
                None => (read_before(target, &said), ScopeKind::Page),
            }
        } else {
            (Vec::new(), ScopeKind::Page)
        };
        let restless = restless.filter(|area| {
            reach != ScopeKind::Whole
                && rect::area(*area) * PART <= rect::area(rect::screen(screen.width, screen.height))
        });
        let stays = |e: &&&Element| {
            reach == ScopeKind::Whole
                || !(restless.is_some_and(|area| is_of(e.bounds, area)) || is_passing(e, screen))
        };
        let mut texts: Vec<String> = around.iter().filter(stays).map(|e| words(e)).collect();
        texts.extend(title(screen));
        texts.sort_unstable();
        texts.dedup();
        Self {
            texts,
            reach,
            at: screen.captured_at,
        }
    }

    /// The words, sorted.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether an act on a later look is about the same: each word is still there, but for times that went on as time did; on a
    /// dialog and in a row no other word came.
    #[must_use]
    pub fn holds(&self, later: &Self) -> bool {
        let seconds = later.at.saturating_sub(self.at) / 1000;
        let mut new: Vec<&String> = later.texts.iter().collect();
        let mut gone: Vec<&String> = Vec::new();
        for text in &self.texts {
            match new.iter().position(|one| *one == text) {
                Some(at) => drop(new.swap_remove(at)),
                None => gone.push(text),
            }
        }
        let all = gone.iter().all(|text| {
            let again = new
                .iter()
                .position(|one| is_same_later(text, one, seconds) || has_run_out(text, one, seconds));
            again.map(|at| new.swap_remove(at)).is_some()
        });
        all && (self.reach != ScopeKind::Whole || new.is_empty())
    }
}

/// Whether it says something that is no draft and no mere container.
fn says(element: &Element) -> bool {
    let silent = matches!(
        element.role,
        Role::Field
            | Role::List
            | Role::ScrollArea
            | Role::Pager
            | Role::Web
            | Role::KeyboardKey
            | Role::Progress
            | Role::Slider
    );
    !silent && !element.label.trim().is_empty()
}

/// What stands on it, and whether it is checked.
fn words(element: &Element) -> String {
    if element.states.contains(&ElementState::Checked) {
        format!("{} ✓", element.label)
    } else {
        element.label.clone()
    }
}

/// What comes and goes on a page by itself: a bare count, and what the app itself calls an advertisement or a carousel. A web
/// page names its things as it likes: it is believed nothing.
fn is_passing(element: &Element, screen: &Screen) -> bool {
    const NAMES: [&str; 10] = [
        "ad",
        "ads",
        "advert",
        "advertisement",
        "banner",
        "carousel",
        "promo",
        "sponsored",
        "ticker",
        "marquee",
    ];
    let label = element.label.trim();
    let count = label.chars().count() <= 6
        && label
            .chars()
            .all(|c| digit(c).is_some() || matches!(c, '.' | ',' | '+' | 'k' | 'K' | 'M'));
    let mut pages = screen.elements.iter().filter(|e| e.role == Role::Web);
    let in_page = pages.any(|page| rect::covers(page.bounds, element.bounds));
    let id = element.resource_id.strip_prefix(element.package.as_str());
    let id = id.and_then(|rest| rest.strip_prefix(":id/")).filter(|_| !in_page);
    count
        || id
            .unwrap_or_default()
            .split('_')
            .any(|word| NAMES.contains(&word))
}

/// A window over another, by Android's ids or by its place.
fn is_dialog<'a, I: Iterator<Item = &'a Element>>(screen: &Screen, own: impl Fn() -> I) -> bool {
    const IDS: [&str; 4] = ["alertTitle", "button1", "button2", "permission_message"];
    let named = |e: &Element| IDS.contains(&e.resource_id.rsplit('/').next().unwrap_or_default());
    if own().any(named) {
        return true;
    }
    let height = i64::from(screen.height);
    let (Some(top), Some(bottom)) = (
        own().map(|e| i64::from(e.bounds.top)).min(),
        own().map(|e| i64::from(e.bounds.bottom)).max(),
    ) else {
        return false;
    };
    top * 100 > height * 15 && (bottom - top) * 100 < height * 75
}

/// From the like thing above to the like thing below: the row or card of one of several. The first and the last reach as far to
/// the other side as to the one where another is. `None`: there is no other.
fn rows<'a>(target: &Element, own: impl Iterator<Item = &'a Element>) -> Option<(i32, i32)> {
    let b = target.bounds;
    let like = |e: &&Element| {
        e.index != target.index
            && e.role == target.role
            && e.resource_id == target.resource_id
            && (!target.resource_id.is_empty() || e.label == target.label)
            && e.bounds.left < b.right
            && b.left < e.bounds.right
    };
    let (mut above, mut below): (Option<i32>, Option<i32>) = (None, None);
    for other in own.filter(like).map(|e| e.bounds) {
        if other.bottom <= b.top {
            above = above.max(Some(other.bottom));
        } else if other.top >= b.bottom {
            below = Some(below.map_or(other.top, |top| top.min(other.top)));
        }
    }
    match (above, below) {
        (None, None) => None,
        (Some(above), Some(below)) => Some((above, below)),
        (Some(above), None) => Some((above, b.bottom.saturating_add(b.top.saturating_sub(above)))),
        (None, Some(below)) => Some((b.top.saturating_sub(below.saturating_sub(b.bottom)), below)),
    }
}

fn is_within(element: &Element, (top, bottom): (i32, i32)) -> bool {
    let (_, middle) = rect::centre(element.bounds);
    top <= middle && middle < bottom
}

/// What stands in the target's own line, and what is read above it up to the next thing there that can be pressed, that one and
/// the buttons it stands among with it: a name is often one.
fn read_before<'a>(target: &Element, said: &[&'a Element]) -> Vec<&'a Element> {
    let b = target.bounds;
    let in_line = |e: &Element| e.bounds.top < b.bottom && b.top < e.bounds.bottom;
    let mut found: Vec<&Element> = said.iter().copied().filter(|e| in_line(e)).collect();
    let mut above: Vec<&Element> = said
        .iter()
        .copied()
        .filter(|e| e.bounds.bottom <= b.top)
        .collect();
    above.sort_by_key(|e| std::cmp::Reverse(rect::centre(e.bounds).1));
    let mut has_read = false;
    for element in above {
        found.push(element);
        if !is_actionable(element) {
            has_read = true;
        } else if has_read {
            break;
        }
    }
    found
}

/// Whether what moves is a part of this: at least a quarter of it.
fn is_of(b: Bounds, area: Bounds) -> bool {
    rect::area(rect::intersect(b, area)) * 4 >= rect::area(b)
}
