//! Backslash escapes: `echo` (mksh's), `printf`, `$'…'`.

/// Text with its escapes carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unescaped {
    pub(crate) text: String,
    /// `\c` stood there: nothing is printed after it.
    pub(crate) stopped: bool,
}

/// Carries out `\n`, `\t`, `\\`, `\0nnn`, `\nnn`, `\xhh`, `\uhhhh`, `\c` and their like. What is no escape stays.
pub(crate) fn unescape(text: &str) -> Unescaped {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        let Some(escape) = rest.next() else {
            out.push('\\');
            break;
        };
        let mut digits = |most: usize, radix: u32| {
            let mut value = None;
            for _ in 0..most {
                let Some(digit) = rest.peek().and_then(|next| next.to_digit(radix)) else {
                    break;
                };
                value = Some(value.unwrap_or(0) * radix + digit);
                rest.next();
            }
            value
        };
        match escape {
            'a' => out.push('\u{7}'),
            'b' => out.push('\u{8}'),
            'e' | 'E' => out.push('\u{1b}'),
            'f' => out.push('\u{c}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'v' => out.push('\u{b}'),
            '\\' | '\'' | '"' => out.push(escape),
            'c' => {
                return Unescaped {
                    text: out,
                    stopped: true,
                };
            }
            '0' => push(&mut out, digits(3, 8).or(Some(0)), "\\0"),
            '1'..='7' => {
                let first = escape.to_digit(8).unwrap_or(0);
                let mut value = first;
                for _ in 0..2 {
                    match digits(1, 8) {
                        Some(digit) => value = value * 8 + digit,
                        None => break,
                    }
                }
                push(&mut out, Some(value), "");
            }
            'x' => push(&mut out, digits(2, 16), "\\x"),
            'u' => push(&mut out, digits(4, 16), "\\u"),
            'U' => push(&mut out, digits(8, 16), "\\U"),
            other => {
                out.push('\\');
                out.push(other);
            }
        }
    }
    Unescaped {
        text: out,
        stopped: false,
    }
}

fn push(out: &mut String, value: Option<u32>, otherwise: &str) {
    match value {
        Some(value) => out.push(char::from_u32(value).unwrap_or('\u{fffd}')),
        None => out.push_str(otherwise),
    }
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn escapes_are_carried_out() {
        for (text, expected) in [
            (r"a\nb", "a\nb"),
            (r"\x41\101\0101", "AAA"),
            (r"\u00e9", "é"),
            (r"\q\", r"\q\"),
            (r"a\cb", "a"),
            (r"100%\t", "100%\t"),
        ] {
            assert_eq!(unescape(text).text, expected, "{text}");
        }
    }
}
