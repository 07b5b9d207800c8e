//! One action object → one `Action`, default for default.

use super::required::{lacks, output};
use super::touch;
use crate::action::{finish, is_pointing};
use crate::fields::Fields;
use crate::find::sound;
use crate::notes::{Notes, Refusal, cut, nearest};
use crate::value::{Object, Value};
use protocol::{Act, Action, Capability, CaptureMode, WarningCode};

/// Every `type`: the schema page's ten, then the product's own in the same style.
pub(crate) const TYPES: [&str; 24] = [
    "tap",
    "swipe",
    "type",
    "keyevent",
    "launch_app",
    "shell",
    "run_script",
    "request_human_auth",
    "wait",
    "finish",
    "double_tap",
    "long_press",
    "drag",
    "scroll",
    "hover",
    "key_combination",
    "open_url",
    "set_value",
    "capture",
    "list_apps",
    "focus_app",
    "read_text",
    "read_clipboard",
    "ask_model",
];

/// Reads one action object; `name` is its type where that stands elsewhere.
///
/// # Errors
/// When the object is cut off, contradicts itself, points nowhere, or asks for what no finger can do.
pub(crate) fn read_action(object: &Object, name: Option<&str>, notes: &mut Notes) -> Result<Action, Refusal> {
    sound(object)?;
    let mut fields = Fields::new(object, notes);
    let written = match name {
        Some(name) => name.to_owned(),
        None => match fields.find("type") {
            Some(Value::Text(text)) if text.mended => {
                return Err(Refusal::malformed("`type` is not quoted soundly"));
            }
            _ => fields.name("type").unwrap_or_default(),
        },
    };
    let Some(kind) = known_type(&written, fields.notes) else {
        return Ok(unknown_type(&written, fields.notes));
    };
    let act = read_act(kind, &mut fields);
    let modifiers = fields.list_of_names("modifiers", &['+', ',']);
    if kind == "finish" {
        fields.notes.remember = fields.words("note");
    }
    let mut action = Action {
        reason: fields.words("reason").filter(|_| kind != "finish"),
        app: fields.name("app"),
        capture_after: fields.maybe_flag("captureAfter").unwrap_or(false),
        then_finish: fields.maybe_flag("thenFinish").unwrap_or(false),
        modifiers,
        act: match act {
            Ok(act) => act,
            Err(mut refusal) => {
                if let Some(action) = &mut refusal.normalized {
                    action.reason = fields.words("reason");
                }
                return Err(refusal);
            }
        },
    };
    if !action.modifiers.is_empty() {
        let pointing = is_pointing(&action.act);
        fields.notes.warn(
            WarningCode::ModifiersIgnored,
            Some("modifiers"),
            "a touch screen has no modifier keys",
        );
        if !pointing {
            action.modifiers.clear();
        }
    }
    Ok(action)
}

/// The type as it is written, blanks aside; or, with a warning, one that differs from it in case, `-`, `_` or blanks
/// alone. Not for `finish`: nothing but its own word ends a run.
fn known_type(written: &str, notes: &mut Notes) -> Option<&'static str> {
    let written = written.trim();
    if let Some(exact) = TYPES.iter().find(|known| **known == written) {
        return Some(exact);
    }
    let folded = |word: &str| word.to_lowercase().replace(['_', '-', ' '], "");
    let word = folded(written);
    let known = TYPES
        .iter()
        .find(|known| **known != "finish" && folded(known) == word)?;
    notes.warn(
        WarningCode::TypeSpelling,
        Some("type"),
        format!("`{}` was read as `{known}`", cut(written)),
    );
    Some(known)
}

/// Whether [`known_type`] knows it.
pub(super) fn is_known_type(written: &str) -> bool {
    known_type(written, &mut Notes::default()).is_some()
}

/// The schema page: unknown type → `wait` (`durationMs=1000`).
fn unknown_type(written: &str, notes: &mut Notes) -> Action {
    let written = cut(written.trim());
    let hint = nearest(&written, &TYPES)
        .map(|known| format!("; did you mean `{known}`?"))
        .unwrap_or_default();
    notes.warn(
        WarningCode::UnknownType,
        Some("type"),
        format!("unknown action type '{written}'{hint}"),
    );
    notes.defaulted("type");
    notes.defaulted("durationMs");
    let mut action = Action::from(Act::Wait { duration_ms: 1000.0 });
    action.reason = Some(format!("unknown action type '{written}'"));
    action
}

fn read_act(kind: &str, fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    Ok(match kind {
        "tap" | "double_tap" | "long_press" | "hover" => return touch::touch(kind, fields),
        "swipe" => return touch::swipe(fields),
        "drag" => return touch::drag(fields),
        "scroll" => return touch::scroll(fields),
        "type" => return touch::type_text(fields),
        "keyevent" => Act::Keyevent {
            keycode: fields.name_or("keycode", "KEYCODE_ENTER"),
        },
        "launch_app" => Act::LaunchApp {
            package_name: fields.name_or("packageName", ""),
        },
        "shell" => Act::Shell {
            command: match fields.words_of_a_list("command")? {
                Some(command) => command,
                None => fields.exact_text_or("command", "")?,
            },
        },
        "run_script" => Act::RunScript {
            script: fields.exact_text_or("script", "")?,
            timeout_sec: fields.number_or("timeoutSec", 60.0),
        },
        "request_human_auth" => human_auth(fields),
        "wait" => Act::Wait {
            duration_ms: fields.number_or("durationMs", 1000.0),
        },
        "finish" => finish(fields.words("message"), fields.notes),
        "key_combination" => key_combination(fields)?,
        "open_url" => Act::OpenUrl {
            url: fields.name("url").ok_or_else(|| lacks(kind, "url"))?,
        },
        "set_value" => return touch::set_value(fields),
        "capture" => capture(fields),
        "list_apps" => Act::ListApps,
        "focus_app" => {
            if fields.name("app").is_none() {
                return Err(lacks(kind, "app"));
            }
            Act::FocusApp {
                raise_window: fields.flag("raiseWindow"),
            }
        }
        "read_text" => return touch::read_text(fields),
        "read_clipboard" => Act::ReadClipboard {
            output: output(kind, fields)?,
            result: fields.result(),
        },
        _ => Act::AskModel {
            prompt: fields
                .exact_text("prompt")?
                .ok_or_else(|| lacks(kind, "prompt"))?,
            output: output(kind, fields)?,
            result: fields.result(),
        },
    })
}

/// The schema's defaults, with one step before them: a missing instruction is the reason, if there is one.
fn human_auth(fields: &mut Fields<'_>) -> Act {
    let capability: Capability = fields.choice("capability");
    let instruction = fields.words("instruction").unwrap_or_else(|| {
        fields.notes.defaulted("instruction");
        fields
            .words("reason")
            .unwrap_or_else(|| "Human authorization is required to continue.".into())
    });
    Act::RequestHumanAuth {
        capability,
        instruction,
        timeout_sec: fields.number_or("timeoutSec", 300.0),
    }
}

fn key_combination(fields: &mut Fields<'_>) -> Result<Act, Refusal> {
    let keys = fields.list_of_names("keys", &['+']);
    if keys.is_empty() {
        return Err(lacks("key_combination", "keys"));
    }
    Ok(Act::KeyCombination { keys })
}

/// `maxElements`: missing, broken or below one → 100; above 1,000 → 1,000.
fn capture(fields: &mut Fields<'_>) -> Act {
    let mode: CaptureMode = fields.choice("mode");
    Act::Capture {
        mode,
        max_elements: fields.max_elements("maxElements"),
    }
}
