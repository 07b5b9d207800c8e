//! The tree reader against what no phone should send: 100,000 broken trees each time, and ten million by one command:
//! `cargo test --release -p screen --test storm -- --ignored --nocapture`.

use crate::bodies::{SEEDS, SeededRng, check, mutate};

/// The trees that were told apart from the rest because they once were read wrongly, or show one kind of damage well.
const CORPUS: &str = include_str!("../corpus/trees.txt");

/// Whole screens, from a real phone and from the simulated one.
const SCREENS: [&str; 5] = [
    include_str!("../data/ui_01_bilibili.txt"),
    include_str!("../data/demo/calendar.xml"),
    include_str!("../data/demo/greenleaf-basket.xml"),
    include_str!("../data/demo/northbank-transfer.xml"),
    include_str!("../data/demo/shade.xml"),
];

/// One input for each number; how many of them were trees.
fn storm(seeds: &[&str], from: u64, to: u64) -> u64 {
    let mut input = Vec::new();
    let mut trees = 0;
    for seed in from..to {
        mutate(&mut SeededRng::new(seed), seeds, &mut input);
        match check(&input) {
            Ok(tree) => trees += u64::from(tree),
            Err(why) => panic!("seed {seed}: {why}\n{}", String::from_utf8_lossy(&input)),
        }
    }
    trees
}

#[test]
fn a_hundred_thousand_broken_trees() {
    let trees = storm(&SEEDS, 0, 100_000);
    // Neither all broken beyond reading nor all whole: both ways are walked.
    assert!((10_000..90_000).contains(&trees), "{trees}");
}

#[test]
fn two_thousand_wounded_screens() {
    let trees = storm(&SCREENS, 0, 2_000);
    assert!((200..1_900).contains(&trees), "{trees}");
}

#[test]
fn the_corpus() {
    let mut trees = 0;
    for line in CORPUS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        // Written as Rust would write it, so that every byte can be kept in a text.
        let bytes = line.as_bytes();
        let mut at = 0;
        let mut input = Vec::new();
        while at < bytes.len() {
            let hex = line.get(at + 2..at + 4).filter(|_| line[at..].starts_with("\\x"));
            match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                Some(byte) => {
                    input.push(byte);
                    at += 4;
                }
                None => {
                    input.push(bytes[at]);
                    at += 1;
                }
            }
            while !line.is_char_boundary(at) {
                input.push(bytes[at]);
                at += 1;
            }
        }
        trees += u32::from(check(&input).unwrap_or_else(|why| panic!("{why}\n{line}")));
        // Every beginning of it, too.
        for end in 0..input.len() {
            check(&input[..end]).unwrap_or_else(|why| panic!("{why}\n{line}\ncut at {end}"));
        }
    }
    assert!(trees >= 8, "{trees}");
}

mod long {
    use super::{SCREENS, SEEDS, storm};
    use std::time::Instant;

    #[test]
    #[ignore = "minutes: cargo xtask test ignored"]
    fn ten_million_broken_trees() {
        let start = Instant::now();
        let mut trees = 0;
        for million in 0..10 {
            let from = 1_000_000 + million * 1_000_000;
            trees += storm(&SEEDS, from, from + 990_000);
            trees += storm(&SCREENS, from + 990_000, from + 1_000_000);
            println!(
                "{} million, {trees} of them trees, {:.0} s",
                million + 1,
                start.elapsed().as_secs_f64()
            );
        }
        println!(
            "10,000,000 inputs, {:.1} µs each",
            start.elapsed().as_secs_f64() / 10.0
        );
    }
}
