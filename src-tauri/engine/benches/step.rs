//! What a step costs beside the model: from a reply read to the next request ready, over one bare capture (`screencap`, and
//! `screencap -p` as others take it) and one bare touch of the same phone in the same run. With the phone at a phone's speed, and at none; with a model that thinks for three
//! seconds, as fast ones do, and with one that answers at once, where the tree is waited for that is read meanwhile else.
//!
//! What is tapped stays as it is, or moves on for a third of a second, which is waited for and counted.
//!
//! `cargo bench -p engine --bench step`, the eye being `screenrecord`; with `SCRCPY_SERVER_PATH` naming a scrcpy server, that.
//! The model here taps and wants pictures only.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a benchmark"
)]

use adb::{AdbServer, Device, Link, Place};
use agent::ports::{Model, ModelCapabilities, Reply, Retrying};
use agent::prompt::Prompt;
use async_trait::async_trait;
use engine::{Engine, Keychain, Options};
use protocol::{Failure, News, Settings, Usage, What};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Host, Speed};

const STEPS: usize = 12;
/// Of the first steps something is still being learnt (which dump tells what).
const WARM: usize = 2;
const RAW: usize = 7;

/// A screen with a button in its middle that sets something moving.
const MOVING: &str = "com.android.motiontest/.TouchActivity";
const MILLIS: u32 = 330;

/// Taps here and there, and notes when it is asked and when it has answered.
struct Tapper {
    thinks: Duration,
    /// What is tapped, in pixels of the picture it is sent.
    at: (i32, i32),
    times: Mutex<(Vec<Instant>, Vec<Instant>)>,
}

#[async_trait]
impl Model for Tapper {
    fn name(&self) -> String {
        "tapper".to_owned()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities {
            picture: true,
            elements: false,
            marks: false,
            longest_side: 1280,
            longest_beside: 1280,
        }
    }

    async fn think(&self, _: &Prompt, _: &Retrying<'_>) -> Result<Reply, Failure> {
        let count = {
            let mut times = self.times.lock().unwrap();
            times.0.push(Instant::now());
            times.0.len()
        };
        let text = if count > STEPS {
            r#"{"type": "finish", "message": "Done."}"#.to_owned()
        } else {
            // Another place each time, so that it counts as no repetition.
            let count = i32::try_from(count).unwrap();
            format!(
                r#"{{"type": "tap", "x": {}, "y": {}}}"#,
                self.at.0 + count * 7,
                self.at.1 + count * 2
            )
        };
        tokio::time::sleep(self.thinks).await;
        self.times.lock().unwrap().1.push(Instant::now());
        Ok(Reply {
            text,
            usage: Usage::default(),
        })
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// What the phone shows.
async fn tree(device: &Device) -> String {
    let command = "uiautomator dump /sdcard/b.xml >/dev/null && cat /sdcard/b.xml";
    let said = device.look(command, Duration::from_secs(20)).await.unwrap();
    said.text()
}

/// The middle of the button that sets something moving, in pixels of a picture 1,280 pixels high.
async fn button(device: &Device) -> (i32, i32) {
    let tree = tree(device).await;
    let node = tree
        .split("<node ")
        .find(|node| node.contains("text=\"Go\""))
        .unwrap();
    let bounds = node.split("bounds=\"").nth(1).unwrap();
    let at: Vec<i32> = bounds
        .split(['[', ']', ','])
        .filter_map(|n| n.parse().ok())
        .take(4)
        .collect();
    let in_picture = |sum: i32| sum / 2 * 1280 / 2400;
    // A little to the left and up: each tap lies beside the last.
    (in_picture(at[0] + at[2]) - 40, in_picture(at[1] + at[3]) - 14)
}

/// How long the phone and the way there take for a command.
async fn time_of(device: &Device, command: &str) -> Duration {
    let began = Instant::now();
    device
        .look_at_bytes(command, Duration::from_secs(20))
        .await
        .unwrap();
    began.elapsed()
}

async fn measure(name: &str, moves: bool, speed: Speed, thinks: Duration) {
    let host = Arc::new(Host::new());
    let options = virtual_phone::Options {
        speed,
        ..virtual_phone::Options::default()
    };
    let handle = host.add(Box::new(System::new(SystemOptions::default())), options);
    let to = Arc::clone(&host);
    let connector = adb::connector(move || to.open());
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(Options {
        folder: folder.path().to_path_buf(),
        places: vec![Place::demo(Arc::clone(&connector))],
        program: engine::ProgramChoice::default(),
        demo: false,
        keychain: Keychain::absent(),
        key: None,
        scheduler: None,
    })
    .await
    .unwrap();
    let phone = engine
        .phone_by_serial(handle.serial(), Duration::from_secs(20))
        .await
        .unwrap();

    let device = Device::new(AdbServer::new(Link::Memory(connector)), handle.serial());
    let at = if moves {
        let start = format!("am start -n {MOVING} --ei millis {MILLIS}");
        device.look(&start, Duration::from_secs(20)).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        button(&device).await
    } else {
        // The wallpaper between the icons.
        (500, 620)
    };
    let (mut captures, mut pngs, mut touches) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RAW {
        captures.push(time_of(&device, "screencap").await);
        pngs.push(time_of(&device, "screencap -p").await);
        touches.push(time_of(&device, "input tap 540 620").await);
    }

    let model = Arc::new(Tapper {
        thinks,
        at,
        times: Mutex::default(),
    });
    let mut settings = Settings::default();
    settings.limits.steps = 100;
    let mut news = engine.listen();
    engine
        .run_with(
            &phone,
            "tap about",
            Arc::clone(&model) as Arc<dyn Model>,
            settings,
        )
        .unwrap();
    loop {
        if let News::Run { event } = news.recv().await.expect("news") {
            match event.what {
                What::Ended { .. } => break,
                What::Paused { reason } => {
                    println!("{name}: paused: {reason:?}");
                    break;
                }
                _ => {}
            }
        }
    }
    if moves {
        let words = tree(&device).await;
        let pressed = words
            .split("Pressed ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        println!("{name}: the phone was pressed {} times", pressed.unwrap_or("?"));
    }
    engine.close().await;
    let (asked, answered) = std::mem::take(&mut *model.times.lock().unwrap());
    let costs: Vec<Duration> = answered
        .iter()
        .zip(asked.iter().skip(1))
        .map(|(answered, asked)| *asked - *answered)
        .skip(WARM)
        .collect();
    if costs.is_empty() {
        println!("{name}: no step was measured");
        return;
    }
    let (capture, png, touch) = (median(captures), median(pngs), median(touches));
    let (of, cost) = (costs.len(), median(costs));
    let over = |capture: Duration| cost.as_secs_f64() / (capture + touch).as_secs_f64();
    println!(
        "{name}: step {cost:.1?} (of {of}), touch {touch:.1?}, capture {capture:.1?}: ratio {:.2}; as PNG {png:.1?}: \
         ratio {:.2}",
        over(capture),
        over(png)
    );
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let second = Duration::from_secs(1);
        for (moves, screen) in [(true, "it moves 330 ms"), (false, "it stays")] {
            for (speed, phone) in [
                (Speed::Phone, "a phone's speed"),
                (Speed::Instant, "no time at all"),
            ] {
                for (thinks, model) in [(3 * second, "3 s of thinking"), (Duration::ZERO, "no thinking")] {
                    measure(&format!("{screen}, {phone}, {model}"), moves, speed, thinks).await;
                }
            }
        }
    });
}
