//! What makes two looks the same page, so that an opinion on the one holds for the other.

use super::Page;
use super::ask::PRESSABLES;
use protocol::{Element, Screen, State};
use sha2::{Digest, Sha256};

/// A page as it is remembered: the app, its version and signer, and what stands on it but for digits, drafts and what is
/// selected. Another version or signer is another page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageKey {
    package: String,
    version: String,
    signers: Vec<String>,
    part: usize,
    skeleton: [u8; 32],
}

impl PageKey {
    /// The page's key; `part` counts its questions from 0.
    pub(super) fn of(page: &Page<'_>, part: usize) -> Self {
        let screen = page.screen;
        let mut sum = Sha256::new();
        let mut add = |text: &str| {
            sum.update(text.len().to_le_bytes());
            sum.update(text);
        };
        add(screen.window.as_deref().unwrap_or_default());
        add(page.site.unwrap_or_default());
        add(page.task);
        add(if page.eyes { "eyes" } else { "" });
        let on_page = screen
            .elements
            .iter()
            .filter(|element| element.role != "keyboard_key");
        for element in on_page {
            add(&skeleton(element, screen));
        }
        let mut signers = page.signers.to_vec();
        signers.sort_unstable();
        Self {
            package: screen.current_app.clone(),
            version: page.version.to_owned(),
            signers,
            part,
            skeleton: sum.finalize().into(),
        }
    }

    /// The app.
    #[must_use]
    pub fn package(&self) -> &str {
        &self.package
    }

    /// How many pressables were asked about before.
    #[must_use]
    pub fn before(&self) -> usize {
        self.part * PRESSABLES
    }
}

/// One element without what changes from look to look.
fn skeleton(element: &Element, screen: &Screen) -> String {
    let mut parts = vec![
        element.role.clone(),
        element.resource_id.clone(),
        element.package.clone(),
    ];
    parts.extend(words(element).map(without_numbers));
    // What it holds is a draft; of anything else it is part of what it says.
    if !matches!(element.role.as_str(), "field" | "slider" | "progress" | "rating") {
        parts.extend(element.value.as_deref().map(without_numbers));
    }
    let lasting = [
        (State::Clickable, "c"),
        (State::LongClickable, "l"),
        (State::Checkable, "k"),
        (State::Checked, "+"),
        (State::Disabled, "-"),
        (State::Password, "p"),
        (State::Editable, "e"),
    ];
    let states = lasting.iter().filter(|(state, _)| element.states.contains(state));
    parts.push(states.map(|(_, mark)| *mark).collect());
    // Without words it is what is drawn there.
    if words(element).next().is_none() && screen::is_actionable(element) {
        let b = element.bounds;
        parts.push(format!(
            "{},{},{},{} {}x{}",
            b.left, b.top, b.right, b.bottom, screen.width, screen.height
        ));
    }
    parts.join("\u{1f}")
}

/// A text with digits in it, by its letters alone: a time, a price, a count are other ones tomorrow.
fn without_numbers(text: &str) -> String {
    if text.chars().any(char::is_numeric) {
        text.chars().filter(|c| c.is_alphabetic()).collect()
    } else {
        text.to_owned()
    }
}

/// What stands on it, and what the app says of it.
pub(super) fn words(element: &Element) -> impl Iterator<Item = &str> {
    let texts = [Some(element.label.as_str()), element.description.as_deref()];
    texts
        .into_iter()
        .flatten()
        .filter(|text| text.chars().any(|c| !c.is_whitespace() && !is_invisible(c)))
}

/// Characters that show nothing: joiners, marks of direction, tags.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}
