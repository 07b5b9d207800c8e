//! How large the phone's screen is, and how it is turned, as it says itself.

use crate::connect::server::Device;
use crate::dumpsys::displays::{self, Viewport};
use crate::dumpsys::screen;
use crate::error::AdbError;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(4);

/// A screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Screen {
    /// Pixels, upright.
    pub(super) natural: (u16, u16),
    /// Quarter turns.
    pub(super) turns: u8,
}

impl Screen {
    /// Its size as it is turned.
    pub(super) fn turned(self) -> (u16, u16) {
        let (width, height) = self.natural;
        if self.turns % 2 == 1 {
            (height, width)
        } else {
            (width, height)
        }
    }
}

/// Asks for both; nothing when the phone does not say.
pub(super) async fn look(device: &Device) -> Option<Screen> {
    let said = device.look("wm size; dumpsys input", LIMIT).await.ok()?.text();
    let (width, height) = screen::size(&said)?;
    Some(Screen {
        natural: (u16::try_from(width).ok()?, u16::try_from(height).ok()?),
        turns: screen::rotation(&said).unwrap_or(0),
    })
}

/// Of several displays, the one a person looks at, where the phone tells. A phone with one panel has nothing to tell: none.
///
/// # Errors
/// When it cannot be asked.
pub(crate) async fn of_several(device: &Device) -> Result<Option<Viewport>, AdbError> {
    let line = "dumpsys SurfaceFlinger --display-id; dumpsys display";
    let said = device.look(line, LIMIT).await?.text();
    let is_one = displays::panels(&said).len() < 2;
    Ok(displays::shown(&displays::viewports(&said)).filter(|_| !is_one))
}

/// A size with its sides as the picture has them: a stream shows the screen as it is turned, and says nothing of it.
pub(super) fn turned_as((width, height): (u16, u16), picture: (u16, u16)) -> (u16, u16) {
    if (width > height) == (picture.0 > picture.1) {
        (width, height)
    } else {
        (height, width)
    }
}

/// Whether a picture may be of such a screen, whichever way it is turned: their shapes are nearly the same.
pub(super) fn is_of(screen: (u16, u16), picture: (u16, u16)) -> bool {
    let shape =
        |(width, height): (u16, u16)| f64::from(width.max(height)) / f64::from(width.min(height).max(1));
    (shape(screen) / shape(picture) - 1.0).abs() < 0.06
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_tells_how_the_screen_is_turned_and_whether_it_is_another() {
        assert_eq!(turned_as((1080, 2400), (576, 1280)), (1080, 2400));
        assert_eq!(turned_as((1080, 2400), (1280, 576)), (2400, 1080));
        assert_eq!(turned_as((2400, 1080), (576, 1280)), (1080, 2400));
        assert!(is_of((1080, 2400), (576, 1280)) && is_of((1080, 2400), (1280, 576)));
        // A foldable, opened.
        assert!(!is_of((1080, 2400), (1280, 1200)));
    }
}
