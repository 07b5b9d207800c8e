//! Opening apps and links.

use crate::dumpsys::front;
use crate::dumpsys::properties::is_package;
use crate::error::AdbError;
use crate::hands::Hands;
use crate::leash::Leash;
use crate::quote::quote;
use crate::said;
use agent::ports::Effect;

/// Opens an app by its package: its launcher activity is asked for and started; where that fails, `monkey` does it
/// (last, for it may change the rotation setting).
pub(crate) async fn app(hands: &Hands, leash: &Leash, package: &str) -> Result<Effect, AdbError> {
    if !is_package(package) {
        return Err(AdbError::AppNotFound(package.chars().take(100).collect()));
    }
    let quoted = quote(package)?;
    let asked = hands
        .brief(leash, &format!("cmd package resolve-activity --brief {quoted}"))
        .await?;
    // The chooser (`android/…ResolverActivity`) is not the app.
    let own = asked.text().lines().rev().find_map(|line| {
        let found = front::component(line.trim())?;
        (found.package == package).then(|| format!("{}/{}", found.package, found.activity))
    });
    if let Some(component) = own {
        let started = hands
            .brief(leash, &format!("am start -n {}", quote(&component)?))
            .await?;
        match said::am_start(&started) {
            Ok(()) => return Ok(rung("resolve_activity")),
            Err(error) => tracing::debug!(%error, "the launcher activity did not start"),
        }
    }
    let line = format!("monkey -p {quoted} -c android.intent.category.LAUNCHER 1");
    let output = hands.brief(leash, &line).await?;
    let text = output.all();
    if text.contains("No activities found") || text.contains("monkey aborted") {
        return Err(AdbError::AppNotFound(package.to_owned()));
    }
    if output.failed() || output.is_not_found() || !text.contains("Events injected") {
        return Err(said::am_start(&output)
            .err()
            .unwrap_or_else(|| AdbError::Refused("monkey injected nothing".to_owned())));
    }
    Ok(rung("monkey"))
}

/// Opens a link with whatever app the phone has for it.
pub(crate) async fn url(hands: &Hands, leash: &Leash, url: &str) -> Result<Effect, AdbError> {
    let line = format!("am start -a android.intent.action.VIEW -d {}", quote(url)?);
    let output = hands.brief(leash, &line).await?;
    said::am_start(&output)?;
    Ok(Effect::default())
}

fn rung(name: &'static str) -> Effect {
    Effect {
        rung: Some(name),
        ..Effect::default()
    }
}
