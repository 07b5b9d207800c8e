//! What stands on a node, or beside it where nothing stands on it.

use super::Node;
use super::element::Seen;
use crate::text::{LABEL_CHARS, collapse, cut};

/// How many siblings are looked at for a name.
const NEIGHBOURS: usize = 4;

/// A node's own words. A field's are its description or hint, not what is typed in it; a gauge's its description,
/// not its value; a switch's not its `ON` or `OFF`.
pub(super) fn own(node: &Node, role: &str) -> String {
    let candidates: [&str; 2] = match role {
        "field" => [&node.description, &node.hint],
        "slider" | "progress" | "rating" => [&node.description, ""],
        "switch" if is_state(node.text.trim()) => [&node.description, ""],
        _ => [&node.text, &node.description],
    };
    let mut words = candidates
        .iter()
        .map(|text| collapse(text))
        .find(|text| !text.is_empty())
        .unwrap_or_default();
    cut(&mut words, LABEL_CHARS);
    words
}

/// What a switch writes on itself to say how it stands.
fn is_state(text: &str) -> bool {
    let text = text.to_lowercase();
    matches!(
        text.as_str(),
        "on" | "off"
            | "ein"
            | "aus"
            | "an"
            | "activé"
            | "désactivé"
            | "oui"
            | "non"
            | "sí"
            | "si"
            | "no"
            | "yes"
            | "вкл"
            | "вкл."
            | "выкл"
            | "выкл."
            | "开"
            | "关"
            | "开启"
            | "关闭"
            | "已开启"
            | "已关闭"
            | "オン"
            | "オフ"
            | "켜짐"
            | "꺼짐"
            | "0"
            | "1"
            | "i"
            | "o"
    )
}

/// A field or switch on which nothing stands takes the words written before it (a switch also those after it), as a
/// person would read them. A field whose neighbours say nothing either is called by what stands in it: on older
/// phones that is what it asks for.
pub(super) fn name_by_neighbours(nodes: &[Node], order: &[usize], seen: &mut [Seen]) {
    // Each node's siblings in reading order, and its place among them.
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut place = vec![0; nodes.len()];
    for at in order {
        if let Some(parent) = nodes[*at].parent {
            place[*at] = children[parent].len();
            children[parent].push(*at);
        }
    }
    for at in order {
        let it = &seen[*at];
        let typed = it.role == "field";
        if !it.shown || !it.label.is_empty() || !(typed || nodes[*at].checkable || it.role == "slider") {
            continue;
        }
        let mut name = beside(*at, nodes, &children, &place, seen, !typed);
        // One level up: a field in its own frame beside its caption.
        if name.is_none()
            && let Some(parent) = nodes[*at].parent
            && children[parent].len() <= 2
        {
            name = beside(parent, nodes, &children, &place, seen, !typed);
        }
        if let Some(name) = name {
            seen[*at].key.clone_from(&name);
            seen[*at].label = name;
        } else if typed && !nodes[*at].password {
            let mut words = collapse(&nodes[*at].text);
            cut(&mut words, LABEL_CHARS);
            seen[*at].label = words;
        }
    }
}

/// The words of the nearest sibling that has any: before, and where `after` says so also after.
fn beside(
    at: usize,
    nodes: &[Node],
    children: &[Vec<usize>],
    place: &[usize],
    seen: &[Seen],
    after: bool,
) -> Option<String> {
    let siblings = &children[nodes[at].parent?];
    let here = place[at];
    let before = siblings[..here].iter().rev().take(NEIGHBOURS);
    let behind = siblings[here + 1..]
        .iter()
        .take(if after { NEIGHBOURS } else { 0 });
    for sibling in before {
        match words_of(*sibling, at, children, seen) {
            Words::Name(name) => return Some(name),
            Words::Other => break,
            Words::None => {}
        }
    }
    for sibling in behind {
        match words_of(*sibling, at, children, seen) {
            Words::Name(name) => return Some(name),
            Words::Other => break,
            Words::None => {}
        }
    }
    None
}

enum Words {
    /// A caption.
    Name(String),
    /// Another thing to act on: what stands beyond it belongs to that.
    Other,
    /// Nothing.
    None,
}

fn words_of(sibling: usize, named: usize, children: &[Vec<usize>], seen: &[Seen]) -> Words {
    let it = &seen[sibling];
    if !it.shown {
        return Words::None;
    }
    if it.acts {
        return Words::Other;
    }
    let near = |other: &Seen| {
        let (a, b) = (other.bounds, seen[named].bounds);
        let height = (i64::from(b.bottom) - i64::from(b.top)).max(i64::from(a.bottom) - i64::from(a.top));
        let gap = (i64::from(b.top) - i64::from(a.bottom)).max(i64::from(a.top) - i64::from(b.bottom));
        gap <= height
    };
    if !it.label.is_empty() {
        return if it.role == "text" && near(it) {
            Words::Name(it.label.clone())
        } else {
            Words::None
        };
    }
    for child in children[sibling].iter().take(NEIGHBOURS) {
        let child = &seen[*child];
        if child.acts {
            return Words::Other;
        }
        if child.shown && child.role == "text" && !child.label.is_empty() && near(child) {
            return Words::Name(child.label.clone());
        }
    }
    Words::None
}
