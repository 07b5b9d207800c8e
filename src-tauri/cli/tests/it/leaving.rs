//! What leaves this computer, held to the list of the architecture page: `deck` in a world where every packet and every
//! name is written down.

use crate::chat;
use crate::command::{Running, deck, run};
use crate::model::ScriptedModel;
use crate::sealed::{EVERYBODY, Left, Recorder, enter, is_inside};
use crate::shapes::{Count, Manner, Shape};
use crate::skipped::skipped;
use crate::ten_steps::REPLIES;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// What the maker of these tests speaks.
const SPOKEN: Manner = Manner {
    shape: Shape::Responses,
    has_tools: true,
};

#[test]
fn nothing_leaves_but_what_is_listed() {
    if let Err(why) = enter("leaving::child::inside") {
        skipped(&why);
    }
}

mod child {
    use super::*;

    #[test]
    #[ignore = "run by the test above, in a network namespace of its own"]
    fn inside() {
        assert!(is_inside(), "only in a namespace of its own");
        let recorder = Recorder::start();
        let phone = Phone::start();
        let nothing = Left::default();

        // Looking, acting, and the doctor: not a packet.
        for arguments in [
            vec!["devices"],
            vec!["doctor", "--device", &phone.serial],
            vec!["look", "--device", &phone.serial],
            vec![
                "act",
                "--device",
                &phone.serial,
                r#"{"type": "keyevent", "keycode": "HOME"}"#,
            ],
        ] {
            let ended = run(phone.deck(&arguments), b"");
            assert_eq!(recorder.take(), nothing, "{arguments:?}: {}", ended.story());
        }

        // What is fetched by name comes from its makers' host and nowhere else; where that is not reached, nothing is left.
        let ended = run(phone.deck(&["fetch", "scrcpy"]), b"");
        let said = ended.err.lines().next();
        assert_eq!(
            (said, ended.code, ended.out.as_str()),
            (
                Some("The download can’t be reached. Check your internet connection, then try again."),
                1,
                ""
            ),
            "{}",
            ended.story()
        );
        assert_eq!(recorder.take().names, BTreeSet::from(["github.com".to_owned()]));
        assert!(!phone.folder.path().join("scrcpy-server").exists());

        // A whole task by a model on this computer: not a packet.
        let model = ScriptedModel::speaking(Shape::Chat, true, &REPLIES);
        let ended = run(phone.task(model.address()), b"");
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{}", ended.story());
        assert_eq!(recorder.take(), nothing, "a model on this computer");

        // A whole task by a maker's model: that maker's host, over TLS, and nothing else.
        let host = "api.openai.com";
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let roots = phone.folder.path().join("roots.pem");
        runtime.block_on(serve_tls(host, &roots));
        let mut task = phone.task("openai");
        task.env("SSL_CERT_FILE", &roots);
        let ended = run(task, b"");
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{}", ended.story());
        let expected = Left {
            names: BTreeSet::from([host.to_owned()]),
            places: BTreeSet::from([format!("tcp {EVERYBODY}:443")]),
        };
        let left = recorder.take();
        println!("a task with OpenAI's model: {left:?}");
        assert_eq!(left, expected);

        // Plain http to a stranger: refused before a name is looked up.
        let ended = run(phone.task("http://models.example.org/v1"), b"");
        assert_eq!(ended.code, 1, "{}", ended.story());
        assert_eq!(recorder.take(), nothing, "plain http to a stranger");
    }
}

/// A phone with an adb server of its own on this computer.
struct Phone {
    _phone: Running,
    serial: String,
    port: String,
    folder: tempfile::TempDir,
}

impl Phone {
    fn start() -> Self {
        let mut command = deck();
        command.args(["phone", "--speed", "instant"]);
        let mut phone = Running::start(command);
        let ready = phone.line("the phone's first line", |_| true);
        let ready: Value = serde_json::from_str(&ready).unwrap();
        let server = ready["server"].as_str().unwrap();
        Self {
            _phone: phone,
            serial: ready["serial"].as_str().unwrap().to_owned(),
            port: server.rsplit(':').next().unwrap().to_owned(),
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn deck(&self, arguments: &[&str]) -> Command {
        let mut command = deck();
        command
            .args(arguments)
            .env("ANDROID_ADB_SERVER_PORT", &self.port)
            .env("POCKETDECK_DATA", self.folder.path())
            .env("POCKETDECK_API_KEY", crate::bench::KEY)
            .env("XDG_RUNTIME_DIR", self.folder.path());
        command
    }

    fn task(&self, provider: &str) -> Command {
        let goal = "Write a shopping note, then turn Battery Saver on";
        let mut command = self.deck(&["run", "--device", &self.serial, "--goal", goal]);
        command.args(["--provider", provider, "--model", "gpt-5.5"]);
        command
    }
}

/// A server that speaks OpenAI's Responses under this name, and its certificate in a file.
async fn serve_tls(host: &str, roots: &Path) {
    let signed = rcgen::generate_simple_self_signed([host.to_owned()]).unwrap();
    std::fs::write(roots, signed.cert.pem()).unwrap();
    let key = PrivateKeyDer::try_from(signed.signing_key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![signed.cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind((EVERYBODY, 443)).await.unwrap();
    tokio::spawn(async move {
        let replies = Arc::new(Mutex::new(REPLIES.iter()));
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let replies = Arc::clone(&replies);
            // The second opinion comes over a connection of its own.
            tokio::spawn(async move {
                while let Some((head, body)) = chat::read_request(&mut stream).await {
                    let answer = chat::aside(&head, &body, Some(SPOKEN)).unwrap_or_else(|| {
                        let reply = replies.lock().unwrap().next().expect("a reply for each question");
                        let (kind, body) = SPOKEN.shape.answer(reply, true, Count::of_request(1));
                        chat::answer(kind, &body)
                    });
                    if stream.write_all(answer.as_bytes()).await.is_err() || stream.flush().await.is_err() {
                        break;
                    }
                }
            });
        }
    });
}
