//! `uiautomator` XML, read into a flat list of nodes. Iterative: depth costs memory, never stack.

use super::error::TreeError;
use super::node::Node;
use crate::tick::step;
use protocol::Bounds;
use quick_xml::Reader;
use quick_xml::errors::SyntaxError;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;

/// More bytes than any phone's screen needs.
const MOST_BYTES: usize = 32 * 1024 * 1024;
/// More nodes than any phone's screen needs.
const MOST_NODES: usize = 50_000;

/// What stood in the XML.
pub(super) struct RawTree {
    pub(super) nodes: Vec<Node>,
    pub(super) rotation: u8,
}

/// Reads all nodes in document order. Text before the XML (stack traces some makers print) and after it is passed
/// over; several windows' hierarchies (`uiautomator dump --windows`) follow one another.
pub(super) fn read(text: &str) -> Result<RawTree, TreeError> {
    if text.len() > MOST_BYTES {
        return Err(TreeError::TooLarge);
    }
    let xml = &text[start(text)?..];
    let mut reader = Reader::from_str(xml);
    reader.config_mut().allow_dangling_amp = true;
    let mut raw = RawTree {
        nodes: Vec::new(),
        rotation: 0,
    };
    // The number of the enclosing node for each open tag; `None` for tags that are not nodes.
    let mut open: Vec<Option<usize>> = Vec::new();
    loop {
        step();
        let at = reader.buffer_position();
        let event = reader.read_event().map_err(|error| match error {
            quick_xml::Error::Syntax(kind) if kind != SyntaxError::InvalidBangMarkup => {
                TreeError::Truncated {
                    nodes: raw.nodes.len(),
                }
            }
            _ => TreeError::Malformed { at },
        })?;
        match event {
            Event::Start(tag) => {
                let node = take(&tag, &open, &mut raw, at)?;
                open.push(node);
            }
            Event::Empty(tag) => {
                take(&tag, &open, &mut raw, at)?;
                if open.is_empty() {
                    return Ok(raw);
                }
            }
            Event::End(_) => {
                open.pop();
                if open.is_empty() {
                    return Ok(raw);
                }
            }
            Event::Eof => {
                return Err(TreeError::Truncated {
                    nodes: raw.nodes.len(),
                });
            }
            _ => {}
        }
    }
}

/// Where the tree begins.
fn start(text: &str) -> Result<usize, TreeError> {
    let roots = ["<hierarchy", "<displays"];
    if let Some(at) = roots.iter().filter_map(|root| text.find(root)).min() {
        return Ok(at);
    }
    let says = |words: &str| text.contains(words);
    Err(if says("null root node") {
        TreeError::NoWindow
    } else if says("could not get idle state") {
        TreeError::NeverIdle
    } else if says("<?xml") {
        TreeError::Truncated { nodes: 0 }
    } else if text
        .trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0')
        .is_empty()
    {
        TreeError::Empty
    } else {
        TreeError::NoXml
    })
}

/// Reads one tag; gives the number of the node its children belong to.
fn take(
    tag: &BytesStart<'_>,
    open: &[Option<usize>],
    raw: &mut RawTree,
    at: u64,
) -> Result<Option<usize>, TreeError> {
    let parent = open.last().copied().flatten();
    let name = tag.name();
    let name = name.as_ref();
    if matches!(name, "displays" | "display" | "window") {
        return Ok(None);
    }
    if name == "hierarchy" {
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|_| TreeError::Malformed { at })?;
            if attribute.key.as_ref() == "rotation" {
                raw.rotation = attribute.value.trim().parse::<u8>().unwrap_or(0) % 4;
            }
        }
        return Ok(None);
    }
    if raw.nodes.len() >= MOST_NODES {
        return Err(TreeError::TooLarge);
    }
    raw.nodes
        .push(node(tag, name, parent).ok_or(TreeError::Malformed { at })?);
    Ok(Some(raw.nodes.len() - 1))
}

/// One node. `None`: its attributes cannot be told apart.
fn node(tag: &BytesStart<'_>, name: &str, parent: Option<usize>) -> Option<Node> {
    let mut node = Node {
        parent,
        enabled: true,
        visible: true,
        ..Node::default()
    };
    // Other drivers name each tag by its class instead of writing `class`.
    if name != "node" {
        name.clone_into(&mut node.class);
    }
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.ok()?;
        let value = decode(&attribute.value);
        let yes = || value.trim() == "true";
        match attribute.key.as_ref() {
            "text" => node.text = value.into_owned(),
            "content-desc" => node.description = value.into_owned(),
            "hint" => node.hint = value.into_owned(),
            "resource-id" => node.resource_id = value.trim().to_owned(),
            "class" => value.trim().clone_into(&mut node.class),
            "package" => value.trim().clone_into(&mut node.package),
            "bounds" => node.bounds = bounds(&value).unwrap_or_default(),
            "checkable" => node.checkable = yes(),
            "checked" => node.checked = yes(),
            "clickable" => node.clickable = yes(),
            "long-clickable" => node.long_clickable = yes(),
            "enabled" => node.enabled = yes(),
            "focusable" => node.focusable = yes(),
            "focused" => node.focused = yes(),
            "scrollable" => node.scrollable = yes(),
            "password" => node.password = yes(),
            "selected" => node.selected = yes(),
            "visible-to-user" | "displayed" => node.visible = value.trim() != "false",
            _ => {}
        }
    }
    // What a password field holds is not kept anywhere, not even here. (Where an older Android writes the hint of an
    // empty field as its text, that goes too: the two cannot be told apart.)
    if node.password {
        node.text.clear();
    }
    Some(node)
}

/// `[left,top][right,bottom]`.
fn bounds(text: &str) -> Option<Bounds> {
    let mut numbers = text
        .split(['[', ']', ','])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| part.parse::<i32>().ok());
    let (left, top) = (numbers.next()??, numbers.next()??);
    let (right, bottom) = (numbers.next()??, numbers.next()??);
    numbers.next().is_none().then_some(Bounds {
        left,
        top,
        right,
        bottom,
    })
}

/// An attribute's value: the five named entities and numbers. Emoji that older Androids write as two halves
/// (`&#55357;&#56832;`) are put together again; what is no character becomes U+FFFD; a lone `&` stays.
fn decode(value: &str) -> Cow<'_, str> {
    if !value.contains('&') {
        return Cow::Borrowed(value);
    }
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    let mut high: Option<u32> = None;
    while let Some(at) = rest.find('&') {
        if at > 0 {
            lone(&mut high, &mut out);
        }
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        // The longest we know is `&#1114111;`.
        let Some(end) = rest.bytes().take(12).position(|b| b == b';') else {
            lone(&mut high, &mut out);
            out.push('&');
            rest = &rest[1..];
            continue;
        };
        let name = &rest[1..end];
        let code = match name.strip_prefix('#') {
            Some(number) => match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => number.parse().ok(),
            },
            None => match name {
                "lt" => Some(u32::from('<')),
                "gt" => Some(u32::from('>')),
                "amp" => Some(u32::from('&')),
                "quot" => Some(u32::from('"')),
                "apos" => Some(u32::from('\'')),
                _ => None,
            },
        };
        let Some(code) = code else {
            lone(&mut high, &mut out);
            out.push('&');
            rest = &rest[1..];
            continue;
        };
        rest = &rest[end + 1..];
        match (high, code) {
            (Some(first), 0xdc00..=0xdfff) => {
                high = None;
                let whole = 0x1_0000 + ((first - 0xd800) << 10) + (code - 0xdc00);
                out.push(char::from_u32(whole).unwrap_or('\u{fffd}'));
            }
            (_, 0xd800..=0xdbff) => {
                lone(&mut high, &mut out);
                high = Some(code);
            }
            _ => {
                lone(&mut high, &mut out);
                out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
            }
        }
    }
    if !rest.is_empty() {
        lone(&mut high, &mut out);
    }
    out.push_str(rest);
    lone(&mut high, &mut out);
    Cow::Owned(out)
}

/// A first half whose second never came.
fn lone(high: &mut Option<u32>, out: &mut String) {
    if high.take().is_some() {
        out.push('\u{fffd}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities() {
        for (written, read) in [
            ("Fish &amp; chips", "Fish & chips"),
            ("&lt;b&gt; &quot;x&quot; &apos;", "<b> \"x\" '"),
            ("a&#10;b&#x41;", "a\nbA"),
            ("&#128512;", "😀"),
            ("&#55357;&#56832;", "😀"),
            ("&#55357;x", "\u{fffd}x"),
            ("&#55357;", "\u{fffd}"),
            ("&#55357;&amp;", "\u{fffd}&"),
            ("&#56832;", "\u{fffd}"),
            ("Tom & Jerry &c; &", "Tom & Jerry &c; &"),
            ("&#99999999999999999999;", "&#99999999999999999999;"),
            ("&amp;amp;", "&amp;"),
            ("&é;", "&é;"),
        ] {
            assert_eq!(decode(written), read, "{written}");
        }
    }

    #[test]
    fn edges() {
        let b = |left, top, right, bottom| {
            Some(Bounds {
                left,
                top,
                right,
                bottom,
            })
        };
        assert_eq!(bounds("[0,0][1440,3060]"), b(0, 0, 1440, 3060));
        assert_eq!(bounds("[-12, 5][ 30,40]"), b(-12, 5, 30, 40));
        for odd in [
            "",
            "[0,0]",
            "[a,b][c,d]",
            "[0,0][1,2][3,4]",
            "[0,0][99999999999,1]",
        ] {
            assert_eq!(bounds(odd), None, "{odd}");
        }
    }
}
