//! Every line of the table is read as it says, and what holds for all lines.

use judge::Input;
use judge::command::{Reading, command, script};
use proptest::prelude::*;

const TABLE: &str = include_str!("commands.txt");

/// The lines of the table with their readings.
fn table() -> Vec<(&'static str, &'static str)> {
    let mut reading = "";
    let mut rows = Vec::new();
    for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("== ") {
            Some(next) => reading = next,
            None => rows.push((reading, line)),
        }
    }
    rows
}

fn read(line: &str) -> Reading {
    let line = ["⏎\n", "␉\t", "␍\r", "␠\u{a0}", "␛\u{1b}", "␤\u{2003}", "▯\u{200b}"].iter().fold(line.to_owned(), |line, pair| {
        let (mark, meant) = pair.split_at('⏎'.len_utf8());
        line.replace(mark, meant)
    });
    match line.strip_prefix("$ ") {
        Some(text) => script(text),
        None => command(&shlex::split(&line).unwrap_or_else(|| panic!("{line}"))),
    }
}

fn show(reading: &Reading) -> String {
    let about = |risks: &[judge::command::Risk]| {
        let kinds = risks.iter().map(|(kind, _)| format!("{kind:?}").to_lowercase());
        kinds.collect::<Vec<_>>().join("+")
    };
    match reading {
        Reading::Reads => "reads".to_owned(),
        Reading::Touches(inputs) => format!("touches {inputs:?}"),
        Reading::Asks(risks) => format!("asks {}", about(risks)),
        Reading::Always(risks) => format!("always {}", about(risks)),
        Reading::Never(rule) => format!("never {rule}"),
    }
}

fn check(line: &str, expected: &str) -> Result<(), String> {
    let (line, expected) = match line.split_once(" => ") {
        Some((line, inputs)) => (line, format!("{expected} {inputs}")),
        None => (line, expected.to_owned()),
    };
    let found = show(&read(line));
    if found == expected { Ok(()) } else { Err(format!("{line}\n    is {found}, not {expected}")) }
}

#[test]
fn every_line_of_the_table_is_read_as_it_says() {
    let wrong: Vec<String> = table().iter().filter_map(|(reading, line)| check(line, reading).err()).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), table().len(), wrong.join("\n"));
}
