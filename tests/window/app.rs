//! The app on a desktop of its own, and what a person does with it.

use crate::desktop::{Desktop, Theme, wait_until};
use crate::driver::{Driven, free_port};
use crate::usage::Usage;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use thirtyfour::extensions::query::ElementQueryable;
use thirtyfour::prelude::*;
use tokio::net::TcpListener;
use virtual_phone::system::{System, SystemOptions};
use virtual_phone::{Host, Options, PhoneHandle, Speed};

/// The app, open.
pub(crate) struct Opened {
    pub(crate) desktop: Desktop,
    pub(crate) driven: Driven,
    _empty: Host,
}

/// Virtual phones behind an adb server of the test's.
pub(crate) struct Plugged {
    /// The first of them.
    pub(crate) phone: PhoneHandle,
    pub(crate) phones: Vec<PhoneHandle>,
    address: String,
    _host: Arc<Host>,
}

impl Plugged {
    pub(crate) async fn new(system: SystemOptions) -> Self {
        Self::several(vec![system]).await
    }

    pub(crate) async fn several(systems: Vec<SystemOptions>) -> Self {
        let host = Host::new();
        let add = |system| {
            let options = Options {
                speed: Speed::Instant,
                ..Options::default()
            };
            host.add(Box::new(System::new(system)), options)
        };
        let phones: Vec<PhoneHandle> = systems.into_iter().map(add).collect();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = host.serve(listener).unwrap().to_string();
        Self {
            phone: phones[0].clone(),
            phones,
            address,
            _host: Arc::new(host),
        }
    }
}

/// The program under test: the one that was just built.
pub(crate) fn program() -> PathBuf {
    // The long run drives the optimised program: it is fast enough to show what the other is too slow for.
    let other = std::env::var_os("POCKETDECK_PROGRAM");
    other.map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_pocketdeck")), PathBuf::from)
}

/// Opens the app on a fresh desktop with nothing remembered. Without `plugged`, no adb server is there.
pub(crate) async fn open(theme: Theme, plugged: Option<&Plugged>) -> Opened {
    open_program(&program(), theme, plugged).await
}

/// The same on a desktop whose person wants nothing to move ([`Desktop::still`]): for tests of what is done. No picture is taken
/// there: of a page that stands still WebKit's driver now and then gives none.
pub(crate) async fn open_still(plugged: Option<&Plugged>) -> Opened {
    let desktop = Desktop::start(Theme::Light);
    desktop.still();
    open_where(&program(), desktop, plugged, &[]).await
}

/// The same with another program than the one that was just built.
pub(crate) async fn open_program(program: &Path, theme: Theme, plugged: Option<&Plugged>) -> Opened {
    open_where(program, Desktop::start(theme), plugged, &[]).await
}

/// The window on a desktop that has a place beside its clock.
pub(crate) async fn open_with_tray(theme: Theme) -> Opened {
    let mut desktop = Desktop::start(theme);
    desktop.tray();
    open_where(&program(), desktop, None, &[]).await
}

/// The window over data that was there before, as `prepare` leaves it in its folder.
pub(crate) async fn open_over(theme: Theme, prepare: impl FnOnce(&Path)) -> Opened {
    let desktop = Desktop::start(theme);
    prepare(&desktop.path("data"));
    open_where(&program(), desktop, None, &[]).await
}

/// The window on a display so dense, with these phones.
pub(crate) async fn open_at(density: u32, plugged: &Plugged) -> Opened {
    let desktop = Desktop::start_at(Theme::Light, density);
    open_where(&program(), desktop, Some(plugged), &[]).await
}

/// What a test that wants scrcpy's server and was given none says.
pub(crate) const NO_SCRCPY: &str = "POCKETDECK_SCRCPY_JAR names no scrcpy server";

/// The same on a computer that has scrcpy's server. Nothing where none is named: a real one, of a release the product
/// knows, is in the file `POCKETDECK_SCRCPY_JAR`.
pub(crate) async fn open_with_scrcpy(theme: Theme, plugged: &Plugged) -> Option<Opened> {
    let jar = std::env::var("POCKETDECK_SCRCPY_JAR").ok()?;
    let has = [("SCRCPY_SERVER_PATH", jar.as_str())];
    Some(open_where(&program(), Desktop::start(theme), Some(plugged), &has).await)
}

/// The same with variables of the app's own.
async fn open_where(
    program: &Path,
    mut desktop: Desktop,
    plugged: Option<&Plugged>,
    has: &[(&str, &str)],
) -> Opened {
    for (name, value) in has {
        desktop.set(name, value);
    }
    let data = desktop.path("data");
    desktop.set("POCKETDECK_DATA", data.to_str().unwrap());
    let state = desktop.path("demo-state.json");
    desktop.set("POCKETDECK_DEMO_STATE", state.to_str().unwrap());
    desktop.set("POCKETDECK_LOG", "trace");
    // Phones on the network are searched for on this computer's own loop.
    desktop.set("POCKETDECK_MDNS", &free_port().to_string());
    // An adb server of the test's in any case: this machine's own is left alone.
    let empty = Host::new();
    let server = match plugged {
        Some(plugged) => plugged.address.clone(),
        None => empty
            .serve(TcpListener::bind("127.0.0.1:0").await.unwrap())
            .unwrap()
            .to_string(),
    };
    desktop.set("ADB_SERVER_SOCKET", &format!("tcp:{server}"));
    let driven = Driven::start(&desktop, program).await;
    driven.window("index").await;
    Opened {
        desktop,
        driven,
        _empty: empty,
    }
}

impl Opened {
    /// The first demo phone, from the page that says there is none.
    pub(crate) async fn try_demo_phone(&self) {
        self.driven.press("Try the demo phone").await;
        self.driven.see("[data-part=tile]").await;
    }

    /// The demo phone from the page a first start opens.
    pub(crate) async fn begin_with_the_demo_phone(&self) {
        let demo = self.driven.see("[data-part=add-demo]").await;
        demo.click().await.unwrap();
        self.driven.see("[data-part=tile]").await;
    }

    /// Writes a task into the composer and runs it on the chosen phone.
    pub(crate) async fn run(&self, goal: &str) {
        let field = self.driven.see("[data-part=composer-text]").await;
        field.click().await.unwrap();
        field.send_keys(goal).await.unwrap();
        self.driven.click("[data-part=run]:enabled").await;
    }

    /// The Phones page.
    pub(crate) async fn phones_page(&self) {
        self.driven.window("index").await;
        self.driven.click("[data-part=nav-phones]").await;
        self.driven.see("[data-part=composer-text]").await;
    }

    /// The page of a phone, by its name in the sidebar.
    pub(crate) async fn phone_page(&self, name: &str) {
        self.driven.window("index").await;
        let xpath = format!("//*[@data-part='quick-phone'][contains(., \"{name}\")]");
        // A window that has just begun is told of its phones a moment later.
        let found = self.driven.driver.query(By::XPath(xpath)).and_displayed();
        let row = found.wait(Duration::from_secs(60), Duration::from_millis(100));
        row.first().await.unwrap().click().await.unwrap();
        self.driven.see("[data-part=phone-header]").await;
    }

    /// Waits until a phone's live picture comes this way: `scrcpy`, `screenrecord` or `captures`.
    pub(crate) async fn comes_by(&self, way: &str) {
        let said = || {
            self.driven
                .run("return document.querySelector('[data-part=live]')?.dataset.rung ?? '';")
        };
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let now = said().await;
            if now.as_str() == Some(way) {
                return;
            }
            assert!(Instant::now() < until, "not {way}, but {now}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Chooses a server of one's own in the settings, with a key.
    pub(crate) async fn use_server(&self, address: &str, key: &str) {
        self.driven.click("[data-part=nav-settings]").await;
        // The others are behind one line, unless one of them is chosen.
        let either = self
            .driven
            .see("[data-part=provider-others], [data-part=provider-custom]")
            .await;
        either.click().await.unwrap();
        self.driven.click("[data-part=provider-custom]").await;
        self.fill("[data-part=provider-address]", address).await;
        self.fill("[data-part=provider-model]", "scripted-model").await;
        // A key that is there is replaced, never shown.
        let either = self
            .driven
            .see("[data-part=key-field], [data-part=key-forget]")
            .await;
        if either.tag_name().await.unwrap() == "button" {
            either.click().await.unwrap();
        }
        self.fill("[data-part=key-field]", key).await;
        self.driven.click("[data-part=key-save]").await;
        self.driven.see("[data-part=key-stored]").await;
    }

    /// What the server costs for a million tokens, on the settings page that is open.
    pub(crate) async fn use_prices(&self, read: &str, written: &str) {
        self.fill("[data-part=price-input]", read).await;
        self.fill("[data-part=price-output]", written).await;
    }

    pub(crate) async fn fill(&self, css: &str, text: &str) {
        let field = self.driven.see(css).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
        // Leaving the field is what takes the value over.
        field.send_keys(Key::Tab + "").await.unwrap();
    }

    /// Types a task below the phone whose page is open, and starts it.
    pub(crate) async fn give_task(&self, task: &str) {
        let field = "[data-part=task-line] textarea, [data-part=task-line] input";
        self.driven.see(field).await.send_keys(task).await.unwrap();
        self.driven.click("[data-part=task-line] button").await;
    }

    /// Waits until the question in front is this phone's. The driver takes a name that may be cut short for hidden.
    pub(crate) async fn asked_on(&self, phone: &str) {
        self.driven.window("approval").await;
        let xpath = format!("//*[@data-part='ask-line'][contains(., \"{phone}\")]");
        let line = self.driven.driver.query(By::XPath(xpath));
        let line = line.wait(Duration::from_secs(60), Duration::from_millis(100));
        line.first().await.unwrap();
    }

    /// No to each question that waits, until there is none.
    pub(crate) async fn deny_all(&self) {
        let until = Instant::now() + Duration::from_secs(60);
        while self.driven.find_window("approval").await.is_some() {
            assert!(Instant::now() < until, "a question stays");
            // An answer closes its window, or brings the next question, while the driver still presses.
            if let Ok(deny) = self.driven.driver.find(By::Css("[data-part=deny]")).await {
                let _ = deny.click().await;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// The approval window, once it is there, looked at long enough and moved in: as a person who means it.
    pub(crate) async fn approval(&self) {
        self.driven.window("approval").await;
        let header = self.driven.see("[data-part=ask-header]").await;
        let pointer = self.driven.driver.action_chain();
        pointer.move_to_element_center(&header).perform().await.unwrap();
        let body = self.driven.see("[data-part=approval]").await;
        let pointer = self.driven.driver.action_chain();
        pointer.move_to_element_center(&body).perform().await.unwrap();
    }

    /// Yes to the question in front, for good.
    pub(crate) async fn choose_always(&self) {
        self.driven.click("[data-part=always-choice]").await;
        self.driven.press("Always allow").await;
    }

    /// Yes to a change of the settings, looked at long enough and moved in.
    pub(crate) async fn confirm(&self, yes: &str) {
        self.driven.window("approval").await;
        for part in ["change-header", "means"] {
            let part = self.driven.see(&format!("[data-part={part}]")).await;
            let pointer = self.driven.driver.action_chain();
            pointer.move_to_element_center(&part).perform().await.unwrap();
        }
        self.driven.press(yes).await;
        self.driven.wait_window_gone("approval").await;
        self.driven.window("index").await;
    }

    /// The same app on the same desktop again, after it ended or was killed.
    pub(crate) async fn again(self) -> Self {
        let Self {
            desktop,
            driven,
            _empty,
        } = self;
        drop(driven);
        let driven = Driven::start(&desktop, &program()).await;
        driven.window("index").await;
        Self {
            desktop,
            driven,
            _empty,
        }
    }

    /// The newest text message the first demo phone received that holds a code, and that code.
    pub(crate) fn texted_code(&self) -> String {
        code_in(&self.demo_state()[0]).expect("the bank sent a code")
    }

    /// What the demo phones say of themselves.
    pub(crate) fn demo_state(&self) -> Value {
        let text = std::fs::read(self.desktop.path("demo-state.json")).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Waits until a demo phone's state is so.
    pub(crate) fn wait_state(&self, what: &str, so: impl Fn(&Value) -> bool) {
        wait_until(what, Duration::from_secs(60), || so(&self.demo_state()[0]));
    }

    /// What the app's processes have used so far.
    pub(crate) fn usage(&self) -> Usage {
        Usage::of(self.driven.server_pid())
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.desktop.path("data")
    }

    /// Everything the app printed.
    pub(crate) fn log(&self) -> PathBuf {
        self.desktop.path("app.log")
    }
}

/// The code in the newest text message from the bank.
pub(crate) fn code_in(phone: &Value) -> Option<String> {
    let received = phone["messages"]["received"].as_array()?;
    received.iter().rev().find_map(|message| {
        let text = message["text"]
            .as_str()
            .filter(|text| text.contains("is your code"))?;
        text.split(|c: char| !c.is_ascii_digit())
            .find(|word| word.len() == 6)
            .map(str::to_owned)
    })
}

/// Where the tests keep the pictures they take.
pub(crate) fn pictures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pictures")
}
