//! A phone as far as the shop goes, on another day.

use crate::pages::{SIZE, shown, tree};
use protocol::{Act, Action, Direction, Millis, Screen};
use replay::Last;

/// What is otherwise on the day it is done again.
pub(crate) struct Day {
    pub(crate) name: &'static str,
    pub(crate) size: (u32, u32),
    /// The page's name, its tree, and how often it was scrolled.
    pub(crate) change: fn(&str, String, u32) -> String,
    /// What lies over a page when it opens.
    pub(crate) over: Option<(&'static str, &'static str)>,
    /// Another page opens in the place of this one.
    pub(crate) detour: Option<&'static str>,
    /// How long a page takes to open.
    pub(crate) slow: Millis,
    /// What is told of the press on Pay.
    pub(crate) paid: Last,
    /// The person lets it go on where something is another.
    pub(crate) accepts: bool,
}

impl Day {
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            size: SIZE,
            change: |_, xml, _| xml,
            over: None,
            detour: None,
            slow: 0,
            paid: Last::Done,
            accepts: false,
        }
    }

    pub(crate) fn changed(name: &'static str, change: fn(&str, String, u32) -> String) -> Self {
        Self {
            change,
            ..Self::new(name)
        }
    }
}

/// A phone as far as the shop goes.
pub(crate) struct Phone<'a> {
    pub(crate) day: &'a Day,
    pub(crate) page: &'static str,
    pub(crate) opening: Option<(Millis, &'static str)>,
    pub(crate) over: Option<&'static str>,
    pub(crate) scrolled: u32,
}

impl Phone<'_> {
    pub(crate) fn screen(&self) -> Screen {
        let name = self.over.unwrap_or(self.page);
        let xml = (self.day.change)(name, tree(name), self.scrolled);
        shown(name, &xml, self.day.size)
    }

    pub(crate) fn open(&mut self, page: &'static str, at: Millis) {
        let page = if self.day.detour == Some(page) {
            "help"
        } else {
            page
        };
        self.opening = Some((at + self.day.slow, page));
        self.arrive(at);
    }

    pub(crate) fn arrive(&mut self, at: Millis) {
        if let Some((when, page)) = self.opening
            && when <= at
        {
            self.opening = None;
            self.page = page;
            self.scrolled = 0;
            self.over = self.day.over.filter(|(on, _)| *on == page).map(|(_, over)| over);
        }
    }

    /// What comes after a page where its own button is pressed.
    pub(crate) fn on(&mut self, at: Millis) {
        let next = match self.page {
            "launcher" => "home",
            "home" | "help" => "basket",
            "basket" => "checkout",
            "checkout" => "placed",
            other => panic!("nothing comes after {other}"),
        };
        self.open(next, at);
    }

    /// Does it. Whatever is tapped must be what was recorded, or close what lies over the page.
    pub(crate) fn act(&mut self, action: &Action, screen: &Screen, at: Millis) -> String {
        match &action.act {
            Act::LaunchApp { package_name } => {
                self.on(at);
                format!("open {package_name}")
            }
            Act::Tap { target, .. } => {
                let number = target.as_ref().and_then(|target| target.element).unwrap();
                let touched = screen.elements.iter().find(|e| e.index == number).unwrap();
                let id = touched.resource_id.rsplit('/').next().unwrap_or_default();
                let recorded = match self.page {
                    "home" => ("add_all", "Add all to basket"),
                    "basket" => ("primary_button", "Go to checkout"),
                    _ => ("primary_button", "Pay $23.40"),
                };
                if self.over.is_some() {
                    assert_eq!(
                        touched.label, "Not now",
                        "{}: closed by something else",
                        self.day.name
                    );
                    self.over = None;
                } else {
                    let is_it = id == recorded.0 || touched.label == recorded.1;
                    assert!(is_it, "{}: tapped {touched:?}", self.day.name);
                    self.on(at);
                }
                format!(
                    "tap #{id} {:?} at {},{}",
                    touched.label, touched.bounds.left, touched.bounds.top
                )
            }
            Act::Scroll { direction, .. } => {
                assert_eq!(*direction, Direction::Down);
                self.scrolled += 1;
                "scroll down".to_owned()
            }
            Act::Keyevent { keycode } => {
                // Whatever opened in between was opened over the page that was to come.
                self.page = if self.page == "help" {
                    self.day.detour.unwrap()
                } else {
                    self.page
                };
                keycode.clone()
            }
            Act::RequestHumanAuth { capability, .. } => {
                self.over = None;
                format!("ask the person ({capability:?})")
            }
            other => panic!("{}: {other:?}", self.day.name),
        }
    }
}
