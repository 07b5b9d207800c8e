//! Which tools are verbs, and how one is told from the product's own types.

use crate::value::Object;

/// What a verb does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Tap,
    DoubleTap,
    LongPress,
    Type,
    Scroll,
    Swipe,
    Drag,
    Key,
    Back,
    Home,
    Enter,
    Recents,
    Open,
    Close,
    Url,
    Wait,
    Picture,
    Apps,
    Ask,
    Finish,
    Terminate,
}

pub(super) const VERBS: [(&str, Verb); 58] = [
    ("click", Verb::Tap),
    ("click_at", Verb::Tap),
    ("left_click", Verb::Tap),
    ("tap", Verb::Tap),
    ("tap_at", Verb::Tap),
    ("double_click", Verb::DoubleTap),
    ("double_tap", Verb::DoubleTap),
    ("long_press", Verb::LongPress),
    ("long_click", Verb::LongPress),
    ("longpress", Verb::LongPress),
    ("right_click", Verb::LongPress),
    ("type", Verb::Type),
    ("type_text", Verb::Type),
    ("input_text", Verb::Type),
    ("scroll", Verb::Scroll),
    ("scroll_at", Verb::Scroll),
    ("swipe", Verb::Swipe),
    ("drag_and_drop", Verb::Swipe),
    ("drag", Verb::Drag),
    ("left_click_drag", Verb::Drag),
    ("button_press", Verb::Key),
    ("press_button", Verb::Key),
    ("system_button", Verb::Key),
    ("press_key", Verb::Key),
    ("press", Verb::Key),
    ("key", Verb::Key),
    ("go_back", Verb::Back),
    ("press_back", Verb::Back),
    ("navigate_back", Verb::Back),
    ("back", Verb::Back),
    ("go_home", Verb::Home),
    ("press_home", Verb::Home),
    ("navigate_home", Verb::Home),
    ("home", Verb::Home),
    ("press_enter", Verb::Enter),
    ("press_recent", Verb::Recents),
    ("open_recents", Verb::Recents),
    ("open_app", Verb::Open),
    ("launch_app", Verb::Open),
    ("start_app", Verb::Open),
    ("close_app", Verb::Close),
    ("open_url", Verb::Url),
    ("open_web_browser", Verb::Url),
    ("navigate", Verb::Url),
    ("wait", Verb::Wait),
    ("take_screenshot", Verb::Picture),
    ("screenshot", Verb::Picture),
    ("list_apps", Verb::Apps),
    ("ask_user", Verb::Ask),
    ("call_user", Verb::Ask),
    ("yield_to_user", Verb::Ask),
    ("interact", Verb::Ask),
    ("finish", Verb::Finish),
    ("finished", Verb::Finish),
    ("done", Verb::Finish),
    ("answer", Verb::Finish),
    ("output", Verb::Finish),
    ("terminate", Verb::Terminate),
];

/// A tool is named like a verb.
pub(crate) fn is_verb(name: &str) -> bool {
    verb(name).is_some()
}

pub(super) fn verb(name: &str) -> Option<Verb> {
    let name = name.trim();
    VERBS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, verb)| *verb)
}

/// Arguments by which a verb that is a type of the product's own, too, is told from it.
const OWN: [&str; 17] = [
    "points",
    "point",
    "coordinates",
    "start_x",
    "start_coordinate",
    "coordinate2",
    "start_point",
    "start",
    "index",
    "seconds",
    "time",
    "duration",
    "press_enter",
    "package",
    "app_name",
    "intent",
    "status",
];

/// A tool use in which a verb stands as no other dialect writes it; `is_type` says that it is a type of the product's
/// own.
pub(crate) fn is_own(name: &str, arguments: &Object, is_type: bool) -> bool {
    let told = |name: &str| arguments.get(name).is_some();
    let own = match verb(name) {
        None => return false,
        // The product's own end of a task has a message, its swipe two points.
        Some(Verb::Finish) => told("text"),
        Some(Verb::Swipe) => told("direction"),
        Some(_) => false,
    };
    !is_type || own || OWN.iter().any(|name| told(name))
}
