//! Which model of a list is proposed for phones. Data, and the newest version of it.
//!
//! A phone is operated by many short looks: each needs a picture and a tool, and their price adds up. So each family is named
//! by its middle size, neither the slowest nor the cheapest.

use protocol::OfferedModel;

/// What stands in the names of the models that are proposed, best first; all words of a line stand in it.
const LINES: &[&[&str]] = &[
    &["claude", "sonnet"],
    &["gemini", "flash"],
    &["gpt-"],
    &["qwen", "vl"],
    &["glm", "v"],
    &["kimi"],
    &["grok"],
    &["mistral", "medium"],
];

/// Smaller, slower, unfinished or made for something else.
const OTHER_SIZES: &[&str] = &[
    "lite", "mini", "nano", "pro", "codex", "chat", "preview", "exp", "search", "research", "oss", "latest",
    "turbo", "instruct", "free", "robotics", "omni", "thinking", "beta",
];

/// Marks it in a list, and no other.
pub(crate) fn mark_best(models: &mut [OfferedModel]) {
    let best = best_for_phones(models);
    for (at, model) in models.iter_mut().enumerate() {
        model.best = Some(at) == best;
    }
}

/// Its place in the list; none where nothing in it looks at pictures.
fn best_for_phones(models: &[OfferedModel]) -> Option<usize> {
    let fit = |model: &OfferedModel| model.picture == Some(true) && model.tool != Some(false);
    let of_line = |line: &[&str]| {
        let named = models.iter().enumerate().filter(|(_, model)| {
            let name = model.id.to_lowercase();
            fit(model)
                && line.iter().all(|word| name.contains(word))
                && !words(&name).any(|word| OTHER_SIZES.contains(&word))
        });
        // The first of equals: lists begin with the newest.
        named
            .rev()
            .max_by_key(|(_, model)| version(&model.id))
            .map(|(at, _)| at)
    };
    LINES
        .iter()
        .find_map(|line| of_line(line))
        .or_else(|| models.iter().position(fit))
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphabetic())
}

/// `claude-sonnet-4-5-20250929` is 4, 5: a longer number is a day.
fn version(id: &str) -> Vec<u32> {
    id.split(|c: char| !c.is_ascii_digit())
        .filter(|number| (1..=2).contains(&number.len()))
        .filter_map(|number| number.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ids: &[&str], expected: Option<&str>) {
        let models: Vec<_> = ids
            .iter()
            .map(|id| OfferedModel {
                id: id.trim_start_matches('!').to_owned(),
                picture: Some(!id.starts_with('!')),
                ..OfferedModel::default()
            })
            .collect();
        let best = best_for_phones(&models).map(|at| models[at].id.as_str());
        assert_eq!(best, expected, "{ids:?}");
    }

    #[test]
    fn the_newest_of_the_middle_size_is_proposed() {
        check(
            &[
                "claude-opus-5-5",
                "claude-sonnet-4-6",
                "claude-sonnet-5-5",
                "claude-haiku-5-5",
            ],
            Some("claude-sonnet-5-5"),
        );
        check(
            &[
                "gemini-2.5-flash",
                "gemini-3.8-flash",
                "gemini-3.8-flash-lite",
                "gemini-3.1-pro-preview",
            ],
            Some("gemini-3.8-flash"),
        );
        check(
            &["gpt-5.2-pro", "gpt-5.2", "gpt-5.1", "gpt-5-mini"],
            Some("gpt-5.2"),
        );
        // A day in the name makes it no newer.
        check(
            &["claude-sonnet-5", "claude-sonnet-4-5-20250929"],
            Some("claude-sonnet-5"),
        );
    }

    #[test]
    fn of_unknown_ones_the_first_that_sees() {
        check(&["!blind", "tiny", "small"], Some("tiny"));
        check(&["!blind"], None);
        check(&[], None);
    }
}
