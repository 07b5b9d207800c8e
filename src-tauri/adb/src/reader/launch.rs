//! A reader carried to the phone and started there (`adb/reader/README.md`).

use super::connection::Connection;
use super::error::ReaderError;
use crate::connect::command_line::CommandLine;
use crate::connect::server::Device;
use crate::connect::shell::{Framing, Running};
use crate::error::AdbError;
use crate::exec::nonce::nonce;
use crate::exec::termination::{Termination, end_by_force};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::runtime::Handle;
use tokio::time::timeout;

/// Made by `adb/reader/build.sh`; a test holds it to its source.
pub(super) const DEX: &[u8] = include_bytes!("../../reader/reader.dex");
/// How long carrying it there may take: it has some 19 kB.
const CARRIES: Duration = Duration::from_secs(3);
/// How long it may take to greet: a Java machine on a slow phone. The plain dump takes as long to start.
const STARTS: Duration = Duration::from_secs(4);
/// The kind of packet that ends a program's input (AOSP `shell_protocol.h`, `kIdCloseStdin`).
const CLOSE_STDIN: u8 = 4;
/// How long sweeping a file away may take.
const SWEEPS: Duration = Duration::from_secs(1);

static HASH: LazyLock<String> = LazyLock::new(|| {
    let digest = Sha256::digest(DEX);
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
});

/// Starts one.
///
/// # Errors
/// [`ReaderError::Phone`] when the phone could not be asked; else why it would not. Then nothing of it is left.
pub(super) async fn start(device: &Device) -> Result<Connection, ReaderError> {
    if !device.has_shell_v2().await? {
        return Err(ReaderError::Unwilling("its shell does not listen".to_owned()));
    }
    let temp_file = RemoteTempFile {
        device: device.clone(),
        file: Some(format!(
            "/data/local/tmp/pocketdeck-reader-{}-{}.dex",
            *HASH,
            nonce()
        )),
    };
    let file = temp_file.file.clone().unwrap_or_default();
    let carried = timeout(CARRIES, carry(device, &file)).await;
    carried.unwrap_or(Err(ReaderError::Slow))?;
    let line = format!(
        "echo PDSHELL $$; trap : HUP PIPE TERM; CLASSPATH=/system/framework/uiautomator.jar:{file} app_process / \
         pocketdeck.Reader {file}; c=$?; rm -f {file}; exit $c"
    );
    let stream = device.connect().await?;
    let line = CommandLine::plain(&line).called("app_process pocketdeck.Reader");
    let (stream, framing) = device.start(stream, &line, "shell:").await?.into_stream();
    match Connection::greet(stream, framing, STARTS).await {
        Ok(connection) => {
            temp_file.leave_to_the_phone();
            Ok(connection)
        }
        Err((error, group)) => {
            end(device, group).await;
            Err(error)
        }
    }
}

/// A file on the phone that goes when this does, also where whoever waited for it gave up.
struct RemoteTempFile {
    device: Device,
    file: Option<String>,
}

impl RemoteTempFile {
    /// The phone itself sweeps it away.
    fn leave_to_the_phone(mut self) {
        self.file = None;
    }
}

impl Drop for RemoteTempFile {
    fn drop(&mut self) {
        let (Some(file), Ok(runtime)) = (self.file.take(), Handle::try_current()) else {
            return;
        };
        let device = self.device.clone();
        runtime.spawn(async move {
            if let Err(error) = device.look(&format!("rm -f {file}"), SWEEPS).await {
                tracing::debug!(%error, "the next program's first read sweeps");
            }
        });
    }
}

/// Carries the dex there, through a shell: only that can keep others from reading it.
async fn carry(device: &Device, file: &str) -> Result<(), ReaderError> {
    let line = format!("umask 377; cat >{file}; wc -c <{file}");
    let stream = device.connect().await?;
    let line = CommandLine::plain(&line).called("cat");
    let (mut stream, framing) = device.start(stream, &line, "shell:").await?.into_stream();
    if framing != Framing::V2 {
        return Err(ReaderError::Unwilling("its shell does not listen".to_owned()));
    }
    let mut packets = vec![0];
    packets.extend(u32::try_from(DEX.len()).unwrap_or(u32::MAX).to_le_bytes());
    packets.extend_from_slice(DEX);
    packets.extend([CLOSE_STDIN, 0, 0, 0, 0]);
    let sent = async {
        stream.write_all(&packets).await?;
        stream.flush().await
    };
    sent.await.map_err(|error| AdbError::Cut(error.to_string()))?;
    let output = Running::new(stream, framing).finish().await?;
    if output.answer().parse() == Ok(DEX.len()) {
        Ok(())
    } else {
        Err(ReaderError::Unwilling(format!(
            "it was not stored: {}",
            output.all().trim()
        )))
    }
}

/// Ends by force what would not go.
pub(super) async fn end(device: &Device, group: Option<u32>) {
    if group.is_some() {
        end_by_force(device, group, &Termination::Wait(Duration::ZERO)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn hex(bytes: &[u8]) -> String {
        let digest = Sha256::digest(bytes);
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The dex is what its sources say: whoever changes them runs `adb/reader/build.sh`.
    #[test]
    fn the_dex_is_of_its_source() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reader");
        let mut files: Vec<_> = std::fs::read_dir(folder.join("java/pocketdeck"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        let source: Vec<u8> = files
            .iter()
            .flat_map(|file| std::fs::read(file).unwrap())
            .collect();
        let recorded = std::fs::read_to_string(folder.join("reader.sha256")).unwrap();
        assert_eq!(
            recorded,
            format!("source {}\ndex {}\n", hex(&source), hex(DEX)),
            "run adb/reader/build.sh"
        );
        assert!(DEX.starts_with(b"dex\n035\0"));
    }
}
