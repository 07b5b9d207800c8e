//! The same page on another day, and another page.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use replay::PageKey;

fn check(shown: (&str, &[&str]), same: bool) {
    let recorded = PageKey::of(
        "shop",
        ["shop:id/pay", "Pay $12.40", "Your cart", "Delivery 18:30"],
    );
    let shown = PageKey::of(shown.0, shown.1.iter().copied());
    assert_eq!(recorded.similarity(&shown) >= PageKey::SAME, same, "{shown:?}");
}

#[test]
fn a_page_is_known_by_what_does_not_change() {
    check(
        ("shop", &["Your cart", "Delivery 9:15", "Pay $99", "shop:id/pay"]),
        true,
    );
    check(
        ("other", &["Your cart", "Delivery 9:15", "Pay $99", "shop:id/pay"]),
        false,
    );
    check(("shop", &["Your cart", "Home"]), false);
    check(("shop", &[]), false);
}
