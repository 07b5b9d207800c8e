//! Processes, groups, sessions and signals, as adbd and Linux have them. In virtual time.

use crate::client::{one, open, packet, shell};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use virtual_phone::{Fault, Speed};

/// Begins a command, lets it run for a while, and goes away.
async fn begin_and_leave(host: &virtual_phone::Host, service: &str, after: Duration) {
    let stream = open(host, service).await.unwrap();
    sleep(after).await;
    drop(stream);
}

#[tokio::test(start_paused = true)]
async fn what_comes_after_a_cancelled_sleep_never_runs() {
    let (host, phone) = one(Speed::Phone);
    for service in [
        "shell,v2,raw:sleep 60; input tap 1 1",
        "shell:sleep 60; input tap 1 1",
        "exec:sleep 60; input tap 1 1",
    ] {
        begin_and_leave(&host, service, Duration::from_secs(1)).await;
        sleep(Duration::from_secs(120)).await;
        assert_eq!(phone.state()["fingers"], 0, "{service}");
        assert!(!phone.record().entries().iter().any(|entry| {
            matches!(&entry.what, virtual_phone::Received::Program { words, .. } if words[0] == "input")
        }));
        assert_eq!(phone.processes(), [], "{service}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_plain_command_becomes_the_shells_own_process_and_is_hung_up() {
    let (host, phone) = one(Speed::Phone);
    let stream = open(&host, "shell,v2,raw:sleep 60").await.unwrap();
    sleep(Duration::from_secs(1)).await;
    let words: Vec<String> = phone.processes().into_iter().map(|(_, words)| words).collect();
    assert_eq!(words, ["sleep 60"], "mksh goes on as the only command there is");
    drop(stream);
    sleep(Duration::from_millis(100)).await;
    assert_eq!(phone.processes(), []);
}

#[tokio::test(start_paused = true)]
async fn a_swipe_that_began_goes_on_in_the_system_server() {
    let (host, phone) = one(Speed::Phone);
    begin_and_leave(
        &host,
        "shell,v2,raw:input swipe 0 0 500 0 3000",
        Duration::from_millis(500),
    )
    .await;
    let before = phone.record().len();
    sleep(Duration::from_secs(5)).await;
    let later = phone.record().since(before);
    let actions: Vec<&str> = later
        .iter()
        .filter_map(|entry| match entry.what {
            virtual_phone::Received::Finger { action, .. } => Some(action),
            _ => None,
        })
        .collect();
    assert!(
        actions.len() > 100 && actions.last() == Some(&"up"),
        "{}",
        actions.len()
    );
}

#[tokio::test(start_paused = true)]
async fn with_the_protocol_only_the_shell_is_hung_up_without_it_everything() {
    // A background child of a shell that waits for it.
    let line = "(sleep 5; input tap 7 7) & wait";
    for (service, taps) in [("shell,v2,raw:", 2), ("shell:", 0), ("exec:", 0)] {
        let (host, phone) = one(Speed::Phone);
        begin_and_leave(&host, &format!("{service}{line}"), Duration::from_secs(1)).await;
        sleep(Duration::from_secs(20)).await;
        assert_eq!(phone.state()["fingers"], taps, "{service}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_background_child_keeps_the_session_while_it_holds_the_output() {
    let (host, _phone) = one(Speed::Phone);
    let before = Instant::now();
    assert_eq!(shell(&host, "sleep 30 & echo $?").await.text(), "0\n");
    assert!(before.elapsed() >= Duration::from_secs(30));
    let before = Instant::now();
    assert_eq!(
        shell(&host, "sleep 30 >/dev/null 2>&1 & echo $?").await.text(),
        "0\n"
    );
    assert!(before.elapsed() < Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_group_is_ended_by_its_number_and_a_session_of_its_own_is_not() {
    let (host, phone) = one(Speed::Phone);
    let line = "sleep 100 >/dev/null 2>&1 & setsid sleep 200 >/dev/null 2>&1 & echo $$; sleep 300";
    let mut stream = open(&host, &format!("shell,v2,raw:{line}")).await.unwrap();
    let mut header = [0; 5];
    tokio::io::AsyncReadExt::read_exact(&mut stream, &mut header)
        .await
        .unwrap();
    let mut pid = vec![0; header[1] as usize];
    tokio::io::AsyncReadExt::read_exact(&mut stream, &mut pid)
        .await
        .unwrap();
    let pid = String::from_utf8(pid).unwrap().trim().to_owned();
    sleep(Duration::from_secs(1)).await;
    let table = shell(&host, "ps -A -o PID,PGID,SID,ARGS | grep 'sleep [0-9]'").await;
    let rows: Vec<Vec<&str>> = table
        .text()
        .lines()
        .map(|row| row.split_whitespace().collect())
        .collect();
    let group_of = |seconds: &str| {
        rows.iter()
            .find(|row| row.last() == Some(&seconds))
            .map(|row| row[1])
            .unwrap()
    };
    assert_eq!((group_of("100"), group_of("300")), (pid.as_str(), pid.as_str()));
    assert_ne!(group_of("200"), pid);
    assert_eq!(
        shell(
            &host,
            &format!("kill -9 -- -{pid}; echo $?; sleep 0.1; kill -0 {pid} 2>/dev/null; echo $?")
        )
        .await
        .text(),
        "0\n1\n"
    );
    sleep(Duration::from_millis(100)).await;
    let words: Vec<String> = phone.processes().into_iter().map(|(_, words)| words).collect();
    assert_eq!(words, ["sleep 200"]);
}

#[tokio::test(start_paused = true)]
async fn signals_end_ignore_and_trap() {
    let (host, _phone) = one(Speed::Phone);
    for (line, status, out, err) in [
        ("kill -9 $$", 137, "", ""),
        ("sh -c 'kill $$'; echo $?", 0, "143\n", "Terminated\n"),
        ("sleep 50 & kill $!; wait $!; echo $?", 0, "143\n", ""),
        ("trap '' TERM; kill $$; echo alive", 0, "alive\n", ""),
        (
            "trap 'echo caught' TERM; kill $$; echo after",
            0,
            "caught\nafter\n",
            "",
        ),
        ("timeout 1 sleep 5; echo $?", 0, "124\n", ""),
        ("timeout -s KILL 1 sleep 5; echo $?", 0, "137\n", ""),
        ("timeout 5 sh -c 'exit 3'; echo $?", 0, "3\n", ""),
        (
            "timeout 1 nope; echo $?",
            0,
            "127\n",
            "timeout: exec nope: No such file or directory\n",
        ),
        ("setsid -w sh -c 'exit 5'; echo $?", 0, "5\n", ""),
        ("while true; do echo y; done | head -n 2", 0, "y\ny\n", ""),
        ("sleep 1 & sleep 2 & wait; echo done", 0, "done\n", ""),
        ("kill -l 9; kill -l KILL >/dev/null; echo $?", 0, "KILL\n0\n", ""),
        (
            "cat /proc/$$/comm; cat /proc/self/cmdline | tr '\\0' ' '",
            0,
            "sh\ncat /proc/self/cmdline ",
            "",
        ),
    ] {
        let outcome = shell(&host, line).await;
        assert_eq!(
            (outcome.status, outcome.text(), outcome.err.as_str()),
            (Some(status), out, err),
            "{line}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_hang_up_can_be_outlived() {
    for (line, survives) in [
        ("nohup sleep 60", true),
        ("trap '' HUP; sleep 60", true),
        ("exec setsid sleep 60", true),
        ("sleep 60", false),
    ] {
        let (host, phone) = one(Speed::Phone);
        begin_and_leave(&host, &format!("shell,v2,raw:{line}"), Duration::from_secs(1)).await;
        sleep(Duration::from_secs(1)).await;
        assert_eq!(!phone.processes().is_empty(), survives, "{line}");
        sleep(Duration::from_secs(100)).await;
        assert_eq!(phone.processes(), [], "{line}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_lingering_process_lives_two_seconds_longer() {
    let (host, phone) = one(Speed::Phone);
    phone.set_fault(Fault::RemoteLingers);
    begin_and_leave(
        &host,
        "shell,v2,raw:sleep 1; sleep 1; input tap 1 1; sleep 60",
        Duration::from_millis(500),
    )
    .await;
    sleep(Duration::from_millis(1900)).await;
    assert_eq!(
        phone.state()["fingers"],
        2,
        "what came within the two seconds was done"
    );
    sleep(Duration::from_secs(1)).await;
    let left: Vec<String> = phone.processes().into_iter().map(|(_, words)| words).collect();
    assert_eq!(left, ["sleep 60"], "the shell is gone, its child is init's");
}

#[tokio::test(start_paused = true)]
async fn input_goes_to_the_command_until_it_is_closed() {
    let (host, _phone) = one(Speed::Phone);
    let mut stream = open(&host, "shell,v2,raw:cat; echo end").await.unwrap();
    packet(&mut stream, 0, b"one ").await;
    packet(&mut stream, 5, b"24x80,0x0\0").await;
    packet(&mut stream, 0, b"two\n").await;
    packet(&mut stream, 4, b"").await;
    let outcome = crate::client::finish(stream).await;
    assert_eq!((outcome.status, outcome.text()), (Some(0), "one two\nend\n"));
}

#[tokio::test(start_paused = true)]
async fn sixty_shells_at_once_all_answer() {
    let (host, _phone) = one(Speed::Phone);
    let all = (0..60).map(|number| {
        let host = &host;
        async move { shell(host, &format!("echo {number}; exit {number}")).await }
    });
    for (number, outcome) in futures::future::join_all(all).await.into_iter().enumerate() {
        assert_eq!(outcome.status, u8::try_from(number).ok());
        assert_eq!(outcome.text(), format!("{number}\n"));
    }
}
