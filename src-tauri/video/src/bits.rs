//! Bits of a raw byte sequence payload, most significant first (7.2, 9.1).

/// Reads bits. Past the end there are none.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bits were read.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn flag(&mut self) -> Option<bool> {
        let byte = self.bytes.get(self.at / 8)?;
        let bit = byte >> (7 - self.at % 8) & 1;
        self.at += 1;
        Some(bit == 1)
    }

    /// An unsigned number of at most 32 bits.
    pub(crate) fn number(&mut self, bits: u32) -> Option<u32> {
        let mut value = 0;
        for _ in 0..bits.min(32) {
            value = value << 1 | u32::from(self.flag()?);
        }
        Some(value)
    }

    /// `ue(v)`: Exp-Golomb. The standard knows none longer than 32 bits.
    pub(crate) fn unsigned(&mut self) -> Option<u32> {
        let mut zeros = 0;
        while !self.flag()? {
            zeros += 1;
            if zeros > 31 {
                return None;
            }
        }
        let rest = self.number(zeros)?;
        Some((1_u32 << zeros) - 1 + rest)
    }

    /// `se(v)`: the same with a sign.
    pub(crate) fn signed(&mut self) -> Option<i32> {
        let code = i64::from(self.unsigned()?);
        let value = if code % 2 == 0 {
            -(code / 2)
        } else {
            (code + 1) / 2
        };
        i32::try_from(value).ok()
    }
}

/// Writes bits.
#[derive(Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
    /// Bits of the last byte that are taken; 0 when the next bit begins a new one.
    taken: u32,
}

impl Writer {
    pub(crate) fn flag(&mut self, bit: bool) {
        if self.taken == 0 {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (7 - self.taken);
        }
        self.taken = (self.taken + 1) % 8;
    }

    pub(crate) fn number(&mut self, value: u32, bits: u32) {
        for bit in (0..bits).rev() {
            self.flag(value >> bit & 1 == 1);
        }
    }

    pub(crate) fn unsigned(&mut self, value: u32) {
        let code = u64::from(value) + 1;
        let bits = 64 - code.leading_zeros();
        self.number(0, bits - 1);
        for bit in (0..bits).rev() {
            self.flag(code >> bit & 1 == 1);
        }
    }

    /// Copies bits as they stand: `from` inclusive, `to` exclusive.
    pub(crate) fn copy(&mut self, bytes: &[u8], from: usize, to: usize) {
        let mut reader = Reader { bytes, at: from };
        while reader.at < to {
            let Some(bit) = reader.flag() else { return };
            self.flag(bit);
        }
    }

    /// `rbsp_trailing_bits` (7.3.2.11), and the bytes.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.flag(true);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn codes_are_those_of_the_standards_table() {
        // Table 9-2.
        for (bits, value) in [
            ("1", 0),
            ("010", 1),
            ("011", 2),
            ("00100", 3),
            ("00111", 6),
            ("0001000", 7),
        ] {
            let mut writer = Writer::default();
            for bit in bits.chars() {
                writer.flag(bit == '1');
            }
            let bytes = writer.finish();
            assert_eq!(Reader::new(&bytes).unsigned(), Some(value), "{bits}");
            let mut writer = Writer::default();
            writer.unsigned(value);
            assert_eq!(writer.finish(), bytes, "{bits}");
        }
        let mut writer = Writer::default();
        for code in 0..5 {
            writer.unsigned(code);
        }
        let bytes = writer.finish();
        let mut reader = Reader::new(&bytes);
        let read: Vec<_> = (0..5).map(|_| reader.signed().unwrap()).collect();
        assert_eq!(read, [0, 1, -1, 2, -2]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(values in prop::collection::vec(0..u32::MAX - 1, 0..50), small in any::<u16>()) {
            let mut writer = Writer::default();
            for value in &values {
                writer.unsigned(*value);
                writer.number(u32::from(small), 16);
            }
            let bytes = writer.finish();
            let mut reader = Reader::new(&bytes);
            for value in &values {
                prop_assert_eq!(reader.unsigned(), Some(*value));
                prop_assert_eq!(reader.number(16), Some(u32::from(small)));
            }
        }

        #[test]
        fn the_end_is_the_end(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            let mut reader = Reader::new(&bytes);
            while reader.unsigned().is_some() {}
            prop_assert!(reader.position() <= bytes.len() * 8);
        }
    }
}
