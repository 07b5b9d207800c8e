//! What becomes of a frame's memory once nobody looks at it any more.

/// Has pictures' memory given back to the system as soon as it is freed; before the first thread, once.
///
/// A look at a phone takes some ten megabytes for a moment. glibc learns from the first that is freed to keep such blocks
/// for the next one, per thread and for good: sixteen phones nobody looked at any more held 330 MB. Blocks of a megabyte
/// and more are mapped by themselves instead (`M_MMAP_THRESHOLD`, mallopt(3), which also ends the learning). Other
/// systems' allocators do so anyway.
#[cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "no safe crate sets glibc's allocator")
)]
pub fn give_frames_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: mallopt takes two numbers and touches no memory of ours.
    if unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 20) } == 0 {
        tracing::warn!("the allocator keeps pictures' memory");
    }
}
