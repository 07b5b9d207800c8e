//! Everything in `/system/bin`.

use crate::process::{Program, program};
use crate::{shell, tools, toybox};

const SHELLS: [Program; 2] = [program!("sh", shell::main), program!("mksh", shell::main)];

fn all() -> impl Iterator<Item = Program> {
    SHELLS
        .iter()
        .chain(toybox::PROGRAMS)
        .chain(tools::PROGRAMS)
        .copied()
}

/// Their names.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    all().map(|program| program.name)
}

/// The one of this name.
pub(crate) fn find(name: &str) -> Option<Program> {
    all().find(|program| program.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn no_name_stands_twice() {
        let names: Vec<_> = super::names().collect();
        assert_eq!(
            names.iter().collect::<BTreeSet<_>>().len(),
            names.len(),
            "{names:?}"
        );
    }
}
