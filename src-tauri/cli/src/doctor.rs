//! `deck doctor`: what works on a phone, and what to do about what does not. A line a finding.

use crate::args::Doctor;
use crate::opening::PHONES_TIMEOUT;
use crate::say::{self, CommandResult};
use engine::{not_listed, words};
use protocol::{Check, Connection, Examining, Failure, Finding, PhoneState, Verdict};
use serde_json::json;
use std::ops::ControlFlow;
use std::path::PathBuf;

pub(crate) async fn doctor(data: Option<PathBuf>, args: Doctor) -> CommandResult {
    let engine = crate::opening::engine(data).await?;
    let mut listing = engine.listing();
    let _ = tokio::time::timeout(PHONES_TIMEOUT, listing.wait_for(|listing| !listing.looking)).await;
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
        say::note(&words::closed(&words::get("empty.title")));
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
        let done: Result<(), Failure> = engine
            .examine(&line.phone, |now| {
                if let Examining::Found { finding } = now {
                    if finding.verdict == Verdict::Failed {
                        code = say::FAILED;
                    }
                    tell(&line.serial, &finding);
                }
                ControlFlow::Continue(())
            })
            .await;
        if let Err(failure) = done {
            code = say::failure(&failure);
        }
    }
    Ok(code)
}

fn connection(line: &Connection) -> Finding {
    let values = [("state".to_owned(), words::tag(&line.state))]
        .into_iter()
        .collect();
    Finding {
        check: Check::Connection,
        verdict: Verdict::Failed,
        advice: None,
        values,
    }
}

/// The line, and the same in a sentence.
fn tell(serial: &str, finding: &Finding) {
    let mut out = json!(finding);
    if let Some(object) = out.as_object_mut() {
        object.insert("serial".into(), json!(serial));
    }
    say::line(&out);
    let word = |group: &str, name: String| words::get(&format!("doctor.{group}.{name}"));
    let mut text = format!(
        "{}: {}",
        word("checks", words::tag(&finding.check)),
        word("verdicts", words::tag(&finding.verdict))
    );
    if let Some(advice) = finding.advice {
        text = words::in_a_row(&[words::closed(&text), word("advice", words::tag(&advice))]);
    }
    say::note(&text);
}
