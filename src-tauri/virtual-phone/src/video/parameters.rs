//! The sequence parameter set (ITU-T H.264, 7.3.2.1.1) as the encoder of a phone writes it.
//!
//! The library says in its set (VUI, `bitstream_restriction`) that no picture is shown out of order. Encoders of phones
//! leave that out, so that a decoder which goes by the book waits for pictures that never come; this is left out here too.

/// What the set says about colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vui {
    /// There is no VUI at all.
    None,
    /// Limited range, BT.601 (525 lines).
    Colours,
}

/// Reads bits, most significant first.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn bit(&mut self) -> Option<u32> {
        let byte = self.bytes.get(self.at / 8)?;
        let bit = (byte >> (7 - self.at % 8)) & 1;
        self.at += 1;
        Some(u32::from(bit))
    }

    fn skip(&mut self, bits: usize) {
        self.at += bits;
    }

    /// An Exp-Golomb number.
    fn number(&mut self) -> Option<u32> {
        let mut zeros = 0;
        while self.bit()? == 0 {
            zeros += 1;
            if zeros > 31 {
                return None;
            }
        }
        let mut value = 1_u32;
        for _ in 0..zeros {
            value = value << 1 | self.bit()?;
        }
        Some(value - 1)
    }
}

/// Writes bits, most significant first.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    used: usize,
}

impl Writer {
    fn bit(&mut self, bit: u32) {
        if self.used.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(byte) = self.bytes.last_mut() {
            *byte |= ((bit & 1) as u8) << (7 - self.used % 8);
        }
        self.used += 1;
    }

    fn bits(&mut self, value: u32, count: u32) {
        for at in (0..count).rev() {
            self.bit(value >> at);
        }
    }
}

/// Takes the bytes out that keep start codes from appearing (7.4.1).
fn unescape(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut zeros = 0;
    for byte in bytes {
        if zeros >= 2 && *byte == 3 {
            zeros = 0;
            continue;
        }
        zeros = if *byte == 0 { zeros + 1 } else { 0 };
        plain.push(*byte);
    }
    plain
}

fn escape(bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(bytes.len() + 4);
    for byte in bytes {
        if *byte <= 3 && whole.ends_with(&[0, 0]) {
            whole.push(3);
        }
        whole.push(*byte);
    }
    whole
}

/// Where the flag `vui_parameters_present_flag` stands in a set of the profiles without chroma formats; its bit.
fn flag(plain: &[u8]) -> Option<usize> {
    let mut reader = Reader { bytes: plain, at: 0 };
    // The NAL unit's head, profile, constraints, level.
    reader.skip(32);
    reader.number()?;
    reader.number()?;
    if reader.number()? == 0 {
        reader.number()?;
    }
    reader.number()?;
    reader.skip(1);
    reader.number()?;
    reader.number()?;
    if reader.bit()? == 0 {
        reader.skip(1);
    }
    reader.skip(1);
    if reader.bit()? == 1 {
        for _ in 0..4 {
            reader.number()?;
        }
    }
    Some(reader.at)
}

/// The same set with another VUI. `set` is the NAL unit without its start code, of profile Baseline, Main or Extended.
pub(super) fn with_vui(set: &[u8], vui: Vui) -> Option<Vec<u8>> {
    let plain = unescape(set);
    let end = flag(&plain)?;
    let mut reader = Reader { bytes: &plain, at: 0 };
    let mut writer = Writer::default();
    for _ in 0..end {
        writer.bit(reader.bit()?);
    }
    match vui {
        Vui::None => writer.bit(0),
        Vui::Colours => {
            writer.bit(1);
            // No aspect ratio, no overscan; a signal of no format, limited, with colours.
            writer.bits(0b001, 3);
            writer.bits(5, 3);
            writer.bits(0b01, 2);
            for _ in 0..3 {
                writer.bits(6, 8);
            }
            // No place of chroma, timing, buffers, picture structure, restriction.
            writer.bits(0, 6);
        }
    }
    // The stop bit; what is left of the last byte is zero.
    writer.bit(1);
    Some(escape(&writer.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A set of 576×1280.
    const SET: [u8; 10] = [0x67, 0x42, 0xc0, 0x20, 0x8c, 0x68, 0x09, 0, 0xa1, 0x90];

    #[test]
    fn escapes_come_and_go() {
        for plain in [
            &[0, 0, 1, 0, 0, 0, 3][..],
            &[0x67, 0, 0, 2],
            &[1, 2, 3, 0, 0],
            &[0, 0, 4],
        ] {
            let whole = escape(plain);
            assert_eq!(unescape(&whole), plain);
            assert!(
                !whole.windows(3).any(|three| three[..2] == [0, 0] && three[2] < 3),
                "{whole:?}"
            );
        }
    }

    #[test]
    fn a_set_has_another_vui_and_half_a_set_none() {
        assert_eq!(with_vui(&SET, Vui::None).unwrap(), SET);
        let coloured = with_vui(&SET, Vui::Colours).unwrap();
        assert_eq!((coloured.len(), &coloured[..9]), (15, &SET[..9]));
        assert_eq!(with_vui(&coloured, Vui::None).unwrap(), SET);
        for end in 0..SET.len() {
            assert_eq!(with_vui(&SET[..end], Vui::None), None, "{end} bytes");
        }
    }

    #[test]
    fn numbers_are_read() {
        let mut reader = Reader {
            bytes: &[0b1010_0110, 0b0100_0000],
            at: 0,
        };
        let numbers: Vec<_> = (0..4).map(|_| reader.number()).collect();
        assert_eq!(numbers, [Some(0), Some(1), Some(2), Some(3)]);
    }
}
