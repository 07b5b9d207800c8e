//! Who is meant by a name, among those on the screen.

use crate::words::{like, list, plain};

/// Who is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Match<T> {
    One(T),
    /// Several are meant equally: their names.
    Several(Vec<String>),
    Nobody,
}

/// How surely a name means somebody: 0 not at all, 4 by the whole name.
pub(super) fn fit(wanted: &str, name: &str) -> u8 {
    let (whole, other) = (plain(wanted), plain(name));
    if whole == other {
        return 4;
    }
    let (wanted, words) = (list(wanted), list(name));
    if wanted.is_empty() {
        return 0;
    }
    let all =
        |same: &dyn Fn(&str, &str) -> bool| wanted.iter().all(|one| words.iter().any(|word| same(word, one)));
    if all(&|word, one| word == one) {
        3
    } else if all(&|word, one| like(one, word)) {
        2
    } else if all(&|word, one| one.len() >= 3 && word.starts_with(one)) {
        1
    } else {
        0
    }
}

/// The one of `candidates` that `wanted` means; a name that stands there twice is one.
pub(super) fn find<'a, T>(wanted: &str, candidates: impl Iterator<Item = (&'a str, T)>) -> Match<T> {
    let mut best: Vec<(&str, T)> = Vec::new();
    let mut fitting = 1;
    for (name, candidate) in candidates {
        let fit = fit(wanted, name);
        if fit > fitting {
            best.clear();
        }
        if fit >= fitting && fit > 0 {
            fitting = fit;
            if !best.iter().any(|(known, _)| plain(known) == plain(name)) {
                best.push((name, candidate));
            }
        }
    }
    if best.len() > 1 {
        return Match::Several(best.into_iter().map(|(name, _)| name.to_owned()).collect());
    }
    best.into_iter()
        .next()
        .map_or(Match::Nobody, |(_, one)| Match::One(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_surest_is_meant() {
        let all = ["Anna", "Dana’s Bakery", "Dana Whitlock", "Mum", "Dana Whitlock"];
        for (wanted, expected) in [
            ("Dana", Match::One("Dana Whitlock")),
            ("dana whitlok", Match::One("Dana Whitlock")),
            ("Dana's bakery", Match::One("Dana’s Bakery")),
            ("bakery", Match::One("Dana’s Bakery")),
            ("mum", Match::One("Mum")),
            ("Bob", Match::Nobody),
            ("", Match::Nobody),
            ("Da", Match::Nobody),
        ] {
            assert_eq!(
                find(wanted, all.iter().map(|name| (*name, *name))),
                expected,
                "{wanted}"
            );
        }
        let two = ["Dana Whitlock", "Dana Alder"];
        let names = two.iter().map(|name| (*name, ()));
        assert_eq!(
            find("Dana", names),
            Match::Several(two.map(str::to_owned).to_vec())
        );
    }
}
