//! What stands on a node, or beside it where nothing stands on it.

use super::node::Node;
use super::node_facts::NodeFacts;
use crate::rect;
use crate::text::{LABEL_CHARS, collapse, cut};
use crate::tick::step;
use protocol::Role;

/// How many siblings are looked at for a name.
const NEIGHBOURS: usize = 4;

/// A node's own words. A field's are its description or hint, not what is typed in it; a gauge's its description,
/// not its value; a switch's not its `ON` or `OFF`.
pub(super) fn own(node: &Node, role: Role) -> String {
    let candidates: [&str; 2] = match role {
        Role::Field => [&node.description, &node.hint],
        Role::Slider | Role::Progress | Role::Rating => [&node.description, ""],
        Role::Switch if is_state(node.text.trim()) => [&node.description, ""],
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
pub(super) fn is_state(text: &str) -> bool {
    const STATES: &str = "on off yes no ein aus an ja nein activé désactivé oui non sí si вкл вкл. выкл выкл. 开 关 开启 \
                          关闭 已开启 已关闭 オン オフ 켜짐 꺼짐 0 1 i o";
    let text = text.to_lowercase();
    STATES.split(' ').any(|state| state == text)
}

/// A field, slider or switch on which nothing stands takes the words written beside it, as a person would read them:
/// a switch those on its line, a field those inside its frame, else before or right above it. A field whose neighbours
/// say nothing either is called by what stands in it: on older phones that is what it asks for.
pub(super) fn name_by_neighbours(nodes: &[Node], order: &[usize], seen: &mut [NodeFacts]) {
    let siblings = Siblings::of(nodes, order);
    for at in order {
        let it = &seen[*at];
        let typed = it.role == Role::Field;
        let switched = nodes[*at].checkable;
        if !it.shown || !it.label.is_empty() || !(typed || switched || it.role == Role::Slider) {
            continue;
        }
        // A label that floats inside its field is drawn as a text of its own.
        let inside = typed.then(|| siblings.inside(*at, seen)).flatten();
        let mut name = inside.map(|caption| seen[caption].label.clone());
        if let Some(caption) = inside {
            seen[caption].folded = true;
        }
        name = name.or_else(|| siblings.beside(*at, switched, seen));
        // One level up: a field in its own frame beside its caption.
        if name.is_none()
            && let Some(parent) = nodes[*at].parent
            && siblings.children[parent].len() <= 2
        {
            name = siblings.beside(parent, switched, seen);
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

/// Who stands beside whom, in reading order.
struct Siblings<'a> {
    nodes: &'a [Node],
    children: Vec<Vec<usize>>,
    /// Each node's place among its siblings.
    place: Vec<usize>,
}

impl<'a> Siblings<'a> {
    fn of(nodes: &'a [Node], order: &[usize]) -> Self {
        let mut siblings = Self {
            nodes,
            children: vec![Vec::new(); nodes.len()],
            place: vec![0; nodes.len()],
        };
        for at in order {
            if let Some(parent) = nodes[*at].parent {
                siblings.place[*at] = siblings.children[parent].len();
                siblings.children[parent].push(*at);
            }
        }
        siblings
    }

    /// The first words, in reading order, that are drawn inside a field: its children's or its neighbours'.
    fn inside(&self, at: usize, seen: &[NodeFacts]) -> Option<usize> {
        let beside = self.nodes[at].parent.map_or(&[][..], |parent| {
            let all = self.children[parent].as_slice();
            let (first, last) = (
                self.place[at].saturating_sub(NEIGHBOURS),
                self.place[at] + NEIGHBOURS,
            );
            &all[first..all.len().min(last + 1)]
        });
        let own = self.children[at].iter().take(NEIGHBOURS);
        own.chain(beside).copied().find(|other| {
            step();
            let it = &seen[*other];
            let caption = it.shown && !it.acts && !it.folded && it.role == Role::Text && !it.label.is_empty();
            caption && *other != at && rect::covers(seen[at].bounds, it.bounds)
        })
    }

    /// The words of the nearest sibling that has any: before it; `on_line`: also after it, but on its line only.
    fn beside(&self, at: usize, on_line: bool, seen: &[NodeFacts]) -> Option<String> {
        let (before, after) = self.children[self.nodes[at].parent?].split_at(self.place[at]);
        let before: Vec<usize> = before.iter().rev().take(NEIGHBOURS).copied().collect();
        let after: Vec<usize> = after
            .iter()
            .skip(1)
            .take(if on_line { NEIGHBOURS } else { 0 })
            .copied()
            .collect();
        for side in [before, after] {
            for sibling in side {
                match self.caption_of(sibling, at, !on_line, seen) {
                    SiblingCaption::Name(name) => return Some(name),
                    SiblingCaption::Other => break,
                    SiblingCaption::None => {}
                }
            }
        }
        None
    }

    fn caption_of(&self, sibling: usize, named: usize, above: bool, seen: &[NodeFacts]) -> SiblingCaption {
        step();
        let it = &seen[sibling];
        if !it.shown {
            return SiblingCaption::None;
        }
        if it.acts {
            return SiblingCaption::Other;
        }
        // A caption stands on the same line, or right above a field.
        let near = |other: &NodeFacts| {
            let (caption, named) = (other.bounds, seen[named].bounds);
            let shared = caption.bottom.min(named.bottom) > caption.top.max(named.top);
            let gap = i64::from(named.top) - i64::from(caption.bottom);
            shared || (above && (0..=i64::from(named.bottom) - i64::from(named.top)).contains(&gap))
        };
        if !it.label.is_empty() {
            return if it.role == Role::Text && near(it) {
                SiblingCaption::Name(it.label.clone())
            } else {
                SiblingCaption::None
            };
        }
        for child in self.children[sibling].iter().take(NEIGHBOURS) {
            let child = &seen[*child];
            if child.acts {
                return SiblingCaption::Other;
            }
            if child.shown && child.role == Role::Text && !child.label.is_empty() && near(child) {
                return SiblingCaption::Name(child.label.clone());
            }
        }
        SiblingCaption::None
    }
}

/// What a sibling says.
enum SiblingCaption {
    /// A caption.
    Name(String),
    /// Another thing to act on: what stands beyond it belongs to that.
    Other,
    /// Nothing.
    None,
}
