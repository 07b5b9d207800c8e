//! Whether two pictures show the same screen.
//!
//! Two captures are compared pixel by pixel. Two pictures of a stream, and a stream's beside a capture, differ by what scaling
//! and coding make of every edge: how far that goes depends on the bits the stream has. What lies between that noise and what no
//! coding does is called unsure, and whoever must be certain looks again.

use crate::ports::{Phone, PictureSource, RawObservation};
use protocol::{CaptureResult, Frame, Screen};
use screen::picture::{self, CODING_NOISE, Difference};

/// How far a square of pixels (of 255, on average) stands from the same of a capture in a stream of few bits: text coded by
/// x264 at 2.8 Mbit/s has single squares up to here. Another digit or word stands farther.
const FEW_BITS: u32 = 64;

/// What two pictures say of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    /// They show the same, the status bar and a caret aside.
    Same,
    /// They may: what differs is no more than coding can make.
    Unsure,
    /// They do not.
    Differs,
}

impl Likeness {
    pub(super) fn is_same(self) -> bool {
        self == Self::Same
    }

    /// Whether something changed, where that can be told.
    pub(super) fn changed(self) -> Option<bool> {
        match self {
            Self::Same => Some(false),
            Self::Unsure => None,
            Self::Differs => Some(true),
        }
    }
}

/// A picture and where it came from.
#[derive(Clone, Copy)]
pub(super) struct Pictured<'a> {
    pub(super) frame: &'a Frame,
    pub(super) source: PictureSource,
}

/// Whether a sight shows what a screen showed, whose picture came from `source`.
pub(super) fn of_sight(screen: &Screen, source: PictureSource, sight: &RawObservation) -> Likeness {
    if screen.current_app != sight.app || (screen.width, screen.height) != (sight.width, sight.height) {
        return Likeness::Differs;
    }
    match (&screen.frame, &sight.frame) {
        (Some(a), Some(b)) => of_pictures(
            Pictured { frame: a, source },
            Pictured {
                frame: b,
                source: sight.source,
            },
        ),
        (None, None) => Likeness::Same,
        _ => Likeness::Differs,
    }
}

/// Whether two captures are the same to the pixel, the status bar aside: a digit of pale letters is enough to tell them apart.
/// `caret`: a text cursor that blinked does not count. False where one of them is no capture.
pub(super) fn is_identical(
    screen: &Screen,
    source: PictureSource,
    sight: &RawObservation,
    caret: bool,
) -> bool {
    if [source, sight.source] != [PictureSource::Capture; 2]
        || screen.current_app != sight.app
        || (screen.width, screen.height) != (sight.width, sight.height)
    {
        return false;
    }
    let (Some(a), Some(b)) = (&screen.frame, &sight.frame) else {
        return false;
    };
    let difference = differing(a, b, 0);
    difference.is_none() || caret && difference.is_caret()
}

/// Whether anything was drawn since a look; nothing where no stream can tell.
pub(super) async fn drawn_since(phone: &dyn Phone, before: &RawObservation) -> Option<bool> {
    phone.changed_since(before.mark?).await
}

/// Whether a picture shows what a screen showed: two captures to the pixel, a caret aside.
pub(super) fn shows_same(screen: &Screen, source: PictureSource, sight: &RawObservation) -> bool {
    if [source, sight.source] == [PictureSource::Capture; 2] {
        return is_identical(screen, source, sight, true);
    }
    of_sight(screen, source, sight).is_same()
}

/// A screen that gives no picture cannot be compared.
pub(super) fn is_picture(sight: &RawObservation) -> bool {
    sight.frame.is_some() && sight.capture == CaptureResult::Ok
}

/// Whether two pictures show the same.
pub(super) fn of_pictures(a: Pictured<'_>, b: Pictured<'_>) -> Likeness {
    let is_same_size = (a.frame.width, a.frame.height) == (b.frame.width, b.frame.height);
    if is_same_size && a.source == PictureSource::Capture && b.source == PictureSource::Capture {
        let difference = differing(a.frame, b.frame, picture::NOISE);
        return if is_nothing(&difference) {
            Likeness::Same
        } else {
            Likeness::Differs
        };
    }
    let (large, small) = if a.frame.width > b.frame.width {
        (a.frame, b.frame)
    } else {
        (b.frame, a.frame)
    };
    if is_same_size {
        return coded(large, small);
    }
    match picture::scale_to(large, small.width, small.height) {
        Ok(scaled) => coded(&scaled, small),
        Err(_) => Likeness::Differs,
    }
}

/// Where two pictures certainly differ, the status bar not left out, and the width of the picture that is measured on.
pub(super) fn certain_difference(a: Pictured<'_>, b: Pictured<'_>) -> (Difference, u32) {
    let noise = match (a.source, b.source) {
        (PictureSource::Capture, PictureSource::Capture) => picture::NOISE,
        (PictureSource::Stream, PictureSource::Stream) => CODING_NOISE,
        _ => FEW_BITS,
    };
    let (large, small) = if a.frame.width > b.frame.width {
        (a.frame, b.frame)
    } else {
        (b.frame, a.frame)
    };
    let scaled = picture::scale_to(large, small.width, small.height);
    let large = scaled.as_ref().unwrap_or(large);
    (picture::difference_beyond(large, small, &[], noise), small.width)
}

/// The same where at least one was coded or scaled.
fn coded(a: &Frame, b: &Frame) -> Likeness {
    if is_nothing(&differing(a, b, CODING_NOISE)) {
        return Likeness::Same;
    }
    if is_nothing(&differing(a, b, FEW_BITS)) {
        return Likeness::Unsure;
    }
    Likeness::Differs
}

fn differing(a: &Frame, b: &Frame, noise: u32) -> Difference {
    let bar = picture::status_bar(b.width, b.height);
    picture::difference_beyond(a, b, &[bar], noise)
}

fn is_nothing(difference: &Difference) -> bool {
    difference.is_none() || difference.is_caret()
}

#[cfg(test)]
mod tests {
    use super::*;
    use PictureSource::{Capture, Stream};

    /// A grey page with one 4×4 square of it shifted by so much, 40 wide and 400 high.
    fn page(shift: u8) -> Frame {
        let mut rgba = [100, 100, 100, 255].repeat(40 * 400);
        for y in 200..204 {
            for x in 20..24 {
                let at = (y * 40 + x) * 4;
                rgba[at..at + 3].fill(100 + shift);
            }
        }
        Frame {
            width: 40,
            height: 400,
            rgba: rgba.into(),
        }
    }

    fn check(shift: u8, sources: [PictureSource; 2], expected: Likeness) {
        let (a, b) = (page(0), page(shift));
        let [one, other] = sources;
        let pictured = |frame, source| Pictured { frame, source };
        let found = of_pictures(pictured(&a, one), pictured(&b, other));
        assert_eq!(found, expected, "{shift} {sources:?}");
        let turned = of_pictures(pictured(&b, other), pictured(&a, one));
        assert_eq!(turned, expected, "the other way round: {shift} {sources:?}");
    }

    #[test]
    fn captures_are_compared_closely_and_streams_by_what_coding_does() {
        check(0, [Capture, Capture], Likeness::Same);
        check(20, [Capture, Capture], Likeness::Differs);
        check(20, [Stream, Stream], Likeness::Same);
        check(20, [Stream, Capture], Likeness::Same);
        check(50, [Stream, Capture], Likeness::Unsure);
        check(50, [Stream, Stream], Likeness::Unsure);
        check(90, [Stream, Capture], Likeness::Differs);
        check(90, [Stream, Stream], Likeness::Differs);
    }
}
