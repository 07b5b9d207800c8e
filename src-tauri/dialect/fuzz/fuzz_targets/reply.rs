//! Any bytes as a reply: read in three dialects, and judged as the property tests judge.

#![no_main]

#[path = "../../tests/properties/honest.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod honest;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let reply = String::from_utf8_lossy(bytes);
    honest::total_in_some(&reply);
});
