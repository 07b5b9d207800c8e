//! One of the goods.

use super::basket::Basket;
use super::data::dollars;
use super::parts::{bar, card, foot, footed, stepper, theme};
use super::{PACKAGE, PRODUCT};
use crate::system::{Activity, Bars, World};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, ScreenMessage, View, column, emoji, gap, row, scroll, spring, stack, text,
};

#[derive(Debug)]
pub(super) struct Product {
    index: usize,
    count: u32,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Back,
    Less,
    More,
    Put,
}

impl Product {
    pub(super) fn new(index: usize) -> Self {
        Self { index, count: 1 }
    }
}

impl Activity for Product {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        PRODUCT
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn bars(&self, world: &World) -> Bars {
        footed(world)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let data = &world.apps.greenleaf;
        let good = data.good(self.index);
        let picture = stack([emoji(good.picture, 150.0)])
            .centered()
            .height(230.0)
            .wide()
            .fill(theme.soft)
            .radius(22.0);
        let about = format!(
            "Packed the same morning by people who know their {}. Kept cool on the way to you.",
            good.kind.name().to_lowercase()
        );
        let mut words = vec![
            text(good.name, 25.0, theme.text).bold().id("product_name"),
            text(
                format!("{} · {}", good.unit, good.kind.name()),
                15.5,
                theme.text_2,
            )
            .id("product_unit"),
            gap(6.0),
            row([
                text(dollars(good.price), 24.0, theme.text)
                    .medium()
                    .id("product_price"),
                spring(),
                stepper(&theme, good.name, self.count, Msg::Less, Msg::More, 46.0),
            ])
            .cross(CrossAxisAlignment::Center)
            .wide(),
            gap(4.0),
            text(about, 15.5, theme.text_2)
                .line(23.0)
                .id("product_description"),
        ];
        let have = data.count(self.index);
        if have > 0 {
            words.push(
                text(format!("In your basket: {have}"), 15.0, theme.accent)
                    .medium()
                    .id("in_basket"),
            );
        }
        column([
            bar(&theme, "", Msg::Back),
            scroll([picture, card(&theme, vec![column(words).gap(6.0).pad(20.0)])])
                .id("product_page")
                .key("product")
                .gap(14.0)
                .pad_each(19.0, 4.0, 19.0, 20.0),
            foot(
                &theme,
                None,
                &format!("Add to basket · {}", dollars(good.price * self.count)),
                true,
                Msg::Put,
            ),
        ])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        match act.get::<Msg>() {
            Some(Msg::Back) => world.finish(),
            Some(Msg::Less) => self.count = self.count.saturating_sub(1).max(1),
            Some(Msg::More) => self.count = (self.count + 1).min(99),
            Some(Msg::Put) => {
                let have = world.apps.greenleaf.count(self.index);
                world.apps.greenleaf.put(self.index, have + self.count);
                world.finish();
                world.open(Basket);
            }
            None => {}
        }
    }
}
