//! How much two things are alike, and which pairs are worth a thought.

use crate::stable_hash::{base, hash};
use crate::text::without_digits;
use crate::tick::step;
use protocol::{Bounds, Element};
use std::collections::HashMap;

/// What must be reached for two to be taken for one.
const ENOUGH: i64 = 60_000;
/// Pairs looked at between the things of one kind (same app, same resource id). Beyond, only those that carry the same
/// name and stand at about the same place in the list are.
const PAIRS: usize = 4_500_000;
/// Pairs kept for each thing: the likeliest.
const KEPT: usize = 8;
/// Things with a name of their own by which movement is measured.
const ANCHORS: usize = 256;
/// Words of a label that are compared.
const WORDS: usize = 8;
/// The screen's width and height, in the units places are compared in.
const SIDE: i64 = 10_000;

/// What an element is known by. Words are kept as hashes only.
#[derive(Clone, Debug)]
pub(super) struct ElementSignature {
    /// Its app and its resource id.
    kind: u64,
    /// It has a resource id.
    with_id: bool,
    role: u64,
    /// Its words; absent when it has none.
    label: Option<u64>,
    /// Its words without digits; absent when that leaves no letter.
    letters: Option<u64>,
    /// The first words of it, one by one, sorted.
    words: Vec<u32>,
    /// The memoryless name it came with, without its ordinal; and with.
    name: u64,
    full_name: u64,
    /// Its place in ten thousandths of the screen.
    place: Bounds,
}

impl ElementSignature {
    pub(super) fn of(element: &Element, (width, height): (u32, u32)) -> Self {
        let share = |n: i32, size: u32| {
            let share = i64::from(n) * SIDE / i64::from(size.max(1));
            i32::try_from(share).unwrap_or(if n < 0 { i32::MIN / 2 } else { i32::MAX / 2 })
        };
        let b = element.bounds;
        let lower = element.label.to_lowercase();
        let letters = without_digits(&lower);
        let mut words: Vec<u32> = lower
            .split_whitespace()
            .take(WORDS)
            // Any 32 bits of it do.
            .map(|word| u32::try_from(hash(&[word]) >> 32).unwrap_or(0))
            .collect();
        words.sort_unstable();
        words.dedup();
        Self {
            kind: hash(&[&element.package, &element.resource_id]),
            with_id: !element.resource_id.is_empty(),
            role: hash(&[element.role.as_str()]),
            label: (!lower.is_empty()).then(|| hash(&[&lower])),
            letters: letters
                .chars()
                .any(char::is_alphabetic)
                .then(|| hash(&[&letters])),
            words,
            name: hash(&[base(&element.track_id)]),
            full_name: hash(&[&element.track_id]),
            place: Bounds {
                left: share(b.left, width),
                top: share(b.top, height),
                right: share(b.right, width),
                bottom: share(b.bottom, height),
            },
        }
    }

    fn middle(&self) -> (i64, i64) {
        let half = |a: i32, b: i32| i64::midpoint(i64::from(a), i64::from(b));
        (
            half(self.place.left, self.place.right),
            half(self.place.top, self.place.bottom),
        )
    }

    /// The same words, or without any the same name, on the same kind of thing.
    fn likes(&self) -> (u64, u64, u64) {
        (self.kind, self.role, self.label.unwrap_or(self.name))
    }

    /// How many of the words stand on both, from 0 to 1000 of all there are.
    fn shared_words(&self, other: &Self) -> i64 {
        let both = self
            .words
            .iter()
            .filter(|word| other.words.contains(word))
            .count();
        let all = self.words.len() + other.words.len() - both;
        i64::try_from(both * 1000 / all.max(1)).unwrap_or(0)
    }
}

/// A thing that is the only one of its words on both screens, and how far it moved.
struct Anchor {
    at: (i64, i64),
    moved: (i64, i64),
}

/// Things seen before, each with the screens it was missing for, and things seen now.
pub(super) struct Candidates<'a> {
    before: &'a [(&'a ElementSignature, u8)],
    now: &'a [ElementSignature],
    anchors: Vec<Anchor>,
    /// For each thing now: it is the only one of its kind and role, before and now.
    unique: Vec<bool>,
    /// For each thing now: the only one with its words, or with its name where it has none, before and now.
    only_one: Vec<bool>,
    /// The screen has the size it had, so places can be compared closely.
    same_size: bool,
    /// Most of the screen is what it was: then other words on a thing are the same thing's new words.
    continues: bool,
}

impl<'a> Candidates<'a> {
    pub(super) fn between(
        before: &'a [(&'a ElementSignature, u8)],
        now: &'a [ElementSignature],
        same_size: bool,
    ) -> Self {
        let mut kinds: HashMap<(u64, u64), (u32, u32)> = HashMap::new();
        let mut alike: HashMap<(u64, u64, u64), (u32, u32)> = HashMap::new();
        let mut old_places = HashMap::new();
        let last = || {
            before
                .iter()
                .filter(|(_, misses)| *misses == 0)
                .map(|(thing, _)| *thing)
        };
        for thing in last() {
            kinds.entry((thing.kind, thing.role)).or_default().0 += 1;
            alike.entry(thing.likes()).or_default().0 += 1;
            old_places.insert(thing.likes(), thing);
        }
        for thing in now {
            kinds.entry((thing.kind, thing.role)).or_default().1 += 1;
            alike.entry(thing.likes()).or_default().1 += 1;
        }
        let mut all = Vec::new();
        for thing in now.iter().filter(|thing| thing.label.is_some()) {
            if alike.get(&thing.likes()) == Some(&(1, 1))
                && let Some(old) = old_places.get(&thing.likes())
            {
                let ((x, y), (now_x, now_y)) = (old.middle(), thing.middle());
                all.push(Anchor {
                    at: (x, y),
                    moved: (now_x - x, now_y - y),
                });
            }
        }
        let stayed: u32 = alike.values().map(|(old, new)| old.min(new)).sum();
        let fewer = last().count().min(now.len());
        let every = all.len().div_ceil(ANCHORS).max(1);
        Self {
            before,
            now,
            anchors: all.into_iter().step_by(every).collect(),
            unique: now
                .iter()
                .map(|new| kinds.get(&(new.kind, new.role)) == Some(&(1, 1)))
                .collect(),
            only_one: now
                .iter()
                .map(|new| alike.get(&new.likes()) == Some(&(1, 1)))
                .collect(),
            same_size,
            continues: usize::try_from(stayed).unwrap_or(0) * 2 >= fewer,
        }
    }

    /// For each thing before, the things now that it may be, with how much more than enough they are alike.
    pub(super) fn pairs(&self) -> Vec<Vec<(usize, i64)>> {
        let mut of_kind: HashMap<u64, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for (at, (thing, _)) in self.before.iter().enumerate() {
            of_kind.entry(thing.kind).or_default().0.push(at);
        }
        for (at, thing) in self.now.iter().enumerate() {
            of_kind.entry(thing.kind).or_default().1.push(at);
        }
        let moved: Vec<Option<(i64, i64)>> = self
            .before
            .iter()
            .map(|(thing, _)| self.movement(thing))
            .collect();
        let mut best = BestMatches::new(self.before.len(), self.now.len());
        for (old, new) in of_kind.into_values() {
            if old.len().saturating_mul(new.len()) <= PAIRS {
                for before in &old {
                    for now in &new {
                        best.offer(*before, *now, self.gain(*before, *now, moved[*before]));
                    }
                }
            } else {
                for (before, now) in self.near_in_order(old, new) {
                    best.offer(before, now, self.gain(before, now, moved[before]));
                }
            }
        }
        best.pairs()
    }

    /// Of too many: those with the same name, from about the same place among their like.
    fn near_in_order(&self, old: Vec<usize>, new: Vec<usize>) -> Vec<(usize, usize)> {
        let mut of_name: HashMap<u64, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for at in old {
            of_name.entry(self.before[at].0.name).or_default().0.push(at);
        }
        for at in new {
            of_name.entry(self.now[at].name).or_default().1.push(at);
        }
        let mut pairs = Vec::new();
        for (old, new) in of_name.into_values() {
            for (n, before) in old.iter().enumerate() {
                let first = n.saturating_sub(KEPT).min(new.len());
                let last = (n + KEPT).min(new.len());
                pairs.extend(new[first..last].iter().map(|now| (*before, *now)));
            }
        }
        pairs
    }

    /// How far the nearest thing moved that is certainly the same; one on the same line is nearer than one above.
    fn movement(&self, thing: &ElementSignature) -> Option<(i64, i64)> {
        let (x, y) = thing.middle();
        let far = |anchor: &&Anchor| {
            step();
            (anchor.at.0 - x).abs() / 4 + (anchor.at.1 - y).abs()
        };
        self.anchors.iter().min_by_key(far).map(|anchor| anchor.moved)
    }

    /// How much more than enough two are alike; zero and less: not enough.
    fn gain(&self, before: usize, now: usize, moved: Option<(i64, i64)>) -> i64 {
        step();
        let ((old, misses), new) = (self.before[before], &self.now[now]);
        let mut sum = -ENOUGH - 5_000 * i64::from(misses);
        let unique = old.with_id && self.unique[now];
        if old.with_id {
            sum += 40_000 + if unique { 25_000 } else { 0 };
        }
        sum += if old.role == new.role { 10_000 } else { -25_000 };
        let only_one = self.only_one[now];
        sum += match (old.label, new.label) {
            // Nothing is written on them: then the ids and words around them must be the same.
            (None, None) if old.name != new.name => 8_000 - 45_000,
            (None, None) => 8_000 + if only_one { 20_000 } else { 0 },
            (Some(a), Some(b)) if a == b => 40_000 + if only_one { 15_000 } else { 0 },
            // The same name with other words: they count or tell the time, or stand after those that name it.
            (Some(_), Some(_)) if old.name == new.name => {
                let counts = old.letters.is_some() && old.letters == new.letters;
                if counts { 20_000 } else { 10_000 }
            }
            _ if unique && self.continues => 20 * old.shared_words(new) - 30_000,
            _ => -60_000,
        };
        if old.name == new.name {
            sum += 25_000;
            if old.full_name == new.full_name {
                // Where nothing else decides, their order does.
                sum += 100;
            }
        }
        sum + place(old, new, moved.filter(|_| self.same_size))
    }
}

/// What the places say: that of the same size, and where it should be by what moved beside it.
fn place(old: &ElementSignature, new: &ElementSignature, moved: Option<(i64, i64)>) -> i64 {
    let ((x, y), (now_x, now_y)) = (old.middle(), new.middle());
    let (dx, dy) = moved.unwrap_or((0, 0));
    let off = (now_x - x - dx).abs().max((now_y - y - dy).abs());
    let near = if moved.is_some() && off > 60 {
        // It is known where it should be, and it is elsewhere.
        -20_000 - (15_000 * off / 1_500).min(15_000)
    } else {
        25_000 - (25_000 * off / 3_000).min(25_000)
    };
    let same = |a: i32, b: i32, c: i32, d: i32| ((b - a) - (d - c)).abs() <= 100;
    let width = same(old.place.left, old.place.right, new.place.left, new.place.right);
    let height = same(old.place.top, old.place.bottom, new.place.top, new.place.bottom);
    near + if width { 4_000 } else { 0 } + if height { 4_000 } else { 0 }
}

/// The likeliest pairs of each thing, from both sides.
struct BestMatches {
    of_before: Vec<Vec<(i64, usize)>>,
    of_now: Vec<Vec<(i64, usize)>>,
}

impl BestMatches {
    fn new(before: usize, now: usize) -> Self {
        Self {
            of_before: vec![Vec::new(); before],
            of_now: vec![Vec::new(); now],
        }
    }

    fn offer(&mut self, before: usize, now: usize, gain: i64) {
        if gain > 0 {
            keep(&mut self.of_before[before], gain, now);
            keep(&mut self.of_now[now], gain, before);
        }
    }

    fn pairs(self) -> Vec<Vec<(usize, i64)>> {
        let mut pairs: Vec<Vec<(usize, i64)>> = self
            .of_before
            .into_iter()
            .map(|row| row.into_iter().map(|(gain, now)| (now, gain)).collect())
            .collect();
        for (now, row) in self.of_now.into_iter().enumerate() {
            for (gain, before) in row {
                if !pairs[before].iter().any(|(there, _)| *there == now) {
                    pairs[before].push((now, gain));
                }
            }
        }
        pairs
    }
}

/// Keeps the best few, best first.
fn keep(best: &mut Vec<(i64, usize)>, gain: i64, of: usize) {
    if best.len() == KEPT && best.last().is_some_and(|(least, _)| *least >= gain) {
        return;
    }
    let at = best.partition_point(|(more, _)| *more >= gain);
    best.insert(at, (gain, of));
    best.truncate(KEPT);
}
