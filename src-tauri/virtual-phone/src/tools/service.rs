//! `service` (`frameworks/native/cmds/service/service.cpp`): `list`, `check`. A `call` reaches no transaction.

use super::cmd::{SERVICES, exists};
use crate::process::{Call, ProgramResult};

/// `service list | check NAME | call NAME CODE …`.
pub(super) async fn main(call: Call) -> ProgramResult {
    call.phone.clock.work(12).await;
    let words: Vec<&str> = call.arguments().iter().map(String::as_str).collect();
    match words.as_slice() {
        ["list"] => {
            let living: Vec<_> = SERVICES.iter().filter(|(name, _)| exists(&call, name)).collect();
            let lines = living
                .iter()
                .enumerate()
                .map(|(at, (name, interface))| format!("{at}\t{name}: [{interface}]\n"));
            call.out(format!(
                "Found {} services:\n{}",
                living.len(),
                lines.collect::<String>()
            ))
            .await?;
            Ok(0)
        }
        ["check", name] => {
            let state = if exists(&call, name) { "found" } else { "not found" };
            call.out(format!("Service {name}: {state}\n")).await?;
            Ok(0)
        }
        ["call", name, ..] if !exists(&call, name) => {
            call.err(format!("service: Service {name} does not exist\n"))
                .await?;
            Ok(10)
        }
        // `UNKNOWN_TRANSACTION`: what a service answers to a number it does not know.
        ["call", _, _, ..] => {
            call.out("Result: Parcel(Error: 0xffffffffffffffb6 \"Not a data message\")\n")
                .await?;
            Ok(0)
        }
        _ => {
            call.out("Usage: service [-h|-?]\n       service list\n       service check SERVICE\n       service call SERVICE CODE [i32 N | i64 N | f N | d N | s16 STR | null | fd f | nfd n | afd f ] ...\n").await?;
            Ok(10)
        }
    }
}
