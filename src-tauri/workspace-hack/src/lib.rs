//! Nothing but features (as `cargo hakari` does it, which has given this crate its name). A dependency that the program needs with
//! some features and a build script or a macro with others is compiled twice; `Cargo.toml` here names both, so that each is
//! compiled once: 825 pieces of work instead of 910. Nothing depends on this crate: it counts where the whole workspace is built. That
//! none is compiled twice is a test of `xtask`.
