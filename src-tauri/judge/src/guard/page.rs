//! A page that is asked about, and what of it is read.

use protocol::{Element, Role, Screen};

/// What a page is asked about with.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The look, already without the secrets that are known.
    pub screen: &'a Screen,
    /// The person's task, in their words.
    pub task: &'a str,
    /// What the app is called; empty where nobody knows.
    pub app: &'a str,
    /// The site a browser shows, where it can be read for certain.
    pub site: Option<&'a str>,
    /// The app's version; empty where nobody knows.
    pub version: &'a str,
    /// Who signed it.
    pub signers: &'a [String],
    /// There is a picture, and whoever answers looks at pictures.
    pub eyes: bool,
}

/// What can be pressed, in reading order. The keyboard is no part of a page.
pub(super) fn pressables(screen: &Screen) -> impl Iterator<Item = &Element> {
    on_page(screen).filter(|element| screen::is_actionable(element))
}

pub(super) fn on_page(screen: &Screen) -> impl Iterator<Item = &Element> {
    screen
        .elements
        .iter()
        .filter(|element| element.role != Role::KeyboardKey)
}

/// What stands on it, and what the app says of it, where either says something.
pub(super) fn words(element: &Element) -> impl Iterator<Item = &str> {
    let texts = [Some(element.label.as_str()), element.description.as_deref()];
    let says = |text: &&str| text.chars().any(|c| !c.is_whitespace() && !is_invisible(c));
    texts.into_iter().flatten().filter(says)
}

/// Characters that show nothing: joiners, marks of direction, tags.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}
