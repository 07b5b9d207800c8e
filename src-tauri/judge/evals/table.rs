//! A table of screens and cases, a screen a block (`README.md`, "The table"): each becomes the UI tree a phone would give.

use crate::case::Labelled;
use serde_json::{Value, json};
use std::fmt::Write;

/// Where rows that name no place begin, how high they are, and how far apart.
const FIRST_ROW: i32 = 180;
const ROW: i32 = 130;
const STEP: i32 = 150;

/// One thing on a screen.
struct Item {
    kind: String,
    texts: Vec<String>,
    described: Option<String>,
    id: String,
    marks: String,
    bounds: [i32; 4],
}

/// A screen, and the cases on it.
struct Block {
    head: Vec<String>,
    source: Value,
    items: Vec<Item>,
    cases: Vec<String>,
}

/// The cases of one file.
pub(crate) fn read(text: &str) -> Vec<Labelled> {
    let mut blocks: Vec<Block> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(head) = line.strip_prefix("= ") {
            blocks.push(Block {
                head: head.split('|').map(|part| part.trim().to_owned()).collect(),
                source: json!({"kind": "written"}),
                items: Vec::new(),
                cases: Vec::new(),
            });
            continue;
        }
        let block = blocks.last_mut().expect("a block begins with its head");
        if let Some(case) = line.strip_prefix("> ") {
            block.cases.push(case.to_owned());
        } else if let Some(source) = line.strip_prefix("src ") {
            let parts: Vec<&str> = source.split(' ').collect();
            block.source = json!({"kind": "published", "repository": parts[0], "path": parts[1],
                "commit": parts[2], "licence": parts[3]});
        } else {
            let row = i32::try_from(block.items.len()).unwrap();
            block.items.push(item(line, FIRST_ROW + row * STEP));
        }
    }
    blocks.iter().flat_map(Block::labelled).collect()
}

/// `kind "text" "text" ~"description" #id *+-!^% @left,top,right,bottom`
fn item(line: &str, top: i32) -> Item {
    let (kind, mut rest) = line.split_once(' ').unwrap_or((line, ""));
    let wide = if kind == "icon" { 170 } else { 1040 };
    let mut item = Item {
        kind: kind.to_owned(),
        texts: Vec::new(),
        described: None,
        id: String::new(),
        marks: String::new(),
        bounds: [40, top, wide, top + ROW],
    };
    while let Some(first) = rest.trim_start().chars().next() {
        rest = rest.trim_start();
        if first == '"' || first == '~' {
            let quoted = rest.trim_start_matches('~');
            let (text, after) = quoted[1..].split_once('"').expect("a quote ends");
            if first == '~' {
                // A second description is told as words: a thing has one.
                match item.described {
                    None => item.described = Some(text.to_owned()),
                    Some(_) => item.texts.push(text.to_owned()),
                }
            } else {
                item.texts.push(text.to_owned());
            }
            rest = after;
            continue;
        }
        let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = after;
        if let Some(id) = word.strip_prefix('#') {
            id.clone_into(&mut item.id);
        } else if let Some(at) = word.strip_prefix('@') {
            item.bounds = numbers(at).try_into().expect("four numbers");
        } else {
            item.marks.push_str(word);
        }
    }
    item
}

fn numbers(text: &str) -> Vec<i32> {
    text.split(',').map(|n| n.parse().expect("a number")).collect()
}

impl Block {
    fn option(&self, name: &str) -> Option<&str> {
        self.head.iter().find_map(|part| part.strip_prefix(name))
    }

    fn is(&self, name: &str) -> bool {
        self.head.iter().any(|part| part == name)
    }

    fn size(&self) -> (u32, u32) {
        let (width, height) = self.head[3].split_once('x').expect("a size");
        (width.parse().unwrap(), height.parse().unwrap())
    }

    fn labelled(&self) -> Vec<Labelled> {
        let cases = self.cases.iter().enumerate();
        cases.map(|(n, case)| self.case(n + 1, case)).collect()
    }

    fn case(&self, n: usize, line: &str) -> Labelled {
        let (what, why) = line.rsplit_once(" :: ").expect("a reason");
        let (action, label) = what.rsplit_once(" => ").expect("a label");
        let mut words = label.split(' ');
        let label = words.next().unwrap();
        let mut also = Vec::new();
        let mut near = Value::Null;
        let mut kind = "";
        for word in words {
            match word {
                "dangerous" | "harmless" => near = json!(format!("looks_{word}")),
                other => match other.strip_prefix("also=") {
                    Some(other) => also.push(named(other)),
                    None => kind = other,
                },
            }
        }
        let (width, height) = self.size();
        let read = !self.is("notree");
        let (action, meant) = self.action(n, action);
        let capture = ["black", "protected", "failed"]
            .into_iter()
            .find(|name| self.is(name));
        let asks = |name| {
            self.option("off=")
                .is_none_or(|off| !off.split(',').any(|o| o == name))
        };
        let case = json!({
            "id": format!("{}.{n}", self.head[0]),
            "language": self.head[1],
            "source": self.source,
            "screen": {"width": width, "height": height, "tree": null},
            "facts": {
                "front": self.head[2],
                "capture": capture.unwrap_or("ok"),
                "treeRead": read,
                "keyboardShown": self.is("kb"),
                "previous": self.option("before="),
                "level": self.option("level=").unwrap_or("when_it_matters"),
                "askBefore": {"sending": asks("sending"), "deleting": asks("deleting"),
                    "installing": asks("installing"), "shell": asks("shell")},
                "askedWithoutTree": self.is("blind"),
                "modelFlag": self.is("flag").then_some("sensitive"),
                "task": self.option("task="),
            },
            "action": action,
            "meant": meant.map(|bounds| json!({"bounds": bounds})),
            "label": named(label),
            "also": also,
            "kind": kind,
            "near": near,
            "why": why,
        });
        let mut case: Labelled = serde_json::from_value(case).expect("a case");
        case.screen.xml = read.then(|| self.xml());
        case
    }

    /// The action as a model writes it, and what it means to touch. By turns by its words and by its place.
    fn action(&self, n: usize, line: &str) -> (Value, Option<[i32; 4]>) {
        if line.starts_with('{') {
            return (serde_json::from_str(line).expect("an action"), None);
        }
        let (verb, rest) = line.split_once(' ').unwrap();
        let quoted: Vec<&str> = rest.split('"').skip(1).step_by(2).collect();
        let touched = |name: &str| {
            let item = self.items.iter().find(|item| item.is_called(name));
            item.unwrap_or_else(|| panic!("{}: no {name:?}", self.head[0]))
                .bounds
        };
        let middle = |[l, t, r, b]: [i32; 4]| (i32::midpoint(l, r), i32::midpoint(t, b));
        match verb {
            "tap" | "long" => {
                let bounds = touched(quoted[0]);
                let (x, y) = middle(bounds);
                let kind = if verb == "tap" { "tap" } else { "long_press" };
                let by_words =
                    n.is_multiple_of(2) && self.items.iter().filter(|i| i.is_called(quoted[0])).count() == 1;
                let action = if by_words && !self.is("notree") {
                    json!({"type": kind, "target": {"text": quoted[0]}})
                } else {
                    json!({"type": kind, "x": x, "y": y})
                };
                (action, Some(bounds))
            }
            "at" | "long-at" => {
                let at = numbers(rest);
                let kind = if verb == "at" { "tap" } else { "long_press" };
                (json!({"type": kind, "x": at[0], "y": at[1]}), None)
            }
            "swipe" => {
                let at = numbers(rest);
                let action = json!({"type": "swipe", "x1": at[0], "y1": at[1], "x2": at[2], "y2": at[3]});
                (action, None)
            }
            "type" => (
                json!({"type": "type", "text": quoted[0].replace("\\n", "\n")}),
                None,
            ),
            "typein" => {
                let bounds = touched(quoted[0]);
                let (width, height) = self.size();
                let thousandths = |n: i32, of: u32| n * 1000 / i32::try_from(of).unwrap();
                let [l, t, r, b] = bounds;
                let target = [
                    thousandths(l, width),
                    thousandths(t, height),
                    thousandths(r, width),
                    thousandths(b, height),
                ];
                let action = json!({"type": "type", "text": quoted[1].replace("\\n", "\n"), "target": {"box": target}});
                (action, Some(bounds))
            }
            "key" => (
                json!({"type": "keyevent", "keycode": format!("KEYCODE_{rest}")}),
                None,
            ),
            "shell" => (json!({"type": "shell", "command": rest}), None),
            "script" => (json!({"type": "run_script", "script": rest}), None),
            "url" => (json!({"type": "open_url", "url": rest}), None),
            other => panic!("no action {other}"),
        }
    }

    fn xml(&self) -> String {
        let (width, height) = self.size();
        let package = &self.head[2];
        let mut out = String::from(
            "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">",
        );
        let whole = [
            0,
            0,
            i32::try_from(width).unwrap(),
            i32::try_from(height).unwrap(),
        ];
        let frame = Node {
            class: "android.widget.FrameLayout",
            ..Node::of(package, whole)
        };
        frame.open(&mut out);
        for rows in self.items.chunk_by(|a, b| a.kind == "item" && b.kind == "item") {
            // Entries of a list lie in one.
            let list = rows[0].kind == "item";
            if list {
                let [_, top, ..] = rows[0].bounds;
                let bounds = [0, top, whole[2], rows.last().map_or(top, |row| row.bounds[3])];
                let class = "androidx.recyclerview.widget.RecyclerView";
                Node {
                    class,
                    ..Node::of(package, bounds)
                }
                .open(&mut out);
            }
            for item in rows {
                item.xml(package, &mut out);
            }
            if list {
                out.push_str("</node>");
            }
        }
        out.push_str("</node></hierarchy>");
        out
    }
}

fn named(label: &str) -> &str {
    match label {
        "ask" => "must_ask",
        other => other,
    }
}

/// One node of a UI tree, as `uiautomator` writes it.
struct Node<'a> {
    class: &'a str,
    package: &'a str,
    id: String,
    text: &'a str,
    described: &'a str,
    hint: &'a str,
    states: &'a [&'a str],
    bounds: [i32; 4],
}

impl<'a> Node<'a> {
    fn of(package: &'a str, bounds: [i32; 4]) -> Self {
        Self {
            class: "android.view.View",
            package,
            id: String::new(),
            text: "",
            described: "",
            hint: "",
            states: &[],
            bounds,
        }
    }

    fn open(&self, out: &mut String) {
        let on = |name| self.states.contains(&name);
        let [l, t, r, b] = self.bounds;
        let escape = |text: &str| {
            text.replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('"', "&quot;")
        };
        write!(
            out,
            "<node index=\"0\" text=\"{}\" resource-id=\"{}\" class=\"{}\" package=\"{}\" content-desc=\"{}\" \
             checkable=\"{}\" checked=\"{}\" clickable=\"{}\" enabled=\"{}\" focusable=\"{}\" focused=\"{}\" \
             scrollable=\"{}\" long-clickable=\"{}\" password=\"{}\" selected=\"{}\" bounds=\"[{l},{t}][{r},{b}]\" \
             hint=\"{}\">",
            escape(self.text), self.id, self.class, self.package, escape(self.described),
            on("checkable"), on("checked"), on("clickable"), !on("disabled"), on("clickable"), on("focused"),
            on("scrollable"), on("editable") || on("long"), on("password"), on("selected"), escape(self.hint),
        ).unwrap();
    }

    fn whole(&self, out: &mut String) {
        self.open(out);
        out.push_str("</node>");
    }
}

impl Item {
    fn is_called(&self, name: &str) -> bool {
        self.texts.iter().any(|text| text == name) || self.described.as_deref() == Some(name)
    }

    fn xml(&self, package: &str, out: &mut String) {
        let mut states = Vec::new();
        for mark in self.marks.chars() {
            states.push(match mark {
                '*' => "focused",
                '+' => "checked",
                '-' => "disabled",
                '^' => "selected",
                '!' => "still",
                '%' => "long",
                other => panic!("no mark {other:?}"),
            });
        }
        if matches!(self.kind.as_str(), "list" | "pager" | "scroll") {
            states.push("scrollable");
        }
        const STILL: &[&str] = &["text", "image", "rating", "web", "list", "pager", "scroll"];
        if !STILL.contains(&self.kind.as_str()) && !states.contains(&"still") {
            states.push("clickable");
        }
        if matches!(self.kind.as_str(), "check" | "switch" | "radio" | "toggle") {
            states.push("checkable");
        }
        if self.kind.ends_with("field") || self.kind.ends_with("pass") {
            states.push("editable");
        }
        if self.kind.ends_with("pass") {
            states.push("password");
        }
        let first = self.texts.first().map_or("", String::as_str);
        let described = self.described.as_deref().unwrap_or("");
        let id = match self.id.as_str() {
            "" => String::new(),
            "button1" | "button2" => format!("android:id/{}", self.id),
            id => format!("{package}:id/{id}"),
        };
        let node = Node {
            id,
            described,
            text: first,
            states: &states,
            ..Node::of(package, self.bounds)
        };
        let class = match self.kind.as_str() {
            "text" | "textbutton" => "android.widget.TextView",
            "button" => "android.widget.Button",
            "icon" => "android.widget.ImageButton",
            "image" | "picture" => "android.widget.ImageView",
            "rating" => "android.widget.RatingBar",
            "check" => "android.widget.CheckBox",
            "switch" => "android.widget.Switch",
            "radio" => "android.widget.RadioButton",
            "slider" => "android.widget.SeekBar",
            "tab" => "android.app.ActionBar$Tab",
            "web" => "android.webkit.WebView",
            "scroll" => "android.widget.ScrollView",
            "list" => "androidx.recyclerview.widget.RecyclerView",
            "pager" => "androidx.viewpager.widget.ViewPager",
            "field" | "pass" | "compose-field" | "compose-pass" => "android.widget.EditText",
            "item" => "android.widget.LinearLayout",
            "view" => "android.view.ViewGroup",
            "compose" | "toggle" => "android.view.View",
            other => panic!("no kind {other}"),
        };
        match self.kind.as_str() {
            "field" | "pass" => {
                let value = self.texts.get(1).map_or(first, String::as_str);
                Node {
                    class,
                    text: value,
                    hint: first,
                    ..node
                }
                .whole(out);
            }
            "item" | "view" | "compose" | "toggle" | "compose-field" | "compose-pass" => {
                let on_itself = if self.kind.starts_with("compose") {
                    ""
                } else {
                    described
                };
                Node {
                    class,
                    text: "",
                    described: on_itself,
                    id: node.id.clone(),
                    states: &states,
                    ..Node::of(package, self.bounds)
                }
                .open(out);
                let [l, t, r, b] = self.bounds;
                let rows = i32::try_from(self.texts.len().max(1)).unwrap();
                let high = (b - t) / rows;
                if on_itself.is_empty() && !described.is_empty() {
                    Node {
                        described,
                        ..Node::of(package, [l + 4, t + 4, r - 4, b - 4])
                    }
                    .whole(out);
                }
                for (n, text) in (0..).zip(&self.texts) {
                    let top = t + n * high;
                    let bounds = [l + 8, top + 2, r - 8, top + high - 2];
                    Node {
                        class: "android.widget.TextView",
                        text,
                        ..Node::of(package, bounds)
                    }
                    .whole(out);
                }
                if self.kind == "compose" {
                    Node {
                        class: "android.widget.Button",
                        ..Node::of(package, self.bounds)
                    }
                    .whole(out);
                }
                out.push_str("</node>");
            }
            _ => Node { class, ..node }.whole(out),
        }
    }
}
