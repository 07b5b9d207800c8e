//! Money as phones write it.

mod amounts;
mod currency;
mod number;
mod shown;

pub use amounts::amounts;
pub(crate) use shown::pieces_on;
pub use shown::{amounts_on, figure, figures_on};
