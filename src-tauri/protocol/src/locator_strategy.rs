//! The ways in which a target is found on a screen.

use crate::word_set::word_set;

word_set! {
    /// What found a target, in the order they are tried.
    #[derive(PartialOrd, Ord)]
    LocatorStrategy {
        /// The thing followed from screen to screen.
        TrackId = "track_id",
        /// The element's number.
        Element = "element",
        /// Its text, letter for letter.
        TextExact = "text_exact",
        /// Its text, whatever its capitals.
        TextAnyCase = "text_any_case",
        /// A part of its text.
        TextContains = "text_contains",
        /// The box it lies in.
        Box = "box",
        /// The pixel.
        Point = "point",
    }
}
