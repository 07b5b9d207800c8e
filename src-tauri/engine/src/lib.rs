//! Phones, runs and questions put together: the one door between the rooms and the two fronts.
//!
//! The window (the shell) and `deck` call no other room for what they do (`deck phone` alone starts a simulated phone), so
//! both act under the same judge, journal, lease and lock. It owns what is true while the program runs: which phones there are, which runs live, who holds which
//! phone, which questions are open. Listeners are told everything from the beginning and then as it happens, so a
//! window that was closed shows the same again.
//!
//! Absent on purpose: Tauri (the shell), standard input and output (`deck`), decisions (rooms `judge` and `agent`).
//!
//! Start reading at [`Engine::open`], then `runs`.

mod act;
mod adb_program;
mod app_icons;
mod approvals;
mod automations;
mod backoff;
mod changes;
mod clips;
mod clock;
mod credentials;
mod demo;
mod doctor;
mod engine;
mod error;
mod event_hub;
mod export;
mod fetch;
mod files;
mod history;
mod icon_cache;
mod lifecycle;
mod log;
mod loosening;
mod manual_control;
mod mirror;
mod mirror_server;
mod model_choice;
mod models;
mod notes;
mod ongoing_touch;
mod opening;
mod options;
mod phone_list;
mod phone_retry;
mod phone_session;
mod phones;
mod pictures;
mod program_choice;
mod programs;
mod recorder;
mod redact;
mod reply;
mod retention;
mod runs;
mod scripts;
mod settings;
mod sound;
mod spending;
mod typing;
mod wifi_reconnect;
#[cfg(test)]
mod wifi_reconnect_tests;
mod wireless;
pub mod words;

pub use act::OneAction;
pub use adb::Listing;
pub use adb::memory::give_frames_back;
/// Where Google gives out its platform tools.
pub use adb::tools::MAKERS_PAGE as PLATFORM_TOOLS_PAGE;
pub use agent::is_unusable;
pub use agent::timing;
pub use approvals::LARGEST_FILE;
pub use automations::{ComputerTime, TimeOfDay};
pub use backoff::ExponentialBackoff;
pub use clips::videos_folder;
pub use engine::Engine;
pub use error::EngineError;
pub use log::start_log;
pub use loosening::{loosened, loosens, tightened};
pub use mirror::{FallbackReason, Mirror, MirrorContent, MirrorMessage, StreamRequest, StreamSource};
pub use mirror_server::fetch_scrcpy;
pub use model_choice::{MODEL_KEY, ModelChoice};
pub use opening::{remedies, set_aside};
pub use options::{Options, usual_folder};
pub use phone_list::{PhoneList, PhoneSnapshot, not_found, not_listed};
pub use pictures::{Screenshot, documents_folder, pictures_folder, write_file};
pub use program_choice::ProgramChoice;
pub use reply::{ReplyOptions, ReplyReader};
pub use runs::{may_be_switched_off, no};
pub use sound::PhoneSound;
pub use store::keychain::Keychain;
pub use tracing_subscriber::filter::LevelFilter;
pub use wireless::{PairingPage, Watch};
