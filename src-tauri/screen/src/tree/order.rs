//! Reading order: parents before what they hold, siblings row by row, left to right.

use super::node::Node;
use crate::tick::step;

/// The nodes' places in reading order.
pub(super) fn reading_order(nodes: &[Node]) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut roots = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        match node.parent.and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(at),
            None => roots.push(at),
        }
    }
    // A depth-first walk with its own stack; the last pushed comes first.
    let mut order = Vec::with_capacity(nodes.len());
    sort_rows(nodes, &mut roots);
    let mut waiting: Vec<usize> = roots.into_iter().rev().collect();
    while let Some(at) = waiting.pop() {
        order.push(at);
        let mut siblings = std::mem::take(&mut children[at]);
        sort_rows(nodes, &mut siblings);
        waiting.extend(siblings.into_iter().rev());
    }
    order
}

/// Sorts siblings by their tops, then each run that stands side by side by their left edges. One stands beside those
/// before it when it shares half of its height, or half of theirs, with what they all share, and neither is more than
/// three times as tall as the other: so a bar that lies over a long list comes after it, a date beside a taller button
/// stays on its line, and of lines beside a tall picture only the first is on the picture's. Equal places keep the
/// phone's order.
fn sort_rows(nodes: &[Node], siblings: &mut [usize]) {
    siblings.sort_by_key(|at| nodes[*at].bounds.top);
    let height = |(top, bottom): (i32, i32)| i64::from(bottom) - i64::from(top);
    let span = |at: usize| (nodes[at].bounds.top, nodes[at].bounds.bottom);
    let mut start = 0;
    while start < siblings.len() {
        let first = height(span(siblings[start]));
        let mut line = span(siblings[start]);
        let mut end = start + 1;
        while end < siblings.len() {
            step();
            let next = span(siblings[end]);
            let shared = (line.0.max(next.0), line.1.min(next.1));
            let (shorter, taller) = (height(next).min(first), height(next).max(first));
            let enough = height(shared) * 2 >= height(next).min(height(line));
            if shorter <= 0 || taller > 3 * shorter || height(shared) <= 0 || !enough {
                break;
            }
            line = shared;
            end += 1;
        }
        siblings[start..end].sort_by_key(|at| nodes[*at].bounds.left);
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Bounds;

    fn check(boxes: &[[i32; 4]], expected: &[usize]) {
        let nodes: Vec<Node> = boxes
            .iter()
            .map(|[left, top, right, bottom]| Node {
                bounds: Bounds {
                    left: *left,
                    top: *top,
                    right: *right,
                    bottom: *bottom,
                },
                ..Node::default()
            })
            .collect();
        assert_eq!(reading_order(&nodes), expected);
    }

    #[test]
    fn rows_then_columns() {
        check(
            &[[500, 0, 900, 100], [0, 10, 400, 110], [0, 200, 400, 300]],
            &[1, 0, 2],
        );
        // A bottom bar written first, over a list that fills the screen.
        check(&[[0, 2200, 1080, 2400], [0, 0, 1080, 2400]], &[1, 0]);
        // A page of text with a small price beside its first line: no row.
        check(&[[800, 0, 1000, 40], [0, 0, 700, 200]], &[0, 1]);
        // A round button, and a date at the left in the middle of its height.
        check(&[[922, 147, 1038, 263], [42, 179, 284, 231]], &[1, 0]);
        // A picture at the right of three lines: it stands on the first line only.
        check(
            &[
                [20, 130, 400, 230],
                [600, 0, 900, 240],
                [0, 0, 400, 100],
                [10, 250, 400, 350],
            ],
            &[2, 1, 0, 3],
        );
        check(&[[0, 0, 0, 0], [0, 0, 0, 0], [5, 5, 1, 1]], &[0, 1, 2]);
        check(&[], &[]);
        // The outermost numbers there are.
        check(&[[i32::MIN, i32::MIN, i32::MAX, i32::MAX], [0, 0, 1, 1]], &[0, 1]);
    }
}
