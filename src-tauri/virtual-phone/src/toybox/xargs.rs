//! `xargs`.

use super::flow::run_child;
use super::options::options;
use crate::process::{Call, ProgramResult};

/// `xargs [-0r] [-n MAX] [-I REPLACE] [COMMAND…]`.
pub(super) async fn main(call: Call) -> ProgramResult {
    let options = options!(call, "^0rn:I:tx");
    let bytes = call.read_input().await;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let replace = options.value('I').map(str::to_owned);
    let items: Vec<String> = if options.has('0') {
        text.split('\0')
            .filter(|item| !item.is_empty())
            .map(str::to_owned)
            .collect()
    } else if replace.is_some() {
        text.lines()
            .map(|line| line.trim_start().to_owned())
            .filter(|line| !line.is_empty())
            .collect()
    } else {
        words(&text)
    };
    let command = if options.rest.is_empty() {
        vec!["echo".to_owned()]
    } else {
        options.rest.clone()
    };
    if items.is_empty() && (options.has('r') || replace.is_some()) {
        return Ok(0);
    }
    let most = options
        .value('n')
        .and_then(|text| text.parse().ok())
        .unwrap_or(5000_usize)
        .max(1);
    let mut lines: Vec<Vec<String>> = Vec::new();
    match &replace {
        Some(mark) => {
            for item in &items {
                lines.push(
                    command
                        .iter()
                        .map(|word| word.replace(mark.as_str(), item))
                        .collect(),
                );
            }
        }
        None if items.is_empty() => lines.push(command),
        None => {
            for chunk in items.chunks(most) {
                lines.push(command.iter().chain(chunk).cloned().collect());
            }
        }
    }
    let mut code = 0;
    for line in lines {
        match run_child(&call, line).await? {
            0 => {}
            255 => return call.fail(124, "exited with status 255; aborting").await,
            127 => return Ok(127),
            status if status > 128 => return Ok(125),
            _ => code = 123,
        }
    }
    Ok(code)
}

/// Words as xargs splits them: blanks outside quotes; a backslash takes the next character as it is.
fn words(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, '\\') => word.get_or_insert_default().extend(characters.next()),
            (None, c) if c.is_whitespace() => all.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(character),
        }
    }
    all.extend(word);
    all
}
