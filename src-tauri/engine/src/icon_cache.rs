//! Apps' icons, kept in memory.

use protocol::PhoneId;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// So many are kept; then the one that was asked for longest ago goes.
const MOST: usize = 64;

/// Icons by phone and package: two phones may have two versions of an app.
#[derive(Default)]
pub(crate) struct AppIcons(Mutex<VecDeque<Icon>>);

/// An app's icon as one phone draws it.
#[derive(Clone)]
pub(crate) struct Icon {
    pub(crate) phone: PhoneId,
    pub(crate) package: String,
    pub(crate) png: Vec<u8>,
}

impl AppIcons {
    /// One that is kept; it stays longest then.
    pub(crate) fn get(&self, phone: &PhoneId, package: &str) -> Option<Vec<u8>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |icon: &Icon| icon.phone == *phone && icon.package == package;
        let icon = kept.iter().position(is_it).and_then(|at| kept.remove(at))?;
        let png = icon.png.clone();
        kept.push_back(icon);
        Some(png)
    }

    /// Keeps one, in the place of an older one of the same app.
    pub(crate) fn keep(&self, icon: Icon) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|other| other.phone != icon.phone || other.package != icon.package);
        kept.push_back(icon);
        if kept.len() > MOST {
            kept.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps icons in this order, and looks for each of these; `asked` are asked for in between.
    fn check(kept: &[(&str, usize)], asked: &[(&str, usize)], expected: &[(&str, usize, bool)]) {
        let icons = AppIcons::default();
        let name = |app: usize| format!("com.example.app{app}");
        for (phone, app) in kept {
            icons.keep(Icon {
                phone: PhoneId::from(*phone),
                package: name(*app),
                png: vec![u8::try_from(*app).unwrap()],
            });
            for (phone, app) in asked {
                icons.get(&PhoneId::from(*phone), &name(*app));
            }
        }
        for (phone, app, there) in expected {
            let found = icons.get(&PhoneId::from(*phone), &name(*app));
            let png = there.then(|| vec![u8::try_from(*app).unwrap()]);
            assert_eq!(found, png, "{phone} {app}");
        }
    }

    #[test]
    fn so_many_are_kept_and_those_that_are_asked_for_stay() {
        check(
            &[("a", 1), ("b", 2)],
            &[],
            &[("a", 1, true), ("b", 2, true), ("a", 2, false), ("b", 1, false)],
        );
        let many: Vec<_> = (0..=MOST).map(|app| ("a", app)).collect();
        check(&many, &[], &[("a", 0, false), ("a", 1, true), ("a", MOST, true)]);
        check(
            &many,
            &[("a", 0)],
            &[("a", 0, true), ("a", 1, false), ("a", 2, true)],
        );
        // The same again takes no more room.
        let again: Vec<_> = (0..MOST).chain([0, 0]).map(|app| ("a", app)).collect();
        check(&again, &[], &[("a", 0, true), ("a", 1, true)]);
    }
}
