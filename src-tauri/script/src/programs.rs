//! Which programs may stand on the person's list, and which never.
//!
//! A program is named by its absolute path and judged by three things: the name it is written with, the name of the
//! file its links lead to, and what kind of file that is. What could run something else in its turn – a shell, an
//! interpreter, a starter of other programs, an editor with a command line – would make the list mean nothing. What
//! reaches the phone, or more rights, or the desktop's own services, would go round the judge.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

/// Why a program may not be on the list. Its word is stable: the sentences are named by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// Not an absolute path, or one with `.`, `..` or control characters in it.
    #[error("it is not named by its whole path")]
    Path,
    /// There is no such file.
    #[error("there is no such file")]
    Missing,
    /// A folder, a device, or a file that cannot be run.
    #[error("it is no program")]
    NotAProgram,
    /// It reads commands.
    #[error("it is a shell")]
    Shell,
    /// It runs code it is given.
    #[error("it is an interpreter: it runs whatever it is given")]
    Interpreter,
    /// It starts other programs, or can be told to.
    #[error("it starts other programs")]
    Starter,
    /// A text file that an interpreter runs.
    #[error("it is a script itself")]
    Script,
    /// It gives more rights.
    #[error("it gives more rights than yours")]
    Rights,
    /// It reaches phones, past every question.
    #[error("it reaches phones past every question")]
    Phone,
    /// It is `PocketDeck` itself.
    #[error("it is PocketDeck itself")]
    Own,
    /// It speaks to the desktop's services: keychain, mail, settings.
    #[error("it reaches the desktop's own services")]
    Desktop,
    /// Anybody on this computer may put another file in its place.
    #[error("anybody on this computer may change it")]
    Changeable,
}

impl Unfit {
    /// Its stable word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Missing => "missing",
            Self::NotAProgram => "not_a_program",
            Self::Shell => "shell",
            Self::Interpreter => "interpreter",
            Self::Starter => "starter",
            Self::Script => "script",
            Self::Rights => "rights",
            Self::Phone => "phone",
            Self::Own => "own",
            Self::Desktop => "desktop",
            Self::Changeable => "changeable",
        }
    }
}

// Names, without versions and endings.

const SHELLS: &str = "
    sh bash rbash dash zsh ksh mksh pdksh fish csh tcsh ash yash nu elvish xonsh oil osh ysh pwsh powershell cmd
    command wsl busybox toybox git-shell sash rc es brush
";
const INTERPRETERS: &str = "
    python pythonw pypy ipython bpython perl raku ruby irb jruby php node nodejs deno bun lua luajit tclsh wish
    expect awk gawk mawk nawk original-awk goawk sed gsed ssed java jshell groovy scala kotlin clojure erl
    escript elixir iex ghci runghc runhaskell ocaml racket guile sbcl clisp ecl julia r rscript octave m4 dc bc
    gdb lldb gnuplot ed red ex vi vim nvim vimdiff view rvim emacs emacsclient nano pico joe mc mcedit osascript
    cscript wscript mshta dotnet mono wine wasmtime wasmer qjs d8 js gjs cjs sqlite psql mysql mariadb mongosh
    redis-cli jrunscript swift go cargo rustc gcc cc g++ c++ clang tcc as ld make gmake bmake cmake ninja meson
    bazel ant mvn gradle rake just task npm npx yarn pnpm pip pipx uv uvx gem bundle composer ansible puppet
    chef nix guix qemu
";
const STARTERS: &str = "
    env xargs parallel find gfind fd fdfind nohup timeout gtimeout setsid nice ionice chrt taskset stdbuf
    unbuffer time gtime watch entr inotifywait flock script scriptreplay chroot unshare nsenter setarch linux32
    linux64 i386 x86_64 setpriv capsh prlimit numactl cpulimit strace ltrace valgrind perf at batch cron crontab
    anacron run-parts start-stop-daemon daemonize daemon systemd-run systemctl service initctl launchctl
    supervisorctl screen tmux byobu dtach abduco mosh ssh scp sftp sshfs rsh rlogin rsync ftp lftp telnet nc
    ncat netcat socat nmap tcpdump git hg svn cvs bzr fossil darcs tar gtar bsdtar cpio zip unzip 7z 7za 7zr rar
    sort gsort split gsplit install ginstall less more most pg man info bat batcat wget docker podman nerdctl
    ctr kubectl lxc lxd vagrant flatpak snap bwrap firejail apptainer singularity dpkg apt aptitude rpm dnf yum
    zypper pacman apk brew port choco winget scoop msiexec rundll regsvr forfiles schtasks start cmstp wmic ldd
    ld.so ldconfig c99 c89 ctags watchman mail mailx mutt sendmail mount umount losetup cryptsetup ip iptables
    openssl gpg pass dd shred mkfs fdisk parted facter zgrep xzgrep rlwrap dvtm catchsegv arch uname26 w3m lynx
    links elinks pandoc latex pdflatex tex gs convert magick vlc mpv code codium subl atom gedit kate xterm
    konsole alacritty kitty foot wezterm terminator tilix rxvt urxvt st yakuake guake
";
const RIGHTS: &str = "
    sudo sudoedit su doas pkexec runuser run0 gksu gksudo kdesu kdesudo runas gsudo newgrp sg visudo passwd chsh
    chfn usermod useradd setcap chmod chown chattr chgrp setfacl security secret-tool keyctl
";
const PHONE: &str = "
    adb fastboot scrcpy hdc sndcpy gnirehtet qtscrcpy usbip usbmuxd heimdall aapt uiautomatorviewer maestro
    appium
";
const OWN: &str = "
    deck pocketdeck xtask
";
const DESKTOP: &str = "
    dbus-send dbus-launch dbus-run-session dbus-monitor dbus-daemon gdbus qdbus busctl gapplication gsettings
    dconf gio kwriteconfig xdg-open xdg-mime open kde-open exo-open gnome-open explorer xdotool ydotool wtype
    xte wmctrl xsel xclip xprop xmodmap notify-send zenity kdialog loginctl shutdown reboot poweroff halt kill
    pkill killall skill taskkill defaults shortcuts automator
";
/// One file that is many programs and goes by the name it is called: a link to it is what the link is called.
const MANY: &[&str] = &["coreutils"];

/// Judges one program of the list, as the file system stands now. Gives the file its links lead to.
///
/// # Errors
/// [`Unfit`] when it may not be on the list.
pub fn judge(path: &str) -> Result<PathBuf, Unfit> {
    let written = Path::new(path);
    let plain = written.is_absolute()
        && !path.chars().any(char::is_control)
        && !path.ends_with(['/', '\\'])
        && written
            .components()
            .all(|part| !matches!(part, Component::CurDir | Component::ParentDir))
        && !path.contains("/./")
        && !path.contains("//");
    if !plain || path.len() > 1024 {
        return Err(Unfit::Path);
    }
    // By its name first: that holds on every computer, whether the program is there or not.
    by_name(written)?;
    if MANY.contains(&stem(written).as_str()) {
        return Err(Unfit::Starter);
    }
    let real = std::fs::canonicalize(written).map_err(|_| Unfit::Missing)?;
    if std::env::current_exe()
        .and_then(std::fs::canonicalize)
        .is_ok_and(|own| own == real)
    {
        return Err(Unfit::Own);
    }
    by_name(&real)?;
    let about = std::fs::metadata(&real).map_err(|_| Unfit::Missing)?;
    if !about.is_file() || real.starts_with("/proc") || real.starts_with("/dev") || real.starts_with("/sys") {
        return Err(Unfit::NotAProgram);
    }
    by_mode(&real, &about)?;
    let mut first = [0_u8; 2];
    let mut file = File::open(&real).map_err(|_| Unfit::NotAProgram)?;
    if file.read_exact(&mut first).is_err() {
        return Err(Unfit::NotAProgram);
    }
    if &first == b"#!" {
        return Err(Unfit::Script);
    }
    // The same file under another name: a hard link.
    match twin(&about) {
        Some(unfit) => Err(unfit),
        None => Ok(real),
    }
}

/// The name without its ending, in small letters.
fn stem(path: &Path) -> String {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    let ends = [".exe", ".com", ".cmd", ".bat", ".ps1"];
    match ends.iter().find_map(|end| name.strip_suffix(end)) {
        Some(bare) => bare.to_owned(),
        None => name,
    }
}

fn by_name(path: &Path) -> Result<(), Unfit> {
    match name_unfit(&stem(path)) {
        Some(unfit) => Err(unfit),
        None => Ok(()),
    }
}

fn name_unfit(name: &str) -> Option<Unfit> {
    let loaders = ["ld-linux", "ld-musl", "ld.so", "ld64", "dyld", "ld-2"];
    if loaders.iter().any(|loader| name.starts_with(loader)) {
        return Some(Unfit::Starter);
    }
    // `python3.12`, `bash-5.2`, `x86_64-linux-gnu-gcc-14`, `apt-get`, `docker-compose`.
    let bare = |name: &str| {
        name.trim_end_matches(|c: char| c.is_ascii_digit() || ".-_".contains(c))
            .to_owned()
    };
    let mut names = vec![name.to_owned(), bare(name)];
    names.extend(name.split('-').next().map(bare));
    names.extend(bare(name).rsplit('-').next().map(bare));
    let known = names.iter().filter_map(|name| BY_NAME.get(name.as_str()));
    known.min_by_key(|(group, _)| *group).map(|(_, unfit)| *unfit)
}

/// What each refused name is, and the place of its group: the names of all programs of a computer are looked up where one file
/// has several.
static BY_NAME: LazyLock<HashMap<&str, (usize, Unfit)>> = LazyLock::new(|| {
    let groups = [
        (SHELLS, Unfit::Shell),
        (INTERPRETERS, Unfit::Interpreter),
        (STARTERS, Unfit::Starter),
        (RIGHTS, Unfit::Rights),
        (PHONE, Unfit::Phone),
        (OWN, Unfit::Own),
        (DESKTOP, Unfit::Desktop),
    ];
    let mut all = HashMap::new();
    for (place, (names, unfit)) in groups.into_iter().enumerate() {
        for name in names.split_whitespace() {
            all.entry(name).or_insert((place, unfit));
        }
    }
    all
});

#[cfg(unix)]
fn by_mode(real: &Path, about: &Metadata) -> Result<(), Unfit> {
    use std::os::unix::fs::MetadataExt as _;
    let mode = about.mode();
    if mode & 0o111 == 0 {
        return Err(Unfit::NotAProgram);
    }
    if mode & 0o6000 != 0 {
        return Err(Unfit::Rights);
    }
    let folder = real.parent().and_then(|folder| std::fs::metadata(folder).ok());
    if mode & 0o002 != 0 || folder.is_none_or(|folder| folder.mode() & 0o002 != 0) {
        return Err(Unfit::Changeable);
    }
    Ok(())
}

#[cfg(not(unix))]
fn by_mode(real: &Path, _about: &Metadata) -> Result<(), Unfit> {
    let runs = real
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("exe") || end.eq_ignore_ascii_case("com"));
    if runs { Ok(()) } else { Err(Unfit::NotAProgram) }
}

/// Where programs live.
#[cfg(unix)]
const FOLDERS: &[&str] = &[
    "/bin",
    "/usr/bin",
    "/usr/local/bin",
    "/sbin",
    "/usr/sbin",
    "/opt/homebrew/bin",
    "/run/current-system/sw/bin",
];

/// What the file is under the refused name it also has.
#[cfg(unix)]
fn twin(about: &Metadata) -> Option<Unfit> {
    use std::os::unix::fs::MetadataExt as _;
    if about.nlink() < 2 {
        return None;
    }
    let entries = FOLDERS.iter().filter_map(|folder| std::fs::read_dir(folder).ok());
    entries.flatten().flatten().find_map(|entry| {
        let unfit = name_unfit(&stem(&entry.path()))?;
        let other = std::fs::metadata(entry.path()).ok()?;
        (other.dev() == about.dev() && other.ino() == about.ino()).then_some(unfit)
    })
}

#[cfg(not(unix))]
fn twin(_about: &Metadata) -> Option<Unfit> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[track_caller]
    fn check(path: &str, expected: Result<(), Unfit>) {
        assert_eq!(judge(path).map(|_| ()), expected, "{path}");
    }

    #[test]
    fn what_runs_others_is_never_on_the_list() {
        let rows = [
            ("date", Unfit::Path),
            ("./date", Unfit::Path),
            ("bin/date", Unfit::Path),
            ("/usr/bin/../bin/date", Unfit::Path),
            ("/usr/bin/./date", Unfit::Path),
            ("/usr//bin/date", Unfit::Path),
            ("/usr/bin/", Unfit::Path),
            ("/usr/bin/da\nte", Unfit::Path),
            ("", Unfit::Path),
            ("~/bin/tool", Unfit::Path),
            ("/no/such/tool", Unfit::Missing),
            ("/usr", Unfit::NotAProgram),
            ("/etc/passwd", Unfit::Rights),
            ("/dev/null", Unfit::NotAProgram),
            ("/bin/sh", Unfit::Shell),
            ("/usr/bin/bash", Unfit::Shell),
            ("/opt/homebrew/bin/bash-5.2", Unfit::Shell),
            ("/bin/busybox", Unfit::Shell),
            ("C:\\Windows\\System32\\cmd.exe", Unfit::Path),
            ("/usr/bin/python3", Unfit::Interpreter),
            ("/usr/bin/python3.12", Unfit::Interpreter),
            ("/usr/bin/Perl5.36.0", Unfit::Interpreter),
            ("/usr/bin/x86_64-linux-gnu-gcc-14", Unfit::Interpreter),
            ("/usr/bin/awk", Unfit::Interpreter),
            ("/usr/bin/sed", Unfit::Interpreter),
            ("/usr/bin/vim.tiny", Unfit::Missing),
            ("/usr/bin/env", Unfit::Starter),
            ("/usr/bin/xargs", Unfit::Starter),
            ("/usr/bin/find", Unfit::Starter),
            ("/usr/bin/nohup", Unfit::Starter),
            ("/usr/bin/timeout", Unfit::Starter),
            ("/usr/bin/nice", Unfit::Starter),
            ("/usr/bin/tar", Unfit::Starter),
            ("/usr/bin/ssh", Unfit::Starter),
            ("/usr/bin/git", Unfit::Starter),
            ("/usr/bin/apt-get", Unfit::Starter),
            ("/usr/bin/coreutils", Unfit::Starter),
            ("/lib64/ld-linux-x86-64.so.2", Unfit::Starter),
            ("/usr/bin/sudo", Unfit::Rights),
            ("/usr/bin/pkexec", Unfit::Rights),
            ("/opt/sdk/platform-tools/adb", Unfit::Phone),
            ("/usr/bin/fastboot", Unfit::Phone),
            ("/usr/local/bin/scrcpy", Unfit::Phone),
            ("/usr/bin/deck", Unfit::Own),
            ("/usr/bin/PocketDeck", Unfit::Own),
            ("/usr/bin/dbus-send", Unfit::Desktop),
            ("/usr/bin/xdg-open", Unfit::Desktop),
        ];
        let judged = rows.map(|(path, unfit)| (path, unfit, judge(path).err()));
        let wrong: Vec<_> = judged
            .iter()
            .filter(|(_, unfit, judged)| *judged != Some(*unfit))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_program_is_what_its_links_lead_to() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        check("/usr/bin/date", Ok(()));
        for (name, to, expected) in [
            ("today", "/usr/bin/date", Ok(())),
            ("harmless", "/bin/bash", Err(Unfit::Shell)),
            ("lines", "/usr/bin/xargs", Err(Unfit::Starter)),
            ("twice", "harmless", Err(Unfit::Shell)),
            // The name it has is one that is refused, whatever it leads to.
            ("sudo", "/usr/bin/date", Err(Unfit::Rights)),
            ("nowhere", "/no/such/file", Err(Unfit::Missing)),
        ] {
            symlink(to, folder.path().join(name)).unwrap();
            check(&at(name), expected);
        }
        let own = std::env::current_exe().unwrap();
        symlink(own, folder.path().join("myself")).unwrap();
        check(&at("myself"), Err(Unfit::Own));
    }

    #[test]
    fn a_program_is_a_file_nobody_else_may_change() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str, mode: u32, text: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            path.to_string_lossy().into_owned()
        };
        check(&make("tool", 0o755, b"\x7fELF"), Ok(()));
        check(&make("text", 0o644, b"\x7fELF"), Err(Unfit::NotAProgram));
        check(&make("empty", 0o755, b""), Err(Unfit::NotAProgram));
        check(&make("wrapper", 0o755, b"#!/bin/sh\n\"$@\""), Err(Unfit::Script));
        check(&make("common", 0o777, b"\x7fELF"), Err(Unfit::Changeable));
        check(&make("raised", 0o4755, b"\x7fELF"), Err(Unfit::Rights));
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        check(&make("tool", 0o755, b"\x7fELF"), Err(Unfit::Changeable));
    }
}
