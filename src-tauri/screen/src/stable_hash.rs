//! Names made of what a thing is: hashes that are the same on every machine and in every version, and how they are
//! written.

/// Forty bits in 32 characters that are not mistaken for each other, and the ordinal from 2 on.
pub(crate) fn write(hash: u64, ordinal: u32) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
    let name = hash >> 24;
    let mut id = String::with_capacity(8);
    for place in (0..8).rev() {
        let five = usize::try_from((name >> (place * 5)) & 31).unwrap_or(0);
        id.push(char::from(LETTERS[five]));
    }
    if ordinal > 1 {
        id.push('.');
        id.push_str(&ordinal.to_string());
    }
    id
}

/// A name without its ordinal: what all like things on a screen share.
pub(crate) fn base(id: &str) -> &str {
    id.split('.').next().unwrap_or(id)
}

/// FNV-1a, 64 bits: the same everywhere, which the standard library's hash is not.
#[derive(Clone, Copy)]
pub(crate) struct FnvHasher(pub(crate) u64);

impl FnvHasher {
    pub(crate) const START: u64 = 0xcbf2_9ce4_8422_2325;

    pub(crate) fn field(&mut self, text: &str) {
        // 0xff stands in no UTF-8 text: it ends each field.
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The high bits of a short FNV are poor: mixed once more.
    pub(crate) fn mixed(self) -> u64 {
        mix(self.0)
    }
}

/// Some texts as one number.
pub(crate) fn hash(texts: &[&str]) -> u64 {
    let mut hash = FnvHasher(FnvHasher::START);
    for text in texts {
        hash.field(text);
    }
    hash.mixed()
}

/// Every bit of a number into every other (`splitmix64`'s finish).
pub(crate) fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
