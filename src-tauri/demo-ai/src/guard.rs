//! The second opinion beside the demo AI: what one press does in the demo phone's own apps, as data.

use agent::guard::Guard;
use agent::ports::Reply;
use async_trait::async_trait;
use judge::guard::{Asked, Question};
use protocol::{Failure, Frame, Usage};
use std::fmt::Write as _;

const TABLE: &str = include_str!("../data/says.txt");

/// Knows the demo phone's apps, and says nothing of any other.
#[derive(Clone, Copy, Debug, Default)]
pub struct DemoGuard;

#[async_trait]
impl Guard for DemoGuard {
    /// One line for each pressable the table knows, at once and for nothing.
    ///
    /// # Errors
    /// Never.
    async fn opinion(&self, question: &Question, _picture: Option<&Frame>) -> Result<Reply, Failure> {
        let mut text = String::new();
        for (n, asked) in (1..).zip(question.asked()) {
            if let Some(said) = said(question.app(), asked) {
                let _ = writeln!(text, "{n} {said}");
            }
        }
        Ok(Reply {
            text,
            usage: Usage::default(),
        })
    }
}

/// What the table says of a pressable of an app.
fn said(app: &str, asked: &Asked) -> Option<&'static str> {
    let mut lines = TABLE
        .lines()
        .skip_while(|line| line.strip_prefix("= ") != Some(app));
    lines.next()?;
    let lines = lines.take_while(|line| !line.starts_with("= "));
    lines
        .filter_map(read)
        .find_map(|line| line.fits(asked).then_some(line.say))
}

/// `commits pay #primary_button "Pay*"`
struct SayLine {
    say: &'static str,
    id: Option<&'static str>,
    label: Option<&'static str>,
}

fn read(line: &'static str) -> Option<SayLine> {
    let (say, what) = line.split_at(line.find(['#', '"'])?);
    let (id, label) = what
        .split_once('"')
        .map_or((what, None), |(id, label)| (id, Some(label)));
    Some(SayLine {
        say: say.trim(),
        id: id.trim().strip_prefix('#'),
        label: label.map(|label| label.trim_end_matches('"')),
    })
    .filter(|line| !line.say.is_empty())
}

impl SayLine {
    fn fits(&self, asked: &Asked) -> bool {
        let label = asked.label.as_str();
        let is_label = |pattern: &str| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
            (Some(_), Some(_)) => label.contains(pattern.trim_matches('*')),
            (Some(end), None) => label.ends_with(end),
            (None, Some(start)) => label.starts_with(start),
            (None, None) => label == pattern,
        };
        self.id.is_none_or(|id| id == asked.id) && self.label.is_none_or(is_label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(app: &str, id: &str, label: &str, expected: Option<&str>) {
        let asked = Asked {
            index: 1,
            label: label.to_owned(),
            id: id.to_owned(),
            is_whole: true,
            drawn: None,
        };
        assert_eq!(said(app, &asked), expected, "{app} #{id} {label:?}");
    }

    #[test]
    fn the_first_line_that_fits_holds() {
        let shop = "com.greenleaf.shop";
        check(shop, "primary_button", "Pay $23.40", Some("commits pay"));
        check(shop, "primary_button", "Go to checkout", Some("moves"));
        check(shop, "primary_button", "Place order", None);
        check(shop, "", "Visa •••• 4821, Expires 08/27", Some("edits"));
        check("com.android.contacts", "", "Call", Some("commits send"));
        check("com.android.messaging", "", "Anna, (555) 010-0118", Some("moves"));
        check("com.android.messaging", "basket", "Basket", None);
        check("org.example.other", "basket", "Basket", None);
    }

    #[test]
    fn every_line_is_an_answer() {
        let words = ["moves", "edits"];
        let kinds = ["pay", "send", "delete", "install", "signin", "other"];
        let lines = TABLE
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with(['=', '#']));
        for text in lines {
            let line = read(text).unwrap();
            let is_commit = line
                .say
                .strip_prefix("commits ")
                .is_some_and(|kind| kinds.contains(&kind));
            assert!(words.contains(&line.say) || is_commit, "{text}");
            assert!(line.id.is_some() || line.label.is_some(), "{text}");
        }
    }
}
