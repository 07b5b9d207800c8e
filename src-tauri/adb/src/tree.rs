//! The UI tree, as `uiautomator dump` gives it.
//!
//! It is written to a file of a name used once, printed and deleted in the same line: what is printed cannot be from
//! an earlier call. The second try writes to shared storage, for phones that forbid the first place. (`/dev/tty` would
//! spare the file but needs a terminal, and a command has none: its XML goes nowhere, with exit code 0.) Only one dump
//! at a time may run on a phone.

use crate::errand;
use crate::error::{AdbError, clip};
use crate::hands::mark;
use crate::leash;
use crate::line::Line;
use crate::server::Device;
use crate::shell::Output;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// How long one dump may take. `uiautomator` itself waits 10 s for a screen that never rests.
const LIMIT: Duration = Duration::from_secs(6);
/// Before the second try: a screen in transition has no root for a moment.
const AGAIN: Duration = Duration::from_millis(300);

/// Reads one tree.
///
/// # Errors
/// [`AdbError::Tree`] when the phone is well and gives none; else why it could not be asked.
pub(crate) async fn read(device: Device, turn: Arc<Mutex<()>>) -> Result<String, AdbError> {
    leash::apart(|given_up| async move {
        let _turn = tokio::select! {
            turn = turn.lock() => turn,
            () = given_up.cancelled() => return Err(AdbError::Slow("uiautomator dump".to_owned())),
        };
        match dump(&device, &given_up, "/data/local/tmp").await {
            Err(AdbError::Tree(why)) if !given_up.is_cancelled() && why != NEVER_IDLE => {
                tracing::debug!(why, "the tree is asked for again");
                sleep(AGAIN).await;
                dump(&device, &given_up, "/sdcard").await
            }
            first => first,
        }
    })
    .await
}

const NEVER_IDLE: &str = "the screen does not come to rest";

async fn dump(device: &Device, given_up: &CancellationToken, folder: &str) -> Result<String, AdbError> {
    let file = format!("{folder}/pocketdeck-{}.xml", mark());
    let line = format!("uiautomator dump {file}; cat {file}; rm -f {file}");
    match errand::run_unleashed(device, given_up, Line::plain(&line), LIMIT).await {
        Ok(output) => cut(&output),
        Err(AdbError::Slow(_)) => {
            // It was killed before it could clean up.
            let _ = device
                .look(&format!("rm -f {file}"), Duration::from_secs(1))
                .await;
            Err(AdbError::Tree(NEVER_IDLE.to_owned()))
        }
        Err(error) => Err(error),
    }
}

/// Cuts the XML out of what was printed; without any, says why there is none.
fn cut(output: &Output) -> Result<String, AdbError> {
    let text = output.text();
    if let Some(xml) = cut_text(&text) {
        return Ok(xml.to_owned());
    }
    let said = output.all();
    let why = if said.contains("could not get idle state") {
        NEVER_IDLE.to_owned()
    } else if said.contains("null root node") {
        "the window has no root now".to_owned()
    } else if said.contains("already registered") {
        "another program reads this phone's screen".to_owned()
    } else if said.contains("<hierarchy") {
        "it came cut off".to_owned()
    } else if output.exit == Some(137) || said.lines().any(|line| line.trim() == "Killed") {
        "the phone killed it".to_owned()
    } else {
        let first = said.lines().map(str::trim).find(|line| !line.is_empty());
        clip(first.unwrap_or("nothing was printed"))
    };
    Err(AdbError::Tree(why))
}

/// From `<?xml`, else from `<hierarchy`, to the last `</hierarchy>`. In front may stand a byte order mark, stack traces
/// and warnings; behind, the name of the file.
#[must_use]
pub fn cut_text(text: &str) -> Option<&str> {
    const END: &str = "</hierarchy>";
    let end = text.rfind(END)? + END.len();
    let root = text[..end].find("<hierarchy")?;
    let start = text[..root].rfind("<?xml").unwrap_or(root);
    Some(&text[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stdout: &str, stderr: &str, exit: u8, expected: Result<&str, &str>) {
        let output = Output {
            stdout: stdout.as_bytes().to_vec(),
            stderr: stderr.as_bytes().to_vec(),
            exit: Some(exit),
        };
        let read = cut(&output);
        let shown = read.as_deref().map_err(ToString::to_string);
        assert_eq!(shown, expected.map_err(|why| format!("no UI tree: {why}")));
    }

    #[test]
    fn the_tree_is_cut_out_of_whatever_stands_around_it() {
        let tree = "<?xml version='1.0'?><hierarchy rotation=\"0\"><node text=\"a\" /></hierarchy>";
        check(tree, "", 0, Ok(tree));
        check(
            &format!("\u{feff}{tree}UI hierchary dumped to: /dev/tty\n"),
            "",
            0,
            Ok(tree),
        );
        check(
            &format!("UI hierchary dumped to: /data/local/tmp/x.xml\r\n{tree}\r\n"),
            "",
            0,
            Ok(tree),
        );
        check(
            &format!("java.io.FileNotFoundException: x\n\tat a.b\n{tree}"),
            "",
            0,
            Ok(tree),
        );
        check(
            "<hierarchy rotation=\"0\"><node /></hierarchy>",
            "",
            0,
            Ok("<hierarchy rotation=\"0\"><node /></hierarchy>"),
        );
        check(
            &tree.replace("><", ">\r\n<"),
            "",
            0,
            Ok(&tree.replace("><", ">\n<")),
        );
    }

    #[test]
    fn why_there_is_no_tree_is_told() {
        check("", "ERROR: could not get idle state.", 0, Err(NEVER_IDLE));
        check(
            "",
            include_str!("../tests/data/ui_07_null_root.txt"),
            0,
            Err("the window has no root now"),
        );
        check(
            include_str!("../tests/data/ui_04_miui_error.txt"),
            "",
            0,
            Err(
                "java.io.FileNotFoundException: /data/system/theme_config/theme_compatibility.xml: open failed: ENOENT \
                 (No such file or directory)",
            ),
        );
        check(
            "<?xml version='1.0'?><hierarchy><node",
            "",
            0,
            Err("it came cut off"),
        );
        check("", "Killed", 0, Err("the phone killed it"));
        check("", "", 137, Err("the phone killed it"));
        check(
            "",
            "java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.X already registered!",
            1,
            Err("another program reads this phone's screen"),
        );
        check("", "", 0, Err("nothing was printed"));
    }
}
