//! Views in their places: what is where, what a finger meets, what is next to what.

use super::geometry::Rect;
use super::memory::{Memory, NodeKey};
use super::view::{Axis, Content, View};

/// One view in its place. Nodes stand in the order of drawing: parents before children, `end` behind the last of them.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Without its children: those are nodes of their own.
    pub(crate) view: View,
    pub(crate) rect: Rect,
    /// What can be seen of it; empty when scrolled away.
    pub(crate) visible: Rect,
    pub(crate) clip: Rect,
    pub(crate) key: NodeKey,
    pub(crate) parent: Option<usize>,
    /// Its number among its parent's children.
    pub(crate) index: usize,
    pub(crate) end: usize,
    pub(crate) scrolling: Option<Scrolling>,
}

/// How far a list is moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scrolling {
    pub(crate) axis: Axis,
    /// The furthest it can be moved, in pixels.
    pub(crate) most: f32,
    pub(crate) offset: f32,
}

impl Node {
    /// Takes clicks or text.
    pub(crate) fn is_clickable(&self) -> bool {
        self.view.click.is_some() || self.view.double.is_some() || self.takes_text()
    }

    pub(crate) fn takes_text(&self) -> bool {
        matches!(self.view.content, Content::Field(_))
    }

    /// Can have the focus.
    pub(crate) fn is_focusable(&self) -> bool {
        self.is_clickable() || matches!(self.view.content, Content::Slider { .. })
    }

    pub(crate) fn is_slider(&self) -> bool {
        matches!(self.view.content, Content::Slider { .. })
    }
}

/// A laid-out tree.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) area: Rect,
    pub(crate) nodes: Vec<Node>,
}

/// Where the keys can move the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Next,
    Previous,
    Up,
    Down,
    Left,
    Right,
}

impl Scene {
    pub(crate) fn empty(area: Rect) -> Self {
        Self {
            area,
            nodes: Vec::new(),
        }
    }

    pub(crate) fn find(&self, key: NodeKey) -> Option<usize> {
        self.nodes.iter().position(|node| node.key == key)
    }

    pub(crate) fn find_id(&self, id: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.view.id == id)
    }

    pub(crate) fn focused(&self, memory: &Memory) -> Option<usize> {
        self.find(memory.focus?)
    }

    /// The topmost node of those that satisfy, under a point. What does not satisfy lets the touch through to what lies
    /// below it, as views that are not clickable do.
    pub(crate) fn hit(&self, x: f32, y: f32, wanted: impl Fn(&Node) -> bool) -> Option<usize> {
        self.nodes
            .iter()
            .rposition(|node| node.visible.contains(x, y) && wanted(node))
    }

    /// The last drawn node under a point.
    pub(crate) fn top(&self, x: f32, y: f32) -> Option<usize> {
        self.nodes
            .iter()
            .rposition(|node| node.visible.contains(x, y) && self.shows(node))
    }

    // A box with nothing in it is looked through, as are the empty parts of rows and columns: what lies under them is hit.
    fn shows(&self, node: &Node) -> bool {
        node.parent.is_none()
            || node.is_focusable()
            || node.view.pull.is_some()
            || node.view.scroll.is_some()
            || node.view.skin.fill.is_some()
            || !matches!(node.view.content, Content::Empty)
    }

    /// A node and what it is in, innermost first.
    pub(crate) fn ancestors(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(index), |index| self.nodes[*index].parent)
    }

    /// The node a direction leads to from another (or, from none, the one to begin with).
    pub(crate) fn neighbour(&self, from: Option<usize>, direction: Direction) -> Option<usize> {
        let reachable = |index: usize| {
            let node = &self.nodes[index];
            node.is_focusable() && node.view.enabled && !node.visible.is_empty()
        };
        let all: Vec<usize> = (0..self.nodes.len()).filter(|index| reachable(*index)).collect();
        let Some(from) = from else {
            return all
                .iter()
                .copied()
                .find(|i| self.nodes[*i].view.default_focus)
                .or(all.first().copied());
        };
        let here = all.iter().position(|index| *index == from);
        match direction {
            Direction::Next => here
                .map_or(all.first(), |at| all.get((at + 1) % all.len()))
                .copied(),
            Direction::Previous => here
                .map_or(all.last(), |at| all.get((at + all.len() - 1) % all.len()))
                .copied(),
            _ => all
                .iter()
                .copied()
                .filter(|index| *index != from)
                .filter_map(|index| Some((self.distance(from, index, direction)?, index)))
                .min_by_key(|(distance, _)| *distance)
                .map(|(_, index)| index),
        }
    }

    // How far a node lies in a direction; being beside the way counts more than being far along it.
    fn distance(&self, from: usize, to: usize, direction: Direction) -> Option<i64> {
        let (x0, y0) = self.nodes[from].visible.center();
        let (x1, y1) = self.nodes[to].visible.center();
        let (along, aside) = match direction {
            Direction::Up => (y0 - y1, x1 - x0),
            Direction::Down => (y1 - y0, x1 - x0),
            Direction::Left => (x0 - x1, y1 - y0),
            _ => (x1 - x0, y1 - y0),
        };
        (along > 0).then(|| i64::from(along) + 2 * i64::from(aside.abs()))
    }

    /// What a list must remember so that a node in it can be seen whole; none when it can be seen.
    pub(crate) fn reveal(&self, index: usize, margin: i32) -> Option<(NodeKey, f32)> {
        let target = self.nodes[index].rect;
        let list = self
            .ancestors(index)
            .skip(1)
            .find(|i| self.nodes[*i].scrolling.is_some_and(|s| s.most > 0.0))?;
        let list = &self.nodes[list];
        let scrolling = list.scrolling?;
        let (near, far, start, end) = match scrolling.axis {
            Axis::Across => (target.left, target.right, list.rect.left, list.rect.right),
            _ => (target.top, target.bottom, list.rect.top, list.rect.bottom),
        };
        let by = if near - margin < start {
            near - margin - start
        } else if far + margin > end {
            (far + margin - end).min(near - margin - start)
        } else {
            return None;
        };
        let offset = (scrolling.offset + by as f32).clamp(0.0, scrolling.most);
        if (offset - scrolling.offset).abs() < 1.0 {
            return None;
        }
        Some((
            list.key,
            if list.view.from_end {
                scrolling.most - offset
            } else {
                offset
            },
        ))
    }
}
