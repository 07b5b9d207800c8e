//! A hand: it reads the tree, touches what it finds there, and plays scripts of one step a line.

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use virtual_phone::android::{Android, FingerAction, Intent};
use virtual_phone::system::{System, SystemOptions};

/// A node of the tree, as read from its XML.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) depth: usize,
    pub(crate) parent: Option<usize>,
    pub(crate) names: Vec<String>,
    pub(crate) values: BTreeMap<String, String>,
    /// Left, top, right, bottom.
    pub(crate) bounds: [i32; 4],
}

impl Node {
    pub(crate) fn get(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        self.get(name) == "true"
    }

    pub(crate) fn label(&self) -> &str {
        let text = self.get("text");
        if text.is_empty() {
            self.get("content-desc")
        } else {
            text
        }
    }

    pub(crate) fn center(&self) -> (f32, f32) {
        let [left, top, right, bottom] = self.bounds;
        ((left + right) as f32 / 2.0, (top + bottom) as f32 / 2.0)
    }
}

fn node(tag: &BytesStart<'_>, depth: usize, parent: Option<usize>) -> Node {
    let mut node = Node {
        depth,
        parent,
        ..Node::default()
    };
    for attribute in tag.attributes() {
        let attribute = attribute.unwrap();
        let name = attribute.key.as_ref().to_owned();
        let value = quick_xml::escape::unescape(&attribute.value)
            .unwrap()
            .into_owned();
        node.names.push(name.clone());
        node.values.insert(name, value);
    }
    let numbers: Vec<i32> = node
        .get("bounds")
        .split(['[', ']', ','])
        .filter_map(|number| number.parse().ok())
        .collect();
    node.bounds = numbers.try_into().unwrap_or_default();
    node
}

/// Reads a tree; panics where it is not well-formed.
pub(crate) fn read(xml: &str) -> Vec<Node> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<Option<usize>> = Vec::new();
    loop {
        let event = reader
            .read_event()
            .unwrap_or_else(|error| panic!("{error} in {xml}"));
        let parent = open.last().copied().flatten();
        match event {
            Event::Start(tag) if tag.name().as_ref() == "hierarchy" => open.push(None),
            Event::Start(tag) => {
                nodes.push(node(&tag, open.len(), parent));
                open.push(Some(nodes.len() - 1));
            }
            Event::Empty(tag) => nodes.push(node(&tag, open.len(), parent)),
            Event::End(_) => drop(open.pop()),
            Event::Eof => break,
            Event::Decl(_) => {}
            other => panic!("{other:?} has no place in a tree"),
        }
    }
    assert!(open.is_empty(), "the tree ends too early");
    nodes
}

/// A phone in a hand.
pub(crate) struct Hand {
    pub(crate) phone: System,
    pub(crate) now: Duration,
}

impl Hand {
    pub(crate) fn new(options: SystemOptions) -> Self {
        Self {
            phone: System::new(options),
            now: Duration::ZERO,
        }
    }

    /// A phone with one activity open, `package/class`.
    pub(crate) fn at(component: &str) -> Self {
        Self::new(SystemOptions {
            start: Some(component.to_owned()),
            ..SystemOptions::default()
        })
    }

    pub(crate) fn xml(&mut self) -> String {
        self.phone.hierarchy().unwrap()
    }

    pub(crate) fn nodes(&mut self) -> Vec<Node> {
        let xml = self.xml();
        read(&xml)
    }

    /// The first node whose text, description or resource id is this, else the first whose text begins so.
    pub(crate) fn find(&mut self, words: &str) -> Option<Node> {
        let nodes = self.nodes();
        let is = |node: &&Node| {
            ["text", "content-desc", "resource-id"]
                .iter()
                .any(|name| node.get(name) == words)
        };
        let begins = |node: &&Node| node.get("text").starts_with(words);
        nodes
            .iter()
            .find(is)
            .or_else(|| nodes.iter().find(begins))
            .cloned()
    }

    pub(crate) fn must_find(&mut self, words: &str) -> Node {
        self.find(words).unwrap_or_else(|| {
            let labels: Vec<String> = self
                .nodes()
                .iter()
                .map(|node| node.label().to_owned())
                .filter(|label| !label.is_empty())
                .collect();
            panic!("nothing says {words:?}; there is {labels:?}")
        })
    }

    pub(crate) fn wait(&mut self, millis: u64) {
        let end = self.now + Duration::from_millis(millis);
        while self.now < end {
            self.now = (self.now + Duration::from_millis(16)).min(end);
            self.phone.tick(self.now);
        }
    }

    pub(crate) fn tap_at(&mut self, (x, y): (f32, f32)) {
        self.phone.finger(FingerAction::Down, x, y);
        self.wait(40);
        self.phone.finger(FingerAction::Up, x, y);
        self.wait(350);
    }

    pub(crate) fn tap(&mut self, words: &str) {
        let node = self.must_find(words);
        self.tap_at(node.center());
    }

    pub(crate) fn hold(&mut self, words: &str) {
        let (x, y) = self.must_find(words).center();
        self.phone.finger(FingerAction::Down, x, y);
        self.wait(600);
        self.phone.finger(FingerAction::Up, x, y);
        self.wait(350);
    }

    pub(crate) fn double(&mut self, words: &str) {
        let (x, y) = self.must_find(words).center();
        for _ in 0..2 {
            self.phone.finger(FingerAction::Down, x, y);
            self.wait(30);
            self.phone.finger(FingerAction::Up, x, y);
            self.wait(60);
        }
    }

    pub(crate) fn swipe(&mut self, from: (f32, f32), to: (f32, f32), millis: u64) {
        self.phone.finger(FingerAction::Down, from.0, from.1);
        let steps = (millis / 16).max(1);
        for step in 1..=steps {
            self.wait(16);
            let part = step as f32 / steps as f32;
            let (x, y) = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
            self.phone.finger(FingerAction::Move, x, y);
        }
        self.phone.finger(FingerAction::Up, to.0, to.1);
    }

    /// Scrolls the middle of the screen until something can be seen.
    pub(crate) fn scroll_to(&mut self, words: &str) {
        for _ in 0..12 {
            if self.find(words).is_some() {
                return;
            }
            let display = self.phone.display();
            let (x, height) = (display.width as f32 / 2.0, display.height as f32);
            self.swipe((x, height * 0.65), (x, height * 0.35), 300);
            self.wait(1500);
        }
        self.must_find(words);
    }

    pub(crate) fn write(&mut self, words: &str) {
        for character in words.chars() {
            assert!(self.phone.character(character), "{character:?} is on the key map");
        }
    }

    pub(crate) fn key(&mut self, name: &str) {
        let code = match name {
            "BACK" => 4,
            "HOME" => 3,
            "RECENTS" => 187,
            "ENTER" => 66,
            "DEL" => 67,
            "TAB" => 61,
            "UP" => 19,
            "DOWN" => 20,
            "LEFT" => 21,
            "RIGHT" => 22,
            "CENTER" => 23,
            "POWER" => 26,
            "WAKEUP" => 224,
            "MENU" => 82,
            "VOLUME_UP" => 24,
            "VOLUME_DOWN" => 25,
            "SEARCH" => 84,
            "MOVE_HOME" => 122,
            "MOVE_END" => 123,
            "PASTE" => 279,
            "ESCAPE" => 111,
            "NOTIFICATION" => 83,
            other => panic!("no key {other}"),
        };
        self.phone.key(code, 0, false);
    }

    pub(crate) fn open(&mut self, package: &str) {
        let intent = Intent {
            action: Some("android.intent.action.MAIN".to_owned()),
            categories: vec!["android.intent.category.LAUNCHER".to_owned()],
            package: Some(package.to_owned()),
            ..Intent::default()
        };
        self.phone.start(&intent).unwrap();
    }

    /// Plays a script, one step a line: `open PACKAGE`, `tap WORDS`, `hold WORDS`, `double WORDS`, `field DESCRIPTION`
    /// (taps it), `write WORDS`, `key NAME`, `to WORDS` (scrolls), `wait MILLIS`, `see WORDS`, `miss WORDS`.
    pub(crate) fn play(&mut self, script: &str) -> &mut Self {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
            match verb {
                "open" => self.open(rest),
                "tap" => self.tap(rest),
                "hold" => self.hold(rest),
                "double" => self.double(rest),
                "field" => {
                    let fields = self
                        .nodes()
                        .into_iter()
                        .filter(|node| node.get("class").ends_with("EditText"));
                    let field = fields.into_iter().find(|node| node.get("content-desc") == rest);
                    self.tap_at(
                        field
                            .unwrap_or_else(|| panic!("no field is called {rest:?}"))
                            .center(),
                    );
                }
                "write" => self.write(rest),
                "key" => self.key(rest),
                "to" => self.scroll_to(rest),
                "wait" => self.wait(rest.parse().unwrap()),
                "see" => drop(self.must_find(rest)),
                "miss" => assert!(self.find(rest).is_none(), "{rest:?} is still there"),
                other => panic!("no step {other}"),
            }
        }
        self
    }

    /// One value of the phone's state.
    pub(crate) fn state(&self, pointer: &str) -> Value {
        self.phone
            .state()
            .pointer(pointer)
            .cloned()
            .unwrap_or(Value::Null)
    }

    /// The newest code that arrived by text message.
    pub(crate) fn code(&self) -> String {
        let received = self.state("/messages/received");
        let text = received
            .as_array()
            .and_then(|all| all.last())
            .map(|last| last["text"].to_string())
            .unwrap();
        text.chars().filter(char::is_ascii_digit).collect()
    }
}

/// Plays a script on a phone and compares values of its state (JSON pointer, expected value).
pub(crate) fn check(options: SystemOptions, script: &str, expected: &[(&str, Value)]) {
    let mut hand = Hand::new(options);
    hand.play(script);
    for (pointer, value) in expected {
        assert_eq!(
            &hand.state(pointer),
            value,
            "{pointer} after\n{script}\n{:#}",
            hand.phone.state()
        );
    }
}

/// The tree as a person reads it: one node a line, what is told of it, without places.
pub(crate) fn outline(nodes: &[Node]) -> String {
    let mut out = String::new();
    for node in nodes {
        let class = node.get("class").rsplit('.').next().unwrap_or_default();
        let id = node.get("resource-id").rsplit('/').next().unwrap_or_default();
        out.push_str(&"  ".repeat(node.depth - 1));
        out.push_str(class);
        if !id.is_empty() {
            out.push_str(&format!(" #{id}"));
        }
        for (name, mark) in [("text", '"'), ("content-desc", '\'')] {
            if !node.get(name).is_empty() {
                out.push_str(&format!(" {mark}{}{mark}", node.get(name).replace('\n', "⏎")));
            }
        }
        for flag in [
            "clickable",
            "long-clickable",
            "scrollable",
            "focused",
            "password",
            "selected",
            "checked",
            "NAF",
        ] {
            if node.is(flag) {
                out.push_str(&format!(" {flag}"));
            }
        }
        if node.is("checkable") && !node.is("checked") {
            out.push_str(" unchecked");
        }
        if !node.is("enabled") {
            out.push_str(" disabled");
        }
        out.push('\n');
    }
    out
}
