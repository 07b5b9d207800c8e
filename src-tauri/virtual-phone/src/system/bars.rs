//! The signs in the status bar, the gesture bar's handle, the camera hole.

use super::System;
use super::activity::Bars;
use super::keyboard;
use super::window_stack::NAVIGATION;
use super::world::World;
use crate::toolkit::color::Color;
use crate::toolkit::geometry::{Metrics, Rect};
use crate::toolkit::paint::{Canvas, Fill};
use crate::toolkit::text::{Align, TextStyle, Weight};
use tiny_skia::PathBuilder;

/// The middle of the status bar's signs, in dp from the top.
const MIDDLE: f32 = 24.0;

fn ink(behind: Color, dims: f32) -> Color {
    let color = if System::dark_signs(behind) {
        Color::rgb(0x1B1B20)
    } else {
        Color::WHITE
    };
    // What is darkened below a dialog darkens the signs with it.
    color.alpha(1.0 - dims.min(0.6) * 0.5)
}

/// Draws both bars' signs.
pub(super) fn draw(canvas: &mut Canvas, world: &World, bars: Bars, keyboard: bool, dims: f32) {
    let (width, height) = (world.display.width as i32, world.display.height as i32);
    let px = |dp: f32| world.metrics.px(dp);
    let color = ink(bars.status, dims);
    let mut style = TextStyle::new(15.0, color);
    style.weight = Weight::Medium;
    let metrics = Metrics {
        font_scale: 1.0,
        ..world.metrics
    };
    canvas.text(
        "9:41",
        &style,
        &metrics,
        Rect::new(px(32.0), 0, px(132.0), px(MIDDLE * 2.0)),
    );
    let right = width - px(28.0);
    let right = if world.settings.is_on("system", "status_bar_show_battery_percent") {
        let area = Rect::new(right - px(46.0), 0, right, px(MIDDLE * 2.0));
        style.align = Align::End;
        canvas.text(&format!("{}%", world.battery.level), &style, &metrics, area);
        right - px(46.0)
    } else {
        right
    };
    battery(canvas, world, right, color);
    signal(canvas, world, right - px(16.0), color);
    wifi(canvas, world, right - px(37.0), color);
    let behind = if keyboard {
        keyboard::background(&world.theme)
    } else {
        bars.navigation
    };
    let (handle, thick) = (px(123.0), px(5.0));
    let middle = height - px(NAVIGATION / 2.0);
    let bar = Rect::sized((width - handle) / 2, middle - thick / 2, handle, thick);
    let handle = if System::dark_signs(behind) {
        Color::rgb(0x59585E)
    } else {
        Color::WHITE.alpha(0.85)
    };
    canvas.rounded(bar, [thick as f32 / 2.0; 4], &Fill::Color(handle));
}

fn battery(canvas: &mut Canvas, world: &World, right: i32, color: Color) {
    let px = |dp: f32| world.metrics.px(dp);
    let (width, height) = (px(9.0), px(15.0));
    let top = px(MIDDLE) - height / 2 + px(0.5);
    let body = Rect::sized(right - width, top, width, height);
    let nub = Rect::sized(right - width + px(2.5), top - px(1.8), width - px(5.0), px(2.4));
    let radius = px(1.8) as f32;
    canvas.rounded(nub, [radius / 2.0; 4], &Fill::Color(color));
    canvas.rounded(body, [radius; 4], &Fill::Color(color.alpha(0.4)));
    let full = body.height() * i32::from(world.battery.level.min(100)) / 100;
    let level = Rect {
        top: body.bottom - full,
        ..body
    };
    let fill = if world.settings.is_on("global", "low_power") {
        Color::rgb(0xE79A0C)
    } else {
        color
    };
    canvas.rounded(level, [radius; 4], &Fill::Color(fill));
}

fn signal(canvas: &mut Canvas, world: &World, right: i32, color: Color) {
    let side = world.metrics.px(15.0) as f32;
    let (right, bottom) = (right as f32, world.metrics.px(MIDDLE + 8.0) as f32);
    if world.settings.is_on("global", "airplane_mode_on") {
        let area = Rect::sized(
            (right - side) as i32,
            (bottom - side) as i32,
            side as i32,
            side as i32,
        );
        canvas.icon(lucide_icons::Icon::Plane.into(), side, color, area);
        return;
    }
    let mut path = PathBuilder::new();
    path.move_to(right, bottom - side);
    path.line_to(right, bottom);
    path.line_to(right - side, bottom);
    path.close();
    if let Some(path) = path.finish() {
        canvas.path(&path, &Fill::Color(color), &canvas.size());
    }
}

fn wifi(canvas: &mut Canvas, world: &World, right: i32, color: Color) {
    if !world.settings.is_on("global", "wifi_on") || world.settings.is_on("global", "airplane_mode_on") {
        return;
    }
    let px = |dp: f32| world.metrics.px(dp) as f32;
    let (half, rise) = (px(9.8), px(14.0));
    let (x, bottom) = (right as f32 - half, px(MIDDLE + 7.5));
    // A wedge: two straight sides from a point, an arc on top.
    let mut path = PathBuilder::new();
    let shoulder = bottom - rise * 0.72;
    path.move_to(x, bottom);
    path.line_to(x - half, shoulder);
    path.cubic_to(
        x - half * 0.5,
        bottom - rise * 1.09,
        x + half * 0.5,
        bottom - rise * 1.09,
        x + half,
        shoulder,
    );
    path.close();
    if let Some(path) = path.finish() {
        canvas.path(&path, &Fill::Color(color), &canvas.size());
    }
}

/// Draws the camera hole at the glass's top edge, wherever that is now.
pub(super) fn draw_camera(canvas: &mut Canvas, world: &World) {
    let (width, height) = (world.display.width as f32, world.display.height as f32);
    let edge = world.metrics.px(MIDDLE) as f32;
    let center = match world.display.rotation {
        1 => (edge, height / 2.0),
        2 => (width / 2.0, height - edge),
        3 => (width - edge, height / 2.0),
        _ => (width / 2.0, edge),
    };
    canvas.circle(center, world.metrics.px(8.6) as f32, &Fill::Color(Color::BLACK));
}
