//! The adb program: found, and told once to start its server. Never stopped: another program may use it too.

use crate::error::AdbError;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// How long starting the server may take.
const START: Duration = Duration::from_secs(15);

/// Which system's folders are looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Os {
    /// Linux and whatever is like it.
    Linux,
    /// macOS.
    Mac,
    /// Windows.
    Windows,
}

impl Os {
    /// The system this program was built for.
    #[must_use]
    pub fn here() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::Mac
        } else {
            Self::Linux
        }
    }

    fn adb(self) -> &'static str {
        if self == Self::Windows { "adb.exe" } else { "adb" }
    }

    fn scrcpy(self) -> &'static str {
        if self == Self::Windows {
            "scrcpy.exe"
        } else {
            "scrcpy"
        }
    }
}

/// What is asked of the system while looking: its variables and its files. Faked in tests.
pub struct Surroundings<'a> {
    /// Which folders are usual.
    pub os: Os,
    /// An environment variable.
    pub env: &'a dyn Fn(&str) -> Option<OsString>,
    /// Whether a path is a file.
    pub is_file: &'a dyn Fn(&Path) -> bool,
    /// Where a link leads, in the end.
    pub follow: &'a dyn Fn(&Path) -> Option<PathBuf>,
}

/// Looks for the program: the person's setting (the file, or its folder), the SDK's variables, `PATH`, the SDK's usual
/// folders, beside scrcpy.
///
/// # Errors
/// [`AdbError::NoProgram`] when it is nowhere; [`AdbError::ProgramFailed`] when the setting names none: another one is
/// not taken behind the person's back.
pub fn find(setting: Option<&Path>, around: &Surroundings<'_>) -> Result<PathBuf, AdbError> {
    let adb = around.os.adb();
    if let Some(set) = setting {
        let found = [
            set.to_path_buf(),
            set.join(adb),
            set.join("platform-tools").join(adb),
        ];
        return found
            .into_iter()
            .find(|path| (around.is_file)(path))
            .ok_or_else(|| AdbError::ProgramFailed(format!("{} is not the adb program", set.display())));
    }
    places(around)
        .into_iter()
        .map(|folder| folder.join(adb))
        .find(|path| (around.is_file)(path))
        .ok_or(AdbError::NoProgram)
}

/// As [`find`], and where there is no other, the one this product fetched.
///
/// # Errors
/// As [`find`].
pub fn or_fetched(
    setting: Option<&Path>,
    fetched: Option<&Path>,
    around: &Surroundings<'_>,
) -> Result<PathBuf, AdbError> {
    match (find(setting, around), fetched) {
        (Err(AdbError::NoProgram), Some(fetched)) if (around.is_file)(fetched) => Ok(fetched.to_owned()),
        (found, _) => found,
    }
}

/// The folders in which it may be, the likeliest first.
fn places(around: &Surroundings<'_>) -> Vec<PathBuf> {
    let var = |name: &str| {
        (around.env)(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let path: Vec<PathBuf> =
        (around.env)("PATH").map_or_else(Vec::new, |path| std::env::split_paths(&path).collect());
    let mut folders: Vec<PathBuf> = ["ANDROID_HOME", "ANDROID_SDK_ROOT"]
        .iter()
        .filter_map(|name| var(name))
        .map(|sdk| sdk.join("platform-tools"))
        .collect();
    folders.extend(path.iter().cloned());
    let tools = |base: Option<PathBuf>, below: &str| base.map(|base| base.join(below));
    let usual: Vec<Option<PathBuf>> = match around.os {
        Os::Linux => vec![
            tools(var("HOME"), "Android/Sdk/platform-tools"),
            Some("/usr/lib/android-sdk/platform-tools".into()),
            Some("/opt/android-sdk/platform-tools".into()),
            Some("/usr/local/bin".into()),
            Some("/usr/bin".into()),
        ],
        Os::Mac => vec![
            tools(var("HOME"), "Library/Android/sdk/platform-tools"),
            Some("/opt/homebrew/bin".into()),
            Some("/usr/local/bin".into()),
        ],
        Os::Windows => vec![
            tools(var("LOCALAPPDATA"), "Android/Sdk/platform-tools"),
            tools(var("ProgramFiles(x86)"), "Android/android-sdk/platform-tools"),
            tools(var("USERPROFILE"), "scoop/apps/adb/current/platform-tools"),
            tools(var("USERPROFILE"), "scoop/apps/scrcpy/current"),
            tools(var("SystemDrive"), "/platform-tools"),
        ],
    };
    folders.extend(usual.into_iter().flatten());
    // scrcpy brings its own; what stands in PATH may be a link into its folder.
    let scrcpy = path
        .iter()
        .map(|folder| folder.join(around.os.scrcpy()))
        .filter(|program| (around.is_file)(program))
        .filter_map(|program| (around.follow)(&program));
    folders.extend(scrcpy.filter_map(|program| program.parent().map(Path::to_path_buf)));
    let server = var("SCRCPY_SERVER_PATH").and_then(|server| server.parent().map(Path::to_path_buf));
    folders.extend(server);
    folders
}

/// Looks in the real surroundings.
///
/// # Errors
/// As [`find`].
pub fn find_here(setting: Option<&Path>) -> Result<PathBuf, AdbError> {
    find_or_fetched(setting, None)
}

/// The same, and last the one this product fetched.
///
/// # Errors
/// As [`find`].
pub fn find_or_fetched(setting: Option<&Path>, fetched: Option<&Path>) -> Result<PathBuf, AdbError> {
    or_fetched(
        setting,
        fetched,
        &Surroundings {
            os: Os::here(),
            env: &|name| std::env::var_os(name),
            is_file: &Path::is_file,
            follow: &|path| path.canonicalize().ok(),
        },
    )
}

/// A version of the adb program, `36.0.0`: the release it came with, not the protocol's (`1.0.41` for many years).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// Pairing over Wi-Fi came with 30.0.0.
    #[must_use]
    pub fn pairs(self) -> bool {
        self >= Self(30, 0, 0)
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// Reads what `adb version` prints: `Version 36.0.0-13206524`, `Version 29.0.6-debian`, `Revision 6bab4dc…` before that.
#[must_use]
pub fn read_version(text: &str) -> Option<Version> {
    let line = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("Version "))?;
    let number = line.split(['-', ' ', '+']).next()?;
    let mut parts = number.split('.').map(|part| part.parse().ok());
    Some(Version(
        parts.next()??,
        parts.next().flatten().unwrap_or(0),
        parts.next().flatten().unwrap_or(0),
    ))
}

/// Asks the program for its version; it starts nothing for that. `None` when it says something else.
///
/// # Errors
/// [`AdbError::ProgramFailed`] when it is not a program that runs here.
pub async fn version(program: &Path) -> Result<Option<Version>, AdbError> {
    let failed = |why: String| AdbError::ProgramFailed(format!("{}: {why}", program.display()));
    let mut command = quiet(program);
    command.arg("version").stdout(Stdio::piped());
    let asked = tokio::process::Command::from(command).kill_on_drop(true).output();
    match tokio::time::timeout(START, asked).await {
        Ok(Ok(output)) if output.status.success() => {
            Ok(read_version(&String::from_utf8_lossy(&output.stdout)))
        }
        Ok(Ok(output)) => Err(failed(output.status.to_string())),
        Ok(Err(error)) => Err(failed(error.to_string())),
        Err(_) => Err(failed("it does not come to an end".to_owned())),
    }
}

/// Lets the program start its server at a port of this computer. When this returns, the server listens.
///
/// # Errors
/// [`AdbError::ProgramFailed`].
pub async fn start_server(program: &Path, port: u16) -> Result<(), AdbError> {
    let failed = |why: String| AdbError::ProgramFailed(format!("{}: {why}", program.display()));
    let mut command = quiet(program);
    command.arg("-P").arg(port.to_string()).arg("start-server");
    tracing::info!(program = %program.display(), port, "starting the adb server");
    let mut child = tokio::process::Command::from(command)
        .spawn()
        .map_err(|error| failed(error.to_string()))?;
    match tokio::time::timeout(START, child.wait()).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(failed(status.to_string())),
        Ok(Err(error)) => Err(failed(error.to_string())),
        Err(_) => Err(failed("it does not come to an end".to_owned())),
    }
}

/// The program, with nothing of ours: no terminal, no window, and no variable that would name another server than the one
/// it is told.
fn quiet(program: &Path) -> std::process::Command {
    #[expect(
        clippy::disallowed_methods,
        reason = "this room starts the adb program, and nothing else"
    )]
    let mut command = std::process::Command::new(program);
    command
        .env_remove("ADB_SERVER_SOCKET")
        .env_remove("ANDROID_ADB_SERVER_PORT")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        /// `CREATE_NO_WINDOW`: no console flashes up.
        const NO_WINDOW: u32 = 0x0800_0000;
        command.creation_flags(NO_WINDOW);
    }
    command
}
