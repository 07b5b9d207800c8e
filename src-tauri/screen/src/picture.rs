//! Pictures: smaller, packed, cut, blanked, marked, compared. All work on [`Frame`]: 8-bit RGBA.
//!
//! A frame whose bytes do not match its size is answered with [`PictureError::Shape`] or left as it is; nothing here
//! reads beyond what is there.

mod codec;
mod compare;
mod draw;
mod mark;
mod pixels;
mod place;
mod scale;
mod shape;

pub use crate::space::Space;
pub use codec::{decode_jpeg, decode_png, encode_jpeg, encode_png};
pub use compare::{
    CODING_NOISE, Difference, Fingerprint, NOISE, cells, difference, difference_beyond, fingerprint,
    status_bar,
};
pub use draw::{Colour, crop, fill};
pub use mark::{Mark, captured, contrast, marks, place_marks};
pub use pixels::{Darkness, PixelFormat, darkness, make_opaque};
pub use scale::{Scale, scale, scale_to};
pub use shape::PictureError;
