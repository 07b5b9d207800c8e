//! The list of notes.

use super::data::{Note, Sort};
use super::editor::Editor;
use super::{LIST, PACKAGE, theme};
use crate::apps::parts::{dialog, floating_button, icon_button, menu, nothing};
use crate::system::{Activity, Popup, World};
use crate::toolkit::theme::Theme;
use crate::toolkit::view::{
    CrossAxisAlignment, DragEvent, DragPhase, ScreenMessage, View, class, column, icon, row, scroll, spring,
    stack, text,
};
use lucide_icons::Icon;

/// Height of a row and the space below it, in dp.
const ROW: f32 = 92.0;
const GAP: f32 = 10.0;

#[derive(Debug, Default)]
pub(super) struct List {
    picked: Vec<u32>,
    asks: bool,
    sorting: bool,
    /// Which note is being pulled, and how far.
    pulled: Option<(u32, f32)>,
}

#[derive(Clone, Copy, Debug)]
enum Msg {
    Open(u32),
    Pick(u32),
    Drop,
    Ask,
    Keep,
    Delete,
    New,
    Sorts,
    NoSorts,
    Sort(Sort),
    Pull(u32, DragEvent),
}

/// How many places a pull of this length moves a note.
fn places(y: f32) -> i32 {
    (y / (ROW + GAP)).round() as i32
}

impl List {
    fn line(&self, note: &Note, theme: &Theme, movable: bool) -> View {
        let number = note.number;
        let picked = self.picked.contains(&number);
        let title = if note.title.is_empty() {
            "Untitled"
        } else {
            &note.title
        };
        let words = column([
            text(title, 18.0, theme.text).medium().lines(1).id("note_title"),
            text(note.text.replace('\n', " · "), 15.0, theme.text_2)
                .lines(2)
                .line(20.0)
                .id("note_text"),
        ])
        .gap(3.0)
        .grow();
        let mut views = vec![words];
        if movable {
            let handle = stack([icon(Icon::GripVertical, 22.0, theme.text_3)])
                .class(class::IMAGE)
                .centered()
                .size(40.0, 60.0)
                .desc(format!("Reorder {title}"))
                .id("drag_handle")
                .key(format!("handle{number}"))
                .pull(move |pull| Msg::Pull(number, pull))
                .flat();
            views.push(handle);
        }
        let message = if self.picked.is_empty() {
            Msg::Open(number)
        } else {
            Msg::Pick(number)
        };
        let line = row(views)
            .class(class::GROUP)
            .id("note")
            .cross(CrossAxisAlignment::Center)
            .gap(8.0)
            .height(ROW)
            .pad_each(20.0, 0.0, 10.0, 0.0)
            .wide()
            .fill(if picked { theme.soft } else { theme.surface })
            .edge(1.0, theme.line)
            .radius(18.0)
            .selected(picked)
            .click(message)
            .long(Msg::Pick(number));
        match self.pulled {
            Some((pulled, y)) if pulled == number => {
                line.shift(0.0, y - places(y) as f32 * (ROW + GAP)).lift(4.0)
            }
            _ => line,
        }
    }

    fn head(&self, theme: &Theme, sort: Sort) -> View {
        if !self.picked.is_empty() {
            return row([
                icon_button(Icon::X, "Cancel", theme.text, Msg::Drop),
                text(format!("{} selected", self.picked.len()), 21.0, theme.text).grow(),
                icon_button(Icon::Trash2, "Delete", theme.text, Msg::Ask).id("delete"),
            ])
            .cross(CrossAxisAlignment::Center)
            .gap(8.0)
            .height(116.0)
            .pad_xy(9.0, 0.0);
        }
        let spinner = row([
            text(sort.words(), 15.0, theme.text).id("android:id/text1"),
            icon(Icon::ChevronDown, 18.0, theme.text_2),
        ])
        .class(class::SPINNER)
        .desc("Sort order")
        .id("sort_spinner")
        .gap(6.0)
        .cross(CrossAxisAlignment::Center)
        .height(40.0)
        .pad_xy(14.0, 0.0)
        .fill(theme.fill)
        .radius(20.0)
        .click(Msg::Sorts);
        row([
            text("Notes", 32.0, theme.text).id("toolbar_title"),
            spring(),
            spinner,
        ])
        .cross(CrossAxisAlignment::Center)
        .height(116.0)
        .pad_each(24.0, 20.0, 19.0, 0.0)
    }

    // The notes as they stand while one is being pulled.
    fn shown<'a>(&self, world: &'a World) -> Vec<&'a Note> {
        let mut notes = world.apps.notes.sorted();
        if let Some((number, y)) = self.pulled
            && let Some(from) = notes.iter().position(|note| note.number == number)
        {
            let to = from
                .saturating_add_signed(places(y) as isize)
                .min(notes.len() - 1);
            let note = notes.remove(from);
            notes.insert(to, note);
        }
        notes
    }
}

impl Activity for List {
    fn package(&self) -> &'static str {
        PACKAGE
    }

    fn class(&self) -> &'static str {
        LIST
    }

    fn theme(&self, world: &World) -> Theme {
        theme(world)
    }

    fn view(&self, world: &World) -> View {
        let theme = theme(world);
        let sort = world.apps.notes.sort;
        let movable = sort == Sort::Own && self.picked.is_empty();
        let mut lines: Vec<View> = self
            .shown(world)
            .into_iter()
            .map(|note| self.line(note, &theme, movable))
            .collect();
        if lines.is_empty() {
            lines.push(nothing(&theme, Icon::StickyNote, "No notes yet"));
        }
        let list = scroll(lines)
            .id("note_list")
            .key("notes")
            .gap(GAP)
            .pad_each(19.0, 4.0, 19.0, 96.0);
        let page = column([self.head(&theme, sort), list]).grow().wide();
        stack([page, floating_button(&theme, Icon::Plus, "New note", Msg::New)])
    }

    fn popup(&self, world: &World) -> Option<Popup> {
        let theme = theme(world);
        if self.asks {
            let title = if self.picked.len() == 1 {
                "Delete note?"
            } else {
                "Delete notes?"
            };
            let (keep, delete) = (ScreenMessage::new(Msg::Keep), ScreenMessage::new(Msg::Delete));
            return Some(dialog(
                &theme,
                "delete",
                title,
                "This can’t be undone.",
                ("Cancel", keep),
                ("Delete", delete),
            ));
        }
        self.sorting.then(|| {
            let items = Sort::ALL
                .map(|sort| (sort.words().to_owned(), ScreenMessage::new(Msg::Sort(sort))))
                .to_vec();
            menu(
                &theme,
                "sort",
                "sort_spinner",
                items,
                ScreenMessage::new(Msg::NoSorts),
            )
        })
    }

    fn back(&mut self, _: &mut World) -> bool {
        let picked = !self.picked.is_empty();
        self.picked.clear();
        picked
    }

    fn act(&mut self, act: &ScreenMessage, world: &mut World) {
        let Some(msg) = act.get::<Msg>() else { return };
        match *msg {
            Msg::Open(number) => world.open(Editor::of(number)),
            Msg::Pick(number) => match self.picked.iter().position(|picked| *picked == number) {
                Some(at) => drop(self.picked.remove(at)),
                None => self.picked.push(number),
            },
            Msg::Drop => self.picked.clear(),
            Msg::Ask => self.asks = true,
            Msg::Keep => self.asks = false,
            Msg::Delete => {
                self.asks = false;
                for number in self.picked.drain(..) {
                    world.apps.notes.remove(number);
                }
            }
            Msg::New => {
                let editor = Editor::new(world);
                world.open(editor);
            }
            Msg::Sorts => self.sorting = true,
            Msg::NoSorts => self.sorting = false,
            Msg::Sort(sort) => {
                world.apps.notes.sort = sort;
                self.sorting = false;
            }
            Msg::Pull(number, pull) => match pull.phase {
                DragPhase::Move => self.pulled = Some((number, pull.y)),
                DragPhase::Drop => {
                    self.pulled = None;
                    world.apps.notes.shift(number, places(pull.y));
                }
            },
        }
    }
}
