//! How what has no words looks: a picture drawn anew in the same place may be another button.

use judge::guard::Question;
use protocol::{Bounds, Frame};
use screen::picture::{Scale, cells, crop};

/// Cells of one button's picture, each way.
const CELLS: usize = 8;
/// Brightness by which two pictures of one thing differ at most in a cell, of 255: a video's is never twice the same.
const NOISE: u8 = 24;

/// The brightness of each cell of each thing without words, in the order of the question; absent where the picture has less than
/// a pixel for it.
#[derive(Clone, Debug)]
pub(super) struct PictureFingerprint(Vec<Option<u8>>);

impl PictureFingerprint {
    pub(super) fn of(question: &Question, picture: Option<&Frame>) -> Self {
        let bounds = question.asked().iter().filter_map(|asked| asked.drawn);
        let all = picture.map(|frame| {
            bounds
                .flat_map(|at| brightness(frame, at, question.size()))
                .collect()
        });
        Self(all.unwrap_or_default())
    }

    /// What cannot be told apart is not alike.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let close = |pair| matches!(pair, (Some(a), Some(b)) if u8::abs_diff(a, b) <= NOISE);
        self.0.len() == other.0.len() && self.0.iter().copied().zip(other.0.iter().copied()).all(close)
    }
}

fn brightness(frame: &Frame, at: Bounds, screen: (u32, u32)) -> Vec<Option<u8>> {
    let part = crop(frame, Scale::of(screen, frame).on_picture(at));
    part.map_or_else(|_| vec![None], |part| cells(&part, CELLS).collect())
}
