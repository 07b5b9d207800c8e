//! Calendar: the month, a day's events, a new event.

use crate::apps::parts::{boxed_field, dialog_box, dialog_buttons, floating_button};
use crate::system::{
    Activity, ActivityDeclaration, Icon, Manifest, Popup, PopupKind, Sign, SystemRequest, World,
};
use crate::toolkit::color::Color;
use crate::toolkit::text::{Align, TextStyle};
use crate::toolkit::view::{
    Content, CrossAxisAlignment, ImeAction, ScreenMessage, View, class, column, field, gap, row, scroll,
    stack, text,
};
use serde_json::{Value, json};

const PACKAGE: &str = "com.android.calendar";
const CLASS: &str = "com.android.calendar.AllInOneActivity";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Calendar",
    version: "14",
    system: true,
    icon: Some(Icon {
        sign: Sign::Words("14"),
        disc: Color::WHITE,
        ink: Color::rgb(0x2F66E0),
    }),
    activities: &[ActivityDeclaration::main(CLASS)],
    open: |_, _, _| {
        Some(Box::new(Month {
            day: TODAY,
            writing: None,
        }))
    },
};

const TODAY: u32 = 14;
/// May 2024 begins on a Wednesday; weeks are shown from Sunday.
const BEFORE_FIRST: usize = 3;
const DAYS: u32 = 31;

/// What Calendar keeps: day of May, time, title.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    events: Vec<(u32, String, String)>,
    added: Vec<String>,
}

impl Data {
    pub(crate) fn new() -> Self {
        let event = |day, time: &str, title: &str| (day, time.to_owned(), title.to_owned());
        Self {
            events: vec![
                event(14, "9:40 AM", "Market with Dana"),
                event(14, "6:00 PM", "Call Mum"),
                event(16, "6:00 PM", "Greenleaf delivery"),
                event(18, "10:30 AM", "Café with Anna"),
                event(21, "9:40 AM", "Market"),
                event(28, "All day", "Library returns"),
            ],
            added: Vec::new(),
        }
    }

    pub(crate) fn tell_state(&self) -> Value {
        json!({"added": self.added})
    }
}

#[derive(Debug)]
struct Month {
    day: u32,
    writing: Option<String>,
}

#[derive(Clone, Debug)]
enum Msg {
    Day(u32),
    New,
    Write(String),
    Cancel,
    Save,
}

impl Month {
    fn cell(&self, day: u32, world: &World) -> View {
        let theme = &world.theme;
        let (today, chosen) = (day == TODAY, day == self.day);
        let ink = if today { theme.on_accent } else { theme.text };
        let mut number = text(day.to_string(), 15.5, ink)
            .align(Align::Center)
            .size(38.0, 38.0)
            .radius(19.0);
        if today {
            number = number.medium().fill(theme.accent);
        } else if chosen {
            number = number.fill(theme.soft);
        }
        let busy = world.apps.calendar.events.iter().any(|(on, ..)| *on == day);
        let dot = View::new(class::VIEW, Content::Empty).size(5.0, 5.0).radius(2.5);
        column([number, if busy { dot.fill(theme.accent) } else { dot }])
            .class(class::VIEW)
            .desc(format!("May {day}"))
            .id("day")
            .cross(CrossAxisAlignment::Center)
            .gap(2.0)
            .height(50.0)
            .grow()
            .selected(chosen)
            .click(Msg::Day(day))
    }

    fn weeks(&self, world: &World) -> Vec<View> {
        let cells = (0..BEFORE_FIRST)
            .map(|_| None)
            .chain((1..=DAYS).map(Some))
            .collect::<Vec<_>>();
        cells
            .chunks(7)
            .map(|week| {
                let mut days: Vec<View> = week
                    .iter()
                    .map(|day| day.map_or_else(|| gap(0.0).grow(), |day| self.cell(day, world)))
                    .collect();
                days.resize_with(7, || gap(0.0).grow());
                row(days).wide()
            })
            .collect()
    }
}

impl Activity for Month {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CLASS
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let letters = ["S", "M", "T", "W", "T", "F", "S"];
        let head =
            row(letters.map(|letter| text(letter, 13.5, theme.text_2).align(Align::Center).grow())).wide();
        let mut month = vec![head];
        month.extend(self.weeks(world));
        let mut views = vec![
            text("May 2024", 32.0, theme.text)
                .id("toolbar_title")
                .pad_each(24.0, 34.0, 0.0, 14.0),
            column(month).pad_xy(14.0, 6.0),
            text(format!("May {}", self.day), 16.0, theme.text)
                .medium()
                .pad_each(24.0, 10.0, 0.0, 8.0)
                .id("day_title"),
        ];
        let events: Vec<View> = world
            .apps
            .calendar
            .events
            .iter()
            .filter(|(day, ..)| *day == self.day)
            .map(|(_, time, title)| {
                let words = column([
                    text(title.as_str(), 17.0, theme.on_soft)
                        .medium()
                        .lines(1)
                        .id("title"),
                    text(time.as_str(), 14.5, theme.on_soft).lines(1).id("when"),
                ]);
                words
                    .gap(2.0)
                    .pad_xy(18.0, 13.0)
                    .fill(theme.soft)
                    .radius(16.0)
                    .margin(19.0, 0.0, 19.0, 8.0)
                    .id("event")
            })
            .collect();
        if events.is_empty() {
            views.push(
                text("Nothing planned", 16.0, theme.text_2)
                    .pad_xy(24.0, 8.0)
                    .id("empty"),
            );
        }
        views.extend(events);
        let list = scroll(views)
            .id("agenda")
            .key("calendar")
            .pad_each(0.0, 0.0, 0.0, 96.0);
        let new = floating_button(theme, lucide_icons::Icon::Plus, "New event", Msg::New);
        stack([column([list]).grow().wide(), new])
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        let theme = &world.theme;
        let written = self.writing.as_deref()?;
        let title = field(
            written,
            "What is on?",
            TextStyle::new(17.5, theme.text),
            Msg::Write,
        )
        .action(ImeAction::Done, Msg::Save)
        .id("title")
        .key("title");
        let (cancel, save) = (ScreenMessage::new(Msg::Cancel), ScreenMessage::new(Msg::Save));
        let views = vec![
            text(format!("New event on May {}", self.day), 22.0, theme.text).id("android:id/alertTitle"),
            boxed_field(theme, "Title", title),
            dialog_buttons(theme, ("Cancel", cancel.clone()), ("Save", save)),
        ];
        Some(Popup {
            name: "new",
            kind: PopupKind::Dialog,
            view: dialog_box(theme, views),
            cancel: Some(cancel),
        })
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>().cloned() {
            Some(Msg::Day(day)) => self.day = day,
            Some(Msg::New) => {
                self.writing = Some(String::new());
                world.call(SystemRequest::Focus("title"));
            }
            Some(Msg::Write(text)) => self.writing = Some(text),
            Some(Msg::Cancel) => self.writing = None,
            Some(Msg::Save) => {
                let title = self
                    .writing
                    .take()
                    .map(|title| title.trim().to_owned())
                    .filter(|title| !title.is_empty());
                if let Some(title) = title {
                    let calendar = &mut world.apps.calendar;
                    calendar.added.push(title.clone());
                    calendar.events.push((self.day, "All day".to_owned(), title));
                }
            }
            None => {}
        }
    }
}
