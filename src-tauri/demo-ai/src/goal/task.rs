//! What there is to do.

/// One thing to do on the phone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Task {
    /// The weekly order of the grocery shop.
    Usual(Shopping),
    /// Single goods of the grocery shop.
    Goods {
        /// What, and how many.
        goods: Vec<ShoppingItem>,
        /// How it is to be ordered.
        shopping: Shopping,
    },
    /// Signing in to the bank.
    SignIn {
        /// The balance is asked for too.
        balance: bool,
    },
    /// A text message.
    Message {
        /// To whom, as the person calls them.
        to: String,
        /// What is to be sent; absent when the person did not say.
        text: Option<String>,
    },
    /// Something in Settings that is on or off.
    Switch {
        /// The setting.
        setting: &'static Setting,
        /// As it is to be.
        on: bool,
    },
    /// How bright the screen is, in percent.
    Brightness(u32),
    /// One line of About phone.
    Fact {
        /// As it stands there.
        line: &'static str,
    },
    /// What takes the most room on the phone.
    Storage,
    /// A page of Settings, to be shown.
    Show(&'static Route),
    /// Updates of apps.
    Updates {
        /// They are to be installed; else only told.
        install: bool,
    },
    /// A new note.
    AddNote {
        /// Its title, where the person gave one.
        title: Option<String>,
        /// What it says.
        text: String,
    },
    /// A note to be deleted.
    DeleteNote {
        /// How the person calls it.
        title: String,
    },
    /// A new contact.
    AddContact {
        /// The name.
        name: String,
        /// The number; may be empty.
        number: String,
    },
    /// Somebody's number.
    FindNumber {
        /// The person's name.
        name: String,
    },
    /// A web page.
    Page {
        /// Where the page is found.
        place: PageRef,
        /// Its headline is asked for.
        headline: bool,
    },
    /// An app, to be opened.
    Open {
        /// As the person calls it.
        app: String,
    },
    /// Words that are none of these.
    Unknown {
        /// The words.
        words: String,
    },
}

/// How an order is to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shopping {
    /// It is to be paid.
    pub(crate) pay: bool,
    /// When it is to come.
    pub(crate) slot: DeliverySlot,
}

/// When an order is to come, as far as the person said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeliverySlot {
    /// The day, in small letters.
    pub(crate) day: Option<&'static str>,
    /// Morning or evening.
    pub(crate) part: Option<PartOfDay>,
}

/// A part of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartOfDay {
    /// Before noon.
    Morning,
    /// After it.
    Evening,
}

/// One of the goods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShoppingItem {
    /// How many; what stands in the basket already counts.
    pub(crate) count: u32,
    /// As the person calls it, in small letters.
    pub(crate) name: String,
}

/// Something that is on or off.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    /// As a sentence calls it.
    pub(crate) name: &'static str,
    /// What the person may call it.
    pub(super) words: &'static [&'static str],
    /// How its switch begins.
    pub(crate) switch: &'static str,
    /// Where it is.
    pub(crate) route: &'static Route,
}

/// The way to a page of Settings.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Route {
    /// What is pressed, from the first page on.
    pub(crate) rows: &'static [&'static str],
    /// The page's own title.
    pub(crate) title: &'static str,
    /// What is searched for where the rows are not found.
    pub(crate) search: &'static str,
    /// What the person may call the page.
    pub(super) words: &'static [&'static str],
}

/// Which page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PageRef {
    /// By its address.
    Address(String),
    /// By what the browser's own list calls it.
    Named(String),
    /// The one that is open.
    Front,
}
