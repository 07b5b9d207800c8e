//! What a phone's complaint means. Exit codes alone do not tell: `input` of many versions fails with 0.

use crate::connect::shell::Output;
use crate::error::{AdbError, clip};

/// Whether `input` did what it was told.
///
/// # Errors
/// What it complained of.
pub(crate) fn input(output: &Output) -> Result<(), AdbError> {
    let said = output.all();
    if said.contains("INJECT_EVENTS") {
        return Err(AdbError::TouchForbidden(complaint(&said)));
    }
    if said.contains("Unknown command") || output.is_not_found() {
        return Err(AdbError::NotSupported(complaint(&said)));
    }
    // The key map gives no events for the text: some versions say so, some fall over it.
    if said.contains("NullPointerException") && said.contains("null array") {
        return Err(AdbError::CannotType);
    }
    let complains = |line: &str| {
        line.starts_with("Error")
            || line.starts_with("Exception occurred")
            || line.contains("Can't find service")
            || line.contains("java.lang.")
            || line == "Killed"
    };
    if output.failed() || said.lines().any(|line| complains(line.trim())) {
        return Err(AdbError::Refused(complaint_of(output, &said)));
    }
    Ok(())
}

/// Whether an action of `input motionevent` is one this phone does not know (`CANCEL` before Android 11).
pub(crate) fn is_unknown_action(error: &AdbError) -> bool {
    let AdbError::Refused(said) = error else {
        return false;
    };
    said.contains("Unknown motionevent") || said.contains("Unknown action")
}

/// Whether `am start` started something. That it was there already is fine.
///
/// # Errors
/// What it complained of.
pub(crate) fn am_start(output: &Output) -> Result<(), AdbError> {
    let said = output.all();
    let complains = |line: &str| {
        line.starts_with("Error")
            || line.contains("Exception")
            || line.contains("Permission Denial")
            || line.contains("Can't find service")
            || line.contains("unable to resolve Intent")
    };
    if output.failed() || output.is_not_found() || said.lines().any(|line| complains(line.trim())) {
        return Err(AdbError::Refused(complaint_of(output, &said)));
    }
    Ok(())
}

/// The line that says what is wrong, for a person who copies the details.
fn complaint(said: &str) -> String {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let told =
        lines().find(|line| line.contains("Exception:") || line.contains("Error") || line.contains("Denial"));
    clip(told.or_else(|| lines().next()).unwrap_or(""))
}

fn complaint_of(output: &Output, said: &str) -> String {
    match (complaint(said), output.exit) {
        (text, Some(code)) if text.is_empty() => format!("exit {code}"),
        (text, _) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(judge: fn(&Output) -> Result<(), AdbError>, exit: Option<u8>, stderr: &str, expected: &str) {
        let output = Output {
            stderr: stderr.as_bytes().to_vec(),
            exit,
            ..Output::default()
        };
        let shown = match judge(&output) {
            Ok(()) => "done".to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(shown, expected, "{exit:?} {stderr:?}");
    }

    #[test]
    fn input_is_judged_by_its_words() {
        check(input, Some(0), "", "done");
        check(input, None, "", "done");
        check(
            input,
            Some(0),
            "WARNING: linker: libfoo has text relocations",
            "done",
        );
        check(
            input,
            Some(255),
            "\nException occurred while executing 'tap':\njava.lang.SecurityException: Injecting input events requires \
             the caller (or the source of the instrumentation, if any) to have the INJECT_EVENTS permission.",
            "touches from outside are forbidden: java.lang.SecurityException: Injecting input events requires the caller \
             (or the source of the instrumentation, if any) to have the INJECT_EVENTS permission.",
        );
        check(
            input,
            Some(0),
            "Unknown command: keycombination",
            "not possible here: Unknown command: keycombination",
        );
        check(
            input,
            Some(1),
            "Error: Unknown command: motionevent",
            "not possible here: Error: Unknown command: motionevent",
        );
        check(
            input,
            Some(127),
            "sh: input: not found",
            "not possible here: sh: input: not found",
        );
        check(
            input,
            Some(0),
            "Error: Invalid arguments for command: tap",
            "refused: Error: Invalid arguments for command: tap",
        );
        check(
            input,
            Some(20),
            "cmd: Can't find service: input",
            "refused: cmd: Can't find service: input",
        );
        check(input, Some(137), "", "refused: exit 137");
        check(
            input,
            Some(255),
            include_str!("../../tests/data/input_01_npe_hebrew.txt"),
            "the phone's keyboard has no such characters",
        );
    }

    #[test]
    fn a_start_is_judged_by_its_words() {
        check(am_start, Some(0), "", "done");
        check(
            am_start,
            Some(0),
            "Warning: Activity not started, its current task has been brought to the front",
            "done",
        );
        check(
            am_start,
            Some(0),
            "Error type 3\nError: Activity class {com.a/com.a.B} does not exist.",
            "refused: Error type 3",
        );
        check(
            am_start,
            Some(0),
            "Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW dat=x: flg=0x10000000 }",
            "refused: Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW dat=x: \
             flg=0x10000000 }",
        );
        check(
            am_start,
            Some(255),
            "java.lang.SecurityException: Permission Denial: starting Intent { cmp=com.a/.B } not exported from uid 10100",
            "refused: java.lang.SecurityException: Permission Denial: starting Intent { cmp=com.a/.B } not exported from \
             uid 10100",
        );
    }
}
