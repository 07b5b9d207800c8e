//! From what the person says about a message to what the other reads: *that I’m late and offer to bring her a coffee*
//! → *I'm late. Want me to bring you a coffee?* Plain, and faithful before elegant: where a turn of phrase is not
//! known, the person's own words stay.

use super::phrasing::{asked, closed, question, second_person};
use crate::clause::Clause;
use crate::words::sentence;

/// How what follows the name is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageIntent {
    Plain,
    Tell,
    Let,
    Ask,
    Remind,
    Invite,
    Thank,
    Wish,
}

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
pub(super) fn reword(rest: &Clause<'_>, from: usize, way: MessageIntent) -> Option<String> {
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
fn lead_of(way: MessageIntent, text: &str) -> Option<(Lead, &str)> {
    let after = |leads: &[&str]| {
        let clause = Clause::of(text);
        clause.begins(leads).map(|words| clause.rest(words))
    };
    let first_of = |leads: &[(&[&str], Lead)]| {
        leads
            .iter()
            .find_map(|(words, lead)| Some((*lead, after(words)?)))
    };
    let found = match way {
        MessageIntent::Ask => first_of(&[
            (&["if", "whether"], Lead::AskIf),
            (&["to"], Lead::AskTo),
            (&["for"], Lead::AskFor),
        ])
        .unwrap_or((Lead::Ask, text)),
        MessageIntent::Tell => {
            first_of(&[(&["to"], Lead::TellTo), (&["that"], Lead::Say)]).unwrap_or((Lead::Say, text))
        }
        MessageIntent::Let => (Lead::Say, after(&["know that", "know"])?),
        MessageIntent::Remind => first_of(&[
            (&["to"], Lead::RemindTo),
            (&["about", "of"], Lead::RemindAbout),
            (&["that"], Lead::Remind),
        ])
        .unwrap_or((Lead::Remind, text)),
        MessageIntent::Invite => (Lead::Invite, after(&["to", "for"])?),
        MessageIntent::Thank => (Lead::Thank, after(&["for"]).unwrap_or_default()),
        MessageIntent::Wish => (Lead::Wish, text),
        MessageIntent::Plain => first_of(&[
            (
                &[
                    "to ask if",
                    "to ask whether",
                    "asking if",
                    "asking whether",
                    "and ask if",
                    "if",
                    "whether",
                ],
                Lead::AskIf,
            ),
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
