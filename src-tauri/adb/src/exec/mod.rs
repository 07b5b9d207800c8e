//! One command line on a phone, under the lease, from its first byte to its surely known end.
//!
//! Start reading at [`remote_command`].

pub(crate) mod cancel_guard;
pub(crate) mod nonce;
pub(crate) mod output_parse;
pub mod quote;
pub(crate) mod remote_command;
pub(crate) mod script;
pub(crate) mod several;
pub(crate) mod termination;
