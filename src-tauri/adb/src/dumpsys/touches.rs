//! Whether a finger is on the glass, as the input dispatcher knows it (`InputDispatcher::dumpDispatchStateLocked`).

use super::{behind, value_of};

/// `dumpsys input`: whether any finger is down, a real one or one that was injected; nothing when it is not told.
#[must_use]
pub fn is_touched(text: &str) -> Option<bool> {
    // Behind the present state stands the one of the last app that did not answer.
    let (_, now) = text.split_once("Input Dispatcher State:")?;
    let now = now.split("Input Dispatcher State at time of last ANR").next()?;
    let mut lines = now.lines();
    while let Some(line) = lines.next() {
        if let Some(states) = behind(line, "TouchStates:") {
            return Some(!states.contains("<no displays touched>"));
        }
        if behind(line, "TouchStatesByDisplay:").is_some() {
            // Up to Android 12 a display that was touched may stay listed.
            let indent = |line: &str| line.len() - line.trim_start().len();
            let below = lines.take_while(|next| indent(next) > indent(line));
            let said: Vec<&str> = below.filter_map(|line| value_of(line, "down")).collect();
            return Some(said.is_empty() || said.contains(&"true"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::is_touched;

    #[test]
    fn a_finger_on_the_glass_is_told_by_every_version() {
        const HEAD: &str =
            "INPUT MANAGER (dumpsys input)\n\nInput Dispatcher State:\n  DispatchEnabled: true\n";
        for (states, expected) in [
            ("  TouchStates: <no displays touched>\n", Some(false)),
            (
                "  TouchStatesByDisplay:\n    0: down=true, split=true, deviceId=-1, source=0x00001002\n      Windows:\n        0: \
                 name='x', pointerIds=0x1\n",
                Some(true),
            ),
            (
                "  TouchStatesByDisplay:\n    0: down=false, split=false, deviceId=-1, source=0x00000000\n      Windows: <none>\n",
                Some(false),
            ),
            // Android 14: each window's own pointers.
            (
                "  TouchStatesByDisplay:\n    0 :   Windows:\n        0 : name='x', \
                 mDeviceStates={-1:touchingPointers=[Pointer(id=0, FINGER)]}\n  Display: 0\n    down=false\n",
                Some(true),
            ),
            (
                "  TouchStates: <no displays touched>\n\nInput Dispatcher State at time of last ANR:\n  TouchStatesByDisplay:\n    0: \
                 down=true\n",
                Some(false),
            ),
            ("", None),
        ] {
            assert_eq!(is_touched(&format!("{HEAD}{states}")), expected, "{states}");
        }
        assert_eq!(is_touched("dumpsys: not found"), None);
    }
}
