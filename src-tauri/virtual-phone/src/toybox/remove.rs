//! `rm`, `rmdir`, `mkdir`, `touch`.

use super::options::options;
use crate::files::{Errno, FollowLinks, OpenMode, parent};
use crate::process::{Call, ProgramResult};

/// `rm [-fiRr] FILE…` (toybox `rm.c`; nobody is asked: a command over adb has no terminal).
pub(super) async fn rm(call: Call) -> ProgramResult {
    let options = options!(call, "fiRrv");
    if options.rest.is_empty() && !options.has('f') {
        return call.fail(1, "Needs 1 argument").await;
    }
    let recursive = options.has('r') || options.has('R');
    let mut problems = Vec::new();
    for file in &options.rest {
        let path = call.path(file);
        if path == "/" {
            problems.push("rm /. if you mean it".to_owned());
            continue;
        }
        match call.phone.files.stat(&path, FollowLinks::No) {
            Err(Errno::NotFound) if options.has('f') => {}
            Err(errno) => problems.push(format!("{file}: {errno}")),
            Ok(stat) if stat.is_directory() && !recursive => {
                problems.push(format!("{file}: {}", Errno::IsDirectory))
            }
            Ok(_) => remove_all(&call, &path, file, &mut problems, 0),
        }
    }
    let code = i32::from(!problems.is_empty());
    for problem in problems {
        call.fail(1, problem).await?;
    }
    Ok(code)
}

fn remove_all(call: &Call, path: &str, shown: &str, problems: &mut Vec<String>, depth: u32) {
    let files = &call.phone.files;
    let Ok(stat) = files.stat(path, FollowLinks::No) else {
        return;
    };
    if stat.is_directory() && depth < 128 {
        for (name, _) in files.list(path).unwrap_or_default() {
            remove_all(call, &format!("{path}/{name}"), &name, problems, depth + 1);
        }
    }
    if let Err(errno) = files.remove(path, stat.is_directory()) {
        problems.push(format!("{shown}: {errno}"));
    }
}

/// `rmdir [-p] DIR…`.
pub(super) async fn rmdir(call: Call) -> ProgramResult {
    let options = options!(call, "p");
    let mut code = 0;
    for directory in &options.rest {
        let mut path = call.path(directory);
        loop {
            if let Err(errno) = call.phone.files.remove(&path, true) {
                code = call.fail(1, format!("{directory}: {errno}")).await?;
                break;
            }
            path = parent(&path).to_owned();
            if !options.has('p') || path == "/" {
                break;
            }
        }
    }
    Ok(code)
}

/// `mkdir [-p] [-m MODE] DIR…`.
pub(super) async fn mkdir(call: Call) -> ProgramResult {
    let options = options!(call, "pvm:");
    if options.rest.is_empty() {
        return call.fail(1, "Needs 1 argument").await;
    }
    let bits = options
        .value('m')
        .and_then(|text| u32::from_str_radix(text, 8).ok())
        .unwrap_or(0o777);
    let now = call.phone.clock.wall().as_secs();
    let mut code = 0;
    for directory in &options.rest {
        let path = call.path(directory);
        let made = if options.has('p') {
            make_all(&call, &path, bits, now)
        } else {
            call.phone.files.make_directory(&path, bits, now)
        };
        if let Err(errno) = made {
            code = call.fail(1, format!("'{directory}': {errno}")).await?;
        }
    }
    Ok(code)
}

fn make_all(call: &Call, path: &str, bits: u32, now: u64) -> Result<(), Errno> {
    let files = &call.phone.files;
    match files.stat(path, FollowLinks::Yes) {
        Ok(stat) if stat.is_directory() => return Ok(()),
        Ok(_) => return Err(Errno::Exists),
        Err(Errno::NotFound) => {}
        Err(errno) => return Err(errno),
    }
    make_all(call, parent(path), 0o777, now)?;
    files.make_directory(path, bits, now)
}

/// `touch [-c] FILE…`.
pub(super) async fn touch(call: Call) -> ProgramResult {
    let options = options!(call, "acmd:t:r:h");
    if options.rest.is_empty() {
        return call.fail(1, "Needs 1 argument").await;
    }
    let now = call.phone.clock.wall().as_secs();
    let mut code = 0;
    for file in &options.rest {
        let path = call.path(file);
        let done = match call.phone.files.stat(&path, FollowLinks::Yes) {
            Ok(_) => call.phone.files.set_attributes(&path, None, Some(now)),
            Err(Errno::NotFound) if options.has('c') => Ok(()),
            Err(_) => call.phone.files.open(&path, OpenMode::APPEND, now).map(|_| ()),
        };
        if let Err(errno) = done {
            code = call.fail(1, format!("'{file}': {errno}")).await?;
        }
    }
    Ok(code)
}
