//! What a page is about to do: a question in the middle of the screen, a payment to be confirmed, a form.

use super::lexicon::{PERMISSION_PACKAGES, known};
use super::page::{Page, has};
use super::price::has_price;
use super::refusal::{LATER, refuses};
use super::vocabulary as v;
use super::words::Label;
use protocol::{AskKind, Element, State};

/// A page that asks something has few things to press.
const FEW: usize = 8;
/// The statements at the top that say what a page is.
const TITLES: usize = 3;

/// What pressing "yes" here would do.
#[derive(Debug, Default)]
pub(super) struct Stake {
    /// A dialog, or a sheet: it waits for an answer.
    pub(super) dialog: bool,
    /// It asks something.
    pub(super) asks: bool,
    /// What about.
    pub(super) kinds: Vec<(AskKind, &'static str)>,
}

impl Page<'_> {
    /// What stands on the page to be read, in reading order.
    pub(super) fn statements(self) -> impl Iterator<Item = Label> {
        self.screen
            .elements
            .iter()
            .filter(|element| {
                !has(element, State::Clickable)
                    && !has(element, State::Editable)
                    && !has(element, State::Checkable)
                    && !element.label.is_empty()
                    && element.label.chars().count() <= 600
            })
            .map(|element| Label::new(&element.label))
    }

    /// What says what the page is: its first words.
    pub(super) fn titles(self) -> impl Iterator<Item = Label> {
        self.statements().take(TITLES)
    }

    fn presses_count(self) -> usize {
        let pressable = |element: &&Element| has(element, State::Clickable) && !has(element, State::Editable);
        self.screen.elements.iter().filter(pressable).count()
    }

    /// Android's own windows: what is allowed here is allowed for good.
    pub(super) fn is_system(self) -> bool {
        let app = self.screen.current_app.as_str();
        app == "android"
            || app.starts_with("com.android.")
            || app.starts_with("com.google.android.gms")
            || app.starts_with("com.miui.")
            || [
                "permissioncontroller",
                "packageinstaller",
                "settings",
                "securitycenter",
                "companiondevice",
                "permissionmanager",
                "securitypermission",
                "systemmanager",
                "iqoo.secure",
            ]
            .iter()
            .any(|part| app.contains(part))
            || PERMISSION_PACKAGES.contains(&app)
    }

    /// A window that stands over another: its things lie in the middle or at the bottom, and are few.
    fn is_dialog(self) -> bool {
        let elements = &self.screen.elements;
        let by_id = |element: &Element| {
            matches!(
                element.resource_id.rsplit('/').next().unwrap_or_default(),
                "alertTitle" | "button1" | "button2" | "permission_message"
            )
        };
        if elements.iter().any(by_id) {
            return true;
        }
        let height = i32::try_from(self.screen.height).unwrap_or(i32::MAX);
        let top = elements.iter().map(|element| element.bounds.top).min();
        let bottom = elements.iter().map(|element| element.bounds.bottom).max();
        let (Some(top), Some(bottom)) = (top, bottom) else {
            return false;
        };
        let low = top > height / 100 * 15 && bottom - top < height / 100 * 75;
        low && self.presses_count() <= FEW
            && (self.is_system() || self.is_question() || elements.iter().any(refuses))
    }

    pub(super) fn is_question(self) -> bool {
        self.screen.elements.iter().any(|element| {
            !has(element, State::Clickable) && !has(element, State::Editable) && is_question(&element.label)
        })
    }

    /// What is at stake when somebody says yes to this page.
    pub(super) fn stake(self) -> Stake {
        let dialog = self.is_dialog();
        let asks = dialog || (self.presses_count() <= FEW && self.is_question());
        let mut stake = Stake {
            dialog,
            asks,
            kinds: Vec::new(),
        };
        if self.is_money_page() {
            stake.kinds.push((AskKind::Payment, "confirms_payment"));
        }
        if !asks {
            // A page named after what it does: its plain yes does that.
            let titled = |vocabulary: &v::Vocabulary| {
                self.titles()
                    .take(2)
                    .any(|title| title.words.len() <= 12 && vocabulary.names(&title))
            };
            let named = |kind: AskKind| {
                known(kind).is_some_and(|known| titled(&known.strong) || known.more.is_some_and(titled))
            };
            if named(AskKind::Delete) {
                stake.kinds.push((AskKind::Delete, "confirms_deleting"));
            }
            if self.titles().take(2).any(|title| v::CONSENT.mentioned(&title)) {
                stake.kinds.push((AskKind::Oauth, "confirms_sign_in"));
            }
            if titled(&v::SHARE_TOPIC) {
                stake.kinds.push((AskKind::Send, "confirms_sharing"));
            }
            return stake;
        }
        let texts: Vec<Label> = self.statements().collect();
        let says = |vocabulary: &v::Vocabulary| texts.iter().any(|text| vocabulary.mentioned(text));
        let strong = |kind: AskKind| {
            known(kind).is_some_and(|known| says(&known.strong) || known.more.is_some_and(says))
        };
        if says(&v::DELETE_TOPIC) || strong(AskKind::Delete) {
            stake.kinds.push((AskKind::Delete, "confirms_deleting"));
        }
        let file = texts
            .iter()
            .any(|text| text.words.iter().any(|word| word == "apk"));
        if strong(AskKind::Install) || file {
            stake.kinds.push((AskKind::Install, "confirms_installing"));
        }
        if says(&v::SHARE_TOPIC) {
            stake.kinds.push((AskKind::Send, "confirms_sharing"));
        }
        if self.is_question() && strong(AskKind::Send) {
            stake.kinds.push((AskKind::Send, "confirms_sending"));
        }
        if says(&v::SIGN_TOPIC) || strong(AskKind::Oauth) {
            stake.kinds.push((AskKind::Oauth, "confirms_sign_in"));
        }
        if self.is_system() && says(&v::PERMISSION_TOPIC) {
            stake.kinds.push((AskKind::Permission, "confirms_permission"));
        }
        stake
    }

    /// An amount, and a title that speaks of paying.
    pub(super) fn is_money_page(self) -> bool {
        self.titles().any(|title| v::PAY_TOPIC.mentioned(&title)) && self.shows_price() && !self.is_over()
    }

    /// What the page was about has happened.
    pub(super) fn is_over(self) -> bool {
        self.titles().any(|title| v::DONE.mentioned(&title))
    }

    /// An amount of money stands somewhere, also in a currency whose amounts are not read.
    pub(super) fn shows_price(self) -> bool {
        !self.amounts().is_empty()
            || self
                .screen
                .elements
                .iter()
                .any(|element| has_price(&element.label))
    }

    /// The page speaks to whoever reads it for a person: what its buttons are called is not believed.
    pub(super) fn speaks_to_assistants(self) -> bool {
        self.statements()
            .any(|text| text.words.len() > 3 && v::ASSISTANT.mentioned(&text))
            || self.statements().any(|text| {
                text.is_dense() && text.text.chars().count() > 14 && v::ASSISTANT.mentioned(&text)
            })
    }

    /// Whether a press on this says yes to what the page asks.
    pub(super) fn affirms(self, element: &Element, stake: &Stake) -> bool {
        if !is_choice(element) {
            return false;
        }
        let label = Label::new(&element.label);
        if self.speaks_to_assistants() {
            // Android's own No is known by its id, whatever stands around it.
            return !element.resource_id.contains(":id/permission_deny");
        }
        let shares = || {
            let sharing = |(_, rule): &(AskKind, &str)| *rule == "confirms_sharing";
            v::COMPOSE.is(&label) && stake.kinds.iter().any(sharing)
        };
        if !refuses(element) && shares() {
            return true;
        }
        if refuses(element) || v::NEUTRAL.begins(&label) {
            return false;
        }
        if stake.dialog {
            return true;
        }
        let pays = stake.kinds.iter().any(|(kind, _)| *kind == AskKind::Payment);
        let bare = label.words.is_empty() && (stake.asks || pays);
        bare || says_yes(&label) || v::GRANT.is(&label)
    }
}

/// It takes a press and is neither a field nor a box to tick.
pub(super) fn is_choice(element: &Element) -> bool {
    is_pressed(element) && !has(element, State::Checkable)
}

/// The same, or an entry that is ticked as well as pressed.
pub(super) fn is_pressed(element: &Element) -> bool {
    has(element, State::Clickable)
        && !has(element, State::Editable)
        && !has(element, State::Disabled)
        && !matches!(
            element.role.as_str(),
            "keyboard_key" | "tab" | "checkbox" | "radio" | "switch"
        )
}

pub(super) fn says_yes(label: &Label) -> bool {
    v::YES.any(label, |place| place.whole || (place.at == 0 && place.most))
}

/// What a verb and its object do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// Pays, orders, transfers.
    Pay,
    /// The same, where a price stands on the page.
    Use,
    /// Hands something in.
    HandIn,
    /// Calls off what was booked.
    CallOff,
}

impl Deed {
    pub(super) fn kind(self) -> AskKind {
        match self {
            Self::Pay | Self::Use => AskKind::Payment,
            Self::HandIn => AskKind::Send,
            Self::CallOff => AskKind::Delete,
        }
    }
}

/// What a short label says that is done, by a verb and what it is done to.
pub(super) fn deed(label: &Label) -> Option<Deed> {
    let short = if label.is_dense() {
        label.text.trim().chars().count() <= 14
    } else {
        (2..=5).contains(&label.words.len())
    };
    if !short || v::ABOUT_THING.mentioned(label) || v::NEUTRAL.begins(label) || v::BASKET.names(label) {
        return None;
    }
    let known = known(AskKind::Payment);
    if known.is_some_and(|known| known.except.any(label, |place| place.names)) {
        return None;
    }
    if super::lexicon::known(AskKind::Send).is_some_and(|known| known.except.is(label)) {
        return None;
    }
    if label
        .words
        .last()
        .is_some_and(|last| LATER.contains(&last.as_str()))
    {
        return None;
    }
    // The verb stands first or last, and what it is done to is another word: "your usual order" does nothing.
    let last = label.words.len().saturating_sub(1);
    let does = |verbs: &v::Vocabulary, things: &v::Vocabulary| {
        let things = things.places(label);
        verbs
            .places(label)
            .into_iter()
            .filter(|&verb| label.is_dense() || verb == 0 || verb + 1 >= last)
            .any(|verb| things.iter().any(|&thing| thing != verb))
    };
    if does(&v::CALL_OFF, &v::BOOKED_THING) {
        return Some(Deed::CallOff);
    }
    if v::NO.begins(label) {
        return None;
    }
    // In a script without spaces verb and thing may be the same letters: those are in the lists of whole words.
    if does(&v::DEED, &v::PAID_THING) && !label.is_dense() {
        return Some(Deed::Pay);
    }
    if does(&v::DEED, &v::FORM_THING) {
        return Some(Deed::HandIn);
    }
    (does(&v::DEED, &v::PAID_USE) || does(&v::DEED, &v::PAID_THING)).then_some(Deed::Use)
}

fn is_question(text: &str) -> bool {
    let text = text.trim();
    // Greek asks with a semicolon.
    let greek = text.ends_with(';') && text.chars().any(|c| matches!(c, '\u{370}'..='\u{3ff}'));
    greek
        || text.contains(['?', '？', '؟', '\u{37e}', '՞', '፧'])
        || ["吗", "嗎", "か", "ไหม", "หรือไม่", "까요", "까", "လား", "ບໍ່", "ទេ"]
            .iter()
            .any(|end| text.trim_end_matches(['。', '.']).ends_with(end))
}
