//! The programs a script may run: the person's list, as the file system stands.

use super::objection::objection;
use crate::programs;
use agent::ports::Objection;
use protocol::RefusalCode;
use std::path::{Path, PathBuf};

/// The person's list, and where each program's links lead.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allowed {
    programs: Vec<(String, PathBuf)>,
    /// What stands on the list and may not, with why.
    unfit: Vec<(String, programs::Unfit)>,
}

impl Allowed {
    /// The list as the file system stands now.
    pub(crate) fn new(list: &[String]) -> Self {
        let mut allowed = Self::default();
        for path in list {
            match programs::judge(path) {
                Ok(real) => allowed.programs.push((path.clone(), real)),
                Err(unfit) => allowed.unfit.push((path.clone(), unfit)),
            }
        }
        allowed
    }

    /// The programs that may be called by their bare name, and the files behind them: two of one name have none.
    pub(crate) fn by_name(&self) -> Vec<(String, &Path)> {
        let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let same = |wanted: &str| {
            self.programs
                .iter()
                .filter(|(path, _)| name(path) == wanted)
                .count()
        };
        let named = self
            .programs
            .iter()
            .map(|(path, real)| (name(path), real.as_path()));
        named.filter(|(name, _)| same(name) == 1).collect()
    }

    /// A command's name, as it stands in the script, is a program of the list.
    pub(super) fn program(&self, name: &str) -> Result<(), Objection> {
        if self.programs.iter().any(|(path, _)| path == name) {
            return Ok(());
        }
        if let Some((_, unfit)) = self.unfit.iter().find(|(path, _)| path == name) {
            return Err(objection(
                RefusalCode::ScriptProgramUnfit,
                format!("{name} is never run: {unfit}"),
            ));
        }
        if !name.contains('/') && cfg!(unix) {
            let listed = self.by_name();
            if listed.iter().any(|(listed, _)| listed == name) {
                return Ok(());
            }
        }
        let list: Vec<&str> = self.programs.iter().map(|(path, _)| path.as_str()).collect();
        let list = if list.is_empty() {
            "no program at all".to_owned()
        } else {
            list.join(", ")
        };
        Err(objection(
            RefusalCode::ScriptProgram,
            format!(
                "{name} is not on the person's list, which allows {list}. Do it without, or on the phone by touches"
            ),
        ))
    }
}
