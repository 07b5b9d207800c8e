//! scrcpy's server as its documentation and its own tests describe it, on the scripted phone: it takes the jar, listens on
//! its abstract socket, and plays what it is sent on one field and one clipboard.

use super::{Fake, Reply};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::Instant;

/// What it did, and how it is.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) field: String,
    pub(crate) password: bool,
    /// None: it holds no text, and a question for it is not answered.
    pub(crate) clipboard: Option<String>,
    /// Everything that was ever in it.
    pub(crate) clips: Vec<String>,
    pub(crate) keys: Vec<(u8, u32)>,
    pub(crate) texts: Vec<String>,
    pub(crate) touches: Vec<(Instant, u8, i32, i32, u16, u16)>,
    /// Which finger each of them was.
    pub(crate) fingers: Vec<u64>,
    pub(crate) pushed: Vec<u8>,
    pub(crate) starts: usize,
    pub(crate) connections: usize,
    /// The paste key does nothing (the field lost the focus).
    pub(crate) deaf: bool,
    /// The app reads the clipboard so long after the paste key: whatever is in it by then.
    pub(crate) reads_after: Duration,
    /// The release it is of; another one asked for makes it end.
    pub(crate) version: String,
    /// How long it takes to listen.
    pub(crate) starts_in: Duration,
    /// It ends right after the message of this number.
    pub(crate) dies_after: Option<usize>,
    scid: Option<(String, Instant)>,
}

#[derive(Clone)]
pub(crate) struct Server(pub(crate) Arc<Mutex<State>>);

impl Server {
    /// Puts one on a phone, with a tree that shows its field.
    pub(crate) fn on(fake: &Fake) -> Self {
        let server = Self(Arc::new(Mutex::new(State {
            version: "3.3.3".to_owned(),
            clipboard: Some("theirs".to_owned()),
            starts_in: Duration::from_millis(300),
            ..State::default()
        })));
        let starting = server.clone();
        fake.on(move |line| starting.start(line));
        let shown = server.clone();
        fake.on(move |line| line.contains("uiautomator dump ").then(|| shown.tree()));
        fake.scrcpy(server.clone());
        server
    }

    fn start(&self, line: &str) -> Option<Reply> {
        let rest = line.strip_prefix("CLASSPATH=/data/local/tmp/")?;
        let (_, words) = rest.split_once(" app_process / com.genymobile.scrcpy.Server ")?;
        let mut state = self.0.lock().unwrap();
        state.starts += 1;
        let (version, options) = words.split_once(' ')?;
        if version != state.version {
            return Some(Reply::fails(
                1,
                &format!(
                    "java.lang.IllegalArgumentException: The server version ({}) does not match the client ({version})",
                    state.version
                ),
            ));
        }
        for needed in [
            "tunnel_forward=true",
            "video=false",
            "audio=false",
            "control=true",
            "clipboard_autosync=false",
        ] {
            assert!(options.contains(needed), "{needed} in {options}");
        }
        let scid = options
            .split(' ')
            .find_map(|option| option.strip_prefix("scid="))?;
        state.scid = Some((scid.to_owned(), Instant::now() + state.starts_in));
        Some(Reply {
            hangs: true,
            stdout: b"[server] INFO: Device: [Fake] FAKE 1 (Android 14)\n".to_vec(),
            ..Reply::default()
        })
    }

    fn tree(&self) -> Reply {
        let state = self.0.lock().unwrap();
        let text = state
            .field
            .replace('&', "&amp;")
            .replace('"', "&quot;")
            .replace('<', "&lt;")
            .replace('\n', "&#10;");
        Reply::says(format!(
            "<?xml version='1.0'?><hierarchy rotation=\"0\"><node text=\"{text}\" password=\"{}\" focused=\"true\" \
             /></hierarchy>",
            state.password
        ))
        .after(300)
    }

    /// Whether it listens there now.
    pub(super) fn listens(&self, name: &str) -> bool {
        let state = self.0.lock().unwrap();
        state
            .scid
            .as_ref()
            .is_some_and(|(scid, since)| name == format!("scrcpy_{scid}") && Instant::now() >= *since)
    }

    /// The sync service: one file.
    pub(super) async fn take_file(&self, stream: &mut DuplexStream) -> Option<()> {
        let bytes = receive(stream).await?;
        self.0.lock().unwrap().pushed = bytes;
        Some(())
    }

    /// The control socket.
    pub(super) async fn control(&self, stream: &mut DuplexStream) -> Option<()> {
        let mut greeting = vec![0];
        greeting.extend(b"Fake");
        greeting.resize(65, 0);
        stream.write_all(&greeting).await.ok()?;
        self.0.lock().unwrap().connections += 1;
        let mut count = 0;
        loop {
            let kind = stream.read_u8().await.ok()?;
            let answer = self.play(kind, stream).await?;
            stream.write_all(&answer).await.ok()?;
            count += 1;
            if self.0.lock().unwrap().dies_after == Some(count) {
                self.0.lock().unwrap().scid = None;
                return None;
            }
        }
    }

    async fn reads_later(self, after: Duration) {
        tokio::time::sleep(after).await;
        let mut state = self.0.lock().unwrap();
        let text = state.clipboard.clone().unwrap_or_default();
        state.field.push_str(&text);
    }

    async fn play(&self, kind: u8, stream: &mut DuplexStream) -> Option<Vec<u8>> {
        match kind {
            0 => {
                let action = stream.read_u8().await.ok()?;
                let code = stream.read_u32().await.ok()?;
                stream.read_u64().await.ok()?;
                let mut state = self.0.lock().unwrap();
                state.keys.push((action, code));
                if (action, code) == (0, 66) {
                    state.field.push('\n');
                }
            }
            1 => {
                let text = text(stream).await?;
                let mut state = self.0.lock().unwrap();
                state.field.push_str(&text);
                state.texts.push(text);
            }
            2 => {
                let action = stream.read_u8().await.ok()?;
                let finger = stream.read_u64().await.ok()?;
                let (x, y) = (stream.read_i32().await.ok()?, stream.read_i32().await.ok()?);
                let (w, h) = (stream.read_u16().await.ok()?, stream.read_u16().await.ok()?);
                let mut rest = [0; 10];
                stream.read_exact(&mut rest).await.ok()?;
                let touch = (Instant::now(), action, x, y, w, h);
                let mut state = self.0.lock().unwrap();
                state.touches.push(touch);
                state.fingers.push(finger);
            }
            8 => {
                stream.read_u8().await.ok()?;
                let clipboard = self.0.lock().unwrap().clipboard.clone();
                return Some(clipboard.map_or_else(Vec::new, |text| {
                    let mut told = vec![0];
                    told.extend(u32::try_from(text.len()).unwrap().to_be_bytes());
                    told.extend(text.bytes());
                    told
                }));
            }
            9 => {
                let sequence = stream.read_u64().await.ok()?;
                let paste = stream.read_u8().await.ok()? == 1;
                let text = text(stream).await?;
                let mut state = self.0.lock().unwrap();
                if paste && !state.deaf && state.reads_after.is_zero() {
                    state.field.push_str(&text);
                } else if paste && !state.deaf {
                    tokio::spawn(self.clone().reads_later(state.reads_after));
                }
                state.clips.push(text.clone());
                state.clipboard = Some(text);
                let mut told = vec![1];
                told.extend(sequence.to_be_bytes());
                return Some(told);
            }
            other => panic!("a message of kind {other}"),
        }
        Some(Vec::new())
    }
}

/// One file by the sync service.
pub(super) async fn receive(stream: &mut DuplexStream) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let mut id = [0; 4];
        stream.read_exact(&mut id).await.ok()?;
        let length = stream.read_u32_le().await.ok()?;
        if &id == b"DONE" {
            break;
        }
        let mut body = vec![0; length as usize];
        stream.read_exact(&mut body).await.ok()?;
        match &id {
            b"SEND" => assert!(String::from_utf8(body).unwrap().ends_with(".jar,33188")),
            b"DATA" => bytes.extend(body),
            other => panic!("{other:?}"),
        }
    }
    stream.write_all(b"OKAY\0\0\0\0").await.ok()?;
    Some(bytes)
}

async fn text(stream: &mut DuplexStream) -> Option<String> {
    let length = stream.read_u32().await.ok()?;
    let mut bytes = vec![0; length as usize];
    stream.read_exact(&mut bytes).await.ok()?;
    Some(String::from_utf8(bytes).unwrap())
}
