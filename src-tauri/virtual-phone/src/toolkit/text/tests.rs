//! What the text engine makes of words.

use super::{Align, Block, Span, TextStyle, lay_out, with_glyphs};
use crate::toolkit::color::Color;
use crate::toolkit::geometry::Metrics;
use std::sync::Arc;

const PHONE: Metrics = Metrics {
    density: 2.625,
    font_scale: 1.0,
};

fn laid(text: &str, style: &TextStyle, width: Option<f32>) -> Arc<Block> {
    lay_out(&[Span::plain(text)], style, &PHONE, width)
}

fn style() -> TextStyle {
    TextStyle::new(16.0, Color::BLACK)
}

/// Characters of a text that no font of the phone has.
fn missing(text: &str) -> String {
    let of = |c: char| {
        let block = laid(&c.to_string(), &style(), None);
        block
            .lines
            .iter()
            .flat_map(|line| &line.glyphs)
            .any(|glyph| glyph.glyph_id == 0)
    };
    text.chars().filter(|c| of(*c)).collect()
}

#[test]
fn the_phone_can_write_what_its_screens_say() {
    assert_eq!(
        missing("éèêüößçñ ÀÉ €£¥ ‘’ “” … • · – — − × ÷ ½ ¼ ° © ® ™ ‑ Ελ Жж"),
        ""
    );
    let emoji: String = include_str!("../../../assets/emoji.txt")
        .chars()
        .filter(|c| *c as u32 >= 0x2600)
        .collect();
    assert!(emoji.chars().count() > 150);
    assert_eq!(missing(&emoji), "");
}

#[test]
fn what_no_font_has_is_a_box_and_not_a_gap() {
    for text in ["中", "ع", "🦄"] {
        assert_eq!(missing(text), text);
        let mut inked = false;
        let block = laid(text, &style(), None);
        with_glyphs(&block, (0, 0), block.width, Align::Start, |image, _, _, _| {
            inked |= image.data.iter().any(|p| *p > 0)
        });
        assert!(inked, "{text} shows something");
    }
}

#[test]
fn emoji_are_drawn_in_colour_and_letters_as_masks() {
    let depth = |text: &str| {
        let mut depth = Vec::new();
        let block = laid(text, &style(), None);
        with_glyphs(&block, (0, 0), block.width, Align::Start, |image, _, _, _| {
            depth.push(image.content)
        });
        depth
    };
    assert_eq!(depth("🥛☕"), [cosmic_text::SwashContent::Color; 2]);
    assert_eq!(depth("ab"), [cosmic_text::SwashContent::Mask; 2]);
}

#[test]
fn lines_break_between_words_and_carets_find_them_again() {
    let text = "Running about 10 minutes late";
    let block = laid(text, &style(), Some(450.0));
    let lines: Vec<&str> = block
        .lines
        .iter()
        .map(|line| text[line.bytes.0..line.bytes.1].trim())
        .collect();
    assert_eq!(lines, ["Running about 10", "minutes late"]);
    for (byte, _) in text.char_indices() {
        let (x, top, height) = block.caret(byte);
        assert_eq!(
            block.byte_at(x + 0.5, top + height / 2.0),
            byte,
            "{byte} at {x}, {top}"
        );
    }
    let (x, top, _) = block.caret(text.len());
    assert!(
        (x - block.lines[1].width).abs() < 0.1 && top > 0.0,
        "behind the last letter"
    );
}

#[test]
fn a_line_end_begins_a_line_also_an_empty_one() {
    let block = laid("a\n\nb", &style(), Some(500.0));
    assert_eq!(block.lines.len(), 3);
    assert_eq!(block.caret(2).1, block.lines[1].top);
    assert_eq!(
        laid("", &style(), None).lines.len(),
        1,
        "an empty text is one line high"
    );
}

#[test]
fn a_shortened_text_ends_in_dots_and_begins_lines_with_words() {
    let long = "Ferns for the hallway, tulips if they have red ones, and the lemon tree";
    let two = TextStyle {
        max_lines: 2,
        ..style()
    };
    let block = laid(long, &two, Some(420.0));
    assert_eq!(block.lines.len(), 2);
    assert!(block.lines.iter().all(|line| line.width <= 421.0));
    assert!(
        block.lines[1]
            .glyphs
            .first()
            .is_some_and(|glyph| glyph.x.abs() < 0.1 && long.as_bytes()[glyph.start] != b' ')
    );
    let whole = laid(long, &style(), Some(420.0));
    assert!(whole.lines.len() > 2 && whole.height > block.height);
}

#[test]
fn the_size_a_person_chose_makes_text_larger() {
    let large = Metrics {
        font_scale: 1.3,
        ..PHONE
    };
    let small = laid("Hello", &style(), None);
    let larger = lay_out(&[Span::plain("Hello")], &style(), &large, None);
    assert!((larger.width / small.width - 1.3).abs() < 0.02);
}
