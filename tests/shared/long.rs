//! How long a run of tests is, by `POCKETDECK_LONG`.

/// So many cases, or as many times more as `POCKETDECK_LONG` says: what suits every run, and the millions of a long one.
#[allow(dead_code, reason = "not every test that includes this counts")]
pub(crate) fn times(usual: u32) -> u32 {
    let more = std::env::var("POCKETDECK_LONG")
        .ok()
        .and_then(|more| more.trim().parse().ok());
    usual.saturating_mul(more.unwrap_or(1).max(1))
}
