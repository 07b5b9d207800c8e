//! What an app is to the system: activities with views, and a manifest that tells which there are.

use super::world::World;
use crate::android::Intent;
use crate::toolkit::color::Color;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{Painter, ScreenMessage, View};
use std::fmt::Debug;

/// One screen of an app, as it stands: its passing state. What an app keeps lies in [`crate::apps::Data`].
pub(crate) trait Activity: Send + Debug {
    fn package(&self) -> &'static str;

    /// Full class name.
    fn class(&self) -> &'static str;

    /// The screen, below the status bar and above the navigation bar (unless [`Activity::bars`] says otherwise).
    fn view(&self, world: &World) -> View;

    /// A dialog or menu over it: a window of its own.
    fn popup(&self, _world: &World) -> Option<Popup> {
        None
    }

    /// Something was touched or written.
    fn act(&mut self, act: &ScreenMessage, world: &mut World);

    /// Back: true when the screen used it up itself.
    fn back(&mut self, _world: &mut World) -> bool {
        false
    }

    /// It came to the front.
    fn resume(&mut self, _world: &mut World) {}

    /// It was in front already when an intent for it arrived.
    fn arrive(&mut self, _intent: &Intent, _world: &mut World) {}

    /// Time went on: true when something about the screen changed by it.
    fn tick(&mut self, _world: &mut World) -> bool {
        false
    }

    /// Time went on: true when its moving part is another than when it was asked last. Nothing is laid out for that.
    fn moves(&mut self, _world: &World) -> bool {
        false
    }

    /// Its moving part: the view's id, and how it is drawn now (in all of the view's box, opaque).
    fn moving(&self, _world: &World) -> Option<(&'static str, Painter)> {
        None
    }

    /// `FLAG_SECURE`.
    fn is_secure(&self) -> bool {
        false
    }

    /// Its window's title, where that is no activity's name.
    fn title(&self) -> Option<String> {
        None
    }

    /// What stands below is seen round it, darkened.
    fn is_floating(&self) -> bool {
        false
    }

    /// The colours of its controls and of what is pressed.
    fn theme(&self, world: &World) -> Theme {
        world.theme
    }

    /// Status bar and navigation bar.
    fn bars(&self, world: &World) -> Bars {
        Bars::on(self.theme(world).background)
    }
}

/// How the system bars look over a screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bars {
    /// Behind the status bar.
    pub(crate) status: Color,
    /// Behind the navigation bar.
    pub(crate) navigation: Color,
    /// The screen lies under the bars too.
    pub(crate) full: bool,
}

impl Bars {
    pub(crate) const fn on(color: Color) -> Self {
        Self {
            status: color,
            navigation: color,
            full: false,
        }
    }

    pub(crate) const fn navigation(self, navigation: Color) -> Self {
        Self { navigation, ..self }
    }

    pub(crate) const fn full(self) -> Self {
        Self { full: true, ..self }
    }
}

/// Dark signs stand on a light colour.
pub(crate) fn is_light(color: Color) -> bool {
    u32::from(color.red) * 299 + u32::from(color.green) * 587 + u32::from(color.blue) * 114 > 150_000
}

/// A window over a screen.
#[derive(Clone, Debug)]
pub(crate) struct Popup {
    /// Tells one from the next, so that focus and scroll position of one are not those of another.
    pub(crate) name: &'static str,
    pub(crate) kind: PopupKind,
    pub(crate) view: View,
    /// What Back and a touch outside mean; none: they do nothing.
    pub(crate) cancel: Option<ScreenMessage>,
}

/// Where a popup stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PopupKind {
    /// In the middle, the rest darkened.
    Dialog,
    /// Under the view with this id or key, the rest as it was.
    Menu(&'static str),
    /// Along the bottom edge, the rest darkened.
    Sheet,
}

/// An app as it is installed.
#[derive(Debug)]
pub(crate) struct Manifest {
    pub(crate) package: &'static str,
    pub(crate) label: &'static str,
    pub(crate) version: &'static str,
    pub(crate) system: bool,
    pub(crate) icon: Option<Icon>,
    /// The first one that answers `MAIN`/`LAUNCHER` is what the icon starts.
    pub(crate) activities: &'static [ActivityDeclaration],
    /// Makes an activity, given the end of its class name as declared.
    pub(crate) open: fn(&str, &Intent, &mut World) -> Option<Box<dyn Activity>>,
}

/// An activity as a manifest declares it.
#[derive(Debug)]
pub(crate) struct ActivityDeclaration {
    /// Full class name.
    pub(crate) class: &'static str,
    /// Other apps may start it.
    pub(crate) exported: bool,
    /// Its icon starts it.
    pub(crate) launcher: bool,
    /// Actions it answers besides.
    pub(crate) actions: &'static [&'static str],
    /// With `VIEW` (and the actions above, when they bring data): which links it answers.
    pub(crate) schemes: &'static [&'static str],
}

impl ActivityDeclaration {
    /// What an icon starts.
    pub(crate) const fn main(class: &'static str) -> Self {
        Self {
            class,
            exported: true,
            launcher: true,
            actions: &[],
            schemes: &[],
        }
    }

    /// A page only the app itself opens.
    pub(crate) const fn inner(class: &'static str) -> Self {
        Self {
            class,
            exported: false,
            launcher: false,
            actions: &[],
            schemes: &[],
        }
    }

    /// A page others may open.
    pub(crate) const fn open(class: &'static str, actions: &'static [&'static str]) -> Self {
        Self {
            class,
            exported: true,
            launcher: false,
            actions,
            schemes: &[],
        }
    }

    pub(crate) const fn answers(mut self, actions: &'static [&'static str]) -> Self {
        self.actions = actions;
        self
    }

    pub(crate) const fn links(mut self, schemes: &'static [&'static str]) -> Self {
        self.schemes = schemes;
        self
    }
}

/// An app's icon: a sign on a disc.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Icon {
    pub(crate) sign: Sign,
    pub(crate) disc: Color,
    pub(crate) ink: Color,
}

/// What stands on an icon's disc.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sign {
    Outline(lucide_icons::Icon),
    /// The day of the month.
    Words(&'static str),
    /// Four coloured leaves.
    Pinwheel,
    /// A sheet of paper with lines, one corner turned over.
    Sheet,
}
