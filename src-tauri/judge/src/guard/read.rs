//! The answer, read.

use super::Say;
use protocol::AskKind;

/// What addresses an assistant, as the answer says it.
const SPEAKS: &str = "speaks-to-assistant";
/// Bytes of a reply that are read.
const REPLY: usize = 16_384;

/// One say for each number that was asked.
pub(super) struct Answer {
    pub(super) says: Vec<Say>,
    pub(super) speaks: bool,
}

/// The answer in a reply to a question with `count` numbers; `None` where no line of it is one.
pub(super) fn answer(reply: &str, count: usize) -> Option<Answer> {
    let mut says: Vec<Option<Say>> = vec![None; count];
    let mut speaks = false;
    let mut is_answer = false;
    let end = reply.floor_char_boundary(REPLY);
    for line in pieces(&reply[..end]) {
        let words = line.iter().map(String::as_str).collect::<Vec<_>>();
        match words[..] {
            [first, ref rest @ ..] if first.starts_with(SPEAKS) => {
                speaks |= !matches!(rest, ["false" | "no" | "none"]);
                is_answer = true;
            }
            [number, ref rest @ ..] => {
                let Some(place) = number.parse().ok().and_then(|n: usize| n.checked_sub(1)) else {
                    continue;
                };
                let said = say(rest);
                is_answer |= said.is_some() && place < count;
                if let Some(place) = says.get_mut(place) {
                    let said = said.unwrap_or(Say::Unclear);
                    // Said twice: only what was meant both times holds.
                    *place =
                        Some(place.map_or(said, |before| if before == said { said } else { Say::Unclear }));
                }
            }
            [] => {}
        }
    }
    is_answer.then(|| Answer {
        says: says.into_iter().map(|say| say.unwrap_or(Say::Unclear)).collect(),
        speaks,
    })
}

/// Whether a text of a page is written as an answer is. Once may be chance: a game counts its moves.
pub(super) fn looks_like_an_answer(text: &str) -> bool {
    let is_one = |line: &Vec<String>| {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        matches!(words[..], [number, ref rest @ ..] if number.parse::<usize>().is_ok() && say(rest).is_some())
    };
    let normal = text.to_lowercase().replace([' ', '_'], "-");
    normal.contains(SPEAKS) || pieces(text).filter(is_one).count() > 1
}

/// The pieces that may each be one answer, as words: a line, or what stands between the signs of JSON.
fn pieces(text: &str) -> impl Iterator<Item = Vec<String>> {
    text.split(['\n', '\r', ',', ';', '{', '}']).map(|piece| {
        let lower = piece.to_lowercase().replace('_', "-");
        let dressing = |c: char| !c.is_alphanumeric() && c != '-';
        lower
            .split(dressing)
            .map(|word| word.trim_matches('-'))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    })
}

/// What the words behind a number say; nothing else may stand there.
fn say(words: &[&str]) -> Option<Say> {
    match words {
        ["moves"] => Some(Say::Moves),
        ["edits"] => Some(Say::Edits),
        ["unclear"] => Some(Say::Unclear),
        ["commits"] => Some(Say::Commits(AskKind::Act)),
        ["commits", kind] => Some(Say::Commits(self::kind(kind))),
        _ => None,
    }
}

/// A kind by its word; what is none of them commits all the same.
fn kind(word: &str) -> AskKind {
    match word {
        "pay" => AskKind::Payment,
        "send" => AskKind::Send,
        "delete" => AskKind::Delete,
        "install" => AskKind::Install,
        "grant" => AskKind::Permission,
        "signin" => AskKind::Oauth,
        "secret" => AskKind::Password,
        _ => AskKind::Act,
    }
}
