//! What is left of an action when a dialect has said it: written from the dialects' pages, not from their writers.

use dialect::{Dialect, Size};
use protocol::{Act, Action, Capability, Target};

/// What must come of writing the action in the dialect and reading it back; `None` when the dialect cannot say it.
/// Keys are said by name: whether one has a name is not asked here (see [`same_keys`]).
pub(crate) fn sayable(dialect: Dialect, action: &Action, screen: Size) -> Option<Action> {
    if matches!(dialect, Dialect::OpenPocket | Dialect::ToolCall) {
        return Some(action.clone());
    }
    let act = act(dialect, &action.act, screen)?;
    let ends = matches!(act, Act::Finish { .. });
    let hermes = dialect == Dialect::Hermes;
    // A package has a place of its own there.
    let by_package = dialect == Dialect::Verbs && action.app.is_none();
    let app = match &action.act {
        Act::LaunchApp { package_name } if by_package => {
            (!package_name.trim().is_empty()).then_some(())?;
            return Some(Action::from(action.act.clone()));
        }
        Act::LaunchApp { package_name } => Some(action.app.clone().unwrap_or_else(|| package_name.clone()))
            .filter(|app| !app.trim().is_empty()),
        _ => action.app.clone().filter(|_| hermes),
    };
    if matches!(act, Act::LaunchApp { .. }) && app.is_none() {
        return None;
    }
    let summary = action
        .reason
        .as_deref()
        .filter(|reason| dialect == Dialect::StepGui && one_value(reason) && !ends);
    Some(Action {
        reason: summary.map(Into::into),
        app,
        capture_after: hermes && action.capture_after,
        then_finish: dialect == Dialect::CogAgent && action.then_finish && !ends,
        modifiers: action.modifiers.iter().filter(|_| hermes).cloned().collect(),
        act,
    })
}

/// A text that can be a field's value in `Step-GUI`'s form: without what parts fields or begins a tag, and without blanks
/// of its own at its ends.
fn one_value(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.contains(['\t', '\n', '\r', '<', '◁', '['])
}

/// How a dialect points.
#[derive(Clone, Copy, PartialEq)]
enum Pointing {
    /// A box in whole thousandths, with claims about what stands there.
    Box,
    /// A point in whole thousandths.
    Thousandths,
    /// Everything a target has but its claims; a point as a box without size.
    Target,
    /// An element's number, else pixels.
    ElementOrPixels,
    /// Pixels alone.
    Pixels,
    /// An element's number alone.
    Element,
}

fn pointing(dialect: Dialect) -> Pointing {
    match dialect {
        Dialect::CogAgent => Pointing::Box,
        Dialect::AutoGlm | Dialect::UiTars | Dialect::Qwen | Dialect::UiVenus | Dialect::StepGui => {
            Pointing::Thousandths
        }
        Dialect::OmniMcp => Pointing::Target,
        Dialect::GuiPlus => Pointing::Pixels,
        Dialect::AppAgent => Pointing::Element,
        _ => Pointing::ElementOrPixels,
    }
}

type Spot = (Option<f64>, Option<f64>, Option<Target>);

fn in_box(region: [f64; 4]) -> Target {
    Target {
        region: Some(region),
        ..Target::default()
    }
}

/// The spot as the dialect says it; `None` when it cannot.
fn spot(dialect: Dialect, spot: &Spot, screen: Size) -> Option<Spot> {
    let (x, y, target) = spot;
    let whole = |n: f64| n.round().min(999.0);
    let point = || {
        let x = (*x)? * 1000.0 / f64::from(screen.width);
        let y = (*y)? * 1000.0 / f64::from(screen.height);
        Some([whole(x), whole(y), whole(x), whole(y)])
    };
    let region = target.as_ref().and_then(|target| target.region);
    let element = target.as_ref().and_then(|target| target.element);
    let by_element = element.map(|element| {
        let target = Target {
            element: Some(element),
            ..Target::default()
        };
        (None, None, Some(target))
    });
    let by_pixels = || Some((Some((*x)?), Some((*y)?), None));
    Some(match pointing(dialect) {
        Pointing::Box => {
            let region = match region {
                Some(region) => region.map(whole),
                None => point()?,
            };
            let claims = target.clone().unwrap_or_default();
            let target = Target {
                role: claims.role,
                label: claims.label,
                ..in_box(region)
            };
            (None, None, Some(target))
        }
        Pointing::Thousandths => {
            let region = match region {
                Some([x1, y1, x2, y2]) => {
                    let (x, y) = (whole(f64::midpoint(x1, x2)), whole(f64::midpoint(y1, y2)));
                    [x, y, x, y]
                }
                None => point()?,
            };
            (None, None, Some(in_box(region)))
        }
        Pointing::Target => {
            let target = match target {
                Some(target) => Target {
                    region: region.map(|[x1, y1, x2, y2]| [x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)]),
                    role: None,
                    label: None,
                    ..target.clone()
                },
                None => in_box(point()?),
            };
            (None, None, Some(target))
        }
        Pointing::ElementOrPixels => by_element.or_else(by_pixels)?,
        Pointing::Pixels => by_pixels()?,
        Pointing::Element => by_element?,
    })
}

#[expect(clippy::too_many_lines, reason = "one table")]
fn act(dialect: Dialect, act: &Act, screen: Size) -> Option<Act> {
    use Dialect as D;
    let at = |x: &Option<f64>, y: &Option<f64>, target: &Option<Target>| {
        spot(dialect, &(*x, *y, target.clone()), screen)
    };
    let says = |dialects: &[Dialect]| dialects.contains(&dialect).then_some(());
    Some(match act {
        Act::Tap { x, y, target } => {
            let (x, y, target) = at(x, y, target)?;
            Act::Tap { x, y, target }
        }
        Act::DoubleTap { x, y, target } => {
            (!matches!(dialect, D::Mobilerun | D::AppAgent | D::StepGui)).then_some(())?;
            let (x, y, target) = at(x, y, target)?;
            Act::DoubleTap { x, y, target }
        }
        Act::LongPress {
            x,
            y,
            target,
            duration_ms,
        } => {
            let (x, y, target) = at(x, y, target)?;
            let duration_ms = match dialect {
                D::Qwen | D::Verbs => *duration_ms,
                _ => 800.0,
            };
            Act::LongPress {
                x,
                y,
                target,
                duration_ms,
            }
        }
        Act::Hover { x, y, target } => {
            says(&[D::CogAgent, D::OmniMcp, D::UiTars, D::UiVenus])?;
            let (x, y, target) = at(x, y, target)?;
            Act::Hover { x, y, target }
        }
        Act::Swipe {
            x1,
            y1,
            x2,
            y2,
            duration_ms,
        } => {
            says(&[
                D::AutoGlm,
                D::UiTars,
                D::Qwen,
                D::GuiPlus,
                D::Mobilerun,
                D::UiVenus,
                D::StepGui,
                D::Verbs,
            ])?;
            let in_pixels = |x: f64, y: f64| match pointing(dialect) {
                Pointing::Thousandths => {
                    let (width, height) = (f64::from(screen.width), f64::from(screen.height));
                    let there = |n: f64, side: f64| ((n * 1000.0 / side).round() * side / 1000.0).round();
                    (there(x, width), there(y, height))
                }
                _ => (x, y),
            };
            let ((x1, y1), (x2, y2)) = (in_pixels(*x1, *y1), in_pixels(*x2, *y2));
            Act::Swipe {
                x1,
                y1,
                x2,
                y2,
                duration_ms: if dialect == D::Verbs { *duration_ms } else { 300.0 },
            }
        }
        Act::Drag {
            x1,
            y1,
            x2,
            y2,
            target,
            to_target,
            duration_ms,
        } => {
            says(&[D::Hermes, D::UiVenus, D::Verbs])?;
            if dialect == D::Verbs {
                let points = [x1, y1, x2, y2].iter().all(|n| n.is_some());
                return (points && target.is_none() && to_target.is_none()).then(|| act.clone());
            }
            let _ = duration_ms;
            let (x1, y1, target) = at(x1, y1, target)?;
            let (x2, y2, to_target) = at(x2, y2, to_target)?;
            Act::Drag {
                x1,
                y1,
                x2,
                y2,
                duration_ms: 500.0,
                target,
                to_target,
            }
        }
        Act::Scroll {
            direction,
            amount,
            x,
            y,
            target,
        } => {
            says(&[
                D::CogAgent,
                D::OmniMcp,
                D::Hermes,
                D::UiTars,
                D::AndroidWorld,
                D::GuiPlus,
                D::AppAgent,
                D::UiVenus,
            ])?;
            let anywhere = x.is_none() && y.is_none() && target.is_none();
            let (x, y, target) = match dialect {
                // The benchmark has a way to scroll elements, none to scroll at a point.
                D::AndroidWorld if !anywhere => spot(dialect, &(None, None, target.clone()), screen)?,
                D::CogAgent if anywhere => (None, None, Some(in_box([0.0, 0.0, 999.0, 999.0]))),
                D::AppAgent if anywhere => return None,
                D::UiVenus if !anywhere => return None,
                D::Hermes if target.is_none() => (*x, *y, None),
                _ if anywhere => (None, None, None),
                _ => at(x, y, target)?,
            };
            let amount = match dialect {
                D::UiTars | D::UiVenus => 3.0,
                D::AndroidWorld => 4.0,
                D::AppAgent if *amount <= 2.0 => 2.0,
                D::AppAgent if *amount <= 4.0 => 4.0,
                D::AppAgent => 6.0,
                _ => *amount,
            };
            Act::Scroll {
                direction: *direction,
                amount,
                x,
                y,
                target,
            }
        }
        Act::Type { text, target } => {
            if dialect == D::StepGui && !one_value(text) {
                return None;
            }
            let target = match (dialect, target) {
                (D::StepGui, Some(target)) => spot(dialect, &(None, None, Some(target.clone())), screen)?.2,
                (D::CogAgent | D::OmniMcp | D::AndroidWorld | D::Mobilerun, Some(target)) => {
                    spot(dialect, &(None, None, Some(target.clone())), screen)?.2
                }
                (D::CogAgent, None) | (_, Some(_)) => return None,
                (_, None) => None,
            };
            Act::Type {
                text: text.clone(),
                target,
            }
        }
        Act::SetValue { target, value } => {
            says(&[D::Hermes])?;
            let target = spot(dialect, &(None, None, Some(target.clone())), screen)?.2?;
            Act::SetValue {
                target,
                value: value.clone(),
            }
        }
        Act::Keyevent { .. } | Act::KeyCombination { .. } => {
            (dialect != D::StepGui).then_some(())?;
            act.clone()
        }
        Act::LaunchApp { .. } => {
            (!matches!(dialect, D::OmniMcp | D::Hermes | D::AppAgent)).then_some(())?;
            Act::LaunchApp {
                package_name: String::new(),
            }
        }
        Act::OpenUrl { .. } => {
            says(&[D::CogAgent, D::UiVenus])?;
            act.clone()
        }
        Act::ReadClipboard { .. } | Act::AskModel { .. } => {
            says(&[D::CogAgent])?;
            act.clone()
        }
        Act::ReadText {
            region,
            output,
            auto_scroll,
            result,
            ..
        } => {
            says(&[D::CogAgent])?;
            let region = (*region)?.map(|n| n.round().min(999.0));
            let (output, result) = (output.clone(), result.clone());
            let [x1, y1, x2, y2] = [None; 4];
            Act::ReadText {
                region: Some(region),
                x1,
                y1,
                x2,
                y2,
                output,
                auto_scroll: *auto_scroll,
                result,
            }
        }
        Act::Wait { duration_ms } => {
            (!matches!(dialect, D::CogAgent | D::AppAgent)).then_some(())?;
            let duration_ms = match dialect {
                D::Hermes => duration_ms.min(30_000.0),
                D::UiTars => 5000.0,
                D::AndroidWorld | D::UiVenus => 1000.0,
                _ => *duration_ms,
            };
            Act::Wait { duration_ms }
        }
        Act::RequestHumanAuth { instruction, .. } => {
            says(&[
                D::AutoGlm,
                D::UiTars,
                D::Qwen,
                D::GuiPlus,
                D::UiVenus,
                D::StepGui,
                D::Verbs,
            ])?;
            (dialect != D::StepGui || one_value(instruction)).then_some(())?;
            let default = "Human authorization is required to continue.";
            let instruction = if dialect == D::UiTars {
                default.into()
            } else {
                instruction.clone()
            };
            Act::RequestHumanAuth {
                capability: Capability::Unknown,
                instruction,
                timeout_sec: 300.0,
            }
        }
        Act::Finish { message } => {
            (dialect != D::Hermes).then_some(())?;
            (dialect != D::StepGui || one_value(message)).then_some(())?;
            let says_none = matches!(dialect, D::CogAgent | D::OmniMcp | D::AndroidWorld | D::AppAgent);
            let message = if says_none {
                "Task finished.".into()
            } else {
                message.clone()
            };
            Act::Finish { message }
        }
        Act::Capture { .. } | Act::ListApps | Act::FocusApp { .. } => {
            says(&[D::Hermes])?;
            act.clone()
        }
        Act::Shell { .. } | Act::RunScript { .. } => return None,
    })
}

/// The keys of an act, by Android's names, in the order they go down; those that are only held first.
pub(crate) fn same_keys(act: &Act) -> Option<Vec<String>> {
    let full = |key: &String| {
        let key = key.to_uppercase();
        key.strip_prefix("KEYCODE_").unwrap_or(&key).to_owned()
    };
    match act {
        Act::Keyevent { keycode } => Some(vec![full(keycode)]),
        Act::KeyCombination { keys } => {
            let mut keys: Vec<String> = keys.iter().map(full).collect();
            keys.sort_by_key(|key| {
                !["CTRL", "SHIFT", "ALT", "META"]
                    .iter()
                    .any(|held| key.starts_with(held))
            });
            Some(keys)
        }
        _ => None,
    }
}
