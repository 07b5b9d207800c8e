//! `Install the updates, then turn on Battery Saver` is two things to do; `milk and eggs` is one.

use super::meaning::{is_known, tells};
use crate::clause::Clause;
use std::ops::Range;

/// Words that something new to do begins with.
const VERBS: &[&str] = &[
    "text",
    "message",
    "sms",
    "tell",
    "ask",
    "remind",
    "write",
    "send",
    "let",
    "reply",
    "order",
    "buy",
    "get",
    "add",
    "put",
    "pay",
    "checkout",
    "check",
    "sign",
    "log",
    "login",
    "turn",
    "switch",
    "enable",
    "disable",
    "activate",
    "deactivate",
    "set",
    "make",
    "open",
    "launch",
    "start",
    "go",
    "visit",
    "install",
    "update",
    "delete",
    "remove",
    "create",
    "find",
    "look",
    "show",
    "read",
    "what",
    "what's",
    "how",
    "dim",
    "don't",
    "do",
    "not",
    "never",
    "stop",
    "without",
    "change",
];
/// Of these, those that cannot be a part of what somebody is told.
const PLAIN_VERBS: &[&str] = &["turn", "switch", "enable", "disable", "install"];
/// Words that begin something to do which no skill is for.
const OTHERS: &[&str] = &[
    "book",
    "call",
    "cancel",
    "download",
    "email",
    "forward",
    "navigate",
    "play",
    "post",
    "record",
    "rename",
    "schedule",
    "search",
    "share",
    "subscribe",
    "take",
    "transfer",
    "translate",
    "upload",
    "watch",
];
/// Words before the verb that change nothing.
const POLITE: &[&str] = &[
    "please", "now", "also", "just", "finally", "kindly", "could", "can", "you", "and",
];

/// How surely something new begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joint {
    /// `then`, a full stop.
    Sure,
    /// `and`, a comma.
    Perhaps,
}

/// The parts of a goal, each as it was written.
pub(super) fn split(goal: &str) -> Vec<&str> {
    let whole = Clause::of(goal);
    let mut parts = Vec::new();
    let mut start = 0;
    let mut at = 1;
    while at < whole.words.len() {
        let Some((joint, next)) = joint(&whole, at) else {
            at += 1;
            continue;
        };
        if next < whole.words.len() && at > start && begins_task(&whole, start..at, next, joint) {
            parts.push(whole.stretch(start, at));
            start = next;
        }
        at = next.max(at + 1);
    }
    if start < whole.words.len() {
        parts.push(whole.stretch(start, whole.words.len()));
    }
    parts
}

/// Whether the words before `at` end there: how surely, and where the next ones begin.
fn joint(whole: &Clause<'_>, at: usize) -> Option<(Joint, usize)> {
    let word = |at: usize| {
        whole
            .words
            .get(at)
            .filter(|word| !word.quoted)
            .map(|word| word.plain.as_str())
    };
    let is = |at: usize, wanted: &[&str]| word(at).is_some_and(|word| wanted.contains(&word));
    let before = at.checked_sub(1).is_some_and(|before| whole.words[before].quoted);
    if whole.words[at].quoted && before {
        return None;
    }
    // A mark inside the quotation that ends there belongs to what is quoted.
    let gap = whole.gap(at);
    let gap = if before {
        gap.rsplit(['”', '“', '"', '»', '’']).next().unwrap_or(gap)
    } else {
        gap
    };
    let mut next = at;
    let mut sure = gap.contains(['.', ';', '\n', '!', '?']);
    let mut joins = sure || gap.contains(',');
    // `, and then`: all of it joins.
    for _ in 0..3 {
        if is(next, &["then", "afterwards", "afterward", "next"]) {
            sure = true;
        } else if is(next, &["after"]) && is(next + 1, &["that", "this"]) {
            sure = true;
            next += 1;
        } else if !is(next, &["and", "but", "also", "plus"]) {
            break;
        }
        joins = true;
        next += 1;
    }
    joins.then_some((if sure { Joint::Sure } else { Joint::Perhaps }, next))
}

/// Whether the words from `next` on are something to do by themselves.
fn begins_task(whole: &Clause<'_>, before: Range<usize>, next: usize, joint: Joint) -> bool {
    let polite = |at: &usize| POLITE.contains(&whole.words[*at].plain.as_str());
    let Some(verb) = (next..whole.words.len()).find(|at| !polite(at)) else {
        return false;
    };
    let verb = whole.words[verb].plain.as_str();
    let tells = tells(whole.stretch(before.start, before.end));
    if !tells && (joint == Joint::Sure || OTHERS.contains(&verb)) {
        // Nothing that was asked for is dropped: what is not known is said.
        return true;
    }
    let verbs = if tells && joint == Joint::Perhaps {
        PLAIN_VERBS
    } else {
        VERBS
    };
    if !verbs.contains(&verb) {
        return false;
    }
    // What follows may itself be several things to do: it is enough that the first of them is known.
    let end = (next + 1..whole.words.len()).find(|at| self::joint(whole, *at).is_some());
    end.is_some_and(|end| is_known(whole.stretch(next, end))) || is_known(whole.rest(next))
}
