//! A test's whole set-up: a phone of its own (`deck phone`), the real adb's server in front of it, folders of its own.

use crate::adb_server::AdbServer;
use crate::command::{Ended, LIMIT, Running, deck, run};
use crate::model::ScriptedModel;
use protocol::{ChosenModel, Event, Price, Provider, SettingsPatch, What};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use store::{RunSummary, Store};

/// The key every run of these tests is given.
pub(crate) const KEY: &str = "sk-test-3f9ab7c1d25e48069b7d";

/// A phone, connected. Everything ends when this is dropped.
pub(crate) struct Bench {
    pub(crate) phone: Running,
    pub(crate) adb: AdbServer,
    /// As adb lists it: its address.
    pub(crate) serial: String,
    data: tempfile::TempDir,
    /// Every phone of these tests says it is the same phone, and tests run side by side: the locks are not shared.
    runtime: tempfile::TempDir,
}

impl Bench {
    /// A phone that takes no time.
    pub(crate) fn new() -> Self {
        Self::with(&["--speed", "instant"])
    }

    /// A phone as its options say.
    pub(crate) fn with(options: &[&str]) -> Self {
        let bench = Self::unconnected(options);
        let said = bench.adb.connect(&bench.serial);
        assert_eq!(said, format!("connected to {}\n", bench.serial));
        bench
    }

    /// A phone in front of Greenleaf's last page: only the payment is left to do.
    pub(crate) fn at_checkout() -> Self {
        let bench = Self::new();
        for action in [
            r#"{"type": "launch_app", "packageName": "com.greenleaf.shop"}"#,
            r#"{"type": "tap", "target": {"text": "Add all to basket"}}"#,
            r#"{"type": "tap", "target": {"text": "Go to checkout"}}"#,
            r#"{"type": "tap", "target": {"text": "Wednesday, 6–8 pm"}}"#,
            r#"{"type": "tap", "target": {"text": "Continue"}}"#,
        ] {
            let ended = bench.act(action);
            assert_eq!(
                (ended.code, ended.err.as_str()),
                (0, ""),
                "{action}: {}",
                ended.story()
            );
        }
        bench
    }

    /// A phone that adb was not told of yet.
    pub(crate) fn unconnected(options: &[&str]) -> Self {
        let mut command = deck();
        command.arg("phone").args(options);
        let mut phone = Running::start(command);
        let ready = phone.line("the phone's first line", |_| true);
        let ready: Value = serde_json::from_str(&ready).unwrap();
        assert_eq!(ready["event"], json!("ready"));
        Self {
            phone,
            adb: AdbServer::start(),
            serial: ready["adbd"].as_str().unwrap().to_owned(),
            data: tempfile::tempdir().unwrap(),
            runtime: tempfile::tempdir().unwrap(),
        }
    }

    /// `deck ARGUMENTS…` with this adb server, these folders and the key.
    pub(crate) fn deck(&self, arguments: &[&str]) -> Command {
        let mut command = deck();
        self.adb.lend(&mut command);
        command
            .args(arguments)
            .env("POCKETDECK_DATA", self.data.path())
            .env("POCKETDECK_API_KEY", KEY)
            .env("XDG_RUNTIME_DIR", self.runtime.path());
        command
    }

    /// The same to its end, with nothing to read.
    pub(crate) fn call(&self, arguments: &[&str]) -> Ended {
        run(self.deck(arguments), b"")
    }

    /// `deck act`, to its end; what the settings can turn off is allowed.
    pub(crate) fn act(&self, action: &str) -> Ended {
        self.call(&["act", "--device", &self.serial, "--answer", "allow", action])
    }

    /// The same with nobody to ask.
    pub(crate) fn act_unasked(&self, action: &str) -> Ended {
        self.call(&["act", "--device", &self.serial, action])
    }

    /// `deck run` with a scripted model, not started yet.
    pub(crate) fn task(&self, goal: &str, model: &ScriptedModel, more: &[&str]) -> Command {
        let mut command = self.deck(&["run", "--device", &self.serial, "--goal", goal]);
        command
            .args(["--provider", model.address(), "--model", "scripted"])
            .args(more);
        command
    }

    /// The settings name a server of the person's own, with a price.
    pub(crate) fn use_server(&self, model: &ScriptedModel, price: Price) {
        let chosen = ChosenModel {
            base_url: Some(model.address().to_owned()),
            model: "scripted".to_owned(),
            price: Some(price),
            ..ChosenModel::default()
        };
        let patch = SettingsPatch {
            provider: Some(Provider::Model { chosen }),
            ..SettingsPatch::default()
        };
        self.in_store(async |store| store.patch_settings(patch).await.unwrap());
    }

    /// Something done with the database, by another program than `deck`.
    pub(crate) fn in_store<T>(&self, work: impl AsyncFnOnce(Store) -> T) -> T {
        let store = Store::open(self.data()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(work(store))
    }

    pub(crate) fn data(&self) -> &Path {
        self.data.path()
    }

    /// What the phone's apps hold.
    pub(crate) fn state(&mut self) -> Value {
        self.phone.write("state");
        let line = self
            .phone
            .line("the phone's state", |line| line.contains(r#""event":"state""#));
        serde_json::from_str::<Value>(&line).unwrap()["state"].take()
    }

    /// Something becomes difficult about the phone from now on.
    pub(crate) fn fault(&mut self, name: &str) {
        self.phone.write(&format!("fault {name}"));
        self.state();
    }

    /// One value of the phone's state.
    pub(crate) fn at(&mut self, pointer: &str) -> Value {
        self.state().pointer(pointer).cloned().unwrap_or_default()
    }

    /// All that ever reached the phone, oldest first.
    pub(crate) fn record(&mut self) -> Vec<Value> {
        self.phone.write("record");
        self.phone.write("state");
        let mut entries = Vec::new();
        loop {
            let line = self.phone.line("the phone's record", |line| {
                line.contains(r#""event":"record""#) || line.contains(r#""event":"state""#)
            });
            let mut line: Value = serde_json::from_str(&line).unwrap();
            if line["event"] == json!("state") {
                return entries;
            }
            entries.push(line["entry"].take());
        }
    }

    /// Waits until a finger is on its way over the phone's screen: a swipe is one command there, so no command tells of it.
    pub(crate) fn finger_moves(&mut self) {
        let until = Instant::now() + LIMIT;
        while !self.record().iter().any(|entry| entry["action"] == json!("move")) {
            assert!(Instant::now() < until, "no finger moves: {:?}", self.record());
        }
    }

    /// The latest run in the database, and its events, as the next program to open it finds them.
    pub(crate) fn stored(&self) -> (RunSummary, Vec<Event>) {
        self.in_store(async |store| {
            let latest = store
                .runs(None, None, 1)
                .await
                .unwrap()
                .pop()
                .expect("a run was begun");
            let events = store.events(&latest.run, 0, 1000).await.unwrap();
            (latest, events)
        })
    }

    /// Whatever was printed is in the database, word for word and in order, the run has an end there, and each picture is of a
    /// screen as large as its event says: rings and places on it are told in that screen's pixels.
    pub(crate) fn check_nothing_is_lost(&self, printed: &str) {
        let printed: Vec<Event> = printed
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let (latest, stored) = self.stored();
        assert_eq!(stored, printed);
        assert!(latest.end.is_some(), "{latest:?}");
        for event in &stored {
            let What::Looked {
                frame: Some(frame),
                width,
                height,
                ..
            } = &event.what
            else {
                continue;
            };
            let of = self.in_store(async |store| store.frame(frame).await.unwrap());
            assert_eq!((of.width, of.height), (*width, *height), "{frame}");
        }
    }

    /// The newest code the bank sent by message.
    pub(crate) fn code(&mut self) -> String {
        let messages = self.at("/messages/received").to_string();
        let digits: Vec<&str> = messages
            .split(|one: char| !one.is_ascii_digit())
            .filter(|run| run.len() == 6)
            .collect();
        (*digits.last().unwrap_or_else(|| panic!("no code in {messages}"))).to_owned()
    }

    /// No file that was kept holds any of these bytes.
    pub(crate) fn check_no_file_holds(&self, needles: &[&[u8]]) {
        let mut files = 0;
        each_file(self.data(), &mut |path| {
            files += 1;
            let bytes = std::fs::read(path).unwrap();
            for needle in needles {
                assert!(
                    !holds(&bytes, needle),
                    "{} holds what it must not",
                    path.display()
                );
            }
        });
        assert!(files > 0);
    }
}

/// Whether these bytes stand in those, and not as a part of a longer number: a time of day may hold any six digits.
pub(crate) fn holds(bytes: &[u8], needle: &[u8]) -> bool {
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let mut windows = bytes.windows(needle.len()).enumerate();
    windows.any(|(at, window)| {
        window == needle && !is_digit(at.checked_sub(1)) && !is_digit(Some(at + needle.len()))
    })
}

fn each_file(folder: &Path, visit: &mut dyn FnMut(&Path)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_file(&path, visit);
        } else {
            visit(&path);
        }
    }
}
