//! What is judged: inputs on a screen, and what the person said of such things.

use crate::facts::Page;
use crate::guard::Opinion;
use crate::input::Input;
use protocol::{AskKind, Mandate, Millis, Rule, Screen, Settings};
use std::time::Instant;

/// What is judged. Everything but `inputs`, `screen`, `settings` and `now` has an empty default: [`Case::new`].
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// What the phone would receive, in order, without a look in between.
    pub inputs: &'a [Input],
    /// The newest look.
    pub screen: &'a Screen,
    /// Who signed the app in front, SHA-256 in hex; empty where nobody knows.
    pub signers: &'a [String],
    /// Its version; empty where nobody knows.
    pub version: &'a str,
    /// The site in front, in a browser; absent where nobody can be sure.
    pub site: Option<&'a str>,
    /// The person's choices.
    pub settings: &'a Settings,
    /// What the person allowed until the task is over, each on one element.
    pub bindings: &'a [Rule],
    /// What the person agreed to before the task began, as much of it as is left.
    pub mandates: &'a [Mandate],
    /// The task, in the person's own words.
    pub task: &'a str,
    /// What the page before was about, where it paid, sent or deleted.
    pub before: Option<AskKind>,
    /// The acting model, or its maker, marked the step as one a person should see.
    pub marked: bool,
    /// An earlier run of the task began this very act, and nobody knows whether it was done.
    pub begun_before: bool,
    /// Kinds of deeds that one began, and nobody knows whether they were done.
    pub begun_kinds: &'a [AskKind],
    /// What somebody else thinks of this page.
    pub opinion: Option<&'a Opinion>,
    /// The person allowed touching this app's unreadable screens in this run.
    pub blind_allowed: bool,
    /// The inputs carry a code or password that a person supplied.
    pub holds_secret: bool,
    /// A person supplied a code or password for this app in this run: handing it in was theirs.
    pub secret_given: bool,
    /// The secret is a saved one, and this is the field it was saved for.
    pub saved_fits: bool,
    /// Texts read on the phone in this run: a link must not carry them away.
    pub read: &'a [String],
    /// Texts this run wrote on the phone that were not read there before: what it wrote it may take back.
    pub written: &'a [String],
    /// The time of day.
    pub now: Millis,
    /// The same moment of the clock that only goes forward: what is judged is good for a while from then on.
    pub at: Instant,
}

/// Letters and digits of a text at most that stand in none of its pieces: a greeting's comma, a word mended by hand.
const REST: usize = 4;

/// Whether a text is made of these pieces, whatever their order, and of nothing else to speak of.
#[must_use]
pub fn is_made_of(text: &str, pieces: &[String]) -> bool {
    let mut pieces: Vec<&str> = pieces
        .iter()
        .flat_map(|piece| piece.lines())
        .map(str::trim)
        .collect();
    pieces.retain(|piece| !piece.is_empty());
    pieces.sort_unstable_by_key(|piece| std::cmp::Reverse(piece.len()));
    let mut rest = text.to_owned();
    for piece in pieces {
        if rest.contains(piece) {
            rest = rest.replace(piece, " ");
        }
    }
    rest.chars().filter(|c| c.is_alphanumeric()).count() < REST
}

impl<'a> Case<'a> {
    /// A case about which nothing more is known.
    #[must_use]
    pub fn new(
        inputs: &'a [Input],
        screen: &'a Screen,
        settings: &'a Settings,
        now: Millis,
        at: Instant,
    ) -> Self {
        Self {
            inputs,
            screen,
            signers: &[],
            version: "",
            site: None,
            settings,
            bindings: &[],
            mandates: &[],
            task: "",
            before: None,
            marked: false,
            begun_before: false,
            begun_kinds: &[],
            opinion: None,
            blind_allowed: false,
            holds_secret: false,
            secret_given: false,
            saved_fits: false,
            read: &[],
            written: &[],
            now,
            at,
        }
    }

    /// The person allowed touching what nobody can read here, and neither money nor a deed is about.
    pub(crate) fn is_blind_allowed(&self, page: &Page<'_>) -> bool {
        self.blind_allowed && self.before.is_none() && !page.is_risky()
    }

    /// The app in front.
    pub(crate) fn app(&self) -> &'a str {
        &self.screen.current_app
    }
}
