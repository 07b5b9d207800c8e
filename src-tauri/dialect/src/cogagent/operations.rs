//! One operation → one act: the sixteen of the page, and the three key actions inside `GESTURE`.

use crate::action::{finish, launch, long_press, unknown};
use crate::fields::Fields;
use crate::keys;
use crate::notes::{Notes, Refusal, cut};
use crate::point_fields::{PointFields, in_thousandths, region};
use crate::space::flat_numbers;
use crate::value::{Call, Value};
use protocol::{Act, Direction, Target, UnclearCode};

/// The page's operations, and the spelling of its Chinese sister.
const OPERATIONS: [&str; 17] = [
    "CLICK",
    "DOUBLE_CLICK",
    "RIGHT_CLICK",
    "HOVER",
    "TYPE",
    "SCROLL_UP",
    "SCROLL_DOWN",
    "SCROLL_LEFT",
    "SCROLL_RIGHT",
    "KEY_PRESS",
    "GESTURE",
    "LAUNCH",
    "QUOTE_TEXT",
    "QUOTE_CLIPBOARD",
    "QUOTE_CLIPBORAD",
    "LLM",
    "END",
];

const NEEDS: &str = "`box=[[x1,y1,x2,y2]]`";

/// The name is one of the page's.
pub(crate) fn is_operation(name: &str) -> bool {
    OPERATIONS.contains(&name.trim())
}

/// Written like an operation: capitals and `_`.
pub(super) fn looks_like_one(name: &str) -> bool {
    name.len() > 2 && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
}

/// Reads one operation; with it the app it names, if it names one.
///
/// # Errors
/// When it is none of the page's, or a parameter it needs is missing.
pub(super) fn read_operation(call: &Call, notes: &mut Notes) -> Result<(Act, Option<String>), Refusal> {
    let mut fields = Fields::new(&call.arguments, notes);
    let act = match call.name.as_str() {
        "CLICK" => place(&mut fields)?.act(NEEDS, |x, y, target| Act::Tap { x, y, target }),
        "DOUBLE_CLICK" => place(&mut fields)?.act(NEEDS, |x, y, target| Act::DoubleTap { x, y, target }),
        "RIGHT_CLICK" => {
            let press = long_press(fields.notes);
            place(&mut fields)?.act(NEEDS, press)
        }
        "HOVER" => place(&mut fields)?.act(NEEDS, |x, y, target| Act::Hover { x, y, target }),
        "TYPE" => type_text(&mut fields),
        "SCROLL_UP" => scroll(Direction::Up, &mut fields),
        "SCROLL_DOWN" => scroll(Direction::Down, &mut fields),
        "SCROLL_LEFT" => scroll(Direction::Left, &mut fields),
        "SCROLL_RIGHT" => scroll(Direction::Right, &mut fields),
        "KEY_PRESS" => keys::press(&fields.name("key").into_iter().collect::<Vec<_>>()),
        "GESTURE" => gesture(&mut fields),
        "LAUNCH" => return open(&mut fields),
        "QUOTE_TEXT" => quote_text(&mut fields),
        "QUOTE_CLIPBOARD" | "QUOTE_CLIPBORAD" => Ok(Act::ReadClipboard {
            output: needed("QUOTE_CLIPBOARD", "output", fields.name("output"))?,
            result: given(fields.result()),
        }),
        "LLM" => {
            let prompt = fields.exact_text("prompt")?;
            Ok(Act::AskModel {
                prompt: needed("LLM", "prompt", prompt)?,
                output: needed("LLM", "output", fields.name("output"))?,
                result: given(fields.result()),
            })
        }
        "END" => Ok(finish(None, fields.notes)),
        other => Err(unknown(other, &OPERATIONS)),
    };
    act.map(|act| (act, None))
}

/// `'None'` is how the page writes that there is nothing.
fn given(text: Option<String>) -> Option<String> {
    text.filter(|text| !matches!(text.trim(), "None" | "[None]"))
}

fn needed(operation: &str, parameter: &str, value: Option<String>) -> Result<String, Refusal> {
    given(value).ok_or_else(|| Refusal::malformed(format!("{operation} needs `{parameter}`")))
}

/// `box`, with the claims about what stands there.
fn place(fields: &mut Fields<'_>) -> Result<PointFields, Refusal> {
    let (region, trouble) = match fields.find("box").map(region) {
        Some(Ok(region)) => (Some(region), None),
        Some(Err(why)) => (None, Some(why.to_owned())),
        None => (None, None),
    };
    Ok(PointFields {
        target: region.map(|region| Target {
            region: Some(region),
            role: given(fields.words("element_type")),
            label: given(fields.words("element_info")),
            ..Target::default()
        }),
        trouble,
        ..PointFields::default()
    })
}

fn type_text(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let text = fields
        .exact_text("text")?
        .ok_or_else(|| Refusal::malformed("TYPE needs `text`"))?;
    let spot = place(fields)?;
    match spot.target {
        Some(target) => Ok(Act::Type {
            text,
            target: Some(target),
        }),
        None => {
            let why = spot.trouble.unwrap_or_else(|| "it has none".into());
            Err(Refusal::missing_target(
                format!("TYPE needs a `box` ({why})"),
                Act::Type { text, target: None },
            ))
        }
    }
}

/// Without a box the middle of the screen is meant; with one that cannot be read, nothing is.
fn scroll(direction: Direction, fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let amount = fields
        .number("step_count")
        .filter(|steps| *steps > 0.0)
        .unwrap_or_else(|| {
            fields.notes.defaulted("amount");
            3.0
        });
    let spot = place(fields)?;
    let act = Act::Scroll {
        direction,
        amount,
        x: None,
        y: None,
        target: spot.target,
    };
    match spot.trouble {
        Some(why) => Err(Refusal::missing_target(
            format!("the region to scroll cannot be found: {why}"),
            act,
        )),
        None => Ok(act),
    }
}

/// Keys go down, are pressed, and come up again, as the page has it. Keys that are all pressed while the same others are
/// held go down together; of any other row of presses the first is done, as of any row of operations.
fn gesture(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let Some(Value::List(list)) = fields.find("actions") else {
        return Err(Refusal::malformed("GESTURE needs `actions`"));
    };
    let presses = presses(&list.items)?;
    let (held, first) = presses.first().ok_or_else(odd_gesture)?;
    let alike = !held.is_empty() && presses.iter().all(|(others, _)| others == held);
    let mut keys: Vec<&String> = held.iter().collect();
    for (_, key) in presses.iter().filter(|_| alike) {
        if keys.contains(&key) {
            break;
        }
        keys.push(key);
    }
    if keys.len() < held.len() + presses.len() {
        keys.truncate(held.len());
        keys.push(first);
        if presses.len() > 1 {
            fields.notes.several();
        }
    }
    keys::press_in_order(&keys.into_iter().cloned().collect::<Vec<_>>())
}

fn odd_gesture() -> Refusal {
    Refusal::malformed(
        "GESTURE holds keys, presses others and releases all it holds: KEY_DOWN, KEY_PRESS, KEY_UP",
    )
}

/// Each key that is pressed, with those that are held meanwhile. A key that goes down and comes up with nothing pressed
/// between is pressed, too.
///
/// # Errors
/// When a step is none of the three, or a key comes up that is not down, or stays down.
fn presses(steps: &[Value]) -> Result<Vec<(Vec<String>, String)>, Refusal> {
    let mut presses = Vec::new();
    let mut held: Vec<String> = Vec::new();
    // How many of those held have been held while another was pressed.
    let mut used = 0;
    for step in steps {
        let Value::Call(call) = step else {
            return Err(odd_gesture());
        };
        let key = call.arguments.get("key").or(call.unnamed.first());
        let key = key.and_then(key_of).ok_or_else(odd_gesture)?;
        match call.name.as_str() {
            "KEY_DOWN" if !held.contains(&key) => held.push(key),
            "KEY_PRESS" => {
                presses.push((held.clone(), key));
                used = held.len();
            }
            "KEY_UP" => {
                let at = held
                    .iter()
                    .position(|down| *down == key)
                    .ok_or_else(odd_gesture)?;
                if used < held.len()
                    && let Some((last, others)) = held.split_last()
                {
                    presses.push((others.to_vec(), last.clone()));
                }
                held.remove(at);
                used = held.len();
            }
            _ => return Err(odd_gesture()),
        }
    }
    if held.is_empty() {
        Ok(presses)
    } else {
        Err(odd_gesture())
    }
}

/// A key's name; a digit may stand without quotes.
fn key_of(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.written.clone()),
        Value::Text(text) if text.mended => None,
        other => other.as_word().map(|key| key.trim().to_owned()),
    }
}

/// The url wins over the app.
fn open(fields: &mut Fields<'_>) -> Result<(Act, Option<String>), Refusal> {
    let named = |name: Option<String>| {
        given(name)
            .map(|name| name.trim_matches('`').trim().to_owned())
            .filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("none"))
    };
    let app = named(fields.name("app"));
    if let Some(url) = named(fields.name("url")) {
        return Ok((Act::OpenUrl { url }, None));
    }
    if app.is_none() {
        return Err(Refusal::malformed("LAUNCH needs `app` or `url`"));
    }
    Ok((launch(), app))
}

fn quote_text(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let output = needed("QUOTE_TEXT", "output", fields.name("output"))?;
    let spot = place(fields)?;
    let region = spot.target.as_ref().and_then(|target| target.region);
    let act = Act::ReadText {
        region,
        x1: None,
        y1: None,
        x2: None,
        y2: None,
        output,
        auto_scroll: fields.flag("auto_scroll"),
        result: given(fields.result()),
    };
    if region.is_some() {
        return Ok(act);
    }
    let why = spot.trouble.unwrap_or_else(|| "it has none".into());
    Err(Refusal::missing_target(
        format!("QUOTE_TEXT needs a `box` ({why})"),
        act,
    ))
}

/// The first `CogAgent`'s words for the same.
pub(super) fn read_older(
    name: &str,
    text: &str,
    place: Option<&Value>,
    role: &str,
    label: &str,
) -> Result<Act, Refusal> {
    let words = |words: &str| (!words.is_empty()).then(|| words.to_owned());
    // A point is a box without a size.
    let point = place
        .and_then(flat_numbers)
        .and_then(|numbers| match *numbers.as_slice() {
            [x, y] => Some([x, y, x, y]),
            _ => None,
        });
    let place = match point {
        Some(point) => Some(in_thousandths(point)),
        None => place.map(region),
    };
    let (target, trouble) = match place {
        Some(Ok(region)) => {
            let target = Target {
                region: Some(region),
                role: words(role),
                label: words(label),
                ..Target::default()
            };
            (Some(target), None)
        }
        _ => (None, Some("its box cannot be read".to_owned())),
    };
    let spot = PointFields {
        target,
        trouble,
        ..PointFields::default()
    };
    match name {
        "CLICK" | "TAP" => spot.act(NEEDS, |x, y, target| Act::Tap { x, y, target }),
        "HOVER" => spot.act(NEEDS, |x, y, target| Act::Hover { x, y, target }),
        "TYPE" if spot.target.is_some() => Ok(Act::Type {
            text: text.into(),
            target: spot.target,
        }),
        _ => Err(Refusal::new(
            UnclearCode::UnknownAction,
            format!("there is no operation {}", cut(name)),
        )),
    }
}
