//! What a phone would receive of an action, as room `agent` lowers it.

use judge::{Input, Key, typed};
use protocol::{Act, Action, Bounds, ElementState, LocatorStrategy, Screen, Target};
use screen::{Hit, resolve_aim};

/// Nothing reaches the phone: looking, waiting.
const NOTHING: Vec<Input> = Vec::new();

/// The inputs of an action on a screen, or why there are none.
pub(crate) fn lower(action: &Action, screen: &Screen) -> Result<Vec<Input>, String> {
    let at = |target: Option<&Target>, x: Option<f64>, y: Option<f64>| {
        resolve_aim(target, x.zip(y), screen, screen).map_err(|miss| miss.to_string())
    };
    let key = |name: &str| Key::read(name).ok_or_else(|| format!("no key {name:?}"));
    Ok(match &action.act {
        Act::Tap { x, y, target } => vec![Input::Tap {
            at: point(&at(target.as_ref(), *x, *y)?),
        }],
        Act::DoubleTap { x, y, target } => vec![Input::DoubleTap {
            at: point(&at(target.as_ref(), *x, *y)?),
        }],
        Act::LongPress { x, y, target, .. } => {
            vec![Input::Hold {
                at: point(&at(target.as_ref(), *x, *y)?),
                ms: 800,
            }]
        }
        Act::Swipe {
            x1,
            y1,
            x2,
            y2,
            duration_ms,
        } => {
            let (from, to) = (at(None, Some(*x1), Some(*y1))?, at(None, Some(*x2), Some(*y2))?);
            vec![Input::Swipe {
                from: point(&from),
                to: point(&to),
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a few seconds"
                )]
                ms: *duration_ms as u64,
            }]
        }
        Act::Drag {
            x1,
            y1,
            x2,
            y2,
            target,
            to_target,
            ..
        } => {
            let (from, to) = (at(target.as_ref(), *x1, *y1)?, at(to_target.as_ref(), *x2, *y2)?);
            vec![Input::Drag {
                from: point(&from),
                to: point(&to),
                ms: 500,
            }]
        }
        Act::Scroll {
            direction,
            amount,
            x,
            y,
            target,
        } => {
            let anchor = if x.is_some() || y.is_some() || target.is_some() {
                Some(at(target.as_ref(), *x, *y)?)
            } else {
                None
            };
            let region = anchor
                .and_then(|hit| around(&hit, screen))
                .unwrap_or(whole(screen));
            let strokes = screen::scroll(*direction, *amount, region, screen.width, screen.height);
            strokes
                .iter()
                .map(|s| Input::Swipe {
                    from: s.from,
                    to: s.to,
                    ms: 300,
                })
                .collect()
        }
        Act::Type { text, target } => {
            let mut inputs = Vec::new();
            if text.starts_with("{{secret:") {
                let b = focused(screen).ok_or("no field")?;
                let at = (i32::midpoint(b.left, b.right), i32::midpoint(b.top, b.bottom));
                return Ok(vec![Input::Secret { at }]);
            }
            if target.is_some() {
                focus(&at(target.as_ref(), None, None)?, screen, &mut inputs);
            }
            inputs.extend(typed(text).ok_or("a control character")?);
            inputs
        }
        Act::SetValue { target, value } => {
            let hit = at(Some(target), None, None)?;
            let mut inputs = Vec::new();
            if touched(&hit, screen, ElementState::Editable) {
                focus(&hit, screen, &mut inputs);
                let mut written = typed(value).ok_or("a control character")?;
                if let Some(Input::Text(text)) = written.first().cloned() {
                    written.splice(..1, [Input::Replace(text)]);
                } else {
                    written.insert(0, Input::ClearText);
                }
                inputs.extend(written);
            } else {
                inputs.push(Input::Tap { at: point(&hit) });
            }
            inputs
        }
        Act::Keyevent { keycode } => vec![Input::Key(key(keycode)?)],
        Act::KeyCombination { keys } => vec![Input::Chord(
            keys.iter().map(|k| key(k)).collect::<Result<_, _>>()?,
        )],
        Act::LaunchApp { package_name } => vec![Input::Launch(package_name.clone())],
        Act::FocusApp { .. } => vec![Input::Launch("org.example.other".to_owned())],
        Act::OpenUrl { url } => vec![Input::Link(url.clone())],
        Act::Shell { command } => vec![Input::Command(shlex::split(command).ok_or("no words")?)],
        Act::RunScript { script, .. } => vec![Input::Script(script.clone())],
        Act::ReadText { result: None, .. } => vec![Input::ReadText],
        Act::ReadClipboard { result: None, .. } => vec![Input::ReadClipboard],
        _ => NOTHING,
    })
}

fn focused(screen: &Screen) -> Option<Bounds> {
    let mut elements = screen.elements.iter();
    let focused = elements.find(|element| element.states.contains(&ElementState::Focused))?;
    Some(focused.bounds)
}

fn point(hit: &Hit) -> (i32, i32) {
    (hit.x, hit.y)
}

fn touched(hit: &Hit, screen: &Screen, state: ElementState) -> bool {
    let mut elements = screen.elements.iter();
    elements.any(|e| Some(e.index) == hit.element && e.states.contains(&state))
}

/// A field that has no focus yet is tapped first.
fn focus(hit: &Hit, screen: &Screen, inputs: &mut Vec<Input>) {
    if !(touched(hit, screen, ElementState::Focused) && touched(hit, screen, ElementState::Editable)) {
        inputs.push(Input::Tap { at: point(hit) });
    }
}

fn whole(screen: &Screen) -> Bounds {
    let edge = |n: u32| i32::try_from(n).unwrap();
    Bounds {
        left: 0,
        top: 0,
        right: edge(screen.width),
        bottom: edge(screen.height),
    }
}

/// The smallest thing that scrolls around a hit; for a box, the box.
fn around(hit: &Hit, screen: &Screen) -> Option<Bounds> {
    let holds = |b: Bounds| (b.left..b.right).contains(&hit.x) && (b.top..b.bottom).contains(&hit.y);
    let scrolls = screen
        .elements
        .iter()
        .filter(|e| e.states.contains(&ElementState::Scrollable) && holds(e.bounds));
    let area = |b: Bounds| i64::from(b.right - b.left) * i64::from(b.bottom - b.top);
    let smallest = scrolls.map(|e| e.bounds).min_by_key(|b| area(*b));
    smallest.or((hit.found_by == LocatorStrategy::Box).then_some(hit.bounds))
}
