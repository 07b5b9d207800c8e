//! Android's own permission dialog: which button is its Yes, which its No, and how far the Yes goes.
//!
//! Found by resource id first, by exact words second; where neither tells, there is no button here and the person takes
//! over. Only windows of the system's own permission programs count: any app may draw a button and call it `permission_allow`.

use protocol::{Allows, Element, ElementState, Screen};

/// The programs that ask: AOSP, Google's and Samsung's builds of it, and the one of Android 9 and older.
const PACKAGES: [&str; 5] = [
    "com.android.permissioncontroller",
    "com.google.android.permissioncontroller",
    "com.samsung.android.permissioncontroller",
    "com.android.packageinstaller",
    "com.google.android.packageinstaller",
];

/// AOSP `GrantPermissionsViewHandlerImpl`: the shortest Yes first.
const ALLOW_IDS: [(&str, Allows); 3] = [
    ("permission_allow_one_time_button", Allows::Once),
    ("permission_allow_foreground_only_button", Allows::InUse),
    ("permission_allow_button", Allows::Always),
];
/// Not the one that also says *never ask again*: nobody said that.
const DENY_ID: &str = "permission_deny_button";
const MESSAGE_ID: &str = "permission_message";

/// The whole words of the buttons, in small letters, as AOSP translates them (`res/values-*/strings.xml`).
const ALLOW_WORDS: [(Allows, &[&str]); 3] = [
    (
        Allows::Once,
        &[
            "only this time",
            "nur dieses mal",
            "uniquement cette fois-ci",
            "solo esta vez",
            "solo questa volta",
            "apenas esta vez",
            "alleen deze keer",
            "今回のみ",
            "仅限这一次",
            "僅允許這一次",
            "только в этот раз",
        ],
    ),
    (
        Allows::InUse,
        &[
            "while using the app",
            "allow only while using the app",
            "bei nutzung der app",
            "mientras se usa la aplicación",
            "mentre usi l'app",
            "mentre usi l’app",
            "durante o uso do app",
            "アプリの使用時のみ",
            "使用应用时允许",
            "仅在使用该应用时允许",
            "при использовании приложения",
        ],
    ),
    (
        Allows::Always,
        &[
            "allow",
            "zulassen",
            "autoriser",
            "permitir",
            "consenti",
            "toestaan",
            "許可",
            "允许",
            "允許",
            "허용",
            "разрешить",
        ],
    ),
];
const DENY_WORDS: &[&str] = &[
    "don't allow",
    "don’t allow",
    "deny",
    "nicht zulassen",
    "ablehnen",
    "ne pas autoriser",
    "refuser",
    "no permitir",
    "denegar",
    "non consentire",
    "rifiuta",
    "não permitir",
    "negar",
    "niet toestaan",
    "weigeren",
    "許可しない",
    "不允许",
    "拒绝",
    "不允許",
    "허용 안함",
    "거부",
    "запретить",
];

/// The dialog, read.
#[derive(Clone, Copy, Debug)]
pub struct Dialog<'a> {
    /// Its shortest Yes.
    pub allow: Option<(&'a Element, Allows)>,
    /// Its plain No.
    pub deny: Option<&'a Element>,
    /// What it asks.
    pub message: Option<&'a str>,
}

/// The dialog on this screen, where the system's own program shows one.
#[must_use]
pub fn dialog(screen: &Screen) -> Option<Dialog<'_>> {
    if !PACKAGES.contains(&screen.current_app.as_str()) {
        return None;
    }
    let own = || {
        screen
            .elements
            .iter()
            .filter(|element| PACKAGES.contains(&element.package.as_str()))
    };
    let buttons = || own().filter(|element| is_button(element));
    let named = |name: &str| buttons().find(|element| id(element) == name);
    let worded = |words: &[&str]| buttons().find(|element| words.contains(&words_of(element).as_str()));
    let allow = ALLOW_IDS
        .iter()
        .find_map(|(name, allows)| Some((named(name)?, *allows)))
        .or_else(|| {
            ALLOW_WORDS
                .iter()
                .find_map(|(allows, words)| Some((worded(words)?, *allows)))
        });
    let deny = named(DENY_ID).or_else(|| worded(DENY_WORDS));
    if allow.is_none() && deny.is_none() {
        return None;
    }
    let said = own().find(|element| id(element) == MESSAGE_ID);
    Some(Dialog {
        allow,
        deny,
        message: said
            .map(|element| element.label.as_str())
            .filter(|text| !text.is_empty()),
    })
}

/// How far the Yes of this very button goes.
#[must_use]
pub fn allows(screen: &Screen, element: &Element) -> Option<Allows> {
    let found = dialog(screen)?;
    let by_id = ALLOW_IDS.iter().find(|(name, _)| *name == id(element));
    let by_words = || {
        let words = words_of(element);
        ALLOW_WORDS
            .iter()
            .find(|(_, all)| all.contains(&words.as_str()))
            .map(|(allows, _)| *allows)
    };
    found.allow?;
    by_id.map(|(_, allows)| *allows).or_else(by_words)
}

fn is_button(element: &Element) -> bool {
    element.states.contains(&ElementState::Clickable) && !element.states.contains(&ElementState::Disabled)
}

fn id(element: &Element) -> &str {
    element.resource_id.rsplit('/').next().unwrap_or_default()
}

fn words_of(element: &Element) -> String {
    element.label.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Bounds, CaptureResult, PhoneId, Role, Totals};

    const AOSP: &str = "com.android.permissioncontroller";

    fn button(package: &str, id: &str, label: &str) -> Element {
        Element {
            index: 1,
            track_id: String::new(),
            role: Role::Button,
            label: label.into(),
            description: None,
            value: None,
            states: vec![ElementState::Clickable],
            bounds: Bounds {
                left: 0,
                top: 0,
                right: 10,
                bottom: 10,
            },
            resource_id: if id.is_empty() {
                String::new()
            } else {
                format!("{package}:id/{id}")
            },
            package: package.into(),
        }
    }

    fn screen(app: &str, elements: Vec<Element>) -> Screen {
        Screen {
            phone: PhoneId("p".into()),
            current_app: app.into(),
            window: None,
            width: 100,
            height: 200,
            captured_at: 0,
            capture: CaptureResult::Ok,
            frame: None,
            elements,
            tree_read: true,
            tree_bounds: None,
            totals: Totals::default(),
            keyboard_shown: false,
        }
    }

    /// A Yes's label and reach, and a No's label.
    type ExpectedButtons<'a> = (Option<(&'a str, Allows)>, Option<&'a str>);

    /// What is found on a screen of these buttons.
    #[track_caller]
    fn check(app: &str, elements: &[(&str, &str, &str)], expected: Option<ExpectedButtons<'_>>) {
        let elements = elements
            .iter()
            .map(|(package, id, label)| button(package, id, label))
            .collect();
        let screen = screen(app, elements);
        let found = dialog(&screen).map(|found| {
            (
                found
                    .allow
                    .map(|(element, allows)| (element.label.as_str(), allows)),
                found.deny.map(|element| element.label.as_str()),
            )
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn the_shortest_yes_and_the_plain_no_are_found_and_nothing_is_guessed() {
        // By resource id, whatever the words are.
        check(
            AOSP,
            &[
                (AOSP, "permission_allow_foreground_only_button", "Wenn ich da bin"),
                (AOSP, "permission_allow_one_time_button", "Jetzt"),
                (AOSP, "permission_deny_button", "Lieber nicht"),
            ],
            Some((Some(("Jetzt", Allows::Once)), Some("Lieber nicht"))),
        );
        check(
            AOSP,
            &[
                (AOSP, "permission_allow_button", "Allow"),
                (AOSP, "permission_deny_and_dont_ask_again_button", "Never again"),
            ],
            Some((Some(("Allow", Allows::Always)), None)),
        );
        // By whole words.
        check(
            AOSP,
            &[(AOSP, "", "While using the app"), (AOSP, "", "Don’t allow")],
            Some((Some(("While using the app", Allows::InUse)), Some("Don’t allow"))),
        );
        check(
            AOSP,
            &[(AOSP, "", "許可しない"), (AOSP, "", "今回のみ")],
            Some((Some(("今回のみ", Allows::Once)), Some("許可しない"))),
        );
        // Words that hold the words are other words.
        check(
            AOSP,
            &[(AOSP, "", "Allow everything for ever"), (AOSP, "", "Perhaps")],
            None,
        );
        // An app that draws the dialog is an app, and so is one that names its buttons like the system's.
        check(
            "com.evil",
            &[("com.evil", "permission_allow_button", "Allow")],
            None,
        );
        check(AOSP, &[("com.evil", "permission_allow_button", "Allow")], None);
        check("com.evil", &[(AOSP, "permission_allow_button", "Allow")], None);
    }
}
