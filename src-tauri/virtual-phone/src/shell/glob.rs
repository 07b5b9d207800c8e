//! File names for a pattern, from the phone's own tree.

use super::{Pattern, Shell};
use crate::files::absolute;

/// One pattern brings at most so many names.
const MOST: usize = 20_000;

impl Shell {
    /// The names that fit, sorted; none when none does.
    pub(super) fn file_names(&self, field: &[(char, bool)]) -> Vec<String> {
        let from_root = field.first().is_some_and(|(character, _)| *character == '/');
        let mut found = vec![if from_root { "/".to_owned() } else { String::new() }];
        let parts: Vec<&[(char, bool)]> = field
            .split(|(character, _)| *character == '/')
            .filter(|part| !part.is_empty())
            .collect();
        let ends_with_slash = field.last().is_some_and(|(character, _)| *character == '/');
        for (at, part) in parts.iter().enumerate() {
            let last = at + 1 == parts.len() && !ends_with_slash;
            let pattern = Pattern::new(part);
            found = found
                .iter()
                .flat_map(|base| self.step_into(base, &pattern, last))
                .take(MOST)
                .collect();
        }
        if ends_with_slash {
            found.iter_mut().for_each(|name| name.push('/'));
        }
        found.sort();
        found
    }

    fn step_into(&self, base: &str, pattern: &Pattern, last: bool) -> Vec<String> {
        let join = |name: &str| match base {
            "" => name.to_owned(),
            "/" => format!("/{name}"),
            base => format!("{base}/{name}"),
        };
        if !pattern.is_wild() {
            let name = join(&pattern.literal());
            let path = self.call.path(&name);
            return if self
                .call
                .phone
                .files
                .stat(&path, crate::files::FollowLinks::No)
                .is_ok()
            {
                vec![name]
            } else {
                vec![]
            };
        }
        let directory = self.call.path(&absolute(
            &self.call.directory,
            if base.is_empty() { "." } else { base },
        ));
        let Ok(entries) = self.call.phone.files.list(&directory) else {
            return Vec::new();
        };
        entries
            .into_iter()
            .filter(|(name, stat)| {
                (last || stat.is_directory() || stat.is_link())
                    && (!name.starts_with('.') || pattern.starts_with_dot())
                    && pattern.matches(name)
            })
            .map(|(name, _)| join(&name))
            .collect()
    }
}
