//! Soft shadows under what floats.

use super::Canvas;
use crate::toolkit::geometry::Rect;

impl Canvas {
    /// Darkens round a rounded rectangle: `blur` pixels wide, moved down by `drop`, `strength` 0…1 at its edge. What
    /// lies under the rectangle itself stays as it is; the rectangle is drawn over it.
    pub(crate) fn shadow(&mut self, rect: Rect, radius: f32, blur: f32, drop: i32, strength: f32) {
        let caster = rect.translated(0, drop);
        let reach = blur.ceil() as i32;
        let area = caster
            .inset(-reach, -reach, -reach, -reach)
            .intersection(&self.clip);
        let stride = self.pixmap.width() as usize * 4;
        let (center_x, center_y) = (
            (caster.left + caster.right) as f32 / 2.0,
            (caster.top + caster.bottom) as f32 / 2.0,
        );
        let inner_x = caster.width() as f32 / 2.0 - radius;
        let inner_y = caster.height() as f32 / 2.0 - radius;
        let hidden = rect.inset(radius as i32, 0, radius as i32, 0);
        let data = self.pixmap.data_mut();
        for y in area.top..area.bottom {
            let down = ((y as f32 + 0.5 - center_y).abs() - inner_y).max(0.0);
            let row = y as usize * stride;
            let mut x = area.left;
            while x < area.right {
                if y >= rect.top && y < rect.bottom && x >= hidden.left && x < hidden.right {
                    x = hidden.right;
                    continue;
                }
                let across = ((x as f32 + 0.5 - center_x).abs() - inner_x).max(0.0);
                let distance = (across * across + down * down).sqrt() - radius;
                let near = 1.0 - (distance / blur).clamp(0.0, 1.0);
                let keep = 256 - (near * near * strength * 256.0) as u32;
                let at = row + x as usize * 4;
                for channel in &mut data[at..at + 3] {
                    *channel = ((u32::from(*channel) * keep) >> 8) as u8;
                }
                x += 1;
            }
        }
    }
}
