//! Every link of the table comes down to what it says, and what holds for all links.

use judge::link::{LinkRisk, risk};
use proptest::prelude::*;

const TABLE: &str = include_str!("links.txt");

/// A link and what is known when it is opened.
#[derive(Clone, Default)]
struct Row {
    expected: &'static str,
    task: &'static str,
    offered: bool,
    read: Vec<String>,
    url: &'static str,
}

impl Row {
    fn risk(&self) -> LinkRisk {
        risk(self.url, self.task, self.offered, &self.read)
    }
}

fn table() -> Vec<Row> {
    let mut row = Row::default();
    let mut rows = Vec::new();
    for line in TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(expected) = line.strip_prefix("== ") {
            row.expected = expected;
        } else if let Some(task) = line.strip_prefix("task:") {
            row.task = task;
        } else if let Some(read) = line.strip_prefix("read:") {
            row.read = vec![read.to_owned()];
        } else if let Some(offered) = line.strip_prefix("offered:") {
            row.offered = offered == " yes";
        } else {
            rows.push(Row {
                url: line,
                ..row.clone()
            });
        }
    }
    rows
}

fn show(risk: LinkRisk) -> String {
    let about = |does: &str, kind, rule| format!("{does} {kind:?} {rule}").to_lowercase();
    match risk {
        LinkRisk::Shows => "shows".to_owned(),
        LinkRisk::Asks(kind, rule) => about("asks", kind, rule),
        LinkRisk::Always(kind, rule) => about("always", kind, rule),
        LinkRisk::Never(rule) => format!("never {rule}"),
    }
}

fn check(row: &Row) -> Result<(), String> {
    let found = show(row.risk());
    if found == row.expected {
        Ok(())
    } else {
        Err(format!("{}\n    is {found}, not {}", row.url, row.expected))
    }
}

#[test]
fn every_link_of_the_table_comes_down_to_what_it_says() {
    let wrong: Vec<String> = table().iter().filter_map(|row| check(row).err()).collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        table().len(),
        wrong.join("\n")
    );
}
