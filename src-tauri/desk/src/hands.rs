//! The person's own hand on a phone.

use crate::{Desk, DeskError};
use adb::AdbPhone;
use agent::ports::{Command, Phone};
use protocol::{Failure, Hand, Key, PhoneId};

/// How long a person's long press lasts on the phone.
const LONG_PRESS_MS: u64 = 800;
/// The longest stroke.
const LONGEST_MS: u64 = 10_000;

impl Desk {
    /// Does what the person's hand did on the picture of a phone. One after another, in order.
    ///
    /// # Errors
    /// While a run holds the phone; when the phone will not.
    pub async fn hand(&self, phone: &PhoneId, hand: Hand) -> Result<(), Failure> {
        let device = self.phone(phone)?;
        let seat = self.inner.seats.at(phone);
        let _turn = seat.hands.lock().await;
        let (grip, lock) = seat.person(&self.known(phone)?)?;
        let size = match &hand {
            Hand::Tap { .. }
            | Hand::LongPress { .. }
            | Hand::Drag { .. }
            | Hand::Key { key: Key::Rotate } => size(&device).await?,
            Hand::Type { .. } | Hand::Key { .. } => (0, 0),
        };
        let mut done = Ok(());
        for command in commands(&hand, size) {
            done = device.perform(&command, &grip).await.map(drop);
            if done.is_err() {
                break;
            }
        }
        // Held for this touch only: a run, or another window of the product, may have the phone next.
        if seat.live().is_none() {
            grip.release();
        }
        drop(lock);
        done.map_err(|trouble| DeskError::from(trouble).into())
    }
}

/// The size of the picture the person sees, rotation included.
async fn size(device: &AdbPhone) -> Result<(u32, u32), DeskError> {
    let newest = device.eye().watch().borrow().clone();
    if let Some(frame) = newest.and_then(|picture| picture.frame.clone()) {
        return Ok((frame.width, frame.height));
    }
    let sight = device.see().await?;
    Ok((sight.width, sight.height))
}

fn commands(hand: &Hand, (width, height): (u32, u32)) -> Vec<Command> {
    let x = |fraction: f64| pixel(fraction, width);
    let y = |fraction: f64| pixel(fraction, height);
    match hand {
        Hand::Tap { x: a, y: b } => vec![Command::Tap { x: x(*a), y: y(*b) }],
        Hand::LongPress { x: a, y: b } => vec![Command::LongPress {
            x: x(*a),
            y: y(*b),
            ms: LONG_PRESS_MS,
        }],
        Hand::Drag {
            x1,
            y1,
            x2,
            y2,
            duration_ms,
        } => {
            let ms = (*duration_ms).clamp(50, LONGEST_MS);
            vec![Command::Swipe {
                from: (x(*x1), y(*y1)),
                to: (x(*x2), y(*y2)),
                ms,
            }]
        }
        Hand::Type { text } => vec![Command::Text(text.clone())],
        Hand::Key { key: Key::Rotate } => rotate(width > height),
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
