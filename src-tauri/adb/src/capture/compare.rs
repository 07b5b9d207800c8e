//! Whether two pictures show the same screen: a stream's and another of it, a stream's and a capture.

use protocol::{Bounds, Frame};
use screen::picture::{difference_beyond, scale_to, status_bar};

/// A capture that was scaled stands this far from a stream's picture of the same screen, edge by edge. Another page, or
/// other words, stand farther.
const SCALED_NOISE: u32 = 64;
/// How many pixels at the edge of a stream's picture may not be the screen's.
const EDGE: i32 = 4;

/// Whether a capture shows what the stream does.
pub(crate) async fn shows(capture: &Frame, stream: &Frame) -> bool {
    let (capture, stream) = (capture.clone(), stream.clone());
    let compared = tokio::task::spawn_blocking(move || {
        let (width, height) = (
            i32::try_from(stream.width).unwrap_or(i32::MAX),
            i32::try_from(stream.height).unwrap_or(i32::MAX),
        );
        let span = |left, top, right, bottom| Bounds {
            left,
            top,
            right,
            bottom,
        };
        // A recording has a line of black at an edge where its shape is not quite the screen's.
        let ignored = [
            status_bar(stream.width, stream.height),
            span(0, 0, EDGE, height),
            span(width - EDGE, 0, width, height),
            span(0, height - EDGE, width, height),
        ];
        scale_to(&capture, stream.width, stream.height)
            .is_ok_and(|scaled| difference_beyond(&scaled, &stream, &ignored, SCALED_NOISE).is_none())
    });
    compared.await.unwrap_or(false)
}

/// Where two pictures of a stream differ by more than noise; nothing where they show the same. The status bar has a life of
/// its own, and a caret blinks.
pub(crate) async fn change(old: &Frame, new: &Frame, noise: u32) -> Option<Bounds> {
    let (old, new) = (old.clone(), new.clone());
    let compared = tokio::task::spawn_blocking(move || {
        let bar = status_bar(new.width, new.height);
        let found = difference_beyond(&old, &new, &[bar], noise);
        if found.is_caret() { None } else { found.bounds }
    });
    compared.await.ok().flatten()
}
