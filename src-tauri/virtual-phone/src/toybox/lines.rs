//! `cat`, `head`, `tail`, `wc`, `tee`.

use super::options::options;
use crate::files::{Errno, OpenMode};
use crate::process::{Call, Descriptor, ProgramResult, Signal};
use bytes::{Bytes, BytesMut};
use std::collections::VecDeque;
use std::sync::Arc;

/// The files of a command line, or standard input when there is none.
pub(super) fn inputs(rest: &[String]) -> Vec<String> {
    if rest.is_empty() {
        vec!["-".to_owned()]
    } else {
        rest.to_vec()
    }
}

/// `cat [-u] [FILE…]`: passes bytes on as they come.
pub(super) async fn cat(call: Call) -> ProgramResult {
    let options = options!(call, "u");
    let mut code = 0;
    for file in inputs(&options.rest) {
        let opened = if file == "-" {
            Ok(call.descriptors.get(0))
        } else {
            call.open(&file, OpenMode::READ).map(Some)
        };
        let descriptor = match opened {
            Ok(Some(descriptor)) => descriptor,
            Ok(None) => continue,
            Err(errno) => {
                code = call.fail(1, format!("{file}: {errno}")).await?;
                continue;
            }
        };
        loop {
            match descriptor.read(64 * 1024).await {
                Ok(Some(bytes)) => {
                    if let Err(errno) = call.out_checked(bytes).await? {
                        return call.fail(1, format!("write: {errno}")).await;
                    }
                }
                Ok(None) => break,
                Err(errno) => {
                    code = call.fail(1, format!("{file}: {errno}")).await?;
                    break;
                }
            }
        }
    }
    Ok(code)
}

/// Lines as they come, so that whoever has seen enough can stop.
pub(super) struct LineReader {
    descriptor: Option<Arc<Descriptor>>,
    buffer: BytesMut,
}

impl LineReader {
    /// Opens a file, or standard input for `-`.
    pub(super) fn open(call: &Call, file: &str) -> Result<Self, Errno> {
        let descriptor = match file {
            "-" => call.descriptors.get(0),
            file => Some(call.open(file, OpenMode::READ)?),
        };
        Ok(Self {
            descriptor,
            buffer: BytesMut::new(),
        })
    }

    /// The next line, its newline included; none at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, Errno> {
        let mut searched = 0;
        loop {
            let tail = self.buffer.get(searched..).unwrap_or_default();
            if let Some(at) = tail.iter().position(|byte| *byte == b'\n') {
                return Ok(Some(self.buffer.split_to(searched + at + 1).freeze()));
            }
            searched = self.buffer.len();
            match self.chunk().await? {
                Some(bytes) => self.buffer.extend_from_slice(&bytes),
                None if self.buffer.is_empty() => return Ok(None),
                None => return Ok(Some(self.buffer.split().freeze())),
            }
        }
    }

    /// Whether a whole line is here already.
    pub(super) fn has_line(&self) -> bool {
        self.buffer.contains(&b'\n')
    }

    async fn chunk(&self) -> Result<Option<Bytes>, Errno> {
        match &self.descriptor {
            Some(descriptor) => descriptor.read(64 * 1024).await,
            None => Ok(None),
        }
    }
}

/// `head [-n LINES] [-c BYTES] [-qv] [FILE…]`: stops reading when it has enough.
pub(super) async fn head(call: Call) -> ProgramResult {
    let options = options!(call, "n:c:qv#");
    let lines: i64 = number(options.value('n').or(options.value('#'))).unwrap_or(10);
    let count = number(options.value('c'));
    let files = inputs(&options.rest);
    let mut code = 0;
    for (at, file) in files.iter().enumerate() {
        let mut reader = match LineReader::open(&call, file) {
            Ok(reader) => reader,
            Err(errno) => {
                code = call.fail(1, format!("{file}: {errno}")).await?;
                continue;
            }
        };
        if (files.len() > 1 || options.has('v')) && !options.has('q') {
            let gap = if at > 0 { "\n" } else { "" };
            call.out(format!("{gap}==> {file} <==\n")).await?;
        }
        let taken = match count {
            Some(count) => first_bytes(&call, &reader, count).await?,
            None => first_lines(&call, &mut reader, lines).await?,
        };
        if let Err(errno) = taken {
            code = call.fail(1, format!("{file}: {errno}")).await?;
        }
    }
    Ok(code)
}

async fn first_lines(call: &Call, reader: &mut LineReader, lines: i64) -> Result<Result<(), Errno>, Signal> {
    // Below zero: all but the last so many, which are held back.
    let held = usize::try_from(lines.min(0).unsigned_abs()).unwrap_or(usize::MAX);
    let mut waiting = VecDeque::new();
    let mut left = if lines < 0 { u64::MAX } else { lines.unsigned_abs() };
    while left > 0 {
        match reader.next().await {
            Ok(Some(line)) => waiting.push_back(line),
            Ok(None) => break,
            Err(errno) => return Ok(Err(errno)),
        }
        if waiting.len() > held
            && let Some(line) = waiting.pop_front()
        {
            call.out(line).await?;
        }
        left -= 1;
    }
    Ok(Ok(()))
}

async fn first_bytes(call: &Call, reader: &LineReader, count: i64) -> Result<Result<(), Errno>, Signal> {
    let held = usize::try_from(count.min(0).unsigned_abs()).unwrap_or(usize::MAX);
    let mut left = if count < 0 {
        usize::MAX
    } else {
        usize::try_from(count).unwrap_or(usize::MAX)
    };
    let mut waiting = BytesMut::new();
    while left > 0 {
        match reader.chunk().await {
            Ok(Some(bytes)) => {
                let bytes = bytes.slice(..left.min(bytes.len()));
                left -= bytes.len();
                waiting.extend_from_slice(&bytes);
            }
            Ok(None) => break,
            Err(errno) => return Ok(Err(errno)),
        }
        let ready = waiting.len().saturating_sub(held);
        call.out(waiting.split_to(ready).freeze()).await?;
    }
    Ok(Ok(()))
}

fn number(text: Option<&str>) -> Option<i64> {
    text?.trim_start_matches('+').parse().ok()
}

/// Where the first `lines` lines end (or, below zero, all but the last so many).
fn line_end(bytes: &[u8], lines: i64) -> usize {
    let total = || bytes.split_inclusive(|byte| *byte == b'\n').count();
    let wanted = match usize::try_from(lines) {
        Ok(lines) => lines,
        Err(_) => total().saturating_sub(usize::try_from(lines.unsigned_abs()).unwrap_or(usize::MAX)),
    };
    bytes
        .split_inclusive(|byte| *byte == b'\n')
        .take(wanted)
        .map(<[u8]>::len)
        .sum()
}

/// `tail [-n LINES] [-c BYTES] [FILE…]`. (`-f` is not here.)
pub(super) async fn tail(call: Call) -> ProgramResult {
    let options = options!(call, "n:c:qv#");
    let text = options
        .value('n')
        .or(options.value('#'))
        .unwrap_or("10")
        .to_owned();
    let files = inputs(&options.rest);
    let mut code = 0;
    for (at, file) in files.iter().enumerate() {
        let bytes = match call.read_file(file).await {
            Ok(bytes) => bytes,
            Err(errno) => {
                code = call.fail(1, format!("{file}: {errno}")).await?;
                continue;
            }
        };
        if (files.len() > 1 || options.has('v')) && !options.has('q') {
            let gap = if at > 0 { "\n" } else { "" };
            call.out(format!("{gap}==> {file} <==\n")).await?;
        }
        let start = match options.value('c') {
            Some(count) => match (
                count.starts_with('+'),
                number(Some(count)).unwrap_or(0).unsigned_abs(),
            ) {
                (true, from) => usize::try_from(from)
                    .unwrap_or(0)
                    .saturating_sub(1)
                    .min(bytes.len()),
                (false, last) => bytes
                    .len()
                    .saturating_sub(usize::try_from(last).unwrap_or(usize::MAX)),
            },
            None => match (
                text.starts_with('+'),
                number(Some(&text)).unwrap_or(10).unsigned_abs(),
            ) {
                (true, from) => line_end(
                    &bytes,
                    i64::try_from(from).unwrap_or(i64::MAX).saturating_sub(1).max(0),
                ),
                (false, last) => line_end(&bytes, i64::try_from(last).unwrap_or(i64::MAX).saturating_neg()),
            },
        };
        let start = if text == "0" && !options.has('c') {
            bytes.len()
        } else {
            start
        };
        call.out(bytes.slice(start..)).await?;
    }
    Ok(code)
}

/// `wc [-lwcm] [FILE…]`.
pub(super) async fn wc(call: Call) -> ProgramResult {
    let options = options!(call, "lwcm");
    let all = !"lwcm".chars().any(|letter| options.has(letter));
    let files = inputs(&options.rest);
    let mut totals = [0_usize; 4];
    let mut code = 0;
    for file in &files {
        let bytes = match call.read_file(file).await {
            Ok(bytes) => bytes,
            Err(errno) => {
                code = call.fail(1, format!("{file}: {errno}")).await?;
                continue;
            }
        };
        let counts = count(&bytes);
        totals
            .iter_mut()
            .zip(counts)
            .for_each(|(total, count)| *total += count);
        let name = if options.rest.is_empty() {
            ""
        } else {
            file.as_str()
        };
        call.out(counted(&counts, &options, all, options.rest.is_empty(), name))
            .await?;
    }
    if files.len() > 1 {
        call.out(counted(&totals, &options, all, false, "total")).await?;
    }
    Ok(code)
}

/// Lines, words, bytes, characters.
fn count(bytes: &Bytes) -> [usize; 4] {
    let text = String::from_utf8_lossy(bytes);
    [
        bytes.iter().filter(|byte| **byte == b'\n').count(),
        text.split_ascii_whitespace().count(),
        bytes.len(),
        text.chars().count(),
    ]
}

/// One line of `wc` (`show_lengths`): a single number of standard input stands alone.
fn counted(counts: &[usize; 4], options: &super::Options, all: bool, piped: bool, name: &str) -> String {
    let wanted: Vec<usize> = "lwcm"
        .chars()
        .zip(counts)
        .filter(|(letter, _)| options.has(*letter) || (all && *letter != 'm'))
        .map(|(_, count)| *count)
        .collect();
    let line = match wanted.as_slice() {
        [one] if piped => one.to_string(),
        [one] => one.to_string(),
        many if piped => many
            .iter()
            .map(|count| format!("{count:7}"))
            .collect::<Vec<_>>()
            .join(" "),
        many => many.iter().map(usize::to_string).collect::<Vec<_>>().join(" "),
    };
    if name.is_empty() {
        format!("{line}\n")
    } else {
        format!("{line} {name}\n")
    }
}

/// `tee [-a] [FILE…]`.
pub(super) async fn tee(call: Call) -> ProgramResult {
    let options = options!(call, "ai");
    let mode = if options.has('a') {
        OpenMode::APPEND
    } else {
        OpenMode::WRITE
    };
    let mut code = 0;
    let mut outputs = Vec::new();
    for file in &options.rest {
        match call.open(file, mode) {
            Ok(descriptor) => outputs.push(descriptor),
            Err(errno) => code = call.fail(1, format!("{file}: {errno}")).await?,
        }
    }
    let Some(input) = call.descriptors.get(0) else {
        return Ok(code);
    };
    while let Ok(Some(bytes)) = input.read(64 * 1024).await {
        for output in &outputs {
            // A full disk shows in the file; tee goes on, as toybox's does.
            let _ = output.write(bytes.clone()).await;
        }
        call.out(bytes).await?;
    }
    Ok(code)
}
