//! The command line of `bash`, the same on every system.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;

/// How long the killed may take to be gone. Killed processes run no more code; only the kernel can hold them.
pub(super) const GONE: Duration = Duration::from_millis(1_000);

/// What bash does before the script.
///
/// It reads the script from its input up to a NUL, so that the text stands neither in a file nor in the list of
/// processes; gives the script an empty input; and leaves one process behind that waits for the end of the pipe and
/// then kills the group. The pipe ends when this program dies, however it dies. That process is a grandchild, so
/// that the script's own `wait` does not wait for it. No file may grow beyond 1 GiB, given in bash's units of 1,024 bytes: a
/// script that went wrong would fill the disk, and no run could be written down any more. Where the system knows no such
/// limit, or has a lower one, it stays as it is.
const PRELUDE: &str = "ulimit -f 1048576 2>/dev/null; \
    exec 3<&0 </dev/null; \
    IFS= read -rd '' REPLY <&3; \
    ( { IFS= read -rd '' <&3; kill -s KILL 0; } >/dev/null 2>&1 & ); \
    exec 3<&-; \
    eval -- \"$REPLY\"";

/// `bash` as every script is started in it.
pub(super) fn command(bash: &Path, folder: &Path, environment: Vec<(OsString, OsString)>) -> Command {
    #[expect(
        clippy::disallowed_methods,
        reason = "this room starts what the person allowed"
    )]
    let mut command = Command::new(bash);
    command
        .args(["--noprofile", "--norc", "-c", PRELUDE])
        .env_clear()
        .envs(environment)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}
