//! The person's own hand on a phone.

use crate::ongoing_touch::OngoingTouch;
use crate::phone_session::PhoneSession;
use crate::{Engine, EngineError};
use adb::Command;
use adb::{AdbPhone, Gesture};
use agent::ports::{Phone, PhoneError};
use protocol::{Failure, FailureCode, Hand, Key, Phase, PhoneId};
use std::sync::{Arc, MutexGuard, PoisonError};
use tokio::sync::mpsc;

/// How long a person's tap and long press last on the phone.
const TAP_MS: u64 = 30;
const LONG_PRESS_MS: u64 = 800;
/// The longest stroke.
const LONGEST_MS: u64 = 10_000;

impl Engine {
    /// Does what the person's hand did on the picture of a phone. One after another, in order.
    ///
    /// # Errors
    /// While a run holds the phone; when the phone will not; [`FailureCode::NeedsScrcpy`] when it cannot without.
    pub async fn hand(&self, phone: &PhoneId, hand: Hand) -> Result<(), Failure> {
        let device = self.phone(phone)?;
        let session = self.inner.sessions.at(phone);
        if let Hand::Finger { phase, x, y } = hand {
            return match phase {
                Phase::Down => self.finger_down(phone, device, &session, (x, y)).await,
                Phase::Move => {
                    session.finger_to((x, y));
                    Ok(())
                }
                Phase::Up => {
                    session.finger_to((x, y));
                    session.finger_up().await
                }
            };
        }
        let _turn = session.turns.lock().await;
        let hold = session.person(&self.known(phone)?)?;
        do_whole(&device, &hand, &hold.grip).await
    }

    /// From now on the phone's finger is where the person's is.
    async fn finger_down(
        &self,
        phone: &PhoneId,
        device: Arc<AdbPhone>,
        session: &Arc<PhoneSession>,
        at: (f64, f64),
    ) -> Result<(), Failure> {
        // One that was never lifted is lifted first.
        session.touch().take();
        let turn = Arc::clone(&session.turns).lock_owned().await;
        let hold = session.person(&self.known(phone)?)?;
        if !device.is_ready() {
            get_ready(&device, &hold.grip).await?;
        }
        let size = size(&device).await?;
        let (moves, followed) = mpsc::unbounded_channel();
        let from = spot(at, size);
        let done = tokio::spawn(async move {
            let _turn = turn;
            device.follow(from, followed, &hold.grip).await
        });
        *session.touch() = Some(OngoingTouch { moves, size, done });
        Ok(())
    }
}

impl PhoneSession {
    fn touch(&self) -> MutexGuard<'_, Option<OngoingTouch>> {
        self.touch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finger_to(&self, at: (f64, f64)) {
        if let Some(touch) = self.touch().as_ref() {
            // One that was lifted meanwhile goes nowhere.
            let _ = touch.moves.send(spot(at, touch.size));
        }
    }

    async fn finger_up(&self) -> Result<(), Failure> {
        let Some(OngoingTouch { moves, done, .. }) = self.touch().take() else {
            return Err(FailureCode::NeedsScrcpy.into());
        };
        drop(moves);
        match done.await.map_err(EngineError::Broken)? {
            Ok(true) => Ok(()),
            Ok(false) => Err(FailureCode::NeedsScrcpy.into()),
            Err(trouble) => Err(EngineError::from(trouble).into()),
        }
    }
}

/// A hand's whole doing.
async fn do_whole(device: &AdbPhone, hand: &Hand, grip: &agent::Grip) -> Result<(), Failure> {
    let troubled = |trouble: PhoneError| Failure::from(EngineError::from(trouble));
    if let Hand::Ready = hand {
        return get_ready(device, grip).await;
    }
    let needs_size = !matches!(hand, Hand::Type { .. } | Hand::Key { .. })
        || matches!(hand, Hand::Key { key: Key::Rotate });
    let size = if needs_size { size(device).await? } else { (0, 0) };
    if let Some(gesture) = gesture(hand, size) {
        if device.play(gesture, grip).await.map_err(troubled)? {
            return Ok(());
        }
        if let Gesture::Pinch { .. } = gesture {
            // What played it may have ended meanwhile.
            get_ready(device, grip).await?;
            let played = device.play(gesture, grip).await.map_err(troubled)?;
            return played.then_some(()).ok_or(FailureCode::NeedsScrcpy.into());
        }
    }
    for command in commands(hand, size) {
        device.by_hand(&command, grip).await.map_err(troubled)?;
    }
    Ok(())
}

async fn get_ready(device: &AdbPhone, grip: &agent::Grip) -> Result<(), Failure> {
    let is_ready = device.get_ready(grip).await.map_err(EngineError::from)?;
    is_ready.then_some(()).ok_or(FailureCode::NeedsScrcpy.into())
}

/// The size of the screen the person sees, rotation included.
async fn size(device: &AdbPhone) -> Result<(u32, u32), EngineError> {
    if let Some((width, height)) = device.screen() {
        return Ok((width.into(), height.into()));
    }
    let sight = device.see().await?;
    Ok((sight.width, sight.height))
}

/// The same by fingers alone, for a phone that is ready to follow them.
fn gesture(hand: &Hand, size: (u32, u32)) -> Option<Gesture> {
    let still = |x: f64, y: f64, ms: u64| {
        let at = spot((x, y), size);
        Gesture::Stroke { from: at, to: at, ms }
    };
    match *hand {
        Hand::Tap { x, y } => Some(still(x, y, TAP_MS)),
        Hand::LongPress { x, y } => Some(still(x, y, LONG_PRESS_MS)),
        Hand::Drag {
            x1,
            y1,
            x2,
            y2,
            duration_ms,
        } => Some(Gesture::Stroke {
            from: spot((x1, y1), size),
            to: spot((x2, y2), size),
            ms: duration_ms.clamp(50, LONGEST_MS),
        }),
        Hand::Pinch {
            x,
            y,
            scale,
            duration_ms,
        } => Some(Gesture::Pinch {
            at: spot((x, y), size),
            scale,
            ms: duration_ms.clamp(50, LONGEST_MS),
        }),
        Hand::Scroll { x, y, across, down } => Some(Gesture::Scroll {
            at: spot((x, y), size),
            right: notches(across),
            up: -notches(down),
        }),
        Hand::Finger { .. } | Hand::Ready | Hand::Type { .. } | Hand::Key { .. } => None,
    }
}

fn commands(hand: &Hand, size: (u32, u32)) -> Vec<Command> {
    match hand {
        Hand::Tap { x, y } => {
            let (x, y) = spot((*x, *y), size);
            vec![Command::Tap { x, y }]
        }
        Hand::LongPress { x, y } => {
            let (x, y) = spot((*x, *y), size);
            let ms = LONG_PRESS_MS;
            vec![Command::LongPress { x, y, ms }]
        }
        Hand::Drag {
            x1,
            y1,
            x2,
            y2,
            duration_ms,
        } => {
            let ms = (*duration_ms).clamp(50, LONGEST_MS);
            vec![Command::Swipe {
                from: spot((*x1, *y1), size),
                to: spot((*x2, *y2), size),
                ms,
            }]
        }
        Hand::Scroll { x, y, across, down } => drawn((*x, *y), (*across, *down), size).into_iter().collect(),
        Hand::Pinch { .. } | Hand::Finger { .. } | Hand::Ready => Vec::new(),
        Hand::Type { text } => vec![Command::Text(text.clone())],
        Hand::Key { key: Key::Rotate } => rotate(size.0 > size.1),
        Hand::Key { key } => vec![Command::Key(keycode(*key).to_owned())],
    }
}

/// Turns the screen a quarter: Android follows these two settings once it no longer follows the hand that holds it.
fn rotate(lies: bool) -> Vec<Command> {
    let put = |name: &str, value: &str| {
        Command::Shell(
            ["settings", "put", "system", name, value]
                .map(str::to_owned)
                .to_vec(),
        )
    };
    vec![
        put("accelerometer_rotation", "0"),
        put("user_rotation", if lies { "0" } else { "1" }),
    ]
}

/// Android's names (`android.view.KeyEvent`).
fn keycode(key: Key) -> &'static str {
    match key {
        Key::Back => "KEYCODE_BACK",
        Key::Home => "KEYCODE_HOME",
        Key::Recents => "KEYCODE_APP_SWITCH",
        Key::Enter => "KEYCODE_ENTER",
        Key::Backspace => "KEYCODE_DEL",
        Key::Delete => "KEYCODE_FORWARD_DEL",
        Key::Tab => "KEYCODE_TAB",
        Key::Escape => "KEYCODE_ESCAPE",
        Key::Up => "KEYCODE_DPAD_UP",
        Key::Down => "KEYCODE_DPAD_DOWN",
        Key::Left => "KEYCODE_DPAD_LEFT",
        Key::Right => "KEYCODE_DPAD_RIGHT",
        Key::VolumeUp => "KEYCODE_VOLUME_UP",
        Key::VolumeDown => "KEYCODE_VOLUME_DOWN",
        Key::Power | Key::Rotate => "KEYCODE_POWER",
    }
}

/// The most notches of one turn.
const MOST_NOTCHES: f64 = 8.0;
/// How far one notch draws a finger, and all of them at most, as shares of the screen's side.
const NOTCH: f64 = 0.12;
const FARTHEST: f64 = 0.6;

fn notches(turned: f64) -> f32 {
    let within = if turned.is_finite() {
        turned.clamp(-MOST_NOTCHES, MOST_NOTCHES)
    } else {
        0.0
    };
    #[expect(clippy::cast_possible_truncation, reason = "a few notches")]
    let within = within as f32;
    within
}

/// A wheel's turn as a finger draws it: the other way, and inside the screen. Slowly enough that little is flung.
fn drawn((x, y): (f64, f64), (across, down): (f64, f64), size: (u32, u32)) -> Option<Command> {
    let inside = |n: f64| if n.is_finite() { n.clamp(0.02, 0.98) } else { 0.5 };
    let far = |turned: f64| (f64::from(notches(turned)) * NOTCH).clamp(-FARTHEST, FARTHEST);
    let from = (inside(x), inside(y));
    let to = (inside(from.0 - far(across)), inside(from.1 - far(down)));
    let way = (to.0 - from.0).hypot(to.1 - from.1);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 80 and 500"
    )]
    let ms = (80.0 + way * 300.0) as u64;
    (way >= 0.01).then(|| Command::Swipe {
        from: spot(from, size),
        to: spot(to, size),
        ms,
    })
}

fn spot((x, y): (f64, f64), (width, height): (u32, u32)) -> (i32, i32) {
    (pixel(x, width), pixel(y, height))
}

/// A fraction of the picture as a pixel inside it.
fn pixel(fraction: f64, size: u32) -> i32 {
    let last = f64::from(size.max(1) - 1);
    let at = if fraction.is_finite() {
        (fraction * f64::from(size)).floor().clamp(0.0, last)
    } else {
        0.0
    };
    #[expect(clippy::cast_possible_truncation, reason = "within a screen")]
    let at = at as i32;
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_pixels_inside_the_picture() {
        for (fraction, size, at) in [
            (0.0, 1080, 0),
            (0.5, 1080, 540),
            (1.0, 1080, 1079),
            (1.2, 1080, 1079),
            (-0.1, 1080, 0),
            (f64::NAN, 1080, 0),
        ] {
            assert_eq!(pixel(fraction, size), at, "{fraction} of {size}");
        }
    }

    #[test]
    fn a_wheel_draws_the_other_way_and_inside_the_screen() {
        let swipe = |from, to, ms| Some(Command::Swipe { from, to, ms });
        for (at, turned, expected) in [
            ((0.5, 0.5), (0.0, 1.0), swipe((500, 1000), (500, 760), 116)),
            ((0.5, 0.5), (1.0, 0.0), swipe((500, 1000), (380, 1000), 116)),
            ((0.5, 0.1), (0.0, 4.0), swipe((500, 200), (500, 40), 104)),
            ((0.5, 1.0), (0.0, 99.0), swipe((500, 1960), (500, 760), 260)),
            ((0.5, 0.5), (0.0, 0.01), None),
            ((0.5, 0.5), (f64::NAN, f64::NAN), None),
        ] {
            assert_eq!(drawn(at, turned, (1000, 2000)), expected, "{at:?} {turned:?}");
        }
    }

    #[test]
    fn a_drag_is_held_to_what_a_stop_can_wait_for() {
        let hand = Hand::Drag {
            x1: 0.0,
            y1: 0.0,
            x2: 1.0,
            y2: 1.0,
            duration_ms: 600_000,
        };
        assert_eq!(
            commands(&hand, (100, 200)),
            [Command::Swipe {
                from: (0, 0),
                to: (99, 199),
                ms: LONGEST_MS
            }]
        );
    }
}
