//! The judge: what a phone would receive is judged here, and only what was judged can be sent.
//!
//! An action, whatever it is called, is lowered to [`Input`]s: strokes, keys, text that lands in a field, commands, links.
//! [`judge`] looks at those on the newest screen, never at the action's name or at what the model says of it, and answers
//! with [`Judged`] values, which nobody else can make and without which room `adb` sends nothing; with a [`Pending`], which
//! only a person's [`Yes`] turns into [`Judged`]; or with a refusal no setting lifts.
//!
//! Begin with `input.rs` (what is judged), `facts/` (a screen turned into typed facts), `rules.rs` (one flat table over
//! them). `guard.rs` is the second opinion: what it is asked, how its answer is read, what it may change.
//!
//! Pure and total: no file, no socket, no clock.

mod act;
pub mod after;
mod case;
pub mod command;
mod facts;
pub mod guard;
mod input;
mod judged;
mod key;
pub mod link;
mod mandate;
mod person;
mod rule_context;
mod rules;
mod verdict;
mod words;

pub use case::{Case, is_made_of};
pub use facts::{Page, makes_codes, mentions_code, tells_to_send_or_delete};
pub use input::{Input, Text, typed};
pub use judged::{Judged, wake};
pub use key::{Effect, Key};
pub use mandate::folded;
pub use person::{any_rule, bind, may_bind};
pub use verdict::{Pending, Verdict, Yes, after_yes, judge};
pub use words::mentions;
