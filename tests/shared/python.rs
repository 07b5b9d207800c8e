//! A Python of its own for what tests need of other people's packages, in `target`: made once, used by every run after it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The interpreter of the environment `target/NAME`, which has these packages: where `import` fails it is made, which takes
/// the network. `PYTHON` names another interpreter than `python3`.
///
/// The environment has no pip of its own and nothing is compiled that is not imported: both take longer than the packages.
pub(crate) fn environment(name: &str, packages: &[&str], import: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..").join(name);
    let python = folder.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    });
    let has_packages = || {
        let mut check = Command::new(&python);
        // What is imported is compiled and kept, whatever the variable says elsewhere.
        check.args(["-c", import]).env_remove("PYTHONDONTWRITEBYTECODE");
        check.output().is_ok_and(|check| check.status.success())
    };
    if has_packages() {
        return python;
    }
    let base = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    run(Command::new(&base)
        .args(["-m", "venv", "--without-pip"])
        .arg(&folder));
    let place = run(Command::new(&python).args(["-c", PLACE]));
    // By its place: pip before 22.3 can install into another Python in no other way.
    run(Command::new(&base)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(["--no-compile", "--upgrade", "--target", place.trim()])
        .args(packages));
    assert!(has_packages(), "{import}");
    python
}

/// Where a Python looks for its packages.
const PLACE: &str = "import sysconfig; print(sysconfig.get_path('purelib'))";

/// What a command says, which must go well.
fn run(command: &mut Command) -> String {
    let done = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        done.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
    String::from_utf8_lossy(&done.stdout).into_owned()
}
