//! The model: HTTP requests to whoever thinks for a run.
//!
//! The only room that speaks to model endpoints. [`Remote`] is a model behind a server: it implements
//! [`agent::ports::Model`] in any of the wire formats, streamed. Keys come through the port [`Keys`] when needed.
//! Absent on purpose: the prompt of a step (room `agent` builds it; `trained` says the same facts in the words of models
//! that know only their own), the reading of an answer (room `dialect`), where keys are kept (room `store`), sentences
//! for people (`ui/words/`).
//!
//! # What is data
//! [`PRESETS`]: the makers, their addresses and shapes. [`PROFILES`]: how each model acts (a tool, text, its own trained
//! words), what it is sent, and which of [`screen::FAMILIES`] reads its coordinates. `data/prices.json`: what models
//! cost, dated, written by the script beside it. A maker's own list of models ([`offered`]) and servers found on this
//! computer ([`nearby`]) complete them.
//!
//! # Another wire shape
//! One module in `wire_format` that writes its request and folds its events into the same `Fold`; everything else is shared:
//! `exchange` (one request under its time limits), `sse` (the stream's framing), `error_parse` (an error body → a
//! `ModelError`), `backoff` and `wait` (another try), `wire_format::request_format` (what a server takes of a request, learned from its
//! refusals), `report` (a `ModelError` → a [`protocol::Failure`]), `http` (the transport), `address`.
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
//! | `model_empty`, `model_cut`, `model_long` | nothing came, the connection broke, the limit was reached |
//! | `model_page` | `page` (in place of an answer), `redirect` (the maker's own address led to another) |
//! | `model_later` | it wants to be left alone for longer than is waited: `seconds` |
//! | `model_declined` | `model`, `filter` |
//! | `model_address` | `empty`, `unreadable`, `scheme`, `credentials`, `plain` (http to a stranger), `plain_private`, |
//! | | `path` (no model answers there), `redirect` (`to` names the other host) |
//!
//! Start reading at [`Remote::open`], then its `think`, then `remote/ask.rs`, then `error::ModelError`.

mod address;
mod backoff;
mod best;
mod catalog;
mod error;
mod error_parse;
mod exchange;
mod guard;
mod http;
mod keys;
mod nearby;
mod picture;
mod preset;
mod price;
mod profile;
mod remote;
mod report;
mod sse;
mod timeouts;
mod tool;
mod trained;
mod transport;
mod wait;
mod wire_format;

pub use catalog::offered;
pub use guard::GuardModel;
pub use keys::{FixedKey, Keys, NoKey};
pub use nearby::{nearby, nearby_at};
pub use picture::Packing;
pub use preset::{PRESETS, Preset, cards, maker_at, preset, typed};
pub use price::{KnownModel, as_of, known};
pub use profile::{Language, PROFILES, Profile};
pub use remote::Remote;
pub use timeouts::Timeouts;
pub use trained::dialect;
