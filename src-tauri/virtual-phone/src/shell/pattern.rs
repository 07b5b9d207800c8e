//! Shell patterns: `*`, `?`, `[a-z]`. Whatever was quoted stands for itself.

/// One pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Character(char),
    Any,
    Star,
    Class {
        inverted: bool,
        ranges: Vec<(char, char)>,
    },
}

impl Pattern {
    /// From characters, each quoted or not.
    pub(crate) fn new(characters: &[(char, bool)]) -> Self {
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(&(character, quoted)) = characters.get(at) {
            at += 1;
            let part = match (character, quoted) {
                ('*', false) => Part::Star,
                ('?', false) => Part::Any,
                ('[', false) => match class(characters, at) {
                    Some((part, next)) => {
                        at = next;
                        part
                    }
                    None => Part::Character('['),
                },
                (character, _) => Part::Character(character),
            };
            parts.push(part);
        }
        Self(parts)
    }

    /// From text in which nothing is quoted (`find -name`).
    pub(crate) fn unquoted(text: &str) -> Self {
        let mut characters = Vec::new();
        let mut escaped = false;
        for character in text.chars() {
            if character == '\\' && !escaped {
                escaped = true;
            } else {
                characters.push((character, escaped));
                escaped = false;
            }
        }
        Self::new(&characters)
    }

    /// Whether anything in it is not a plain character.
    pub(crate) fn is_wild(&self) -> bool {
        self.0.iter().any(|part| !matches!(part, Part::Character(_)))
    }

    /// The characters themselves, when nothing is wild.
    pub(crate) fn literal(&self) -> String {
        self.0
            .iter()
            .filter_map(|part| {
                if let Part::Character(character) = part {
                    Some(*character)
                } else {
                    None
                }
            })
            .collect()
    }

    /// Whether the pattern's first part is a plain `.` (hidden files must be asked for).
    pub(crate) fn starts_with_dot(&self) -> bool {
        self.0.first() == Some(&Part::Character('.'))
    }

    /// Whether the whole text fits. Time is bounded by pattern × text.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        self.fits(&text)
    }

    pub(crate) fn fits(&self, text: &[char]) -> bool {
        let (mut part, mut at) = (0, 0);
        // Where to go on when what follows the last star does not fit.
        let mut retry: Option<(usize, usize)> = None;
        loop {
            match (self.0.get(part), text.get(at)) {
                (Some(Part::Star), _) => {
                    part += 1;
                    retry = Some((part, at));
                }
                (Some(wanted), Some(character)) if wanted.fits(*character) => {
                    part += 1;
                    at += 1;
                }
                (None, None) => return true,
                _ => match retry {
                    Some((star, from)) if from < text.len() => {
                        retry = Some((star, from + 1));
                        part = star;
                        at = from + 1;
                    }
                    _ => return false,
                },
            }
        }
    }
}

impl Part {
    fn fits(&self, character: char) -> bool {
        match self {
            Self::Character(wanted) => *wanted == character,
            Self::Any => true,
            Self::Star => false,
            Self::Class { inverted, ranges } => {
                ranges
                    .iter()
                    .any(|(low, high)| (*low..=*high).contains(&character))
                    != *inverted
            }
        }
    }
}

/// A bracket expression whose `[` stands just before `start`; none when it never closes.
fn class(characters: &[(char, bool)], start: usize) -> Option<(Part, usize)> {
    let mut at = start;
    let inverted = matches!(characters.get(at), Some(('!' | '^', false)));
    if inverted {
        at += 1;
    }
    let mut ranges = Vec::new();
    let first = at;
    loop {
        let &(low, quoted) = characters.get(at)?;
        if low == ']' && !quoted && at > first {
            return Some((Part::Class { inverted, ranges }, at + 1));
        }
        if low == '[' && matches!(characters.get(at + 1), Some((':', _))) {
            let end = (at + 2..characters.len()).find(|&end| {
                characters.get(end).is_some_and(|c| c.0 == ':')
                    && characters.get(end + 1).is_some_and(|c| c.0 == ']')
            })?;
            let name: String = characters
                .get(at + 2..end)?
                .iter()
                .map(|(character, _)| *character)
                .collect();
            ranges.extend_from_slice(named(&name)?);
            at = end + 2;
            continue;
        }
        match (characters.get(at + 1), characters.get(at + 2)) {
            (Some(('-', false)), Some(&(high, high_quoted))) if high != ']' || high_quoted => {
                ranges.push((low, high));
                at += 3;
            }
            _ => {
                ranges.push((low, low));
                at += 1;
            }
        }
    }
}

/// `[:digit:]` and its like.
fn named(name: &str) -> Option<&'static [(char, char)]> {
    Some(match name {
        "digit" => &[('0', '9')],
        "alpha" => &[('a', 'z'), ('A', 'Z')],
        "alnum" => &[('a', 'z'), ('A', 'Z'), ('0', '9')],
        "lower" => &[('a', 'z')],
        "upper" => &[('A', 'Z')],
        "space" => &[(' ', ' '), ('\t', '\r')],
        "blank" => &[(' ', ' '), ('\t', '\t')],
        "xdigit" => &[('0', '9'), ('a', 'f'), ('A', 'F')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn patterns_fit_what_they_should() {
        for (pattern, text, fits) in [
            ("*", "", true),
            ("*.txt", "a.txt", true),
            ("*.txt", "a.txt.bak", false),
            ("a*b*c", "aXXbYYbZc", true),
            ("a*b*c", "aXXbYYbZ", false),
            ("?", "é", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]x]", "]", true),
            ("[[:digit:]]*", "7up", true),
            ("[a", "[a", true),
            (r"\*", "*", true),
            (r"\*", "x", false),
            ("", "", true),
            ("", "x", false),
        ] {
            assert_eq!(Pattern::unquoted(pattern).matches(text), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn many_stars_do_not_explode() {
        let pattern = Pattern::unquoted(&"*a".repeat(50));
        assert!(!pattern.matches(&"a".repeat(2000).replace("aa", "ab").replace("ab", "b")));
    }
}
