//! Notes: a list that can be sorted and pulled into another order, an editor, deleting after a question.

mod data;
mod editor;
mod list;

pub(crate) use data::Data;

use crate::android::Intent;
use crate::system::{Activity, ActivityDeclaration, Icon, Manifest, Sign, World};
use crate::toolkit::color::Color;
use crate::toolkit::theme::Theme;

const PACKAGE: &str = "com.android.notes";
const LIST: &str = "com.android.notes.MainActivity";
const EDITOR: &str = "com.android.notes.EditorActivity";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Notes",
    version: "14",
    system: true,
    icon: Some(Icon {
        sign: Sign::Sheet,
        disc: Color::rgb(0xF2B53A),
        ink: Color::rgb(0x4A3306),
    }),
    activities: &[
        ActivityDeclaration::main(LIST),
        ActivityDeclaration::open(EDITOR, &["android.intent.action.CREATE_NOTE"]),
    ],
    open,
};

fn open(class: &str, _: &Intent, world: &mut World) -> Option<Box<dyn Activity>> {
    match class {
        LIST => Some(Box::new(list::List::default())),
        EDITOR => Some(Box::new(editor::Editor::new(world))),
        _ => None,
    }
}

/// Android's colours with the yellow of the icon.
fn theme(world: &World) -> Theme {
    if world.theme.dark {
        return Theme {
            accent: Color::rgb(0xF2C561),
            soft: Color::rgb(0x4A3A16),
            on_soft: Color::rgb(0xFCE7B8),
            ..world.theme
        };
    }
    Theme {
        background: Color::rgb(0xFFFBF3),
        surface: Color::WHITE,
        fill: Color::rgb(0xF5EEDF),
        line: Color::rgb(0xEFE6D3),
        accent: Color::rgb(0x8A5A00),
        soft: Color::rgb(0xFCE4AE),
        on_soft: Color::rgb(0x4A3306),
        ..world.theme
    }
}
