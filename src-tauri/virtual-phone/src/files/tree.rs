//! The tree of nodes, and what can be done with names in it.

use super::content::Quota;
use super::node::{AccessMode, Node, SHELL};
use super::{Content, Errno, Mount, NodeKind, OpenFile, OpenMode, Stat, absolute, file_name, parent};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many nodes there may be.
const NODES: usize = 50_000;
const LINKS_FOLLOWED: u8 = 40;
const ROOT: u64 = 2;

/// Whether a link at the end of a path is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FollowLinks {
    Yes,
    No,
}

/// The phone's files. All paths are absolute.
#[derive(Debug)]
pub(crate) struct Files {
    tree: Mutex<Tree>,
    quota: Arc<Quota>,
}

#[derive(Debug)]
pub(super) struct Tree {
    nodes: HashMap<u64, Node>,
    next: u64,
}

impl Tree {
    fn node(&self, inode: u64) -> Result<&Node, Errno> {
        self.nodes.get(&inode).ok_or(Errno::NotFound)
    }

    fn node_mut(&mut self, inode: u64) -> Result<&mut Node, Errno> {
        self.nodes.get_mut(&inode).ok_or(Errno::NotFound)
    }

    fn entries(&self, inode: u64) -> Result<&BTreeMap<String, u64>, Errno> {
        match &self.node(inode)?.kind {
            NodeKind::Directory(entries) => Ok(entries),
            _ => Err(Errno::NotDirectory),
        }
    }

    fn entries_mut(&mut self, inode: u64) -> Result<&mut BTreeMap<String, u64>, Errno> {
        match &mut self.node_mut(inode)?.kind {
            NodeKind::Directory(entries) => Ok(entries),
            _ => Err(Errno::NotDirectory),
        }
    }

    /// Walks `path`. With [`FollowLinks::No`] a link at its end is the answer itself.
    fn find(&self, path: &str, follow: FollowLinks) -> Result<u64, Errno> {
        let mut path = path.to_owned();
        for _ in 0..LINKS_FOLLOWED {
            match self.walk(&path, follow)? {
                Walk::Found(inode) => return Ok(inode),
                Walk::Elsewhere(next) => path = next,
            }
        }
        Err(Errno::Loop)
    }

    fn walk(&self, path: &str, follow: FollowLinks) -> Result<Walk, Errno> {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let mut inode = ROOT;
        for (at, part) in parts.iter().enumerate() {
            let node = self.node(inode)?;
            let NodeKind::Directory(entries) = &node.kind else {
                return Err(Errno::NotDirectory);
            };
            if !node.allows(AccessMode::Enter) {
                return Err(Errno::Access);
            }
            if part.len() > 255 {
                return Err(Errno::NameTooLong);
            }
            inode = *entries.get(*part).ok_or(Errno::NotFound)?;
            let last = at + 1 == parts.len();
            if let NodeKind::Link(target) = &self.node(inode)?.kind
                && (!last || follow == FollowLinks::Yes)
            {
                let here = format!("/{}", parts.get(..at).unwrap_or_default().join("/"));
                let rest = parts.get(at + 1..).unwrap_or_default().join("/");
                return Ok(Walk::Elsewhere(absolute(
                    "/",
                    &format!("{}/{rest}", absolute(&here, target)),
                )));
            }
        }
        Ok(Walk::Found(inode))
    }

    /// The directory that holds (or would hold) `path`, and the name in it. It must be writable when `changing`.
    fn place(&self, path: &str) -> Result<(u64, String), Errno> {
        let name = file_name(path);
        if name.is_empty() {
            return Err(Errno::Exists);
        }
        let directory = self.find(parent(path), FollowLinks::Yes)?;
        let node = self.node(directory)?;
        if !matches!(node.kind, NodeKind::Directory(_)) {
            return Err(Errno::NotDirectory);
        }
        Ok((directory, name.to_owned()))
    }

    fn check_writable(&self, directory: u64) -> Result<(), Errno> {
        let node = self.node(directory)?;
        if node.mount.read_only() {
            Err(Errno::ReadOnly)
        } else if !node.allows(AccessMode::Write) || !node.allows(AccessMode::Enter) {
            Err(Errno::Access)
        } else {
            Ok(())
        }
    }

    fn insert(&mut self, directory: u64, name: String, node: Node) -> Result<u64, Errno> {
        if self.nodes.len() >= NODES {
            return Err(Errno::NoSpace);
        }
        if name.len() > 255 {
            return Err(Errno::NameTooLong);
        }
        self.next += 1;
        let inode = self.next;
        self.entries_mut(directory)?.insert(name, inode);
        self.nodes.insert(inode, node);
        Ok(inode)
    }

    fn stat(&self, inode: u64) -> Result<Stat, Errno> {
        let node = self.node(inode)?;
        let (links, link) = match &node.kind {
            NodeKind::Directory(entries) => {
                let inner = entries.values().filter(|child| {
                    self.nodes
                        .get(child)
                        .is_some_and(|node| matches!(node.kind, NodeKind::Directory(_)))
                });
                (2 + u32::try_from(inner.count()).unwrap_or(u32::MAX), None)
            }
            NodeKind::Link(target) => (1, Some(target.clone())),
            _ => (1, None),
        };
        Ok(Stat {
            device: node.mount.device(),
            inode,
            mode: node.kind.bits() | node.mode,
            links,
            uid: node.uid,
            gid: node.gid,
            size: node.size(),
            modified: node.modified,
            changed: node.changed,
            link,
        })
    }

    pub(super) fn put(&mut self, path: &str, node: Node) -> Result<(), Errno> {
        let (directory, name) = self.place(path)?;
        if let Some(old) = self.entries_mut(directory)?.remove(&name) {
            self.forget(old);
        }
        self.insert(directory, name, node).map(|_| ())
    }

    fn forget(&mut self, inode: u64) {
        if let Some(Node {
            kind: NodeKind::Directory(entries),
            ..
        }) = self.nodes.remove(&inode)
        {
            for child in entries.into_values() {
                self.forget(child);
            }
        }
    }
}

enum Walk {
    Found(u64),
    Elsewhere(String),
}

impl Files {
    /// An empty tree for so many bytes: a root that belongs to root.
    pub(super) fn empty(storage: u64) -> Self {
        let root = Node {
            kind: NodeKind::Directory(BTreeMap::new()),
            mode: 0o755,
            uid: 0,
            gid: 0,
            modified: 1_230_768_000,
            changed: 1_230_768_000,
            mount: Mount::System,
        };
        Self {
            tree: Mutex::new(Tree {
                nodes: HashMap::from([(ROOT, root)]),
                next: 10,
            }),
            quota: Arc::new(Quota::new(storage)),
        }
    }

    pub(super) fn tree(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn content(&self) -> Arc<Content> {
        Arc::new(Content::new(&self.quota))
    }

    /// Puts a node where the makers of the phone want it: no permission is asked. An older one there goes.
    pub(super) fn put(&self, path: &str, node: Node) -> Result<(), Errno> {
        self.tree().put(path, node)
    }

    /// Makes the storage full (not a byte more fits), or as roomy as it was.
    pub(crate) fn set_full(&self, full: bool) {
        self.quota.set_full(full);
    }

    /// How many bytes all files hold, and whether not one more fits.
    pub(crate) fn held(&self) -> (u64, bool) {
        self.quota.held()
    }

    /// On what part of the phone a path lies.
    pub(crate) fn mount(&self, path: &str, follow: FollowLinks) -> Result<Mount, Errno> {
        let tree = self.tree();
        Ok(tree.node(tree.find(path, follow)?)?.mount)
    }

    /// An open file without a name, holding `bytes`.
    pub(crate) fn anonymous(&self, bytes: &[u8]) -> Result<OpenFile, Errno> {
        let content = self.content();
        content.write_at(None, bytes)?;
        Ok(OpenFile::new(content, OpenMode::READ))
    }

    /// What stands at `path`.
    pub(crate) fn stat(&self, path: &str, follow: FollowLinks) -> Result<Stat, Errno> {
        let tree = self.tree();
        tree.stat(tree.find(path, follow)?)
    }

    /// What kind of thing stands at `path`, links followed.
    pub(crate) fn kind(&self, path: &str) -> Result<NodeKind, Errno> {
        let tree = self.tree();
        Ok(tree.node(tree.find(path, FollowLinks::Yes)?)?.kind.clone())
    }

    /// Whether the shell user may read (4), write (2), start or enter (1) what stands at `path`.
    pub(crate) fn may(&self, path: &str, bit: u32) -> bool {
        let tree = self.tree();
        let Ok(node) = tree
            .find(path, FollowLinks::Yes)
            .and_then(|inode| tree.node(inode))
        else {
            return false;
        };
        match bit {
            4 => node.allows(AccessMode::Read),
            2 => node.allows(AccessMode::Write) && !node.mount.read_only(),
            _ => node.allows(AccessMode::Enter),
        }
    }

    /// Names and what they are, sorted by name.
    pub(crate) fn list(&self, path: &str) -> Result<Vec<(String, Stat)>, Errno> {
        let tree = self.tree();
        let inode = tree.find(path, FollowLinks::Yes)?;
        let entries = tree.entries(inode)?;
        if !tree.node(inode)?.allows(AccessMode::Read) {
            return Err(Errno::Access);
        }
        entries
            .iter()
            .map(|(name, inode)| Ok((name.clone(), tree.stat(*inode)?)))
            .collect()
    }

    /// Opens a file. `time` is what a new or emptied one is dated.
    pub(crate) fn open(&self, path: &str, mode: OpenMode, time: u64) -> Result<OpenFile, Errno> {
        let mut tree = self.tree();
        let found = tree.find(path, FollowLinks::Yes);
        let inode = match found {
            Ok(inode) => inode,
            Err(Errno::NotFound) if mode.create => {
                let target = tree.find(path, FollowLinks::No).ok().and_then(|link| {
                    match &tree.node(link).ok()?.kind {
                        NodeKind::Link(target) => Some(absolute(parent(path), target)),
                        _ => None,
                    }
                });
                let (directory, name) = tree.place(target.as_deref().unwrap_or(path))?;
                tree.check_writable(directory)?;
                let mount = tree.node(directory)?.mount;
                let node = new_node(NodeKind::File(self.content()), mount, time);
                tree.insert(directory, name, node)?
            }
            Err(error) => return Err(error),
        };
        let node = tree.node_mut(inode)?;
        match &node.kind {
            NodeKind::File(content) => {
                if mode.write && node.mount.read_only() {
                    return Err(Errno::ReadOnly);
                }
                if (mode.read && !node.allows(AccessMode::Read))
                    || (mode.write && !node.allows(AccessMode::Write))
                {
                    return Err(Errno::Access);
                }
                let content = Arc::clone(content);
                if mode.truncate {
                    content.clear();
                }
                if mode.write {
                    node.modified = time;
                    node.changed = time;
                }
                Ok(OpenFile::new(content, mode))
            }
            NodeKind::Directory(_) => Err(Errno::IsDirectory),
            NodeKind::Program(_) if mode.write => Err(Errno::ReadOnly),
            _ => Err(Errno::Invalid),
        }
    }

    /// Makes a directory.
    pub(crate) fn make_directory(&self, path: &str, bits: u32, time: u64) -> Result<(), Errno> {
        self.make(path, NodeKind::Directory(BTreeMap::new()), Some(bits), time)
    }

    /// Makes a symbolic link.
    pub(crate) fn link(&self, path: &str, target: &str, time: u64) -> Result<(), Errno> {
        self.make(path, NodeKind::Link(target.to_owned()), Some(0o777), time)
    }

    fn make(&self, path: &str, kind: NodeKind, bits: Option<u32>, time: u64) -> Result<(), Errno> {
        let mut tree = self.tree();
        let (directory, name) = tree.place(path)?;
        if tree.entries(directory)?.contains_key(&name) {
            return Err(Errno::Exists);
        }
        tree.check_writable(directory)?;
        let mount = tree.node(directory)?.mount;
        let mut node = new_node(kind, mount, time);
        // Shared storage gives everything the same bits, but a link has all.
        if (mount == Mount::Data || matches!(node.kind, NodeKind::Link(_)))
            && let Some(bits) = bits
        {
            node.mode = bits & 0o777;
        }
        tree.insert(directory, name, node).map(|_| ())
    }

    /// Takes a file or link (`directory` false) or an empty directory (true) away.
    pub(crate) fn remove(&self, path: &str, directory: bool) -> Result<(), Errno> {
        let mut tree = self.tree();
        let inode = tree.find(path, FollowLinks::No)?;
        match &tree.node(inode)?.kind {
            NodeKind::Directory(_) if !directory => return Err(Errno::IsDirectory),
            NodeKind::Directory(entries) if !entries.is_empty() => return Err(Errno::NotEmpty),
            NodeKind::Directory(_) => {}
            _ if directory => return Err(Errno::NotDirectory),
            _ => {}
        }
        let (place, name) = tree.place(path).map_err(|_| Errno::NotPermitted)?;
        tree.check_writable(place)?;
        tree.entries_mut(place)?.remove(&name);
        tree.nodes.remove(&inode);
        Ok(())
    }

    /// Gives a node another name and place.
    pub(crate) fn rename(&self, from: &str, to: &str) -> Result<(), Errno> {
        let mut tree = self.tree();
        let inode = tree.find(from, FollowLinks::No)?;
        let (source, old) = tree.place(from)?;
        let (target, new) = tree.place(to)?;
        if tree.node(source)?.mount != tree.node(target)?.mount {
            return Err(Errno::CrossDevice);
        }
        tree.check_writable(source)?;
        tree.check_writable(target)?;
        let moving_directory = matches!(tree.node(inode)?.kind, NodeKind::Directory(_));
        if moving_directory && format!("{to}/").starts_with(&format!("{from}/")) && to != from {
            return Err(Errno::Invalid);
        }
        if let Some(&there) = tree.entries(target)?.get(&new) {
            if there == inode {
                return Ok(());
            }
            match (&tree.node(there)?.kind, moving_directory) {
                (NodeKind::Directory(entries), true) if entries.is_empty() => {}
                (NodeKind::Directory(_), true) => return Err(Errno::NotEmpty),
                (NodeKind::Directory(_), false) => return Err(Errno::IsDirectory),
                (_, true) => return Err(Errno::NotDirectory),
                (_, false) => {}
            }
            tree.forget(there);
        }
        tree.entries_mut(source)?.remove(&old);
        tree.entries_mut(target)?.insert(new, inode);
        Ok(())
    }

    /// Sets permission bits and, if given, the time of the last change. `/sdcard` ignores the bits, as on a phone.
    pub(crate) fn set_attributes(
        &self,
        path: &str,
        bits: Option<u32>,
        time: Option<u64>,
    ) -> Result<(), Errno> {
        let mut tree = self.tree();
        let inode = tree.find(path, FollowLinks::Yes)?;
        let node = tree.node_mut(inode)?;
        if node.mount.read_only() {
            return Err(Errno::ReadOnly);
        }
        if node.uid != SHELL && node.mount != Mount::Storage {
            return Err(Errno::NotPermitted);
        }
        if let Some(bits) = bits
            && node.mount == Mount::Data
        {
            node.mode = bits & 0o7777;
        }
        if let Some(time) = time {
            node.modified = time;
        }
        Ok(())
    }
}

/// What the shell user makes: its own in `/data`; in `/sdcard` everything belongs to `media_rw` (FUSE).
fn new_node(kind: NodeKind, mount: Mount, modified: u64) -> Node {
    let directory = matches!(kind, NodeKind::Directory(_));
    let (mode, uid, gid) = match (mount, directory) {
        (Mount::Storage, true) => (0o2770, SHELL, 1015),
        (Mount::Storage, false) => (0o660, SHELL, 1015),
        (_, true) => (0o777, SHELL, SHELL),
        (_, false) => (0o666, SHELL, SHELL),
    };
    Node {
        kind,
        mode,
        uid,
        gid,
        modified,
        changed: modified,
        mount,
    }
}
