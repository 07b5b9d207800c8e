//! A clip: pictures, and sound where there is some, as a file that grows piece by piece and can be played up to the last
//! piece that was written (fragmented MP4: ISO/IEC 14496-12, 8.8).
//!
//! Each picture stands at its own time; how long it is shown is known once the next one is there, so the newest is held
//! back. Sound is taken as going on without a gap for as long as its times allow that: they are not exact to the sample.
//! One clip has one size: what comes of a turned screen is another clip.

use crate::VideoError;
use crate::avcc::{Configuration, Sample};
use crate::mp4::{self, Fragment, Head, Part};
use crate::sound::SoundConfiguration;
use bytes::Bytes;
use std::time::Duration;

/// Pictures are counted in microseconds.
const MICROS: u32 = 1_000_000;
/// Sound that comes later than this part of a second after what it should follow does not follow it.
const GAP: u64 = 20;

/// A clip that is being written.
#[derive(Debug)]
pub struct Clip {
    head: Head,
    pictures: Track,
    sound: Option<(SoundConfiguration, Track)>,
    number: u32,
}

/// How a clip ends.
#[derive(Debug, PartialEq, Eq)]
pub struct Ending {
    /// The last piece.
    pub fragment: Option<Vec<u8>>,
    /// What the beginning is to be replaced by: it has as many bytes, and says how long the clip is.
    pub beginning: Vec<u8>,
}

impl Clip {
    /// One of pictures that are read with this, and of such sound. `created`: since 1970.
    #[must_use]
    pub fn new(pictures: &Configuration, sound: Option<&SoundConfiguration>, created: Duration) -> Self {
        Self {
            head: Head::new(pictures, sound, created, MICROS),
            pictures: Track::new(MICROS),
            sound: sound.map(|told| (told.clone(), Track::new(told.rate))),
            number: 0,
        }
    }

    /// What the file begins with.
    ///
    /// # Errors
    /// [`VideoError::Clip`].
    pub fn beginning(&self) -> Result<Vec<u8>, VideoError> {
        self.head.bytes(0)
    }

    /// The next picture, shown from this microsecond of the clip on. The first must be a key frame.
    pub fn picture(&mut self, time: u64, sample: Sample) {
        // Two at the same moment, or one of an earlier one: the older is shown for no time at all.
        let start = self.pictures.after(1).map_or(time, |after| time.max(after));
        self.pictures.push(Part {
            start,
            length: 1,
            key: sample.key,
            data: sample.data,
        });
    }

    /// The next packet of the sound, heard from this microsecond of the clip on. Of a clip without sound it is left out.
    pub fn sound(&mut self, time: u64, data: Bytes) {
        let Some((told, track)) = &mut self.sound else {
            return;
        };
        let told_start = scaled(time, told.rate);
        let follows = track
            .last
            .as_ref()
            .map(|last| last.start + u64::from(last.length));
        let start = follows
            .filter(|follows| told_start < follows + u64::from(told.rate) / GAP)
            .unwrap_or(told_start);
        track.push(Part {
            start,
            length: told.samples(&data),
            key: true,
            data,
        });
    }

    /// The next piece of the file: all whose length is known; nothing when there is none.
    ///
    /// # Errors
    /// [`VideoError::Clip`].
    pub fn fragment(&mut self) -> Result<Option<Vec<u8>>, VideoError> {
        let parts: Vec<Fragment> = [
            Some((mp4::PICTURES, &mut self.pictures)),
            self.sound.as_mut().map(|(_, track)| (mp4::SOUND, track)),
        ]
        .into_iter()
        .flatten()
        .filter(|(_, track)| !track.known.is_empty())
        .map(|(track, waiting)| Fragment {
            track,
            parts: std::mem::take(&mut waiting.known),
        })
        .collect();
        if parts.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        mp4::fragment(self.number, &parts).map(Some)
    }

    /// Ends it at this microsecond: the last picture is shown until then.
    ///
    /// # Errors
    /// [`VideoError::Clip`].
    pub fn finish(mut self, end: u64) -> Result<Ending, VideoError> {
        let shown = self.pictures.end(Some(end));
        let heard = self.sound.as_mut().map_or(0, |(_, track)| track.end(None));
        let fragment = self.fragment()?;
        Ok(Ending {
            fragment,
            beginning: self.head.bytes(shown.max(heard))?,
        })
    }
}

/// What is pictured, or heard, one after the other.
#[derive(Debug)]
struct Track {
    /// Units a second.
    rate: u32,
    /// Those whose length is known.
    known: Vec<Part>,
    last: Option<Part>,
}

impl Track {
    fn new(rate: u32) -> Self {
        Self {
            rate,
            known: Vec::new(),
            last: None,
        }
    }

    /// So many units after the last one began.
    fn after(&self, units: u64) -> Option<u64> {
        self.last.as_ref().map(|last| last.start + units)
    }

    fn push(&mut self, part: Part) {
        if let Some(mut last) = self.last.take() {
            last.length = length(last.start, part.start);
            self.known.push(last);
        }
        self.last = Some(part);
    }

    /// Nothing more comes: the last one is as long as it says itself, or until then. Gives the end in microseconds.
    fn end(&mut self, until: Option<u64>) -> u64 {
        let Some(mut last) = self.last.take() else {
            return 0;
        };
        if let Some(until) = until {
            last.length = length(last.start, until).max(1);
        }
        let end = last.start + u64::from(last.length);
        self.known.push(last);
        let rate = u128::from(self.rate.max(1));
        u64::try_from(u128::from(end) * u128::from(MICROS) / rate).unwrap_or(u64::MAX)
    }
}

/// More than an hour of one picture does not fit.
fn length(from: u64, to: u64) -> u32 {
    u32::try_from(to.saturating_sub(from)).unwrap_or(u32::MAX)
}

/// A microsecond in units.
fn scaled(micros: u64, rate: u32) -> u64 {
    let units = u128::from(micros) * u128::from(rate) / u128::from(MICROS);
    u64::try_from(units).unwrap_or(u64::MAX)
}
