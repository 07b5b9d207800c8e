//! The `OmniMCP` dialect: `{reasoning, action: {action_type, target, parameters}, is_goal_complete}`.
//!
//! Three shapes are in use: this one, the first draft (`{type, target, delay}`), and the flat plan of the deployed code
//! (`{reasoning, action: "click", element_id, text_to_type, key_info, is_goal_complete}`); a fourth names the fields
//! of the first differently. `is_goal_complete` wins over the action. Boxes are x, y, width, height in 0–1.

use crate::action::{finds_something, finish, from_seconds, long_press, unknown};
use crate::fields::Fields;
use crate::find::{find, nothing, sound};
use crate::keys;
use crate::notes::{Notes, Refusal, cut};
use crate::openpocket;
use crate::point_fields::{PointFields, numbers};
use crate::reply::Reply;
use crate::scan::StructureFilter;
use crate::space::Size;
use crate::value::{Object, Value};
use protocol::{Act, Action, Direction, Target, WarningCode};
use serde_json::{Map, json};

const TYPES: [&str; 7] = [
    "click",
    "type",
    "scroll",
    "press_key",
    "wait",
    "finish_goal",
    "hover",
];

/// Reads a whole reply.
///
/// # Errors
/// When no action can be read from it.
pub(crate) fn read(raw: &str, steps: &mut usize) -> Result<Reply, Refusal> {
    let wanted = StructureFilter {
        objects: true,
        calls: &|_| false,
        keep: &|value| {
            value
                .as_object()
                .is_some_and(|object| is_plan(object) || is_draft(object))
        },
    };
    let mut found = find(raw, &wanted, steps)?;
    let plan = found.value.as_object().ok_or_else(|| nothing(raw, true))?;
    let notes = &mut found.context.notes;
    let inner = plan.object("action").unwrap_or(plan);
    sound(plan)?;
    sound(inner)?;
    let mut fields = Fields::new(plan, notes);
    let reasoning = ["reasoning", "analysis_reasoning"]
        .iter()
        .find_map(|name| fields.words(name))
        .unwrap_or_default();
    let act = if fields.find("is_goal_complete").is_some_and(says_true) {
        finish(None, notes)
    } else {
        read_act(plan, inner, &reasoning, notes)?
    };
    if !reasoning.is_empty() {
        found.context.thought = reasoning;
    }
    found.context.reply(Action::from(act))
}

/// Whether a value is true for the page's model: pydantic takes these words for it, in any case, and 1.
fn says_true(value: &Value) -> bool {
    const TRUE: [&str; 6] = ["1", "on", "t", "true", "y", "yes"];
    match value {
        Value::Bool(said) => *said,
        Value::Number(number) => (number.value - 1.0).abs() < f64::EPSILON,
        other => other
            .as_word()
            .is_some_and(|word| TRUE.contains(&word.trim().to_lowercase().as_str())),
    }
}

/// A response or plan: it has one of the names only this dialect uses.
pub(crate) fn is_plan(object: &Object) -> bool {
    let own = |name: &&str| object.get(name).is_some();
    let typed = object
        .object("action")
        .is_some_and(|action| action.get("action_type").is_some());
    let flat = object
        .get("action")
        .is_some_and(|action| action.as_word().is_some());
    let named = object.get("action_type").is_some();
    typed
        || (flat
            && [
                "element_id",
                "text_to_type",
                "key_info",
                "is_goal_complete",
                "reasoning",
            ]
            .iter()
            .any(own))
        || (named
            && [
                "target",
                "parameters",
                "target_element_id",
                "is_goal_complete",
                "reasoning",
            ]
            .iter()
            .any(own))
        || (object.get("is_goal_complete").is_some() && object.get("reasoning").is_some())
}

/// The first draft: a type of this dialect, and what no `OpenPocket` action has.
pub(crate) fn is_draft(object: &Object) -> bool {
    let kind = object.get("type").and_then(Value::as_word).unwrap_or_default();
    let own = object.get("delay").is_some()
        || object
            .object("target")
            .is_some_and(|target| target.get("bbox").is_some());
    object.get("action").is_none()
        && (own || (kind == "click" && object.get("target").is_some()))
        && TYPES.contains(&kind)
}

fn read_act(plan: &Object, inner: &Object, reasoning: &str, notes: &mut Notes) -> Result<Act, Refusal> {
    let nowhere = Object {
        fields: Vec::new(),
        closed: true,
    };
    let parameters = inner.object("parameters").unwrap_or(&nowhere);
    let mut fields = Fields::new(inner, notes);
    if fields.find("delay").is_some() {
        fields.notes.warn(
            WarningCode::DelayIgnored,
            Some("delay"),
            "the screen is looked at when it is quiet, not after a delay",
        );
    }
    let kind = ["action_type", "action", "type"]
        .iter()
        .find_map(|name| fields.name(name))
        .unwrap_or_default();
    let target = target_of(plan, inner, notes)?;
    // Parameters stand in an object of their own, or beside the action.
    let has = |name: &str| parameters.get(name).is_some();
    let mut own = |name: &str| Fields::new(if has(name) { parameters } else { inner }, notes).name(name);
    match kind.as_str() {
        "click" => match own("click_type").unwrap_or_default().to_lowercase().as_str() {
            "" | "single" | "left" => target.act(NEEDS, |x, y, target| Act::Tap { x, y, target }),
            "double" => target.act(NEEDS, |x, y, target| Act::DoubleTap { x, y, target }),
            "right" => target.act(NEEDS, long_press(notes)),
            "middle" => Err(Refusal::no_touch_equivalent(
                "a touch screen has no middle button",
            )),
            other => Err(Refusal::malformed(format!(
                "`click_type` is single, double or right, not '{}'",
                cut(other)
            ))),
        },
        "hover" => target.act(NEEDS, |x, y, target| Act::Hover { x, y, target }),
        "type" => {
            let mut text = None;
            for name in ["text_to_type", "text"] {
                let from = if has(name) { parameters } else { inner };
                text = text.or(Fields::new(from, notes).exact_text(name)?);
            }
            let text = text.ok_or_else(|| Refusal::malformed("`type` needs `text_to_type`"))?;
            match target.trouble {
                Some(trouble) => Err(Refusal::missing_target(
                    format!("the field to type into cannot be found: {trouble}"),
                    Act::Type { text, target: None },
                )),
                None => Ok(Act::Type {
                    text,
                    target: target.target,
                }),
            }
        }
        "press_key" => {
            let keys = own("key_info").or_else(|| own("key")).unwrap_or_default();
            match keys::press(&keys::split_keys(&keys))? {
                Act::KeyCombination { keys }
                    if keys.iter().filter(|key| !keys::is_modifier(key)).count() > 1 =>
                {
                    Err(Refusal::malformed(
                        "only one key of a combination may be no modifier",
                    ))
                }
                pressed => Ok(pressed),
            }
        }
        "scroll" => scroll(parameters, inner, target, reasoning, notes),
        "wait" => Ok(wait(parameters, inner, notes)),
        "finish_goal" => Ok(finish(None, notes)),
        other => Err(unknown(other, &TYPES)),
    }
}

const NEEDS: &str = "a `target` with track_id, element_id, text or bbox";

/// `target`, or the flat plan's `element_id`.
fn target_of(plan: &Object, inner: &Object, notes: &mut Notes) -> Result<PointFields, Refusal> {
    let mut spot = PointFields::default();
    let mut target = Target::default();
    let flat = ["element_id", "target_element_id"]
        .iter()
        .find_map(|name| inner.get(name).or_else(|| plan.get(name)));
    let given = inner.get("target").filter(|value| !value.is_null());
    let mut element = flat.filter(|value| !value.is_null());
    if let Some(given) = given
        && given.as_object().is_none()
    {
        spot.trouble = Some("`target` is an object".into());
    }
    if let Some(object) = given.and_then(Value::as_object) {
        let mut fields = Fields::new(object, notes);
        target.track_id = fields.name("track_id");
        target.text = fields.exact_text("text")?.filter(|text| !text.trim().is_empty());
        element = fields.find("element_id").or(element);
        if let Some(value) = fields.find("bbox") {
            match normalised_box(value) {
                Some(region) => target.region = Some(region),
                None => spot.trouble = Some("a bbox is x, y, width, height between 0 and 1".into()),
            }
        }
        let says =
            |value: &Value| !value.is_null() && value.as_word().is_none_or(|word| !word.trim().is_empty());
        if !finds_something(&target)
            && element.is_none()
            && object.fields.iter().any(|(_, value)| says(value))
        {
            let needs = "it has none of track_id, element_id, text and bbox";
            spot.trouble.get_or_insert_with(|| needs.into());
        }
    }
    if let Some(element) = element {
        target.element = element.as_count();
        if target.element.is_none() {
            spot.trouble = Some("elements are numbered from 1".into());
        }
    }
    if finds_something(&target) {
        if let Some(trouble) = spot.trouble.take() {
            notes.warn(
                WarningCode::TargetPart,
                Some("target"),
                format!("a part of the target was left out: {trouble}"),
            );
        }
        spot.target = Some(target);
    }
    Ok(spot)
}

/// x, y, width, height in 0–1 → corners in thousandths, to a millionth of the screen. Lists tell a box in thousandths, each
/// number rounded by itself: their sum may lie one outside, and is clipped. What lies further outside is no such box.
fn normalised_box(value: &Value) -> Option<[f64; 4]> {
    const ROUNDED: f64 = 1.0;
    let four = <[f64; 4]>::try_from(numbers(value)?).ok()?;
    let [x, y, width, height] = four;
    let thousandth = |n: f64| (n * 1_000_000.0).round() / 1000.0;
    let [left, top, right, bottom] = [x, y, x + width, y + height].map(thousandth);
    let inside = four.iter().all(|n| (0.0..=1.0).contains(n)) && right.max(bottom) <= 1000.0 + ROUNDED;
    inside.then_some([left, top, right.min(1000.0), bottom.min(1000.0)])
}

/// The deployed code takes a missing direction from the reasoning's words; so does this, and says so.
fn scroll(
    parameters: &Object,
    inner: &Object,
    spot: PointFields,
    reasoning: &str,
    notes: &mut Notes,
) -> Result<Act, Refusal> {
    let from = |name: &str| {
        if parameters.get(name).is_some() {
            parameters
        } else {
            inner
        }
    };
    let mut said = ["up", "down", "left", "right"].iter().filter(|word| {
        reasoning
            .split(|c: char| !c.is_alphanumeric())
            .any(|said| said.eq_ignore_ascii_case(word))
    });
    // "Scroll down to the right one" names two: which is meant cannot be known.
    let said = said.next().filter(|_| said.next().is_none());
    let written = from("direction")
        .get("direction")
        .is_some_and(|direction| !direction.is_null());
    let direction: Direction = match said {
        Some(word) if !written => {
            notes.warn(
                WarningCode::DirectionFromWords,
                Some("direction"),
                "the direction was taken from the reasoning",
            );
            match *word {
                "up" => Direction::Up,
                "left" => Direction::Left,
                "right" => Direction::Right,
                _ => Direction::Down,
            }
        }
        _ => Fields::new(from("direction"), notes).direction()?,
    };
    let amount = Fields::new(from("amount"), notes)
        .number("amount")
        .filter(|amount| *amount > 0.0);
    let act = Act::Scroll {
        direction,
        amount: amount.unwrap_or_else(|| {
            notes.defaulted("amount");
            3.0
        }),
        x: None,
        y: None,
        target: spot.target,
    };
    match spot.trouble {
        Some(trouble) => Err(Refusal::missing_target(
            format!("the region to scroll cannot be found: {trouble}"),
            act,
        )),
        None => Ok(act),
    }
}

fn wait(parameters: &Object, inner: &Object, notes: &mut Notes) -> Act {
    let given = ["duration_ms", "seconds", "duration"].iter().find_map(|name| {
        let value = parameters.get(name).or_else(|| inner.get(name))?;
        let n = value.as_number().filter(|n| *n >= 0.0)?;
        Some(if *name == "duration_ms" {
            n
        } else {
            from_seconds(n)
        })
    });
    let duration_ms = given.unwrap_or_else(|| {
        notes.defaulted("durationMs");
        1000.0
    });
    Act::Wait { duration_ms }
}

/// One response; `None` when the schema has no word for it.
pub(crate) fn write(thought: &str, action: &Action, screen: Size) -> Option<String> {
    let none = json!({});
    let (kind, target, parameters) = match &action.act {
        Act::Tap { x, y, target } => ("click", pointed(*x, *y, target.as_ref(), screen), none),
        Act::DoubleTap { x, y, target } => (
            "click",
            pointed(*x, *y, target.as_ref(), screen),
            json!({"click_type": "double"}),
        ),
        Act::LongPress { x, y, target, .. } => (
            "click",
            pointed(*x, *y, target.as_ref(), screen),
            json!({"click_type": "right"}),
        ),
        Act::Hover { x, y, target } => ("hover", pointed(*x, *y, target.as_ref(), screen), none),
        Act::Type { text, target } => (
            "type",
            pointed(None, None, target.as_ref(), screen),
            json!({"text_to_type": text}),
        ),
        Act::Scroll {
            direction,
            amount,
            x,
            y,
            target,
        } => {
            let parameters = json!({"direction": direction, "amount": amount});
            if target.is_none() && x.is_some() != y.is_some() {
                return None;
            }
            ("scroll", pointed(*x, *y, target.as_ref(), screen), parameters)
        }
        Act::Keyevent { keycode } => (
            "press_key",
            json!(null),
            json!({"key_info": keys::key_name(keycode)?}),
        ),
        Act::KeyCombination { keys } => {
            if keys.iter().filter(|key| !keys::is_modifier(key)).count() > 1 {
                return None;
            }
            let names: Vec<String> = keys
                .iter()
                .map(|code| keys::key_name(code))
                .collect::<Option<_>>()?;
            ("press_key", json!(null), json!({"key_info": names.join("+")}))
        }
        Act::Wait { duration_ms } => ("wait", json!(null), json!({"duration_ms": duration_ms})),
        Act::Finish { .. } => ("finish_goal", json!(null), none),
        _ => return None,
    };
    let complete = matches!(action.act, Act::Finish { .. });
    let action = json!({"action_type": kind, "target": target, "parameters": parameters});
    serde_json::to_string(&json!({"reasoning": thought, "action": action, "is_goal_complete": complete})).ok()
}

fn pointed(x: Option<f64>, y: Option<f64>, target: Option<&Target>, screen: Size) -> serde_json::Value {
    let mut out = Map::new();
    let mut region = None;
    if let Some(target) = target {
        let parts = [
            ("track_id", target.track_id.as_ref().map(|id| json!(id))),
            ("element_id", target.element.map(|element| json!(element))),
            ("text", target.text.as_ref().map(|text| json!(text))),
        ];
        out.extend(
            parts
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), value?))),
        );
        region = target.region;
    } else if let (Some(x), Some(y)) = (x, y) {
        let (x, y) = screen.thousandths(x, y);
        region = Some([x, y, x, y]);
    }
    if let Some([x1, y1, x2, y2]) = region {
        let (x1, x2, y1, y2) = (x1.min(x2), x1.max(x2), y1.min(y2), y1.max(y2));
        let unit = |n: f64| (n * 1000.0).round() / 1_000_000.0;
        out.insert(
            "bbox".into(),
            json!([unit(x1), unit(y1), unit(x2 - x1), unit(y2 - y1)]),
        );
    }
    if out.is_empty() { json!(null) } else { out.into() }
}

/// Any object this dialect would read, for the finding of the dialect.
pub(crate) fn is_own(value: &Value) -> bool {
    value.as_object().is_some_and(|object| {
        is_plan(object) || (is_draft(object) && object.get("thought").is_none() && openpocket::is_step(value))
    })
}
