//! System properties (`getprop`): the names and forms a production build of Android 14 has; build numbers are invented.

use crate::android::Profile;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Name and value of every property.
#[derive(Debug)]
pub(crate) struct Properties {
    values: Mutex<BTreeMap<String, String>>,
    kernel: String,
}

/// `PROP_VALUE_MAX` (`bionic/libc/include/sys/system_properties.h`), its final NUL included.
const VALUE_MAX: usize = 92;

/// A property a shell may not set, or a value that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotSet {
    Denied,
    TooLong,
}

impl Properties {
    pub(crate) fn new(profile: &Profile, wall: Duration) -> Self {
        let brand = profile.manufacturer.to_lowercase();
        let (id, security) = match profile.sdk {
            ..=27 => ("OPR6.170623.013", "2017-10-05"),
            28 => ("PQ3A.190801.002", "2019-08-05"),
            29 => ("QP1A.191005.007", "2019-10-05"),
            30 => ("RQ3A.211001.001", "2021-10-01"),
            31..=32 => ("SQ3A.220705.004", "2022-07-05"),
            33 => ("TQ3A.230901.001", "2023-09-01"),
            34 => ("UP1A.231105.001", "2023-11-05"),
            35 => ("AP3A.241105.007", "2024-11-05"),
            _ => ("BP2A.250605.031", "2025-06-05"),
        };
        let device = &profile.device;
        let incremental = "10817346";
        let fingerprint = format!(
            "{brand}/{device}/{device}:{}/{id}/{incremental}:user/release-keys",
            profile.release
        );
        let mut values: BTreeMap<String, String> = FIXED
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
            .collect();
        let sdk = profile.sdk.to_string();
        let density = profile.density.to_string();
        let boot = wall.as_secs().to_string();
        for (name, value) in [
            ("ro.boot.serialno", profile.serial.as_str()),
            ("ro.serialno", &profile.serial),
            ("ro.product.brand", &brand),
            ("ro.product.device", device),
            ("ro.product.manufacturer", &profile.manufacturer),
            ("ro.product.model", &profile.model),
            ("ro.product.name", device),
            ("ro.product.board", device),
            ("ro.product.system.brand", &brand),
            ("ro.product.system.model", &profile.model),
            ("ro.product.vendor.model", &profile.model),
            ("ro.product.vendor.device", device),
            ("ro.hardware", device),
            ("ro.board.platform", device),
            ("ro.build.product", device),
            ("ro.build.id", id),
            ("ro.build.display.id", id),
            ("ro.build.fingerprint", &fingerprint),
            ("ro.bootimage.build.fingerprint", &fingerprint),
            ("ro.vendor.build.fingerprint", &fingerprint),
            (
                "ro.build.description",
                &format!(
                    "{device}-user {} {id} {incremental} release-keys",
                    profile.release
                ),
            ),
            ("ro.build.version.incremental", incremental),
            ("ro.build.version.release", &profile.release),
            ("ro.build.version.release_or_codename", &profile.release),
            ("ro.build.version.sdk", &sdk),
            ("ro.build.version.security_patch", security),
            ("ro.sf.lcd_density", &density),
            ("ro.runtime.firstboot", &boot),
        ] {
            values.insert(name.to_owned(), value.to_owned());
        }
        for (name, value) in makers_own(profile) {
            values.insert(name.to_owned(), value);
        }
        let kernel = "Linux version 5.10.177-android13-4-00003-g0d7e9c5d0a3b-ab10817346 (build-user@build-host) \
                      (Android clang version 14.0.7) #1 SMP PREEMPT Wed Sep 20 18:31:27 UTC 2023";
        Self {
            values: Mutex::new(values),
            kernel: kernel.to_owned(),
        }
    }

    fn values(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, name: &str) -> Option<String> {
        self.values().get(name).cloned()
    }

    /// All, sorted by name, as `getprop` lists them.
    pub(crate) fn all(&self) -> Vec<(String, String)> {
        self.values()
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// What a shell may set on a production build: `debug.*`, `log.*`, `persist.log.tag*`, `vendor.debug.*`.
    pub(crate) fn set(&self, name: &str, value: &str) -> Result<(), NotSet> {
        if value.len() >= VALUE_MAX && !name.starts_with("ro.") {
            return Err(NotSet::TooLong);
        }
        let allowed = ["debug.", "log.", "persist.log.tag", "vendor.debug."];
        if !allowed.iter().any(|prefix| name.starts_with(prefix)) {
            return Err(NotSet::Denied);
        }
        self.values().insert(name.to_owned(), value.to_owned());
        Ok(())
    }

    /// The kernel's own words (`/proc/version`).
    pub(crate) fn kernel(&self) -> &str {
        &self.kernel
    }

    /// `/system/build.prop`: the `ro.build.*` and `ro.product.*` values.
    pub(crate) fn build_prop(&self) -> String {
        let all = self.all();
        let lines = all
            .iter()
            .filter(|(name, _)| name.starts_with("ro.build.") || name.starts_with("ro.product."));
        lines.map(|(name, value)| format!("{name}={value}\n")).collect()
    }
}

/// What makers add: Samsung's after sample prop_01; MIUI's, EMUI's and Magic UI's names as their phones list them, values
/// after their versions.
fn makers_own(profile: &Profile) -> Vec<(&'static str, String)> {
    let android = match profile.sdk {
        ..=27 => 8,
        28..=31 => profile.sdk - 19,
        32 => 12,
        sdk => sdk - 20,
    };
    match profile.manufacturer.to_lowercase().as_str() {
        "samsung" => vec![
            (
                "ro.build.version.oneui",
                (10_000 * android.saturating_sub(8)).to_string(),
            ),
            ("ro.csc.sales_code", "TFV".to_owned()),
            ("ro.omc.multi_csc", "TFN".to_owned()),
            ("ro.csc.country_code", "USA".to_owned()),
        ],
        "xiaomi" => {
            let mut own = vec![("ro.miui.ui.version.name", "V140".to_owned())];
            if android >= 14 {
                own.push(("ro.mi.os.version.name", format!("OS{}.0", android - 13)));
            }
            own
        }
        "huawei" => vec![("ro.build.version.emui", "EmotionUI_12.0.0".to_owned())],
        "honor" => vec![
            ("ro.build.version.magic", "8.0".to_owned()),
            ("msc.config.magic.version", "MagicOS_8.0".to_owned()),
        ],
        _ => Vec::new(),
    }
}

const FIXED: [(&str, &str); 44] = [
    ("dalvik.vm.heapsize", "512m"),
    ("debug.force_rtl", "false"),
    ("dev.bootcomplete", "1"),
    ("gsm.operator.alpha", "Northnet"),
    ("gsm.sim.state", "LOADED"),
    ("init.svc.adbd", "running"),
    ("init.svc.bootanim", "stopped"),
    ("init.svc.servicemanager", "running"),
    ("init.svc.surfaceflinger", "running"),
    ("init.svc.zygote", "running"),
    ("persist.sys.locale", "en-GB"),
    ("persist.sys.timezone", "Etc/UTC"),
    ("persist.sys.usb.config", "adb"),
    ("ro.adb.secure", "1"),
    ("ro.allow.mock.location", "0"),
    ("ro.boot.bootreason", "reboot"),
    ("ro.boot.flash.locked", "1"),
    ("ro.boot.verifiedbootstate", "green"),
    ("ro.bootloader", "unknown"),
    ("ro.bootmode", "unknown"),
    ("ro.build.characteristics", "nosdcard"),
    ("ro.build.date", "Sun Nov  5 08:12:31 UTC 2023"),
    ("ro.build.date.utc", "1699171951"),
    ("ro.build.host", "build-host"),
    ("ro.build.tags", "release-keys"),
    ("ro.build.type", "user"),
    ("ro.build.user", "build-user"),
    ("ro.build.version.codename", "REL"),
    ("ro.build.version.preview_sdk", "0"),
    ("ro.carrier", "unknown"),
    ("ro.crypto.state", "encrypted"),
    ("ro.crypto.type", "file"),
    ("ro.debuggable", "0"),
    ("ro.product.cpu.abi", "arm64-v8a"),
    ("ro.product.cpu.abilist", "arm64-v8a,armeabi-v7a,armeabi"),
    ("ro.product.first_api_level", "31"),
    ("ro.product.locale", "en-GB"),
    ("ro.secure", "1"),
    ("ro.treble.enabled", "true"),
    ("ro.zygote", "zygote64_32"),
    ("service.adb.root", "0"),
    ("sys.boot_completed", "1"),
    ("sys.usb.config", "adb"),
    ("sys.usb.state", "adb"),
];
