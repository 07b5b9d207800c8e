//! From an action to what is done: pixels, commands, or an honest refusal. Pure.
//!
//! Targets are resolved on the screen as it is *now*; element numbers are those of the screen the model was shown.

use crate::ports::{App, Command};
use protocol::{Act, Action, Bounds, Direction, Element, Place, Screen, State, Target};
use screen::{Hit, Miss};
use std::time::Duration;

/// Longest gesture.
const LONGEST_MS: f64 = 10_000.0;
/// Longest wait.
const LONGEST_WAIT_MS: f64 = 60_000.0;
/// How long one stroke of a scroll takes.
const STROKE_MS: u64 = 350;

/// What an action comes down to.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What is done.
    pub doing: Doing,
    /// The pixels it touches, in order, for the judge.
    pub touches: Vec<(i32, i32)>,
    /// What it touches, where that is known.
    pub element: Option<Element>,
    /// Where to ring the picture.
    pub ring: Option<Bounds>,
    /// Roughly where, for a sentence without a label.
    pub place: Option<Place>,
    /// The app that is opened, by name.
    pub app_label: Option<String>,
}

/// What is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Doing {
    /// Commands to the phone, in order.
    Phone(Vec<Command>),
    /// Nothing for a while.
    Wait(Duration),
    /// A script on this computer.
    Script {
        /// Its text.
        script: String,
        /// How long it may take.
        limit: Duration,
    },
    /// The next look is all that was asked for.
    Look,
    /// The apps that can be opened are told.
    Apps,
    /// Text from the screen goes into a variable.
    Keep {
        /// The variable.
        output: String,
        /// The text.
        text: String,
    },
    /// A question to the model, its answer into a variable.
    AskModel {
        /// The question.
        prompt: String,
        /// The variable.
        output: String,
    },
    /// Nothing needs to be done, and that is told.
    Nothing {
        /// Why, as a stable word.
        code: &'static str,
    },
}

/// Why an action cannot be done. The words are for the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// A stable word.
    pub code: &'static str,
    /// The reason, in a short English line.
    pub message: String,
}

/// Plans one action.
///
/// # Errors
/// [`Refusal`] when it cannot be done on this screen or on any phone.
pub fn plan(action: &Action, shown: &Screen, now: &Screen, apps: &[App]) -> Result<Plan, Refusal> {
    guard_app(action, now)?;
    let at = |target: Option<&Target>, x: Option<f64>, y: Option<f64>| find(target, x, y, shown, now);
    match &action.act {
        Act::Tap { x, y, target } => Ok(touch(at(target.as_ref(), *x, *y)?, now, |x, y| Command::Tap {
            x,
            y,
        })),
        Act::DoubleTap { x, y, target } => Ok(touch(at(target.as_ref(), *x, *y)?, now, |x, y| {
            Command::DoubleTap { x, y }
        })),
        Act::LongPress {
            x,
            y,
            target,
            duration_ms,
        } => {
            let ms = milliseconds(*duration_ms, 300.0, LONGEST_MS);
            Ok(touch(at(target.as_ref(), *x, *y)?, now, |x, y| {
                Command::LongPress { x, y, ms }
            }))
        }
        Act::Swipe {
            x1,
            y1,
            x2,
            y2,
            duration_ms,
        } => {
            let from = at(None, Some(*x1), Some(*y1))?;
            let to = at(None, Some(*x2), Some(*y2))?;
            let ms = milliseconds(*duration_ms, 100.0, LONGEST_MS);
            Ok(stroke(&from, &to, now, |from, to| Command::Swipe {
                from,
                to,
                ms,
            }))
        }
        Act::Drag {
            x1,
            y1,
            x2,
            y2,
            duration_ms,
            target,
            to_target,
        } => {
            let from = at(target.as_ref(), *x1, *y1)?;
            let to = at(to_target.as_ref(), *x2, *y2)?;
            let ms = milliseconds(*duration_ms, 200.0, LONGEST_MS);
            Ok(stroke(&from, &to, now, |from, to| Command::Drag { from, to, ms }))
        }
        Act::Scroll {
            direction,
            amount,
            x,
            y,
            target,
        } => {
            let anchor = if target.is_some() || x.is_some() || y.is_some() {
                let middle = (f64::from(now.width) / 2.0, f64::from(now.height) / 2.0);
                Some(at(
                    target.as_ref(),
                    Some(x.unwrap_or(middle.0)),
                    Some(y.unwrap_or(middle.1)),
                )?)
            } else {
                None
            };
            scroll(*direction, *amount, anchor, now)
        }
        Act::Type { text, target } => {
            let mut plan = match target {
                Some(target) => touch(at(Some(target), None, None)?, now, |x, y| Command::Tap { x, y }),
                None => bare(Doing::Phone(Vec::new())),
            };
            if plan.element.is_none() {
                plan.element = now
                    .elements
                    .iter()
                    .find(|e| e.states.contains(&State::Focused))
                    .cloned();
                plan.ring = plan.element.as_ref().map(|element| element.bounds);
            }
            push(&mut plan, Command::Text(text.clone()));
            Ok(plan)
        }
        Act::SetValue { target, value } => set_value(&at(Some(target), None, None)?, value, now),
        Act::Keyevent { keycode } => Ok(bare(Doing::Phone(vec![Command::Key(keycode.clone())]))),
        Act::KeyCombination { keys } => match keys.as_slice() {
            [] => Err(refusal("no_keys", "key_combination needs at least one key")),
            [key] => Ok(bare(Doing::Phone(vec![Command::Key(key.clone())]))),
            keys => Ok(bare(Doing::Phone(vec![Command::Keys(keys.to_vec())]))),
        },
        Act::LaunchApp { package_name } => launch(package_name, action.app.as_deref(), apps),
        Act::FocusApp { .. } => launch("", action.app.as_deref(), apps),
        Act::OpenUrl { url } => open_url(url),
        Act::Shell { command } => shell(command),
        Act::RunScript { script, timeout_sec } => {
            let limit = Duration::from_millis(milliseconds(timeout_sec * 1000.0, 1000.0, 600_000.0));
            Ok(bare(Doing::Script {
                script: script.clone(),
                limit,
            }))
        }
        Act::Wait { duration_ms } => Ok(bare(Doing::Wait(Duration::from_millis(milliseconds(
            *duration_ms,
            100.0,
            LONGEST_WAIT_MS,
        ))))),
        Act::Hover { .. } => Ok(bare(Doing::Nothing {
            code: "no_touch_equivalent",
        })),
        Act::Capture { .. } => Ok(bare(Doing::Look)),
        Act::ListApps => Ok(bare(Doing::Apps)),
        Act::ReadText {
            region,
            x1,
            y1,
            x2,
            y2,
            output,
            result,
            ..
        } => {
            let edges = x1.zip(*y1).zip(x2.zip(*y2));
            let text = match result.as_deref().filter(|text| is_whole(text)) {
                Some(text) => text.to_owned(),
                None => read_text(*region, edges.map(|((l, t), (r, b))| [l, t, r, b]), now)?,
            };
            Ok(bare(Doing::Keep {
                output: output.clone(),
                text,
            }))
        }
        Act::AskModel {
            prompt,
            output,
            result,
        } => Ok(bare(match result.as_deref().filter(|text| is_whole(text)) {
            Some(text) => Doing::Keep {
                output: output.clone(),
                text: text.to_owned(),
            },
            None => Doing::AskModel {
                prompt: prompt.clone(),
                output: output.clone(),
            },
        })),
        Act::ReadClipboard { .. } => Err(refusal(
            "clipboard_unreadable",
            "Android does not let the clipboard be read from outside",
        )),
        Act::RequestHumanAuth { .. } | Act::Finish { .. } => Ok(bare(Doing::Nothing { code: "not_a_touch" })),
    }
}

/// An action meant for one app is not done in another.
fn guard_app(action: &Action, now: &Screen) -> Result<(), Refusal> {
    let Some(app) = action.app.as_deref().filter(|app| !app.is_empty()) else {
        return Ok(());
    };
    let opens = matches!(action.act, Act::LaunchApp { .. } | Act::FocusApp { .. });
    let last = now.current_app.rsplit('.').next().unwrap_or_default();
    if opens || app.eq_ignore_ascii_case(&now.current_app) || app.eq_ignore_ascii_case(last) {
        return Ok(());
    }
    Err(refusal(
        "other_app_in_front",
        &format!("{app} is not in front; {} is", now.current_app),
    ))
}

fn find(
    target: Option<&Target>,
    x: Option<f64>,
    y: Option<f64>,
    shown: &Screen,
    now: &Screen,
) -> Result<Hit, Refusal> {
    let hit = match (target, x, y) {
        (Some(target), _, _) if *target != Target::default() => screen::resolve_shown(target, shown, now),
        (_, Some(x), Some(y)) => screen::resolve_point(x, y, now),
        _ => Err(Miss::Nothing),
    };
    hit.map_err(|miss| refusal(miss_code(&miss), &miss.to_string()))
}

fn miss_code(miss: &Miss) -> &'static str {
    match miss {
        Miss::Nothing => "missing_target",
        Miss::Unread => "elements_unread",
        Miss::NoTrackId(_) | Miss::NoElement { .. } | Miss::NoText(_) => "target_not_found",
        Miss::Stale { .. } => "screen_changed",
        Miss::Ambiguous { .. } => "ambiguous_target",
        Miss::NotThousandths | Miss::NotANumber => "bad_coordinates",
        Miss::OffScreen { .. } => "off_screen",
    }
}

fn touch(hit: Hit, now: &Screen, command: impl Fn(i32, i32) -> Command) -> Plan {
    let element = hit
        .element
        .and_then(|index| now.elements.iter().find(|e| e.index == index))
        .cloned();
    Plan {
        doing: Doing::Phone(vec![command(hit.x, hit.y)]),
        touches: vec![(hit.x, hit.y)],
        element,
        ring: Some(hit.bounds),
        place: Some(screen::place(hit.x, hit.y, now.width, now.height)),
        app_label: None,
    }
}

fn stroke(from: &Hit, to: &Hit, now: &Screen, command: impl Fn((i32, i32), (i32, i32)) -> Command) -> Plan {
    let (a, b) = ((from.x, from.y), (to.x, to.y));
    let mut plan = touch(*from, now, |_, _| command(a, b));
    plan.touches.push(b);
    plan
}

fn bare(doing: Doing) -> Plan {
    Plan {
        doing,
        touches: Vec::new(),
        element: None,
        ring: None,
        place: None,
        app_label: None,
    }
}

fn push(plan: &mut Plan, command: Command) {
    if let Doing::Phone(commands) = &mut plan.doing {
        commands.push(command);
    }
}

fn scroll(direction: Direction, amount: f64, anchor: Option<Hit>, now: &Screen) -> Result<Plan, Refusal> {
    let whole = Bounds {
        left: 0,
        top: 0,
        right: i32::try_from(now.width).unwrap_or(i32::MAX),
        bottom: i32::try_from(now.height).unwrap_or(i32::MAX),
    };
    let region = anchor.map_or(whole, |hit| scrollable_around(&hit, now).unwrap_or(whole));
    let strokes = screen::scroll(direction, amount, region, now.width, now.height);
    if strokes.is_empty() {
        return Err(refusal(
            "nothing_to_scroll",
            "there is no room to scroll there, or the amount is not above zero",
        ));
    }
    let commands = strokes
        .iter()
        .map(|stroke| Command::Swipe {
            from: stroke.from,
            to: stroke.to,
            ms: STROKE_MS,
        })
        .collect();
    // A scroll presses nothing: what lies where the finger goes down is not pressed by a stroke that moves on.
    Ok(Plan {
        ring: Some(region),
        ..bare(Doing::Phone(commands))
    })
}

/// The smallest thing that scrolls under the hit; for a box, the box.
fn scrollable_around(hit: &Hit, now: &Screen) -> Option<Bounds> {
    let holds = |b: Bounds| hit.x >= b.left && hit.x < b.right && hit.y >= b.top && hit.y < b.bottom;
    let size =
        |b: Bounds| (i64::from(b.right) - i64::from(b.left)) * (i64::from(b.bottom) - i64::from(b.top));
    now.elements
        .iter()
        .filter(|e| e.states.contains(&State::Scrollable) && holds(e.bounds))
        .map(|e| e.bounds)
        .min_by_key(|b| size(*b))
        .or_else(|| (hit.rule == screen::Rule::Box).then_some(hit.bounds))
}

fn set_value(hit: &Hit, value: &str, now: &Screen) -> Result<Plan, Refusal> {
    let tap = |x, y| Command::Tap { x, y };
    let mut plan = touch(*hit, now, tap);
    let Some(element) = plan.element.clone() else {
        return Err(refusal(
            "target_not_found",
            "there is nothing at that place whose value could be set",
        ));
    };
    if element.states.contains(&State::Editable) {
        push(&mut plan, Command::ClearText);
        push(&mut plan, Command::Text(value.to_owned()));
        return Ok(plan);
    }
    if element.states.contains(&State::Checkable) {
        let wanted =
            switch_word(value).ok_or_else(|| refusal("bad_value", "a switch takes \"on\" or \"off\""))?;
        if wanted == element.states.contains(&State::Checked) {
            plan.doing = Doing::Nothing { code: "already_so" };
            plan.touches.clear();
        }
        return Ok(plan);
    }
    if element.role == "slider" {
        let share =
            share(value).ok_or_else(|| refusal("bad_value", "a slider takes a number from 0 to 100"))?;
        let b = element.bounds;
        #[expect(clippy::cast_possible_truncation, reason = "between two pixels")]
        let x = (f64::from(b.left) + f64::from(b.right - b.left - 1) * share) as i32;
        let y = i32::midpoint(b.top, b.bottom);
        plan.doing = Doing::Phone(vec![tap(x, y)]);
        plan.touches = vec![(x, y)];
        return Ok(plan);
    }
    if element.role == "spinner" {
        return Ok(plan);
    }
    Err(refusal("no_value", "that element holds no value; tap it instead"))
}

fn switch_word(value: &str) -> Option<bool> {
    match value.trim().to_ascii_lowercase().as_str() {
        "on" | "true" | "1" | "yes" | "checked" | "enabled" => Some(true),
        "off" | "false" | "0" | "no" | "unchecked" | "disabled" => Some(false),
        _ => None,
    }
}

/// `50`, `50%` and `0.5` are one half.
fn share(value: &str) -> Option<f64> {
    let text = value.trim();
    let number: f64 = text.trim_end_matches('%').trim().parse().ok()?;
    let share = if number <= 1.0 && text.contains('.') {
        number
    } else {
        number / 100.0
    };
    (0.0..=1.0).contains(&share).then_some(share)
}

fn launch(package: &str, name: Option<&str>, apps: &[App]) -> Result<Plan, Refusal> {
    let package = package.trim();
    let wanted = name.map(str::trim).filter(|name| !name.is_empty());
    if !package.is_empty() {
        let label = apps
            .iter()
            .find(|app| app.package == package)
            .map(|app| app.label.clone());
        let opened = bare(Doing::Phone(vec![Command::Launch(package.to_owned())]));
        return Ok(Plan {
            app_label: label.or_else(|| wanted.map(str::to_owned)),
            ..opened
        });
    }
    let Some(wanted) = wanted else {
        return Err(refusal(
            "app_not_named",
            "name the app to open by packageName or app",
        ));
    };
    let Some(app) = app_called(wanted, apps) else {
        let message = format!("no single app is called {wanted:?}; list_apps tells which there are");
        return Err(refusal("app_not_found", &message));
    };
    Ok(Plan {
        app_label: Some(app.label.clone()),
        ..bare(Doing::Phone(vec![Command::Launch(app.package.clone())]))
    })
}

/// The one app that is meant by a name: its label or package exactly, else part of one label, else a part of one package
/// (`greenleaf` in `com.greenleaf.shop`: phones tell no labels over a shell).
fn app_called<'a>(name: &str, apps: &'a [App]) -> Option<&'a App> {
    let lower = name.to_lowercase();
    if let Some(exact) = apps
        .iter()
        .find(|app| app.package == name || app.label.to_lowercase() == lower)
    {
        return Some(exact);
    }
    let only = |fits: &dyn Fn(&App) -> bool| {
        let mut fitting = apps.iter().filter(|app| fits(app));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let word: String = lower.chars().filter(|c| c.is_alphanumeric()).collect();
    only(&|app| app.label.to_lowercase().contains(&lower))
        .or_else(|| only(&|app| app.package.to_lowercase().split('.').any(|part| part == word)))
}

fn open_url(url: &str) -> Result<Plan, Refusal> {
    let url = url.trim().trim_matches('`').trim();
    if url.is_empty() {
        return Err(refusal("no_url", "open_url needs a url"));
    }
    // `example.com:8080/x` has a colon and no scheme.
    let scheme = url.split_once(':').filter(|(scheme, rest)| {
        !scheme.is_empty()
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-".contains(c))
            && !rest.starts_with(|c: char| c.is_ascii_digit())
            || rest.starts_with("//")
    });
    let url = if scheme.is_some() {
        url.to_owned()
    } else {
        format!("https://{url}")
    };
    Ok(bare(Doing::Phone(vec![Command::OpenUrl(url)])))
}

/// POSIX words, each to be quoted again; anything that would make it more than one command is refused.
fn shell(command: &str) -> Result<Plan, Refusal> {
    if let Some(operator) = unquoted_operator(command) {
        let message =
            format!("{operator:?} is not possible in shell; use run_script, or one command at a time");
        return Err(refusal("operator_in_shell", &message));
    }
    let words =
        shlex::split(command).ok_or_else(|| refusal("bad_quotes", "a quote in the command is not closed"))?;
    let words = without_adb(words);
    if words.is_empty() {
        return Err(refusal("empty_command", "the command is empty"));
    }
    Ok(bare(Doing::Phone(vec![Command::Shell(words)])))
}

/// Models write `adb shell …` and `adb -s SERIAL shell …` where only what follows is meant.
fn without_adb(mut words: Vec<String>) -> Vec<String> {
    if words.first().is_some_and(|word| word == "adb")
        && let Some(at) = words.iter().take(4).position(|word| word == "shell")
    {
        words.drain(..=at);
    }
    words
}

fn unquoted_operator(command: &str) -> Option<char> {
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for character in command.trim().chars() {
        if escaped {
            escaped = false;
            continue;
        }
        match (quote, character) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => escaped = true,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(character),
            (None, ';' | '|' | '&' | '<' | '>' | '(' | ')' | '`' | '\n') => return Some(character),
            (None, _) => {}
        }
    }
    None
}

/// The text inside a region, line by line.
fn read_text(
    thousandths: Option<[f64; 4]>,
    pixels: Option<[f64; 4]>,
    now: &Screen,
) -> Result<String, Refusal> {
    if !now.tree_read {
        return Err(refusal("elements_unread", "this screen's text could not be read"));
    }
    #[expect(clippy::cast_possible_truncation, reason = "pixels; out of range saturates")]
    let region = match (thousandths, pixels) {
        (Some(four), _) => screen::region(four, now.width, now.height)
            .map_err(|miss| refusal(miss_code(&miss), &miss.to_string()))?,
        (None, Some([l, t, r, b])) => Bounds {
            left: l as i32,
            top: t as i32,
            right: r as i32,
            bottom: b as i32,
        },
        (None, None) => return Err(refusal("missing_target", "read_text needs a box")),
    };
    let inside = |b: &Bounds| {
        let (x, y) = (i32::midpoint(b.left, b.right), i32::midpoint(b.top, b.bottom));
        x >= region.left && x < region.right && y >= region.top && y < region.bottom
    };
    let lines: Vec<&str> = now
        .elements
        .iter()
        .filter(|element| inside(&element.bounds) && !element.states.contains(&State::Password))
        .map(|element| {
            element
                .value
                .as_deref()
                .filter(|value| !value.is_empty())
                .unwrap_or(&element.label)
        })
        .filter(|text| !text.is_empty())
        .collect();
    Ok(lines.join("\n"))
}

/// A quotation that ends in an ellipsis was cut short by the model.
fn is_whole(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && !text.ends_with('…') && !text.ends_with("...")
}

fn milliseconds(ms: f64, least: f64, most: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a positive range"
    )]
    let ms = if ms.is_finite() {
        ms.clamp(least, most) as u64
    } else {
        least as u64
    };
    ms
}

fn refusal(code: &'static str, message: &str) -> Refusal {
    Refusal {
        code,
        message: message.to_owned(),
    }
}
