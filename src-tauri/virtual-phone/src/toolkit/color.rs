//! Colours.

/// A colour: 8-bit red, green, blue and opacity, not premultiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Color {
    pub(crate) red: u8,
    pub(crate) green: u8,
    pub(crate) blue: u8,
    pub(crate) alpha: u8,
}

impl Color {
    pub(crate) const WHITE: Self = Self::rgb(0xFFFFFF);
    pub(crate) const BLACK: Self = Self::rgb(0x000000);

    /// `0xRRGGBB`, opaque.
    pub(crate) const fn rgb(hex: u32) -> Self {
        Self {
            red: (hex >> 16) as u8,
            green: (hex >> 8) as u8,
            blue: hex as u8,
            alpha: 255,
        }
    }

    /// The same colour at another opacity, 0…1.
    pub(crate) fn alpha(self, alpha: f32) -> Self {
        Self {
            alpha: (alpha.clamp(0.0, 1.0) * 255.0).round() as u8,
            ..self
        }
    }

    /// This colour with a share (0…1) of another over it.
    pub(crate) fn mix(self, other: Self, share: f32) -> Self {
        let blend = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        Self {
            red: blend(self.red, other.red),
            green: blend(self.green, other.green),
            blue: blend(self.blue, other.blue),
            alpha: blend(self.alpha, other.alpha),
        }
    }

    pub(crate) fn skia(self) -> tiny_skia::Color {
        tiny_skia::Color::from_rgba8(self.red, self.green, self.blue, self.alpha)
    }
}
