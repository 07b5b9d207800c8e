//! Makers and Androids: what the same question is answered with.

use crate::client::{options, shell};
use virtual_phone::system::{Brand, System, SystemOptions};
use virtual_phone::{Host, Options, PhoneHandle, Speed};

fn phone(brand: Brand, android: u32) -> (Host, PhoneHandle) {
    let host = Host::new();
    let system = System::new(SystemOptions::of(brand.profile(android).unwrap()));
    let options = Options {
        faults: brand.faults().to_vec(),
        ..options(Speed::Instant)
    };
    let phone = host.add(Box::new(system), options);
    (host, phone)
}

#[tokio::test]
async fn every_android_of_every_maker_tells_what_stands_in_front() {
    for (name, brand) in Brand::NAMES {
        for android in 8..=16 {
            let (host, _phone) = phone(brand, android);
            let out = shell(
                &host,
                "am start -n com.android.settings/.Settings >/dev/null; dumpsys window | grep -E 'mCurrentFocus|mFocusedApp'",
            )
            .await;
            let lines: Vec<&str> = out.text().lines().map(str::trim).collect();
            let [focus, app] = lines.as_slice() else {
                panic!("{name} {android}: {lines:?}");
            };
            assert!(
                focus.ends_with(" u0 com.android.settings/com.android.settings.Settings}"),
                "{focus}"
            );
            let record = app.split("ActivityRecord{").nth(1).unwrap();
            let (code, rest) = record.split_once(' ').unwrap();
            let (form, end) = match android {
                8 | 9 => ("mFocusedApp=AppWindowToken{", "}}}"),
                _ => ("mFocusedApp=ActivityRecord{", "}"),
            };
            assert!(app.starts_with(form) && app.ends_with(end), "{android}: {app}");
            assert!(rest.starts_with("u0 com.android.settings/.Settings"), "{app}");
            assert_eq!(rest.contains("Settings} t"), matches!(android, 13 | 14), "{app}");
            if android >= 15 {
                assert!(code.chars().all(|c| c.is_ascii_digit()), "{app}");
            }
        }
    }
}

#[tokio::test]
async fn makers_differ_in_properties_power_and_what_may_be_touched() {
    for (brand, property, value) in [
        (Brand::Samsung, "ro.build.version.oneui", "80000"),
        (Brand::Xiaomi, "ro.mi.os.version.name", "OS3.0"),
        (Brand::Huawei, "ro.build.version.emui", "EmotionUI_12.0.0"),
        (Brand::Honor, "ro.build.version.magic", "8.0"),
        (Brand::Pixel, "ro.product.brand", "google"),
    ] {
        let (host, _phone) = phone(brand, 16);
        assert_eq!(
            shell(&host, &format!("getprop {property}")).await.text(),
            format!("{value}\n")
        );
        let power = shell(&host, "dumpsys power | grep 'Display Power'").await;
        let tells = !matches!(brand, Brand::Huawei | Brand::Honor);
        assert_eq!(power.text().contains("state=ON"), tells, "{brand:?}");
        let tap = shell(&host, "input tap 5 5").await;
        assert_eq!(
            tap.err.contains("INJECT_EVENTS"),
            brand == Brand::Xiaomi,
            "{}",
            tap.err
        );
    }
}

#[tokio::test]
async fn a_display_forced_to_another_size_says_both() {
    let (host, _phone) = phone(Brand::Pixel, 14);
    let run = async |line: &str| shell(&host, line).await.text().to_owned();
    assert_eq!(
        run("wm size 720x1600; wm density 280; wm size; wm density").await,
        "Physical size: 1080x2400\nOverride size: 720x1600\nPhysical density: 420\nOverride density: 280\n"
    );
    // A capture has the forced size.
    assert_eq!(run("screencap | head -c 8 | base64").await, "0AIAAEAGAAA=\n");
    assert_eq!(
        run("wm size reset; wm density reset; wm size; wm density").await,
        "Physical size: 1080x2400\nPhysical density: 420\n"
    );
}
