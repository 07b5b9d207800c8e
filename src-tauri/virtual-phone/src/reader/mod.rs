//! A program that stays and reads the screen for one stream: what `app_process` starts by the name `pocketdeck.Reader`. It answers
//! as `adb/reader/README.md` says, by code of its own.
//!
//! What it holds is the phone's one `UiAutomation`: while it is there, `uiautomator dump` is refused.

mod wire;

use crate::android::{Picture, Window};
use crate::fault::Fault;
use crate::phone::Phone;
use crate::process::{Call, ProgramResult, Signal};
use crate::record::Received;
use bytes::Bytes;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use wire::{Counts, Outcome, Request, RequestKind, Requests};

/// The class by which it is started.
pub(crate) const CLASS: &str = "pocketdeck.Reader";
/// Starting a virtual machine, and connecting.
const START_MILLIS: u64 = 500;
const TEXT_MILLIS: u64 = 40;
const ICON_MILLIS: u64 = 60;
/// The longest side of an icon.
const MOST_PIXELS: u32 = 192;
/// `reader_slow`, and where the app in front is what takes so long.
const SLOW_MILLIS: u64 = 20_000;
/// How often it hears whether anything changed.
const EVENTS: Duration = Duration::from_millis(33);

/// What the system says to a second one.
pub(crate) const REGISTERED: &str = "java.lang.IllegalStateException: UiAutomationService \
     android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@c0ffee already registered!";
const FORBIDDEN: &str = "java.lang.SecurityException: You do not have android.permission.RETRIEVE_WINDOW_CONTENT \
     required to call registerUiTestAutomationService from pid=4711, uid=2000";
const NO_SYSTEM: &str = "java.lang.RuntimeException: Error while connecting UiAutomation";

/// `CLASSPATH=…:FILE app_process / pocketdeck.Reader FILE`.
pub(crate) async fn main(call: Call) -> ProgramResult {
    let phone = Arc::clone(&call.phone);
    phone.clock.work(START_MILLIS).await;
    let path = call.environment.get("CLASSPATH").cloned().unwrap_or_default();
    let mut has_class = false;
    for file in path.split(':').filter(|file| file.ends_with(".dex")) {
        let bytes = call.read_file(file).await.unwrap_or_default();
        has_class |= bytes.starts_with(b"dex\n");
    }
    if !has_class || phone.has(Fault::ReaderMissing) {
        // `RuntimeInit` cannot find the class: the virtual machine aborts, and its shell says so.
        call.err("Aborted \n").await?;
        return Ok(134);
    }
    if let Some(file) = call.arguments().last() {
        let _ = phone.files.remove(&call.path(file), false);
    }
    if phone.all_faults().contains(&Fault::ReaderDies(0)) {
        phone.meets(Fault::ReaderDies(0));
        return Err(Signal::KILL);
    }
    call.out(wire::MAGIC.to_vec()).await?;
    let held = phone.dumping.try_lock();
    let why_not = match &held {
        _ if phone.has(Fault::ServicesRestarting) => NO_SYSTEM,
        _ if phone.has(Fault::ReaderForbidden) => FORBIDDEN,
        _ if phone.has(Fault::ReaderTaken) => REGISTERED,
        Err(_) => REGISTERED,
        Ok(_) => "",
    };
    call.out(wire::greeting(phone.profile.sdk, why_not)).await?;
    if !why_not.is_empty() {
        return Ok(1);
    }
    let _registered = Registered::new(&phone);
    Session::new(&call).run().await
}

/// Says to the phone that the screen is read by one that stays.
struct Registered<'a>(&'a Phone);

impl<'a> Registered<'a> {
    fn new(phone: &'a Phone) -> Self {
        phone.is_read.store(true, Ordering::Relaxed);
        Self(phone)
    }
}

impl Drop for Registered<'_> {
    fn drop(&mut self) {
        self.0.is_read.store(false, Ordering::Relaxed);
    }
}

struct Session<'a> {
    call: &'a Call,
    phone: &'a Phone,
    last: u32,
    counts: Counts,
    /// The last whole answer with a tree, for `reader_stale`.
    answered: Option<Vec<u8>>,
    answers: u32,
    generation: u64,
    changed: Duration,
}

impl<'a> Session<'a> {
    fn new(call: &'a Call) -> Self {
        let phone = &call.phone;
        Self {
            call,
            phone,
            last: 0,
            counts: Counts::default(),
            answered: None,
            answers: 0,
            generation: phone.with(|android| android.generation()),
            changed: phone.clock.now(),
        }
    }

    async fn run(mut self) -> ProgramResult {
        let mut requests = Requests::new();
        loop {
            let request = tokio::select! {
                request = requests.next(self.call) => request,
                () = tokio::time::sleep(EVENTS) => {
                    self.look();
                    continue;
                }
            };
            let Some(request) = request else { return Ok(0) };
            let is_last = request.asked == RequestKind::Quit;
            self.answer(&request).await?;
            if is_last {
                return Ok(0);
            }
        }
    }

    /// Hears what changed.
    fn look(&mut self) {
        let generation = self.phone.with(|android| android.generation());
        if generation != self.generation {
            self.generation = generation;
            self.counts.events += 1;
            self.changed = self.phone.clock.now();
        }
    }

    async fn answer(&mut self, request: &Request) -> Result<(), Signal> {
        self.answers += 1;
        let (outcome, rest) = if request.id <= self.last {
            (Outcome::Refused, b"an old request".to_vec())
        } else {
            self.last = request.id;
            self.done(&request.asked).await
        };
        self.look();
        self.counts.millis = u64::try_from(self.phone.clock.uptime().as_millis()).unwrap_or(u64::MAX);
        let mut bytes = wire::answer(request, outcome, self.counts, &rest);
        if request.asked == RequestKind::Tree && outcome == Outcome::Done {
            let before = self.answered.replace(bytes.clone());
            if let Some(stale) = before.filter(|_| self.phone.has(Fault::ReaderStale)) {
                bytes.clone_from(&stale);
                self.answered = Some(stale);
            }
        }
        let dies = self.phone.all_faults().into_iter().any(|fault| match fault {
            Fault::ReaderDies(after) => self.answers > after,
            _ => false,
        });
        if dies {
            self.phone.meets(Fault::ReaderDies(0));
        }
        let is_cut = dies || self.phone.has(Fault::ReaderCut) && request.asked == RequestKind::Tree;
        if is_cut {
            bytes.truncate(bytes.len() / 2);
        }
        self.call.out(Bytes::from(bytes)).await?;
        if is_cut { Err(Signal::KILL) } else { Ok(()) }
    }

    async fn done(&mut self, asked: &RequestKind) -> (Outcome, Vec<u8>) {
        if self.phone.has(Fault::ReaderSlow) {
            self.phone.clock.work(SLOW_MILLIS).await;
        }
        match asked {
            RequestKind::Tree => self.tree().await,
            RequestKind::Wait { quiet, limit } => {
                let rests = self.rests(*quiet, *limit).await;
                (Outcome::Done, vec![u8::from(rests)])
            }
            RequestKind::Text(text) => self.text(text).await,
            RequestKind::Icon { side, package } => self.icon(*side, package).await,
            RequestKind::Quit => (Outcome::Done, Vec::new()),
            RequestKind::Nonsense => (Outcome::Refused, b"no such request".to_vec()),
        }
    }

    async fn rests(&mut self, quiet: u32, limit: u32) -> bool {
        let (quiet, limit) = (u64::from(quiet), u64::from(limit));
        let mut waited = 0;
        loop {
            self.look();
            let still = self.phone.clock.now().saturating_sub(self.changed).as_millis();
            let left = quiet.saturating_sub(u64::try_from(still).unwrap_or(u64::MAX));
            if left == 0 {
                return true;
            }
            if waited >= limit {
                return false;
            }
            let step = left.min(limit - waited).clamp(1, 20);
            self.phone.clock.work(step).await;
            waited += step;
        }
    }

    async fn tree(&mut self) -> (Outcome, Vec<u8>) {
        let is_slow = self.phone.has(Fault::TreeSlow);
        let usual = self.phone.clock.times().tree;
        self.phone
            .clock
            .work(if is_slow { SLOW_MILLIS } else { usual })
            .await;
        self.phone.record(Received::Hierarchy);
        if self.phone.has(Fault::TreeStackTrace) {
            let _ = self.call.err(crate::tools::STACK_TRACE).await;
        }
        if self.phone.has(Fault::TreeNullRoot) || self.phone.has(Fault::TreeStale) {
            return (Outcome::NoRoot, Vec::new());
        }
        let read = self.phone.with(|android| {
            let windows = android.windows();
            android.tree().map(|tree| (tree, windows))
        });
        let Some((tree, windows)) = read else {
            return (Outcome::NoRoot, Vec::new());
        };
        self.counts.trees += 1;
        let tree = if self.phone.has(Fault::TreeUnlabelled) {
            crate::tools::unlabelled(self.phone, &tree)
        } else {
            tree
        };
        (Outcome::Done, with_more(&tree, &windows).into_bytes())
    }

    async fn icon(&self, side: u32, package: &str) -> (Outcome, Vec<u8>) {
        self.phone.clock.work(ICON_MILLIS).await;
        let refused = |why: &str| (Outcome::Refused, why.as_bytes().to_vec());
        if !(1..=MOST_PIXELS).contains(&side) {
            return refused("no icon is so large");
        }
        let picture = self.phone.with(|android| android.icon(package, side));
        match picture.as_ref().and_then(packed) {
            Some(png) => (Outcome::Done, png),
            None => refused("there is no such app"),
        }
    }

    async fn text(&mut self, text: &str) -> (Outcome, Vec<u8>) {
        self.phone.clock.work(TEXT_MILLIS).await;
        let refused = |why: &str| (Outcome::Refused, why.as_bytes().to_vec());
        let tree = self.phone.with(|android| android.tree()).unwrap_or_default();
        let field = tree
            .rsplit("<node ")
            .find(|node| node.contains("focused=\"true\"") && is_editable(node));
        match field {
            None => refused("no field has the input focus"),
            Some(field) if field.contains("password=\"true\"") => refused("the field is for a password"),
            Some(_) if self.phone.profile.sdk < 26 => {
                refused("this Android does not tell a hint from a text")
            }
            Some(_) => {
                if !self.phone.with(|android| android.commit(text)) {
                    return refused("the field takes no text");
                }
                for character in text.chars() {
                    self.phone.record(Received::Text { character });
                }
                (Outcome::Done, vec![1])
            }
        }
    }
}

fn packed(picture: &Picture) -> Option<Vec<u8>> {
    let mut png = Vec::new();
    let (width, height) = (picture.width, picture.height);
    let packed =
        PngEncoder::new(&mut png).write_image(&picture.rgba, width, height, ExtendedColorType::Rgba8);
    packed.ok().map(|()| png)
}

fn is_editable(node: &str) -> bool {
    node.contains("EditText\"") || node.contains("AutoCompleteTextView\"")
}

/// What this tree has beyond a plain dump's.
fn with_more(tree: &str, windows: &[Window]) -> String {
    let mut nodes = tree.split("<node ");
    let head = nodes.next().unwrap_or_default();
    let mut whole = head.trim_end().trim_end_matches('>').to_owned();
    whole.push_str(" display=\"0\">");
    for (place, window) in windows.iter().enumerate() {
        let (left, top, right, bottom) = window.frame;
        let kind = match window.title.as_str() {
            "InputMethod" => "input_method",
            title if title.contains('/') => "application",
            _ => "system",
        };
        whole.push_str(&format!(
            "<window id=\"{place}\" type=\"{kind}\" layer=\"{}\" active=\"{focused}\" focused=\"{focused}\" \
             bounds=\"[{left},{top}][{right},{bottom}]\" />",
            windows.len() - place,
            focused = window.focused,
        ));
    }
    for node in nodes {
        let editable = is_editable(node);
        whole.push_str("<node ");
        whole.push_str(&node.replacen(" bounds=", &format!(" editable=\"{editable}\" bounds="), 1));
    }
    whole
}
