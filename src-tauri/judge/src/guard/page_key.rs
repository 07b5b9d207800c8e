//! What makes two looks the same page, so that an opinion on the one holds for the other.

use super::page::{Page, on_page, words};
use protocol::{Element, ElementState, Role};
use sha2::{Digest, Sha256};

/// A page as it is remembered: the app, its version and signers, its amounts of money, and what stands there but for other
/// digits and drafts. What is selected may decide what a button does. Another version or signer is another page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageKey([u8; 32]);

impl PageKey {
    /// `part` counts the questions about one page from 0.
    pub(super) fn of(page: &Page<'_>, part: usize) -> Self {
        let screen = page.screen;
        let mut sum = Sha256::new();
        let mut add = |text: &str| {
            sum.update(text.len().to_le_bytes());
            sum.update(text);
        };
        add(&format!(
            "{part} {} {}x{}",
            page.eyes, screen.width, screen.height
        ));
        for fact in [
            &screen.current_app,
            page.version,
            page.app,
            page.site.unwrap_or_default(),
            page.task,
        ] {
            add(fact);
        }
        add(screen.window.as_deref().unwrap_or_default());
        add(&page.signers.join("\n"));
        // What is free today and what costs something are two pages.
        for (_, amount) in screen::amounts_on(&screen.elements) {
            add(&amount.text);
        }
        on_page(screen).for_each(|element| add(&skeleton(element)));
        Self(sum.finalize().into())
    }
}

/// One element without what changes from look to look.
fn skeleton(element: &Element) -> String {
    let mut parts = vec![
        element.role.to_string(),
        element.resource_id.clone(),
        element.package.clone(),
    ];
    parts.extend(words(element).map(without_numbers));
    // What a field or a slider holds is a draft; of anything else it is part of what it says.
    let draft = matches!(
        element.role,
        Role::Field | Role::Slider | Role::Progress | Role::Rating
    );
    parts.extend(element.value.as_deref().filter(|_| !draft).map(without_numbers));
    let passing = [ElementState::Focused, ElementState::Scrollable];
    let mut states: Vec<String> = element
        .states
        .iter()
        .filter(|s| !passing.contains(s))
        .map(|s| format!("{s:?}"))
        .collect();
    states.sort_unstable();
    parts.extend(states);
    // Without words it is what is drawn there.
    if words(element).next().is_none() && screen::is_actionable(element) {
        parts.push(format!("{:?}", element.bounds));
    }
    parts.join("\u{1f}")
}

/// A text with digits in it, by its letters alone: a time and a count are others tomorrow.
fn without_numbers(text: &str) -> String {
    let counts = text.chars().any(char::is_numeric);
    text.chars().filter(|c| !counts || c.is_alphabetic()).collect()
}
