//! Pages that hold values and lists: a form, the list of choices it opens, and a long list.

use super::pages::{Node, node};

/// Where lists stand on their page, and how high their rows are.
const TOP: i32 = 100;
const BOTTOM: i32 = 500;
const ROW: i32 = 50;

/// What the pages hold.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) name: String,
    pub(crate) wifi: bool,
    /// A percentage.
    pub(crate) volume: i32,
    /// The slider stands so far from where it was touched.
    pub(crate) slack: i32,
    /// The slider tells no value.
    pub(crate) silent: bool,
    pub(crate) sort: String,
    pub(crate) sorts: Vec<&'static str>,
    pub(crate) rows: Vec<String>,
    pub(crate) scrolled: i32,
}

impl Default for Form {
    fn default() -> Self {
        Self {
            name: "Dana".into(),
            wifi: true,
            volume: 20,
            slack: 0,
            silent: false,
            sort: "Newest first".into(),
            sorts: vec!["Newest first", "Title", "My order", "Delete all"],
            rows: (1..=20).map(|n| format!("Row {n}")).collect(),
            scrolled: 0,
        }
    }
}

impl Form {
    pub(crate) fn nodes(&self, page: &str) -> Vec<Node> {
        match page {
            "form" => {
                let mut field = node("EditText", "name", &self.name, 100);
                field.flags = &["clickable", "focusable", "focused"];
                let mut switch = node("Switch", "wifi", "Wi-Fi", 160);
                switch.flags = if self.wifi {
                    &["clickable", "checkable", "checked"]
                } else {
                    &["clickable", "checkable"]
                };
                let volume = if self.silent {
                    String::new()
                } else {
                    format!("{}%", self.volume)
                };
                let slider = node("SeekBar", "volume", &volume, 220);
                vec![field, switch, slider, node("Spinner", "sort", &self.sort, 280)]
            }
            "sorts" => self.list("CheckedTextView", "entry", self.sorts.iter().copied()),
            _ => {
                let mut nodes = vec![node("TextView", "title", "Orders", 30)];
                nodes.extend(self.list("TextView", "row", self.rows.iter().map(String::as_str)));
                nodes.push(node("TextView", "foot", "End of page", 520));
                nodes
            }
        }
    }

    fn list<'a>(
        &self,
        class: &'static str,
        id: &'static str,
        rows: impl Iterator<Item = &'a str>,
    ) -> Vec<Node> {
        let mut list = node("RecyclerView", "list", "", TOP);
        list.bottom = BOTTOM;
        let mut nodes = vec![list];
        let mut top = TOP - self.scrolled;
        for text in rows {
            let mut row = node(class, id, text, top.max(TOP));
            row.bottom = (top + ROW).min(BOTTOM);
            if row.bottom - row.top > 4 {
                nodes.push(row);
            }
            top += ROW;
        }
        nodes
    }

    /// What a touch changes; the page that comes of it, when it is this form's.
    pub(crate) fn touch(&mut self, page: &str, node: &Node, x: i32) -> Option<&'static str> {
        match (page, node.id) {
            ("form", "wifi") => self.wifi = !self.wifi,
            ("form", "volume") => {
                self.volume =
                    ((x - node.left) * 100 / (node.right - node.left - 1) - self.slack).clamp(0, 100)
            }
            ("form", "sort") => {
                self.scrolled = 0;
                return Some("sorts");
            }
            ("form", _) => {}
            ("sorts", "entry") => {
                self.sort.clone_from(&node.text);
                return Some("form");
            }
            ("sorts", _) => return Some("sorts"),
            _ => return None,
        }
        Some("form")
    }

    /// A finger that moved up by so much.
    pub(crate) fn scroll(&mut self, page: &str, up: i32) {
        let rows = if page == "sorts" {
            self.sorts.len()
        } else {
            self.rows.len()
        };
        let high = i32::try_from(rows).unwrap() * ROW - (BOTTOM - TOP);
        self.scrolled = (self.scrolled + up).clamp(0, high.max(0));
    }
}
