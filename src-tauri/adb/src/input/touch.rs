//! Fingers: taps, presses, swipes and drags.
//!
//! A gesture of more than 400 ms is played as single events, so that it can be let go of half-way; each event is sent
//! under the guard, and one pass is held from the finger's touching to its lifting. They go through one shell that lifts the
//! finger by itself when nobody speaks to it any more ([`crate::input::watchdog_shell`]). A phone without single events (Android 9 and
//! older) gets `input swipe`, which is waited for.

use crate::connect::command_line::CommandLine;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::exec::output_parse;
use crate::exec::remote_command;
use crate::exec::remote_command::{LEASE_LOST_TIMEOUT, MOMENT};
use crate::exec::termination::Termination;
use crate::input::capabilities::ANDROID_12;
use crate::input::injector::{Injector, Point, spot};
use crate::input::watchdog_shell::{KEEP, Touch, WatchdogShell};
use crate::scrcpy;
use agent::ports::Effect;
use protocol::ActMethod;
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// No gesture takes longer.
const LONGEST: u64 = 10_000;
/// What is shorter is over before anybody could stop it.
const SHORT: u64 = 400;
/// Between two events of a moving finger at least: more than any app looks at.
const BEAT: Duration = Duration::from_millis(30);
/// Longer than the time after which a press counts as long (400 or 500 ms, as the phone is set).
const PICK_UP: Duration = Duration::from_millis(650);
/// A dragged thing is held still before it is let go, or it is flung.
const PUT_DOWN: Duration = Duration::from_millis(100);
/// How long an event that is under way is waited for once the lease is lost.
const EVENT: Duration = Duration::from_millis(600);
/// How long lifting the finger may take after the lease is gone, each way.
const LIFT: Duration = Duration::from_millis(600);
/// The same where nobody waits for it: before Android 12 `input` is a program that takes its time to begin.
pub(crate) const UNHURRIED: Duration = Duration::from_secs(3);
/// How often lifting it is tried again, a second apart, while the pass is kept.
const LIFTS: usize = 10;

/// One tap.
pub(crate) async fn tap(input: &Injector, guard: &CancelGuard, at: Point) -> Result<Effect, AdbError> {
    let line = format!("{} tap {}", input.finger(), spot(at));
    input.line(guard, CommandLine::plain(&line), MOMENT).await?;
    Ok(Effect::default())
}

/// Two taps, by scrcpy's session where there is one and the size of its screen is known, else in one line. The session's
/// fingers go to the phone's own display alone.
pub(crate) async fn double_tap(
    input: &Injector,
    session: &scrcpy::SharedSession,
    screen: Option<(u16, u16)>,
    guard: &CancelGuard,
    at: Point,
) -> Result<Effect, AdbError> {
    if let Some(screen) = screen.filter(|_| input.display.is_none()) {
        match session.open(&input.device, guard).await {
            Ok(Some(mut session)) => {
                // From the first finger to the last one pass is held.
                let _whole = guard.pass()?;
                let first = Instant::now();
                session.tap(at, screen, TAPPED).await?;
                tokio::time::sleep(BETWEEN).await;
                let gap = first.elapsed();
                session.tap(at, screen, TAPPED).await?;
                if session.is_forbidden() {
                    return Err(AdbError::TouchForbidden("INJECT_EVENTS".to_owned()));
                }
                return Ok(Effect {
                    gap_ms: u64::try_from(gap.as_millis()).ok(),
                    ..Effect::by(ActMethod::Scrcpy)
                });
            }
            Err(error @ AdbError::LeaseLost) => return Err(error),
            Ok(None) => {}
            Err(error) => tracing::debug!(%error, "no session for two taps"),
        }
    }
    double_tap_in_one_line(input, guard, at).await
}

/// How long a tapping finger is down, and the pause between two taps: 30 + 50 ms from the one to the other, inside every
/// app's 40…300 ms.
const TAPPED: Duration = Duration::from_millis(30);
const BETWEEN: Duration = Duration::from_millis(50);

/// Two taps in one line. `input` of Android 12 and newer answers in some 60 ms, so with the pause between them the
/// second begins about 100 ms after the first; older ones start a Java machine for each, so there both are started
/// together, the second a pause later. The time is taken where both taps are equally far: when they are over, or when
/// they are started.
async fn double_tap_in_one_line(
    input: &Injector,
    guard: &CancelGuard,
    at: Point,
) -> Result<Effect, AdbError> {
    let starts_java = input.device.sdk().await.is_some_and(|sdk| sdk < ANDROID_12);
    let (spot, finger) = (spot(at), input.finger());
    let line = if starts_java {
        format!("{finger} tap {spot} & {CLOCK}; sleep 0.08; {CLOCK}; {finger} tap {spot}; wait")
    } else {
        format!("{finger} tap {spot}; {CLOCK}; sleep 0.05; {finger} tap {spot}; {CLOCK}")
    };
    let ending = Termination::Wait(LEASE_LOST_TIMEOUT);
    let output = remote_command::run(&input.device, guard, CommandLine::plain(&line), MOMENT, ending).await?;
    output_parse::input(&output)?;
    Ok(Effect {
        gap_ms: gap(&output.text()),
        ..Effect::default()
    })
}

/// The time by the phone's own clock, in seconds with decimals. Both of its shells know it since Android 5; where one
/// does not, the line is only a word.
const CLOCK: &str = "echo at:$EPOCHREALTIME";

/// Milliseconds between the two times that were printed.
fn gap(printed: &str) -> Option<u64> {
    let mut times = printed
        .lines()
        .filter_map(|line| line.trim().strip_prefix("at:")?.parse::<f64>().ok());
    let (first, second) = (times.next()?, times.next()?);
    let gap = Duration::try_from_secs_f64(second - first).ok()?;
    u64::try_from(gap.as_millis()).ok()
}

/// A finger held still.
pub(crate) async fn long_press(
    input: &Injector,
    guard: &CancelGuard,
    at: Point,
    ms: u64,
) -> Result<Effect, AdbError> {
    swipe(input, guard, at, at, ms).await
}

/// A finger drawn.
pub(crate) async fn swipe(
    input: &Injector,
    guard: &CancelGuard,
    from: Point,
    to: Point,
    ms: u64,
) -> Result<Effect, AdbError> {
    let track = Track {
        from,
        to,
        hold: Duration::ZERO,
        travel: Duration::from_millis(ms.min(LONGEST)),
        rest: Duration::ZERO,
        plain: "swipe",
    };
    track.play(input, guard).await
}

/// A finger held, drawn, and let go.
pub(crate) async fn drag(
    input: &Injector,
    guard: &CancelGuard,
    from: Point,
    to: Point,
    ms: u64,
) -> Result<Effect, AdbError> {
    let track = Track {
        from,
        to,
        hold: PICK_UP,
        travel: Duration::from_millis(ms.min(LONGEST)),
        rest: PUT_DOWN,
        plain: "draganddrop",
    };
    track.play(input, guard).await
}

/// A finger's way.
struct Track {
    from: Point,
    to: Point,
    /// Held still at the start.
    hold: Duration,
    /// On the way.
    travel: Duration,
    /// Held still at the end.
    rest: Duration,
    /// The command of `input` that does the same in one piece.
    plain: &'static str,
}

impl Track {
    async fn play(&self, input: &Injector, guard: &CancelGuard) -> Result<Effect, AdbError> {
        let short = (self.hold + self.travel).as_millis() <= u128::from(SHORT);
        if short || input.capabilities.motion_events.is_missing() {
            return self.play_plain(input, guard).await;
        }
        // From here to the lifted finger one pass is held: the lease does not drain in between.
        let whole = guard.pass()?;
        let finger = input.finger();
        let opening = WatchdogShell::open(&input.device, &finger, MOMENT);
        let mut shell = match guard.unless_lost(opening).await {
            Ok(shell) => shell,
            Err(AdbError::NotSupported(_)) => {
                drop(whole);
                return self.play_plain(input, guard).await;
            }
            Err(error) => return Err(error),
        };
        let mut last = self.from;
        let played = match event(&mut shell, guard, Touch::Down, self.from).await {
            Ok(()) => {
                input.capabilities.motion_events.learn(true);
                self.move_and_release(&mut shell, guard, &mut last).await
            }
            Err(AdbError::NotSupported(_)) => {
                input.capabilities.motion_events.learn(false);
                shell.forget(LIFT).await;
                drop((shell, whole));
                return self.play_plain(input, guard).await;
            }
            Err(error) if was_refused(&error) => {
                shell.forget(LIFT).await;
                return Err(error);
            }
            Err(error) => Err(error),
        };
        let Err(error) = played else {
            return Ok(Effect::by(ActMethod::MotionEvents));
        };
        let letting_go = shell.let_go(&input.capabilities, last, LIFT);
        if matches!(timeout(LIFT, letting_go).await, Ok(Ok(()))) {
            return Err(error);
        }
        // At the end of its lines the shell lifts the finger by itself, as soon as the phone hears of it.
        drop(shell);
        input.capabilities.leftover.suspect();
        if lift(input, last, LIFT).await {
            return Err(error);
        }
        let input = input.clone();
        tokio::spawn(async move {
            for _ in 0..LIFTS {
                tokio::time::sleep(Duration::from_secs(1)).await;
                if lift(&input, last, UNHURRIED).await {
                    break;
                }
            }
            drop(whole);
        });
        Err(match error {
            AdbError::LeaseLost => AdbError::MaybeRunning("a finger may be down".to_owned()),
            error => error,
        })
    }

    async fn move_and_release(
        &self,
        shell: &mut WatchdogShell,
        guard: &CancelGuard,
        last: &mut Point,
    ) -> Result<(), AdbError> {
        rest(shell, guard, self.hold).await?;
        let start = Instant::now();
        if self.from == self.to {
            rest(shell, guard, self.travel).await?;
        } else {
            loop {
                guard.pause(BEAT).await?;
                let gone = start.elapsed();
                if gone >= self.travel {
                    break;
                }
                *last = self.point_at(gone);
                event(shell, guard, Touch::Move, *last).await?;
            }
            *last = self.to;
            event(shell, guard, Touch::Move, *last).await?;
        }
        rest(shell, guard, self.rest).await?;
        event(shell, guard, Touch::Up, self.to).await
    }

    fn point_at(&self, gone: Duration) -> Point {
        let share = gone.as_secs_f64() / self.travel.as_secs_f64().max(f64::EPSILON);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "between two pixels, which are i32"
        )]
        let between =
            |from: i32, to: i32| (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as i32;
        (between(self.from.0, self.to.0), between(self.from.1, self.to.1))
    }

    /// In one piece: it cannot be let go of, so it is waited for, however the lease stands.
    async fn play_plain(&self, input: &Injector, guard: &CancelGuard) -> Result<Effect, AdbError> {
        let ms = self.travel.as_millis();
        let (finger, from, to) = (input.finger(), spot(self.from), spot(self.to));
        let line = format!("{finger} {} {from} {to} {ms}", self.plain);
        let whole = self.hold + self.travel;
        let limit = whole + Duration::from_secs(8);
        let ending = Termination::Wait(whole + LEASE_LOST_TIMEOUT);
        let output =
            remote_command::run(&input.device, guard, CommandLine::plain(&line), limit, ending).await?;
        output_parse::input(&output)?;
        Ok(Effect::by(if self.plain == "swipe" {
            ActMethod::InputSwipe
        } else {
            ActMethod::InputDragAndDrop
        }))
    }
}

/// The phone said no: no finger is down.
fn was_refused(error: &AdbError) -> bool {
    matches!(
        error,
        AdbError::Refused(_)
            | AdbError::TouchForbidden(_)
            | AdbError::Gone(_)
            | AdbError::Unauthorized
            | AdbError::Unusable(_)
    )
}

/// One event; one that is under way when the lease goes is waited for a little.
async fn event(
    shell: &mut WatchdogShell,
    guard: &CancelGuard,
    touch: Touch,
    at: Point,
) -> Result<(), AdbError> {
    let _pass = guard.pass()?;
    let sending = shell.touch(touch, at, MOMENT);
    tokio::pin!(sending);
    tokio::select! {
        biased;
        done = &mut sending => return done,
        () = guard.lost() => {}
    }
    let unknown = || AdbError::MaybeRunning("input motionevent".to_owned());
    timeout(EVENT, sending).await.unwrap_or_else(|_| Err(unknown()))
}

/// The finger stays where it is.
async fn rest(shell: &mut WatchdogShell, guard: &CancelGuard, time: Duration) -> Result<(), AdbError> {
    let until = Instant::now() + time;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        guard.pause(left.min(KEEP)).await?;
        if left <= KEEP {
            return Ok(());
        }
        shell.keep(MOMENT).await?;
    }
}

/// Takes the finger away although the lease is gone: ending what was begun. `CANCEL` makes the app forget the gesture;
/// where there is none, the finger is lifted where it is.
pub(crate) async fn lift(input: &Injector, at: Point, limit: Duration) -> bool {
    let capabilities = &input.capabilities;
    for action in ["CANCEL", "UP"] {
        if action == "CANCEL" && capabilities.cancel.is_missing() {
            continue;
        }
        let line = format!("{} motionevent {action} {}", input.finger(), spot(at));
        let done = match input.device.look(&line, limit).await {
            Ok(output) => output_parse::input(&output),
            Err(error) => Err(error),
        };
        match done {
            Ok(()) => {
                if action == "CANCEL" {
                    capabilities.cancel.learn(true);
                }
                return true;
            }
            Err(error) if output_parse::is_unknown_action(&error) => capabilities.cancel.learn(false),
            Err(error) => {
                tracing::warn!(action, %error, "the finger could not be lifted");
                if error.is_unreachable() {
                    return false;
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_is_read_from_the_phones_clock() {
        for (printed, expected) in [
            ("at:1700000000.100000\nat:1700000000.215000\n", Some(115)),
            ("at:1700000000.1\nnoise\nat:1700000001.6", Some(1500)),
            ("at:\nat:\n", None),
            ("at:2\nat:1\n", None),
            ("", None),
        ] {
            assert_eq!(gap(printed), expected, "{printed:?}");
        }
    }

    #[test]
    fn a_finger_is_where_the_time_says() {
        let track = Track {
            from: (0, 2000),
            to: (1000, 0),
            hold: Duration::ZERO,
            travel: Duration::from_secs(2),
            rest: Duration::ZERO,
            plain: "swipe",
        };
        for (ms, expected) in [
            (0, (0, 2000)),
            (500, (250, 1500)),
            (1000, (500, 1000)),
            (2000, (1000, 0)),
        ] {
            assert_eq!(track.point_at(Duration::from_millis(ms)), expected);
        }
        assert_eq!(spot((-3, 7)), "0 7");
    }
}
