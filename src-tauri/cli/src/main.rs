//! `deck`: the same rooms without a window.
//!
//! JSON on standard output, one object a line; messages on standard error. Exit 0 fine, 1 failed, 2 usage, 3 a person
//! was needed. Everything acts under the same judge, journal, lease and lock as the window.

mod act;
mod answering;
mod args;
mod automations;
mod devices;
mod doctor;
mod fetch;
mod history;
mod interrupts;
mod keyboard;
mod look;
mod opening;
mod parse;
mod phone;
mod phone_usage;
mod provider;
mod run;
mod say;
mod sentences;
mod telling;
mod timing;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    engine::give_frames_back();
    engine::start_log(engine::LevelFilter::ERROR);
    // A terminal has its language in its variables; what was chosen for the window is the window's.
    engine::words::speak(protocol::Language::System);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            say::note(&error.to_string());
            return ExitCode::from(1);
        }
    };
    let code = runtime.block_on(serve(args));
    // What still reads standard input on a blocking thread does not hold the program up.
    runtime.shutdown_background();
    ExitCode::from(code)
}

async fn serve(args: Args) -> u8 {
    let data = args.data.clone();
    let done = match args.command {
        Command::Parse(parse) => parse::parse(&parse),
        Command::Doctor(args) => doctor::doctor(data, args).await,
        Command::Devices => devices::devices(data).await,
        Command::Look(look) => look::look(data, look).await,
        Command::Act(act) => act::act(data, act).await,
        Command::Run(run) => run::run(data, run).await,
        Command::Fetch(args) => fetch::fetch(data, args).await,
        Command::Automations => automations::automations(data).await,
        Command::History(args) => history::history(data, args).await,
        Command::Show(args) => history::show(data, args).await,
        Command::Export(args) => history::export(data, args).await,
        Command::Keep(args) => history::keep(data, args).await,
        Command::Erase(args) => history::erase(data, args).await,
        Command::Phone(phone) => phone::phone(phone).await,
    };
    done.unwrap_or_else(|failure| say::failure(&failure))
}
