//! Amounts of money in a text, also in currencies whose amounts are not read.

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
