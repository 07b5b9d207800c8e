//! What a touch at a pixel risks.

use super::guard;
use super::lexicon::LEXICON;
use super::page::{Page, has, is_row, side_by_side, subject};
use super::price::{self, has_price};
use super::refusal::refuses;
use super::stake::{is_choice, says_yes};
use super::vocabulary as v;
use super::words::{self, Label};
use super::{Risks, decision, keys, outside, phrase};
use protocol::{AskKind, Element, State};

/// Signs that change what is written or where one is, and nothing else.
const HARMLESS_SIGNS: &[char] = &[
    '⌫', '+', '-', '−', '×', '✕', '✖', '‹', '<', '←', '⋮', '…', '↑', '↓',
];
/// Apps in which a number that is pressed is called.
const DIALERS: &[&str] = &[
    "dialer",
    "contacts",
    "incallui",
    "telecom",
    "com.android.phone",
    "phonebook",
];

/// Parts of ids of what is drawn along to say yes.
const SLIDES: &[&str] = &[
    "slide",
    "swipe",
    "slidebutton",
    "swipebutton",
    "slideto",
    "swipeto",
];

/// Shops for apps.
const STORES: &[&str] = &[
    "vending",
    "appgallery",
    "appmarket",
    "samsungapps",
    "mipicks",
    "market",
    "qqdownloader",
    "fdroid",
    "aurora",
    "apkpure",
    "uptodown",
    "taptap",
    "appstore",
];

/// The rule about the button under a password: not asked where the person gave it.
pub(super) const SIGNS_IN: &str = "signs_in";
/// The rule about a touch on nothing we know, on a page that pays.
pub(super) const NOWHERE: &str = "unknown_on_payment_page";

/// Adds what touching (x, y) risks.
pub(super) fn risks(page: &Page<'_>, x: i32, y: i32, risks: &mut Risks) {
    if let Some(top) = page.keyboard_top()
        && y >= top
    {
        keys::touching_keyboard(page, x, y, risks);
    }
    let mut any = false;
    for element in page.under(x, y) {
        any |= has(element, State::Clickable) || !element.label.is_empty();
        of_element(page, element, risks);
    }
    // A touch that lands on nothing we know, on a page from which money goes with one press.
    if !any && page.is_payment() && page.keyboard_top().is_none_or(|top| y < top) {
        risks.entry(AskKind::Payment).or_insert(NOWHERE);
    }
}

/// Adds what a finger that stays on (x, y) risks: what records while it is held sends when it is let go.
pub(super) fn holding(page: &Page<'_>, x: i32, y: i32, risks: &mut Risks) {
    for element in page.under(x, y) {
        // On a number pad that calls, 1 held down calls the voice mail.
        let pad = || is_dialer(page) || page.element_for(AskKind::Send).is_some();
        if element.label.trim() == "1" && !has(element, State::Editable) && pad() {
            risks.entry(AskKind::Send).or_insert("held_key_calls");
        }
        if has(element, State::Clickable) && v::VOICE.names(&Label::new(&element.label)) {
            risks.entry(AskKind::Send).or_insert("held_microphone");
        }
    }
}

/// Adds what moving a finger from (x, y) risks: a slider on a page about money pays.
pub(super) fn sliding(page: &Page<'_>, x: i32, y: i32, risks: &mut Risks) {
    if page.money_at_stake() && page.under(x, y).any(|element| element.role == "slider") {
        risks.entry(AskKind::Payment).or_insert("slider_on_payment_page");
    }
    // A slider's own words stand where others have their value.
    let said = |element: &Element| {
        let value = element.value.as_deref().unwrap_or_default();
        Label::new(if element.label.is_empty() {
            value
        } else {
            &element.label
        })
    };
    let slides = || {
        let labels = page.screen.elements.iter().map(said);
        labels
            .filter(|label| label.words.len() <= 8)
            .any(|label| v::SLIDE.mentioned(&label))
    };
    if page.shows_price() && slides() {
        risks.entry(AskKind::Payment).or_insert("slides_to_pay");
    }
    for element in page.under(x, y) {
        let label = said(element);
        let low = i64::from(element.bounds.top) * 2 > i64::from(page.screen.height);
        let says = label.words.len() > 1 && !v::FILTER.mentioned(&label);
        let named = words::id_says(&element.resource_id, SLIDES);
        if low && says && (named || element.role == "slider") {
            let kind = if page.shows_price() {
                AskKind::Payment
            } else {
                AskKind::Unknown
            };
            risks.entry(kind).or_insert("slides_on");
        }
    }
}

/// Adds what pressing this element risks.
pub(super) fn of_element(page: &Page<'_>, element: &Element, risks: &mut Risks) {
    for entry in LEXICON {
        if page.presses(element, entry) {
            risks.entry(entry.kind).or_insert(entry.rule);
        }
    }
    // In a bank's app, or where an account and an amount show, sending is paying.
    if risks.contains_key(&AskKind::Send) && page.money_at_stake() {
        risks.entry(AskKind::Payment).or_insert("send_money");
    }
    guard::risks(page, element, risks);
    phrase::risks(page, element, risks);
    if v::PUBLIC_LINK.names(&Label::new(&element.label)) && has(element, State::Clickable) {
        risks.entry(AskKind::Send).or_insert("opens_to_everybody");
    }
    if has(element, State::Editable) || has(element, State::Disabled) || !has(element, State::Clickable) {
        return;
    }
    let label = Label::new(subject(element));
    answering(page, element, risks);
    signing(page, element, &label, risks);
    if label.words.is_empty() {
        unnamed(page, element, risks);
    }
    price::risks(page, element, &label, risks);
    let first = element.label.split(", ").next().unwrap_or_default();
    if is_phone_number(first)
        && (!is_row(element) || DIALERS.iter().any(|part| page.screen.current_app.contains(part)))
    {
        risks.entry(AskKind::Send).or_insert("calls_number");
    }
    let short = first.chars().all(char::is_numeric) && (3..=6).contains(&first.chars().count());
    if short && is_dialer(page) {
        risks.entry(AskKind::Send).or_insert("calls_number");
    }
    if v::REVEAL.names(&label) && !refuses(element) {
        risks.entry(AskKind::Password).or_insert("reveals_secret");
    }
    if v::CALL_TOO.is(&label) && (is_dialer(page) || page.element_for(AskKind::Send).is_some()) {
        risks.entry(AskKind::Send).or_insert("call_button");
    }
    inviting(page, element, risks);
    outside::risks(page, element, &label, risks);
    let whole_label = Label::new(&element.label);
    if v::SHARE_TOPIC.begins(&whole_label) && is_choice(element) && page.gives() {
        risks.entry(AskKind::Send).or_insert("confirms_sharing");
    }
    let app = page.screen.current_app.to_lowercase();
    let whole = |vocabulary: &v::Vocabulary| vocabulary.is(&label);
    if STORES.iter().any(|part| app.contains(part)) && is_choice(element) && whole(&v::GET) {
        risks.entry(AskKind::Install).or_insert("gets_app");
    }
    let dialer = is_dialer(page);
    let lower = i64::from(element.bounds.top) * 2 > i64::from(page.screen.height);
    if dialer
        && is_choice(element)
        && (whole(&v::ANSWER) || (label.words.is_empty() && lower && element.label.trim().is_empty()))
    {
        risks.entry(AskKind::Send).or_insert("call_button");
    }
    if label.words.len() == 1
        && label.text.trim().chars().all(char::is_numeric)
        && label.text.trim().chars().count() == 1
    {
        pin_pad(page, risks);
    }
    quick_reply(page, element, risks);
    decision::risks(page, element, &label, risks);
}

/// Saying yes to what the page asks.
fn answering(page: &Page<'_>, element: &Element, risks: &mut Risks) {
    let stake = page.stake();
    if stake.kinds.is_empty() || !page.affirms(element, &stake) {
        return;
    }
    for (kind, rule) in stake.kinds {
        // Outside a question only what commits commits; a row of a page about money opens something.
        if kind == AskKind::Payment && !stake.asks && is_row(element) {
            continue;
        }
        risks.entry(kind).or_insert(rule);
    }
}

/// Answers to an invitation are told to whoever invites, the no as well.
fn inviting(page: &Page<'_>, element: &Element, risks: &mut Risks) {
    let label = Label::new(&element.label);
    let answers = says_yes(&label) || v::NO.is(&label) || v::MAYBE.is(&label);
    let asked = || {
        page.statements()
            .any(|text| text.words.len() <= 8 && v::RSVP_TOPIC.mentioned(&text))
    };
    let back = page.in_bar(element) && page.is_icon(element);
    if is_choice(element) && !is_row(element) && answers && !back && page.stake().asks && asked() {
        risks.entry(AskKind::Send).or_insert("answers_invitation");
    }
}

fn is_dialer(page: &Page<'_>) -> bool {
    let app = page.screen.current_app.to_lowercase();
    DIALERS.iter().any(|part| app.contains(part))
}

/// Accounts, contracts, forms.
fn signing(page: &Page<'_>, element: &Element, label: &Label, risks: &mut Risks) {
    if refuses(element) || !is_choice(element) {
        return;
    }
    let form = page.form_button();
    let commits = form.is_some_and(|form| form.index == element.index);
    if v::LOGIN.is(label) && commits && page.fields().any(|field| has(field, State::Password)) {
        risks.entry(AskKind::Oauth).or_insert(SIGNS_IN);
    }
    // A number or an address is sent, and an account begins.
    let begins = || {
        page.screen
            .elements
            .iter()
            .any(|other| is_choice(other) && words::strong(AskKind::Oauth, &Label::new(&other.label)))
    };
    let onward = v::SOFT.is(label) || v::ONWARD.is(label) || v::MILD.is(label);
    if onward && commits && page.composes() && begins() {
        risks.entry(AskKind::Oauth).or_insert("begins_account");
    }
    // The other half of the form is opened, not handed in.
    let elsewhere = form.is_some_and(|form| {
        let name = Label::new(&form.label);
        form.index != element.index
            && (v::LOGIN.is(&name) || v::JOIN.is(&name) || v::ONWARD.is(&name) || v::MILD.is(&name))
    });
    let joins = !elsewhere && v::JOIN.any(label, |place| place.whole || (place.at == 0 && place.most));
    // Under a code field the button confirms a code that a person gave; signing in to an account there is takes a
    // password, and that was the person's.
    if joins && page.code_field().is_none() && page.fields().next().is_some() && !is_row(element) {
        risks.entry(AskKind::Oauth).or_insert("sign_up_form");
    }
    if v::AGREE.is(label) && page.statements().any(|text| v::TERMS.mentioned(&text)) {
        risks.entry(AskKind::Oauth).or_insert("agrees");
    }
    let signs_in = || {
        page.fields().any(|field| has(field, State::Password))
            || page.statements().any(|text| v::SIGN_TOPIC.mentioned(&text))
    };
    if v::PROVIDER.is(label) && signs_in() {
        risks.entry(AskKind::Oauth).or_insert("signs_in_with");
    }
    let account = element.label.contains('@');
    if account && page.titles().any(|title| v::SIGN_TOPIC.mentioned(&title)) {
        risks.entry(AskKind::Oauth).or_insert("chooses_account");
    }
}

/// A button without words does what its neighbours do, and in a bank nobody can tell.
fn unnamed(page: &Page<'_>, element: &Element, risks: &mut Risks) {
    let sign = element.label.trim();
    if !sign.is_empty() && sign.chars().all(|c| HARMLESS_SIGNS.contains(&c)) {
        return;
    }
    let in_bar = page.in_bar(element);
    // At the left of a bar stands the way back.
    let back = in_bar && i64::from(element.bounds.right) * 4 < i64::from(page.screen.width);
    if !back && is_choice(element) && (page.money_at_stake() || page.money_app()) {
        risks.entry(AskKind::Payment).or_insert("unnamed_on_money_page");
    }
    let beside = |other: &Element| {
        let (a, b) = (element.bounds, other.bounds);
        other.index != element.index && side_by_side(a, b)
    };
    if in_bar {
        return;
    }
    if page.sends_beside(element) {
        risks.entry(AskKind::Send).or_insert("beside_message");
    }
    if !page.is_icon(element) {
        return;
    }
    for entry in LEXICON {
        let near = page
            .screen
            .elements
            .iter()
            .any(|other| beside(other) && page.presses(other, entry));
        if near && matches!(entry.kind, AskKind::Payment | AskKind::Send | AskKind::Delete) {
            risks.entry(entry.kind).or_insert("unnamed_beside");
        }
    }
}

/// A number pad under a question for a secret number.
fn pin_pad(page: &Page<'_>, risks: &mut Risks) {
    let asked = page
        .statements()
        .any(|text| v::SECRET.mentioned(&text) || super::code::wants_code(text.text.trim()));
    if asked {
        risks.entry(AskKind::Code).or_insert("number_pad");
    }
}

/// Under a notification that can be answered stand answers ready to be sent.
fn quick_reply(page: &Page<'_>, element: &Element, risks: &mut Risks) {
    if page.screen.current_app != "com.android.systemui" || is_row(element) || refuses(element) {
        return;
    }
    let label = Label::new(&element.label);
    if says_yes(&label) && !page.stake().dialog && page.screen.current_app == "com.android.systemui" {
        let money = page
            .screen
            .elements
            .iter()
            .any(|other| has_price(&other.label) || v::PAY_TOPIC.mentioned(&Label::new(&other.label)));
        let kind = if money { AskKind::Payment } else { AskKind::Act };
        risks.entry(kind).or_insert("notification_button");
    }
    let opens = |label: &Label| v::COMPOSE.is(label);
    let below = page.screen.elements.iter().any(|other| {
        has(other, State::Clickable)
            && opens(&Label::new(&other.label))
            && element.bounds.top >= other.bounds.bottom - 8
            && element.bounds.top - other.bounds.bottom < 200
    });
    let looks = v::LOOK.begins(&label) || v::LOOK_LAST.ends(&label) || v::MILD.is(&label);
    if below && !label.words.is_empty() && !opens(&label) && !looks {
        risks.entry(AskKind::Send).or_insert("quick_reply");
    }
}

/// Digits in groups, seven at least, as numbers of phones are written.
fn is_phone_number(text: &str) -> bool {
    let text = text.trim();
    let digits = text.chars().filter(|c| c.is_numeric()).count();
    let grouped = text.starts_with(['+', '0', '(']) || text.contains([' ', '-']);
    (7..=15).contains(&digits)
        && grouped
        && text.chars().all(|c| {
            c.is_numeric()
                || matches!(
                    c,
                    ' ' | '-' | '+' | '(' | ')' | '\u{a0}' | '\u{200e}' | '\u{202a}' | '\u{202c}'
                )
        })
}

/// The hard rule a touch at (x, y) would break.
pub(super) fn never(page: &Page<'_>, x: i32, y: i32) -> Option<&'static str> {
    page.under(x, y).find_map(|element| guard::never(page, element))
}

/// The hard rule that confirming what has the focus would break.
pub(super) fn never_focused(page: &Page<'_>) -> Option<&'static str> {
    page.focused().and_then(|element| guard::never(page, element))
}
