//! Phones that go away and come back, tools that are fetched, phones over Wi-Fi: the engine as a whole, in virtual time.

mod remembered;

use crate::{Engine, OneAction, Options, ProgramChoice};
use adb::tools;
use adb::wireless::Discovery;
use adb::{Connector, FollowedServer, Link};
use agent::ports::Model;
use protocol::{
    Ending, Event, FailureCode, Fetching, News, PauseReason, Phone, PhoneState, Settings, SettingsPatch, What,
};
use std::sync::Arc;
use std::time::Duration;
use store::keychain::Keychain;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Fault, Host, PhoneHandle, Received};

struct Table {
    engine: Engine,
    phone: PhoneHandle,
    _host: Arc<Host>,
    _folder: tempfile::TempDir,
}

fn small() -> Box<System> {
    let mut options = SystemOptions::default();
    options.profile.phone.size = (360, 800);
    options.profile.phone.density = 140;
    Box::new(System::new(options))
}

fn connector(host: &Arc<Host>) -> Connector {
    let host = Arc::clone(host);
    adb::connector(move || host.open())
}

/// A server of this computer, without a program that starts it.
fn local(host: &Arc<Host>) -> FollowedServer {
    let starter: adb::roster::Starter = Arc::new(|| Box::pin(async { Err(adb::AdbError::NoProgram) }));
    FollowedServer::started_by("127.0.0.1:5037", starter).over(Link::Memory(connector(host)))
}

async fn open(folder: &std::path::Path, place: FollowedServer) -> Engine {
    Engine::open(Options {
        folder: folder.to_owned(),
        places: vec![place],
        program: ProgramChoice::new(folder),
        demo: false,
        keychain: Keychain::absent(),
        key: None,
        scheduler: None,
    })
    .await
    .unwrap()
}

async fn table(is_demo: bool, options: virtual_phone::Options) -> Table {
    let host = Arc::new(Host::new());
    let phone = host.add(small(), options);
    let folder = tempfile::tempdir().unwrap();
    let place = if is_demo {
        FollowedServer::demo(connector(&host))
    } else {
        local(&host)
    };
    Table {
        engine: open(folder.path(), place).await,
        phone,
        _host: host,
        _folder: folder,
    }
}

impl Table {
    /// The first list that is as wished, within some virtual minutes.
    async fn listed(&self, wish: impl Fn(&[Phone]) -> bool) -> Vec<Phone> {
        let mut listing = self.engine.listing();
        let wished = listing.wait_for(|list| !list.looking && wish(&list.phones));
        let wished = tokio::time::timeout(Duration::from_secs(900), wished).await;
        wished.expect("it never came").unwrap().phones.clone()
    }

    fn keys(&self) -> usize {
        let entries = self.phone.record().entries();
        entries
            .iter()
            .filter(|entry| matches!(entry.what, Received::Key { .. }))
            .count()
    }

    /// Runs "press Home, then done"; `at` is told each event as it comes. Every event, to the end.
    async fn run(&self, at: impl Fn(&Event, usize)) -> Vec<What> {
        let phones = self.listed(|phones| phones.iter().any(|phone| phone.state == PhoneState::Device));
        let id = phones.await[0].id.clone();
        let mut news = self.engine.listen();
        let action = serde_json::from_str(r#"{"type":"keyevent","keycode":"KEYCODE_HOME"}"#).unwrap();
        let (_told, came) = tokio::sync::watch::channel(Some("Done.".to_owned()));
        let model: Arc<dyn Model> = Arc::new(OneAction::new(&action, came, None).unwrap());
        self.engine
            .run_with(&id, "Go home", model, Settings::default())
            .unwrap();
        let mut told: Vec<What> = Vec::new();
        let all = async {
            while let Some(news) = news.recv().await {
                let News::Run { event } = news else { continue };
                at(&event, told.len());
                let over = matches!(event.what, What::Ended { .. });
                told.push(event.what);
                if over {
                    return;
                }
            }
        };
        let ended = tokio::time::timeout(Duration::from_secs(3600), all).await;
        assert!(ended.is_ok(), "it never ended: {told:#?}");
        told
    }
}

fn is_done(told: &[What]) -> bool {
    matches!(
        told.last(),
        Some(What::Ended {
            ending: Ending::Finished { .. },
            ..
        })
    )
}

/// Whatever happens to the phone, a pause says why, ends by itself, and nothing is done twice.
async fn check(what: &str, harm: fn(&PhoneHandle), heal: fn(&PhoneHandle)) {
    let clean = table(true, virtual_phone::Options::default()).await;
    let moments = clean.run(|_, _| ()).await;
    assert!(is_done(&moments) && clean.keys() > 0, "{moments:#?}");
    let once = clean.keys();
    let mut paused = 0;
    for moment in 0..moments.len() - 1 {
        let table = table(true, virtual_phone::Options::default()).await;
        let told = table
            .run(|_, number| {
                if number == moment {
                    harm(&table.phone);
                    let phone = table.phone.clone();
                    tokio::spawn(async move {
                        tokio::time::sleep(Duration::from_secs(20)).await;
                        heal(&phone);
                    });
                }
            })
            .await;
        assert!(is_done(&told), "{what} at {moment}: {told:#?}");
        assert!(table.keys() <= once, "{what} at {moment}: done twice: {told:#?}");
        for (at, one) in told.iter().enumerate() {
            let What::Paused { reason } = one else { continue };
            paused += 1;
            assert!(agent::waits_for_phone(reason), "{what} at {moment}: {reason:?}");
            assert_eq!(told[at + 1], What::Resumed, "{what} at {moment}");
        }
    }
    assert!(paused > 0, "{what}: it was never noticed");
}

#[tokio::test(start_paused = true)]
async fn a_cable_that_is_pulled_at_any_moment() {
    check("cable", PhoneHandle::unplug, PhoneHandle::replug).await;
}

#[tokio::test(start_paused = true)]
async fn a_phone_that_is_offline_for_a_while_at_any_moment() {
    let harm = |phone: &PhoneHandle| phone.set_fault(Fault::Offline);
    let heal = |phone: &PhoneHandle| phone.clear_fault(Fault::Offline);
    check("offline", harm, heal).await;
}

#[tokio::test(start_paused = true)]
async fn a_phone_that_asks_for_allow_again_at_any_moment() {
    let harm = |phone: &PhoneHandle| phone.set_fault(Fault::Unauthorized);
    let heal = |phone: &PhoneHandle| phone.clear_fault(Fault::Unauthorized);
    check("allow", harm, heal).await;
}

#[tokio::test(start_paused = true)]
async fn while_it_is_away_the_phone_stays_on_the_list_as_offline() {
    let table = table(true, virtual_phone::Options::default()).await;
    let seen = std::sync::Mutex::new(None);
    let told = table
        .run(|event, number| {
            if number == 0 {
                table.phone.unplug();
            }
            if let What::Paused { reason } = &event.what {
                assert_eq!(*reason, PauseReason::PhoneGone);
                let (phone, mut news) = (table.phone.clone(), table.engine.listen());
                let shown = std::iter::from_fn(|| news.try_recv().ok()).find_map(|news| match news {
                    News::Phones { phones, .. } => Some(phones),
                    _ => None,
                });
                *seen.lock().unwrap() = shown.map(|phones| phones[0].state);
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_secs(5)).await;
                    phone.replug();
                });
            }
        })
        .await;
    assert!(is_done(&told));
    assert_eq!(*seen.lock().unwrap(), Some(PhoneState::Offline));
}

#[tokio::test(start_paused = true)]
async fn other_computers_servers_are_followed_as_the_settings_say() {
    let table = table(false, virtual_phone::Options::default()).await;
    let remotes = |engine: &Engine| {
        let servers = engine.inner.roster.servers();
        servers
            .iter()
            .filter(|server| matches!(server, protocol::Server::Remote { .. }))
            .count()
    };
    let patch = |servers: &[&str]| SettingsPatch {
        adb_servers: Some(servers.iter().map(|one| (*one).to_owned()).collect()),
        ..SettingsPatch::default()
    };
    let told = table
        .engine
        .patch_settings(patch(&["desk.local", "a b"]))
        .await
        .unwrap_err();
    assert_eq!(
        (told.code, told.values["address"].as_str()),
        (FailureCode::BadInput, "a b")
    );
    assert_eq!(remotes(&table.engine), 0);
    let settings = table
        .engine
        .patch_settings(patch(&["198.51.100.7", "198.51.100.7:5037", "127.0.0.1:5037"]))
        .await;
    // Its own server is followed once, as its own.
    assert_eq!(
        settings.unwrap().adb_servers,
        ["198.51.100.7:5037", "127.0.0.1:5037"]
    );
    assert_eq!(remotes(&table.engine), 1);
    table.engine.patch_settings(patch(&[])).await.unwrap();
    assert_eq!(remotes(&table.engine), 0);
    assert_eq!(table.engine.inner.roster.servers().len(), 1, "its own stays");
}

#[tokio::test(start_paused = true)]
async fn nothing_to_fetch_is_said() {
    let table = table(true, virtual_phone::Options::default()).await;
    let mut stage = table.engine.fetch_release(None);
    let failed = stage
        .wait_for(|stage| matches!(stage, Fetching::Failed { .. }))
        .await
        .unwrap()
        .clone();
    let Fetching::Failed { failure } = failed else {
        unreachable!()
    };
    assert_eq!(failure.code, FailureCode::DownloadNone);
}

/// scrcpy's server comes into our folder whole, or nothing does; what is no release we know is not used.
#[tokio::test]
async fn the_mirrors_server_is_fetched_into_our_folder() {
    const FILE: &[u8] = b"a jar, as it was published";
    for (sha256, is_there) in [
        (
            "6553550ab25d487a9556006ef5c906c26a30f45cfea0471e77fe24163d1ec68a",
            true,
        ),
        (
            "6553550ab25d487a9556006ef5c906c26a30f45cfea0471e77fe24163d1ec68b",
            false,
        ),
    ] {
        let table = table(true, virtual_phone::Options::default()).await;
        let had = table.engine.mirror_server().await;
        let release = tools::Release {
            url: serve(FILE).await,
            size: Some(FILE.len() as u64),
            sha256: sha256.to_owned(),
            ..tools::scrcpy_release()
        };
        let mut stage = table.engine.fetch_server(release);
        let ends = |stage: &Fetching| matches!(stage, Fetching::Done | Fetching::Failed { .. });
        let ended = stage.wait_for(ends).await.unwrap().clone();
        assert_eq!(ended == Fetching::Done, is_there, "{ended:?}");
        let folder = &table.engine.inner.folder;
        let kept = std::fs::read(tools::scrcpy_server(folder)).ok();
        assert_eq!(kept.as_deref(), is_there.then_some(FILE));
        assert_eq!(table.engine.mirror_server().await, had);
        assert_eq!(had.offered, tools::scrcpy_release().version);
    }
}

/// Answers one request with this file.
async fn serve(file: &'static [u8]) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut asked = vec![0; 4096];
        let _ = stream.read(&mut asked).await.unwrap();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", file.len());
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(file).await.unwrap();
    });
    format!("http://{address}/scrcpy-server")
}

/// Without a server of this computer nothing pairs, and that is said.
#[tokio::test]
async fn a_pairing_page_shows_a_picture() {
    let demo = table(true, virtual_phone::Options::default()).await;
    let port = {
        let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
        socket.local_addr().unwrap().port()
    };
    let told = demo
        .engine
        .open_pairing_over(Discovery::on_loopback(port).unwrap())
        .err()
        .unwrap();
    assert_eq!(told.code, FailureCode::AdbMissing);
    let table = table(false, virtual_phone::Options::default()).await;
    let page = table
        .engine
        .open_pairing_over(Discovery::on_loopback(port).unwrap())
        .unwrap();
    let (offer, stage) = page.offer().unwrap();
    assert!(offer.svg.contains("<svg"));
    assert_eq!(*stage.borrow(), protocol::Pairing::Waiting);
    assert_eq!(page.nearby().0, []);
    let (_, next) = page.offer().unwrap();
    assert_eq!(*next.borrow(), protocol::Pairing::Waiting);
    assert!(!format!("{offer:?}").contains("svg"));
}
