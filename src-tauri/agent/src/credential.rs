//! Saved passwords by reference: the model writes `{{secret:Northbank password}}` and never sees what it stands for. Pure.

use judge::Input;
use protocol::{Act, CredentialPlace, Element, ElementState};

/// What stands in an action's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference<'a> {
    /// A saved password's name, and nothing beside it.
    Alone(&'a str),
    /// One beside other words, or where none may stand.
    Misplaced,
}

/// The saved password an action refers to; none for nearly all actions.
#[must_use]
pub fn reference(act: &Act) -> Option<Reference<'_>> {
    match act {
        Act::Type { text, .. } | Act::SetValue { value: text, .. } => {
            holds_reference(text).then(|| alone(text).map_or(Reference::Misplaced, Reference::Alone))
        }
        Act::Shell { command: text }
        | Act::RunScript { script: text, .. }
        | Act::OpenUrl { url: text }
        | Act::AskModel { prompt: text, .. } => holds_reference(text).then_some(Reference::Misplaced),
        _ => None,
    }
}

/// How the model refers to a saved password of this name.
#[must_use]
pub fn written(name: &str) -> String {
    format!("{{{{secret:{name}}}}}")
}

/// Whether a name can stand in a reference and be read back from it.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let length = name.chars().count();
    name == name.trim()
        && (1..=60).contains(&length)
        && !name.contains(['{', '}'])
        && !name.chars().any(char::is_control)
}

fn holds_reference(text: &str) -> bool {
    text.match_indices("{{")
        .any(|(at, _)| text.get(at..).is_some_and(|rest| name_in(rest).is_some()))
}

/// What stands behind `{{secret:`.
fn name_in(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("{{")?.trim_start();
    let word = inner.get(.."secret:".len())?;
    word.eq_ignore_ascii_case("secret:")
        .then(|| inner.get("secret:".len()..))
        .flatten()
}

fn alone(text: &str) -> Option<&str> {
    let name = name_in(text.trim())?.strip_suffix("}}")?.trim();
    is_name(name).then_some(name)
}

/// Where the phone is.
#[derive(Clone, Copy, Debug)]
pub struct CurrentPlace<'a> {
    /// The app in front.
    pub app: &'a str,
    /// Who signed it, as the phone tells.
    pub signers: &'a [String],
    /// The site in front, where it is a browser's and can be read.
    pub address: Option<&'a str>,
}

/// Whether a saved password may be typed there.
#[must_use]
pub fn fits(place: &CredentialPlace, spot: &CurrentPlace<'_>) -> bool {
    match place {
        CredentialPlace::App { package, signers, .. } => {
            package == spot.app && signers.iter().all(|signer| spot.signers.contains(signer))
        }
        CredentialPlace::Host { host } => spot.address == Some(host.as_str()),
    }
}

/// The focus, where the field has it not, and the secret.
pub(crate) fn secret_into(field: &Element) -> Vec<Input> {
    let b = field.bounds;
    let at = (i32::midpoint(b.left, b.right), i32::midpoint(b.top, b.bottom));
    let tap = (!field.states.contains(&ElementState::Focused)).then_some(Input::Tap { at });
    tap.into_iter().chain([Input::Secret { at }]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_text(text: &str) -> Option<Reference<'_>> {
        let text = text.to_owned();
        let act = Box::leak(Box::new(Act::Type { text, target: None }));
        reference(act)
    }

    #[test]
    fn a_reference_stands_alone() {
        for (text, expected) in [
            ("hello", None),
            ("{{name}}", None),
            ("{{", None),
            ("{{secret", None),
            (
                "{{secret:Northbank password}}",
                Some(Reference::Alone("Northbank password")),
            ),
            (
                " {{ Secret: Northbank password }} ",
                Some(Reference::Alone("Northbank password")),
            ),
            ("{{secret:}}", Some(Reference::Misplaced)),
            ("{{secret:Bank", Some(Reference::Misplaced)),
            ("x{{secret:Bank}}", Some(Reference::Misplaced)),
            ("{{secret:Bank}}{{secret:Shop}}", Some(Reference::Misplaced)),
            ("{{{{secret:Bank}}}}", Some(Reference::Misplaced)),
            ("é{{secrét:Bank}}", None),
        ] {
            assert_eq!(of_text(text), expected, "{text}");
        }
        let prompt = Act::Shell {
            command: "echo {{secret:Bank}}".into(),
        };
        assert_eq!(reference(&prompt), Some(Reference::Misplaced));
    }

    #[test]
    fn what_is_written_is_read_back() {
        for name in ["Northbank password", "Mum’s café", "a:b", "secret:secret:"] {
            assert!(is_name(name));
            assert_eq!(of_text(&written(name)), Some(Reference::Alone(name)));
        }
        for name in ["", " a", "a}}", "{a", "a\nb", &"x".repeat(61)] {
            assert!(!is_name(name), "{name:?}");
        }
    }

    #[test]
    fn it_fits_its_own_place_alone() {
        let signed = |signers: &[&str]| signers.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        let app = |signers: &[&str]| CredentialPlace::App {
            package: "com.bank".into(),
            app_label: "Bank".into(),
            signers: signed(signers),
        };
        let site = CredentialPlace::Host {
            host: "bank.example".into(),
        };
        for (place, package, signers, address, expected) in [
            (app(&["sum 1"]), "com.bank", &["sum 1"][..], None, true),
            (app(&["sum 1"]), "com.bank", &["sum 1", "sha256 AA"], None, true),
            (app(&["sum 1", "sha256 AA"]), "com.bank", &["sum 1"], None, false),
            (app(&["sum 1"]), "com.bank", &["sum 2"], None, false),
            (app(&["sum 1"]), "com.bank", &[], None, false),
            (app(&[]), "com.bank", &["sum 2"], None, true),
            (app(&["sum 1"]), "com.bank.evil", &["sum 1"], None, false),
            (
                site.clone(),
                "com.android.chrome",
                &[],
                Some("bank.example"),
                true,
            ),
            (
                site.clone(),
                "com.android.chrome",
                &[],
                Some("evil.bank.example"),
                false,
            ),
            (site.clone(), "com.android.chrome", &[], None, false),
            (site, "bank.example", &[], None, false),
        ] {
            let signers = signed(signers);
            let spot = CurrentPlace {
                app: package,
                signers: &signers,
                address,
            };
            assert_eq!(fits(&place, &spot), expected, "{place:?} {spot:?}");
        }
    }
}
