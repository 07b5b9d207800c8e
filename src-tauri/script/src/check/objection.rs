//! What is said against a script.

use agent::ports::Objection;

/// An objection by its code, in words for the model.
pub(super) fn objection(code: &'static str, message: String) -> Objection {
    Objection { code, message }
}

/// A kind of thing that is never in a script here.
pub(super) fn construct(what: &str) -> Objection {
    objection(
        "script_construct",
        format!(
            "{what} has no place in a script on the person's computer: bash could run anything through it"
        ),
    )
}

/// What takes too long to read, or lies too deep.
pub(super) fn too_complex() -> Objection {
    objection(
        "script_unreadable",
        "the script is too tangled to be checked".to_owned(),
    )
}
