//! Which phones are connected, and which just came.

use protocol::{Millis, PhoneId, WaitReason};
use schedule::decide::PhoneNow;
use std::collections::{BTreeMap, BTreeSet};

/// A phone that was away for less did not come anew: over Wi-Fi they come and go.
const AWAY: Millis = 10_000;

/// The phones that were ever seen here: since when each is away, none while it is connected.
#[derive(Default)]
pub(super) struct ConnectionTracker(Option<BTreeMap<PhoneId, Option<Millis>>>);

impl ConnectionTracker {
    /// The phones that just came. Those that are there at the first look did not.
    pub(super) fn came(&mut self, phones: &[PhoneNow], now: Millis) -> Vec<PhoneId> {
        let is_there = |phone: &&PhoneNow| phone.in_the_way != Some(WaitReason::Missing);
        let there: BTreeSet<&PhoneId> = phones.iter().filter(is_there).map(|phone| &phone.id).collect();
        let is_first = self.0.is_none();
        let seen = self.0.get_or_insert_default();
        // Looks may be far apart: a phone is away since the first that missed it, not since the last that saw it.
        for (phone, away) in seen.iter_mut() {
            if !there.contains(phone) {
                away.get_or_insert(now);
            }
        }
        let is_new = |phone: &&&PhoneId| match seen.get(**phone) {
            None => !is_first,
            Some(away) => away.is_some_and(|since| now.saturating_sub(since) > AWAY),
        };
        let came = there
            .iter()
            .filter(is_new)
            .map(|phone| (*phone).clone())
            .collect();
        seen.extend(there.into_iter().map(|phone| (phone.clone(), None)));
        came
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Millis = 1_000;

    /// Looks at these seconds, each at the phones that are there then; which came at the last of them.
    fn check(looks: &[(Millis, &[&str])], expected: &[&str]) {
        let mut connected = ConnectionTracker::default();
        let mut came = Vec::new();
        for (at, there) in looks {
            let phones: Vec<PhoneNow> = ["one", "two"]
                .map(|id| PhoneNow {
                    id: PhoneId::from(id),
                    name: id.to_owned(),
                    in_the_way: (!there.contains(&id)).then_some(WaitReason::Missing),
                })
                .into();
            came = connected.came(&phones, at * SECOND);
        }
        let expected: Vec<PhoneId> = expected.iter().map(|id| PhoneId::from(*id)).collect();
        assert_eq!(came, expected, "{looks:?}");
    }

    #[test]
    fn a_phone_comes_where_it_was_away_for_a_while() {
        let (none, one, two, both): (&[&str], &[&str], &[&str], &[&str]) =
            (&[], &["one"], &["two"], &["one", "two"]);
        // What is there at the first look did not come; what nobody ever saw did.
        check(&[(0, one)], &[]);
        check(&[(0, none), (1, one)], &["one"]);
        check(&[(0, one), (1, both)], &["two"]);
        check(&[(0, none), (1, one), (2, one)], &[]);
        // However far apart the looks are, it is away only since one missed it.
        check(&[(0, one), (600, none), (601, one)], &[]);
        check(&[(0, one), (600, none), (610, one)], &[]);
        check(&[(0, one), (600, none), (611, one)], &["one"]);
        check(&[(0, one), (600, none), (620, one)], &["one"]);
        // It is away since the first look that missed it, and anew after it was there.
        check(&[(0, one), (1, none), (9, none), (18, one)], &["one"]);
        check(&[(0, one), (1, none), (9, one), (10, none), (19, one)], &[]);
        check(&[(0, both), (60, one), (120, two)], &["two"]);
    }

    #[test]
    fn a_phone_that_is_listed_no_more_is_away_too() {
        let phone = PhoneNow {
            id: PhoneId::from("one"),
            name: String::new(),
            in_the_way: Some(WaitReason::Busy),
        };
        let mut connected = ConnectionTracker::default();
        let there = std::slice::from_ref(&phone);
        assert_eq!(connected.came(there, 0), []);
        assert_eq!(connected.came(&[], SECOND), []);
        assert_eq!(
            connected.came(there, 20 * SECOND),
            std::slice::from_ref(&phone.id)
        );
        // A clock that was set back says nothing.
        assert_eq!(connected.came(&[], 30 * SECOND), []);
        assert_eq!(connected.came(there, 5 * SECOND), []);
    }
}
