//! Track ids that follow a thing from screen to screen.

mod assign;
mod likeness;

use crate::stable_hash::{base, hash, mix, write};
use likeness::{Candidates, ElementSignature};
use protocol::Element;
use std::collections::{HashMap, HashSet};

/// A thing that was not there on so many screens in a row is gone, and its id with it.
const MISSES: u8 = 3;

/// Follows the things on one phone's screen through a run, and gives each an id that is its own for as long as it
/// lives.
///
/// [`Tree::read`](crate::Tree::read) names things without memory: a name changes with its words, and among things that
/// are alike it goes by their order. A `Tracker` remembers. It weighs resource id, role, words, the ids and words
/// around (which are in the memoryless name) and place (a list's scrolling and the screen's turning reckoned with),
/// and decides for all things at once which is which. What it remembers of words is hashes.
///
/// The first thing of a name is called by that name, or by what is made of it alone, so that an id another `Tracker` gave
/// means the same thing to one that starts on the same screen. An id is never given to two things on one screen, and never again
/// after its thing is gone.
#[derive(Clone, Debug, Default)]
pub struct Tracker {
    tracks: Vec<Track>,
    /// Every id that was ever given, as a number.
    given: HashSet<u64>,
    /// How many ids were ever made up.
    tries: u64,
    /// The last screen's.
    size: (u32, u32),
}

/// One thing that is followed.
#[derive(Clone, Debug)]
struct Track {
    id: String,
    /// As it was when it was last seen.
    thing: ElementSignature,
    /// Screens since.
    misses: u8,
}

impl Tracker {
    /// One that knows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives every element of the newest screen, whose size in pixels is `width` × `height`, its track id. Call it once
    /// for each tree that could be read, with all of its elements, as [`Tree::read`](crate::Tree::read) made them: the
    /// memoryless names they carry are part of what they are known by, and what a cap cut off counts as missing. A
    /// screen whose tree could not be read is no miss: leave it out.
    ///
    /// Takes time in proportion to the pairs of things that might be the same, and no more than a bounded number of
    /// them is looked at.
    pub fn follow(&mut self, elements: &mut [Element], width: u32, height: u32) {
        let things: Vec<ElementSignature> = elements
            .iter()
            .map(|element| ElementSignature::of(element, (width, height)))
            .collect();
        let known: Vec<(&ElementSignature, u8)> = self
            .tracks
            .iter()
            .map(|track| (&track.thing, track.misses))
            .collect();
        let pairs = Candidates::between(&known, &things, self.size == (width, height)).pairs();
        let found = assign::assign(&pairs, things.len());
        let mut ids: Vec<Option<String>> = vec![None; things.len()];
        let mut kept = Vec::with_capacity(self.tracks.len());
        for (mut track, place) in std::mem::take(&mut self.tracks).into_iter().zip(found) {
            if let Some(place) = place {
                ids[place] = Some(track.id);
            } else {
                track.misses += 1;
                if track.misses < MISSES {
                    kept.push(track);
                }
            }
        }
        let mut likes: HashMap<String, u32> = HashMap::new();
        for element in elements.iter() {
            *likes.entry(base(&element.track_id).to_owned()).or_default() += 1;
        }
        for ((element, thing), id) in elements.iter_mut().zip(things).zip(ids) {
            let alone = likes.get(base(&element.track_id)) == Some(&1);
            let id = id.unwrap_or_else(|| self.give(&element.track_id, alone));
            element.track_id.clone_from(&id);
            kept.push(Track { id, thing, misses: 0 });
        }
        self.tracks = kept;
        self.size = (width, height);
    }

    /// How many things are followed now, those missing for a screen or two included.
    #[must_use]
    pub fn followed(&self) -> usize {
        self.tracks.len()
    }

    /// A new id: the thing's name where it is alone with it and nothing was called so yet; for one of several that are alike
    /// one made of the name, which does not count them; else one made of the name and of how many were given before, so
    /// that none comes twice.
    fn give(&mut self, name: &str, alone: bool) -> String {
        let mut id = if alone {
            name.to_owned()
        } else {
            write(mix(hash(&["one of several", name])), 1)
        };
        while id.is_empty() || !self.given.insert(hash(&[&id])) {
            self.tries += 1;
            id = write(mix(hash(&[base(name)]) ^ mix(self.tries)), 1);
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tick::steps_of;
    use protocol::{Bounds, Role};

    /// Buttons that differ in nothing but their place, `n` of them, the first at the top of `from`.
    fn alike(n: i32, from: i32) -> Vec<Element> {
        (0..n)
            .map(|at| Element {
                index: u32::try_from(at + 1).unwrap(),
                track_id: if at == 0 {
                    "aaaaaaaa".into()
                } else {
                    format!("aaaaaaaa.{}", at + 1)
                },
                role: Role::Button,
                label: String::new(),
                description: None,
                value: None,
                states: Vec::new(),
                bounds: Bounds {
                    left: at % 40 * 25,
                    top: from + at / 40 * 40,
                    right: at % 40 * 25 + 20,
                    bottom: from + at / 40 * 40 + 30,
                },
                resource_id: String::new(),
                package: "com.example".into(),
            })
            .collect()
    }

    #[test]
    fn two_thousand_against_two_thousand_take_bounded_steps() {
        // Nothing tells them apart but their place, and all of them move.
        for (from, to) in [(0, 0), (0, 20), (400, 0)] {
            let mut tracker = Tracker::new();
            let (mut before, mut after) = (alike(2_000, from), alike(2_000, to));
            tracker.follow(&mut before, 1080, 2400);
            let steps = steps_of(|| tracker.follow(&mut after, 1080, 2400));
            // Every pair is looked at once, and then only the likeliest.
            assert!(steps < 24_000_000, "{from} to {to}: {steps}");
        }
        // Many more than any screen has: no longer every pair.
        let mut tracker = Tracker::new();
        let (mut before, mut after) = (alike(20_000, 0), alike(20_000, 0));
        tracker.follow(&mut before, 1080, 2400);
        let steps = steps_of(|| tracker.follow(&mut after, 1080, 2400));
        assert!(steps < 24_000_000, "{steps}");
        assert!(before.iter().zip(&after).all(|(b, a)| b.track_id == a.track_id));
    }
}
