//! Answers that do nothing: "No", "Later", "Do not".

use super::lexicon::known;
use super::stake::{Deed, deed};
use super::vocabulary as v;
use super::words::Label;
use protocol::{AskKind, Element};

/// Words after which nothing is done: at the beginning of a label.
const NEGATIONS: &[&str] = &[
    "don",
    "dont",
    "not",
    "no",
    "never",
    "keep",
    "garder",
    "conserver",
    "behalten",
    "mantener",
    "manter",
    "mantieni",
    "houden",
    "zachowaj",
    "оставить",
    "skip",
    "nicht",
    "nein",
    "kein",
    "keine",
    "ne",
    "non",
    "não",
    "niet",
    "geen",
    "nie",
    "не",
    "нет",
    "ні",
    "ikke",
    "inte",
    "inget",
    "ei",
    "älä",
    "δεν",
    "μη",
    "μην",
    "όχι",
    "tidak",
    "jangan",
    "không",
    "đừng",
    "नहीं",
    "لا",
    "عدم",
    "لم",
    "نه",
    "לא",
    "אל",
    "אין",
    "nem",
];
/// The same at the end.
const NEGATED: &[&str] = &["nicht", "नहीं", "না", "değil", "pas", "வேண்டாம்"];
/// The same where no spaces are written.
const DENSE_BEGINS: &[&str] = &["不", "别", "別", "暂不", "暫不", "ไม่", "아니"];
const DENSE_ENDS: &[&str] = &["しない", "ません", "안함", "안 함", "않음", "않기"];
/// Words that put something off.
pub(super) const LATER: &[&str] = &[
    "later",
    "später",
    "tard",
    "tarde",
    "tardi",
    "позже",
    "потом",
    "пізніше",
    "sonra",
    "nanti",
    "sau",
    "لاحقا",
    "لاحقًا",
    "senere",
    "senare",
    "później",
    "बाद में",
];

/// The button says that nothing is done.
pub(super) fn refuses(element: &Element) -> bool {
    let name = element.resource_id.rsplit('/').next().unwrap_or_default();
    if name.starts_with("permission_deny") || name.starts_with("permission_no_upgrade") {
        return true;
    }
    let label = Label::new(&element.label);
    if deed(&label).is_some_and(|deed| deed == Deed::CallOff) {
        return false;
    }
    if v::NO.is(&label) {
        return true;
    }
    // "Decline (8)" counts down.
    if let [words @ .., count] = label.words.as_slice()
        && !words.is_empty()
        && count.chars().all(char::is_numeric)
        && v::NO.is(&Label::new(&words.join(" ")))
    {
        return true;
    }
    let first = label.words.first().map_or("", String::as_str);
    let last = label.words.last().map_or("", String::as_str);
    if label.words.len() > 1 && (NEGATIONS.contains(&first) || NEGATED.contains(&last)) {
        return true;
    }
    let text = label.text.trim();
    if label.is_dense()
        && (DENSE_BEGINS.iter().any(|part| text.starts_with(part))
            || DENSE_ENDS.iter().any(|part| text.ends_with(part)))
    {
        return true;
    }
    let pays =
        known(AskKind::Payment).is_some_and(|known| known.strong.names(&label) || v::PAY.names(&label));
    if LATER.contains(&last) && !pays {
        return true;
    }
    let strong = |kind| {
        known(kind).is_some_and(|known| {
            known.strong.names(&label) || known.more.is_some_and(|more| more.names(&label))
        })
    };
    v::NO.any(&label, |place| place.at == 0 && place.most)
        && ![
            AskKind::Payment,
            AskKind::Delete,
            AskKind::Send,
            AskKind::Install,
            AskKind::Oauth,
        ]
        .into_iter()
        .any(strong)
}
