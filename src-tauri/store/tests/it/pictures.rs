//! Pictures take the room they are worth: a step's is small, a question's can be read letter by letter.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test"
)]

use crate::common::{self, Story, ended, payment};
use agent::ports::Journal;
use agent::ports::KeptScreen;
use protocol::{Ending, Frame, FrameId, What};
use store::Store;

/// A page of small black letters on white, each one pixel thin: what is lost first when a picture is made small.
fn page(width: u32, height: u32, seed: u32) -> Frame {
    let mut rgba = Vec::with_capacity((width * height * 4) as usize);
    for y in 0..height {
        for x in 0..width {
            let line = (y / 40) % 2 == 0 && y % 40 > 10;
            let letter = (x / 14)
                .wrapping_mul(2_654_435_761)
                .wrapping_add((y / 40) * 97 + seed)
                >> 7;
            let ink = line && (letter >> ((x % 14) / 2 + (y % 40) / 8)) & 1 == 1;
            let grey = if ink { 0 } else { 255 };
            rgba.extend([grey, grey, grey, 255]);
        }
    }
    Frame {
        width,
        height,
        rgba: rgba.into(),
    }
}

/// How far a picture is from what was seen, in hundredths of full contrast, on average over the pixels; the smaller is
/// brought to the size of the larger.
fn distance(kept: &Frame, seen: &Frame) -> f64 {
    let kept = screen::picture::scale_to(kept, seen.width, seen.height).unwrap();
    let pairs = kept.rgba.chunks_exact(4).zip(seen.rgba.chunks_exact(4));
    let sum: f64 = pairs.map(|(a, b)| f64::from(a[1].abs_diff(b[1]))).sum();
    sum / f64::from(seen.width * seen.height) / 2.55
}

fn about(frame: &FrameId) -> What {
    let What::Asked { step, mut ask } = payment("r/1", Some("$23.40"), None) else {
        unreachable!("a question")
    };
    ask.evidence.frame = Some(frame.clone());
    What::Asked { step, ask }
}

#[tokio::test]
async fn a_steps_picture_is_small_and_a_questions_is_sharp() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut story = Story::begin(&store, "r", "moto").await;
    let (first, second) = (page(1080, 2400, 1), page(1080, 2400, 2));
    let lossless = screen::picture::encode_png(&first).unwrap().len();
    let small = store.keep(&story.run, common::screen(&first)).await.unwrap();
    let asked = store.keep(&story.run, common::screen(&second)).await.unwrap();
    let step = store.frame(&small).await.unwrap();
    let before = store.frame(&asked).await.unwrap();
    story.tell(about(&asked)).await;
    let sharp = store.frame(&asked).await.unwrap();

    let (seen, full) = (step.decode().unwrap(), sharp.decode().unwrap());
    println!(
        "a step {} kB ({} × {}), a question {} kB, lossless {} kB",
        step.bytes.len() / 1_000,
        seen.width,
        seen.height,
        sharp.bytes.len() / 1_000,
        lossless / 1_000
    );
    assert_eq!((seen.width, seen.height), (576, 1280));
    assert_eq!(
        (step.width, step.height),
        (1080, 2400),
        "rings are drawn in the screen's own pixels"
    );
    assert_eq!((full.width, full.height), (1080, 2400));
    assert!(before.bytes.len() < sharp.bytes.len());
    let (blurred, read) = (
        distance(&before.decode().unwrap(), &second),
        distance(&full, &second),
    );
    println!("away from what was seen: a step {blurred:.2} %, a question {read:.2} %");
    assert!(read < 2.0 && read * 4.0 < blurred, "{read} {blurred}");

    // A stream's picture has fewer pixels than its screen from the beginning.
    let streamed = page(576, 1280, 4);
    let of_stream = KeptScreen {
        width: 1080,
        height: 2400,
        ..common::screen(&streamed)
    };
    let kept = store.keep(&story.run, of_stream).await.unwrap();
    let step = store.frame(&kept).await.unwrap();
    assert_eq!(
        (step.width, step.height),
        (1080, 2400),
        "the screen's, and not the stream's"
    );
    assert_eq!(step.decode().unwrap().width, 576);

    // The same screen again is the same picture, and a question about it is as sharp.
    assert_eq!(
        store.keep(&story.run, common::screen(&first)).await.unwrap(),
        small
    );
    story.tell(about(&small)).await;
    assert_eq!(store.frame(&small).await.unwrap().decode().unwrap().width, 1080);
    story.tell(ended(Ending::Stopped)).await;
    let count = rusqlite::Connection::open(folder.path().join("pocketdeck.db"))
        .unwrap()
        .query_row("SELECT count(*) FROM frames", (), |row| row.get::<_, i64>(0));
    assert_eq!(count.unwrap(), 3, "one a distinct screen");
}

/// A field that was painted over is flat in every picture: small, sharp.
#[tokio::test]
async fn what_was_painted_over_stays_flat() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut story = Story::begin(&store, "r", "moto").await;
    let mut painted = page(1080, 2400, 3);
    let field = protocol::Bounds {
        left: 100,
        top: 400,
        right: 900,
        bottom: 520,
    };
    screen::picture::fill(&mut painted, field, [128, 128, 128]);
    let kept = store.keep(&story.run, common::screen(&painted)).await.unwrap();
    for sharp in [false, true] {
        if sharp {
            story.tell(about(&kept)).await;
        }
        let picture = store.frame(&kept).await.unwrap().decode().unwrap();
        let scale = f64::from(picture.width) / 1080.0;
        // Within, and a block of the coder from the edge.
        let edge = 16.0;
        let at = |n: i32, side: f64| (f64::from(n) * scale + side) as u32;
        for y in at(field.top, edge)..at(field.bottom, -edge) {
            for x in at(field.left, edge)..at(field.right, -edge) {
                let n = ((y * picture.width + x) * 4) as usize;
                assert!(picture.rgba[n].abs_diff(128) <= 1, "{x} {y} {}", picture.rgba[n]);
            }
        }
    }
}
