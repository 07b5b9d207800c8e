//! What can be wrong with a stream.

/// Everything this room can fail with. All of it is the stream's doing, or the decoder's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VideoError {
    /// A sequence parameter set that ends early, or says what cannot be.
    #[error("a sequence parameter set makes no sense: {0}")]
    Sps(&'static str),
    /// A picture came before what tells how to read it.
    #[error("no parameter sets")]
    NoParameterSets,
    /// Framing that is not scrcpy's.
    #[error("not scrcpy's framing: {0}")]
    Framing(&'static str),
    /// The phone sends no video, or no sound: its server says so instead of a codec.
    #[error("the phone's server sends none: {0}")]
    Disabled(&'static str),
    /// Another codec than H.264.
    #[error("not H.264 but {0:#010x}")]
    Codec(u32),
    /// Sound of another codec than was asked for.
    #[error("neither AAC nor Opus but {0:#010x}")]
    SoundCodec(u32),
    /// What tells how to read the sound makes none.
    #[error("the sound makes no sense: {0}")]
    Sound(&'static str),
    /// A clip's file could not be made.
    #[error("no clip: {0}")]
    Clip(String),
    /// The decoder cannot read it.
    #[error("not decoded: {0}")]
    Undecodable(String),
}
