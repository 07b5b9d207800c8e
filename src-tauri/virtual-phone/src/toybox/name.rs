//! Names and places: `basename`, `dirname`, `pwd`, `readlink`, `realpath`, `which`.

use super::options::options;
use crate::files::{Errno, FollowLinks, absolute, file_name, parent};
use crate::process::{Call, ProgramResult};
use crate::shell::exec::{DEFAULT_PATH, path_of};

/// `basename [-a] [-s SUFFIX] NAME… | NAME SUFFIX`.
pub(super) async fn basename(call: Call) -> ProgramResult {
    let options = options!(call, "as:");
    let (names, suffix) = match (options.rest.as_slice(), options.value('s')) {
        ([], _) => return call.fail(1, "Needs 1 argument").await,
        ([name, suffix], None) if !options.has('a') => (vec![name.clone()], suffix.clone()),
        (names, suffix) => (names.to_vec(), suffix.unwrap_or_default().to_owned()),
    };
    for name in names {
        let base = if name.trim_end_matches('/').is_empty() && !name.is_empty() {
            "/"
        } else {
            file_name(&name)
        };
        let short = base
            .strip_suffix(suffix.as_str())
            .filter(|short| !short.is_empty())
            .unwrap_or(base);
        call.out(format!("{short}\n")).await?;
    }
    Ok(0)
}

/// `dirname PATH…`.
pub(super) async fn dirname(call: Call) -> ProgramResult {
    if call.arguments().is_empty() {
        return call.fail(1, "Needs 1 argument").await;
    }
    for path in call.arguments() {
        let directory = if path.trim_end_matches('/').contains('/') || path.starts_with('/') {
            parent(path)
        } else {
            "."
        };
        call.out(format!("{directory}\n")).await?;
    }
    Ok(0)
}

/// `pwd [-LP]`.
pub(super) async fn pwd(call: Call) -> ProgramResult {
    let _ = options!(call, "LP");
    call.out(format!("{}\n", call.directory)).await?;
    Ok(0)
}

/// Follows every link of a path.
fn real(call: &Call, path: &str) -> Result<String, Errno> {
    let mut path = call.path(path);
    call.phone.files.stat(&path, FollowLinks::Yes)?;
    for _ in 0..40 {
        let mut changed = false;
        let parts: Vec<String> = path
            .split('/')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect();
        let mut here = String::new();
        for (at, part) in parts.iter().enumerate() {
            let next = format!("{here}/{part}");
            if let Some(link) = call.phone.files.stat(&next, FollowLinks::No)?.link {
                let rest = parts.get(at + 1..).unwrap_or_default().join("/");
                let base = if here.is_empty() { "/" } else { &here };
                path = absolute("/", &format!("{}/{rest}", absolute(base, &link)));
                changed = true;
                break;
            }
            here = next;
        }
        if !changed {
            return Ok(path);
        }
    }
    Err(Errno::Loop)
}

/// `readlink [-fe] PATH…`.
pub(super) async fn readlink(call: Call) -> ProgramResult {
    let options = options!(call, "fenqm");
    let mut code = 0;
    for path in &options.rest {
        let answer = if options.has('f') || options.has('e') {
            real(&call, path).ok()
        } else {
            call.phone
                .files
                .stat(&call.path(path), FollowLinks::No)
                .ok()
                .and_then(|stat| stat.link)
        };
        match answer {
            Some(target) => call.out(format!("{target}\n")).await?,
            None => code = 1,
        }
    }
    Ok(code)
}

/// `realpath PATH…`.
pub(super) async fn realpath(call: Call) -> ProgramResult {
    if call.arguments().is_empty() {
        return call.fail(1, "Needs 1 argument").await;
    }
    let mut code = 0;
    for path in call.arguments() {
        match real(&call, path) {
            Ok(path) => call.out(format!("{path}\n")).await?,
            Err(errno) => code = call.fail(1, format!("{path}: {errno}")).await?,
        }
    }
    Ok(code)
}

/// `which [-a] NAME…`: silent about what is not there, exit 1.
pub(super) async fn which(call: Call) -> ProgramResult {
    let options = options!(call, "a");
    let path = call
        .environment
        .get("PATH")
        .map_or(DEFAULT_PATH, String::as_str)
        .to_owned();
    let mut code = 0;
    for name in &options.rest {
        match path_of(&call, &path, name) {
            Some(path) => call.out(format!("{path}\n")).await?,
            None => code = 1,
        }
    }
    Ok(code)
}
