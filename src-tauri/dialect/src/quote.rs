//! Texts in quotes, so that reading them back gives every character.

/// In single quotes, with Python's escapes.
pub(crate) fn single_quoted(text: &str) -> String {
    quoted(text, '\'')
}

/// In double quotes, with Python's escapes.
pub(crate) fn double_quoted(text: &str) -> String {
    quoted(text, '"')
}

fn quoted(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// As one word of a POSIX shell: as it is where nothing in it means anything there.
pub(crate) fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_each_word_as_it_was() {
        for (word, expected) in [
            ("input", "input"),
            ("/sdcard/a-b_1.txt", "/sdcard/a-b_1.txt"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$(x)", "'$(x)'"),
            ("a;b", "'a;b'"),
            ("é", "'é'"),
        ] {
            assert_eq!(shell_word(word), expected);
        }
    }
}
