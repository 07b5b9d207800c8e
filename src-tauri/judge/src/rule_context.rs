//! What the rules look at: one act on one page, in the words of the table.

mod moves;
mod refuses;
mod slides;
mod writing;

use crate::act::{Act, How, Odds};
use crate::case::Case;
use crate::facts::{
    App, Facts, NEAR, Page, UiElement, WIDE, encloses, id_name, in_column, in_row, level, looks_like_code,
    looks_like_voucher, tells_to_sign_in,
};
use crate::input::Input;
use crate::key::Effect;
use crate::link;
use crate::words::{self as w, Words};
use protocol::{Bounds, ElementState, Role, RuleName};

/// What is done to something; yes stands last.
const DEEDS: &[Words] = &[
    w::PAY,
    w::ORDER,
    w::CONFIRM,
    w::SEND,
    w::DELETE,
    w::SIGN,
    w::INSTALL,
    w::GRANT,
    w::YES,
];
/// The same but for yes: what that is said to stands in the question.
const KNOWN: &[Words] = match DEEDS {
    [known @ .., _yes] => known,
    [] => &[],
};
/// What hands in a password or a code.
const HANDS_IN: &[Words] = &[w::SIGN_IN, w::JOIN, w::SIGN, w::YES, w::SEND];
/// What answers Android's own questions.
const ANSWERS: &[Words] = &[w::YES, w::GRANT, w::INSTALL];

/// Words of a button that does something to one thing, at most.
const FEW: usize = 4;

/// What a rule looks at.
pub(crate) struct RuleContext<'l, 'a> {
    pub(crate) act: &'l Act<'l, 'a>,
    pub(crate) page: &'l Page<'a>,
    pub(crate) facts: &'l Facts<'a>,
    pub(crate) case: &'l Case<'l>,
}

impl<'a> RuleContext<'_, 'a> {
    /// What is at stake that somebody else's opinion cannot answer for: the rule that asks about it.
    ///
    /// Where the core knows what on a page commits, the rest of it may be answered for; where it knows that something
    /// does and not what, nothing may.
    pub(crate) fn stake(&self) -> Option<RuleName> {
        let facts = self.facts;
        let option = |thing: &UiElement<'a>| thing.is_row() || self.is_amount_choice(thing);
        let priced = |thing: &UiElement<'a>| thing.is_wordless() || thing.has_amount() && !option(thing);
        let written = |field: &UiElement<'a>| field.draft().is_some() && w::MESSAGE.mentioned(&field.label);
        // What hands a page in is a button: an entry of a list, a box to tick and a question lead on.
        let hands_in = |thing: &UiElement<'a>| {
            let leads_on = thing.role() == Role::Item && !thing.has_amount() || thing.is_question();
            !leads_on && !matches!(thing.role(), Role::Radio | Role::Checkbox)
        };
        let hands_in = self.act.on.is_none_or(hands_in);
        let own = matches!(facts.app, App::Permission | App::Installer);
        let dialog = own || facts.app.is_system() && facts.dialog;
        if !facts.read || facts.speaks {
            Some(RuleName::UnknownUnread)
        } else if hands_in && facts.pays() && (self.on(priced) || !facts.has(DEEDS)) {
            Some(RuleName::UnknownWithMoney)
        } else if hands_in && self.page.wants_secret() && !facts.has(HANDS_IN) {
            Some(RuleName::UnknownWithSecret)
        } else if hands_in && !facts.has(&[w::SEND]) && facts.fields().any(written) {
            Some(RuleName::UnknownWithMessage)
        } else if facts.dialog && facts.is_about(w::SIGN_TOPIC) && !facts.has(&[w::SIGN, w::YES, w::GRANT]) {
            Some(RuleName::UnknownWithConsent)
        } else {
            (dialog && hands_in && !facts.has(ANSWERS)).then_some(RuleName::UnknownOfSystem)
        }
    }

    // The thing.

    pub(crate) fn on(&self, is: impl Fn(&UiElement<'a>) -> bool) -> bool {
        self.act.on.is_some_and(is)
    }

    pub(crate) fn says(&self, words: Words) -> bool {
        self.on(|thing| thing.says(words))
    }

    /// Its words say a deed, in whatever language.
    pub(crate) fn names_deed(&self) -> bool {
        self.on(|thing| DEEDS.iter().any(|words| thing.says(*words)))
    }

    /// The same but for yes.
    pub(crate) fn names_known_deed(&self) -> bool {
        self.on(|thing| KNOWN.iter().any(|words| thing.says(*words)))
    }

    pub(crate) fn is_called(&self, words: Words) -> bool {
        self.on(|thing| thing.is_called(words))
    }

    pub(crate) fn mentions(&self, words: Words) -> bool {
        self.on(|thing| thing.mentions(words))
    }

    pub(crate) fn role(&self, role: Role) -> bool {
        self.on(|thing| thing.role() == role)
    }

    pub(crate) fn row(&self) -> bool {
        self.on(UiElement::is_row)
    }

    pub(crate) fn wordless(&self) -> bool {
        self.on(UiElement::is_wordless)
    }

    /// A place and a size, in hundredths of the screen: left, top, right, bottom.
    fn place(&self) -> Option<[i64; 4]> {
        let b = self.act.on?.bounds();
        let share = |n: i32, of: u32| i64::from(n) * 100 / i64::from(of.max(1));
        let (width, height) = (self.page.screen.width, self.page.screen.height);
        Some([
            share(b.left, width),
            share(b.top, height),
            share(b.right, width),
            share(b.bottom, height),
        ])
    }

    /// Of a quarter of the width at most.
    pub(crate) fn icon(&self) -> bool {
        self.on(UiElement::is_button) && self.place().is_some_and(|[left, _, right, _]| right - left <= 25)
    }

    /// Of almost half of the width, or more.
    pub(crate) fn wide(&self) -> bool {
        self.place()
            .is_some_and(|[left, _, right, _]| right - left >= WIDE)
    }

    /// Of three fifths of the width, or more.
    pub(crate) fn broad(&self) -> bool {
        self.place().is_some_and(|[left, _, right, _]| right - left >= 60)
    }

    /// In the lower two fifths.
    pub(crate) fn low(&self) -> bool {
        self.place().is_some_and(|[_, top, ..]| top >= 60)
    }

    /// A wide button in the lower quarter.
    pub(crate) fn is_at_foot(&self) -> bool {
        self.on(|thing| thing.is_at_foot)
    }

    /// It takes a digit back: it stands among those of a number pad, and says so.
    pub(crate) fn takes_digit_back(&self) -> bool {
        let digits = || self.facts.things.iter().filter(|thing| thing.is_digit());
        let among = |thing: &UiElement<'a>| {
            let at = thing.bounds();
            digits().any(|digit| in_row(digit.bounds(), at))
                && digits().any(|digit| in_column(digit.bounds(), at))
        };
        let says = |thing: &UiElement<'a>| {
            thing.says(w::DELETE) || thing.id_deletes() || thing.id_has("backspace back del clear")
        };
        self.icon() && self.facts.has_number_pad() && self.on(|thing| among(thing) && says(thing))
    }

    /// A button of few words that names a code the page tells: it copies or fills in that.
    pub(crate) fn takes_code(&self) -> bool {
        let is_few = |thing: &UiElement<'a>| !thing.is_row() && thing.label.length() <= FEW;
        let named = |thing: &UiElement<'a>| {
            let mut words = thing.element.label.split_whitespace();
            words.any(|word| screen::code_like(word) && self.facts.tells_code(word))
        };
        self.button() && self.on(|thing| is_few(thing) && named(thing))
    }

    // What is done to it.

    /// Pressed once.
    pub(crate) fn press(&self) -> bool {
        matches!(self.act.how, How::Press)
    }

    /// An opinion about a press of it is one about this.
    pub(crate) fn hears(&self) -> bool {
        let touched = matches!(self.act.how, How::Pull | How::Enter(_)) || self.presses();
        touched && self.act.odds != Odds::Passing
    }

    /// Pressed, in whatever way.
    pub(crate) fn presses(&self) -> bool {
        matches!(self.act.how, How::Press | How::Twice | How::Hold | How::Drop)
    }

    pub(crate) fn held(&self) -> bool {
        matches!(self.act.how, How::Hold)
    }

    pub(crate) fn pulls(&self) -> bool {
        matches!(self.act.how, How::Pull | How::Hold)
    }

    /// A stroke that presses nothing, up or down, or sideways.
    pub(crate) fn strokes(&self, upright: bool) -> bool {
        matches!(self.act.how, How::Scroll(way) if way == upright)
    }

    pub(crate) fn blind(&self) -> bool {
        matches!(self.act.how, How::Blind)
    }

    /// A button is pressed: no field, no switch, no view; words alone where nothing else lies under the finger.
    pub(crate) fn button(&self) -> bool {
        let pressed =
            |thing: &UiElement<'a>| thing.is_button() || !thing.takes_presses() || thing.role() == Role::Tab;
        self.presses() && self.on(pressed) && !self.is_tab()
    }

    /// A button is pressed that says yes to what the page asks: by Android's id, by its words.
    pub(crate) fn confirms(&self) -> bool {
        let by_id =
            |thing: &UiElement<'a>| matches!(id_name(&thing.element.resource_id), "button1" | "ok_button");
        let says =
            || (self.says(w::YES) || self.says(w::GRANT)) && !self.on(|thing| w::NO.begins(&thing.label));
        self.button() && !self.row() && (self.on(by_id) || says())
    }

    /// Held, it opens a menu: a row of words, away from the foot of the page. One text alone that is held is a button, and so
    /// is what says a deed.
    pub(crate) fn opens_menu(&self) -> bool {
        let takes = |thing: &UiElement<'a>| {
            thing.is(ElementState::Clickable) || thing.is(ElementState::LongClickable)
        };
        let row = |thing: &UiElement<'a>| {
            thing.is_row() && takes(thing) && !thing.is_at_foot && !thing.is_wordless()
        };
        !self.role(Role::Button) && self.on(row) && !self.names_deed() && !self.mentions(w::HOLD)
    }

    /// The button of Android's page about one device administrator, by what Android calls them in every language.
    pub(crate) fn activates_admin(&self) -> bool {
        let named = |thing: &UiElement<'a>, id: &str| id_name(&thing.element.resource_id) == id;
        let lists = |thing: &UiElement<'a>| named(thing, "admin_warning") || named(thing, "admin_policies");
        self.on(|thing| named(thing, "action_button")) && self.facts.things.iter().any(lists)
    }

    pub(crate) fn deletes(&self) -> bool {
        self.button() && (self.says(w::DELETE) || self.on(UiElement::id_deletes))
    }

    /// Allowed, in Android's own dialog or on its page about one permission.
    pub(crate) fn allows(&self) -> bool {
        let by_id =
            |thing: &UiElement<'a>| id_name(&thing.element.resource_id).starts_with("permission_allow");
        let answers = |thing: &UiElement<'a>| by_id(thing) || thing.says(w::GRANT) || thing.says(w::YES);
        let chosen = || self.on(UiElement::is_toggle) && !self.facts.buttons().any(answers);
        self.presses() && !self.denies() && (self.on(answers) || chosen())
    }

    /// A switch is turned, so that afterwards it is on, or off.
    pub(crate) fn turns(&self, on: bool) -> bool {
        self.presses() && self.on(|thing| thing.is_toggle() && thing.is(ElementState::Checked) != on)
    }

    /// The page's own switch says no more than "On".
    pub(crate) fn is_main_switch_of(&self, words: Words) -> bool {
        let title = self.facts.titles().next();
        self.on(|thing| thing.label.length() <= 2) && title.is_some_and(|title| words.mentioned(title))
    }

    /// The button that hands a form in: the first below its last field.
    pub(crate) fn hands_in(&self) -> bool {
        let first = self.facts.hands_in().map(|button| button.element.index);
        self.button() && self.on(|thing| first == Some(thing.element.index))
    }

    /// The button under a code that the person gave: handing it in was theirs. Money is asked about all the same.
    pub(crate) fn hands_in_code(&self) -> bool {
        let given = self.case.secret_given && self.press() && self.page.code_field().is_some();
        given && self.hands_in() && !self.facts.priced && !self.facts.pays()
    }

    pub(crate) fn key_is(&self, effects: &[Effect]) -> bool {
        matches!(self.act.how, How::Key(key) if effects.contains(&key.effect()))
    }

    // What is written.

    pub(crate) fn typed(&self) -> Option<&str> {
        match self.act.how {
            How::Type(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn writes(&self) -> bool {
        matches!(self.act.how, How::Type(_) | How::Paste)
    }

    pub(crate) fn types_code(&self) -> bool {
        let like = |text| looks_like_code(text) || looks_like_voucher(text);
        self.typed().is_some_and(like) || matches!(self.act.how, How::Paste)
    }

    pub(crate) fn in_code_field(&self) -> bool {
        let code = self.page.code_field().map(|field| field.index);
        match self.act.on {
            Some(field) => self.page.is_cell(field) || code == Some(field.element.index),
            None => code.is_some(),
        }
    }

    pub(crate) fn gives_secret(&self) -> bool {
        matches!(self.act.how, How::Other(Input::Secret { .. }))
    }

    pub(crate) fn enters(&self) -> bool {
        matches!(self.act.how, How::Enter(_))
    }

    /// ENTER sends what is written here: one writes messages in it, or something that sends stands beside it.
    pub(crate) fn composes(&self) -> bool {
        let control = matches!(self.act.how, How::Enter(true));
        let message =
            |field: &UiElement<'a>| w::MESSAGE.mentioned(&field.label) || self.facts.app == App::Messenger;
        let is_last = |field: &UiElement<'a>| {
            let mut fields = self.facts.fields();
            !fields.any(|other| other.bounds().top >= field.bounds().bottom)
        };
        // Whatever it is called, a button where the writing ends sends it, unless it leaves or opens something. "Forgot?"
        // beside a password and what stands beside a field with others below it do not.
        let named = |button: &UiElement<'a>| {
            let other = button.is_row() || button.role() == Role::Link;
            !other && !button.is_called(w::NO) && !button.is_called(w::OPENS)
        };
        let sends = |field: &UiElement<'a>, button: &UiElement<'a>| {
            if button.says(w::SEND) {
                return true;
            }
            if field.is_search() || self.is_address_bar(field) {
                return button.is_wordless() && !self.looks_up(field);
            }
            let other = || !field.is_secret() && is_last(field) && named(button);
            !self.in_letter() && (button.is_wordless() || other())
        };
        self.on(|field| {
            let mut after = self
                .facts
                .buttons()
                .filter(|button| stands_after(button, field.bounds()));
            let writes = !field.is_search() && (control || message(field) && !self.in_letter());
            writes || after.any(|button| sends(field, button))
        })
    }

    /// What is written in this search field is looked for: it stands where one searches, or is a browser's own.
    pub(crate) fn looks_up(&self, field: &UiElement<'a>) -> bool {
        field.is_search() && field.is_high || self.is_address_bar(field)
    }

    /// A browser's own field, in whatever words it asks for an address: what a page draws lies in the page.
    pub(crate) fn is_address_bar(&self, field: &UiElement<'a>) -> bool {
        let bar = |thing: &UiElement<'a>| screen::is_address_bar(&thing.element.resource_id);
        // Where the browser's own is known, no other is it: a page without a name is not told of.
        let other = || !bar(field) && self.facts.things.iter().any(bar);
        field.is_field() && screen::is_browser(self.case.app()) && !self.is_in_page(field) && !other()
    }

    /// A web page drew it.
    pub(crate) fn is_in_page(&self, thing: &UiElement<'a>) -> bool {
        let mut pages = self.facts.things.iter().filter(|page| page.role() == Role::Web);
        pages.any(|page| encloses(page.bounds(), thing.bounds()))
    }

    /// One writes a letter, or whom it is for, but for the line of a conversation low on the page.
    pub(crate) fn in_letter(&self) -> bool {
        let talks = |field: &UiElement<'a>| w::MESSAGE.mentioned(&field.label) && !field.is_high;
        self.page.is_letter() && !self.on(|field| talks(field) && !self.page.has_lines(field))
    }

    /// What is written or handed in where a site is looked for, as a link: a browser opens it.
    pub(crate) fn types_address(&self) -> Option<String> {
        let text = match self.act.how {
            How::Type(text) => text,
            How::Enter(_) => self.act.on?.text()?,
            _ => return None,
        };
        let looks = self
            .act
            .on
            .is_none_or(|field| field.is_search() || self.is_address_bar(field));
        looks.then(|| link::typed(text, screen::is_browser(self.case.app())))?
    }

    /// At the end of a line one writes on stands the button that sends it.
    pub(crate) fn beside_draft(&self) -> bool {
        let written = |field: &&UiElement<'a>| field.draft().is_some() || field.is(ElementState::Focused);
        let beside = |thing: &UiElement<'a>| {
            self.facts
                .fields()
                .filter(written)
                .any(|field| stands_after(thing, field.bounds()))
        };
        self.place().is_some_and(|[_, top, ..]| top >= 50) && self.on(beside)
    }

    // The page.

    /// It does not speak to whoever reads it for a person: what its buttons are called may be what they are.
    pub(crate) fn believed(&self) -> bool {
        !self.facts.speaks
    }

    /// Somebody calls: a text says so, or what is pressed to see who, above a button that turns the call away.
    pub(crate) fn rings(&self) -> bool {
        let told = || self.facts.statements.iter().any(|text| w::RINGS.mentioned(text));
        let drawn = || self.facts.things.iter().any(|thing| thing.mentions(w::RINGS));
        let refusable = || self.facts.buttons().any(|button| button.is_called(w::DENY));
        told() || drawn() && refusable() || self.facts.offers_call()
    }

    /// The button under a name and a password that hands them in.
    pub(crate) fn signs_in(&self) -> bool {
        self.hands_in() && self.says(w::SIGN_IN) && self.page.wants_secret()
    }

    /// It hands in a name and a password where the task says so, or a code that the person gave.
    pub(crate) fn is_told_sign_in(&self) -> bool {
        self.signs_in() && self.was_told_to_sign_in() || self.hands_in_code()
    }

    pub(crate) fn was_told_to_sign_in(&self) -> bool {
        self.case.secret_given || tells_to_sign_in(self.case.task)
    }

    /// Nothing on the page sends, pays, deletes or says yes, and nothing secret is handed in on it.
    pub(crate) fn nothing_commits(&self) -> bool {
        let commits = || self.facts.pays() || self.facts.has(DEEDS) || self.facts.has(HANDS_IN);
        !commits() && !self.page.asks_secret()
    }
}

/// It stands on the line of a field, where the writing ends.
fn stands_after(thing: &UiElement<'_>, field: Bounds) -> bool {
    level(field, thing.bounds()) && thing.bounds().left >= field.right.saturating_sub(NEAR)
}
