//! Fields that hold more than anybody writes by hand.

use crate::hand::Hand;
use virtual_phone::android::Android;
use virtual_phone::system::SystemOptions;

/// A note that grows, on a display that shows all of it.
struct Note {
    hand: Hand,
    text: String,
}

impl Note {
    fn new() -> Self {
        let mut options = SystemOptions {
            start: Some("com.android.notes/.EditorActivity".to_owned()),
            ..SystemOptions::default()
        };
        options.profile.phone.size = (1080, 9000);
        let mut hand = Hand::new(options);
        hand.tap("Note");
        Self {
            hand,
            text: String::new(),
        }
    }

    fn write(&mut self, text: &str) {
        for character in text.chars() {
            assert!(self.hand.phone.character(character), "{character:?}");
        }
        self.text.push_str(text);
    }

    /// How large its field is with this letter at the end.
    fn ending(&mut self, letter: char) -> [i32; 4] {
        assert!(self.hand.phone.character(letter), "{letter:?}");
        let whole = format!("{}{letter}", self.text);
        let nodes = self.hand.nodes();
        let field = nodes.iter().find(|node| node.get("text") == whole);
        let bounds = field
            .unwrap_or_else(|| panic!("{} letters are not there", whole.len()))
            .bounds;
        self.hand.key("DEL");
        bounds
    }
}

/// A long text is measured piece by piece as it grows; one with an accent is measured at once. `ç` is as wide as `c`.
#[test]
fn a_long_text_is_as_large_in_pieces_as_it_is_whole() {
    let text = "The quick brown fox jumps over the lazy dog, 100%s sure. ".repeat(60);
    let mut note = Note::new();
    for letters in [1250, 1611] {
        let written = note.text.len();
        note.write(&text[written..letters]);
        let size = note.ending('c');
        assert_eq!(size, note.ending('ç'), "{letters} letters");
        assert!(size[3] - size[1] > 1000, "{size:?}");
    }
}
