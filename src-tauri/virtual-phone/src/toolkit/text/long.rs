//! How large a text is. A long one that grows letter by letter (somebody types ten thousand) is measured piece by piece: only
//! the piece that changed is shaped again, as Android's `DynamicLayout` does it line by line.

use super::{Span, TextStyle, lay_out};
use crate::toolkit::geometry::Metrics;

/// A text of more bytes is measured in pieces.
const LONG: usize = 1200;
/// Bytes of a piece.
const PIECE: usize = 400;

/// Width and height in pixels of a text broken into lines no wider than `width`; of one line a paragraph without it.
pub(crate) fn measure(
    spans: &[Span],
    style: &TextStyle,
    metrics: &Metrics,
    width: Option<f32>,
) -> (f32, f32) {
    if let [span] = spans
        && span.text.len() > LONG
        && span.text.is_ascii()
        && style.max_lines == 0
        && let Some(size) = in_pieces(span, style, metrics, width)
    {
        return size;
    }
    let block = lay_out(spans, style, metrics, width);
    (block.width, block.height)
}

/// None where a text cannot be cut: it has no blanks.
fn in_pieces(span: &Span, style: &TextStyle, metrics: &Metrics, width: Option<f32>) -> Option<(f32, f32)> {
    let text = span.text.as_str();
    let (mut widest, mut height) = (0.0_f32, 0.0_f32);
    // Of the line that goes on from the piece before; only lines that nothing breaks do.
    let mut line = 0.0_f32;
    let (mut at, mut reach) = (0, PIECE);
    loop {
        let end = cut(text, at, at + reach)?;
        let is_last = end == text.len();
        let piece = Span {
            text: text.get(at..end)?.to_owned(),
            ..span.clone()
        };
        let block = lay_out(&[piece], style, metrics, width);
        let last = block.lines.len().checked_sub(1)?;
        if width.is_none() {
            for (number, one) in block.lines.iter().enumerate() {
                if number > 0 {
                    height += one.height;
                    line = 0.0;
                }
                line += one.width;
                widest = widest.max(line);
            }
            if is_last {
                return Some((widest, height + block.lines.first()?.height));
            }
            at = end;
            continue;
        }
        if !is_last && last == 0 {
            // A very wide line: where it ends is not in this piece.
            reach *= 2;
            continue;
        }
        // What follows belongs to the last line, too: it is measured with the next piece.
        let kept = if is_last { last + 1 } else { last };
        for one in block.lines.iter().take(kept) {
            widest = widest.max(one.width);
        }
        height += block.lines.get(kept).map_or(block.height, |next| next.top);
        if is_last {
            return Some((widest, height));
        }
        at += block.lines.get(kept)?.bytes.0;
        reach = PIECE;
    }
}

/// Where a piece that begins at `from` ends: behind the last blank before `until`, or at the end of the text.
fn cut(text: &str, from: usize, until: usize) -> Option<usize> {
    if until >= text.len() {
        return Some(text.len());
    }
    let blank = text.get(from..until)?.rfind(' ')?;
    Some(from + blank + 1)
}
