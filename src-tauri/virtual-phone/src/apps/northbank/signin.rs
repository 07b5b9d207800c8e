//! Signing in: user name and password.

use super::code::{Code, send_code};
use super::data::{PASSWORD, USER};
use super::parts::{bars, big_button, head, theme};
use super::{PACKAGE, SIGN_IN};
use crate::apps::parts::boxed_field;
use crate::system::{Activity, Bars, World};
use crate::toolkit::text::TextStyle;
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{ImeAction, ScreenMessage, View, column, field, gap, scroll, text};

/// The first page. What is written in it is told to nobody.
#[derive(Default)]
pub(super) struct SignIn {
    user: String,
    password: String,
    wrong: bool,
}

impl std::fmt::Debug for SignIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SignIn")
    }
}

#[derive(Clone)]
enum Msg {
    User(String),
    Password(String),
    Go,
}

impl std::fmt::Debug for Msg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Msg")
    }
}

impl SignIn {
    pub(super) fn of(world: &World) -> Self {
        if world.apps.northbank.remembered {
            Self {
                user: USER.to_owned(),
                password: PASSWORD.to_owned(),
                wrong: false,
            }
        } else {
            Self::default()
        }
    }
}

impl Activity for SignIn {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        SIGN_IN
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn bars(&self, world: &World) -> Bars {
        bars(world)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let style = TextStyle::new(17.5, theme.text);
        let user = field(&self.user, "Your user name", style.clone(), Msg::User)
            .next()
            .id("username")
            .key("user");
        let password = field(&self.password, "Your password", style, Msg::Password)
            .password()
            .action(ImeAction::Go, Msg::Go)
            .id("password")
            .key("password");
        let white = |view: View| view.fill(theme.surface).edge(1.0, theme.line);
        let ready = !self.user.trim().is_empty() && !self.password.is_empty();
        let mut views = vec![
            white(boxed_field(&theme, "User name", user)),
            white(boxed_field(&theme, "Password", password)),
        ];
        if self.wrong {
            views.push(text("User name or password is wrong.", 15.0, theme.danger).id("error"));
        }
        views.extend([
            gap(4.0),
            big_button(&theme, "Sign in", ready, "sign_in", Msg::Go),
            text(
                "We’ll text a code to the number ending in 44.",
                14.5,
                theme.text_2,
            )
            .line(21.0),
        ]);
        column([
            head("Good morning"),
            scroll(views)
                .class("android.widget.ScrollView")
                .key("sign_in_page")
                .gap(14.0)
                .pad_each(24.0, 26.0, 24.0, 24.0),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>().cloned() {
            Some(Msg::User(user)) => self.user = user,
            Some(Msg::Password(password)) => self.password = password,
            Some(Msg::Go) => {
                self.wrong = !world.apps.northbank.check_password(&self.user, &self.password);
                if !self.wrong {
                    send_code(world);
                    world.open(Code::default());
                }
            }
            None => {}
        }
    }
}
