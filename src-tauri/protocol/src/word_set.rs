//! Sets of words that grow: each version writes its own, and reads those of others.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One of this version's words, or another's as it was written: what is read is written again unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MaybeKnown<T> {
    /// One of this version's.
    Known(T),
    /// One of an earlier or a newer version's.
    Other(String),
}

impl<T: Copy> MaybeKnown<T> {
    /// The word, where this version knows it.
    #[must_use]
    pub fn known(&self) -> Option<T> {
        match self {
            Self::Known(word) => Some(*word),
            Self::Other(_) => None,
        }
    }
}

impl<T: Default> Default for MaybeKnown<T> {
    fn default() -> Self {
        Self::Known(T::default())
    }
}

impl<T> From<T> for MaybeKnown<T> {
    fn from(word: T) -> Self {
        Self::Known(word)
    }
}

impl<T: PartialEq> PartialEq<T> for MaybeKnown<T> {
    fn eq(&self, word: &T) -> bool {
        matches!(self, Self::Known(known) if known == word)
    }
}

impl<T: fmt::Display> fmt::Display for MaybeKnown<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(word) => word.fmt(f),
            Self::Other(word) => f.pad(word),
        }
    }
}

/// An enum that is written as the words given, which stay what they are whatever its variants come to be called.
macro_rules! word_set {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, ts_rs::TS)]
        #[ts(export_to = "protocol.ts")]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word the journal, the pages and a model have for it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

pub(crate) use word_set;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ActMethod, LimitKind, LocatorStrategy, OutcomeCode, RuleName, WarningCode};

    #[test]
    fn what_another_version_wrote_is_written_again_as_it_was() {
        for word in ["\"done\"", "\"swiped_twice\"", "\"\""] {
            let read: MaybeKnown<OutcomeCode> = serde_json::from_str(word).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), word);
            assert_eq!(read.known().is_some(), word == "\"done\"");
        }
    }

    #[test]
    fn each_word_is_told_and_written_as_one_and_the_same() {
        fn check<T: Copy + fmt::Debug + fmt::Display + PartialEq + Serialize>(all: &[T])
        where
            MaybeKnown<T>: for<'a> Deserialize<'a>,
        {
            for word in all {
                let written = serde_json::to_string(word).unwrap();
                assert_eq!(written, format!("\"{word}\""));
                let read: MaybeKnown<T> = serde_json::from_str(&written).unwrap();
                assert!(read == *word, "{written}");
            }
        }
        check(ActMethod::ALL);
        check(LimitKind::ALL);
        check(LocatorStrategy::ALL);
        check(OutcomeCode::ALL);
        check(RuleName::ALL);
        check(WarningCode::ALL);
    }
}
