//! How what has no words looks: a picture drawn anew in the same place may be another button.

use judge::guard::Question;
use protocol::{Bounds, Frame};

/// Cells of one button's picture, each way.
const CELLS: usize = 8;
/// Brightness by which two pictures of one thing differ at most in a cell, of 255: a video's is never twice the same.
const NOISE: u8 = 24;

/// The brightness of each cell of each thing without words, in the order of the question.
#[derive(Clone, Debug)]
pub(super) struct Drawn(Vec<[u8; CELLS * CELLS]>);

impl Drawn {
    pub(super) fn of(question: &Question, picture: Option<&Frame>) -> Self {
        let (width, height) = question.size();
        let bounds = question.asked().iter().filter_map(|asked| asked.drawn);
        Self(
            picture
                .map(|frame| bounds.map(|at| cells(frame, at, (width, height))).collect())
                .unwrap_or_default(),
        )
    }

    pub(super) fn is_like(&self, other: &Self) -> bool {
        let close = |(a, b): (&[u8; CELLS * CELLS], &[u8; CELLS * CELLS])| {
            a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= NOISE)
        };
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(close)
    }
}

/// `size` is the screen's in pixels, which the frame's may be smaller than.
fn cells(frame: &Frame, at: Bounds, size: (u32, u32)) -> [u8; CELLS * CELLS] {
    let across = edges(at.left, at.right, size.0, frame.width);
    let down = edges(at.top, at.bottom, size.1, frame.height);
    let mut cells = [0; CELLS * CELLS];
    for (n, cell) in cells.iter_mut().enumerate() {
        let (x, y) = (n % CELLS, n / CELLS);
        let (mut sum, mut count) = (0_usize, 0_usize);
        for row in down[y]..down[y + 1].max(down[y] + 1) {
            let start = (row * frame.width as usize + across[x]) * 4;
            let end = start + (across[x + 1] - across[x]).max(1) * 4;
            let pixels = frame.rgba.get(start..end).unwrap_or_default();
            for pixel in pixels.chunks_exact(4) {
                sum += usize::from(pixel[0]) + 2 * usize::from(pixel[1]) + usize::from(pixel[2]);
                count += 4;
            }
        }
        *cell = u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX);
    }
    cells
}

/// Where the cells begin, in the frame's pixels.
fn edges(from: i32, to: i32, screen: u32, frame: u32) -> [usize; CELLS + 1] {
    let place = |at: i32| i64::from(at) * i64::from(frame) / i64::from(screen.max(1));
    let most = i64::from(frame);
    let (from, to) = (place(from).clamp(0, most), place(to).clamp(0, most));
    let mut edges = [0; CELLS + 1];
    for (n, edge) in (0_i64..).zip(&mut edges) {
        let cells = i64::try_from(CELLS).unwrap_or(1);
        *edge = usize::try_from(from + (to - from) * n / cells).unwrap_or(0);
    }
    edges
}
