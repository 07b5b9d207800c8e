//! The shell that lifts a finger by itself, as the fake phone runs it: line by line, and its own end.

use super::Fake;
use super::wire::{packets, say};
use std::time::Duration;
use tokio::io::{AsyncReadExt, DuplexStream};
use tokio::time::{sleep, timeout};

/// Whether a line starts one.
pub(crate) fn is_one(line: &str) -> bool {
    line.starts_with("trap '' HUP PIPE; f=; while ")
}

/// What it does when it goes, however it goes: lifts the finger it holds down, or puts back what was changed.
struct Held {
    fake: Fake,
    end: String,
    at: Option<String>,
}

impl Drop for Held {
    fn drop(&mut self) {
        let Some(at) = self.at.take() else { return };
        let (fake, end) = (self.fake.clone(), self.end.replace("$f", &at));
        tokio::spawn(async move {
            for line in end.split("; ") {
                // Where CANCEL is known, nothing comes of the UP behind it.
                let said = run(&fake, line).await.0;
                if line.contains("CANCEL") && !said.contains("Unknown") {
                    return;
                }
            }
        });
    }
}

/// Runs one program of the phone's: what it says on both outputs, and its exit code.
async fn run(fake: &Fake, line: &str) -> (String, u8) {
    let (reply, process) = fake.start(line);
    let exit = tokio::select! {
        biased;
        () = process.killed.cancelled() => 137,
        () = sleep(reply.takes), if !reply.hangs => reply.exit,
    };
    let said = [reply.stdout, reply.stderr].concat();
    (String::from_utf8(said).unwrap(), exit)
}

pub(super) async fn serve(fake: &Fake, stream: &mut DuplexStream, line: &str) -> Option<()> {
    let (silence, end) = line.split_once("read -r -t ").unwrap().1.split_once(' ').unwrap();
    let end = end
        .rsplit_once("; then ")
        .unwrap()
        .1
        .rsplit_once("; fi ")
        .unwrap()
        .0;
    let silence = Duration::from_secs(silence.parse().unwrap());
    let mut held = Held {
        fake: fake.clone(),
        end: end.to_owned(),
        at: None,
    };
    let mut read = String::new();
    loop {
        let next = match held.at {
            Some(_) => timeout(silence, packet(stream)).await.ok()??,
            None => packet(stream).await?,
        };
        read.push_str(&next);
        while let Some((one, rest)) = read.split_once('\n') {
            let (one, rest) = (one.to_owned(), rest.to_owned());
            let (said, exit) = evaluate(&mut held, &one).await;
            say(
                stream,
                &packets(1, said.replace("$?", &exit.to_string()).as_bytes()),
            )
            .await?;
            read = rest;
        }
    }
}

/// Does what a line says; what comes back, and the code for its `$?`.
async fn evaluate(held: &mut Held, line: &str) -> (String, u8) {
    let (body, mark) = line.rsplit_once("; echo ").unwrap();
    let (mut said, mut exit, mut empties) = (String::new(), 0, false);
    for part in body.split("; ") {
        if let Some(at) = part.strip_prefix("f='") {
            held.at = Some(at.trim_end_matches('\'').to_owned());
        } else if let Some(event) = part.strip_suffix(" 2>&1 </dev/null") {
            (said, exit) = run(&held.fake.clone(), event).await;
        } else if part == "f=" {
            empties = true;
        } else if part == "f=1" {
            held.at = Some("1".to_owned());
        } else {
            assert!(matches!(part, ":" | "c=$?" | "( exit $c )"), "{line}");
        }
    }
    if empties {
        held.at = None;
    }
    (format!("{said}{mark}\n"), exit)
}

/// The next packet of standard input.
async fn packet(stream: &mut DuplexStream) -> Option<String> {
    let mut head = [0; 5];
    stream.read_exact(&mut head).await.ok()?;
    let [kind, length @ ..] = head;
    assert_eq!(kind, 0, "standard input");
    let mut text = vec![0; u32::from_le_bytes(length) as usize];
    stream.read_exact(&mut text).await.ok()?;
    Some(String::from_utf8(text).unwrap())
}
