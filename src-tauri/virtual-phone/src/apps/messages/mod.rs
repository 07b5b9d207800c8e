//! Messages: conversations, as drawn; searching, writing, sending; codes that arrive.

mod compose;
mod conversation;
mod data;
mod list;
mod search;

pub(crate) use data::Data;

use crate::android::Intent;
use crate::system::{Activity, ActivityDeclaration, Icon, Manifest, Sign, World};
use crate::toolkit::color::Color;
use crate::toolkit::theme::Theme;

const PACKAGE: &str = "com.android.messaging";
const LIST: &str = "com.android.messaging.ui.conversationlist.ConversationListActivity";
const CONVERSATION: &str = "com.android.messaging.ui.conversation.ConversationActivity";
const SEARCH: &str = "com.android.messaging.ui.search.SearchActivity";
const COMPOSE: &str = "com.android.messaging.ui.conversation.LaunchConversationActivity";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Messages",
    version: "14",
    system: true,
    icon: Some(Icon {
        sign: Sign::Outline(lucide_icons::Icon::MessageCircle),
        disc: Color::rgb(0x2F66E0),
        ink: Color::WHITE,
    }),
    activities: &[
        ActivityDeclaration::main(LIST),
        ActivityDeclaration::open(
            CONVERSATION,
            &["android.intent.action.SENDTO", "android.intent.action.SEND"],
        )
        .links(&["sms", "smsto", "mms", "mmsto"]),
        ActivityDeclaration::inner(SEARCH),
        ActivityDeclaration::inner(COMPOSE),
    ],
    open,
};

fn open(class: &str, intent: &Intent, world: &mut World) -> Option<Box<dyn Activity>> {
    match class {
        LIST => Some(Box::new(list::List::default())),
        SEARCH => Some(Box::new(search::Search::default())),
        COMPOSE => Some(Box::new(compose::Compose::default())),
        CONVERSATION => Some(Box::new(conversation::Conversation::of(intent, world))),
        _ => None,
    }
}

/// Android's colours with the blue of the drawing.
fn theme(world: &World) -> Theme {
    if world.theme.dark {
        return world.theme;
    }
    Theme {
        accent: Color::rgb(0x3156D1),
        soft: Color::rgb(0xD5E1FF),
        on_soft: Color::rgb(0x0A1B4D),
        ..world.theme
    }
}
