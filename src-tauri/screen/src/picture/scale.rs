//! Smaller pictures, and the way between their pixels and the screen's.

use super::shape::{PictureError, shape};
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use protocol::{Bounds, Frame};

/// The picture made smaller until its longer side is at most `longest_side` pixels; never larger. Lanczos keeps small
/// text readable. A picture that fits already is given back as it is, without a copy.
///
/// # Errors
/// [`PictureError::Shape`] for bytes that do not match the size.
pub fn scale(frame: &Frame, longest_side: u32) -> Result<Frame, PictureError> {
    shape(frame)?;
    let longer = frame.width.max(frame.height);
    if longer <= longest_side || longest_side == 0 {
        return Ok(frame.clone());
    }
    let side = |n: u32| {
        let scaled = (u64::from(n) * u64::from(longest_side) + u64::from(longer) / 2) / u64::from(longer);
        u32::try_from(scaled).unwrap_or(1).max(1)
    };
    scale_to(frame, side(frame.width), side(frame.height))
}

/// The picture in exactly this size, for models that count its pixels and would scale any other themselves
/// ([`Fit`](crate::Fit) tells which). One that has it is given back as it is, without a copy.
///
/// # Errors
/// [`PictureError::Shape`] for bytes that do not match the size, or a size of nothing; [`PictureError::TooLarge`].
pub fn scale_to(frame: &Frame, width: u32, height: u32) -> Result<Frame, PictureError> {
    shape(frame)?;
    if (width, height) == (frame.width, frame.height) {
        return Ok(frame.clone());
    }
    if width == 0 || height == 0 {
        return Err(PictureError::Shape);
    }
    if u64::from(width) * u64::from(height) > 64_000_000 {
        return Err(PictureError::TooLarge);
    }
    let wrong = |why: &dyn std::fmt::Display| PictureError::Unwritable(why.to_string());
    let from =
        ImageRef::new(frame.width, frame.height, &frame.rgba, PixelType::U8x4).map_err(|e| wrong(&e))?;
    let mut to = Image::new(width, height, PixelType::U8x4);
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
        // Screens are opaque: multiplying by alpha and back would only cost.
        .use_alpha(false);
    Resizer::new()
        .resize(&from, &mut to, &options)
        .map_err(|e| wrong(&e))?;
    Ok(Frame {
        width,
        height,
        rgba: to.into_vec().into(),
    })
}

/// How the pixels of a picture lie on the screen it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The screen's width and height in pixels.
    pub screen: (u32, u32),
    /// The picture's, as it was really sent.
    pub picture: (u32, u32),
}

impl Scale {
    /// From a point of the picture to the point of the screen. Not rounded: resolving a point does that, once.
    #[must_use]
    pub fn to_screen(self, x: f64, y: f64) -> (f64, f64) {
        (
            x * ratio(self.screen.0, self.picture.0),
            y * ratio(self.screen.1, self.picture.1),
        )
    }

    /// From a point of the screen to the point of the picture. Not rounded.
    #[must_use]
    pub fn to_picture(self, x: f64, y: f64) -> (f64, f64) {
        (
            x * ratio(self.picture.0, self.screen.0),
            y * ratio(self.picture.1, self.screen.1),
        )
    }

    /// A rectangle of the screen on the picture, grown to whole pixels: whatever of it is seen lies inside.
    #[must_use]
    pub fn on_picture(self, b: Bounds) -> Bounds {
        let (left, top) = self.to_picture(f64::from(b.left), f64::from(b.top));
        let (right, bottom) = self.to_picture(f64::from(b.right), f64::from(b.bottom));
        #[expect(clippy::cast_possible_truncation, reason = "whole, and saturates")]
        Bounds {
            left: left.floor() as i32,
            top: top.floor() as i32,
            right: right.ceil() as i32,
            bottom: bottom.ceil() as i32,
        }
    }

    /// How a frame lies on the screen it was taken of.
    #[must_use]
    pub fn of(screen: (u32, u32), frame: &Frame) -> Self {
        Self {
            screen,
            picture: (frame.width, frame.height),
        }
    }
}

/// A size of nothing maps nothing: points stay where they are.
fn ratio(to: u32, from: u32) -> f64 {
    if to == 0 || from == 0 {
        1.0
    } else {
        f64::from(to) / f64::from(from)
    }
}
