//! What a reply's structure holds, before any dialect gives it a meaning.

/// One value of the common grammar: JSON, its usual damage, Python's literals, written calls.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(Number),
    Text(Text),
    /// A bare word where a value stands: `tap` in `{type: tap}`.
    Word(String),
    List(List),
    Object(Object),
    Call(Call),
}

/// A number, and how it was written: typed text must not lose a zero.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Number {
    pub(crate) value: f64,
    pub(crate) written: String,
}

/// A quoted text. `mended` when its end or its escapes had to be guessed: such a text is never typed or run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) value: String,
    pub(crate) mended: bool,
}

/// `[…]` or `(…)`. `closed` when its own closing bracket was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct List {
    pub(crate) items: Vec<Value>,
    pub(crate) closed: bool,
}

/// `{…}`, in the order written. `closed` when its own closing brace was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object {
    pub(crate) fields: Vec<(String, Value)>,
    pub(crate) closed: bool,
}

/// `name(…)`: named arguments, and those without a name in order. `closed` when its own parenthesis was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) arguments: Object,
    pub(crate) unnamed: Vec<Value>,
    pub(crate) closed: bool,
}

impl Object {
    /// The first field of that name.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.fields
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value)
    }

    /// The first field of that name that holds an object.
    pub(crate) fn object(&self, name: &str) -> Option<&Object> {
        self.get(name).and_then(Value::as_object)
    }

    /// A field that stands there twice with two values: which of them is meant cannot be known.
    pub(crate) fn contradiction(&self) -> Option<&str> {
        let mut seen = std::collections::BTreeMap::new();
        self.fields
            .iter()
            .find_map(|(key, value)| match seen.insert(key, value) {
                Some(before) if before != value => Some(key.as_str()),
                _ => None,
            })
    }
}

impl Value {
    pub(crate) fn as_object(&self) -> Option<&Object> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    pub(crate) fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(list) => Some(&list.items),
            _ => None,
        }
    }

    /// A text or bare word, for names and words of a fixed list; never for what is typed or run.
    pub(crate) fn as_word(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(&text.value),
            Value::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// A finite number, or a text that holds nothing but one (`"12"`, `" 12 "`, `"3.7"`, `"0x10"`).
    pub(crate) fn as_number(&self) -> Option<f64> {
        match self {
            Value::Number(number) => Some(number.value).filter(|n| n.is_finite()),
            Value::Text(text) => number_in(&text.value),
            _ => None,
        }
    }

    /// A whole number of at least one.
    pub(crate) fn as_count(&self) -> Option<u32> {
        let n = self.as_number()?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole and within the range, as the line before says"
        )]
        (n.fract() == 0.0 && n >= 1.0 && n <= f64::from(u32::MAX)).then_some(n as u32)
    }
}

/// The number a text is, blanks around it aside. Neither `12px` nor `1,000` nor `NaN` is one.
pub(crate) fn number_in(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    for (prefix, radix) in [("0x", 16), ("0X", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = digits.strip_prefix(prefix).filter(|_| digits.len() == text.len()) {
            return u32::from_str_radix(digits, radix).ok().map(f64::from);
        }
    }
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    text.parse::<f64>().ok().filter(|n| n.is_finite())
}
