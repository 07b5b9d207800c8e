//! The UI tree, as `uiautomator dump` gives it: by the reader that stays ([`crate::reader`]), else by that program itself.
//!
//! Its tree comes through the stream: `uiautomator` writes to a pipe that it opens by name (`/proc/self/fd/1`; the daemon's own
//! socket and `/dev/tty` cannot be opened so, and the XML would go nowhere, with exit code 0). So nothing that stood on
//! the screen stays on the phone, whatever becomes of this program. A phone that forbids that gets a file that only the
//! shell may read, of a name used once, printed and deleted in one line that runs to its end when its client is gone; what
//! even so was left, by a daemon that was killed or by an older version, is swept by the next program's first read.
//!
//! What is printed is never of an earlier call. Only one dump at a time may run on a phone.

use crate::capture::lock;
use crate::connect::command_line::CommandLine;
use crate::connect::server::Device;
use crate::connect::shell::Output;
use crate::error::{AdbError, clip};
use crate::exec::cancel_guard;
use crate::exec::nonce::nonce;
use crate::exec::remote_command;
use crate::reader::{self, ResidentReader};
use agent::ports::{RawTree, TreeMark};
use std::collections::VecDeque;
use std::ops::DerefMut;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

/// How long one dump may take. `uiautomator` itself waits 10 s for a screen that never rests.
const LIMIT: Duration = Duration::from_secs(6);
/// Between two tries, the first time; then twice as long: a screen in transition has no root for a moment, a system that is
/// busy kills what it can.
const AGAIN: Duration = Duration::from_millis(300);
/// After so long a tree that does not come is told; where the last one did not come either, at the second try.
const HICCUP: Duration = Duration::from_secs(4);
/// How long the reader may take to say whether anything changed.
const ANSWERS: Duration = Duration::from_millis(500);
/// How long a tree may be taken for what was there before a touch.
const HOLDS: Duration = Duration::from_secs(30);
/// Of so many trees it is remembered how long they took.
const REMEMBERED: usize = 5;
/// Where files of ours may have been left.
const LEFT: &str = "/data/local/tmp/pocketdeck-*.xml /data/local/tmp/pocketdeck-*.png /sdcard/pocketdeck-*.xml \
                    /data/local/tmp/pocketdeck-reader-*.dex";
/// The same of what is carried there and then used, which another program may be doing just now: not a day after it was
/// written. When that was, the phone's own note of a change tells; a file's time is that of the computer's file. In minutes
/// toybox's `find` reads it from Android 8 on only, and `+0` was *any time ago* before.
const CARRIED: &str = "/data/local/tmp/pocketdeck-*.jar /data/local/tmp/pocketdeck-*.apk";

/// Reads one phone's trees, one at a time. Clones share what was learnt of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeReader {
    turn: Arc<Mutex<ReaderState>>,
    past: Arc<std::sync::Mutex<Past>>,
    prefetched: Arc<std::sync::Mutex<Option<PrefetchedTree>>>,
}

/// A tree that is read before anybody asks for it.
#[derive(Debug)]
struct PrefetchedTree {
    begun: Instant,
    reading: AbortOnDropHandle<Result<RawTree, AdbError>>,
}

/// What was read before.
#[derive(Debug, Default)]
struct Past {
    last: Option<Last>,
    /// Of the last that has one.
    mark: Option<TreeMark>,
    /// How long the last few took.
    took: VecDeque<Duration>,
}

/// The tree read last.
#[derive(Debug)]
struct Last {
    begun: Instant,
    tree: Arc<str>,
}

/// What was learnt of a phone's trees; locked while one is read.
#[derive(Debug, Default)]
struct ReaderState {
    /// It cannot write to its own output.
    needs_file: bool,
    /// What an earlier program left behind is gone.
    swept: bool,
    /// The last one never came.
    failed: bool,
    /// What reads them in less time, where the phone lets it.
    resident: ResidentReader,
}

impl TreeReader {
    /// The reader that stays, for whoever types by it. Until it is given back no tree is read.
    pub(crate) async fn resident(&self) -> impl DerefMut<Target = ResidentReader> + Send + use<> {
        OwnedMutexGuard::map(Arc::clone(&self.turn).lock_owned().await, |reading| {
            &mut reading.resident
        })
    }

    /// Whether the tree is still as it was at a mark; nothing where no reader can tell, or none in time.
    pub(crate) async fn holds(&self, device: &Device, mark: TreeMark) -> Option<bool> {
        self.holds_within(device, mark, Duration::ZERO).await
    }

    async fn holds_within(&self, device: &Device, mark: TreeMark, waits: Duration) -> Option<bool> {
        let asked = async { self.turn.lock().await.resident.holds(device, mark, waits).await };
        timeout(ANSWERS, asked).await.ok().flatten()
    }

    /// An app's icon as the phone sends it, a PNG of `side` pixels, where the reader that stays runs and gives it soon.
    pub(crate) async fn icon(&self, device: &Device, package: &str, side: u32) -> Option<Vec<u8>> {
        let asked = async { self.turn.lock().await.resident.icon(device, package, side).await };
        timeout(reader::ICON, asked).await.ok().flatten()
    }

    /// Begins to read one where the reader that stays runs, while the screen comes to rest after a touch: whether it is of the
    /// screen at rest is told by that reader when it is asked for ([`TreeReader::read_since`]).
    pub(crate) fn begin(&self, device: &Device) {
        let runs = self.turn.try_lock().is_ok_and(|turn| turn.resident.runs());
        if !runs {
            return;
        }
        let (trees, device) = (self.clone(), device.clone());
        let before = lock(&self.past).mark;
        let prefetched = PrefetchedTree {
            begun: Instant::now(),
            reading: AbortOnDropHandle::new(tokio::spawn(
                async move { trees.read_after(&device, before).await },
            )),
        };
        *lock(&self.prefetched) = Some(prefetched);
    }

    /// The tree as it is now: the one begun before, where that was after the last touch and it is proven to hold, else a new one.
    ///
    /// # Errors
    /// As [`TreeReader::read`].
    pub(crate) async fn read_since(
        &self,
        device: &Device,
        touched: Option<Instant>,
    ) -> Result<RawTree, AdbError> {
        let prefetched = lock(&self.prefetched).take();
        if let Some(prefetched) = prefetched.filter(|one| touched.is_none_or(|touched| touched <= one.begun))
            && let Ok(Ok(tree)) = prefetched.reading.await
            && let Some(mark) = tree.mark
            && self.holds_within(device, mark, reader::QUIET).await == Some(true)
        {
            return Ok(tree);
        }
        self.read(device).await
    }

    /// Reads one tree.
    ///
    /// # Errors
    /// [`AdbError::Tree`] when the phone is well and gives none; else why it could not be asked.
    pub(crate) async fn read(&self, device: &Device) -> Result<RawTree, AdbError> {
        self.read_after(device, None).await
    }

    /// The same once something has changed since `before`, where a reader tells and if that is soon.
    async fn read_after(&self, device: &Device, before: Option<TreeMark>) -> Result<RawTree, AdbError> {
        let (device, turn, past) = (device.clone(), Arc::clone(&self.turn), Arc::clone(&self.past));
        cancel_guard::apart(|given_up| async move {
            let mut turn = tokio::select! {
                turn = turn.lock() => turn,
                () = given_up.cancelled() => return Err(AdbError::Slow("uiautomator dump".to_owned())),
            };
            let hurried = turn.failed;
            let began = Instant::now();
            let until = began + HICCUP;
            let (mut pause, mut tries) = (AGAIN, 0);
            let read = loop {
                tries += 1;
                let why = match dump(&device, &given_up, &mut turn, before).await {
                    Err(AdbError::Tree(why)) if !given_up.is_cancelled() && why != NEVER_IDLE => why,
                    read => break read,
                };
                let over = if hurried {
                    tries > 1
                } else {
                    Instant::now() + pause > until
                };
                if over && tries > 1 {
                    break Err(AdbError::Tree(why));
                }
                tracing::debug!(why, "the tree is asked for again");
                sleep(pause).await;
                pause *= 2;
            };
            lock(&past).add(began, read.as_ref().ok());
            turn.failed = matches!(read, Err(AdbError::Tree(_)));
            read
        })
        .await
    }

    /// The last tree, where it was begun after `since` and not long ago.
    pub(crate) fn last(&self, since: Option<Instant>) -> Option<Arc<str>> {
        let past = lock(&self.past);
        let Last { begun, tree } = past.last.as_ref()?;
        let holds = since.is_none_or(|since| *begun > since) && begun.elapsed() < HOLDS;
        holds.then(|| Arc::clone(tree))
    }

    /// How long this phone's trees took of late; nothing where none was read yet.
    pub(crate) fn takes(&self) -> Option<Duration> {
        lock(&self.past).median()
    }
}

impl Past {
    fn add(&mut self, begun: Instant, tree: Option<&RawTree>) {
        self.mark = tree.and_then(|tree| tree.mark).or(self.mark);
        self.last = tree.map(|tree| Last {
            begun,
            tree: Arc::from(tree.xml.as_str()),
        });
        if tree.is_some() {
            if self.took.len() == REMEMBERED {
                self.took.pop_front();
            }
            self.took.push_back(begun.elapsed());
        }
    }

    /// The middle one: a busy moment is no measure of a phone.
    fn median(&self) -> Option<Duration> {
        let mut took: Vec<Duration> = self.took.iter().copied().collect();
        took.sort_unstable();
        took.get(took.len() / 2).copied()
    }
}

const NEVER_IDLE: &str = "the screen does not come to rest";

/// One tree, by the way that works on this phone.
async fn dump(
    device: &Device,
    given_up: &CancellationToken,
    reading: &mut ReaderState,
    after: Option<TreeMark>,
) -> Result<RawTree, AdbError> {
    let was_wanted = reading.resident.is_wanted();
    if let Some(tree) = by_resident(device, given_up, reading, after).await {
        return tree;
    }
    match dump_plainly(device, given_up, reading).await {
        // The reader that stays waits for no rest: on a screen that never comes to one it is worth its start at once.
        Err(AdbError::Tree(why)) if why == NEVER_IDLE && !was_wanted => {
            let tree = by_resident(device, given_up, reading, after).await;
            tree.unwrap_or(Err(AdbError::Tree(why)))
        }
        read => read,
    }
}

/// By the reader that stays; nothing where the plain dump is to be used.
async fn by_resident(
    device: &Device,
    given_up: &CancellationToken,
    reading: &mut ReaderState,
    after: Option<TreeMark>,
) -> Option<Result<RawTree, AdbError>> {
    tokio::select! {
        biased;
        () = given_up.cancelled() => Some(Err(AdbError::Slow("a tree".to_owned()))),
        tree = reading.resident.tree(device, after) => tree,
    }
}

/// By `uiautomator dump`, to its own output or, where it cannot write there, to a file.
async fn dump_plainly(
    device: &Device,
    given_up: &CancellationToken,
    reading: &mut ReaderState,
) -> Result<RawTree, AdbError> {
    if !reading.needs_file {
        let line = "{ uiautomator dump /proc/self/fd/1; echo ended:$?; } | cat";
        let output = run(device, given_up, reading, line).await?;
        if output.all().contains("<hierarchy") || !says_it_is_done(&output) {
            return cut(&output).map(plain);
        }
        tracing::info!("this phone writes its trees to files alone");
        reading.needs_file = true;
    }
    let file = format!("/data/local/tmp/pocketdeck-{}.xml", nonce());
    let line = format!("umask 077; uiautomator dump {file}; cat {file}; rm -f {file}");
    match run(device, given_up, reading, &line).await {
        Ok(output) => cut(&output).map(plain),
        Err(error) => {
            // It was killed before it could clean up.
            let _ = device
                .look(&format!("rm -f {file}"), Duration::from_secs(1))
                .await;
            Err(error)
        }
    }
}

/// A plain dump: nothing tells what becomes of it.
fn plain(xml: String) -> RawTree {
    RawTree { xml, mark: None }
}

/// Runs the line of a dump to its end, at most [`LIMIT`]; the first one sweeps.
async fn run(
    device: &Device,
    given_up: &CancellationToken,
    reading: &mut ReaderState,
    line: &str,
) -> Result<Output, AdbError> {
    let sweeping = if reading.swept {
        String::new()
    } else {
        format!("rm -f {LEFT} $(find {CARRIED} -ctime +1 2>/dev/null); ")
    };
    let line = CommandLine::plain(&format!("{sweeping}{line}")).called("uiautomator dump");
    let began = Instant::now();
    let ran = remote_command::run_unleashed(device, given_up, line, LIMIT).await;
    if matches!(ran, Ok(_) | Err(AdbError::Slow(_))) {
        reading.resident.dump_took(began.elapsed());
    }
    match ran {
        Ok(output) => {
            reading.swept = true;
            Ok(output)
        }
        Err(AdbError::Slow(_)) => Err(AdbError::Tree(NEVER_IDLE.to_owned())),
        Err(error) => Err(device.explained(error).await),
    }
}

/// It holds that the tree is written, wherever that went.
fn says_it_is_done(output: &Output) -> bool {
    // Android's own spelling.
    output.all().contains("UI hierchary dumped to:")
}

/// Cuts the XML out of what was printed; without any, says why there is none.
fn cut(output: &Output) -> Result<String, AdbError> {
    let text = output.text();
    if let Some(xml) = cut_text(&text) {
        return Ok(xml.to_owned());
    }
    let said = output.all();
    let why = if said.contains("could not get idle state") {
        NEVER_IDLE.to_owned()
    } else if said.contains("null root node") {
        "the window has no root now".to_owned()
    } else if said.contains("already registered") {
        "another program reads this phone's screen".to_owned()
    } else if said.contains("<hierarchy") {
        "it came cut off".to_owned()
    } else if output.exit == Some(137)
        || said
            .lines()
            .any(|line| matches!(line.trim(), "Killed" | "ended:137"))
    {
        "the phone killed it".to_owned()
    } else {
        let mut lines = said.lines().map(str::trim);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with("ended:"));
        clip(first.unwrap_or("nothing was printed"))
    };
    Err(AdbError::Tree(why))
}

/// From `<?xml`, else from `<hierarchy`, to the last `</hierarchy>`. In front may stand a byte order mark, stack traces
/// and warnings; behind, the name of the file.
#[must_use]
pub fn cut_text(text: &str) -> Option<&str> {
    const END: &str = "</hierarchy>";
    let end = text.rfind(END)? + END.len();
    let root = text[..end].find("<hierarchy")?;
    let start = text[..root].rfind("<?xml").unwrap_or(root);
    Some(&text[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stdout: &str, stderr: &str, exit: u8, expected: Result<&str, &str>) {
        let output = Output {
            stdout: stdout.as_bytes().to_vec(),
            stderr: stderr.as_bytes().to_vec(),
            exit: Some(exit),
        };
        let read = cut(&output);
        let shown = read.as_deref().map_err(ToString::to_string);
        assert_eq!(shown, expected.map_err(|why| format!("no UI tree: {why}")));
    }

    #[test]
    fn the_tree_is_cut_out_of_whatever_stands_around_it() {
        let tree = "<?xml version='1.0'?><hierarchy rotation=\"0\"><node text=\"a\" /></hierarchy>";
        check(tree, "", 0, Ok(tree));
        check(
            &format!("\u{feff}{tree}UI hierchary dumped to: /dev/tty\n"),
            "",
            0,
            Ok(tree),
        );
        check(
            &format!("UI hierchary dumped to: /data/local/tmp/x.xml\r\n{tree}\r\n"),
            "",
            0,
            Ok(tree),
        );
        check(
            &format!("java.io.FileNotFoundException: x\n\tat a.b\n{tree}"),
            "",
            0,
            Ok(tree),
        );
        check(
            "<hierarchy rotation=\"0\"><node /></hierarchy>",
            "",
            0,
            Ok("<hierarchy rotation=\"0\"><node /></hierarchy>"),
        );
        check(
            &tree.replace("><", ">\r\n<"),
            "",
            0,
            Ok(&tree.replace("><", ">\n<")),
        );
    }

    #[test]
    fn why_there_is_no_tree_is_told() {
        check("", "ERROR: could not get idle state.", 0, Err(NEVER_IDLE));
        check(
            "",
            include_str!("../../tests/data/ui_07_null_root.txt"),
            0,
            Err("the window has no root now"),
        );
        check(
            include_str!("../../tests/data/ui_04_miui_error.txt"),
            "",
            0,
            Err(
                "java.io.FileNotFoundException: /data/system/theme_config/theme_compatibility.xml: open failed: ENOENT \
                 (No such file or directory)",
            ),
        );
        check(
            "<?xml version='1.0'?><hierarchy><node",
            "",
            0,
            Err("it came cut off"),
        );
        check("", "Killed", 0, Err("the phone killed it"));
        check("", "", 137, Err("the phone killed it"));
        check(
            "",
            "java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.X already registered!",
            1,
            Err("another program reads this phone's screen"),
        );
        check("ended:137\n", "", 0, Err("the phone killed it"));
        check("ended:0\n", "", 0, Err("nothing was printed"));
        check("", "", 0, Err("nothing was printed"));
    }
}
