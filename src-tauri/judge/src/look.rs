//! What the rules look at: one act on one page, in the words of the table.

use crate::act::{Act, How};
use crate::case::Case;
use crate::facts::{App, Facts, Page, Thing, id_name, level, looks_like_code, looks_like_voucher};
use crate::input::Input;
use crate::key::Effect;
use crate::words::{self as w, Label, Lexicon};
use protocol::{AskKind, State};

/// What a rule looks at.
pub(crate) struct Look<'l, 'a> {
    pub(crate) act: &'l Act<'l, 'a>,
    pub(crate) page: &'l Page<'a>,
    pub(crate) facts: &'l Facts<'a>,
    pub(crate) case: &'l Case<'l>,
}

impl<'a> Look<'_, 'a> {
    /// What is at stake that somebody else's opinion cannot answer for: the rule that asks about it.
    ///
    /// Where the core knows what on a page commits, the rest of it may be answered for; where it knows that something
    /// does and not what, nothing may.
    pub(crate) fn stake(&self) -> Option<&'static str> {
        let facts = self.facts;
        let known = |words: &[&Lexicon]| {
            let says = |button: &Thing<'a>| words.iter().any(|words| button.says(words));
            facts.buttons().any(says)
        };
        let deeds: &[&Lexicon] = &[
            &w::PAY,
            &w::ORDER,
            &w::CONFIRM,
            &w::YES,
            &w::SEND,
            &w::DELETE,
            &w::SIGN,
        ];
        let pays = || {
            facts.pays()
                && (!known(deeds)
                    || self.on(|thing| thing.is_wordless() || thing.has_amount() && !thing.is_row()))
        };
        let secret =
            || self.page.wants_secret() && !known(&[&w::SIGN_IN, &w::JOIN, &w::SIGN, &w::YES, &w::SEND]);
        let consent =
            || facts.dialog && facts.is_about(&w::SIGN_TOPIC) && !known(&[&w::SIGN, &w::YES, &w::GRANT]);
        let system = || {
            (matches!(facts.app, App::Permission | App::Installer) || self.system() && facts.dialog)
                && !known(&[&w::YES, &w::GRANT, &w::INSTALL])
        };
        if !facts.read || facts.speaks {
            Some("unknown_unread")
        } else if pays() {
            Some("unknown_with_money")
        } else if secret() {
            Some("unknown_with_secret")
        } else if self.message_is_written() && !known(&[&w::SEND]) {
            Some("unknown_with_message")
        } else if consent() {
            Some("unknown_with_consent")
        } else {
            system().then_some("unknown_of_system")
        }
    }

    // The thing.

    pub(crate) fn on(&self, is: impl Fn(&Thing<'a>) -> bool) -> bool {
        self.act.on.is_some_and(is)
    }

    pub(crate) fn says(&self, words: &Lexicon) -> bool {
        self.on(|thing| thing.says(words))
    }

    pub(crate) fn is_called(&self, words: &Lexicon) -> bool {
        self.on(|thing| thing.is_called(words))
    }

    pub(crate) fn mentions(&self, words: &Lexicon) -> bool {
        self.on(|thing| thing.mentions(words))
    }

    pub(crate) fn role(&self, role: &str) -> bool {
        self.on(|thing| thing.role() == role)
    }

    pub(crate) fn is(&self, state: State) -> bool {
        self.on(|thing| thing.is(state))
    }

    pub(crate) fn row(&self) -> bool {
        self.on(Thing::is_row)
    }

    pub(crate) fn wordless(&self) -> bool {
        self.on(Thing::is_wordless)
    }

    /// A button's key of one digit.
    pub(crate) fn is_digit(&self) -> bool {
        self.on(|thing| {
            let first = thing.element.label.split(',').next().unwrap_or_default().trim();
            let mut chars = first.chars();
            chars.next().is_some_and(char::is_numeric) && chars.next().is_none()
        })
    }

    /// Of a quarter of the width at most.
    pub(crate) fn icon(&self) -> bool {
        let width = i64::from(self.page.screen.width);
        self.on(|thing| {
            thing.is_button()
                && (i64::from(thing.bounds().right) - i64::from(thing.bounds().left)) * 4 <= width
        })
    }

    /// Of almost half of the width, or more.
    pub(crate) fn wide(&self) -> bool {
        let width = i64::from(self.page.screen.width);
        self.on(|thing| (i64::from(thing.bounds().right) - i64::from(thing.bounds().left)) * 20 >= width * 9)
    }

    /// In the lower two fifths.
    pub(crate) fn low(&self) -> bool {
        let height = i64::from(self.page.screen.height);
        self.on(|thing| i64::from(thing.bounds().top) * 5 >= height * 3)
    }

    /// A wide button in the lower quarter.
    pub(crate) fn is_at_foot(&self) -> bool {
        let (width, height) = (
            i64::from(self.page.screen.width),
            i64::from(self.page.screen.height),
        );
        self.on(|thing| {
            let b = thing.bounds();
            (i64::from(b.right) - i64::from(b.left)) * 2 > width && i64::from(b.top) * 4 >= height * 3
        })
    }

    // What is done to it.

    /// Pressed once.
    pub(crate) fn press(&self) -> bool {
        matches!(self.act.how, How::Press)
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
        self.presses()
            && self.on(|thing| thing.is_button() || !thing.takes_presses() || thing.role() == "tab")
            && !self.is_tab()
    }

    /// A button is pressed that says yes to what the page asks: by Android's id, by its words.
    pub(crate) fn confirms(&self) -> bool {
        let by_id = |thing: &Thing<'a>| id_name(&thing.element.resource_id) == "button1";
        self.button() && !self.row() && (self.on(by_id) || self.says(&w::YES) || self.says(&w::GRANT))
    }

    pub(crate) fn deletes(&self) -> bool {
        self.button() && (self.says(&w::DELETE) || self.on(Thing::id_deletes))
    }

    /// Allowed, in Android's own dialog or on its page about one permission.
    pub(crate) fn allows(&self) -> bool {
        let by_id = |thing: &Thing<'a>| id_name(&thing.element.resource_id).starts_with("permission_allow");
        let answers = |thing: &Thing<'a>| by_id(thing) || thing.says(&w::GRANT) || thing.says(&w::YES);
        let chosen = self.on(Thing::is_toggle) && !self.facts.buttons().any(answers);
        self.presses() && !self.denies() && (self.on(answers) || chosen)
    }

    /// The button that hands a form in: the first below its last field.
    pub(crate) fn hands_in(&self) -> bool {
        let last = self.facts.fields().map(|field| field.bounds().bottom).max();
        let below = |button: &&Thing<'a>| {
            last.is_some_and(|last| button.bounds().top >= last.saturating_sub(8))
                && !button.is_called(&w::NO)
                && !button.label.is_empty()
        };
        let first = self
            .facts
            .buttons()
            .filter(below)
            .min_by_key(|button| button.bounds().top);
        self.button()
            && self.on(|thing| first.is_some_and(|first| first.element.index == thing.element.index))
    }

    /// Yes, no, maybe: whoever invites is told, of the no as well.
    pub(crate) fn answers_invitation(&self) -> bool {
        self.facts.buttons().any(|button| button.is_called(&w::MAYBE))
    }

    /// Another button of the page is known to commit something: this one says no beside it.
    pub(crate) fn commits_elsewhere(&self) -> bool {
        let other = |button: &&Thing<'a>| self.on(|thing| thing.element.index != button.element.index);
        let commits = [
            &w::PAY,
            &w::ORDER,
            &w::SEND,
            &w::DELETE,
            &w::SIGN,
            &w::INSTALL,
            &w::GRANT,
            &w::YES,
        ];
        self.facts
            .buttons()
            .filter(other)
            .any(|button| commits.iter().any(|words| button.says(words)))
    }

    /// It says no to somebody who asks for something.
    pub(crate) fn denies(&self) -> bool {
        let by_id = |thing: &Thing<'a>| {
            let id = id_name(&thing.element.resource_id);
            id.starts_with("permission_deny") || id.starts_with("permission_no_upgrade")
        };
        self.on(by_id) || self.is_called(&w::NO) || self.is_called(&w::DENY)
    }

    pub(crate) fn turns_on(&self) -> bool {
        self.presses() && self.on(|thing| thing.is_toggle() && !thing.is(State::Checked))
    }

    pub(crate) fn turns_off(&self) -> bool {
        self.presses() && self.on(|thing| thing.is_toggle() && thing.is(State::Checked))
    }

    /// The page's own switch says no more than "On".
    pub(crate) fn is_main_switch_of(&self, words: &Lexicon) -> bool {
        let title = self.facts.titles().next();
        self.on(|thing| thing.label.length() <= 2) && title.is_some_and(|title| words.mentioned(title))
    }

    pub(crate) fn key_is(&self, effect: Effect) -> bool {
        matches!(self.act.how, How::Key(key) if key.effect() == effect)
    }

    /// Text only, on a page that was read: nothing there takes a press.
    pub(crate) fn told_only(&self) -> bool {
        self.press() && self.on(|thing| !thing.takes_presses()) && self.stake().is_none()
    }

    /// Nobody could read the page, and the person allowed touching it all the same.
    pub(crate) fn blind_allowed(&self) -> bool {
        let unread = !self.facts.read && self.act.on.is_none();
        let touches = matches!(self.act.how, How::Blind | How::Type(_) | How::NoField);
        unread && touches && self.case.is_blind_allowed(self.page)
    }

    /// ENTER in this field does what the button beside it does.
    fn has_sender(&self) -> bool {
        let sends = |thing: &Thing<'a>| thing.says(&w::SEND) || thing.is_wordless();
        let beside = |field: &Thing<'a>| {
            let after = |thing: &&Thing<'a>| {
                level(thing.bounds(), field.bounds())
                    && thing.bounds().left >= field.bounds().right.saturating_sub(8)
            };
            self.facts.buttons().filter(after).any(sends)
        };
        self.on(beside)
    }

    /// Nothing on the page sends, pays, deletes or says yes.
    pub(crate) fn nothing_commits(&self) -> bool {
        let commits = |thing: &Thing<'a>| {
            [
                &w::PAY,
                &w::SEND,
                &w::DELETE,
                &w::SIGN,
                &w::INSTALL,
                &w::GRANT,
                &w::YES,
                &w::SIGN_IN,
            ]
            .into_iter()
            .any(|words| thing.says(words))
        };
        !self.pays() && !self.facts.buttons().any(commits)
    }

    /// Keys that leave, open or adjust, and press nothing on the page.
    pub(crate) fn navigates(&self) -> bool {
        use Effect::{Adjusts, HangsUp, Modifies, Navigates, Plays};
        [Adjusts, HangsUp, Modifies, Navigates, Plays]
            .into_iter()
            .any(|effect| self.key_is(effect))
    }

    // What is written.

    pub(crate) fn typed(&self) -> Option<&str> {
        match self.act.how {
            How::Type(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn types_code(&self) -> bool {
        let like = |text| looks_like_code(text) || looks_like_voucher(text);
        self.typed().is_some_and(like) || matches!(self.act.how, How::Paste)
    }

    pub(crate) fn writes(&self) -> bool {
        matches!(self.act.how, How::Type(_) | How::Paste)
    }

    /// Text goes into a field that is no secret's: nobody learns of it until something else is pressed.
    pub(crate) fn drafts(&self) -> bool {
        matches!(self.act.how, How::Type(_) | How::Clear | How::Paste)
            && self.on(|field| field.is_field() && !field.is_secret())
    }

    pub(crate) fn in_code_field(&self) -> bool {
        let code = self.page.code_field();
        let Some(field) = self.act.on else {
            return code.is_some();
        };
        self.page.is_cell(field) || code.is_some_and(|code| code.index == field.element.index)
    }

    /// The sign that ends a code which a dialer carries out by itself: `*#06#`.
    pub(crate) fn writes_hash(&self) -> bool {
        let hash = |thing: &Thing<'a>| thing.element.label.trim().starts_with('#');
        let key = matches!(self.act.how, How::Key(key) if key.dials() == Some('#'));
        key || self.typed().is_some_and(|text| text.contains('#')) || self.presses() && self.on(hash)
    }

    pub(crate) fn gives_secret(&self) -> bool {
        matches!(self.act.how, How::Other(Input::Secret { .. }))
    }

    pub(crate) fn enters(&self) -> bool {
        matches!(self.act.how, How::Enter(_))
    }

    /// ENTER sends what is written here: one writes messages in it.
    pub(crate) fn composes(&self) -> bool {
        let control = matches!(self.act.how, How::Enter(true));
        let message = |field: &Thing<'a>| w::MESSAGE.mentioned(&field.label) || self.app(App::Messenger);
        self.on(|field| {
            !field.is_search() && (control || (message(field) || self.has_sender()) && !self.in_letter())
        })
    }

    /// One writes lines: a letter, or a page with an address, a subject and a text.
    pub(crate) fn in_letter(&self) -> bool {
        self.app(App::Mail) || self.facts.fields().count() >= 3 && !self.page.wants_secret()
    }

    // The page.

    pub(crate) fn app(&self, app: App) -> bool {
        self.facts.app == app
    }

    pub(crate) fn system(&self) -> bool {
        self.facts.app.is_system()
    }

    pub(crate) fn priced(&self) -> bool {
        self.facts.priced
    }

    pub(crate) fn pays(&self) -> bool {
        self.facts.pays()
    }

    pub(crate) fn over(&self) -> bool {
        self.facts.over
    }

    pub(crate) fn dialog(&self) -> bool {
        self.facts.dialog
    }

    pub(crate) fn asks(&self) -> bool {
        self.facts.asks
    }

    pub(crate) fn about(&self, words: &Lexicon) -> bool {
        self.facts.is_about(words)
    }

    pub(crate) fn titled(&self, words: &Lexicon) -> bool {
        self.facts.titled(words)
    }

    /// The page does not speak to whoever reads it for a person: what its buttons are called may be what they are.
    pub(crate) fn believed(&self) -> bool {
        !self.facts.speaks
    }

    pub(crate) fn rings(&self) -> bool {
        self.facts.statements.iter().any(|text| w::RINGS.mentioned(text))
    }

    /// A short text of the page says this, pressed or not.
    pub(crate) fn page_says(&self, words: &Lexicon) -> bool {
        self.facts
            .things
            .iter()
            .any(|thing| thing.label.length() <= 8 && thing.mentions(words))
    }

    /// The button under a code that the person gave: handing it in was theirs.
    pub(crate) fn hands_in_code(&self) -> bool {
        self.case.secret_given && self.press() && self.page.code_field().is_some()
    }

    pub(crate) fn was_told_to_sign_in(&self) -> bool {
        self.case.secret_given || w::SIGN_IN.mentioned(&Label::new(self.case.task))
    }

    /// A message with something in it, and something that sends it.
    fn message_is_written(&self) -> bool {
        let sends = self.page.element_for(AskKind::Send).is_some();
        let mut written = self.facts.fields().filter(|field| field.draft().is_some());
        written.any(|field| sends || w::MESSAGE.mentioned(&field.label))
    }

    /// At the end of the line one writes on stands the button that sends it.
    pub(crate) fn beside_draft(&self) -> bool {
        let height = i64::from(self.page.screen.height);
        let beside = |b: protocol::Bounds, field: &Thing<'a>| {
            let written = field.draft().is_some() || field.is(State::Focused);
            written && level(field.bounds(), b) && b.left >= field.bounds().right.saturating_sub(8)
        };
        let low = |b: protocol::Bounds| i64::from(b.top) * 2 > height;
        self.on(|thing| low(thing.bounds()) && self.facts.fields().any(|field| beside(thing.bounds(), field)))
    }

    // What only moves.

    /// One of several views, one of which is shown; where none is, they are buttons.
    pub(crate) fn is_tab(&self) -> bool {
        let chosen = |thing: &&Thing<'a>| thing.role() == "tab" && thing.is(State::Selected);
        self.role("tab") && self.facts.things.iter().any(|thing| chosen(&thing))
    }

    /// The arrow at the beginning of the bar, by its words or by its place.
    pub(crate) fn goes_back(&self) -> bool {
        let (width, height) = (
            i64::from(self.page.screen.width),
            i64::from(self.page.screen.height),
        );
        let in_bar = |thing: &Thing<'a>| i64::from(thing.bounds().bottom) * 100 < height * 12;
        let at_left = |thing: &Thing<'a>| i64::from(thing.bounds().right) * 4 < width;
        self.icon() && self.on(in_bar) && (self.is_called(&w::NO) || self.wordless() && self.on(at_left))
    }

    /// One of several on a form that has a button of its own.
    pub(crate) fn chooses_in_form(&self) -> bool {
        let chosen = self.role("radio") || self.role("checkbox");
        let hands_in =
            |button: &Thing<'a>| button.says(&w::YES) || button.says(&w::SEND) || button.says(&w::PAY);
        chosen
            && !self.titled(&w::SEND)
            && self
                .facts
                .buttons()
                .any(|button| !button.is_row() && hands_in(button))
    }
}
