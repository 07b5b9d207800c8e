//! The answer, read.

use super::opinion::Say;
use protocol::AskKind;

/// What addresses an assistant, as the answer says it.
const SPEAKS: &str = "speaks-to-assistant";

/// One say for each number that was asked, and whether the page speaks to assistants; `None` where no line is an answer.
pub(super) fn answer(reply: &str, count: usize) -> Option<(Vec<Say>, bool)> {
    let mut says: Vec<Option<Say>> = vec![None; count];
    let (mut speaks, mut is_answer) = (false, false);
    for line in lines(reply) {
        let Some((first, rest)) = line.split_first() else {
            continue;
        };
        if first.starts_with(SPEAKS) {
            let denied = rest.len() == 1 && matches!(rest[0].as_str(), "false" | "no" | "none");
            speaks |= !denied;
            is_answer = true;
        }
        let number = first.parse().ok().and_then(|n: usize| n.checked_sub(1));
        if let Some(place) = number.and_then(|at| says.get_mut(at)) {
            let said = say(rest);
            is_answer |= said.is_some();
            // Said twice: only what was meant both times holds.
            *place = match (*place, said.unwrap_or(Say::Unclear)) {
                (Some(before), said) if before != said => Some(Say::Unclear),
                (_, said) => Some(said),
            };
        }
    }
    let says = says.into_iter().map(|say| say.unwrap_or(Say::Unclear)).collect();
    is_answer.then_some((says, speaks))
}

/// Whether a text of a page is written as an answer is. One line may be chance: a game counts its moves.
pub(super) fn looks_like_an_answer(text: &str) -> bool {
    let is_one = |line: &Vec<String>| {
        let split = line.split_first();
        split.is_some_and(|(first, rest)| first.parse::<u16>().is_ok() && say(rest).is_some())
    };
    let spoken = text.to_lowercase().replace([' ', '_'], "-");
    spoken.contains(SPEAKS) || lines(text).filter(is_one).count() > 1
}

/// The words of each line, or of what stands between the signs of JSON.
fn lines(text: &str) -> impl Iterator<Item = Vec<String>> {
    text.split(['\n', '\r', ',', ';', '{', '}']).map(|line| {
        let line = line.to_lowercase().replace('_', "-");
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '-');
        let words = words.map(|word| word.trim_matches('-'));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    })
}

/// What the words behind a number say; nothing else may stand there.
fn say(words: &[String]) -> Option<Say> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Some(match words[..] {
        ["moves"] => Say::Moves,
        ["edits"] => Say::Edits,
        ["unclear"] => Say::Unclear,
        ["commits"] => Say::Commits(AskKind::Act),
        ["commits", kind] => Say::Commits(self::kind(kind)),
        _ => return None,
    })
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
