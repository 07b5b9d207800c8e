//! Pictures that are drawn once for each size, then kept.

use super::Canvas;
use crate::toolkit::view::Picture;
use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use tiny_skia::Pixmap;

/// About 60 MB at most: five wallpapers at full size, and some photos.
const MAX_PIXELS: usize = 16_000_000;

struct CachedPicture {
    key: (u32, usize, i32, i32),
    pixmap: Arc<Pixmap>,
}

/// The pictures kept, newest last; shared by all phones of the process, as five phones may show the same photo.
#[derive(Default)]
pub(crate) struct PictureCache {
    kept: VecDeque<CachedPicture>,
    pixels: usize,
}

static PICTURES: LazyLock<Mutex<PictureCache>> = LazyLock::new(Mutex::default);

impl PictureCache {
    /// The picture at a size in pixels.
    pub(crate) fn at_size(picture: &Picture, width: i32, height: i32) -> Option<Arc<Pixmap>> {
        let key = (picture.name, picture.draw as *const () as usize, width, height);
        let mut pictures = PICTURES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = pictures.kept.iter().find(|kept| kept.key == key) {
            return Some(Arc::clone(&kept.pixmap));
        }
        drop(pictures);
        let mut canvas = Canvas::new(width, height)?;
        (picture.draw)(picture.name, &mut canvas);
        let pixmap = Arc::new(canvas.into_pixmap());
        pictures = PICTURES.lock().unwrap_or_else(PoisonError::into_inner);
        pictures.pixels += pixmap.pixels().len();
        pictures.kept.push_back(CachedPicture {
            key,
            pixmap: Arc::clone(&pixmap),
        });
        while pictures.pixels > MAX_PIXELS
            && let Some(oldest) = pictures.kept.pop_front()
        {
            pictures.pixels -= oldest.pixmap.pixels().len();
        }
        Some(pixmap)
    }
}
