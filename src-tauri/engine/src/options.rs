//! How an engine is opened, and where it keeps what it keeps.

use crate::{ComputerTime, EngineError, ProgramChoice, TimeOfDay};
use adb::FollowedServer;
use secrecy::SecretString;
use std::path::PathBuf;
use std::sync::Arc;
use store::keychain::Keychain;

/// The folder's name where nobody says otherwise, in the system's place for such things.
const FOLDER: &str = "pocketdeck";

/// How an engine is opened.
pub struct Options {
    /// Where runs, pictures and settings are kept.
    pub folder: PathBuf,
    /// The adb servers to follow, the demo's aside.
    pub places: Vec<FollowedServer>,
    /// Which adb program this computer's server is started with.
    pub program: ProgramChoice,
    /// Demo phones may be shown.
    pub demo: bool,
    /// Where keys are kept.
    pub keychain: Keychain,
    /// A key from the environment: used instead of the keychain's.
    pub key: Option<SecretString>,
    /// The clock by which automations begin by themselves; without one, only the person begins them.
    pub scheduler: Option<Arc<dyn TimeOfDay>>,
}

impl Options {
    /// The usual ones: this computer's adb server, the system's keychain.
    ///
    /// # Errors
    /// When the environment names an adb server that is no address.
    pub fn usual(folder: PathBuf) -> Result<Self, EngineError> {
        let program = ProgramChoice::new(&folder);
        let place = program.place().map_err(EngineError::Environment)?;
        Ok(Self::at(folder, program, place))
    }

    /// The same with this computer's own adb server, whatever the environment names.
    #[must_use]
    pub fn own_server(folder: PathBuf) -> Self {
        let program = ProgramChoice::new(&folder);
        let place = program.own_place();
        Self::at(folder, program, place)
    }

    fn at(folder: PathBuf, program: ProgramChoice, place: FollowedServer) -> Self {
        Self {
            folder,
            places: vec![place],
            program,
            demo: true,
            keychain: Keychain::system(),
            key: None,
            scheduler: None,
        }
    }

    /// The same where automations begin by themselves, by this computer's clock.
    #[must_use]
    pub fn with_scheduler(self) -> Self {
        Self {
            scheduler: Some(Arc::new(ComputerTime)),
            ..self
        }
    }
}

/// Where data is kept when nobody says otherwise: `POCKETDECK_DATA`, else the system's place for a program's data.
///
/// # Errors
/// When the system names no such place.
pub fn usual_folder() -> Result<PathBuf, EngineError> {
    if let Some(folder) = std::env::var_os("POCKETDECK_DATA").filter(|folder| !folder.is_empty()) {
        return Ok(PathBuf::from(folder));
    }
    dirs::data_local_dir()
        .map(|folder| folder.join(FOLDER))
        .ok_or(EngineError::NoFolder)
}
