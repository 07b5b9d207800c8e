//! A package has dependencies of build scripts where it has one.

fn main() {}
