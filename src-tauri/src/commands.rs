//! What the windows may ask for. Each is one call to the engine; which window may call which is in `tauri.conf.json`.

use crate::approval::Approvals;
use crate::approval_window;
use crate::drops::Drops;
use crate::examinations::Examinations;
use crate::mirrors::Mirrors;
use crate::reach::Pairings;
use crate::sounds::Sounds;
use crate::windows::{self, FileKind};
use engine::{Engine, StreamRequest};
use protocol::{
    Answer, AskId, AskRecord, Bounds, Choice, Failure, FailureCode, FrameId, Hand, KeyStatus, Millis, News,
    Op, OpenAsks, PhoneId, Rule, RunId, Settings, SettingsPatch, Tried,
};
use secrecy::SecretString;
use tauri::ipc::{Channel, InvokeBody, InvokeResponseBody, Request, Response};
use tauri::{AppHandle, Manager, Runtime, State, WebviewWindow};

/// Everything from the beginning, then as it happens.
#[tauri::command]
pub fn watch<R: Runtime>(
    window: WebviewWindow<R>,
    engine: State<'_, Engine>,
    pairings: State<'_, Pairings>,
    examinations: State<'_, Examinations>,
    drops: State<'_, Drops>,
    channel: Channel<News>,
) {
    // A page that watches was just loaded: what an earlier one looked at is over.
    window.state::<Mirrors>().stop_of(window.label());
    window.state::<Sounds>().stop_of(window.label());
    if window.label() == windows::MAIN {
        pairings.stop();
        examinations.stop();
        drops.forget();
    }
    let mut news = engine.listen();
    tauri::async_runtime::spawn(async move {
        while let Some(one) = news.recv().await {
            if channel.send(one).is_err() {
                return;
            }
        }
    });
}

/// Begins to look at a phone, at most so many pixels a side and pictures a second; gives the mirror's number. `video`: the
/// page decodes H.264. What is sent is in `mirrors/message.rs`.
///
/// # Errors
/// When there is no such phone.
#[tauri::command]
pub async fn mirror_start<R: Runtime>(
    window: WebviewWindow<R>,
    engine: State<'_, Engine>,
    phone: PhoneId,
    longest_side: u16,
    fps: u16,
    video: bool,
    channel: Channel<InvokeResponseBody>,
) -> Result<u32, Failure> {
    let mirror = engine.mirror(&phone, StreamRequest { longest_side, fps }, video)?;
    Ok(window.state::<Mirrors>().start(window.label(), mirror, channel))
}

/// The page drew everything up to this message, or dropped it on purpose.
#[tauri::command]
pub fn mirror_ack(mirrors: State<'_, Mirrors>, mirror: u32, seq: u32) {
    mirrors.ack(mirror, seq);
}

/// The page's decoder lost its way: please begin again at a key frame.
#[tauri::command]
pub fn mirror_key(mirrors: State<'_, Mirrors>, mirror: u32) {
    mirrors.key(mirror);
}

/// The page wants another size or rate.
#[tauri::command]
pub fn mirror_aim(mirrors: State<'_, Mirrors>, mirror: u32, longest_side: u16, fps: u16) {
    mirrors.aim(mirror, StreamRequest { longest_side, fps });
}

/// The page looks away.
#[tauri::command]
pub fn mirror_stop(mirrors: State<'_, Mirrors>, mirror: u32) {
    mirrors.stop(mirror);
}

/// Starts one task on these phones. `anyway`: the person was told what cannot be typed there.
///
/// # Errors
/// As [`Engine::run`].
#[tauri::command]
pub async fn run(
    engine: State<'_, Engine>,
    phones: Vec<PhoneId>,
    goal: String,
    anyway: bool,
) -> Result<Vec<RunId>, Failure> {
    engine.run(&phones, &goal, anyway).await
}

/// What the person wants of a run.
///
/// # Errors
/// As [`Engine::steer`].
#[tauri::command]
pub async fn steer(engine: State<'_, Engine>, run: RunId, op: Op) -> Result<(), Failure> {
    engine.steer(&run, op).await
}

/// The person's own hand.
///
/// # Errors
/// As [`Engine::hand`].
#[tauri::command]
pub async fn hand(engine: State<'_, Engine>, phone: PhoneId, hand: Hand) -> Result<(), Failure> {
    engine.hand(&phone, hand).await
}

/// Takes a picture of the screen, then asks where it should go; says where it went, or nothing where the person chose no
/// place.
///
/// # Errors
/// As [`Engine::screenshot`] and [`engine::Screenshot::save`].
#[tauri::command]
pub async fn screenshot<R: Runtime>(
    window: WebviewWindow<R>,
    engine: State<'_, Engine>,
    phone: PhoneId,
) -> Result<Option<String>, Failure> {
    // The screen as it was when the button was pressed.
    let screenshot = engine.screenshot(&phone).await?;
    let Some(path) = windows::choose_place(&window, &screenshot.name, FileKind::Png).await else {
        return Ok(None);
    };
    screenshot.save(&path).await?;
    Ok(Some(path.to_string_lossy().into_owned()))
}

/// A stored picture as JPEG.
///
/// # Errors
/// As [`Engine::picture`].
#[tauri::command]
pub async fn picture(
    engine: State<'_, Engine>,
    frame: FrameId,
    longest_side: Option<u32>,
    crop: Option<Bounds>,
) -> Result<Response, Failure> {
    Ok(Response::new(engine.picture(&frame, longest_side, crop).await?))
}

/// An app's icon as its phone draws it, as PNG; no byte where it gives none now.
///
/// # Errors
/// None.
#[tauri::command]
pub async fn app_icon(engine: State<'_, Engine>, phone: PhoneId, app: String) -> Result<Response, Failure> {
    let icon = engine.app_icon(&phone, &app).await;
    Ok(Response::new(icon.unwrap_or_default()))
}

/// Changes settings. What would loosen something waits for a Yes in the approval window.
///
/// # Errors
/// As [`Engine::change_settings`].
#[tauri::command]
pub async fn patch_settings(engine: State<'_, Engine>, patch: SettingsPatch) -> Result<Settings, Failure> {
    engine.change_settings(patch).await?;
    Ok(engine.settings())
}

/// The answer to a change of the settings that loosens something.
///
/// # Errors
/// When it waits no longer, or a Yes came too early to be meant; as [`Engine::confirm`].
#[tauri::command]
pub async fn confirm(
    engine: State<'_, Engine>,
    approvals: State<'_, Approvals>,
    change: AskId,
    yes: bool,
) -> Result<(), Failure> {
    approvals.check(&change, if yes { Choice::Approve } else { Choice::Deny })?;
    engine.confirm(&change, yes).await
}

/// Takes back what was allowed for good.
///
/// # Errors
/// As [`Engine::take_back`].
#[tauri::command]
pub async fn take_back(engine: State<'_, Engine>, rule: Rule) -> Result<(), Failure> {
    engine.take_back(rule).await
}

/// Puts a key into the keychain. It crosses the glass once, inward.
///
/// # Errors
/// As [`Engine::save_key`].
#[tauri::command]
pub async fn save_key(engine: State<'_, Engine>, key: SecretString) -> Result<KeyStatus, Failure> {
    engine.save_key(key).await
}

/// Takes the key out of the keychain.
///
/// # Errors
/// As [`Engine::forget_key`].
#[tauri::command]
pub async fn forget_key(engine: State<'_, Engine>) -> Result<KeyStatus, Failure> {
    engine.forget_key().await
}

/// Whether there is a key; never what it is.
///
/// # Errors
/// None: what cannot be told is a status.
#[tauri::command]
pub async fn key_status(engine: State<'_, Engine>) -> Result<KeyStatus, Failure> {
    Ok(engine.key_status().await)
}

/// Two short answers of the AI: how long it took, and whether it points where it means to.
///
/// # Errors
/// Why there was none.
#[tauri::command]
pub async fn try_model(engine: State<'_, Engine>) -> Result<Tried, Failure> {
    engine.try_model().await
}

/// Raises the approval window with this question in front, because the person pressed Review on it.
///
/// # Errors
/// When the question is over.
#[tauri::command]
pub async fn review<R: Runtime>(
    app: AppHandle<R>,
    engine: State<'_, Engine>,
    ask: AskId,
) -> Result<(), Failure> {
    if approval_window::review(&app, &engine, &ask) {
        return Ok(());
    }
    Err(FailureCode::NotFound.into())
}

/// Shows a phone in a window of its own, above all others; one that has one is brought to the front.
///
/// # Errors
/// When the system opens no window.
#[tauri::command]
pub async fn own_window<R: Runtime>(app: AppHandle<R>, phone: PhoneId) -> Result<(), Failure> {
    windows::open_own(&app, &phone).map_err(no_window)
}

/// Lets the window fill its screen, or not; without a word it only asks. Says whether it does.
///
/// # Errors
/// When the system does not let it.
#[tauri::command]
pub async fn full_screen<R: Runtime>(window: WebviewWindow<R>, on: Option<bool>) -> Result<bool, Failure> {
    windows::full_screen(&window, on).map_err(no_window)
}

fn no_window(error: impl std::fmt::Display) -> Failure {
    tracing::warn!(%error, "the system did not do what a window asked for");
    Failure {
        detail: Some(error.to_string()),
        ..FailureCode::NotNow.into()
    }
}

/// The open questions, anew at each change.
#[tauri::command]
pub fn watch_asks<R: Runtime>(app: AppHandle<R>, engine: State<'_, Engine>, channel: Channel<OpenAsks>) {
    let mut open = engine.open_asks();
    app.state::<Approvals>().closed();
    tauri::async_runtime::spawn(async move {
        loop {
            let now = open.borrow_and_update().clone();
            let first = approval_window::front(&now).cloned();
            if channel.send(now).is_err() {
                return;
            }
            app.state::<Approvals>().shows(first.as_ref());
            if open.changed().await.is_err() {
                return;
            }
        }
    });
}

/// Answers a question.
///
/// # Errors
/// When there is no such question, or a Yes came too early to be meant.
#[tauri::command]
pub fn answer(
    engine: State<'_, Engine>,
    approvals: State<'_, Approvals>,
    answer: Answer,
) -> Result<(), Failure> {
    approvals.check(&answer.ask, answer.choice)?;
    engine.answer(answer)
}

/// A code or password, straight to the phone.
///
/// # Errors
/// As [`answer`].
#[tauri::command]
pub fn supply(
    engine: State<'_, Engine>,
    approvals: State<'_, Approvals>,
    ask: AskId,
    digest: String,
    value: SecretString,
) -> Result<(), Failure> {
    approvals.check(&ask, Choice::Supply)?;
    engine.supply(ask, digest, value)
}

/// A picture or file the person picked, straight to the phone: its bytes are the body, the rest is in headers.
///
/// # Errors
/// As [`answer`]; `bad_input` where a header is missing, `file_too_large`.
#[tauri::command]
pub fn give(
    engine: State<'_, Engine>,
    approvals: State<'_, Approvals>,
    request: Request<'_>,
) -> Result<(), Failure> {
    let header = |name: &str| -> Result<String, Failure> {
        let value = request.headers().get(name).and_then(|value| value.to_str().ok());
        value.map(decoded).ok_or_else(|| FailureCode::BadInput.into())
    };
    let InvokeBody::Raw(bytes) = request.body() else {
        return Err(FailureCode::BadInput.into());
    };
    let ask = AskId(header("x-ask")?);
    approvals.check(&ask, Choice::Give)?;
    engine.give(ask, header("x-digest")?, header("x-name")?, bytes)
}

/// A header holds ASCII: what does not is written as the page's `encodeURIComponent` writes it.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, more @ ..] = rest {
        rest = more;
        let pair = more.get(..2).filter(|_| *first == b'%');
        let value = pair
            .and_then(|pair| std::str::from_utf8(pair).ok())
            .and_then(|pair| u8::from_str_radix(pair, 16).ok());
        match value {
            Some(value) => {
                bytes.push(value);
                rest = more.get(2..).unwrap_or_default();
            }
            None => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What was asked and answered, newest first.
///
/// # Errors
/// As [`Engine::approvals`].
#[tauri::command]
pub async fn approvals(
    engine: State<'_, Engine>,
    before: Option<(Millis, AskId)>,
    limit: u32,
) -> Result<Vec<AskRecord>, Failure> {
    engine.approvals(before, limit).await
}

/// All of it as a table with its pictures in the person's documents; says where.
///
/// # Errors
/// As [`Engine::export_approvals`].
#[tauri::command]
pub async fn export_approvals(engine: State<'_, Engine>) -> Result<String, Failure> {
    Ok(engine.export_approvals().await?.to_string_lossy().into_owned())
}

/// The person moved the pointer or the focus inside the approval window.
#[tauri::command]
pub fn noticed(approvals: State<'_, Approvals>, ask: AskId) {
    approvals.noticed(&ask);
}

/// The approval window's page needs so much room, in its pixels: large text needs more than was reckoned with.
#[tauri::command]
pub fn fit<R: Runtime>(app: AppHandle<R>, width: f64, height: f64) {
    windows::fit_approval(&app, width, height);
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn a_header_is_read_as_the_page_wrote_it() {
        for (written, name) in [
            ("holiday.jpg", "holiday.jpg"),
            ("Mum%E2%80%99s%20cat.png", "Mum’s cat.png"),
            ("100%25.txt", "100%.txt"),
            ("50%", "50%"),
            ("a%zz", "a%zz"),
            ("%E2%80", "\u{fffd}"),
        ] {
            assert_eq!(decoded(written), name, "{written}");
        }
    }
}
