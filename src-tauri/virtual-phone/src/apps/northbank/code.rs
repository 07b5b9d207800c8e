//! "Confirm it's you": six digits from a text message, as drawn.

use super::data::Checked;
use super::home::Home;
use super::parts::{bars, big_button, head, theme};
use super::{CODE, PACKAGE};
use crate::system::{Activity, Bars, SystemRequest, World};
use crate::toolkit::color::Color;
use crate::toolkit::text::{Align, Span, TextStyle, Weight};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    ImeAction, InputKind, Inset, ScreenMessage, View, button, class, column, field, rich, row, scroll, stack,
    text,
};

/// Digits of a code.
const LENGTH: usize = 6;

/// The page. The code in it is told to nobody.
#[derive(Default)]
pub(super) struct Code {
    digits: String,
    error: Option<&'static str>,
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Code")
    }
}

#[derive(Clone)]
enum Msg {
    Write(String),
    Confirm,
    Again,
}

impl std::fmt::Debug for Msg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Msg")
    }
}

/// Sends a new code by text message.
pub(super) fn send_code(world: &mut World) {
    let code = world.apps.northbank.make_code(&mut world.rng);
    world.send_text(
        "Northbank",
        format!("Northbank: {code} is your code. We will never ask you for it."),
    );
}

impl Code {
    fn boxes(&self, theme: &Theme) -> View {
        let digits: Vec<char> = self.digits.chars().collect();
        let cells = (0..LENGTH).map(|index| {
            let digit = digits.get(index).map(char::to_string).unwrap_or_default();
            let here = index == digits.len().min(LENGTH - 1);
            let (width, color) = if here {
                (2.0, Color::rgb(0x3B6FD0))
            } else {
                (1.0, theme.line)
            };
            let cell = stack([text(digit, 27.0, theme.text).medium().align(Align::Center)]);
            cell.centered()
                .height(63.0)
                .grow()
                .max_width(56.0)
                .fill(theme.surface)
                .radius(10.0)
                .edge(width, color)
        });
        row(cells).class(class::VIEW).gap(11.0).wide().flat()
    }
}

impl Activity for Code {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        CODE
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn bars(&self, world: &World) -> Bars {
        bars(world)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let words = vec![
            Span::plain("We sent a 6-digit code by text message to the number ending in "),
            Span {
                weight: Some(Weight::Bold),
                ..Span::plain("44")
            },
            Span::plain("."),
        ];
        let input = field(&self.digits, "", TextStyle::new(20.0, theme.text), Msg::Write)
            .kind(InputKind::Number)
            .limit(LENGTH)
            .unseen()
            .action(ImeAction::Done, Msg::Confirm)
            .id("code_input")
            .key("code")
            .desc("6-digit code")
            .at(Inset {
                left: Some(0.0),
                top: Some(0.0),
                right: Some(0.0),
                bottom: Some(0.0),
            });
        let mut views = vec![
            rich(words, 19.0, theme.text).line(28.0).id("message"),
            stack([self.boxes(&theme), input])
                .wide()
                .margin(0.0, 24.0, 0.0, 0.0),
        ];
        if let Some(error) = self.error {
            views.push(
                text(error, 15.0, theme.danger)
                    .line(21.0)
                    .margin(0.0, 14.0, 0.0, 0.0)
                    .id("error"),
            );
        }
        let ready = self.digits.chars().count() == LENGTH;
        views.extend([
            big_button(&theme, "Confirm", ready, "confirm", Msg::Confirm).margin(0.0, 26.0, 0.0, 0.0),
            button("Send a new code", 16.0, theme.accent)
                .height(52.0)
                .wide()
                .radius(14.0)
                .margin(0.0, 8.0, 0.0, 0.0)
                .id("resend")
                .click(Msg::Again),
        ]);
        column([
            head("Confirm it’s you"),
            scroll(views)
                .class("android.widget.ScrollView")
                .key("code_page")
                .pad_each(28.0, 36.0, 28.0, 24.0),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>().cloned() {
            Some(Msg::Write(text)) => {
                self.digits = text.chars().filter(char::is_ascii_digit).take(LENGTH).collect();
                self.error = None;
            }
            Some(Msg::Confirm) => self.confirm(world),
            Some(Msg::Again) => {
                self.digits.clear();
                self.error = None;
                send_code(world);
                world.show_toast("We sent a new code");
            }
            None => {}
        }
    }
}

impl Code {
    fn confirm(&mut self, world: &mut World) {
        if self.digits.chars().count() != LENGTH {
            return;
        }
        match world.apps.northbank.check_code(&self.digits) {
            Checked::Right => {
                world.call(SystemRequest::Blur);
                world.clear_to(Home::default());
                return;
            }
            Checked::Wrong => self.error = Some("That code didn’t work. Check the newest message."),
            Checked::Spent => {
                self.error = Some("That was too often. We sent a new code.");
                send_code(world);
            }
        }
        self.digits.clear();
        world.call(SystemRequest::Focus("code"));
    }
}
