//! Nodes become elements: what cannot be seen and what is mere layout goes, and what a person sees as one thing
//! becomes one.

use super::label;
use super::node::Node;
use super::node_facts::NodeFacts;
use super::role::{NodeContext, role};
use crate::rect;
use crate::text::{LABEL_CHARS, collapse, cut, holds_words};
use crate::tick::step;
use protocol::{Bounds, Element, ElementState, Role};

/// A label gathered from children stops growing here; what did not fit stays an element of its own.
const GATHERED_CHARS: usize = 400;
/// The same for the number of children.
const GATHERED_PIECES: usize = 12;

/// An element on its way, and what its track id is made of.
pub(super) struct Draft {
    pub(super) element: Element,
    /// Its node.
    pub(super) node: usize,
    /// The part of its label that names it: its own, or the first of its children's. Never a field's text.
    pub(super) key: String,
}

/// Makes the elements, in reading order, numbered from 1; track ids are still empty.
pub(super) fn build(nodes: &[Node], order: &[usize], width: u32, height: u32) -> Vec<Draft> {
    let screen = rect::screen(width, height);
    let mut seen = look(nodes, order, screen);
    for owner in 0..seen.len() {
        belong_by_place(owner, &mut seen);
    }
    for at in order {
        if seen[*at].shown && seen[*at].acts {
            gather(*at, &mut seen, nodes, rect::area(screen));
        }
    }
    label::name_by_neighbours(nodes, order, &mut seen);
    fold_echoes(nodes, order, &mut seen);
    let mut drafts = Vec::new();
    for at in order {
        let it = &seen[*at];
        let stands = it.acts || nodes[*at].scrollable || !it.label.is_empty() || is_gauge(it.role);
        if it.shown && !it.folded && stands {
            let index = u32::try_from(drafts.len() + 1).unwrap_or(u32::MAX);
            drafts.push(draft(index, *at, nodes, &seen));
        }
    }
    drafts
}

/// Bounds, roles, own words and owners; parents come before children.
fn look(nodes: &[Node], order: &[usize], screen: Bounds) -> Vec<NodeFacts> {
    let mut seen = vec![NodeFacts::default(); nodes.len() + 1];
    for at in order {
        let node = &nodes[*at];
        let parent = node.parent.map(|parent| (parent, &seen[parent]));
        let clip = parent.map_or(screen, |(_, parent)| parent.clip);
        let bounds = rect::intersect(node.bounds, clip);
        let shown = node.visible && !rect::is_empty(bounds);
        let web = parent.is_some_and(|(parent, it)| it.web || nodes[parent].class_name() == "WebView");
        let owner = match parent {
            Some((parent, it)) if it.shown && (it.acts || nodes[parent].scrollable) => parent,
            Some((_, it)) => it.owner,
            None => nodes.len(),
        };
        let around = NodeContext {
            web,
            parent: node.parent.map(|parent| &nodes[parent]),
        };
        let acts = node.clickable || node.long_clickable || node.checkable || node.is_field();
        let role = role(node, around);
        let label = if shown {
            label::own(node, role)
        } else {
            String::new()
        };
        if !shown {
            // Nothing of it is anybody's.
        } else if acts {
            seen[owner].actors.push(*at);
        } else if !label.is_empty() && !node.scrollable && !is_gauge(role) {
            seen[owner].pieces.push(*at);
        } else if matches!(
            role,
            Role::Button | Role::Checkbox | Role::Radio | Role::Switch | Role::Spinner
        ) {
            seen[owner].hints.push(*at);
        }
        seen[*at] = NodeFacts {
            bounds,
            shown,
            acts,
            role,
            key: label.clone(),
            label,
            clip: if node.scrollable && shown { bounds } else { clip },
            owner,
            web,
            ..NodeFacts::default()
        };
    }
    seen
}

/// Words that stand on a nameless thing that acts, without being inside it in the tree, are its words: toolkits draw
/// a row as a tappable area and its words as siblings.
fn belong_by_place(owner: usize, seen: &mut [NodeFacts]) {
    // A screen has some dozens of each; a tree made to be slow is left as it is.
    if seen[owner].actors.is_empty() || seen[owner].actors.len() * seen[owner].pieces.len() > 100_000 {
        return;
    }
    let actors = std::mem::take(&mut seen[owner].actors);
    let pieces = std::mem::take(&mut seen[owner].pieces);
    let nameless = |it: &NodeFacts| it.label.is_empty() && it.pieces.is_empty() && it.role != Role::Field;
    let open: Vec<bool> = actors.iter().map(|actor| nameless(&seen[*actor])).collect();
    let mut kept = Vec::new();
    for piece in pieces {
        let on = (0..actors.len())
            .inspect(|_| step())
            .filter(|n| rect::covers(seen[actors[*n]].bounds, seen[piece].bounds))
            .min_by_key(|n| rect::area(seen[actors[*n]].bounds));
        match on {
            Some(n) if open[n] => seen[actors[n]].pieces.push(piece),
            _ => kept.push(piece),
        }
    }
    seen[owner].pieces = kept;
    seen[owner].actors = actors;
}

/// A tappable container takes its children's words and, when it holds exactly one switch, that switch's part.
fn gather(at: usize, seen: &mut [NodeFacts], nodes: &[Node], screen_area: i64) {
    let mut pieces = std::mem::take(&mut seen[at].pieces);
    let actors = std::mem::take(&mut seen[at].actors);
    let hints = std::mem::take(&mut seen[at].hints);
    if seen[at].role == Role::Field {
        return;
    }
    // What fills most of the screen is a page, not a thing on it: its words stay apart.
    let page = rect::area(seen[at].bounds).saturating_mul(10) > screen_area.saturating_mul(6);
    let node = &nodes[at];
    let only = if let [only] = actors[..] { Some(only) } else { None };
    let toggle = only.filter(|only| {
        let child = &nodes[*only];
        child.checkable && !child.clickable && node.clickable && !node.checkable && !page
    });
    if let Some(toggle) = toggle {
        pieces.append(&mut seen[toggle].pieces);
    }
    if let [hint] = hints[..] {
        let (outer, inner) = (rect::area(seen[at].bounds), rect::area(seen[hint].bounds));
        let is_toggle = matches!(seen[hint].role, Role::Checkbox | Role::Radio | Role::Switch);
        if is_toggle == nodes[at].checkable && (is_toggle || inner.saturating_mul(2) >= outer) {
            seen[at].role = seen[hint].role;
        }
    }
    if !seen[at].label.is_empty() {
        let whole = seen[at].label.to_lowercase();
        for piece in pieces {
            step();
            let part = seen[piece].label.to_lowercase();
            // What a switch's row says of how it stands is its value.
            let says_state = seen[at].role == Role::Switch
                && label::is_state(&part)
                && part.chars().any(char::is_alphabetic);
            if whole == part || says_state || (whole.len() <= GATHERED_CHARS && holds_words(&whole, &part)) {
                seen[piece].folded = true;
            }
        }
    } else if !page {
        let mut label = String::new();
        for piece in pieces.into_iter().take(GATHERED_PIECES) {
            let part = &seen[piece].label;
            if label.len() + part.len() > GATHERED_CHARS {
                break;
            }
            if label.is_empty() {
                seen[at].key = seen[piece].label.clone();
                label.push_str(&seen[piece].label);
            } else {
                label.push_str(", ");
                label.push_str(part);
            }
            seen[piece].folded = true;
        }
        seen[at].label = label;
    }
    if let Some(toggle) = toggle {
        let words = seen[toggle].label.clone();
        let it = &mut seen[at];
        if it.label.is_empty() {
            it.key.clone_from(&words);
            it.label = words;
        } else if !words.is_empty() && !holds_words(&it.label.to_lowercase(), &words.to_lowercase()) {
            it.label.push_str(", ");
            it.label.push_str(&words);
        }
        seen[at].toggle = Some(toggle);
        seen[toggle].folded = true;
    } else if let Some(only) = only
        && seen[at].label.is_empty()
        && !node.checkable
        && !node.scrollable
        && nodes[only].clickable
    {
        // A nameless wrapper around one thing that acts is that thing.
        let (outer, inner) = (rect::area(seen[at].bounds), rect::area(seen[only].bounds));
        seen[at].folded = inner.saturating_mul(10) >= outer.saturating_mul(9);
    }
}

/// Words that only repeat what already stands around them (web pages and their wrappers do that).
fn fold_echoes(nodes: &[Node], order: &[usize], seen: &mut [NodeFacts]) {
    // For each node, the nearest enclosing one whose words stand.
    let mut around: Vec<Option<usize>> = vec![None; nodes.len()];
    for at in order {
        let above = nodes[*at].parent.and_then(|parent| {
            let it = &seen[parent];
            if it.shown && !it.folded && !it.label.is_empty() {
                Some(parent)
            } else {
                around[parent]
            }
        });
        around[*at] = above;
        let it = &seen[*at];
        if !it.acts
            && !nodes[*at].scrollable
            && !is_gauge(it.role)
            && above.is_some_and(|above| seen[above].label == it.label)
        {
            seen[*at].folded = true;
        }
    }
}

/// Shows a value on a line: stands even without words.
fn is_gauge(role: Role) -> bool {
    matches!(role, Role::Slider | Role::Progress | Role::Rating)
}

fn draft(index: u32, at: usize, nodes: &[Node], seen: &[NodeFacts]) -> Draft {
    let (node, it) = (&nodes[at], &seen[at]);
    let toggle = it.toggle.map(|child| (&nodes[child], &seen[child]));
    let role = toggle.map_or(it.role, |(_, child)| child.role);
    let checked = toggle.map_or(node.checked, |(child, _)| child.checked);
    let field = role == Role::Field;
    let mut label = it.label.clone();
    let mut value = match role {
        Role::Field if node.password => None,
        Role::Field if !node.hint.is_empty() && node.text == node.hint => Some(String::new()),
        Role::Field => Some(node.text.replace('\0', "")),
        Role::Switch => Some(if checked { "on" } else { "off" }.to_owned()),
        Role::Slider | Role::Progress | Role::Rating if !node.text.is_empty() => {
            Some(node.text.trim().to_owned())
        }
        Role::Spinner if !label.is_empty() => Some(label.clone()),
        _ => None,
    };
    cut(&mut label, LABEL_CHARS);
    let mut description = collapse(&node.description);
    cut(&mut description, LABEL_CHARS);
    if let Some(value) = &mut value {
        cut(value, LABEL_CHARS);
    }
    let states = [
        (ElementState::Clickable, node.clickable),
        (ElementState::LongClickable, node.long_clickable),
        (ElementState::Checkable, node.checkable || toggle.is_some()),
        (ElementState::Checked, checked),
        (
            ElementState::Disabled,
            !node.enabled || toggle.is_some_and(|(child, _)| !child.enabled),
        ),
        (ElementState::Focused, node.focused),
        (ElementState::Password, node.password),
        (ElementState::Scrollable, node.scrollable),
        (ElementState::Selected, node.selected),
        (ElementState::Editable, field && node.enabled),
    ];
    Draft {
        element: Element {
            index,
            track_id: String::new(),
            role,
            description: Some(description).filter(|words| !words.is_empty() && *words != label),
            label,
            value,
            states: states
                .iter()
                .filter(|(_, is)| *is)
                .map(|(state, _)| *state)
                .collect(),
            bounds: it.bounds,
            resource_id: node.resource_id.clone(),
            package: node.package.clone(),
        },
        node: at,
        key: it.key.clone(),
    }
}
