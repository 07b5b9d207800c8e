//! `app_process`: a virtual machine that runs one class (`frameworks/base/cmds/app_process/app_main.cpp`). The reader that stays is
//! known here, and with test support scrcpy's server.

use crate::process::{Call, ProgramResult};
use crate::reader;

/// `CLASSPATH=… app_process DIRECTORY CLASS [ARGUMENT…]`.
pub(super) async fn main(call: Call) -> ProgramResult {
    let mut words = call.arguments().iter().filter(|word| !word.starts_with('-'));
    if words.nth(1).is_some_and(|class| class == reader::CLASS) {
        return reader::main(call).await;
    }
    other(call).await
}

#[cfg(feature = "test-support")]
async fn other(call: Call) -> ProgramResult {
    crate::scrcpy::main(call).await
}

#[cfg(not(feature = "test-support"))]
async fn other(call: Call) -> ProgramResult {
    call.err("Error: could not find class\n".to_owned()).await?;
    Ok(1)
}
