//! A person's own fingers: put down, drawn and lifted on the phone while they are on the mirror, and two at once.
//!
//! scrcpy's session takes single events as fast as they come, and a second finger; it does not wait until an app has seen
//! one, so nothing is done this way whose effect somebody waits for. Without it, single events go through one shell that is
//! kept open ([`PersistentShell`]), one finger's alone and as fast as the phone answers; that shell lifts the finger by itself when
//! nobody speaks to it any more.

use crate::connect::server::Device;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::input::injector::{Injector, Point};
use crate::input::persistent_shell::PersistentShell;
use crate::input::touch;
use crate::input::watchdog_shell::{KEEP, Touch};
use crate::scrcpy::{self, EventAction, OpenSession};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

/// Between two events of a finger that is played: about what a screen draws.
const BEAT: Duration = Duration::from_millis(16);
/// No gesture takes longer.
const LONGEST: u64 = 10_000;
/// A finger of which nothing is heard for so long is lifted: whoever moved it is gone.
const FORGOTTEN: Duration = Duration::from_secs(10);
/// How far two pinching fingers are from the place between them when they are farthest apart, as a share of the
/// screen's shorter side.
const REACH: f64 = 0.22;
/// The strongest pinch.
const STRONGEST: f64 = 6.0;

/// What fingers do, whole. In pixels of the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gesture {
    /// One finger, from here to there; a tap or a press where both are one place.
    Stroke {
        /// Start.
        from: (i32, i32),
        /// End.
        to: (i32, i32),
        /// Milliseconds, at most 10,000.
        ms: u64,
    },
    /// A wheel turned over a place, in notches; right and up are positive.
    Scroll {
        /// Over which place.
        at: (i32, i32),
        /// To the right.
        right: f32,
        /// Away from the person: shows what is above.
        up: f32,
    },
    /// Two fingers around a place.
    Pinch {
        /// Between the two.
        at: (i32, i32),
        /// How much farther apart they are in the end: above 1 makes things larger.
        scale: f64,
        /// Milliseconds, at most 10,000.
        ms: u64,
    },
}

/// What a person's fingers go by on one phone.
#[derive(Clone)]
pub(crate) struct PointerInput {
    pub(crate) input: Injector,
    pub(crate) scrcpy: Arc<scrcpy::SharedSession>,
    pub(crate) shell: Arc<PersistentShell>,
    /// The screen's size as it was last seen, turned as it was.
    pub(crate) screen: Option<(u16, u16)>,
}

impl PointerInput {
    fn device(&self) -> &Device {
        &self.input.device
    }

    /// Whether fingers can be followed now.
    pub(crate) fn is_ready(&self) -> bool {
        self.input.display.is_none()
            && (self.scrcpy.running(self.device()).is_some() || self.shell.is_open(self.device()))
    }
}

/// Opens the session, where this computer has what it takes, else the kept shell. Whether either is open.
///
/// # Errors
/// [`AdbError::LeaseLost`], or why the phone could not be asked; a server that does not start is no error.
pub(crate) async fn get_ready(pointer: &PointerInput, guard: &CancelGuard) -> Result<bool, AdbError> {
    match pointer.scrcpy.open(pointer.device(), guard).await {
        Ok(Some(_)) => return Ok(true),
        Ok(None) | Err(AdbError::NotSupported(_) | AdbError::Refused(_)) => {}
        Err(error) => return Err(error),
    }
    let _pass = guard.pass()?;
    pointer.shell.open(pointer.device()).await
}

/// Plays a gesture. False: no session is open, and nothing was done.
///
/// # Errors
/// [`AdbError::LeaseLost`] when the fingers were lifted half-way, [`AdbError::TouchForbidden`], [`AdbError::Cut`].
pub(crate) async fn play(
    pointer: &PointerInput,
    guard: &CancelGuard,
    gesture: Gesture,
) -> Result<bool, AdbError> {
    let Some(mut fingers) = Fingers::of(pointer) else {
        return Ok(false);
    };
    if let Gesture::Scroll { at, right, up } = gesture {
        return fingers.scroll(guard, at, (right, up)).await;
    }
    let (ways, ms) = ways(gesture, fingers.screen);
    if ways.len() > fingers.channel.most() {
        return Ok(false);
    }
    let _whole = guard.pass()?;
    let played = fingers
        .draw(guard, &ways, Duration::from_millis(ms.min(LONGEST)))
        .await;
    fingers.lift(&pointer.input).await;
    played?;
    fingers.are_allowed()?;
    Ok(true)
}

/// Puts a finger down and keeps it where `way` says, until that ends. False: no session is open, and nothing was done.
///
/// # Errors
/// As [`play`].
pub(crate) async fn follow(
    pointer: &PointerInput,
    guard: &CancelGuard,
    from: Point,
    mut way: mpsc::UnboundedReceiver<Point>,
) -> Result<bool, AdbError> {
    let Some(mut fingers) = Fingers::of(pointer) else {
        return Ok(false);
    };
    let _whole = guard.pass()?;
    let mut followed = fingers.down(0, from).await;
    let mut heard = Instant::now();
    while followed.is_ok() {
        let next = tokio::select! {
            biased;
            () = guard.lost() => {
                followed = Err(AdbError::LeaseLost);
                break;
            }
            next = timeout(KEEP, way.recv()) => next,
        };
        let mut at = match next {
            Ok(Some(at)) => at,
            Ok(None) => break,
            Err(_) if heard.elapsed() >= FORGOTTEN => break,
            Err(_) => {
                followed = fingers.channel.keep().await;
                continue;
            }
        };
        heard = Instant::now();
        // Only where it is now counts, not where it was meanwhile.
        while let Ok(later) = way.try_recv() {
            at = later;
        }
        followed = fingers.r#move(0, at).await;
    }
    fingers.lift(&pointer.input).await;
    followed?;
    fingers.are_allowed()?;
    Ok(true)
}

/// What fingers' events go by.
enum TouchChannel<'a> {
    Session(OpenSession<'a>),
    Shell(&'a PointerInput),
}

impl TouchChannel<'_> {
    /// So many fingers at once.
    fn most(&self) -> usize {
        match self {
            Self::Session(_) => 2,
            Self::Shell(_) => 1,
        }
    }

    async fn touch(
        &mut self,
        stroke: EventAction,
        finger: u64,
        at: Point,
        screen: (u16, u16),
    ) -> Result<(), AdbError> {
        match self {
            Self::Session(session) => session.touch(stroke, finger, at, screen).await,
            Self::Shell(pointer) => {
                let touch = match stroke {
                    EventAction::Down => Touch::Down,
                    EventAction::Move => Touch::Move,
                    EventAction::Up => Touch::Up,
                };
                pointer.shell.touch(pointer.device(), touch, at).await
            }
        }
    }

    /// Says that a finger is to stay where it is, to whom that must be said.
    async fn keep(&mut self) -> Result<(), AdbError> {
        match self {
            Self::Session(_) => Ok(()),
            Self::Shell(pointer) => pointer.shell.keep(pointer.device()).await,
        }
    }
}

/// Fingers on a phone, and where they are.
struct Fingers<'a> {
    channel: TouchChannel<'a>,
    screen: (u16, u16),
    down: Vec<(u64, Point)>,
}

impl<'a> Fingers<'a> {
    /// Nothing where no way is open, or it is not known where its fingers would land.
    fn of(pointer: &'a PointerInput) -> Option<Self> {
        let screen = pointer.screen.filter(|_| pointer.input.display.is_none())?;
        let channel = match pointer.scrcpy.running(pointer.device()) {
            Some(session) => TouchChannel::Session(session),
            None if pointer.shell.is_open(pointer.device()) => TouchChannel::Shell(pointer),
            None => return None,
        };
        let down = Vec::new();
        Some(Self {
            channel,
            screen,
            down,
        })
    }

    async fn down(&mut self, finger: u64, at: Point) -> Result<(), AdbError> {
        // Counted first: half a message may have put it down.
        self.down.push((finger, at));
        self.channel
            .touch(EventAction::Down, finger, at, self.screen)
            .await
    }

    async fn r#move(&mut self, finger: u64, to: Point) -> Result<(), AdbError> {
        if let Some((_, at)) = self.down.iter_mut().find(|(number, _)| *number == finger) {
            *at = to;
        }
        self.channel
            .touch(EventAction::Move, finger, to, self.screen)
            .await
    }

    async fn draw(
        &mut self,
        guard: &CancelGuard,
        ways: &[(Point, Point)],
        time: Duration,
    ) -> Result<(), AdbError> {
        for (finger, (from, _)) in (0..).zip(ways) {
            self.down(finger, *from).await?;
        }
        let start = Instant::now();
        if ways.iter().any(|(from, to)| from != to) {
            loop {
                guard.pause(BEAT).await?;
                let gone = start.elapsed().min(time);
                for (finger, (from, to)) in (0..).zip(ways) {
                    self.r#move(finger, between(*from, *to, gone, time)).await?;
                }
                if gone == time {
                    return Ok(());
                }
            }
        }
        while let Some(left) = time.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) {
            guard.pause(left.min(KEEP)).await?;
            self.channel.keep().await?;
        }
        Ok(())
    }

    /// Only a session has a wheel.
    async fn scroll(
        &mut self,
        guard: &CancelGuard,
        at: Point,
        notches: (f32, f32),
    ) -> Result<bool, AdbError> {
        let TouchChannel::Session(session) = &mut self.channel else {
            return Ok(false);
        };
        let _pass = guard.pass()?;
        session
            .scroll(inside(at, self.screen), self.screen, notches)
            .await?;
        self.are_allowed()?;
        Ok(true)
    }

    /// Lifts every finger, however the lease stands; the last one down is the first to go.
    async fn lift(&mut self, input: &Injector) {
        while let Some((finger, at)) = self.down.pop() {
            if let Err(error) = self.channel.touch(EventAction::Up, finger, at, self.screen).await {
                tracing::info!(%error, "a finger is lifted another way");
                touch::lift(input, at, touch::UNHURRIED).await;
            }
        }
    }

    fn are_allowed(&self) -> Result<(), AdbError> {
        if let TouchChannel::Session(session) = &self.channel
            && session.is_forbidden()
        {
            return Err(AdbError::TouchForbidden("INJECT_EVENTS".to_owned()));
        }
        Ok(())
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "between two pixels, which are i32"
)]
fn between(from: Point, to: Point, gone: Duration, time: Duration) -> Point {
    let share = if time.is_zero() {
        1.0
    } else {
        gone.as_secs_f64() / time.as_secs_f64()
    };
    let at =
        |from: i32, to: i32| (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as i32;
    (at(from.0, to.0), at(from.1, to.1))
}

fn inside((x, y): Point, (width, height): (u16, u16)) -> Point {
    let clamp = |n: i32, size: u16| n.clamp(0, i32::from(size.max(1)) - 1);
    (clamp(x, width), clamp(y, height))
}

/// Every finger's way, inside the screen, and how long it takes.
fn ways(gesture: Gesture, (width, height): (u16, u16)) -> (Vec<(Point, Point)>, u64) {
    let inside = |at: Point| inside(at, (width, height));
    match gesture {
        Gesture::Scroll { .. } => (Vec::new(), 0),
        Gesture::Stroke { from, to, ms } => (vec![(inside(from), inside(to))], ms),
        Gesture::Pinch { at, scale, ms } => {
            let scale = if scale.is_finite() {
                scale.clamp(1.0 / STRONGEST, STRONGEST)
            } else {
                1.0
            };
            let far = f64::from(width.min(height)) * REACH;
            let (start, end) = if scale > 1.0 {
                (far / scale, far)
            } else {
                (far, far * scale)
            };
            // Near an edge the place between them moves inwards: both must be on the screen.
            let within = |n: i32, size: u16| {
                let (least, most) = (far, f64::from(size) - far - 1.0);
                f64::from(n).clamp(least.min(most), most.max(least))
            };
            let (x, y) = (within(at.0, width), within(at.1, height));
            #[expect(clippy::cast_possible_truncation, reason = "within a screen")]
            let spot = |side: f64, reach: f64| {
                // Half-way between lying and standing: apps tell either.
                let step = side * reach * std::f64::consts::FRAC_1_SQRT_2;
                inside(((x + step).round() as i32, (y - step).round() as i32))
            };
            let way = |side: f64| (spot(side, start), spot(side, end));
            (vec![way(1.0), way(-1.0)], ms)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn apart((a, b): (Point, Point)) -> f64 {
        f64::from(a.0 - b.0).hypot(f64::from(a.1 - b.1))
    }

    fn check(gesture: Gesture, screen: (u16, u16), expected: &[(Point, Point)]) {
        assert_eq!(ways(gesture, screen).0, expected);
    }

    #[test]
    fn fingers_go_where_they_are_told() {
        let pinch = |at, scale| Gesture::Pinch { at, scale, ms: 300 };
        let stroke = |from, to| Gesture::Stroke { from, to, ms: 30 };
        check(stroke((7, 30), (7, 30)), (20, 40), &[((7, 30), (7, 30))]);
        check(stroke((-5, 900), (50, 3)), (20, 40), &[((0, 39), (19, 3))]);
        // 1000 px: 220 px to either side at the farthest, on a diagonal.
        check(
            pinch((500, 1000), 2.0),
            (1000, 2000),
            &[((578, 922), (656, 844)), ((422, 1078), (344, 1156))],
        );
        check(
            pinch((500, 1000), 0.5),
            (1000, 2000),
            &[((656, 844), (578, 922)), ((344, 1156), (422, 1078))],
        );
    }

    proptest! {
        #[test]
        fn a_pinch_stays_on_the_screen_and_does_what_it_says(
            x in -100..5000_i32, y in -100..5000_i32,
            width in 200..4000_u16, height in 200..4000_u16,
            scale in 0.2..5.0_f64,
        ) {
            let (ways, _) = ways(Gesture::Pinch { at: (x, y), scale, ms: 300 }, (width, height));
            for (from, to) in &ways {
                for (a, b) in [from, to] {
                    prop_assert!((0..i32::from(width)).contains(a) && (0..i32::from(height)).contains(b));
                }
            }
            let [one, other] = ways.try_into().unwrap();
            let (start, end) = (apart((one.0, other.0)), apart((one.1, other.1)));
            // Rounded to pixels, at either end of either way.
            prop_assert!((end - start * scale).abs() <= 2.0 * (1.0 + scale), "{start} → {end}");
        }
    }

    #[test]
    fn a_finger_is_where_the_time_says() {
        let time = Duration::from_secs(2);
        for (ms, expected) in [(0, (0, 2000)), (500, (250, 1500)), (2000, (1000, 0))] {
            let gone = Duration::from_millis(ms);
            assert_eq!(between((0, 2000), (1000, 0), gone, time), expected);
        }
        assert_eq!(between((1, 1), (5, 5), Duration::ZERO, Duration::ZERO), (5, 5));
    }
}
