//! The names things are given without memory: the same thing gets the same name on every screen that shows it.
//! [`Tracker`](crate::Tracker) makes of them, and of all the rest, ids that follow a thing.
//!
//! A name is made of what does not change while a thing stays the same thing: its package, the resource ids above it
//! and its own, its class, and its words where they do not count or tell the time (digits are left out, so
//! `Pay $23.40` keeps its name when the total changes). An entry of a list is known by its first words instead, digits
//! and all, for its place changes with every scroll. What is still alike is told apart by its order on the screen.
//! A name says *probably the same thing*; whether it is unchanged is another question, which `same` answers.

use super::element::Draft;
use super::node::Node;
use super::role;
use crate::stable_hash::{FnvHasher, write};
use crate::text::{collapse, without_digits};
use crate::tick::step;
use std::collections::HashMap;

/// How far into a list's entry its first words are looked for, in nodes.
const ENTRY_NODES: usize = 64;

/// Gives every draft its track id, eight letters and digits; among equals `.2`, `.3`, … follow.
pub(super) fn assign(drafts: &mut [Draft], nodes: &[Node], order: &[usize]) {
    let paths = paths(nodes, order);
    let mut met: HashMap<u64, u32> = HashMap::new();
    for draft in drafts {
        let node = &nodes[draft.node];
        let path = &paths[draft.node];
        let mut hash = FnvHasher(path.hash);
        hash.field(&node.package);
        hash.field(&node.class);
        if path.in_entry {
            hash.field(&draft.key);
        } else {
            hash.field(&without_digits(&draft.key));
        }
        let name = hash.mixed();
        // As many bits as are written.
        let ordinal = met.entry(name >> 24).or_insert(0);
        *ordinal += 1;
        draft.element.track_id = write(name, *ordinal);
    }
}

/// The ids from the root down to a node, its own included, as one number.
#[derive(Clone, Copy, Default)]
struct Path {
    hash: u64,
    /// Inside an entry of a list.
    in_entry: bool,
}

fn paths(nodes: &[Node], order: &[usize]) -> Vec<Path> {
    let mut children = vec![0_u32; nodes.len()];
    let mut depth = vec![0_usize; nodes.len()];
    let mut alike: HashMap<(usize, &str), u32> = HashMap::new();
    for at in order {
        let node = &nodes[*at];
        if let Some(parent) = node.parent {
            children[parent] += 1;
            depth[*at] = depth[parent] + 1;
            *alike.entry((parent, node.resource_id.as_str())).or_default() += 1;
        }
    }
    let only_its_id = |node: &Node| {
        let Some(parent) = node.parent else { return true };
        !node.resource_id.is_empty() && alike.get(&(parent, node.resource_id.as_str())) == Some(&1)
    };
    let mut paths = vec![
        Path {
            hash: FnvHasher::START,
            in_entry: false,
        };
        nodes.len()
    ];
    for (position, at) in order.iter().enumerate() {
        let node = &nodes[*at];
        let mut path = node.parent.map_or(paths[*at], |parent| paths[parent]);
        let mut hash = FnvHasher(path.hash);
        if !node.resource_id.is_empty() {
            hash.field(&node.resource_id);
        }
        if !only_its_id(node)
            && is_entry(*at, nodes, &children)
            && let Some(words) = first_words(position, nodes, order, &depth)
        {
            hash.field(&words);
            path.in_entry = true;
        }
        path.hash = hash.0;
        paths[*at] = path;
    }
    paths
}

/// One of several like things in something that scrolls: a child of it, or a grandchild through a lone layout, less
/// than half as large (a page that fills its pager is no entry).
fn is_entry(at: usize, nodes: &[Node], children: &[u32]) -> bool {
    let Some(parent) = nodes[at].parent else {
        return false;
    };
    let lists = |node: &Node| node.scrollable || role::is_rows(node);
    let list = if lists(&nodes[parent]) {
        parent
    } else {
        match nodes[parent].parent {
            Some(above) if lists(&nodes[above]) && children[above] == 1 => above,
            _ => return false,
        }
    };
    crate::rect::area(nodes[at].bounds).saturating_mul(2) < crate::rect::area(nodes[list].bounds)
}

/// The first words in an entry, those with letters before bare numbers.
fn first_words(position: usize, nodes: &[Node], order: &[usize], depth: &[usize]) -> Option<String> {
    let top = depth[order[position]];
    let mut number = None;
    for (offset, at) in order[position..].iter().take(ENTRY_NODES).enumerate() {
        step();
        if offset > 0 && depth[*at] <= top {
            break;
        }
        let node = &nodes[*at];
        if !node.visible || node.is_field() || node.checkable {
            continue;
        }
        let words = [&node.text, &node.description]
            .into_iter()
            .map(|text| collapse(text))
            .find(|t| !t.is_empty());
        match words {
            Some(words) if words.chars().any(char::is_alphabetic) => return Some(words),
            Some(words) => number = number.or(Some(words)),
            None => {}
        }
    }
    number
}
