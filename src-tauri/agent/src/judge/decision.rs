//! A press nobody has words for: read from where it stands.
//!
//! What is harmless is listed, in as many languages as could be had; a button that decides something and is not on that
//! list asks. So a word the judge never met, and a language it does not read, end in a question, not in a deed.

use super::lexicon::LEXICON;
use super::page::{Page, has, is_search, level};
use super::price::has_price;
use super::refusal::refuses;
use super::stake::{deed, is_choice, says_yes};
use super::vocabulary as v;
use super::words::Label;
use super::{Risks, commit, harmless};
use protocol::{AskKind, Element, State};

/// The rule about a press nobody has words for.
pub(super) const UNREAD: &str = "unread_decision";
/// Longer labels tell something; they are no buttons.
const BUTTON_WORDS: usize = 7;
const BUTTON_CHARACTERS: usize = 60;
/// Parts of ids of buttons that go away from here.
const GOES_AWAY: &[&str] = &[
    "cancel", "close", "back", "negative", "dismiss", "skip", "later", "no", "button2", "button3",
];
/// Parts of ids of what opens a view or changes how it looks.
const OPENS_BY_ID: &[&str] = &[
    "tab",
    "tabs",
    "nav",
    "menu",
    "history",
    "filter",
    "sort",
    "theme",
    "search",
    "settings",
    "help",
    "info",
    "overflow",
    "expand",
    "collapse",
    "profile",
    "avatar",
    "language",
    "lang",
    "zoom",
    "fullscreen",
];
/// Signs on a button that go on from a secret number or an amount.
const GO_SIGNS: &[char] = &['✓', '✔', '☑', '→', '➤', '➔', '➜', '▶', '⏎', '↵', '»', '>', '›'];
/// Parts of ids that say nothing.
const FILLERS: &[&str] = &[
    "btn",
    "button",
    "iv",
    "tv",
    "img",
    "image",
    "icon",
    "view",
    "text",
    "txt",
    "dialog",
    "action",
    "nav",
    "up",
    "toolbar",
    "ib",
    "layout",
    "container",
    "id",
    "the",
    "sheet",
    "bottom",
];

/// What is looked at once on a page.
struct Around<'a> {
    page: &'a Page<'a>,
    /// A dialog, or a question with few answers.
    asks: bool,
    dialog: bool,
    /// What saying yes would do is not known.
    unread: bool,
    filled: bool,
    composes: bool,
    priced: bool,
    secret: bool,
}

/// Adds what a decisive press nobody understands risks.
pub(super) fn risks(page: &Page<'_>, element: &Element, label: &Label, risks: &mut Risks) {
    if !risks.is_empty() || !is_choice(element) {
        return;
    }
    let around = Around::of(page);
    if label.words.is_empty() {
        return around.sign(element, risks);
    }
    around.invitation(element, label, risks);
    around.at_once(element, label, risks);
    around.pair(element, label, risks);
    if v::SOFT.is(label) || v::SAVE.is(label) || says_yes(label) {
        around.answer(element, risks);
        commit::risks(page, element, label, risks);
    }
    if !risks.is_empty() || v::SOFT.is(label) || !around.is_unread(element, label) {
        return;
    }
    // At home what is pressed is opened, and a calculator only counts.
    if (harmless::at_home(page) && !around.asks) || harmless::excuses(page, element, AskKind::Delete) {
        return;
    }
    if harmless::clears(page, element) && v::DELETE.names(label) {
        return;
    }
    if page.is_icon(element) && around.filled {
        risks.entry(AskKind::Send).or_insert("unread_beside_draft");
        return;
    }
    let verb = v::ACT.begins(label) || v::DEED.begins(label);
    if !verb && harmless::is_options(page) {
        return;
    }
    let acts = !label.is_dense() && (v::ACT.begins(label) || v::DEED.begins(label));
    if (!acts && around.decided_elsewhere(element)) || around.is_aside(element, label) {
        return;
    }
    let kind = if around.priced && !page.is_over() {
        AskKind::Payment
    } else {
        AskKind::Unknown
    };
    risks.entry(kind).or_insert(UNREAD);
}

impl Page<'_> {
    /// A small press on it that nobody knows to be harmless.
    pub(super) fn unread_icon(&self) -> bool {
        let around = Around::of(self);
        let unread = |element: &&Element| {
            self.is_icon(element) && around.is_unread(element, &Label::new(&element.label))
        };
        self.screen.elements.iter().any(|element| unread(&element))
    }
}

impl<'a> Around<'a> {
    fn of(page: &'a Page<'a>) -> Self {
        let stake = page.stake();
        let filled = |field: &Element| {
            let value = field.value.as_deref().unwrap_or_default().trim();
            has(field, State::Focused) || (!value.is_empty() && value != field.label.trim())
        };
        Self {
            page,
            asks: stake.asks,
            dialog: stake.dialog,
            unread: stake.kinds.is_empty(),
            filled: page.fields().any(filled),
            composes: page.composes(),
            priced: page.shows_price(),
            secret: page.fields().any(|field| has(field, State::Password)),
        }
    }

    fn elements(&self) -> impl Iterator<Item = &'a Element> {
        self.page.screen.elements.iter()
    }

    /// A sign that goes on, under an amount or a question for a secret.
    fn sign(&self, element: &Element, risks: &mut Risks) {
        let sign = element.label.trim();
        let goes = !sign.is_empty() && sign.chars().all(|c| GO_SIGNS.contains(&c));
        let asked = || self.page.statements().any(|text| v::SECRET.mentioned(&text));
        if goes && (self.priced || asked()) {
            risks.entry(AskKind::Payment).or_insert("goes_on");
        }
    }

    /// Yes, no, perhaps: the answer is told to whoever invites.
    fn invitation(&self, element: &Element, label: &Label, risks: &mut Risks) {
        let perhaps = |other: &Element| {
            has(other, State::Clickable)
                && other.index != element.index
                && v::MAYBE.is(&Label::new(&other.label))
        };
        let answers = says_yes(label) || v::NO.is(label) || v::MAYBE.is(label);
        let back = self.page.in_bar(element) && self.page.is_icon(element);
        if answers && !back && v::MAYBE.is(label) != self.elements().any(perhaps) {
            risks.entry(AskKind::Send).or_insert("answers_invitation");
        }
    }

    /// Accept beside Decline: a question, however it is drawn. Somebody who calls is answered.
    fn pair(&self, element: &Element, label: &Label, risks: &mut Risks) {
        if !says_yes(label) && !v::ANSWER.is(label) {
            return;
        }
        let refused = || self.elements().any(|other| is_choice(other) && refuses(other));
        if self.page.statements().any(|text| v::INCOMING.mentioned(&text)) {
            risks.entry(AskKind::Send).or_insert("answers_call");
        } else if (!v::SOFT.is(label) && self.page.is_icon(element) && refused())
            || self.is_declined_beside(element)
        {
            risks.entry(AskKind::Unknown).or_insert("unread_question");
        }
    }

    /// The page says that one press is enough: every choice on it is carried out.
    fn at_once(&self, element: &Element, label: &Label, risks: &mut Risks) {
        let told = || self.page.statements().any(|text| v::AT_ONCE.mentioned(&text));
        let aside = || refuses(element) || self.page.in_bar(element) || v::LOOK.begins(label);
        if told() && !aside() {
            let kind = if self.priced {
                AskKind::Payment
            } else {
                AskKind::Send
            };
            risks.entry(kind).or_insert("at_once");
        }
    }

    /// Level with it stands a button that declines, and does not merely call off or put off.
    fn is_declined_beside(&self, element: &Element) -> bool {
        let declines = |other: &Element| {
            let label = Label::new(&other.label);
            is_choice(other) && level(other.bounds, element.bounds) && v::DECLINE.is(&label)
        };
        self.elements().any(declines)
    }

    /// Yes to a question nobody understands; where something is picked or written in, the yes is to that.
    fn answer(&self, element: &Element, risks: &mut Risks) {
        let refused = || self.elements().any(|other| is_choice(other) && refuses(other));
        let chooses = || {
            !self.page.is_system()
                && self
                    .elements()
                    .any(|other| matches!(other.role.as_str(), "radio" | "field" | "slider"))
        };
        let question = self.page.is_system() || self.page.is_question();
        if (self.asks || self.page.is_system())
            && self.unread
            && question
            && !refuses(element)
            && refused()
            && !chooses()
        {
            risks.entry(AskKind::Unknown).or_insert("unread_question");
        }
    }

    /// Another button is known to do what the page is for: what stands above it is chosen for it, and beside a payment,
    /// an installation or a form handed in stands what is not. Of two answers, one that is known leaves the other.
    fn decided_elsewhere(&self, element: &Element) -> bool {
        let known = |other: &Element| {
            LEXICON.iter().any(|entry| {
                let counts = match entry.kind {
                    AskKind::Delete => self.dialog,
                    AskKind::Oauth => false,
                    AskKind::Send => {
                        self.dialog || self.composes || deed(&Label::new(&other.label)).is_some()
                    }
                    _ => true,
                };
                counts && self.page.presses(other, entry)
            })
        };
        let others = || {
            self.elements()
                .filter(|other| other.index != element.index && has(other, State::Clickable))
        };
        if self.dialog && others().filter(|other| is_choice(other)).count() != 1 {
            return false;
        }
        others().any(known)
    }

    /// An amount, an account, something filled in, chosen or ticked: what a press may set going.
    fn has_stake(&self) -> bool {
        let chosen = |element: &Element| has(element, State::Checked) && element.role != "switch";
        self.priced
            || self.filled
            || self.page.money_app()
            || !self.page.accounts().is_empty()
            || self.elements().any(chosen)
    }

    /// No verb that acts stands in it, and either a word says that it only looks, or it stands second and nothing is at
    /// stake; where something is, both.
    fn is_aside(&self, element: &Element, label: &Label) -> bool {
        let acts = v::ACT.leads(label) || v::DEED.begins(label) || v::YES.begins(label);
        let opens = v::OPENS.leads(label) && v::WORLD.mentioned(label);
        let starts = v::PRACTISE.leads(label) && !v::PASTIME.mentioned(label);
        if acts || opens || starts || self.asks {
            return false;
        }
        let harmless = [&v::MILD, &v::LOOK, &v::LOOK_LAST, &v::PASTIME, &v::ABOUT_THING];
        let looks = harmless.iter().any(|vocabulary| vocabulary.mentioned(label));
        let second = || self.comes_second(element);
        looks && (!self.has_stake() || second())
    }

    /// Before it stands another button that acts, or that nobody knows to be harmless: that one is what the page is for.
    fn comes_second(&self, element: &Element) -> bool {
        let b = element.bounds;
        let first = |other: &Element| {
            let a = other.bounds;
            let before = a.bottom <= b.top || (a.top < b.bottom && a.right <= b.left);
            let known = || is_choice(other) && LEXICON.iter().any(|entry| self.page.presses(other, entry));
            before && (known() || self.is_unread(other, &Label::new(&other.label)))
        };
        !self.asks && self.elements().any(first)
    }

    /// A button whose words are on no list of what is harmless.
    fn is_unread(&self, element: &Element, label: &Label) -> bool {
        // An entry of a list is content, unless its verb acts: then it is an entry of a menu.
        let pressed = match element.role.as_str() {
            "button" | "link" => true,
            "item" => v::ACT.begins(label) || v::DEED.begins(label),
            _ => false,
        };
        if !is_choice(element) || !pressed || label.words.is_empty() {
            return false;
        }
        // "Yes, book it" is one answer; what else is gathered from several texts is a row.
        let gathered = element
            .label
            .trim_matches([',', ' '])
            .split_once(", ")
            .is_some_and(|(first, _)| !says_yes(&Label::new(first)));
        let many = self.is_one_of_many(element);
        let long = label.words.len() > BUTTON_WORDS || element.label.chars().count() > BUTTON_CHARACTERS;
        let content = (gathered
            && !(v::ACT.begins(label) && !v::ABOUT_THING.mentioned(label) && label.words.len() <= 2))
            || element.label.contains(':')
            || ((many || long) && !orders(label));
        !content && !self.is_harmless(element, label)
    }

    /// Others carry the same id: entries of a list, whatever they are drawn as.
    fn is_one_of_many(&self, element: &Element) -> bool {
        let same = |other: &&Element| {
            other.index != element.index && other.resource_id == element.resource_id && is_choice(other)
        };
        !element.resource_id.is_empty() && self.elements().filter(same).take(2).count() == 2
    }

    fn is_harmless(&self, element: &Element, label: &Label) -> bool {
        let mute = !element.label.chars().any(char::is_alphabetic);
        // "Cancel" goes back; "cancel the ride" does not.
        let calls_off = label.words.len() > 1 && v::CALL_OFF.leads(label) && !v::CALL_OFF.is(label);
        let refused = refuses(element) && (!calls_off || v::NO.any(label, |place| place.nearly));
        // "16 Thu" is chosen, and an id that says "tab" or "history" opens it.
        let counted = label.words.len() <= 2
            && label
                .words
                .first()
                .is_some_and(|word| word.chars().count() <= 2 && word.chars().all(char::is_numeric))
            && !has_price(&element.label);
        let opens = super::words::id_says(&element.resource_id, OPENS_BY_ID);
        if mute || refused || counted || opens || goes_away(&element.resource_id) || is_search(element) {
            return true;
        }
        // The form that makes an account is opened; its own button is the form's.
        let form = || {
            self.page
                .form_button()
                .is_some_and(|form| form.index == element.index)
        };
        if v::JOIN.is(label) && !form() {
            return true;
        }
        // A page is opened, and a gate.
        if v::OPENS.leads(label) && v::WORLD.mentioned(label) {
            return false;
        }
        if v::UNSET.names(label)
            || v::HOW_TO.begins(label)
            || is_neutral(label)
            || v::BASKET.names(label)
            || v::LOGIN.any(label, |place| {
                place.whole || (place.last && label.words.len() <= 4)
            })
        {
            return true;
        }
        // "Warmer" is undone by "cooler", and a rating is a part of the form it stands on.
        if self.page.is_icon(element) && (v::STEPS.begins(label) || v::STEPS.ends(label)) && !self.asks {
            return true;
        }
        if v::STAR.mentioned(label)
            && (label.words.len() <= 2 || self.page.is_icon(element))
            && label.text.chars().any(char::is_numeric)
        {
            return true;
        }
        if super::words::strong(AskKind::Install, label) && harmless::refreshes(self.page, element) {
            return true;
        }
        // Seats, rooms, amounts in a row of like tiles are chosen; the button at the foot does it.
        if !orders(label) && harmless::is_tile(self.page, element) {
            return true;
        }
        // "Message your driver" opens the conversation, where none is open.
        if v::WRITES_TO.begins(label) && !self.filled && !self.asks {
            return true;
        }
        // Answering and sharing open a page to write on, where none is open.
        if (v::COMPOSE.is(label) && !self.composes) || harmless::passes_on(self.page, element, label) {
            return true;
        }
        let narrows = v::FILTER.mentioned(label) && !v::HISTORY.mentioned(label);
        let agrees = || v::DEED.begins(label) || v::YES.begins(label) || v::AGREE.begins(label);
        let mild = || v::MILD.any(label, |place| place.nearly && place.names) || v::ABOUT_THING.leads(label);
        if (narrows && !agrees())
            || v::MILD.is(label)
            || v::DOES_NOTHING.is(label)
            || (mild() && !orders(label))
            || harmless::tells(label)
        {
            return true;
        }
        if element.label.contains(['?', '？', '؟', ';']) && !self.asks {
            return true;
        }
        // "Review and send" does more than look; "Save and exit" does not.
        let parts = deeds(&element.label);
        parts
            .iter()
            .all(|part| self.only_looks(element, &Label::new(part)))
    }

    /// Its verb only looks, chooses or begins something new.
    fn only_looks(&self, element: &Element, label: &Label) -> bool {
        if v::NO.is(label) || v::MILD.is(label) || v::SOFT.is(label) {
            return true;
        }
        if v::PRACTISE.leads(label) && v::PASTIME.mentioned(label) && !self.priced {
            return true;
        }
        let agrees = || !label.is_dense() && (v::YES.begins(label) || v::AGREE.begins(label));
        if (v::LOOK.begins(label) || (v::LOOK_LAST.ends(label) && !agrees())) && !self.secret {
            return true;
        }
        (v::PUT.begins(label) || v::PUT_LAST.ends(label)) && (self.page.is_icon(element) || !self.filled)
    }
}

/// Its verb acts, says yes or agrees.
pub(super) fn orders(label: &Label) -> bool {
    v::ACT.leads(label) || v::DEED.begins(label) || v::YES.begins(label) || v::AGREE.begins(label)
}

/// "Share" opens a choice; "Share record" gives the record away.
fn is_neutral(label: &Label) -> bool {
    v::NEUTRAL.begins(label) && (v::NEUTRAL.is(label) || !v::COMPOSE.begins(label))
}

/// The deeds of a label that names two.
fn deeds(text: &str) -> Vec<String> {
    const AND: &[&str] = &[
        "and", "und", "et", "y", "e", "en", "i", "и", "та", "і", "ve", "och", "og", "ja", "dan", "và", "at",
        "na", "και", "și", "és", "և", "და", "&", "+", "/", "و", "a",
    ];
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut parts = vec![Vec::new()];
    for (at, word) in words.iter().enumerate() {
        let inner = at > 0 && at + 1 < words.len();
        if inner && AND.contains(&word.to_lowercase().as_str()) {
            parts.push(Vec::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(*word);
        }
    }
    parts.iter().map(|part| part.join(" ")).collect()
}

/// Its id says that it leads away, and nothing else.
fn goes_away(resource_id: &str) -> bool {
    let parts = super::words::id_words(resource_id);
    let known = |part: &String| GOES_AWAY.contains(&part.as_str()) || FILLERS.contains(&part.as_str());
    parts.iter().any(|part| GOES_AWAY.contains(&part.as_str())) && parts.iter().all(known)
}
