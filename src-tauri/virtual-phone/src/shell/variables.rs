//! Variables, exported or not, with functions' own.

use crate::process::{Call, Environment};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
struct Variable {
    value: String,
    exported: bool,
    readonly: bool,
}

/// The variables of one shell.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    values: BTreeMap<String, Variable>,
    /// What `local` hid, innermost function last.
    hidden: Vec<Vec<(String, Option<Variable>)>>,
}

/// The variable may not be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("read-only: {0}")]
pub(super) struct ReadOnly(pub(super) String);

impl Variables {
    pub(super) fn new(call: &Call) -> Self {
        let mut variables = Self::default();
        for (name, value) in &call.environment {
            let value = value.clone();
            variables.values.insert(
                name.clone(),
                Variable {
                    value,
                    exported: true,
                    readonly: false,
                },
            );
        }
        let row = call.process.row();
        for (name, value) in [
            ("IFS", " \t\n".to_owned()),
            ("PWD", call.directory.clone()),
            ("PPID", row.parent.to_string()),
            ("KSH_VERSION", "@(#)MIRBSD KSH R59 2020/10/31 Android".to_owned()),
            ("USER_ID", "2000".to_owned()),
            ("OPTIND", "1".to_owned()),
        ] {
            variables.values.entry(name.to_owned()).or_default().value = value;
        }
        variables
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|variable| variable.value.as_str())
    }

    pub(super) fn set(&mut self, name: &str, value: impl Into<String>) -> Result<(), ReadOnly> {
        let variable = self.values.entry(name.to_owned()).or_default();
        if variable.readonly {
            return Err(ReadOnly(name.to_owned()));
        }
        variable.value = value.into();
        Ok(())
    }

    pub(super) fn unset(&mut self, name: &str) -> Result<(), ReadOnly> {
        if self.values.get(name).is_some_and(|variable| variable.readonly) {
            return Err(ReadOnly(name.to_owned()));
        }
        self.values.remove(name);
        Ok(())
    }

    pub(super) fn export(&mut self, name: &str, exported: bool) {
        self.values.entry(name.to_owned()).or_default().exported = exported;
    }

    pub(super) fn make_readonly(&mut self, name: &str) {
        self.values.entry(name.to_owned()).or_default().readonly = true;
    }

    /// What a program gets.
    pub(super) fn environment(&self) -> Environment {
        let exported = self.values.iter().filter(|(_, variable)| variable.exported);
        exported
            .map(|(name, variable)| (name.clone(), variable.value.clone()))
            .collect()
    }

    /// Every variable, sorted.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values
            .iter()
            .map(|(name, variable)| (name.as_str(), variable.value.as_str()))
    }

    pub(super) fn enter_function(&mut self) {
        self.hidden.push(Vec::new());
    }

    pub(super) fn leave_function(&mut self) {
        for (name, old) in self.hidden.pop().unwrap_or_default().into_iter().rev() {
            match old {
                Some(old) => self.values.insert(name, old),
                None => self.values.remove(&name),
            };
        }
    }

    /// `local NAME`: hides the variable until the function is left. False outside a function.
    pub(super) fn make_local(&mut self, name: &str) -> bool {
        let Some(hidden) = self.hidden.last_mut() else {
            return false;
        };
        hidden.push((name.to_owned(), self.values.remove(name)));
        true
    }
}

/// Whether a word may name a variable.
pub(super) fn is_name(word: &str) -> bool {
    let mut characters = word.chars();
    characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
}
