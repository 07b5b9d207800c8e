//! A past run done again without the AI.

mod page;

pub use page::PageKey;
