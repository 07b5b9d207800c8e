//! Real scripts in a real bash: what comes back, and that nothing of them stays behind.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use super::{Bash, LONGEST, ScriptError, execute};
use agent::lease::{Grip, Lease};
use agent::ports::{Job, Printed, ScriptEnd, Scripts as _};
use judge::Input;
use protocol::{Failure, FailureCode, RunId, Stream};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

#[path = "../../../tests/shared/judged.rs"]
#[expect(dead_code, reason = "other rooms use more of it")]
mod judged;

/// A test that hangs fails instead of waiting for whatever the script waits for.
const TEST_BOUND: Duration = Duration::from_secs(60);

fn job(script: &str, programs: &[&str], limit: Duration) -> (Job, mpsc::UnboundedReceiver<Printed>) {
    let (printed, told) = mpsc::unbounded_channel();
    let job = Job {
        run: RunId("run-1".to_owned()),
        judged: judged::judged(Input::ComputerScript(script.to_owned())),
        programs: programs.iter().map(|path| (*path).to_owned()).collect(),
        limit,
        hide: Arc::new(|text: &str| text.replace("hunter2", "••")),
        printed,
    };
    (job, told)
}

/// Runs it as it is, in an empty folder that goes with it: what a script may say is not the question here.
async fn bare(script: &str, limit: Duration, grip: &Grip) -> Result<ScriptEnd, ScriptError> {
    let folder = tempfile::Builder::new()
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700))
        .tempdir()
        .unwrap();
    let path = std::fs::canonicalize(folder.path()).unwrap();
    execute(&job(script, &[], limit).0, &path, None, grip).await
}

async fn run(script: &str, limit: Duration) -> Result<ScriptEnd, ScriptError> {
    let lease = Lease::new();
    let grip = lease.take();
    let end = tokio::time::timeout(TEST_BOUND, bare(script, limit, &grip))
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
        folder: None,
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
fn a_script_has_an_empty_folder_of_its_own() {
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
    assert!(folder.is_absolute(), "{}", folder.display());
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
fn no_file_grows_beyond_a_gibibyte() {
    // Written behind a hole: the disk is not filled to find out.
    let script = "exec 2>/dev/null; at() { dd if=/dev/zero of=file bs=1 count=1 seek=$1; }
        at 1073741823 && echo fits; at 1073741824 || echo too large";
    check(script, 0, "fits\ntoo large\n", "");
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
    // One pipe for each: of one that two write to, the second reader can meet the first writer's end.
    let script = "mkfifo first second
        setsid bash -c 'echo $$ > first; exec sleep 300' & read pid < first; echo $pid
        ( setsid bash -c 'echo $$ > second; exec sleep 300' & ) ; read pid < second; echo $pid
        set -m; sleep 300 & echo $!";
    let end = block(run(script, Duration::from_secs(30))).unwrap();
    assert_eq!((end.exit, end.stderr.as_str()), (Some(0), ""));
    all_dead(&end.stdout, 3);
}

/// The script has made this file.
async fn begun(file: &Path) {
    tokio::time::timeout(TEST_BOUND, async {
        while !file.exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("the script's start");
}

#[test]
fn a_lost_lease_ends_the_script_and_its_background_child() {
    let folder = tempfile::tempdir().unwrap();
    let [fifo, marker] = ["started", "marker"].map(|name| folder.path().join(name));
    let script = format!(
        "( while :; do echo beat >> '{marker}'; sleep 0.01; done ) & echo $! > '{fifo}'; echo $! $$; sleep 300",
        marker = marker.display(),
        fifo = fifo.display()
    );
    block(async {
        let lease = Lease::new();
        let grip = lease.take();
        let running = tokio::spawn(async move { bare(&script, Duration::from_secs(600), &grip).await });
        begun(&marker).await;
        begun(&fifo).await;
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
        let running = tokio::spawn(async move { bare(&script, Duration::from_secs(600), &grip).await });
        begun(&started).await;
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
        .args([
            "--exact",
            "running_tests::the_program_that_is_killed",
            "--nocapture",
        ])
        .env(VICTIM, &started)
        .env("TMPDIR", folder.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    block(begun(&started));
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

/// Through the door: checked, with the list's programs and nothing else.
async fn through_the_door(
    all: &Path,
    script: &str,
    programs: &[&str],
    limit: u64,
) -> (Result<ScriptEnd, Failure>, Vec<Printed>) {
    let (job, mut told) = job(script, programs, Duration::from_secs(limit));
    let lease = Lease::new();
    let end = Bash::new(all.to_owned()).run(&job, &lease.take()).await;
    drop(job);
    let mut printed = Vec::new();
    while let Some(one) = told.recv().await {
        printed.push(one);
    }
    (end, printed)
}

#[test]
fn a_script_finds_the_programs_of_the_list_and_nothing_else() {
    let all = tempfile::tempdir().unwrap();
    let script = "date -u -d @0 +%Y; /usr/bin/date -u -d @86400 +%d\necho left > note\necho 'it is hunter2' >&2; exit 3";
    let (end, printed) = block(through_the_door(all.path(), script, &["/usr/bin/date"], 30));
    let end = end.unwrap();
    assert_eq!(
        (end.exit, end.stdout.as_str(), end.stderr.as_str()),
        (Some(3), "1970\n02\n", "it is ••\n")
    );
    let told = |stream| -> String {
        let of = printed.iter().filter(|one| one.stream == stream);
        of.map(|one| one.text.as_str()).collect()
    };
    assert_eq!(told(Stream::Stdout), end.stdout);
    assert_eq!(told(Stream::Stderr), end.stderr);

    // The folder stays, with what came of it, and only with that.
    let folder = end.folder.unwrap();
    let folder = Path::new(&folder);
    assert!(folder.starts_with(std::fs::canonicalize(all.path()).unwrap()));
    let names: BTreeSet<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let expected = ["files", "result.json", "script.sh", "stderr.log", "stdout.log"];
    assert_eq!(names, expected.map(str::to_owned).into());
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("script.sh"), script);
    assert_eq!(read("files/note"), "left\n");
    assert_eq!(read("stdout.log"), "1970\n02\n");
    assert_eq!(read("stderr.log"), "it is ••\n");
    let result: serde_json::Value = serde_json::from_str(&read("result.json")).unwrap();
    assert_eq!((&result["exit"], &result["timedOut"]), (&3.into(), &false.into()));

    // The second lock, behind the reading: the name of a program that is not listed leads nowhere.
    let (job, _told) = job(
        "bash -c 'echo out'; ls; /usr/bin/printf %s in",
        &[],
        Duration::from_secs(30),
    );
    let empty = tempfile::tempdir().unwrap();
    let lease = Lease::new();
    let end = block(execute(&job, empty.path(), Some(empty.path()), &lease.take())).unwrap();
    assert_eq!(end.stdout, "in", "{end:?}");
}

#[test]
fn a_listed_program_that_takes_too_long_is_ended_and_said() {
    let all = tempfile::tempdir().unwrap();
    let script = "echo begun; /usr/bin/sleep 300 & /usr/bin/sleep 300";
    let (end, printed) = block(through_the_door(all.path(), script, &["/usr/bin/sleep"], 1));
    let end = end.unwrap();
    assert_eq!(
        (end.exit, end.timed_out, end.stdout.as_str()),
        (None, true, "begun\n")
    );
    assert_eq!(printed.len(), 1);
    let result = std::fs::read_to_string(Path::new(&end.folder.unwrap()).join("result.json")).unwrap();
    assert!(result.contains("\"timedOut\": true"), "{result}");
}

#[test]
fn what_cannot_be_run_is_said_and_nothing_runs() {
    let all = tempfile::tempdir().unwrap();
    let refuse = |script: &str| {
        let (end, _) = block(through_the_door(
            all.path(),
            script,
            &["/bin/bash", "/usr/bin/date"],
            30,
        ));
        end.unwrap_err().code
    };
    assert_eq!(refuse(""), FailureCode::BadInput);
    assert_eq!(refuse(" \n\t "), FailureCode::BadInput);
    assert_eq!(refuse(&"#".repeat(LONGEST + 1)), FailureCode::BadInput);
    assert_eq!(refuse("echo a\0b"), FailureCode::BadInput);
    assert_eq!(refuse("/bin/bash -c 'echo a'"), FailureCode::BadInput);
    assert_eq!(refuse("/usr/bin/touch here"), FailureCode::BadInput);
    assert_eq!(std::fs::read_dir(all.path()).unwrap().count(), 0, "nothing began");

    let folder = tempfile::tempdir().unwrap();
    let touched = folder.path().join("touched");
    let lease = Lease::new();
    let grip = lease.take();
    lease.revoke();
    let script = format!("touch '{}'", touched.display());
    let failure = block(bare(&script, Duration::from_secs(30), &grip)).unwrap_err();
    assert!(matches!(failure, ScriptError::LeaseLost));
    assert!(!touched.exists());
}
