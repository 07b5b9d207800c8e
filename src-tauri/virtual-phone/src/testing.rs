//! The way into the phone for unit tests: a command line goes in, what a person would see comes out.

use crate::clock::{Speed, Times};
use crate::phone::{Hub, Phone};
use crate::process::{Descriptor, Descriptors, Origin, Spawn, pipe, spawn};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio_util::sync::CancellationToken;

#[allow(unreachable_pub, reason = "the integration tests use the same file")]
#[path = "../tests/fake/mod.rs"]
mod fake;

pub(crate) use fake::{Fake, TREE};

/// 2023-11-05 08:12:31 UTC.
pub(crate) fn born() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_699_171_951)
}

/// A phone that takes no time.
pub(crate) fn phone() -> Arc<Phone> {
    phone_of(Fake::default(), Speed::Instant)
}

pub(crate) fn phone_of(fake: Fake, speed: Speed) -> Arc<Phone> {
    let programs: Vec<&'static str> = crate::programs::names().collect();
    Arc::new(Phone::new(
        Box::new(fake),
        (speed, Times::default()),
        born(),
        &programs,
        Hub::default(),
        CancellationToken::new(),
    ))
}

/// What a command line came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs a command line as `shell,v2,raw:` does, and waits for its end.
pub(crate) async fn run(phone: &Arc<Phone>, line: &str) -> Outcome {
    run_with(phone, line, "").await
}

/// The same, with something on standard input.
pub(crate) async fn run_with(phone: &Arc<Phone>, line: &str, input: &str) -> Outcome {
    let (from_output, output) = pipe();
    let (from_error, error) = pipe();
    let writer = |pipe| {
        Arc::new(Descriptor::Writer {
            pipe,
            terminal: false,
            cooked: false,
            socket: true,
        })
    };
    let stdin = phone.files.anonymous(input.as_bytes()).unwrap();
    let request = Spawn {
        origin: Origin::Daemon,
        words: vec![crate::shell::NAME.to_owned(), "-c".to_owned(), line.to_owned()],
        environment: crate::services::environment(phone, "dumb"),
        directory: "/".to_owned(),
        descriptors: Descriptors::standard(Arc::new(Descriptor::File(stdin)), writer(output), writer(error)),
    };
    let child = spawn(
        phone,
        request,
        Box::new(|call| Box::pin(crate::shell::main(call))),
    )
    .unwrap();
    let (out, err) = tokio::join!(from_output.read_all(usize::MAX), from_error.read_all(usize::MAX));
    Outcome {
        status: child.wait().await.status(),
        out: String::from_utf8_lossy(&out).into_owned(),
        err: String::from_utf8_lossy(&err).into_owned(),
    }
}

/// Runs a line on a new phone and compares status, output and errors.
pub(crate) async fn check(line: &str, status: i32, out: &str, err: &str) {
    let outcome = run(&phone(), line).await;
    assert_eq!(
        outcome,
        Outcome {
            status,
            out: out.to_owned(),
            err: err.to_owned()
        },
        "{line}"
    );
}
