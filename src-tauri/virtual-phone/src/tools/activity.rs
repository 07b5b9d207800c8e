//! `am` (`services/core/java/com/android/server/am/ActivityManagerShellCommand.java`).

use super::intent::{ParsedIntent, read};
use super::name::short;
use super::reply::Reply;
use super::users;
use crate::android::NotStarted;
use crate::phone::Phone;
use crate::record::Received;

/// `FLAG_ACTIVITY_NEW_TASK`, which `am` adds.
const NEW_TASK: u32 = 0x1000_0000;
const ON_COMMAND: &str =
    "com.android.server.am.ActivityManagerShellCommand.onCommand(ActivityManagerShellCommand.java:209)";

/// `cmd activity COMMAND …`.
pub(super) fn command(phone: &Phone, command: &str, words: Vec<String>) -> Reply {
    match command {
        "start" | "start-activity" => start(phone, command, words),
        "broadcast" => broadcast(phone, words),
        "force-stop" | "kill" => {
            let package = words
                .into_iter()
                .rfind(|word| !word.starts_with('-') && word.parse::<i32>().is_err());
            let Some(package) = package else {
                return Reply::argument_expected(command, command, &[ON_COMMAND]);
            };
            // Background processes only: what stands in front stays (`kill`).
            if command == "force-stop" {
                phone.record(Received::ForceStop {
                    package: package.clone(),
                });
                phone.with(|android| android.force_stop(&package));
            }
            Reply::done()
        }
        "startservice" | "start-service" | "start-foreground-service" | "startforegroundservice" => {
            match read(words, &mut |_, _| false) {
                Ok(written) => Reply {
                    out: format!("Starting service: {}\n", written.describe()),
                    err: "Error: Not found; no service started.\n".to_owned(),
                    code: 255,
                },
                Err(problem) => illegal(command, &problem),
            }
        }
        "get-current-user" => Reply::out(format!("{}\n", users::current(phone))),
        "get-started-user-state" => Reply::out("RUNNING_UNLOCKED\n"),
        "get-uid-state" => Reply::out("2 (TOP)\n"),
        "idle-maintenance" | "wait-for-broadcast-idle" | "wait-for-broadcast-barrier" => {
            Reply::out("All broadcast queues are idle!\n")
        }
        "" | "help" | "-h" => Reply::failed(HELP),
        other => Reply::unknown(other),
    }
}

fn illegal(command: &str, problem: &str) -> Reply {
    Reply::exception(
        command,
        format!("java.lang.IllegalArgumentException: {problem}"),
        &[ON_COMMAND],
    )
}

fn start(phone: &Phone, command: &str, words: Vec<String>) -> Reply {
    let (mut waits, mut stops) = (false, false);
    let mut own = |word: &str, rest: &mut std::vec::IntoIter<String>| -> bool {
        match word {
            "-W" => waits = true,
            "-S" => stops = true,
            "-D" | "-N" | "-w" | "--streaming" | "--track-allocation" | "--suspend"
            | "--dismiss-keyguard" => {}
            "--user"
            | "-R"
            | "-P"
            | "--start-profiler"
            | "--display"
            | "--windowingMode"
            | "--activityType"
            | "--task"
            | "--attach-agent"
            | "--sampling"
            | "--splashscreen-show-icon" => {
                rest.next();
            }
            _ => return false,
        }
        true
    };
    let mut written = match read(words, &mut own) {
        Ok(written) if written.is_empty() => return illegal(command, "No intent supplied"),
        Ok(written) => written,
        Err(problem) => return illegal(command, &problem),
    };
    let mut reply = Reply::default();
    if stops {
        let package = written.intent.package.clone();
        let package = written.component().map(|component| component.package).or(package);
        if let Some(package) = package {
            reply.out.push_str(&format!("Stopping: {package}\n"));
            phone.record(Received::ForceStop {
                package: package.clone(),
            });
            phone.with(|android| android.force_stop(&package));
        }
    }
    reply.out.push_str(&format!("Starting: {}\n", written.describe()));
    written.flags |= NEW_TASK;
    let mut say = |text: &str| {
        if waits {
            reply.out.push_str(text)
        } else {
            reply.err.push_str(text)
        }
    };
    match phone.start(&written.intent) {
        Ok(started) => {
            if started.already_in_front {
                say(
                    "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n",
                );
            }
            if waits {
                let (state, total) = if started.already_in_front {
                    ("UNKNOWN (0)", 0)
                } else {
                    ("COLD", 231)
                };
                reply.out.push_str(&format!(
                    "Status: ok\nLaunchState: {state}\nActivity: {}\nTotalTime: {total}\nWaitTime: {}\nComplete\n",
                    short(&started.component),
                    total + 4
                ));
            }
        }
        Err(problem) => return not_started(command, &written, problem, reply, waits),
    }
    reply
}

fn not_started(
    command: &str,
    written: &ParsedIntent,
    problem: NotStarted,
    mut reply: Reply,
    waits: bool,
) -> Reply {
    let text = match problem {
        NotStarted::Unresolved => {
            format!(
                "Error: Activity not started, unable to resolve {}\n",
                written.describe()
            )
        }
        NotStarted::NoSuchClass => {
            let component = written
                .component()
                .map(|component| format!("{}/{}", component.package, component.class));
            format!(
                "Error type 3\nError: Activity class {{{}}} does not exist.\n",
                component.unwrap_or_else(|| "null".to_owned())
            )
        }
        NotStarted::NotExported => {
            let thrown = format!(
                "java.lang.SecurityException: Permission Denial: starting {} from null (pid=4109, uid=2000) not \
                 exported from uid {}",
                written.describe(),
                written
                    .component()
                    .map_or(0, |component| super::name::uid(&component.package))
            );
            let frames = [
                "com.android.server.wm.ActivityTaskSupervisor.checkStartAnyActivityPermission\
                 (ActivityTaskSupervisor.java:1175)",
                ON_COMMAND,
            ];
            let exception = Reply::exception(command, thrown, &frames);
            return Reply {
                out: reply.out,
                ..exception
            };
        }
    };
    if waits {
        reply.out.push_str(&text);
    } else {
        reply.err.push_str(&text);
    }
    // `runStartActivity`: `return 1` (up to Android 12 its words were all, and 0).
    reply.code = 1;
    reply
}

fn broadcast(phone: &Phone, words: Vec<String>) -> Reply {
    let mut own = |word: &str, rest: &mut std::vec::IntoIter<String>| -> bool {
        if matches!(word, "--user" | "--receiver-permission") {
            rest.next();
            return true;
        }
        matches!(word, "--allow-background-activity-starts" | "--async")
    };
    match read(words, &mut own) {
        Ok(mut written) => {
            written.flags |= 0x0040_0000;
            phone.with(|android| android.broadcast(&written.intent));
            Reply::out(format!(
                "Broadcasting: {}\nBroadcast completed: result=0\n",
                written.describe()
            ))
        }
        Err(problem) => illegal("broadcast", &problem),
    }
}

const HELP: &str = "Activity manager (activity) commands:\n  help\n      Print this help text.\n  start-activity [-D] [-N] \
     [-W] [-P <FILE>] [--start-profiler <FILE>]\n          [-R COUNT] [-S] [--user <USER_ID> | current] <INTENT>\n      Start \
     an Activity.\n  broadcast [--user <USER_ID> | all | current] <INTENT>\n      Send a broadcast Intent.\n  force-stop \
     [--user <USER_ID> | all | current] <PACKAGE>\n      Completely stop the given application package.\n  get-current-user\n      \
     Returns id of the current foreground user.\n";
