//! Ends what runs on a phone, and looks whether it has ended.

use crate::connect::server::Device;
use crate::error::{AdbError, clip};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// Ending by force may take this long before the caller is told that something may still be running: it must be told
/// within the 2 s in which Stop is answered.
const FORCE: Duration = Duration::from_millis(1200);
/// Between two looks whether the killed are gone.
const AGAIN: Duration = Duration::from_millis(60);
/// The variable by which children are found that left the process group.
pub(crate) const MARK: &str = "POCKETDECK_COMMAND";

/// How a line is ended when the lease is lost under it.
#[derive(Clone, Debug)]
pub(crate) enum Termination {
    /// It is over in a moment by itself and is never killed, for killing would only hide it: it may run inside the
    /// system server. After this long the caller is told, and the pass is kept until it is over.
    Wait(Duration),
    /// Killed at once, with everything it started: what stayed in its group, and what carries its mark.
    Kill {
        /// The mark's value.
        mark: String,
        /// It may have gestures played by the system server, which go on when their client is killed.
        gestures: bool,
    },
}

/// Whether something of a line is still on the phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LeftoverProcesses {
    /// Nothing is.
    Nothing,
    /// The phone has no means to look; more waiting tells no more.
    Unknown(String),
    /// Something is, or the phone does not answer.
    Something(String),
}

/// What one round of killing found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KillRound {
    /// Nothing is left.
    Nothing,
    /// Something is; the next round tells whether it died.
    Something,
    /// The phone has no means to look.
    Unknown(&'static str),
}

/// Kills what a line started, round by round until nothing of it is left, at most [`FORCE`].
pub(crate) async fn end_by_force(
    device: &Device,
    number: Option<u32>,
    ending: &Termination,
) -> LeftoverProcesses {
    let killing = async {
        loop {
            // Everything is killed before anything is waited for.
            let group = match number {
                Some(number) => kill_group(device, number).await?,
                None => KillRound::Something,
            };
            let marked = match ending {
                Termination::Kill { mark, .. } => kill_marked(device, mark).await?,
                Termination::Wait(_) => KillRound::Nothing,
            };
            match (group, marked) {
                (KillRound::Nothing, KillRound::Nothing) => return Ok(LeftoverProcesses::Nothing),
                (KillRound::Unknown(why), _) | (KillRound::Nothing, KillRound::Unknown(why)) => {
                    return Ok(LeftoverProcesses::Unknown(why.to_owned()));
                }
                // Without the number nobody can tell whether the line's own shell has even begun.
                _ if number.is_none() => {
                    return Ok(LeftoverProcesses::Something(
                        "its process is not known".to_owned(),
                    ));
                }
                _ => sleep(AGAIN).await,
            }
        }
    };
    match timeout(FORCE, killing).await {
        Ok(Ok(rest)) => rest,
        Ok(Err::<_, AdbError>(error)) => LeftoverProcesses::Something(clip(&error.to_string())),
        Err(_) => LeftoverProcesses::Something("it does not end".to_owned()),
    }
}

/// Kills a process group. What is dead and only waits for its parent to notice does not count.
async fn kill_group(device: &Device, number: u32) -> Result<KillRound, AdbError> {
    let line = format!(
        "kill -9 -- -{number}; kill -0 -- -{number} && echo alive && grep -l ') [^ZX] [0-9]* {number} ' \
         /proc/[0-9]*/stat 2>/dev/null; echo \"looked $?\""
    );
    let said = device.look(&line, FORCE).await?.all();
    let has = |wanted: &str| said.lines().any(|line| line.trim() == wanted);
    if said.contains("not found") {
        return Ok(KillRound::Unknown("the phone has no kill"));
    }
    let only_dead = !said.contains("/proc/") && (has("looked 1") || has("looked 2"));
    Ok(if has("alive") && !only_dead {
        KillRound::Something
    } else if said.contains("not permitted") {
        KillRound::Unknown("it runs as another user")
    } else {
        KillRound::Nothing
    })
}

/// Kills every process that carries the mark in its environment: children that left the group.
async fn kill_marked(device: &Device, mark: &str) -> Result<KillRound, AdbError> {
    let line = format!("grep -l {MARK}={mark} /proc/[0-9]*/environ 2>/dev/null; echo \"looked $?\"");
    let said = device.look(&line, FORCE).await?.text();
    let found: Vec<&str> = said
        .lines()
        .filter_map(|line| line.trim().strip_prefix("/proc/")?.strip_suffix("/environ"))
        .filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        .collect();
    if !found.is_empty() {
        device
            .look(&format!("kill -9 {}", found.join(" ")), FORCE)
            .await?;
        return Ok(KillRound::Something);
    }
    // 1 found none, 2 none and some were not to be read; anything else did not look.
    let looked = said
        .lines()
        .any(|line| matches!(line.trim(), "looked 1" | "looked 2"));
    Ok(if looked {
        KillRound::Nothing
    } else {
        KillRound::Unknown("children in a session of their own cannot be looked for")
    })
}
