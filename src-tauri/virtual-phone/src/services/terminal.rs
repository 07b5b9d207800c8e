//! A terminal's line discipline (`termios(3)`): echo, erase, ^C, ^D, CR to LF.

use crate::process::Signal;

const INTERRUPT: u8 = 3;
const END: u8 = 4;
const KILL_LINE: u8 = 21;
const QUIT: u8 = 28;

/// What is typed becomes lines.
#[derive(Debug, Default)]
pub(super) struct Terminal {
    line: Vec<u8>,
}

/// What some typed bytes come to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Typed {
    /// Shown to the person.
    pub(super) echo: Vec<u8>,
    /// Read by the program.
    pub(super) input: Vec<u8>,
    /// For the foreground's processes.
    pub(super) signals: Vec<Signal>,
    /// ^D on an empty line: the program reads the end.
    pub(super) ended: bool,
}

impl Terminal {
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Typed {
        let mut typed = Typed::default();
        for &byte in bytes {
            match byte {
                b'\r' | b'\n' => {
                    typed.echo.extend_from_slice(b"\r\n");
                    self.line.push(b'\n');
                    typed.input.append(&mut self.line);
                }
                8 | 127 => {
                    if self.line.pop().is_some() {
                        // A whole character goes, however many bytes it has.
                        while self.line.last().is_some_and(|byte| byte & 0xc0 == 0x80) {
                            self.line.pop();
                        }
                        typed.echo.extend_from_slice(b"\x08 \x08");
                    }
                }
                KILL_LINE => {
                    for _ in self.line.drain(..) {
                        typed.echo.extend_from_slice(b"\x08 \x08");
                    }
                }
                INTERRUPT | QUIT => {
                    self.line.clear();
                    typed
                        .echo
                        .extend_from_slice(if byte == INTERRUPT { b"^C\r\n" } else { b"^\\\r\n" });
                    typed
                        .signals
                        .push(if byte == INTERRUPT { Signal::INT } else { Signal(3) });
                }
                END if self.line.is_empty() => typed.ended = true,
                END => typed.input.append(&mut self.line),
                byte => {
                    typed.echo.push(byte);
                    self.line.push(byte);
                }
            }
        }
        typed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_becomes_lines() {
        let mut terminal = Terminal::default();
        let typed = terminal.feed(b"lx\x7fs\r");
        assert_eq!(typed.input, b"ls\n");
        assert_eq!(typed.echo, b"lx\x08 \x08s\r\n");
        let typed = terminal.feed(b"abc\x03");
        assert_eq!(
            (typed.input.as_slice(), typed.signals),
            (&b""[..], vec![Signal::INT])
        );
        assert!(terminal.feed(b"\x04").ended);
    }
}
