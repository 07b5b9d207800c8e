//! What `deck phone` is when nothing else is said, and the end of its help.

use virtual_phone::Fault;

/// What every build of `deck phone` is.
pub(crate) const PIXEL: &str = "pixel";
/// Its Android.
pub(crate) const ANDROID: u32 = 14;

/// Every fault by name, and the words it hears: the end of its help.
pub(crate) fn help() -> String {
    if !virtual_phone::TEST_SUPPORT {
        return "This deck has the demo's phone. --fault, --port, --brand and --android are for tests and need the feature \
                virtual-phone/test-support.\n\nWords on standard input, one a line: state (what its apps hold), unplug, \
                replug, down and up (the adb server)."
            .to_owned();
    }
    let mut text = String::from("Faults:\n");
    for (name, what) in Fault::list() {
        text.push_str(&format!("  {name:<22} {what}\n"));
    }
    text.push_str(
        "\nWords on standard input, one a line: state (what its apps hold), record (all that reached it), fault NAME, \
         clear NAME, unplug, replug, down and up (the adb server), pair CODE ADDRESS (its pairing page is open), attach SERIAL \
         (the same phone over the network too).",
    );
    text
}
