//! The notes.

use crate::system::{InjectionSite, SystemOptions};
use serde_json::{Value, json};

/// One note.
#[derive(Clone, Debug)]
pub(super) struct Note {
    /// Never the same twice.
    pub(super) number: u32,
    pub(super) title: String,
    pub(super) text: String,
}

/// In which order the list stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sort {
    /// As they were pulled.
    #[default]
    Own,
    Title,
    Newest,
}

impl Sort {
    pub(super) const ALL: [Self; 3] = [Self::Own, Self::Title, Self::Newest];

    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Own => "My order",
            Self::Title => "Title",
            Self::Newest => "Newest first",
        }
    }
}

/// What Notes keeps.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub(super) notes: Vec<Note>,
    pub(super) sort: Sort,
    next: u32,
}

impl Data {
    pub(crate) fn new(options: &SystemOptions) -> Self {
        let mut data = Self {
            notes: Vec::new(),
            sort: Sort::Own,
            next: 1,
        };
        for (title, text) in [
            (
                "Market on Tuesday",
                "Ferns for the hallway 🌿\nTulips if they have red ones\nAsk the plant man about the lemon tree",
            ),
            (
                "Packing list",
                "Raincoat, charger, the good socks, book for the train",
            ),
            (
                "Crêpes",
                "250 g flour, 3 eggs, ½ l milk, a pinch of salt. Rest 30 minutes.",
            ),
            ("Wi-Fi at the café", "Ask at the counter"),
            ("Books to read", "The garden one Dana told me about"),
        ] {
            data.add(title.to_owned(), text.to_owned());
        }
        for text in options.injected(InjectionSite::Note) {
            data.add("Read me".to_owned(), text.to_owned());
        }
        data
    }

    /// A new note at the end; gives its number.
    pub(super) fn add(&mut self, title: String, text: String) -> u32 {
        let number = self.next;
        self.next += 1;
        self.notes.push(Note { number, title, text });
        number
    }

    pub(super) fn get(&self, number: u32) -> Option<&Note> {
        self.notes.iter().find(|note| note.number == number)
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut Note> {
        self.notes.iter_mut().find(|note| note.number == number)
    }

    pub(super) fn remove(&mut self, number: u32) {
        self.notes.retain(|note| note.number != number);
    }

    /// The notes in the order of the list.
    pub(super) fn sorted(&self) -> Vec<&Note> {
        let mut notes: Vec<&Note> = self.notes.iter().collect();
        match self.sort {
            Sort::Own => {}
            Sort::Title => notes.sort_by_key(|note| note.title.to_lowercase()),
            Sort::Newest => notes.sort_by_key(|note| std::cmp::Reverse(note.number)),
        }
        notes
    }

    /// Moves a note by some places.
    pub(super) fn shift(&mut self, number: u32, places: i32) {
        let Some(from) = self.notes.iter().position(|note| note.number == number) else {
            return;
        };
        let to = from
            .saturating_add_signed(places as isize)
            .min(self.notes.len() - 1);
        let note = self.notes.remove(from);
        self.notes.insert(to, note);
    }

    pub(crate) fn tell_state(&self) -> Value {
        self.notes
            .iter()
            .map(|note| json!({"title": note.title, "text": note.text}))
            .collect()
    }
}
