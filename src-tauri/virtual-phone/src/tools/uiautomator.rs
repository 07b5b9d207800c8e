//! `uiautomator dump` (`frameworks/base/cmds/uiautomator/cmds/uiautomator/src/com/android/commands/uiautomator/DumpCommand.java`).

use crate::android::NoHierarchy;
use crate::fault::Fault;
use crate::files::OpenMode;
use crate::phone::Phone;
use crate::process::{Call, ProgramResult};
use crate::record::Received;
use std::sync::atomic::Ordering;

/// `waitForIdle(1000, 10000)` giving up.
const IDLE_MILLIS: u64 = 10_500;
/// `tree_slow`.
const SLOW_MILLIS: u64 = 20_000;
const DEFAULT_FILE: &str = "/sdcard/window_dump.xml";

const USAGE: &str = "Usage: uiautomator <subcommand> [options]\n\nAvailable subcommands:\n\nhelp: displays help message\n\n\
     dump: creates an XML dump of current UI hierarchy\n    dump [--verbose][file]\n      [--compressed]: dumps compressed \
     layout information.\n      [file]: the location where the dumped XML should be stored, default is\n      \
     /storage/emulated/0/window_dump.xml\n\nevents: prints out accessibility events until terminated\n\n";

/// Of sample ui_04 (MIUI), shortened to the frames that tell it.
pub(crate) const TRACE: &str = "java.io.FileNotFoundException: /data/system/theme_config/theme_compatibility.xml: open failed: ENOENT \
     (No such file or directory)\n\tat libcore.io.IoBridge.open(IoBridge.java:574)\n\tat java.io.FileInputStream.<init>\
     (FileInputStream.java:160)\n\tat java.io.FileReader.<init>(FileReader.java:60)\n\tat \
     miui.content.res.ThemeCompatibilityLoader.getVersion(ThemeCompatibilityLoader.java:108)\n\tat \
     android.view.Display.getSize(Display.java:796)\n\tat com.android.commands.uiautomator.DumpCommand.run\
     (DumpCommand.java:110)\n\tat com.android.commands.uiautomator.Launcher.main(Launcher.java:83)\nCaused by: \
     android.system.ErrnoException: open failed: ENOENT (No such file or directory)\n\t... 22 more\n";

const NULL_ROOT: &str = "ERROR: null root node returned by UiTestAutomationBridge.\n";
const NEVER_IDLE: &str = "ERROR: could not get idle state.\n";

/// `uiautomator dump [--compressed] [FILE]`. Its failures are exit 0, as on a phone.
pub(super) async fn main(call: Call) -> ProgramResult {
    let words = call.arguments().to_vec();
    if words.first().map(String::as_str) != Some("dump") {
        call.out(USAGE).await?;
        return Ok(0);
    }
    let file = words
        .iter()
        .skip(1)
        .rfind(|word| !word.starts_with('-'))
        .map_or(DEFAULT_FILE, String::as_str)
        .to_owned();
    if call.phone.has(Fault::ServicesRestarting) {
        // `UiAutomation.connect` without a system server. Words invented after the exception's name.
        call.err("java.lang.RuntimeException: Error while connecting UiAutomation\n")
            .await?;
        return Ok(1);
    }
    // Only one UiAutomation can be registered. What another dump holds is over in a moment; what stays is in the way.
    let phone = std::sync::Arc::clone(&call.phone);
    if phone.is_read.load(Ordering::Relaxed) {
        call.err(format!("{}\n", crate::reader::REGISTERED)).await?;
        return Ok(1);
    }
    let _turn = phone.dumping.lock().await;
    let whole = phone.clock.times().dump;
    let (millis, forced) = if phone.has(Fault::TreeIdleError) {
        (IDLE_MILLIS, Some(NEVER_IDLE))
    } else if phone.has(Fault::TreeNullRoot) || phone.has(Fault::TreeStale) {
        (whole, Some(NULL_ROOT))
    } else if phone.has(Fault::TreeSlow) {
        (SLOW_MILLIS, None)
    } else {
        (whole, None)
    };
    phone.clock.work(millis).await;
    phone.record(Received::Hierarchy);
    if phone.has(Fault::TreeKilled) {
        // By the low memory killer, or by whoever else wanted the one `UiAutomation`.
        return Ok(137);
    }
    if let Some(problem) = forced {
        call.err(problem).await?;
        return Ok(0);
    }
    let hierarchy = match phone.with(|android| android.hierarchy()) {
        Ok(hierarchy) => hierarchy,
        Err(NoHierarchy::NullRoot) => {
            call.err(NULL_ROOT).await?;
            return Ok(0);
        }
        Err(NoHierarchy::NeverIdle) => {
            phone.clock.work(IDLE_MILLIS.saturating_sub(whole)).await;
            call.err(NEVER_IDLE).await?;
            return Ok(0);
        }
    };
    let hierarchy = if phone.has(Fault::TreeUnlabelled) {
        unlabelled(&phone, &hierarchy)
    } else {
        hierarchy
    };
    if phone.has(Fault::TreeStackTrace) {
        call.err(TRACE).await?;
    }
    // A file that cannot be opened is only logged; the last line is the same.
    let forbidden = phone.has(Fault::TreeNeedsFile) && file.contains("/fd/");
    if !forbidden && let Ok(output) = call.open(&file, OpenMode::WRITE) {
        let _ = output.write(hierarchy.into()).await;
    }
    let shown = crate::files::absolute(&call.directory, &file);
    call.out(format!("UI hierchary dumped to: {shown}\n")).await?;
    Ok(0)
}

/// What is left of a screen that its app draws itself: a frame and a surface, as of a game.
pub(crate) fn unlabelled(phone: &Phone, hierarchy: &str) -> String {
    let attribute = |name: &str| {
        let (_, value) = hierarchy.split_once(&format!("{name}=\""))?;
        value.split('"').next()
    };
    let display = phone.with(|android| android.display());
    let (package, rotation) = (attribute("package").unwrap_or_default(), display.rotation);
    let node = |class: &str, more: &str, end: &str| {
        format!(
            "<node index=\"0\" text=\"\" resource-id=\"\" class=\"{class}\" package=\"{package}\" content-desc=\"\" \
             checkable=\"false\" checked=\"false\" clickable=\"false\" enabled=\"true\" focusable=\"{more}\" focused=\"{more}\" \
             scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" bounds=\"[0,0][{},{}]\"{end}>",
            display.width, display.height
        )
    };
    format!(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"{rotation}\">{}{}</node></hierarchy>",
        node("android.widget.FrameLayout", "false", ""),
        node("android.view.SurfaceView", "true", " /"),
    )
}
