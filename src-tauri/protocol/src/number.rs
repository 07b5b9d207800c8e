//! Numbers as the schemas write them: one JSON number type, whole where it is whole.
//!
//! The seeds' `number` is a JavaScript number. It is kept as `f64` and written without `.0` when it is whole,
//! so that `540` read from a reply is `540` again in the journal, in `deck` and in the window.

use serde::Serializer;

/// The largest whole number an `f64` holds exactly.
const LARGEST_EXACT: f64 = 9_007_199_254_740_991.0;

/// Writes `n` as an integer when it is one, else as a decimal.
///
/// # Errors
/// Whatever the serializer says.
pub fn serialize<S: Serializer>(n: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if n.fract() == 0.0 && n.abs() <= LARGEST_EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within the exact range")]
        serializer.serialize_i64(*n as i64)
    } else {
        serializer.serialize_f64(*n)
    }
}

/// The same for a number that may be absent.
pub mod optional {
    use serde::Serializer;

    /// Writes `null` or the number as [`super::serialize`] does.
    ///
    /// # Errors
    /// Whatever the serializer says.
    pub fn serialize<S: Serializer>(n: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        match n {
            Some(n) => super::serialize(n, serializer),
            None => serializer.serialize_none(),
        }
    }
}

/// The same for the four numbers of a box.
pub mod four {
    use serde::Serializer;
    use serde::ser::SerializeTuple;

    struct Whole(f64);

    impl serde::Serialize for Whole {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            super::serialize(&self.0, serializer)
        }
    }

    /// Writes `null` or four numbers as [`super::serialize`] does.
    ///
    /// # Errors
    /// Whatever the serializer says.
    pub fn serialize<S: Serializer>(four: &Option<[f64; 4]>, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(four) = four else {
            return serializer.serialize_none();
        };
        let mut tuple = serializer.serialize_tuple(4)?;
        for n in four {
            tuple.serialize_element(&Whole(*n))?;
        }
        tuple.end()
    }
}
