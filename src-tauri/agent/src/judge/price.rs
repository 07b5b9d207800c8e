//! Amounts of money: what a button does that carries one, and amounts in currencies that are not read elsewhere.

use super::Risks;
use super::page::{Page, has, is_row, subject};
use super::refusal::refuses;
use super::stake::is_choice;
use super::vocabulary as v;
use super::words::{self, Label};
use protocol::{AskKind, Element, State};

/// Words of a card's number, in any language that has one of its own.
const CARDS: &[&str] = &[
    "card",
    "karte",
    "carte",
    "tarjeta",
    "cartão",
    "carta",
    "kaart",
    "karty",
    "karta",
    "карт",
    "kart",
    "kartu",
    "thẻ",
    "कार्ड",
    "কার্ড",
    "கார்டு",
    "بطاقة",
    "کارت",
    "כרטיס",
    "บัตร",
    "卡",
    "カード",
    "카드",
    "κάρτα",
    "kort",
    "cvv",
    "cvc",
];
/// What a price is for that grows with the time.
const PER_HOUR: &[&str] = &[
    "hour",
    "hr",
    "h",
    "min",
    "minute",
    "day",
    "stunde",
    "std",
    "minuto",
    "hora",
    "heure",
    "jour",
    "ora",
    "uur",
    "dag",
    "godz",
    "hodina",
    "hod",
    "óra",
    "oră",
    "час",
    "ч",
    "мин",
    "год",
    "хв",
    "ώρα",
    "saat",
    "timme",
    "tunti",
    "jam",
    "giờ",
    "phút",
    "घंटा",
    "ساعة",
    "دقيقة",
    "ساعت",
    "שעה",
    "ชั่วโมง",
    "นาที",
    "小时",
    "小時",
    "分钟",
    "分鐘",
    "時間",
    "分",
    "시간",
    "분",
];

/// A button that carries a price, the one wide button under a payment, and what keeps a card.
pub(super) fn risks(page: &Page<'_>, element: &Element, label: &Label, risks: &mut Risks) {
    if !is_choice(element) || is_row(element) {
        return;
    }
    let keeps_card = || {
        page.fields().any(|field| {
            let name = Label::new(&field.label);
            v::SECRET.mentioned(&name) && CARDS.iter().any(|word| name.text.contains(word))
        })
    };
    if v::SAVE.any(label, |place| place.whole || (place.at == 0 && place.most)) && keeps_card() {
        risks.entry(AskKind::Payment).or_insert("keeps_card");
    }
    // A request for money is accepted.
    if v::ANSWER.is(label) && page.shows_price() && !page.is_over() {
        risks.entry(AskKind::Payment).or_insert("accepts_request");
    }
    // "Keep playing, 90 gems" does not refuse.
    if has_points(&element.label) && (label.words.len() > 2 || label.is_dense()) {
        risks.entry(AskKind::Payment).or_insert("spends_points");
    }
    if refuses(element) || v::NEUTRAL.begins(label) || v::BASKET.names(label) {
        return;
    }
    let strong = |other: &Element| {
        has(other, State::Clickable) && words::strong(AskKind::Payment, &Label::new(subject(other)))
    };
    // A meter that runs: "€ 4,10 per hour", and Start.
    let metered = |other: &Element| has_price(&other.label) && words::mentions(&other.label, PER_HOUR);
    if v::PRACTISE.leads(label) && page.screen.elements.iter().any(metered) {
        risks.entry(AskKind::Payment).or_insert("starts_meter");
    }
    // "+30 min" beside a price buys them, unless something else pays.
    let longer = element.label.trim().starts_with('+') && words::mentions(&element.label, PER_HOUR);
    let below = |other: &Element| page.is_wide_button(other) && other.bounds.top >= element.bounds.bottom;
    let decided = |other: &Element| strong(other) || below(other);
    if longer && page.shows_price() && !page.screen.elements.iter().any(decided) {
        risks.entry(AskKind::Payment).or_insert("buys_time");
    }
    // The widest button at the foot, under a price that was chosen, or where so much a minute or a kilowatt-hour is taken.
    let aside = || {
        !v::OFF_WE_GO.is(label)
            && (v::ONWARD.is(label)
                || v::MILD.is(label)
                || v::DOES_NOTHING.is(label)
                || v::LOOK.begins(label)
                || v::LOOK_LAST.ends(label))
    };
    if page.is_foot_button(element) && !aside() {
        if page.has_priced_choice() {
            risks.entry(AskKind::Payment).or_insert("priced_choice");
        }
        let by_use = |other: &Element| takes_by_use(&other.label);
        if page.screen.elements.iter().any(by_use) {
            risks.entry(AskKind::Payment).or_insert("starts_meter");
        }
    }
    if only_amount(element) && !page.screen.elements.iter().any(strong) {
        risks.entry(AskKind::Payment).or_insert("amount_button");
    }
    let width = i64::from(element.bounds.right) - i64::from(element.bounds.left);
    let screen = i64::from(page.screen.width);
    let height = i32::try_from(page.screen.height).unwrap_or(i32::MAX);
    let low = element.bounds.top > height / 100 * 75;
    if width * 2 > screen
        && label.words.len() <= 6
        && has_price(&element.label)
        && (low || page.money_at_stake())
        && (page.is_money_page() || !page.accounts().is_empty() || !fills_basket(label))
    {
        risks.entry(AskKind::Payment).or_insert("priced_button");
    }
    // Beside a button that says that it pays, the others do something else.
    let paid_elsewhere =
        || !words::strong(AskKind::Payment, label) && page.screen.elements.iter().any(strong);
    if width * 10 > screen * 8
        && low
        && page.is_money_page()
        && !page.composes_message()
        && !v::SAVE.begins(label)
        && !paid_elsewhere()
    {
        risks.entry(AskKind::Payment).or_insert("button_under_payment");
    }
}

/// "$1 to start, then $0.32/min", "347.2원/kWh".
fn takes_by_use(text: &str) -> bool {
    const UNITS: &[&str] = &["kwh", "квт", "кВт·ч", "度"];
    const PER: &[&str] = &[
        "per",
        "pro",
        "je",
        "par",
        "por",
        "al",
        "à",
        "za",
        "na",
        "за",
        "на",
        "på",
        "每",
        "あたり",
        "분당",
        "분 당",
    ];
    let unit = |part: &str| words::mentions(part, PER_HOUR) || words::mentions(part, UNITS);
    let slashed = || text.split('/').skip(1).any(unit);
    has_price(text) && (slashed() || (words::mentions(text, PER) && unit(text)))
}

/// "Add €7.40": a word that puts something in, and a price.
fn fills_basket(label: &Label) -> bool {
    let price = |word: &String| word.chars().any(char::is_numeric) || word.chars().count() <= 2;
    v::PUT.begins(label) && (v::CART.mentioned(label) || label.words.iter().skip(1).all(price))
}

/// An amount and nothing else.
fn only_amount(element: &Element) -> bool {
    let label = element.label.trim();
    label.chars().count() <= 14
        && label.chars().filter(|c| c.is_alphabetic()).count() <= 3
        && screen::amounts(label).len() == 1
}

/// Digits beside a sign or word of a currency.
pub(super) fn has_price(text: &str) -> bool {
    const SIGNS: &[char] = &[
        '$', '€', '£', '¥', '￥', '₹', '₽', '₴', '₩', '₫', '₺', '₪', '฿', '৳', '₱', '₦', '﷼', '₸', '₼',
    ];
    const WORDS: &[&str] = &[
        "đ",
        "vnd",
        "rp",
        "idr",
        "rs",
        "inr",
        "kr",
        "zł",
        "pln",
        "руб",
        "р",
        "грн",
        "лв",
        "kč",
        "ft",
        "lei",
        "ron",
        "tl",
        "usd",
        "eur",
        "gbp",
        "chf",
        "rm",
        "php",
        "ksh",
        "sar",
        "aed",
        "egp",
        "ريال",
        "جنيه",
        "درهم",
        "دينار",
        "ج م",
        "ر س",
        "د إ",
        "تومان",
        "ریال",
        "টাকা",
        "रुपये",
        "रु",
        "ש ח",
        "บาท",
        "元",
        "円",
        "원",
        "块",
        "ကျပ်",
        "៛",
        "₭",
        "сом",
        "so m",
        "сўм",
        "тг",
        "ден",
        "din",
        "дин",
        "bgn",
        "huf",
        "czk",
        "sek",
        "nok",
        "dkk",
        "birr",
        "tk",
        "lkr",
        "pkr",
        "bdt",
        "ngn",
        "kes",
        "tzs",
        "ugx",
        "zar",
        "rub",
        "uah",
        "try",
        "thb",
        "myr",
        "sgd",
        "jpy",
        "krw",
        "cny",
        "rmb",
        "ntd",
        "hkd",
        "twd",
        "usdt",
        "eth",
        "btc",
        "روپے",
        "ریال",
        "lek",
        "mad",
        "dt",
        "₾",
        "֏",
    ];
    if !text.chars().any(char::is_numeric) || text.chars().count() > 120 {
        return false;
    }
    if text.contains(SIGNS) {
        return true;
    }
    let characters: Vec<char> = text.to_lowercase().chars().collect();
    let lower: String = characters.iter().collect();
    WORDS.iter().any(|word| {
        lower.match_indices(&word.replace(' ', ".")).any(|(at, found)| {
            let before = lower[..at].trim_end().chars().next_back();
            let after = lower[at + found.len()..]
                .trim_start_matches(['.', ' ', '\u{a0}'])
                .chars()
                .next();
            let bounded = |c: Option<char>| c.is_none_or(|c| !c.is_alphabetic());
            (before.is_some_and(char::is_numeric) && bounded(lower[at + found.len()..].chars().next()))
                || (after.is_some_and(char::is_numeric) && bounded(lower[..at].chars().next_back()))
        })
    })
}

/// Digits beside a unit that was bought for money: "Read for 60 pt".
pub(super) fn has_points(text: &str) -> bool {
    const UNITS: &[&str] = &[
        "pt",
        "pts",
        "points",
        "point",
        "coins",
        "coin",
        "gems",
        "gem",
        "credits",
        "credit",
        "diamonds",
        "tokens",
        "puntos",
        "pontos",
        "punti",
        "punkte",
        "punkten",
        "münzen",
        "monedas",
        "moedas",
        "pièces",
        "gettoni",
        "monety",
        "монет",
        "монеты",
        "баллов",
        "кристаллов",
        "jeton",
        "puan",
        "xu",
        "koin",
        "poin",
        "นคะแนน",
        "เหรียญ",
        "ポイント",
        "コイン",
        "포인트",
        "코인",
        "金币",
        "积分",
        "钻石",
        "點數",
        "金幣",
        "書幣",
        "书币",
        "नाणी",
        "सिक्के",
    ];
    let lower = text.to_lowercase();
    UNITS.iter().any(|unit| {
        lower.match_indices(unit).any(|(at, found)| {
            let before = lower[..at].trim_end().chars().next_back();
            let after = lower[at + found.len()..].chars().next();
            let latin = |c: char| c.is_alphabetic() && c < '\u{e00}';
            before.is_some_and(char::is_numeric) && !after.is_some_and(latin)
        })
    })
}
