//! What an action still has to do on the screens that come after its first touch: the entry of an opened list, the
//! value of a slider that was moved. Each is an action of its own, seen by the judge like any other.

use protocol::{Act, Action, Bounds, Direction, Element, ElementState, OutcomeCode, Role, Screen, Target};

/// Scrolls of an opened list at most, both ways together.
const SCROLLS: u32 = 24;
/// How far from what was wanted a slider may stand, as a share of its range.
const NEAR: f64 = 0.03;

/// What is left to do.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowUp {
    /// The action it belongs to.
    pub action: Action,
    pub(crate) stage: FollowUpStage,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FollowUpStage {
    /// A list of choices was opened: the entry called `value` is to be chosen.
    Choose {
        value: String,
        /// What stood on the screen before it was opened.
        before: Vec<(String, Bounds)>,
        scrolls: u32,
        way: Direction,
    },
    /// A slider was touched: does it stand where it was wanted?
    Slide {
        share: f64,
        slider: Element,
        /// It was put right once.
        corrected: bool,
    },
}

/// The next thing to do for it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FollowUpStep {
    /// Do this, and then this.
    Act(Box<Action>, Option<Box<FollowUp>>),
    /// It is done as it was wanted.
    Fits,
    /// Nobody can say whether it is; what the model is told of it.
    Unsure(String),
    /// It could not be done. A stable word, and the reason for the model.
    Fails(OutcomeCode, String),
}

impl FollowUp {
    pub(crate) fn choose(action: &Action, value: &str, now: &Screen) -> Self {
        Self {
            action: action.clone(),
            stage: FollowUpStage::Choose {
                value: value.trim().to_owned(),
                before: now.elements.iter().map(|e| (e.label.clone(), e.bounds)).collect(),
                scrolls: 0,
                way: Direction::Down,
            },
        }
    }

    pub(crate) fn slide(action: &Action, share: f64, slider: &Element) -> Self {
        Self {
            action: action.clone(),
            stage: FollowUpStage::Slide {
                share,
                slider: slider.clone(),
                corrected: false,
            },
        }
    }

    /// What comes next on this screen. `at_end`: the scroll before this found the end of the list.
    pub(crate) fn next(&self, now: &Screen, at_end: bool) -> FollowUpStep {
        if !now.tree_read {
            let message =
                "it was touched, but what the screen shows now could not be read; look whether it is right";
            return FollowUpStep::Unsure(message.to_owned());
        }
        match &self.stage {
            FollowUpStage::Choose {
                value,
                before,
                scrolls,
                way,
            } => self.choose_next(now, value, before, *scrolls, *way, at_end),
            FollowUpStage::Slide {
                share,
                slider,
                corrected,
            } => self.slide_next(now, *share, slider, *corrected),
        }
    }

    fn choose_next(
        &self,
        now: &Screen,
        value: &str,
        before: &[(String, Bounds)],
        scrolls: u32,
        way: Direction,
        at_end: bool,
    ) -> FollowUpStep {
        let fresh = |e: &&Element| !before.contains(&(e.label.clone(), e.bounds));
        let entries: Vec<&Element> = now.elements.iter().filter(fresh).collect();
        let found = named(&entries, value);
        match found.as_slice() {
            [entry] => {
                let mut tap = self.action.clone();
                tap.act = Act::Tap {
                    x: None,
                    y: None,
                    target: Some(target(entry)),
                };
                return FollowUpStep::Act(Box::new(tap), None);
            }
            [] => {}
            several => {
                let names: Vec<String> = several.iter().map(|e| format!("{:?}", e.label)).collect();
                let message = format!(
                    "several entries fit {value:?}: {}; the list is open, tap one",
                    names.join(", ")
                );
                return FollowUpStep::Fails(OutcomeCode::AmbiguousOption, message);
            }
        }
        let way = match (at_end, way) {
            (false, way) => Some(way),
            // A list opens at the entry that is chosen: what stands above it is looked through afterwards.
            (true, Direction::Down) => Some(Direction::Up),
            (true, _) => None,
        };
        let list = entries
            .iter()
            .find(|e| e.states.contains(&ElementState::Scrollable));
        if let (Some(way), Some(list)) = (way, list)
            && scrolls < SCROLLS
        {
            let mut scroll = self.action.clone();
            scroll.then_finish = false;
            scroll.act = Act::Scroll {
                direction: way,
                amount: 5.0,
                x: None,
                y: None,
                target: Some(target(list)),
            };
            let mut rest = self.clone();
            rest.stage = FollowUpStage::Choose {
                value: value.to_owned(),
                before: before.to_vec(),
                scrolls: scrolls + 1,
                way,
            };
            return FollowUpStep::Act(Box::new(scroll), Some(Box::new(rest)));
        }
        let names: Vec<String> = entries
            .iter()
            .filter(|e| !e.label.is_empty())
            .take(20)
            .map(|e| format!("{:?}", e.label))
            .collect();
        let message = format!(
            "the list is open, but no entry is called {value:?}; it shows {}",
            if names.is_empty() {
                "nothing".to_owned()
            } else {
                names.join(", ")
            },
        );
        FollowUpStep::Fails(OutcomeCode::OptionNotFound, message)
    }

    fn slide_next(&self, now: &Screen, share: f64, slider: &Element, corrected: bool) -> FollowUpStep {
        let same = |e: &&Element| {
            e.role == Role::Slider
                && e.resource_id == slider.resource_id
                && (e.track_id == slider.track_id || e.bounds == slider.bounds)
        };
        let Some(found) = now.elements.iter().find(same) else {
            let message = "the slider was touched, but it is not on the screen any more".to_owned();
            return FollowUpStep::Unsure(message);
        };
        let Some((stands, certain)) = found.value.as_deref().and_then(measured) else {
            let message =
                "the slider was touched; the phone does not say where it stands: look at it".to_owned();
            return FollowUpStep::Unsure(message);
        };
        if (stands - share).abs() <= NEAR {
            return FollowUpStep::Fits;
        }
        if !certain {
            let said = found.value.as_deref().unwrap_or_default();
            return FollowUpStep::Unsure(format!(
                "the slider was touched; the phone says it stands at {said:?}, of a range it does not tell: look at it"
            ));
        }
        if corrected {
            let message = format!(
                "the slider stands at {:.0} % and not at {:.0} %, also when it was put right",
                stands * 100.0,
                share * 100.0
            );
            return FollowUpStep::Fails(OutcomeCode::ValueDiffers, message);
        }
        let b = found.bounds;
        let at = f64::from(b.left) + f64::from(b.right - b.left - 1) * share;
        let moved = at + (share - stands) * f64::from(b.right - b.left);
        let mut tap = self.action.clone();
        tap.then_finish = false;
        tap.act = Act::Tap {
            x: Some(moved.clamp(f64::from(b.left), f64::from(b.right - 1)).round()),
            y: Some(f64::from(i32::midpoint(b.top, b.bottom))),
            target: None,
        };
        let mut rest = self.clone();
        rest.stage = FollowUpStage::Slide {
            share,
            slider: slider.clone(),
            corrected: true,
        };
        FollowUpStep::Act(Box::new(tap), Some(Box::new(rest)))
    }
}

fn target(element: &Element) -> Target {
    Target {
        track_id: Some(element.track_id.clone()),
        text: (!element.label.is_empty()).then(|| element.label.clone()),
        role: Some(element.role.to_string()),
        ..Target::default()
    }
}

/// The entries called so: exactly, else in any case, else with more words around it. Of a row and the text in it, one.
fn named<'a>(entries: &[&'a Element], value: &str) -> Vec<&'a Element> {
    let lower = value.to_lowercase();
    let rules: [&dyn Fn(&str) -> bool; 3] = [
        &|label| label == value,
        &|label| label.to_lowercase() == lower,
        &|label| !lower.is_empty() && label.to_lowercase().contains(&lower),
    ];
    for rule in rules {
        let fits = |e: &&&'a Element| rule(e.label.trim()) && !e.states.contains(&ElementState::Disabled);
        let fitting: Vec<&Element> = entries.iter().filter(fits).copied().collect();
        let outermost = |e: &&&'a Element| {
            !fitting
                .iter()
                .any(|other| other.index != e.index && holds(other, e) && is_clickable(other))
        };
        let chosen: Vec<&Element> = fitting.iter().filter(outermost).copied().collect();
        if !chosen.is_empty() {
            return chosen;
        }
    }
    Vec::new()
}

fn is_clickable(element: &Element) -> bool {
    element.states.contains(&ElementState::Clickable) || element.states.contains(&ElementState::Checkable)
}

fn holds(outer: &Element, inner: &Element) -> bool {
    let (a, b) = (outer.bounds, inner.bounds);
    a.left <= b.left
        && a.top <= b.top
        && a.right >= b.right
        && a.bottom >= b.bottom
        && outer.label.contains(&inner.label)
}

/// Where a slider stands, as a share of its range, and whether that is certain: `42%` is. A bare number is of a range
/// nobody tells (0…15 for a volume, 0…255 for a brightness); one up to 100 is taken for the usual one, and not relied on.
fn measured(value: &str) -> Option<(f64, bool)> {
    let text = value.trim().replace(',', ".");
    let bare = text
        .trim_end_matches("percent")
        .trim()
        .trim_end_matches('%')
        .trim();
    let number: f64 = bare.parse().ok()?;
    (0.0..=100.0)
        .contains(&number)
        .then_some((number / 100.0, bare.len() < text.len()))
}
