//! The model: HTTP requests to whoever thinks for a run.
//!
//! The only room that speaks to model endpoints. [`Chat`] speaks OpenAI's chat completions, streamed, to any server
//! that understands them; it implements [`agent::ports::Model`]. Keys come through the port [`Keys`] when needed.
//! Absent on purpose: prompts (room `agent` builds them), the reading of an answer (room `dialect`), where keys are
//! kept (room `store`), sentences for people (`ui/words/`).
//!
//! # Another wire shape
//! Each shape is one module that implements `agent::ports::Model`. It writes its own request and folds its own
//! stream, as `chat::request` and `chat::answer` do, and shares the rest: `exchange` (one request under its time
//! limits), `sse` (the stream's framing), `complaint` (an error body → a `Trouble`), `backoff` and `wait` (another
//! try), `report` (a `Trouble` → a [`protocol::Failure`]), `http` (the transport), `address`.
//!
//! # What a failure carries
//! `host` and `model` always, `status` when the server answered, `seconds` when it said how long to wait, and a
//! `reason` where one code has several:
//!
//! | code | `reason` |
//! |---|---|
//! | `model_key` | `refused`, `forbidden` (the key is right but may not), `characters` (it cannot be sent) |
//! | `model_server` | `trouble`, `refused` (it does not take the request), `garbled` (not an answer) |
//! | `model_slow` | `connect`, `first` (nothing came), `stall` (it went quiet), `whole` (not done in time) |
//! | `model_offline` | `refused` (nobody listens), `name` (no such host, or no network), `unreachable`, `proxy`, |
//! | | `certificate`, `tls`, `roots` (this computer trusts no certificate), `lost` |
//! | `model_empty` | `empty`, `cut` (the connection broke), `length` (the limit was reached) |
//! | `model_declined` | `model`, `filter` |
//! | `model_address` | `empty`, `unreadable`, `scheme`, `credentials`, `plain` (http to a stranger), `plain_private`, |
//! | | `path` (no chat completions there), `redirect` (`to` names the other host) |
//!
//! Start reading at [`Chat::open`], then its `think`, then `trouble::Trouble`.

mod address;
mod backoff;
mod chat;
mod complaint;
pub mod demo;
mod exchange;
mod http;
mod keys;
mod patience;
mod picture;
mod report;
mod sse;
mod transport;
mod trouble;
mod wait;

pub use chat::{Chat, Endpoint};
pub use keys::{Keys, NoKey, OneKey};
pub use patience::Patience;
