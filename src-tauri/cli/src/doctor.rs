//! `deck doctor`: what works on a phone, and what to do about what does not. A line a finding.

use crate::args::Doctor;
use crate::opening::not_listed;
use crate::say::{self, Done};
use crate::sentences;
use adb::doctor::{Finding, Verdict};
use desk::{Desk, Options, words};
use protocol::{Connection, Failure, PhoneState};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// How long phones have to say who they are.
const PATIENCE: Duration = Duration::from_secs(15);

pub(crate) async fn doctor(data: Option<PathBuf>, args: Doctor) -> Done {
    let folder = match data {
        Some(folder) => folder,
        None => desk::usual_folder()?,
    };
    let mut options = Options::usual(folder)?;
    options.demo = false;
    let desk = Desk::open(options).await?;
    let mut listing = desk.listing();
    let _ = tokio::time::timeout(PATIENCE, listing.wait_for(|listing| !listing.looking)).await;
    let listing = listing.borrow().clone();
    if let Some((_, failure)) = listing.troubles.first() {
        return Err(failure.clone());
    }
    let wanted: Vec<&Connection> = match &args.device {
        Some(serial) => {
            let line = listing.connections.iter().find(|line| line.serial == *serial);
            vec![line.ok_or_else(|| not_listed(serial, &listing.connections))?]
        }
        None => listing.connections.iter().collect(),
    };
    if wanted.is_empty() {
        say::note(&format!("{}.", words::get("empty.title")));
        return Ok(say::FAILED);
    }
    let mut code = say::FINE;
    let mut seen = Vec::new();
    for line in wanted {
        if line.state != PhoneState::Device {
            code = say::FAILED;
            tell(&line.serial, &connection(line));
            say::failure(&not_listed(&line.serial, std::slice::from_ref(line)));
            continue;
        }
        // One phone over USB and Wi-Fi is one phone.
        if seen.contains(&line.phone) {
            continue;
        }
        seen.push(line.phone.clone());
        let done: Result<(), Failure> = desk
            .examine(&line.phone, |finding| {
                if finding.verdict == Verdict::Failed {
                    code = say::FAILED;
                }
                tell(&line.serial, &finding);
            })
            .await;
        if let Err(failure) = done {
            code = say::failure(&failure);
        }
    }
    Ok(code)
}

fn connection(line: &Connection) -> Finding {
    let values = [("state", sentences::tag(&line.state))].into_iter().collect();
    Finding {
        check: "connection",
        verdict: Verdict::Failed,
        advice: None,
        values,
    }
}

/// The line, and the same in a sentence.
fn tell(serial: &str, finding: &Finding) {
    let mut out = json!({
        "serial": serial,
        "check": finding.check,
        "verdict": finding.verdict.name(),
    });
    if let Some(object) = out.as_object_mut() {
        if let Some(advice) = finding.advice {
            object.insert("advice".into(), json!(advice));
        }
        object.insert("values".into(), json!(finding.values));
    }
    say::line(&out);
    let word = |group: &str, name: &str| words::get(&format!("doctor.{group}.{name}"));
    let mut text = format!(
        "{}: {}",
        word("checks", finding.check),
        word("verdicts", finding.verdict.name())
    );
    if let Some(advice) = finding.advice {
        text = format!("{text}. {}", word("advice", advice));
    }
    say::note(&text);
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    /// Every code that can be told has its words.
    #[test]
    fn every_finding_has_words() {
        let words: Value = serde_json::from_str(include_str!("../../../ui/words/en.json")).unwrap();
        let group = |name: &str| words["doctor"][name].as_object().unwrap().clone();
        let source = include_str!("../../adb/src/doctor.rs");
        let quoted_behind = |before: &str| -> Vec<&str> {
            source
                .split(before)
                .skip(1)
                .filter_map(|rest| rest.split('"').nth(1).filter(|_| rest.starts_with('"')))
                .collect()
        };
        let (checks, advice) = (quoted_behind("Finding::new("), quoted_behind(".advise("));
        assert!(checks.len() > 10 && advice.len() > 10);
        for check in checks {
            assert!(group("checks")[check].is_string(), "{check}");
        }
        for code in advice {
            assert!(group("advice")[code].is_string(), "{code}");
        }
        for maker in ["", "_xiaomi", "_oppo", "_vivo", "_huawei", "_meizu"] {
            assert!(group("advice")[&format!("security_settings{maker}")].is_string());
        }
        for verdict in ["fine", "attention", "failed", "unknown"] {
            assert!(group("verdicts")[verdict].is_string());
        }
    }
}
