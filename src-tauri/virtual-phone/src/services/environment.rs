//! What a command over adb finds in its environment (init's exports and `daemon/shell_service.cpp`).

use crate::phone::Phone;
use crate::process::Environment;
use crate::shell::exec::DEFAULT_PATH;

/// The exported variables of a new shell.
pub(crate) fn environment(phone: &Phone, term: &str) -> Environment {
    [
        ("ANDROID_ART_ROOT", "/apex/com.android.art"),
        ("ANDROID_ASSETS", "/system/app"),
        ("ANDROID_BOOTLOGO", "1"),
        ("ANDROID_DATA", "/data"),
        ("ANDROID_I18N_ROOT", "/apex/com.android.i18n"),
        ("ANDROID_ROOT", "/system"),
        ("ANDROID_SOCKET_adbd", "20"),
        ("ANDROID_STORAGE", "/storage"),
        ("ANDROID_TZDATA_ROOT", "/apex/com.android.tzdata"),
        ("ASEC_MOUNTPOINT", "/mnt/asec"),
        ("DOWNLOAD_CACHE", "/data/cache"),
        ("EXTERNAL_STORAGE", "/sdcard"),
        ("HOME", "/"),
        ("HOSTNAME", phone.profile.device.as_str()),
        ("LOGNAME", "shell"),
        ("PATH", DEFAULT_PATH),
        ("SHELL", "/bin/sh"),
        ("TERM", term),
        ("TMPDIR", "/data/local/tmp"),
        ("USER", "shell"),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .collect()
}
