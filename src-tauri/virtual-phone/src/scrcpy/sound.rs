//! The phone's sound on its socket (`server/…/audio/AudioEncoder.java`, `device/Streamer.java`): a tone, coded beforehand,
//! over and over.
//!
//! Real packets of a real encoder (`assets/sound`), taken out of ADTS (ISO/IEC 13818-7, 6.2) and Ogg (RFC 3533, 6), as a
//! phone's `MediaCodec` gives them.

use super::message::Dialect;
use super::{Options, server_error};
use crate::process::Call;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::Instant;

const AAC: &[u8] = include_bytes!("../../assets/sound/tone.aac");
const OPUS: &[u8] = include_bytes!("../../assets/sound/tone.opus");
/// The first Android whose sound can be captured.
const FIRST: u32 = 30;
/// `playback` needs Android 13.
const FIRST_PLAYBACK: u32 = 33;
/// From one packet to the next.
const AAC_PACKET: Duration = Duration::from_nanos(1024 * 1_000_000_000 / 48_000);
const OPUS_PACKET: Duration = Duration::from_millis(20);

/// A tone as an encoder gives it.
#[derive(Debug)]
struct Tone {
    /// The codec's id on the socket.
    id: [u8; 4],
    /// `csd-0`, as `Streamer` sends it.
    config: Vec<u8>,
    packets: Vec<&'static [u8]>,
    /// How long each sounds.
    packet: Duration,
}

/// How the sound ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SoundEnd {
    /// It cannot be captured; everything else goes on.
    Disabled,
    /// The client is gone.
    Gone,
}

impl Tone {
    fn of(codec: &str) -> Option<Self> {
        match codec {
            "aac" => {
                let (config, packets) = adts(AAC)?;
                Some(Self {
                    id: *b"\0aac",
                    config,
                    packets,
                    packet: AAC_PACKET,
                })
            }
            "opus" => {
                let mut packets = ogg(OPUS).into_iter();
                let config = packets.next()?.to_vec();
                // What follows the head are tags, which no phone sends.
                let packets = packets.skip(1).collect();
                Some(Self {
                    id: *b"opus",
                    config,
                    packets,
                    packet: OPUS_PACKET,
                })
            }
            _ => None,
        }
    }
}

/// Sends the sound until the client hangs up.
pub(super) async fn run(
    call: &Call,
    options: &Options,
    dialect: Dialect,
    mut socket: DuplexStream,
) -> SoundEnd {
    let sdk = call.phone.profile.sdk;
    let codec = options.audio_codec.as_str();
    let refused = if sdk < FIRST {
        Some("Audio disabled: it is not supported before Android 11".to_owned())
    } else if options.audio_source == "playback" && sdk < FIRST_PLAYBACK {
        Some("Audio disabled: audio playback capture source not supported before Android 13".to_owned())
    } else if call.phone.is_mute() {
        Some("Failed to start audio capture".to_owned())
    } else {
        None
    };
    let (refused, word) = match (refused, Tone::of(codec)) {
        // `Streamer.writeDisableStream`: go on without.
        (Some(refused), _) => (refused, 0_u32),
        (None, Some(tone)) => return play(call, options, dialect, &tone, socket).await,
        // The client must not go on without.
        (None, None) => (format!("Could not create default audio encoder for {codec}"), 1),
    };
    // Its words may be heard by nobody.
    let _ = call.err(server_error(&refused)).await;
    let _ = socket.write_all(&word.to_be_bytes()).await;
    SoundEnd::Disabled
}

async fn play(
    call: &Call,
    options: &Options,
    dialect: Dialect,
    tone: &Tone,
    socket: DuplexStream,
) -> SoundEnd {
    let (mut reader, mut writer) = tokio::io::split(socket);
    let sending = async {
        if options.codec_meta {
            writer.write_all(&tone.id).await?;
        }
        let down = u32::from(dialect.major >= 4);
        let mut send = async |flags: u64, bytes: &[u8]| {
            let mut packet = Vec::with_capacity(bytes.len() + 12);
            if options.frame_meta {
                packet.extend(flags.to_be_bytes());
                packet.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
            }
            packet.extend_from_slice(bytes);
            writer.write_all(&packet).await
        };
        send(1 << (63 - down), &tone.config).await?;
        let begun = Instant::now();
        let mut count = 0;
        for bytes in tone.packets.iter().cycle() {
            // A packet is there when all of it was heard; its time is when it began to sound.
            let since = call.phone.clock.uptime();
            count += 1;
            tokio::time::sleep_until(begun + tone.packet * count).await;
            let micros = u64::try_from(since.as_micros()).unwrap_or(u64::MAX);
            // Each can be decoded by itself.
            send(micros | 1 << (62 - down), bytes).await?;
        }
        std::io::Result::Ok(())
    };
    let hangs_up = async {
        let mut unheard = [0; 64];
        while let Ok(1..) = reader.read(&mut unheard).await {}
    };
    tokio::select! {
        _ = sending => {}
        () = hangs_up => {}
    }
    SoundEnd::Gone
}

/// The `AudioSpecificConfig` and the packets of a stream of ADTS.
fn adts(bytes: &'static [u8]) -> Option<(Vec<u8>, Vec<&'static [u8]>)> {
    let head = bytes.first_chunk::<7>()?;
    let (object, rate) = ((head[2] >> 6) + 1, head[2] >> 2 & 0xf);
    let channels = (head[2] & 1) << 2 | head[3] >> 6;
    let config = vec![object << 3 | rate >> 1, (rate & 1) << 7 | channels << 3];
    let mut packets = Vec::new();
    let mut rest = bytes;
    while let Some(head) = rest.first_chunk::<7>() {
        let [_, second, _, a, b, c, _] = *head;
        let length = usize::from(a & 3) << 11 | usize::from(b) << 3 | usize::from(c) >> 5;
        // Without a sum behind it the head has seven bytes, else nine.
        let from = if second & 1 == 1 { 7 } else { 9 };
        packets.push(rest.get(from..length)?);
        rest = rest.get(length..)?;
    }
    Some((config, packets))
}

/// The packets of a stream of Ogg, none of which goes over two pages.
fn ogg(bytes: &'static [u8]) -> Vec<&'static [u8]> {
    let mut packets = Vec::new();
    let mut rest = bytes;
    while let Some(count) = rest.get(26).map(|count| usize::from(*count)) {
        let (Some(lacing), Some(mut body)) = (rest.get(27..27 + count), rest.get(27 + count..)) else {
            break;
        };
        let mut length = 0;
        for segment in lacing {
            length += usize::from(*segment);
            // A full one goes on in the next.
            if *segment < 255 {
                let Some((packet, after)) = body.split_at_checked(length) else {
                    return packets;
                };
                packets.push(packet);
                body = after;
                length = 0;
            }
        }
        rest = body;
    }
    packets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tones_are_what_encoders_gave() {
        let aac = Tone::of("aac").unwrap();
        assert_eq!((aac.config, aac.packets.len()), (vec![0x11, 0x90], 72));
        let opus = Tone::of("opus").unwrap();
        assert!(opus.config.starts_with(b"OpusHead\x01\x02"), "{:?}", opus.config);
        assert_eq!((opus.config.len(), opus.packets.len()), (19, 76));
        assert!(Tone::of("flac").is_none());
    }
}
