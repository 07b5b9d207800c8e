//! What holds for whatever comes in. Shared by the properties, the corpus, the long run and the fuzz target: no
//! framework is used here.
//!
//! The judge is independent of the readers: it knows no grammar. It takes the reply as characters, undoes escapes, and
//! asks whether the numbers, names, texts and words that the answer rests on stand there at all.

use dialect::{DIALECTS, Dialect, Parsed};
use protocol::{Act, Action, Target, Unclear, WarningCode};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Characters looked at, for each character of the reply, at most: a reply is walked through twice (whose it is, what it
/// says), and the looser second reading looks ahead a name's length (64) behind every quote. Up to 73 has been met.
const STEPS_A_BYTE: usize = 160;

/// No panic, linear work, and an honest answer, in every dialect and in none.
pub(crate) fn total(raw: &str) {
    for (dialect, _) in DIALECTS {
        let _ = total_in(Some(dialect), raw);
    }
    let _ = total_in(None, raw);
}

/// The same in none, in the product's own, and in one more that the text itself chooses: for many texts. What came of
/// them, as a number: another number is another way through the readers.
pub(crate) fn total_in_some(raw: &str) -> u64 {
    let hash = |sum: usize, byte: u8| sum.wrapping_mul(31).wrapping_add(byte.into());
    let chosen = raw.bytes().fold(0, hash) % DIALECTS.len();
    let mut hasher = DefaultHasher::new();
    for told in [None, Some(Dialect::OpenPocket), Some(DIALECTS[chosen].0)] {
        match total_in(told, raw) {
            Ok(parsed) => {
                (parsed.dialect, std::mem::discriminant(&parsed.step.action.act)).hash(&mut hasher);
                (parsed.defaulted, parsed.sensitivity.is_some()).hash(&mut hasher);
                for warning in parsed.warnings {
                    warning.code.hash(&mut hasher);
                }
            }
            Err(unclear) => {
                let message: String = unclear
                    .message
                    .chars()
                    .filter(char::is_ascii_lowercase)
                    .take(30)
                    .collect();
                (told, message, unclear.normalized.is_some()).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

#[expect(
    clippy::result_large_err,
    reason = "the contract between rooms carries the action that was refused"
)]
fn total_in(told: Option<Dialect>, raw: &str) -> Result<Parsed, Unclear> {
    let (answer, steps) = dialect::parse_counting(raw, told, None);
    assert!(
        steps <= STEPS_A_BYTE * raw.len() + 1000,
        "{steps} steps for {} bytes of {}",
        raw.len(),
        raw.chars().take(80).collect::<String>()
    );
    if let Ok(parsed) = &answer {
        honest(raw, parsed);
    }
    answer
}

/// The reply's characters, as they stand and with escapes undone: once, and again for JSON inside JSON.
struct Words(Vec<String>);

impl Words {
    fn of(raw: &str) -> Self {
        let mut all = vec![raw.to_owned()];
        for python in [false, true] {
            let mut text = raw.to_owned();
            for _ in 0..3 {
                if !text.contains('\\') {
                    break;
                }
                text = unescaped(&text, python);
                all.push(text.clone());
            }
        }
        let plain: Vec<String> = all.iter().map(|text| text.chars().map(plain).collect()).collect();
        if plain != all {
            all.extend(plain);
        }
        Self(all)
    }

    fn have(&self, word: &str) -> bool {
        self.0.iter().any(|text| text.contains(word))
    }

    fn have_in_any_case(&self, word: &str) -> bool {
        self.0.iter().any(|text| text.to_lowercase().contains(word))
    }

    /// The word itself, not as a part of another, in any case.
    fn have_whole(&self, word: &str) -> bool {
        let apart = |c: char| !c.is_alphanumeric() && c != '_';
        let mut all = self.0.iter().flat_map(|text| text.split(apart));
        all.any(|one| one.eq_ignore_ascii_case(word))
    }

    /// Every run of characters that is a number.
    fn numbers(&self) -> Vec<f64> {
        let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '+' | '-');
        let runs = self.0.iter().flat_map(|text| text.split(move |c| !inside(c)));
        runs.filter_map(number).collect()
    }
}

/// Full-width signs and digits as plain ones.
fn plain(c: char) -> char {
    match u32::from(c) {
        0x3001 => ',',
        code @ 0xff01..=0xff5e if !c.is_alphabetic() => char::from_u32(code - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

fn number(run: &str) -> Option<f64> {
    let radix = |prefix: &str, radix| {
        u32::from_str_radix(run.strip_prefix(prefix)?, radix)
            .ok()
            .map(f64::from)
    };
    let written = run
        .trim_start_matches(['+', '-'])
        .starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let decimal = run.parse().ok().filter(|_| written);
    decimal
        .or_else(|| radix("0x", 16))
        .or_else(|| radix("0X", 16))
        .or_else(|| radix("0o", 8))
        .or_else(|| radix("0b", 2))
}

/// JSON's escapes undone, or Python's; what is none stays.
fn unescaped(text: &str, python: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        out.push_str(before);
        let hex = |from: usize, digits: usize| {
            let digits = escape.get(from..from + digits)?;
            u32::from_str_radix(digits, 16)
                .ok()
                .filter(|_| digits.bytes().all(|b| b.is_ascii_hexdigit()))
        };
        let (c, length) = match escape.chars().next() {
            Some(c @ ('"' | '\'' | '\\')) => (Some(c), 1),
            Some('/') if !python => (Some('/'), 1),
            Some('n') => (Some('\n'), 1),
            Some('t') => (Some('\t'), 1),
            Some('r') => (Some('\r'), 1),
            Some('b') => (Some('\u{8}'), 1),
            Some('f') => (Some('\u{c}'), 1),
            Some('x') => (hex(1, 2).and_then(char::from_u32), 3),
            Some('U') if python => (hex(1, 8).and_then(char::from_u32), 9),
            Some('u') => match (hex(1, 4), hex(7, 4)) {
                (Some(high @ 0xd800..=0xdbff), Some(low @ 0xdc00..=0xdfff)) => (
                    char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)),
                    11,
                ),
                (code, _) => (code.and_then(char::from_u32), 5),
            },
            Some('\n') => {
                rest = &escape[1..];
                continue;
            }
            _ => (None, 0),
        };
        out.push(c.unwrap_or('\\'));
        rest = if c.is_some() { &escape[length..] } else { escape };
        // The backslash stays, and so does what it stands before.
        if let (None, Some(next)) = (c, rest.chars().next()) {
            out.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    out.push_str(rest);
    out
}

/// Never the end unless the reply says so in its dialect's words; never a place, a number, a name or a text the reply
/// did not give.
fn honest(raw: &str, parsed: &Parsed) {
    assert_eq!(parsed.step.raw, raw);
    let action = &parsed.step.action;
    let words = Words::of(raw);
    if matches!(action.act, Act::Finish { .. }) {
        assert!(
            says_finish(parsed.dialect, &words),
            "finished in {} by {raw:?}",
            parsed.dialect
        );
    }
    if action.then_finish {
        let says = match parsed.dialect {
            Dialect::CogAgent => words.have("<<") && words.have("END") && words.have(">>"),
            Dialect::OpenPocket | Dialect::ToolCall => words.have("thenFinish") || words.have("then_finish"),
            _ => false,
        };
        assert!(says, "finished afterwards in {} by {raw:?}", parsed.dialect);
    }
    if let Some(text) = exact(&action.act) {
        let is_listed = matches!(action.act, Act::Shell { .. })
            && parsed
                .warnings
                .iter()
                .any(|warning| warning.code == WarningCode::ListOfWords);
        let says = says_text(text, &words) || (is_listed && says_words(text, &words));
        assert!(says, "{text:?} is not in {raw:?}");
    }
    points(raw, parsed.dialect, action, &words);
    let touches = matches!(
        action.act,
        Act::Tap { .. }
            | Act::Swipe { .. }
            | Act::DoubleTap { .. }
            | Act::LongPress { .. }
            | Act::Drag { .. }
    );
    let places = ["x", "y", "x1", "y1", "x2", "y2", "target", "toTarget"];
    let by_default = parsed
        .defaulted
        .iter()
        .any(|field| places.contains(&field.as_str()));
    assert!(!(touches && by_default), "touched by default: {raw:?}");
}

/// The dialect's own words for the end of a task.
fn says_finish(dialect: Dialect, words: &Words) -> bool {
    let true_is_said = words.have("true") || words.have("True");
    match dialect {
        Dialect::OpenPocket | Dialect::ToolCall => words.have("finish"),
        Dialect::CogAgent => words.have("END"),
        Dialect::OmniMcp => {
            // As pydantic takes a bool.
            let says = ["true", "1", "yes", "on", "y", "t"]
                .iter()
                .any(|word| words.have_whole(word));
            words.have("finish_goal") || (words.have("is_goal_complete") && says)
        }
        Dialect::Hermes => false,
        Dialect::AutoGlm => words.have("finish("),
        Dialect::UiTars => words.have("finished"),
        Dialect::Qwen => {
            let operation = words.have("Operation")
                && (words.have_in_any_case("done") || words.have_in_any_case("finish"));
            operation
                || words.have("answer")
                || (words.have("terminate") && words.have_in_any_case("success"))
        }
        Dialect::AndroidWorld => {
            let done = words.have_in_any_case("complete") || words.have_in_any_case("successful");
            words.have("answer") || (words.have("goal_status") && done)
        }
        Dialect::GuiPlus | Dialect::AppAgent => words.have("FINISH"),
        Dialect::Mobilerun => words.have("complete") && true_is_said,
        Dialect::UiVenus => words.have("Finished(") || words.have("Answer("),
        Dialect::StepGui => words.have("COMPLETE"),
        Dialect::Verbs => {
            ["finish", "done", "answer", "output"]
                .iter()
                .any(|verb| words.have(verb))
                || (words.have("terminate") && words.have_in_any_case("success"))
        }
    }
}

/// What is typed, set or run: never trimmed, never mended.
fn exact(act: &Act) -> Option<&str> {
    match act {
        Act::Type { text, .. } => Some(text),
        Act::SetValue { value, .. } => Some(value),
        Act::Shell { command } => Some(command),
        Act::RunScript { script, .. } => Some(script),
        Act::AskModel { prompt, .. } => Some(prompt),
        _ => None,
    }
}

fn says_text(text: &str, words: &Words) -> bool {
    let literal = matches!(text, "true" | "false") && words.have_in_any_case(text);
    // GUI-Plus says with a flag that Enter follows.
    let says_enter = || words.have("needs_enter") || words.have("press_enter");
    let entered = text
        .strip_suffix('\n')
        .is_some_and(|text| says_enter() && words.have(text));
    words.have(text) || literal || entered
}

/// A command given as the list of its words: each of them stands there.
fn says_words(command: &str, words: &Words) -> bool {
    let quoted = command.replace("'\\''", "\u{0}");
    quoted
        .split(['\'', ' '])
        .all(|word| words.have(&word.replace('\u{0}', "'")))
}

/// Everything a pointing action points with stands in the reply.
fn points(raw: &str, dialect: Dialect, action: &Action, words: &Words) {
    let (spots, optional) = match &action.act {
        Act::Tap { x, y, target }
        | Act::DoubleTap { x, y, target }
        | Act::Hover { x, y, target }
        | Act::LongPress { x, y, target, .. } => (vec![(*x, *y, target.clone())], false),
        Act::Scroll { x, y, target, .. } => (vec![(*x, *y, target.clone())], true),
        Act::Drag {
            x1,
            y1,
            x2,
            y2,
            target,
            to_target,
            ..
        } => (
            vec![(*x1, *y1, target.clone()), (*x2, *y2, to_target.clone())],
            false,
        ),
        Act::Swipe { x1, y1, x2, y2, .. } => (
            vec![(Some(*x1), Some(*y1), None), (Some(*x2), Some(*y2), None)],
            false,
        ),
        Act::SetValue { target, .. } => (vec![(None, None, Some(target.clone()))], false),
        Act::Type { target, .. } => (vec![(None, None, target.clone())], true),
        _ => return,
    };
    let numbers = words.numbers();
    for (x, y, target) in spots {
        let target = target.unwrap_or_default();
        let found = finds(&target);
        assert!(
            optional || found || (x.is_some() && y.is_some()),
            "points nowhere: {action:?} from {raw:?}"
        );
        let element = target.element.map(f64::from);
        let region = target.region.unwrap_or_default();
        let corners = target.region.iter().flat_map(|_| region);
        for n in [x, y, element].into_iter().flatten().chain(corners) {
            assert!(gives(n, &numbers, dialect), "{n} is not in {raw:?}: {action:?}");
        }
        for name in [&target.track_id, &target.text].into_iter().flatten() {
            assert!(words.have(name), "{name:?} is not in {raw:?}");
        }
    }
}

fn finds(target: &Target) -> bool {
    target.track_id.is_some() || target.element.is_some() || target.text.is_some() || target.region.is_some()
}

/// The number is one of the reply's, or what its dialect makes of two of them.
fn gives(n: f64, numbers: &[f64], dialect: Dialect) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-3_f64.max(a.abs() * 1e-9);
    let pairs = || numbers.iter().flat_map(|a| numbers.iter().map(move |b| (*a, *b)));
    match dialect {
        _ if numbers.contains(&n) => true,
        // x, y, width, height in 0–1.
        Dialect::OmniMcp => {
            numbers.iter().any(|a| near(n, a * 1000.0)) || pairs().any(|(a, b)| near(n, (a + b) * 1000.0))
        }
        // The middle of a box.
        Dialect::UiTars
        | Dialect::AutoGlm
        | Dialect::Qwen
        | Dialect::GuiPlus
        | Dialect::Mobilerun
        | Dialect::UiVenus
        | Dialect::StepGui
        | Dialect::Verbs => pairs().any(|(a, b)| near(n, f64::midpoint(a, b))),
        _ => false,
    }
}
