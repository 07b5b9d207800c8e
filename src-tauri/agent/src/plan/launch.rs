//! Opening apps and addresses.

use super::{Doing, Plan, Refusal, bare, refusal};
use crate::ports::{App, Command};

pub(super) fn launch(package: &str, name: Option<&str>, apps: &[App]) -> Result<Plan, Refusal> {
    let package = package.trim();
    let wanted = name.map(str::trim).filter(|name| !name.is_empty());
    if !package.is_empty() {
        let label = apps
            .iter()
            .find(|app| app.package == package)
            .map(|app| app.label.clone());
        let opened = bare(Doing::Phone(vec![Command::Launch(package.to_owned())]));
        return Ok(Plan {
            app_label: label.or_else(|| wanted.map(str::to_owned)),
            ..opened
        });
    }
    let Some(wanted) = wanted else {
        return Err(refusal(
            "app_not_named",
            "name the app to open by packageName or app",
        ));
    };
    let Some(app) = app_called(wanted, apps) else {
        let message = format!("no single app is called {wanted:?}; list_apps tells which there are");
        return Err(refusal("app_not_found", &message));
    };
    Ok(Plan {
        app_label: Some(app.label.clone()),
        ..bare(Doing::Phone(vec![Command::Launch(app.package.clone())]))
    })
}

/// The one app that is meant by a name: its label or package exactly, else part of one label, else a part of one package
/// (`greenleaf` in `com.greenleaf.shop`: phones tell no labels over a shell).
fn app_called<'a>(name: &str, apps: &'a [App]) -> Option<&'a App> {
    let lower = name.to_lowercase();
    if let Some(exact) = apps
        .iter()
        .find(|app| app.package == name || app.label.to_lowercase() == lower)
    {
        return Some(exact);
    }
    let only = |fits: &dyn Fn(&App) -> bool| {
        let mut fitting = apps.iter().filter(|app| fits(app));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let word: String = lower.chars().filter(|c| c.is_alphanumeric()).collect();
    only(&|app| app.label.to_lowercase().contains(&lower))
        .or_else(|| only(&|app| app.package.to_lowercase().split('.').any(|part| part == word)))
}

pub(super) fn open_url(url: &str) -> Result<Plan, Refusal> {
    let url = url.trim().trim_matches('`').trim();
    if url.is_empty() {
        return Err(refusal("no_url", "open_url needs a url"));
    }
    // `example.com:8080/x` has a colon and no scheme.
    let scheme = url.split_once(':').filter(|(scheme, rest)| {
        !scheme.is_empty()
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-".contains(c))
            && !rest.starts_with(|c: char| c.is_ascii_digit())
            || rest.starts_with("//")
    });
    let url = if scheme.is_some() {
        url.to_owned()
    } else {
        format!("https://{url}")
    };
    Ok(bare(Doing::Phone(vec![Command::OpenUrl(url)])))
}
