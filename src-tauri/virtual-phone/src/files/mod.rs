//! The phone's file system, in memory.
//!
//! Nothing of the host's is reachable: names lead to nodes of this tree, bytes lie in it, and both are bounded.

mod content;
mod errno;
mod node;
mod open;
mod path;
mod seed;
mod tree;

pub(crate) use content::Content;
pub(crate) use errno::Errno;
pub(crate) use node::{Mount, NodeKind, Stat};
pub(crate) use open::{OpenFile, OpenMode};
pub(crate) use path::{absolute, file_name, parent};
pub(crate) use seed::ProcessFiles;
pub(crate) use tree::{Files, FollowLinks};
