//! Phone: a keypad, and a call that rings until it is ended.

use crate::android::Intent;
use crate::apps::parts::avatar;
use crate::system::{Activity, ActivityDeclaration, Bars, Icon, Manifest, Sign, World};
use crate::toolkit::color::Color;
use crate::toolkit::text::Align;
use crate::toolkit::view::{
    CrossAxisAlignment, MainAxisAlignment, ScreenMessage, View, class, column, gap, icon, row, spring, stack,
    text,
};
use serde_json::{Value, json};

const PACKAGE: &str = "com.android.dialer";
const KEYPAD: &str = "com.android.dialer.main.impl.MainActivity";
const CALL: &str = "com.android.incallui.InCallActivity";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Phone",
    version: "14",
    system: true,
    icon: Some(Icon {
        sign: Sign::Outline(lucide_icons::Icon::Phone),
        disc: Color::rgb(0x24A05F),
        ink: Color::WHITE,
    }),
    activities: &[
        ActivityDeclaration::main(KEYPAD)
            .answers(&["android.intent.action.DIAL"])
            .links(&["tel"]),
        ActivityDeclaration::inner(CALL),
    ],
    open: |class, intent, _| match class {
        KEYPAD => Some(Box::new(Keypad {
            number: number(intent),
        })),
        _ => None,
    },
};

fn number(intent: &Intent) -> String {
    intent
        .data
        .as_deref()
        .and_then(|data| data.strip_prefix("tel:"))
        .unwrap_or_default()
        .to_owned()
}

/// What Phone keeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Data {
    called: Vec<String>,
}

impl Data {
    pub(crate) fn tell_state(&self) -> Value {
        json!({"called": self.called})
    }
}

#[derive(Debug)]
struct Keypad {
    number: String,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Digit(char),
    Erase,
    Call,
    End,
}

const KEYS: [(char, &str); 12] = [
    ('1', " "),
    ('2', "ABC"),
    ('3', "DEF"),
    ('4', "GHI"),
    ('5', "JKL"),
    ('6', "MNO"),
    ('7', "PQRS"),
    ('8', "TUV"),
    ('9', "WXYZ"),
    ('*', " "),
    ('0', "+"),
    ('#', " "),
];

impl Activity for Keypad {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        KEYPAD
    }

    fn arrive(&mut self, intent: &Intent, _: &mut World) {
        if intent.data.is_some() {
            self.number = number(intent);
        }
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let height = if world.is_wide() { 52.0 } else { 74.0 };
        let key = |(digit, letters): &(char, &'static str)| {
            column([
                text(digit.to_string(), 30.0, theme.text).align(Align::Center),
                text(*letters, 11.5, theme.text_2).align(Align::Center),
            ])
            .class(class::FRAME)
            .desc(digit.to_string())
            .centered()
            .height(height)
            .grow()
            .fill(theme.fill)
            .radius(height / 2.0)
            .click(Msg::Digit(*digit))
        };
        let rows = KEYS
            .chunks(3)
            .map(|keys| row(keys.iter().map(key)).gap(12.0).wide());
        let name = world.apps.contacts.name_of(&self.number).unwrap_or_default();
        let shown = row([
            text(self.number.as_str(), 34.0, theme.text)
                .align(Align::Center)
                .lines(1)
                .grow()
                .id("digits"),
            crate::apps::parts::icon_button(
                lucide_icons::Icon::Delete,
                "backspace",
                theme.text_2,
                Msg::Erase,
            )
            .enabled(!self.number.is_empty())
            .id("deleteButton"),
        ]);
        let call = stack([icon(lucide_icons::Icon::Phone, 30.0, Color::WHITE)])
            .class(class::IMAGE_BUTTON)
            .centered()
            .size(76.0, 76.0)
            .fill(Color::rgb(0x24A05F))
            .radius(38.0)
            .id("dialpad_floating_action_button")
            .desc("dial")
            .click(Msg::Call)
            .flat();
        column([
            text("Phone", 32.0, theme.text)
                .id("toolbar_title")
                .pad_each(24.0, 34.0, 0.0, 0.0),
            spring(),
            text(name, 16.5, theme.text_2)
                .align(Align::Center)
                .id("contact_name"),
            shown
                .cross(CrossAxisAlignment::Center)
                .height(72.0)
                .pad_xy(12.0, 0.0),
            column(rows).gap(12.0).pad_xy(34.0, 8.0),
            row([call]).main(MainAxisAlignment::Center).pad_xy(0.0, 14.0),
            gap(10.0),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Digit(digit)) if self.number.chars().count() < 24 => self.number.push(*digit),
            Some(Msg::Erase) => drop(self.number.pop()),
            Some(Msg::Call) if !self.number.is_empty() => {
                let name = world
                    .apps
                    .contacts
                    .name_of(&self.number)
                    .unwrap_or_else(|| self.number.clone());
                world.apps.phone.called.push(name.clone());
                world.open(Calling { name });
            }
            _ => {}
        }
    }
}

/// A call that nobody answers.
#[derive(Debug)]
struct Calling {
    name: String,
}

const DEEP: Color = Color::rgb(0x14302A);

impl Activity for Calling {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CALL
    }

    fn bars(&self, _: &World) -> Bars {
        Bars::on(DEEP)
    }

    fn view(&self, _: &World) -> View {
        let end = stack([icon(lucide_icons::Icon::PhoneOff, 30.0, Color::WHITE)])
            .class(class::IMAGE_BUTTON)
            .centered()
            .size(76.0, 76.0)
            .fill(Color::rgb(0xD93025))
            .radius(38.0)
            .id("incall_end_call")
            .desc("End call")
            .click(Msg::End)
            .flat();
        column([
            gap(84.0),
            text("Calling…", 17.0, Color::WHITE.alpha(0.75))
                .align(Align::Center)
                .id("contactgrid_status_text"),
            text(self.name.as_str(), 32.0, Color::WHITE)
                .align(Align::Center)
                .id("contactgrid_contact_name"),
            gap(34.0),
            row([avatar(&self.name, 132.0)]).main(MainAxisAlignment::Center),
            spring(),
            row([end]).main(MainAxisAlignment::Center),
            gap(40.0),
        ])
        .gap(8.0)
        .fill(DEEP)
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        if matches!(act.get::<Msg>(), Some(Msg::End)) {
            world.finish();
        }
    }
}
