//! The fields of one action, read by kind: what is missing or invalid takes its default and is noted.

use crate::notes::{Notes, Refusal, cut};
use crate::quote::shell_word;
use crate::value::{Object, Value};
use protocol::{Direction, WarningCode};
use serde::de::{self, Deserialize, IntoDeserializer};

/// An action's fields, and where what is said of them goes.
pub(crate) struct Fields<'a> {
    object: &'a Object,
    pub(crate) notes: &'a mut Notes,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(object: &'a Object, notes: &'a mut Notes) -> Self {
        Self { object, notes }
    }

    /// The field, unless it is absent or null. A name in snake_case stands for the camelCase one: it can mean nothing
    /// else.
    pub(crate) fn find(&mut self, name: &str) -> Option<&'a Value> {
        let object = self.object;
        let found = object.get(name).or_else(|| {
            let snake = snake_case(name);
            let found = (snake != name).then(|| object.get(&snake)).flatten();
            if found.is_some() {
                self.notes.warn(
                    WarningCode::KeyStyle,
                    Some(name),
                    format!("`{snake}` was read as `{name}`"),
                );
            }
            found
        });
        found.filter(|value| !value.is_null())
    }

    /// A number, or nothing when it is missing or none.
    pub(crate) fn number(&mut self, name: &str) -> Option<f64> {
        self.find(name).and_then(Value::as_number)
    }

    /// A number, or the default.
    pub(crate) fn number_or(&mut self, name: &str, default: f64) -> f64 {
        self.number(name).unwrap_or_else(|| {
            self.notes.defaulted(name);
            default
        })
    }

    /// What is typed, run or sent: word for word as the reply has it. `None` when missing or not text.
    ///
    /// # Errors
    /// When its end or its escapes had to be guessed, or it has no quotes.
    pub(crate) fn exact_text(&mut self, name: &str) -> Result<Option<String>, Refusal> {
        Ok(match self.find(name) {
            None => None,
            Some(Value::Text(text)) if text.mended => {
                return Err(Refusal::malformed(format!(
                    "`{name}` is not quoted soundly: escape the quotes and backslashes in it"
                )));
            }
            Some(Value::Word(word)) => {
                return Err(Refusal::malformed(format!(
                    "`{name}` has no quotes: {}",
                    cut(word)
                )));
            }
            Some(Value::Text(text)) => Some(text.value.clone()),
            Some(Value::Number(number)) => Some(number.written.clone()),
            Some(Value::Bool(b)) => Some(b.to_string()),
            Some(_) => {
                self.notes
                    .warn(WarningCode::NotText, Some(name), format!("`{name}` is not text"));
                None
            }
        })
    }

    /// [`Fields::exact_text`], or the default, which is noted.
    ///
    /// # Errors
    /// As [`Fields::exact_text`].
    pub(crate) fn exact_text_or(&mut self, name: &str, default: &str) -> Result<String, Refusal> {
        Ok(self.exact_text(name)?.unwrap_or_else(|| {
            self.notes.defaulted(name);
            default.into()
        }))
    }

    /// A command given as the list of its words: one line of shell, each word quoted. One word alone is a line as it is.
    /// `None` where no such list stands.
    ///
    /// # Errors
    /// When the end or the escapes of a word had to be guessed.
    pub(crate) fn words_of_a_list(&mut self, name: &str) -> Result<Option<String>, Refusal> {
        let Some(Value::List(list)) = self.find(name) else {
            return Ok(None);
        };
        let words = list.items.iter().map(|item| match item {
            Value::Text(text) => Some(text.value.clone()),
            Value::Number(number) => Some(number.written.clone()),
            _ => None,
        });
        let words: Option<Vec<String>> = words.collect();
        let Some(words) = words.filter(|_| matches!(list.items.first(), Some(Value::Text(_)))) else {
            return Ok(None);
        };
        let mended = |item: &Value| matches!(item, Value::Text(text) if text.mended);
        if !list.closed || list.items.iter().any(mended) {
            return Err(Refusal::malformed(format!(
                "`{name}` is not quoted soundly: escape the quotes and backslashes in it"
            )));
        }
        if let [line] = words.as_slice() {
            return Ok(Some(line.clone()));
        }
        let message = format!("`{name}` was a list of words: each was quoted");
        self.notes.warn(WarningCode::ListOfWords, Some(name), message);
        let words: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
        Ok(Some(words.join(" ")))
    }

    /// A name of a fixed kind (a key, a package, an app): blanks around it do not belong to it; blank is missing, and
    /// so is one whose end had to be guessed.
    pub(crate) fn name(&mut self, name: &str) -> Option<String> {
        let text = match self.find(name)? {
            Value::Number(number) => number.written.clone(),
            Value::Text(text) if text.mended => return None,
            other => other.as_word()?.trim().to_owned(),
        };
        (!text.is_empty()).then_some(text)
    }

    /// [`Fields::name`], or the default, which is noted.
    pub(crate) fn name_or(&mut self, name: &str, default: &str) -> String {
        self.name(name).unwrap_or_else(|| {
            self.notes.defaulted(name);
            default.into()
        })
    }

    /// Words for people: kept as they are, nothing when there are none.
    pub(crate) fn words(&mut self, name: &str) -> Option<String> {
        let text = match self.find(name)? {
            Value::Text(text) => text.value.clone(),
            Value::Word(word) => word.clone(),
            Value::Number(number) => number.written.clone(),
            _ => return None,
        };
        (!text.trim().is_empty()).then_some(text)
    }

    /// A value the model gives to a variable, which may be typed later: one whose end had to be guessed is left out,
    /// and is read again from where it stands.
    pub(crate) fn result(&mut self) -> Option<String> {
        match self.find("result") {
            Some(Value::Text(text)) if text.mended => {
                let why = "the result is not quoted soundly: it is read again";
                self.notes.warn(WarningCode::ResultLeftOut, Some("result"), why);
                None
            }
            _ => self.words("result"),
        }
    }

    /// True only when it says so; noted as a default when it says nothing that can be read.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        self.maybe_flag(name).unwrap_or_else(|| {
            self.notes.defaulted(name);
            false
        })
    }

    /// True or false, or nothing when it says neither.
    pub(crate) fn maybe_flag(&mut self, name: &str) -> Option<bool> {
        match self.find(name)? {
            Value::Bool(b) => Some(*b),
            other => match other.as_word()?.trim() {
                "true" | "True" => Some(true),
                "false" | "False" => Some(false),
                _ => None,
            },
        }
    }

    /// Texts: a list of them, or one text parted at any of `parts`. Empty when missing.
    pub(crate) fn list_of_names(&mut self, name: &str, parts: &[char]) -> Vec<String> {
        let Some(value) = self.find(name) else {
            return Vec::new();
        };
        let texts: Vec<String> = match value {
            Value::List(list) => list.items.iter().filter_map(name_of).collect(),
            other => name_of(other)
                .iter()
                .flat_map(|text| text.split(parts))
                .map(Into::into)
                .collect(),
        };
        texts
            .iter()
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
            .collect()
    }

    /// One word of a fixed list, in any case and with blanks around it; any other is the list's default, which is
    /// noted.
    pub(crate) fn choice<T: Default + for<'de> Deserialize<'de>>(&mut self, name: &str) -> T {
        let word = self.find(name).and_then(|value| match value {
            Value::Number(number) => Some(number.written.clone()),
            other => other.as_word().map(Into::into),
        });
        let chosen = word.and_then(|word| {
            let word: de::value::StringDeserializer<de::value::Error> =
                snake_case(&word.trim().to_lowercase()).into_deserializer();
            T::deserialize(word).ok()
        });
        chosen.unwrap_or_else(|| {
            self.notes.defaulted(name);
            T::default()
        })
    }

    /// Where a scroll goes: down when it says nothing. For the dialects whose pages give no default for what cannot be
    /// read.
    ///
    /// # Errors
    /// When what stands there is no direction.
    pub(crate) fn direction(&mut self) -> Result<Direction, Refusal> {
        let mut unsure = Notes::default();
        let direction = Fields::new(self.object, &mut unsure).choice("direction");
        match self.find("direction") {
            Some(_) if !unsure.defaulted.is_empty() => {
                Err(Refusal::malformed("`direction` is up, down, left or right"))
            }
            Some(_) => Ok(direction),
            None => {
                self.notes.defaulted("direction");
                Ok(direction)
            }
        }
    }

    /// How many elements at most.
    pub(crate) fn max_elements(&mut self, name: &str) -> u32 {
        const MOST: u32 = 1000;
        match self.find(name).and_then(Value::as_count) {
            Some(n) if n > MOST => {
                self.notes.warn(
                    WarningCode::Clamped,
                    Some(name),
                    "at most 1000 elements are returned",
                );
                MOST
            }
            Some(n) => n,
            None => {
                self.notes.defaulted(name);
                100
            }
        }
    }
}

fn name_of(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.written.clone()),
        other => other.as_word().map(Into::into),
    }
}

/// `durationMs` → `duration_ms`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 2);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}
