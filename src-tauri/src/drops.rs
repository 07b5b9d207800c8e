//! Files dropped on the main window. The system tells this side where they lie; the page hears what they are called, asks
//! what is to be done with them, and names them by number.

use engine::Engine;
use protocol::{Dropped, DroppedFile, Failure, FailureCode, FileKind, PhoneId};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tauri::ipc::Channel;
use tauri::{DragDropEvent, PhysicalPosition, Runtime, State, Window};

/// No person drops more at once and means each of them.
const MOST: usize = 100;

/// Drops whose files can be named: a page sends one file after another, and meanwhile more may be dropped.
const KEPT: usize = 16;

/// The newest drops, and who hears of drops.
#[derive(Default)]
pub struct Drops {
    state: Mutex<Newest>,
}

#[derive(Default)]
struct Newest {
    number: u32,
    /// Where the files of each lie, by its number.
    paths: BTreeMap<u32, Vec<PathBuf>>,
    told: Option<Channel<Dropped>>,
}

impl Newest {
    /// Another drop; gives its number.
    fn keep(&mut self, paths: Vec<PathBuf>) -> u32 {
        self.number = self.number.saturating_add(1);
        self.paths.insert(self.number, paths);
        while self.paths.len() > KEPT {
            self.paths.pop_first();
        }
        self.number
    }
}

impl Drops {
    fn state(&self) -> MutexGuard<'_, Newest> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page was loaded anew: what was dropped on the last one is nobody's.
    pub fn forget(&self) {
        let mut newest = self.state();
        newest.paths.clear();
        newest.told = None;
    }

    fn path(&self, drop: u32, file: usize) -> Result<PathBuf, Failure> {
        let newest = self.state();
        let path = newest.paths.get(&drop).and_then(|paths| paths.get(file));
        path.cloned().ok_or(FailureCode::NotFound.into())
    }

    /// What the system tells of files over the main window.
    pub fn tell<R: Runtime>(&self, window: &Window<R>, event: &DragDropEvent) {
        let at = |position: &PhysicalPosition<f64>| {
            // On Windows in pixels of the screen, on the others in those of the page.
            let scale = if cfg!(windows) {
                window.scale_factor().unwrap_or(1.0)
            } else {
                1.0
            };
            (position.x / scale, position.y / scale)
        };
        let mut newest = self.state();
        let told = match event {
            DragDropEvent::Enter { position, .. } | DragDropEvent::Over { position } => {
                let (x, y) = at(position);
                Dropped::Over { x, y }
            }
            DragDropEvent::Drop { paths, position } => {
                let paths: Vec<PathBuf> = paths.iter().take(MOST).cloned().collect();
                let (x, y) = at(position);
                let dropped = paths.iter().map(|path| about(path)).collect();
                let drop = newest.keep(paths);
                Dropped::Here { drop, x, y, dropped }
            }
            _ => Dropped::Away,
        };
        if let Some(channel) = &newest.told {
            // A page that is gone hears nothing more.
            let _ = channel.send(told);
        }
    }
}

/// What a page may know of a file.
fn about(path: &Path) -> DroppedFile {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let found = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file);
    let is_app = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("apk"));
    DroppedFile {
        name,
        bytes: found.as_ref().map_or(0, std::fs::Metadata::len),
        kind: match found {
            None => FileKind::Neither,
            Some(_) if is_app => FileKind::App,
            Some(_) => FileKind::File,
        },
    }
}

/// Tells of files that are held over the window, or let go on it, from now on.
#[tauri::command]
pub fn watch_drops(drops: State<'_, Drops>, channel: Channel<Dropped>) {
    drops.state().told = Some(channel);
}

/// Carries a dropped file to a phone's downloads, or installs it; gives its name there. How much of it went is told in
/// hundredths.
///
/// # Errors
/// [`FailureCode::NotFound`] when it is not of one of the newest drops; as [`Engine::send`] and [`Engine::install`].
#[tauri::command]
pub async fn send_file(
    engine: State<'_, Engine>,
    drops: State<'_, Drops>,
    phone: PhoneId,
    drop: u32,
    file: usize,
    install: bool,
    channel: Channel<u8>,
) -> Result<Option<String>, Failure> {
    let path = drops.path(drop, file)?;
    let whole = about(&path).bytes.max(1);
    let mut last = 0;
    let told = move |gone: u64| {
        let share = u8::try_from(gone.min(whole).saturating_mul(100) / whole).unwrap_or(100);
        if share > last {
            last = share;
            let _ = channel.send(share);
        }
    };
    if install {
        engine.install(&phone, &path, told).await.map(|()| None)
    } else {
        engine.send(&phone, &path, told).await.map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_hears_of_names_and_kinds_alone() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        for (path, name, bytes, kind) in [
            (put("a photo.jpg", b"12345"), "a photo.jpg", 5, FileKind::File),
            (put("Game.APK", b"PK"), "Game.APK", 2, FileKind::App),
            (put("empty", b""), "empty", 0, FileKind::File),
            (folder.path().join("gone.apk"), "gone.apk", 0, FileKind::Neither),
        ] {
            let expected = DroppedFile {
                name: name.to_owned(),
                bytes,
                kind,
            };
            assert_eq!(about(&path), expected);
        }
        assert_eq!(about(folder.path()).kind, FileKind::Neither, "a folder");
    }

    #[test]
    fn only_the_newest_drops_files_can_be_named() {
        let drops = Drops::default();
        let names = |number: usize| [PathBuf::from(format!("/{number}/a")), PathBuf::from("/b")];
        for number in 1..=KEPT + 2 {
            let named = drops.state().keep(names(number).into());
            assert_eq!(usize::try_from(named).unwrap(), number);
        }
        for (drop, file, expected) in [
            (18, 0, Some("/18/a")),
            (18, 1, Some("/b")),
            (18, 2, None),
            (3, 0, Some("/3/a")),
            (2, 0, None),
            (0, 0, None),
            (19, 0, None),
        ] {
            let found = drops.path(drop, file).map_err(|failure| failure.code);
            let expected = expected.map(PathBuf::from).ok_or(FailureCode::NotFound);
            assert_eq!(found, expected, "{drop}, {file}");
        }
        drops.forget();
        assert!(drops.path(18, 0).is_err());
        assert_eq!(drops.state().keep(Vec::new()), 19, "no number is used twice");
    }
}
