//! A display that is recorded: a virtual display mirrors it into an encoder (`SurfaceFlinger`, `GraphicBufferSource.cpp`).
//!
//! The display is composed sixty times a second at most, and only when it changed. A picture is taken when the one before
//! has been handed on: whoever reads slowly gets fewer of them, never older ones. Drawing and encoding run on a thread for
//! work that blocks.

use super::clip::Clip;
use super::encoder::{Encoder, EncoderOutput, NoEncoder, Settings, Vui};
use super::planes::{Planes, Projection};
use crate::fault::Fault;
use crate::phone::Phone;
use bytes::Bytes;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// From one refresh of the display to the next.
const REFRESH: Duration = Duration::from_nanos(16_666_667);
/// `GraphicBufferSource`: how often the last picture is repeated at most.
const REPEATS: u32 = 10;
/// A clip's reader may be behind by so much.
const LATE: Duration = Duration::from_secs(1);
/// `SurfaceFlinger` composes so long after apps began to draw.
const COMPOSED_AFTER: Duration = Duration::from_millis(2);
/// `FrameDropper`: a picture may come so much too early.
const JITTER: Duration = Duration::from_millis(2);

/// What is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The display with the windows.
    Windows,
    /// Another one, which is off.
    Dark,
}

/// Where the display stands in the picture, and what happens when it turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Over all of it; a display that turns ends the recording ([`RecordingOutput::Turned`]).
    Stretched,
    /// As its shape allows; one that turns is fitted in again, a picture late.
    Letterboxed,
}

/// How a display is to be recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RecordingOptions {
    /// Pixels of the picture.
    pub(crate) size: (u32, u32),
    /// Bits a second.
    pub(crate) bit_rate: u32,
    /// Pictures a second at most (`max-fps-to-encoder`).
    pub(crate) max_fps: Option<f32>,
    /// Pictures from one key frame to the next.
    pub(crate) interval: u32,
    /// The last picture is repeated after so long without another (`KEY_REPEAT_PREVIOUS_FRAME_AFTER`).
    pub(crate) repeat: Option<Duration>,
    pub(crate) source: Source,
    pub(crate) fit: Fit,
}

/// One picture.
#[derive(Clone, Debug)]
pub(crate) struct EncodedPicture {
    /// Its NAL units with their start codes.
    pub(crate) bytes: Bytes,
    /// Nothing before it is needed to show it.
    pub(crate) key: bool,
    /// When it was on the display: microseconds since the phone was switched on.
    pub(crate) micros: u64,
}

/// What a recording gives next.
#[derive(Clone, Debug)]
pub(crate) enum RecordingOutput {
    /// The parameter sets, before the first picture.
    Config(Bytes),
    Picture(EncodedPicture),
    /// The display is another than the recording began with.
    Turned,
}

/// What draws and encodes; away while a thread has it.
#[derive(Debug)]
struct EncoderPipeline {
    encoder: Encoder,
    planes: Planes,
    projection: Projection,
    /// What the planes show.
    generation: u64,
    dark: bool,
}

impl EncoderPipeline {
    /// Takes what the display shows over, and encodes it.
    fn shoot(&mut self, phone: &Phone, dark: bool) -> Result<EncoderOutput, NoEncoder> {
        if dark {
            if !self.dark {
                self.planes.darken();
            }
            // What is shown after it is taken over whole.
            self.generation = 0;
        } else {
            phone.with(|android| {
                android.show(self.generation, &mut |sight| {
                    self.planes.take(sight, &self.projection);
                    self.generation = sight.generation;
                });
            });
        }
        self.dark = dark;
        self.encoder.encode(&self.planes)
    }
}

/// Where pictures come from.
#[derive(Debug)]
enum FrameSource {
    Live(Option<Box<EncoderPipeline>>),
    /// A clip, and the number of its next picture.
    Clip(Arc<Clip>, u32),
}

/// Lets pictures through at a rate (`frameworks/av/media/libstagefright/FrameDropper.cpp`).
#[derive(Debug)]
struct FrameDropper {
    least: Duration,
    wished: Option<Instant>,
}

impl FrameDropper {
    fn new(rate: f32) -> Self {
        Self {
            least: Duration::from_secs_f32(1.0 / rate.clamp(0.1, 1000.0)),
            wished: None,
        }
    }

    /// Whether a picture of this moment is let through.
    fn passes(&mut self, now: Instant) -> bool {
        let Some(wished) = self.wished else {
            self.wished = Some(now + self.least);
            return true;
        };
        if now + JITTER < wished {
            return false;
        }
        let late = (now + JITTER).duration_since(wished).as_nanos() / self.least.as_nanos().max(1);
        self.wished = Some(wished + self.least * (u32::try_from(late).unwrap_or(u32::MAX - 1) + 1));
        true
    }
}

/// A recording that runs.
#[derive(Debug)]
pub(crate) struct Recording {
    phone: Arc<Phone>,
    wanted: RecordingOptions,
    engine: FrameSource,
    /// The display's size when it began.
    display: (u32, u32),
    begun: Instant,
    refresh: Instant,
    dropper: Option<FrameDropper>,
    /// What the last picture showed: the display's generation, and whether it was hidden.
    seen: Option<(u64, bool)>,
    /// When the last picture was taken, and at which microsecond; how often it may be repeated still.
    last: (Instant, u64, u32),
    /// Pictures given.
    given: u32,
    /// Given after the parameter sets that came with it.
    held: Option<EncodedPicture>,
}

/// From a moment of the phone's clock to the next composition: apps draw at each refresh, the display is composed after it.
fn to_composition(wall: Duration) -> Duration {
    let into = wall.as_nanos() * 60 % 1_000_000_000 / 60;
    REFRESH.saturating_sub(Duration::from_nanos(u64::try_from(into).unwrap_or_default())) + COMPOSED_AFTER
}

/// The display's size as it stands.
fn size_of(phone: &Phone) -> (u32, u32) {
    let display = phone.with(|android| android.display());
    (display.width, display.height)
}

/// Makers whose encoders say which colours theirs are. Invented: what they write differs by chip.
fn vui_of(phone: &Phone) -> Vui {
    if phone.profile.manufacturer == "Google" {
        Vui::None
    } else {
        Vui::Colours
    }
}

impl Recording {
    /// Configures an encoder for the display as it stands.
    ///
    /// # Errors
    /// When the encoder does not take it.
    pub(crate) fn start(phone: &Arc<Phone>, wanted: RecordingOptions) -> Result<Self, NoEncoder> {
        let clip = phone.clip();
        let wanted = RecordingOptions {
            size: clip.as_ref().map_or(wanted.size, |clip| clip.options().size),
            ..wanted
        };
        let (width, height) = wanted.size;
        for fault in phone.all_faults() {
            match fault {
                Fault::EncoderFails => {
                    phone.meets(fault);
                    return Err(NoEncoder::Failed);
                }
                Fault::EncoderLimit(most) if width.max(height) > most => {
                    phone.meets(fault);
                    return Err(NoEncoder::Size(width, height));
                }
                _ => {}
            }
        }
        let display = size_of(phone);
        let projection = match wanted.fit {
            Fit::Stretched => Projection::stretched(display, wanted.size),
            Fit::Letterboxed => Projection::letterboxed(display, wanted.size),
        };
        let now = Instant::now();
        let engine = match clip {
            Some(clip) => {
                phone.begin_clip(now);
                FrameSource::Clip(clip, 0)
            }
            None => FrameSource::Live(Some(Box::new(EncoderPipeline {
                encoder: Encoder::new(&Settings {
                    width,
                    height,
                    bit_rate: wanted.bit_rate,
                    interval: wanted.interval,
                    vui: vui_of(phone),
                })?,
                planes: Planes::new(width, height),
                projection,
                generation: 0,
                dark: true,
            }))),
        };
        Ok(Self {
            phone: Arc::clone(phone),
            engine,
            display,
            begun: now,
            refresh: now + to_composition(phone.clock.wall()),
            dropper: wanted.max_fps.map(FrameDropper::new),
            seen: None,
            last: (now, 0, 0),
            given: 0,
            held: None,
            wanted,
        })
    }

    /// What comes next; waits as long as nothing changes.
    ///
    /// # Errors
    /// When the encoder fails.
    pub(crate) async fn next(&mut self) -> Result<RecordingOutput, NoEncoder> {
        if let Some(picture) = self.held.take() {
            return Ok(RecordingOutput::Picture(picture));
        }
        loop {
            if let FrameSource::Clip(clip, next) = &self.engine {
                let (clip, next) = (Arc::clone(clip), *next);
                if let Some(step) = self.play(&clip, next).await? {
                    return Ok(step);
                }
                continue;
            }
            self.refreshed().await;
            if let Some(step) = self.look().await? {
                return Ok(step);
            }
        }
    }

    /// A clip's next picture, when it is due. Whoever reads too slowly is given its next key frame.
    async fn play(&mut self, clip: &Arc<Clip>, next: u32) -> Result<Option<RecordingOutput>, NoEncoder> {
        if self.given == 0 && self.held.is_none() && next == 0 {
            self.engine = FrameSource::Clip(Arc::clone(clip), 1);
            self.held = self.clip_picture(clip, 0);
            self.given = 1;
            return Ok(Some(RecordingOutput::Config(clip.config.clone())));
        }
        tokio::time::sleep_until(self.begun + clip.due(next)).await;
        let late = self.begun.elapsed().saturating_sub(clip.due(next));
        if self.held_back(Instant::now())? || late > LATE {
            tokio::time::sleep(REFRESH).await;
            let key = clip.key_after(self.begun.elapsed());
            self.engine = FrameSource::Clip(Arc::clone(clip), key);
            return Ok(None);
        }
        self.engine = FrameSource::Clip(Arc::clone(clip), next.saturating_add(1));
        self.given = self.given.saturating_add(1);
        Ok(self.clip_picture(clip, next).map(RecordingOutput::Picture))
    }

    fn clip_picture(&self, clip: &Clip, number: u32) -> Option<EncodedPicture> {
        let at = number as usize % clip.pictures.len().max(1);
        Some(EncodedPicture {
            bytes: clip.pictures.get(at)?.clone(),
            key: at == 0,
            micros: u64::try_from(self.phone.clock.uptime().as_micros()).unwrap_or(u64::MAX),
        })
    }

    /// Waits for the display's next refresh. What was missed is not made up for.
    async fn refreshed(&mut self) {
        tokio::time::sleep_until(self.refresh).await;
        let late = self.refresh.elapsed().as_nanos() / REFRESH.as_nanos();
        self.refresh += REFRESH * (u32::try_from(late).unwrap_or(u32::MAX - 1) + 1);
    }

    async fn look(&mut self) -> Result<Option<RecordingOutput>, NoEncoder> {
        let (generation, display) = self
            .phone
            .with(|android| (android.generation(), android.display()));
        let display = (display.width, display.height);
        let turned = display != self.display;
        if turned && self.wanted.fit == Fit::Stretched && self.wanted.source == Source::Windows {
            return Ok(Some(RecordingOutput::Turned));
        }
        let now = Instant::now();
        let dark = self.wanted.source == Source::Dark || self.phone.has(Fault::Secure);
        if self.held_back(now)? {
            return Ok(None);
        }
        let waits = self.seen.is_none() && self.phone.has(Fault::StreamWaits);
        if waits {
            self.seen = Some((generation, dark));
        }
        let changed = self.seen != Some((generation, dark));
        let again = self.repeats(now);
        if !changed && again.is_none() {
            return Ok(None);
        }
        if changed
            && let Some(dropper) = &mut self.dropper
            && !dropper.passes(now)
        {
            return Ok(None);
        }
        let micros = match again.filter(|_| !changed) {
            Some(micros) => micros,
            None => u64::try_from(self.phone.clock.uptime().as_micros()).unwrap_or(u64::MAX),
        };
        let Some(coded) = self.shoot(dark).await? else {
            return Ok(None);
        };
        self.seen = Some((generation, dark));
        let repeats = if changed { REPEATS } else { self.last.2 - 1 };
        self.last = (now, micros, repeats);
        self.given = self.given.saturating_add(1);
        if turned {
            self.turn(display);
        }
        let picture = EncodedPicture {
            bytes: coded.frame,
            key: coded.key,
            micros,
        };
        Ok(Some(match coded.config {
            Some(config) => {
                self.held = Some(picture);
                RecordingOutput::Config(config)
            }
            None => RecordingOutput::Picture(picture),
        }))
    }

    /// Whether what is wrong with the phone keeps pictures from coming now.
    fn held_back(&self, now: Instant) -> Result<bool, NoEncoder> {
        let mut held = false;
        for fault in self.phone.all_faults() {
            let holds = match fault {
                Fault::EncoderFails => {
                    self.phone.meets(fault);
                    return Err(NoEncoder::Failed);
                }
                Fault::StreamStall(pictures) => self.given >= pictures,
                Fault::Stutter(millis) => now.duration_since(self.begun).subsec_millis() < millis,
                _ => false,
            };
            if holds {
                self.phone.meets(fault);
            }
            held |= holds;
        }
        Ok(held)
    }

    /// When a repetition of the last picture is due: its microsecond.
    fn repeats(&self, now: Instant) -> Option<u64> {
        let after = self.wanted.repeat?;
        let (at, micros, left) = self.last;
        let due = self.given > 0 && left > 0 && now >= at + after;
        due.then(|| micros + u64::try_from(after.as_micros()).unwrap_or_default())
    }

    /// Fits the turned display in; it is composed again for that.
    fn turn(&mut self, display: (u32, u32)) {
        self.display = display;
        self.seen = None;
        if let FrameSource::Live(Some(machine)) = &mut self.engine {
            machine.projection = Projection::letterboxed(display, self.wanted.size);
        }
    }

    /// Draws and encodes, on a thread for work that blocks. None: it was given up, as the runtime ends.
    async fn shoot(&mut self, dark: bool) -> Result<Option<EncoderOutput>, NoEncoder> {
        let FrameSource::Live(place) = &mut self.engine else {
            return Ok(None);
        };
        let Some(mut machine) = place.take() else {
            // A picture that was not waited for took it along.
            return Ok(std::future::pending().await);
        };
        let phone = Arc::clone(&self.phone);
        let work = tokio::task::spawn_blocking(move || {
            let coded = machine.shoot(&phone, dark);
            (machine, coded)
        });
        let Ok((machine, coded)) = work.await else {
            return Ok(None);
        };
        self.engine = FrameSource::Live(Some(machine));
        coded.map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At which refreshes pictures pass, of a display that changes at each.
    fn passed(rate: f32, refreshes: u32) -> Vec<u32> {
        let begun = Instant::now();
        let mut dropper = FrameDropper::new(rate);
        (0..refreshes)
            .filter(|at| dropper.passes(begun + REFRESH * *at))
            .collect()
    }

    #[tokio::test(start_paused = true)]
    async fn pictures_pass_at_the_rate_asked_for() {
        assert_eq!(passed(60.0, 5), [0, 1, 2, 3, 4]);
        assert_eq!(passed(30.0, 7), [0, 2, 4, 6]);
        assert_eq!(passed(1.0, 121), [0, 60, 120]);
        for (rate, expected) in [(25.0, 25), (24.0, 24), (50.0, 50), (15.0, 15), (200.0, 60)] {
            assert_eq!(passed(rate, 60).len(), expected, "{rate}");
        }
    }
}
