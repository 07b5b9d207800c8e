//! The grammar of a message: who is *you* in it, and how a question is put.

use crate::clause::Clause;
use crate::words::sentence;

/// Whoever the message goes to is *you* in it; *I* stays who I am.
pub(super) fn second_person(text: &str) -> String {
    let clause = Clause::of(text);
    let mut out = String::new();
    let mut subject = false;
    for (at, word) in clause.words.iter().enumerate() {
        out.push_str(clause.gap(at));
        let written = &text[word.start..word.end];
        let next = clause.words.get(at + 1).map_or("", |word| word.plain.as_str());
        let verb = std::mem::take(&mut subject);
        let said = match word.plain.as_str() {
            "she" | "he" => {
                subject = true;
                "you".to_owned()
            }
            "she's" | "he's" => "you're".to_owned(),
            "she'll" | "he'll" => "you'll".to_owned(),
            "she'd" | "he'd" => "you'd".to_owned(),
            "him" | "herself" | "himself" => if word.plain == "him" { "you" } else { "yourself" }.to_owned(),
            "her" => if owns(next) { "your" } else { "you" }.to_owned(),
            "hers" => "yours".to_owned(),
            "his" => if owns(next) { "your" } else { "yours" }.to_owned(),
            "i" => "I".to_owned(),
            "im" => "I'm".to_owned(),
            "ill" if next == "be" => "I'll".to_owned(),
            plain if verb => with_you(plain).unwrap_or_else(|| written.to_owned()),
            plain if plain.starts_with("i'") => format!("I{}", &plain[1..]),
            _ => written.to_owned(),
        };
        out.push_str(&said);
    }
    out.push_str(clause.gap(clause.words.len()));
    out
}

/// Whether *her* before this word owns it: *her coffee*, but *bring her a coffee*.
fn owns(next: &str) -> bool {
    const NOT: &[&str] = &[
        "",
        "a",
        "an",
        "the",
        "some",
        "any",
        "to",
        "for",
        "at",
        "in",
        "on",
        "if",
        "when",
        "that",
        "and",
        "or",
        "but",
        "about",
        "with",
        "later",
        "soon",
        "tomorrow",
        "today",
        "tonight",
        "now",
        "back",
        "up",
        "from",
        "my",
        "our",
        "there",
        "here",
        "know",
        "before",
        "after",
        "by",
        "because",
        "this",
        "is",
        "was",
        "one",
        "two",
        "something",
        "over",
        "out",
        "home",
    ];
    !NOT.contains(&next) && next.starts_with(char::is_alphabetic)
}

/// A verb of *she* as *you* has it.
fn with_you(verb: &str) -> Option<String> {
    Some(match verb {
        "is" => "are".to_owned(),
        "was" => "were".to_owned(),
        "has" => "have".to_owned(),
        "does" | "goes" => verb.trim_end_matches("es").to_owned(),
        "isn't" => "aren't".to_owned(),
        "wasn't" => "weren't".to_owned(),
        "hasn't" => "haven't".to_owned(),
        "doesn't" => "don't".to_owned(),
        "always" | "never" | "also" | "just" | "still" | "already" | "should" | "can" | "could" | "will" => {
            return None;
        }
        _ if verb.ends_with("ies") && verb.len() > 4 => format!("{}y", verb.trim_end_matches("ies")),
        _ if verb.ends_with("ches") || verb.ends_with("shes") => verb.trim_end_matches("es").to_owned(),
        _ if verb.ends_with('s') && !verb.ends_with("ss") => verb.trim_end_matches('s').to_owned(),
        _ => return None,
    })
}

/// Verbs that change places with their subject in a question.
const TURNING: &[&str] = &[
    "can", "could", "will", "would", "should", "may", "are", "were", "am", "is", "was", "must", "shall",
];

/// *you can come* → *Can you come?*
pub(super) fn question(text: &str) -> String {
    let clause = Clause::of(text);
    let word = |at: usize| clause.words.get(at).map_or("", |word| word.plain.as_str());
    match (word(0), word(1)) {
        ("you" | "i" | "we" | "it" | "they", verb) if TURNING.contains(&verb) => {
            let subject = clause.between(0, 1);
            closed(&format!("{verb} {subject} {}", clause.rest(2)), '?')
        }
        ("you're", _) => closed(&format!("are you {}", clause.rest(1)), '?'),
        ("you", _) => closed(&format!("do {text}"), '?'),
        _ => closed(&format!("can you tell me if {text}"), '?'),
    }
}

/// *when you will be here* → *When will you be here?*
pub(super) fn asked(text: &str) -> String {
    let clause = Clause::of(text);
    let word = |at: usize| clause.words.get(at).map_or("", |word| word.plain.as_str());
    let asks = matches!(
        word(0),
        "when" | "where" | "what" | "why" | "how" | "who" | "which"
    );
    if !asks {
        let text = text.strip_prefix("for ").unwrap_or(text);
        return closed(&format!("can you tell me about {text}"), '?');
    }
    if matches!(word(1), "you" | "i" | "we" | "it" | "they") && TURNING.contains(&word(2)) {
        let turned = format!(
            "{} {} {} {}",
            clause.between(0, 1),
            word(2),
            clause.between(1, 2),
            clause.rest(3)
        );
        return closed(&turned, '?');
    }
    if word(1) == "you" && word(0) != "how" {
        return closed(&format!("{} do {}", clause.between(0, 1), clause.rest(1)), '?');
    }
    closed(&format!("can you tell me {text}"), '?')
}

/// A sentence with its end.
pub(super) fn closed(text: &str, end: char) -> String {
    let text = sentence(text.trim());
    let ends = text.ends_with(['.', '!', '?', ':'])
        || text
            .chars()
            .last()
            .is_some_and(|c| !c.is_alphanumeric() && !matches!(c, ')' | '"' | '%'));
    if text.is_empty() || ends {
        text
    } else {
        format!("{text}{end}")
    }
}
