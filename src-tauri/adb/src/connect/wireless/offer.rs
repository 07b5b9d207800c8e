//! The picture a phone's camera reads.

use crate::error::AdbError;
use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use std::fmt;

/// What the service's name begins with: phones look for nothing else, and Android Studio's is the one they were made
/// with.
const PREFIX: &str = "studio-";
const NAME: usize = 10;
const PASSWORD: usize = 12;
/// Letters and digits only: the text's own marks (`;`, `:`, `\`) never need an escape.
const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/// White around the code, in its squares; without, cameras miss it.
const QUIET: bool = true;
/// The picture's side at least, in its own units; it is drawn at any size.
const SIDE: u32 = 240;

/// An offer to pair, good for one phone: the name under which the phone will announce itself, and a password only the
/// camera sees.
pub struct Offer {
    service: String,
    password: SecretString,
}

impl fmt::Debug for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Offer({})", self.service)
    }
}

impl Offer {
    /// A new one, from the system's own randomness.
    ///
    /// # Errors
    /// When the system has none.
    pub fn new() -> Result<Self, AdbError> {
        let name = letters(NAME)?;
        Ok(Self {
            service: format!("{PREFIX}{}", *name),
            password: SecretString::from(letters(PASSWORD)?.as_str()),
        })
    }

    /// The name the phone will announce itself under.
    #[must_use]
    pub fn service(&self) -> &str {
        &self.service
    }

    pub(crate) fn password(&self) -> &SecretString {
        &self.password
    }

    /// What the picture says: `WIFI:T:ADB;S:<service>;P:<password>;;`.
    #[must_use]
    pub fn text(&self) -> Zeroizing<String> {
        Zeroizing::new(format!(
            "WIFI:T:ADB;S:{};P:{};;",
            self.service,
            self.password.expose_secret()
        ))
    }

    /// The picture, black on white.
    ///
    /// # Errors
    /// [`AdbError::Internal`]; the text always fits.
    pub fn svg(&self) -> Result<String, AdbError> {
        let code = QrCode::with_error_correction_level(self.text().as_bytes(), EcLevel::M)
            .map_err(|error| AdbError::Internal(format!("a QR code: {error}")))?;
        Ok(code
            .render::<svg::Color<'_>>()
            .quiet_zone(QUIET)
            .min_dimensions(SIDE, SIDE)
            .build())
    }
}

/// So many letters, each as likely as any other.
fn letters(count: usize) -> Result<Zeroizing<String>, AdbError> {
    let mut text = Zeroizing::new(String::with_capacity(count));
    let mut bytes = Zeroizing::new([0_u8; 64]);
    while text.len() < count {
        getrandom::fill(bytes.as_mut_slice()).map_err(|error| AdbError::Internal(error.to_string()))?;
        // 248 is the last multiple of 62 in a byte: beyond, the first letters would come oftener.
        let fair = bytes.iter().filter(|byte| **byte < 248);
        for byte in fair.take(count - text.len()) {
            text.push(char::from(LETTERS[usize::from(*byte) % LETTERS.len()]));
        }
    }
    Ok(text)
}
