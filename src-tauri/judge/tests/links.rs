//! Every link of the table comes down to what it says, and what holds for all links.

use judge::link::{LinkRisk, Offer, risk};
use proptest::prelude::*;

const TABLE: &str = include_str!("links.txt");

/// A link and what is known when it is opened.
#[derive(Clone)]
struct Row {
    expected: &'static str,
    task: &'static str,
    offer: Offer,
    read: Vec<String>,
    url: &'static str,
}

impl Row {
    fn risk(&self) -> LinkRisk {
        risk(self.url, self.task, self.offer, &self.read)
    }
}

fn table() -> Vec<Row> {
    let mut row = Row {
        expected: "",
        task: "",
        offer: Offer::None,
        read: Vec::new(),
        url: "",
    };
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
            row.offer = match offered {
                " yes" => Offer::Page,
                " letter" => Offer::Letter,
                _ => Offer::None,
            };
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

/// A text as it may stand in a link: plain, encoded, backwards, apart.
fn hidden(text: &str, way: usize) -> String {
    let hex = |b: u8| format!("{b:02x}");
    match way % 6 {
        0 => text.to_owned(),
        1 => text.bytes().map(|b| format!("%{b:02X}")).collect(),
        2 => text.bytes().map(hex).collect(),
        3 => text.chars().rev().collect(),
        4 => text.chars().map(|c| format!("{c}-")).collect(),
        _ => text.bytes().map(|b| format!("%25{b:02x}")).collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_link_is_read(url in ".{0,60}", task in ".{0,30}", read in ".{0,60}") {
        for url in [url.clone(), format!("https://{url}"), format!("https://example.com/{url}"), format!("tel:{url}")] {
            let _any = risk(&url, &task, Offer::Page, std::slice::from_ref(&read));
        }
    }

    #[test]
    fn what_nobody_asked_for_is_never_shown(rest in "[ -~]{0,40}", scheme in "[a-z]{1,8}") {
        for url in [format!("https://{rest}"), format!("http:{rest}"), format!("{scheme}:{rest}"), rest.clone()] {
            let geo = url.trim().starts_with("geo:");
            prop_assert!(geo || risk(&url, "", Offer::None, &[]) != LinkRisk::Shows, "{}", url);
        }
    }

    #[test]
    fn what_was_read_is_not_carried_away(secret in "[a-zA-Z0-9]{6,30}", place in "[/?#][a-z]{0,3}=?", way in 0_usize..6) {
        let read = [format!("before it {secret} after it")];
        let url = format!("https://example.com{place}{}", hidden(&secret, way));
        let shown = risk(&url, "Open example.com", Offer::Page, &read);
        prop_assert!(shown != LinkRisk::Shows, "{}", url);
    }
}
