//! Contacts: a list, a card, a new one.

mod add;
mod card;
mod list;

use crate::android::Intent;
use crate::system::{Activity, ActivityDeclaration, Icon, Manifest, Sign, World};
use crate::toolkit::color::Color;
use serde_json::{Value, json};

const PACKAGE: &str = "com.android.contacts";
const LIST: &str = "com.android.contacts.activities.PeopleActivity";
const CARD: &str = "com.android.contacts.quickcontact.QuickContactActivity";
const ADD: &str = "com.android.contacts.activities.ContactEditorActivity";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Contacts",
    version: "14",
    system: true,
    icon: Some(Icon {
        sign: Sign::Outline(lucide_icons::Icon::User),
        disc: Color::rgb(0x3D6FD9),
        ink: Color::WHITE,
    }),
    activities: &[
        ActivityDeclaration::main(LIST),
        ActivityDeclaration::inner(CARD),
        ActivityDeclaration::open(ADD, &["android.intent.action.INSERT"]),
    ],
    open,
};

fn open(class: &str, _: &Intent, world: &mut World) -> Option<Box<dyn Activity>> {
    match class {
        LIST => Some(Box::new(list::List)),
        CARD => Some(Box::new(card::Card::of(
            world.apps.contacts.all.first()?.name.as_str(),
        ))),
        ADD => Some(Box::new(add::Add::default())),
        _ => None,
    }
}

/// Somebody.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    pub(crate) name: String,
    pub(crate) number: String,
}

/// What Contacts keeps, by name.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    all: Vec<Contact>,
}

impl Data {
    pub(crate) fn new() -> Self {
        let mut data = Self { all: Vec::new() };
        for (name, number) in [
            ("Anna", "(555) 010-0118"),
            ("Dana Whitlock", "(555) 010-0142"),
            ("Dana’s Bakery", "(555) 010-0177"),
            ("Flower stall", "(555) 010-0191"),
            ("Greenleaf", "(555) 010-0160"),
            ("Mum", "(555) 010-0102"),
            ("Northbank", "(555) 010-0100"),
            ("Plant man", "(555) 010-0155"),
        ] {
            data.add(name.to_owned(), number.to_owned());
        }
        data
    }

    pub(crate) fn all(&self) -> &[Contact] {
        &self.all
    }

    fn add(&mut self, name: String, number: String) {
        self.all.push(Contact { name, number });
        self.all.sort_by_key(|contact| contact.name.to_lowercase());
    }

    fn find(&self, name: &str) -> Option<&Contact> {
        self.all.iter().find(|contact| contact.name == name)
    }

    /// Whose number this is, however it is written.
    pub(crate) fn name_of(&self, number: &str) -> Option<String> {
        let digits = |number: &str| number.chars().filter(char::is_ascii_digit).collect::<String>();
        let wanted = digits(number);
        let same = |contact: &&Contact| !wanted.is_empty() && digits(&contact.number) == wanted;
        self.all.iter().find(same).map(|contact| contact.name.clone())
    }

    pub(crate) fn tell_state(&self) -> Value {
        self.all
            .iter()
            .map(|contact| json!({"name": contact.name, "number": contact.number}))
            .collect()
    }
}
