//! The live mirrors: what a phone shows is what the window shows, and how much later.
//!
//! A phone shows its clock as black and white cells; the test reads them from the pixels of the window's canvas. What is
//! printed depends on the machine and what else it does; what is asserted does not.

use crate::app::{NO_SCRCPY, Opened, Plugged, open, open_at, open_with_scrcpy};
use crate::desktop::Theme;
use crate::skipped::skipped;
use crate::usage::Used;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Clip, ClipOptions, PhoneHandle, timecode};

const COUNTER: &str = "com.android.motiontest/.CounterActivity";
/// How long is measured.
const MEASURED: Duration = Duration::from_secs(8);
const CLICKS: usize = 20;
/// Painted frames between one click and the next.
const FRAMES_A_CLICK: u32 = 20;

fn showing(serial: Option<usize>) -> SystemOptions {
    let mut options = SystemOptions {
        start: Some(COUNTER.to_owned()),
        ..SystemOptions::default()
    };
    if let Some(number) = serial {
        options.profile.phone.serial = format!("MIRROR{number:04}");
    }
    options
}

/// A stream of the counter, encoded beforehand: playing it takes the phone no time.
fn clip(size: (u32, u32), fps: u32) -> Arc<Clip> {
    let options = ClipOptions {
        size,
        fps,
        seconds: 4,
        bit_rate: 4_000_000,
    };
    Arc::new(Clip::record(&mut System::new(showing(None)), options).unwrap())
}

/// One picture drawn: in which canvas, when (milliseconds since 1970), the number read from it, and when it was given to the
/// window's decoder.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    canvas: u64,
    at: f64,
    number: Option<u32>,
    given: Option<f64>,
}

/// Lets the window draw for a while; every picture it drew.
async fn watch(app: &Opened) -> Vec<Drawn> {
    app.driven.run(include_str!("counter.js")).await;
    let script = format!(
        "const done = arguments[arguments.length - 1]; window.counterRead.length = 0; \
         setTimeout(() => done(window.counterRead), {});",
        MEASURED.as_millis()
    );
    let found = app.driven.driver.execute_async(script, vec![]).await.unwrap();
    found
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|one| Drawn {
            canvas: one[0].as_u64().unwrap(),
            at: one[1].as_f64().unwrap(),
            number: one[2].as_u64().map(|number| u32::try_from(number).unwrap()),
            given: one[3].as_f64(),
        })
        .collect()
}

/// Lets the window draw for a while without reading what: the pictures a second of all canvases, and what the app used.
async fn live(app: &Opened) -> (f64, Used) {
    app.driven
        .run("window.counterRests = true; window.counterDrawn = 0;")
        .await;
    let start = app.usage();
    let script = format!(
        "const done = arguments[arguments.length - 1]; setTimeout(() => done(window.counterDrawn), {});",
        MEASURED.as_millis()
    );
    let drawn = app.driven.driver.execute_async(script, vec![]).await.unwrap();
    let used = app.usage().since(&start);
    app.driven.run("window.counterRests = false;").await;
    let drawn = drawn.json().as_f64().unwrap();
    (drawn / MEASURED.as_secs_f64(), used)
}

fn epoch() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap()
}

/// When the newest playing of a phone's clip began, as milliseconds since 1970.
fn begun(phone: &PhoneHandle) -> f64 {
    let since = phone.played_since().expect("it plays").elapsed();
    (epoch() - since).as_secs_f64() * 1000.0
}

fn at(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len() - 1;
    sorted[((last as f64) * share).round() as usize]
}

/// Prints how late the pictures were, and how many came in each canvas; all canvases must have shown the clock.
fn tell(what: &str, drawn: &[Drawn], canvases: usize, mut ages: Vec<f64>) {
    let mut each: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    for one in drawn {
        let count = each.entry(one.canvas).or_default();
        count.0 += 1;
        count.1 += usize::from(one.number.is_some());
    }
    assert!(
        each.len() >= canvases,
        "{what}: {} canvases of {canvases}",
        each.len()
    );
    for (canvas, (all, read)) in &each {
        assert!(
            *read * 2 > *all,
            "{what}: canvas {canvas}: {read} of {all} pictures are the phone's"
        );
    }
    ages.sort_by(f64::total_cmp);
    let rates: Vec<String> = each
        .values()
        .map(|(all, _)| format!("{:.0}", *all as f64 / MEASURED.as_secs_f64()))
        .collect();
    println!(
        "{what}: {} pictures, late by p50 {:.0} ms, p95 {:.0} ms; pictures a second: {}",
        drawn.len(),
        at(&ages, 0.5),
        at(&ages, 0.95),
        rates.join(" ")
    );
}

/// How long clicks took to be answered with a drawn page, in milliseconds, sorted. The display's own mouse clicks: what the
/// page's driver does for its first clicks takes the page a tenth of a second by itself.
async fn clicks(app: &Opened) -> Vec<f64> {
    app.driven.run("window.counterRests = true;").await;
    let place = app
        .driven
        .see("[data-part=composer-text], [data-part=phone-header]")
        .await;
    let rect = place.rect().await.unwrap();
    let (left, top) = app.desktop.corner("PocketDeck");
    let middle = |from: i32, at: f64, size: f64| from + (at + size / 2.0) as i32;
    let at = (middle(left, rect.x, rect.width), middle(top, rect.y, rect.height));
    for _ in 0..CLICKS {
        app.desktop.press(at.0, at.1);
        app.driven.frames(FRAMES_A_CLICK).await;
    }
    let times = app.driven.run("return window.clickTimes;").await;
    let mut times: Vec<f64> = times
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_f64)
        .collect();
    assert!(times.len() >= CLICKS, "{} of {CLICKS} clicks came", times.len());
    times.sort_by(f64::total_cmp);
    times
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn the_mirror_follows_the_phone() {
    let plugged = Plugged::new(showing(None)).await;
    let app = open(Theme::Light, Some(&plugged)).await;
    follow(&plugged, app, "screenrecord").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn the_mirror_follows_the_phone_by_scrcpy() {
    let plugged = Plugged::new(showing(None)).await;
    let Some(app) = open_with_scrcpy(Theme::Light, &plugged).await else {
        return skipped(NO_SCRCPY);
    };
    follow(&plugged, app, "scrcpy").await;
}

/// Its page says by which way the picture comes, and shows the phone's clock.
async fn follow(plugged: &Plugged, app: Opened, way: &str) {
    app.driven.see("[data-part=tile]").await;
    app.phone_page("Anna’s Pixel").await;
    app.driven.see("[data-part=picture] canvas").await;
    app.comes_by(way).await;
    // Once there is a picture.
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let drawn = watch(&app).await;
        let ages: Vec<f64> = drawn
            .iter()
            .filter_map(|one| {
                let now =
                    one.at - epoch().as_secs_f64() * 1000.0 + plugged.phone.wall().as_secs_f64() * 1000.0;
                Some(timecode::age(one.number?, now as u64) as f64)
            })
            .collect();
        if ages.len() >= 20 {
            // What is shown goes on with the phone.
            let numbers: Vec<u32> = drawn.iter().filter_map(|one| one.number).collect();
            let forward = numbers
                .windows(2)
                .all(|two| timecode::age(two[0], u64::from(two[1])) < timecode::MODULUS / 2);
            assert!(forward, "an older picture after a newer one: {numbers:?}");
            let what = format!("the phone's own screen by {way}, drawn and encoded by it");
            tell(&what, &drawn, 1, ages);
            break;
        }
        assert!(
            Instant::now() < until,
            "{} pictures, {} read",
            drawn.len(),
            ages.len()
        );
    }
    app.driven.quit().await;
}

/// Phones that play a stream encoded beforehand, and the window that shows them.
async fn play(count: usize, size: (u32, u32), fps: u32, density: u32) -> (Opened, Plugged, Arc<Clip>) {
    let systems = (0..count).map(|number| showing((number > 0).then_some(number)));
    let plugged = Plugged::several(systems.collect()).await;
    let clip = clip(size, fps);
    for phone in &plugged.phones {
        phone.play(Some(Arc::clone(&clip)));
    }
    let app = open_at(density, &plugged).await;
    app.driven.see("[data-part=tile]").await;
    if count == 1 {
        app.phone_page("Anna’s Pixel").await;
    }
    (app, plugged, clip)
}

/// The size of the newest stream that was asked of a phone, `WIDTHxHEIGHT`.
fn asked(phone: &PhoneHandle) -> Option<String> {
    let commands = phone.record().commands();
    let newest = commands
        .iter()
        .rev()
        .find_map(|line| line.split_once("--size "))?;
    newest.1.split_whitespace().next().map(str::to_owned)
}

/// The same at density 2, with pictures as large as the app asks for there.
async fn check_dense(count: usize, size: (u32, u32), fps: u32) {
    let plugged = check_many(count, size, fps, 2).await;
    for phone in &plugged.phones {
        let size = format!("{}x{}", size.0, size.1);
        assert_eq!(asked(phone), Some(size), "what is played is what was asked for");
    }
}

/// What it takes from the wire to the window; the phones, afterwards.
async fn check_many(count: usize, size: (u32, u32), fps: u32, density: u32) -> Plugged {
    let what = format!(
        "{count} × {}×{} at {fps} pictures a second, density {density}",
        size.0, size.1
    );
    let (app, plugged, clip) = play(count, size, fps, density).await;
    // The first look finds them all playing.
    let until = Instant::now() + Duration::from_secs(90);
    let drawn = loop {
        let drawn = watch(&app).await;
        let playing: BTreeSet<u64> = drawn.iter().map(|one| one.canvas).collect();
        if playing.len() >= count && drawn.len() >= 40 {
            break drawn;
        }
        assert!(
            Instant::now() < until,
            "{what}: {} canvases, {} pictures",
            playing.len(),
            drawn.len()
        );
    };
    let length = f64::from(clip.options().seconds) * 1000.0;
    let begins: Vec<f64> = plugged
        .phones
        .iter()
        .filter(|phone| phone.played_since().is_some())
        .map(begun)
        .collect();
    // Which canvas is which phone's is not asked: the youngest age among the phones is its own.
    let ages: Vec<f64> = drawn
        .iter()
        .filter_map(|one| {
            let number = f64::from(one.number?);
            begins
                .iter()
                .map(|begin| (one.at - begin - number).rem_euclid(length))
                .min_by(f64::total_cmp)
        })
        .collect();
    tell(&what, &drawn, count, ages);
    let mut inside: Vec<f64> = drawn.iter().filter_map(|one| Some(one.at - one.given?)).collect();
    inside.sort_by(f64::total_cmp);
    println!(
        "{what}: of it decoding and drawing took p50 {:.0} ms, p95 {:.0} ms",
        at(&inside, 0.5),
        at(&inside, 0.95)
    );
    let (rate, used) = live(&app).await;
    println!(
        "{what}: {:.0} drawn a second while nothing is read",
        rate / count as f64
    );
    println!(
        "{what}: {} of its pixels a pixel shown",
        least_sharp(&app).await.unwrap_or_default()
    );
    let clicks = clicks(&app).await;
    println!(
        "{what}: the app used {:.2} cores and {} MB; clicks were answered after p50 {:.0}, p95 {:.0} ms: {clicks:.0?}",
        used.cores(),
        app.usage().megabytes(),
        at(&clicks, 0.5),
        at(&clicks, 0.95)
    );
    app.driven.quit().await;
    plugged
}

/// How many pixels of the picture stand for one pixel of the display, on the mirror that has fewest; none where one shows nothing
/// yet.
async fn least_sharp(app: &Opened) -> Option<f64> {
    let script = "const all = [...document.querySelectorAll('[data-part=picture] canvas')].map((canvas) => { \
        if (canvas.classList.contains('blank')) return null; \
        const box = canvas.getBoundingClientRect(); \
        return Math.max(canvas.width / box.width, canvas.height / box.height) / devicePixelRatio; }); \
        return all.length === 0 || all.includes(null) ? null : Math.min(...all);";
    app.driven.run(script).await.as_f64()
}

/// A picture is asked for as large as it is shown: its pixels are never fewer than the display's.
async fn check_sharp(density: u32) {
    let systems = (0..4).map(|number| {
        let mut options = SystemOptions::default();
        if number > 0 {
            options.profile.phone.serial = format!("SHARP{number:04}");
        }
        options
    });
    let plugged = Plugged::several(systems.collect()).await;
    let app = open_at(density, &plugged).await;
    app.driven.see("[data-part=tile]:nth-child(4)").await;
    let ratio = app.driven.run("return devicePixelRatio").await;
    assert_eq!(ratio.as_f64(), Some(f64::from(density)));
    for place in ["four tiles", "the large one"] {
        if place != "four tiles" {
            app.phone_page("Anna’s Pixel").await;
        }
        // A stream of another size begins a second later.
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let is = least_sharp(&app).await;
            if let Some(is) = is.filter(|is| *is >= 1.0) {
                println!("{place} at density {density}: {is:.2} pixels of the picture a pixel shown");
                break;
            }
            assert!(
                Instant::now() < until,
                "{place} at density {density}: {is:?} pixels of the picture a pixel shown"
            );
            app.driven.frames(10).await;
        }
    }
    app.driven.quit().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn mirrors_are_as_sharp_as_the_display() {
    check_sharp(1).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn mirrors_are_as_sharp_as_a_dense_display() {
    check_sharp(2).await;
}

/// Eight mirrors at once, each of which goes on.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the window: cargo xtask test window"]
async fn eight_mirrors_are_live() {
    let (app, _plugged, _clip) = play(8, (216, 480), 15, 1).await;
    let until = Instant::now() + Duration::from_secs(90);
    loop {
        let drawn = watch(&app).await;
        let mut each: BTreeMap<u64, BTreeSet<u32>> = BTreeMap::new();
        for one in &drawn {
            each.entry(one.canvas).or_default().extend(one.number);
        }
        if each.len() >= 8 && each.values().all(|numbers| numbers.len() >= 2) {
            break;
        }
        assert!(Instant::now() < until, "what each canvas showed: {each:?}");
    }
    app.driven.quit().await;
}

/// What is measured and judged by nobody, and what takes an hour: `cargo xtask test mirrors`.
mod long {
    use super::{check_dense, check_many, play, watch};
    use std::time::{Duration, Instant};

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs the window: cargo xtask test mirrors"]
    async fn one_mirror_is_timed() {
        check_many(1, (576, 1280), 60, 1).await;
    }

    /// What a phone sends that does not scale its screen.
    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs the window: cargo xtask test mirrors"]
    async fn one_mirror_of_full_size_is_timed() {
        check_many(1, (1080, 2400), 60, 1).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs the window: cargo xtask test mirrors"]
    async fn eight_mirrors_are_timed() {
        check_many(8, (216, 480), 15, 1).await;
    }

    /// As they are asked for where a page's pixel is two of the display.
    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs the window: cargo xtask test mirrors"]
    async fn four_dense_mirrors_are_timed() {
        check_dense(4, (360, 800), 15).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs the window: cargo xtask test mirrors"]
    async fn one_dense_mirror_is_timed() {
        check_dense(1, (576, 1280), 60).await;
    }

    /// Memory after a while is what it was in the beginning. For longer than half a minute: `POCKETDECK_STREAM_MINUTES=60`.
    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs the window: cargo xtask test mirrors"]
    async fn eight_mirrors_leave_memory_as_it_was() {
        let minutes: f64 =
            std::env::var("POCKETDECK_STREAM_MINUTES").map_or(0.5, |minutes| minutes.parse().unwrap());
        let (app, _plugged, _clip) = play(8, (216, 480), 15, 1).await;
        // What is kept once is there by now.
        watch(&app).await;
        println!("in the beginning: {:?} MB", app.usage().each());
        let mut sizes = vec![app.usage().megabytes()];
        let until = Instant::now() + Duration::from_secs_f64(minutes * 60.0);
        while Instant::now() < until {
            let drawn = watch(&app).await;
            assert!(
                drawn.len() >= 8,
                "the mirrors stand still: {} pictures",
                drawn.len()
            );
            sizes.push(app.usage().megabytes());
        }
        let every = (sizes.len() / 12).max(1);
        let some: Vec<u64> = sizes.iter().copied().step_by(every).collect();
        println!(
            "eight mirrors for {minutes} minutes: {some:?} MB; in the end {:?}",
            app.usage().each()
        );
        // The first and the last third, by their least: what is let go of now and then does not count.
        let third = sizes.len().div_ceil(3);
        let least = |part: &[u64]| part.iter().copied().min().unwrap_or_default();
        let (first, last) = (least(&sizes[..third]), least(&sizes[sizes.len() - third..]));
        assert!(last * 10 <= first * 11 + 100, "{sizes:?}");
        app.driven.quit().await;
    }
}
