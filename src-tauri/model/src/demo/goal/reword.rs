//! From what the person says about a message to what the other reads: *that I’m late and offer to bring her a coffee*
//! → *I'm late. Want me to bring you a coffee?* Plain, and faithful before elegant: where a turn of phrase is not
//! known, the person's own words stay.

use super::message::Way;
use crate::demo::clause::Clause;
use crate::demo::words::sentence;

/// Verbs that lead to the next thing to be said.
const LEADS: &[(&str, Lead)] = &[
    ("offer to", Lead::Offer),
    ("offer", Lead::OfferThing),
    ("ask if", Lead::AskIf),
    ("ask whether", Lead::AskIf),
    ("ask to", Lead::AskTo),
    ("ask for", Lead::AskFor),
    ("ask", Lead::Ask),
    ("tell that", Lead::Say),
    ("tell to", Lead::TellTo),
    ("tell", Lead::Say),
    ("say that", Lead::Say),
    ("say", Lead::Say),
    ("let know that", Lead::Say),
    ("let know", Lead::Say),
    ("thank for", Lead::Thank),
    ("apologise for", Lead::Sorry),
    ("apologize for", Lead::Sorry),
    ("apologise", Lead::SorryAlone),
    ("apologize", Lead::SorryAlone),
    ("remind to", Lead::RemindTo),
    ("remind that", Lead::Remind),
    ("remind about", Lead::RemindAbout),
    ("remind", Lead::Remind),
    ("wish", Lead::Wish),
    ("invite to", Lead::Invite),
    ("promise to", Lead::Promise),
    ("suggest", Lead::Suggest),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    Say,
    Offer,
    OfferThing,
    AskIf,
    AskTo,
    AskFor,
    Ask,
    TellTo,
    Thank,
    Sorry,
    SorryAlone,
    RemindTo,
    Remind,
    RemindAbout,
    Wish,
    Invite,
    Promise,
    Suggest,
}

/// The message in a clause whose name ends before the word `from`. Absent: nothing is said.
pub(super) fn reword(rest: &Clause<'_>, from: usize, way: Way) -> Option<String> {
    let literal = rest.gap(from).contains(':');
    if from >= rest.words.len() {
        return None;
    }
    if literal {
        return Some(sentence(rest.rest(from)));
    }
    let text = rest.rest(from);
    let (first, text) = lead_of(way, text)?;
    let mut out: Vec<String> = Vec::new();
    for (lead, part) in parts(first, text) {
        let said = render(lead, &part);
        if !said.is_empty() {
            out.push(said);
        }
    }
    (!out.is_empty()).then(|| out.join(" "))
}

/// What somebody is to be told with `say …`.
pub(super) fn say(text: &str) -> String {
    render(Lead::Say, text)
}

/// How the first words are meant, and the text behind them.
fn lead_of(way: Way, text: &str) -> Option<(Lead, &str)> {
    let after = |leads: &[&str]| {
        let clause = Clause::of(text);
        clause.begins(leads).map(|words| clause.rest(words))
    };
    let first_of = |leads: &[(&[&str], Lead)]| leads.iter().find_map(|(words, lead)| Some((*lead, after(words)?)));
    let found = match way {
        Way::Ask => first_of(&[(&["if", "whether"], Lead::AskIf), (&["to"], Lead::AskTo), (&["for"], Lead::AskFor)])
            .unwrap_or((Lead::Ask, text)),
        Way::Tell => first_of(&[(&["to"], Lead::TellTo), (&["that"], Lead::Say)]).unwrap_or((Lead::Say, text)),
        Way::Let => (Lead::Say, after(&["know that", "know"])?),
        Way::Remind => first_of(&[
            (&["to"], Lead::RemindTo),
            (&["about", "of"], Lead::RemindAbout),
            (&["that"], Lead::Remind),
        ])
        .unwrap_or((Lead::Remind, text)),
        Way::Invite => (Lead::Invite, after(&["to", "for"])?),
        Way::Thank => (Lead::Thank, after(&["for"]).unwrap_or_default()),
        Way::Wish => (Lead::Wish, text),
        Way::Plain => first_of(&[
            (&["to ask if", "to ask whether", "asking if", "asking whether", "and ask if", "if", "whether"], Lead::AskIf),
            (SAYING, Lead::Say),
            (&["to"], Lead::TellTo),
        ])
        .unwrap_or((Lead::Say, text)),
    };
    Some(found)
}

/// What may stand between a name and what is said, the longer first.
const SAYING: &[&str] = &[
    "a message saying that",
    "a text saying that",
    "a message saying",
    "a text saying",
    "a message that",
    "a text that",
    "a message",
    "a text",
    "with the message",
    "with the text",
    "to say that",
    "to say",
    "saying that",
    "saying",
    "that says",
    "that",
    "about",
];

/// Cuts at *and* before a verb that leads to something else to be said.
fn parts(first: Lead, text: &str) -> Vec<(Lead, String)> {
    let clause = Clause::of(text);
    let mut parts = Vec::new();
    let (mut lead, mut start, mut at) = (first, 0, 0);
    while at < clause.words.len() {
        if clause.words[at].plain == "and"
            && let Some((next, after)) = lead_at(&clause, at + 1)
        {
            parts.push((lead, clause.between(start, at).to_owned()));
            (lead, start) = (next, after);
            at = after;
        } else {
            at += 1;
        }
    }
    parts.push((lead, clause.rest(start).to_owned()));
    parts
}

/// A leading verb at a word, with or without *her* or *him* in it, and the word after it.
fn lead_at(clause: &Clause<'_>, at: usize) -> Option<(Lead, usize)> {
    LEADS.iter().find_map(|(phrase, lead)| {
        let mut words = phrase.split(' ');
        let mut place = at;
        let verb = words.next()?;
        if clause.words.get(place)?.plain != verb {
            return None;
        }
        place += 1;
        if clause.words.get(place).is_some_and(|word| is_other(&word.plain)) {
            place += 1;
        }
        for wanted in words {
            if clause.words.get(place)?.plain != wanted {
                return None;
            }
            place += 1;
        }
        Some((*lead, place))
    })
}

fn is_other(word: &str) -> bool {
    matches!(word, "her" | "him" | "them")
}

/// One thing to be said.
fn render(lead: Lead, text: &str) -> String {
    let text = second_person(text.trim().trim_end_matches(['.', '!', ',']));
    let strip = |word: &str| text.strip_prefix(word).unwrap_or(&text).to_owned();
    match lead {
        Lead::Say => closed(&strip("that "), '.'),
        Lead::Offer => closed(&format!("want me to {text}"), '?'),
        Lead::OfferThing => closed(&format!("would you like {text}"), '?'),
        Lead::AskIf => question(&text),
        Lead::AskTo => closed(&format!("can you {text}"), '?'),
        Lead::AskFor => closed(&format!("can I have {text}"), '?'),
        Lead::Ask => asked(&text),
        Lead::TellTo => closed(&format!("please {text}"), '.'),
        Lead::Thank if text.is_empty() => "Thank you!".to_owned(),
        Lead::Thank => closed(&format!("thank you for {text}"), '!'),
        Lead::Sorry => closed(&format!("sorry for {text}"), '.'),
        Lead::SorryAlone => "Sorry!".to_owned(),
        Lead::RemindTo => closed(&format!("please don't forget to {text}"), '.'),
        Lead::Remind => closed(&format!("just a reminder: {text}"), '.'),
        Lead::RemindAbout => closed(&format!("just a reminder about {text}"), '.'),
        Lead::Wish => closed(&strip("a "), '!'),
        Lead::Invite => closed(&format!("would you like to come to {}", strip("come to ")), '?'),
        Lead::Promise => closed(&format!("I promise to {text}"), '.'),
        Lead::Suggest => closed(&format!("how about {text}"), '?'),
    }
}

/// Whoever the message goes to is *you* in it; *I* stays who I am.
fn second_person(text: &str) -> String {
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
        "", "a", "an", "the", "some", "any", "to", "for", "at", "in", "on", "if", "when", "that", "and", "or", "but", "about",
        "with", "later", "soon", "tomorrow", "today", "tonight", "now", "back", "up", "from", "my", "our", "there", "here",
        "know", "before", "after", "by", "because", "this", "is", "was", "one", "two", "something", "over", "out", "home",
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
        "always" | "never" | "also" | "just" | "still" | "already" | "should" | "can" | "could" | "will" => return None,
        _ if verb.ends_with("ies") && verb.len() > 4 => format!("{}y", verb.trim_end_matches("ies")),
        _ if verb.ends_with("ches") || verb.ends_with("shes") => verb.trim_end_matches("es").to_owned(),
        _ if verb.ends_with('s') && !verb.ends_with("ss") => verb.trim_end_matches('s').to_owned(),
        _ => return None,
    })
}

/// Verbs that change places with their subject in a question.
const TURNING: &[&str] =
    &["can", "could", "will", "would", "should", "may", "are", "were", "am", "is", "was", "must", "shall"];

/// *you can come* → *Can you come?*
fn question(text: &str) -> String {
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
fn asked(text: &str) -> String {
    let clause = Clause::of(text);
    let word = |at: usize| clause.words.get(at).map_or("", |word| word.plain.as_str());
    let asks = matches!(word(0), "when" | "where" | "what" | "why" | "how" | "who" | "which");
    if !asks {
        let text = text.strip_prefix("for ").unwrap_or(text);
        return closed(&format!("can you tell me about {text}"), '?');
    }
    if matches!(word(1), "you" | "i" | "we" | "it" | "they") && TURNING.contains(&word(2)) {
        let turned = format!("{} {} {} {}", clause.between(0, 1), word(2), clause.between(1, 2), clause.rest(3));
        return closed(&turned, '?');
    }
    if word(1) == "you" && word(0) != "how" {
        return closed(&format!("{} do {}", clause.between(0, 1), clause.rest(1)), '?');
    }
    closed(&format!("can you tell me {text}"), '?')
}

/// A sentence with its end.
fn closed(text: &str, end: char) -> String {
    let text = sentence(text.trim());
    let ends = text.ends_with(['.', '!', '?', ':']) || text.chars().last().is_some_and(|c| !c.is_alphanumeric() && !matches!(c, ')' | '"' | '%'));
    if text.is_empty() || ends { text } else { format!("{text}{end}") }
}
