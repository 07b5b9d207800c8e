//! What reaches beyond the page by a small press: a door, a greeting, a secret put on the screen, a website let in.

use super::Risks;
use super::lexicon::{CODE_WORDS, NOT_CODE};
use super::page::{Page, has};
use super::refusal::refuses;
use super::stake::is_choice;
use super::vocabulary as v;
use super::words::{self, Label};
use protocol::{AskKind, Element, State};

/// Longer texts tell of a door; they are not its name.
const NAME_WORDS: usize = 5;
/// "Open", "Open remotely".
const OPENING_WORDS: usize = 3;
/// Ready answers stand so close above the line one writes on, in pixels.
const READY_GAP: i32 = 300;
/// A label that shows or copies something names little else.
const SHOWING_WORDS: usize = 6;

/// Adds what pressing this does outside the page.
pub(super) fn risks(page: &Page<'_>, element: &Element, label: &Label, risks: &mut Risks) {
    if calls_off(page, element, label) || calls_off_booking(page, element, label) {
        risks.entry(AskKind::Delete).or_insert("calls_off");
        return;
    }
    if refuses(element) {
        return;
    }
    if is_choice(element) && tells(page, element, label) {
        risks.entry(AskKind::Send).or_insert("tells_somebody");
    }
    let shares = v::COMPOSE.begins(label)
        || v::SHARE_TOPIC.begins(label)
        || v::PUBLIC_LINK.mentioned(label)
        || v::DEED.begins(label);
    if element.role == "switch" && !has(element, State::Checked) && shares {
        risks.entry(AskKind::Send).or_insert("shares");
    }
    if sends_later(page, element) || alerts(element) || nudges(element, label) {
        risks.entry(AskKind::Send).or_insert("tells_somebody");
    }
    if reveals(element, label) {
        risks.entry(AskKind::Password).or_insert("reveals_secret");
    }
    if copies_code(element, label) {
        risks.entry(AskKind::Code).or_insert("copies_code");
    }
    if pays_at_counter(page, element, label) {
        risks.entry(AskKind::Payment).or_insert("shows_payment_code");
    }
    if votes(page, element) || makes_public(page, element, label) || gives_away(page, element) {
        risks.entry(AskKind::Send).or_insert("shares");
    }
    // On the page that sends a place each place is sent.
    if is_choice(element) && v::HERE.mentioned(label) && page.gives() {
        risks.entry(AskKind::Send).or_insert("shares");
    }
    // Android's settings share a network with its password.
    if is_choice(element)
        && page.screen.current_app.ends_with(".settings")
        && v::NEUTRAL.is(label)
        && v::COMPOSE.is(label)
    {
        risks.entry(AskKind::Password).or_insert("shares_network");
    }
    if is_choice(element) && enters_call(page, label) {
        risks.entry(AskKind::Send).or_insert("answers_call");
    }
    if is_choice(element) && is_ready_reply(page, element) {
        risks.entry(AskKind::Send).or_insert("ready_reply");
    }
    if is_choice(element) && clears_data(element, label) {
        risks.entry(AskKind::Delete).or_insert("clears_data");
    }
    if opens_door(page, element, label) {
        risks.entry(AskKind::Permission).or_insert("opens_door");
    }
    if let Some(kind) = acts_in_bar(page, element, label) {
        risks.entry(kind).or_insert("acts_in_bar");
    }
    if is_choice(element) && lets_in(page, element, label) {
        risks.entry(AskKind::Oauth).or_insert("lets_in");
    }
}

/// A like, a wave, a vote: the whole of a label, or the beginning of an icon's ("Like Amy's photo").
fn tells(page: &Page<'_>, element: &Element, label: &Label) -> bool {
    v::TELLS.is(label) || (page.is_icon(element) && v::TELLS.any(label, |place| place.at == 0 && place.most))
}

/// A tile that alarms somebody, by its name or the line below it: "Health, Alert my contacts".
fn alerts(element: &Element) -> bool {
    is_choice(element)
        && element.role != "item"
        && element
            .label
            .split(", ")
            .any(|part| v::ALERTS.any(&Label::new(part), |place| place.at == 0))
}

/// A picture without words whose id says that it reaches somebody.
fn nudges(element: &Element, label: &Label) -> bool {
    label.words.is_empty()
        && is_choice(element)
        && words::id_says(
            &element.resource_id,
            &[
                "call", "dial", "phone", "poke", "nudge", "wave", "like", "submit", "follow", "repost",
                "reposts", "retweet", "upvote",
            ],
        )
}

/// Android's own yes, said by a word that also says no: "Cancel the booking? — Back, Cancel".
fn calls_off(page: &Page<'_>, element: &Element, label: &Label) -> bool {
    page.is_androids_yes(element) && (v::CALL_OFF.is(label) || v::TURN_OFF.is(label))
}

/// "Cancel" on the page of a booking that has nothing to fill in: there is nothing else it could call off.
fn calls_off_booking(page: &Page<'_>, element: &Element, label: &Label) -> bool {
    let booked = || {
        page.titles()
            .next()
            .is_some_and(|title| title.words.len() <= NAME_WORDS && v::BOOKED_THING.mentioned(&title))
    };
    v::CALL_OFF.is(label)
        && is_choice(element)
        && !page.is_icon(element)
        && !page.is_question()
        && page.fields().next().is_none()
        && page
            .screen
            .elements
            .iter()
            .all(|other| !has(other, State::Checkable))
        && booked()
}

/// On the list of times something is sent at, each does it.
fn sends_later(page: &Page<'_>, element: &Element) -> bool {
    let named = || page.titles().take(2).any(|title| v::SEND_LATER.is(&title));
    is_choice(element) && element.label.chars().any(char::is_numeric) && !page.in_bar(element) && named()
}

/// "Show PIN", "Zobrazit PIN": also as an entry of a list.
fn reveals(element: &Element, label: &Label) -> bool {
    let secret = || {
        v::SECRET.mentioned(label) || v::PASSWORD.mentioned(label) || words::mentions(&label.text, CODE_WORDS)
    };
    let pressed = has(element, State::Clickable) && !has(element, State::Editable);
    if pressed && label.words.is_empty() && shows_by_id(element) {
        return true;
    }
    pressed
        && label.words.len() <= SHOWING_WORDS
        && v::SHOWN.leads(label)
        && secret()
        && !words::mentions(&label.text, NOT_CODE)
}

/// An eye beside a password, told by its id.
fn shows_by_id(element: &Element) -> bool {
    const SECRETS: &[&str] = &["password", "passwd", "pwd", "pin", "passcode"];
    const SHOWS: &[&str] = &["show", "eye", "visible", "visibility", "toggle", "reveal"];
    words::id_says(&element.resource_id, SECRETS) && words::id_says(&element.resource_id, SHOWS)
}

/// Copy “482913”.
fn copies_code(element: &Element, label: &Label) -> bool {
    is_choice(element)
        && label.words.len() <= SHOWING_WORDS
        && v::SHOWN.leads(label)
        && label.words.iter().any(|word| screen::code_like(word))
}

/// "Show barcode" on a page about paying, or beside a balance.
fn pays_at_counter(page: &Page<'_>, element: &Element, label: &Label) -> bool {
    let about = || {
        page.shows_price()
            || page.money_app()
            || page
                .titles()
                .any(|title| v::PAY_TOPIC.mentioned(&title) || words::strong(AskKind::Payment, &title))
    };
    is_choice(element)
        && label.words.len() <= SHOWING_WORDS
        && (v::SHOWN.leads(label)
            || (v::PUT.leads(label) || v::PUT_LAST.ends(label))
                && !v::UNSET.mentioned(label)
                && !words::mentions(&label.text, NOT_CODE))
        && v::CASHIER.mentioned(label)
        && about()
}

/// An answer to a poll in a conversation counts when it is chosen.
fn votes(page: &Page<'_>, element: &Element) -> bool {
    let named = |other: &Element| {
        has(other, State::Clickable) && other.role != "radio" && v::POLL.is(&Label::new(&other.label))
    };
    matches!(element.role.as_str(), "radio" | "checkbox") && page.screen.elements.iter().any(named)
}

/// A link is made, and the page says that everybody may follow it.
fn makes_public(page: &Page<'_>, element: &Element, label: &Label) -> bool {
    is_choice(element)
        && (v::PUT.leads(label)
            || v::PUT_LAST.ends(label)
            || v::COMPOSE.leads(label)
            || v::SHOWN.leads(label))
        && page.statements().any(|text| v::PUBLIC_LINK.mentioned(&text))
}

/// Who stands near, on the page that gives a file to somebody near.
fn gives_away(page: &Page<'_>, element: &Element) -> bool {
    const NEAR: &[&str] = &[
        "quick share",
        "nearby share",
        "airdrop",
        "mi share",
        "huawei share",
    ];
    let near = || page.titles().any(|title| words::mentions(&title.text, NEAR));
    let label = Label::new(&element.label);
    is_choice(element) && near() && !v::SOFT.is(&label) && !v::MILD.is(&label) && !v::NO.is(&label)
}

/// "Reset …", with a line below it that says what is deleted.
fn clears_data(element: &Element, label: &Label) -> bool {
    const RESETS: &[&str] = &[
        "reset",
        "zurücksetzen",
        "réinitialiser",
        "restablecer",
        "redefinir",
        "reimposta",
        "ripristina",
        "opnieuw instellen",
        "zresetuj",
        "resetuj",
        "obnovit",
        "сбросить",
        "сброс",
        "скинути",
        "sıfırla",
        "återställ",
        "nulstil",
        "tilbakestill",
        "setel ulang",
        "đặt lại",
        "रीसेट करें",
        "إعادة ضبط",
        "إعادة تعيين",
        "بازنشانی",
        "איפוס",
        "รีเซ็ต",
        "重置",
        "重設",
        "リセット",
        "初期化",
        "재설정",
        "초기화",
    ];
    let deletes = |part: &str| words::strong(AskKind::Delete, &Label::new(part));
    words::mentions(&label.text, RESETS) && element.label.split(", ").skip(1).any(deletes)
}

/// "Join", where a microphone or a camera stands beside it.
fn enters_call(page: &Page<'_>, label: &Label) -> bool {
    let records =
        |other: &Element| has(other, State::Clickable) && v::RECORDS.mentioned(&Label::new(&other.label));
    v::ENTERS.any(label, |place| place.at == 0) && page.screen.elements.iter().any(records)
}

/// A question ready to be sent, close above the line one writes a message on.
fn is_ready_reply(page: &Page<'_>, element: &Element) -> bool {
    let below = |field: &Element| {
        let gap = field.bounds.top - element.bounds.bottom;
        (0..READY_GAP).contains(&gap) && v::MESSAGE.names(&Label::new(&field.label))
    };
    element.label.trim_end().ends_with(['?', '？', '؟']) && page.fields().any(below)
}

/// Where none of the tabs at the foot is chosen they are no views: "Share, Favourite, Delete" under what was picked.
fn acts_in_bar(page: &Page<'_>, element: &Element, label: &Label) -> Option<AskKind> {
    let chosen = |other: &Element| other.role == "tab" && has(other, State::Selected);
    let bar = element.role == "tab" && !page.screen.elements.iter().any(chosen);
    let deletes = bar && label.words.len() <= 2 && words::strong(AskKind::Delete, label);
    deletes.then_some(AskKind::Delete)
}

/// A door, a gate, a locker: it is opened, or its lock is a switch.
fn opens_door(page: &Page<'_>, element: &Element, label: &Label) -> bool {
    if element.role == "switch" {
        return v::DOOR.mentioned(label);
    }
    // "Front door, Locked, Hold to unlock".
    let says = |part: &str| {
        let part = Label::new(part);
        part.words.len() <= NAME_WORDS && (v::OPENS.mentioned(&part) || v::LOCKED.mentioned(&part))
    };
    if is_choice(element) && v::DOOR.mentioned(label) && element.label.split(", ").skip(1).any(says) {
        return true;
    }
    let about = || {
        v::DOOR.mentioned(label)
            || page.statements().any(|text| {
                (v::OPENS.is(label) || text.words.len() <= NAME_WORDS) && v::DOOR.mentioned(&text)
            })
    };
    let short = label.words.len() <= OPENING_WORDS || v::DOOR.mentioned(label);
    is_choice(element) && short && v::OPENS.leads(label) && about()
}

/// "Sign in" beside "Cancel", with nothing to fill in: somebody else asks whether it was you.
fn lets_in(page: &Page<'_>, element: &Element, label: &Label) -> bool {
    let beside = |other: &Element| {
        other.index != element.index && is_choice(other) && v::NO.is(&Label::new(&other.label))
    };
    let asked = || page.fields().next().is_none() && page.screen.elements.iter().any(beside);
    // A code alone opens an account, and makes one where there is none.
    let by_code = || page.code_field().is_some() && !page.fields().any(|field| has(field, State::Password));
    v::LOGIN.is(label) && (asked() || by_code())
}
