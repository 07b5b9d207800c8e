//! Lists that a finger moves, and that go on moving when it has left.

use super::System;
use super::fingers::Touch;
use super::window_stack::LayerKind;
use crate::toolkit::memory::NodeKey;
use crate::toolkit::scene::Scrolling;
use crate::toolkit::view::Axis;
use std::time::Duration;

/// Slowest and fastest fling, in dp a second.
const SLOWEST: f32 = 50.0;
const FASTEST: f32 = 8000.0;
/// What is left of a fling's speed after a second.
const FRICTION: f32 = 0.035;

/// A list that still moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fling {
    kind: LayerKind,
    list: NodeKey,
    most: f32,
    /// Pixels a second.
    speed: f32,
    at: Duration,
}

impl System {
    /// Moves a list; false when it stood at its end already.
    pub(super) fn scroll_by(&mut self, kind: LayerKind, list: NodeKey, most: f32, by: f32) -> bool {
        let Some(memory) = self.memory_mut(kind) else {
            return false;
        };
        let before = memory
            .scrolled
            .get(&list)
            .copied()
            .unwrap_or(0.0)
            .clamp(0.0, most);
        let after = (before + by).clamp(0.0, most);
        memory.scrolled.insert(list, after);
        if before.round() != after.round() {
            self.change();
        }
        before != after
    }

    pub(super) fn start_fling(&mut self, touch: &Touch, list: NodeKey, scrolling: Scrolling, from_end: bool) {
        let now = self.world.now;
        let recent: Vec<_> = touch
            .trail
            .iter()
            .filter(|(at, ..)| now - *at <= Duration::from_millis(100))
            .collect();
        let (Some(first), Some(last)) = (recent.first(), recent.last()) else {
            return;
        };
        let seconds = (now - first.0).as_secs_f32();
        if seconds < 0.005 || now - touch.moved > Duration::from_millis(100) {
            return;
        }
        let across = scrolling.axis == Axis::Across;
        let way = if across {
            last.1 - first.1
        } else {
            last.2 - first.2
        };
        let density = self.world.metrics.density;
        let speed = (way / seconds).clamp(-FASTEST * density, FASTEST * density);
        if speed.abs() > SLOWEST * density {
            let speed = if from_end { speed } else { -speed };
            self.fling = Some(Fling {
                kind: touch.kind,
                list,
                most: scrolling.most,
                speed,
                at: now,
            });
        }
    }

    /// Moves what still moves. True while it does.
    pub(super) fn move_fling(&mut self) {
        let Some(mut fling) = self.fling.take() else {
            return;
        };
        let seconds = (self.world.now - fling.at).as_secs_f32();
        if seconds <= 0.0 {
            self.fling = Some(fling);
            return;
        }
        // The way covered while the speed falls off exponentially.
        let rate = -FRICTION.ln();
        let left = (-rate * seconds).exp();
        let way = fling.speed * (1.0 - left) / rate;
        fling.speed *= left;
        fling.at = self.world.now;
        let moving = self.scroll_by(fling.kind, fling.list, fling.most, way);
        if moving && fling.speed.abs() > SLOWEST * self.world.metrics.density {
            self.fling = Some(fling);
        }
    }
}
