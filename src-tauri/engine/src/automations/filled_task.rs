//! What is asked for when an automation begins.

use std::collections::BTreeMap;

/// What stands for the names in braces.
pub(super) type Values = BTreeMap<String, String>;

/// What is to be done this time.
#[derive(Clone)]
pub(super) struct FilledTask {
    /// The task, with values in the place of names.
    pub(super) task: String,
    /// What the person said in the place of names.
    pub(super) values: Values,
}
