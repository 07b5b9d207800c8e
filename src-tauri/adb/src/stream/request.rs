//! What all readers want together, and what a phone is asked for because of it.

use super::packet::StreamRequest;
use crate::connect::server::Device;
use std::time::Duration;
use tokio::time::Instant;

/// The least anybody may want.
const LEAST: StreamRequest = StreamRequest {
    longest_side: 64,
    fps: 1,
};
/// The most.
const MOST: StreamRequest = StreamRequest {
    longest_side: 4096,
    fps: 120,
};
/// How long less must be wanted before less is asked for: whoever looked closely may look again.
const SHRINK_AFTER: Duration = Duration::from_secs(5);

/// The largest of all requests; nothing when nobody wants anything.
pub(super) fn merged(requests: impl Iterator<Item = StreamRequest>) -> Option<StreamRequest> {
    requests.map(bounded).reduce(|one, other| StreamRequest {
        longest_side: one.longest_side.max(other.longest_side),
        fps: one.fps.max(other.fps),
    })
}

fn bounded(request: StreamRequest) -> StreamRequest {
    StreamRequest {
        longest_side: request.longest_side.clamp(LEAST.longest_side, MOST.longest_side),
        fps: request.fps.clamp(LEAST.fps, MOST.fps),
    }
}

/// When a running session no longer does.
#[derive(Debug, Default)]
pub(super) struct RestartPolicy {
    /// Since when much less is wanted than is sent.
    too_much_since: Option<Instant>,
}

impl RestartPolicy {
    /// Whether what is wanted calls for another session. More is given at once, less after a while, and only when it is
    /// much less: a new session costs a second.
    pub(super) fn needs_another(
        &mut self,
        sent: StreamRequest,
        wanted: StreamRequest,
        screen: Option<(u16, u16)>,
        now: Instant,
    ) -> bool {
        // No phone sends more pixels than it has.
        let whole = screen.map_or(u16::MAX, |(width, height)| width.max(height));
        let (has, wants) = (sent.longest_side.min(whole), wanted.longest_side.min(whole));
        if wants > has || wanted.fps > sent.fps {
            self.too_much_since = None;
            return true;
        }
        let much_less = |wants: u16, has: u16| u32::from(wants) * 3 < u32::from(has) * 2;
        if !much_less(wants, has) && !much_less(wanted.fps, sent.fps) {
            self.too_much_since = None;
            return false;
        }
        let since = *self.too_much_since.get_or_insert(now);
        if now.duration_since(since) < SHRINK_AFTER {
            return false;
        }
        self.too_much_since = None;
        true
    }

    /// When to ask again although nothing happened.
    pub(super) fn next(&self) -> Option<Instant> {
        self.too_much_since.map(|since| since + SHRINK_AFTER)
    }
}

/// The size of a screen's picture whose longer side has so many pixels at most: whole blocks of eight, which every encoder
/// takes, and the screen's shape as nearly as they allow.
pub(super) fn fit((width, height): (u16, u16), longest_side: u16) -> (u16, u16) {
    let whole = f64::from(width.max(height)).max(1.0);
    let scale = (f64::from(longest_side) / whole).min(1.0);
    let side = |pixels: u16| {
        let blocks = (f64::from(pixels) * scale / 8.0).round().clamp(2.0, 512.0);
        // At most 4096.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 2 and 512"
        )]
        let blocks = blocks as u16;
        blocks * 8
    };
    (side(width), side(height))
}

/// Bits a second where pictures are compared, over a cable: what coding makes of letters is then less than what any change
/// makes of them (with x264, 20 to 430 squares of 4 × 4 pixels stood out at 2.8 Mbit/s, none at 20). A screen that stays as
/// it is sends next to nothing at any rate.
const EXACT: u32 = 20_000_000;

/// Bits a second for a phone: as many as comparing needs where a cable carries them, else [`bit_rate`].
pub(super) fn bits(device: &Device, size: (u16, u16), fps: u16, exact: bool) -> u32 {
    if exact && device.has_cable() {
        EXACT
    } else {
        bit_rate(size, fps)
    }
}

/// Bits a second for such pictures: an eighth of a bit for each pixel that may change, between what text needs to stay
/// legible and what a slow USB hub carries for several phones.
fn bit_rate((width, height): (u16, u16), fps: u16) -> u32 {
    let pixels = u32::from(width) * u32::from(height) * u32::from(fps.clamp(10, 60));
    (pixels / 8).clamp(1_000_000, 8_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn request(longest_side: u16, fps: u16) -> StreamRequest {
        StreamRequest { longest_side, fps }
    }

    #[test]
    fn the_largest_wishes_are_met() {
        assert_eq!(merged([].into_iter()), None);
        assert_eq!(
            merged([request(480, 15), request(320, 60)].into_iter()),
            Some(request(480, 60))
        );
        assert_eq!(merged([request(0, 0)].into_iter()), Some(LEAST));
        assert_eq!(merged([request(u16::MAX, 999)].into_iter()), Some(MOST));
    }

    #[tokio::test(start_paused = true)]
    async fn more_is_given_at_once_and_less_after_a_while() {
        let screen = Some((1080, 2400));
        let mut policy = RestartPolicy::default();
        let mut check = |sent, wanted, expected| {
            let now = Instant::now();
            assert_eq!(
                policy.needs_another(sent, wanted, screen, now),
                expected,
                "{sent:?} {wanted:?}"
            );
        };
        check(request(480, 15), request(1280, 15), true);
        check(request(480, 15), request(480, 60), true);
        check(request(480, 15), request(480, 15), false);
        check(request(2400, 60), request(4000, 60), false);
        check(request(1280, 60), request(1000, 60), false);
        check(request(1280, 60), request(480, 60), false);
        tokio::time::advance(Duration::from_secs(4)).await;
        check(request(1280, 60), request(480, 60), false);
        tokio::time::advance(Duration::from_secs(1)).await;
        check(request(1280, 60), request(480, 60), true);
        check(request(1280, 60), request(1280, 15), false);
        // Wanted again in between: the clock starts anew.
        tokio::time::advance(Duration::from_secs(4)).await;
        check(request(1280, 60), request(1280, 60), false);
        tokio::time::advance(Duration::from_secs(4)).await;
        check(request(1280, 60), request(1280, 15), false);
    }

    #[test]
    fn a_size_keeps_the_screens_shape() {
        for (screen, longest, expected) in [
            ((1080, 2400), 1280, (576, 1280)),
            ((2400, 1080), 1280, (1280, 576)),
            ((1080, 2400), 480, (216, 480)),
            ((1080, 2400), 4000, (1080, 2400)),
            ((1080, 1080), 480, (480, 480)),
            ((1, 1), 64, (16, 16)),
        ] {
            assert_eq!(fit(screen, longest), expected);
        }
    }

    proptest! {
        #[test]
        fn any_size_is_one_an_encoder_takes(width in 100..4000_u16, height in 100..4000_u16, longest in 64..4096_u16) {
            let (w, h) = fit((width, height), longest);
            prop_assert!(w % 8 == 0 && h % 8 == 0 && w >= 16 && h >= 16);
            prop_assert!(w.max(h) <= longest.max(16) + 4);
            if width.min(height) >= width.max(height) / 3 && longest > 300 {
                let off = f64::from(w) / f64::from(h) / (f64::from(width) / f64::from(height));
                prop_assert!((0.9..1.1).contains(&off), "{w}×{h} of {width}×{height}");
            }
            prop_assert!((1_000_000..=8_000_000).contains(&bit_rate((w, h), 60)));
        }
    }
}
