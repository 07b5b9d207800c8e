//! `app_process`: a virtual machine that runs one class (`frameworks/base/cmds/app_process/app_main.cpp`). Two are known here.

use crate::process::{Call, Ended};
use crate::{reader, scrcpy};

/// `CLASSPATH=… app_process DIRECTORY CLASS [ARGUMENT…]`.
pub(super) async fn main(call: Call) -> Ended {
    let mut words = call.arguments().iter().filter(|word| !word.starts_with('-'));
    if words.nth(1).is_some_and(|class| class == reader::CLASS) {
        reader::main(call).await
    } else {
        scrcpy::main(call).await
    }
}
