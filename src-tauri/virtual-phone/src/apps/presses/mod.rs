//! Press tests: one thing to press, in each of the surroundings that decide what a finger does to it. No icon starts them;
//! `am start -n com.android.presstest/.PlainActivity` and so on does.
//!
//! `{"presses": {"done": ["plain"]}}` in the phone's state tells what was pressed, in order.

use crate::system::{Activity, ActivityDeclaration, Manifest, World};
use crate::toolkit::view::{Content, ScreenMessage, View, button, class, column, row, scroll, text};
use serde_json::{Value, json};

const PACKAGE: &str = "com.android.presstest";
/// What stands on the thing to press: no word for any deed.
const WORD: &str = "Engage";

/// The pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Page {
    /// A button under a text.
    Plain,
    /// A tall button on a page that is leafed through sideways.
    Pager,
    /// Tall cards side by side, one of which fills the screen.
    Carousel,
    /// Rows that are scrolled up and down.
    Rows,
    /// A web page of which nothing is told but its title.
    Web,
    /// A described drawing that takes presses and does not say so.
    Drawing,
}

const PAGES: [(Page, &str); 6] = [
    (Page::Plain, "com.android.presstest.PlainActivity"),
    (Page::Pager, "com.android.presstest.PagerActivity"),
    (Page::Carousel, "com.android.presstest.CarouselActivity"),
    (Page::Rows, "com.android.presstest.RowsActivity"),
    (Page::Web, "com.android.presstest.WebActivity"),
    (Page::Drawing, "com.android.presstest.DrawingActivity"),
];

const fn page(at: usize) -> ActivityDeclaration {
    ActivityDeclaration::open(PAGES[at].1, &[])
}

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Press tests",
    version: "1.0",
    system: false,
    icon: None,
    activities: &[page(0), page(1), page(2), page(3), page(4), page(5)],
    open: |wanted, _, _| {
        let (page, class) = PAGES.into_iter().find(|(_, class)| *class == wanted)?;
        Some(Box::new(Screen { page, class }))
    },
};

/// What was pressed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Data {
    done: Vec<&'static str>,
}

impl Data {
    pub(crate) fn tell_state(&self) -> Value {
        json!({"done": self.done})
    }
}

#[derive(Clone, Copy, Debug)]
struct Press(&'static str);

/// A press that leads on and lasts in nothing: it is not told.
#[derive(Clone, Copy, Debug)]
struct Pass;

#[derive(Debug)]
struct Screen {
    page: Page,
    class: &'static str,
}

impl Screen {
    fn thing(world: &World, done: &'static str, height: f32) -> View {
        button(WORD, 18.0, world.theme.on_accent)
            .height(height)
            .fill(world.theme.accent)
            .id("engage")
            .click(Press(done))
    }

    /// A card as wide as the screen.
    fn card(world: &World, words: &str, done: &'static str) -> View {
        column([text(words, 18.0, world.theme.text)])
            .width(world.width())
            .height(world.height() * 0.6)
            .id("card")
            .click(Press(done))
    }

    fn content(&self, world: &World) -> View {
        let theme = &world.theme;
        match self.page {
            Page::Plain => Self::thing(world, "plain", 120.0).wide(),
            Page::Pager => {
                let leaf = |view: View| column([view]).width(world.width());
                let second = text("The second page", 18.0, theme.text);
                row([leaf(Self::thing(world, "pager", 320.0).wide()), leaf(second)])
                    .scroll_across()
                    .class("androidx.viewpager.widget.ViewPager")
                    .key("pager")
                    .wide()
            }
            Page::Carousel => row([
                Self::card(world, WORD, "carousel"),
                Self::card(world, "Another", "another card"),
            ])
            .scroll_across()
            .class(class::RECYCLER)
            .key("carousel")
            .wide(),
            Page::Rows => {
                let names = [
                    WORD, "Basil", "Chives", "Dill", "Fennel", "Lovage", "Mint", "Parsley", "Sage", "Thyme",
                ];
                scroll(names.map(|name| {
                    let view = row([text(name, 18.0, theme.text)]).height(120.0).wide().id("row");
                    if name == WORD {
                        view.click(Press("row"))
                    } else {
                        view.click(Pass)
                    }
                }))
                .key("rows")
            }
            Page::Web => column([Self::thing(world, "web", 400.0).wide()])
                .class(class::WEB)
                .says("Alder Bank")
                .grow()
                .wide()
                .flat(),
            Page::Drawing => column([Self::thing(world, "drawing", 400.0).wide()])
                .class(class::VIEW)
                .desc("Your savings since May")
                .grow()
                .wide()
                .flat(),
        }
    }
}

impl Activity for Screen {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        self.class
    }

    fn view(&self, world: &World) -> View {
        let title = text("Alder Street", 24.0, world.theme.text)
            .id("title")
            .pad_xy(24.0, 20.0);
        let end = View::new(class::VIEW, Content::Empty).height(8.0);
        column([title, self.content(world), end])
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        if let Some(Press(done)) = act.get::<Press>() {
            world.apps.presses.done.push(done);
        }
    }
}
