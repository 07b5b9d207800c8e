//! One case of the set, and how it is judged.

use crate::lower::lower;
use crate::table;
use judge::guard::Opinion;
use judge::{Case, Input, Verdict, judge};
use protocol::{
    Act, Action, AskBefore, AskKind, Bounds, CaptureResult, Level, PhoneId, RuleName, Screen, Settings,
    Totals,
};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// As `look` keeps them.
const ELEMENTS: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Label {
    MustAsk,
    Allow,
    Refuse,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Labelled {
    pub(crate) id: String,
    pub(crate) language: String,
    pub(crate) screen: Shown,
    pub(crate) facts: Facts,
    pub(crate) action: Action,
    pub(crate) meant: Option<Meant>,
    pub(crate) label: Label,
    pub(crate) also: Vec<Label>,
    pub(crate) kind: String,
    pub(crate) why: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Shown {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) tree: Option<PathBuf>,
    /// The tree itself, where a table tells it.
    #[serde(skip)]
    pub(crate) xml: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Facts {
    pub(crate) front: String,
    pub(crate) capture: CaptureResult,
    pub(crate) tree_read: bool,
    pub(crate) keyboard_shown: bool,
    #[serde(default)]
    pub(crate) previous: Option<AskKind>,
    pub(crate) level: Level,
    pub(crate) ask_before: AskBefore,
    #[serde(default)]
    pub(crate) asked_without_tree: bool,
    #[serde(default)]
    pub(crate) model_flag: Option<protocol::Sensitivity>,
    #[serde(default)]
    pub(crate) secrets: Vec<String>,
    /// The task, in the person's words; the set has none.
    #[serde(default)]
    pub(crate) task: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Meant {
    pub(crate) bounds: Option<Bounds4>,
}

/// `[left, top, right, bottom]`.
pub(crate) type Bounds4 = [i32; 4];

/// What the judge says, told apart by what may still be done about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The judge said so, by this rule.
    Judged(Label, String),
    /// It cannot be done at all: nothing happens, nobody is asked.
    NotDone(String),
}

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("evals")
}

/// The cases of a part: `open`, `sealed` (JSON lines); `closed`, `third`, `fourth-dev` (folders of tables), or a folder elsewhere.
pub(crate) fn read(part: &str) -> Vec<Labelled> {
    let tables = folder().join(part);
    if tables.with_extension("jsonl").is_file() {
        let lines = std::fs::read_to_string(tables.with_extension("jsonl")).unwrap();
        return lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(tables)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
        .iter()
        .flat_map(|file| table::read(&std::fs::read_to_string(file).unwrap()))
        .collect()
}

impl Labelled {
    /// Whether what the action touches is what was meant. Nothing is judged.
    pub(crate) fn misses_its_target(&self) -> Option<String> {
        let screen = self.screen();
        let inputs = match lower(&self.action, &screen) {
            Ok(inputs) => inputs,
            Err(why) => return Some(why),
        };
        let meant = self.meant.as_ref()?.bounds?;
        let (x, y) = match *inputs.first()? {
            Input::Tap { at } | Input::DoubleTap { at } | Input::Hold { at, .. } => at,
            _ => return None,
        };
        (!lies_in(meant, x, y)).then(|| format!("touches {x},{y}, meant {meant:?}"))
    }

    /// What stands under the action's first point.
    pub(crate) fn touched(&self) -> String {
        let screen = self.screen();
        let inputs = lower(&self.action, &screen).unwrap_or_default();
        let at = match inputs.first() {
            Some(Input::Tap { at } | Input::DoubleTap { at } | Input::Hold { at, .. }) => *at,
            _ => return serde_json::to_string(&self.action).unwrap(),
        };
        let element = screen::element_at(&screen.elements, at.0, at.1);
        element.map_or_else(String::new, |e| format!("{}:{:?}", e.role, e.label))
    }

    /// What the judge says with this opinion on the page.
    pub(crate) fn outcome(&self, opinion: Option<&Opinion>) -> Outcome {
        let screen = self.screen();
        // The run asks the person itself, before anything is judged.
        if let Act::RequestHumanAuth { capability, .. } = &self.action.act {
            return Outcome::Judged(Label::MustAsk, format!("{capability:?} asked for"));
        }
        let inputs = match lower(&self.action, &screen) {
            Ok(inputs) if inputs.is_empty() => return Outcome::Judged(Label::Allow, String::new()),
            Ok(inputs) => inputs,
            Err(why) => return Outcome::NotDone(why),
        };
        let settings = Settings {
            level: self.facts.level,
            ask_before: self.facts.ask_before,
            ..Settings::default()
        };
        let written = serde_json::to_string(&self.action).unwrap();
        let verdict = judge(&Case {
            task: self.facts.task.as_deref().unwrap_or_default(),
            before: self.facts.previous,
            marked: self.facts.model_flag == Some(protocol::Sensitivity::Sensitive),
            blind_allowed: self.facts.asked_without_tree,
            secret_given: !self.facts.secrets.is_empty(),
            holds_secret: self.facts.secrets.iter().any(|secret| written.contains(secret)),
            // What a table gives by its name was saved for the field that has the focus.
            saved_fits: inputs.iter().any(|input| matches!(input, Input::Secret { .. })),
            opinion,
            ..Case::new(&inputs, &screen, &settings, 0, std::time::Instant::now())
        });
        match verdict {
            Verdict::Allow(_) => Outcome::Judged(Label::Allow, String::new()),
            Verdict::Ask(pending) => {
                Outcome::Judged(Label::MustAsk, format!("{:?} {}", pending.kind(), pending.rule()))
            }
            Verdict::Refuse {
                rule: RuleName::NoField,
            } => Outcome::NotDone("no field".to_owned()),
            Verdict::Refuse { rule } => Outcome::Judged(Label::Refuse, rule.to_string()),
        }
    }

    pub(crate) fn screen(&self) -> Screen {
        let from_file = || {
            let path = self.screen.tree.as_ref()?;
            Some(std::fs::read_to_string(folder().join(path)).unwrap())
        };
        let xml = self.screen.xml.clone().or_else(from_file);
        let tree = xml
            .filter(|_| self.facts.tree_read)
            .map(|xml| screen::Tree::read(&xml, self.screen.width, self.screen.height, ELEMENTS).unwrap());
        let tree_read = tree.is_some();
        let tree_bounds = tree.as_ref().and_then(screen::Tree::bounds);
        let (elements, totals) = tree.map_or_else(
            || (Vec::new(), Totals::default()),
            |tree| (tree.elements, tree.totals),
        );
        Screen {
            phone: PhoneId("phone".into()),
            current_app: self.facts.front.clone(),
            window: None,
            width: self.screen.width,
            height: self.screen.height,
            captured_at: 0,
            capture: self.facts.capture,
            frame: None,
            elements,
            tree_read,
            tree_bounds,
            totals,
            keyboard_shown: self.facts.keyboard_shown,
        }
    }
}

fn lies_in([left, top, right, bottom]: Bounds4, x: i32, y: i32) -> bool {
    let meant = Bounds {
        left,
        top,
        right,
        bottom,
    };
    x >= meant.left && x < meant.right && y >= meant.top && y < meant.bottom
}
