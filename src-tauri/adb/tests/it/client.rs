//! The smart socket: what is asked, what is answered, and every way in which it is not.

use crate::support::{Fake, Fault, Reply};
use adb::AdbError;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(10);

#[tokio::test(start_paused = true)]
async fn a_server_tells_its_version_list_and_features() {
    let fake = Fake::new();
    fake.lists("FAKE 1 device\n");
    let server = fake.server();
    assert_eq!(server.version().await, Ok(41));
    assert_eq!(server.devices().await.unwrap()[0].serial, "FAKE 1");
    assert_eq!(
        server.features("FAKE 1").await.unwrap(),
        ["shell_v2", "cmd", "stat_v2"].map(str::to_owned)
    );
}

#[tokio::test(start_paused = true)]
async fn a_command_comes_back_in_its_parts() {
    let fake = Fake::new();
    fake.answers(
        "ls",
        Reply {
            stdout: b"out\n".to_vec(),
            stderr: b"err\n".to_vec(),
            exit: 2,
            ..Reply::default()
        },
    );
    let output = fake.device().look("ls /x", LIMIT).await.unwrap();
    assert_eq!(
        (output.text(), output.error_text(), output.exit),
        ("out\n".into(), "err\n".into(), Some(2))
    );
}

#[tokio::test(start_paused = true)]
async fn an_older_phone_gets_the_older_service() {
    let fake = Fake::new();
    fake.features("cmd").answers("ls", Reply::says("out\n"));
    let output = fake.device().look("ls", LIMIT).await.unwrap();
    assert_eq!((output.text().as_str(), output.exit), ("out\n", None));
    let bytes = fake.device().look_at_bytes("ls", LIMIT).await.unwrap();
    assert_eq!(bytes.stdout, b"out\n");
}

#[tokio::test(start_paused = true)]
async fn features_are_asked_in_the_other_way_too() {
    let fake = Fake::new();
    fake.fault(Fault::OldServer);
    assert_eq!(fake.device().has_shell_v2().await, Ok(true));
}

#[tokio::test(start_paused = true)]
async fn output_of_any_size_comes_whole() {
    let fake = Fake::new();
    let many: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
    fake.answers("cat", Reply::says(&many));
    let output = fake.device().look("cat /x", LIMIT).await.unwrap();
    assert!(output.stdout == many);
}

/// Each fault is known by its own error, within a bound.
#[tokio::test(start_paused = true)]
async fn faults_are_told_apart() {
    for (fault, check) in [
        (
            Fault::Absent,
            (|e| matches!(e, AdbError::NoServer { .. })) as fn(&AdbError) -> bool,
        ),
        (Fault::Wedged, |e| matches!(e, AdbError::Silent { .. })),
        (Fault::Unplugged, |e| {
            *e == AdbError::Gone("device 'FAKE 1' not found".to_owned())
        }),
        (Fault::SilentService, |e| matches!(e, AdbError::Slow(_))),
        (Fault::CutService, |e| matches!(e, AdbError::Cut(_))),
    ] {
        let fake = Fake::new();
        fake.answers("ls", Reply::default()).fault(fault);
        let told = tokio::time::timeout(Duration::from_secs(20), fake.device().look("ls", LIMIT)).await;
        let error = told.expect("bounded").unwrap_err();
        assert!(check(&error), "{fault:?}: {error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_phone_and_an_unknown_request_are_refused_by_name() {
    let fake = Fake::new();
    let nobody = adb::Device::new(fake.server(), "nobody");
    let error = nobody.look("ls", LIMIT).await.unwrap_err();
    assert_eq!(error, AdbError::Gone("device 'nobody' not found".to_owned()));
}

/// Cut after any number of bytes, a command's output is *cut*, never a short answer.
#[tokio::test(start_paused = true)]
async fn a_cut_answer_is_never_a_short_one() {
    for after in 0..40 {
        let fake = Fake::new();
        fake.answers(
            "ls",
            Reply {
                stdout: b"one\ntwo\nthree\n".to_vec(),
                cut_after: Some(after),
                ..Reply::default()
            },
        );
        let told = fake.device().look("ls", LIMIT).await;
        // 5 + 4 and 5 + 10 bytes of output, 6 of the exit packet.
        assert_eq!(told.is_ok(), after >= 30, "{after}: {told:?}");
        assert!(told.is_ok() || matches!(told, Err(AdbError::Cut(_))), "{after}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_command_that_does_not_end_is_given_up() {
    let fake = Fake::new();
    fake.answers(
        "logcat",
        Reply {
            hangs: true,
            ..Reply::default()
        },
    );
    let before = fake.clock();
    let told = fake.device().look("logcat", LIMIT).await;
    assert_eq!(told, Err(AdbError::Slow("logcat".to_owned())));
    assert!(fake.clock() - before <= LIMIT + Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_list_is_followed_until_the_server_dies() {
    let fake = Fake::new();
    fake.lists("A device\n");
    let mut tracker = fake.server().track().await.unwrap();
    assert_eq!(tracker.next().await.unwrap()[0].serial, "A");
    fake.lists("A device\nB offline\n");
    assert_eq!(tracker.next().await.unwrap().len(), 2);
    fake.lists("");
    assert_eq!(tracker.next().await.unwrap(), []);
    fake.restarts();
    assert!(matches!(tracker.next().await, Err(AdbError::Cut(_))));
}
