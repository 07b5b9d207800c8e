//! Apps by the names they are called by.
//!
//! Android tells the names under the icons to nobody over a shell: an app's label is known, or made of its package, in
//! English. A person, and a model that sees the picture, read the name in the phone's own language: common apps are known
//! by their Chinese names, too.

use crate::ports::App;

/// Parts of packages that name no app.
pub const FILLERS: &[&str] = &[
    "android",
    "app",
    "application",
    "apps",
    "banking",
    "beta",
    "client",
    "consumer",
    "customer",
    "debug",
    "free",
    "global",
    "google",
    "in",
    "intl",
    "lite",
    "main",
    "mobile",
    "official",
    "phone",
    "portal",
    "pro",
    "prod",
    "release",
    "retail",
    "shop",
    "shopping",
    "store",
    "ui",
    "v2",
    "www",
];

/// Chinese names, and the labels, in lower case, of the apps that may stand behind them: makers have apps of their own.
const CHINESE: &[(&str, &[&str])] = &[
    ("设置", &["settings"]),
    ("相机", &["camera"]),
    ("照相机", &["camera"]),
    ("电话", &["phone"]),
    ("拨号", &["phone"]),
    ("信息", &["messages"]),
    ("短信", &["messages"]),
    ("通讯录", &["contacts"]),
    ("联系人", &["contacts"]),
    ("浏览器", &["browser", "samsung internet"]),
    ("日历", &["calendar"]),
    ("时钟", &["clock"]),
    ("闹钟", &["clock"]),
    ("图库", &["gallery"]),
    ("相册", &["gallery", "photos"]),
    ("照片", &["photos"]),
    ("计算器", &["calculator"]),
    ("文件管理", &["files", "my files", "file manager"]),
    ("文件", &["files", "my files"]),
    ("备忘录", &["notes", "samsung notes"]),
    ("邮件", &["email"]),
    ("地图", &["maps"]),
    ("音乐", &["music"]),
    ("天气", &["weather"]),
    ("应用商店", &["app store", "app market"]),
    ("应用市场", &["app store", "app market"]),
    ("微信", &["wechat"]),
    ("支付宝", &["alipay"]),
    ("淘宝", &["taobao"]),
    ("京东", &["jd"]),
    ("美团", &["meituan"]),
    ("抖音", &["douyin"]),
    ("小红书", &["xiaohongshu"]),
    ("哔哩哔哩", &["bilibili"]),
    ("微博", &["weibo"]),
    ("高德地图", &["amap"]),
    ("百度地图", &["baidu maps"]),
    ("滴滴出行", &["didi"]),
    ("网易云音乐", &["netease music"]),
];

/// Whether an app has this name, in any case: its label, or its Chinese name where it is a common one.
pub(super) fn is_called(app: &App, name: &str) -> bool {
    let label = app.label.to_lowercase();
    let chinese = CHINESE.iter().find(|(chinese, _)| *chinese == name);
    label == name.to_lowercase() || chinese.is_some_and(|(_, labels)| labels.contains(&label.as_str()))
}

/// Whether a name means the app of this package: the package itself, a name it is known by, or the part of it that names it
/// (`android` names nobody: half of all packages end so).
pub(super) fn means(name: &str, package: &str, apps: &[App]) -> bool {
    let parts = package.split_once('.').map_or(package, |(_, parts)| parts);
    let own = parts
        .rsplit('.')
        .find(|part| !FILLERS.contains(&part.to_ascii_lowercase().as_str()));
    package.eq_ignore_ascii_case(name)
        || own.is_some_and(|own| own.eq_ignore_ascii_case(name))
        || apps
            .iter()
            .any(|app| app.package == package && is_called(app, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_app_in_front_is_known_by_its_names() {
        let apps = [
            ("com.google.android.gm", "Gmail"),
            ("com.instagram.android", "Instagram"),
            ("com.android.settings", "Settings"),
            ("com.tencent.mm", "WeChat"),
        ]
        .map(|(package, label)| App {
            package: package.to_owned(),
            label: label.to_owned(),
        });
        for (name, package, expected) in [
            ("com.google.android.gm", "com.google.android.gm", true),
            ("Gmail", "com.google.android.gm", true),
            ("gmail", "com.google.android.gm", true),
            ("gm", "com.google.android.gm", true),
            ("Instagram", "com.google.android.gm", false),
            ("instagram", "com.instagram.android", true),
            ("android", "com.instagram.android", false),
            ("android", "com.google.android.gm", false),
            ("com", "com.instagram.android", false),
            ("Settings", "com.android.settings", true),
            ("设置", "com.android.settings", true),
            ("设置", "com.tencent.mm", false),
            ("微信", "com.tencent.mm", true),
            // Not among the apps that can be opened: its package alone tells.
            ("systemui", "com.android.systemui", true),
            ("mobile", "com.northbank.mobile", false),
            ("Northbank", "com.northbank.mobile", true),
        ] {
            assert_eq!(means(name, package, &apps), expected, "{name} of {package}");
        }
    }
}
