//! Ending what runs on a phone, and looking whether it has ended.

use crate::error::clip;
use crate::server::Device;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// Ending by force may take this long before the caller is told that something may still be running: it must be told
/// within the 2 s in which Stop is answered.
const FORCE: Duration = Duration::from_millis(1200);
/// Between two looks whether the killed are gone.
const AGAIN: Duration = Duration::from_millis(60);
/// The variable by which children are found that left the process group.
pub(crate) const MARK: &str = "POCKETDECK_ERRAND";

/// How a line is ended when the lease is lost under it.
#[derive(Clone, Debug)]
pub(crate) enum Ending {
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
pub(crate) enum Rest {
    /// Nothing is.
    Nothing,
    /// The phone has no means to look; more waiting tells no more.
    Unknown(String),
    /// Something is, or the phone does not answer.
    Something(String),
}

/// Kills what a line started and looks whether it is gone, at most [`FORCE`].
pub(crate) async fn end_by_force(device: &Device, number: Option<u32>, ending: &Ending) -> Rest {
    let killing = async {
        let group = match number {
            Some(number) => kill_group(device, number).await,
            None => Rest::Something("its process is not known".to_owned()),
        };
        match ending {
            Ending::Wait(_) => group,
            Ending::Kill { mark, .. } => match (group, kill_marked(device, mark).await) {
                (Rest::Nothing, rest) => rest,
                (Rest::Unknown(why), _) => Rest::Unknown(why),
                // Its own shell carries no mark in its first environment, so its group must be known to be gone.
                (Rest::Something(what), _) => Rest::Something(what),
            },
        }
    };
    timeout(FORCE, killing)
        .await
        .unwrap_or_else(|_| Rest::Something("the phone does not answer".to_owned()))
}

/// Kills a process group until it is gone.
async fn kill_group(device: &Device, number: u32) -> Rest {
    loop {
        let line = format!("kill -9 -- -{number}; kill -0 -- -{number} && echo alive");
        let said = match device.look(&line, FORCE).await {
            Ok(output) => output.all(),
            Err(error) => return Rest::Something(clip(&error.to_string())),
        };
        if said.contains("not found") {
            return Rest::Unknown("the phone has no kill".to_owned());
        }
        if said.contains("not permitted") {
            return Rest::Something("it runs as another user".to_owned());
        }
        if !said.lines().any(|line| line.trim() == "alive") {
            return Rest::Nothing;
        }
        sleep(AGAIN).await;
    }
}

/// Kills every process that carries the mark in its environment, until none does.
async fn kill_marked(device: &Device, mark: &str) -> Rest {
    loop {
        let line = format!("grep -l {MARK}={mark} /proc/[0-9]*/environ 2>/dev/null; echo \"looked $?\"");
        let said = match device.look(&line, FORCE).await {
            Ok(output) => output.text(),
            Err(error) => return Rest::Something(clip(&error.to_string())),
        };
        // 0 found, 1 none, 2 none and some were not to be read; anything else did not look.
        if !said
            .lines()
            .any(|line| matches!(line.trim(), "looked 0" | "looked 1" | "looked 2"))
        {
            return Rest::Unknown("children in a session of their own cannot be looked for".to_owned());
        }
        let found: Vec<&str> = said
            .lines()
            .filter_map(|line| line.trim().strip_prefix("/proc/")?.strip_suffix("/environ"))
            .filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
            .collect();
        if found.is_empty() {
            return Rest::Nothing;
        }
        if let Err(error) = device.look(&format!("kill -9 {}", found.join(" ")), FORCE).await {
            return Rest::Something(clip(&error.to_string()));
        }
        sleep(AGAIN).await;
    }
}
