//! A task as data: its pages in order, what is done on each, and whether what is done is that.

use crate::common::{Run, action, element, page, tap, values};
use crate::days::Day;
use crate::overlays;
use protocol::{Act, Action, AskKind, Direction, Element, ElementState, Role, Screen, Target};
use replay::{Recording, Template, record};

pub(crate) const SIZE: (u32, u32) = (1080, 2400);

/// Names and what stands for them.
pub(crate) type Values = &'static [(&'static str, &'static str)];

/// What is done on a page. Texts may have `{names}` in them.
pub(crate) enum Does {
    Open,
    Scroll,
    /// Taps what has this id or this label. Where the id is shared, it is left empty.
    Tap {
        id: &'static str,
        label: &'static str,
        /// The first words of the entry of a list it lies in.
        entry: Option<&'static str>,
    },
    /// Switches on what has this label.
    Switch {
        label: &'static str,
    },
    Type {
        id: &'static str,
        text: &'static str,
    },
}

pub(crate) struct Step {
    pub(crate) page: &'static str,
    pub(crate) does: Does,
    pub(crate) asks: Option<AskKind>,
    /// What must stand where, by id, whenever it is done.
    pub(crate) shows: &'static [(&'static str, &'static str)],
    /// Other words by which the AI knows what is to be tapped.
    pub(crate) also: &'static [&'static str],
}

pub(crate) const STEP: Step = Step {
    page: "launcher",
    does: Does::Open,
    asks: None,
    shows: &[],
    also: &[],
};

pub(crate) struct Task {
    /// Its column.
    pub(crate) name: &'static str,
    pub(crate) app: &'static str,
    /// On the day it was recorded.
    pub(crate) values: Values,
    pub(crate) steps: &'static [Step],
    pub(crate) end: &'static str,
    /// The tree of a page of the app, on the day it was recorded.
    pub(crate) tree: fn(&str, Values) -> String,
    /// The app's first page, where a permission is asked for.
    pub(crate) first: &'static str,
    /// The page that something lies over, or that another one opens in the place of.
    pub(crate) covered: &'static str,
    /// Pages in the place of which another app's page is shown.
    pub(crate) replaced: &'static [&'static str],
    /// Days that differ in a way of the task's own.
    pub(crate) days: fn() -> Vec<Day>,
}

impl Task {
    /// The page's tree on the day it was recorded, with other values.
    pub(crate) fn tree(&self, name: &str, values: Values) -> String {
        overlays::tree(name, self.app).unwrap_or_else(|| (self.tree)(name, values))
    }

    pub(crate) fn shown(&self, name: &str, xml: &str, size: (u32, u32)) -> Screen {
        let app = match name {
            "launcher" => "com.android.launcher3",
            "permission" => "com.android.permissioncontroller",
            _ => self.app,
        };
        // "system-on" is another state of the window "system".
        page(xml, app, name.split('-').next().unwrap_or(name), size)
    }

    pub(crate) fn recording(&self) -> Recording {
        let mut run = Run::default();
        let at = |name: &str| self.shown(name, &self.tree(name, self.values), SIZE);
        for step in self.steps {
            let screen = at(step.page);
            let on = self.thing(step, &screen, self.values);
            let act = self.act(step, on, self.values);
            run.asks(&screen, on, act, "done", step.asks);
        }
        run.ends(&at(self.end));
        record(&run.events, &run.screens, &values(self.values)).unwrap()
    }

    fn act(&self, step: &Step, on: Option<&Element>, values: Values) -> Act {
        match step.does {
            Does::Open => Act::LaunchApp {
                package_name: self.app.to_owned(),
            },
            Does::Scroll => Act::Scroll {
                direction: Direction::Down,
                amount: 6.0,
                x: None,
                y: None,
                target: None,
            },
            Does::Tap { .. } | Does::Switch { .. } => tap(on.unwrap().index),
            Does::Type { text, .. } => Act::Type {
                text: filled(text, values),
                target: on.map(|field| Target {
                    element: Some(field.index),
                    ..Target::default()
                }),
            },
        }
    }

    /// The thing a step touches, as whoever reads the screen finds it.
    fn thing<'a>(&self, step: &Step, screen: &'a Screen, values: Values) -> Option<&'a Element> {
        if let Does::Type { id, .. } = step.does {
            return Some(element(screen, id));
        }
        let is_it = |e: &&Element| is_tappable(e) && is_meant(step, e, screen, values, false).is_ok();
        screen.elements.iter().find(is_it)
    }

    /// What the AI does on a page in the place of a step, and on what; nothing where it is not to be done there.
    pub(crate) fn by_ai<'a>(
        &self,
        step: &Step,
        screen: &'a Screen,
        values: Values,
    ) -> Option<(Action, Option<&'a Element>)> {
        if let Does::Open | Does::Scroll = step.does {
            return Some((action(self.act(step, None, values)), None));
        }
        let fields = |e: &&Element| matches!(step.does, Does::Type { .. }) && e.role == Role::Field;
        let meant = |is_taught: bool| {
            move |e: &&Element| is_tappable(e) && is_meant(step, e, screen, values, is_taught).is_ok()
        };
        let all = &screen.elements;
        let on = all.iter().find(fields).or_else(|| all.iter().find(meant(false)));
        let on = on.or_else(|| all.iter().find(meant(true)))?;
        Some((action(self.act(step, Some(on), values)), Some(on)))
    }

    /// The step that an act on this page can be. A scroll may be left out where there is nothing to scroll to.
    fn step_on(&self, name: &str, act: &Act) -> Option<&Step> {
        let at = self.steps.iter().position(|step| step.page == name)?;
        let is_left_out = matches!(self.steps[at].does, Does::Scroll) && !matches!(act, Act::Scroll { .. });
        self.steps.get(at + usize::from(is_left_out))
    }

    /// What is done, in words; an error where it is not what was recorded on this page.
    pub(crate) fn check(
        &self,
        name: &str,
        act: &Act,
        screen: &Screen,
        values: Values,
        is_taught: bool,
    ) -> Result<String, String> {
        let number = match act {
            Act::Tap { target, .. } | Act::Type { target, .. } => target.as_ref().and_then(|t| t.element),
            _ => None,
        };
        let touched = screen.elements.iter().find(|e| Some(e.index) == number);
        if name == "rating" {
            let label = touched.map(|touched| touched.label.as_str());
            return match (act, label) {
                (Act::Tap { .. }, Some("Not now")) => Ok(tapped(touched.unwrap())),
                _ => Err(format!("{act:?} on a prompt")),
            };
        }
        let step = self.step_on(name, act).ok_or(format!("{act:?} on {name}"))?;
        let touches = !matches!(act, Act::Scroll { .. });
        if touches && let Some(missing) = missing(step, screen, values) {
            return Err(format!("{act:?} on {name}, where {missing:?} is not to be seen"));
        }
        match (act, &step.does) {
            (Act::LaunchApp { package_name }, Does::Open) if package_name == self.app => {
                Ok(format!("open {package_name}"))
            }
            (Act::Scroll { direction, .. }, _) if *direction == Direction::Down => {
                Ok("scroll down".to_owned())
            }
            (Act::Tap { .. }, Does::Tap { .. } | Does::Switch { .. }) => {
                let touched = touched.ok_or("a tap on nothing")?;
                is_meant(step, touched, screen, values, is_taught)?;
                Ok(tapped(touched))
            }
            (Act::Type { text, .. }, Does::Type { text: recorded, .. }) => {
                let touched = touched.ok_or("typed into nothing")?;
                if *text != filled(recorded, values) || touched.role != Role::Field {
                    return Err(format!("typed {text:?} into {touched:?}"));
                }
                Ok(format!("type {text:?} into #{}", name_of(touched)))
            }
            _ => Err(format!("{act:?} on {name}")),
        }
    }
}

/// What must be seen when a step is done, and is not.
pub(crate) fn missing(step: &Step, screen: &Screen, values: Values) -> Option<String> {
    let all = step.shows.iter().map(|(id, text)| (*id, filled(text, values)));
    let is_seen = |id: &str, text: &String| {
        let says = |e: &Element| name_of(e) == id && (e.label == *text || e.value.as_ref() == Some(text));
        screen.elements.iter().any(says)
    };
    all.into_iter()
        .find(|(id, text)| !is_seen(id, text))
        .map(|(_, text)| text)
}

/// It is what the step touches: by the id or the words it was recorded with, or by those the AI found it by before.
fn is_meant(
    step: &Step,
    touched: &Element,
    screen: &Screen,
    values: Values,
    is_taught: bool,
) -> Result<(), String> {
    let (id, label, within) = match &step.does {
        Does::Tap { id, label, entry } => (*id, *label, *entry),
        Does::Switch { label } => ("", *label, None),
        _ => return Err(format!("tapped {touched:?}")),
    };
    let says = |e: &Element, words: &str| first_words(e).eq_ignore_ascii_case(&filled(words, values));
    let has_id = !id.is_empty() && name_of(touched) == id;
    let is_known = is_taught && step.also.contains(&first_words(touched));
    let around = |e: &Element| {
        let (outer, inner) = (e.bounds, touched.bounds);
        e.role == Role::Item
            && outer.left <= inner.left
            && outer.top <= inner.top
            && outer.right >= inner.right
            && outer.bottom >= inner.bottom
    };
    let is_within = |words: &str| screen.elements.iter().any(|e| around(e) && says(e, words));
    let is_off =
        !matches!(step.does, Does::Switch { .. }) || !touched.states.contains(&ElementState::Checked);
    if (has_id || is_known || says(touched, label)) && within.is_none_or(is_within) && is_off {
        Ok(())
    } else {
        Err(format!("tapped {touched:?}"))
    }
}

fn filled(text: &str, all: Values) -> String {
    Template::from(text).fill(&values(all)).unwrap()
}

fn is_tappable(e: &Element) -> bool {
    screen::is_actionable(e)
}

fn first_words(e: &Element) -> &str {
    let label = e.label.as_str();
    if e.role == Role::Item {
        label.split(", ").next().unwrap_or(label)
    } else {
        label
    }
}

fn name_of(e: &Element) -> &str {
    e.resource_id.rsplit('/').next().unwrap_or_default()
}

fn tapped(e: &Element) -> String {
    format!(
        "tap #{} {:?} at {},{}",
        name_of(e),
        e.label,
        e.bounds.left,
        e.bounds.top
    )
}
