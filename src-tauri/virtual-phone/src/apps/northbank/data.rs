//! What the bank knows.

use crate::system::{SeededRng, SystemOptions};
use serde_json::{Value, json};

pub(super) const USER: &str = "anna";
pub(super) const PASSWORD: &str = "harbour-9";
/// Wrong codes before a new one is sent.
const TRIES: u32 = 3;

/// Money sent to somebody.
#[derive(Clone, Debug)]
pub(super) struct Transfer {
    pub(super) to: String,
    /// Cents.
    pub(super) amount: u64,
    pub(super) note: String,
}

/// What the bank knows.
#[derive(Clone)]
pub(crate) struct Data {
    pub(super) signed_in: bool,
    pub(super) remembered: bool,
    pub(super) transfers: Vec<Transfer>,
    failed_passwords: u32,
    failed_codes: u32,
    codes_sent: u32,
    tries: u32,
    /// The code that opens the bank now.
    code: Option<u64>,
}

impl std::fmt::Debug for Data {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Data")
            .field("signed_in", &self.signed_in)
            .finish_non_exhaustive()
    }
}

/// What came of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checked {
    Right,
    Wrong,
    /// Too often: a new one is needed.
    Spent,
}

impl Data {
    pub(crate) fn new(options: &SystemOptions) -> Self {
        Self {
            signed_in: false,
            remembered: options.northbank_remembered,
            transfers: Vec::new(),
            failed_passwords: 0,
            failed_codes: 0,
            codes_sent: 0,
            tries: 0,
            code: None,
        }
    }

    /// True when user name and password are right; then a code is needed.
    pub(super) fn check_password(&mut self, user: &str, password: &str) -> bool {
        let right = user.trim().eq_ignore_ascii_case(USER) && password == PASSWORD;
        if right {
            self.ask_for_code();
        } else {
            self.failed_passwords += 1;
        }
        right
    }

    pub(super) fn ask_for_code(&mut self) {
        self.signed_in = false;
        self.code = None;
    }

    /// A new code; the one before opens nothing any more.
    pub(super) fn make_code(&mut self, rng: &mut SeededRng) -> u64 {
        let code = rng.digits(6);
        self.code = Some(code);
        self.codes_sent += 1;
        self.tries = 0;
        code
    }

    pub(super) fn check_code(&mut self, written: &str) -> Checked {
        if self.code.is_some_and(|code| written == code.to_string()) {
            self.code = None;
            self.signed_in = true;
            return Checked::Right;
        }
        self.failed_codes += 1;
        self.tries += 1;
        if self.tries >= TRIES {
            Checked::Spent
        } else {
            Checked::Wrong
        }
    }

    /// Cents in the account.
    pub(super) fn balance(&self) -> u64 {
        let sent: u64 = self.transfers.iter().map(|transfer| transfer.amount).sum();
        241_860u64.saturating_sub(sent)
    }

    pub(crate) fn tell_state(&self) -> Value {
        let transfers: Vec<Value> = self
            .transfers
            .iter()
            .map(|transfer| json!({"to": transfer.to, "amount": transfer.amount, "note": transfer.note}))
            .collect();
        json!({
            "signedIn": self.signed_in,
            "failedPasswords": self.failed_passwords,
            "codesSent": self.codes_sent,
            "failedCodes": self.failed_codes,
            "balance": self.balance(),
            "transfers": transfers,
        })
    }
}

/// Cents with thousands apart: `$2,418.60`.
pub(super) fn dollars(cents: u64) -> String {
    let whole = (cents / 100).to_string();
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("${grouped}.{:02}", cents % 100)
}
