//! Words nobody else uses, and what stands before one.

use crate::connect::shell::Output;

/// Sixteen hexadecimal digits: in the names of files on a phone, and for finding what a line started.
pub(crate) fn nonce() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // Every `RandomState` is keyed anew by the system's randomness.
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// What a line said, once its exit code stands behind it, and a word of ours between the two.
pub(crate) fn answer(said: &[u8], mark: &str) -> Option<Output> {
    let at = said
        .windows(mark.len())
        .rposition(|part| part == mark.as_bytes())?;
    let code = said.get(at + mark.len()..)?;
    let code = code.get(..code.iter().position(|byte| *byte == b'\n')?)?;
    Some(Output {
        stdout: said.get(..at)?.to_vec(),
        stderr: Vec::new(),
        exit: std::str::from_utf8(code).ok()?.trim().parse().ok(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonces_differ() {
        assert_ne!(nonce(), nonce());
        assert_eq!(nonce().len(), 16);
    }

    #[test]
    fn a_line_is_over_when_its_code_stands_there() {
        let check = |said: &str, expected: Option<(&str, Option<u8>)>| {
            let output = answer(said.as_bytes(), "pocketdeck-said-7:");
            let told = output.map(|output| (output.text(), output.exit));
            assert_eq!(
                told,
                expected.map(|(text, exit)| (text.to_owned(), exit)),
                "{said:?}"
            );
        };
        check("", None);
        check("pocketdeck-said-6:0\n", None);
        check("pocketdeck-said-7:", None);
        check("pocketdeck-said-7:0", None);
        check("pocketdeck-said-7:0\n", Some(("", Some(0))));
        check(
            "Error: no\r\npocketdeck-said-7:255\r\n",
            Some(("Error: no\n", Some(255))),
        );
    }
}
