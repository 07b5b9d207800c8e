//! Every page in every state, in each language, light and dark, in the real window: pictured, and searched by axe. The pages play
//! their transcripts (`ui/walk.json`), as in `npm run dev`: no phone and no AI is asked.

mod long {
    use crate::app::{Opened, open, pictures};
    use crate::desktop::Theme;
    use serde_json::{Value, json};
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::path::{Path, PathBuf};
    use std::sync::Once;
    use std::time::{Duration, Instant};

    /// Where the program under test lets its window go besides its own pages.
    const ADDRESS: &str = "localhost:1420";
    const PATIENCE: Duration = Duration::from_secs(30);

    fn ui() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")
    }

    /// Serves the pages that play transcripts, for as long as this process lives.
    fn serve() {
        let listener = TcpListener::bind(ADDRESS).expect("nobody else serves pages in development");
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                std::thread::spawn(move || {
                    let mut reader = BufReader::new(&stream);
                    let mut line = String::new();
                    let _ = reader.read_line(&mut line);
                    let path = line.split([' ', '?']).nth(1).unwrap_or_default().to_owned();
                    while reader.read_line(&mut line).is_ok_and(|read| read > 2) {}
                    let kind = match path.rsplit('.').next() {
                        Some("html") => "text/html",
                        Some("js") => "text/javascript",
                        Some("css") => "text/css",
                        _ => "application/octet-stream",
                    };
                    let body = std::fs::read(ui().join("dist-scenes").join(path.trim_start_matches('/')));
                    let status = if body.is_ok() { "200 OK" } else { "404 Not Found" };
                    let body = body.unwrap_or_default();
                    let head = format!(
                        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                        body.len()
                    );
                    let _ = (&stream).write_all(head.as_bytes());
                    let _ = (&stream).write_all(&body);
                });
            }
        });
    }

    /// What is wrong with one page; its picture is kept.
    async fn look(app: &Opened, name: &str, address: &str, opens: Option<&str>, axe: &str) -> Vec<String> {
        app.driven
            .driver
            .goto(format!("http://{ADDRESS}/{address}"))
            .await
            .unwrap();
        let until = Instant::now() + PATIENCE;
        let drawn = "const page = document.querySelector('#app'); \
            return page !== null && page.textContent.length > 5 && document.fonts.status === 'loaded'";
        while app.driven.run(drawn).await != json!(true) {
            assert!(Instant::now() < until, "{name} stays empty");
            app.driven.frames(2).await;
        }
        // The approval window is no wider.
        if address.starts_with("approval") {
            app.driven
                .run("document.querySelector('#app').style.width = '520px'")
                .await;
        }
        app.driven.frames(20).await;
        if let Some(part) = opens {
            app.driven
                .run(&format!("document.querySelector('[data-part={part}]').click()"))
                .await;
            app.driven.frames(20).await;
        }
        app.driven
            .picture(&pictures().join("scenes").join(format!("{name}.png")))
            .await;
        app.driven.driver.execute(axe, vec![]).await.unwrap();
        let run = "const done = arguments[arguments.length - 1]; \
            axe.run(document, {resultTypes: ['violations']}) \
              .then(r => done(r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.target.join(' ')).join(', '))))\
              .catch(e => done([String(e)]));";
        let found = app.driven.driver.execute_async(run, vec![]).await.unwrap();
        let found = found.json().as_array().cloned().unwrap_or_default();
        found.iter().map(|one| format!("{name}: {one}")).collect()
    }

    async fn walk(theme: Theme, language: &str) {
        static SERVED: Once = Once::new();
        SERVED.call_once(serve);
        let pages: Vec<Vec<String>> =
            serde_json::from_slice(&std::fs::read(ui().join("walk.json")).unwrap()).unwrap();
        let axe = std::fs::read_to_string(ui().join("node_modules/axe-core/axe.min.js")).unwrap();
        let app = open(theme, None).await;
        let suffix = if theme == Theme::Dark { "-dark" } else { "" };
        let mut wrong = Vec::new();
        for page in &pages {
            let address = page[1].replacen("&still", &format!("&still&lang={language}"), 1);
            let name = format!("{}-{language}{suffix}", page[0]);
            wrong.extend(look(&app, &name, &address, page.get(2).map(String::as_str), &axe).await);
        }
        app.driven.quit().await;
        assert_eq!(Value::from(wrong), json!([]));
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs the window: cargo xtask test scenes"]
    async fn every_state_in_english_and_light() {
        walk(Theme::Light, "en").await;
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs the window: cargo xtask test scenes"]
    async fn every_state_in_english_and_dark() {
        walk(Theme::Dark, "en").await;
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs the window: cargo xtask test scenes"]
    async fn every_state_in_chinese_and_light() {
        walk(Theme::Light, "zh").await;
    }

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs the window: cargo xtask test scenes"]
    async fn every_state_in_chinese_and_dark() {
        walk(Theme::Dark, "zh").await;
    }
}
