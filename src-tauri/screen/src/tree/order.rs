//! Reading order: parents before what they hold, siblings row by row, left to right.

use super::Node;
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

/// Sorts siblings by their tops, then each run that stands side by side by their left edges. Two stand side by side
/// when they share half the height of the taller: so a bar that lies over a long list comes after it, and a price
/// beside its name on one line after the name. Equal places keep the phone's order.
fn sort_rows(nodes: &[Node], siblings: &mut [usize]) {
    siblings.sort_by_key(|at| nodes[*at].bounds.top);
    let mut start = 0;
    while start < siblings.len() {
        let first = nodes[siblings[start]].bounds;
        let mut end = start + 1;
        while end < siblings.len() {
            step();
            let next = nodes[siblings[end]].bounds;
            let shared = i64::from(first.bottom.min(next.bottom)) - i64::from(first.top.max(next.top));
            let taller = (i64::from(first.bottom) - i64::from(first.top))
                .max(i64::from(next.bottom) - i64::from(next.top));
            if shared * 2 < taller || taller <= 0 {
                break;
            }
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
        // A name of two lines with a small price beside its first line: the taller decides, so no row.
        check(&[[800, 0, 1000, 40], [0, 0, 700, 200]], &[0, 1]);
        check(&[[0, 0, 0, 0], [0, 0, 0, 0], [5, 5, 1, 1]], &[0, 1, 2]);
        check(&[], &[]);
        // The outermost numbers there are.
        check(&[[i32::MIN, i32::MIN, i32::MAX, i32::MAX], [0, 0, 1, 1]], &[0, 1]);
    }
}
