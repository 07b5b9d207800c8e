//! The colours of a screen: Android's own, light and dark. Apps with colours of their own change single entries.

use super::color::Color;

/// The colours of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Theme {
    pub(crate) dark: bool,
    pub(crate) background: Color,
    /// Cards, dialogs.
    pub(crate) surface: Color,
    /// Search pills, bubbles, chips, fields.
    pub(crate) fill: Color,
    pub(crate) text: Color,
    pub(crate) text_2: Color,
    pub(crate) text_3: Color,
    pub(crate) line: Color,
    pub(crate) accent: Color,
    pub(crate) on_accent: Color,
    /// A quiet area in the accent's hue, and text on it.
    pub(crate) soft: Color,
    pub(crate) on_soft: Color,
    pub(crate) danger: Color,
    /// Laid over what is pressed.
    pub(crate) press: Color,
    /// Off switches, empty boxes.
    pub(crate) outline: Color,
}

impl Theme {
    pub(crate) const LIGHT: Self = Self {
        dark: false,
        background: Color::rgb(0xFBF8FF),
        surface: Color::rgb(0xF3F0FA),
        fill: Color::rgb(0xECE9F3),
        text: Color::rgb(0x1B1B20),
        text_2: Color::rgb(0x55545C),
        text_3: Color::rgb(0x74737B),
        line: Color::rgb(0xE3E0EA),
        accent: Color::rgb(0x3A4CA8),
        on_accent: Color::WHITE,
        soft: Color::rgb(0xDDE2FA),
        on_soft: Color::rgb(0x1B2559),
        danger: Color::rgb(0xB3261E),
        press: Color {
            red: 58,
            green: 76,
            blue: 168,
            alpha: 26,
        },
        outline: Color::rgb(0x7A7983),
    };

    pub(crate) const DARK: Self = Self {
        dark: true,
        background: Color::rgb(0x131318),
        surface: Color::rgb(0x232329),
        fill: Color::rgb(0x2B2A33),
        text: Color::rgb(0xE6E3EC),
        text_2: Color::rgb(0xB9B6C1),
        text_3: Color::rgb(0x95929D),
        line: Color::rgb(0x35343D),
        accent: Color::rgb(0xB8C4FF),
        on_accent: Color::rgb(0x14235E),
        soft: Color::rgb(0x2D3A74),
        on_soft: Color::rgb(0xDDE2FF),
        danger: Color::rgb(0xF2B8B5),
        press: Color {
            red: 184,
            green: 196,
            blue: 255,
            alpha: 36,
        },
        outline: Color::rgb(0x918F9A),
    };

    pub(crate) const fn of(dark: bool) -> Self {
        if dark { Self::DARK } else { Self::LIGHT }
    }
}
