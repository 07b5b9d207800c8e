//! The wire and the real system together: a person's errand over adb, from the first question to the last tap.

use crate::client::{all, shell};
use image::GenericImageView as _;
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Fault, Host, Options, PhoneHandle, Speed};

fn phone(faults: Vec<Fault>) -> (Host, PhoneHandle) {
    let host = Host::new();
    let options = Options {
        speed: Speed::Instant,
        faults,
        ..Options::default()
    };
    let phone = host.add(Box::new(System::new(SystemOptions::default())), options);
    (host, phone)
}

/// The middle of the first node with such an attribute.
fn middle(tree: &str, attribute: &str) -> (i32, i32) {
    let node = tree
        .split("<node ")
        .find(|node| node.contains(attribute))
        .unwrap_or_else(|| panic!("no {attribute} in {tree}"));
    let bounds = node.split("bounds=\"").nth(1).unwrap();
    let numbers: Vec<i32> = bounds
        .split(['[', ']', ',', '"'])
        .filter_map(|number| number.parse().ok())
        .take(4)
        .collect();
    ((numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2)
}

async fn text(host: &Host, line: &str) -> String {
    let outcome = shell(host, line).await;
    assert_eq!((outcome.status, outcome.err.as_str()), (Some(0), ""), "{line}");
    outcome.text().to_owned()
}

async fn tree(host: &Host) -> String {
    String::from_utf8(all(host, "exec:uiautomator dump /dev/tty").await).unwrap()
}

#[tokio::test]
async fn a_note_is_written_by_commands_alone() {
    let (host, phone) = phone(Vec::new());
    let before = phone.state()["notes"].as_array().unwrap().len();
    let launcher = "com.android.launcher3";
    assert!(
        text(&host, "dumpsys window displays | grep mCurrentFocus")
            .await
            .contains(launcher)
    );
    let started = shell(
        &host,
        "monkey -p com.android.notes -c android.intent.category.LAUNCHER 1",
    )
    .await;
    assert_eq!(started.status, Some(0));
    assert!(
        started.text().ends_with(" not connected)\n"),
        "{}",
        started.text()
    );
    assert!(
        started.text().contains("\nEvents injected: 1\n"),
        "{}",
        started.text()
    );
    // Android 14 tells on the other output what it read, and starts the app all the same.
    assert!(
        started.err.starts_with("args: [-p, com.android.notes, -c, "),
        "{}",
        started.err
    );
    assert!(
        started
            .err
            .ends_with("data=\"android.intent.category.LAUNCHER\"\n"),
        "{}",
        started.err
    );
    assert!(
        text(&host, "dumpsys window | grep mCurrentFocus")
            .await
            .contains("com.android.notes/")
    );
    assert!(
        text(
            &host,
            "dumpsys activity activities | grep -m 1 -i resumedactivity"
        )
        .await
        .contains("com.android.notes/")
    );
    let (x, y) = middle(&tree(&host).await, "content-desc=\"New note\"");
    text(&host, &format!("input tap {x} {y}")).await;
    assert!(
        text(&host, "dumpsys input_method | grep mInputShown")
            .await
            .contains("mInputShown=true")
    );
    text(&host, "input text 'Milk%sand%stea'").await;
    assert!(tree(&host).await.contains("Milk and tea"));
    text(&host, "input keyevent BACK BACK HOME").await;
    assert!(
        text(&host, "dumpsys window | grep mCurrentFocus")
            .await
            .contains(launcher)
    );
    let notes = phone.state()["notes"].clone();
    assert_eq!(notes.as_array().unwrap().len(), before + 1, "{notes}");
    assert!(notes.to_string().contains("Milk and tea"));
    assert!(phone.record().contains("Milk and tea") || phone.record().typed() == "Milk and tea");
}

#[tokio::test]
async fn pictures_sizes_and_the_day_agree() {
    let (host, _phone) = phone(Vec::new());
    let size = text(&host, "wm size").await;
    let png = image::load_from_memory(&all(&host, "exec:screencap -p").await).unwrap();
    let (width, height) = png.dimensions();
    assert_eq!(size, format!("Physical size: {width}x{height}\n"));
    let raw = all(&host, "exec:screencap").await;
    assert_eq!(raw[16..], *png.to_rgba8().as_raw());
    assert_eq!(text(&host, "date '+%a, %b %-d'").await, "Tue, May 14\n");
    // On its side, everything follows.
    text(
        &host,
        "settings put system accelerometer_rotation 0; settings put system user_rotation 1",
    )
    .await;
    let turned = image::load_from_memory(&all(&host, "exec:screencap -p").await).unwrap();
    assert_eq!(turned.dimensions(), (height, width));
    assert!(tree(&host).await.contains("rotation=\"1\""));
    assert!(
        text(&host, "dumpsys input | grep -i orientation")
            .await
            .contains('1')
    );
    assert_eq!(text(&host, "settings get system user_rotation").await, "1\n");
    assert!(
        text(&host, "settings list system")
            .await
            .contains("user_rotation=1")
    );
}

#[tokio::test]
async fn packages_resolve_start_stop_and_go() {
    let (host, phone) = phone(Vec::new());
    let packages = text(&host, "pm list packages").await;
    for package in packages.lines().map(|line| line.trim_start_matches("package:")) {
        let path = text(&host, &format!("pm path {package}")).await;
        assert!(path.starts_with("package:/"), "{package}: {path}");
    }
    let icons = text(
        &host,
        "cmd package query-activities --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER",
    )
    .await;
    let components: Vec<String> = icons
        .lines()
        .map(str::trim)
        .filter(|line| line.contains('/'))
        .map(str::to_owned)
        .collect();
    assert!(components.len() >= 10, "{icons}");
    for component in components {
        let package = component.split('/').next().unwrap();
        assert!(packages.contains(&format!("package:{package}\n")));
        let started = text(&host, &format!("am start -W -n {component}")).await;
        assert!(started.contains("Status: ok"), "{component}: {started}");
        // Some ask for a permission first, as on any phone.
        let mut focus = text(&host, "dumpsys window | grep mCurrentFocus").await;
        for _ in 0..3 {
            if focus.contains("GrantPermissionsActivity") {
                let (x, y) = middle(&tree(&host).await, "permission_allow_foreground_only_button");
                focus = text(
                    &host,
                    &format!("input tap {x} {y}; dumpsys window | grep mCurrentFocus"),
                )
                .await;
            }
        }
        assert!(focus.contains(package), "{component}: {focus}");
        let brief = text(&host, &format!("cmd package resolve-activity --brief {package}")).await;
        assert!(brief.trim_end().ends_with(&component), "{brief}");
        text(&host, &format!("am force-stop {package}")).await;
    }
    assert_eq!(text(&host, "pm clear com.greenleaf.shop").await, "Success\n");
    assert_eq!(text(&host, "pm uninstall com.greenleaf.shop").await, "Success\n");
    assert!(!text(&host, "pm list packages").await.contains("greenleaf"));
    assert_ne!(
        shell(&host, "am start -n com.greenleaf.shop/.MainActivity")
            .await
            .status,
        Some(0)
    );
    assert!(!phone.record().is_empty());
}

#[tokio::test]
async fn allow_is_tapped_on_the_phone_itself() {
    let (host, phone) = phone(vec![Fault::Unauthorized]);
    assert_eq!(
        crate::client::ask(&host, "host:devices").await.unwrap(),
        format!("{}\tunauthorized\n", phone.serial())
    );
    let refused = crate::client::open(&host, "shell:echo in").await.unwrap_err();
    assert!(refused.starts_with("device unauthorized."), "{refused}");
    let question = phone.with(|android| android.hierarchy()).unwrap();
    assert!(question.contains("Allow USB debugging?"), "{question}");
    // Asked again, it does not ask twice.
    crate::client::ask(&host, "host:devices").await.unwrap();
    let press = |words: &str| {
        phone.with(|android| {
            use virtual_phone::android::FingerAction::{Down, Up};
            let (x, y) = middle(&android.hierarchy().unwrap(), &format!("text=\"{words}\""));
            android.finger(Down, x as f32, y as f32);
            android.finger(Up, x as f32, y as f32);
        });
    };
    press("Cancel");
    assert!(
        !phone
            .with(|android| android.hierarchy())
            .unwrap()
            .contains("Allow USB debugging?")
    );
    assert!(phone.faults().contains(&Fault::Unauthorized));
    // Out and in again, and Allow.
    phone.unplug();
    phone.replug();
    crate::client::ask(&host, "host:devices").await.unwrap();
    press("Allow");
    assert_eq!(text(&host, "echo in").await, "in\n");
    assert!(phone.faults().is_empty());
}
