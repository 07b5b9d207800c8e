//! The reader's own source, on a Java machine of this computer, against stand-ins of Android's classes: spoken to by the client that
//! speaks to a phone. What stands on the screen is a file ([`Page`]); whoever changes it changes the screen, and the stand-in of
//! `UiAutomation` serves what it read before until its cache is cleared, as Android's does.

#![expect(
    clippy::disallowed_methods,
    reason = "the compiler and the machine of Java are started"
)]

use super::ReaderError;
use super::connection::{Connection, ReaderEnd};
use super::protocol::{Answer, Outcome, Request};
use crate::connect::shell::Framing;
use skipped::skipped;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::process::{Child, Command};

#[path = "../../../../tests/shared/skipped.rs"]
mod skipped;

/// A Java machine may be slow to start here.
const JAVA_TIMEOUT: Duration = Duration::from_secs(60);
const CONSTRUCTOR: &str = "public UiAutomation(Looper looper, IUiAutomationConnection connection) {}";

/// What a Java machine is told that lives for a second.
const BRIEFLY: [&str; 2] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/// How Android's class differs by version.
#[derive(Clone, Copy, Debug)]
enum ApiVariant {
    /// `(Looper, IUiAutomationConnection)`, and `clearCache` (Android 14).
    Usual,
    /// No `clearCache` yet.
    Older,
    /// `(int, Looper, IUiAutomationConnection)`.
    WithDisplay,
    /// A constructor nobody knows but the phone's own uiautomator.
    Unknown,
}

impl ApiVariant {
    fn source(self, usual: &str) -> String {
        let changed = match self {
            Self::Usual => return usual.to_owned(),
            Self::Older => usual.replace("boolean clearCache()", "boolean somethingElse()"),
            Self::WithDisplay => usual.replace(
                CONSTRUCTOR,
                "private UiAutomation(int display, Looper looper, IUiAutomationConnection connection) {}",
            ),
            Self::Unknown => {
                usual.replace(CONSTRUCTOR, "UiAutomation(Looper looper, String of, int what) {}")
            }
        };
        assert_ne!(changed, usual, "{self:?}");
        changed
    }
}

fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(java_files(&path));
        } else {
            files.push(path);
        }
    }
    files
}

/// The classes, compiled: this costs more than all that is asked of them, so each form is compiled once.
fn compiled(form: ApiVariant) -> TempDir {
    let folder = TempDir::new().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("reader");
    let mut files = java_files(&source.join("java"));
    for file in java_files(&source.join("standins")) {
        if file.ends_with("android/app/UiAutomation.java") {
            let own = folder.path().join("UiAutomation.java");
            std::fs::write(&own, form.source(&std::fs::read_to_string(file).unwrap())).unwrap();
            files.push(own);
        } else {
            files.push(file);
        }
    }
    let out = std::process::Command::new("javac")
        .args(BRIEFLY.map(|option| format!("-J{option}")))
        .args(["-nowarn", "-d"])
        .arg(folder.path())
        .args(files)
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    folder
}

/// The screen.
struct Page<'a> {
    classes: &'a Path,
    folder: TempDir,
}

impl<'a> Page<'a> {
    fn new(classes: &'a TempDir, lines: &[&str]) -> Self {
        let page = Self {
            classes: classes.path(),
            folder: TempDir::new().unwrap(),
        };
        page.show(lines);
        page
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("world")
    }

    /// Appears all at once.
    fn show(&self, lines: &[&str]) {
        let new = self.folder.path().join("new");
        std::fs::write(&new, lines.join("\n")).unwrap();
        std::fs::rename(new, self.file()).unwrap();
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.file()).unwrap()
    }

    /// Starts the reader, as Android of this API level.
    async fn reader(&self, sdk: u32) -> (Child, Result<Connection, ReaderError>) {
        let mut child = Command::new("java")
            .args(BRIEFLY)
            .arg(format!("-Dstandin.world={}", self.file().display()))
            .arg(format!("-Dstandin.sdk={sdk}"))
            .arg("-cp")
            .arg(self.classes)
            .arg("pocketdeck.Reader")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let stream = tokio::io::join(child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let greeted = Connection::greet(Box::new(stream), Framing::Bare, JAVA_TIMEOUT).await;
        (child, greeted.map_err(|(error, _)| error))
    }
}

async fn tree(connection: &mut Connection) -> String {
    let answer = connection.ask(Request::tree, JAVA_TIMEOUT).await.unwrap();
    assert_eq!(answer.outcome, Outcome::Done, "{}", answer.words());
    String::from_utf8(answer.rest).unwrap()
}

async fn text(connection: &mut Connection, text: &str) -> Answer {
    connection
        .ask(|id| Request::text(id, text), JAVA_TIMEOUT)
        .await
        .unwrap()
}

const FRAME: &str = "id=1\tclass=android.widget.FrameLayout";

#[tokio::test]
async fn the_readers_source_is_what_the_client_speaks_to() {
    if std::process::Command::new("javac")
        .arg("-version")
        .output()
        .is_err()
        || std::process::Command::new("java")
            .arg("-version")
            .output()
            .is_err()
    {
        return skipped("no Java compiler (Debian: default-jdk-headless)");
    }
    let usual = compiled(ApiVariant::Usual);
    trees_are_new(ApiVariant::Usual, &usual).await;
    for form in [ApiVariant::Older, ApiVariant::WithDisplay, ApiVariant::Unknown] {
        trees_are_new(form, &compiled(form)).await;
    }
    a_tree_is_as_uiautomator_writes_it(&usual).await;
    rest_is_told_by_events(&usual).await;
    text_comes_where_the_cursor_is(&usual).await;
    what_takes_no_text_is_left_alone(&usual).await;
    icons_are_drawn(&usual).await;
    why_it_will_not_is_told(&usual).await;
    it_ends_with_its_stream(&usual).await;
}

/// Ten screens one after another: what it read before is never served again.
async fn trees_are_new(form: ApiVariant, classes: &TempDir) {
    let page = Page::new(classes, &[FRAME]);
    let (child, connection) = page.reader(34).await;
    let mut connection = connection.unwrap();
    for number in 0..10 {
        let title = format!("\tid=2\tclass=android.widget.TextView\ttext=Page {number}");
        page.show(&[FRAME, &title]);
        let tree = tree(&mut connection).await;
        assert!(
            tree.contains(&format!("text=\"Page {number}\"")),
            "{form:?}: {tree}"
        );
    }
    assert!(matches!(
        connection.quit().await,
        ReaderEnd::Quit | ReaderEnd::Early(ReaderError::Ended(_))
    ));
    let out = child.wait_with_output().await.unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{form:?}: {said}");
    // The phone's own uiautomator does, for as long as it takes to make one.
    let suppressed = said.contains("suppresses other services");
    assert_eq!(
        suppressed,
        matches!(form, ApiVariant::Unknown),
        "{form:?}: {said}"
    );
}

async fn a_tree_is_as_uiautomator_writes_it(classes: &TempDir) {
    let page = Page::new(
        classes,
        &[
            FRAME,
            "\tid=2\tclass=android.widget.Button\ttext=Pay <&> \"now\" 漢🙂\tresource=com.example:id/pay\tclickable=true\tbounds=10,2300,500,2600",
            "\tid=3\tclass=android.widget.TextView\ttext=nobody sees it\thidden=true",
            "\tid=4\tclass=android.widget.EditText\thint=Name\thinting=true\teditable=true\tfocusable=true\tfocused=true\tbounds=0,100,1080,200",
            "\t\tid=5\tclass=android.view.View\tdescription=clear",
        ],
    );
    let (_child, connection) = page.reader(34).await;
    let xml = tree(&mut connection.unwrap()).await;
    let node = |index: &str, rest: &str| format!("<node index=\"{index}\" {rest}>");
    let flags = |on: &[&str]| -> String {
        let names = [
            "checkable",
            "checked",
            "clickable",
            "enabled",
            "focusable",
            "focused",
            "scrollable",
            "long-clickable",
            "password",
            "selected",
            "editable",
        ];
        let one = |name: &&str| format!("{name}=\"{}\"", on.contains(name) || *name == "enabled");
        names.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    let expected = [
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\" display=\"0\">".to_owned(),
        "<window id=\"7\" type=\"application\" layer=\"0\" active=\"true\" focused=\"true\" bounds=\"[0,0][1080,2400]\" />".to_owned(),
        node("0", &format!("text=\"\" resource-id=\"\" class=\"android.widget.FrameLayout\" package=\"com.example\" content-desc=\"\" {} bounds=\"[0,0][1080,2400]\"", flags(&[]))),
        node("0", &format!("text=\"Pay &lt;&amp;&gt; &quot;now&quot; 漢🙂\" resource-id=\"com.example:id/pay\" class=\"android.widget.Button\" package=\"com.example\" content-desc=\"\" {} bounds=\"[10,2300][500,2400]\"", flags(&["clickable"]))),
        "</node>".to_owned(),
        node("2", &format!("text=\"Name\" resource-id=\"\" class=\"android.widget.EditText\" package=\"com.example\" content-desc=\"\" {} hint=\"Name\" bounds=\"[0,100][1080,200]\"", flags(&["focusable", "focused", "editable"]))),
        node("0", &format!("text=\"\" resource-id=\"\" class=\"android.view.View\" package=\"com.example\" content-desc=\"clear\" {} bounds=\"[0,0][1080,2400]\"", flags(&[]))),
        "</node></node></node></hierarchy>".to_owned(),
    ]
    .concat();
    assert_eq!(xml, expected);
    let read = screen::Tree::read(&xml, 1080, 2400, 100).unwrap();
    assert_eq!(read.nodes.len(), 4);
    page.show(&["!nothing"]);
}

async fn rest_is_told_by_events(classes: &TempDir) {
    let page = Page::new(classes, &[FRAME]);
    let (_child, connection) = page.reader(34).await;
    let mut connection = connection.unwrap();
    let mut wait = async |quiet, limit| {
        let request = |id| Request::wait(id, Duration::from_millis(quiet), Duration::from_millis(limit));
        let answer = connection.ask(request, JAVA_TIMEOUT).await.unwrap();
        assert_eq!(answer.outcome, Outcome::Done);
        (answer.rest == [1], answer.events)
    };
    assert_eq!(wait(1, 5000).await, (true, 0));
    let (rested, _) = wait(3_600_000, 20).await;
    assert!(!rested);
    page.show(&[FRAME, "\tid=2\tclass=android.view.View"]);
    let mut events = 0;
    // Each waits until a change is told, or its moment is over.
    for _ in 0..500 {
        events = wait(3_600_000, 20).await.1;
        if events > 0 {
            break;
        }
    }
    assert_eq!(events, 1, "one change, and one event that is none");
    assert_eq!(wait(1, 5000).await, (true, 1));
}

async fn text_comes_where_the_cursor_is(classes: &TempDir) {
    let field =
        |rest: &str| format!("\tid=2\tclass=android.widget.EditText\teditable=true\tfocused=true\t{rest}");
    for (before, typed, after) in [
        (
            "hint=Message\thinting=true",
            "Привет, 世界 🙂",
            "text=Привет, 世界 🙂",
        ),
        ("text=ac\tcursor=1", "b", "text=abc"),
        ("text=ab\tcursor=2", "שלום", "text=abשלום"),
        ("text=\tcursor=0", "a  b", "text=a  b"),
    ] {
        let page = Page::new(classes, &[FRAME, &field(before)]);
        let (_child, connection) = page.reader(26).await;
        let answer = text(&mut connection.unwrap(), typed).await;
        assert_eq!(
            (answer.outcome, answer.rest.as_slice()),
            (Outcome::Done, [1].as_slice()),
            "{before}"
        );
        assert!(page.text().contains(after), "{before}: {}", page.text());
    }
}

async fn what_takes_no_text_is_left_alone(classes: &TempDir) {
    let field = "class=android.widget.EditText\teditable=true\tfocused=true\tcursor=0";
    for (sdk, rest, why) in [
        (34, "focused=false", "no field has the input focus"),
        (34, "editable=false", "no field has the input focus"),
        (34, "disabled=true", "no field has the input focus"),
        (34, "password=true", "the field is for a password"),
        (25, "text=a", "this Android does not tell a hint from a text"),
        (34, "text=a\tcursor=-1", "where the cursor is, is not told"),
        (34, "refuses=true", "the field takes no text"),
    ] {
        let page = Page::new(classes, &[FRAME, &format!("\tid=2\t{field}\t{rest}")]);
        let before = page.text();
        let (_child, connection) = page.reader(sdk).await;
        let answer = text(&mut connection.unwrap(), "x").await;
        assert_eq!((answer.outcome, answer.words().as_str()), (Outcome::Refused, why));
        assert_eq!(page.text(), before, "{why}");
    }
    let page = Page::new(classes, &[FRAME, &format!("\tid=2\t{field}\ttext=")]);
    let (_child, connection) = page.reader(34).await;
    let mut connection = connection.unwrap();
    let mut again = async || {
        let old = |_| Request::text(1, "x");
        connection.ask(old, JAVA_TIMEOUT).await.unwrap().outcome
    };
    assert_eq!((again().await, again().await), (Outcome::Done, Outcome::Refused));
    assert!(page.text().contains("text=x"), "{}", page.text());
}

/// One icon asked for twice, on a phone with this trouble: its side, or how it was refused and why. The reader goes on in any case.
async fn check_icon(
    page: &Page<'_>,
    connection: &mut Connection,
    trouble: &str,
    (package, side): (&str, u32),
    expected: Result<u32, (Outcome, &str)>,
) {
    page.show(&[trouble, "!icon com.greenleaf.shop 1f7a4d", FRAME]);
    for _ in 0..2 {
        let answer = match expected {
            Err((_, LATE)) => icon_at_once(connection, package, side).await,
            _ => icon(connection, package, side).await,
        };
        if answer.outcome == Outcome::Done {
            let icon = image::load_from_memory_with_format(&answer.rest, image::ImageFormat::Png).unwrap();
            assert_eq!(Ok(icon.width()), expected, "{trouble}");
            let last = icon.to_rgba8().get_pixel(side - 1, side - 1).0;
            assert_eq!(last, [0x1f, 0x7a, 0x4d, 0xff]);
        } else {
            let told = (answer.outcome, answer.words());
            assert_eq!(Err((told.0, told.1.as_str())), expected, "{trouble}");
        }
        assert!(tree(connection).await.contains("<node "));
    }
}

/// What the reader says where an icon took too long.
const LATE: &str = "it is not drawn yet";

async fn icon_at_once(connection: &mut Connection, package: &str, side: u32) -> Answer {
    let request = |id| Request::icon(id, package, side);
    connection.ask(request, JAVA_TIMEOUT).await.unwrap()
}

/// Asked for again as long as it is not drawn: on a busy computer that takes longer than the reader waits.
async fn icon(connection: &mut Connection, package: &str, side: u32) -> Answer {
    for _ in 0..40 {
        let answer = icon_at_once(connection, package, side).await;
        if answer.outcome != Outcome::Refused || answer.words() != LATE {
            return answer;
        }
    }
    panic!("it never was drawn");
}

async fn icons_are_drawn(classes: &TempDir) {
    const SHOP: (&str, u32) = ("com.greenleaf.shop", 96);
    let refused = |why| Err((Outcome::Refused, why));
    let failed = |why| Err((Outcome::Failed, why));
    let page = Page::new(classes, &[FRAME]);
    // Where the system's main thread makes no application, it is there all the same.
    for (trouble, expected) in [
        (
            "!no context",
            failed("java.lang.NullPointerException: a maker's own context"),
        ),
        ("!no application", Ok(96)),
    ] {
        let (_child, connection) = page.reader(34).await;
        check_icon(&page, &mut connection.unwrap(), trouble, SHOP, expected).await;
    }
    let (_child, connection) = page.reader(34).await;
    let mut connection = connection.unwrap();
    for (trouble, wanted, expected) in [
        ("!", SHOP, Ok(96)),
        ("!", (SHOP.0, 1), Ok(1)),
        ("!", (SHOP.0, 192), Ok(192)),
        ("!", (SHOP.0, 193), refused("no icon is 193 pixels wide")),
        ("!", (SHOP.0, 0), refused("no icon is 0 pixels wide")),
        ("!", ("com.example.nobody", 96), refused("there is no such app")),
        ("!", ("", 96), refused("there is no such app")),
        (
            "!dead",
            SHOP,
            failed("java.lang.RuntimeException: android.os.DeadSystemException"),
        ),
        (
            "!heavy",
            SHOP,
            failed("java.lang.OutOfMemoryError: an icon of 400 megapixels"),
        ),
        (
            "!unpacked",
            SHOP,
            failed("java.lang.IllegalStateException: the icon cannot be packed"),
        ),
        ("!slow", SHOP, refused(LATE)),
        ("!", SHOP, Ok(96)),
    ] {
        check_icon(&page, &mut connection, trouble, wanted, expected).await;
    }
    an_icon_that_takes_long_keeps_no_tree_waiting(classes).await;
}

async fn an_icon_that_takes_long_keeps_no_tree_waiting(classes: &TempDir) {
    let apps = [
        "!icon com.greenleaf.shop 1f7a4d",
        "!icon com.northbank.mobile 1f3a7d",
        FRAME,
    ];
    let page = Page::new(classes, &[["!slow"].as_slice(), &apps].concat());
    let (_child, connection) = page.reader(34).await;
    let mut connection = connection.unwrap();
    let first = icon_at_once(&mut connection, "com.greenleaf.shop", 96).await;
    assert_eq!(first.words(), LATE);
    let other = icon_at_once(&mut connection, "com.northbank.mobile", 96).await;
    assert_eq!(other.words(), "another icon is being drawn");
    page.show(&apps);
    for package in ["com.greenleaf.shop", "com.northbank.mobile"] {
        let icon = icon(&mut connection, package, 96).await;
        assert_eq!(icon.outcome, Outcome::Done, "{package}");
    }
    tree(&mut connection).await;
}

async fn why_it_will_not_is_told(classes: &TempDir) {
    for (word, why) in [
        (
            "!registered",
            "java.lang.IllegalStateException: UiAutomationService is already registered!",
        ),
        (
            "!forbidden",
            "java.lang.SecurityException: You do not have android.permission.RETRIEVE_WINDOW_CONTENT",
        ),
    ] {
        let page = Page::new(classes, &[word, FRAME]);
        let (mut child, connection) = page.reader(34).await;
        assert_eq!(connection.err(), Some(ReaderError::Unwilling(why.to_owned())));
        assert_eq!(child.wait().await.unwrap().code(), Some(1));
    }
}

async fn it_ends_with_its_stream(classes: &TempDir) {
    let page = Page::new(classes, &[FRAME]);
    let (mut child, connection) = page.reader(34).await;
    drop(connection);
    assert!(child.wait().await.unwrap().success());
    // No root: no window, and no end.
    let (_child, connection) = page.reader(34).await;
    let mut connection = connection.unwrap();
    page.show(&["!nothing"]);
    let answer = connection.ask(Request::tree, JAVA_TIMEOUT).await.unwrap();
    assert_eq!(answer.outcome, Outcome::NoRoot);
    page.show(&[FRAME]);
    tree(&mut connection).await;
}
