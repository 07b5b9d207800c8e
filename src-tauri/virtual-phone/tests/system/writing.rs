//! Fields that hold more than anybody writes by hand.

use crate::hand::Hand;
use virtual_phone::android::Android;
use virtual_phone::system::SystemOptions;

/// A note on a display that shows all of it, and how large its field is.
fn field(text: &str) -> [i32; 4] {
    let mut options = SystemOptions {
        start: Some("com.android.notes/.EditorActivity".to_owned()),
        ..SystemOptions::default()
    };
    options.profile.phone.size = (1080, 9000);
    let mut hand = Hand::new(options);
    hand.tap("Note");
    for character in text.chars() {
        assert!(hand.phone.character(character), "{character:?}");
    }
    let nodes = hand.nodes();
    let field = nodes.iter().find(|node| node.get("text") == text);
    field
        .unwrap_or_else(|| panic!("{} letters are not there", text.len()))
        .bounds
}

/// A long text is measured piece by piece as it grows; one with an accent is measured at once. `ç` is as wide as `c`.
#[test]
fn a_long_text_is_as_large_in_pieces_as_it_is_whole() {
    let text = "The quick brown fox jumps over the lazy dog, 100%s sure. ".repeat(60);
    for letters in [1250, 1611] {
        let plain = format!("{}c", &text[..letters]);
        let accented = format!("{}ç", &text[..letters]);
        let size = field(&plain);
        assert_eq!(size, field(&accented), "{letters} letters");
        assert!(size[3] - size[1] > 1000, "{size:?}");
    }
}
