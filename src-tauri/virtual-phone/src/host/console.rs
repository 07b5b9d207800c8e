//! An emulator's console (`qemu`, `android/console.c`): a greeting, a word to show, one command a line, `OK` or `KO: …`.
//!
//! In short: `auth`, `geo fix`, `ping`, `quit`, and no other.

use crate::phone::Phone;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// Lines longer than this are nobody's command.
const LONGEST: usize = 4096;
const OPEN: &str = "Android Console: type 'help' for a list of commands\r\nOK\r\n";

/// Answers on `listener` to whoever shows `token`.
pub(super) async fn listen(phone: Arc<Phone>, listener: TcpListener, token: String) {
    loop {
        let stream = tokio::select! {
            () = phone.stopped.cancelled() => return,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(_) => return,
            },
        };
        let (phone, token) = (Arc::clone(&phone), token.clone());
        let stopped = phone.stopped.clone();
        phone.tasks.clone().spawn(async move {
            tokio::select! {
                () = stopped.cancelled() => {}
                _ended = serve(&phone, stream, &token) => {}
            }
        });
    }
}

async fn serve(phone: &Phone, stream: TcpStream, token: &str) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    // An empty word asks for none, as an empty file does.
    let mut trusted = token.is_empty();
    let locked = "Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>' to authenticate\r\n\
                  Android Console: you can find your <auth_token> in \r\n'~/.emulator_console_auth_token'\r\nOK\r\n";
    let greeting = if trusted { OPEN } else { locked };
    stream.write_all(greeting.as_bytes()).await?;
    let mut line = String::new();
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 || line.len() > LONGEST {
            return Ok(());
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words.as_slice() {
            [] => continue,
            ["quit" | "exit"] => return stream.shutdown().await,
            ["auth", shown] if *shown == token => {
                trusted = true;
                "Android Console: type 'help' for a list of commands\r\nOK".to_owned()
            }
            ["auth", ..] => {
                "KO: authentication token does not match ~/.emulator_console_auth_token".to_owned()
            }
            ["ping"] if trusted => "I am alive!\r\nOK".to_owned(),
            ["geo", "fix", rest @ ..] if trusted => fix(phone, rest),
            _ => "KO: unknown command, try 'help'".to_owned(),
        };
        stream.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
}

/// `geo fix <longitude> <latitude> [<altitude> …]`.
fn fix(phone: &Phone, words: &[&str]) -> String {
    let number = |at: usize, most: f64| -> Option<f64> {
        let number: f64 = words.get(at)?.parse().ok()?;
        (number.abs() <= most).then_some(number)
    };
    match (number(0, 180.0), number(1, 90.0)) {
        (Some(longitude), Some(latitude)) => {
            phone.place((latitude, longitude));
            "OK".to_owned()
        }
        (None, _) if words.is_empty() => {
            "KO: not enough arguments: see 'help geo fix' for details".to_owned()
        }
        (None, _) => "KO: invalid longitude value".to_owned(),
        (_, None) => "KO: invalid latitude value".to_owned(),
    }
}
