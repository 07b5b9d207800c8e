//! `logcat` (`system/logging/logcat/logcat.cpp`), from the lines the system keeps, in `threadtime`.

use crate::process::{Call, ProgramResult};
use std::time::Duration;

/// New lines are looked for so often.
const POLL: Duration = Duration::from_millis(200);

/// `logcat [-d] [-c] [-t COUNT] [-v FORMAT] [-b BUFFER] [-s] [FILTER…]`.
pub(super) async fn main(call: Call) -> ProgramResult {
    call.phone.clock.work(10).await;
    let (mut once, mut last, mut silent) = (false, None, false);
    let mut filters = Vec::new();
    let mut words = call.arguments().iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-d" => once = true,
            "-c" => return Ok(0),
            "-g" => {
                call.out("main: ring buffer is 256 KiB (211 KiB consumed, 90 KiB readable), max entry is 5120 B, max payload is 4068 B\n").await?;
                return Ok(0);
            }
            "-s" => silent = true,
            "-t" | "-T" | "-m" => {
                last = words.next().and_then(|text| text.parse::<usize>().ok());
                once |= word != "-T";
            }
            "-v" | "-b" | "-e" | "--pid" | "-f" | "-r" | "-n" => {
                words.next();
            }
            word if word.starts_with("-v") || word.starts_with("-b") || word.starts_with("--") => {}
            word if word.starts_with('-') => {
                call.err(format!("logcat: Unknown option '{word}'\n")).await?;
                return Ok(1);
            }
            word => filters.push(word.to_owned()),
        }
    }
    let filters = Filters::new(&filters, silent);
    call.out("--------- beginning of main\n").await?;
    let mut newest = None;
    loop {
        let mut lines = call.phone.with(|android| android.log());
        lines.retain(|line| !line.starts_with("---------"));
        // The log is a ring: what came after the line printed last is new.
        let told = newest
            .as_ref()
            .and_then(|newest| lines.iter().rposition(|line| line == newest));
        let wanted: Vec<&String> = lines
            .iter()
            .skip(told.map_or(0, |at| at + 1))
            .filter(|line| filters.pass(line))
            .collect();
        let skip = last.take().map_or(0, |last| wanted.len().saturating_sub(last));
        let text: String = wanted
            .into_iter()
            .skip(skip)
            .map(|line| format!("{line}\n"))
            .collect();
        if !text.is_empty() {
            call.out(text).await?;
        }
        if once {
            return Ok(0);
        }
        newest = lines.pop();
        tokio::time::sleep(POLL).await;
    }
}

/// `TAG:PRIORITY` and `*:PRIORITY`.
struct Filters {
    tags: Vec<(String, usize)>,
    others: usize,
}

const PRIORITIES: &str = "VDIWEFS";

impl Filters {
    fn new(words: &[String], silent: bool) -> Self {
        let mut filters = Self {
            tags: Vec::new(),
            others: if silent { 6 } else { 0 },
        };
        for word in words {
            let (tag, priority) = word.split_once(':').unwrap_or((word, "V"));
            let level = priority
                .chars()
                .next()
                .and_then(|letter| PRIORITIES.find(letter.to_ascii_uppercase()))
                .unwrap_or(0);
            if tag == "*" {
                filters.others = level;
            } else {
                filters.tags.push((tag.to_owned(), level));
            }
        }
        filters
    }

    /// Whether a line (`DATE TIME PID TID P TAG: TEXT`) passes.
    fn pass(&self, line: &str) -> bool {
        let mut parts = line.split_whitespace().skip(4);
        let level = parts.next().and_then(|word| PRIORITIES.find(word)).unwrap_or(0);
        let tag = parts.next().unwrap_or_default().trim_end_matches(':');
        let wanted = self
            .tags
            .iter()
            .find(|(name, _)| name == tag)
            .map_or(self.others, |(_, level)| *level);
        wanted < 6 && level >= wanted
    }
}

#[cfg(test)]
mod tests {
    use super::Filters;

    #[test]
    fn lines_pass_by_tag_and_priority() {
        let line = "11-05 08:12:31.000  1320  1402 I ActivityManager: Start proc";
        for (words, silent, pass) in [
            (vec![], false, true),
            (vec!["*:W"], false, false),
            (vec!["ActivityManager:I", "*:S"], false, true),
            (vec!["ActivityManager:E"], true, false),
            (vec![], true, false),
        ] {
            let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
            assert_eq!(Filters::new(&words, silent).pass(line), pass, "{words:?}");
        }
    }
}
