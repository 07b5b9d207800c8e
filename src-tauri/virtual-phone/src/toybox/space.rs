//! `df`: how much room there is.

use super::options::options;
use crate::files::{FollowLinks, Mount};
use crate::process::{Call, ProgramResult};
use std::fmt::Write as _;

/// The partition of `/data`, in 1 K blocks, and what the system and its apps hold of it. Of a Pixel 8's 128 GB.
const DATA: u64 = 113_211_372;
const TAKEN: u64 = 35_614_496;

/// Size, used and available, in 1 K blocks.
fn blocks(call: &Call, mount: Mount) -> (u64, u64, u64) {
    match mount {
        Mount::Data | Mount::Storage => {
            let (held, full) = call.phone.files.held();
            let used = if full { DATA } else { TAKEN + held.div_ceil(1024) };
            (DATA, used, DATA.saturating_sub(used))
        }
        // What nobody writes to is as large as what it holds.
        Mount::System => (867_372, 864_740, 0),
        Mount::Devices => (3_794_248, 1_804, 3_792_444),
        Mount::Processes => (0, 0, 0),
    }
}

fn device(mount: Mount) -> (&'static str, &'static str) {
    match mount {
        Mount::System => ("/dev/block/dm-6", "/"),
        Mount::Devices => ("tmpfs", "/dev"),
        Mount::Processes => ("proc", "/proc"),
        Mount::Data => ("/dev/block/dm-47", "/data"),
        Mount::Storage => ("/dev/fuse", "/storage/emulated"),
    }
}

/// `df [-k] [-h] [FILE…]` (toybox `df.c`); without a file, what a shell may see.
pub(super) async fn df(call: Call) -> ProgramResult {
    let options = options!(call, "kh");
    let mut mounts = Vec::new();
    let mut code = 0;
    for file in &options.rest {
        match call.phone.files.mount(&call.path(file), FollowLinks::Yes) {
            Ok(mount) => mounts.push(mount),
            Err(errno) => {
                call.err(format!("df: {file}: {errno}\n")).await?;
                code = 1;
            }
        }
    }
    if options.rest.is_empty() {
        mounts.extend([Mount::System, Mount::Devices, Mount::Data, Mount::Storage]);
    }
    if mounts.is_empty() {
        return Ok(code);
    }
    let is_human = options.has('h');
    let shown = |blocks: u64| {
        if is_human {
            human(blocks * 1024)
        } else {
            blocks.to_string()
        }
    };
    let head = if is_human { "Size" } else { "1K-blocks" };
    let mut out = format!(
        "{:<18} {head:>10} {:>9} {:>9} Use% Mounted on\n",
        "Filesystem", "Used", "Available"
    );
    for mount in mounts {
        let (size, used, free) = blocks(&call, mount);
        let (name, place) = device(mount);
        let percent = if size == 0 {
            0
        } else {
            (used * 100).div_ceil(used + free)
        };
        let _ = writeln!(
            out,
            "{name:<18} {:>10} {:>9} {:>9} {percent:>3}% {place}",
            shown(size),
            shown(used),
            shown(free)
        );
    }
    call.out(out).await?;
    Ok(code)
}

/// `1.5K`, as toybox's `human_readable` writes it.
pub(super) fn human(size: u64) -> String {
    if size < 1024 {
        return size.to_string();
    }
    #[allow(clippy::cast_precision_loss, reason = "two digits are shown")]
    let mut value = size as f64 / 1024.0;
    let mut unit = 'K';
    for next in ['M', 'G', 'T'] {
        if value < 1000.0 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    if value < 10.0 {
        format!("{value:.1}{unit}")
    } else {
        format!("{value:.0}{unit}")
    }
}
