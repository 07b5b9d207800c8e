//! Opening apps and links.

use crate::connect::server::Device;
use crate::dumpsys::front;
use crate::dumpsys::properties::is_package;
use crate::error::AdbError;
use crate::exec::cancel_guard::CancelGuard;
use crate::exec::output_parse;
use crate::exec::quote::quote;
use crate::exec::remote_command::brief;
use agent::ports::Effect;
use protocol::ActMethod;

/// Opens an app by its package: its launcher activity is asked for and started; where that fails, `monkey` does it
/// (last, for it may change the rotation setting).
pub(crate) async fn app(device: &Device, guard: &CancelGuard, package: &str) -> Result<Effect, AdbError> {
    if !is_package(package) {
        return Err(AdbError::AppNotFound(package.chars().take(100).collect()));
    }
    let quoted = quote(package)?;
    let asked = brief(
        device,
        guard,
        &format!("cmd package resolve-activity --brief {quoted}"),
    )
    .await?;
    // The chooser (`android/…ResolverActivity`) is not the app.
    let own = asked.text().lines().rev().find_map(|line| {
        let found = front::component(line.trim())?;
        (found.package == package).then(|| format!("{}/{}", found.package, found.activity))
    });
    if let Some(component) = own {
        let started = brief(device, guard, &format!("am start -n {}", quote(&component)?)).await?;
        match output_parse::am_start(&started) {
            Ok(()) => return Ok(Effect::by(ActMethod::ResolveActivity)),
            Err(error) => tracing::debug!(%error, "the launcher activity did not start"),
        }
    }
    let line = format!("monkey -p {quoted} -c android.intent.category.LAUNCHER 1");
    let output = brief(device, guard, &line).await?;
    let text = output.all();
    if text.contains("No activities found") || text.contains("monkey aborted") {
        return Err(AdbError::AppNotFound(package.to_owned()));
    }
    if output.failed() || output.is_not_found() || !text.contains("Events injected") {
        return Err(output_parse::am_start(&output)
            .err()
            .unwrap_or_else(|| AdbError::Refused("monkey injected nothing".to_owned())));
    }
    Ok(Effect::by(ActMethod::Monkey))
}

/// Opens a link with whatever app the phone has for it.
pub(crate) async fn url(device: &Device, guard: &CancelGuard, url: &str) -> Result<Effect, AdbError> {
    let line = format!("am start -a android.intent.action.VIEW -d {}", quote(url)?);
    let output = brief(device, guard, &line).await?;
    output_parse::am_start(&output)?;
    Ok(Effect::default())
}
