//! What this room makes of a saved screen: `cargo run -p screen --example look -- TREE.xml [PICTURE.png OUT.png [SIDE]]`
//! prints the elements; with a picture it also writes the picture with its marks, as it would be sent at that side.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a tool for the one who builds this room: it reads and writes the files it is given"
)]

use screen::Tree;
use screen::picture::{Scale, decode_png, encode_png, marks, scale};
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let tree = args.first().ok_or("TREE.xml [PICTURE.png OUT.png [SIDE]]")?;
    let picture = args.get(1).map(fs::read).transpose()?;
    let picture = picture.map(|bytes| decode_png(&bytes)).transpose()?;
    let (width, height) = picture
        .as_ref()
        .map_or((0, 0), |frame| (frame.width, frame.height));
    let tree = Tree::read(&String::from_utf8_lossy(&fs::read(tree)?), width, height, 1000)?;
    for element in &tree.elements {
        let b = element.bounds;
        println!(
            "{:>3} {:<12} {:?} {:?} {:?} [{},{} {}×{}] #{} @{}",
            element.index,
            element.role,
            element.label,
            element.value,
            element.states,
            b.left,
            b.top,
            b.right - b.left,
            b.bottom - b.top,
            element.resource_id.rsplit('/').next().unwrap_or_default(),
            element.track_id,
        );
    }
    let (Some(frame), Some(out)) = (picture, args.get(2)) else {
        return Ok(());
    };
    let side = args.get(3).map_or(Ok(1280), |side| side.parse())?;
    let sent = scale(&frame, side)?;
    let lies = Scale {
        screen: (frame.width, frame.height),
        picture: (sent.width, sent.height),
    };
    fs::write(out, encode_png(&marks(&sent, &tree.elements, lies)?)?)?;
    Ok(())
}
