//! Everything one decision is made from, and the moves every skill needs: opening an app, going back, looking further
//! down a list, filling in a field.

use super::apps::KnownApp;
use super::memory::{Memory, PastStep, StepOutcome};
use super::moves::{Move, NextMove};
use super::preferences::Preferences;
use super::view::{View, written};
use super::words::{like, plain, typeable};
use protocol::{Act, Direction, Element};

/// Strokes down one list at most.
const STROKES: usize = 14;
/// A note: what a list showed before a stroke.
const PAGE: &str = "page";
/// What an app's first look may take: so often it is waited for.
const MAX_FIRST_LOOKS: usize = 2;

/// One decision's facts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecisionContext<'a> {
    pub(crate) view: View<'a>,
    pub(crate) memory: &'a Memory,
    pub(crate) preferences: &'a Preferences,
    /// The apps that can be opened: package and label; empty as long as nobody asked.
    pub(crate) apps: &'a [(String, String)],
}

impl<'a> DecisionContext<'a> {
    /// Whether an app is in front and nothing of the system lies over it.
    pub(crate) fn is_in(&self, app: &KnownApp) -> bool {
        app.owns(self.view.owner())
    }

    /// Opens an app.
    pub(crate) fn open(&self, app: &KnownApp, thought: impl Into<String>) -> NextMove {
        self.open_named(app.name, Some(app), thought)
    }

    /// Opens an app by what a person calls it.
    pub(crate) fn open_named(
        &self,
        name: &str,
        known: Option<&KnownApp>,
        thought: impl Into<String>,
    ) -> NextMove {
        let launches = |deed: &PastStep| matches!(deed.act, Some(Act::LaunchApp { .. }));
        let begun = |deed: &PastStep| launches(deed) && deed.end.may_be_done();
        let lately = self.memory.lately(|deed| begun(deed) || deed.waits());
        // Waits alone were for something else.
        let opened = if self.memory.deeds.iter().rev().take(lately).any(begun) {
            lately
        } else {
            0
        };
        if opened > MAX_FIRST_LOOKS + 1 {
            return NextMove::Stop(format!(
                "I opened {name}, but it did not come up on the screen. I stopped there."
            ));
        }
        if opened > 0 {
            return NextMove::Do(Move::wait(
                1500,
                format!("{name} is on its way. I’ll give it a moment."),
            ));
        }
        if let Some((package, label)) = self.installed(name, known) {
            return NextMove::Do(Move::launch(label, package, thought));
        }
        let refused = |deed: &PastStep| launches(deed) && deed.end == StepOutcome::NotDone;
        if self.apps.is_empty() && !self.memory.deeds.iter().any(refused) {
            return NextMove::Do(Move::launch(name, "", thought));
        }
        let asked = |deed: &PastStep| matches!(deed.act, Some(Act::ListApps));
        if self.apps.is_empty() && !self.memory.deeds.iter().any(asked) {
            return NextMove::Do(Move::list_apps(format!(
                "I’ll see which apps this phone has, to find {name}."
            )));
        }
        self.open_by_icon(name, known)
    }

    /// Package and label of an app by its names: the same, then one that holds them, then by what is known of packages.
    fn installed(&self, name: &str, known: Option<&KnownApp>) -> Option<(&'a str, &'a str)> {
        let names: Vec<String> = std::iter::once(name)
            .chain(known.iter().flat_map(|app| app.also.iter().copied()))
            .map(plain)
            .collect();
        let by = |fits: &dyn Fn(&str, &str, &str) -> bool| {
            names.iter().find_map(|name| {
                self.apps
                    .iter()
                    .find(|(package, label)| fits(name, package, &plain(label)))
            })
        };
        let found = by(&|name, _, label| label == name)
            .or_else(|| by(&|name, _, label| like(name, label)))
            .or_else(|| {
                self.apps
                    .iter()
                    .find(|(package, _)| known.is_some_and(|app| app.owns(package)))
            })
            .or_else(|| by(&|name, _, label| name.len() >= 3 && label.split(' ').any(|word| word == name)));
        found.map(|(package, label)| (package.as_str(), label.as_str()))
    }

    /// The phone tells computers no app of that name; perhaps it stands under an icon.
    fn open_by_icon(&self, name: &str, known: Option<&KnownApp>) -> NextMove {
        let names = std::iter::once(name).chain(known.iter().flat_map(|app| app.also.iter().copied()));
        let launcher = self.view.package().contains("launcher") || self.view.by_id("hotseat").is_some();
        if launcher {
            let icon = names.clone().find_map(|name| {
                self.view
                    .all_by_id("icon")
                    .find(|icon| plain(&icon.label) == plain(name))
            });
            if let Some(icon) = icon {
                return NextMove::Do(Move::tap(
                    icon,
                    format!("There is {}. I’m opening it.", icon.label),
                ));
            }
            let searched = self.memory.deeds.iter().any(|deed| {
                matches!(&deed.act, Some(Act::Type { .. } | Act::SetValue { .. })) && deed.end.may_be_done()
            });
            if let Some(field) = self.view.fields().next() {
                if searched {
                    return NextMove::Left(format!("I found no app called “{name}” on this phone."));
                }
                return self.fill(
                    field,
                    name,
                    &["Search apps", "Search"],
                    format!("I’m looking for {name} among the apps."),
                );
            }
            if let Some(search) = self.view.button("Search apps") {
                return NextMove::Do(Move::tap(
                    search,
                    format!("{name} is not on the home screen. I’ll search the apps."),
                ));
            }
        }
        if self
            .memory
            .lately(|deed| matches!(deed.act, Some(Act::Keyevent { .. })))
            >= 2
        {
            return NextMove::Left(format!("I found no app called “{name}” on this phone."));
        }
        NextMove::Do(Move::key(
            "HOME",
            format!("I’ll look for {name} on the home screen."),
        ))
    }

    /// Leaves a page by its arrow, else by the Back key.
    pub(crate) fn back(&self, thought: impl Into<String>) -> NextMove {
        match self.view.way_back() {
            Some(arrow) if !self.in_vain(&arrow.label) => NextMove::Do(Move::tap(arrow, thought)),
            _ => NextMove::Do(Move::key("BACK", thought)),
        }
    }

    /// Whether pressing this was the last step and changed nothing.
    pub(crate) fn in_vain(&self, label: &str) -> bool {
        self.memory
            .last()
            .is_some_and(|deed| deed.label() == Some(label) && deed.end == StepOutcome::Same)
    }

    /// Looks for something that is not on the screen: behind the keyboard, then further down, then further up. `None`:
    /// it was looked for everywhere.
    pub(crate) fn look_further(&self, what: &str) -> Option<Move> {
        if self.view.has_keyboard()
            && !self
                .memory
                .last()
                .is_some_and(|deed| deed.end == StepOutcome::Same)
        {
            return Some(Move::key(
                "BACK",
                "The keyboard is in the way. I’m putting it away.",
            ));
        }
        let list = self.view.list()?;
        let page = self.view.page(list);
        let stroke = |way, thought: String| Some(Move::scroll(list, way, thought).noting(PAGE, &page));
        let direction = |deed: &PastStep| match deed.act {
            Some(Act::Scroll { direction, .. }) => Some(direction),
            _ => None,
        };
        let strokes: Vec<&PastStep> = self
            .memory
            .deeds
            .iter()
            .rev()
            .take_while(|deed| direction(deed).is_some())
            .collect();
        let up = strokes.iter().any(|deed| direction(deed) == Some(Direction::Up));
        // The end is where a stroke says so, or left the same lines on the screen: pictures may move by themselves.
        let ended = strokes.first().is_some_and(|deed| {
            !matches!(deed.end, StepOutcome::Done | StepOutcome::Unsure)
                || deed.told(PAGE).any(|before| before == page)
        });
        match (up, ended || strokes.len() >= STROKES) {
            (false, false) => stroke(
                Direction::Down,
                format!("I don’t see {what} yet. I’m scrolling down."),
            ),
            (false, true) => stroke(
                Direction::Up,
                format!("Nothing more below. I’m looking for {what} further up."),
            ),
            (true, _) if !ended && strokes.len() < STROKES * 2 => {
                stroke(Direction::Up, format!("I’m looking for {what} further up."))
            }
            _ => None,
        }
    }

    /// Writes a text into a field: after nothing, or in place of what stands there.
    pub(crate) fn fill(
        &self,
        field: &Element,
        text: &str,
        hints: &[&str],
        thought: impl Into<String>,
    ) -> NextMove {
        let text = typeable(text);
        NextMove::Do(if written(field, hints).is_empty() {
            Move::write(field, &text, thought)
        } else {
            Move::set(field, &text, thought)
        })
    }

    /// What the phone's keyboard could not write was tried last.
    pub(crate) fn could_not_type(&self) -> bool {
        self.memory
            .last()
            .is_some_and(|deed| deed.said.contains("keyboard has no such characters"))
    }

    /// Waits for something to appear, a few times; then `None`.
    pub(crate) fn wait_for(&self, what: &str, times: usize) -> Option<Move> {
        (self.memory.lately(PastStep::waits) < times)
            .then(|| Move::wait(1500, format!("I’m waiting for {what}.")))
    }
}
