//! Deeds the person agreed to before their task began: whether what is about to be done is one of them, word for word.

use crate::act::{Act, How, acts};
use crate::case::Case;
use crate::facts::Page;
use crate::person;
use crate::rules::{Does, Finding};
use crate::words::{self, Label};
use protocol::{AskKind, ElementState, Mandate, Role, RuleName as R, Screen};

/// What stands on the button that sends a message, and on no other.
const SENDS: &str = "send|send message|senden|absenden|nachricht senden|envoyer|enviar|enviar mensaje|\
    enviar mensagem|invia|verzenden|verstuur|wyślij|odeslat|trimite|küldés|αποστολή|отправить|\
    надіслати|изпрати|pošalji|gönder|skicka|send besked|lähetä|kirim|hantar|gửi|भेजें|পাঠান|\
    إرسال|ارسال|שליחה|ส่ง|发送|傳送|送信|보내기|전송";

/// What is named behind these words is what stays.
const BUT: &[&str] = &[
    "except",
    "but",
    "außer",
    "bis auf",
    "sauf",
    "excepto",
    "exceto",
    "salvo",
    "menos",
    "tranne",
    "eccetto",
    "behalve",
    "oprócz",
    "kromě",
    "кроме",
    "hariç",
    "utom",
    "undtagen",
    "unntatt",
    "kecuali",
    "除",
    "以外",
    "제외",
];

/// Whether a mandate answers everything that would be asked: one act, nothing but the deed itself, in its app, to whom and with
/// what it says, no more of it.
pub(crate) fn covers(case: &Case<'_>, open: &[&Finding]) -> bool {
    if case.mandates.is_empty() || case.inputs.len() != 1 {
        return false;
    }
    let page = Page::new(case.screen);
    let acts = acts(case.inputs, &page);
    let [act] = acts.as_slice() else { return false };
    let is = |deed: &Mandate| {
        let same = match deed.kind {
            AskKind::Send => sends(case.screen, act, deed, open),
            AskKind::Delete => deletes(case.screen, act, deed),
            _ => false,
        };
        same && is_only(open, deed.kind)
            && deed.count > 0
            && deed.app == case.app()
            && !case.begun_kinds.contains(&deed.kind)
            && !person::asks(case, deed.kind)
    };
    case.mandates.iter().any(is)
}

/// A rule knows the deed for one, and nothing else is found but the opinion that it is: calls, votes and what opens to
/// everybody are sent too, and are no message.
fn is_only(open: &[&Finding], kind: AskKind) -> bool {
    let known = |found: &&Finding| match kind {
        AskKind::Send => matches!(found.rule, R::SendButton | R::BesideMessage | R::EnterSends),
        _ => matches!(found.rule, R::DeleteButton | R::YesToDelete),
    };
    let same =
        |found: &&Finding| found.does == Does::Core(kind) && (known(found) || found.rule == R::Opinion);
    open.iter().any(known) && open.iter().all(same)
}

/// The one text written on the page is the message, and the one it goes to is whom the person named.
fn sends(screen: &Screen, act: &Act<'_, '_>, deed: &Mandate, open: &[&Finding]) -> bool {
    let enters = matches!(act.how, How::Enter(_));
    let button = act.on.filter(|_| matches!(act.how, How::Press));
    let says_send = button.is_some_and(|thing| {
        let label = folded(&thing.element.label);
        // An icon is the send where it stands beside the message, and its id does not say that it calls or likes.
        let beside = || open.iter().any(|found| found.rule == R::BesideMessage);
        let other = || thing.id_sends() && !thing.id_has("send submit");
        SENDS.split('|').any(|word| word == label) || label.is_empty() && beside() && !other()
    });
    let fields = screen
        .elements
        .iter()
        .filter(|element| element.states.contains(&ElementState::Editable));
    let written = fields.filter_map(|element| element.value.as_deref());
    let written: Vec<&str> = written.filter(|value| !value.trim().is_empty()).collect();
    let (Some(text), Some(whom)) = (&deed.text, &deed.recipient) else {
        return false;
    };
    let same = matches!(written.as_slice(), [one] if folded(one) == folded(text));
    let to = screen::addressee(screen);
    (enters || says_send) && same && to.is_some_and(|to| folded(&to) == folded(whom))
}

/// What is pressed, or what is asked, names what the person named, and as many of it; several may have their name above them.
fn deletes(screen: &Screen, act: &Act<'_, '_>, deed: &Mandate) -> bool {
    let Some(text) = deed.text.as_deref().map(folded).filter(|text| !text.is_empty()) else {
        return false;
    };
    let Some(pressed) = act.on.filter(|_| matches!(act.how, How::Press)) else {
        return false;
    };
    let about: Vec<String> = screen
        .elements
        .iter()
        .filter(|element| element.role == Role::Text)
        .chain(std::iter::once(pressed.element))
        .map(|element| folded(&element.label))
        .filter(|label| words::DELETE.mentioned(&Label::new(label)))
        .collect();
    let names = |label: &String| names(label, &text);
    let numbers: Vec<u32> = about.iter().flat_map(|label| numbers(label)).collect();
    if deed.count == 1 {
        return numbers.iter().all(|n| *n <= 1) && about.iter().any(names);
    }
    let title = screen::title(screen).map(|title| folded(&title));
    let counted = !numbers.is_empty() && numbers.iter().all(|n| *n == deed.count);
    counted && (about.iter().any(names) || title.is_some_and(|title| title == text))
}

/// Whether a text names a thing by this name and no other: between quotes, or with nothing around it but the deed and how many.
/// What is named as what stays is not.
fn names(label: &str, name: &str) -> bool {
    if words::mentions(label, BUT) {
        return false;
    }
    let quoted = [('"', '"'), ('\'', '\''), ('「', '」'), ('『', '』')];
    let mut quoted = quoted.iter().map(|(open, close)| format!("{open}{name}{close}"));
    let rest = || {
        label
            .replacen(name, " ", 1)
            .replace(|c: char| c.is_ascii_digit(), " ")
    };
    quoted.any(|quoted| label.contains(&quoted))
        || label.contains(name) && words::DELETE.is(&Label::new(&rest()))
}

fn numbers(label: &str) -> Vec<u32> {
    let digits = label
        .split(|c: char| !c.is_ascii_digit())
        .filter(|run| !run.is_empty());
    digits.map(|run| run.parse().unwrap_or(u32::MAX)).collect()
}

/// A text as it is compared: small letters, plain quotes and dashes, full-width letters as usual ones, single blanks.
#[must_use]
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim().chars() {
        let plain = match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
            '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' => '\'',
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{00ab}' | '\u{00bb}' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            c if c.is_whitespace() => ' ',
            c => c,
        };
        if plain == ' ' && out.ends_with(' ') {
            continue;
        }
        out.extend(plain.to_lowercase());
    }
    out
}
