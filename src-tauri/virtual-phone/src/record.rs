//! What reached the phone, in order.
//!
//! A phone keeps no secrets from itself: whatever was sent stands here, and can be looked for.

use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// So many entries are kept; the oldest go first.
const KEPT: usize = 200_000;

/// One thing that reached the phone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// Time since the phone was added to its host.
    #[serde(rename = "at_ms", serialize_with = "millis")]
    pub at: Duration,
    /// What reached it.
    #[serde(flatten)]
    pub what: Received,
}

/// `&Duration`, not `Duration`, is the form serde calls.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form serde calls")]
fn millis<S: serde::Serializer>(at: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(u64::try_from(at.as_millis()).unwrap_or(u64::MAX))
}

/// What reached the phone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Received {
    /// A command line, over `shell:`, `shell,v2,…:` or `exec:`.
    Command {
        /// The service it came by: `shell`, `shell,v2,raw`, `exec`.
        service: String,
        /// The line, as it came.
        command: String,
        /// The process that runs it.
        pid: u32,
    },
    /// Another service was opened: `sync:`, `framebuffer:`, `localabstract:…`.
    Service {
        /// Its name.
        name: String,
    },
    /// A program started inside a command line.
    Program {
        /// Its process.
        pid: u32,
        /// Who started it.
        ppid: u32,
        /// Its words, its name first.
        words: Vec<String>,
    },
    /// A process ended.
    Ended {
        /// The number of the process.
        pid: u32,
        /// As a shell tells it: 128 and more for a signal.
        status: i32,
    },
    /// A finger, in pixels of the display as it stood.
    Finger {
        /// `down`, `move`, `up`, `cancel`.
        action: &'static str,
        /// Pixels.
        x: f32,
        /// Pixels.
        y: f32,
    },
    /// Another finger beside that one.
    OtherFinger {
        /// Which: 1 and up.
        finger: usize,
        /// As of the first.
        action: &'static str,
        /// Pixels.
        x: f32,
        /// Pixels.
        y: f32,
    },
    /// A key was pressed and released.
    Key {
        /// Android key code.
        code: u32,
        /// Held modifiers (`META_…`).
        meta: u32,
        /// A long press.
        long: bool,
    },
    /// One character of `input text`.
    Text {
        /// The character.
        character: char,
    },
    /// An activity was started.
    Activity {
        /// `package/class`.
        component: String,
    },
    /// An app was ended.
    ForceStop {
        /// Its package.
        package: String,
    },
    /// A setting was written (or, without a value, deleted).
    Setting {
        /// `system`, `secure`, `global`.
        namespace: String,
        /// Name.
        name: String,
        /// Value.
        value: Option<String>,
    },
    /// The screen was captured.
    Capture,
    /// The UI tree was read.
    Hierarchy,
    /// A file arrived over `sync:`.
    Push {
        /// Where it was put.
        path: String,
        /// Bytes.
        size: u64,
    },
    /// A file was fetched over `sync:`.
    Pull {
        /// Where it lies.
        path: String,
        /// Bytes.
        size: u64,
    },
    /// The cable went in or came out.
    Link {
        /// In.
        plugged: bool,
    },
}

/// What reached one phone. Clones are the same record.
#[derive(Clone, Debug)]
pub struct Record {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    length: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct State {
    entries: VecDeque<Entry>,
    forgotten: u64,
}

impl Default for Record {
    fn default() -> Self {
        Self {
            shared: Arc::new(Shared {
                state: Mutex::default(),
                length: watch::Sender::new(0),
            }),
        }
    }
}

impl Record {
    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, at: Duration, what: Received) {
        let length = {
            let mut state = self.state();
            if state.entries.len() >= KEPT {
                state.entries.pop_front();
                state.forgotten += 1;
            }
            state.entries.push_back(Entry { at, what });
            state.forgotten + state.entries.len() as u64
        };
        self.shared.length.send_replace(length);
    }

    /// How many things ever reached the phone.
    #[must_use]
    pub fn len(&self) -> u64 {
        *self.shared.length.borrow()
    }

    /// Whether nothing ever did.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Everything, oldest first.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        self.since(0)
    }

    /// Everything from number `start` (what [`Record::len`] said before) on.
    #[must_use]
    pub fn since(&self, start: u64) -> Vec<Entry> {
        let state = self.state();
        let skip = usize::try_from(start.saturating_sub(state.forgotten)).unwrap_or(usize::MAX);
        state.entries.iter().skip(skip).cloned().collect()
    }

    /// Every command line, oldest first.
    #[must_use]
    pub fn commands(&self) -> Vec<String> {
        self.entries()
            .into_iter()
            .filter_map(|entry| match entry.what {
                Received::Command { command, .. } => Some(command),
                _ => None,
            })
            .collect()
    }

    /// Everything typed by `input text`, as one string.
    #[must_use]
    pub fn typed(&self) -> String {
        self.entries()
            .iter()
            .filter_map(|entry| match entry.what {
                Received::Text { character } => Some(character),
                _ => None,
            })
            .collect()
    }

    /// Whether `text` stands in anything that reached the phone: in a command line, a program's word, a path, or typed.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        let inside = self.entries().iter().any(|entry| match &entry.what {
            Received::Command { command, .. } => command.contains(text),
            Received::Program { words, .. } => words.iter().any(|word| word.contains(text)),
            Received::Service { name } => name.contains(text),
            Received::Push { path, .. } | Received::Pull { path, .. } => path.contains(text),
            Received::Setting { name, value, .. } => {
                name.contains(text) || value.as_ref().is_some_and(|value| value.contains(text))
            }
            Received::Activity { component } => component.contains(text),
            _ => false,
        });
        inside || self.typed().contains(text)
    }

    /// Counts up with every entry.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.shared.length.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_one_flat_json_object() {
        let record = Record::default();
        record.add(
            Duration::from_millis(1500),
            Received::Command {
                service: "shell,v2,raw".into(),
                command: "input tap 1 2".into(),
                pid: 4100,
            },
        );
        record.add(
            Duration::from_millis(1580),
            Received::Finger {
                action: "down",
                x: 1.0,
                y: 2.5,
            },
        );
        let lines: Vec<String> = record
            .entries()
            .iter()
            .map(|entry| serde_json::to_string(entry).unwrap())
            .collect();
        assert_eq!(
            lines,
            [
                r#"{"at_ms":1500,"event":"command","service":"shell,v2,raw","command":"input tap 1 2","pid":4100}"#,
                r#"{"at_ms":1580,"event":"finger","action":"down","x":1.0,"y":2.5}"#,
            ]
        );
        assert_eq!(record.since(1).len(), 1);
    }

    #[test]
    fn typed_characters_are_found_as_one_word() {
        let record = Record::default();
        for character in "47 11".chars() {
            record.add(Duration::ZERO, Received::Text { character });
        }
        assert!(record.contains("47 11"));
        assert!(!record.contains("4711"));
    }
}
