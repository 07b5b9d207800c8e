//! What phones cost in memory: those that are looked at and touched, and those nobody looks at any more.
//!
//! The phones are in this process, the program that acts on them is another one ([`client`]), so that what is measured is
//! ours alone. Figures of 1, 16 and 64 phones at once: `cargo test -p adb --test contract -- --ignored
//! --nocapture memory::long`.

#![expect(
    clippy::disallowed_methods,
    reason = "the program that is measured is this one, started once more"
)]

use adb::{AdbPhone, AdbServer, Command, Device, Link};
use agent::lease::Lease;
use agent::ports::Phone;
use protocol::PhoneId;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::sleep;
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Fault, Host, Options, Speed};

const SERVER: &str = "POCKETDECK_TEST_SERVER";
/// How often each phone is looked at and touched.
const STEPS: usize = 4;
/// How many act at the same moment: what draws them is this machine too.
const AT_ONCE: usize = 16;
/// After so long what nobody looks at is given back.
const IDLE: Duration = Duration::from_secs(45);
/// Megabytes a phone may cost, acting and idle, where there are many.
const ACTING: u64 = 40;
const RESTING: u64 = 15;

/// Megabytes this process holds.
fn held() -> u64 {
    let told = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = told.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096 / 1_000_000
}

mod child {
    use super::*;

    /// The program that acts: prints what it held at the start, at the most, and in the end.
    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "the other side of the test beside it, which starts it with a server's address"]
    async fn client() {
        adb::memory::give_frames_back();
        let server = AdbServer::new(Link::Tcp(std::env::var(SERVER).unwrap()));
        let phones: Vec<Arc<AdbPhone>> = server
            .devices()
            .await
            .unwrap()
            .iter()
            .map(|line| {
                let device = Device::new(server.clone(), &line.serial);
                Arc::new(AdbPhone::new(PhoneId::from(line.serial.as_str()), device))
            })
            .collect();
        let (first, most) = (held(), Arc::new(AtomicU64::new(0)));
        let watching = tokio::spawn({
            let most = Arc::clone(&most);
            async move {
                loop {
                    most.fetch_max(held(), Ordering::Relaxed);
                    sleep(Duration::from_millis(20)).await;
                }
            }
        });
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        let mut acting = JoinSet::new();
        for phone in &phones {
            let phone = Arc::clone(phone);
            let turns = Arc::clone(&turns);
            acting.spawn(async move {
                let _turn = turns.acquire().await.unwrap();
                phone.use_scrcpy(None);
                let lease = Lease::new();
                for _ in 0..STEPS {
                    let sight = phone.see().await.unwrap();
                    assert!(sight.frame.is_some());
                    let tap = Command::Tap { x: 10, y: 10 };
                    phone.by_hand(&tap, &lease.take()).await.unwrap();
                    phone.settle(Duration::from_secs(1)).await.unwrap();
                }
            });
        }
        while let Some(done) = acting.join_next().await {
            done.unwrap();
        }
        watching.abort();
        sleep(IDLE).await;
        println!("held {first} {} {}", most.load(Ordering::Relaxed), held());
        drop(phones);
    }
}

/// Megabytes at the start, at the most and in the end, with so many phones.
async fn measured(count: usize) -> [u64; 3] {
    let host = Host::new();
    let address = host
        .serve(TcpListener::bind("127.0.0.1:0").await.unwrap())
        .unwrap();
    for number in 0..count {
        let mut options = SystemOptions::default();
        options.profile.phone.serial = format!("MEMORY{number:04}");
        let wired = Options {
            speed: Speed::Instant,
            faults: vec![Fault::NoScreenrecord],
            ..Options::default()
        };
        host.add(Box::new(System::new(options)), wired);
    }
    let mut client = tokio::process::Command::new(std::env::current_exe().unwrap());
    client
        .args(["--exact", "memory::child::client", "--ignored", "--nocapture"])
        .env(SERVER, address.to_string())
        .kill_on_drop(true);
    let output = client.output().await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let line = said.lines().find_map(|line| line.strip_prefix("held ")).unwrap();
    let numbers: Vec<u64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

/// What so many phones hold, in a line, and no more than they may.
#[cfg(target_os = "linux")]
async fn check(count: u64) -> String {
    let [first, most, last] = measured(usize::try_from(count).unwrap()).await;
    // What is held at the most is borne by those that act alone.
    let acting = most.saturating_sub(first) / count.min(AT_ONCE as u64);
    let resting = last.saturating_sub(first) / count;
    let line = format!(
        "{count:>3} phones: {most} MB, {acting} a phone that acts; idle {last} MB, {resting} a phone"
    );
    assert!(acting <= ACTING, "{line}");
    assert!(resting <= RESTING, "{line}");
    line
}

#[cfg(target_os = "linux")]
mod long {
    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "takes minutes, and prints figures"]
    async fn what_phones_cost() {
        for count in [1, 16, 64] {
            println!("{}", super::check(count).await);
        }
    }
}
