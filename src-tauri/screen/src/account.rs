//! Cards and accounts as phones write them.

use crate::text::{digit, is_letter};
use crate::tick::step;

/// An account or card on the screen, known by its last characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Account {
    /// Letter for letter, for example `•••• 4821`.
    pub text: String,
    /// The last characters, digits in ASCII: `4821`.
    pub ending: String,
}

/// How many masking signs must stand before the digits, unless one stands for many (`…`).
const MASKS: usize = 2;
/// No mask is longer, in letters; bounds the look at a line of dots.
const LONGEST_MASK: usize = 40;
/// Words after which a bare number is an account's, as `ending in 4821`.
const ENDING_WORDS: [&str; 22] = [
    "ending in",
    "ending with",
    "ending",
    "ends in",
    "ends with",
    "endet auf",
    "endend auf",
    "endung",
    "endziffern",
    "se terminant par",
    "finissant par",
    "terminada en",
    "terminado en",
    "termina en",
    "que termina em",
    "terminado em",
    "final",
    "che termina con",
    "eindigend op",
    "尾号",
    "尾號",
    "末尾",
];
/// Words after which a bare number of six and more digits is an account's.
const ACCOUNT_WORDS: [&str; 14] = [
    "account",
    "account number",
    "account no",
    "acct",
    "a/c",
    "konto",
    "kontonummer",
    "compte",
    "cuenta",
    "conta",
    "conto",
    "rekening",
    "счёт",
    "счет",
];

/// Every account and card number in a text, masked (`•••• 4821`, `**** 4821`, `xx4821`, `ending in 4821`) or whole
/// (an IBAN or card number whose check digits are right, a number after the word *account*). One pass over runs of
/// characters; nothing is looked at twice.
#[must_use]
pub fn accounts(text: &str) -> Vec<Account> {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        step();
        let starts_word = at == 0 || !is_word(letters[at - 1].1);
        let hit = masked(&letters, at)
            .or_else(|| if starts_word { iban(&letters, at) } else { None })
            .or_else(|| {
                if starts_word {
                    bare(text, &letters, at)
                } else {
                    None
                }
            });
        match hit {
            Some((end, ending)) => {
                let to = letters.get(end).map_or(text.len(), |(byte, _)| *byte);
                let text = text.get(letters[at].0..to).unwrap_or("").trim().to_owned();
                found.push(Account { text, ending });
                at = end;
            }
            None => at += skip(&letters, at),
        }
    }
    found
}

/// Past a run that cannot start an account again: the rest of a word or of masking signs.
fn skip(letters: &[(usize, char)], at: usize) -> usize {
    let kind = |c: char| {
        if is_mask(c) {
            1
        } else if is_word(c) {
            2
        } else {
            0
        }
    };
    let first = kind(letters[at].1);
    if first == 0 {
        return 1;
    }
    letters[at..]
        .iter()
        .inspect(|_| step())
        .take_while(|(_, c)| kind(*c) == first)
        .count()
        .max(1)
}

/// Part of a word or number. Scripts without spaces between words have none.
fn is_word(c: char) -> bool {
    is_letter(c) || digit(c).is_some()
}

fn is_mask(c: char) -> bool {
    matches!(
        c,
        '•' | '*'
            | '·'
            | '●'
            | '∙'
            | '⋅'
            | '○'
            | '✱'
            | '＊'
            | '▪'
            | '■'
            | '#'
            | '‧'
            | '・'
            | '…'
            | '.'
            | 'x'
            | 'X'
            | '×'
    )
}

/// Signs, perhaps in groups, and then two to six digits that end there.
fn masked(letters: &[(usize, char)], start: usize) -> Option<(usize, String)> {
    if start > 0 {
        let before = letters[start - 1].1;
        // `Fax1234`, `1.23`, and the middle of a run.
        if is_mask(before) || is_word(before) {
            return None;
        }
    }
    let mut at = start;
    let mut signs = 0;
    let mut sign = None;
    while let Some((_, c)) = letters.get(at)
        && at - start < LONGEST_MASK
    {
        step();
        if is_mask(*c) && sign.is_none_or(|s| s == *c) {
            sign = Some(*c);
            signs += if *c == '…' { MASKS } else { 1 };
        } else if !(signs > 0 && matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '-' | '–')) {
            break;
        }
        at += 1;
    }
    // A full stop or two end a sentence, and one `x` is a times sign.
    let enough = if sign == Some('.') { 3 } else { MASKS };
    if signs < enough {
        return None;
    }
    let end = at + digits(letters, at).count();
    let ending: String = digits(letters, at).collect();
    // `### 12.50`, `...2 items`: no account.
    let goes_on = letters
        .get(end)
        .is_some_and(|(_, c)| c.is_alphanumeric() || *c == '%' || *c == ':')
        || (letters.get(end).is_some_and(|(_, c)| matches!(c, '.' | ','))
            && letters.get(end + 1).is_some_and(|(_, c)| digit(*c).is_some()));
    let fits = if matches!(sign, Some('.' | '…')) {
        ending.len() >= 4
    } else {
        ending.len() >= 2
    };
    (fits && ending.len() <= 6 && !goes_on).then_some((end, ending))
}

/// The digits from a place on, in ASCII.
fn digits(letters: &[(usize, char)], at: usize) -> impl Iterator<Item = char> {
    step();
    letters
        .get(at..)
        .unwrap_or(&[])
        .iter()
        .map_while(|(_, c)| digit(*c))
        .map(|d| char::from(b'0' + d))
}

/// Two letters, two check digits, 11 to 30 more, in groups or not; right by ISO 7064, or partly masked.
fn iban(letters: &[(usize, char)], start: usize) -> Option<(usize, String)> {
    let letter = |at: usize| letters.get(at).map(|(_, c)| *c);
    if !(0..2).all(|n| letter(start + n).is_some_and(|c| c.is_ascii_uppercase()))
        || !(2..4).all(|n| letter(start + n).is_some_and(|c| c.is_ascii_digit()))
    {
        return None;
    }
    let mut code = String::new();
    // Where each group ended, for what follows in capitals may be the next word.
    let mut groups: Vec<(usize, usize)> = Vec::new();
    let mut at = start;
    let mut hidden = 0;
    while code.len() + hidden < 34 {
        step();
        match letter(at) {
            Some(c) if c.is_ascii_uppercase() || c.is_ascii_digit() => code.push(c),
            Some(c) if is_mask(c) && !matches!(c, '.' | 'x' | 'X' | '#') => hidden += 1,
            Some(' ' | '\u{a0}')
                if letter(at + 1).is_some_and(|c| c.is_ascii_alphanumeric() || is_mask(c)) =>
            {
                groups.push((code.len(), at));
            }
            _ => break,
        }
        at += 1;
    }
    groups.push((code.len(), at));
    if hidden >= 4 {
        // Masked: the check digits cannot be tried. It ends with its last group of four.
        let whole =
            code.len() + hidden >= 15 && code.len() >= 6 && code.ends_with(|c: char| c.is_ascii_digit());
        return whole.then(|| (at, code[code.len() - 4..].to_owned()));
    }
    groups.into_iter().rev().find_map(|(length, end)| {
        let code = code.get(..length)?;
        let fits = hidden == 0 && (15..=34).contains(&length) && is_valid_iban(code);
        fits.then(|| (end, code[length - 4..].to_owned()))
    })
}

fn is_valid_iban(code: &str) -> bool {
    let (head, tail) = code.split_at(4);
    let rest = tail.chars().chain(head.chars()).try_fold(0_u32, |sum, c| {
        let value = c.to_digit(36)?;
        Some((sum * if value > 9 { 100 } else { 10 } + value) % 97)
    });
    rest == Some(1)
}

/// A whole card number, or a number after the words for an account.
fn bare(text: &str, letters: &[(usize, char)], start: usize) -> Option<(usize, String)> {
    digit(letters[start].1)?;
    let mut number = String::new();
    let mut at = start;
    let mut end = start;
    while number.len() < 20 {
        step();
        match letters.get(at).map(|(_, c)| *c) {
            Some(c) if digit(c).is_some() => number.extend(digits(&letters[at..=at], 0)),
            Some(' ' | '\u{a0}' | '-') if letters.get(at + 1).is_some_and(|(_, c)| digit(*c).is_some()) => {
                at += 1;
                continue;
            }
            _ => break,
        }
        at += 1;
        end = at;
    }
    if letters.get(end).is_some_and(|(_, c)| c.is_alphanumeric()) || number.len() < 2 {
        return None;
    }
    let last_four = || number[number.len().saturating_sub(4)..].to_owned();
    if (13..=19).contains(&number.len()) && is_luhn(&number) {
        return Some((end, last_four()));
    }
    let lead = lead(text, letters[start].0);
    let after = |words: &[&str]| words.iter().any(|word| lead.ends_with(word));
    let plain = digits(letters, start).count();
    if (2..=6).contains(&plain) && after(&ENDING_WORDS) {
        return Some((start + plain, digits(letters, start).collect()));
    }
    if number.len() >= 6 && after(&ACCOUNT_WORDS) {
        return Some((end, last_four()));
    }
    None
}

/// The last few words before a number, in lower case, without the signs between.
fn lead(text: &str, byte: usize) -> String {
    let before = text.get(..byte).unwrap_or("");
    let start = before.char_indices().rev().nth(24).map_or(0, |(at, _)| at);
    let lead = before[start..].to_lowercase();
    let lead = lead.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '#' | '.' | '№'));
    lead.trim_end_matches(" no")
        .trim_end_matches(" nr")
        .trim_end()
        .to_owned()
}

fn is_luhn(number: &str) -> bool {
    let sum: u32 = number
        .bytes()
        .rev()
        .enumerate()
        .map(|(n, byte)| {
            let digit = u32::from(byte - b'0') * if n % 2 == 1 { 2 } else { 1 };
            if digit > 9 { digit - 9 } else { digit }
        })
        .sum();
    sum.is_multiple_of(10)
}
