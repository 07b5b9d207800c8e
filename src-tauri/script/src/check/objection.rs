//! What is said against a script.

use agent::ports::Objection;
use protocol::RefusalCode;

/// An objection by its code, in words for the model.
pub(super) fn objection(code: RefusalCode, message: String) -> Objection {
    Objection { code, message }
}

/// A kind of thing that is never in a script here.
pub(super) fn construct(what: &str) -> Objection {
    objection(
        RefusalCode::ScriptConstruct,
        format!(
            "{what} has no place in a script on the person's computer: bash could run anything through it"
        ),
    )
}

/// What takes too long to read, or lies too deep.
pub(super) fn too_complex() -> Objection {
    objection(
        RefusalCode::ScriptUnreadable,
        "the script is too tangled to be checked".to_owned(),
    )
}
