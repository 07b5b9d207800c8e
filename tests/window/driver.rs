//! WebKitWebDriver, and the two windows it drives.

use crate::desktop::{Desktop, Theme};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use thirtyfour::extensions::query::ElementQueryable;
use thirtyfour::prelude::*;
use thirtyfour::{Capabilities, WindowHandle};

/// How long anything on a page may take to come.
const PAGE_TIMEOUT: Duration = Duration::from_secs(60);
/// How often it is looked for.
const OFTEN: Duration = Duration::from_millis(100);

/// The app, driven.
pub(crate) struct Driven {
    pub(crate) driver: WebDriver,
    server: Child,
}

impl Driven {
    /// Starts the app under WebKitWebDriver on a desktop.
    pub(crate) async fn start(desktop: &Desktop, program: &Path) -> Self {
        // Once a process is enough; a second time changes nothing.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let port = free_port();
        let mut command = desktop.command("WebKitWebDriver");
        command.arg(format!("--port={port}")).arg("--host=127.0.0.1");
        command.env("TAURI_WEBVIEW_AUTOMATION", "true");
        // What the app says goes where the tests can search it.
        let log = std::fs::File::create(desktop.path("app.log")).unwrap();
        command
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log);
        let server = command
            .spawn()
            .expect("webkit2gtk-driver is installed by `cargo xtask test`");
        let mut wanted = Capabilities::new();
        wanted
            .set("webkitgtk:browserOptions", json!({"binary": program, "args": []}))
            .unwrap();
        let address = format!("http://127.0.0.1:{port}");
        let deadline = Instant::now() + PAGE_TIMEOUT;
        let driver = loop {
            match WebDriver::new(&address, wanted.clone()).await {
                Ok(driver) => break driver,
                Err(error) if Instant::now() > deadline => panic!("no session: {error}"),
                Err(_) => tokio::time::sleep(OFTEN).await,
            }
        };
        Self { driver, server }
    }

    /// The driver's process, which started the app.
    pub(crate) fn server_pid(&self) -> u32 {
        self.server.id()
    }

    /// Goes to the window whose page is `page` (`index`, `approval`), once it is there.
    pub(crate) async fn window(&self, page: &str) -> WindowHandle {
        let deadline = Instant::now() + PAGE_TIMEOUT;
        loop {
            if let Some(handle) = self.find_window(page).await {
                return handle;
            }
            assert!(Instant::now() < deadline, "no window shows {page}");
            tokio::time::sleep(OFTEN).await;
        }
    }

    /// Whether a window shows `page` now; it is the current one then.
    pub(crate) async fn find_window(&self, page: &str) -> Option<WindowHandle> {
        for handle in self.driver.windows().await.ok()? {
            if self.driver.switch_to_window(handle.clone()).await.is_err() {
                continue;
            }
            let url = self.driver.current_url().await.ok()?;
            let path = url.path().trim_start_matches('/');
            let shown = if path.is_empty() {
                "index"
            } else {
                path.trim_end_matches(".html")
            };
            if shown == page {
                return Some(handle);
            }
        }
        None
    }

    pub(crate) async fn wait_window_gone(&self, page: &str) {
        let deadline = Instant::now() + PAGE_TIMEOUT;
        while self.find_window(page).await.is_some() {
            assert!(Instant::now() < deadline, "the window {page} is still there");
            tokio::time::sleep(OFTEN).await;
        }
    }

    /// The first element that fits, once it is there and can be seen.
    pub(crate) async fn see(&self, css: &str) -> WebElement {
        let found = self
            .driver
            .query(By::Css(css))
            .and_displayed()
            .wait(PAGE_TIMEOUT, OFTEN)
            .first()
            .await;
        match found {
            Ok(element) => element,
            Err(error) => panic!("{css} is not there: {error}\n{}", self.page_text().await),
        }
    }

    /// Presses the first element that fits, once it is there and can be seen.
    pub(crate) async fn click(&self, css: &str) {
        let element = self.see(css).await;
        self.rest(&element).await;
        element.click().await.unwrap();
    }

    /// Waits until the element stands still: a press goes to where its element was when the press began.
    async fn rest(&self, element: &WebElement) {
        let script = "const [element, done] = arguments; let before = ''; let left = 120; \
                      const next = () => { const now = JSON.stringify(element.getBoundingClientRect()); \
                        if (now === before || left-- === 0) return done(null); \
                        before = now; requestAnimationFrame(() => requestAnimationFrame(next)); }; next();";
        let element = element.to_json().unwrap();
        self.driver.execute_async(script, vec![element]).await.unwrap();
    }

    /// The same by what stands on it: buttons and links, once they take a press.
    pub(crate) async fn press(&self, words: &str) {
        let xpath = format!(
            "//*[self::button or self::a][normalize-space()={}][not(@aria-disabled='true')]",
            quote(words)
        );
        let found = self
            .driver
            .query(By::XPath(xpath))
            .and_displayed()
            .and_enabled()
            .wait(PAGE_TIMEOUT, OFTEN)
            .first()
            .await;
        match found {
            // An answer closes its window, sometimes before the driver has said that it pressed.
            Ok(element) => match element.click().await {
                Ok(()) => {}
                Err(error) if error.to_string().contains("no such window") => {}
                Err(error) => panic!("{words:?} could not be pressed: {error}"),
            },
            Err(error) => panic!("no {words:?} to press: {error}\n{}", self.page_text().await),
        }
    }

    /// Types where the focus is: for a code that is its field, without a click.
    pub(crate) async fn type_into_focus(&self, text: &str) {
        let field = self.driver.active_element().await.unwrap();
        assert_eq!(
            field.tag_name().await.unwrap().to_lowercase(),
            "input",
            "a field has the focus"
        );
        field.send_keys(text).await.unwrap();
    }

    /// Waits until the page says something; capitals aside.
    pub(crate) async fn read(&self, words: &str) {
        let deadline = Instant::now() + PAGE_TIMEOUT;
        loop {
            let text = self.page_text().await;
            if text.to_lowercase().contains(&words.to_lowercase()) {
                return;
            }
            assert!(
                Instant::now() < deadline,
                "the page does not say {words:?}:\n{text}"
            );
            tokio::time::sleep(OFTEN).await;
        }
    }

    pub(crate) async fn page_text(&self) -> String {
        match self.driver.find(By::Tag("body")).await {
            Ok(body) => body.text().await.unwrap_or_default(),
            Err(error) => format!("({error})"),
        }
    }

    /// Waits until nothing is found any more.
    pub(crate) async fn wait_gone(&self, css: &str) {
        let deadline = Instant::now() + PAGE_TIMEOUT;
        while self.driver.find(By::Css(css)).await.is_ok() {
            assert!(Instant::now() < deadline, "{css} stays");
            tokio::time::sleep(OFTEN).await;
        }
    }

    /// Waits until so many frames were painted.
    pub(crate) async fn frames(&self, count: u32) {
        let script = "const done = arguments[arguments.length - 1]; let left = arguments[0]; \
                      const next = () => (left-- > 0 ? requestAnimationFrame(next) : done(null)); next();";
        self.driver
            .execute_async(script, vec![serde_json::json!(count)])
            .await
            .unwrap();
    }

    /// Runs a function's body in the page.
    pub(crate) async fn run(&self, script: &str) -> serde_json::Value {
        self.driver.execute(script, vec![]).await.unwrap().json().clone()
    }

    /// The current window's page as PNG.
    pub(crate) async fn picture(&self, file: &Path) {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        // The webview gives its picture with the next one it draws, and a page on which nothing moves draws none; nor does one on
        // which something moves below its end.
        self.run(
            "const beat = document.createElement('i'); beat.style.cssText = 'position:fixed;top:0;width:1px;height:1px;opacity:.01;background:gray'; \
             document.body.append(beat); let turn = 0; \
             const timer = setInterval(() => { beat.style.left = (turn ^= 1) + 'px'; }, 30); \
             window.endBeat = () => { clearInterval(timer); beat.remove(); };",
        )
        .await;
        let png = self.driver.screenshot_as_png().await.unwrap();
        self.run("window.endBeat();").await;
        std::fs::write(file, png).unwrap();
    }

    /// Looks at the current page in light and in dark, on a light desktop. A theme changes how a page looks and nothing that is
    /// done there: so what a person does is played once, and only looking is done in both.
    pub(crate) async fn in_both_themes(&self, look: impl AsyncFn(Theme)) {
        for (theme, scheme) in [(Theme::Light, ""), (Theme::Dark, "dark")] {
            self.color_scheme(scheme).await;
            look(theme).await;
        }
        self.color_scheme("").await;
    }

    /// Has the current page take this scheme of colours, or with nothing its desktop's, and waits until no colour changes any
    /// more; what moves may go on, a run never stands still. All colours of the pages are `light-dark()`, which asks for the
    /// scheme and not who set it: so they are those of a dark desktop.
    async fn color_scheme(&self, scheme: &str) {
        let script = "const [scheme, done] = arguments; document.documentElement.style.colorScheme = scheme; let left = 120; \
                      const next = () => { \
                        const changing = document.getAnimations().map(one => one.transitionProperty) \
                          .filter(property => /color|shadow/.test(property ?? '')); \
                        if (changing.length === 0 || left-- === 0) return done(changing); \
                        requestAnimationFrame(next); }; requestAnimationFrame(next);";
        let changing = self.driver.execute_async(script, vec![json!(scheme)]).await;
        assert_eq!(*changing.unwrap().json(), json!([]), "colours go on changing");
    }

    /// The current page is dark, and nobody but its desktop said so.
    pub(crate) async fn is_dark_as_its_desktop(&self) {
        let script = "return [document.documentElement.style.colorScheme, \
                      matchMedia('(prefers-color-scheme: dark)').matches, getComputedStyle(document.body).backgroundColor]";
        let dark = json!(["", true, "rgb(27, 27, 30)"]);
        assert_eq!(self.run(script).await, dark);
    }

    /// A picture of the current page in each theme, in the file that is named for it.
    pub(crate) async fn picture_in_both_themes(&self, file: impl Fn(Theme) -> PathBuf) {
        self.in_both_themes(async |theme| self.picture(&file(theme)).await)
            .await;
    }

    /// An open dialog, pictured, as it should be.
    pub(crate) async fn dialog(&self, part: &str, file: &Path) {
        self.dialog_fits(part).await;
        self.picture(file).await;
    }

    /// An open dialog is within the window, all of it is seen, and no room is left below what it says.
    pub(crate) async fn dialog_fits(&self, part: &str) {
        let css = format!("dialog[open][data-part={part}]");
        self.see(&css).await;
        let script = format!(
            "const dialog = document.querySelector('{css}'); const at = dialog.getBoundingClientRect(); const wrong = []; \
             if (at.left < 0 || at.top < 0 || at.right > innerWidth || at.bottom > innerHeight) wrong.push('beyond the window'); \
             if (dialog.scrollHeight > dialog.clientHeight + 1) wrong.push('to be scrolled'); \
             const ends = [...dialog.children].map((child) => child.getBoundingClientRect().bottom); \
             const empty = at.bottom - parseFloat(getComputedStyle(dialog).paddingBottom) - Math.max(...ends); \
             if (empty > 2) wrong.push(`${{empty}} px of nothing`); \
             return wrong;"
        );
        let deadline = Instant::now() + PAGE_TIMEOUT;
        loop {
            let wrong = self.run(&script).await;
            if wrong.as_array().is_some_and(Vec::is_empty) {
                break;
            }
            assert!(Instant::now() < deadline, "{part}: {wrong}");
            self.frames(5).await;
        }
    }

    /// Kills the app where it stands: SIGKILL, to it alone.
    pub(crate) fn kill_app(&self, desktop: &Desktop) {
        let children = format!("/proc/{0}/task/{0}/children", self.server.id());
        let children = std::fs::read_to_string(children).unwrap();
        let app = children
            .split_whitespace()
            .next()
            .expect("the driver started the app");
        assert!(
            desktop
                .command("kill")
                .args(["-KILL", app])
                .status()
                .unwrap()
                .success()
        );
    }

    /// No window says that something went wrong inside the program: there a page tells what it, or nothing in it, caught.
    async fn nothing_went_wrong_inside(&self) {
        for handle in self.driver.windows().await.unwrap_or_default() {
            if self.driver.switch_to_window(handle).await.is_err() {
                continue;
            }
            let trouble = self.driver.find(By::Css("[data-failure=internal]")).await;
            assert!(
                trouble.is_err(),
                "{}: {}",
                self.copied_details().await,
                self.page_text().await
            );
        }
    }

    /// What "Copy details" puts into the clipboard.
    async fn copied_details(&self) -> serde_json::Value {
        self.run(
            "let copied = ''; \
             Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { copied = text; } } }); \
             document.querySelector('[data-failure=internal] button.link')?.click(); \
             return copied",
        )
        .await
    }

    /// Ends the app as a person does, by its window.
    pub(crate) async fn quit(mut self) {
        self.nothing_went_wrong_inside().await;
        let _ = self.driver.clone().quit().await;
        // SIGTERM, so that it takes its child along.
        if let Ok(pid) = i32::try_from(self.server.id()) {
            let _ = std::process::Command::new("kill")
                .args(["-TERM", &pid.to_string()])
                .status();
        }
        let _ = self.server.wait();
    }
}

impl Drop for Driven {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A port nobody uses now.
pub(crate) fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

fn quote(words: &str) -> String {
    if words.contains('\'') {
        format!("\"{words}\"")
    } else {
        format!("'{words}'")
    }
}
