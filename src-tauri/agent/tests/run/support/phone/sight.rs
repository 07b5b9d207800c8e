//! What the phone shows, what it can tell of it, and how often it was asked.

use super::{FakePhone, State};
use crate::support::pages::{HEIGHT, WIDTH};
use agent::ports::{PictureSource, RawObservation, ScreenMark, TreeMark};
use protocol::{Bounds, CaptureResult, Frame};
use std::time::Duration;
use tokio::time::Instant;

/// Where a ring turns, in pixels.
pub(super) const RING: Bounds = Bounds {
    left: 120,
    top: 560,
    right: 140,
    bottom: 580,
};

/// How often something was asked of a phone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Pictures taken: looks and captures, not what the screen came to rest with.
    pub(crate) pictures: u32,
    pub(crate) trees: u32,
    /// Questions whether anything was drawn.
    pub(crate) checks: u32,
}

/// A dialog comes over the page just before a tree is read, and goes again.
pub(crate) struct Blink {
    /// Before which tree, counted from 1.
    pub(crate) tree: u32,
    /// For how long.
    pub(crate) lasts: Duration,
    pub(crate) since: Option<Instant>,
}

impl State {
    pub(super) fn is_turning(&self) -> bool {
        self.turns_until.is_some_and(|until| Instant::now() < until)
    }

    /// The ring, or what it was waiting for, where there ever was one.
    pub(super) fn add_turning(&self, xml: &mut String) {
        let Some((_, loads)) = self.turns.filter(|_| self.turns_until.is_some()) else {
            return;
        };
        let (class, text) = match self.is_turning() {
            true => ("android.widget.ProgressBar", ""),
            false => ("android.widget.TextView", loads),
        };
        let Bounds {
            left,
            top,
            right,
            bottom,
        } = RING;
        let node = format!(
            "<node index=\"9\" text=\"{text}\" resource-id=\"\" class=\"{class}\" package=\"com.greenleaf.shop\" content-desc=\"\" \
             checkable=\"false\" checked=\"false\" clickable=\"false\" enabled=\"true\" focusable=\"false\" focused=\"false\" \
             scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" \
             bounds=\"[{left},{top}][{right},{bottom}]\" />"
        );
        if let Some(end) = xml.rfind("</node>") {
            xml.insert_str(end, &node);
        }
    }

    pub(super) fn begin_blink(&mut self) {
        if let Some(blink) = self
            .blink
            .as_mut()
            .filter(|blink| blink.tree == self.counts.trees)
        {
            blink.since = Some(Instant::now());
            self.world.dialog = true;
            self.mark();
        }
        self.end_blink();
    }

    /// It is gone, if it is time.
    pub(super) fn end_blink(&mut self) {
        let over = |blink: &Blink| blink.since.is_some_and(|since| since.elapsed() >= blink.lasts);
        if self.blink.as_ref().is_some_and(over) {
            self.blink = None;
            self.world.dialog = false;
            self.mark();
        }
    }

    /// How often its screen has changed so far.
    pub(super) fn mark(&mut self) -> ScreenMark {
        let now = format!("{}{}", self.world.page, self.world.xml());
        if now != self.drawn.0 || self.spins {
            self.drawn = (now, self.drawn.1 + 1);
        }
        ScreenMark(self.drawn.1)
    }

    /// The same, of its tree: what only moves is no change of it.
    pub(super) fn tree_mark(&mut self) -> TreeMark {
        let spins = std::mem::take(&mut self.spins);
        let ScreenMark(events) = self.mark();
        self.spins = spins;
        TreeMark { reader: 1, events }
    }

    pub(super) fn record_tree(&mut self) {
        if self.tells_trees {
            self.record.push("(tree read)".into());
        }
    }
}

impl FakePhone {
    pub(super) fn sight(&self) -> RawObservation {
        let mut state = self.state.lock().unwrap();
        state.end_blink();
        state.looks += 1;
        if state.before_look.as_ref().is_some_and(|(n, _)| *n == state.looks)
            && let Some((_, hook)) = state.before_look.take()
        {
            hook(&mut state.world);
        }
        let mark = state.tells.then(|| state.mark());
        let looks = state.looks;
        let spins = state.spins;
        let world = &state.world;
        let (width, height) = (u32::try_from(WIDTH).unwrap(), u32::try_from(HEIGHT).unwrap());
        let thumbnail = || {
            let (width, height, rgba) = world.paint_small();
            Frame {
                width,
                height,
                rgba: rgba.into(),
            }
        };
        let painted = || {
            let mut rgba = world.paint();
            if spins {
                let shade = u8::try_from(looks % 8 * 30).unwrap();
                let at = 4 * usize::try_from(width * (height / 2)).unwrap();
                rgba[at..at + 4 * 200].fill(shade);
            }
            Frame {
                width,
                height,
                rgba: rgba.into(),
            }
        };
        let frame = match (state.hidden, state.thumbnails) {
            (true, _) => None,
            (_, true) => Some(thumbnail()),
            _ => Some(painted()),
        };
        let (width, height) = if state.turned {
            (height, width)
        } else {
            (width, height)
        };
        let frame = frame.map(|frame| match state.thumbnails {
            true => frame,
            false => Frame {
                width,
                height,
                ..frame
            },
        });
        let frame = match frame {
            Some(frame) if state.half => screen::picture::scale_to(&frame, width / 2, height / 2).ok(),
            frame => frame,
        };
        RawObservation {
            capture: match (state.asleep, state.hidden) {
                (true, _) => CaptureResult::Black,
                (_, true) => CaptureResult::Protected,
                _ => CaptureResult::Ok,
            },
            frame,
            width,
            height,
            app: world.app().into(),
            window: Some(format!("{}/{}", world.app(), world.page)),
            keyboard_shown: false,
            at: 0,
            quiet: true,
            restless: None,
            source: PictureSource::Capture,
            mark,
        }
    }
}
