//! Clock: the time, and alarms that can be switched and deleted.

use crate::apps::parts::floating_button;
use crate::system::{Activity, ActivityDeclaration, Icon, Manifest, Popup, PopupKind, Sign, World};
use crate::toolkit::color::Color;
use crate::toolkit::text::Align;
use crate::toolkit::view::{
    CrossAxisAlignment, MainAxisAlignment, ScreenMessage, View, class, column, row, scroll, stack, switch,
    text,
};
use serde_json::{Value, json};

const PACKAGE: &str = "com.android.deskclock";
const CLASS: &str = "com.android.deskclock.DeskClock";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Clock",
    version: "14",
    system: true,
    icon: Some(Icon {
        sign: Sign::Outline(lucide_icons::Icon::Clock),
        disc: Color::rgb(0x2B2F55),
        ink: Color::WHITE,
    }),
    activities: &[ActivityDeclaration::main(CLASS).answers(&["android.intent.action.SHOW_ALARMS"])],
    open: |_, _, _| Some(Box::new(Clock::default())),
};

#[derive(Clone, Copy, Debug)]
struct Alarm {
    /// Minutes after midnight.
    at: u16,
    days: &'static str,
    on: bool,
}

/// What Clock keeps.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    alarms: Vec<Alarm>,
}

fn words(at: u16) -> String {
    let (hour, minute) = (at / 60, at % 60);
    format!(
        "{}:{minute:02} {}",
        (hour + 11) % 12 + 1,
        if hour < 12 { "AM" } else { "PM" }
    )
}

impl Data {
    pub(crate) fn new() -> Self {
        let alarm = |at, days, on| Alarm { at, days, on };
        Self {
            alarms: vec![
                alarm(6 * 60 + 45, "Mon, Tue, Wed, Thu, Fri", true),
                alarm(8 * 60 + 30, "Sat, Sun", false),
                alarm(21 * 60, "Every day", false),
            ],
        }
    }

    pub(crate) fn tell_state(&self) -> Value {
        self.alarms
            .iter()
            .map(|alarm| json!({"time": words(alarm.at), "on": alarm.on}))
            .collect()
    }
}

#[derive(Debug, Default)]
struct Clock {
    /// The new alarm being set: minutes after midnight.
    setting: Option<u16>,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Flip(usize),
    Delete(usize),
    New,
    Turn(i32),
    Cancel,
    Set,
}

impl Activity for Clock {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CLASS
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let now = column([
            text("9:41", 74.0, theme.text)
                .align(Align::Center)
                .id("digital_clock"),
            text("Tue, May 14", 17.0, theme.text_2)
                .align(Align::Center)
                .id("date"),
        ])
        .pad_each(0.0, 40.0, 0.0, 26.0);
        let alarms = world.apps.clock.alarms.iter().enumerate().map(|(index, alarm)| {
            let ink = if alarm.on { theme.text } else { theme.text_3 };
            let time = words(alarm.at);
            let label = column([
                text(time.as_str(), 32.0, ink).id("digital_clock"),
                text(alarm.days, 14.5, theme.text_2).lines(1).id("days_of_week"),
            ]);
            let flip = switch(alarm.on)
                .click(Msg::Flip(index))
                .desc(format!("{time} alarm"))
                .id("onoff");
            row([label.gap(2.0).grow(), flip])
                .class(class::FRAME)
                .cross(CrossAxisAlignment::Center)
                .height(104.0)
                .pad_xy(24.0, 0.0)
                .fill(theme.surface)
                .radius(22.0)
                .id("alarm")
                .long(Msg::Delete(index))
        });
        let mut views = vec![now];
        views.extend(alarms);
        let list = scroll(views)
            .id("alarm_recycler_view")
            .key("alarms")
            .gap(10.0)
            .pad_each(19.0, 0.0, 19.0, 96.0);
        stack([
            column([list]).grow().wide(),
            floating_button(theme, lucide_icons::Icon::Plus, "Add alarm", Msg::New),
        ])
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        let theme = &world.theme;
        let at = self.setting?;
        let press = |words: &str, by: i32| {
            crate::apps::parts::soft_button(theme, words, Msg::Turn(by))
                .height(48.0)
                .pad_xy(18.0, 0.0)
        };
        let turns = [[("− 1 h", -60), ("+ 1 h", 60)], [("− 5 min", -5), ("+ 5 min", 5)]];
        let turns = turns.map(|pair| {
            row(pair.map(|(words, by)| press(words, by)))
                .gap(10.0)
                .main(MainAxisAlignment::Center)
        });
        let mut views = vec![
            text("Select time", 17.0, theme.text_2).id("android:id/alertTitle"),
            text(words(at), 46.0, theme.text).align(Align::Center).id("time"),
        ];
        views.extend(turns);
        let (cancel, set) = (ScreenMessage::new(Msg::Cancel), ScreenMessage::new(Msg::Set));
        views.push(crate::apps::parts::dialog_buttons(
            theme,
            ("Cancel", cancel.clone()),
            ("OK", set),
        ));
        Some(Popup {
            name: "time",
            kind: PopupKind::Dialog,
            view: crate::apps::parts::dialog_box(theme, views),
            cancel: Some(cancel),
        })
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        let alarms = &mut world.apps.clock.alarms;
        match act.get::<Msg>() {
            Some(Msg::Flip(index)) => {
                if let Some(alarm) = alarms.get_mut(*index) {
                    alarm.on = !alarm.on;
                }
            }
            Some(Msg::Delete(index)) if *index < alarms.len() => {
                alarms.remove(*index);
                world.show_toast("Alarm deleted");
            }
            Some(Msg::New) => self.setting = Some(9 * 60 + 45),
            Some(Msg::Turn(by)) => {
                let day = 24 * 60;
                self.setting = self.setting.map(|at| (i32::from(at) + by).rem_euclid(day) as u16);
            }
            Some(Msg::Cancel) => self.setting = None,
            Some(Msg::Set) => {
                if let Some(at) = self.setting.take() {
                    alarms.push(Alarm {
                        at,
                        days: "Today",
                        on: true,
                    });
                    alarms.sort_by_key(|alarm| alarm.at);
                    world.show_toast(format!("Alarm set for {}", words(at)));
                }
            }
            _ => {}
        }
    }
}
