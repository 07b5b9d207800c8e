//! A computer's public key, as the phone's person is shown it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest as _, Md5};

/// The fingerprint of what `AUTH RSAPUBLICKEY` carries, `base64 user@host\0`; empty for what is no key
/// (`AdbDebuggingManager.java`: `getFingerprints`).
pub(super) fn fingerprint(payload: &[u8]) -> String {
    let text = String::from_utf8_lossy(payload);
    let first = text.split([' ', '\0']).next().unwrap_or_default();
    let Ok(key) = STANDARD.decode(first) else {
        return String::new();
    };
    let bytes: Vec<String> = Md5::digest(key)
        .iter()
        .map(|byte| format!("{byte:02X}"))
        .collect();
    bytes.join(":")
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn a_fingerprint_is_the_md5_of_the_key() {
        // printf 'a public key' | md5sum
        assert_eq!(
            fingerprint(b"YSBwdWJsaWMga2V5 anna@desk\0"),
            "58:0D:FA:35:2D:F4:BF:1F:F4:1F:01:90:13:71:FB:DE"
        );
        assert_eq!(fingerprint(b"no key\0"), "");
        assert_eq!(
            fingerprint(b""),
            "D4:1D:8C:D9:8F:00:B2:04:E9:80:09:98:EC:F8:42:7E"
        );
    }
}
