//! The screen as the planner looks at it: what says what, what can be pressed, which app is in front.

use super::words::{plain, same};
use protocol::{CaptureResult, Element, ElementState, Role, Screen};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Packages of Android's own windows over an app: lock screen, notifications, their dialogs.
const SYSTEM: &str = "com.android.systemui";

/// One screen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    screen: &'a Screen,
}

impl<'a> View<'a> {
    pub(crate) fn new(screen: &'a Screen) -> Self {
        Self { screen }
    }

    pub(crate) fn elements(&self) -> impl DoubleEndedIterator<Item = &'a Element> + use<'a> {
        self.screen.elements.iter()
    }

    /// The elements could be read.
    pub(crate) fn is_read(&self) -> bool {
        self.screen.tree_read
    }

    /// The picture is black: the screen may be off.
    pub(crate) fn is_black(&self) -> bool {
        self.screen.capture == CaptureResult::Black
    }

    pub(crate) fn has_keyboard(&self) -> bool {
        self.screen.keyboard_shown
    }

    /// Whether the display is wider than tall and this element stands in its lower part.
    pub(crate) fn is_low(&self, index: u32) -> bool {
        let (width, height) = (i64::from(self.screen.width), i64::from(self.screen.height));
        let middle = |e: &Element| i64::midpoint(i64::from(e.bounds.top), i64::from(e.bounds.bottom));
        let element = self.elements().find(|e| e.index == index);
        width > height && element.is_some_and(|e| middle(e) * 5 > height * 2)
    }

    /// The package in front.
    pub(crate) fn package(&self) -> &'a str {
        &self.screen.current_app
    }

    /// The package that owns what stands on the screen: the system's where its own window lies over the app.
    pub(crate) fn owner(&self) -> &'a str {
        let system = self.elements().filter(|e| e.package == SYSTEM).count();
        if system * 2 > self.screen.elements.len() {
            SYSTEM
        } else {
            self.package()
        }
    }

    /// Notifications are pulled down, or another window of the system lies over everything.
    pub(crate) fn is_system(&self) -> bool {
        self.owner() == SYSTEM
    }

    pub(crate) fn is_locked(&self) -> bool {
        self.elements().any(|e| {
            matches!(
                id(e),
                "lockscreen_clock_view" | "keyguard_indication_text" | "lock_icon_view"
            )
        })
    }

    /// The question of Android's permission dialog, where it is up.
    pub(crate) fn permission_question(&self) -> Option<&'a Element> {
        let dialog = self.package().ends_with(".permissioncontroller")
            || self.package().ends_with(".packageinstaller");
        dialog.then(|| {
            self.by_id("permission_message")
                .or_else(|| self.elements().find(|e| e.role == Role::Text))
        })?
    }

    /// The first element with this resource id (the part after the slash).
    pub(crate) fn by_id(&self, name: &str) -> Option<&'a Element> {
        self.all_by_id(name).next()
    }

    pub(crate) fn all_by_id(&self, name: &str) -> impl DoubleEndedIterator<Item = &'a Element> {
        self.elements().filter(move |e| id(e) == name)
    }

    /// The words of the first element with this id; empty where there is none.
    pub(crate) fn text_of(&self, name: &str) -> &'a str {
        self.by_id(name).map_or("", |e| e.label.as_str())
    }

    /// What can be pressed and says exactly this.
    pub(crate) fn button(&self, words: &str) -> Option<&'a Element> {
        self.elements().find(|e| is_pressable(e) && same(&e.label, words))
    }

    /// What can be pressed and whose first words are these: `Battery` of `Battery, 82%`.
    pub(crate) fn row(&self, title: &str) -> Option<&'a Element> {
        self.elements()
            .find(|e| is_pressable(e) && same(title_of(&e.label), title))
    }

    /// What can be pressed and begins so.
    pub(crate) fn starting(&self, words: &str) -> Option<&'a Element> {
        let words = plain(words);
        self.elements()
            .find(|e| is_pressable(e) && plain(&e.label).starts_with(&words))
    }

    /// Whether these words stand anywhere on the screen, alone or among others.
    pub(crate) fn says(&self, words: &str) -> bool {
        let words = plain(words);
        self.elements().any(|e| plain(&e.label).contains(&words))
    }

    /// The fields that can be written in.
    pub(crate) fn fields(&self) -> impl DoubleEndedIterator<Item = &'a Element> {
        self.elements().filter(|e| is(e, ElementState::Editable))
    }

    /// The largest thing that scrolls.
    pub(crate) fn list(&self) -> Option<&'a Element> {
        let area = |e: &&Element| {
            i64::from(e.bounds.right - e.bounds.left) * i64::from(e.bounds.bottom - e.bounds.top)
        };
        self.elements()
            .filter(|e| is(e, ElementState::Scrollable))
            .max_by_key(area)
    }

    /// What a list shows and where, in a short word: the same for the same lines in the same places.
    pub(crate) fn page(&self, list: &Element) -> String {
        let mut hasher = DefaultHasher::new();
        for element in self.elements().filter(|e| lies_in(list, e)) {
            (&element.label, element.bounds.top, element.bounds.left).hash(&mut hasher);
        }
        format!("{:08x}", hasher.finish() >> 32)
    }

    /// What follows an element in reading order.
    pub(crate) fn after(&self, element: &Element) -> Option<&'a Element> {
        let index = element.index;
        self.elements().find(|e| e.index > index)
    }

    /// The words after a caption that stands alone: `14` after `Android version`.
    pub(crate) fn value_of(&self, caption: &str) -> Option<&'a str> {
        let caption = self
            .elements()
            .find(|e| e.role == Role::Text && same(&e.label, caption))?;
        let value = self.after(caption)?;
        // It is another line's caption where it stands far below.
        let near = value.bounds.top < caption.bounds.bottom + (caption.bounds.bottom - caption.bounds.top);
        (value.role == Role::Text && near).then_some(value.label.as_str())
    }

    /// The arrow or cross that leads out of a page.
    pub(crate) fn way_back(&self) -> Option<&'a Element> {
        WAYS_BACK.iter().find_map(|words| self.button(words))
    }
}

/// Whether an element stands inside another's rectangle.
fn lies_in(outer: &Element, inner: &Element) -> bool {
    let (outer, inner) = (outer.bounds, inner.bounds);
    outer.top <= inner.top
        && inner.bottom <= outer.bottom
        && outer.left <= inner.left
        && inner.right <= outer.right
}

/// What the arrow or cross that leads out of a page says.
const WAYS_BACK: [&str; 4] = ["Navigate up", "Back", "Cancel", "Close"];

/// Whether something pressed was the way out of a page.
pub(crate) fn is_way_back(label: &str) -> bool {
    WAYS_BACK.iter().any(|words| same(label, words))
}

/// The resource id without its package.
pub(crate) fn id(element: &Element) -> &str {
    element.resource_id.rsplit('/').next().unwrap_or_default()
}

pub(crate) fn is(element: &Element, state: ElementState) -> bool {
    element.states.contains(&state)
}

/// It takes taps and is not greyed out.
pub(crate) fn is_pressable(element: &Element) -> bool {
    is(element, ElementState::Clickable) && !is(element, ElementState::Disabled)
}

/// The first part of a row's words.
pub(crate) fn title_of(label: &str) -> &str {
    label.split(", ").next().unwrap_or(label)
}

/// What stands in a field, its hint aside: a field that says only what it is for is empty.
pub(crate) fn written<'a>(field: &'a Element, hints: &[&str]) -> &'a str {
    let value = field.value.as_deref().unwrap_or_default();
    if hints.iter().any(|hint| same(value, hint)) {
        ""
    } else {
        value
    }
}
