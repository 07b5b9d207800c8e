//! One file, directory, link or device.

use super::Content;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The user every command over adb runs as (`AID_SHELL`), and its groups, as `id` lists them on Android 14.
pub(crate) const SHELL: u32 = 2000;
const SHELL_GROUPS: [u32; 15] = [
    2000, 1004, 1007, 1011, 1015, 1028, 1078, 1079, 3001, 3002, 3003, 3006, 3009, 3011, 3012,
];

/// What part of the phone a node lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mount {
    /// `/`, `/system` and their like: nobody writes here.
    System,
    /// `/data`.
    Data,
    /// `/storage/emulated` (`/sdcard`).
    Storage,
    /// `/dev`.
    Devices,
    /// `/proc`.
    Processes,
}

impl Mount {
    pub(crate) fn read_only(self) -> bool {
        self == Self::System
    }

    /// `st_dev`, invented.
    pub(crate) fn device(self) -> u64 {
        match self {
            Self::System => 0xfe02,
            Self::Data => 0xfe2f,
            Self::Storage => 0x5b,
            Self::Devices => 0x11,
            Self::Processes => 0x15,
        }
    }
}

/// What a node is.
#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    Directory(BTreeMap<String, u64>),
    File(Arc<Content>),
    Link(String),
    /// One of the phone's own programs, by name.
    Program(&'static str),
    /// `/dev/null`.
    Null,
    /// `/dev/zero`.
    Zero,
    /// `/dev/tty`: the terminal of whoever opens it.
    Terminal,
}

impl NodeKind {
    /// `st_mode`'s type bits.
    pub(crate) fn bits(&self) -> u32 {
        match self {
            Self::Directory(_) => 0o040_000,
            Self::File(_) | Self::Program(_) => 0o100_000,
            Self::Link(_) => 0o120_000,
            Self::Null | Self::Zero | Self::Terminal => 0o020_000,
        }
    }
}

/// A node of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    /// Permission bits.
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// Seconds since 1970.
    pub(crate) modified: u64,
    /// By the phone's own clock, whatever time a file is given (`st_ctime`): made, or opened to be written.
    pub(crate) changed: u64,
    pub(crate) mount: Mount,
}

/// Reading, writing, entering or starting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessMode {
    Read = 4,
    Write = 2,
    Enter = 1,
}

impl Node {
    /// Whether the shell user may.
    pub(crate) fn allows(&self, wish: AccessMode) -> bool {
        let shift = if self.uid == SHELL {
            6
        } else if SHELL_GROUPS.contains(&self.gid) {
            3
        } else {
            0
        };
        (self.mode >> shift) & (wish as u32) != 0
    }

    pub(crate) fn size(&self) -> u64 {
        match &self.kind {
            NodeKind::Directory(_) if self.mount == Mount::Processes => 0,
            NodeKind::Directory(_) => 3452,
            NodeKind::File(content) => content.len(),
            NodeKind::Link(target) => target.len() as u64,
            NodeKind::Program(name) => 400_000 + 977 * name.len() as u64,
            NodeKind::Null | NodeKind::Zero | NodeKind::Terminal => 0,
        }
    }
}

/// What `stat` tells of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    /// Type and permission bits.
    pub(crate) mode: u32,
    pub(crate) links: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) size: u64,
    /// Seconds since 1970.
    pub(crate) modified: u64,
    /// The same of its last change.
    pub(crate) changed: u64,
    /// Where a link leads.
    pub(crate) link: Option<String>,
}

impl Stat {
    pub(crate) fn is_directory(&self) -> bool {
        self.mode & 0o170_000 == 0o040_000
    }

    pub(crate) fn is_file(&self) -> bool {
        self.mode & 0o170_000 == 0o100_000
    }

    pub(crate) fn is_link(&self) -> bool {
        self.mode & 0o170_000 == 0o120_000
    }

    pub(crate) fn is_device(&self) -> bool {
        self.mode & 0o170_000 == 0o020_000
    }
}
