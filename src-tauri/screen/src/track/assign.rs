//! Who belongs to whom, decided for all at once.
//!
//! The pairs with the greatest sum of gains, each left and each right in one pair at most; who gains nothing stays
//! alone. Shortest augmenting paths over the pairs that are possible at all (Jonker and Volgenant's method on a sparse
//! graph), so a screen where little changed costs little: a dense solver (`pathfinding`'s `kuhn_munkres`, which the
//! tests use to check this one) takes the cube of the elements always.

use crate::tick::step;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// For each left its right, if it has one. `pairs[left]` lists `(right, gain)`; gains of zero and less count for
/// nothing.
pub(super) fn assign(pairs: &[Vec<(usize, i64)>], rights: usize) -> Vec<Option<usize>> {
    let mut matching = Matching {
        pairs,
        left_price: vec![0; pairs.len()],
        right_price: vec![0; rights],
        of_left: vec![None; pairs.len()],
        of_right: vec![None; rights],
        far: vec![i64::MAX; rights],
        came_from: vec![0; rights],
        done: vec![false; rights],
    };
    for left in 0..pairs.len() {
        matching.insert(left);
    }
    matching.of_left
}

/// Costs are gains below zero; staying alone costs nothing. Prices keep every pair's `cost - left - right` at or above
/// zero, and at zero for the pairs that are made.
struct Matching<'a> {
    pairs: &'a [Vec<(usize, i64)>],
    left_price: Vec<i64>,
    right_price: Vec<i64>,
    of_left: Vec<Option<usize>>,
    of_right: Vec<Option<usize>>,
    /// How far each right is from the left that is being inserted; reset after each.
    far: Vec<i64>,
    came_from: Vec<usize>,
    done: Vec<bool>,
}

impl Matching<'_> {
    fn useful(&self, left: usize) -> impl Iterator<Item = (usize, i64)> {
        self.pairs[left]
            .iter()
            .filter(|(right, gain)| *gain > 0 && *right < self.far.len())
            .map(|(right, gain)| (*right, -gain))
    }

    /// Finds a place for one more left: on the shortest way to a right that is free, or to a left that had better
    /// stay alone.
    fn insert(&mut self, first: usize) {
        let cheapest = self
            .useful(first)
            .map(|(right, cost)| cost - self.right_price[right])
            .min();
        self.left_price[first] = cheapest.unwrap_or(0).min(0);
        let mut waiting: BinaryHeap<Reverse<(i64, usize)>> = BinaryHeap::new();
        let mut touched = Vec::new();
        let mut reached = Vec::new();
        // The best end so far where some left stays alone.
        let mut alone = (i64::MAX, first);
        let (mut left, mut here) = (first, 0_i64);
        let end = loop {
            alone = alone.min((here - self.left_price[left], left));
            let steps: Vec<(usize, i64)> = self.useful(left).collect();
            for (right, cost) in steps {
                step();
                if self.done[right] {
                    continue;
                }
                let there = here + cost - self.left_price[left] - self.right_price[right];
                if there < self.far[right] {
                    if self.far[right] == i64::MAX {
                        touched.push(right);
                    }
                    self.far[right] = there;
                    self.came_from[right] = left;
                    waiting.push(Reverse((there, right)));
                }
            }
            let next = loop {
                match waiting.pop() {
                    Some(Reverse((far, right))) if self.done[right] || far > self.far[right] => {}
                    other => break other.map(|Reverse(found)| found),
                }
            };
            match next {
                Some((far, right)) if far < alone.0 => {
                    let Some(holder) = self.of_right[right] else {
                        break Some((far, right));
                    };
                    self.done[right] = true;
                    reached.push((right, holder));
                    (left, here) = (holder, far);
                }
                _ => break None,
            }
        };
        let way = end.map_or(alone.0, |(far, _)| far);
        self.left_price[first] += way;
        for (right, holder) in reached {
            let rest = way - self.far[right];
            self.right_price[right] -= rest;
            self.left_price[holder] += rest;
        }
        self.turn(first, end.map(|(_, right)| right), alone.1);
        for right in touched {
            self.far[right] = i64::MAX;
            self.done[right] = false;
        }
    }

    /// Makes the pairs along the way found, from its end back to its start.
    fn turn(&mut self, first: usize, end: Option<usize>, alone: usize) {
        let mut right = match end {
            Some(right) => right,
            // That left gives its right to the one before it.
            None => match self.of_left[alone].take() {
                Some(right) => right,
                None => return,
            },
        };
        loop {
            let left = self.came_from[right];
            let before = self.of_left[left].replace(right);
            self.of_right[right] = Some(left);
            match before {
                Some(before) if left != first => right = before,
                _ => return,
            }
        }
    }
}

#[cfg(test)]
#[path = "../../../../tests/shared/long.rs"]
mod long;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tick::steps_of;
    use pathfinding::prelude::{Matrix, kuhn_munkres};
    use proptest::prelude::*;

    fn gain(pairs: &[Vec<(usize, i64)>], found: &[Option<usize>]) -> i64 {
        let mut taken = std::collections::HashSet::new();
        let gains = found.iter().enumerate().filter_map(|(left, right)| {
            let right = (*right)?;
            assert!(taken.insert(right), "{right} belongs to two");
            let pair = pairs[left].iter().find(|(r, _)| *r == right);
            Some(pair.expect("a pair that was offered").1)
        });
        gains.sum()
    }

    /// What another implementation of the assignment problem finds.
    fn best(pairs: &[Vec<(usize, i64)>], rights: usize) -> i64 {
        if pairs.is_empty() {
            return 0;
        }
        // A column for each right, and one for each left to stay alone in.
        let mut matrix = Matrix::new(pairs.len(), rights + pairs.len(), 0_i64);
        for (left, row) in pairs.iter().enumerate() {
            for (right, gain) in row {
                matrix[(left, *right)] = (*gain).max(0);
            }
        }
        kuhn_munkres(&matrix).0
    }

    fn check(pairs: &[Vec<(usize, i64)>], rights: usize, expected: &[Option<usize>]) {
        let found = assign(pairs, rights);
        assert_eq!(found, expected);
        assert_eq!(gain(pairs, &found), best(pairs, rights));
    }

    #[test]
    fn the_whole_counts_not_the_first() {
        check(&[], 3, &[]);
        check(&[vec![], vec![(0, 5)]], 1, &[None, Some(0)]);
        // Greedy would give 10 + 0.
        check(&[vec![(0, 10), (1, 9)], vec![(0, 9)]], 2, &[Some(1), Some(0)]);
        // Two want the same one: the one who gains less stays alone.
        check(&[vec![(0, 4)], vec![(0, 7)]], 1, &[None, Some(0)]);
        // A chain of three.
        check(
            &[vec![(0, 8), (1, 7)], vec![(0, 8), (2, 1)], vec![(1, 7), (2, 6)]],
            3,
            &[Some(1), Some(0), Some(2)],
        );
        check(&[vec![(0, 0), (1, -3)]], 2, &[None]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(long::times(4_000)))]

        #[test]
        fn as_good_as_another_implementation(
            rows in prop::collection::vec(prop::collection::btree_map(0..9_usize, -3..12_i64, 0..7), 0..9),
        ) {
            let pairs: Vec<Vec<(usize, i64)>> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
            prop_assert_eq!(gain(&pairs, &assign(&pairs, 9)), best(&pairs, 9));
        }
    }

    #[test]
    fn two_thousand_who_are_all_alike_are_told_apart_in_bounded_steps() {
        // Each may have any of sixteen, all with the same gain; and a ring in which each wants its neighbour's.
        let alike: Vec<Vec<(usize, i64)>> = (0..2_000)
            .map(|left| (0..16).map(|n| ((left + n * 7) % 2_000, 5)).collect())
            .collect();
        let ring: Vec<Vec<(usize, i64)>> = (0..2_000_usize)
            .map(|left| vec![(left, 9), ((left + 1) % 2_000, 10), (left.max(1) - 1, 10)])
            .collect();
        for pairs in [alike, ring] {
            let mut found = Vec::new();
            let steps = steps_of(|| found = assign(&pairs, 2_000));
            assert_eq!(found.iter().flatten().count(), 2_000);
            assert!(steps < 8_000_000, "{steps}");
        }
    }
}
