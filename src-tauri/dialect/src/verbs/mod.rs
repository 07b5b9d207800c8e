//! A tool for each verb: `{"name": "click", "arguments": {"points": [[x, y]]}}`. `PhoneBuddy` and Google's tool for phones
//! are written so, and so do models write that were told of no such tool.
//!
//! The places are what the model counts, in any of the names they go by. `scroll` by a direction names the side from
//! which more comes, `swipe` the way the finger goes. `finish`, `answer` and `output` end the task; `terminate` by a
//! failure does not.

mod read;
mod table;
mod write;

pub(crate) use read::read;
pub(crate) use table::{is_own, is_verb};
pub(crate) use write::write;
