//! The processes a phone always has.

/// The daemon itself, parent of every service's shell.
pub(crate) const ADBD: u32 = 1874;

/// What `ps` shows besides commands: pid, parent, user, name. Invented, in the order a phone starts them.
pub(crate) const SYSTEM: [(u32, u32, &str, &str); 14] = [
    (1, 0, "root", "init"),
    (2, 0, "root", "[kthreadd]"),
    (231, 1, "logd", "logd"),
    (232, 1, "lmkd", "lmkd"),
    (233, 1, "system", "servicemanager"),
    (402, 1, "root", "netd"),
    (405, 1, "root", "zygote64"),
    (489, 1, "system", "surfaceflinger"),
    (1320, 405, "system", "system_server"),
    (1702, 405, "u0_a152", "com.android.systemui"),
    (ADBD, 1, "shell", "adbd"),
    (1911, 405, "radio", "com.android.phone"),
    (2044, 405, "u0_a101", "com.android.inputmethod.latin"),
    (2230, 405, "u0_a120", "com.android.providers.media.module"),
];

pub(super) fn is_system(pid: i64) -> bool {
    SYSTEM.iter().any(|(known, ..)| i64::from(*known) == pid)
}
