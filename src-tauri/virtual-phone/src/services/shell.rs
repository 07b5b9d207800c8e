//! `shell:` and `exec:` (AOSP `daemon/shell_service.cpp`).
//!
//! The daemon starts each command's shell in a session of its own. When the client goes away it sends SIGHUP: with
//! the shell protocol to that shell alone, so background children live on; without it everything hangs on a
//! pseudo-terminal whose end reaches the whole group.

use super::environment;
use super::packet::{self, Id};
use super::shell_mode::{BUFFER, ShellMode};
use super::terminal::Terminal;
use crate::fault::Fault;
use crate::phone::{Link, Phone};
use crate::process::{Child, Descriptor, Descriptors, Origin, Reader, Signal, Spawn, Writer, pipe, spawn};
use crate::record::Received;
use bytes::{Bytes, BytesMut};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Forking and starting a shell takes a phone so long.
const START_MILLIS: u64 = 6;
/// `remote_lingers`.
const LINGER: Duration = Duration::from_secs(2);
/// So many pieces of input wait for a program that does not read.
const WAITING: usize = 256;
const CHUNK: usize = 64 * 1024;

/// Starts a command line (an interactive shell when it is empty). None: no more processes.
pub(super) fn open(phone: &Arc<Phone>, link: &Link, kind: ShellMode, line: &str) -> Option<DuplexStream> {
    let (near, far) = tokio::io::duplex(BUFFER);
    let (input, to_input) = pipe();
    let (from_output, output) = pipe();
    let (terminal, cooked) = (kind.pty, kind.terminal);
    // What is no text comes through whole.
    let whole = ["screencap", "screenrecord", crate::reader::CLASS];
    let returns = phone.has(Fault::CrLf) && !whole.iter().any(|program| line.contains(program));
    let writer = |pipe| {
        Arc::new(Descriptor::Writer {
            pipe,
            terminal,
            cooked: cooked || returns,
            socket: !terminal,
        })
    };
    let (error, from_error) = if kind.protocol && !kind.pty {
        let (from_error, error) = pipe();
        (writer(error), Some(from_error))
    } else {
        (writer(output.duplicate()), None)
    };
    let descriptors = Descriptors::standard(
        Arc::new(Descriptor::Reader {
            pipe: input,
            terminal,
        }),
        writer(output),
        error,
    );
    let words = if line.is_empty() {
        vec![format!("-{}", crate::shell::NAME)]
    } else {
        vec![crate::shell::NAME.to_owned(), "-c".to_owned(), line.to_owned()]
    };
    let request = Spawn {
        origin: Origin::Daemon,
        words,
        environment: environment(phone, &kind.term),
        directory: "/".to_owned(),
        descriptors,
    };
    let start =
        |call: crate::process::Call| -> futures::future::BoxFuture<'static, crate::process::ProgramResult> {
            Box::pin(async move {
                call.phone.clock.work(START_MILLIS).await;
                crate::shell::main(call).await
            })
        };
    let child = spawn(phone, request, Box::new(start)).ok()?;
    phone.record(Received::Command {
        service: kind.name.clone(),
        command: line.to_owned(),
        pid: child.pid(),
    });
    let session = Session {
        phone: Arc::clone(phone),
        streams: link.streams(),
        child,
        protocol: kind.protocol,
        pty: kind.pty,
        cooked,
        from_output,
        from_error,
        to_input,
    };
    phone.tasks.spawn(session.run(far));
    Some(near)
}

struct Session {
    phone: Arc<Phone>,
    streams: CancellationToken,
    child: Child,
    protocol: bool,
    pty: bool,
    cooked: bool,
    from_output: Reader,
    from_error: Option<Reader>,
    to_input: Writer,
}

impl Session {
    async fn run(self, stream: DuplexStream) {
        let Self {
            phone,
            streams,
            child,
            protocol,
            pty,
            cooked,
            from_output,
            from_error,
            to_input,
        } = self;
        let (from_client, mut to_client) = tokio::io::split(stream);
        let group = -i64::from(child.pid());
        let status = {
            let (queue, waiting) = mpsc::channel(WAITING);
            // Echo has a way of its own to the client: it must not keep the program's output open.
            let (echoed, echo) = pipe();
            let output = Output {
                program: &from_output,
                error: from_error.as_ref(),
                echo: &echoed,
                raw: !protocol,
            };
            let listening = listen(from_client, queue, !protocol);
            let typing = type_in(
                waiting,
                to_input,
                cooked.then(Terminal::default),
                echo,
                &phone,
                group,
            );
            let talking = async {
                if output.talk(&mut to_client).await {
                    Some(child.wait().await.status())
                } else {
                    None
                }
            };
            tokio::pin!(listening, typing, talking);
            let mut typed = false;
            loop {
                tokio::select! {
                    biased;
                    () = streams.cancelled() => break None,
                    status = &mut talking => break status,
                    () = &mut listening => break None,
                    () = &mut typing, if !typed => typed = true,
                }
            }
        };
        if let Some(status) = status {
            if protocol {
                let exit = packet::put(Id::Exit, &[u8::try_from(status & 0xff).unwrap_or(255)]);
                let _ = to_client.write_all(&exit).await;
            }
            let _ = to_client.shutdown().await;
            return;
        }
        // The client is gone (or the cable is out).
        drop(to_client);
        if phone.has(Fault::RemoteLingers) {
            tokio::time::sleep(LINGER).await;
        }
        if !pty {
            child.process.signal(Signal::HUP);
        } else {
            // All of the group may have ended by itself.
            let _ = phone.processes.kill(group, Signal::HUP);
        }
    }
}

/// What a client sends.
enum ClientInput {
    Bytes(Bytes),
    Closed,
}

/// Reads from the client until it goes away.
async fn listen(mut client: ReadHalf<DuplexStream>, queue: mpsc::Sender<ClientInput>, raw: bool) {
    let mut buffer = BytesMut::with_capacity(CHUNK);
    loop {
        match client.read_buf(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if raw {
            let bytes = buffer.split().freeze();
            // A program that no longer reads closes the queue; the client is still listened to.
            let _ = queue.send(ClientInput::Bytes(bytes)).await;
            continue;
        }
        loop {
            let sent = match packet::take(&mut buffer) {
                Ok(Some((Id::Stdin, bytes))) => ClientInput::Bytes(bytes),
                Ok(Some((Id::CloseStdin, _))) => ClientInput::Closed,
                Ok(Some(_)) => continue,
                Ok(None) => break,
                // As `ShellProtocol::Read` failing: the connection is dead.
                Err(packet::BadPacket) => return,
            };
            let _ = queue.send(sent).await;
        }
    }
}

/// Hands what the client sent to the program, through a terminal where there is one.
async fn type_in(
    mut waiting: mpsc::Receiver<ClientInput>,
    input: Writer,
    mut terminal: Option<Terminal>,
    echo: Writer,
    phone: &Phone,
    group: i64,
) {
    while let Some(ClientInput::Bytes(bytes)) = waiting.recv().await {
        let Some(terminal) = &mut terminal else {
            if input.write(bytes).await.is_err() {
                return;
            }
            continue;
        };
        let typed = terminal.feed(&bytes);
        let _ = echo.write(Bytes::from(typed.echo)).await;
        for signal in typed.signals {
            let _ = phone.processes.kill(group, signal);
        }
        if input.write(Bytes::from(typed.input)).await.is_err() || typed.ended {
            return;
        }
    }
}

/// Where a program's words come from.
struct Output<'a> {
    program: &'a Reader,
    error: Option<&'a Reader>,
    echo: &'a Reader,
    raw: bool,
}

impl Output<'_> {
    /// Hands what the program says to the client. True: it has said everything; false: the client is gone.
    async fn talk(&self, client: &mut WriteHalf<DuplexStream>) -> bool {
        let (mut output_open, mut error_open, mut echo_open) = (true, self.error.is_some(), true);
        while output_open || error_open {
            let (id, bytes) = tokio::select! {
                biased;
                bytes = self.echo.read(CHUNK), if echo_open => {
                    echo_open = bytes.is_some();
                    (Id::Stdout, Some(bytes.unwrap_or_default()))
                }
                bytes = self.program.read(CHUNK), if output_open => (Id::Stdout, bytes),
                bytes = read(self.error), if error_open => (Id::Stderr, bytes),
            };
            let Some(bytes) = bytes else {
                if id == Id::Stdout {
                    output_open = false;
                } else {
                    error_open = false;
                }
                continue;
            };
            if bytes.is_empty() {
                continue;
            }
            let sent = if self.raw {
                client.write_all(&bytes).await
            } else {
                client.write_all(&packet::put(id, &bytes)).await
            };
            if sent.is_err() {
                return false;
            }
        }
        true
    }
}

async fn read(error: Option<&Reader>) -> Option<Bytes> {
    match error {
        Some(error) => error.read(CHUNK).await,
        None => None,
    }
}
