//! Codes and passwords a person supplied: from then on they are replaced in every tree and flat in every picture.

use protocol::{Bounds, Element, ElementState, Frame, Screen};
use screen::picture::{self, Scale};
use secrecy::SecretString;
use std::collections::BTreeSet;

/// What stands where a secret stood.
pub(crate) const MASK: &str = "••••••";
/// The colour of a blanked field: neither the page's nor the text's.
const FLAT: picture::Colour = [0x8b, 0x85, 0x7b];

/// Every secret of one run.
#[derive(Clone, Default)]
pub struct Secrets {
    supplied: Vec<Supplied>,
    /// A one-time code is wanted in this run: code-like words on any screen are masked from the model.
    code_wanted: bool,
}

/// How much is kept from whoever looks ([`Secrets::mask_level`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaskLevel {
    supplied: usize,
    code_wanted: bool,
}

#[derive(Clone)]
struct Supplied {
    value: SecretString,
    /// Absent: nobody gave it for a field, it was come upon.
    field: Option<Field>,
}

/// What a secret was given for.
#[derive(Clone)]
struct Field {
    app: String,
    bounds: Bounds,
    track_id: String,
}

/// A screen and its picture as they may be told, stored and sent.
#[derive(Clone, Debug)]
pub struct Masked {
    /// Words replaced.
    pub screen: Screen,
    /// Fields flat.
    pub picture: Option<Frame>,
}

impl Secrets {
    /// A page wants a code: until the run ends, code-like words are not shown to the model.
    pub fn expect_code(&mut self) {
        self.code_wanted = true;
    }

    /// How much is kept from whoever looks: it only grows, and a screen that was masked before it did is masked anew.
    #[must_use]
    pub fn mask_level(&self) -> MaskLevel {
        MaskLevel {
            supplied: self.supplied.len(),
            code_wanted: self.code_wanted,
        }
    }

    /// Something must be kept from whoever looks: a secret was supplied, or a code is expected.
    #[must_use]
    pub fn on_guard(&self) -> bool {
        self.code_wanted || !self.supplied.is_empty()
    }

    /// Remembers what was supplied, and for which field.
    pub fn add(&mut self, value: SecretString, screen: &Screen, field: &Element) {
        let field = Some(Field {
            app: screen.current_app.clone(),
            bounds: field.bounds,
            track_id: field.track_id.clone(),
        });
        self.supplied.push(Supplied { value, field });
    }

    /// Remembers a code that was come upon: it is kept from whoever looks, and nobody agreed to anything by it.
    pub fn keep_out(&mut self, value: SecretString) {
        self.supplied.push(Supplied { value, field: None });
    }

    /// Whether a secret was supplied for a field that stands on this screen: a code for signing in is none for what the app
    /// asks to confirm later.
    #[must_use]
    pub fn supplied_on(&self, screen: &Screen) -> bool {
        let mut fields = self.supplied.iter().filter_map(|secret| secret.field.as_ref());
        fields.any(|field| {
            let is_it = |element: &Element| element.track_id == field.track_id && !field.track_id.is_empty();
            field.app == screen.current_app && screen.elements.iter().any(is_it)
        })
    }

    /// Whether a supplied secret stands in this text, spaced or dashed forms included.
    #[must_use]
    pub fn appear_in(&self, text: &str) -> bool {
        self.supplied
            .iter()
            .any(|secret| screen::mask_text(text, &secret.value, MASK).is_some())
    }

    /// The text without any supplied secret.
    #[must_use]
    pub fn hide(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for secret in &self.supplied {
            if let Some(hidden) = screen::mask_text(&out, &secret.value, MASK) {
                out = hidden;
            }
        }
        out
    }

    /// The same for words that were read from the phone: while a code is wanted in this run, none is kept.
    #[must_use]
    pub fn hide_read(&self, text: &str) -> String {
        let hidden = self.hide(text);
        if !self.code_wanted {
            return hidden;
        }
        let speaks = judge::mentions_code(&hidden);
        let lines = hidden.split('\n');
        let lines: Vec<String> = lines
            .map(|line| without_codes(line, speaks).unwrap_or_else(|| line.to_owned()))
            .collect();
        lines.join("\n")
    }

    /// The screen as its person may see it: without what was supplied.
    #[must_use]
    pub fn without_supplied(&self, screen: &Screen) -> Screen {
        self.mask_supplied(screen).0
    }

    /// The same, and where it stood.
    fn mask_supplied(&self, screen: &Screen) -> (Screen, Vec<Bounds>) {
        let mut masked = screen.clone();
        let mut flat: Vec<Bounds> = Vec::new();
        for secret in &self.supplied {
            flat.extend(screen::mask(&mut masked, &secret.value, MASK));
            let fields = secret.field.as_ref().map(|field| field_of(field, screen));
            let fields = fields.unwrap_or_default();
            // A cell holds one character of it, which the words alone do not give away as a part of the whole.
            for element in masked
                .elements
                .iter_mut()
                .filter(|element| fields.contains(&element.bounds))
            {
                element.value = element
                    .value
                    .take()
                    .filter(String::is_empty)
                    .or_else(|| Some(MASK.to_owned()));
                if element.label.chars().count() <= 1 {
                    element.label.clear();
                }
                element.description = element.description.take().filter(|text| text.chars().count() > 1);
            }
            flat.extend(fields);
        }
        (masked, flat)
    }

    /// The screen without its secrets.
    #[must_use]
    pub fn mask(&self, screen: &Screen) -> Masked {
        let (mut masked, mut flat) = self.mask_supplied(screen);
        if self.code_wanted {
            flat.extend(mask_codes(&mut masked.elements));
        }
        // What a password field shows is nobody's business, dots included: their number is the password's length.
        let passwords = screen
            .elements
            .iter()
            .filter(|element| element.states.contains(&ElementState::Password));
        flat.extend(passwords.map(|element| element.bounds));
        let picture = screen.frame.as_ref().map(|frame| {
            let mut frame = frame.clone();
            let scale = Scale::of((screen.width, screen.height), &frame);
            for bounds in &flat {
                picture::fill(&mut frame, covering(*bounds, scale), FLAT);
            }
            frame
        });
        masked.frame.clone_from(&picture);
        Masked {
            screen: masked,
            picture,
        }
    }
}

/// What of the picture shows a rectangle of the screen. Scaling mixes neighbours: a smaller picture gets a pixel more.
fn covering(b: Bounds, scale: Scale) -> Bounds {
    let more = i32::from(scale.screen != scale.picture);
    let on = scale.on_picture(b);
    Bounds {
        left: on.left.saturating_sub(more),
        top: on.top.saturating_sub(more),
        right: on.right.saturating_add(more),
        bottom: on.bottom.saturating_add(more),
    }
}

/// Where the secret's field is on this screen: found again, or where it was when nothing could be read.
fn field_of(secret: &Field, screen: &Screen) -> Vec<Bounds> {
    if screen.current_app != secret.app {
        return Vec::new();
    }
    if !screen.tree_read {
        return vec![secret.bounds];
    }
    let same = |element: &&Element| element.track_id == secret.track_id || element.bounds == secret.bounds;
    let Some(field) = screen.elements.iter().find(same) else {
        return Vec::new();
    };
    // Where a code has a cell for each character, all of them hold it.
    let in_row = |element: &&Element| {
        element.states.contains(&ElementState::Editable)
            && (element.bounds.top - field.bounds.top).abs() < 20
            && (element.bounds.bottom - field.bounds.bottom).abs() < 20
    };
    let mut row: Vec<Bounds> = screen
        .elements
        .iter()
        .filter(in_row)
        .map(|element| element.bounds)
        .collect();
    row.push(field.bounds);
    row
}

/// Takes the codes out of a screen's words; where they stood.
fn mask_codes(elements: &mut [Element]) -> Vec<Bounds> {
    let speaks = elements.iter().flat_map(texts).any(judge::mentions_code);
    // The digits of an amount whose currency is drawn beside them look like a code by themselves.
    let priced: BTreeSet<u32> = screen::amounts_on(elements)
        .into_iter()
        .map(|(index, _)| index)
        .collect();
    let plain = |text: &str| screen::amounts(text).is_empty() && !judge::mentions_code(text);
    let beside = |element: &Element| priced.contains(&element.index) && texts(element).all(plain);
    let all = elements.iter_mut().filter(|element| !beside(element));
    all.filter_map(|element| mask_code(element, speaks)).collect()
}

/// What stands on an element.
fn texts(element: &Element) -> impl Iterator<Item = &str> {
    let more = [element.value.as_deref(), element.description.as_deref()];
    std::iter::once(element.label.as_str()).chain(more.into_iter().flatten())
}

/// Whether a code stands on the screen to be read, before any field wants one: in a text that speaks of it, or in an app that
/// makes codes.
pub(crate) fn shows_code(screen: &Screen) -> bool {
    let makes = judge::makes_codes(&screen.current_app);
    let told = |element: &Element| {
        let mut texts = [Some(element.label.as_str()), element.description.as_deref()]
            .into_iter()
            .flatten();
        texts.any(|text| !screen::codes_in(text, true).is_empty() && (makes || judge::mentions_code(text)))
    };
    screen.elements.iter().any(told)
}

/// Takes a code out of an element's words; gives its place when there was one.
fn mask_code(element: &mut Element, speaks: bool) -> Option<Bounds> {
    let without = |text: &str| without_codes(text, speaks);
    let label = without(&element.label);
    let value = element.value.as_deref().and_then(without);
    let description = element.description.as_deref().and_then(without);
    let found = label.is_some() || value.is_some() || description.is_some();
    if let Some(label) = label {
        element.label = label;
    }
    if value.is_some() {
        element.value = value;
    }
    if description.is_some() {
        element.description = description;
    }
    found.then_some(element.bounds)
}

/// Everything that looks like a one-time code, replaced. Absent: there is none. What `speaks` of a code speaks of the word that
/// stands alone beside it too.
fn without_codes(text: &str, speaks: bool) -> Option<String> {
    let alone = || text.trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let codes = screen::codes_in(text, judge::mentions_code(text) || speaks && alone());
    let mut out = text.to_owned();
    for place in codes.iter().rev() {
        out.replace_range(place.clone(), MASK);
    }
    (!codes.is_empty()).then_some(out)
}
