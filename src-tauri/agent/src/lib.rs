//! The run: look, think, read, judge, ask, look again, promise, act, settle, tell.
//!
//! Pure but for its [`ports`]: it opens no socket, file, process or clock.
//! Absent on purpose: ADB (room `adb`), HTTP (room `model`), SQLite (room `store`), sentences for people (`ui/words/`).
//!
//! Start reading at `run/state.rs` (what a run owns), then `run/step.rs` (one step) and `run/allow.rs` (what is asked).

pub mod credential;
pub mod evidence;
pub mod geo_point;
pub mod guard;
pub mod history;
pub mod lease;
pub mod mandate;
pub mod notes;
pub mod permission;
pub mod plan;
pub mod pointing;
pub mod ports;
pub mod prior_progress;
pub mod prompt;
pub mod request;
pub mod run;
pub mod secrets;
pub mod timing;

pub use lease::{Grip, Lease, LeaseLost, Pass};
pub use run::{
    EventListener, Handle, Ports, STOP_BOUND, Task, code_of_state, failure_of, is_unusable, start,
    waits_for_phone,
};
