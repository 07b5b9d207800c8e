//! From a name to a program of this phone, and into it (`execve`).

use super::{NAME, Shell};
use crate::fault::Fault;
use crate::files::{Errno, NodeKind};
use crate::process::{Call, Program, ProgramResult};
use crate::record::Received;

/// `PATH` as adbd's shell has it (`bionic/libc/include/paths.h`: `_PATH_DEFPATH`).
pub(crate) const DEFAULT_PATH: &str = "/product/bin:/apex/com.android.runtime/bin:/apex/com.android.art/bin:\
     /system_ext/bin:/system/bin:/system/xbin:/odm/bin:/vendor/bin:/vendor/xbin";

/// What a name leads to.
pub(crate) enum ResolvedCommand {
    Program(Program),
    /// A text file to be run by a shell: its path and text.
    Script(String, String),
}

/// Why a name leads nowhere: a shell's status, and what it says (mksh `exec.c`: `comexec`).
pub(crate) type NotFound = (i32, String);

const MISSING: &str = "inaccessible or not found";

/// Finds a program by name (along `path`) or by its own path.
pub(crate) fn find(call: &Call, path: &str, name: &str) -> Result<ResolvedCommand, NotFound> {
    if name.contains('/') {
        return find_at(call, name);
    }
    for directory in path.split(':') {
        let candidate = format!("{}/{name}", if directory.is_empty() { "." } else { directory });
        match find_at(call, &candidate) {
            Err((127, _)) => {}
            found => return found,
        }
    }
    Err((127, MISSING.to_owned()))
}

/// The path a name leads to.
pub(crate) fn path_of(call: &Call, path: &str, name: &str) -> Option<String> {
    if name.contains('/') {
        return find_at(call, name).is_ok().then(|| name.to_owned());
    }
    path.split(':')
        .map(|directory| format!("{directory}/{name}"))
        .find(|path| find_at(call, path).is_ok())
}

fn find_at(call: &Call, path: &str) -> Result<ResolvedCommand, NotFound> {
    let full = call.path(path);
    let files = &call.phone.files;
    let kind = files.kind(&full).map_err(|errno| match errno {
        Errno::Access => (126, format!("can't execute: {errno}")),
        _ => (127, MISSING.to_owned()),
    })?;
    match kind {
        NodeKind::Program("screenrecord") if call.phone.has(Fault::NoScreenrecord) => {
            Err((127, MISSING.to_owned()))
        }
        NodeKind::Program(name) => match crate::programs::find(name) {
            Some(program) => Ok(ResolvedCommand::Program(program)),
            None => Err((127, MISSING.to_owned())),
        },
        NodeKind::Directory(_) => Err((126, format!("can't execute: {}", Errno::IsDirectory))),
        NodeKind::File(content) if files.may(&full, 1) => {
            let bytes = content.copy();
            if bytes.starts_with(b"\x7fELF") {
                return Err((126, "not executable: 64-bit ELF file".to_owned()));
            }
            Ok(ResolvedCommand::Script(
                path.to_owned(),
                String::from_utf8_lossy(&bytes).into_owned(),
            ))
        }
        _ => Err((126, format!("can't execute: {}", Errno::Access))),
    }
}

/// Starting any program costs a phone so much.
const START_MILLIS: u64 = 3;

/// Goes on as the program: the same process with other code.
pub(crate) async fn begin(found: ResolvedCommand, call: Call) -> ProgramResult {
    call.phone.clock.work(START_MILLIS).await;
    match found {
        ResolvedCommand::Program(program) => (program.main)(call).await,
        ResolvedCommand::Script(path, text) => {
            let interpreter = text
                .lines()
                .next()
                .and_then(|line| line.strip_prefix("#!"))
                .unwrap_or(NAME)
                .trim();
            if !matches!(
                interpreter,
                NAME | "/bin/sh" | "/system/bin/mksh" | "/usr/bin/env sh"
            ) {
                call.err(format!("{NAME}: {path}: {interpreter}: not found\n"))
                    .await?;
                return Ok(127);
            }
            let arguments = call.arguments().to_vec();
            Shell::new(call, path, arguments).run_to_end(&text, false).await
        }
    }
}

/// `execvp` as toybox does it (`xexec`): this process goes on as `words`, or says that it cannot, in the name of the
/// command `by` that was to do it.
pub(crate) async fn become_named(call: Call, by: &str, words: Vec<String>) -> ProgramResult {
    let name = words.first().cloned().unwrap_or_default();
    let path = call.environment.get("PATH").map_or(DEFAULT_PATH, String::as_str);
    match find(&call, path, &name) {
        Ok(found) => {
            call.process.become_program(&words, &call.environment);
            let row = call.process.row();
            call.phone.record(Received::Program {
                pid: row.pid,
                ppid: row.parent,
                words: words.clone(),
            });
            begin(found, Call { words, ..call }).await
        }
        Err((status, _)) => {
            let errno = if status == 126 {
                Errno::Access
            } else {
                Errno::NotFound
            };
            call.err(format!("{by}: exec {name}: {errno}\n")).await?;
            Ok(status)
        }
    }
}
