//! The shell: the only room that names Tauri. Windows, commands, channels, notices.
//!
//! It decides nothing. Commands call the engine and carry its failures over; the pages show what they are told. Each
//! window may call only what its capability in `tauri.conf.json` lists, and the approval window alone may answer.
//!
//! Absent on purpose: sentences (they are in `ui/words/`), state of runs (room `engine`).
//!
//! Start reading at [`run`], then `commands`.

mod approval;
mod approval_window;
mod automation_notices;
pub mod automations;
pub mod clips;
pub mod closing;
pub mod commands;
pub mod credentials;
pub mod drops;
mod errors;
pub mod examinations;
pub mod history;
pub mod makers;
mod mirrors;
mod notices;
pub mod opening;
mod page_streams;
pub mod reach;
mod run_notices;
mod sounds;
mod tray;
mod windows;

use approval::Approvals;
use closing::Closings;
use drops::Drops;
use engine::{Engine, EngineError, Options};
use mirrors::Mirrors;
use opening::{Openings, Server};
use sounds::Sounds;
use std::process::ExitCode;
use tauri::{Builder, Manager, RunEvent, Runtime, Window, WindowEvent};

/// Starts the app and runs it to its end.
#[must_use]
pub fn run() -> ExitCode {
    engine::give_frames_back();
    engine::start_log(engine::LevelFilter::INFO);
    // Until the settings say otherwise.
    engine::words::speak(protocol::Language::System);
    // First of all: a second start only raises the first.
    let alone = tauri_plugin_single_instance::init(|app, _args, _folder| windows::raise_main(app));
    let usual = |server| {
        let folder = engine::usual_folder()?;
        let options = match server {
            Server::Named => Options::usual(folder)?,
            Server::Own => Options::own_server(folder),
        };
        Ok(options.with_scheduler())
    };
    let built = builder(tauri::Builder::default().plugin(alone), usual).build(tauri::generate_context!());
    let app = match built {
        Ok(app) => app,
        Err(error) => {
            tracing::error!(%error, "the app could not be started");
            return ExitCode::FAILURE;
        }
    };
    app.run(|app, event| {
        match event {
            RunEvent::Ready => opening::then(app, tray::open),
            // The icon in the dock brings back a window that was put away.
            #[cfg(target_os = "macos")]
            RunEvent::Reopen { .. } => windows::raise_main(app),
            // Nothing may reach a phone once the program is gone: the runs end first.
            RunEvent::Exit => {
                if let Some(engine) = app.try_state::<Engine>() {
                    tauri::async_runtime::block_on(engine.close());
                }
            }
            _ => {}
        }
    });
    ExitCode::SUCCESS
}

/// Everything but the system underneath: tests build the same app on a mock of it. `options` says where things are kept, and
/// is asked again at each try to open it.
pub fn builder<R: Runtime>(
    builder: Builder<R>,
    options: impl Fn(Server) -> Result<Options, EngineError> + Send + Sync + 'static,
) -> Builder<R> {
    with_parts(builder)
        .manage(Openings::new(Box::new(options)))
        .invoke_handler(tauri::generate_handler![
            opening::watch_opening,
            opening::remedy,
            commands::watch,
            commands::mirror_start,
            commands::mirror_ack,
            commands::mirror_key,
            commands::mirror_aim,
            commands::mirror_stop,
            sounds::sound_start,
            sounds::sound_ack,
            sounds::sound_stop,
            commands::run,
            commands::steer,
            commands::hand,
            commands::screenshot,
            clips::record_clip,
            clips::stop_clip,
            clips::show_clip,
            drops::watch_drops,
            drops::send_file,
            commands::picture,
            commands::app_icon,
            commands::patch_settings,
            commands::take_back,
            commands::save_key,
            commands::forget_key,
            commands::key_status,
            commands::try_model,
            commands::review,
            commands::own_window,
            commands::full_screen,
            reach::pairing_start,
            reach::pair_by_code,
            reach::nearby,
            reach::pairing_stop,
            reach::adb_program,
            reach::fetch_adb,
            reach::mirror_server,
            reach::fetch_mirror_server,
            reach::open_page,
            reach::connect_wireless,
            reach::forget_wireless,
            reach::over_wifi,
            examinations::examine,
            examinations::examine_stop,
            makers::makers,
            makers::maker_keys,
            makers::offered_models,
            makers::servers_nearby,
            makers::open_key_page,
            credentials::save_credential,
            credentials::forget_credential,
            credentials::installed_apps,
            commands::watch_asks,
            commands::answer,
            commands::confirm,
            commands::supply,
            commands::noticed,
            commands::fit,
            commands::give,
            commands::approvals,
            commands::export_approvals,
            history::history,
            history::run_story,
            history::go_on,
            history::export_run,
            history::erase_run,
            history::erase_everything,
            history::space_used,
            closing::watch_closing,
            closing::close_window,
            closing::starts_with_computer,
            closing::start_with_computer,
            automations::automations,
            automations::automation_save,
            automations::automation_delete,
            automations::automation_hold,
            automations::automation_quiet,
            automations::automation_proposal,
            automations::automation_run,
            automations::automation_occurrences,
            automations::automations_import,
            automations::automations_export_file,
        ])
        .setup(move |app| {
            let handle = app.handle().clone();
            opening::begin(&handle);
            windows::open_main(&handle)?;
            if closing::is_in_tray() {
                // Out of sight only once there is an icon that brings it back.
                windows::put_away(&handle, false);
            }
            Ok(())
        })
        .on_window_event(happened)
}

/// Plugins, and what the commands share.
fn with_parts<R: Runtime>(builder: Builder<R>) -> Builder<R> {
    builder
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::init())
        .plugin(
            tauri_plugin_autostart::Builder::new()
                .arg(closing::IN_TRAY)
                .build(),
        )
        .manage(Mirrors::default())
        .manage(Sounds::default())
        .manage(reach::Pairings::default())
        .manage(examinations::Examinations::default())
        .manage(Drops::default())
        .manage(Approvals::default())
        .manage(run_notices::RunNotices::default())
        .manage(automation_notices::AutomationNotices::default())
        .manage(Closings::default())
}

/// Something happened to a window.
fn happened<R: Runtime>(window: &Window<R>, event: &WindowEvent) {
    let app = window.app_handle();
    match (window.label(), event) {
        // The approval window does not keep the app alive by itself.
        (windows::MAIN, WindowEvent::Destroyed) => app.exit(0),
        (windows::MAIN, WindowEvent::CloseRequested { api, .. }) => closing::requested(window, api),
        (windows::MAIN, WindowEvent::DragDrop(event)) => app.state::<Drops>().tell(window, event),
        (windows::APPROVAL, WindowEvent::Destroyed) => {
            windows::keep_own_on_top(app, true);
            app.state::<Approvals>().closed();
            if let Some(engine) = app.try_state::<Engine>() {
                engine.drop_changes();
            }
        }
        _ => {}
    }
    if matches!(event, WindowEvent::Destroyed) {
        app.state::<Mirrors>().stop_of(window.label());
        app.state::<Sounds>().stop_of(window.label());
    }
}
