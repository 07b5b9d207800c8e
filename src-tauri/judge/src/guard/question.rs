//! The question about a page: what it asks, and the opinion in its answer.

use super::answer;
use super::opinion::{Opinion, Say};
use super::page::{Page, is_invisible, on_page, pressables, words};
use super::page_key::PageKey;
use protocol::{Bounds, Element, ElementState, Role, Screen};
use std::fmt::Write as _;

/// Pressables of one question at most.
pub const PRESSABLES: usize = 40;
const SYSTEM: &str = include_str!("system.txt");
/// Characters of one label at most. What is longer is told in part, and then nobody can tell what pressing it does.
const LABEL: usize = 240;
/// The same of a text nobody presses. A condition may stand anywhere in it: where one is longer the page is not told whole.
const TEXT: usize = 1200;
/// Bytes of all those texts at most.
const TEXTS: usize = 4000;
/// Characters of the task at most.
const TASK: usize = 300;

/// One thing that is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its index on the screen.
    pub index: u32,
    /// Its words, else what the app says of it; as the phone gave them.
    pub label: String,
    /// The end of Android's resource id; empty when none.
    pub id: String,
    /// All its words are told.
    pub is_whole: bool,
    /// Where on the screen its picture is, in the screen's pixels, where it has no words and a picture goes along.
    pub drawn: Option<Bounds>,
}

/// One question about one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    app: String,
    text: String,
    asked: Vec<Asked>,
    size: (u32, u32),
    key: PageKey,
    has_picture: bool,
    /// Every element of the page was read, and every text of it is told.
    is_whole: bool,
    /// The page's words look like an answer to this very question.
    speaks: bool,
}

impl Question {
    /// The question about the first [`PRESSABLES`] of a page. `None`: no tree was read, or nothing can be pressed.
    #[must_use]
    pub fn of(page: &Page<'_>) -> Option<Self> {
        question(page, 0)
    }

    /// The question that asks about this element: the first, or where there are more pressables a later one.
    #[must_use]
    pub fn about(page: &Page<'_>, element: u32) -> Option<Self> {
        let at = pressables(page.screen).position(|pressable| pressable.index == element)?;
        question(page, at / PRESSABLES)
    }

    /// The part that is the same in every question.
    #[must_use]
    pub fn system(&self) -> &'static str {
        SYSTEM
    }

    /// The part about this page.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The package of the app.
    #[must_use]
    pub fn app(&self) -> &str {
        &self.app
    }

    /// What is asked about, by number from 1.
    #[must_use]
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// Width and height of the screen, in pixels.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// What an opinion on this page is remembered by.
    #[must_use]
    pub fn key(&self) -> &PageKey {
        &self.key
    }

    /// A picture of the page has to go along: something on it has no words.
    #[must_use]
    pub fn has_picture(&self) -> bool {
        self.has_picture
    }

    /// The opinion in a reply. Total: code fences and JSON around it are passed over; what is said twice differently, not
    /// at all, or in other words is unclear. `None` where nothing in it is an answer.
    #[must_use]
    pub fn read(&self, reply: &str) -> Option<Opinion> {
        let (says, speaks) = answer::answer(reply, self.asked.len())?;
        Some(self.opinion(says, speaks))
    }

    /// An opinion on this page from an earlier look at it, whose question had the same [`Question::key`].
    #[must_use]
    pub fn again(&self, opinion: &Opinion) -> Opinion {
        self.opinion(opinion.says.iter().map(|(_, say)| *say).collect(), opinion.speaks)
    }

    fn opinion(&self, says: Vec<Say>, speaks: bool) -> Opinion {
        let about = self.asked.iter().zip(says);
        Opinion {
            says: about
                .map(|(asked, say)| (asked.index, if asked.is_whole { say } else { say.unclear() }))
                .collect(),
            speaks: speaks || self.speaks,
            is_whole: self.is_whole,
        }
    }
}

fn question(page: &Page<'_>, part: usize) -> Option<Question> {
    let screen = page.screen;
    let asked = pressables(screen).skip(part * PRESSABLES).take(PRESSABLES);
    let asked: Vec<&Element> = asked.filter(|_| screen.tree_read).collect();
    asked.first()?;
    let has_picture = page.eyes && asked.iter().any(|element| words(element).next().is_none());
    let mut text = String::new();
    if !page.task.is_empty() {
        let _ = writeln!(text, "Task: {}", quote(page.task, TASK));
    }
    let _ = write!(text, "App: {}", plain(&screen.current_app));
    if !page.app.is_empty() {
        let _ = write!(text, " {}", quote(page.app, LABEL));
    }
    if let Some(window) = &screen.window {
        let _ = write!(text, ", page {}", plain(tail(window, ['.', '/'])));
    }
    if let Some(site) = page.site {
        let _ = write!(text, ", site {}", plain(site));
    }
    text.push('\n');
    let is_told = tell_texts(&mut text, screen);
    if has_picture {
        text.push_str("A picture of the page goes along.\n");
    }
    for (n, element) in (1..).zip(&asked) {
        tell(&mut text, n, element, screen, has_picture);
    }
    let about = |element: &Element| Asked {
        index: element.index,
        label: words(element).next().unwrap_or_default().to_owned(),
        id: tail(&element.resource_id, ['/'; 2]).to_owned(),
        is_whole: words(element).all(|words| words.chars().count() <= LABEL),
        drawn: (has_picture && words(element).next().is_none()).then_some(element.bounds),
    };
    Some(Question {
        app: screen.current_app.clone(),
        text,
        size: (screen.width, screen.height),
        key: PageKey::of(page, part),
        asked: asked.into_iter().map(about).collect(),
        has_picture,
        is_whole: is_told && screen.totals.truncated_elements == 0,
        speaks: on_page(screen).flat_map(words).any(answer::looks_like_an_answer),
    })
}

/// The texts nobody presses, once each. Whether all of them are told.
fn tell_texts(out: &mut String, screen: &Screen) -> bool {
    // A row tells its own words.
    let mut told: Vec<&str> = pressables(screen).flat_map(words).collect();
    let mut room = TEXTS;
    let mut is_whole = true;
    out.push_str("Texts:");
    let texts = on_page(screen).filter(|element| !screen::is_actionable(element));
    for text in texts.flat_map(words) {
        if told.iter().any(|told| told.contains(text)) {
            continue;
        }
        told.push(text);
        is_whole &= text.chars().count() <= TEXT;
        let quoted = quote(text, TEXT);
        let Some(left) = room.checked_sub(quoted.len()) else {
            out.push_str(" (more are left out)\n");
            return false;
        };
        room = left;
        let _ = write!(out, " {quoted}");
    }
    out.push('\n');
    is_whole
}

/// `3 button "Place order" #place_order bottom`: what it is, its words, what it holds, its id, where it is, its states.
fn tell(out: &mut String, n: usize, element: &Element, screen: &Screen, has_picture: bool) {
    let _ = write!(out, "{n} {}", element.role);
    for words in words(element) {
        let _ = write!(out, " {}", quote(words, LABEL));
    }
    if let Some(value) = element.value.as_deref().filter(|_| element.role != Role::Field) {
        let _ = write!(out, " = {}", quote(value, LABEL));
    }
    if !element.resource_id.is_empty() {
        let _ = write!(out, " #{}", plain(tail(&element.resource_id, ['/'; 2])));
    }
    let b = element.bounds;
    let (x, y) = (b.left.midpoint(b.right), b.top.midpoint(b.bottom));
    let place = screen::place(x, y, screen.width, screen.height);
    let _ = write!(
        out,
        " {}",
        plain(&serde_json::to_string(&place).unwrap_or_default())
    );
    if has_picture && words(element).next().is_none() {
        let share = |n: i32, of: u32| i64::from(n) * 100 / i64::from(of.max(1));
        let _ = write!(
            out,
            " at {}%,{}%",
            share(x, screen.width),
            share(y, screen.height)
        );
    }
    let told = [
        (ElementState::Checked, " on"),
        (ElementState::Selected, " selected"),
        (ElementState::Disabled, " disabled"),
        (ElementState::Password, " password"),
    ];
    out.extend(
        told.into_iter()
            .filter(|(state, _)| element.states.contains(state))
            .map(|(_, word)| word),
    );
    out.push('\n');
}

fn tail(name: &str, at: [char; 2]) -> &str {
    name.rsplit(at).next().unwrap_or_default()
}

/// A program's name for something, without what could end its line.
fn plain(name: &str) -> String {
    let fits = |c: &char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ':');
    name.chars().filter(fits).take(LABEL).collect()
}

/// Words of the phone on one line, between quotes that cannot be closed from inside: the first `most` characters.
fn quote(text: &str, most: usize) -> String {
    let mut kept = text.trim().chars().filter(|c| !is_invisible(*c)).map(tame);
    let told: String = kept.by_ref().take(most).collect();
    let more = if kept.next().is_some() { "…" } else { "" };
    format!("\"{told}{more}\"")
}

/// Neither a control character nor one that closes a quote.
fn tame(c: char) -> char {
    match c {
        '"' | '\u{201c}' | '\u{201d}' | '\u{ff02}' => '\'',
        c if c.is_whitespace() || c.is_control() => ' ',
        c => c,
    }
}
