//! Why a file operation fails, by Linux number and bionic's words (`bionic/libc/bionic/strerror.cpp`).

/// One error number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Errno {
    #[error("Operation not permitted")]
    NotPermitted = 1,
    #[error("No such file or directory")]
    NotFound = 2,
    #[error("No such device or address")]
    NoDevice = 6,
    #[error("Bad file descriptor")]
    BadDescriptor = 9,
    #[error("Permission denied")]
    Access = 13,
    #[error("File exists")]
    Exists = 17,
    #[error("Cross-device link")]
    CrossDevice = 18,
    #[error("Not a directory")]
    NotDirectory = 20,
    #[error("Is a directory")]
    IsDirectory = 21,
    #[error("Invalid argument")]
    Invalid = 22,
    #[error("File too large")]
    TooLarge = 27,
    #[error("No space left on device")]
    NoSpace = 28,
    #[error("Read-only file system")]
    ReadOnly = 30,
    #[error("Broken pipe")]
    Pipe = 32,
    #[error("File name too long")]
    NameTooLong = 36,
    #[error("Directory not empty")]
    NotEmpty = 39,
    #[error("Too many symbolic links encountered")]
    Loop = 40,
}

impl Errno {
    /// The number on the wire (`STA2`, `LST2`).
    pub(crate) fn number(self) -> u32 {
        self as u32
    }
}
