//! An answer as it comes: events of a stream or one document, read by their shape, folded into one text.

use super::answer_builder::{AnswerBuilder, TEXT, Tokens};
use super::{chat, completions, gemini, messages, responses};
use crate::error::{ModelError, said};
use crate::error_parse;
use crate::exchange::{Answer, Progress};
use crate::sse::{Frames, Sse};
use protocol::WireShape;
use serde_json::Value;

/// Bytes of everything that comes, thoughts included.
const STREAM: usize = 32 << 20;

/// An answer as it grows.
pub(crate) struct AnswerStream {
    shape: WireShape,
    mode: Mode,
    bytes: usize,
    builder: AnswerBuilder,
}

/// How it comes.
#[derive(Default)]
enum Mode {
    /// Not a byte of substance yet.
    #[default]
    Unknown,
    /// As events.
    Stream(Box<Frames>),
    /// As one JSON document, read at its end; or as a page, which is no answer.
    Whole(Vec<u8>),
}

impl Answer for AnswerStream {
    fn feed(&mut self, piece: &[u8]) -> Result<(), ModelError> {
        self.bytes += piece.len();
        if self.bytes > STREAM || self.builder.held() > TEXT {
            return Err(ModelError::Length);
        }
        if matches!(self.mode, Mode::Unknown) {
            match piece.iter().find(|byte| !byte.is_ascii_whitespace()) {
                None => return Ok(()),
                Some(b'{' | b'[' | b'<') => {
                    self.builder.is_whole = true;
                    self.mode = Mode::Whole(Vec::new());
                }
                Some(_) => self.mode = Mode::Stream(Box::default()),
            }
        }
        let events = match &mut self.mode {
            Mode::Unknown => return Ok(()),
            Mode::Whole(held) => {
                held.extend_from_slice(piece);
                return Ok(());
            }
            Mode::Stream(frames) => frames.feed(piece).map_err(|_| ModelError::Length)?,
        };
        events.into_iter().try_for_each(|event| self.take(&event))
    }

    fn progress(&self) -> Progress {
        if self.builder.is_closed {
            Progress::Closed
        } else if self.builder.is_finished() {
            Progress::Finished
        } else if self.builder.is_begun {
            Progress::Begun
        } else {
            Progress::Waiting
        }
    }

    fn heard(&self) -> usize {
        match &self.mode {
            Mode::Whole(held) => held.len(),
            Mode::Unknown | Mode::Stream(_) => self.builder.heard(),
        }
    }
}

impl AnswerStream {
    pub(crate) fn new(shape: WireShape, has_picture: bool) -> Self {
        Self {
            shape,
            mode: Mode::Unknown,
            bytes: 0,
            builder: AnswerBuilder::new(has_picture),
        }
    }

    /// What the server counted so far, if it did. Tokens of an answer that failed were paid for too.
    pub(crate) fn tokens(&self) -> Option<Tokens> {
        self.builder.tokens()
    }

    /// The whole text, once the stream has ended.
    ///
    /// # Errors
    /// When it is not whole, empty, stopped by a limit or a filter, or no answer at all.
    pub(crate) fn end(&mut self) -> Result<String, ModelError> {
        match std::mem::take(&mut self.mode) {
            Mode::Unknown => return Err(ModelError::Cut("nothing came".to_owned())),
            Mode::Stream(mut frames) => {
                // Half an event is no event: then the answer is cut, which is found out below.
                if let Some(event) = frames.end()
                    && (event.data.trim() == "[DONE]" || serde_json::from_str::<Value>(&event.data).is_ok())
                {
                    self.take(&event)?;
                }
            }
            Mode::Whole(held) => self.whole(&held)?,
        }
        if self.builder.held() > TEXT {
            return Err(ModelError::Length);
        }
        self.builder.end()
    }

    fn whole(&mut self, held: &[u8]) -> Result<(), ModelError> {
        let text = String::from_utf8_lossy(held);
        match serde_json::from_str::<Value>(&text) {
            Ok(json) => {
                self.builder.complaint(&json)?;
                whole(self.shape, &json, &mut self.builder)?;
                // It is whole by being well-formed, finish reason or not.
                self.builder.is_closed = true;
                Ok(())
            }
            Err(_) if text.trim_start().starts_with('<') => Err(error_parse::page(&text)),
            Err(_) => Err(ModelError::Cut("half a document".to_owned())),
        }
    }

    fn take(&mut self, sse: &Sse) -> Result<(), ModelError> {
        let data = sse.data.trim();
        if data.is_empty() || self.builder.is_closed {
            return Ok(());
        }
        if data == "[DONE]" {
            self.builder.is_closed = true;
            return Ok(());
        }
        match serde_json::from_str::<Value>(data) {
            Ok(json) if sse.name == "error" => Err(self.builder.complain(&json)),
            Ok(json) => {
                self.builder.complaint(&json)?;
                event(self.shape, sse, &json, &mut self.builder)
            }
            Err(_) if sse.name == "error" => Err(self.builder.complain(&Value::from(data))),
            Err(e) => Err(ModelError::Garbled(said(format!("not JSON: {e}")))),
        }
    }
}

/// One event of a stream.
fn event(shape: WireShape, event: &Sse, json: &Value, builder: &mut AnswerBuilder) -> Result<(), ModelError> {
    match shape {
        WireShape::Chat => chat::chunk(json, builder),
        WireShape::Responses => responses::event(event, json, builder),
        WireShape::Messages => messages::event(event, json, builder),
        WireShape::GenerateContent => gemini::chunk(json, builder),
        WireShape::Completions => completions::chunk(json, builder),
    }
}

/// An answer in one piece.
fn whole(shape: WireShape, json: &Value, builder: &mut AnswerBuilder) -> Result<(), ModelError> {
    match shape {
        WireShape::Chat => chat::chunk(json, builder),
        WireShape::Responses => responses::whole(json, builder),
        WireShape::Messages => messages::whole(json, builder),
        WireShape::GenerateContent => gemini::whole(json, builder),
        WireShape::Completions => completions::chunk(json, builder),
    }
}
