//! Who is on the other side: to whom money or a message goes, as far as the screen says.

use crate::picture::status_bar;
use crate::rect;
use crate::text::{collapse, digit, fold};
use protocol::{Bounds, Element, ElementState, Role, Screen};

/// A name or address on the screen that can be a recipient.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Party {
    /// How it was found; the surest first.
    pub found: PartySource,
    /// Letter for letter, without the word before it.
    pub text: String,
    /// The number of the element it stands on.
    pub element: u32,
}

/// How a party was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PartySource {
    /// After a word for it: `To: Dana Whitlock`, or beside or below an element that says only that word.
    Labelled,
    /// The element's resource id says so: `…:id/payee_name`.
    Named,
    /// An email address, phone number or `@name`.
    Address,
    /// The title at the top of the screen: in a conversation, the other one's name.
    Title,
}

/// Words before a recipient, in lower case.
const WORDS: [&str; 47] = [
    "to",
    "recipient",
    "recipients",
    "payee",
    "pay to",
    "paid to",
    "paying",
    "send to",
    "sending to",
    "transfer to",
    "deliver to",
    "ship to",
    "beneficiary",
    "merchant",
    "seller",
    "account holder",
    "an",
    "empfänger",
    "zahlungsempfänger",
    "händler",
    "à",
    "destinataire",
    "bénéficiaire",
    "para",
    "destinatario",
    "destinatário",
    "beneficiario",
    "beneficiário",
    "a favore di",
    "odbiorca",
    "mottagare",
    "modtager",
    "ontvanger",
    "alıcı",
    "получатель",
    "кому",
    "收款人",
    "收款方",
    "cc",
    "bcc",
    "cci",
    "cco",
    "ccn",
    "копия",
    "скрытая копия",
    "抄送",
    "密送",
];
/// Titles of a page where a message is written and not yet in a conversation.
const COMPOSE: [&str; 22] = [
    "compose",
    "new message",
    "new mail",
    "new email",
    "new conversation",
    "neue nachricht",
    "neue e mail",
    "verfassen",
    "nouveau message",
    "nuevo mensaje",
    "redactar",
    "nova mensagem",
    "nuovo messaggio",
    "nowa wiadomość",
    "nieuw bericht",
    "yeni mesaj",
    "новое сообщение",
    "写邮件",
    "新邮件",
    "新消息",
    "新規メッセージ",
    "새 메시지",
];
/// Parts of resource ids that name a recipient.
const ID_WORDS: [&str; 13] = [
    "recipient",
    "recipients",
    "payee",
    "merchant",
    "beneficiary",
    "receiver",
    "seller",
    "vendor",
    "creditor",
    "destinatario",
    "empfaenger",
    "addressee",
    "counterparty",
];
/// A recipient is no longer than this, in characters.
const LONGEST: usize = 120;

/// Every party the screen names, the surest first, in reading order within one kind; no text twice within one kind.
#[must_use]
pub fn parties(screen: &Screen) -> Vec<Party> {
    let mut found: Vec<Party> = Vec::new();
    let mut add = |kind, text: &str, element: &Element| {
        let text = collapse(text);
        if !text.is_empty() && text.chars().count() <= LONGEST {
            found.push(Party {
                found: kind,
                text,
                element: element.index,
            });
        }
    };
    for (n, element) in screen.elements.iter().enumerate() {
        if let Some(text) = labelled(n, &screen.elements) {
            add(PartySource::Labelled, &text, element);
        }
        if is_named(element) {
            add(PartySource::Named, words(element), element);
        }
        for text in [Some(&element.label), element.value.as_ref()]
            .into_iter()
            .flatten()
        {
            for address in addresses(text) {
                add(PartySource::Address, address, element);
            }
        }
    }
    if let Some(title) = title_element(screen) {
        add(PartySource::Title, &title.label, title);
    }
    found.sort_by_key(|party| (party.found, party.element));
    let mut met = std::collections::HashSet::new();
    found.retain(|party| met.insert((party.found, party.text.clone())));
    found
}

/// To whom a message goes that is sent on this screen: all that the fields for it hold, else the title of the conversation, and
/// where a message is only being composed, whom the page names. `None`: the screen does not say, or names several.
///
/// A text among others is somebody's message and may say `To: Dana` itself; so it counts for nothing beside a title, and neither
/// does what only stands where a title would, below a header that can be pressed. Where a list stands beside the conversation,
/// the list has a title too: that of the conversation stands over the field its messages are written in.
#[must_use]
pub fn addressee(screen: &Screen) -> Option<String> {
    let mut entered: Vec<String> = Vec::new();
    for name in recipients(screen)
        .into_iter()
        .filter_map(|field| field.value.as_deref())
    {
        let name = collapse(name);
        if !entered.contains(&name) {
            entered.push(name);
        }
    }
    if !entered.is_empty() {
        return Some(entered.join(", "));
    }
    let field = drafts(screen).into_iter().max_by_key(|field| field.bounds.bottom);
    let is_over = |title: &&Element| {
        field.is_none_or(|field| {
            title.bounds.left < field.bounds.right && field.bounds.left < title.bounds.right
        })
    };
    let title = titles(screen).find(is_over)?;
    if !is_topmost(title, screen) || !is_name(&title.label) {
        return None;
    }
    if !COMPOSE.contains(&fold(&title.label).as_str()) {
        return Some(collapse(&title.label));
    }
    let named: Vec<Party> = parties(screen)
        .into_iter()
        .filter(|party| party.found != PartySource::Title)
        .collect();
    let surest = named.first()?.found;
    only(
        named
            .into_iter()
            .filter(|party| party.found == surest)
            .map(|party| party.text)
            .collect(),
    )
}

/// The one there is, however often.
fn only(mut names: Vec<String>) -> Option<String> {
    names.dedup();
    let name = names.pop()?;
    names.is_empty().then_some(name)
}

/// The fields that hold to whom something goes, in reading order: also who gets it without the others seeing that.
#[must_use]
pub fn recipients(screen: &Screen) -> Vec<&Element> {
    let fields = (0..screen.elements.len()).filter_map(|n| entered(n, &screen.elements));
    fields.filter(|field| holds_something(field)).collect()
}

/// The fields a message is written in, in reading order: neither for whom it is to, nor for a password, nor to look for
/// something.
#[must_use]
pub fn drafts(screen: &Screen) -> Vec<&Element> {
    let recipients = recipients(screen);
    let is = |element: &&Element| {
        let id = element
            .resource_id
            .rsplit('/')
            .next()
            .unwrap_or("")
            .to_lowercase();
        let searches = id.contains("search") || id.contains("query");
        element.states.contains(&ElementState::Editable)
            && !element.states.contains(&ElementState::Password)
            && !searches
            && !recipients.iter().any(|field| field.index == element.index)
    };
    screen.elements.iter().filter(is).collect()
}

fn holds_something(field: &Element) -> bool {
    field
        .value
        .as_deref()
        .is_some_and(|value| !value.trim().is_empty())
}

/// Letters, or a number to call: what only counts (how much is unread) names nobody.
fn is_name(text: &str) -> bool {
    text.chars().any(char::is_alphabetic) || phone_numbers(text).next().is_some()
}

/// A field for a recipient: one that says so itself, or right of a word for it. What stands above a field may be somebody's
/// message, and the field that of one's own.
fn entered(n: usize, elements: &[Element]) -> Option<&Element> {
    let element = &elements[n];
    if !is_caption(element) {
        return None;
    }
    let is_field = |element: &&Element| element.role == Role::Field;
    let in_row =
        |next: &&Element| next.bounds.top < element.bounds.bottom && element.bounds.top < next.bounds.bottom;
    let field = Some(element).filter(is_field);
    field.or_else(|| beside(n, elements).filter(is_field).filter(in_row))
}

/// Whether an element says a word for a recipient and nothing else.
fn is_caption(element: &Element) -> bool {
    let folded = fold(element.label.trim());
    WORDS.contains(&folded.trim_end_matches([':', '：']).trim_end())
}

/// Whether nothing that says something stands above it: a header that can be pressed is the title, and what is below it is not.
fn is_topmost(title: &Element, screen: &Screen) -> bool {
    let bar = status_bar(screen.width, screen.height);
    let is_above = |element: &Element| element.bounds.bottom <= title.bounds.top;
    let mut elements = screen.elements.iter();
    !elements.any(|element| is_above(element) && is_word(words(element)) && is_apps_own(element, bar))
}

/// What stands in a field, else what stands on an element.
fn words(element: &Element) -> &str {
    match &element.value {
        Some(value) if element.role == Role::Field => value,
        _ => &element.label,
    }
}

fn labelled(n: usize, elements: &[Element]) -> Option<String> {
    let element = &elements[n];
    let label = element.label.trim();
    if label.chars().count() > LONGEST {
        return None;
    }
    if is_caption(element) {
        if element.role == Role::Field {
            return element.value.clone();
        }
        return beside(n, elements).map(|next| words(next).to_owned());
    }
    // `To: Dana`, and without a colon only before a name.
    let lower = label.to_lowercase();
    WORDS.iter().find_map(|word| {
        let rest = lower.strip_prefix(word)?;
        let from = label
            .char_indices()
            .nth(label.chars().count().checked_sub(rest.chars().count())?)?
            .0;
        let rest = &label[from..];
        let named = if let Some(name) = rest.strip_prefix([':', '：']) {
            name
        } else if let Some(pieces) = rest.strip_prefix(", ") {
            // The texts of one row, joined: the next one is the name.
            pieces.split(", ").next()?
        } else {
            let name = rest.strip_prefix([' ', '\u{a0}'])?.trim_start();
            let names = |c: char| c.is_uppercase() || digit(c).is_some() || matches!(c, '@' | '+');
            name.starts_with(names).then_some(name)?
        };
        let name = named.trim();
        (!name.is_empty()).then(|| name.to_owned())
    })
}

/// The element that stands on the same line after a caption, or right below it.
fn beside(n: usize, elements: &[Element]) -> Option<&Element> {
    let caption = elements[n].bounds;
    let next = elements[n + 1..].iter().take(3).find(|e| !words(e).is_empty())?;
    let height = i64::from(caption.bottom) - i64::from(caption.top);
    let gap = i64::from(next.bounds.top) - i64::from(caption.bottom);
    (gap <= 2 * height).then_some(next)
}

fn is_named(element: &Element) -> bool {
    let id = element.resource_id.rsplit('/').next().unwrap_or("");
    let mut word = String::new();
    let mut words = Vec::new();
    for c in id.chars() {
        if (c.is_uppercase() && !word.is_empty()) || !c.is_alphanumeric() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    words.push(word);
    words.iter().any(|word| ID_WORDS.contains(&word.as_str()))
}

/// The plain words at the top of the screen, below the status bar: in its top sixth. The bar with the title is as high on a
/// phone that lies on its side, and a larger part of it there.
fn titles(screen: &Screen) -> impl Iterator<Item = &Element> {
    let bar = status_bar(screen.width, screen.height);
    let top = (screen.width.max(screen.height) / 6).min(screen.height / 5 * 2);
    let top = i32::try_from(top).unwrap_or(i32::MAX);
    let is = move |e: &&Element| {
        e.role == Role::Text && e.bounds.bottom <= top && is_word(&e.label) && is_apps_own(e, bar)
    };
    screen.elements.iter().filter(is)
}

/// The first of them.
fn title_element(screen: &Screen) -> Option<&Element> {
    titles(screen).next()
}

/// The title at the top of the screen, where it has one: see [`PartySource::Title`].
#[must_use]
pub fn title(screen: &Screen) -> Option<String> {
    let title = collapse(&title_element(screen)?.label);
    (title.chars().count() <= LONGEST).then_some(title)
}

fn is_word(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphanumeric()).count() >= 2
}

/// Whether it is no part of the system's bars.
fn is_apps_own(element: &Element, bar: Bounds) -> bool {
    !rect::covers(bar, element.bounds) && element.package != "com.android.systemui"
}

/// Email addresses, phone numbers of seven digits and more, and `@name`s.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let mails = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '<' | '>' | '"'))
        .filter(|word| {
            let word = word.trim_end_matches('.');
            match word.split_once('@') {
                Some(("", name)) => name.len() >= 2,
                Some((_, host)) => !host.is_empty() && !host.contains('@'),
                None => false,
            }
        });
    mails.chain(phone_numbers(text))
}

/// Runs of digits with the signs phone numbers are written with, from a `+`, a bracket or a 0 on.
pub(crate) fn phone_numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| {
        !(digit(c).is_some() || matches!(c, '+' | '-' | ' ' | '(' | ')' | '\u{a0}' | '\u{2011}'))
    })
    .map(|run| run.trim_matches([' ', '-', '\u{a0}']))
    .filter(|run| {
        let digits = run.chars().filter(|c| digit(*c).is_some()).count();
        (7..=15).contains(&digits) && run.starts_with(['+', '(', '0'])
    })
}
