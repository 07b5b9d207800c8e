//! Acts → operations, as the model was trained to write them.

use crate::keys::key_name;
use crate::quote::single_quoted;
use crate::space::Size;
use crate::write_values::app_of;
use protocol::{Act, Action, Direction, Target};

/// One operation; `None` when the page has none for it.
pub(crate) fn write(action: &Action, screen: Size) -> Option<String> {
    let operation = match &action.act {
        Act::Tap { x, y, target } => pointing("CLICK", *x, *y, target.as_ref(), "", screen)?,
        Act::DoubleTap { x, y, target } => pointing("DOUBLE_CLICK", *x, *y, target.as_ref(), "", screen)?,
        Act::LongPress { x, y, target, .. } => pointing("RIGHT_CLICK", *x, *y, target.as_ref(), "", screen)?,
        Act::Hover { x, y, target } => pointing("HOVER", *x, *y, target.as_ref(), "", screen)?,
        Act::Type { text, target } => {
            let text = format!(", text={}", single_quoted(text));
            pointing("TYPE", None, None, target.as_ref(), &text, screen)?
        }
        Act::Scroll {
            direction,
            amount,
            x,
            y,
            target,
        } => {
            let name = match direction {
                Direction::Up => "SCROLL_UP",
                Direction::Down => "SCROLL_DOWN",
                Direction::Left => "SCROLL_LEFT",
                Direction::Right => "SCROLL_RIGHT",
            };
            let whole = Target {
                region: Some([0.0, 0.0, 999.0, 999.0]),
                ..Target::default()
            };
            let target = if target.is_none() && x.is_none() && y.is_none() {
                Some(&whole)
            } else {
                target.as_ref()
            };
            pointing(name, *x, *y, target, &format!(", step_count={amount}"), screen)?
        }
        Act::Keyevent { keycode } => format!("KEY_PRESS(key={})", key(keycode)?),
        Act::KeyCombination { keys } => gesture(keys)?,
        Act::OpenUrl { url } => format!("LAUNCH(app='None', url={})", single_quoted(url)),
        Act::LaunchApp { package_name } => {
            // `'None'` is how the page writes that there is none.
            let app = app_of(action, package_name).filter(|app| !app.eq_ignore_ascii_case("none"))?;
            format!("LAUNCH(app={}, url='None')", single_quoted(app))
        }
        Act::ReadText {
            region,
            output,
            auto_scroll,
            result,
            ..
        } => {
            let scroll = if *auto_scroll { ", auto_scroll=True" } else { "" };
            let rest = format!(
                "{scroll}, output={}{}",
                single_quoted(output),
                said(result.as_ref())
            );
            format!("QUOTE_TEXT(box={}{rest})", boxed((*region)?))
        }
        Act::ReadClipboard { output, result } => {
            format!(
                "QUOTE_CLIPBOARD(output={}{})",
                single_quoted(output),
                said(result.as_ref())
            )
        }
        Act::AskModel {
            prompt,
            output,
            result,
        } => {
            if prompt.trim() == "None" {
                return None;
            }
            let output = single_quoted(output);
            format!(
                "LLM(prompt={}, output={output}{})",
                single_quoted(prompt),
                said(result.as_ref())
            )
        }
        Act::Finish { .. } => "END()".into(),
        _ => return None,
    };
    let ends = action.then_finish && !matches!(action.act, Act::Finish { .. });
    Some(if ends {
        format!("{operation}\n<<END>>")
    } else {
        operation
    })
}

fn said(result: Option<&String>) -> String {
    result
        .map(|result| format!(", result={}", single_quoted(result)))
        .unwrap_or_default()
}

fn pointing(
    name: &str,
    x: Option<f64>,
    y: Option<f64>,
    target: Option<&Target>,
    own: &str,
    screen: Size,
) -> Option<String> {
    let region = match target.and_then(|target| target.region) {
        Some(region) => region,
        None => {
            let (x, y) = screen.thousandths(x?, y?);
            [x, y, x, y]
        }
    };
    let claim = |name: &str, claim: Option<&String>| {
        claim
            .map(|claim| format!(", {name}={}", single_quoted(claim)))
            .unwrap_or_default()
    };
    let role = claim("element_type", target.and_then(|target| target.role.as_ref()));
    let label = claim("element_info", target.and_then(|target| target.label.as_ref()));
    Some(format!("{name}(box={}{own}{role}{label})", boxed(region)))
}

/// Three digits a side, as the page writes them.
fn boxed(region: [f64; 4]) -> String {
    let [a, b, c, d] = region.map(|n| format!("{:03}", n.round().clamp(0.0, 999.0)));
    format!("[[{a},{b},{c},{d}]]")
}

fn key(code: &str) -> Option<String> {
    let name = key_name(code)?;
    let mut letters = name.chars();
    let first = letters.next()?.to_ascii_uppercase();
    Some(single_quoted(&format!("{first}{}", letters.as_str())))
}

fn gesture(keys: &[String]) -> Option<String> {
    let names: Vec<String> = keys.iter().map(|code| key(code)).collect::<Option<_>>()?;
    let (pressed, held) = names.split_last()?;
    let twice = held
        .iter()
        .enumerate()
        .any(|(i, key)| held.iter().skip(i + 1).any(|other| other == key));
    if twice {
        return None;
    }
    if held.is_empty() {
        return Some(format!("KEY_PRESS(key={pressed})"));
    }
    let down = held.iter().map(|key| format!("KEY_DOWN(key={key})"));
    let press = std::iter::once(format!("KEY_PRESS(key={pressed})"));
    let up = held.iter().rev().map(|key| format!("KEY_UP(key={key})"));
    let steps: Vec<String> = down.chain(press).chain(up).collect();
    Some(format!("GESTURE(actions=[{}])", steps.join(", ")))
}
