//! An app's icon. What a phone sends is its apps' own data: it becomes a picture of ours before anybody shows it.

use crate::error::AdbError;
use image::codecs::png::PngEncoder;
use image::{DynamicImage, ExtendedColorType, ImageEncoder, ImageFormat, ImageReader, Limits};
use std::io::Cursor;

/// The longest side of an icon that is shown, in pixels: 20 points, on displays of four and more pixels a point too.
pub(crate) const SIDE: u32 = 96;
/// No PNG of an icon is longer, in bytes.
const LONGEST: usize = 256 * 1024;
/// No icon that is read has a longer side, in pixels.
const MOST_PIXELS: u32 = 192;
/// So much may be held while it is read, in bytes: its pixels, several times.
const MOST_HELD: u64 = 4 * 1024 * 1024;

/// The PNG a phone sent, drawn anew: 8-bit RGBA, at most [`SIDE`] pixels a side, and nothing else of what stood in it.
///
/// # Errors
/// [`AdbError::Picture`] when it is too long or too large, or no PNG.
pub(crate) fn redraw(png: &[u8]) -> Result<Vec<u8>, AdbError> {
    let broken = |why: &dyn std::fmt::Display| AdbError::Picture(format!("an icon: {why}"));
    if png.len() > LONGEST {
        return Err(broken(&format_args!("{} bytes", png.len())));
    }
    let mut reader = ImageReader::with_format(Cursor::new(png), ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_image_width = Some(MOST_PIXELS);
    limits.max_image_height = Some(MOST_PIXELS);
    limits.max_alloc = Some(MOST_HELD);
    reader.limits(limits);
    let mut icon = reader.decode().map_err(|error| broken(&error))?;
    if icon.width().max(icon.height()) > SIDE {
        icon = icon.thumbnail(SIDE, SIDE);
    }
    let icon = DynamicImage::into_rgba8(icon);
    let mut drawn = Vec::new();
    PngEncoder::new(&mut drawn)
        .write_image(&icon, icon.width(), icon.height(), ExtendedColorType::Rgba8)
        .map_err(|error| broken(&error))?;
    Ok(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        let icon = RgbaImage::from_pixel(width, height, Rgba([31, 122, 77, 128]));
        icon.write_to(&mut out, ImageFormat::Png).unwrap();
        out.into_inner()
    }

    /// The size of what comes out; nothing where it is refused.
    fn check(sent: &[u8], expected: Option<(u32, u32)>) {
        let drawn = redraw(sent).ok();
        let size = drawn.as_ref().map(|png| {
            assert!(png.len() <= LONGEST);
            let icon = image::load_from_memory_with_format(png, ImageFormat::Png).unwrap();
            let middle = icon.to_rgba8().get_pixel(icon.width() / 2, icon.height() / 2).0;
            assert_eq!(middle, [31, 122, 77, 128]);
            (icon.width(), icon.height())
        });
        assert_eq!(size, expected);
    }

    #[test]
    fn what_is_shown_is_a_small_picture_of_ours() {
        check(&png(96, 96), Some((96, 96)));
        check(&png(48, 32), Some((48, 32)));
        check(&png(192, 192), Some((96, 96)));
        check(&png(192, 96), Some((96, 48)));
        check(&png(193, 96), None);
        check(&png(96, 4000), None);
        check(&[], None);
        check(b"<svg xmlns='http://www.w3.org/2000/svg' />", None);
        let whole = png(96, 96);
        check(&whole[..whole.len() / 2], None);
        // What stands behind the picture is not handed on.
        let more = [whole.as_slice(), &[b'x'; 4000]].concat();
        check(&more, Some((96, 96)));
        assert!(
            !redraw(&more)
                .unwrap()
                .windows(8)
                .any(|eight| eight == b"xxxxxxxx")
        );
        let longest = [whole.as_slice(), &vec![0; LONGEST]].concat();
        check(&longest, None);
    }
}
