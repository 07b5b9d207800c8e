//! What a phone costs when there are many: from plugged in to listed, one look, one act, memory. The phones are virtual
//! and in this process, behind an adb server on TCP; each takes no time of its own, so what is measured is ours (and
//! theirs for drawing, which is the same for each count). `cargo bench -p adb --bench phones`; figures are medians, and
//! the last columns are multiples of one phone's.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark"
)]

use adb::Command;
use adb::{AdbPhone, FollowedServer, Link, Roster};
use agent::lease::Lease;
use agent::ports::Phone;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Host, Options, PhoneHandle, Speed};

const COUNTS: [usize; 3] = [1, 8, 32];
const TIMES: usize = 7;

/// A phone of its own number, with a small display.
fn plug(host: &Host, number: usize) -> PhoneHandle {
    let mut options = SystemOptions::default();
    options.profile.phone.size = (360, 800);
    options.profile.phone.density = 140;
    options.profile.phone.serial = format!("BENCH{number:04}");
    let options = (
        options,
        Options {
            speed: Speed::Instant,
            ..Options::default()
        },
    );
    host.add(Box::new(System::new(options.0)), options.1)
}

async fn listed(roster: &Roster, count: usize) {
    let mut listing = roster.listing();
    listing
        .wait_for(|list| !list.looking && list.phones.len() == count)
        .await
        .unwrap();
}

fn median(mut all: Vec<Duration>) -> f64 {
    all.sort();
    all[all.len() / 2].as_secs_f64() * 1e3
}

/// Kilobytes this process holds.
fn memory() -> f64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/statm") else {
        return f64::NAN;
    };
    let pages: f64 = text
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse().ok())
        .unwrap_or(f64::NAN);
    pages * 4.0
}

async fn tap(phone: &AdbPhone) {
    let lease = Lease::default();
    let grip = lease.take();
    phone
        .by_hand(&Command::Tap { x: 180, y: 5 }, &grip)
        .await
        .unwrap();
}

/// Milliseconds to list one phone more, for one look and one act, and kilobytes a followed phone.
async fn measure(count: usize) -> [f64; 4] {
    let host = Host::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = host.serve(listener).unwrap().to_string();
    let plugged: Vec<PhoneHandle> = (0..count).map(|number| plug(&host, number)).collect();
    // Drawn once, so that what a virtual phone holds is held already.
    for phone in &plugged {
        let _ = phone.state();
    }
    let before = memory();
    let nobody: adb::roster::Starter = Arc::new(|| Box::pin(async { Ok(()) }));
    let place = FollowedServer::started_by(&address, nobody).over(Link::Tcp(address.clone()));
    let roster = Roster::follow(vec![place]);
    listed(&roster, count).await;
    let held = (memory() - before) / f64::from(u32::try_from(count).unwrap());
    let mut listing = Vec::new();
    for number in 0..TIMES {
        let began = Instant::now();
        let one = plug(&host, 1000 + number);
        listed(&roster, count + 1).await;
        listing.push(began.elapsed());
        one.unplug();
        listed(&roster, count).await;
    }
    let id = roster.listing().borrow().phones[0].id.clone();
    let phone = roster.phone(&id).unwrap();
    let (mut looks, mut acts) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let began = Instant::now();
        phone.see().await.unwrap();
        looks.push(began.elapsed());
        let began = Instant::now();
        tap(&phone).await;
        acts.push(began.elapsed());
    }
    drop(roster);
    host.stop().await;
    [median(listing), median(looks), median(acts), held]
}

#[tokio::main]
async fn main() {
    // What is made once for all phones (fonts, icons) is made before anything is measured.
    measure(1).await;
    println!(
        "{:>6} {:>10} {:>10} {:>10} {:>12}   times one phone's",
        "phones", "listed ms", "look ms", "act ms", "kB a phone"
    );
    let mut first = None;
    for count in COUNTS {
        let now = measure(count).await;
        let one: &[f64; 4] = first.get_or_insert(now);
        let ratios: Vec<String> = now
            .iter()
            .zip(one)
            .take(3)
            .map(|(now, one)| format!("{:.2}", now / one))
            .collect();
        println!(
            "{count:>6} {:>10.1} {:>10.1} {:>10.1} {:>12.0}   {}",
            now[0],
            now[1],
            now[2],
            now[3],
            ratios.join(" ")
        );
    }
}
