//! Android's own programs: what a phone is asked. Formats after Android 14's sources; each file names its own.
//!
//! Start reading at [`cmd`]: most of them are commands inside the system server.

mod activity;
mod app_process;
mod cmd;
mod content;
mod dumpsys;
mod gesture;
mod input;
mod input_method;
mod intent;
mod keys;
mod logcat;
mod monkey;
mod name;
mod package;
mod reply;
mod screencap;
mod screenrecord;
mod service;
mod settings;
mod svc;
mod uiautomator;
mod users;
mod window;

pub(crate) use screencap::picture;
pub(crate) use uiautomator::{TRACE as STACK_TRACE, unlabelled};

use crate::phone::Phone;
use crate::process::{Program, program};

/// Every program of Android's.
pub(crate) const PROGRAMS: &[Program] = &[
    program!("am", cmd::am),
    program!("app_process", app_process::main),
    program!("cmd", cmd::main),
    program!("content", content::main),
    program!("dumpsys", dumpsys::main),
    program!("ime", cmd::ime),
    program!("input", cmd::input_script),
    program!("logcat", logcat::main),
    program!("monkey", monkey::main),
    program!("pm", cmd::pm),
    program!("reboot", svc::reboot),
    program!("screencap", screencap::main),
    program!("screenrecord", screenrecord::main),
    program!("service", service::main),
    program!("settings", cmd::settings_script),
    program!("svc", svc::main),
    program!("uiautomator", uiautomator::main),
    program!("wm", cmd::wm),
];

/// The apps that have windows, and their processes' numbers (invented, but always the same).
pub(crate) fn app_processes(phone: &Phone) -> Vec<(String, u32)> {
    let mut packages: Vec<String> = phone
        .with(|android| android.windows())
        .into_iter()
        .filter(|window| window.title.contains('/'))
        .map(|window| window.package)
        .collect();
    packages.sort();
    packages.dedup();
    packages
        .into_iter()
        .map(|package| (package.clone(), name::pid(&package)))
        .collect()
}

#[cfg(test)]
mod tests;
