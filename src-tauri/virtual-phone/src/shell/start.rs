//! How a shell begins: with a line, a file, or whatever comes on its input.

use super::{NAME, Options, Shell, interactive};
use crate::process::{Call, ProgramResult};

/// The program `sh`: `sh -c COMMAND [NAME [ARG…]]`, `sh FILE [ARG…]`, or a script (or a person) on standard input.
pub(crate) async fn main(call: Call) -> ProgramResult {
    let mut options = Options::default();
    let mut command = None;
    let mut login = false;
    let mut rest = call.arguments().to_vec();
    while let Some(flags) = rest
        .first()
        .filter(|word| word.len() > 1 && word.starts_with(['-', '+']))
        .cloned()
    {
        rest.remove(0);
        if flags == "--" || flags == "-" {
            break;
        }
        for flag in flags.chars().skip(1) {
            match flag {
                'c' => command = Some(()),
                'e' => options.errexit = true,
                'u' => options.nounset = true,
                'x' => options.xtrace = true,
                'f' => options.noglob = true,
                'i' => login = true,
                'l' | 's' => {}
                other => {
                    let name = call.words.first().cloned().unwrap_or_default();
                    call.err(format!("{name}: -{other}: unknown option\n")).await?;
                    return Ok(1);
                }
            }
        }
    }
    let own = call
        .words
        .first()
        .map_or(NAME, |word| word.trim_start_matches('-'))
        .to_owned();
    if command.is_some() {
        if rest.is_empty() {
            call.err(format!("{own}: -c requires an argument\n")).await?;
            return Ok(1);
        }
        let text = rest.remove(0);
        let name = if rest.is_empty() { own } else { rest.remove(0) };
        let mut shell = Shell::new(call, name, rest);
        shell.options = options;
        return shell.run_to_end(&text, true).await;
    }
    if rest.is_empty() {
        let mut shell = Shell::new(call, own, rest);
        shell.options = options;
        return interactive::run(shell, login).await;
    }
    let file = rest.remove(0);
    match call.read_file(&file).await {
        Ok(bytes) => {
            let mut shell = Shell::new(call, file, rest);
            shell.options = options;
            shell.run_to_end(&String::from_utf8_lossy(&bytes), false).await
        }
        Err(errno) => {
            call.err(format!("{own}: {file}: {errno}\n")).await?;
            Ok(127)
        }
    }
}
