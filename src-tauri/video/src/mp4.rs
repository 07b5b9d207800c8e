//! The boxes of a clip, made by `shiguredo_mp4` of what a track and its samples are (ISO/IEC 14496-12, 14496-14, 14496-15;
//! Opus in ISOBMFF, 4.3).

use crate::VideoError;
use crate::avcc::Configuration;
use crate::sound::{SoundCodec, SoundConfiguration};
use bytes::Bytes;
use shiguredo_mp4::boxes::{
    AudioSampleEntryFields, Avc1Box, AvccBox, Brand, DinfBox, DopsBox, EsdsBox, FtypBox, HdlrBox, MdatBox,
    MdhdBox, MdiaBox, MehdBox, MfhdBox, MinfBox, MoofBox, MoovBox, Mp4aBox, MvexBox, MvhdBox, OpusBox,
    SampleEntry, SmhdBox, StblBox, StcoBox, StscBox, StsdBox, StszBox, SttsBox, TfdtBox, TfhdBox, TkhdBox,
    TrafBox, TrakBox, TrexBox, TrunBox, TrunSample, VisualSampleEntryFields, VmhdBox,
};
use shiguredo_mp4::descriptors::{
    DecoderConfigDescriptor, DecoderSpecificInfo, EsDescriptor, SlConfigDescriptor,
};
use shiguredo_mp4::{
    BoxHeader, BoxSize, Decode, Either, Encode, FixedPointNumber, Mp4FileTime, SampleFlags, Uint,
};
use std::num::{NonZeroU16, NonZeroU32};
use std::time::Duration;

/// The pictures' track.
pub(crate) const PICTURES: u32 = 1;
/// The sound's.
pub(crate) const SOUND: u32 = 2;
/// What the whole clip is counted in: milliseconds.
const MOVIE: NonZeroU32 = NonZeroU32::MIN.saturating_add(999);
/// A box that has more than four bytes of length before its content is larger than any fragment.
const BOX_HEADER: usize = 8;

/// One picture, or one packet of sound.
#[derive(Debug)]
pub(crate) struct Part {
    /// In units of its track, from the beginning of the clip.
    pub(crate) start: u64,
    /// In units of its track.
    pub(crate) length: u32,
    /// Decoding can begin with it.
    pub(crate) key: bool,
    pub(crate) data: Bytes,
}

/// What a piece of the file has of one track: one after the other, without a gap.
#[derive(Debug)]
pub(crate) struct Fragment {
    pub(crate) track: u32,
    pub(crate) parts: Vec<Part>,
}

/// What the beginning of the file is made of.
#[derive(Debug)]
pub(crate) struct Head {
    pictures: Pictures,
    sound: Option<SoundConfiguration>,
    created: Mp4FileTime,
    /// Units a second of the pictures' track.
    rate: u32,
}

#[derive(Debug)]
struct Pictures {
    /// `AVCDecoderConfigurationRecord`.
    record: Bytes,
    width: u16,
    height: u16,
}

impl Head {
    pub(crate) fn new(
        pictures: &Configuration,
        sound: Option<&SoundConfiguration>,
        created: Duration,
        rate: u32,
    ) -> Self {
        Self {
            pictures: Pictures {
                record: pictures.record.clone(),
                width: pictures.width,
                height: pictures.height,
            },
            sound: sound.cloned(),
            created: Mp4FileTime::from_unix_time(created),
            rate,
        }
    }

    /// The beginning of a clip that is so many microseconds long, or of one that has no end yet. As many bytes for any
    /// length.
    pub(crate) fn bytes(&self, length: u64) -> Result<Vec<u8>, VideoError> {
        let ftyp = FtypBox {
            major_brand: Brand::ISO5,
            minor_version: 0,
            compatible_brands: vec![Brand::ISOM, Brand::ISO5, Brand::ISO6, Brand::AVC1, Brand::MP41],
        };
        let mut tracks = vec![self.track(PICTURES, self.rate, self.pictures.entry()?)];
        if let Some(told) = &self.sound {
            tracks.push(self.track(SOUND, told.rate, sound_entry(told)?));
        }
        let opened = tracks.iter().map(|track| TrexBox {
            track_id: track.tkhd_box.track_id,
            default_sample_description_index: 1,
            default_sample_duration: 0,
            default_sample_size: 0,
            default_sample_flags: SampleFlags::new(0),
        });
        let mvex_box = Some(MvexBox {
            mehd_box: Some(MehdBox {
                fragment_duration: length.div_ceil(1000),
            }),
            trex_boxes: opened.collect(),
            unknown_boxes: Vec::new(),
        });
        let moov = MoovBox {
            mvhd_box: MvhdBox {
                creation_time: self.created,
                modification_time: self.created,
                timescale: MOVIE,
                duration: 0,
                rate: MvhdBox::DEFAULT_RATE,
                volume: MvhdBox::DEFAULT_VOLUME,
                matrix: MvhdBox::DEFAULT_MATRIX,
                next_track_id: SOUND + 1,
            },
            trak_boxes: tracks,
            mvex_box,
            unknown_boxes: Vec::new(),
        };
        let mut bytes = ftyp.encode_to_vec().map_err(unmade)?;
        bytes.extend(moov.encode_to_vec().map_err(unmade)?);
        Ok(bytes)
    }

    fn track(&self, number: u32, rate: u32, entry: SampleEntry) -> TrakBox {
        let sounds = number == SOUND;
        let side = |pixels: u16| FixedPointNumber::new(i16::try_from(pixels).unwrap_or(i16::MAX), 0);
        let (width, height) = if sounds {
            (side(0), side(0))
        } else {
            (side(self.pictures.width), side(self.pictures.height))
        };
        let (volume, handler_type, header) = if sounds {
            let balance = SmhdBox::DEFAULT_BALANCE;
            let header = Either::A(SmhdBox { balance });
            (TkhdBox::DEFAULT_AUDIO_VOLUME, HdlrBox::HANDLER_TYPE_SOUN, header)
        } else {
            let header = Either::B(VmhdBox {
                graphicsmode: VmhdBox::DEFAULT_GRAPHICSMODE,
                opcolor: VmhdBox::DEFAULT_OPCOLOR,
            });
            (TkhdBox::DEFAULT_VIDEO_VOLUME, HdlrBox::HANDLER_TYPE_VIDE, header)
        };
        TrakBox {
            tkhd_box: TkhdBox {
                flag_track_enabled: true,
                flag_track_in_movie: true,
                flag_track_in_preview: false,
                flag_track_size_is_aspect_ratio: false,
                creation_time: self.created,
                modification_time: self.created,
                track_id: number,
                duration: 0,
                layer: TkhdBox::DEFAULT_LAYER,
                alternate_group: TkhdBox::DEFAULT_ALTERNATE_GROUP,
                volume,
                matrix: TkhdBox::DEFAULT_MATRIX,
                width,
                height,
            },
            edts_box: None,
            mdia_box: MdiaBox {
                mdhd_box: MdhdBox {
                    creation_time: self.created,
                    modification_time: self.created,
                    timescale: NonZeroU32::new(rate).unwrap_or(MOVIE),
                    duration: 0,
                    language: MdhdBox::LANGUAGE_UNDEFINED,
                },
                hdlr_box: HdlrBox {
                    handler_type,
                    name: vec![0],
                },
                minf_box: MinfBox {
                    smhd_or_vmhd_box: Some(header),
                    dinf_box: DinfBox::LOCAL_FILE,
                    stbl_box: described(entry),
                    unknown_boxes: Vec::new(),
                },
                unknown_boxes: Vec::new(),
            },
            unknown_boxes: Vec::new(),
        }
    }
}

impl Pictures {
    fn entry(&self) -> Result<SampleEntry, VideoError> {
        // The record is the content of the box.
        let mut avcc = boxed_header(AvccBox::TYPE, self.record.len())?;
        avcc.extend_from_slice(&self.record);
        let (avcc_box, _) = AvccBox::decode(&avcc).map_err(unmade)?;
        Ok(SampleEntry::Avc1(Avc1Box {
            visual: VisualSampleEntryFields {
                data_reference_index: NonZeroU16::MIN,
                width: self.width,
                height: self.height,
                horizresolution: VisualSampleEntryFields::DEFAULT_HORIZRESOLUTION,
                vertresolution: VisualSampleEntryFields::DEFAULT_VERTRESOLUTION,
                frame_count: VisualSampleEntryFields::DEFAULT_FRAME_COUNT,
                compressorname: VisualSampleEntryFields::NULL_COMPRESSORNAME,
                depth: VisualSampleEntryFields::DEFAULT_DEPTH,
            },
            avcc_box,
            unknown_boxes: Vec::new(),
        }))
    }
}

/// The tables of samples are empty: each fragment has its own.
fn described(entry: SampleEntry) -> StblBox {
    StblBox {
        stsd_box: StsdBox { entries: vec![entry] },
        stts_box: SttsBox { entries: Vec::new() },
        ctts_box: None,
        cslg_box: None,
        stsc_box: StscBox { entries: Vec::new() },
        stsz_box: StszBox::Variable {
            entry_sizes: Vec::new(),
        },
        stco_or_co64_box: Either::A(StcoBox {
            chunk_offsets: Vec::new(),
        }),
        stss_box: None,
        sdtp_box: None,
        unknown_boxes: Vec::new(),
    }
}

fn sound_entry(told: &SoundConfiguration) -> Result<SampleEntry, VideoError> {
    let audio = AudioSampleEntryFields {
        data_reference_index: NonZeroU16::MIN,
        channelcount: u16::from(told.channels),
        samplesize: AudioSampleEntryFields::DEFAULT_SAMPLESIZE,
        // A rate that does not fit stands in the codec's own record.
        samplerate: FixedPointNumber::new(u16::try_from(told.rate).unwrap_or(0), 0),
    };
    if told.codec == SoundCodec::Opus {
        let Some([.., a, b, c, d, low, high, _family]) = told.record.first_chunk::<19>() else {
            return Err(VideoError::Clip("no OpusHead".to_owned()));
        };
        return Ok(SampleEntry::Opus(OpusBox {
            audio,
            dops_box: DopsBox {
                output_channel_count: told.channels,
                pre_skip: told.skip,
                input_sample_rate: u32::from_le_bytes([*a, *b, *c, *d]),
                output_gain: i16::from_le_bytes([*low, *high]),
            },
            unknown_boxes: Vec::new(),
        }));
    }
    let es = EsDescriptor {
        es_id: EsDescriptor::MIN_ES_ID,
        stream_priority: EsDescriptor::LOWEST_STREAM_PRIORITY,
        depends_on_es_id: None,
        url_string: None,
        ocr_es_id: None,
        dec_config_descr: DecoderConfigDescriptor {
            object_type_indication: DecoderConfigDescriptor::OBJECT_TYPE_INDICATION_AUDIO_ISO_IEC_14496_3,
            stream_type: DecoderConfigDescriptor::STREAM_TYPE_AUDIO,
            up_stream: DecoderConfigDescriptor::UP_STREAM_FALSE,
            buffer_size_db: Uint::new(0),
            max_bitrate: 0,
            avg_bitrate: 0,
            dec_specific_info: Some(DecoderSpecificInfo {
                payload: told.record.to_vec(),
            }),
        },
        sl_config_descr: SlConfigDescriptor,
    };
    Ok(SampleEntry::Mp4a(Mp4aBox {
        audio,
        esds_box: EsdsBox { es },
        unknown_boxes: Vec::new(),
    }))
}

/// One piece of the file: what is in it, then itself.
pub(crate) fn fragment(number: u32, fragments: &[Fragment]) -> Result<Vec<u8>, VideoError> {
    // How long the first box is does not depend on the places that stand in it.
    let placeless = moof(number, fragments, 0)?.encode_to_vec().map_err(unmade)?.len();
    let mut bytes = moof(number, fragments, placeless + BOX_HEADER)?
        .encode_to_vec()
        .map_err(unmade)?;
    let parts = || fragments.iter().flat_map(|fragment| &fragment.parts);
    let size: usize = parts().map(|part| part.data.len()).sum();
    bytes.reserve(BOX_HEADER + size);
    bytes.extend(boxed_header(MdatBox::TYPE, size)?);
    for part in parts() {
        bytes.extend_from_slice(&part.data);
    }
    Ok(bytes)
}

/// `from`: where the content begins, counted from the beginning of this box.
fn moof(number: u32, fragments: &[Fragment], from: usize) -> Result<MoofBox, VideoError> {
    let mut at = from;
    let mut traf_boxes = Vec::new();
    for fragment in fragments {
        let place = i32::try_from(at).map_err(|_| too_large())?;
        let mut samples = Vec::with_capacity(fragment.parts.len());
        for part in &fragment.parts {
            at += part.data.len();
            samples.push(TrunSample {
                duration: Some(part.length),
                size: Some(u32::try_from(part.data.len()).map_err(|_| too_large())?),
                flags: Some(if part.key {
                    // It depends on no other.
                    SampleFlags::from_fields(0, 2, 0, 0, 0, false, 0)
                } else {
                    SampleFlags::from_fields(0, 1, 0, 0, 0, true, 0)
                }),
                composition_time_offset: None,
            });
        }
        traf_boxes.push(TrafBox {
            tfhd_box: TfhdBox {
                track_id: fragment.track,
                base_data_offset: None,
                sample_description_index: None,
                default_sample_duration: None,
                default_sample_size: None,
                default_sample_flags: None,
                duration_is_empty: false,
                default_base_is_moof: true,
            },
            tfdt_box: Some(TfdtBox {
                // 64 bits.
                version: 1,
                base_media_decode_time: fragment.parts.first().map_or(0, |part| part.start),
            }),
            trun_boxes: vec![TrunBox {
                data_offset: Some(place),
                first_sample_flags: None,
                samples,
            }],
            unknown_boxes: Vec::new(),
        });
    }
    Ok(MoofBox {
        mfhd_box: MfhdBox {
            sequence_number: number,
        },
        traf_boxes,
        unknown_boxes: Vec::new(),
    })
}

fn boxed_header(kind: shiguredo_mp4::BoxType, content: usize) -> Result<Vec<u8>, VideoError> {
    let size = u32::try_from(BOX_HEADER + content).map_err(|_| too_large())?;
    let header = BoxHeader {
        box_type: kind,
        box_size: BoxSize::U32(size),
    };
    header.encode_to_vec().map_err(unmade)
}

fn too_large() -> VideoError {
    VideoError::Clip("more than a piece of a file can hold".to_owned())
}

fn unmade(error: shiguredo_mp4::Error) -> VideoError {
    VideoError::Clip(error.to_string())
}
