//! What phones of Android 4 to 16 say about themselves, read without guessing: what is not said is not known.
//!
//! Every reader here takes text and gives facts. None of these texts is a promise of Android's: each maker and version
//! prints its own, so the readers look for single lines and words and leave the rest alone.

pub mod displays;
pub mod front;
pub mod notifications;
pub mod power;
pub mod properties;
pub mod screen;
pub mod signers;
pub mod touches;
pub mod windows;

/// What stands behind `key` on a line that begins with it.
pub(crate) fn behind<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.trim().strip_prefix(key).map(str::trim)
}

/// The value of `key=value` somewhere on a line, up to the next space, comma or brace.
pub(crate) fn value_of<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut from = 0;
    while let Some(found) = line.get(from..)?.find(key) {
        let at = from + found;
        let begins = line[..at]
            .chars()
            .next_back()
            .is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
        let after = &line[at + key.len()..];
        if begins && let Some(value) = after.strip_prefix('=') {
            let end = value
                .find([' ', ',', '}', ')', '\t', '\r', '\n'])
                .unwrap_or(value.len());
            return Some(&value[..end]);
        }
        from = at + key.len();
    }
    None
}

/// `true` or `false` behind `key=` anywhere in a text; the first that says either.
pub(crate) fn flag(text: &str, key: &str) -> Option<bool> {
    text.lines().find_map(|line| match value_of(line, key)? {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_whole_key() {
        let line = "  mAwake=false mScreenOnEarly=true, xshowing=1 showing=false}";
        assert_eq!(value_of(line, "mAwake"), Some("false"));
        assert_eq!(value_of(line, "mScreenOnEarly"), Some("true"));
        assert_eq!(value_of(line, "showing"), Some("false"));
        assert_eq!(value_of(line, "Awake"), None);
        assert_eq!(value_of(line, "absent"), None);
        assert_eq!(
            flag("showingAndNotOccluded=true\nshowing=false", "showing"),
            Some(false)
        );
        assert_eq!(flag("showing=maybe", "showing"), None);
    }
}
