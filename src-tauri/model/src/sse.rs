//! Server-sent events, framed as the HTML standard says:
//! <https://html.spec.whatwg.org/multipage/server-sent-events.html>
//!
//! Pieces may break anywhere, inside a line end or a character too. Two things differ from the standard: the end of
//! the stream also ends an event, because some servers forget the last empty line, and `id` and `retry` are ignored,
//! because nothing is ever resumed here.

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sse {
    /// `event:`, mostly absent.
    pub(crate) name: String,
    /// `data:`, its lines joined.
    pub(crate) data: String,
}

/// Bytes that one event may hold.
const EVENT: usize = 8 << 20;

/// An event longer than [`EVENT`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Cuts a stream of bytes into events.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    line: Vec<u8>,
    /// The last byte was a carriage return: a line feed after it belongs to it.
    after_cr: bool,
    begun: bool,
    name: String,
    data: Option<String>,
}

impl Frames {
    /// The events that `piece` completes.
    ///
    /// # Errors
    /// When one grows beyond all measure.
    pub(crate) fn feed(&mut self, piece: &[u8]) -> Result<Vec<Sse>, TooLong> {
        let mut events = Vec::new();
        for &byte in piece {
            let after_cr = std::mem::take(&mut self.after_cr);
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => {
                    self.after_cr = byte == b'\r';
                    events.extend(self.end_line());
                }
                _ => self.line.push(byte),
            }
        }
        let held = self.line.len() + self.data.as_ref().map_or(0, String::len);
        if held > EVENT { Err(TooLong) } else { Ok(events) }
    }

    /// The last event, when the stream ended without the empty line it should have had.
    pub(crate) fn end(&mut self) -> Option<Sse> {
        let last = if self.line.is_empty() {
            None
        } else {
            self.end_line()
        };
        last.or_else(|| self.dispatch())
    }

    fn end_line(&mut self) -> Option<Sse> {
        let line = std::mem::take(&mut self.line);
        let mut line = String::from_utf8_lossy(&line);
        if !std::mem::replace(&mut self.begun, true)
            && let Some(rest) = line.strip_prefix('\u{feff}')
        {
            line = rest.to_owned().into();
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            "event" => value.clone_into(&mut self.name),
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Sse> {
        let name = std::mem::take(&mut self.name);
        self.data.take().map(|data| Sse { name, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<(String, String)> {
        let mut frames = Frames::default();
        let mut events = Vec::new();
        for piece in pieces {
            events.extend(frames.feed(piece).unwrap());
        }
        events.extend(frames.end());
        events.into_iter().map(|e| (e.name, e.data)).collect()
    }

    fn check(stream: &str, expected: &[(&str, &str)]) {
        let expected: Vec<_> = expected
            .iter()
            .map(|(name, data)| ((*name).to_owned(), (*data).to_owned()))
            .collect();
        assert_eq!(read([stream.as_bytes()]), expected, "{stream:?}");
        let bytes: Vec<&[u8]> = stream.as_bytes().chunks(1).collect();
        assert_eq!(read(bytes), expected, "byte by byte: {stream:?}");
    }

    #[test]
    fn events_are_framed_as_the_standard_says() {
        check("data: a\n\ndata: b\n\n", &[("", "a"), ("", "b")]);
        check(
            "data:a\r\n\r\ndata: b\r\rdata:  c\n\n",
            &[("", "a"), ("", "b"), ("", " c")],
        );
        check("\u{feff}data: a\n\n", &[("", "a")]);
        check(": still working\n\ndata: a\n: more\ndata: b\n\n", &[("", "a\nb")]);
        check(
            "event: error\ndata: x\n\ndata: y\n\n",
            &[("error", "x"), ("", "y")],
        );
        check("event: ping\n\ndata\n\n", &[("", "")]);
        check("id: 3\nretry: 10\nother: x\ndata: é‱😀\n\n", &[("", "é‱😀")]);
        check("data: a: b\n\n", &[("", "a: b")]);
        check("", &[]);
        check("\n\n\r\n", &[]);
    }

    #[test]
    fn the_end_of_the_stream_ends_an_event() {
        check("data: [DONE]", &[("", "[DONE]")]);
        check("data: a\n", &[("", "a")]);
        check("data: a\n\ndata: b\ndata: c", &[("", "a"), ("", "b\nc")]);
    }

    #[test]
    fn an_endless_event_is_refused() {
        let mut frames = Frames::default();
        let piece = vec![b'x'; 1 << 20];
        let fed: Result<Vec<_>, _> = (0..20).map(|_| frames.feed(&piece)).collect();
        assert_eq!(fed, Err(TooLong));
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_the_stream_breaks(
            stream in "((data|event|id): ?[a-zé😀{}:\"]{0,12}(\n|\r\n|\r){1,2}|: x\n){0,12}",
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let bytes = stream.as_bytes();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
            prop_assert_eq!(read(pieces), read([bytes]));
        }
    }
}
