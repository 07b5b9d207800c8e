//! A model's raw reply → one `protocol::Action`, or a typed `protocol::Unclear`; and back.
//!
//! Pure and total: any text in, an answer out, in linear time. A tokenizer ([`lexer`]) and a grammar ([`grammar`])
//! read structure; each dialect is a module that gives it meaning. What cannot be understood is never read as
//! `finish` and never as a touch at a default point; what is typed or run is never trimmed and never mended.
//! Absent on purpose: pixels (room `screen` resolves targets), sockets (room `model` brings the reply), judgement
//! (room `judge`; room `agent` does what it allows).
//!
//! Start reading at [`parse`], then `openpocket`, then `scan` and `grammar`.

mod action;
mod androidworld;
mod app_agent;
mod autoglm;
mod call_text;
mod cogagent;
mod detect;
mod dialect;
mod fields;
mod find;
mod grammar;
mod gui_owl;
mod gui_plus;
mod hermes;
mod keys;
mod labels;
mod lexer;
mod markup;
mod mobilerun;
mod notes;
mod omnimcp;
mod openpocket;
#[cfg(test)]
mod oracle;
mod parse;
mod point_fields;
mod quote;
mod quoted;
mod qwen;
mod repair;
mod reply;
mod scan;
mod space;
mod step_gui;
mod tool;
mod tool_call;
mod ui_tars;
mod ui_venus;
mod value;
mod variable;
mod verbs;
mod write;
mod write_values;

pub use dialect::{DIALECTS, Dialect, UnknownDialect};
pub use keys::key_code;
pub use parse::{Parsed, parse, parse_counting, parse_in, parse_on};
pub use space::Size;
pub use tool_call::{TOOL, openai_tool};
pub use variable::{fill, variables};
pub use write::{write_action, write_reply};
