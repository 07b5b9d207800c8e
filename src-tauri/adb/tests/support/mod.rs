//! A scripted adb server with one phone behind it, for what a real phone would not do on command: hang, cut, lie.
//!
//! Time is tokio's. Whatever reaches the phone's screen is written down with the moment it did; processes have numbers,
//! groups, marks and children, and can be killed, or not.

pub(crate) mod process;
pub(crate) mod scrcpy;
pub(crate) mod video;
mod watchdog_shell;
mod wire;

use adb::{AdbPhone, AdbServer, Connector, Device, Link, Stream};
use process::{Process, Processes};
use protocol::PhoneId;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// What the phone answers to a command.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reply {
    /// How long the command runs.
    pub(crate) takes: Duration,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) exit: u8,
    /// What reaches the screen, and when after the command's start.
    pub(crate) effects: Vec<(Duration, String)>,
    /// It runs inside the system server: killing the client does not end it.
    pub(crate) unkillable: bool,
    /// It does not die of `kill -9` (stuck in the kernel).
    pub(crate) stubborn: bool,
    /// Children it leaves behind: when they touch what, and whether in a session of their own.
    pub(crate) children: Vec<Child>,
    /// The stream ends without an exit packet after so many bytes of output.
    pub(crate) cut_after: Option<usize>,
    /// It says nothing, for ever.
    pub(crate) hangs: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Child {
    pub(crate) effect: (Duration, String),
    pub(crate) own_session: bool,
}

impl Reply {
    pub(crate) fn says(stdout: impl AsRef<[u8]>) -> Self {
        Self {
            stdout: stdout.as_ref().to_vec(),
            ..Self::default()
        }
    }

    pub(crate) fn fails(exit: u8, stderr: &str) -> Self {
        Self {
            stderr: stderr.as_bytes().to_vec(),
            exit,
            ..Self::default()
        }
    }

    pub(crate) fn after(mut self, ms: u64) -> Self {
        self.takes = Duration::from_millis(ms);
        self
    }
}

/// What goes wrong on the way to a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fault {
    #[default]
    None,
    /// Nobody listens.
    Absent,
    /// The connection stands and nothing is ever answered.
    Wedged,
    /// The phone is not on the list.
    Unplugged,
    /// The server does not know requests for one phone by its serial.
    OldServer,
    /// The service is taken and nothing comes.
    SilentService,
    /// The connection ends right after the service was taken.
    CutService,
}

type Script = Box<dyn Fn(&str) -> Option<Reply> + Send + Sync>;

/// What the server itself answers to a request: bytes, and then the connection ends.
type Host = Box<dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync>;

struct Inner {
    start: Instant,
    scripts: Mutex<Vec<Script>>,
    fault: Mutex<Fault>,
    commands: Mutex<Vec<(Duration, String)>>,
    hosts: Mutex<Vec<Host>>,
    asked: Mutex<Vec<String>>,
    processes: Processes,
    features: Mutex<String>,
    list: watch::Sender<String>,
    /// Server restarts: connections of an older age end.
    age: watch::Sender<u64>,
    latency: Duration,
    scrcpy: Mutex<Option<scrcpy::Server>>,
    streams: Mutex<Option<video::Streams>>,
}

/// The server and its phone.
#[derive(Clone)]
pub(crate) struct Fake(Arc<Inner>);

impl Fake {
    /// A phone of today: shell v2, `input` answers in 60 ms and runs in the system server.
    pub(crate) fn new() -> Self {
        let fake = Self(Arc::new(Inner {
            start: Instant::now(),
            scripts: Mutex::default(),
            fault: Mutex::default(),
            commands: Mutex::default(),
            hosts: Mutex::default(),
            asked: Mutex::default(),
            processes: Processes::default(),
            features: Mutex::new("shell_v2,cmd,stat_v2".to_owned()),
            list: watch::Sender::new(String::new()),
            age: watch::Sender::new(0),
            latency: Duration::from_millis(2),
            scrcpy: Mutex::default(),
            streams: Mutex::default(),
        }));
        fake.on(|line| {
            let words = shlex::split(line)?;
            (words.first()? == "input").then(|| Reply {
                takes: Duration::from_millis(60),
                effects: vec![(Duration::from_millis(40), line.to_owned())],
                unkillable: true,
                ..Reply::default()
            })
        });
        fake
    }

    /// Adds an answer; the newest that fits wins.
    pub(crate) fn on(&self, script: impl Fn(&str) -> Option<Reply> + Send + Sync + 'static) -> &Self {
        self.0.scripts.lock().unwrap().push(Box::new(script));
        self
    }

    /// Answers a command that begins so.
    pub(crate) fn answers(&self, start: &str, reply: Reply) -> &Self {
        let start = start.to_owned();
        self.on(move |line| line.starts_with(&start).then(|| reply.clone()))
    }

    /// Adds an answer of the server's own, as bytes on the wire; the newest that fits wins.
    pub(crate) fn host(&self, script: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static) -> &Self {
        self.0.hosts.lock().unwrap().push(Box::new(script));
        self
    }

    /// What the server was asked for that was answered so.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.0.asked.lock().unwrap().clone()
    }

    fn host_answer(&self, request: &str) -> Option<Vec<u8>> {
        let hosts = self.0.hosts.lock().unwrap();
        let answer = hosts.iter().rev().find_map(|script| script(request))?;
        self.0.asked.lock().unwrap().push(request.to_owned());
        Some(answer)
    }

    pub(crate) fn features(&self, features: &str) -> &Self {
        features.clone_into(&mut self.0.features.lock().unwrap());
        self
    }

    fn scrcpy(&self, server: scrcpy::Server) {
        *self.0.scrcpy.lock().unwrap() = Some(server);
    }

    fn streams(&self, streams: video::Streams) {
        *self.0.streams.lock().unwrap() = Some(streams);
    }

    fn streaming(&self) -> Option<video::Streams> {
        self.0.streams.lock().unwrap().clone()
    }

    pub(crate) fn without_grep(&self) -> &Self {
        self.0
            .processes
            .without_grep
            .store(true, std::sync::atomic::Ordering::Relaxed);
        self
    }

    pub(crate) fn fault(&self, fault: Fault) -> &Self {
        *self.0.fault.lock().unwrap() = fault;
        self
    }

    /// What `adb devices -l` lists from now on.
    pub(crate) fn lists(&self, list: &str) -> &Self {
        self.0.list.send_replace(list.to_owned());
        self
    }

    /// Ends every connection, as a server that is killed does.
    pub(crate) fn restarts(&self) -> &Self {
        self.0.age.send_modify(|age| *age += 1);
        self
    }

    pub(crate) fn connector(&self) -> Connector {
        let fake = self.clone();
        Arc::new(move || {
            let fake = fake.clone();
            Box::pin(async move {
                tokio::time::sleep(fake.0.latency).await;
                if fake.current_fault() == Fault::Absent {
                    return Err(std::io::ErrorKind::ConnectionRefused.into());
                }
                let (near, far) = tokio::io::duplex(1 << 16);
                tokio::spawn(wire::serve(fake, far));
                Ok(Box::new(near) as Box<dyn Stream>)
            })
        })
    }

    pub(crate) fn link(&self) -> Link {
        Link::Memory(self.connector())
    }

    pub(crate) fn server(&self) -> AdbServer {
        AdbServer::new(self.link())
    }

    pub(crate) fn device(&self) -> Device {
        Device::new(self.server(), "FAKE 1")
    }

    pub(crate) fn phone(&self) -> AdbPhone {
        AdbPhone::new(PhoneId::from("FAKE"), self.device())
    }

    /// Every command the phone was sent, what was put in front of it taken off. What is asked before a first touch, and
    /// learned for good, is left out: its Android, and whether a finger is down.
    pub(crate) fn commands(&self) -> Vec<String> {
        const BEFORE: [&str; 3] = [
            "getprop ro.build.version.sdk",
            "dumpsys input",
            "cat /data/local/tmp/pocketdeck-keyboard 2>/dev/null",
        ];
        let commands = self.0.commands.lock().unwrap();
        let all = commands.iter().map(|(_, line)| line.clone());
        all.filter(|line| !BEFORE.contains(&line.as_str())).collect()
    }

    /// Those of them that begin so.
    pub(crate) fn commands_like(&self, start: &str) -> Vec<String> {
        self.commands()
            .into_iter()
            .filter(|line| line.starts_with(start))
            .collect()
    }

    /// What reached the screen, and when.
    pub(crate) fn touches(&self) -> Vec<(Duration, String)> {
        self.0.processes.record()
    }

    /// Time since the phone began.
    pub(crate) fn clock(&self) -> Duration {
        self.0.start.elapsed()
    }

    /// Whether a serial is the phone's: its own, or any that is listed.
    fn leads_to(&self, serial: &str) -> bool {
        let list = self.0.list.borrow();
        let listed = |line: &str| {
            line.strip_prefix(serial)
                .is_some_and(|rest| rest.starts_with(' '))
        };
        self.current_fault() != Fault::Unplugged && (serial == "FAKE 1" || list.lines().any(listed))
    }

    fn current_fault(&self) -> Fault {
        *self.0.fault.lock().unwrap()
    }

    /// What a line is answered: a line of several commands, one after another.
    fn answer(&self, line: &str) -> Reply {
        if let Some(commands) = several(line) {
            let mut all = Reply::default();
            for reply in commands.into_iter().map(|command| self.answer(command)) {
                all.takes += reply.takes;
                all.stdout.extend(reply.stdout);
                all.stderr.extend(reply.stderr);
                all.exit = reply.exit;
                all.hangs |= reply.hangs;
            }
            return all;
        }
        let scripts = self.0.scripts.lock().unwrap();
        let builtin = self.0.processes.builtin(line);
        let scripted = || scripts.iter().rev().find_map(|script| script(line));
        let shell = || {
            let said = line.strip_prefix("echo ")?;
            Some(Reply::says(format!("{said}\n")))
        };
        builtin
            .or_else(scripted)
            .or_else(shell)
            .unwrap_or_else(|| Reply::fails(127, &format!("/system/bin/sh: {line}: not found")))
    }

    /// Finds the answer, writes the command down and starts it.
    fn start(&self, line: &str) -> (Reply, Process) {
        let framed = line.strip_prefix("echo $$; ");
        let rest = framed.unwrap_or(line);
        let rest = rest.strip_prefix("trap '' HUP PIPE; ").unwrap_or(rest);
        let (mark, rest) = match rest.strip_prefix("export POCKETDECK_COMMAND=") {
            Some(marked) => marked
                .split_once("; ")
                .map(|(mark, rest)| (Some(mark), rest))
                .unwrap(),
            None => (None, rest),
        };
        self.0
            .commands
            .lock()
            .unwrap()
            .push((self.clock(), rest.to_owned()));
        let mut reply = self.answer(rest);
        let process = self.0.processes.spawn(self.0.start, mark, &reply);
        if framed.is_some() {
            let number = format!("{}\n", process.number);
            reply.stdout.splice(0..0, number.bytes());
        }
        (reply, process)
    }
}

/// The commands of a line that asks for several things at once.
fn several(line: &str) -> Option<Vec<&str>> {
    let does = [
        "; echo pocketdeck-and; ",
        "ime enable",
        "; rm -f /data/local/tmp/pocketdeck-keyboard",
    ]
    .iter()
    .any(|part| line.contains(part));
    (does && line.contains("; ")).then(|| line.split("; ").collect())
}

/// Waits until something is so; gives up after a virtual minute.
pub(crate) async fn until(mut so: impl FnMut() -> bool) {
    for _ in 0..6000 {
        if so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never became so");
}
