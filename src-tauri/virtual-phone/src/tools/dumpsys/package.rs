//! `dumpsys package PACKAGE` (`pm/Settings.java`: `dumpPackageLPr`), in short.

use crate::phone::Phone;
use crate::tools::name::{apk, code, hash, uid};
use crate::tools::package::{installed, version_code};

/// The sum of the certificate (`PackageSignatures.toString`; before Android 9 with one list and no word for it): what the
/// system brings has its maker's, every other app its own.
fn signatures(phone: &Phone, package: &str, system: bool) -> String {
    let signer = hash(if system { "platform" } else { package });
    let object = code(&format!("signatures {package}"));
    if phone.profile.sdk < 28 {
        return format!("PackageSignatures{{{object} [{signer:x}]}}");
    }
    format!("PackageSignatures{{{object} version:2, signatures:[{signer:x}], past signatures:[]}}")
}

pub(super) fn dump(phone: &Phone, words: &[&str]) -> String {
    let packages = installed(phone);
    let wanted: Vec<_> = packages
        .iter()
        .filter(|package| words.is_empty() || words.contains(&package.name.as_str()))
        .collect();
    if wanted.is_empty() {
        return format!(
            "Unable to find package: {}\n",
            words.first().copied().unwrap_or_default()
        );
    }
    let blocks: String = wanted
        .iter()
        .map(|package| {
            let path = apk(&package.name, package.system);
            let folder = path.rsplit_once('/').map_or(path.as_str(), |(folder, _)| folder);
            format!(
                "  Package [{}] ({}):\n    userId={}\n    pkg=Package{{{} {}}}\n    codePath={folder}\n    versionCode={} minSdk=26 \
                 targetSdk={}\n    versionName={}\n    apkSigningVersion=2\n    flags=[ {}HAS_CODE ALLOW_CLEAR_USER_DATA \
                 ]\n    signatures={}\n    User 0: ceDataInode=1 \
                 installed=true hidden=false suspended=false stopped=false notLaunched=false enabled=0\n",
                package.name,
                code(&package.name),
                uid(&package.name),
                code(&package.name),
                package.name,
                version_code(&package.version),
                phone.profile.sdk,
                package.version,
                if package.system { "SYSTEM " } else { "" },
                signatures(phone, &package.name, package.system),
            )
        })
        .collect();
    format!("Packages:\n{blocks}")
}
