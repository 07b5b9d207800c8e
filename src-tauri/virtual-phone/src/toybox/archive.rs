//! `gzip`, `gunzip`, to and from standard output or in place.

use super::options::options;
use crate::files::OpenMode;
use crate::process::{Call, ProgramResult};
use flate2::Compression;
use flate2::read::{GzDecoder, GzEncoder};
use std::io::Read as _;

/// What a packed file may come to.
const MOST: u64 = 256 * 1024 * 1024;

/// `gzip [-19cdfk] [FILE…]`.
pub(super) async fn gzip(call: Call) -> ProgramResult {
    work(call, false).await
}

/// `gunzip [-cfk] [FILE…]`.
pub(super) async fn gunzip(call: Call) -> ProgramResult {
    work(call, true).await
}

async fn work(call: Call, unpacks: bool) -> ProgramResult {
    let options = options!(call, "123456789cdfkt");
    let unpacks = unpacks || options.has('d');
    let level = ('1'..='9')
        .find(|level| options.has(*level))
        .and_then(|level| level.to_digit(10))
        .unwrap_or(6);
    let files = super::lines::inputs(&options.rest);
    let mut code = 0;
    for file in files {
        let bytes = match call.read_file(&file).await {
            Ok(bytes) => bytes,
            Err(errno) => {
                code = call.fail(1, format!("{file}: {errno}")).await?;
                continue;
            }
        };
        let mut out = Vec::new();
        let done = if unpacks {
            GzDecoder::new(bytes.as_ref()).take(MOST).read_to_end(&mut out)
        } else {
            GzEncoder::new(bytes.as_ref(), Compression::new(level)).read_to_end(&mut out)
        };
        if done.is_err() {
            code = call.fail(1, format!("{file}: not gzip")).await?;
            continue;
        }
        if file == "-" || options.has('c') {
            call.out(out).await?;
            continue;
        }
        let target = match (unpacks, file.strip_suffix(".gz")) {
            (true, Some(target)) => target.to_owned(),
            (true, None) => {
                code = call.fail(1, format!("no .gz: {file}")).await?;
                continue;
            }
            (false, _) => format!("{file}.gz"),
        };
        let written = call.open(&target, OpenMode::WRITE);
        match written {
            Ok(output) => {
                if output.write(out.into()).await.is_ok() && !options.has('k') {
                    let _ = call.phone.files.remove(&call.path(&file), false);
                }
            }
            Err(errno) => code = call.fail(1, format!("{target}: {errno}")).await?,
        }
    }
    Ok(code)
}
