//! One command line on the phone, under the lease, from its first byte to its surely known end.
//!
//! The line is sent as `echo $$; …`: the phone's daemon gives every shell a session of its own, so that number names
//! the process group of all that the line starts. What must end is killed as a group and looked for afterwards.
//! `input` of Android 12 and newer runs inside the system server, where killing its client does not reach it: such
//! lines are kept short and are waited for. They run on when their client is gone, to their own end: half of a gesture
//! would leave a finger down, half of a dump its file.

use crate::connect::command_line::CommandLine;
use crate::connect::link::Stream;
use crate::connect::server::Device;
use crate::connect::shell::{Output, Running};
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::exec::nonce;
use crate::exec::termination::{LeftoverProcesses, MARK, Termination, end_by_force};
use agent::lease::Pass;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

/// How long a command of a moment may take before it counts as hanging.
pub(crate) const MOMENT: Duration = Duration::from_secs(10);
/// How long a command of a moment is waited for once the lease is lost.
pub(crate) const LEASE_LOST_TIMEOUT: Duration = Duration::from_millis(1200);
/// How long the phone may take to tell the number of a line that has just been sent.
const NUMBER: Duration = Duration::from_millis(400);
/// How often what would not end is tried again, a second apart, while the pass is kept.
const STUBBORN: usize = 60;
/// The same for a line whose number will never be known, because its connection is gone.
const HOPELESS: usize = 5;
/// How long a line that takes its time may take in all, once the lease is gone.
const OVER: Duration = Duration::from_secs(30);
/// The longest gesture anybody has reason to play.
const GESTURE: Duration = Duration::from_secs(10);

/// What a line has printed until now.
pub(crate) type PartialOutput = Arc<Mutex<Output>>;

type OutputFuture = Pin<Box<dyn Future<Output = Result<Output, AdbError>> + Send>>;

/// A line that is on the phone.
struct RunningLine {
    device: Device,
    verb: String,
    ending: Termination,
    /// Kept until nothing of it is left there.
    pass: Pass,
    pid: watch::Receiver<Option<u32>>,
    work: OutputFuture,
}

/// Runs one line.
///
/// A line that is over when the lease goes is over: its output is returned. One that is not is ended first.
///
/// # Errors
/// [`AdbError::LeaseLost`] when it was not sent, or was ended; [`AdbError::MaybeRunning`] when it would not end;
/// [`AdbError::Slow`] after `limit`; else why the phone could not be asked.
pub(crate) async fn run(
    device: &Device,
    guard: &CancelGuard,
    line: CommandLine,
    limit: Duration,
    ending: Termination,
) -> Result<Output, AdbError> {
    run_told(device, guard, line, limit, ending, PartialOutput::default()).await
}

/// The same; what the line has printed is in `so_far` also when it is ended.
///
/// # Errors
/// As [`run`].
pub(crate) async fn run_told(
    device: &Device,
    guard: &CancelGuard,
    line: CommandLine,
    limit: Duration,
    ending: Termination,
    so_far: PartialOutput,
) -> Result<Output, AdbError> {
    let mut ready = prepare(device, guard).await?;
    ready.so_far = so_far;
    ready.send(guard, line, limit, ending).await
}

/// Runs one line of a moment, its output not judged.
///
/// # Errors
/// As [`run`].
pub(crate) async fn brief(device: &Device, guard: &CancelGuard, line: &str) -> Result<Output, AdbError> {
    let line = CommandLine::plain(line);
    run(device, guard, line, MOMENT, Termination::Wait(LEASE_LOST_TIMEOUT)).await
}

/// A connection to the phone and the pass to use it: everything but the line.
pub(crate) struct ReadyConnection {
    device: Device,
    stream: Box<dyn Stream>,
    pass: Pass,
    so_far: PartialOutput,
}

/// Gets ready. Whatever the outcome, nothing has reached the phone.
///
/// # Errors
/// [`AdbError::LeaseLost`], or why the phone could not be asked.
pub(crate) async fn prepare(device: &Device, guard: &CancelGuard) -> Result<ReadyConnection, AdbError> {
    let stream = guard.unless_lost(device.connect()).await?;
    Ok(ReadyConnection {
        device: device.clone(),
        stream,
        pass: guard.pass()?,
        so_far: PartialOutput::default(),
    })
}

impl ReadyConnection {
    /// Sends the line and stays with it to its end, as [`run`] says.
    ///
    /// # Errors
    /// As [`run`]; whatever the error, the line may have been sent.
    pub(crate) async fn send(
        self,
        guard: &CancelGuard,
        line: CommandLine,
        limit: Duration,
        ending: Termination,
    ) -> Result<Output, AdbError> {
        let (told, pid) = watch::channel(None);
        let ended = ended_mark(&self.device, &ending).await;
        let prefix = prefix(&ending);
        let text = match &ended {
            // In a shell of its own, which it may leave.
            Some(mark) => line
                .after(&format!("{prefix}( "))
                .then(&format!(" ); echo {mark}$?")),
            None => line.after(&prefix),
        };
        // Only what may be ended by force is long enough to be told of before its end.
        let so_far = matches!(ending, Termination::Kill { .. }).then_some(self.so_far);
        let mut sent = RunningLine {
            device: self.device.clone(),
            verb: line.verb().to_owned(),
            pass: self.pass,
            pid,
            work: Box::pin(work(self.device, self.stream, text, ended, told, so_far)),
            ending,
        };
        let lost = tokio::select! {
            biased;
            done = &mut sent.work => return sent.over(done).await,
            () = guard.lost() => true,
            () = sleep(limit) => false,
        };
        if lost && let Termination::Wait(patience) = sent.ending {
            tokio::select! {
                biased;
                done = &mut sent.work => return sent.over(done).await,
                () = sleep(patience) => {}
            }
            let verb = sent.verb.clone();
            sent.keep_until_over();
            return Err(AdbError::MaybeRunning(verb));
        }
        // Where the phone has not told the number yet, it is about to.
        let number = told_number(sent.pid.clone());
        tokio::select! {
            biased;
            done = &mut sent.work => return sent.over(done).await,
            () = number => {}
            () = sleep(NUMBER) => {}
        }
        sent.end(lost).await
    }
}

/// What stands before the exit code that a command or script prints itself, where the phone's shell does not tell it.
async fn ended_mark(device: &Device, ending: &Termination) -> Option<String> {
    let Termination::Kill { mark, .. } = ending else {
        return None;
    };
    let tells = device.has_shell_v2().await.unwrap_or(true);
    (!tells).then(|| format!("pocketdeck-ended-{mark}:"))
}

/// Returns once the number is known, or never will be.
async fn told_number(mut pid: watch::Receiver<Option<u32>>) {
    let _ = pid.wait_for(Option::is_some).await.map(drop);
}

/// Starts the line and reads to its end.
async fn work(
    device: Device,
    stream: Box<dyn Stream>,
    line: CommandLine,
    ended: Option<String>,
    told: watch::Sender<Option<u32>>,
    so_far: Option<PartialOutput>,
) -> Result<Output, AdbError> {
    let mut running = device.start(stream, &line, "shell:").await?;
    if so_far.is_some() {
        running = running.thin();
    }
    listen(running, ended.as_deref(), &told, so_far.as_deref()).await
}

impl RunningLine {
    /// Its stream is at its end, or broke.
    async fn over(self, done: Result<Output, AdbError>) -> Result<Output, AdbError> {
        match (done, &self.ending) {
            (Ok(output), Termination::Wait(_)) => Ok(output),
            (Ok(output), Termination::Kill { gestures, .. }) => {
                let gestures = *gestures;
                // A child it left behind must not outlive the call.
                if let LeftoverProcesses::Something(what) = self.end_by_force().await {
                    tracing::warn!(command = self.verb, what, "a child would not end");
                    self.linger(true);
                } else if gestures {
                    self.keep_for_gestures();
                }
                Ok(output)
            }
            (Err(error), _) if error.leaves_it_open() => {
                if let LeftoverProcesses::Something(what) = self.end_by_force().await {
                    tracing::warn!(command = self.verb, what, "not known to be over");
                    self.linger(true);
                }
                Err(error)
            }
            (Err(error), _) => Err(error),
        }
    }

    /// It is not over and must be.
    async fn end(self, lost: bool) -> Result<Output, AdbError> {
        let verb = self.verb.clone();
        let mut rest = self.end_by_force().await;
        match (&rest, &self.ending) {
            (LeftoverProcesses::Something(_), _) => self.linger(false),
            (LeftoverProcesses::Nothing, Termination::Kill { gestures: true, .. }) => {
                rest = LeftoverProcesses::Unknown("a gesture may be played to its end".to_owned());
                self.keep_for_gestures();
            }
            _ => {}
        }
        Err(match rest {
            LeftoverProcesses::Nothing if lost => AdbError::LeaseLost,
            LeftoverProcesses::Unknown(why) | LeftoverProcesses::Something(why) if lost => {
                AdbError::MaybeRunning(format!("{verb}: {why}"))
            }
            _ => AdbError::Slow(verb),
        })
    }

    /// Kills what the line started and looks whether it is gone, within some 1.2 s.
    fn end_by_force(&self) -> impl Future<Output = LeftoverProcesses> + Send + use<> {
        let number = *self.pid.borrow();
        let (device, ending) = (self.device.clone(), self.ending.clone());
        async move { end_by_force(&device, number, &ending).await }
    }

    /// Keeps the pass of a line that takes its time until it is over; one that never is, is killed in the end.
    fn keep_until_over(mut self) {
        tokio::spawn(async move {
            if timeout(OVER, &mut self.work).await.is_err() {
                self.end_by_force().await;
            }
            drop(self.pass);
        });
    }

    /// Keeps the pass for as long as a gesture can take that nothing can end any more.
    fn keep_for_gestures(self) {
        tokio::spawn(async move {
            sleep(GESTURE).await;
            drop(self.pass);
        });
    }

    /// Keeps the pass of what would not end, and goes on trying: whoever waits for the lease to drain hears the truth.
    fn linger(mut self, over: bool) {
        tokio::spawn(async move {
            let mut over = over;
            for tried in 0..STUBBORN {
                tokio::select! {
                    _ = &mut self.work, if !over => over = true,
                    () = sleep(Duration::from_secs(1)) => {}
                }
                let hopeless = over && self.pid.borrow().is_none() && tried >= HOPELESS;
                if hopeless || !matches!(self.end_by_force().await, LeftoverProcesses::Something(_)) {
                    break;
                }
            }
            drop(self.pass);
        });
    }
}

/// What is put in front of a line.
fn prefix(ending: &Termination) -> String {
    match ending {
        // What is over in a moment ends by itself, also when its client or the cable is gone.
        Termination::Wait(_) => "echo $$; trap '' HUP PIPE; ".to_owned(),
        Termination::Kill { mark, .. } => format!("echo $$; export {MARK}={mark}; "),
    }
}

/// Reads to the end, tells the process group's number as soon as it is known, and takes what is ours out of the output: its
/// line, and the exit code behind `ended`.
async fn listen(
    mut running: Running,
    ended: Option<&str>,
    told: &watch::Sender<Option<u32>>,
    so_far: Option<&Mutex<Output>>,
) -> Result<Output, AdbError> {
    while running.advance().await? {
        if told.borrow().is_none()
            && let Some((number, _)) = first_number(&running.so_far().stdout)
        {
            told.send_replace(Some(number));
        }
        if let Some(so_far) = so_far {
            let (output, _) = without_ours(running.so_far().clone(), ended);
            *so_far.lock().unwrap_or_else(PoisonError::into_inner) = output;
        }
    }
    let (output, number) = without_ours(running.into_output(), ended);
    if number.is_some() {
        told.send_replace(number);
    }
    Ok(output)
}

/// The output without the line that is ours, and the number in it; and without its exit code where that stands in it.
fn without_ours(mut output: Output, ended: Option<&str>) -> (Output, Option<u32>) {
    if let Some(told) = ended.and_then(|ended| nonce::answer(&output.stdout, ended)) {
        output = told;
    }
    let found = first_number(&output.stdout);
    let number = found.map(|(number, line)| {
        output.stdout.drain(line);
        number
    });
    (output, number)
}

/// The first of the first few whole lines that is a number and nothing else (an older phone's linker may complain in
/// front of it), and where that line stands.
fn first_number(stdout: &[u8]) -> Option<(u32, std::ops::Range<usize>)> {
    let mut from = 0;
    for _ in 0..5 {
        let end = from + stdout[from..].iter().position(|byte| *byte == b'\n')? + 1;
        let number = std::str::from_utf8(&stdout[from..end])
            .ok()
            .map(str::trim)
            .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|text| text.parse().ok());
        match number {
            // 0 and 1 would name our own group, or everybody's.
            Some(number) if number > 1 => return Some((number, from..end)),
            _ => from = end,
        }
    }
    None
}

/// Runs a line that only looks but costs the phone much, and ends it when nobody waits any more. A phone that is too
/// busy to end it now is asked again for a while.
///
/// # Errors
/// [`AdbError::Slow`] after `limit`, or when the caller is gone; else why the phone could not be asked.
pub(crate) async fn run_unleashed(
    device: &Device,
    given_up: &CancellationToken,
    line: CommandLine,
    limit: Duration,
) -> Result<Output, AdbError> {
    let until = Instant::now() + limit;
    let ending = Termination::Wait(Duration::ZERO);
    let sent = line.after(&prefix(&ending));
    let (told, pid) = watch::channel(None);
    let work = async {
        let stream = device.connect().await?;
        let running = device.start(stream, &sent, "shell:").await?;
        listen(running, None, &told, None).await
    };
    tokio::pin!(work);
    tokio::select! {
        biased;
        done = &mut work => return done,
        () = given_up.cancelled() => {}
        () = tokio::time::sleep_until(until) => {}
    }
    let number = *pid.borrow();
    if number.is_some()
        && matches!(
            end_by_force(device, number, &ending).await,
            LeftoverProcesses::Something(_)
        )
    {
        // Left where it is, it would stand in the way of the next one.
        let device = device.clone();
        tokio::spawn(async move {
            for _ in 0..STUBBORN {
                sleep(Duration::from_secs(1)).await;
                if !matches!(
                    end_by_force(&device, number, &ending).await,
                    LeftoverProcesses::Something(_)
                ) {
                    break;
                }
            }
        });
    }
    Err(AdbError::Slow(line.verb().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_is_the_first_number_alone_on_a_line() {
        let read = |text: &str| first_number(text.as_bytes()).map(|(number, _)| number);
        assert_eq!(read("4711\n1 file\n"), Some(4711));
        assert_eq!(read("4711\r\n"), Some(4711));
        assert_eq!(read("WARNING: linker: odd\r\n4711\r\n"), Some(4711));
        assert_eq!(read("4711"), None, "half a number is not the number");
        assert_eq!(read("0\n1\n"), None);
        assert_eq!(read("-5\n"), None);
        assert_eq!(read("99999999999\n"), None);
        assert_eq!(read("a\nb\nc\nd\ne\n4711\n"), None);
        assert_eq!(read(""), None);
    }
}
