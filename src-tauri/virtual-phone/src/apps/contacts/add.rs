//! A new contact.

use super::{ADD, PACKAGE};
use crate::apps::parts::{boxed_field, icon_button};
use crate::system::{Activity, SystemRequest, World};
use crate::toolkit::text::TextStyle;
use crate::toolkit::view::{
    CrossAxisAlignment, ImeAction, InputKind, ScreenMessage, View, button, column, field, row, scroll, text,
};
use lucide_icons::Icon;

#[derive(Debug, Default)]
pub(super) struct Add {
    name: String,
    number: String,
}

#[derive(Clone, Debug)]
enum Msg {
    Back,
    Name(String),
    Number(String),
    Save,
}

impl Activity for Add {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        ADD
    }

    fn resume(&mut self, world: &mut World) {
        world.call(SystemRequest::Focus("name"));
    }

    fn view(&self, world: &World) -> View {
        let theme = &world.theme;
        let style = || TextStyle::new(17.5, theme.text);
        let name = field(&self.name, "Full name", style(), Msg::Name)
            .next()
            .id("name")
            .key("name");
        let number = field(&self.number, "Number", style(), Msg::Number)
            .kind(InputKind::Number)
            .action(ImeAction::Done, Msg::Save)
            .id("phone")
            .key("phone");
        let ready = !self.name.trim().is_empty();
        let ink = if ready { theme.on_accent } else { theme.text_3 };
        let save = button("Save", 15.5, ink)
            .height(42.0)
            .pad_xy(22.0, 0.0)
            .fill(if ready { theme.accent } else { theme.fill })
            .radius(21.0)
            .id("editor_menu_save_button")
            .enabled(ready)
            .click(Msg::Save);
        let bar = row([
            icon_button(Icon::X, "Cancel", theme.text, Msg::Back),
            text("Create contact", 22.0, theme.text)
                .grow()
                .id("toolbar_title"),
            save,
        ]);
        column([
            bar.cross(CrossAxisAlignment::Center)
                .gap(8.0)
                .height(72.0)
                .pad_each(9.0, 0.0, 19.0, 0.0),
            scroll([
                boxed_field(theme, "Name", name),
                boxed_field(theme, "Phone", number),
            ])
            .class("android.widget.ScrollView")
            .key("add")
            .gap(14.0)
            .pad_xy(24.0, 12.0),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>().cloned() {
            Some(Msg::Back) => world.finish(),
            Some(Msg::Name(text)) => self.name = text,
            Some(Msg::Number(text)) => self.number = text,
            Some(Msg::Save) if !self.name.trim().is_empty() => {
                world
                    .apps
                    .contacts
                    .add(self.name.trim().to_owned(), self.number.trim().to_owned());
                world.show_toast("Contact saved");
                world.finish();
            }
            Some(Msg::Save) | None => {}
        }
    }
}
