//! System packages: what is missing is named, then installed where that can be done and the person agrees.

use crate::consent::Consent;
use crate::process::{Done, finish, line_of, output, program};

/// What the packages are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum For {
    /// Building and running the app.
    Running,
    /// Its tests as well.
    Testing,
}

/// A package manager and its names for what is needed.
struct Manager {
    name: &'static str,
    /// How to ask whether a package is there; the package is added.
    query: &'static [&'static str],
    refresh: &'static [&'static str],
    install: &'static [&'static str],
    running: &'static [&'static str],
    testing: &'static [&'static str],
}

const APT: Manager = Manager {
    name: "apt-get",
    query: &["dpkg-query", "--show", "--showformat=${db:Status-Status}"],
    refresh: &["apt-get", "update"],
    install: &["apt-get", "install", "--yes", "--no-install-recommends"],
    running: &[
        "build-essential",
        "pkg-config",
        "file",
        // The demo phone's encoder uses the processor's vector code where this was there when it was built.
        "nasm",
        "libwebkit2gtk-4.1-dev",
        "libssl-dev",
        "libayatana-appindicator3-dev",
        "librsvg2-dev",
        "libxdo-dev",
        "libgl1-mesa-dri",
        "gstreamer1.0-plugins-base",
        "gstreamer1.0-plugins-good",
        "gstreamer1.0-libav",
    ],
    testing: &[
        "webkit2gtk-driver",
        "xvfb",
        "imagemagick",
        "x11-utils",
        "openbox",
        "dbus",
        "dbus-x11",
        "trayer",
        "xdotool",
        "python3-gi",
        "gir1.2-gtk-3.0",
        "dunst",
        // dunstctl asks through busctl.
        "systemd",
        "procps",
        "gnome-keyring",
        "adb",
        // Its ffprobe reads the clips that were recorded.
        "ffmpeg",
        "fonts-dejavu-core",
        "fonts-inter",
        // Chinese pages are pictured too.
        "fonts-noto-cjk",
        // The source of the reader that stays on phones runs on a Java machine in a test (`adb/reader`).
        "default-jdk-headless",
        // `ip` makes the world without a way out that `tests/shared/sealed.rs` needs.
        "iproute2",
        // The makers' own clients of models and a newer adb come as Python packages.
        "python3-venv",
        "python3-pip",
    ],
};

const DNF: Manager = Manager {
    name: "dnf",
    query: &["rpm", "--query"],
    refresh: &[],
    install: &["dnf", "install", "--assumeyes"],
    running: &[
        "gcc",
        "gcc-c++",
        "make",
        "pkgconf-pkg-config",
        "file",
        "nasm",
        "webkit2gtk4.1-devel",
        "openssl-devel",
        "libappindicator-gtk3-devel",
        "librsvg2-devel",
        "libxdo-devel",
        "mesa-dri-drivers",
        "gstreamer1-plugins-base",
        "gstreamer1-plugins-good",
        "gstreamer1-plugin-libav",
    ],
    testing: &[
        "webkitgtk-driver",
        "xorg-x11-server-Xvfb",
        "ImageMagick",
        "xprop",
        "xwininfo",
        "openbox",
        "dbus-daemon",
        "trayer",
        "xdotool",
        "python3-gobject",
        "gtk3",
        "dunst",
        "gnome-keyring",
        "android-tools",
        "ffmpeg-free",
        "java-latest-openjdk-devel",
        "iproute",
        "python3-pip",
    ],
};

const PACMAN: Manager = Manager {
    name: "pacman",
    query: &["pacman", "--query"],
    refresh: &[],
    install: &["pacman", "--sync", "--needed", "--noconfirm"],
    running: &[
        "base-devel",
        "file",
        "nasm",
        "webkit2gtk-4.1",
        "openssl",
        "libappindicator-gtk3",
        "librsvg",
        "xdotool",
        "mesa",
        "gst-plugins-base",
        "gst-plugins-good",
        "gst-libav",
    ],
    testing: &[
        "xorg-server-xvfb",
        "imagemagick",
        "xorg-xprop",
        "xorg-xwininfo",
        "openbox",
        "dbus",
        "trayer",
        "python-gobject",
        "gtk3",
        "dunst",
        "gnome-keyring",
        "ffmpeg",
        "android-tools",
        "jdk-openjdk",
        "iproute2",
        "python-pip",
    ],
};

/// Tells what is missing; an error when anything is.
pub(crate) fn check(purpose: For) -> Done {
    let Some(manager) = manager() else {
        return elsewhere();
    };
    let missing = missing(&manager, purpose);
    if missing.is_empty() {
        println!("Every system package is there.");
        return Ok(());
    }
    Err(format!(
        "Missing: {}\nTo install: {} {}",
        missing.join(" "),
        manager.install.join(" "),
        missing.join(" ")
    ))
}

/// Installs what is missing, after saying exactly what and asking.
pub(crate) fn install(purpose: For, consent: Consent) -> Done {
    let Some(manager) = manager() else {
        return elsewhere();
    };
    let missing = missing(&manager, purpose);
    if missing.is_empty() {
        return Ok(());
    }
    let mut command = as_root(manager.install)?;
    command.args(&missing).env("DEBIAN_FRONTEND", "noninteractive");
    let line = line_of(&command);
    consent.obtain(
        &format!("System packages are missing: {}", missing.join(" ")),
        &line,
    )?;
    if !manager.refresh.is_empty() {
        finish(&mut as_root(manager.refresh)?)?;
    }
    finish(&mut command)
        .map_err(|trouble| format!("{trouble}\nInstall them yourself, then try again:\n  {line}"))
}

fn missing(manager: &Manager, purpose: For) -> Vec<&'static str> {
    let testing = if purpose == For::Testing {
        manager.testing
    } else {
        &[]
    };
    let there = |package: &str| {
        let Some((query, args)) = manager.query.split_first() else {
            return false;
        };
        let found = output(program(query).args(args).arg(package));
        found.is_some_and(|text| manager.name != "apt-get" || text.trim() == "installed")
    };
    manager
        .running
        .iter()
        .chain(testing)
        .copied()
        .filter(|package| !there(package))
        .collect()
}

fn manager() -> Option<Manager> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    [APT, DNF, PACMAN]
        .into_iter()
        .find(|manager| output(program(manager.name).arg("--version")).is_some())
}

/// The command as the administrator: directly when we are that, else through sudo, which asks for the password.
fn as_root(words: &[&str]) -> Done<std::process::Command> {
    let Some((name, args)) = words.split_first() else {
        return Err("no command".into());
    };
    let we_are = output(program("id").arg("-u")).is_some_and(|id| id.trim() == "0");
    let mut command = if we_are { program(name) } else { program("sudo") };
    if !we_are {
        command.arg(name);
    }
    command.args(args);
    Ok(command)
}

/// Systems without one of these package managers.
fn elsewhere() -> Done {
    if cfg!(target_os = "macos") {
        return match output(program("xcode-select").arg("--print-path")) {
            Some(_) => Ok(()),
            None => Err(
                "Apple's command line tools are missing. Install them with: xcode-select --install".into(),
            ),
        };
    }
    if cfg!(windows) {
        // WebView2 is part of Windows 11 and of an updated Windows 10; the Rust toolchain brought the linker along.
        return Ok(());
    }
    println!(
        "No apt, dnf or pacman was found, so the system packages could not be checked. Needed: WebKitGTK 4.1, OpenSSL, \
         Ayatana AppIndicator, librsvg and xdo, with their development files."
    );
    Ok(())
}
