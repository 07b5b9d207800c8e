//! The phone's screen, read: elements, targets, pixels, pictures, "is it still the same?".
//!
//! Pure functions over what the phone gave: nothing here opens a socket, file, process or clock. What a phone gives
//! broken is a typed error ([`TreeError`], [`picture::PictureError`]); what a model points at wrongly is a [`TargetError`].
//!
//! - [`Tree::read`]: `uiautomator` XML → elements numbered from 1 in reading order, each with a name made of what it is
//!   (the list of roles is in `tree/role.rs`). [`Tracker`]: ids that follow a thing from screen to screen.
//! - [`resolve_shown`], [`resolve_aim`], [`resolve_point`], [`element_at`], [`place`]: a model's target → the pixel a
//!   finger touches.
//! - [`View`], [`Space`], [`action_on_screen`], [`family`]: what a model's coordinates mean, by its family.
//! - [`scroll`]: a direction and an amount → strokes of a finger.
//! - [`picture`]: scaling, PNG and JPEG, blanking, numbered marks, comparing; [`picture::captured`] is what a capture
//!   of each mode shows.
//! - [`changed`]: does a person's Yes still stand? [`Scope`]: the words it was about. [`same_place`]: the same screen again?
//! - [`amounts`], [`amounts_on`], [`figures_on`], [`accounts`], [`parties`]: the money, cards and names a screen shows.
//! - [`address`]: the site a browser shows.
//! - [`mask()`], [`code_like`]: secrets taken out of elements; [`picture::fill`] takes them out of pictures.
//!
//! Absent on purpose: what is allowed (room `judge`), reading the phone (room `adb`), sentences for people.
//! Start reading at [`Tree::read`], then [`resolve`], then [`changed`].

mod account;
mod address;
mod codes;
mod elapsed;
mod mask;
mod money;
mod party;
pub mod picture;
pub mod rect;
mod same;
mod scope;
mod scroll;
mod space;
mod stable_hash;
mod target;
mod text;
mod tick;
mod track;
mod tree;

pub use account::{Account, accounts};
pub use address::{address, host, is_address_bar, is_browser};
pub use codes::codes_in;
pub use mask::{code_like, mask, mask_elements, mask_text};
pub use money::{amounts, amounts_on, figure, figures_on};
pub use party::{Party, PartySource, addressee, drafts, parties, recipients, title};
pub use same::{Change, MayDiffer, again, changed, changed_but, same_place};
pub use scope::Scope;
pub use scroll::{Stroke, scroll};
pub use space::{Display, FAMILIES, Family, Fit, Misplaced, Space, View, action_on_screen, family};
pub use target::{
    Candidate, Hit, TargetError, element_at, is_actionable, place, region, resolve, resolve_aim,
    resolve_point, resolve_shown,
};
pub use text::without_digits;
pub use track::Tracker;
pub use tree::{Node, Tree, TreeError, limit};
