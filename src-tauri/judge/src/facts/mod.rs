//! A screen turned once into typed facts.

mod app;
mod hit_test;
mod money;
mod page;
mod price;
mod secret;
mod task;
mod ui_element;

pub(crate) use app::App;
pub use page::Page;
pub(crate) use page::{Facts, NEAR, WIDE};
pub(crate) use price::is_card_number;
pub(crate) use secret::{looks_like_code, looks_like_voucher};
pub use secret::{makes_codes, mentions_code};
pub use task::tells_to_send_or_delete;
pub(crate) use task::tells_to_sign_in;
pub(crate) use ui_element::{UiElement, area, encloses, holds, id_name, in_column, in_row, level, words_of};
