//! Options as toybox reads them (`lib/args.c`): short ones bundled, in any place, until `--`.

use std::collections::BTreeMap;

/// The options and arguments of one command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    flags: BTreeMap<char, Vec<String>>,
    /// What is no option.
    pub(crate) rest: Vec<String>,
}

impl Options {
    /// Reads words (without the command's name) after `spec`: each letter an option, a `:` after it wants a value. A
    /// `^` first: the first word that is no option ends them. A `#` anywhere: `-5` is option `#` with value `5`.
    ///
    /// # Errors
    /// toybox's words about an unknown option or a missing value.
    pub(crate) fn read(name: &str, words: &[String], spec: &str) -> Result<Self, String> {
        let stops = spec.starts_with('^');
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--" {
                options.rest.extend(words.cloned());
                break;
            }
            let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
                options.rest.push(word.clone());
                if stops {
                    options.rest.extend(words.cloned());
                    break;
                }
                continue;
            };
            if spec.contains('#') && letters.chars().all(|letter| letter.is_ascii_digit()) {
                options.flags.entry('#').or_default().push(letters.to_owned());
                continue;
            }
            if letters.starts_with('-') {
                return Err(format!(
                    "Unknown option '{}' (see \"{name} --help\")",
                    letters.trim_start_matches('-')
                ));
            }
            for (at, letter) in letters.char_indices() {
                let Some(place) = spec.find(letter).filter(|_| letter.is_ascii_alphanumeric()) else {
                    return Err(format!("Unknown option '{letter}' (see \"{name} --help\")"));
                };
                let wants_value = spec.get(place + 1..).is_some_and(|after| after.starts_with(':'));
                let values = options.flags.entry(letter).or_default();
                if wants_value {
                    let bundled = word.get(at + 2..).unwrap_or_default();
                    if bundled.is_empty() {
                        let missing = || format!("Missing argument to -{letter}");
                        values.push(words.next().cloned().ok_or_else(missing)?);
                    } else {
                        values.push(bundled.to_owned());
                    }
                    break;
                }
            }
        }
        Ok(options)
    }

    pub(crate) fn has(&self, letter: char) -> bool {
        self.flags.contains_key(&letter)
    }

    /// The last value given to an option.
    pub(crate) fn value(&self, letter: char) -> Option<&str> {
        self.flags.get(&letter)?.last().map(String::as_str)
    }

    /// Every value given to an option.
    pub(crate) fn values(&self, letter: char) -> &[String] {
        self.flags.get(&letter).map_or(&[], Vec::as_slice)
    }
}

/// Reads the options of a call, or says what is wrong and leaves with 1.
macro_rules! options {
    ($call:expr, $spec:literal) => {
        match $crate::toybox::Options::read($call.name(), $call.arguments(), $spec) {
            Ok(options) => options,
            Err(problem) => return $call.fail(1, problem).await,
        }
    };
}
pub(crate) use options;

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn options_are_bundled_valued_and_ended() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let read = |text, spec| Options::read("x", &words(text), spec);
        let options = read("-ab a -n5 -c x -- -d", "abn:c:d").unwrap();
        assert!(options.has('a') && options.has('b') && !options.has('d'));
        assert_eq!((options.value('n'), options.value('c')), (Some("5"), Some("x")));
        assert_eq!(options.rest, ["a", "-d"]);
        assert_eq!(read("-20 f", "#").unwrap().value('#'), Some("20"));
        assert_eq!(read("cmd -a", "^a").unwrap().rest, ["cmd", "-a"]);
        assert_eq!(
            read("-q", "a"),
            Err("Unknown option 'q' (see \"x --help\")".to_owned())
        );
        assert_eq!(read("-n", "n:"), Err("Missing argument to -n".to_owned()));
    }
}
