//! Texts that stand for other texts: escapes, hex, base64, backwards.

/// Every text this one may stand for, whole or in one of its words: a program, which reads all of it, or anybody, who
/// finds it behind something else.
pub(crate) fn decoded(text: &str, by_program: bool) -> Vec<String> {
    let mut all: Vec<String> = vec![text.chars().rev().collect()];
    all.extend(text.contains('\\').then(|| unescape(text)));
    let skipped = 0..if by_program { 1 } else { 4 };
    let odd = |c: char| by_program && (c == '\u{fffd}' || (c.is_control() && !c.is_whitespace()));
    let digits = text.split(|c: char| !c.is_ascii_hexdigit());
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "+/_-=".contains(c)));
    let digits = digits.map(|word| (word, true));
    let either = digits.chain(words.map(|word| (word, false)));
    for (word, is_hex) in either.filter(|(word, _)| word.len() >= 4) {
        let read = |word: &str| if is_hex { hex(word) } else { base64(word) };
        let bytes = skipped.clone().filter_map(|from| read(&word[from..]));
        let texts = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        all.extend(texts.filter(|text| !text.contains(odd)));
    }
    all
}

/// `\x70`, `\160`, `\u0070`, `\n`.
pub(crate) fn unescape(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (from, base, most) = match part.chars().next() {
            Some('x') => (1, 16, 2),
            Some('u') => (1, 16, 4),
            Some('0') => (0, 8, 4),
            _ => (0, 8, 3),
        };
        let digits: String = part
            .chars()
            .skip(from)
            .take(most)
            .take_while(|c| c.is_digit(base))
            .collect();
        match u32::from_str_radix(&digits, base).ok().and_then(char::from_u32) {
            Some(c) => out.extend(std::iter::once(c).chain(part.chars().skip(from + digits.len()))),
            None => out.push_str(&part.replacen('n', "\n", usize::from(part.starts_with('n')))),
        }
    }
    out
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.chars().map(|c| u8::try_from(c.to_digit(16)?).ok());
    let digits: Vec<u8> = digits.collect::<Option<_>>()?;
    Some(
        digits
            .chunks_exact(2)
            .map(|pair| pair[0] * 16 + pair[1])
            .collect(),
    )
}

/// Either alphabet, with or without its end.
fn base64(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut bits, mut many) = (Vec::new(), 0_u32, 0);
    for c in text.trim_end_matches('=').bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(value)) & 0xffff;
        many += 6;
        if many >= 8 {
            many -= 8;
            bytes.push(u8::try_from(bits >> many & 0xff).ok()?);
        }
    }
    Some(bytes)
}
