//! Real scripts in a real bash: what comes back, and that nothing of them stays behind.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use agent::lease::Lease;
use agent::ports::{ScriptEnd, Scripts};
use protocol::{Failure, FailureCode};
use script::{Bash, LONGEST};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// A test that hangs fails instead of waiting for whatever the script waits for.
const TEST_BOUND: Duration = Duration::from_secs(60);

async fn run(script: &str, limit: Duration) -> Result<ScriptEnd, Failure> {
    let lease = Lease::new();
    let grip = lease.take();
    let end = tokio::time::timeout(TEST_BOUND, Bash.run(script, limit, &grip))
        .await
        .expect("the script's end within the test's bound");
    assert!(lease.drained(Duration::ZERO).await, "the pass is given back");
    end
}

#[track_caller]
fn block<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

/// Runs one script with plenty of time.
#[track_caller]
fn check(script: &str, exit: i32, stdout: &str, stderr: &str) {
    let end = block(run(script, Duration::from_secs(30))).unwrap();
    let expected = ScriptEnd {
        exit: Some(exit),
        timed_out: false,
        stdout: stdout.to_owned(),
        stderr: stderr.to_owned(),
    };
    assert_eq!(end, expected);
}

/// Whether a process still runs code: a dead one that nobody reaped does not.
fn lives(pid: &str) -> bool {
    if cfg!(target_os = "linux") {
        let Ok(stat) = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())) else {
            return false;
        };
        !matches!(
            stat.rsplit_once(')').unwrap().1.split_ascii_whitespace().next(),
            Some("Z" | "X")
        )
    } else {
        let pid = rustix::process::Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
        rustix::process::test_kill_process(pid).is_ok()
    }
}

/// The process numbers a script printed, one a line.
#[track_caller]
fn all_dead(printed: &str, how_many: usize) {
    let pids: Vec<_> = printed
        .lines()
        .filter(|line| line.parse::<u32>().is_ok())
        .collect();
    assert_eq!(pids.len(), how_many, "the script printed {printed:?}");
    for pid in pids {
        assert!(!lives(pid), "process {pid} is still there");
    }
}

#[test]
fn exit_code_and_both_outputs_come_back() {
    check("echo hello", 0, "hello\n", "");
    check("echo oops >&2; exit 3", 3, "", "oops\n");
    check(
        "for i in 1 2 3; do\n  echo $i\ndone\n(exit 7)",
        7,
        "1\n2\n3\n",
        "",
    );
    check("a=(x y); [[ ${a[1]} == y ]] && printf 'grün'", 0, "grün", "");
    check("cat <<'END'\na $b `c`\nEND", 0, "a $b `c`\n", "");
    check("trap 'echo bye' EXIT; echo work", 0, "work\nbye\n", "");
}

#[test]
fn an_error_in_the_script_names_its_line() {
    let end = block(run("echo one\nfi", Duration::from_secs(30))).unwrap();
    assert_ne!(end.exit, Some(0));
    assert!(end.stderr.contains("line 2"), "{}", end.stderr);
}

#[test]
fn a_script_reads_no_input_and_is_not_its_own_input() {
    check("cat; read x; echo \"[$x]\"\necho last", 0, "[]\nlast\n", "");
}

#[test]
fn the_longest_script_is_read_whole() {
    let last = "\necho end";
    let script = format!("# {}{last}", "€".repeat(LONGEST - 2 - last.len()));
    assert_eq!(script.chars().count(), LONGEST);
    check(&script, 0, "end\n", "");
}

#[test]
fn a_script_has_an_empty_folder_of_its_own_that_goes_with_it() {
    let end = block(run(
        "ls -A | wc -l; echo x > left; [ \"$PWD\" = \"$TMPDIR\" ] && stat -c %a . 2>/dev/null; pwd",
        Duration::from_secs(30),
    ))
    .unwrap();
    let lines: Vec<_> = end.stdout.lines().map(str::trim).collect();
    assert_eq!(lines.first(), Some(&"0"), "{end:?}");
    if cfg!(target_os = "linux") {
        assert_eq!(lines.get(1), Some(&"700"), "{end:?}");
    }
    let folder = Path::new(lines.last().unwrap());
    assert!(folder.is_absolute() && !folder.exists(), "{}", folder.display());
}

#[test]
fn a_script_sees_no_variable_that_was_not_allowed() {
    // What cargo gives every test stands for what a desktop gives every program.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let end = block(run("env", Duration::from_secs(30))).unwrap();
    let allowed: BTreeSet<_> = [
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "LANG",
        "LANGUAGE",
        "LC_ALL",
        "LC_COLLATE",
        "LC_CTYPE",
        "LC_MESSAGES",
        "LC_MONETARY",
        "LC_NUMERIC",
        "LC_TIME",
        "TZ",
        "TMPDIR",
        "TMP",
        "TEMP",
        "POCKETDECK_SCRIPT",
        // Bash's own.
        "PWD",
        "OLDPWD",
        "SHLVL",
        "_",
    ]
    .into();
    let names: BTreeSet<_> = end
        .stdout
        .lines()
        .filter_map(|line| Some(line.split_once('=')?.0))
        .collect();
    assert!(names.contains("PATH"));
    assert!(names.is_subset(&allowed), "{:?}", names.difference(&allowed));
}

#[test]
fn output_without_end_is_bounded() {
    let end = block(run(
        "yes line | head -c 30000000; echo; echo last; echo err >&2",
        Duration::from_secs(60),
    ))
    .unwrap();
    assert_eq!((end.exit, end.stderr.as_str()), (Some(0), "err\n"));
    assert!(end.stdout.chars().count() <= 6_000);
    assert!(end.stdout.starts_with("line\nline\n") && end.stdout.ends_with("\nlast\n"));
}

#[test]
fn time_is_up_although_a_grandchild_holds_the_pipe() {
    let end = block(run(
        "sleep 300 & echo $!; echo $$; sleep 300",
        Duration::from_secs(1),
    ))
    .unwrap();
    assert_eq!((end.exit, end.timed_out), (None, true));
    all_dead(&end.stdout, 2);
}

#[test]
fn a_script_may_tidy_up_but_not_stay() {
    let end = block(run(
        "trap 'echo tidy; exit 0' TERM; sleep 300",
        Duration::from_secs(1),
    ))
    .unwrap();
    assert_eq!(
        (end.exit, end.timed_out, end.stdout.as_str()),
        (None, true, "tidy\n")
    );
    let end = block(run(
        "trap '' TERM; echo $$; while :; do sleep 0.1; done",
        Duration::from_secs(1),
    ))
    .unwrap();
    assert_eq!((end.exit, end.timed_out), (None, true));
    all_dead(&end.stdout, 1);
}

#[test]
fn what_a_finished_script_left_running_is_ended() {
    let end = block(run("sleep 300 & echo $!; exit 4", Duration::from_secs(30))).unwrap();
    assert_eq!((end.exit, end.timed_out), (Some(4), false));
    all_dead(&end.stdout, 1);
}

#[test]
fn wait_waits_for_the_scripts_own_children_only() {
    check("sleep 0.01 & wait; echo done", 0, "done\n", "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_left_the_group_is_found() {
    let script = "mkfifo told
        setsid bash -c 'echo $$ > told; exec sleep 300' & read pid < told; echo $pid
        ( setsid bash -c 'echo $$ > told; exec sleep 300' & ) ; read pid < told; echo $pid
        set -m; sleep 300 & echo $!";
    let end = block(run(script, Duration::from_secs(30))).unwrap();
    assert_eq!((end.exit, end.stderr.as_str()), (Some(0), ""));
    all_dead(&end.stdout, 3);
}

#[test]
fn a_lost_lease_ends_the_script_and_its_background_child() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("started");
    let marker = folder.path().join("marker");
    let script = format!(
        "( while :; do echo beat >> '{marker}'; sleep 0.01; done ) & echo $! > '{fifo}'; echo $! $$; sleep 300",
        marker = marker.display(),
        fifo = fifo.display()
    );
    block(async {
        let lease = Lease::new();
        let grip = lease.take();
        let running = tokio::spawn(async move { Bash.run(&script, Duration::from_secs(600), &grip).await });
        tokio::time::timeout(TEST_BOUND, async {
            while !marker.exists() || !fifo.exists() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await
        .expect("the script's start");
        lease.revoke();
        assert!(lease.drained(TEST_BOUND).await);
        // Nothing is under way any more: from here on no beat may come.
        let beats = std::fs::read(&marker).unwrap();
        let end = running.await.unwrap().unwrap();
        assert_eq!((end.exit, end.timed_out), (None, false));
        all_dead(&end.stdout.replace(' ', "\n"), 2);
        assert_eq!(std::fs::read(&marker).unwrap(), beats);
    });
}

#[test]
fn a_dropped_future_ends_the_script() {
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    let script = format!(
        "echo $$ > '{0}.new'; mv '{0}.new' '{0}'; sleep 300",
        started.display()
    );
    block(async {
        let lease = Lease::new();
        let grip = lease.take();
        let running = tokio::spawn(async move { Bash.run(&script, Duration::from_secs(600), &grip).await });
        tokio::time::timeout(TEST_BOUND, async {
            while !started.exists() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await
        .expect("the script's start");
        running.abort();
        assert!(running.await.unwrap_err().is_cancelled());
        assert!(lease.drained(Duration::ZERO).await);
    });
    let pid = std::fs::read_to_string(&started).unwrap();
    wait_until_dead(&pid);
}

/// A killed process that nobody waited for takes a moment to be gone.
#[track_caller]
fn wait_until_dead(pid: &str) {
    for _ in 0..12_000 {
        if !lives(pid) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("process {pid} is still there");
}

const VICTIM: &str = "SCRIPT_TEST_VICTIM";

#[test]
fn a_script_dies_with_this_program() {
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    // This very test again, as another process, in the role of the program that is killed.
    #[expect(clippy::disallowed_methods, reason = "the test starts itself again")]
    let mut program = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "the_program_that_is_killed", "--nocapture"])
        .env(VICTIM, &started)
        .env("TMPDIR", folder.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    for _ in 0..12_000 {
        if started.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let pids = std::fs::read_to_string(&started).expect("the script's start");
    let pids: Vec<_> = pids.split_whitespace().collect();
    assert!(pids.len() == 2 && pids.iter().all(|pid| lives(pid)), "{pids:?}");
    program.kill().unwrap();
    program.wait().unwrap();
    for pid in pids {
        wait_until_dead(pid);
    }
}

#[test]
fn the_program_that_is_killed() {
    let Some(started) = std::env::var_os(VICTIM) else {
        return;
    };
    let script = format!(
        "sleep 300 & echo $! $$ > '{0}.new'; mv '{0}.new' '{0}'; wait",
        Path::new(&started).display()
    );
    let end = block(run(&script, Duration::from_secs(600)));
    panic!("it should have been killed: {end:?}");
}

#[test]
fn what_cannot_be_run_is_said_and_nothing_runs() {
    let refuse = |script: &str| block(run(script, Duration::from_secs(30))).unwrap_err().code;
    assert_eq!(refuse(""), FailureCode::BadInput);
    assert_eq!(refuse(" \n\t "), FailureCode::BadInput);
    assert_eq!(refuse(&"#".repeat(LONGEST + 1)), FailureCode::BadInput);
    assert_eq!(refuse("echo a\0b"), FailureCode::BadInput);

    let folder = tempfile::tempdir().unwrap();
    let touched = folder.path().join("touched");
    let lease = Lease::new();
    let grip = lease.take();
    lease.revoke();
    let script = format!("touch '{}'", touched.display());
    let failure = block(Bash.run(&script, Duration::from_secs(30), &grip)).unwrap_err();
    assert_eq!(failure.code, FailureCode::LeaseLost);
    assert!(!touched.exists());
}
