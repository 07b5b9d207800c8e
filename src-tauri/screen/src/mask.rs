//! Secrets taken out of what is shown, and what looks like one.

use crate::target::is_actionable;
use crate::text::digit;
use protocol::{Bounds, Element, ElementState, Role, Screen};
use secrecy::{ExposeSecret, SecretString};
use std::collections::HashMap;
use std::fmt::Write as _;

/// A secret shorter than this is replaced only where it stands alone: `1` is in every amount.
const SHORT: usize = 3;

/// Takes a secret out of every element's label, description and value: as it is, in any case, in any script's digits, spaced
/// (`482 913`, `4 8 2 9 1 3`) or dashed, and spread over fields of one character each. Gives the rectangles of the
/// elements that showed it and of every password field, to be filled in the picture.
///
/// Where the tree is at hand, [`Tree::mask`](crate::Tree::mask) is better: it makes the track ids anew.
pub fn mask(screen: &mut Screen, secret: &SecretString, replacement: &str) -> Vec<Bounds> {
    mask_elements(&mut screen.elements, secret, replacement)
}

/// The same for a list of elements.
pub fn mask_elements(elements: &mut [Element], secret: &SecretString, replacement: &str) -> Vec<Bounds> {
    let secret = Secret::new(secret);
    let mut shown: Vec<usize> = secret.spread(elements);
    for at in &shown {
        let element = &mut elements[*at];
        forget_track(element);
        let part = part(element);
        if bare(&element.label) == part {
            replacement.clone_into(&mut element.label);
        }
        for text in [&mut element.value, &mut element.description] {
            if text.as_deref().is_some_and(|text| bare(text) == part) {
                *text = Some(replacement.to_owned());
            }
        }
    }
    for (at, element) in elements.iter_mut().enumerate() {
        let label = secret.replaced(&element.label, replacement);
        let replaced = |text: &Option<String>| {
            let text = text.as_deref()?;
            secret.replaced(text, replacement)
        };
        let (value, description) = (replaced(&element.value), replaced(&element.description));
        if label.is_some() || value.is_some() || description.is_some() {
            shown.push(at);
        }
        if description.is_some() {
            element.description = description;
        }
        if let Some(label) = label {
            element.label = label;
            forget_track(element);
        }
        if let Some(value) = value {
            element.value = Some(value);
        }
    }
    for (at, element) in elements.iter().enumerate() {
        if element.states.contains(&ElementState::Password) {
            shown.push(at);
        }
    }
    shown.sort_unstable();
    shown.dedup();
    shown.into_iter().map(|at| elements[at].bounds).collect()
}

/// A track id is made of the words it names: from a label that held a code, the code could be guessed back.
fn forget_track(element: &mut Element) {
    element.track_id = format!("masked.{}", element.index);
}

/// The same for one text; also where it stands there escaped, as in a dump of the tree or an address. Absent: the secret does
/// not stand in it.
#[must_use]
pub fn mask_text(text: &str, secret: &SecretString, replacement: &str) -> Option<String> {
    let plain = Secret::new(secret).replaced(text, replacement);
    let mut masked = plain;
    for escaped in escaped(secret) {
        let now = masked.as_deref().unwrap_or(text);
        masked = Secret::new(&escaped).replaced(now, replacement).or(masked);
    }
    masked
}

/// A secret as XML, an address and JSON write it, where that is another text.
fn escaped(secret: &SecretString) -> Vec<SecretString> {
    let plain = secret.expose_secret();
    let xml = |quote: &str, apostrophe: &str| {
        let text = plain
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        text.replace('"', quote).replace('\'', apostrophe)
    };
    let mut address = String::new();
    for byte in plain.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            address.push(char::from(byte));
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
    }
    let json = plain.replace('\\', "\\\\").replace('"', "\\\"");
    let forms = [
        xml("\"", "'"),
        xml("&quot;", "'"),
        xml("&quot;", "&apos;"),
        xml("&quot;", "&#39;"),
        address.replace("%20", "+"),
        address,
        json,
    ];
    let mut other: Vec<String> = forms.into_iter().filter(|form| form != plain).collect();
    other.dedup();
    other.into_iter().map(SecretString::from).collect()
}

/// Whether a text as a whole looks like a one-time code: four to eight digits, perhaps in two groups (`482 913`,
/// `482-913`), after a letter and a dash (`G-482913`), or five to eight capitals and digits mixed.
#[must_use]
pub fn code_like(text: &str) -> bool {
    let text = text.trim();
    let letters = text.chars().count();
    if !(4..=16).contains(&letters) {
        return false;
    }
    let all_digits = |part: &str| !part.is_empty() && part.chars().all(|c| digit(c).is_some());
    let groups: Vec<&str> = text
        .split([' ', '-', '\u{a0}', '\u{2009}', '\u{202f}', '\u{2013}'])
        .collect();
    match groups[..] {
        [one] if all_digits(one) => (4..=8).contains(&letters),
        [one] => {
            (5..=8).contains(&letters)
                && one.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
                && one.chars().any(|c| c.is_ascii_digit())
                && one.chars().any(|c| c.is_ascii_uppercase())
        }
        [lead, code] if lead.chars().count() == 1 && lead.chars().all(char::is_alphabetic) => {
            all_digits(code) && (4..=8).contains(&code.chars().count())
        }
        [first, second] => {
            all_digits(first)
                && all_digits(second)
                && first.chars().count() == second.chars().count()
                && letters <= 9
        }
        _ => {
            groups
                .iter()
                .all(|group| all_digits(group) && group.chars().count() == 1)
                && (4..=8).contains(&groups.len())
        }
    }
}

/// Two groups as long as each other, of capitals and digits (`7KD-J2M`): so are codes written, and much else.
pub(crate) fn grouped_code(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    let group = |part: &str| (3..=4).contains(&part.len()) && part.chars().all(plain);
    let groups = text.split_once(['-', '\u{2013}']);
    groups.is_some_and(|(first, second)| {
        group(first)
            && group(second)
            && first.len() == second.len()
            && text.chars().any(|c| c.is_ascii_digit())
    })
}

/// A secret's characters, folded for comparing. Lives as long as one masking, and is never shown.
struct Secret {
    letters: Vec<char>,
}

impl Secret {
    /// A code's own spaces and dashes are left out, for the phone may group it otherwise; a password's are part of it.
    fn new(secret: &SecretString) -> Self {
        let secret = secret.expose_secret();
        let bare = || secret.chars().filter(|c| !c.is_whitespace() && *c != '-');
        let is_code = bare().count() >= SHORT && bare().all(|c| digit(c).is_some() || c.is_ascii_uppercase());
        let letters = if is_code {
            bare().map(folded).collect()
        } else {
            secret.chars().map(folded).collect()
        };
        Self { letters }
    }

    /// The text with every occurrence replaced.
    fn replaced(&self, text: &str, replacement: &str) -> Option<String> {
        if self.letters.is_empty() {
            return None;
        }
        if self.letters.len() < SHORT {
            let alone = text
                .chars()
                .filter(|c| !is_between(*c))
                .map(folded)
                .eq(self.letters.iter().copied());
            return alone.then(|| replacement.to_owned());
        }
        let letters: Vec<(usize, char)> = text.char_indices().map(|(at, c)| (at, folded(c))).collect();
        let mut out = String::new();
        let (mut kept, mut at) = (0, 0);
        while at < letters.len() {
            match self.match_end(&letters, at) {
                Some(end) => {
                    out.push_str(&text[kept..letters[at].0]);
                    out.push_str(replacement);
                    kept = letters.get(end).map_or(text.len(), |(byte, _)| *byte);
                    at = end;
                }
                None => at += 1,
            }
        }
        if kept == 0 {
            return None;
        }
        out.push_str(&text[kept..]);
        Some(out)
    }

    /// Where the secret ends if it starts here: its characters in order, at most two signs between each two.
    fn match_end(&self, letters: &[(usize, char)], start: usize) -> Option<usize> {
        let mut at = start;
        for (n, wanted) in self.letters.iter().enumerate() {
            let mut between = 0;
            while n > 0
                && between < 2
                && letters
                    .get(at)
                    .is_some_and(|(_, c)| c != wanted && is_between(*c))
            {
                at += 1;
                between += 1;
            }
            if letters.get(at).is_none_or(|(_, c)| c != wanted) {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    /// The elements that show the secret in pieces, one after the other: a code's two halves, or one character each.
    /// Of single characters its beginning is enough, for it may be half typed. The keys of a keypad drawn on the
    /// screen are left out: for each digit the last thing that takes taps, where there are nine.
    fn spread(&self, elements: &[Element]) -> Vec<usize> {
        if self.letters.len() < SHORT {
            return Vec::new();
        }
        let keys: HashMap<char, usize> = elements
            .iter()
            .enumerate()
            .filter(|(_, element)| element.role != Role::Field && is_actionable(element))
            .filter_map(|(at, element)| match part(element)[..] {
                [key] if key.is_ascii_digit() => Some((key, at)),
                _ => None,
            })
            .collect();
        let is_key =
            |at: usize, part: &[char]| keys.len() >= 9 && part.len() == 1 && keys.get(&part[0]) == Some(&at);
        // An empty box among others is passed over.
        let empty = |element: &Element| {
            element.role == Role::Field && element.value.as_deref().is_some_and(str::is_empty)
        };
        let parts: Vec<(usize, Vec<char>)> = elements
            .iter()
            .enumerate()
            .filter(|(_, element)| !empty(element))
            .map(|(at, element)| (at, part(element)))
            .map(|(at, part)| {
                if is_key(at, &part) {
                    (at, Vec::new())
                } else {
                    (at, part)
                }
            })
            .collect();
        let mut found = Vec::new();
        let mut start = 0;
        while start < parts.len() {
            let mut rest = self.letters.as_slice();
            let mut single = true;
            let mut end = start;
            while let Some((_, part)) = parts.get(end)
                && !part.is_empty()
                && !rest.is_empty()
                && let Some(after) = rest.strip_prefix(part.as_slice())
            {
                single &= part.len() == 1;
                rest = after;
                end += 1;
            }
            let whole = rest.is_empty() && end - start >= 2;
            if whole || (single && end - start >= SHORT) {
                found.extend(parts[start..end].iter().map(|(at, _)| *at));
                start = end;
            } else {
                start += 1;
            }
        }
        found
    }
}

/// What an element shows that may be a piece of a code.
fn part(element: &Element) -> Vec<char> {
    let value = element.value.as_deref().filter(|value| !value.is_empty());
    bare(value.unwrap_or(&element.label))
}

/// The characters of a short text, folded, without what stands between.
fn bare(text: &str) -> Vec<char> {
    text.chars()
        .take(64)
        .filter(|c| !is_between(*c))
        .map(folded)
        .collect()
}

/// One case, one script of digits.
fn folded(c: char) -> char {
    match digit(c) {
        Some(d) => char::from(b'0' + d),
        None => c.to_lowercase().next().unwrap_or(c),
    }
}

/// What phones put between the characters of a code.
fn is_between(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '-' | '\u{2010}'..='\u{2015}' | '.' | ',' | '·' | '\u{200b}' | '\u{2060}' | '_'
        )
}
