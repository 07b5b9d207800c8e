//! A past run done again without the AI: recorded once, found again on another day, and left to the AI where it does not fit.
//!
//! - [`record`]: a run's journal and the screens of its steps → a [`Recording`]. What of it the journal keeps, and what has
//!   to be written down beside each step from now on, is told at [`RecordedStep`].
//! - [`Variables`]: words of the task that were typed or touched; a recording holds them as `{name}`. [`propose`] finds them.
//! - [`find()`]: the thing a step touched, on the screen as it is now: exactly one, or none is touched.
//! - [`Replay`]: what is to be done next, one answer a look. It touches nothing: what it answers is an action like a model's,
//!   and the same judge and the same questions stand in front of it.
//!
//! Never in here: a second try of what may have been done; a touch by place alone; a code or a password. What was read from
//! a screen by the AI, and what a person's own hand did, is no part of a recording: there the AI is asked.
//!
//! Absent on purpose: files, sockets, clocks; sentences. A run asks it by the port [`Replayer`]; who keeps recordings and begins
//! such runs is room `engine`. Start reading at [`Replay::next`], then [`find()`].

mod approval;
mod around;
mod average_hash;
mod find;
mod heal;
mod interruption;
mod journal;
mod learned_steps;
mod page;
mod proposal;
mod record;
mod recording;
mod replay;
mod stroke;
mod target;
mod template;
mod words;

pub use agent::ports::{Heal, LastActResult, NotRepeatable, ReplayStep, ReplayView, Replayer, WhyAi};
pub use approval::Approval;
pub use average_hash::AverageHash;
pub use find::{FindResult, find};
pub use page::{PageKey, PageView};
pub use proposal::propose;
pub use record::record;
pub use recording::{RecordError, RecordedAction, RecordedStep, Recording, Step};
pub use replay::Replay;
pub use target::RecordedTarget;
pub use template::{Template, Variables};
