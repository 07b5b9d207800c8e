//! A simulated Android phone that speaks the real ADB protocol.
//!
//! It is the demo, and every test's phone. It knows nothing of the product: the two meet only on the wire, as with a
//! real phone.

pub mod android;
