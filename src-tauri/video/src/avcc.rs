//! Access units as decoders of the web take them: a configuration record (ISO/IEC 14496-15, 5.3.3.1), then NAL units each
//! behind its length.
//!
//! Annex B would do for some of them; for others it fails although they claim to read it.

use crate::VideoError;
use crate::nal::{self, Kind};
use crate::sps::Sps;
use bytes::{BufMut, Bytes, BytesMut};
use std::collections::BTreeMap;
use std::sync::Arc;

/// More parameter sets of a kind than any phone sends.
const MOST_SETS: usize = 16;
/// A longer one has been garbled on the way.
const LONGEST_SET: usize = 4096;

/// What a decoder must know before the first picture.
#[derive(Debug, PartialEq, Eq)]
pub struct Configuration {
    /// `AVCDecoderConfigurationRecord`, the content of an `avcC` box. Lengths have four bytes.
    pub record: Bytes,
    /// `avc1.PPCCLL`.
    pub codec: String,
    /// Pixels of the picture.
    pub width: u16,
    /// Pixels of the picture.
    pub height: u16,
    /// What is read from its sequence parameter set.
    pub sps: Sps,
    /// The parameter sets in Annex B, as the decoder of this room wants them.
    pub(crate) plain: Bytes,
}

/// One picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Decoding can begin with it.
    pub key: bool,
    /// NAL units, each behind its length: four bytes, big endian. No parameter sets, delimiters or filler.
    pub data: Bytes,
}

/// What became of an access unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// From this picture on decoders must be told this. Only with a key frame.
    pub configuration: Option<Arc<Configuration>>,
    /// The picture; none when the unit held none, or one that nothing can be made of yet.
    pub sample: Option<Sample>,
}

/// Packs one stream. Parameter sets are held back until the key frame they are for.
#[derive(Debug, Default)]
pub struct Packer {
    sps: BTreeMap<u32, Bytes>,
    pps: BTreeMap<Bytes, Bytes>,
    /// The sets changed since a configuration was made of them.
    fresh: bool,
    newest: u32,
    told: Option<Arc<Configuration>>,
    /// A picture was lost: the next must be a key frame.
    waiting: bool,
}

impl Packer {
    /// Packs an access unit, or parameter sets alone.
    ///
    /// # Errors
    /// [`VideoError::Sps`] when a key frame's set cannot be read, [`VideoError::NoParameterSets`] when it came without.
    pub fn pack(&mut self, unit: &[u8]) -> Result<Packed, VideoError> {
        // Lengths take no more room than start codes of four bytes; those of three are rare.
        let mut data = BytesMut::with_capacity(unit.len() + 16);
        let (mut key, mut picture) = (false, false);
        for nal in nal::units(unit) {
            let Some(header) = nal.first() else { continue };
            match nal::kind(*header) {
                Kind::Sps | Kind::Pps if nal.len() > LONGEST_SET => {}
                Kind::Sps => self.keep_sps(nal),
                Kind::Pps => self.keep_pps(nal),
                Kind::Delimiter | Kind::Filler => continue,
                kind => {
                    key |= kind == Kind::IdrSlice;
                    picture |= matches!(kind, Kind::Slice | Kind::IdrSlice | Kind::Partition);
                    data.put_u32(u32::try_from(nal.len()).unwrap_or(u32::MAX));
                    data.put_slice(nal);
                }
            }
        }
        if !picture || (!key && (self.waiting || self.told.is_none())) {
            return Ok(Packed::default());
        }
        let configuration = if key { self.configure()? } else { None };
        self.waiting = false;
        let data = data.freeze();
        Ok(Packed {
            configuration,
            sample: Some(Sample { key, data }),
        })
    }

    /// Something is missing in the stream: nothing is given out before the next key frame.
    pub fn skip_to_key(&mut self) {
        self.waiting = true;
    }

    /// What was told last.
    #[must_use]
    pub fn configuration(&self) -> Option<&Arc<Configuration>> {
        self.told.as_ref()
    }

    fn keep_sps(&mut self, nal: &[u8]) {
        // By its number where it can be read; one that cannot is complained of with its key frame.
        let id = Sps::read(nal).map_or(u32::MAX, |sps| sps.id);
        let known = self.sps.get(&id).is_some_and(|known| known == nal);
        if !known && (self.sps.len() < MOST_SETS || self.sps.contains_key(&id)) {
            self.sps.insert(id, Bytes::copy_from_slice(nal));
            self.fresh = true;
        }
        self.fresh |= self.newest != id;
        self.newest = id;
    }

    fn keep_pps(&mut self, nal: &[u8]) {
        // By its number, which stands in the first bits behind the header.
        let mut bits = crate::bits::Reader::new(nal.get(1..).unwrap_or_default());
        let id = bits.unsigned().unwrap_or(u32::MAX).to_be_bytes();
        let id = Bytes::copy_from_slice(&id);
        let known = self.pps.get(&id).is_some_and(|known| known == nal);
        if !known && (self.pps.len() < MOST_SETS || self.pps.contains_key(&id)) {
            self.pps.insert(id, Bytes::copy_from_slice(nal));
            self.fresh = true;
        }
    }

    /// A key frame is here: what it needs, if that is not what was told.
    fn configure(&mut self) -> Result<Option<Arc<Configuration>>, VideoError> {
        if self.told.is_some() && !self.fresh {
            return Ok(None);
        }
        let sps = self.sps.get(&self.newest).ok_or(VideoError::NoParameterSets)?;
        if self.pps.is_empty() {
            return Err(VideoError::NoParameterSets);
        }
        let sps = Sps::read(sps)?;
        let configuration = Configuration::new(sps, self.pps.values());
        self.fresh = false;
        if self.told.as_deref() == Some(&configuration) {
            return Ok(None);
        }
        let configuration = Arc::new(configuration);
        self.told = Some(Arc::clone(&configuration));
        Ok(Some(configuration))
    }
}

impl Configuration {
    fn new<'a>(sps: Sps, pps: impl Iterator<Item = &'a Bytes> + Clone) -> Self {
        let prompt = sps.prompt();
        let mut record = BytesMut::new();
        record.put_slice(&[1, sps.profile, sps.constraints, sps.level]);
        // Six bits reserved, lengths of four bytes; three bits reserved, one sequence parameter set.
        record.put_slice(&[0xff, 0xe1]);
        put_set(&mut record, &prompt);
        record.put_u8(u8::try_from(pps.clone().count()).unwrap_or(u8::MAX));
        for set in pps.clone() {
            put_set(&mut record, set);
        }
        if matches!(sps.profile, 100 | 110 | 122 | 144) {
            let low = |value: u32| u8::try_from(value).unwrap_or(u8::MAX);
            record.put_u8(0xfc | low(sps.chroma_format & 3));
            record.put_u8(0xf8 | low(sps.luma_depth.saturating_sub(8) & 7));
            record.put_u8(0xf8 | low(sps.chroma_depth.saturating_sub(8) & 7));
            record.put_u8(0);
        }
        let mut plain = BytesMut::new();
        let own = sps.plain();
        for set in std::iter::once(&own[..]).chain(pps.map(|set| &set[..])) {
            plain.put_u32(1);
            plain.put_slice(set);
        }
        Self {
            record: record.freeze(),
            codec: format!("avc1.{}", sps.codec()),
            width: sps.width,
            height: sps.height,
            sps,
            plain: plain.freeze(),
        }
    }
}

fn put_set(record: &mut BytesMut, set: &[u8]) {
    // A set is at most 4 KiB and its escapes.
    record.put_u16(u16::try_from(set.len()).unwrap_or(u16::MAX));
    record.put_slice(set);
}

/// Length-prefixed NAL units in Annex B: every length of four bytes becomes a start code of four.
pub(crate) fn annex_b(data: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(data);
    let mut at = start;
    while let Some(length) = out.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<4>) {
        let size = u32::from_be_bytes(*length);
        *length = [0, 0, 0, 1];
        at = at.saturating_add(4).saturating_add(size as usize);
    }
}
