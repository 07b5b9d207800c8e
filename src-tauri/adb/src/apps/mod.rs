//! The apps that can be opened.
//!
//! Android tells the names under the icons to nobody over a shell: they are in the apps' own resources. What is called
//! a label here is a known name for common apps, else derived from the package: good enough to recognise an app by,
//! not what stands on the home screen in the person's language.

pub(crate) mod icon;
pub(crate) mod launch;

use crate::connect::server::Device;
use crate::dumpsys::{properties, signers};
use crate::error::AdbError;
use agent::plan::FILLERS;
use agent::ports::App;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(15);

/// Everything with an icon; on phones that cannot be asked so (Android 6 and older), everything that is installed.
///
/// # Errors
/// When the phone cannot be asked.
pub(crate) async fn list(device: &Device) -> Result<Vec<App>, AdbError> {
    let line = "cmd package query-activities --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER";
    let asked = device.look(line, LIMIT).await?;
    let mut packages = properties::launchable(&asked.text());
    if packages.is_empty() {
        let asked = device.look("pm list packages", LIMIT).await?;
        packages = properties::packages(&asked.text());
        if packages.is_empty() && asked.failed() {
            return Err(AdbError::Refused(crate::error::clip(asked.all().trim())));
        }
    }
    let mut apps: Vec<App> = packages
        .into_iter()
        .map(|package| App {
            label: label(&package),
            package,
        })
        .collect();
    apps.sort_by(|a, b| (a.label.to_lowercase(), &a.package).cmp(&(b.label.to_lowercase(), &b.package)));
    Ok(apps)
}

/// An app's version, as far as the phone tells.
///
/// # Errors
/// When the phone cannot be asked.
pub(crate) async fn version(device: &Device, package: &str) -> Result<String, AdbError> {
    if !properties::is_package(package) {
        return Ok(String::new());
    }
    let asked = device.look(&format!("dumpsys package {package}"), LIMIT).await?;
    Ok(signers::version(&asked.text(), package))
}

/// Who signed an app, as far as the phone tells.
///
/// # Errors
/// When the phone cannot be asked.
pub(crate) async fn signers(device: &Device, package: &str) -> Result<Vec<String>, AdbError> {
    if !properties::is_package(package) {
        return Ok(Vec::new());
    }
    let asked = device.look(&format!("dumpsys package {package}"), LIMIT).await?;
    Ok(signers::read(&asked.text(), package))
}

/// Names as their makers write them.
const KNOWN: &[(&str, &str)] = &[
    ("com.alibaba.android.rimet", "DingTalk"),
    ("com.android.calculator2", "Calculator"),
    ("com.android.calendar", "Calendar"),
    ("com.android.camera", "Camera"),
    ("com.android.camera2", "Camera"),
    ("com.android.chrome", "Chrome"),
    ("com.android.contacts", "Contacts"),
    ("com.android.deskclock", "Clock"),
    ("com.android.dialer", "Phone"),
    ("com.android.documentsui", "Files"),
    ("com.android.email", "Email"),
    ("com.android.fileexplorer", "File Manager"),
    ("com.android.gallery3d", "Gallery"),
    ("com.android.messaging", "Messages"),
    ("com.android.mms", "Messages"),
    ("com.android.settings", "Settings"),
    ("com.android.vending", "Play Store"),
    ("com.autonavi.minimap", "Amap"),
    ("com.baidu.BaiduMap", "Baidu Maps"),
    ("com.bbk.appstore", "App Store"),
    ("com.eg.android.AlipayGphone", "Alipay"),
    ("com.facebook.katana", "Facebook"),
    ("com.facebook.orca", "Messenger"),
    ("com.google.android.apps.docs", "Drive"),
    ("com.google.android.apps.maps", "Maps"),
    ("com.google.android.apps.messaging", "Messages"),
    ("com.google.android.apps.nbu.files", "Files"),
    ("com.google.android.apps.photos", "Photos"),
    ("com.google.android.apps.tachyon", "Meet"),
    ("com.google.android.apps.walletnfcrel", "Wallet"),
    ("com.google.android.apps.youtube.music", "YouTube Music"),
    ("com.google.android.calculator", "Calculator"),
    ("com.google.android.calendar", "Calendar"),
    ("com.google.android.contacts", "Contacts"),
    ("com.google.android.deskclock", "Clock"),
    ("com.google.android.dialer", "Phone"),
    ("com.google.android.documentsui", "Files"),
    ("com.google.android.gm", "Gmail"),
    ("com.google.android.GoogleCamera", "Camera"),
    ("com.google.android.googlequicksearchbox", "Google"),
    ("com.google.android.keep", "Keep"),
    ("com.google.android.youtube", "YouTube"),
    ("com.heytap.market", "App Market"),
    ("com.huawei.appmarket", "App Market"),
    ("com.instagram.android", "Instagram"),
    ("com.jingdong.app.mall", "JD"),
    ("com.linkedin.android", "LinkedIn"),
    ("com.mi.android.globalFileexplorer", "File Manager"),
    ("com.miui.weather2", "Weather"),
    ("com.netease.cloudmusic", "NetEase Music"),
    ("com.netflix.mediaclient", "Netflix"),
    ("com.oppo.market", "App Market"),
    ("com.paypal.android.p2pmobile", "PayPal"),
    ("com.samsung.android.app.contacts", "Contacts"),
    ("com.samsung.android.app.notes", "Samsung Notes"),
    ("com.samsung.android.calendar", "Calendar"),
    ("com.samsung.android.dialer", "Phone"),
    ("com.samsung.android.messaging", "Messages"),
    ("com.sankuai.meituan", "Meituan"),
    ("com.sdu.didi.psnger", "DiDi"),
    ("com.sec.android.app.camera", "Camera"),
    ("com.sec.android.app.clockpackage", "Clock"),
    ("com.sec.android.app.myfiles", "My Files"),
    ("com.sec.android.app.popupcalculator", "Calculator"),
    ("com.sec.android.app.sbrowser", "Samsung Internet"),
    ("com.sec.android.gallery3d", "Gallery"),
    ("com.sina.weibo", "Weibo"),
    ("com.spotify.music", "Spotify"),
    ("com.ss.android.ugc.aweme", "Douyin"),
    ("com.taobao.taobao", "Taobao"),
    ("com.tencent.mm", "WeChat"),
    ("com.tencent.mobileqq", "QQ"),
    ("com.tencent.wework", "WeCom"),
    ("com.twitter.android", "X"),
    ("com.ubercab", "Uber"),
    ("com.whatsapp", "WhatsApp"),
    ("com.whatsapp.w4b", "WhatsApp Business"),
    ("com.xiaomi.market", "App Store"),
    ("com.xingin.xhs", "Xiaohongshu"),
    ("com.zhiliaoapp.musically", "TikTok"),
    ("org.mozilla.firefox", "Firefox"),
    ("org.telegram.messenger", "Telegram"),
    ("org.thoughtcrime.securesms", "Signal"),
    ("tv.danmaku.bili", "Bilibili"),
    ("us.zoom.videomeetings", "Zoom"),
];

/// A name for an app, from its package.
#[must_use]
pub fn label(package: &str) -> String {
    if let Ok(at) = KNOWN.binary_search_by_key(&package.to_ascii_lowercase(), |(known, _)| {
        known.to_ascii_lowercase()
    }) {
        return KNOWN[at].1.to_owned();
    }
    let parts: Vec<&str> = package.split('.').filter(|part| !part.is_empty()).collect();
    // The first part is a country or a kind of organisation; where nothing else is left, it must do.
    let named = parts
        .iter()
        .skip(1)
        .rfind(|part| !FILLERS.contains(&part.to_ascii_lowercase().as_str()))
        .or(parts.last())
        .copied()
        .unwrap_or(package);
    let label = words(named);
    if label.is_empty() {
        package.to_owned()
    } else {
        label
    }
}

/// `GoogleCamera` and `google_camera` as *Google Camera*.
fn words(part: &str) -> String {
    let mut label = String::new();
    let mut before = ' ';
    for c in part.chars() {
        let c = if c == '_' || c == '-' { ' ' } else { c };
        if c.is_uppercase() && before.is_lowercase() {
            label.push(' ');
            before = ' ';
        }
        if c == ' ' && before == ' ' {
            continue;
        }
        if before == ' ' {
            label.extend(c.to_uppercase());
        } else {
            label.push(c);
        }
        before = c;
    }
    label.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_readable() {
        for (package, expected) in [
            ("com.android.settings", "Settings"),
            ("com.google.android.GoogleCamera", "Camera"),
            ("com.whatsapp", "WhatsApp"),
            ("com.tencent.mm", "WeChat"),
            ("com.eg.android.AlipayGphone", "Alipay"),
            ("com.greenleaf.shop", "Greenleaf"),
            ("com.northbank.mobile", "Northbank"),
            ("com.example.greenleaf", "Greenleaf"),
            ("com.northbank.android", "Northbank"),
            ("com.bilibili.app.in", "Bilibili"),
            ("org.example.my_notes", "My Notes"),
            ("com.acme.BarcodeReader", "Barcode Reader"),
            ("com.android", "Android"),
            ("android", "Android"),
            ("foo", "Foo"),
            ("com.app", "App"),
            ("...", "..."),
        ] {
            assert_eq!(label(package), expected, "{package}");
        }
    }

    #[test]
    fn the_known_names_are_in_order() {
        let keys: Vec<String> = KNOWN
            .iter()
            .map(|(package, _)| package.to_ascii_lowercase())
            .collect();
        assert!(keys.is_sorted());
    }
}
