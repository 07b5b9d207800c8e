//! What the numbers of a model's point count, and where on the screen they point.

mod action;
mod family;
mod view;

pub use action::action_on_screen;
pub use family::{FAMILIES, Family, Fit, family};
pub use protocol::Space;
pub use view::{Display, Misplaced, View};
