//! The main window, the approval window, and those of single phones. None may go anywhere else.

use crate::errors::ShellError;
use protocol::{AutomationId, PhoneId};
use std::fmt::Write as _;
use std::path::PathBuf;
use tauri::webview::NewWindowResponse;
use tauri::{
    AppHandle, LogicalSize, Manager, PhysicalPosition, PhysicalRect, PhysicalSize, Runtime, Url, WebviewUrl,
    WebviewWindow, WebviewWindowBuilder,
};
use tauri_plugin_dialog::DialogExt;
use tokio::sync::oneshot;

/// The main window's label.
pub(crate) const MAIN: &str = "main";
/// The approval window's label.
pub(crate) const APPROVAL: &str = "approval";

/// Size of the main window, in pixels of the page.
const MAIN_SIZE: (f64, f64) = (1280.0, 820.0);
const MAIN_LEAST: (f64, f64) = (960.0, 640.0);
/// Width of the approval window; its height depends on the question.
const APPROVAL_WIDTH: f64 = 520.0;
/// What the system draws above a window, at most.
const TITLE_BAR: f64 = 48.0;

/// What the labels of single phones' windows begin with.
const OWN: &str = "phone-";
/// Size of a single phone's window, in pixels of the page.
const OWN_SIZE: (f64, f64) = (400.0, 860.0);
const OWN_LEAST: (f64, f64) = (280.0, 420.0);

/// Opens the main window.
pub(crate) fn open_main<R: Runtime>(app: &AppHandle<R>) -> Result<(), ShellError> {
    let window = builder(app, MAIN, "index.html")
        .title("PocketDeck")
        .inner_size(MAIN_SIZE.0, MAIN_SIZE.1)
        .min_inner_size(MAIN_LEAST.0, MAIN_LEAST.1);
    #[cfg(target_os = "macos")]
    let window = window
        .title_bar_style(tauri::TitleBarStyle::Overlay)
        .hidden_title(true);
    window.build()?;
    Ok(())
}

/// Brings the main window to the front.
pub(crate) fn raise_main<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(MAIN) {
        raise(&window);
    }
}

/// The person looks at the main window.
pub(crate) fn main_is_looked_at<R: Runtime>(app: &AppHandle<R>) -> bool {
    app.get_webview_window(MAIN)
        .is_some_and(|window| window.is_focused().unwrap_or(false))
}

/// Brings the main window to the front with this phone's page.
pub(crate) fn open_phone<R: Runtime>(app: &AppHandle<R>, phone: &PhoneId) {
    open_page(app, "#/phone/", &phone.0);
}

/// Brings the main window to the front with this automation's page.
pub(crate) fn open_automation<R: Runtime>(app: &AppHandle<R>, automation: &AutomationId) {
    open_page(app, "#/automations/", &automation.0);
}

fn open_page<R: Runtime>(app: &AppHandle<R>, page: &str, id: &str) {
    let Some(window) = app.get_webview_window(MAIN) else {
        return;
    };
    // A string of JSON is one of JavaScript; the page decodes it as it decodes its own addresses.
    let id = serde_json::Value::from(id);
    if let Err(error) = window.eval(format!("location.hash = '{page}' + encodeURIComponent({id})")) {
        tracing::warn!(%error, "a page could not be opened");
    }
    raise(&window);
}

/// Shows a phone in a window of its own above all others; brings the one it has to the front.
pub(crate) fn open_own<R: Runtime>(app: &AppHandle<R>, phone: &PhoneId) -> Result<(), ShellError> {
    let label = own_label(phone);
    if let Some(window) = app.get_webview_window(&label) {
        raise(&window);
        return Ok(());
    }
    let mut page =
        Url::parse("tauri://localhost/phone.html").map_err(|error| ShellError::Address(error.into()))?;
    page.query_pairs_mut().append_pair("phone", &phone.to_string());
    let page = format!("phone.html?{}", page.query().unwrap_or_default());
    builder(app, &label, &page)
        .title("PocketDeck")
        // The phone's name, as the page has it.
        .on_document_title_changed(|window, title| {
            if let Err(error) = window.set_title(&title) {
                tracing::info!(%error, "a phone's window keeps its title");
            }
        })
        .disable_drag_drop_handler()
        .inner_size(OWN_SIZE.0, OWN_SIZE.1)
        .min_inner_size(OWN_LEAST.0, OWN_LEAST.1)
        .always_on_top(app.get_webview_window(APPROVAL).is_none())
        .build()?;
    Ok(())
}

/// A label holds letters and digits only.
fn own_label(phone: &PhoneId) -> String {
    phone.to_string().bytes().fold(OWN.to_owned(), |mut label, byte| {
        // Writing into a string does not fail.
        let _ = write!(label, "{byte:02x}");
        label
    })
}

/// Single phones' windows lie above all others, or not: nothing lies above a question.
pub(crate) fn keep_own_on_top<R: Runtime>(app: &AppHandle<R>, on: bool) {
    for (label, window) in app.webview_windows() {
        if label.starts_with(OWN)
            && let Err(error) = window.set_always_on_top(on)
        {
            tracing::info!(%error, "a phone's window stays as high as it was");
        }
    }
}

/// Puts the main window away: out of sight where an icon beside the clock brings it back, else into the taskbar.
pub(crate) fn put_away<R: Runtime>(app: &AppHandle<R>, has_tray: bool) {
    let Some(window) = app.get_webview_window(MAIN) else {
        return;
    };
    let away = if has_tray {
        window.hide()
    } else {
        window.minimize()
    };
    if let Err(error) = away {
        tracing::warn!(%error, "the window could not be put away");
    }
}

/// Shows the approval window above everything, without taking the keyboard; a hidden or covered one comes back.
pub(crate) fn open_approval<R: Runtime>(
    app: &AppHandle<R>,
    title: &str,
    height: f64,
) -> Result<(), ShellError> {
    keep_own_on_top(app, false);
    if let Some(window) = app.get_webview_window(APPROVAL) {
        window.set_size(tauri::LogicalSize::new(APPROVAL_WIDTH, height))?;
        window.unminimize()?;
        window.show()?;
        return Ok(());
    }
    builder(app, APPROVAL, "approval.html")
        .title(title)
        .disable_drag_drop_handler()
        .inner_size(APPROVAL_WIDTH, height)
        .resizable(false)
        .maximizable(false)
        .minimizable(false)
        .always_on_top(true)
        .visible_on_all_workspaces(true)
        .skip_taskbar(false)
        .focused(false)
        .center()
        .build()?;
    Ok(())
}

/// Makes the approval window as large as its page needs, in pixels of the page, as far as its screen has room. It is never
/// narrower than it is opened.
pub(crate) fn fit_approval<R: Runtime>(app: &AppHandle<R>, width: f64, height: f64) {
    let Some(window) = app.get_webview_window(APPROVAL) else {
        return;
    };
    let fitted = || -> tauri::Result<()> {
        let Some(monitor) = window.current_monitor()? else {
            return Ok(());
        };
        let area = monitor.work_area();
        let room = area.size.to_logical::<f64>(monitor.scale_factor());
        let width = width.max(APPROVAL_WIDTH).min(room.width);
        let height = height.min(room.height - TITLE_BAR);
        let (scale, inner) = (window.scale_factor()?, window.inner_size()?);
        let is = inner.to_logical::<f64>(scale);
        if (is.width - width).abs() < 1.0 && (is.height - height).abs() < 1.0 {
            return Ok(());
        }
        let outer = window.outer_size()?;
        let whole = PhysicalRect {
            position: window.outer_position()?,
            size: outer,
        };
        let wanted = LogicalSize::new(width, height);
        let content: PhysicalSize<u32> = wanted.to_physical(scale);
        let to = PhysicalSize::new(
            content.width + outer.width.saturating_sub(inner.width),
            content.height + outer.height.saturating_sub(inner.height),
        );
        window.set_size(wanted)?;
        window.set_position(grown(area, &whole, to))
    };
    if let Err(error) = fitted() {
        tracing::info!(%error, "the approval window keeps its size");
    }
}

/// Where a window that is resized begins, in pixels of the screen: it grows about its own middle, for it may be where the person
/// has put it, and stays on its screen.
fn grown(
    area: &PhysicalRect<i32, u32>,
    window: &PhysicalRect<i32, u32>,
    to: PhysicalSize<u32>,
) -> PhysicalPosition<i32> {
    let along = |least: i32, room: u32, at: i32, is: u32, to: u32| {
        let begins = i64::from(at) + (i64::from(is) - i64::from(to)) / 2;
        let last = i64::from(least) + i64::from(room) - i64::from(to);
        let begins = begins.min(last).max(i64::from(least));
        i32::try_from(begins).unwrap_or(least)
    };
    let (from, room) = (area.position, area.size);
    let (at, is) = (window.position, window.size);
    PhysicalPosition::new(
        along(from.x, room.width, at.x, is.width, to.width),
        along(from.y, room.height, at.y, is.height, to.height),
    )
}

/// Gives the approval window another title, where it is open.
pub(crate) fn name_approval<R: Runtime>(app: &AppHandle<R>, title: &str) {
    if let Some(window) = app.get_webview_window(APPROVAL)
        && let Err(error) = window.set_title(title)
    {
        tracing::info!(%error, "the approval window keeps its title");
    }
}

/// Puts the approval window away.
pub(crate) fn close_approval<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(APPROVAL)
        && let Err(error) = window.destroy()
    {
        tracing::warn!(%error, "the approval window could not be closed");
    }
}

/// Lets a window fill its screen, or not; `None` only asks. Says whether it does.
pub(crate) fn full_screen<R: Runtime>(window: &WebviewWindow<R>, on: Option<bool>) -> tauri::Result<bool> {
    match on {
        Some(on) => window.set_fullscreen(on).map(|()| on),
        None => window.is_fullscreen(),
    }
}

/// Brings the approval window to the front and gives it the keyboard, because the person asked for it.
pub(crate) fn focus_approval<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(APPROVAL) {
        raise(&window);
    }
}

/// The dock or the taskbar calls the person, where they look at something else.
pub(crate) fn call_attention<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(MAIN)
        && !window.is_focused().unwrap_or(false)
        && let Err(error) = window.request_user_attention(Some(tauri::UserAttentionType::Critical))
    {
        tracing::debug!(%error, "the person's attention could not be called");
    }
}

/// Whether a person can see the approval window.
pub(crate) fn approval_is_visible<R: Runtime>(app: &AppHandle<R>) -> bool {
    app.get_webview_window(APPROVAL)
        .is_some_and(|window| window.is_visible().unwrap_or(false) && !window.is_minimized().unwrap_or(true))
}

/// What a file holds, by its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// A picture.
    Png,
    /// Text that programs read.
    Json,
}

/// Asks the person for a place for a file; none where they chose none.
pub(crate) async fn choose_place<R: Runtime>(
    window: &WebviewWindow<R>,
    name: &str,
    kind: FileKind,
) -> Option<PathBuf> {
    let (label, ending, folder) = match kind {
        FileKind::Png => ("PNG", "png", engine::pictures_folder()),
        FileKind::Json => ("JSON", "json", engine::documents_folder()),
    };
    let mut dialog = window
        .dialog()
        .file()
        .set_file_name(name)
        .add_filter(label, &[ending]);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    let (answer, answered) = oneshot::channel();
    dialog.set_parent(window).save_file(move |path| {
        let _ = answer.send(path);
    });
    answered.await.ok().flatten()?.into_path().ok()
}

fn raise<R: Runtime>(window: &WebviewWindow<R>) {
    let raised = window
        .unminimize()
        .and_then(|()| window.show())
        .and_then(|()| window.set_focus());
    if let Err(error) = raised {
        // Some systems (Wayland) let no program raise itself: then it asks for attention.
        tracing::info!(%error, "a window could not be raised");
        let _ = window.request_user_attention(Some(tauri::UserAttentionType::Critical));
    }
}

fn builder<'a, R: Runtime>(
    app: &'a AppHandle<R>,
    label: &str,
    page: &str,
) -> WebviewWindowBuilder<'a, R, AppHandle<R>> {
    WebviewWindowBuilder::new(app, label, WebviewUrl::App(page.into()))
        .on_navigation(is_ours)
        .on_new_window(|_, _| NewWindowResponse::Deny)
}

/// The pages inside the program, and in development the server that `tauri dev` starts.
fn is_ours(url: &Url) -> bool {
    let inside = url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost");
    let development =
        cfg!(debug_assertions) && url.host_str() == Some("localhost") && url.port() == Some(1420);
    inside || development
}

#[cfg(test)]
mod tests {
    use super::grown;
    use tauri::{PhysicalPosition, PhysicalRect, PhysicalSize};

    #[test]
    fn a_window_grows_about_its_middle_and_stays_on_its_screen() {
        let check = |at: (i32, i32), is: (u32, u32), to: (u32, u32), expected: (i32, i32)| {
            // A second screen with a panel on top.
            let rect = |at: (i32, i32), size: (u32, u32)| PhysicalRect {
                position: PhysicalPosition::from(at),
                size: PhysicalSize::from(size),
            };
            let area = rect((1920, 30), (1280, 770));
            let found = grown(&area, &rect(at, is), PhysicalSize::from(to));
            assert_eq!((found.x, found.y), expected, "{at:?} {is:?} to {to:?}");
        };
        check((2300, 165), (520, 500), (520, 600), (2300, 115));
        check((2000, 200), (520, 500), (520, 400), (2000, 250));
        check((2680, 60), (520, 500), (600, 500), (2600, 60));
        check((1920, 400), (520, 400), (520, 600), (1920, 200));
        check((2300, 60), (520, 500), (520, 900), (2300, 30));
        check((2300, 30), (520, 500), (1400, 500), (1920, 30));
    }
}
