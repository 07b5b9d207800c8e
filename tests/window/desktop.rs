//! A desktop of our own: display, session bus, window manager, keychain, notifications. Gone with the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The file that says which button of a notification is pressed.
const PRESSED: &str = "pressed";

/// Everything a desktop program expects around it.
pub(crate) struct Desktop {
    folder: TempDir,
    variables: Vec<(String, String)>,
    children: Vec<Child>,
}

/// Light or dark, as the person set it for the whole desktop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    Light,
    Dark,
}

impl Theme {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// What the names of pictures end with where a light one's has no ending.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Light => "",
            Self::Dark => "-dark",
        }
    }
}

impl Desktop {
    /// Pixels of the panel.
    pub(crate) const TRAY_WIDTH: usize = 120;
    pub(crate) const TRAY_HEIGHT: usize = 32;

    pub(crate) fn start(theme: Theme) -> Self {
        Self::start_at(theme, 1)
    }

    /// The same where a page's pixel is `density` pixels of the display, each way.
    pub(crate) fn start_at(theme: Theme, density: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut desktop = Self {
            folder,
            variables: Vec::new(),
            children: Vec::new(),
        };
        for (name, sub) in [
            ("HOME", "home"),
            ("XDG_DATA_HOME", "home/data"),
            ("XDG_CONFIG_HOME", "home/config"),
            ("XDG_CACHE_HOME", "home/cache"),
            ("XDG_RUNTIME_DIR", "run"),
        ] {
            let path = desktop.folder.path().join(sub);
            std::fs::create_dir_all(&path).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
            desktop.set(name, path.to_str().unwrap());
        }
        desktop.set("WEBKIT_DISABLE_DMABUF_RENDERER", "1");
        desktop.set("NO_AT_BRIDGE", "1");
        desktop.set(
            "GTK_THEME",
            if theme == Theme::Dark {
                "Adwaita:dark"
            } else {
                "Adwaita"
            },
        );
        desktop.set("LANG", "C.UTF-8");
        // What GStreamer found out of its plugins: half a second of work at each first start, and the same for all tests.
        let plugins = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gstreamer-plugins.bin");
        desktop.set("GST_REGISTRY", plugins.to_str().unwrap());
        desktop.set("GDK_SCALE", &density.to_string());
        desktop.display(density);
        desktop.bus();
        desktop.spawn("openbox", &[]);
        desktop.keychain();
        desktop.notification_server();
        desktop.wait_for_notifications();
        desktop
    }

    /// From now on programs begin without animations, as for somebody who turned them off: the pages hear of it as
    /// `prefers-reduced-motion`. Without a graphics card each movement of a spinner is drawn by the processor.
    pub(crate) fn still(&self) {
        let gtk = self.path("home/config/gtk-3.0");
        std::fs::create_dir_all(&gtk).unwrap();
        std::fs::write(gtk.join("settings.ini"), "[Settings]\ngtk-enable-animations=0\n").unwrap();
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// A file or folder of this desktop.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program on this desktop, with nothing of the desktop we run on.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        for name in [
            "DISPLAY",
            "WAYLAND_DISPLAY",
            "DBUS_SESSION_BUS_ADDRESS",
            "POCKETDECK_API_KEY",
            "ADB_SERVER_SOCKET",
        ] {
            command.env_remove(name);
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// What the notification server showed so far, newest first.
    pub(crate) fn notifications(&self) -> serde_json::Value {
        let before = self.said("dunst", "dunstctl", &["history"]);
        // Those still on the screen are not in the history yet.
        let _ = self.command("dunstctl").arg("close-all").status();
        let now = self.said("dunst", "dunstctl", &["history"]);
        let text = if now.is_empty() { before } else { now };
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// How many notifications are on the screen.
    pub(crate) fn notices(&self) -> usize {
        let said = self.said("dunst", "dunstctl", &["count", "displayed"]);
        said.trim().parse().unwrap_or(0)
    }

    /// Presses a button of the newest notification, by what stands on it.
    pub(crate) fn press_notice(&self, button: &str) {
        std::fs::write(self.path(PRESSED), button).unwrap();
        self.said("dunst", "dunstctl", &["context"]);
    }

    /// How many windows there are, as their manager counts.
    pub(crate) fn windows(&self) -> usize {
        let said = self.said("x11-utils", "xprop", &["-root", "_NET_CLIENT_LIST"]);
        said.matches("0x").count()
    }

    /// What is on the display, as PNG.
    pub(crate) fn screenshot(&self, file: &Path) {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let status = self
            .command("import")
            .args(["-window", "root"])
            .arg(file)
            .status();
        assert!(
            status
                .unwrap_or_else(|error| missing("imagemagick", &error))
                .success()
        );
    }

    /// A panel with a place for icons, in the upper right corner.
    pub(crate) fn tray(&mut self) {
        let (width, height) = (Self::TRAY_WIDTH.to_string(), Self::TRAY_HEIGHT.to_string());
        self.spawn(
            "trayer",
            &[
                "--edge",
                "top",
                "--align",
                "right",
                "--widthtype",
                "pixel",
                "--width",
                &width,
                "--heighttype",
                "pixel",
                "--height",
                &height,
            ],
        );
        wait_until("the panel", Duration::from_secs(20), || {
            !self.tree("panel").is_empty()
        });
    }

    /// The middle of the first icon in the panel, in pixels of the display.
    pub(crate) fn tray_icon(&self) -> Option<(i32, i32)> {
        let tree = self.tree("panel");
        let (_, children) = tree.split_once("child")?;
        let line = children.lines().find(|line| line.contains("0x"))?;
        let mut words = line.split_whitespace().rev();
        let (at, size) = (words.next()?, words.next()?);
        let numbers = |text: &str| -> Vec<i32> {
            text.split(['+', 'x', '-'])
                .filter_map(|n| n.parse().ok())
                .collect()
        };
        let (at, size) = (numbers(at), numbers(size));
        Some((at.first()? + size.first()? / 2, at.get(1)? + size.get(1)? / 2))
    }

    fn tree(&self, name: &str) -> String {
        self.said("x11-utils", "xwininfo", &["-name", name, "-tree"])
    }

    /// The left button at this place of the display.
    pub(crate) fn press(&self, x: i32, y: i32) {
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string(), "click", "1"]);
    }

    /// Whether the app shows a menu that hangs from no window of its own.
    pub(crate) fn menu_is_open(&self) -> bool {
        let found = self.xdotool(&["search", "--onlyvisible", "--class", "pocketdeck"]);
        found.lines().any(|window| {
            let kind = self.said("x11-utils", "xprop", &["-id", window, "_NET_WM_WINDOW_TYPE"]);
            ["_POPUP_MENU", "_DROPDOWN_MENU"]
                .iter()
                .any(|menu| kind.contains(menu))
        })
    }

    /// Where a window's inside begins on the display, by its title; of several the largest.
    pub(crate) fn corner(&self, title: &str) -> (i32, i32) {
        let (x, y, ..) = self.inside(title);
        (x, y)
    }

    /// The left, top, width and height of a window's inside on the display, by its title; of several the largest.
    fn inside(&self, title: &str) -> (i32, i32, i32, i32) {
        let found = self.titled(title, &[]);
        let of = |window: &str| {
            // Not what xdotool says: it counts the frame twice.
            let said = self.said("x11-utils", "xwininfo", &["-id", window]);
            let number = |name: &str| -> Option<i32> {
                let (_, after) = said.split_once(name)?;
                after.split_whitespace().next()?.parse().ok()
            };
            Some((
                number("Absolute upper-left X:")?,
                number("Absolute upper-left Y:")?,
                number("Width:")?,
                number("Height:")?,
            ))
        };
        found
            .lines()
            .filter_map(of)
            .max_by_key(|(_, _, width, height)| width * height)
            .unwrap_or_else(|| panic!("no window {title}: {found:?}"))
    }

    /// Presses the close sign of a window's frame, the rightmost of its title bar. It is a place and not a key: whatever has
    /// the keys just then is not closed instead.
    pub(crate) fn press_close(&self, title: &str) {
        let (left, top, width, _) = self.inside(title);
        self.press(left + width - 10, top - 10);
    }

    /// Drags a file out of another program's window, and holds it at this place of the display. [`Desktop::drop_it`] lets go.
    pub(crate) fn drag(&mut self, file: &Path, (x, y): (i32, i32)) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/window/files.py");
        // The system's own interpreter: its packages bring the toolkit.
        self.spawn(
            "/usr/bin/python3",
            &[script.to_str().unwrap(), file.to_str().unwrap()],
        );
        wait_until("the other program's window", Duration::from_secs(20), || {
            !self.titled("Files", &[]).is_empty()
        });
        let (left, top) = self.corner("Files");
        let at = |x: i32, y: i32| [x.to_string(), y.to_string()];
        let [fx, fy] = at(left + 60, top + 50);
        self.xdotool(&["mousemove", "--sync", &fx, &fy, "mousedown", "1"]);
        // As a hand moves: a drag begins only after some way, and is told of each place it passes.
        for step in 1..=20 {
            let on = |from: i32, to: i32| from + (to - from) * step / 20;
            let [mx, my] = at(on(left + 60, x), on(top + 50, y));
            self.xdotool(&["mousemove", "--sync", &mx, &my]);
        }
    }

    /// Closes a window of another program.
    pub(crate) fn close(&self, title: &str) {
        self.titled(title, &["windowclose"]);
    }

    pub(crate) fn drop_it(&self) {
        self.xdotool(&["mouseup", "1"]);
    }

    /// One key after the other, to whatever has them now.
    pub(crate) fn keys(&self, keys: &[&str]) {
        self.xdotool(&[&["key", "--delay", "100"], keys].concat());
    }

    /// A text, over whatever is chosen in the field that has the keys.
    pub(crate) fn write(&self, text: &str) {
        self.xdotool(&["key", "ctrl+a"]);
        self.xdotool(&["type", "--delay", "20", text]);
    }

    /// The title of the window in front.
    pub(crate) fn in_front(&self) -> String {
        self.xdotool(&["getactivewindow", "getwindowname"])
    }

    /// Brings a window to the front, by its title.
    pub(crate) fn raise(&self, title: &str) {
        self.titled(title, &["windowactivate"]);
    }

    /// What the window manager says of the windows of this title (`_NET_WM_STATE`).
    pub(crate) fn state(&self, title: &str) -> String {
        let found = self.titled(title, &[]);
        let of = |window: &str| self.said("x11-utils", "xprop", &["-id", window, "_NET_WM_STATE"]);
        found.lines().map(of).collect()
    }

    fn xdotool(&self, words: &[&str]) -> String {
        self.said("xdotool", "xdotool", words)
    }

    /// With the windows of this title: `what` is done to them.
    fn titled(&self, title: &str, what: &[&str]) -> String {
        let name = format!("^{title}$");
        self.xdotool(&[&["search", "--onlyvisible", "--name", &name], what].concat())
    }

    /// What a program of `package` says; nothing where it fails.
    fn said(&self, package: &str, program: &str, args: &[&str]) -> String {
        let output = self
            .command(program)
            .args(args)
            .output()
            .unwrap_or_else(|error| missing(package, &error));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn display(&mut self, density: u32) {
        let screen = format!("{}x{}x24", 1680 * density, 1300 * density);
        let mut command = self.command("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp"]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap_or_else(|error| missing("xvfb", &error));
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let number: u32 = line.trim().parse().expect("Xvfb names its display");
        self.children.push(child);
        self.set("DISPLAY", &format!(":{number}"));
    }

    fn bus(&mut self) {
        let mut command = self.command("dbus-daemon");
        command.args(["--session", "--nofork", "--print-address=1"]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap_or_else(|error| missing("dbus", &error));
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        self.children.push(child);
        self.set("DBUS_SESSION_BUS_ADDRESS", line.trim());
    }

    fn keychain(&mut self) {
        let mut command = self.command("gnome-keyring-daemon");
        command.args(["--foreground", "--unlock", "--components=secrets"]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| missing("gnome-keyring", &error));
        // An empty password would leave it without a collection.
        child
            .stdin
            .take()
            .unwrap()
            .write_all(b"a test's password")
            .unwrap();
        // It says where its control socket is once it answers.
        let mut byte = [0];
        let _ = child.stdout.take().unwrap().read(&mut byte);
        self.children.push(child);
    }

    /// Its buttons are chosen in a menu of another program: here one that takes what [`Desktop::press_notice`] says. What
    /// is shown stays until somebody closes it.
    fn notification_server(&mut self) {
        let (chooser, pressed) = (self.path("choose"), self.path(PRESSED));
        // A line is `#Deny (Anna’s Pixel needs you) [2,deny]`.
        let script = format!(
            "#!/bin/sh\ngrep -F \"#$(cat '{}') (\" | head -n 1\n",
            pressed.display()
        );
        std::fs::write(&chooser, script).unwrap();
        std::fs::set_permissions(&chooser, std::fs::Permissions::from_mode(0o700)).unwrap();
        let folder = self.path("home/config/dunst");
        std::fs::create_dir_all(&folder).unwrap();
        let settings = format!(
            "[global]\n    dmenu = {}\n[urgency_normal]\n    timeout = 0\n[urgency_critical]\n    timeout = 0\n",
            chooser.display()
        );
        std::fs::write(folder.join("dunstrc"), settings).unwrap();
        self.spawn("dunst", &[]);
    }

    fn spawn(&mut self, program: &str, args: &[&str]) {
        let mut command = self.command(program);
        command
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let child = command.spawn().unwrap_or_else(|error| missing(program, &error));
        self.children.push(child);
    }

    fn wait_for_notifications(&self) {
        wait_until("the notification server", Duration::from_secs(20), || {
            self.command("dunstctl")
                .arg("is-paused")
                .output()
                .is_ok_and(|output| output.status.success())
        });
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        for child in self.children.iter_mut().rev() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Looks again and again until it is so; what it waits for can take as long as a slow machine needs.
pub(crate) fn wait_until(what: &str, bound: Duration, mut so: impl FnMut() -> bool) {
    let deadline = Instant::now() + bound;
    while !so() {
        assert!(Instant::now() < deadline, "waited {bound:?} for {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn missing<T>(package: &str, error: &std::io::Error) -> T {
    panic!("{package} cannot be started ({error}): `cargo xtask test` installs what these tests need")
}
