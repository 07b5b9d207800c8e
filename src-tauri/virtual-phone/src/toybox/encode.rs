//! `base64`, `md5sum`, `sha256sum`.

use super::lines::inputs;
use super::options::options;
use crate::process::{Call, ProgramResult};
use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use md5::{Digest as _, Md5};
use sha2::Sha256;

/// `base64 [-di] [-w COLUMNS] [FILE…]`.
pub(super) async fn base64(call: Call) -> ProgramResult {
    let options = options!(call, "diw:");
    let width = options
        .value('w')
        .and_then(|text| text.parse().ok())
        .unwrap_or(76_usize);
    let mut code = 0;
    for file in inputs(&options.rest) {
        let bytes = match call.read_file(&file).await {
            Ok(bytes) => bytes,
            Err(errno) => {
                code = call.fail(1, format!("{file}: {errno}")).await?;
                continue;
            }
        };
        if options.has('d') {
            let plain: Vec<u8> = bytes
                .iter()
                .copied()
                .filter(|byte| !byte.is_ascii_whitespace())
                .collect();
            let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
            match GeneralPurpose::new(&::base64::alphabet::STANDARD, config).decode(plain) {
                Ok(decoded) => call.out(decoded).await?,
                Err(_) => code = call.fail(1, "bad input").await?,
            }
            continue;
        }
        let text = STANDARD.encode(&bytes);
        let lines: String = if width == 0 {
            text
        } else {
            let chunks = text.as_bytes().chunks(width).map(String::from_utf8_lossy);
            chunks.map(|line| format!("{line}\n")).collect()
        };
        call.out(lines).await?;
    }
    Ok(code)
}

/// `md5sum [-b] [FILE…]`.
pub(super) async fn md5sum(call: Call) -> ProgramResult {
    sum(call, |bytes| Md5::digest(bytes).to_vec()).await
}

/// `sha256sum [-b] [FILE…]`.
pub(super) async fn sha256sum(call: Call) -> ProgramResult {
    sum(call, |bytes| Sha256::digest(bytes).to_vec()).await
}

async fn sum(call: Call, digest: fn(&[u8]) -> Vec<u8>) -> ProgramResult {
    let options = options!(call, "bcs");
    let mut code = 0;
    for file in inputs(&options.rest) {
        match call.read_file(&file).await {
            Ok(bytes) => {
                let hex: String = digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
                let line = if options.has('b') {
                    format!("{hex}\n")
                } else {
                    format!("{hex}  {file}\n")
                };
                call.out(line).await?;
            }
            Err(errno) => code = call.fail(1, format!("{file}: {errno}")).await?,
        }
    }
    Ok(code)
}
