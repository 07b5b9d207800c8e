//! One flat table: what is never done, what is always asked, what is asked unless the person says otherwise, what only
//! moves. What stands in no row is unknown, and asked.

use crate::act::{How, Odds, acts};
use crate::case::{Case, is_made_of};
use crate::command::{self, Reading};
use crate::facts::{App, Facts, Page, UiElement, is_card_number};
use crate::guard::Say;
use crate::input::Input;
use crate::key::{Effect, Key};
use crate::link::{self, LinkRisk, Offer};
use crate::rule_context::RuleContext;
use crate::words as w;
use Does::{Always, Core, Moves, Never, Unknown};
use protocol::AskKind::{self, *};
use protocol::{ElementState, Role, RuleName};

/// What a rule makes of an act, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Does {
    /// No setting, no Yes and no opinion lifts it.
    Never,
    /// Asked; no opinion, no binding and no mandate answers it.
    Always(AskKind),
    /// Asked unless the person's switch, and for most kinds a binding or mandate, says otherwise.
    Core(AskKind),
    /// Asked unless the opinion clears it.
    Unknown(AskKind),
    /// Only moves.
    Moves,
}

impl Does {
    pub(crate) fn kind(self) -> Option<AskKind> {
        match self {
            Self::Always(kind) | Self::Core(kind) | Self::Unknown(kind) => Some(kind),
            Self::Never | Self::Moves => None,
        }
    }

    /// What a deed of this kind is, whoever says that it is one.
    pub(crate) fn deed(kind: AskKind) -> Self {
        match kind {
            AskKind::Send | AskKind::Delete | AskKind::Oauth | AskKind::Act | AskKind::Shell => {
                Self::Core(kind)
            }
            AskKind::Unknown | AskKind::Unreadable => Self::Unknown(kind),
            _ => Self::Always(kind),
        }
    }
}

/// What was found, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) rule: RuleName,
    pub(crate) does: Does,
    /// What it was found in, by its index on the screen.
    pub(crate) element: Option<u32>,
}

impl Finding {
    fn by(rule: RuleName, does: Does) -> Self {
        Self {
            rule,
            does,
            element: None,
        }
    }
}

/// A row of the table.
struct Rule {
    name: RuleName,
    does: Does,
    when: fn(&RuleContext<'_, '_>) -> bool,
}

macro_rules! table {
    ($($name:ident $does:expr, $context:ident => $when:expr;)*) => {
        &[$(Rule { name: RuleName::$name, does: $does, when: |$context| $when }),*]
    };
}

/// Every row is looked at for every act; the gravest counts.
const TABLE: &[Rule] = table! {
    // Never.
    FactoryReset Never, l => l.button() && l.facts.app.is_system() && l.says(w::RESET);
    FactoryReset Never, l => (l.confirms() || l.deletes()) && l.facts.is_about(w::RESET);
    Wipe Never, l => l.button() && l.facts.app.is_system() && l.says(w::FORMAT);
    Wipe Never, l => (l.confirms() || l.deletes()) && l.facts.app.is_system() && l.facts.is_about(w::FORMAT);
    DisableProtection Never, l => l.button() && l.says(w::PROTECTION);
    DisableProtection Never, l => l.turns(false) && (l.mentions(w::GUARD) || l.is_main_switch_of(w::GUARD));
    DisableProtection Never, l => (l.confirms() || l.deletes()) && l.facts.is_about(w::PROTECTION);
    DisableProtection Never, l => l.button() && l.is_called(w::OFF) && l.facts.is_about(w::GUARD);
    DisableProtection Never, l => l.presses() && l.is_called(w::OFF) && l.facts.app.is_system() && l.facts.titled(w::LOCK);
    DisableProtection Never, l => (l.deletes() || l.button() && l.says(w::OFF)) && l.facts.app.is_system() && l.facts.asks && (l.facts.is_about(w::LOCK) || l.facts.titled(w::SECRET));
    DeviceAdmin Never, l => l.confirms() && l.facts.app.is_system() && l.facts.is_about(w::ADMIN);
    DeviceAdmin Never, l => l.turns(true) && l.facts.app.is_system() && l.facts.titled(w::ADMIN);
    DeviceAdmin Never, l => l.button() && !l.row() && l.facts.app.is_system() && (l.says(w::ADMIN) || l.confirms() && l.mentions(w::ADMIN));
    DeviceAdmin Never, l => l.button() && l.facts.app == App::Settings && l.activates_admin();
    UnknownSources Never, l => l.button() && l.facts.app.is_system() && l.says(w::SOURCES);
    UnknownSources Never, l => l.turns(true) && l.facts.app.is_system() && (l.mentions(w::SOURCES) || l.facts.titled(w::SOURCES));
    UnknownSources Never, l => l.button() && l.facts.app == App::Installer && l.says(w::INSTALL);
    NoField Never, l => matches!(l.act.how, How::NoField) && !l.blind_allowed();
    // Money: always.
    PayButton Always(Payment), l => l.button() && !l.role(Role::Item) && l.says(w::PAY) && (l.broad() || l.facts.dialog || l.on(UiElement::has_amount) || l.facts.titled(w::PAY_TOPIC) || l.facts.priced && l.low());
    PayButton Always(Payment), l => l.button() && l.on(UiElement::id_pays) && l.facts.priced;
    PayTile Unknown(Payment), l => l.button() && l.says(w::PAY);
    OrderButton Always(Payment), l => l.button() && !l.row() && l.says(w::ORDER) && l.facts.priced && !l.facts.over && (l.wide() || l.facts.dialog);
    ConfirmsPrice Always(Payment), l => l.button() && !l.row() && l.says(w::CONFIRM) && l.facts.priced && !l.facts.over && l.is_at_foot();
    ShowsPayCode Always(Payment), l => l.presses() && (l.says(w::PAY_CODE) || l.is_called(w::PAY_CODE)) && !l.is_tab();
    SendMoney Always(Payment), l => l.button() && l.wide() && l.says(w::SEND) && l.facts.pays() && (l.facts.app == App::Bank || l.facts.titled(w::PAY_TOPIC));
    YesToPayment Always(Payment), l => l.confirms() && (l.facts.pays() || l.facts.app == App::Bank && l.facts.priced && !l.facts.over);
    AmountButton Always(Payment), l => l.button() && !l.row() && l.on(UiElement::takes_presses) && l.on(|thing| thing.is_amount() && !l.is_amount_choice(thing)) && l.facts.pays();
    AmountButton Unknown(Payment), l => l.button() && !l.row() && l.on(UiElement::has_amount) && l.is_at_foot();
    SlidesToPay Always(Payment), l => (l.pulls() || l.strokes(false)) && l.facts.priced && (l.role(Role::Slider) && l.facts.pays() || l.drawn_along(w::SLIDE));
    SlidesToPay Always(Payment), l => l.strokes(true) && l.facts.priced && l.drawn_along(w::SLIDE_UP);
    SlidesOn Unknown(Payment), l => (l.pulls() || l.strokes(true) || l.strokes(false)) && (l.drawn_along(w::SLIDE_UP) || l.drawn_along(w::SLIDE));
    BlindOnMoney Always(Unreadable), l => l.blind() && l.page.is_risky();
    // Codes and passwords: always.
    SecretField Always(Code), l => l.types_code() && l.on(UiElement::is_secret) && !l.on(|field| field.is(ElementState::Password));
    SecretField Always(Password), l => l.writes() && l.on(UiElement::is_secret);
    CodeField Always(Code), l => l.types_code() && l.in_code_field();
    CardNumber Always(Password), l => l.typed().is_some_and(is_card_number);
    NumberPad Always(Code), l => l.presses() && l.on(UiElement::names_digit) && l.facts.asks_for_secret();
    RevealsSecret Always(Password), l => l.presses() && (l.says(w::REVEAL) || l.on(UiElement::id_reveals));
    CodeShown Always(Code), l => matches!(l.act.how, How::Other(Input::ReadText)) && l.facts.shows_code(l.case.app());
    CodeShown Always(Code), l => l.presses() && l.takes_code();
    Secret Always(Password), l => l.gives_secret() && !l.case.saved_fits && l.page.code_field().is_none();
    Secret Always(Code), l => l.gives_secret() && !l.case.saved_fits && l.page.code_field().is_some();
    SavedPassword Always(Payment), l => l.gives_secret() && (l.facts.pays() || l.facts.priced && !l.is_sign_in());
    SavedPassword Always(Password), l => l.gives_secret() && l.agrees_by_secret();
    Given Always(Files), l => matches!(l.act.how, How::Other(Input::File { .. }));
    Given Always(Location), l => matches!(l.act.how, How::Other(Input::Location { .. }));
    // Installs and permissions: nothing but the person's switch.
    InstallButton Core(Install), l => l.button() && !l.row() && l.says(w::INSTALL);
    StoreButton Core(Install), l => l.facts.app == App::Store && l.button() && l.is_called(w::UPDATE);
    YesToInstall Core(Install), l => l.confirms() && l.facts.dialog && l.facts.is_about(w::INSTALL);
    PermissionDialog Core(Permission), l => l.facts.app == App::Permission && l.allows();
    SpecialAccess Core(Permission), l => l.turns(true) && l.facts.app.is_system() && (l.mentions(w::SPECIAL) || l.facts.titled(w::SPECIAL));
    Grants Core(Permission), l => l.button() && l.facts.asks && !l.denies() && l.says(w::GRANT) && l.facts.is_about(w::PERMISSION_TOPIC);
    // Sending, calling.
    SendButton Core(Send), l => l.button() && (l.says(w::SEND) || l.on(UiElement::id_sends));
    BesideMessage Core(Send), l => l.button() && l.wordless() && l.beside_draft();
    EnterSends Core(Send), l => l.enters() && l.composes();
    Calls Core(Send), l => l.key_is(&[Effect::Calls]) || l.key_is(&[Effect::Plays]) && (l.rings() || l.facts.app == App::Dialer);
    Calls Core(Send), l => l.held() && l.facts.app == App::Dialer && l.on(UiElement::is_digit);
    DialsCode Always(Act), l => l.facts.app == App::Dialer && l.writes_hash() || l.writes_dial_code();
    Answers Core(Send), l => (l.confirms() || l.pulls() || l.strokes(true) || l.strokes(false) || l.button() && l.wordless()) && l.rings();
    OpensToEverybody Core(Send), l => l.presses() && l.mentions(w::PUBLIC);
    // Deleting.
    DeleteButton Core(Delete), l => l.deletes() && !l.facts.titled(w::CART) && !l.takes_digit_back() && !l.clears_search();
    DeleteButton Core(Delete), l => l.empties_a_text();
    DeleteInCart Unknown(Delete), l => l.deletes() && l.facts.titled(w::CART);
    YesToDelete Core(Delete), l => l.confirms() && l.facts.asks && l.facts.is_about(w::DELETE);
    DeleteKey Core(Delete), l => l.key_is(&[Effect::Deletes]) && l.page.element_for(Delete).is_some();
    // What would cut this computer off.
    CutsOff Core(Act), l => l.presses() && l.facts.app.is_system() && !l.denies() && l.on(|thing| w::CUTOFF.acts(&thing.name));
    CutsOff Core(Act), l => (l.turns(true) || l.turns(false)) && l.facts.app.is_system() && (l.mentions(w::CUTOFF) || l.mentions(w::NETWORK));
    // Accounts.
    Signs Core(Oauth), l => l.button() && l.says(w::SIGN);
    SignsIn Core(Oauth), l => l.signs_in() && !l.was_told_to_sign_in();
    Joins Core(Oauth), l => l.hands_in() && l.says(w::JOIN);
    YesToSignIn Core(Oauth), l => l.confirms() && l.facts.asks && l.facts.is_about(w::SIGN_TOPIC);
    // What only moves.
    Navigates Moves, l => l.key_is(&[Effect::Navigates, Effect::Adjusts, Effect::Modifies, Effect::Plays]) && !l.breaks_off();
    MovesFocus Moves, l => l.key_is(&[Effect::Focuses]) && !l.steps();
    Scrolls Moves, l => l.strokes(true) || l.strokes(false);
    OpensApp Moves, l => matches!(l.act.how, How::Other(Input::Launch(app)) if !app.contains(['*', '#', '/', ':']));
    Looks Moves, l => matches!(l.act.how, How::Other(Input::Wake | Input::ReadClipboard | Input::ReadText));
    SavedPassword Moves, l => l.gives_secret() && l.case.saved_fits;
    Adjusts Moves, l => l.role(Role::Slider) && (l.presses() || l.pulls()) && l.only_adjusts();
    Focuses Moves, l => l.presses() && l.on(UiElement::is_field) && !matches!(l.act.how, How::Drop);
    Draft Moves, l => l.drafts();
    BreaksLine Moves, l => l.enters() && !l.composes() && (l.in_letter() || l.nothing_commits() && l.on(|field| field.is_high || l.page.has_lines(field)));
    TakesNoPress Moves, l => l.told_only();
    OpensMenu Moves, l => l.held() && l.opens_menu() && l.stake().is_none();
    Leafs Moves, l => l.pulls() && l.facts.app == App::Launcher;
    BlindAllowed Moves, l => l.blind_allowed();
    EnterSearches Moves, l => l.enters() && !l.composes() && l.on(|field| l.looks_up(field));
    Tab Moves, l => l.press() && l.is_tab() && !l.names_known_deed() && !l.facts.asks;
    GoesBack Moves, l => l.press() && l.believed() && l.goes_back();
    Refuses Moves, l => l.press() && l.says_no() && l.believed() && l.leaves() && !l.answers_invitation();
    Refuses Moves, l => l.press() && l.denies() && l.is_asked_by_android() && !l.answers_invitation();
    TakesDigitBack Moves, l => l.press() && l.believed() && l.takes_digit_back();
    Draft Moves, l => l.press() && l.believed() && l.says(w::DELETE) && l.clears_search();
    Opens Moves, l => l.press() && (l.role(Role::Spinner) || l.icon() && l.believed() && l.opens());
    Chooses Moves, l => l.press() && l.facts.app == App::Other && l.chooses_in_form();
};

/// What the rules find in every input of a case.
pub(crate) fn find(case: &Case<'_>) -> Vec<Finding> {
    let page = Page::new(case.screen);
    let mut all = Vec::new();
    for act in acts(case.inputs, &page) {
        if let How::Other(input) = act.how
            && outside(case, &page, input, &mut all)
        {
            continue;
        }
        of_act(
            &RuleContext {
                act: &act,
                page: &page,
                facts: page.facts(),
                case,
            },
            &mut all,
        );
    }
    if touches_unread(case, &page) {
        let does = if page.is_risky() {
            Always(Unreadable)
        } else {
            Unknown(Unreadable)
        };
        all.push(Finding::by(RuleName::NoElements, does));
    }
    if case.marked && all.iter().all(|found| found.does == Moves) {
        all.push(Finding::by(RuleName::ModelFlag, Unknown(AskKind::Unknown)));
    }
    maybe_done(case, &mut all);
    all
}

/// What may have been done already is done again on a Yes of now alone: no switch, level, binding or mandate answers for it.
fn maybe_done(case: &Case<'_>, all: &mut Vec<Finding>) {
    for found in all.iter_mut() {
        if let Core(kind) = found.does
            && case.begun_kinds.contains(&kind)
        {
            found.does = Always(kind);
        }
    }
    if case.begun_before {
        all.push(Finding::by(RuleName::MaybeDone, Always(AskKind::Act)));
    }
}

/// Every row that fits; where none does, nobody knows, and the opinion is heard.
fn of_act(context: &RuleContext<'_, '_>, all: &mut Vec<Finding>) {
    let element = context.act.on.map(|thing| thing.element.index);
    if let Some(url) = context.types_address() {
        let found = of_link(&url, context.case, context.facts);
        // What was written in one go was asked about as it was written; what it carries away leaves the phone with ENTER.
        let again = context.enters() && !matches!(found.does, Never | Always(_)) && context.wrote_at_once();
        all.extend((!again).then_some(found));
    }
    let fitting = TABLE.iter().filter(|rule| (rule.when)(context));
    let mut found: Vec<Finding> = fitting
        .map(|rule| Finding {
            rule: rule.name,
            does: rule.does,
            element,
        })
        .collect();
    if found.iter().any(|one| one.does < Moves) {
        found.retain(|one| one.does < Moves);
    }
    let stake = context.stake();
    if context.act.odds != Odds::Likely {
        found.retain(|one| one.does < Unknown(Payment));
    } else if found.is_empty() && context.hands_in_code() {
        found.push(Finding {
            rule: RuleName::HandsInCode,
            does: Moves,
            element,
        });
    } else if found.is_empty() {
        let kind = if context.blind() {
            Unreadable
        } else {
            AskKind::Unknown
        };
        found.push(Finding {
            rule: if context.blind() {
                RuleName::NoElements
            } else {
                stake.unwrap_or(RuleName::Unknown)
            },
            does: Unknown(kind),
            element,
        });
    }
    // Whoever gives it may add a question to anything that is done to a thing, and answer for one plain press of it, or for a
    // slider that is drawn.
    if let (Some(opinion), Some(index), true) = (context.case.opinion, element, context.hears()) {
        let plain = context.press() && context.act.odds == Odds::Likely || context.sets_slider();
        let says = match opinion.says(index) {
            // Signing in is what the task itself names.
            Say::Commits(Oauth) if context.is_told_sign_in() => Say::Moves,
            says => says,
        };
        match says {
            Say::Commits(kind) => found.push(Finding {
                rule: RuleName::Opinion,
                does: Does::deed(kind),
                element,
            }),
            Say::Moves | Say::Edits if plain && stake.is_none() => {
                for one in found.iter_mut().filter(|one| matches!(one.does, Unknown(_))) {
                    one.does = Moves;
                }
            }
            Say::Moves | Say::Edits | Say::Unclear => {}
        }
    }
    all.extend(found);
}

/// A finger or a key, where nothing was read or more lies on the screen than was.
fn touches_unread(case: &Case<'_>, page: &Page<'_>) -> bool {
    let facts = page.facts();
    let does = |key: Key| {
        matches!(
            key.effect(),
            Effect::Confirms | Effect::Writes | Effect::Pastes | Effect::Deletes
        )
    };
    let touches = |input: &Input| match input {
        Input::Tap { .. }
        | Input::DoubleTap { .. }
        | Input::Hold { .. }
        | Input::Drag { .. }
        | Input::Text(_)
        | Input::ClearText
        | Input::Replace(_) => true,
        Input::Key(key) => does(*key),
        Input::Chord(keys) => keys.iter().any(|key| does(*key)),
        // A page without words can still be moved to see more of it; where money is, what is slid may pay.
        Input::Swipe { .. } => !facts.mute || page.is_risky(),
        _ => false,
    };
    !facts.read && !case.is_blind_allowed(page) && case.inputs.iter().any(touches)
}

/// What opening a link comes down to.
fn of_link(url: &str, case: &Case<'_>, facts: &Facts<'_>) -> Finding {
    let shows = |thing: &UiElement<'_>| !thing.is_field() && link::stands_in(url, &thing.element.label);
    // What the run wrote itself, in a note or where it was looked for, nobody offers.
    let own = || case.written.iter().any(|text| text.contains(url)) || is_made_of(url, case.written);
    let offer = match facts.app {
        _ if !facts.things.iter().any(shows) || own() => Offer::None,
        App::Mail | App::Messenger => Offer::Letter,
        _ => Offer::Page,
    };
    match link::risk(url, case.task, offer, case.read) {
        LinkRisk::Shows => Finding::by(RuleName::Link, Moves),
        LinkRisk::Asks(kind, rule) => Finding::by(rule, Core(kind)),
        LinkRisk::Always(kind, rule) => Finding::by(rule, Always(kind)),
        LinkRisk::Never(rule) => Finding::by(rule, Never),
    }
}

/// Commands, scripts and links are read elsewhere. Whether this input is one.
fn outside(case: &Case<'_>, page: &Page<'_>, input: &Input, all: &mut Vec<Finding>) -> bool {
    if case.holds_secret
        && matches!(
            input,
            Input::Command(_) | Input::Script(_) | Input::ComputerScript(_) | Input::Link(_)
        )
    {
        all.push(Finding::by(RuleName::SecretElsewhere, Never));
    }
    let reading = match input {
        Input::Command(words) => command::command(words),
        Input::Script(text) => command::script(text),
        // What is never done on a phone is never done here.
        Input::ComputerScript(text) => match command::script(text) {
            never @ Reading::Never(_) => never,
            _ => Reading::Always(vec![(ComputerScript, RuleName::Script)]),
        },
        Input::Link(url) => {
            all.push(of_link(url, case, page.facts()));
            return true;
        }
        _ => return false,
    };
    match reading {
        // The person's switch about commands is about those that only read, and about no other.
        Reading::Reads => all.push(Finding::by(RuleName::Shell, Core(Shell))),
        Reading::Touches(inputs) => all.extend(find(&Case {
            inputs: &inputs,
            ..case.clone()
        })),
        // A script is asked about as a script: its whole text is shown.
        Reading::Asks(risks) | Reading::Always(risks) => all.extend(
            risks
                .into_iter()
                .filter(|(kind, _)| !matches!(input, Input::Script(_)) || *kind == Script)
                .map(|(kind, rule)| Finding::by(rule, Always(kind))),
        ),
        Reading::Never(rule) => all.push(Finding::by(rule, Never)),
    }
    true
}
