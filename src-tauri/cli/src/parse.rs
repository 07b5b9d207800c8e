//! `deck parse`: a model's raw reply, read.

use crate::args::Parse;
use crate::say::{self, CommandResult};
use engine::{ReplyOptions, ReplyReader, words};
use protocol::Unclear;
use serde_json::{Value, json};
use std::io::{IsTerminal, Read};

pub(crate) fn parse(args: &Parse) -> CommandResult {
    let reader = match options(args).and_then(|options| ReplyReader::new(&options)) {
        Ok(reader) => reader,
        Err(message) => return Ok(say::usage(&message)),
    };
    let raw = match reply(args) {
        Ok(raw) => raw,
        Err(error) => return Ok(say::usage(&format!("standard input: {error}"))),
    };
    match reader.read(&raw) {
        Ok(parsed) => {
            say::line(&parsed);
            Ok(say::FINE)
        }
        Err(unclear) => {
            say::line(&refusal(&unclear));
            say::note(&words::of("unclear", &words::tag(&unclear.code)));
            Ok(say::FAILED)
        }
    }
}

fn options(args: &Parse) -> Result<ReplyOptions, String> {
    let read = |file: &std::path::PathBuf| match std::fs::read(file) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => Err(format!("{}: {error}", file.display())),
    };
    Ok(ReplyOptions {
        dialect: args.dialect.clone(),
        family: args.family.clone(),
        space: args.space.clone(),
        picture: args.picture,
        size: args.width.zip(args.height),
        tree: args.screen.as_ref().map(read).transpose()?,
    })
}

/// The reply: the argument, else all of standard input. Bytes that are no text are read as marks for such.
fn reply(args: &Parse) -> std::io::Result<String> {
    if let Some(reply) = &args.reply {
        return Ok(reply.clone());
    }
    let mut stdin = std::io::stdin().lock();
    if stdin.is_terminal() {
        say::note("(reading a reply from the keyboard; an end of input, Ctrl-D, ends it)");
    }
    let mut bytes = Vec::new();
    stdin.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn refusal(unclear: &Unclear) -> Value {
    let mut out = json!({"error": {"code": unclear.code, "message": unclear.message}});
    if let (Some(normalized), Some(object)) = (&unclear.normalized, out.as_object_mut()) {
        object.insert("normalized".into(), json!(normalized));
    }
    out
}
