//! The person's list of programs, before it is kept.

use protocol::{Failure, FailureCode, ScriptSettings};
use std::collections::BTreeMap;

/// Programs on the list at most.
const MOST: usize = 100;

/// Judges what is new on the list. What was on it before is judged again when a script names it: a program that is
/// gone for a while does not keep the rest from being changed.
///
/// # Errors
/// `bad_input` with `values.input` = `program`, which one, and `values.why`: the word of [`script::programs::Unfit`],
/// `twice` or `many`.
pub(crate) async fn added(before: &ScriptSettings, after: &ScriptSettings) -> Result<(), Failure> {
    let list = &after.programs;
    if list.len() > MOST {
        return Err(unfit("", "many"));
    }
    let twice = list
        .iter()
        .enumerate()
        .find(|(at, path)| list.iter().take(*at).any(|other| other == *path));
    if let Some((_, path)) = twice {
        return Err(unfit(path, "twice"));
    }
    let new: Vec<String> = list
        .iter()
        .filter(|path| !before.programs.contains(path))
        .cloned()
        .collect();
    let judged = tokio::task::spawn_blocking(move || {
        new.iter().try_for_each(|path| {
            let judged = script::programs::judge(path);
            judged.map(|_| ()).map_err(|why| unfit(path, why.word()))
        })
    });
    judged.await.unwrap_or_else(|_| Err(unfit("", "missing")))
}

fn unfit(program: &str, why: &str) -> Failure {
    let values = [("input", "program"), ("program", program), ("why", why)];
    let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Failure {
        code: FailureCode::BadInput,
        values: BTreeMap::from(values),
        detail: None,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &[&str], after: &[&str], why: Option<&str>) {
        let list = |paths: &[&str]| ScriptSettings {
            on_this_computer: true,
            programs: paths.iter().map(|path| (*path).to_owned()).collect(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let told = runtime
            .map(|runtime| runtime.block_on(added(&list(before), &list(after))))
            .unwrap_or(Ok(()));
        let word = told.err().and_then(|failure| failure.values.get("why").cloned());
        assert_eq!(word.as_deref(), why, "{after:?}");
    }

    #[test]
    fn only_what_is_new_is_judged() {
        check(&[], &[], None);
        check(&[], &["/usr/bin/date"], None);
        check(&[], &["/bin/bash"], Some("shell"));
        check(&[], &["/usr/bin/date", "/usr/bin/env"], Some("starter"));
        check(&[], &["/usr/bin/date", "/usr/bin/date"], Some("twice"));
        check(&[], &["/no/such/tool"], Some("missing"));
        check(&["/no/such/tool"], &["/no/such/tool", "/usr/bin/date"], None);
        check(&["/no/such/tool"], &[], None);
        let many: Vec<String> = (0..101).map(|n| format!("/x/{n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        check(&many, &many, Some("many"));
    }
}
