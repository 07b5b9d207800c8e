//! One flat table: what is never done, what is always asked, what is asked unless the person says otherwise, what only
//! moves. What stands in no row is unknown, and asked.

use crate::act::{How, Odds, acts};
use crate::case::Case;
use crate::command::{self, Reading};
use crate::facts::{App, Page, Thing, is_card_number};
use crate::guard::Say;
use crate::input::Input;
use crate::key::Effect;
use crate::link::{self, LinkRisk};
use crate::look::Look;
use crate::words as w;
use Does::{Always, Core, Moves, Never, Unknown};
use protocol::AskKind::{self, *};
use protocol::{Role, State};

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
    pub(crate) rule: &'static str,
    pub(crate) does: Does,
    /// What it was found in, by its index on the screen.
    pub(crate) element: Option<u32>,
}

impl Finding {
    fn by(rule: &'static str, does: Does) -> Self {
        Self {
            rule,
            does,
            element: None,
        }
    }
}

/// A row of the table.
struct Rule {
    name: &'static str,
    does: Does,
    when: fn(&Look<'_, '_>) -> bool,
}

macro_rules! table {
    ($($name:literal $does:expr, $look:ident => $when:expr;)*) => {
        &[$(Rule { name: $name, does: $does, when: |$look| $when }),*]
    };
}

/// Every row is looked at for every act; the gravest counts.
const TABLE: &[Rule] = table! {
    // Never.
    "factory_reset" Never, l => l.button() && l.facts.app.is_system() && l.says(w::RESET);
    "factory_reset" Never, l => (l.confirms() || l.deletes()) && l.facts.is_about(w::RESET);
    "wipe" Never, l => l.button() && l.facts.app.is_system() && l.says(w::FORMAT);
    "wipe" Never, l => (l.confirms() || l.deletes()) && l.facts.app.is_system() && l.facts.is_about(w::FORMAT);
    "disable_protection" Never, l => l.button() && l.says(w::PROTECTION);
    "disable_protection" Never, l => l.turns(false) && (l.mentions(w::GUARD) || l.is_main_switch_of(w::GUARD));
    "disable_protection" Never, l => (l.confirms() || l.deletes()) && l.facts.is_about(w::PROTECTION);
    "disable_protection" Never, l => l.button() && l.is_called(w::OFF) && l.facts.is_about(w::GUARD);
    "disable_protection" Never, l => l.presses() && l.is_called(w::OFF) && l.facts.app.is_system() && l.facts.titled(w::LOCK);
    "disable_protection" Never, l => (l.deletes() || l.button() && l.says(w::OFF)) && l.facts.app.is_system() && l.facts.asks && (l.facts.is_about(w::LOCK) || l.facts.titled(w::SECRET));
    "device_admin" Never, l => l.confirms() && l.facts.app.is_system() && l.facts.is_about(w::ADMIN);
    "device_admin" Never, l => l.turns(true) && l.facts.app.is_system() && l.facts.titled(w::ADMIN);
    "device_admin" Never, l => l.button() && !l.row() && l.facts.app.is_system() && (l.says(w::ADMIN) || l.confirms() && l.mentions(w::ADMIN));
    "unknown_sources" Never, l => l.button() && l.facts.app.is_system() && l.says(w::SOURCES);
    "unknown_sources" Never, l => l.turns(true) && l.facts.app.is_system() && (l.mentions(w::SOURCES) || l.facts.titled(w::SOURCES));
    "unknown_sources" Never, l => l.button() && l.facts.app == App::Installer && l.says(w::INSTALL);
    "no_field" Never, l => matches!(l.act.how, How::NoField) && !l.blind_allowed();
    // Money: always.
    "pay_button" Always(Payment), l => l.button() && !l.role(Role::Item) && l.says(w::PAY) && (l.broad() || l.facts.dialog || l.on(Thing::has_amount) || l.facts.titled(w::PAY_TOPIC) || l.facts.priced && l.low());
    "pay_button" Always(Payment), l => l.button() && l.on(Thing::id_pays) && l.facts.priced;
    "pay_tile" Unknown(Payment), l => l.button() && l.says(w::PAY);
    "order_button" Always(Payment), l => l.button() && !l.row() && l.says(w::ORDER) && l.facts.priced && !l.facts.over && (l.wide() || l.facts.dialog);
    "confirms_price" Always(Payment), l => l.button() && !l.row() && l.says(w::CONFIRM) && l.facts.priced && !l.facts.over && l.is_at_foot();
    "shows_pay_code" Always(Payment), l => l.presses() && (l.says(w::PAY_CODE) || l.is_called(w::PAY_CODE)) && !l.is_tab();
    "send_money" Always(Payment), l => l.button() && l.wide() && l.says(w::SEND) && l.facts.pays() && (l.facts.app == App::Bank || l.facts.titled(w::PAY_TOPIC));
    "yes_to_payment" Always(Payment), l => l.confirms() && (l.facts.pays() || l.facts.app == App::Bank && l.facts.priced && !l.facts.over);
    "amount_button" Always(Payment), l => l.button() && !l.row() && l.on(Thing::takes_presses) && l.on(Thing::is_amount) && l.facts.pays();
    "amount_button" Unknown(Payment), l => l.button() && !l.row() && l.on(Thing::has_amount) && l.is_at_foot();
    "slides_to_pay" Always(Payment), l => (l.pulls() || l.strokes(false)) && l.facts.priced && (l.role(Role::Slider) && l.facts.pays() || l.page_says(w::SLIDE));
    "slides_to_pay" Always(Payment), l => l.strokes(true) && l.facts.priced && l.page_says(w::SLIDE_UP);
    "slides_on" Unknown(Payment), l => (l.pulls() || l.strokes(true) || l.strokes(false)) && (l.page_says(w::SLIDE_UP) || l.page_says(w::SLIDE));
    "blind_on_money" Always(Unreadable), l => l.blind() && l.page.is_risky();
    // Codes and passwords: always.
    "secret_field" Always(Code), l => l.types_code() && l.on(Thing::is_secret) && !l.on(|field| field.is(State::Password));
    "secret_field" Always(Password), l => l.writes() && l.on(Thing::is_secret);
    "code_field" Always(Code), l => l.types_code() && l.in_code_field();
    "card_number" Always(Password), l => l.typed().is_some_and(is_card_number);
    "number_pad" Always(Code), l => l.presses() && l.on(Thing::is_digit) && l.facts.asks_for_secret();
    "reveals_secret" Always(Password), l => l.presses() && (l.says(w::REVEAL) || l.on(Thing::id_reveals));
    "code_shown" Always(Code), l => matches!(l.act.how, How::Other(Input::ReadText)) && l.facts.shows_code(l.case.app());
    "secret" Always(Password), l => l.gives_secret() && !l.case.saved_fits && l.page.code_field().is_none();
    "secret" Always(Code), l => l.gives_secret() && !l.case.saved_fits && l.page.code_field().is_some();
    "given" Always(Files), l => matches!(l.act.how, How::Other(Input::File { .. }));
    "given" Always(Location), l => matches!(l.act.how, How::Other(Input::Location { .. }));
    // Installs and permissions: nothing but the person's switch.
    "install_button" Core(Install), l => l.button() && !l.row() && l.says(w::INSTALL);
    "store_button" Core(Install), l => l.facts.app == App::Store && l.button() && l.is_called(w::UPDATE);
    "yes_to_install" Core(Install), l => l.confirms() && l.facts.dialog && l.facts.is_about(w::INSTALL);
    "permission_dialog" Core(Permission), l => l.facts.app == App::Permission && l.allows();
    "special_access" Core(Permission), l => l.turns(true) && l.facts.app.is_system() && (l.mentions(w::SPECIAL) || l.facts.titled(w::SPECIAL));
    "grants" Core(Permission), l => l.button() && l.facts.asks && !l.denies() && l.says(w::GRANT) && l.facts.is_about(w::PERMISSION_TOPIC);
    // Sending, calling.
    "send_button" Core(Send), l => l.button() && (l.says(w::SEND) || l.on(Thing::id_sends));
    "beside_message" Core(Send), l => l.button() && l.wordless() && l.beside_draft();
    "enter_sends" Core(Send), l => l.enters() && l.composes();
    "calls" Core(Send), l => l.key_is(&[Effect::Calls]) || l.key_is(&[Effect::Plays]) && l.rings();
    "calls" Core(Send), l => l.held() && l.facts.app == App::Dialer && l.on(Thing::is_digit);
    "dials_code" Always(Act), l => l.facts.app == App::Dialer && l.writes_hash();
    "answers" Core(Send), l => (l.confirms() || l.pulls() || l.button() && l.wordless()) && l.rings();
    "opens_to_everybody" Core(Send), l => l.presses() && l.mentions(w::PUBLIC);
    // Deleting.
    "delete_button" Core(Delete), l => l.deletes() && !l.facts.titled(w::CART) && !(l.icon() && l.facts.has_number_pad());
    "delete_in_cart" Unknown(Delete), l => l.deletes() && l.facts.titled(w::CART);
    "yes_to_delete" Core(Delete), l => l.confirms() && l.facts.asks && l.facts.is_about(w::DELETE);
    "delete_key" Core(Delete), l => l.key_is(&[Effect::Deletes]) && l.page.element_for(Delete).is_some();
    // What would cut this computer off.
    "cuts_off" Core(Act), l => l.presses() && l.facts.app.is_system() && !l.denies() && l.on(|thing| w::CUTOFF.acts(&thing.name));
    "cuts_off" Core(Act), l => (l.turns(true) || l.turns(false)) && l.facts.app.is_system() && (l.mentions(w::CUTOFF) || l.mentions(w::NETWORK));
    // Accounts.
    "signs" Core(Oauth), l => l.button() && l.says(w::SIGN);
    "signs_in" Core(Oauth), l => l.signs_in() && !l.was_told_to_sign_in();
    "joins" Core(Oauth), l => l.hands_in() && l.says(w::JOIN);
    "yes_to_sign_in" Core(Oauth), l => l.confirms() && l.facts.asks && l.facts.is_about(w::SIGN_TOPIC);
    // What only moves.
    "navigates" Moves, l => l.key_is(&[Effect::Navigates, Effect::Adjusts, Effect::Modifies, Effect::HangsUp, Effect::Plays]);
    "moves_focus" Moves, l => l.key_is(&[Effect::Focuses]) && !l.role(Role::Slider);
    "scrolls" Moves, l => l.strokes(true) || l.strokes(false);
    "opens_app" Moves, l => matches!(l.act.how, How::Other(Input::Launch(app)) if !app.contains(['*', '#', '/', ':']));
    "looks" Moves, l => matches!(l.act.how, How::Other(Input::Wake | Input::ReadClipboard | Input::ReadText));
    "saved_password" Moves, l => l.gives_secret() && l.case.saved_fits;
    "adjusts" Moves, l => l.role(Role::Slider) && (l.presses() || l.pulls()) && l.only_adjusts();
    "focuses" Moves, l => l.presses() && l.on(Thing::is_field);
    "draft" Moves, l => l.drafts();
    "breaks_line" Moves, l => l.enters() && !l.composes() && (l.in_letter() || l.nothing_commits());
    "takes_no_press" Moves, l => l.told_only();
    "opens_menu" Moves, l => l.held() && !l.role(Role::Button) && l.stake().is_none();
    "leafs" Moves, l => l.pulls() && l.facts.app == App::Launcher;
    "blind_allowed" Moves, l => l.blind_allowed();
    "enter_searches" Moves, l => l.enters() && l.on(Thing::is_search);
    "tab" Moves, l => l.press() && l.is_tab();
    "goes_back" Moves, l => l.press() && l.believed() && l.goes_back();
    "refuses" Moves, l => l.press() && l.is_called(w::NO) && l.believed() && (l.facts.dialog || l.facts.pays() || l.page.wants_secret() || l.commits_elsewhere()) && !l.answers_invitation();
    "refuses" Moves, l => l.press() && l.denies() && l.facts.app.is_system();
    "takes_digit_back" Moves, l => l.press() && l.icon() && l.believed() && l.facts.has_number_pad();
    "opens" Moves, l => l.press() && (l.role(Role::Spinner) || l.icon() && l.believed() && l.is_called(w::OPENS));
    "chooses" Moves, l => l.press() && l.facts.app == App::Other && l.chooses_in_form();
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
            &Look {
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
        all.push(Finding::by("no_elements", does));
    }
    if case.marked && all.iter().all(|found| found.does == Moves) {
        all.push(Finding::by("model_flag", Unknown(AskKind::Unknown)));
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
        all.push(Finding::by("maybe_done", Always(AskKind::Act)));
    }
}

/// Every row that fits; where none does, nobody knows, and the opinion is heard.
fn of_act(look: &Look<'_, '_>, all: &mut Vec<Finding>) {
    let element = look.act.on.map(|thing| thing.element.index);
    let fitting = TABLE.iter().filter(|rule| (rule.when)(look));
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
    let stake = look.stake();
    if look.act.odds != Odds::Likely {
        found.retain(|one| one.does < Unknown(Payment));
    } else if found.is_empty() && look.hands_in_code() {
        found.push(Finding {
            rule: "hands_in_code",
            does: Moves,
            element,
        });
    } else if found.is_empty() {
        let kind = if look.blind() {
            Unreadable
        } else {
            AskKind::Unknown
        };
        found.push(Finding {
            rule: if look.blind() {
                "no_elements"
            } else {
                stake.unwrap_or("unknown")
            },
            does: Unknown(kind),
            element,
        });
    }
    // Whoever gives it may add a question to anything that is done to a thing, and answer for one plain press of it.
    if let (Some(opinion), Some(index), true) = (look.case.opinion, element, look.hears()) {
        let plain = look.press() && look.act.odds == Odds::Likely;
        let says = match opinion.says(index) {
            // Signing in is what the task itself names.
            Say::Commits(Oauth) if look.is_told_sign_in() => Say::Moves,
            says => says,
        };
        match says {
            Say::Commits(kind) => found.push(Finding {
                rule: "opinion",
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
    let touches = |input: &Input| match input {
        Input::Tap { .. }
        | Input::DoubleTap { .. }
        | Input::Hold { .. }
        | Input::Drag { .. }
        | Input::Text(_)
        | Input::ClearText
        | Input::Replace(_) => true,
        Input::Key(key) => key.effect() == Effect::Confirms,
        // A page without words can still be moved to see more of it.
        Input::Swipe { .. } => !facts.mute,
        _ => false,
    };
    !facts.read && !case.is_blind_allowed(page) && case.inputs.iter().any(touches)
}

/// Commands, scripts and links are read elsewhere. Whether this input is one.
fn outside(case: &Case<'_>, page: &Page<'_>, input: &Input, all: &mut Vec<Finding>) -> bool {
    if case.holds_secret
        && matches!(
            input,
            Input::Command(_) | Input::Script(_) | Input::ComputerScript(_) | Input::Link(_)
        )
    {
        all.push(Finding::by("secret_elsewhere", Never));
    }
    let reading = match input {
        Input::Command(words) => command::command(words),
        Input::Script(text) => command::script(text),
        // What is never done on a phone is never done here.
        Input::ComputerScript(text) => match command::script(text) {
            never @ Reading::Never(_) => never,
            _ => Reading::Always(vec![(ComputerScript, "script")]),
        },
        Input::Link(url) => {
            let offered = page
                .facts()
                .things
                .iter()
                .any(|thing| thing.element.label.contains(url.as_str()));
            all.push(match link::risk(url, case.task, offered, case.read) {
                LinkRisk::Shows => Finding::by("link", Moves),
                LinkRisk::Asks(kind, rule) => Finding::by(rule, Core(kind)),
                LinkRisk::Always(kind, rule) => Finding::by(rule, Always(kind)),
                LinkRisk::Never(rule) => Finding::by(rule, Never),
            });
            return true;
        }
        _ => return false,
    };
    match reading {
        // The person's switch about commands is about those that only read, and about no other.
        Reading::Reads => all.push(Finding::by("shell", Core(Shell))),
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
