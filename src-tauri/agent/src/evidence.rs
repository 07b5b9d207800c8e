//! What we saw ourselves, read from the screen for a question: amounts, accounts, recipients, messages.
//!
//! Nothing here comes from the model; its words are the [`Claim`].

use crate::permission;
use judge::Page;
use protocol::{Act, Action, Amount, AskKind, Choice, Claim, Element, ElementState, Evidence, FrameId};
use screen::PartySource;

/// Words that stand beside the amount that is meant.
const TOTAL: &[&str] = &[
    "total",
    "amount due",
    "to pay",
    "amount to pay",
    "you pay",
    "grand total",
    "order total",
    "gesamt",
    "gesamtbetrag",
    "summe",
    "zu zahlen",
    "montant",
    "à payer",
    "importe",
    "totale",
    "totaal",
    "te betalen",
    "razem",
    "do zapłaty",
    "итого",
    "всего",
    "к оплате",
    "toplam",
    "summa",
    "att betala",
    "i alt",
    "jumlah",
    "tổng",
    "कुल",
    "المجموع",
    "סה",
    "合计",
    "总计",
    "总额",
    "应付",
    "合計",
    "總計",
    "お支払い金額",
    "총",
    "합계",
    "결제금액",
    "ยอดรวม",
];
/// Words that say this is not the whole.
const NOT_TOTAL: &[&str] = &[
    "subtotal",
    "sub total",
    "zwischensumme",
    "sous total",
    "小计",
    "小計",
    "소계",
    "total savings",
];
/// What the screen says of an action about to be done, or of one the model wants a Yes for.
#[must_use]
pub fn gather(kind: AskKind, page: &Page<'_>, target: Option<&Element>, action: Option<&Action>) -> Evidence {
    let screen = page.screen;
    let mut evidence = Evidence {
        width: screen.width,
        height: screen.height,
        ring: target.map(|element| element.bounds),
        label: target
            .map(|element| element.label.clone())
            .filter(|label| !label.is_empty()),
        ..Evidence::default()
    };
    match kind {
        AskKind::Payment => {
            let money = amount_meant(page, target);
            evidence.amount = money.meant;
            evidence.other_amounts = money.others;
            evidence.account = page.accounts().into_iter().next();
            evidence.payee = party(page, &[PartySource::Labelled, PartySource::Named]);
        }
        AskKind::Send => {
            evidence.text = written(page, target, action);
            evidence.recipient = screen::addressee(screen);
        }
        AskKind::Code => {
            let field = page.code_field();
            evidence.hint = screen
                .elements
                .iter()
                .filter(|element| !has(element, ElementState::Editable))
                .map(|element| element.label.as_str())
                .find(|label| {
                    label.split_whitespace().count() >= 4 && page.code_field().is_some() && code_words(label)
                })
                .map(str::to_owned);
            evidence.code_length = evidence
                .hint
                .as_deref()
                .and_then(digits_wanted)
                .or_else(|| cells(page, field));
        }
        AskKind::Permission => {
            evidence.hint = permission::dialog(screen).and_then(|dialog| dialog.message.map(str::to_owned));
            evidence.allows = target.and_then(|target| permission::allows(screen, target));
        }
        _ => {}
    }
    match action.map(|action| &action.act) {
        Some(Act::Shell { command }) => evidence.text = Some(command.clone()),
        Some(Act::RunScript { script, .. }) => evidence.text = Some(script.clone()),
        Some(Act::OpenUrl { url }) => evidence.text = Some(url.clone()),
        _ => {}
    }
    evidence
}

/// Puts the picture to the evidence.
#[must_use]
pub fn with_frame(mut evidence: Evidence, frame: Option<FrameId>) -> Evidence {
    evidence.frame = frame;
    evidence
}

/// The model's words, and the one amount in them.
#[must_use]
pub fn claim(says: &str) -> Claim {
    let mut amounts = screen::amounts(says);
    amounts.dedup();
    let amount = if amounts.len() == 1 { amounts.pop() } else { None };
    Claim {
        says: says.to_owned(),
        amount,
    }
}

/// The answers that will be taken, in the order to show them. A payment has a Yes wherever its screen can be seen: the person
/// reads the amount there, or picks it where several could be meant. `pressed` says that no field is about to be written in:
/// what shows a password is allowed or not, and no password is typed for it.
#[must_use]
pub fn choices(kind: AskKind, evidence: &Evidence, readable: bool, pressed: bool) -> Vec<Choice> {
    let mut choices = vec![Choice::Deny];
    match kind {
        AskKind::Password if pressed => choices.push(Choice::Approve),
        AskKind::Code | AskKind::Password => {
            if evidence.ring.is_some() {
                choices.push(Choice::Supply);
            }
        }
        AskKind::Clipboard => choices.push(Choice::Supply),
        AskKind::Unreadable | AskKind::Payment => {
            if readable {
                choices.push(Choice::Approve);
            }
        }
        _ => choices.push(Choice::Approve),
    }
    choices.extend([Choice::TakeOver, Choice::MoreTime]);
    choices
}

/// The answers taken where the model wants a person, and no rule says that one action is about to be done.
#[must_use]
pub fn choices_in_person(
    kind: AskKind,
    evidence: &Evidence,
    takes_files: bool,
    can_be_placed: bool,
) -> Option<Vec<Choice>> {
    let mut choices = vec![Choice::Deny];
    match kind {
        AskKind::Payment | AskKind::Password => return None,
        // Without a field there is nothing to type it into: the person has done on the phone what it asks, or has not.
        AskKind::Code if evidence.ring.is_some() => return None,
        AskKind::Camera | AskKind::Files => {
            choices.push(Choice::Approve);
            if takes_files {
                choices.push(Choice::Give);
            }
        }
        AskKind::Location => {
            choices.push(Choice::Approve);
            // Where it is to be, in the words of the Yes.
            if can_be_placed {
                choices.push(Choice::Give);
            }
        }
        _ => choices.push(Choice::Approve),
    }
    choices.extend([Choice::TakeOver, Choice::MoreTime]);
    Some(choices)
}

/// Whom money or a message goes to: the payee where one is named, else the recipient.
#[must_use]
pub fn recipient(evidence: &Evidence) -> Option<String> {
    evidence.payee.clone().or_else(|| evidence.recipient.clone())
}

/// Two amounts are the same money: by value where both are certain, letter for letter where not.
#[must_use]
pub fn same_amount(a: &Amount, b: &Amount) -> bool {
    match (a.minor, b.minor) {
        (Some(x), Some(y)) => {
            x == y && (a.currency == b.currency || a.currency.is_empty() || b.currency.is_empty())
        }
        _ => a.text == b.text,
    }
}

struct Money {
    meant: Option<Amount>,
    others: Vec<Amount>,
}

/// The amount on the button, beside the word for the total, in a field; else the only one on the page.
///
/// Where these differ, a price stands on the page whose currency nobody knows, or nothing says which of several is meant, all are
/// shown and none is certain.
fn amount_meant(page: &Page<'_>, target: Option<&Element>) -> Money {
    let shown = screen::amounts_on(&page.screen.elements);
    let on_button = target
        .map(|element| amounts_of(&shown, element))
        .unwrap_or_default();
    let totals = amounts_beside(page, &shown, TOTAL, NOT_TOTAL);
    let written = amounts_written(page, &shown, on_button.is_empty());
    let mut candidates: Vec<Amount> = Vec::new();
    add_other(
        &mut candidates,
        on_button.into_iter().chain(totals).chain(written),
    );
    if candidates.is_empty() {
        candidates = page.amounts();
    }
    add_other(
        &mut candidates,
        screen::figures_on(&page.screen.elements).into_iter(),
    );
    let mut candidates = candidates.into_iter();
    match (candidates.next(), candidates.next()) {
        (Some(only), None) if only.minor.is_some() => Money {
            meant: Some(only),
            others: Vec::new(),
        },
        (Some(first), None) => Money {
            meant: None,
            others: vec![first],
        },
        (Some(first), Some(second)) => {
            let mut others = vec![first, second];
            others.extend(candidates);
            Money { meant: None, others }
        }
        (None, _) => Money {
            meant: None,
            others: Vec::new(),
        },
    }
}

/// Adds what is not among them already.
fn add_other(known: &mut Vec<Amount>, more: impl Iterator<Item = Amount>) {
    for amount in more {
        if !known.iter().any(|known| same_amount(known, &amount)) {
            known.push(amount);
        }
    }
}

/// What somebody wrote in a field: where the button names no amount, a bare number may be the one.
fn amounts_written(page: &Page<'_>, shown: &[(u32, Amount)], bare: bool) -> Vec<Amount> {
    let code = page.code_field().map(|field| field.index);
    let fields = screen::drafts(page.screen).into_iter();
    let written = fields
        .filter(|field| Some(field.index) != code)
        .flat_map(|field| {
            let own = amounts_of(shown, field);
            let value = field.value.as_deref().unwrap_or_default();
            let number = screen::figure(value).filter(|_| bare && own.is_empty());
            own.into_iter().chain(number)
        });
    written.collect()
}

/// What of the amounts on a screen stands on one element.
fn amounts_of(shown: &[(u32, Amount)], element: &Element) -> Vec<Amount> {
    shown
        .iter()
        .filter(|(index, _)| *index == element.index)
        .map(|(_, amount)| amount.clone())
        .collect()
}

/// Amounts in labels that hold one of `words`, or on the same line as such a label.
fn amounts_beside(page: &Page<'_>, shown: &[(u32, Amount)], words: &[&str], not: &[&str]) -> Vec<Amount> {
    let elements = &page.screen.elements;
    let mut found = Vec::new();
    for element in elements {
        if !judge::mentions(&element.label, words) || judge::mentions(&element.label, not) {
            continue;
        }
        let own = amounts_of(shown, element);
        if own.is_empty() {
            let line = elements
                .iter()
                .filter(|other| other.index != element.index && same_line(element, other));
            found.extend(line.flat_map(|other| amounts_of(shown, other)));
        } else {
            // A row that lists parts ends with what they come to.
            found.extend(own.into_iter().next_back());
        }
    }
    found
}

/// Who is on the other side, as surely as the screen says it; a title is no payee, but it is whom a message goes to.
fn party(page: &Page<'_>, ways: &[PartySource]) -> Option<String> {
    let parties = screen::parties(page.screen);
    ways.iter().find_map(|way| {
        parties
            .iter()
            .find(|party| party.found == *way)
            .map(|party| party.text.clone())
    })
}

fn same_line(a: &Element, b: &Element) -> bool {
    let middle = i32::midpoint(b.bounds.top, b.bounds.bottom);
    middle >= a.bounds.top && middle < a.bounds.bottom
}

/// All that is about to be sent: what stands in the page's fields, in order, and what the action itself writes into one of them,
/// for it is not there yet; without the line end that sends it.
fn written(page: &Page<'_>, target: Option<&Element>, action: Option<&Action>) -> Option<String> {
    let fields = screen::drafts(page.screen);
    let target = target
        .filter(|target| has(target, ElementState::Editable))
        .map(|target| target.index);
    let into = fields
        .iter()
        .position(|field| Some(field.index) == target)
        .or_else(|| fields.iter().position(|field| has(field, ElementState::Focused)));
    let mut texts: Vec<String> = fields
        .iter()
        .map(|field| field.value.clone().unwrap_or_default())
        .collect();
    let at = into.unwrap_or(texts.len());
    match action.map(|action| &action.act) {
        Some(Act::Type { text, .. }) => match texts.get_mut(at) {
            Some(before) => before.push_str(text),
            None => texts.push(text.clone()),
        },
        Some(Act::SetValue { value, .. }) => match texts.get_mut(at) {
            Some(before) => before.clone_from(value),
            None => texts.push(value.clone()),
        },
        _ => {}
    }
    texts.retain(|text| !text.is_empty());
    let text = texts.join("\n");
    let text = text.trim_end_matches(['\n', '\r']);
    (!text.is_empty()).then(|| text.to_owned())
}

fn code_words(label: &str) -> bool {
    judge::mentions_code(label)
}

/// "a 6-digit code", "6 digits", "6 位", "6 桁": how many.
fn digits_wanted(hint: &str) -> Option<u8> {
    const DIGITS: [&str; 14] = [
        "digit", "dígit", "chiffre", "ziffer", "stellig", "cifr", "cyfr", "cijfer", "siffr", "цифр", "位",
        "桁", "자리", "haneli",
    ];
    let hint = hint.to_lowercase();
    let is_of_digits = |after: &str| {
        let word = after.trim_start_matches([' ', '\u{a0}', '-', '‑']);
        DIGITS.iter().any(|digits| word.starts_with(digits))
    };
    // Minutes until it runs out are no length, nor is a part of a phone number.
    let mut numbers = hint
        .match_indices(|c: char| c.is_ascii_digit())
        .filter_map(|(at, _)| {
            let (before, rest) = hint.split_at(at);
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (number, after) = rest.split_at(end);
            let is_whole = !before.ends_with(|c: char| c.is_ascii_digit());
            number
                .parse::<u8>()
                .ok()
                .filter(|_| is_whole && is_of_digits(after))
        });
    numbers.find(|n| (4..=10).contains(n))
}

/// As many as there are one-character cells in the field's row.
fn cells(page: &Page<'_>, field: Option<&Element>) -> Option<u8> {
    let field = field?;
    let row = page.screen.elements.iter().filter(|e| {
        has(e, ElementState::Editable)
            && (e.bounds.top - field.bounds.top).abs() < 20
            && (e.bounds.right - e.bounds.left) * 5 < i32::try_from(page.screen.width).unwrap_or(i32::MAX)
    });
    u8::try_from(row.count()).ok().filter(|n| (4..=10).contains(n))
}

fn has(element: &Element, state: ElementState) -> bool {
    element.states.contains(&state)
}

#[cfg(test)]
mod tests {
    use super::digits_wanted;

    #[test]
    fn how_many_digits_a_code_has_is_what_is_said_of_digits() {
        let check = |hint, expected| assert_eq!(digits_wanted(hint), expected, "{hint}");
        check("Enter the 6-digit code. It expires in 5 minutes.", Some(6));
        check("Sent to +1 (555) 010-4477: 6 digits", Some(6));
        check("请输入4位验证码", Some(4));
        check("8-stelliger Code", Some(8));
        check("Enter the verification code. It expires in 5 minutes.", None);
        check("Code sent to +1 (555) 010-4477, valid for 10 minutes", None);
        check("16 digits", None);
    }
}
