//! What a command on a phone prints, as it comes: `shell,v2` packets, or the bare stream of older phones.
//!
//! A v2 packet is one byte (1 stdout, 2 stderr, 3 exit code) and a little-endian length. A stream that ends without
//! its exit packet was cut: the phone went, or its daemon died, and what came is not to be trusted.

use crate::connect::link::Stream;
use crate::error::AdbError;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// More than this of one command's output is not taken: a raw picture of 8K is 130 MB, a screen's is 15.
const MOST: usize = 160 * 1024 * 1024;

/// Of a command whose output is told in words, so many bytes of the beginning and of the end are held: more than is told.
const HELD: usize = 64 * 1024;

/// What a command printed, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Standard output; of older phones both outputs together.
    pub stdout: Vec<u8>,
    /// Standard error; empty on older phones.
    pub stderr: Vec<u8>,
    /// Unknown on phones whose shell does not tell (Android 6 and older).
    pub exit: Option<u8>,
}

impl Output {
    /// Standard output as text, line ends made plain.
    #[must_use]
    pub fn text(&self) -> String {
        plain(&self.stdout)
    }

    /// Standard error as text, line ends made plain.
    #[must_use]
    pub fn error_text(&self) -> String {
        plain(&self.stderr)
    }

    /// Both, for looking for a complaint: nobody agrees on where complaints go.
    #[must_use]
    pub fn all(&self) -> String {
        match (self.stdout.is_empty(), self.stderr.is_empty()) {
            (_, true) => self.text(),
            (true, false) => self.error_text(),
            (false, false) => format!("{}\n{}", self.text(), self.error_text()),
        }
    }

    /// What a command that prints one thing has printed: its last line that is not blank, for complaints of linkers and
    /// daemons stand in front. Empty when there is none.
    #[must_use]
    pub fn answer(&self) -> String {
        let text = self.text();
        let mut lines = text.lines().rev().map(str::trim);
        lines.find(|line| !line.is_empty()).unwrap_or_default().to_owned()
    }

    /// It said it failed.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.exit.is_some_and(|code| code != 0)
    }

    /// The phone has no such command, in the words of any of its shells.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        if matches!(self.exit, Some(126 | 127)) {
            return true;
        }
        let said = self.all();
        self.exit != Some(0) && (said.contains(": not found") || said.contains(": inaccessible or not found"))
    }
}

/// Carriage returns and the NUL bytes some makers leave in their dumps mean nothing.
fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    // Most outputs hold neither, and are large: bytes are found many times as fast as characters.
    if bytes.contains(&b'\r') || bytes.contains(&0) {
        text.replace(['\r', '\0'], "")
    } else {
        text.into_owned()
    }
}

/// Which framing the phone speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// `shell,v2`.
    V2,
    /// `shell:` or `exec:`: bytes until the end.
    Bare,
}

/// A command that runs on the phone.
pub(crate) struct Running {
    stream: Box<dyn Stream>,
    framing: Framing,
    output: Output,
    /// Only the beginning and the end of what is printed are held.
    thin: bool,
}

impl Running {
    pub(crate) fn new(stream: Box<dyn Stream>, framing: Framing) -> Self {
        Self {
            stream,
            framing,
            output: Output::default(),
            thin: false,
        }
    }

    /// From now on only the beginning and the end of what is printed are held, however long it goes on.
    pub(crate) fn thin(mut self) -> Self {
        self.thin = true;
        self
    }

    /// What it printed so far.
    pub(crate) fn so_far(&self) -> &Output {
        &self.output
    }

    /// The bytes themselves, for whoever reads them as they come. Nothing may have been read.
    pub(crate) fn into_stream(self) -> (Box<dyn Stream>, Framing) {
        (self.stream, self.framing)
    }

    /// Says something to it; older shells would say it back.
    ///
    /// # Errors
    /// [`AdbError::NotSupported`] over the bare framing, [`AdbError::Cut`].
    pub(crate) async fn say(&mut self, text: &str) -> Result<(), AdbError> {
        if self.framing == Framing::Bare {
            return Err(AdbError::NotSupported("a shell that listens".to_owned()));
        }
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        let mut packet = vec![0];
        packet.extend(length.to_le_bytes());
        packet.extend(text.as_bytes());
        self.stream.write_all(&packet).await.map_err(|e| cut(&e))?;
        self.stream.flush().await.map_err(|e| cut(&e))
    }

    /// What it printed so far, and no more of it later.
    pub(crate) fn take_output(&mut self) -> Output {
        std::mem::take(&mut self.output)
    }

    /// What it printed.
    pub(crate) fn into_output(self) -> Output {
        self.output
    }

    /// Reads on to its end. No time limit of its own: the caller has one.
    ///
    /// # Errors
    /// As [`Running::advance`].
    pub(crate) async fn finish(mut self) -> Result<Output, AdbError> {
        while self.advance().await? {}
        Ok(self.output)
    }

    /// Reads the next piece; false when the command is over. Not to be dropped in the middle and called again.
    ///
    /// # Errors
    /// [`AdbError::Cut`] when the stream ends early, [`AdbError::Garbled`] when it is no shell's.
    pub(crate) async fn advance(&mut self) -> Result<bool, AdbError> {
        let more = match self.framing {
            Framing::V2 => self.packet().await,
            Framing::Bare => self.bytes().await,
        };
        if self.thin {
            thin_out(&mut self.output.stdout);
            thin_out(&mut self.output.stderr);
        }
        more
    }

    async fn bytes(&mut self) -> Result<bool, AdbError> {
        let stdout = &mut self.output.stdout;
        stdout.reserve(64 * 1024);
        let read = self.stream.read_buf(stdout).await.map_err(|e| cut(&e))?;
        if stdout.len() > MOST {
            return Err(AdbError::Garbled("more output than any command's".to_owned()));
        }
        Ok(read > 0)
    }

    async fn packet(&mut self) -> Result<bool, AdbError> {
        let mut header = [0; 5];
        self.stream.read_exact(&mut header).await.map_err(|e| cut(&e))?;
        let [kind, length @ ..] = header;
        let length = u32::from_le_bytes(length) as usize;
        let held = self.output.stdout.len() + self.output.stderr.len();
        if held.saturating_add(length) > MOST {
            return Err(AdbError::Garbled(format!("a packet of {length} bytes")));
        }
        match kind {
            1 => read_onto(&mut self.stream, &mut self.output.stdout, length).await?,
            2 => read_onto(&mut self.stream, &mut self.output.stderr, length).await?,
            3 => {
                let mut code = Vec::new();
                read_onto(&mut self.stream, &mut code, length).await?;
                self.output.exit = code.first().copied();
                if self.output.exit.is_none() {
                    return Err(AdbError::Garbled("an exit packet without a code".to_owned()));
                }
                return Ok(false);
            }
            // Window sizes and closed inputs go the other way; a newer daemon's packets are not ours to judge.
            0 | 4..=9 => {
                let mut unknown = Vec::new();
                read_onto(&mut self.stream, &mut unknown, length).await?;
            }
            _ => return Err(AdbError::Garbled(format!("a packet of kind {kind}"))),
        }
        Ok(true)
    }
}

/// Takes the middle out of what is too long to be held. Twice as much as is kept must have come, so that long outputs
/// are not moved with every packet.
fn thin_out(bytes: &mut Vec<u8>) {
    if bytes.len() > 4 * HELD {
        let end = bytes.len() - HELD;
        bytes.drain(HELD..end);
    }
}

async fn read_onto(stream: &mut Box<dyn Stream>, onto: &mut Vec<u8>, length: usize) -> Result<(), AdbError> {
    let start = onto.len();
    onto.reserve(length);
    let mut packet = stream.take(length as u64);
    // A picture is 10 MB: it is read into its place, which is not filled with zeros before.
    while onto.len() < start + length {
        match packet.read_buf(onto).await {
            Ok(0) => {
                onto.truncate(start);
                return Err(cut(&std::io::ErrorKind::UnexpectedEof.into()));
            }
            Ok(_) => {}
            Err(error) => {
                onto.truncate(start);
                return Err(cut(&error));
            }
        }
    }
    Ok(())
}

fn cut(error: &std::io::Error) -> AdbError {
    AdbError::Cut(format!("in the middle of a command's output: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run(bytes: Vec<u8>, framing: Framing) -> Result<Output, AdbError> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (near, mut far) = tokio::io::duplex(1 << 20);
            tokio::io::AsyncWriteExt::write_all(&mut far, &bytes)
                .await
                .unwrap();
            drop(far);
            Running::new(Box::new(near), framing).finish().await
        })
    }

    fn packet(kind: u8, text: &[u8]) -> Vec<u8> {
        let mut bytes = vec![kind];
        bytes.extend_from_slice(&u32::try_from(text.len()).unwrap().to_le_bytes());
        bytes.extend_from_slice(text);
        bytes
    }

    #[test]
    fn both_outputs_and_the_code_come_apart() {
        let bytes = [
            packet(1, b"one\r\n"),
            packet(2, b"oops"),
            packet(1, b"two"),
            packet(9, b"newer"),
            packet(3, &[7]),
        ]
        .concat();
        let output = run(bytes, Framing::V2).unwrap();
        assert_eq!(output.text(), "one\ntwo");
        assert_eq!(output.error_text(), "oops");
        assert_eq!(output.exit, Some(7));
        assert!(output.failed());
        assert_eq!(output.all(), "one\ntwo\noops");
    }

    #[test]
    fn of_an_endless_output_the_ends_are_held() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let output = runtime.block_on(async {
            let bytes = [
                packet(1, b"first\n"),
                packet(1, &[b'y'; 40_000]).repeat(100),
                packet(1, b"last"),
                packet(3, &[0]),
            ];
            let bytes = bytes.concat();
            let (near, mut far) = tokio::io::duplex(1 << 16);
            let sending = tokio::io::AsyncWriteExt::write_all(&mut far, &bytes);
            let (sent, read) =
                tokio::join!(sending, Running::new(Box::new(near), Framing::V2).thin().finish());
            sent.unwrap();
            read.unwrap()
        });
        assert!(output.stdout.len() <= 4 * HELD, "{}", output.stdout.len());
        assert!(output.text().starts_with("first\ny") && output.text().ends_with("ylast"));
        assert_eq!(output.exit, Some(0));
    }

    #[test]
    fn one_answer_is_found_behind_complaints() {
        for (printed, answer) in [
            ("1\n", "1"),
            ("WARNING: linker: libdvm.so has text relocations\r\n1\r\n", "1"),
            ("\0com.gboard/.Ime\n\n", "com.gboard/.Ime"),
            ("null", "null"),
            (" \n", ""),
            ("", ""),
        ] {
            let output = Output {
                stdout: printed.as_bytes().to_vec(),
                ..Output::default()
            };
            assert_eq!(output.answer(), answer, "{printed:?}");
        }
    }

    #[test]
    fn an_old_phone_tells_no_code() {
        let output = run(b"both\r\ntogether".to_vec(), Framing::Bare).unwrap();
        assert_eq!((output.text().as_str(), output.exit), ("both\ntogether", None));
        assert!(!output.failed());
    }

    #[test]
    fn nonsense_is_named() {
        for bytes in [
            packet(3, b""),
            packet(77, b"x"),
            [vec![1], u32::MAX.to_le_bytes().to_vec()].concat(),
        ] {
            assert!(matches!(run(bytes, Framing::V2), Err(AdbError::Garbled(_))));
        }
    }

    #[test]
    fn a_missing_command_is_known_in_every_shells_words() {
        let said = |exit, stderr: &str| Output {
            stderr: stderr.as_bytes().to_vec(),
            exit,
            ..Output::default()
        };
        assert!(said(Some(127), "").is_not_found());
        assert!(said(None, "/system/bin/sh: cmd: not found").is_not_found());
        assert!(said(Some(1), "sh: cmd: inaccessible or not found").is_not_found());
        assert!(!said(Some(0), "com.a: not found").is_not_found());
        assert!(!said(Some(1), "").is_not_found());
    }

    proptest! {
        /// Cut at any byte before its end, a v2 stream is *cut*, whatever had come.
        #[test]
        fn a_stream_cut_anywhere_is_cut(
            texts in prop::collection::vec((1_u8..=2, prop::collection::vec(any::<u8>(), 0..40)), 0..6),
            at in any::<prop::sample::Index>(),
        ) {
            let mut bytes: Vec<u8> = texts.iter().flat_map(|(kind, text)| packet(*kind, text)).collect();
            bytes.extend(packet(3, &[0]));
            prop_assert!(run(bytes.clone(), Framing::V2).is_ok());
            bytes.truncate(at.index(bytes.len()));
            prop_assert!(matches!(run(bytes, Framing::V2), Err(AdbError::Cut(_))));
        }
    }
}
