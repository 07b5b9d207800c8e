//! How long this room takes for a large screen: `cargo bench -p screen`. Milliseconds, the median of many rounds.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    missing_docs,
    reason = "a benchmark measures time and tells it"
)]

use protocol::Frame;
use screen::picture::{Scale, encode_jpeg, marks, place_marks, scale};
use screen::{Tracker, Tree};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    // `cargo test` runs benchmarks too, to see that they run: then once is enough.
    let rounds = if std::env::args().any(|arg| arg == "--bench") {
        60
    } else {
        1
    };
    let xml = page(1_000, 0);
    let tree = Tree::read(&xml, 1080, 2400, 5_000).unwrap();
    println!(
        "{} nodes, {} elements, {} KB",
        tree.nodes.len(),
        tree.elements.len(),
        xml.len() / 1024
    );
    time("tree of 1,000 elements, read", rounds, || {
        Tree::read(&xml, 1080, 2400, 5_000).unwrap().elements.len()
    });

    let scrolled = Tree::read(&page(1_000, 37), 1080, 2400, 5_000).unwrap();
    let mut tracker = Tracker::new();
    tracker.follow(&mut tree.elements.clone(), 1080, 2400);
    time("1,000 elements followed, scrolled a little", rounds, || {
        let (mut tracker, mut elements) = (tracker.clone(), scrolled.elements.clone());
        tracker.follow(&mut elements, 1080, 2400);
        elements.len()
    });
    let other = Tree::read(&page(2_000, 0).replace("Entry", "Other"), 1080, 2400, 5_000).unwrap();
    let mut tracker = Tracker::new();
    tracker.follow(
        &mut Tree::read(&page(2_000, 0), 1080, 2400, 5_000)
            .unwrap()
            .elements
            .clone(),
        1080,
        2400,
    );
    time("2,000 followed to 2,000 others", rounds.min(10), || {
        let (mut tracker, mut elements) = (tracker.clone(), other.elements.clone());
        tracker.follow(&mut elements, 1080, 2400);
        elements.len()
    });

    let frame = picture();
    let sent = scale(&frame, 1280).unwrap();
    let lies = Scale {
        screen: (1080, 2400),
        picture: (sent.width, sent.height),
    };
    let hundred = &tree.elements[..100];
    time("picture of 1080 × 2400 scaled to 1280", rounds, || {
        scale(&frame, 1280).unwrap().rgba.len()
    });
    time("100 marks placed on it", rounds, || {
        place_marks(&sent, hundred, lies).unwrap().len()
    });
    time("100 marks placed and drawn", rounds, || {
        marks(&sent, hundred, lies).unwrap().rgba.len()
    });
    time("1,000 marks placed and drawn", rounds.min(10), || {
        marks(&sent, &tree.elements, lies).unwrap().rgba.len()
    });
    time("the marked picture as JPEG", rounds, || {
        encode_jpeg(&sent, 80).unwrap().len()
    });
}

fn time<T>(what: &str, rounds: u32, work: impl Fn() -> T) {
    let mut all: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    all.sort_by(f64::total_cmp);
    println!(
        "{what:<48} {:>9.3} ms   (slowest {:.3})",
        all[all.len() / 2],
        all[all.len() - 1]
    );
}

/// A grid of rows, each of words and something to tap: `elements` of them in all.
fn page(elements: usize, scrolled: usize) -> String {
    let mut xml = String::from(
        "<?xml version='1.0'?><hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" package=\"com.example\" bounds=\"[0,0][1080,2400]\">",
    );
    for n in 0..elements / 2 {
        let (left, top) = (n % 10 * 108, n / 10 * 46 % 2300 + scrolled % 46);
        let flags = |click: bool| {
            format!(
                "package=\"com.example\" content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"{click}\" enabled=\"true\" focusable=\"{click}\" focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\""
            )
        };
        xml.push_str(&format!(
            "<node index=\"{n}\" text=\"\" resource-id=\"com.example:id/cell\" class=\"android.widget.LinearLayout\" {} bounds=\"[{left},{top}][{},{}]\">\
             <node index=\"0\" text=\"Entry {n} of many\" resource-id=\"com.example:id/title\" class=\"android.widget.TextView\" {} bounds=\"[{left},{top}][{},{}]\"/>\
             <node index=\"1\" text=\"\" resource-id=\"com.example:id/more\" class=\"android.widget.ImageButton\" {} bounds=\"[{},{top}][{},{}]\"/></node>",
            flags(false), left + 108, top + 46, flags(false), left + 70, top + 40, flags(true), left + 72, left + 104, top + 40,
        ));
    }
    xml.push_str("</node></hierarchy>");
    xml
}

/// Writing on white, as most screens are.
fn picture() -> Frame {
    let mut rgba = Vec::with_capacity(1080 * 2400 * 4);
    for y in 0..2400_u32 {
        for x in 0..1080_u32 {
            let stroke = y % 46 > 8 && y % 46 < 30 && x % 108 < 70 && (x / 3) % 4 == 0;
            rgba.extend_from_slice(if stroke {
                &[20, 24, 28, 255]
            } else {
                &[252, 251, 249, 255]
            });
        }
    }
    Frame {
        width: 1080,
        height: 2400,
        rgba: rgba.into(),
    }
}
