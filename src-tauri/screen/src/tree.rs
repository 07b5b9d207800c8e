//! The UI tree a phone gives, read into numbered elements.

mod element;
mod error;
mod label;
mod node;
mod node_facts;
mod order;
mod role;
mod track;
mod xml;

pub use error::TreeError;
pub use node::Node;

use crate::mask;
use protocol::{Bounds, Element, Totals};
use secrecy::SecretString;

/// A UI tree, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// What stands on the screen, numbered from 1 in reading order.
    pub elements: Vec<Element>,
    /// How many there were before the cap.
    pub totals: Totals,
    /// The size in pixels the phone gave its windows. When it does not fit the picture's, the screen was turning and
    /// the two are of different moments.
    pub extent: (u32, u32),
    /// How the phone is turned, in quarter turns (0–3), as the tree says.
    pub rotation: u8,
    /// The packages that own something on the screen, in order of first appearance.
    pub packages: Vec<String>,
    /// Every node of the tree in document order, as the phone gave it (a password's text is dropped while reading).
    pub nodes: Vec<Node>,
    /// For each of `elements`, its node's place in `nodes`.
    origins: Vec<usize>,
    /// What the elements are clipped to.
    size: (u32, u32),
    max_elements: usize,
}

impl Tree {
    /// Reads the output of `uiautomator dump` for a screen of `width` × `height` pixels (the picture's size, rotation
    /// included; where there was no picture, 0 × 0 takes the tree's own). Survives a BOM, CRLF, text before and after the XML, control characters and any depth.
    ///
    /// At most `max_elements` are kept, the first in reading order; [`Tree::totals`] tells how many there were. The
    /// numbers are the same with any cap, so a list cut for a model and the whole list for the judge agree.
    ///
    /// # Errors
    /// [`TreeError`] when there is no whole tree. An empty screen is not an error.
    pub fn read(xml: &str, width: u32, height: u32, max_elements: usize) -> Result<Self, TreeError> {
        let raw = xml::read(xml)?;
        let extent = extent(&raw.nodes);
        let size = if width == 0 || height == 0 {
            extent
        } else {
            (width, height)
        };
        let mut packages: Vec<String> = Vec::new();
        for node in &raw.nodes {
            if !node.package.is_empty() && !packages.contains(&node.package) && packages.len() < 32 {
                packages.push(node.package.clone());
            }
        }
        let mut tree = Self {
            elements: Vec::new(),
            totals: Totals::default(),
            extent,
            rotation: raw.rotation,
            packages,
            nodes: raw.nodes,
            origins: Vec::new(),
            size,
            max_elements,
        };
        tree.build();
        Ok(tree)
    }

    /// Makes the elements of the nodes.
    fn build(&mut self) {
        let order = order::reading_order(&self.nodes);
        let mut drafts = element::build(&self.nodes, &order, self.size.0, self.size.1);
        track::assign(&mut drafts, &self.nodes, &order);
        self.origins = drafts.iter().map(|draft| draft.node).collect();
        self.elements = drafts.into_iter().map(|draft| draft.element).collect();
        self.totals = limit(&mut self.elements, self.max_elements);
        self.origins.truncate(self.elements.len());
    }

    /// The node an element was made of, by the element's number.
    #[must_use]
    pub fn node(&self, element: u32) -> Option<&Node> {
        let place = usize::try_from(element).ok()?.checked_sub(1)?;
        self.nodes.get(*self.origins.get(place)?)
    }

    /// Every visible field, those beyond the cap too.
    pub fn fields(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| node.visible && node.is_field())
    }

    /// Where its windows lie: what stands beside them it does not tell, as in the other half of a split screen.
    #[must_use]
    pub fn bounds(&self) -> Option<Bounds> {
        let roots = self.nodes.iter().filter(|node| node.parent.is_none());
        let whole = |a: Bounds, b: Bounds| Bounds {
            left: a.left.min(b.left),
            top: a.top.min(b.top),
            right: a.right.max(b.right),
            bottom: a.bottom.max(b.bottom),
        };
        roots.map(|node| node.bounds).reduce(whole)
    }

    /// Takes a secret out of every node and makes the elements anew, so that nothing made of its words is left: not
    /// their labels, not their track ids. Gives the rectangles that showed it, and every password field's, to be
    /// filled in the picture.
    pub fn mask(&mut self, secret: &SecretString, replacement: &str) -> Vec<Bounds> {
        let shown = mask::mask_elements(&mut self.elements, secret, replacement);
        for node in &mut self.nodes {
            for text in [&mut node.text, &mut node.description, &mut node.hint] {
                if let Some(masked) = mask::mask_text(text, secret, replacement) {
                    *text = masked;
                }
            }
        }
        self.build();
        // One character in each of several fields: no node shows it alone.
        mask::mask_elements(&mut self.elements, secret, replacement);
        shown
    }
}

/// The far corner of the outermost nodes.
fn extent(nodes: &[Node]) -> (u32, u32) {
    let far = |edge: fn(&Bounds) -> i32| {
        let edges = nodes
            .iter()
            .filter(|node| node.parent.is_none())
            .map(|node| edge(&node.bounds));
        u32::try_from(edges.max().unwrap_or(0)).unwrap_or(0)
    };
    (far(|b| b.right), far(|b| b.bottom))
}

/// Cuts a list to its first `max_elements` and tells how many there were.
pub fn limit(elements: &mut Vec<Element>, max_elements: usize) -> Totals {
    let all = elements.len();
    elements.truncate(max_elements);
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Totals {
        total_elements: count(all),
        truncated_elements: count(all - elements.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tick::steps_of;

    /// Five times the tree takes five times the steps, whatever its form.
    fn check(form: &str, tree: impl Fn(usize) -> String) {
        let steps = |n| steps_of(|| Tree::read(&tree(n), 1080, 2400, 1000).unwrap().elements.len());
        let (small, large) = (steps(1_000), steps(5_000));
        assert!(small >= 1_000, "{form}: the steps are counted ({small})");
        assert!(large <= 6 * small, "{form}: {small} steps, then {large}");
    }

    #[test]
    fn steps_grow_as_trees_do() {
        let leaf = |n: usize, flags: &str| {
            format!(
                "<node text=\"n {n}\" class=\"a.TextView\" {flags} bounds=\"[0,{n}][90,{}]\"/>",
                n + 40
            )
        };
        let root = "<hierarchy><node scrollable=\"true\" bounds=\"[0,0][1080,2400]\">";
        let end = "</node></hierarchy>";
        let flat = |flags: &'static str| {
            move |n| (0..n).fold(root.to_owned(), |xml, at| xml + &leaf(at, flags)) + end
        };
        check("texts in a list", flat(""));
        check("buttons in a list", flat("clickable=\"true\""));
        check("nameless switches", |n| {
            let switch = "<node class=\"a.Switch\" checkable=\"true\" bounds=\"[0,0][90,90]\"/>";
            format!("{root}{}{end}", switch.repeat(n))
        });
        check("areas and texts in no order", |n| {
            let area = "<node class=\"a.View\" clickable=\"true\" bounds=\"[0,0][1080,900]\"/>";
            (0..n / 2).fold(root.to_owned(), |xml, at| xml + area + &leaf(at, "")) + end
        });
        check("rows of texts", |n| {
            let row = |at: usize| {
                format!(
                    "<node class=\"a.LinearLayout\" clickable=\"true\" bounds=\"[0,{at}][1080,{}]\">{}{}</node>",
                    at + 100,
                    leaf(at, ""),
                    leaf(at + 50, "")
                )
            };
            (0..n / 3).fold(root.to_owned(), |xml, at| xml + &row(at)) + end
        });
        for flags in [
            "",
            "clickable=\"true\"",
            "scrollable=\"true\"",
            "checkable=\"true\" text=\"x\"",
        ] {
            check(flags, |n| {
                let open = format!("<node {flags} bounds=\"[0,0][90,90]\">");
                format!("{root}{}{}{end}", open.repeat(n), "</node>".repeat(n))
            });
        }
    }
}
