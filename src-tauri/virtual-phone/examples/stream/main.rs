//! What a stream costs the phone: `cargo run -p virtual-phone --example stream`. A line for each screen and size: time on the
//! processor for drawing, for all (drawing, scaling, encoding), and bytes, each for one picture of sixty a second.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an example for people")]

use std::time::{Duration, Instant};
use virtual_phone::android::Android;
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Clip, ClipOptions};

/// Time this thread has had a processor; elsewhere than on Linux: time that passed.
fn processor(begun: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|first| first.parse().ok());
    nanos.map_or_else(|| begun.elapsed(), Duration::from_nanos)
}

fn system(screen: &str) -> System {
    System::new(SystemOptions {
        start: (!screen.is_empty()).then(|| format!("com.android.motiontest/.{screen}")),
        ..SystemOptions::default()
    })
}

fn main() {
    let begun = Instant::now();
    let seconds = 4;
    for screen in ["CounterActivity", "SpinnerActivity", "VideoActivity"] {
        for size in [(216, 480), (576, 1280), (1080, 2400)] {
            let options = ClipOptions {
                size,
                fps: 60,
                seconds,
                bit_rate: 8_000_000,
            };
            let pictures = options.fps * seconds;
            let mut drawn = system(screen);
            let before = processor(begun);
            for picture in 0..pictures {
                drawn.tick(Duration::from_secs(1) * picture / options.fps);
                drawn.show(0, &mut |_| {});
            }
            let drawing = processor(begun) - before;
            let before = processor(begun);
            let clip = Clip::record(&mut system(screen), options).unwrap();
            let all = processor(begun) - before;
            let each = |time: Duration| time.as_secs_f64() * 1000.0 / f64::from(pictures);
            println!(
                "{screen:<16} {:>4}x{:<4} drawing {:6.2} ms, all {:6.2} ms ({:3.0} % of a core), {:6.1} kB",
                size.0,
                size.1,
                each(drawing),
                each(all),
                each(all) * 6.0,
                clip.annex_b().len() as f64 / 1000.0 / f64::from(pictures)
            );
        }
    }
}
