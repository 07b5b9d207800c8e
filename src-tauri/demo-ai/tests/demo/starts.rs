//! Where a run may begin: any app, several pages deep, the keyboard up, a dialog open, a list scrolled.

use crate::support::{Hand, Setup};

/// A screen to begin from: its name, and how it is reached.
pub(crate) struct Start {
    pub(crate) name: &'static str,
    component: Option<&'static str>,
    hand: fn(&mut Hand<'_>),
}

impl Start {
    /// The same setup, begun here.
    pub(crate) fn of(&self, setup: Setup) -> Setup {
        let setup = setup.named(self.name).after(self.hand);
        match self.component {
            Some(component) => setup.at(component),
            None => setup,
        }
    }
}

const fn page(name: &'static str, component: &'static str) -> Start {
    Start {
        name,
        component: Some(component),
        hand: |_| {},
    }
}

const fn hand(name: &'static str, hand: fn(&mut Hand<'_>)) -> Start {
    Start {
        name,
        component: None,
        hand,
    }
}

/// Every app, and the pages inside them.
pub(crate) const PAGES: &[Start] = &[
    hand("home", |_| {}),
    page("calendar", "com.android.calendar/.AllInOneActivity"),
    page("clock", "com.android.deskclock/.DeskClock"),
    page("mail", "com.android.email/.activity.MessageListActivity"),
    page("music", "com.android.music/.MusicBrowserActivity"),
    page("photos", "com.android.gallery3d/.app.GalleryActivity"),
    page("store", "com.android.store/.UpdatesActivity"),
    page("browser", "com.android.browser/.BrowserActivity"),
    page("keypad", "com.android.dialer/.main.impl.MainActivity"),
    page("contacts", "com.android.contacts/.activities.PeopleActivity"),
    page(
        "a contact",
        "com.android.contacts/.quickcontact.QuickContactActivity",
    ),
    page(
        "a new contact",
        "com.android.contacts/.activities.ContactEditorActivity",
    ),
    page("notes", "com.android.notes/.MainActivity"),
    page("a note", "com.android.notes/.EditorActivity"),
    page(
        "messages",
        "com.android.messaging/.ui.conversationlist.ConversationListActivity",
    ),
    page(
        "a conversation",
        "com.android.messaging/.ui.conversation.ConversationActivity",
    ),
    page(
        "search in messages",
        "com.android.messaging/.ui.search.SearchActivity",
    ),
    page(
        "a new conversation",
        "com.android.messaging/.ui.conversation.LaunchConversationActivity",
    ),
    page("shop", "com.greenleaf.shop/.MainActivity"),
    page("search in the shop", "com.greenleaf.shop/.SearchActivity"),
    page("a shelf", "com.greenleaf.shop/.CategoryActivity"),
    page("the usual order", "com.greenleaf.shop/.UsualOrderActivity"),
    page("a product", "com.greenleaf.shop/.ProductActivity"),
    page("the basket", "com.greenleaf.shop/.BasketActivity"),
    page("delivery times", "com.greenleaf.shop/.DeliverySlotActivity"),
    page("checkout", "com.greenleaf.shop/.CheckoutActivity"),
    page("an order placed", "com.greenleaf.shop/.OrderPlacedActivity"),
    page("all orders", "com.greenleaf.shop/.OrdersActivity"),
    page("bank", "com.northbank.mobile/.SignInActivity"),
    page("code of the bank", "com.northbank.mobile/.ConfirmCodeActivity"),
];

/// Pages somebody left in the middle of something.
pub(crate) const MIDDLES: &[Start] = &[
    hand("a text half written", |hand| {
        hand.open("com.android.messaging");
        hand.tap("Mum");
        hand.tap("compose_message_text");
        hand.write("Hello");
    }),
    hand("messages searched", |hand| {
        hand.open("com.android.messaging");
        hand.tap("Search messages");
        hand.write("bridge");
    }),
    hand("a menu in a conversation", |hand| {
        hand.open("com.android.messaging");
        hand.tap("Dana Whitlock");
        hand.tap("More options");
    }),
    hand("goods searched", |hand| {
        hand.open("com.greenleaf.shop");
        hand.tap("Search groceries");
        hand.write("bread");
    }),
    hand("the shop scrolled", |hand| {
        hand.open("com.greenleaf.shop");
        hand.scroll();
        hand.scroll();
    }),
    hand("a question at the checkout", |hand| {
        hand.open("com.greenleaf.shop");
        hand.tap("Add all to basket");
        hand.tap("Go to checkout");
        hand.tap("Thursday, 6–8 pm");
        hand.tap("Continue");
        hand.tap("Visa");
    }),
    hand("settings searched", |hand| {
        hand.open("com.android.settings");
        hand.tap("Search settings");
        hand.write("wifi");
    }),
    hand("settings scrolled", |hand| {
        hand.open("com.android.settings");
        hand.scroll();
    }),
    hand("a page deep in settings", |hand| {
        hand.open("com.android.settings");
        hand.scroll();
        hand.tap("System");
        hand.tap("Reset options");
        hand.tap("Erase all data (factory reset)");
    }),
    hand("a password asked by Wi-Fi", |hand| {
        hand.open("com.android.settings");
        hand.tap("Network & internet");
        hand.tap("Wi‑Fi");
        hand.tap("Bridge Café");
    }),
    hand("a note picked to be deleted", |hand| {
        hand.open("com.android.notes");
        hand.tap("Crêpes");
        hand.tap("Delete");
    }),
    hand("a contact half written", |hand| {
        hand.open("com.android.contacts");
        hand.tap("Create contact");
        hand.tap("name");
        hand.write("Somebody");
        hand.key("BACK");
        hand.key("BACK");
    }),
    hand("a web page scrolled", |hand| {
        hand.open("com.android.browser");
        hand.tap("The Alder Post");
        hand.scroll();
    }),
    hand("apps searched", |hand| {
        hand.tap("Search apps");
        hand.write("cal");
    }),
    hand("a permission asked", |hand| hand.open("com.android.camera2")),
    hand("the last apps", |hand| hand.key("APP_SWITCH")),
    hand("notifications", |hand| hand.key("NOTIFICATION")),
];
