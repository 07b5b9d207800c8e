//! `dumpsys package PACKAGE` (`pm/Settings.java`: `dumpPackageLPr`), in short.

use crate::phone::Phone;
use crate::tools::name::{apk, code, uid};
use crate::tools::package::version_code;

pub(super) fn dump(phone: &Phone, words: &[&str]) -> String {
    let packages = phone.with(|android| android.packages());
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
                 targetSdk={}\n    versionName={}\n    flags=[ {}HAS_CODE ALLOW_CLEAR_USER_DATA ]\n    User 0: ceDataInode=1 \
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
            )
        })
        .collect();
    format!("Packages:\n{blocks}")
}
