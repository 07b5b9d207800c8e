//! `cp`, `mv`, `ln`.

use super::options::options;
use crate::files::{Errno, FollowLinks, OpenMode, file_name};
use crate::process::{Call, ProgramResult};

/// `cp [-rRafpn] SOURCE… DEST` (toybox `cp.c`).
pub(super) async fn cp(call: Call) -> ProgramResult {
    let options = options!(call, "rRafpnvdLHPiTF");
    let recursive = "rRa".chars().any(|letter| options.has(letter));
    transfer(&call, &options, recursive, false).await
}

/// `mv [-fn] SOURCE… DEST`: renames, or copies and removes across file systems.
pub(super) async fn mv(call: Call) -> ProgramResult {
    let options = options!(call, "finTvF");
    transfer(&call, &options, true, true).await
}

async fn transfer(call: &Call, options: &super::Options, recursive: bool, moving: bool) -> ProgramResult {
    let Some((destination, sources)) = options
        .rest
        .split_last()
        .filter(|(_, sources)| !sources.is_empty())
    else {
        return call.fail(1, "Needs 2 arguments").await;
    };
    let files = &call.phone.files;
    let into = files
        .stat(&call.path(destination), FollowLinks::Yes)
        .is_ok_and(|stat| stat.is_directory());
    if sources.len() > 1 && !into {
        return call.fail(1, format!("'{destination}' not directory")).await;
    }
    let mut code = 0;
    for source in sources {
        let target = if into {
            format!("{}/{}", destination.trim_end_matches('/'), file_name(source))
        } else {
            destination.clone()
        };
        let (from, to) = (call.path(source), call.path(&target));
        if options.has('n') && files.stat(&to, FollowLinks::No).is_ok() {
            continue;
        }
        if moving {
            match files.rename(&from, &to) {
                Ok(()) => {
                    if options.has('v') {
                        call.out(format!("{} '{source}'\n", call.name())).await?;
                    }
                    continue;
                }
                Err(Errno::CrossDevice) => {}
                Err(errno) => {
                    code = call.fail(1, format!("bad '{source}': {errno}")).await?;
                    continue;
                }
            }
        }
        if files.stat(&from, FollowLinks::No).is_err() {
            code = call
                .fail(1, format!("bad '{source}': {}", Errno::NotFound))
                .await?;
            continue;
        }
        let mut operation = CopyOperation {
            call,
            recursive,
            moving,
            problems: Vec::new(),
        };
        operation.node(&from, &to, source, &target, 0);
        for problem in operation.problems {
            code = call.fail(1, problem).await?;
        }
        if options.has('v') {
            call.out(format!("{} '{source}'\n", call.name())).await?;
        }
    }
    Ok(code)
}

struct CopyOperation<'a> {
    call: &'a Call,
    recursive: bool,
    moving: bool,
    problems: Vec<String>,
}

impl CopyOperation<'_> {
    fn node(&mut self, from: &str, to: &str, source: &str, target: &str, depth: u32) {
        let files = &self.call.phone.files;
        let now = self.call.phone.clock.wall().as_secs();
        let stat = match files.stat(
            from,
            if self.moving {
                FollowLinks::No
            } else {
                FollowLinks::Yes
            },
        ) {
            Ok(stat) => stat,
            Err(errno) => return self.problems.push(format!("{target}: {errno}")),
        };
        if depth > 64 || format!("{to}/").starts_with(&format!("{from}/")) {
            return self.problems.push(format!("'{target}' is '{source}'"));
        }
        if stat.is_directory() {
            if !self.recursive {
                return self
                    .problems
                    .push(format!("Skipped dir '{source}': {}", Errno::NotFound));
            }
            match files.make_directory(to, stat.mode & 0o777 | 0o200, now) {
                Ok(()) | Err(Errno::Exists) => {}
                Err(errno) => return self.problems.push(format!("{target}: {errno}")),
            }
            for (name, _) in files.list(from).unwrap_or_default() {
                let (from, to) = (format!("{from}/{name}"), format!("{to}/{name}"));
                self.node(
                    &from,
                    &to,
                    &format!("{source}/{name}"),
                    &format!("{target}/{name}"),
                    depth + 1,
                );
            }
        } else if let (Some(link), true) = (&stat.link, self.moving) {
            if let Err(errno) = files.link(to, link, now) {
                return self.problems.push(format!("{target}: {errno}"));
            }
        } else if let Err(errno) = self.content(from, to, now) {
            return self.problems.push(format!("{target}: {errno}"));
        }
        if self.moving
            && let Err(errno) = files.remove(from, stat.is_directory())
        {
            self.problems.push(format!("{source}: {errno}"));
        }
    }

    fn content(&self, from: &str, to: &str, now: u64) -> Result<(), Errno> {
        let files = &self.call.phone.files;
        let input = files.open(from, OpenMode::READ, now)?;
        let output = files.open(to, OpenMode::WRITE, now)?;
        while let Some(bytes) = input.read(1 << 20)? {
            output.write(&bytes)?;
        }
        Ok(())
    }
}

/// `ln -s TARGET… NAME`. (The phone's storage has no hard links.)
pub(super) async fn ln(call: Call) -> ProgramResult {
    let options = options!(call, "sfnvrT");
    let Some((name, targets)) = options
        .rest
        .split_last()
        .filter(|(_, targets)| !targets.is_empty())
    else {
        return call.fail(1, "Needs 2 arguments").await;
    };
    let files = &call.phone.files;
    let into = files
        .stat(&call.path(name), FollowLinks::Yes)
        .is_ok_and(|stat| stat.is_directory())
        && !options.has('n');
    let mut code = 0;
    for target in targets {
        let place = if into {
            format!("{name}/{}", file_name(target))
        } else {
            name.clone()
        };
        let path = call.path(&place);
        if options.has('f') {
            let _ = files.remove(&path, false);
        }
        let made = if options.has('s') {
            files.link(&path, target, call.phone.clock.wall().as_secs())
        } else {
            Err(Errno::NotPermitted)
        };
        if let Err(errno) = made {
            let kind = if options.has('s') { "symbolic" } else { "hard" };
            code = call
                .fail(
                    1,
                    format!("cannot create {kind} link from '{target}' to '{place}': {errno}"),
                )
                .await?;
        }
    }
    Ok(code)
}
