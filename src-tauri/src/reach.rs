//! How phones get here: paired over Wi-Fi while the page for it is open, and the program they are reached with.

use engine::{Engine, PairingPage};
use protocol::{
    AdbProgram, Failure, FailureCode, Fetching, MirrorServer, Nearby, Pairing, PairingOffer, PhoneId,
    WirelessPhone,
};
use secrecy::SecretString;
use serde::Deserialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tauri::ipc::Channel;
use tauri::{AppHandle, Runtime, State};
use tauri_plugin_opener::OpenerExt;
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

/// The pairing that is open, if one is. What it began ends with it.
#[derive(Default)]
pub struct Pairings {
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    page: Option<Arc<PairingPage>>,
    /// Where the newest picture's news go.
    tell: Option<Channel<Pairing>>,
    /// What tells of the newest picture, of the code that was typed, and of the phones around.
    picture: Option<AbortOnDropHandle<()>>,
    code: Option<AbortOnDropHandle<()>>,
    around: Option<AbortOnDropHandle<()>>,
}

impl Pairings {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The page was closed, or loaded anew.
    pub fn stop(&self) {
        *self.open() = Open::default();
    }

    /// The open one; begun where there is none.
    fn page(&self, engine: &Engine) -> Result<Arc<PairingPage>, Failure> {
        let mut open = self.open();
        if let Some(page) = &open.page {
            return Ok(Arc::clone(page));
        }
        let page = Arc::new(engine.open_pairing()?);
        open.page = Some(Arc::clone(&page));
        Ok(page)
    }
}

fn spawn(future: impl Future<Output = ()> + Send + 'static) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(future))
}

/// A picture for the phone's camera, and how far it comes. An earlier picture is void.
///
/// # Errors
/// When this computer's adb server is not there, is too old to pair, or nothing can be searched for.
#[tauri::command]
pub async fn pairing_start(
    engine: State<'_, Engine>,
    pairings: State<'_, Pairings>,
    channel: Channel<Pairing>,
) -> Result<PairingOffer, Failure> {
    if !engine.can_pair().await? {
        return Err(FailureCode::AdbTooOld.into());
    }
    let page = pairings.page(&engine)?;
    let (offer, mut stage) = page.offer()?;
    let tell = channel.clone();
    let picture = spawn(async move {
        loop {
            let now = stage.borrow_and_update().clone();
            if tell.send(now).is_err() || stage.changed().await.is_err() {
                return;
            }
        }
    });
    let mut open = pairings.open();
    open.picture = Some(picture);
    open.tell = Some(channel);
    open.code = None;
    Ok(offer)
}

/// Pairs with the phone that shows six digits at `address` (`host:port`). What comes of it is told where the newest
/// picture's news go.
///
/// # Errors
/// When no pairing is open.
#[tauri::command]
pub async fn pair_by_code(
    pairings: State<'_, Pairings>,
    code: SecretString,
    address: String,
) -> Result<(), Failure> {
    let mut open = pairings.open();
    let (Some(page), Some(tell)) = (open.page.clone(), open.tell.clone()) else {
        return Err(FailureCode::NotNow.into());
    };
    // The picture is void while a code is tried: one of the two tells.
    open.picture = None;
    open.code = Some(spawn(async move {
        let _ = tell.send(Pairing::Pairing);
        let paired = page.pair(&address, code).await;
        let _ = tell.send(match paired {
            Ok(serial) => Pairing::Done { serial },
            Err(failure) => Pairing::Failed { failure },
        });
    }));
    Ok(())
}

/// The phones on this network, all of them at each change, until [`pairing_stop`].
///
/// # Errors
/// As [`pairing_start`].
#[tauri::command]
pub async fn nearby(
    engine: State<'_, Engine>,
    pairings: State<'_, Pairings>,
    channel: Channel<Vec<Nearby>>,
) -> Result<(), Failure> {
    let page = pairings.page(&engine)?;
    let (now, mut later) = page.nearby();
    let around = spawn(async move {
        let mut list = Some(now);
        while let Some(phones) = list {
            if channel.send(phones).is_err() {
                return;
            }
            list = later.next().await;
        }
    });
    pairings.open().around = Some(around);
    Ok(())
}

/// Nothing is paired or searched for any more.
#[tauri::command]
pub async fn pairing_stop(pairings: State<'_, Pairings>) -> Result<(), Failure> {
    pairings.stop();
    Ok(())
}

/// The adb program that is used; nothing where there is none.
///
/// # Errors
/// When there is one that does not run.
#[tauri::command]
pub async fn adb_program(engine: State<'_, Engine>) -> Result<Option<AdbProgram>, Failure> {
    match engine.adb_program().await {
        Ok(program) => Ok(Some(program)),
        Err(failure) if failure.code == FailureCode::AdbMissing => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Fetches the adb program; told until it is here or is not.
#[tauri::command]
pub async fn fetch_adb(engine: State<'_, Engine>, channel: Channel<Fetching>) -> Result<(), Failure> {
    tell_on(engine.fetch_adb(), channel);
    Ok(())
}

/// scrcpy's server on this computer, and the one that can be fetched.
#[tauri::command]
pub async fn mirror_server(engine: State<'_, Engine>) -> Result<MirrorServer, Failure> {
    Ok(engine.mirror_server().await)
}

/// Fetches scrcpy's server; told until it is here or is not.
#[tauri::command]
pub async fn fetch_mirror_server(
    engine: State<'_, Engine>,
    channel: Channel<Fetching>,
) -> Result<(), Failure> {
    tell_on(engine.fetch_mirror_server(), channel);
    Ok(())
}

fn tell_on(mut stage: watch::Receiver<Fetching>, channel: Channel<Fetching>) {
    tokio::spawn(async move {
        loop {
            let now = stage.borrow_and_update().clone();
            let is_last = matches!(now, Fetching::Done | Fetching::Failed { .. });
            if channel.send(now).is_err() || is_last || stage.changed().await.is_err() {
                return;
            }
        }
    });
}

/// The pages outside that may be opened. The window names one; its address is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutsidePage {
    /// Where Google gives out its platform tools.
    PlatformTools,
    /// Where Google lists the phone makers' drivers for Windows.
    UsbDrivers,
    /// What scrcpy may be used for.
    ScrcpyLicence,
}

impl OutsidePage {
    fn address(self) -> &'static str {
        match self {
            Self::PlatformTools => engine::PLATFORM_TOOLS_PAGE,
            Self::UsbDrivers => "https://developer.android.com/studio/run/oem-usb",
            Self::ScrcpyLicence => "https://github.com/Genymobile/scrcpy/blob/master/LICENSE",
        }
    }
}

/// Opens a page in the person's own browser.
///
/// # Errors
/// When no browser answers.
#[tauri::command]
pub async fn open_page<R: Runtime>(app: AppHandle<R>, which: OutsidePage) -> Result<(), Failure> {
    open_outside(&app, which.address())
}

pub(crate) fn open_outside<R: Runtime>(app: &AppHandle<R>, address: &str) -> Result<(), Failure> {
    app.opener().open_url(address, None::<&str>).map_err(|error| {
        tracing::warn!(%error, "no browser opens a page");
        Failure {
            detail: Some(error.to_string()),
            ..FailureCode::NotNow.into()
        }
    })
}

/// Connects a phone over Wi-Fi, and remembers it.
///
/// # Errors
/// Why not.
#[tauri::command]
pub async fn connect_wireless(engine: State<'_, Engine>, phone: WirelessPhone) -> Result<(), Failure> {
    engine.connect_phone(&phone).await
}

/// Lets go of a phone over Wi-Fi for good.
///
/// # Errors
/// When that cannot be written down.
#[tauri::command]
pub async fn forget_wireless(engine: State<'_, Engine>, phone: WirelessPhone) -> Result<(), Failure> {
    engine.forget_phone(&phone).await
}

/// From the cable to Wi-Fi.
///
/// # Errors
/// When a run holds the phone, or it is on no Wi-Fi or another one.
#[tauri::command]
pub async fn over_wifi(engine: State<'_, Engine>, phone: PhoneId) -> Result<(), Failure> {
    engine.to_wifi(&phone).await
}
