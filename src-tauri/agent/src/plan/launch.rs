//! Opening apps and addresses.

use super::app_name::is_called;
use super::doing::{Plan, PlannedEffect, Refusal, bare, refusal};
use crate::ports::App;
use judge::Input;
use protocol::RefusalCode;

pub(super) fn launch(package: &str, name: Option<&str>, apps: &[App]) -> Result<Plan, Refusal> {
    let package = package.trim();
    let wanted = name.map(str::trim).filter(|name| !name.is_empty());
    if !package.is_empty() {
        let label = apps
            .iter()
            .find(|app| app.package == package)
            .map(|app| app.label.clone());
        let opened = bare(PlannedEffect::Phone(vec![Input::Launch(package.to_owned())]));
        return Ok(Plan {
            app_label: label.or_else(|| wanted.map(str::to_owned)),
            ..opened
        });
    }
    let Some(wanted) = wanted else {
        return Err(refusal(
            RefusalCode::AppNotNamed,
            "name the app to open by packageName or app",
        ));
    };
    let app = match apps_called(wanted, apps).as_slice() {
        [app] => *app,
        [] => {
            let message = format!(
                "no single app is called {wanted:?}; {}",
                nearest_told(wanted, apps)
            );
            return Err(refusal(RefusalCode::AppNotFound, &message));
        }
        several => {
            let packages: Vec<&str> = several.iter().map(|app| app.package.as_str()).collect();
            let message = format!(
                "several apps are called {wanted:?}: name the package of the one that is meant, {}",
                packages.join(" or ")
            );
            return Err(refusal(RefusalCode::AmbiguousApp, &message));
        }
    };
    Ok(Plan {
        app_label: Some(app.label.clone()),
        ..bare(PlannedEffect::Phone(vec![Input::Launch(app.package.clone())]))
    })
}

/// The apps that may be meant by a name: of this package, else all that are called so exactly; else the only one with it in
/// its label, else the only one with it as a part of its package (`greenleaf` in `com.greenleaf.shop`: phones tell no labels
/// over a shell).
fn apps_called<'a>(name: &str, apps: &'a [App]) -> Vec<&'a App> {
    let lower = name.to_lowercase();
    let all = |fits: &dyn Fn(&App) -> bool| apps.iter().filter(|app| fits(app)).collect::<Vec<_>>();
    let exact = [all(&|app| app.package == name), all(&|app| is_called(app, name))];
    if let Some(exact) = exact.into_iter().find(|found| !found.is_empty()) {
        return exact;
    }
    let only = |fits: &dyn Fn(&App) -> bool| {
        let mut fitting = apps.iter().filter(|app| fits(app));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let word: String = lower.chars().filter(|c| c.is_alphanumeric()).collect();
    only(&|app| app.label.to_lowercase().contains(&lower))
        .or_else(|| only(&|app| app.package.to_lowercase().split('.').any(|part| part == word)))
        .into_iter()
        .collect()
}

/// What the model is told of an app that is not there: the nearest ones that are.
pub(crate) fn nearest_told(wanted: &str, apps: &[App]) -> String {
    let near = nearest(wanted, apps);
    if near.is_empty() {
        // Not every model has a word for asking which there are: none is told to.
        return "none that can be opened is called nearly so".to_owned();
    }
    let names: Vec<String> = near
        .iter()
        .map(|app| format!("{:?} ({})", app.label, app.package))
        .collect();
    format!("the nearest are {}", names.join(", "))
}

/// At most three apps whose label, package or a part of the package reads like this, the nearest first.
fn nearest<'a>(wanted: &str, apps: &'a [App]) -> Vec<&'a App> {
    let wanted = plain(wanted);
    let last = wanted.rsplit('.').next().unwrap_or_default().to_owned();
    let score = |app: &App| {
        let package = app.package.to_lowercase();
        let mut best = likeness(&wanted, &package).max(likeness(&last, &plain(&app.label)));
        for part in package.split('.').skip(1) {
            best = best.max(likeness(&last, part));
        }
        best
    };
    let mut scored: Vec<(f64, &App)> = apps
        .iter()
        .map(|app| (score(app), app))
        .filter(|(score, _)| *score >= 0.5)
        .collect();
    scored.sort_by(|(a, x), (b, y)| b.total_cmp(a).then_with(|| x.package.cmp(&y.package)));
    scored.into_iter().take(3).map(|(_, app)| app).collect()
}

fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric() || *c == '.');
    letters.flat_map(char::to_lowercase).take(100).collect()
}

/// From 0 to 1: how many pairs of letters two words have in common (Dice).
fn likeness(a: &str, b: &str) -> f64 {
    let pairs = |word: &str| -> Vec<(char, char)> {
        let letters: Vec<char> = word.chars().collect();
        letters.windows(2).map(|pair| (pair[0], pair[1])).collect()
    };
    let (a, mut b) = (pairs(a), pairs(b));
    let all = a.len() + b.len();
    if all == 0 {
        return 0.0;
    }
    let mut both = 0_usize;
    for pair in a {
        if let Some(at) = b.iter().position(|other| *other == pair) {
            b.swap_remove(at);
            both += 1;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "at most a few hundred")]
    let share = (2 * both) as f64 / all as f64;
    share
}

/// The address as it is opened: `https://` where no scheme is written, blanks as an address writes them.
pub(super) fn address(url: &str) -> String {
    let url = url.trim().trim_matches('`').trim().replace(' ', "%20");
    if url.is_empty() || scheme(&url).is_some() {
        url
    } else {
        format!("https://{url}")
    }
}

/// The scheme of an address, in lower case. `example.com:8080/x` has a colon and no scheme.
pub(crate) fn scheme(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once(':')?;
    let named = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let is_host = scheme.contains('.') && !rest.starts_with("//");
    let is_port = rest
        .split(['/', '?', '#'])
        .next()
        .is_some_and(|port| !port.is_empty() && port.len() <= 5 && port.bytes().all(|b| b.is_ascii_digit()));
    let dials = ["tel", "sms", "smsto", "mms", "mmsto"];
    let lower = scheme.to_ascii_lowercase();
    let local = is_port && !dials.contains(&lower.as_str());
    (named && !is_host && !local).then_some(lower)
}

pub(super) fn open_url(url: &str) -> Result<Plan, Refusal> {
    let url = address(url);
    if url.is_empty() {
        return Err(refusal(RefusalCode::NoUrl, "open_url needs a url"));
    }
    if url.chars().any(char::is_control) {
        return Err(refusal(RefusalCode::BadUrl, "a url holds no control characters"));
    }
    Ok(bare(PlannedEffect::Phone(vec![Input::Link(url)])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_get_a_scheme_where_they_have_none() {
        for (url, expected, named) in [
            ("baidu.com", "https://baidu.com", Some("https")),
            (
                "`example.com/x?y=a:b`",
                "https://example.com/x?y=a:b",
                Some("https"),
            ),
            ("example.com:8080/x", "https://example.com:8080/x", Some("https")),
            ("localhost:3000", "https://localhost:3000", Some("https")),
            ("http://example.com", "http://example.com", Some("http")),
            ("HTTPS://example.com", "HTTPS://example.com", Some("https")),
            (
                "mailto:dana@example.com",
                "mailto:dana@example.com",
                Some("mailto"),
            ),
            ("tel:911", "tel:911", Some("tel")),
            (
                "geo:48.1,11.6?q=Main St",
                "geo:48.1,11.6?q=Main%20St",
                Some("geo"),
            ),
            (
                "market://details?id=com.x",
                "market://details?id=com.x",
                Some("market"),
            ),
            (
                "intent://scan/#Intent;scheme=zxing;end",
                "intent://scan/#Intent;scheme=zxing;end",
                Some("intent"),
            ),
            ("JavaScript:alert(1)", "JavaScript:alert(1)", Some("javascript")),
            ("javascript:1", "https://javascript:1", Some("https")),
            ("content://sms/1", "content://sms/1", Some("content")),
            (
                "com.example.app://open",
                "com.example.app://open",
                Some("com.example.app"),
            ),
            ("", "", None),
        ] {
            let address = address(url);
            assert_eq!(
                (address.as_str(), scheme(&address).as_deref()),
                (expected, named),
                "{url}"
            );
        }
    }

    fn app(package: &str, label: &str) -> App {
        App {
            package: package.to_owned(),
            label: label.to_owned(),
        }
    }

    #[test]
    fn an_app_is_opened_by_any_of_its_names_and_never_one_of_several() {
        let apps = [
            app("com.android.mms", "Messages"),
            app("com.google.android.apps.messaging", "Messages"),
            app("com.android.settings", "Settings"),
            app("com.eg.android.AlipayGphone", "Alipay"),
            app("com.greenleaf.shop", "Greenleaf"),
            app("com.tencent.mm", "WeChat"),
        ];
        for (name, expected) in [
            ("Settings", Ok("com.android.settings")),
            ("设置", Ok("com.android.settings")),
            ("微信", Ok("com.tencent.mm")),
            ("支付宝", Ok("com.eg.android.AlipayGphone")),
            ("green", Ok("com.greenleaf.shop")),
            ("com.android.mms", Ok("com.android.mms")),
            ("Messages", Err("ambiguous_app")),
            ("短信", Err("ambiguous_app")),
            ("相机", Err("app_not_found")),
        ] {
            let opened = match launch("", Some(name), &apps) {
                Ok(plan) => match plan.doing {
                    PlannedEffect::Phone(inputs) => Ok(inputs),
                    other => panic!("{other:?}"),
                },
                Err(refusal) => Err(refusal),
            };
            match (opened, expected) {
                (Ok(inputs), Ok(package)) => {
                    assert_eq!(inputs, [Input::Launch(package.to_owned())], "{name}");
                }
                (Err(refusal), Err(code)) => {
                    assert_eq!(refusal.code.as_str(), code, "{name}");
                    let told = refusal.message;
                    assert!(
                        code != "ambiguous_app"
                            || told.contains("com.android.mms or com.google.android.apps.messaging"),
                        "{told}"
                    );
                }
                (opened, _) => panic!("{name}: {opened:?}"),
            }
        }
    }

    /// CogAgent's words and most others have no action that lists the apps.
    #[test]
    fn nobody_is_sent_to_a_list_their_words_do_not_have() {
        assert!(!nearest_told("zzz", &[]).contains("list_apps"));
    }

    #[test]
    fn the_nearest_apps_are_named() {
        let apps: Vec<App> = [
            "com.android.settings",
            "com.greenleaf.shop",
            "com.northbank.mobile",
            "com.android.chrome",
        ]
        .map(|package| App {
            package: package.to_owned(),
            label: package.split('.').nth(1).unwrap().to_owned(),
        })
        .into();
        let first = |wanted: &str| nearest(wanted, &apps).first().map(|app| app.package.as_str());
        assert_eq!(first("com.greenleaf.app"), Some("com.greenleaf.shop"));
        assert_eq!(first("Green Leaf"), Some("com.greenleaf.shop"));
        assert_eq!(first("com.android.setings"), Some("com.android.settings"));
        assert_eq!(first("North Bank"), Some("com.northbank.mobile"));
        assert_eq!(first("zzz"), None);
        assert_eq!(first(""), None);
    }
}
