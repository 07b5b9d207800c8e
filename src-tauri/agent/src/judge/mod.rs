//! The judge: what may be done at once, what a person is asked first, what is never done.
//!
//! Pure and total. It reads what we see (the elements under the touch, the page around them, the app), never what the
//! model says of it, and it only ever tightens: hard rules no setting lifts → the person's *never* → what is always asked
//! (the switches, the person's *ask*) → what the person allowed → by default what is a risk is asked. What it cannot
//! read, it asks about.

mod code;
mod commit;
mod decision;
mod guard;
mod harmless;
mod keys;
mod lexicon;
mod outside;
mod page;
mod phrase;
mod press;
mod price;
mod refusal;
pub(crate) mod rules;
mod script;
mod shell;
mod sound;
mod stake;
mod touch;
mod vocabulary;
mod words;

pub use page::Page;
pub use rules::reaches;
pub use sound::broken_rules;
pub use words::mentions;

use protocol::{Act, Action, AskKind, Level, Rule, Screen, Settings};
use std::collections::BTreeMap;

/// What is judged.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The action, its variables filled.
    pub action: &'a Action,
    /// The pixels it will touch, in order; empty when it touches none.
    pub touches: &'a [(i32, i32)],
    /// The screen as it stands.
    pub screen: &'a Screen,
    /// The person's choices.
    pub settings: &'a Settings,
    /// What the person allowed until the task is over.
    pub task_allowed: &'a [Rule],
    /// What the page before was about, where it paid, sent or deleted.
    pub before: Option<AskKind>,
    /// The model itself marked the step as one a person should see.
    pub flagged: bool,
    /// The person allowed touching this app's unreadable screens in this run.
    pub blind_allowed: bool,
    /// The action carries a code or password that a person supplied.
    pub holds_secret: bool,
    /// A person supplied a code or password for this app in this run: signing in with it was theirs.
    pub secret_given: bool,
    /// The person's own task says to sign in: [`tells_to_sign_in`].
    pub task_signs_in: bool,
}

/// What may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Do it.
    Allow,
    /// Ask the person first.
    Ask {
        /// What about.
        kind: AskKind,
        /// By which rule.
        rule: &'static str,
    },
    /// Never.
    Refuse {
        /// By which rule.
        rule: &'static str,
    },
}

/// The risks found, each with the rule that found it; the gravest kind comes first.
type Risks = BTreeMap<AskKind, &'static str>;

/// Judges one action on one screen. What cannot be judged is asked about.
#[must_use]
pub fn judge(case: &Case<'_>) -> Verdict {
    sound::guarded(|| decide(case))
}

fn decide(case: &Case<'_>) -> Verdict {
    if let Some(rule) = never(case) {
        return Verdict::Refuse { rule };
    }
    let (app, phone) = (case.screen.current_app.as_str(), &case.screen.phone);
    let rules = &case.settings.rules;
    let changes = changes_something(&case.action.act);
    let mut risks = risks(case);
    let barred = risks
        .keys()
        .any(|kind| rules::any(&rules.never, *kind, app, phone));
    if barred || (changes && rules::any(&rules.never, AskKind::Act, app, phone)) {
        return Verdict::Refuse {
            rule: "person_said_never",
        };
    }
    let allowed = |kind| {
        rules::allow(&rules.allowed, kind, app, phone) || rules::allow(case.task_allowed, kind, app, phone)
    };
    risks.retain(|kind, _| {
        rules::always(*kind, app, phone, case.settings)
            || (rules::by_default(*kind, case.settings) && (*kind == AskKind::Act || !allowed(*kind)))
    });
    if let Some((kind, rule)) = risks.first_key_value() {
        return Verdict::Ask { kind: *kind, rule };
    }
    let rule = if rules::any(&rules.ask, AskKind::Act, app, phone) {
        Some("person_asks")
    } else if case.settings.level == Level::Everything && !allowed(AskKind::Act) {
        Some(rules::EVERYTHING)
    } else {
        None
    };
    if let Some(rule) = rule.filter(|_| changes) {
        return Verdict::Ask {
            kind: AskKind::Act,
            rule,
        };
    }
    Verdict::Allow
}

/// Whether a label speaks of a one-time code (and not of a post code or a voucher).
#[must_use]
pub fn mentions_code(label: &str) -> bool {
    code::wants_code(label)
}

/// Whether a task, in the person's own words, speaks of signing in: "Sign in to Northbank", "Please log me in".
#[must_use]
pub fn tells_to_sign_in(task: &str) -> bool {
    const SAID: &[&str] = &[
        "sign me in",
        "log me in",
        "sign into",
        "log into",
        "signed in",
        "logged in",
    ];
    vocabulary::LOGIN.mentioned(&words::Label::new(task)) || mentions(task, SAID)
}

/// The hard rules: no setting, no Yes and no grant lifts them.
fn never(case: &Case<'_>) -> Option<&'static str> {
    if case.holds_secret
        && matches!(
            case.action.act,
            Act::Shell { .. } | Act::RunScript { .. } | Act::OpenUrl { .. }
        )
    {
        return Some("secret_elsewhere");
    }
    let commands = match &case.action.act {
        Act::Shell { command } => Some(command),
        Act::RunScript { script, .. } => Some(script),
        _ => None,
    };
    if let Some(rule) = commands.and_then(|commands| shell::never(commands)) {
        return Some(rule);
    }
    let page = Page::new(case.screen);
    if let Act::RunScript { script, .. } = &case.action.act
        && shell::presses_what_matters(&page, script)
    {
        return Some("script_on_risky_page");
    }
    let by_touch = case.touches.iter().find_map(|&(x, y)| touch::never(&page, x, y));
    by_touch.or_else(|| {
        keys::confirms(&case.action.act)
            .then(|| touch::never_focused(&page))
            .flatten()
    })
}

/// Everything this action risks, whatever the settings say.
fn risks(case: &Case<'_>) -> Risks {
    let page = Page::new(case.screen);
    let mut risks = Risks::new();
    for &(x, y) in case.touches {
        touch::risks(&page, x, y, &mut risks);
    }
    let pointing = !case.touches.is_empty() || keys::writes(&case.action.act);
    let excused = case.blind_allowed && case.before.is_none() && !page.risky_unread();
    // Where a tree says nothing a press is blind; a page can still be moved to see more of it.
    let unread = !case.screen.tree_read || (page.is_mute() && case.touches.len() == 1);
    if pointing && unread && !excused {
        risks.entry(AskKind::Unreadable).or_insert("no_elements");
    }
    let found = risks.len();
    let wanted = case.secret_given || case.task_signs_in;
    if wanted && risks.get(&AskKind::Oauth) == Some(&touch::SIGNS_IN) {
        risks.remove(&AskKind::Oauth);
    }
    // What hands in a code hands in what the person gave; a value that is set is chosen from a list, not pressed.
    let given = case.secret_given && page.code_field().is_some();
    let undecided = |rule: Option<&&'static str>| rule == Some(&decision::UNREAD);
    if given || matches!(case.action.act, Act::SetValue { .. }) {
        for kind in [AskKind::Unknown, AskKind::Payment] {
            if undecided(risks.get(&kind)) {
                risks.remove(&kind);
            }
        }
    }
    if given && risks.get(&AskKind::Unknown) == Some(&commit::NAMED_AFTER_DEED) {
        risks.remove(&AskKind::Unknown);
    }
    // What the person's own word or code answers is not asked about again because the model marks it.
    let answered = risks.len() < found;
    match &case.action.act {
        Act::Type { text, .. } | Act::SetValue { value: text, .. } => {
            keys::typing(&page, text, case.touches.first().copied(), &mut risks);
        }
        Act::Keyevent { keycode } => keys::pressing(&page, keycode, &mut risks),
        Act::KeyCombination { keys } => {
            for key in keys {
                keys::pressing(&page, key, &mut risks);
            }
        }
        Act::Shell { command } => shell::risks(&page, command, &mut risks),
        Act::RunScript { .. } => {
            // Whatever else it may do, the question is the script's: its whole text is shown, and no switch is about it.
            let kind = if case.settings.scripts.on_this_computer {
                AskKind::ComputerScript
            } else {
                AskKind::Script
            };
            risks.insert(kind, "script");
        }
        Act::OpenUrl { url } => opening(url, &mut risks),
        Act::LongPress { .. } | Act::Swipe { .. } | Act::Drag { .. } => {
            // Up and down a page is scrolled.
            let scrolls =
                matches!(case.touches, &[(x1, y1), (x2, y2)] if (y2 - y1).abs() > 2 * (x2 - x1).abs());
            if scrolls && risks.get(&AskKind::Payment) == Some(&touch::NOWHERE) {
                risks.remove(&AskKind::Payment);
            }
            if let Some(&(x, y)) = case.touches.first() {
                touch::holding(&page, x, y, &mut risks);
                if !matches!(case.action.act, Act::LongPress { .. }) {
                    touch::sliding(&page, x, y, &mut risks);
                }
            }
        }
        Act::ReadText { .. } if page.shows_code() => {
            risks.insert(AskKind::Code, "code_shown");
        }
        Act::Tap { .. }
        | Act::LaunchApp { .. }
        | Act::RequestHumanAuth { .. }
        | Act::Wait { .. }
        | Act::Finish { .. }
        | Act::DoubleTap { .. }
        | Act::Scroll { .. }
        | Act::Hover { .. }
        | Act::Capture { .. }
        | Act::ListApps
        | Act::FocusApp { .. }
        | Act::ReadText { .. }
        | Act::ReadClipboard { .. }
        | Act::AskModel { .. } => {}
    }
    // The mark speaks of the same act as the rules: where they know what it risks, the person's settings about that hold.
    if case.flagged && risks.is_empty() && !answered && changes_something(&case.action.act) {
        risks.insert(AskKind::Unknown, "model_flag");
    }
    risks
}

/// Links that do more than show a page, and links nobody can tell what they do.
fn opening(url: &str, risks: &mut Risks) {
    let scheme = crate::plan::scheme(url).unwrap_or_default();
    match scheme.as_str() {
        // Pages, maps, and the app links among them.
        "http" | "https" | "geo" => {}
        "tel" | "sms" | "smsto" | "mms" | "mmsto" | "mailto" => {
            risks.insert(AskKind::Send, "link_that_sends");
        }
        "upi" | "bitcoin" | "ethereum" | "lightning" | "alipay" | "alipays" | "weixin" | "paypal"
        | "venmo" | "pix" => {
            risks.insert(AskKind::Payment, "link_that_pays");
        }
        "market" => {
            risks.insert(AskKind::Install, "link_that_installs");
        }
        "content" | "file" | "intent" | "package" => {
            risks.insert(AskKind::Install, "link_that_installs");
            risks.insert(AskKind::Act, "unusual_link");
        }
        // An app's own scheme, `javascript:`, `data:`, anything: what it would do stands nowhere.
        _ => {
            risks.insert(AskKind::Act, "unusual_link");
        }
    }
    let path = url
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    if path.ends_with(".apk") {
        risks.insert(AskKind::Install, "link_that_installs");
    }
}

/// Whether the phone is any different afterwards; looking and waiting are not.
fn changes_something(act: &Act) -> bool {
    // Reading a list to its end scrolls it.
    if let Act::ReadText {
        auto_scroll: true, ..
    } = act
    {
        return true;
    }
    !matches!(
        act,
        Act::Wait { .. }
            | Act::Finish { .. }
            | Act::Capture { .. }
            | Act::ListApps
            | Act::Hover { .. }
            | Act::ReadText { .. }
            | Act::ReadClipboard { .. }
            | Act::AskModel { .. }
            | Act::RequestHumanAuth { .. }
    )
}
