//! Programs that run programs, or only wait: `sleep`, `timeout`, `nohup`, `setsid`, `env`.

use super::options::options;
use crate::files::OpenMode;
use crate::process::{Call, Child, Origin, ProgramResult, Signal, Spawn, spawn};
use crate::shell::exec::become_named;
use std::sync::Arc;
use std::time::Duration;

/// Starts `words` as a child.
fn start_child(call: &Call, words: Vec<String>) -> Result<Child, crate::process::NoFork> {
    let request = Spawn {
        origin: Origin::Child(Arc::clone(&call.process)),
        words: words.clone(),
        environment: call.environment.clone(),
        directory: call.directory.clone(),
        descriptors: call.descriptors.clone(),
    };
    let by = call.name().to_owned();
    let start = move |call: Call| -> futures::future::BoxFuture<'static, ProgramResult> {
        Box::pin(async move { become_named(call, &by, words).await })
    };
    spawn(&call.phone, request, Box::new(start))
}

/// Runs `words` as a child with nothing to read, and waits.
pub(super) async fn run_child(call: &Call, words: Vec<String>) -> ProgramResult {
    let mut call = call.clone();
    call.descriptors
        .set(0, Arc::new(crate::process::Descriptor::Null));
    match start_child(&call, words) {
        Ok(child) => Ok(child.wait().await.status()),
        Err(problem) => call.fail(1, problem).await,
    }
}

/// `1`, `0.5`, `2m`, `1h`, `1d` (toybox `xparsetime`).
fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h', 'd']) {
        Some(number) => (number, text.chars().last()),
        None => (text, None),
    };
    let factor = match unit {
        Some('m') => 60.0,
        Some('h') => 3600.0,
        Some('d') => 86_400.0,
        _ => 1.0,
    };
    let seconds: f64 = number.parse().ok()?;
    // A year: no phone sleeps longer.
    (seconds.is_finite() && seconds >= 0.0)
        .then(|| Duration::from_secs_f64((seconds * factor).min(31_536_000.0)))
}

/// `sleep DURATION…`: takes its time at any speed of the phone.
pub(super) async fn sleep(call: Call) -> ProgramResult {
    if call.arguments().is_empty() {
        return call.fail(1, "Needs 1 argument").await;
    }
    let mut whole = Duration::ZERO;
    for word in call.arguments() {
        match duration(word) {
            Some(time) => whole += time,
            None => return call.fail(1, format!("bad time: '{word}'")).await,
        }
    }
    tokio::time::sleep(whole).await;
    Ok(0)
}

/// `timeout [-k DURATION] [-s SIGNAL] DURATION COMMAND…` (toybox `timeout.c`): a group of its own, 124 when it ran out.
pub(super) async fn timeout(call: Call) -> ProgramResult {
    let options = match super::Options::read("timeout", call.arguments(), "^vk:s:i") {
        Ok(options) => options,
        Err(problem) => return call.fail(125, problem).await,
    };
    let [limit, command @ ..] = options.rest.as_slice() else {
        return call.fail(125, "Needs 2 arguments").await;
    };
    if command.is_empty() {
        return call.fail(125, "Needs 2 arguments").await;
    }
    let Some(limit) = duration(limit) else {
        return call.fail(125, format!("bad time: '{limit}'")).await;
    };
    let signal = match options.value('s') {
        None => Signal::TERM,
        Some(name) => match Signal::from_name(name) {
            Some(signal) => signal,
            None => return call.fail(125, format!("bad -s: '{name}'")).await,
        },
    };
    call.process.new_group();
    let child = match start_child(&call, command.to_vec()) {
        Ok(child) => child,
        Err(problem) => return call.fail(125, problem).await,
    };
    if let Ok(exit) = tokio::time::timeout(limit, child.wait()).await {
        return Ok(exit.status());
    }
    child.process.signal(signal);
    let mut code = if signal == Signal::KILL { 137 } else { 124 };
    if let Some(kill_after) = options.value('k').and_then(duration)
        && tokio::time::timeout(kill_after, child.wait()).await.is_err()
    {
        child.process.signal(Signal::KILL);
        code = 137;
    }
    child.wait().await;
    Ok(code)
}

/// `nohup COMMAND…`: ignores `SIGHUP`; a terminal's output goes to `nohup.out` (toybox `nohup.c`).
pub(super) async fn nohup(mut call: Call) -> ProgramResult {
    let words = call.arguments().to_vec();
    if words.is_empty() {
        return call.fail(1, "Needs 1 argument").await;
    }
    call.process.ignore(Signal::HUP);
    if call.descriptors.get(1).is_some_and(|output| output.is_terminal()) {
        match call.open("nohup.out", OpenMode::APPEND) {
            Ok(file) => call.descriptors.set(1, file),
            Err(errno) => return call.fail(1, format!("nohup.out: {errno}")).await,
        }
    }
    if call.descriptors.get(0).is_some_and(|input| input.is_terminal()) {
        call.descriptors
            .set(0, Arc::new(crate::process::Descriptor::Null));
    }
    become_named(call, "nohup", words).await
}

/// `setsid [-cdw] COMMAND…` (toybox `setsid.c`): a leader cannot, so it forks and (without `-w`) leaves at once.
pub(super) async fn setsid(call: Call) -> ProgramResult {
    let options = options!(call, "^wcd");
    if options.rest.is_empty() {
        return call.fail(1, "Needs 1 argument").await;
    }
    if call.process.new_session().is_ok() {
        return become_named(call, "setsid", options.rest).await;
    }
    let words = options.rest.clone();
    let request = Spawn {
        origin: Origin::Child(Arc::clone(&call.process)),
        words: call.words.clone(),
        environment: call.environment.clone(),
        directory: call.directory.clone(),
        descriptors: call.descriptors.clone(),
    };
    let start = move |call: Call| -> futures::future::BoxFuture<'static, ProgramResult> {
        Box::pin(async move {
            // A fresh child is nobody's leader: this cannot fail.
            let _ = call.process.new_session();
            become_named(call, "setsid", words).await
        })
    };
    match spawn(&call.phone, request, Box::new(start)) {
        Ok(child) if options.has('w') => Ok(child.wait().await.status()),
        Ok(_) => Ok(0),
        Err(problem) => call.fail(1, problem).await,
    }
}

/// `env [-i] [-u NAME] [NAME=VALUE…] [COMMAND…]`.
pub(super) async fn env(mut call: Call) -> ProgramResult {
    let options = options!(call, "^iu:0");
    if options.has('i') {
        call.environment.clear();
    }
    for name in options.values('u') {
        call.environment.remove(name);
    }
    let assignments = options.rest.iter().take_while(|word| word.contains('=')).count();
    let (assignments, command) = options.rest.split_at(assignments);
    for word in assignments {
        if let Some((name, value)) = word.split_once('=') {
            call.environment.insert(name.to_owned(), value.to_owned());
        }
    }
    if command.is_empty() {
        let end = if options.has('0') { '\0' } else { '\n' };
        let all: String = call
            .environment
            .iter()
            .map(|(name, value)| format!("{name}={value}{end}"))
            .collect();
        call.out(all).await?;
        return Ok(0);
    }
    become_named(call, "env", command.to_vec()).await
}

/// `printenv [NAME…]`.
pub(super) async fn printenv(call: Call) -> ProgramResult {
    let names = call.arguments();
    if names.is_empty() {
        let all: String = call
            .environment
            .iter()
            .map(|(name, value)| format!("{name}={value}\n"))
            .collect();
        call.out(all).await?;
        return Ok(0);
    }
    let mut code = 0;
    for name in names {
        match call.environment.get(name) {
            Some(value) => call.out(format!("{value}\n")).await?,
            None => code = 1,
        }
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::duration;
    use std::time::Duration;

    #[test]
    fn durations_are_read_as_toybox_reads_them() {
        for (text, millis) in [
            ("1", 1000),
            ("0.25", 250),
            ("2m", 120_000),
            (".5s", 500),
            ("1h", 3_600_000),
        ] {
            assert_eq!(duration(text), Some(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "x", "-1", "inf", "nan", "1x"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }
}
