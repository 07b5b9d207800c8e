//! Automations without a clock: when each begins, what a plan may say, and what is to be done now about what is due.
//!
//! Every function is given the moment and the zone. [`times`] goes from a schedule to moments; [`decide`] goes from what
//! the journal and the phones say to what is to be written and begun, one step at a time, so that a program killed between
//! any two of them goes on where it was. Whoever calls writes each step down before it does anything about it.
//!
//! Absent on purpose: files, sockets, processes, clocks; sentences; how a run is begun (room `engine`).
//!
//! Start reading at [`times::next`], then [`decide::fall_due`].

pub mod check;
pub mod decide;
pub mod exchange;
pub mod fill;
pub mod times;

pub use check::check;
pub use exchange::{ExchangeError, export, import};
pub use fill::{FillError, fill, names, values_of};
pub use times::{DueTimes, due, next};
