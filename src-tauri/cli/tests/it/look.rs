//! `deck look`: the picture, the marks, the elements.

use crate::bench::Bench;
use crate::command::Ended;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{DynamicImage, ImageFormat};
use serde_json::{Value, json};
use std::path::Path;

fn answer(ended: &Ended) -> Value {
    assert_eq!(ended.code, 0, "{}", ended.story());
    assert_eq!(ended.out.lines().count(), 1, "{}", ended.story());
    serde_json::from_str(&ended.out).unwrap()
}

/// Reads a file as PNG and as nothing else.
fn png(path: &Path) -> DynamicImage {
    image::load_from_memory_with_format(&std::fs::read(path).unwrap(), ImageFormat::Png).unwrap()
}

#[test]
fn the_three_modes() {
    let bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    let look = |mode: &str, more: &[&str]| {
        let mut arguments = vec!["look", "--device", &bench.serial, "--mode", mode];
        arguments.extend(more);
        answer(&bench.call(&arguments))
    };
    let out = |name: &str| folder.path().join(name);
    let plain = out("vision.png");
    let vision = look("vision", &["--out", plain.to_str().unwrap(), "--base64"]);
    let marked = out("som.png");
    let som = look("som", &["--out", marked.to_str().unwrap()]);
    let ax = look("ax", &[]);
    let few = look("ax", &["--max-elements", "2"]);

    for told in [&vision, &som, &ax] {
        assert_eq!(told["deviceId"], json!(bench.serial));
        assert_eq!(told["currentApp"], json!("com.android.launcher3"));
        assert_eq!((&told["width"], &told["height"]), (&json!(1080), &json!(2400)));
        assert_eq!(told["capture"], json!("ok"));
        assert!(told["capturedAt"].as_str().unwrap().ends_with('Z'), "{told}");
        assert!(told["timings"]["totalMs"].is_u64(), "{told}");
    }
    // The picture is the phone's own, pixel for pixel, whole, and the same in the file and in the answer.
    let seen = png(&plain);
    assert_eq!((seen.width(), seen.height()), (1080, 2400));
    let phones_own = bench.adb.run(&["exec-out", "screencap", "-p"]).stdout;
    let phones_own = image::load_from_memory(&phones_own).unwrap();
    assert_eq!(below_the_bar(&seen), below_the_bar(&phones_own));
    let sent = STANDARD
        .decode(vision["screenshotBase64"].as_str().unwrap())
        .unwrap();
    assert_eq!(sent, std::fs::read(&plain).unwrap());
    // Marks are drawn for those who want them only.
    let with_marks = png(&marked);
    assert_eq!((with_marks.width(), with_marks.height()), (1080, 2400));
    assert_ne!(below_the_bar(&with_marks), below_the_bar(&seen));
    assert_eq!(som["screenshotBase64"], json!(""));
    assert_eq!(vision["elements"], json!([]));
    assert_eq!(vision["timings"]["readMs"], Value::Null);
    // Numbered from 1 in reading order, the same in both modes.
    assert_eq!(som["elements"], ax["elements"]);
    let elements = ax["elements"].as_array().unwrap();
    assert_eq!(elements.len(), 15);
    for (number, element) in elements.iter().enumerate() {
        assert_eq!(element["index"], json!(number + 1));
    }
    assert_eq!(few["elements"], json!(elements[..2]));
    assert_eq!(
        few["totals"],
        json!({"total_elements": 15, "truncated_elements": 13})
    );
}

/// What lies under the status bar, whose clock goes on.
fn below_the_bar(picture: &DynamicImage) -> Vec<u8> {
    picture.crop_imm(0, 132, 1080, 2400 - 132).to_rgba8().into_raw()
}

#[test]
fn a_phone_on_its_side_is_seen_on_its_side() {
    let bench = Bench::with(&["--speed", "instant", "--start", "com.android.settings/.Settings"]);
    for line in [
        "settings put system accelerometer_rotation 0",
        "settings put system user_rotation 1",
    ] {
        assert!(bench.adb.run(&["shell", line]).status.success());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("side.png");
    let told = answer(&bench.call(&["look", "--device", &bench.serial, "--out", path.to_str().unwrap()]));
    assert_eq!((&told["width"], &told["height"]), (&json!(2400), &json!(1080)));
    let seen = png(&path);
    assert_eq!((seen.width(), seen.height()), (2400, 1080));
}

#[test]
fn what_cannot_be_seen_or_written_is_said() {
    let mut bench = Bench::new();
    let mut told = String::new();
    let serial = bench.serial.clone();
    let mut try_it = |bench: &Bench, name: &str, more: &[&str]| {
        let mut arguments = vec!["look", "--device", &serial];
        arguments.extend(more);
        let ended = bench.call(&arguments);
        let out: Vec<Value> = ended
            .out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let captures: Vec<&Value> = out.iter().map(|line| &line["capture"]).collect();
        told.push_str(&format!(
            "# {name}: exit {}, capture {captures:?}\n{}",
            ended.code, ended.err
        ));
    };
    try_it(&bench, "no picture to write", &["--mode", "ax", "--out", "x.png"]);
    try_it(&bench, "too few elements", &["--max-elements", "0"]);
    try_it(
        &bench,
        "no such folder",
        &["--mode", "vision", "--out", "/nowhere/at/all/x.png"],
    );
    bench.phone.write("fault black_capture");
    try_it(&bench, "a black picture", &["--mode", "vision"]);
    bench.phone.write("clear black_capture");
    bench.phone.write("fault tree_null_root");
    try_it(&bench, "a picture without elements", &["--mode", "som"]);
    try_it(&bench, "no elements", &["--mode", "ax"]);
    bench.phone.write("clear tree_null_root");
    bench.phone.write("fault half_capture");
    bench.state();
    try_it(&bench, "half a picture", &["--mode", "vision"]);
    insta::assert_snapshot!(told);
}
