//! The signs, codes and words of currencies.

use crate::text::{digit, is_letter};

/// A currency found beside a number.
#[derive(Clone, Debug)]
pub(super) struct Currency {
    /// As written.
    pub(super) text: String,
    /// How many letters that is.
    pub(super) letters: usize,
    /// Where it usually stands.
    pub(super) side: Side,
    /// An ISO code.
    pub(super) is_code: bool,
    /// It has no cents, so that three digits after a separator are a group.
    pub(super) no_cents: bool,
    /// A comma never stands before its cents where it is used.
    pub(super) comma_groups: bool,
    /// Too common a word to mean money without cents beside it.
    pub(super) wants_cents: bool,
}

impl Currency {
    /// That of a number with none beside it.
    pub(super) fn unknown() -> Self {
        Self {
            text: String::new(),
            letters: 0,
            side: Side::Before,
            is_code: false,
            no_cents: false,
            comma_groups: false,
            wants_cents: false,
        }
    }
}

/// On which side of the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// Signs: they need no word boundary. What, its side, and traits: `0` no cents, `,` the comma groups.
const SIGNS: [(&str, Side, &str); 40] = [
    ("US$", Side::Before, ","),
    ("U$S", Side::Before, ""),
    ("AU$", Side::Before, ","),
    ("CA$", Side::Before, ","),
    ("NZ$", Side::Before, ","),
    ("HK$", Side::Before, ","),
    ("NT$", Side::Before, "0,"),
    ("MX$", Side::Before, ","),
    ("R$", Side::Before, ""),
    ("A$", Side::Before, ","),
    ("C$", Side::Before, ","),
    ("S$", Side::Before, ","),
    ("$U", Side::Before, ""),
    ("$", Side::Before, ","),
    ("＄", Side::Before, ","),
    ("€", Side::After, ""),
    ("£", Side::Before, ","),
    ("￡", Side::Before, ","),
    ("¥", Side::Before, "0,"),
    ("￥", Side::Before, "0,"),
    ("₹", Side::Before, ","),
    ("₩", Side::Before, "0,"),
    ("￦", Side::Before, "0,"),
    ("₽", Side::After, ""),
    ("₺", Side::Before, ""),
    ("₴", Side::After, ""),
    ("₦", Side::Before, ","),
    ("₫", Side::After, "0"),
    ("₱", Side::Before, ","),
    ("฿", Side::Before, ","),
    ("₪", Side::Before, ","),
    ("₡", Side::Before, ""),
    ("₲", Side::Before, "0"),
    ("₵", Side::Before, ","),
    ("₸", Side::After, ""),
    ("₾", Side::After, ""),
    ("₿", Side::Before, ""),
    ("﷼", Side::After, ""),
    ("元", Side::After, ","),
    ("円", Side::After, "0,"),
];

/// More signs of scripts without capitals.
const EAST: [(&str, Side, &str); 8] = [
    ("圆", Side::After, ","),
    ("圓", Side::After, ","),
    ("块", Side::After, ","),
    ("원", Side::After, "0,"),
    ("د.إ", Side::After, ","),
    ("ر.س", Side::After, ","),
    ("ج.م", Side::After, ","),
    ("تومان", Side::After, "0,"),
];

/// Words: they end where letters end, and case does not matter but where noted. Longer ones first. Traits as above,
/// `c`: money only with cents, `=`: in this very case only.
const WORDS: [(&str, Side, &str); 60] = [
    ("dollars", Side::After, ","),
    ("dollar", Side::After, ","),
    ("euros", Side::After, ""),
    ("euro", Side::After, ""),
    ("rupees", Side::After, ","),
    ("rupee", Side::After, ","),
    ("rupiah", Side::After, "0"),
    ("yuan", Side::After, ","),
    ("yen", Side::After, "0,"),
    ("francs", Side::After, ""),
    ("franken", Side::After, ""),
    ("kronor", Side::After, ""),
    ("kroner", Side::After, ""),
    ("kronen", Side::After, ""),
    ("złotych", Side::After, ""),
    ("złote", Side::After, ""),
    ("złoty", Side::After, ""),
    ("reais", Side::After, ""),
    ("pesos", Side::After, ""),
    ("рублей", Side::After, ""),
    ("рубля", Side::After, ""),
    ("рубль", Side::After, ""),
    ("руб.", Side::After, ""),
    ("руб", Side::After, ""),
    ("р.", Side::After, ""),
    ("грн.", Side::After, ""),
    ("грн", Side::After, ""),
    ("тг", Side::After, ""),
    ("лв.", Side::After, ""),
    ("лв", Side::After, ""),
    ("дин.", Side::After, ""),
    ("рсд", Side::After, ""),
    ("ден.", Side::After, ""),
    ("zł", Side::After, ""),
    ("zl", Side::After, ""),
    ("Kčs", Side::After, ""),
    ("Kč", Side::After, ""),
    ("Kc", Side::After, "="),
    ("Ft", Side::After, "=0"),
    ("đ", Side::After, "0"),
    ("lei", Side::After, ""),
    ("leu", Side::After, ""),
    ("kn", Side::After, "c"),
    ("kr.", Side::After, ""),
    ("kr", Side::After, ""),
    ("TL", Side::After, "="),
    ("SFr.", Side::Before, ""),
    ("sFr", Side::Before, "="),
    ("Fr.", Side::Before, "=c"),
    ("Fr", Side::Before, "=c"),
    ("Rs.", Side::Before, ","),
    ("Rs", Side::Before, ","),
    ("Rp", Side::Before, "=0"),
    ("RM", Side::Before, "=,"),
    ("R", Side::Before, "=c"),
    ("Q", Side::Before, "=c"),
    ("S/", Side::Before, "="),
    ("Bs.", Side::Before, ""),
    ("B/.", Side::Before, "="),
    ("ريال", Side::After, ","),
];

/// ISO codes, in capitals only. The comma groups in those of the first row.
const COMMA_CODES: &str = "USD GBP AUD CAD NZD HKD SGD MXN INR PKR BDT LKR NPR PHP THB MYR CNY RMB ILS NGN KES GHS \
                           EGP AED SAR QAR ZAR";
const NO_CENT_CODES: &str = "JPY KRW VND CLP PYG ISK UGX XAF XOF TWD HUF IDR";
const OTHER_CODES: &str = "EUR CHF SEK NOK DKK PLN CZK RON BGN RSD UAH RUB KZT GEL AMD AZN BRL ARS COP PEN UYU BOB \
                           CRC GTQ DOP MAD DZD TND JOD KWD BHD OMR IQD IRR BTC ETH USDT USDC";
/// Codes that are words too.
const CENT_CODES: &str = "TRY ALL";

/// The currency at the start of a text.
pub(super) fn starting(letters: &[(usize, char)]) -> Option<Currency> {
    let fits = |written: &str, exact: bool| {
        let mut at = 0;
        written.chars().all(|c| {
            let same = letters.get(at).is_some_and(|(_, l)| equal(*l, c, exact));
            at += 1;
            same
        })
    };
    let open_after = |count: usize| !letters.get(count).is_some_and(|(_, c)| is_letter(*c));
    find(fits, open_after, |count| letters.get(..count).unwrap_or(&[]))
}

/// The currency at the end of a text.
pub(super) fn ending(letters: &[(usize, char)]) -> Option<Currency> {
    let fits = |written: &str, exact: bool| {
        let count = written.chars().count();
        letters.len().checked_sub(count).is_some_and(|from| {
            letters[from..]
                .iter()
                .zip(written.chars())
                .all(|((_, l), c)| equal(*l, c, exact))
        })
    };
    let open_before = |count: usize| {
        let before = letters
            .len()
            .checked_sub(count + 1)
            .and_then(|at| letters.get(at));
        !before.is_some_and(|(_, c)| is_letter(*c) || digit(*c).is_some())
    };
    find(fits, open_before, |count| {
        letters.get(letters.len().saturating_sub(count)..).unwrap_or(&[])
    })
}

fn equal(letter: char, written: char, exact: bool) -> bool {
    letter == written || (!exact && letter.to_lowercase().eq(written.to_lowercase()))
}

/// `fits(written, exact)`: it stands there; `open(letters)`: no letter goes on beyond it; `taken(letters)`: those.
fn find<'a>(
    fits: impl Fn(&str, bool) -> bool,
    open: impl Fn(usize) -> bool,
    taken: impl Fn(usize) -> &'a [(usize, char)],
) -> Option<Currency> {
    let make = |written: &str, side: Side, traits: &str, is_code: bool| {
        let letters = written.chars().count();
        Currency {
            text: taken(letters).iter().map(|(_, c)| *c).collect(),
            letters,
            side,
            is_code,
            no_cents: traits.contains('0'),
            comma_groups: traits.contains(','),
            wants_cents: traits.contains('c'),
        }
    };
    for (written, side, traits) in WORDS {
        if fits(written, traits.contains('=')) && open(written.chars().count()) {
            return Some(make(written, side, traits, false));
        }
    }
    for (codes, traits) in [
        (COMMA_CODES, ","),
        (NO_CENT_CODES, "0,"),
        (OTHER_CODES, ""),
        (CENT_CODES, "c"),
    ] {
        for code in codes.split_whitespace() {
            if fits(code, true) && open(code.len()) {
                return Some(make(code, Side::After, traits, true));
            }
        }
    }
    for (written, side, traits) in SIGNS.into_iter().chain(EAST) {
        // `A$`, `S$`: with a letter before they are the end of a word and only the sign counts.
        let lettered = written.starts_with(|c: char| c.is_ascii_alphabetic());
        if fits(written, true) && (!lettered || open(written.chars().count())) {
            return Some(make(written, side, traits, false));
        }
    }
    None
}

/// Thousands, millions, and their like between a number and its currency or after it: how many letters.
pub(super) fn multiplier(letters: &[(usize, char)]) -> Option<usize> {
    const WORDS: [&str; 22] = [
        "million",
        "billion",
        "Million",
        "Milliarden",
        "Mio.",
        "Mrd.",
        "Mio",
        "Mrd",
        "mln",
        "mld",
        "тыс.",
        "тыс",
        "млн",
        "bn",
        "lakh",
        "crore",
        "Cr",
        "M",
        "k",
        "K",
        "B",
        "m",
    ];
    const EAST: [char; 9] = ['万', '萬', '만', '億', '亿', '억', '千', '천', '兆'];
    let spaced = letters.first().is_some_and(|(_, c)| c.is_whitespace());
    let rest = letters.get(usize::from(spaced)..)?;
    if rest.first().is_some_and(|(_, c)| EAST.contains(c)) {
        return Some(1 + usize::from(spaced));
    }
    WORDS.iter().find_map(|word| {
        let count = word.chars().count();
        let fits = rest.len() >= count && rest.iter().zip(word.chars()).all(|((_, l), c)| *l == c);
        let open = !rest
            .get(count)
            .is_some_and(|(_, c)| is_letter(*c) || digit(*c).is_some());
        // A single letter a space away is a word of its own.
        (fits && open && !(spaced && count == 1)).then_some(count + usize::from(spaced))
    })
}
