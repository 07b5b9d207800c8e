//! The long run: replies changed at random, read in three dialects each, and judged as the property tests judge them.
//!
//! `cargo run --release -p dialect --example fuzz -- [INPUTS] [SEED]`: ten million inputs unless told otherwise. Stable
//! Rust, one core. An input that came to something new joins those that are changed next. A fault is made as short as it
//! goes and printed; put it into `tests/corpus/`, where the ordinary tests read it from then on.

#![allow(
    clippy::print_stdout,
    clippy::panic,
    reason = "a tool that prints and a judge that panics"
)]
#![allow(clippy::disallowed_methods, reason = "a measurement")]

#[path = "../tests/properties/honest.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod honest;
#[path = "../tests/properties/mutation.rs"]
mod mutation;

use std::collections::HashSet;
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::time::Instant;

/// Inputs that came to something new are kept up to here.
const POOL: usize = 50_000;

fn main() -> ExitCode {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|number| number.replace('_', "").parse().ok());
    let inputs: u64 = numbers.next().flatten().unwrap_or(10_000_000);
    let seed: u64 = numbers.next().flatten().unwrap_or(1);
    let mut pool = mutation::corpus();
    let written_down = pool.len();
    let mut mutation = mutation::Mutation::new(seed);
    let mut known = HashSet::new();
    let mut bytes = 0u64;
    let start = Instant::now();
    std::panic::set_hook(Box::new(|_| {}));
    for input in 1..=inputs {
        let reply = mutation.of(&pool);
        bytes += reply.len() as u64;
        match catch_unwind(|| honest::total_in_some(&reply)) {
            Ok(way) => {
                if known.insert(way) && pool.len() < POOL {
                    pool.push(reply);
                }
            }
            Err(_) => {
                let _ = std::panic::take_hook();
                let reply = shortest(reply);
                println!("a fault, input {input} of seed {seed}:\n{reply:?}\n{reply}\n");
                honest::total_in_some(&reply);
                return ExitCode::FAILURE;
            }
        }
        if input % 1_000_000 == 0 {
            let seconds = start.elapsed().as_secs_f64();
            println!("{input} inputs, {} ways, {seconds:.0} s", known.len());
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{inputs} inputs ({} MB, three readings each) in {seconds:.0} s, seed {seed}: {} ways through the readers, \
         from {written_down} written down; no fault",
        bytes / 1_000_000,
        known.len()
    );
    ExitCode::SUCCESS
}

/// Leaves out what the fault does not need, larger pieces first.
fn shortest(mut reply: String) -> String {
    std::panic::set_hook(Box::new(|_| {}));
    let mut length = reply.chars().count() / 2;
    while length > 0 {
        let mut at = 0;
        loop {
            let chars: Vec<char> = reply.chars().collect();
            if at >= chars.len() {
                break;
            }
            let end = (at + length).min(chars.len());
            let less: String = chars[..at].iter().chain(&chars[end..]).collect();
            if catch_unwind(|| honest::total_in_some(&less)).is_err() {
                reply = less;
            } else {
                at += length;
            }
        }
        length /= 2;
    }
    let _ = std::panic::take_hook();
    reply
}
