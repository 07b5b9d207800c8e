//! Everything in `/system/bin`.

use crate::process::Program;
use crate::{shell, tools, toybox};

/// A program's name and code, for the tables.
macro_rules! program {
    ($name:literal, $main:path) => {
        $crate::process::Program {
            name: $name,
            main: |call| Box::pin($main(call)),
        }
    };
}
pub(crate) use program;

const SHELLS: [Program; 2] = [program!("sh", shell::main), program!("mksh", shell::main)];

fn all() -> impl Iterator<Item = Program> {
    SHELLS.into_iter().chain(toybox::PROGRAMS).chain(tools::PROGRAMS)
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
