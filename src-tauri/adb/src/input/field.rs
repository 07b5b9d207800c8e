//! The field that has the focus, as the UI tree tells it, and whether a text arrived there.

use crate::capture::tree::TreeReader;
use crate::connect::server::Device;
use crate::dumpsys::screen::KeyReceiver;
use crate::exec::cancel_guard::CancelGuard;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// How long the tree is waited for to see whether a text arrived.
const READS: Duration = Duration::from_secs(6);
/// How long the phone may take to tell whether anything takes text.
const ASKS: Duration = Duration::from_secs(2);

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// What stands in it; its hint where it is empty.
    pub(crate) text: String,
    /// It shows dots: what stands in it cannot be compared.
    pub(crate) password: bool,
}

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// It stands in the field.
    Seen,
    /// The field changed and does not show it: formatted, cut, or completed by the app.
    Different,
    /// The field is as it was.
    Missing,
    /// The tree does not tell.
    Unknown,
}

impl Arrival {
    /// For [`agent::ports::Effect::seen`].
    pub(crate) fn seen(self) -> Option<bool> {
        match self {
            Self::Seen => Some(true),
            Self::Different | Self::Missing => Some(false),
            Self::Unknown => None,
        }
    }
}

/// Looks at the field of one phone.
#[derive(Clone)]
pub(crate) struct FieldReader {
    pub(crate) device: Device,
    pub(crate) tree: TreeReader,
    /// Who would get keys, where the last look has told it and nobody has touched the phone since.
    pub(crate) listener: Option<KeyReceiver>,
    /// The tree of the last look, where nobody has touched the phone since.
    pub(crate) shown: Option<Arc<str>>,
}

impl FieldReader {
    /// The field with the focus before anything is done: as the last look showed it, else as it is now.
    pub(crate) async fn before(&self, guard: &CancelGuard) -> Option<Field> {
        match &self.shown {
            Some(shown) => focused(shown),
            None => self.read(guard).await,
        }
    }

    /// The field with the focus now; nothing when there is none, no tree, or no more time.
    pub(crate) async fn read(&self, guard: &CancelGuard) -> Option<Field> {
        let reading = timeout(READS, self.tree.read(&self.device));
        tokio::select! {
            biased;
            () = guard.lost() => None,
            read = reading => focused(&read.ok()?.ok()?),
        }
    }

    /// Who would get keys now. Quick, unlike a tree; a field that takes them as they are, where it is not told.
    pub(crate) async fn listener(&self, guard: &CancelGuard) -> KeyReceiver {
        if let Some(known) = self.listener {
            return known;
        }
        let asking = self.device.look("dumpsys input_method", ASKS);
        tokio::select! {
            biased;
            () = guard.lost() => KeyReceiver::default(),
            told = asking => told.map_or_else(|_| KeyReceiver::default(), |told| KeyReceiver::read(&told.text())),
        }
    }
}

/// The focused node of a tree. Where several say so (a web page and a field in it), the innermost.
pub(crate) fn focused(xml: &str) -> Option<Field> {
    let node = xml
        .split("<node ")
        .skip(1)
        .filter(|node| attribute(node, "focused") == Some("true"))
        .last()?;
    Some(Field {
        text: plain(attribute(node, "text")?),
        password: attribute(node, "password") == Some("true"),
    })
}

/// Whether the focus is on something to write in.
pub(crate) fn has_editor(xml: &str) -> bool {
    xml.split("<node ")
        .skip(1)
        .filter(|node| attribute(node, "focused") == Some("true"))
        .filter_map(|node| attribute(node, "class"))
        .any(|class| class.contains("Edit") || class.contains("AutoComplete"))
}

/// Compares what the field shows with what was typed.
pub(crate) fn compare(before: Option<&Field>, after: Option<&Field>, typed: &str) -> Arrival {
    let Some(after) = after.filter(|field| !field.password) else {
        return Arrival::Unknown;
    };
    // A dot is a letter of its own where the text has none that a tree would write so.
    let dots = !typed.chars().any(is_unwritten);
    let skeleton = |text: &str| skeleton(text, dots);
    let (shown, typed) = (skeleton(&after.text), skeleton(typed));
    if typed.is_empty() {
        return Arrival::Unknown;
    }
    let had = before.map(|field| skeleton(&field.text).matches(&typed).count());
    let has = shown.matches(&typed).count();
    match before {
        Some(before) if before == after => Arrival::Missing,
        _ if has > had.unwrap_or(0) => Arrival::Seen,
        Some(_) => Arrival::Different,
        None if has > 0 => Arrival::Seen,
        None => Arrival::Different,
    }
}

/// What of a text every version's tree shows: older ones write `.` for what XML 1.0 has not, and for letters beyond the
/// basic plane; fields break lines where they like.
fn skeleton(text: &str, dots: bool) -> String {
    text.chars()
        .filter(|c| !c.is_control() && !c.is_whitespace() && (dots || *c != '.') && *c <= '\u{ffff}')
        .collect()
}

/// What some versions' trees show as a dot.
fn is_unwritten(c: char) -> bool {
    c > '\u{ffff}' || c.is_control() && !matches!(c, '\n' | '\t' | '\r')
}

fn attribute<'a>(node: &'a str, name: &str) -> Option<&'a str> {
    // An attribute's value holds no quotes, so what stands between quotes is a value, and what is in front a name.
    let mut rest = node;
    loop {
        let (head, tail) = rest.split_once("=\"")?;
        let (value, behind) = tail.split_once('"')?;
        if head.trim() == name {
            return Some(value);
        }
        rest = behind;
    }
}

/// An attribute's value without its entities. What is no entity stays as it is.
fn plain(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut rest = value;
    // Java's writer gives letters beyond the basic plane as one number, some builds as two halves.
    let mut high: Option<u32> = None;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some(end) = rest.bytes().take(12).position(|byte| byte == b';') else {
            plain.push('&');
            rest = &rest[1..];
            continue;
        };
        let name = &rest[1..end];
        let number = name
            .strip_prefix('#')
            .and_then(|number| match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => number.parse().ok(),
            });
        let read = match (name, number) {
            ("lt", _) => Some('<'),
            ("gt", _) => Some('>'),
            ("amp", _) => Some('&'),
            ("quot", _) => Some('"'),
            ("apos", _) => Some('\''),
            (_, Some(half @ 0xd800..=0xdbff)) => {
                high = Some(half);
                rest = &rest[end + 1..];
                continue;
            }
            (_, Some(low @ 0xdc00..=0xdfff)) => high
                .take()
                .and_then(|high| char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))),
            (_, Some(number)) => char::from_u32(number),
            _ => None,
        };
        match read {
            Some(c) => plain.push(c),
            None => plain.push_str(&rest[..=end]),
        }
        rest = &rest[end + 1..];
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn node(text: &str, more: &str) -> String {
        format!(
            "<hierarchy><node index=\"0\" text=\"focused=\" focused=\"false\" /><node text=\"{text}\" {more} focused=\"true\" /></hierarchy>"
        )
    }

    fn check(text: &str, more: &str, expected: Option<(&str, bool)>) {
        let found = focused(&node(text, more));
        assert_eq!(
            found.as_ref().map(|field| (field.text.as_str(), field.password)),
            expected
        );
    }

    #[test]
    fn the_field_with_the_focus_is_read() {
        check("Hi", "password=\"false\"", Some(("Hi", false)));
        check("••", "password=\"true\"", Some(("••", true)));
        check(
            "a &lt;b&gt; &quot;&apos;&amp;amp;&#10;c",
            "",
            Some(("a <b> \"'&amp;\nc", false)),
        );
        check("&#128578;&#55357;&#56898;&#x1F642;", "", Some(("🙂🙂🙂", false)));
        check("&nosuch; & &#xZZ;", "", Some(("&nosuch; & &#xZZ;", false)));
        assert_eq!(
            focused("<hierarchy><node text=\"x\" focused=\"false\" /></hierarchy>"),
            None
        );
        assert_eq!(focused(""), None);
    }

    #[test]
    fn a_text_arrived_or_not() {
        let field = |text: &str| Field {
            text: text.to_owned(),
            password: false,
        };
        let (empty, full) = (field("Message"), field("Aé漢🙂 %s"));
        for (before, after, typed, expected) in [
            (Some(&empty), Some(&full), "Aé漢🙂 %s", Arrival::Seen),
            // Older trees.
            (
                Some(&empty),
                Some(&field("Aé漢.. %s")),
                "Aé漢🙂 %s",
                Arrival::Seen,
            ),
            (Some(&empty), Some(&empty), "x", Arrival::Missing),
            (Some(&empty), Some(&field("+1 (555)")), "1555", Arrival::Different),
            // A keyboard's full stop for two blanks.
            (
                Some(&empty),
                Some(&field("so. two")),
                "so  two",
                Arrival::Different,
            ),
            (Some(&empty), Some(&field("a. b")), "a. b", Arrival::Seen),
            // It stood there before, and stands there twice now.
            (Some(&field("ab")), Some(&field("abab")), "ab", Arrival::Seen),
            (Some(&field("ab")), Some(&field("ab ")), "ab", Arrival::Different),
            (None, Some(&full), "漢", Arrival::Seen),
            (Some(&empty), None, "x", Arrival::Unknown),
            (Some(&empty), Some(&full), "🙂", Arrival::Unknown),
        ] {
            assert_eq!(compare(before, after, typed), expected, "{after:?}");
        }
        let dots = Field {
            text: "••".to_owned(),
            password: true,
        };
        assert_eq!(compare(None, Some(&dots), "ab"), Arrival::Unknown);
    }

    proptest! {
        #[test]
        fn any_tree_is_read_or_not(xml in ".{0,400}") {
            let _ = focused(&xml);
            let _ = plain(&xml);
        }

        #[test]
        fn what_is_escaped_comes_back(text in "[^\\p{Cc}]{0,80}") {
            let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
            prop_assert_eq!(plain(&escaped), text);
        }
    }
}
