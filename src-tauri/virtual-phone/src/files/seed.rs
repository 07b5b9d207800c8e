//! What lies on a new phone. Names, owners and bits as an Android 14 shell lists them; file texts are invented.

use super::node::{Node, SHELL};
use super::{Content, Errno, Files, Mount, NodeKind};
use std::collections::BTreeMap;

/// All files together may hold so much.
const STORAGE: u64 = 512 * 1024 * 1024;

/// The date of everything on a system image (AOSP builds stamp it 2009-01-01).
const IMAGE: u64 = 1_230_768_000;

/// Directories: path, bits, owner, group, mount.
const DIRECTORIES: [(&str, u32, u32, u32, Mount); 44] = [
    ("/acct", 0o755, 0, 0, Mount::System),
    ("/apex", 0o755, 0, 0, Mount::System),
    ("/data", 0o771, 1000, 1000, Mount::Data),
    ("/data/anr", 0o775, 1000, 1000, Mount::Data),
    ("/data/app", 0o771, 1000, 1000, Mount::Data),
    ("/data/data", 0o771, 1000, 1000, Mount::Data),
    ("/data/local", 0o751, 0, 0, Mount::Data),
    ("/data/local/tmp", 0o771, SHELL, SHELL, Mount::Data),
    ("/data/system", 0o775, 1000, 1000, Mount::Data),
    ("/dev", 0o755, 0, 0, Mount::Devices),
    ("/dev/input", 0o755, 0, 1004, Mount::Devices),
    ("/dev/socket", 0o755, 0, 0, Mount::Devices),
    ("/linkerconfig", 0o755, 0, 0, Mount::System),
    ("/metadata", 0o755, 0, 0, Mount::System),
    ("/mnt", 0o755, 0, 1000, Mount::System),
    ("/odm", 0o755, 0, 0, Mount::System),
    ("/oem", 0o755, 0, 0, Mount::System),
    ("/proc", 0o555, 0, 0, Mount::Processes),
    ("/product", 0o755, 0, 0, Mount::System),
    ("/storage", 0o755, 0, 0, Mount::System),
    ("/storage/emulated", 0o755, 0, 0, Mount::System),
    ("/storage/emulated/0", 0o2770, 10158, 1015, Mount::Storage),
    ("/storage/emulated/0/Alarms", 0o2770, 10158, 1015, Mount::Storage),
    ("/storage/emulated/0/Android", 0o2770, 10158, 1015, Mount::Storage),
    (
        "/storage/emulated/0/Android/data",
        0o2770,
        10158,
        1015,
        Mount::Storage,
    ),
    ("/storage/emulated/0/DCIM", 0o2770, 10158, 1015, Mount::Storage),
    (
        "/storage/emulated/0/DCIM/Camera",
        0o2770,
        10158,
        1015,
        Mount::Storage,
    ),
    (
        "/storage/emulated/0/Documents",
        0o2770,
        10158,
        1015,
        Mount::Storage,
    ),
    (
        "/storage/emulated/0/Download",
        0o2770,
        10158,
        1015,
        Mount::Storage,
    ),
    ("/storage/emulated/0/Movies", 0o2770, 10158, 1015, Mount::Storage),
    ("/storage/emulated/0/Music", 0o2770, 10158, 1015, Mount::Storage),
    (
        "/storage/emulated/0/Pictures",
        0o2770,
        10158,
        1015,
        Mount::Storage,
    ),
    (
        "/storage/emulated/0/Ringtones",
        0o2770,
        10158,
        1015,
        Mount::Storage,
    ),
    ("/storage/self", 0o755, 0, 0, Mount::System),
    ("/sys", 0o755, 0, 0, Mount::System),
    ("/system", 0o755, 0, 0, Mount::System),
    ("/system/app", 0o755, 0, 0, Mount::System),
    ("/system/bin", 0o751, 0, SHELL, Mount::System),
    ("/system/etc", 0o755, 0, 0, Mount::System),
    ("/system/fonts", 0o755, 0, 0, Mount::System),
    ("/system/framework", 0o755, 0, 0, Mount::System),
    ("/system/priv-app", 0o755, 0, 0, Mount::System),
    ("/system_ext", 0o755, 0, 0, Mount::System),
    ("/vendor", 0o755, 0, SHELL, Mount::System),
];

const LINKS: [(&str, &str); 7] = [
    ("/bin", "/system/bin"),
    ("/etc", "/system/etc"),
    ("/sdcard", "/storage/self/primary"),
    ("/storage/self/primary", "/storage/emulated/0"),
    ("/data/user", "/data/data"),
    (
        "/bugreports",
        "/data/user_de/0/com.android.shell/files/bugreports",
    ),
    ("/init", "/system/bin/init"),
];

const HOSTS: &str = "127.0.0.1       localhost\n::1             ip6-localhost\n";

impl Files {
    /// A new phone's files, with `programs` in `/system/bin` and `build` as `/system/build.prop`.
    pub(crate) fn new_phone(programs: &[&'static str], build: &str, now: u64) -> Self {
        let files = Self::empty(STORAGE);
        // A seed that does not fit its own tree is a slip in the tables above: the tests below hold them.
        if let Err(error) = files.seed(programs, build, now) {
            tracing::error!(%error, "the phone's first files are incomplete");
        }
        files
    }

    fn seed(&self, programs: &[&'static str], build: &str, now: u64) -> Result<(), Errno> {
        for (path, mode, uid, gid, mount) in DIRECTORIES {
            let modified = if mount == Mount::System { IMAGE } else { now };
            let kind = NodeKind::Directory(BTreeMap::new());
            self.put(
                path,
                Node {
                    kind,
                    mode,
                    uid,
                    gid,
                    modified,
                    changed: modified,
                    mount,
                },
            )?;
        }
        for (path, target) in LINKS {
            let mount = if path.starts_with("/data") {
                Mount::Data
            } else {
                Mount::System
            };
            let kind = NodeKind::Link(target.to_owned());
            self.put(
                path,
                Node {
                    kind,
                    mode: 0o777,
                    uid: 0,
                    gid: 0,
                    modified: IMAGE,
                    changed: IMAGE,
                    mount,
                },
            )?;
        }
        for (path, kind) in [
            ("/dev/null", NodeKind::Null),
            ("/dev/zero", NodeKind::Zero),
            ("/dev/tty", NodeKind::Terminal),
        ] {
            self.put(
                path,
                Node {
                    kind,
                    mode: 0o666,
                    uid: 0,
                    gid: 0,
                    modified: now,
                    changed: now,
                    mount: Mount::Devices,
                },
            )?;
        }
        for &program in programs {
            let kind = NodeKind::Program(program);
            let path = format!("/system/bin/{program}");
            self.put(
                &path,
                Node {
                    kind,
                    mode: 0o755,
                    uid: 0,
                    gid: SHELL,
                    modified: IMAGE,
                    changed: IMAGE,
                    mount: Mount::System,
                },
            )?;
        }
        self.put_text("/system/build.prop", build, 0o600, Mount::System)?;
        self.put_text("/system/etc/hosts", HOSTS, 0o644, Mount::System)
    }

    /// Puts a text where the makers of the phone want it.
    pub(crate) fn put_text(&self, path: &str, text: &str, mode: u32, mount: Mount) -> Result<(), Errno> {
        let content = self.content();
        Content::write_at(&content, None, text.as_bytes())?;
        let kind = NodeKind::File(content);
        self.put(
            path,
            Node {
                kind,
                mode,
                uid: 0,
                gid: 0,
                modified: IMAGE,
                changed: IMAGE,
                mount,
            },
        )
    }

    /// Writes `/proc` anew: a directory for each process, with these texts in it.
    pub(crate) fn put_processes(&self, processes: &[ProcessFiles], general: &[(&str, String)], now: u64) {
        let directory = |mode, uid| Node {
            kind: NodeKind::Directory(BTreeMap::new()),
            mode,
            uid,
            gid: uid,
            modified: now,
            changed: now,
            mount: Mount::Processes,
        };
        let text = |text: &str, mode, uid| -> Result<Node, Errno> {
            let content = self.content();
            content.write_at(None, text.as_bytes())?;
            Ok(Node {
                kind: NodeKind::File(content),
                mode,
                uid,
                gid: uid,
                modified: now,
                changed: now,
                mount: Mount::Processes,
            })
        };
        let mut tree = self.tree();
        let mut all = || -> Result<(), Errno> {
            tree.put("/proc", directory(0o555, 0))?;
            for (name, words) in general {
                tree.put(&format!("/proc/{name}"), text(words, 0o444, 0)?)?;
            }
            for process in processes {
                let home = format!("/proc/{}", process.pid);
                tree.put(&home, directory(0o555, process.uid))?;
                for (name, mode, words) in &process.texts {
                    tree.put(&format!("{home}/{name}"), text(words, *mode, process.uid)?)?;
                }
            }
            Ok(())
        };
        if let Err(error) = all() {
            tracing::warn!(%error, "/proc is incomplete");
        }
    }
}

/// One process's directory in `/proc`.
pub(crate) struct ProcessFiles {
    pub(crate) pid: u32,
    pub(crate) uid: u32,
    /// Name, bits, text.
    pub(crate) texts: Vec<(&'static str, u32, String)>,
}

#[cfg(test)]
mod tests {
    use super::super::{Errno, Files, FollowLinks, OpenMode};

    fn phone() -> Files {
        Files::new_phone(&["cat", "sh"], "ro.build=1\n", 1000)
    }

    #[test]
    fn the_seed_stands_whole() {
        phone().seed(&["cat"], "", 0).unwrap();
    }

    #[test]
    fn links_lead_to_the_shared_storage() {
        let files = phone();
        files
            .open("/sdcard/Download/a.txt", OpenMode::WRITE, 7)
            .unwrap()
            .write(b"hello")
            .unwrap();
        assert_eq!(
            files
                .stat("/storage/emulated/0/Download/a.txt", FollowLinks::Yes)
                .unwrap()
                .size,
            5
        );
        assert_eq!(
            files
                .open("/sdcard/Download/a.txt", OpenMode::READ, 8)
                .unwrap()
                .read(9)
                .unwrap()
                .unwrap(),
            b"hello"
        );
    }

    #[test]
    fn what_a_shell_may_not_do_is_refused_as_on_a_phone() {
        let files = phone();
        let write = |path| files.open(path, OpenMode::WRITE, 0).map(|_| ());
        assert_eq!(write("/system/x"), Err(Errno::ReadOnly));
        assert_eq!(write("/x"), Err(Errno::ReadOnly));
        assert_eq!(write("/data/x"), Err(Errno::Access));
        assert_eq!(write("/sdcard"), Err(Errno::IsDirectory));
        assert_eq!(write("/sdcard/none/x"), Err(Errno::NotFound));
        assert_eq!(files.list("/data").map(|_| ()), Err(Errno::Access));
        assert_eq!(
            files.rename("/data/local/tmp", "/sdcard/tmp"),
            Err(Errno::CrossDevice)
        );
        assert_eq!(files.remove("/sdcard/DCIM", true), Err(Errno::NotEmpty));
    }

    #[test]
    fn storage_is_bounded_and_given_back() {
        let files = Files::empty(100_000);
        files.seed(&[], "", 0).unwrap();
        let file = files.open("/sdcard/big", OpenMode::WRITE, 0).unwrap();
        file.write(&vec![0; 99_000]).unwrap();
        let other = files.open("/sdcard/more", OpenMode::WRITE, 0).unwrap();
        assert_eq!(other.write(&[0; 2000]), Err(Errno::NoSpace));
        files.remove("/sdcard/big", false).unwrap();
        assert_eq!(
            other.write(&[0; 2000]),
            Err(Errno::NoSpace),
            "an open file keeps its bytes"
        );
        drop(file);
        other.write(&[0; 2000]).unwrap();
    }
}
