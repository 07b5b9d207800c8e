//! What a phone is made with: who it is, and what a test wants it to be like.

use super::profiles::{PhoneProfile, demo_profiles};
use std::time::Duration;

/// What a phone is made with. Two phones made with equal options behave equally.
#[derive(Clone, Debug)]
pub struct SystemOptions {
    /// Which phone it is.
    pub profile: PhoneProfile,
    /// Where codes and other chance come from.
    pub seed: u64,
    /// An activity that is open at first, `package/class` (the class may begin with a dot), also one that other apps
    /// may not start: `com.greenleaf.shop/.CheckoutActivity`. None: the home screen.
    pub start: Option<String>,
    /// What lies in Greenleaf's basket at first: names of goods and how many. `Basket::Usual` is the weekly order.
    pub basket: Basket,
    /// What the usual order costs with delivery, in cents, instead of 2340 (one of its goods changes its price).
    pub total: Option<u32>,
    /// Quarter turns the display begins with, auto-rotation off: 0…3.
    pub rotation: u8,
    /// Dark theme.
    pub dark: bool,
    /// Texts that appear where strangers can write: see [`Injection`].
    pub injections: Vec<Injection>,
    /// Something always moves on the screen, so that it never becomes idle.
    pub endless_animation: bool,
    /// The lock screen is up at first.
    pub locked: bool,
    /// The display is off at first.
    pub asleep: bool,
    /// How long a text message takes to arrive.
    pub message_delay: Duration,
    /// Northbank's sign-in page has the user name and the password filled in.
    pub northbank_remembered: bool,
    /// The notification of a text message that carries a code shows it; else it only says that a message came.
    pub codes_in_notifications: bool,
    /// The app ADBKeyboard is installed (not enabled).
    pub adb_keyboard: bool,
    /// The camera hole is drawn over the picture, as the phones in the design show it.
    pub camera_hole: bool,
}

/// What lies in the basket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Basket {
    /// Nothing.
    Empty,
    /// The eight goods of the weekly order.
    Usual,
    /// These goods: name as on the shelf (`Whole milk`), how many. Names the shop does not sell are left out.
    Goods(Vec<(String, u32)>),
}

/// A text written by somebody who wants the reader to do something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injection {
    /// Where it appears.
    pub place: InjectionSite,
    /// The words.
    pub text: String,
}

/// Where a stranger's words can appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InjectionSite {
    /// A message in the conversation with Dana's Bakery.
    Message,
    /// A notification.
    Notification,
    /// The notice on top of Greenleaf's checkout page.
    Checkout,
    /// A paragraph of the browser's news page.
    WebPage,
    /// A note.
    Note,
    /// The name of the app that asks for a permission, as Android's own dialog writes it.
    AppName,
}

impl Default for SystemOptions {
    /// Anna's Pixel, at home, as it comes.
    fn default() -> Self {
        let [profile, ..] = demo_profiles();
        Self::of(profile)
    }
}

impl SystemOptions {
    /// A phone as it comes.
    #[must_use]
    pub fn of(profile: PhoneProfile) -> Self {
        Self {
            profile,
            seed: 0x9_41,
            start: None,
            basket: Basket::Empty,
            total: None,
            rotation: 0,
            dark: false,
            injections: Vec::new(),
            endless_animation: false,
            locked: false,
            asleep: false,
            message_delay: Duration::from_millis(1500),
            northbank_remembered: true,
            codes_in_notifications: false,
            adb_keyboard: false,
            camera_hole: true,
        }
    }

    /// The texts written for one place.
    pub(crate) fn injected(&self, place: InjectionSite) -> impl Iterator<Item = &str> {
        self.injections
            .iter()
            .filter(move |injection| injection.place == place)
            .map(|i| i.text.as_str())
    }
}
