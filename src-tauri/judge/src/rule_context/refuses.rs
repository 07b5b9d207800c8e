//! No, and what it does: it leaves, or it is an answer.

use super::{DEEDS, KNOWN, RuleContext};
use crate::facts::{App, UiElement, WIDE, id_name};
use crate::words::{self as w, Words};

/// What a page is handed in by; a message is by what sends it, and so is a call by "Call".
const COMMITS: &[Words] = &[
    w::PAY,
    w::ORDER,
    w::CONFIRM,
    w::DELETE,
    w::SIGN,
    w::INSTALL,
    w::GRANT,
    w::YES,
];
/// What Android calls the buttons of its own questions.
const OWN: [&str; 5] = ["button1", "button2", "button3", "permission_", "aerr_"];
/// It speaks for others: whoever invites to a family group is told of a no.
const SPEAKS_FOR_OTHERS: &str = "com.google.android.gms";

impl<'a> RuleContext<'_, 'a> {
    /// All that it says is no. "No, it wasn't me" says more.
    pub(crate) fn says_no(&self) -> bool {
        self.on(|thing| thing.is_only(w::NO))
    }

    /// It says no to somebody who asks for something.
    pub(crate) fn denies(&self) -> bool {
        const IDS: [&str; 3] = ["permission_deny", "permission_no_upgrade", "aerr_wait"];
        let by_id = |thing: &UiElement<'a>| {
            IDS.iter()
                .any(|id| id_name(&thing.element.resource_id).starts_with(id))
        };
        self.on(by_id) || self.says_no() || self.is_called(w::DENY)
    }

    /// Android itself asks here, and a no is told to nobody. What stands among the notifications is an app's, unless Android
    /// named the button.
    pub(crate) fn is_asked_by_android(&self) -> bool {
        let named = |thing: &UiElement<'a>| {
            OWN.iter()
                .any(|id| id_name(&thing.element.resource_id).starts_with(id))
        };
        match self.facts.app {
            App::Permission | App::Installer => true,
            App::Settings => self.case.app() != SPEAKS_FOR_OTHERS || self.on(named),
            App::System => self.on(named),
            _ => false,
        }
    }

    /// A no that does nothing: it puts away a dialog that asks for something else, or leaves a page that commits something.
    /// Where the page asks about what the button says ("Cancel your ride?") it is the deed; outside a dialog "Close" may end
    /// what was begun. No and Skip answer where Cancel and Back leave: whether nothing comes of such an answer is known only
    /// where it is known what was asked.
    pub(crate) fn leaves(&self) -> bool {
        let question = |text: &&UiElement<'a>| !text.takes_presses() && text.is_question();
        let asks_for = |thing: &UiElement<'a>| {
            let mut questions = self.facts.things.iter().filter(question);
            questions.any(|text| text.label.holds(&thing.name))
        };
        let known = || self.facts.has(KNOWN) || KNOWN.iter().any(|deed| self.facts.is_about(*deed));
        let wants = || self.facts.pays() || self.page.wants_secret();
        let aside = || {
            let commits = wants() || self.commits_elsewhere();
            commits && (!self.facts.asks || known()) && !self.is_called(w::CLOSE) && self.is_form()
        };
        let answers = self.on(|thing| thing.is_only(w::ANSWER));
        let idle = || !answers || known() || wants();
        !self.on(asks_for) && (self.facts.dialog || aside()) && idle() && !self.has_another_no()
    }

    /// There is something to give up here: it is filled in, chosen, or handed in by a button. Where a page only tells of a ride
    /// and has "Call" and "Share" beside "Cancel", that calls it off; so does the one of a payment that has nothing to agree to,
    /// where an arrow in the bar leaves.
    fn is_form(&self) -> bool {
        let facts = self.facts;
        let chosen = |thing: &UiElement<'a>| thing.is_field() || thing.is_toggle();
        let sends = |button: &UiElement<'a>| button.says(w::SEND) && self.is_wide(button);
        facts.things.iter().any(chosen)
            || self.page.wants_secret()
            || facts.has(COMMITS)
            || facts.priced && facts.buttons().any(sends)
            || facts.pays() && !facts.buttons().any(|button| self.leads_back(button))
    }

    pub(super) fn is_wide(&self, thing: &UiElement<'a>) -> bool {
        let width = i64::from(thing.bounds().right) - i64::from(thing.bounds().left);
        width * 100 >= i64::from(self.page.screen.width) * WIDE
    }

    /// Whoever can only say no is asked what to do, and one of the answers does it.
    fn has_another_no(&self) -> bool {
        let no = |button: &UiElement<'a>| button.is_only(w::NO);
        self.facts.buttons().all(no) && self.facts.buttons().count() > 1
    }

    /// Yes, no, maybe: whoever invites is told, of the no as well.
    pub(crate) fn answers_invitation(&self) -> bool {
        self.facts.buttons().any(|button| button.is_called(w::MAYBE))
    }

    /// A button of the page is known to commit something: this one says no beside it.
    fn commits_elsewhere(&self) -> bool {
        let other = |button: &&UiElement<'a>| self.on(|thing| thing.element.index != button.element.index);
        let commits = |button: &UiElement<'a>| DEEDS.iter().any(|words| button.says(*words));
        self.facts.buttons().filter(other).any(commits)
    }
}
