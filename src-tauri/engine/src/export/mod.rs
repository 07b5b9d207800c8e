//! A run taken out of the program: a page a person can read, or lines a model can be trained with. Secrets are taken out
//! as from everything that is written down, and once more here: by then more of them are known.

mod page;
mod sentence;
mod step;
mod training;

use crate::pictures::{fresh_folder, stamp};
use crate::{Engine, EngineError, words};
use protocol::{ExportForm, Failure, FrameId, RunId, RunStory};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use step::ExportedStep;
use store::StoreError;

/// The longest name a folder is given after a task, in characters.
const LONGEST_NAME: usize = 60;

impl Engine {
    /// Writes a run into a new folder of the person's documents; says which.
    ///
    /// # Errors
    /// [`protocol::FailureCode::NotFound`] where the run is gone; what could not be read or written.
    pub async fn export_run(&self, run: &RunId, form: ExportForm) -> Result<PathBuf, Failure> {
        let documents = crate::documents_folder().ok_or(EngineError::NoFolder)?;
        let story = self.run_story(run).await?;
        let name = words::fill(
            match form {
                ExportForm::Page => "export.task.folder",
                ExportForm::Training => "export.task.training_folder",
            },
            &[("task", &file_name(&story.run.goal)), ("date", &stamp())],
        );
        let folder = fresh_folder(&documents, &name).await.map_err(EngineError::from)?;
        self.export_story(&story, form, &folder).await?;
        Ok(folder)
    }

    /// Writes a run into this folder, which is made where it is missing.
    ///
    /// # Errors
    /// As [`Engine::export_run`].
    pub async fn export_run_to(&self, run: &RunId, form: ExportForm, folder: &Path) -> Result<(), Failure> {
        let story = self.run_story(run).await?;
        self.export_story(&story, form, folder).await
    }

    async fn export_story(&self, story: &RunStory, form: ExportForm, folder: &Path) -> Result<(), Failure> {
        let steps = step::steps(&story.events);
        let pictures = self.export_pictures(&steps, folder).await?;
        let (name, text) = match form {
            ExportForm::Page => ("index.html", page::page(story, &steps, &pictures)),
            ExportForm::Training => {
                let mut lines = String::new();
                for step in &steps {
                    let elements = match step.frame() {
                        Some(frame) => self
                            .inner
                            .store
                            .elements(frame)
                            .await
                            .map_err(EngineError::from)?,
                        None => Vec::new(),
                    };
                    let picture = step.frame().and_then(|frame| pictures.get(frame));
                    if let Some(line) =
                        training::line(&story.run, step, &elements, picture.map(String::as_str))
                    {
                        lines.push_str(&line);
                        lines.push('\n');
                    }
                }
                ("steps.jsonl", lines)
            }
        };
        std::fs::write(folder.join(name), text).map_err(EngineError::Unwritable)?;
        Ok(())
    }

    /// Every picture of the steps, by its name there. One that was erased is left out.
    async fn export_pictures(
        &self,
        steps: &[ExportedStep],
        folder: &Path,
    ) -> Result<BTreeMap<FrameId, String>, Failure> {
        let place = folder.join("pictures");
        std::fs::create_dir_all(&place).map_err(EngineError::Unwritable)?;
        let mut named = BTreeMap::new();
        for frame in steps.iter().flat_map(ExportedStep::frames) {
            if named.contains_key(frame) {
                continue;
            }
            match self.inner.store.frame(frame).await {
                Ok(picture) => {
                    let name = format!("pictures/{}.{}", named.len() + 1, picture.ending());
                    std::fs::write(folder.join(&name), picture.bytes).map_err(EngineError::Unwritable)?;
                    named.insert(frame.clone(), name);
                }
                Err(StoreError::NotFound(_)) => {}
                Err(error) => return Err(EngineError::from(error).into()),
            }
        }
        Ok(named)
    }
}

/// A task as a part of a folder's name.
fn file_name(goal: &str) -> String {
    let plain: String = goal
        .chars()
        .map(|letter| {
            if letter.is_alphanumeric() || "-_’'".contains(letter) {
                letter
            } else {
                ' '
            }
        })
        .collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(LONGEST_NAME).collect();
    name.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn a_task_names_a_folder_everywhere() {
        for (goal, name) in [
            ("Order the weekly groceries", "Order the weekly groceries"),
            ("Text Dana: I’m late / 10 min?", "Text Dana I’m late 10 min"),
            ("../../etc", "etc"),
            ("给妈妈发消息", "给妈妈发消息"),
            ("\n", ""),
        ] {
            assert_eq!(file_name(goal), name);
        }
        assert_eq!(file_name(&"ab ".repeat(100)).chars().count(), 59);
    }
}
