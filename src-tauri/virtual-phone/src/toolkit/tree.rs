//! The accessibility tree as `uiautomator dump` writes it.
//!
//! Source: AOSP 14, `cmds/uiautomator/…/AccessibilityNodeInfoDumper.java` (attributes, their order, NAF, characters it
//! replaces) and the platform's `KXmlSerializer` (quoting; a character beyond the basic plane as a number).

use super::memory::Memory;
use super::scene::{Node, Scene};
use super::view::{Content, class};
use std::fmt::Write;

/// Classes that may be clickable without a label (`NAF_EXCLUDED_CLASSES`).
const UNLABELLED: [&str; 4] = [
    "android.widget.GridView",
    "android.widget.GridLayout",
    class::LIST,
    "android.widget.TableLayout",
];

/// The whole document: the tree of one window of one package.
pub(crate) fn write_document(scene: &Scene, memory: &Memory, package: &str, rotation: u8) -> String {
    let mut out = String::with_capacity(scene.nodes.len() * 420);
    out.push_str("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>");
    let _ = write!(out, "<hierarchy rotation=\"{rotation}\">");
    if !scene.nodes.is_empty() {
        write_node(&mut out, scene, memory, package, 0, 0);
    }
    out.push_str("</hierarchy>");
    out
}

fn write_node(out: &mut String, scene: &Scene, memory: &Memory, package: &str, at: usize, index: usize) {
    let node = &scene.nodes[at];
    let view = &node.view;
    out.push_str("<node");
    if !UNLABELLED.contains(&view.class) && is_unlabelled(scene, at) {
        attribute(out, "NAF", "true");
    }
    attribute(out, "index", &index.to_string());
    attribute(out, "text", &clean(&view.spoken()));
    attribute(out, "resource-id", &resource(view.id, package));
    attribute(out, "class", view.class);
    attribute(out, "package", package);
    attribute(out, "content-desc", &clean(&view.desc));
    let scrollable = node.scrolling.is_some_and(|scrolling| scrolling.most > 0.0);
    let password = matches!(&view.content, Content::Field(field) if field.password);
    for (name, value) in [
        ("checkable", view.checked.is_some()),
        ("checked", view.checked == Some(true)),
        ("clickable", node.is_clickable()),
        ("enabled", view.enabled),
        ("focusable", node.is_focusable() || view.class == class::RECYCLER),
        ("focused", memory.focus == Some(node.key)),
        ("scrollable", scrollable),
        ("long-clickable", view.long.is_some() || node.takes_text()),
        ("password", password),
        ("selected", view.selected),
    ] {
        attribute(out, name, if value { "true" } else { "false" });
    }
    let bounds = &node.visible;
    let _ = write!(
        out,
        " bounds=\"[{},{}][{},{}]\"",
        bounds.left, bounds.top, bounds.right, bounds.bottom
    );
    let children = children(scene, at).filter(|_| !view.flat);
    let mut shown = children
        .filter(|child| !scene.nodes[*child].visible.is_empty())
        .peekable();
    if shown.peek().is_none() {
        out.push_str(" />");
        return;
    }
    out.push('>');
    // A list holds views only for the rows that can be seen: they are numbered from the first of those.
    let recycles = view.class == class::RECYCLER;
    for (position, child) in shown.enumerate() {
        let index = if recycles {
            position
        } else {
            scene.nodes[child].index
        };
        write_node(out, scene, memory, package, child, index);
    }
    out.push_str("</node>");
}

fn children(scene: &Scene, at: usize) -> impl Iterator<Item = usize> + '_ {
    let end = scene.nodes[at].end;
    let first = (at + 1 < end).then_some(at + 1);
    std::iter::successors(first, move |child| {
        Some(scene.nodes[*child].end).filter(|next| *next < end)
    })
}

// "Not accessibility friendly": can be clicked, but neither it nor anything in it says what it is.
fn is_unlabelled(scene: &Scene, at: usize) -> bool {
    let says = |node: &Node| !node.view.desc.is_empty() || !node.view.spoken().is_empty();
    let node = &scene.nodes[at];
    node.is_clickable() && node.view.enabled && !scene.nodes[at..node.end].iter().any(says)
}

fn resource(id: &str, package: &str) -> String {
    match id {
        "" => String::new(),
        _ if id.contains(':') => id.to_owned(),
        _ => format!("{package}:id/{id}"),
    }
}

// `stripInvalidXMLChars`.
fn clean(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\u{1}'..='\u{8}' | '\u{b}'..='\u{c}' | '\u{e}'..='\u{1f}' => '.',
            '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fdd0}'..='\u{fddf}' => '.',
            '\0' => '.',
            _ => c,
        })
        .collect()
}

fn attribute(out: &mut String, name: &str, value: &str) {
    let _ = write!(out, " {name}=\"");
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => {
                let _ = write!(out, "&#{};", c as u32);
            }
            c if c as u32 > 0xFFFF => {
                let _ = write!(out, "&#{};", c as u32);
            }
            // U+FFFE and U+FFFF are no XML characters; the platform's serializer refuses them.
            '\u{fffe}' | '\u{ffff}' => out.push('.'),
            c => out.push(c),
        }
    }
    out.push('"');
}
