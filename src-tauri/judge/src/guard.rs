//! The second opinion on a page: what it is asked, how its answer is read, what it is remembered by.
//!
//! [`Question::of`] is the whole prompt: a fixed text, the person's task, and the page as quoted data; never a word of the
//! acting model's. What is not answered clearly is [`Say::Unclear`]. What an opinion may change is the rules' affair.

mod answer;
mod opinion;
mod page;
mod page_key;
mod question;

pub use opinion::{Opinion, Say};
pub use page::Page;
pub use page_key::PageKey;
pub use question::{Asked, PRESSABLES, Question};
