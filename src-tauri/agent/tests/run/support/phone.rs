//! A phone made of pages. It records what reaches it, takes a phone's time, and can be made to fail.

mod moods;
mod sight;

use super::pages::{HEIGHT, WIDTH, World};
use agent::Grip;
use agent::ports::{
    App, Effect, Phone, PhoneError, PickedFile, PictureSource, RawObservation, RawTree, ScreenMark,
    ScriptEnd, TreeMark,
};
use async_trait::async_trait;
use judge::{Input, Judged, Key};
use protocol::PhoneId;
use secrecy::{ExposeSecret, SecretString};
use sight::RING;
pub(crate) use sight::{Blink, Counts};
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::Instant;

type Hook = Box<dyn Fn(&mut World) + Send>;

pub(crate) struct FakePhone {
    state: Mutex<State>,
}

/// An input, and the screen it came to.
#[derive(Clone)]
pub(crate) struct Received {
    pub(crate) input: Input,
    /// The app it was judged for, and the one it came to.
    pub(crate) meant_for: String,
    pub(crate) app: String,
    pub(crate) xml: String,
    pub(crate) size: (u32, u32),
}

struct State {
    world: World,
    record: Vec<String>,
    received: Vec<Received>,
    /// What was paid or sent, and when.
    effects: Vec<(tokio::time::Instant, String)>,
    /// Calls to see, read, settle, perform, apps, counted from 1.
    calls: u64,
    /// The call that finds the phone gone.
    gone_at: Option<u64>,
    gone: bool,
    /// What a call hears of a phone that is gone.
    trouble: PhoneError,
    /// What the next input comes to after it was done.
    loses: Option<PhoneError>,
    /// Its keyboard has ASCII and nothing else does the rest.
    plain_keyboard: bool,
    /// What is typed goes nowhere.
    deaf: bool,
    no_tree: bool,
    /// How far apart two taps come.
    gap_ms: Option<u64>,
    /// What a command or a script says, and how long it takes.
    says: ScriptEnd,
    takes: Duration,
    /// What it has copied, and can tell.
    copied: Option<String>,
    /// Pictures that come of no use: the app hides its screen.
    hidden: bool,
    /// Pictures come at half the screen's size, as a stream's may.
    half: bool,
    /// Pictures are a fifth of the screen, as a stream's may be: they cost next to nothing.
    thumbnails: bool,
    /// Only the pictures a screen comes to rest with are half the size: they are a stream's.
    streams: bool,
    /// It lies on its side, turned to the left.
    turned: bool,
    /// Its screen is off.
    asleep: bool,
    /// Its lock screen asks for a PIN.
    locked: bool,
    /// Done to the world before the nth look.
    before_look: Option<(u64, Hook)>,
    /// It is an emulator, and is told where it is.
    emulator: bool,
    /// Who signed every app, as it tells.
    signers: Vec<String>,
    /// Their version, as it tells.
    version: String,
    looks: u64,
    /// Comes just before a tree is read, and goes again.
    blink: Option<Blink>,
    /// How long its tree takes.
    tree_takes: Duration,
    /// It tells what was drawn since a mark: how often its screen changed.
    tells: bool,
    /// Its reader tells of every change of its tree.
    tells_events: bool,
    /// What its pages read like when it last looked, and how often that had changed.
    drawn: (String, u64),
    /// Something in a corner never stops turning.
    spins: bool,
    /// For so long a ring turns after each touch, and what it was waiting for stands there then.
    turns: Option<(Duration, &'static str)>,
    /// Until then.
    turns_until: Option<Instant>,
    /// Trees that were read stand in its record.
    tells_trees: bool,
    /// What was asked of it.
    counts: Counts,
}

impl FakePhone {
    pub(crate) fn new(world: World) -> Self {
        let state = State {
            world,
            record: Vec::new(),
            received: Vec::new(),
            effects: Vec::new(),
            thumbnails: false,
            calls: 0,
            gone_at: None,
            gone: false,
            trouble: PhoneError::Gone("cable out".into()),
            loses: None,
            plain_keyboard: false,
            deaf: false,
            no_tree: false,
            gap_ms: Some(110),
            says: ScriptEnd {
                exit: Some(0),
                timed_out: false,
                stdout: String::new(),
                stderr: String::new(),
                folder: None,
            },
            takes: Duration::from_millis(80),
            copied: None,
            hidden: false,
            half: false,
            streams: false,
            turned: false,
            asleep: false,
            locked: false,
            before_look: None,
            blink: None,
            emulator: false,
            signers: vec!["sum 57f52fdb".into()],
            version: "412".into(),
            looks: 0,
            tree_takes: Duration::from_millis(300),
            tells: false,
            tells_events: false,
            drawn: (String::new(), 0),
            spins: false,
            turns: None,
            turns_until: None,
            tells_trees: false,
            counts: Counts::default(),
        };
        Self {
            state: Mutex::new(state),
        }
    }
}

#[async_trait]
impl Phone for FakePhone {
    fn id(&self) -> PhoneId {
        PhoneId("phone".into())
    }

    async fn see(&self) -> Result<RawObservation, PhoneError> {
        self.call()?;
        self.state.lock().unwrap().counts.pictures += 1;
        tokio::time::sleep(Duration::from_millis(400)).await;
        Ok(self.sight())
    }

    async fn read(&self) -> Result<RawTree, PhoneError> {
        self.call()?;
        let takes = {
            let mut state = self.state.lock().unwrap();
            state.counts.trees += 1;
            state.tree_takes
        };
        tokio::time::sleep(takes).await;
        let mut state = self.state.lock().unwrap();
        state.begin_blink();
        state.record_tree();
        if state.no_tree {
            return Err(PhoneError::Tree("ERROR: could not get idle state.".into()));
        }
        let mark = state.tells_events.then(|| state.tree_mark());
        let mut xml = state.world.xml();
        state.add_turning(&mut xml);
        if state.turned {
            xml = xml.replacen("rotation=\"0\"", "rotation=\"1\"", 1);
        }
        Ok(RawTree { xml, mark })
    }

    async fn tree_holds(&self, mark: TreeMark) -> Option<bool> {
        let mut state = self.state.lock().unwrap();
        state.end_blink();
        state.tells_events.then(|| state.tree_mark() == mark)
    }

    async fn changed_since(&self, mark: ScreenMark) -> Option<bool> {
        let mut state = self.state.lock().unwrap();
        state.counts.checks += 1;
        state.end_blink();
        state.tells.then(|| state.mark() != mark)
    }

    async fn settle(&self, _bound: Duration) -> Result<RawObservation, PhoneError> {
        self.call()?;
        tokio::time::sleep(Duration::from_millis(800)).await;
        let mut sight = self.sight();
        if self.state.lock().unwrap().is_turning() {
            sight.restless = Some(RING);
        }
        if self.state.lock().unwrap().streams
            && let Some(frame) = &sight.frame
        {
            sight.frame = screen::picture::scale_to(frame, frame.width / 2, frame.height / 2).ok();
            sight.source = PictureSource::Stream;
        }
        Ok(sight)
    }

    async fn settle_wholly(&self, bound: Duration) -> Result<RawObservation, PhoneError> {
        self.call()?;
        let until = self
            .state
            .lock()
            .unwrap()
            .turns_until
            .unwrap_or_else(Instant::now);
        let most = Instant::now() + bound;
        tokio::time::sleep_until(until.min(most)).await;
        let mut sight = self.sight();
        sight.quiet = until <= most;
        sight.source = PictureSource::Stream;
        Ok(sight)
    }

    async fn perform(&self, judged: &Judged, grip: &Grip) -> Result<Effect, PhoneError> {
        self.call()?;
        let _pass = grip.pass().map_err(|_| PhoneError::LeaseLost)?;
        // On its way; whoever takes the lease now is told that it ended here.
        tokio::select! {
            biased;
            () = grip.lost() => return Err(PhoneError::LeaseLost),
            () = tokio::time::sleep(Duration::from_millis(80)) => {}
        }
        {
            let mut state = self.state.lock().unwrap();
            state.end_blink();
            let received = Received {
                input: judged.input().clone(),
                meant_for: judged.app().to_owned(),
                app: state.world.app().to_owned(),
                xml: state.world.xml(),
                size: (u32::try_from(WIDTH).unwrap(), u32::try_from(HEIGHT).unwrap()),
            };
            state.received.push(received);
            state.turns_until = state.turns.map(|(lasts, _)| Instant::now() + lasts);
        }
        match judged.input() {
            Input::Tap { at: (x, y) } => self.note(format!("tap {x} {y}"), |world| {
                if let Some(node) = world.node_at(*x, *y) {
                    world.touch(&node, *x);
                }
            }),
            Input::DoubleTap { at: (x, y) } => {
                self.note(format!("double tap {x} {y}"), |_| {});
                let gap_ms = self.state.lock().unwrap().gap_ms;
                return Ok(Effect {
                    gap_ms,
                    ..Effect::default()
                });
            }
            // Nothing here takes a long press: it is let go of as a press.
            Input::Hold { at: (x, y), .. } => self.note(format!("{:?}", judged.input()), |world| {
                if let Some(node) = world.node_at(*x, *y) {
                    world.touch(&node, *x);
                }
            }),
            Input::Swipe { from, to, .. } | Input::Drag { from, to, .. } => {
                let way = from.1 - to.1;
                let line = match judged.input() {
                    Input::Swipe { .. } => format!("swipe up by {way}"),
                    drag => format!("{drag:?}"),
                };
                self.note(line, |world| {
                    let page = world.page;
                    world.form.scroll(page, way);
                    // A finger that goes down and up in one thing that takes presses has pressed it; what lies in a web page
                    // is pressed only where it hardly moves.
                    let still = (from.0 - to.0).abs().max((from.1 - to.1).abs()) < 24;
                    let under = |at: (i32, i32)| {
                        world.node_at(at.0, at.1).filter(|node| {
                            node.flags.contains(&"clickable") || still && node.class == "WebView"
                        })
                    };
                    if let (Some(down), Some(up)) = (under(*from), under(*to))
                        && (down.id, down.top) == (up.id, up.top)
                    {
                        world.touch(&down, to.0);
                    }
                });
            }
            Input::ClearText => self.note("clear".into(), |world| {
                world.form.name.clear();
                world.draft.clear();
            }),
            Input::Launch(package) => {
                self.note(format!("launch {package}"), |world| {
                    if package == "com.greenleaf.shop" {
                        world.page = "shop";
                    }
                });
                if !["com.greenleaf.shop", "com.northbank.app"].contains(&package.as_str()) {
                    return Err(PhoneError::AppNotFound(package.clone()));
                }
            }
            Input::Key(key) => self.note(format!("key {}", key.name()), |world| {
                if *key == Key::ENTER {
                    world.enter();
                }
            }),
            Input::Text(text) => {
                let deaf = self.state.lock().unwrap().deaf;
                self.note(format!("text {text:?}"), |world| {
                    if !deaf {
                        world.write(text.as_str());
                    }
                });
            }
            Input::Replace(text) => self.note(format!("replace {text:?}"), |world| {
                world.form.name.clear();
                world.draft.clear();
                world.write(text.as_str());
            }),
            Input::Command(words) => self.note(format!("shell {}", words.join(" ")), |world| {
                if let ["input", "tap", x, y] = words.iter().map(String::as_str).collect::<Vec<_>>()[..]
                    && let (Ok(x), Ok(y)) = (x.parse(), y.parse())
                    && let Some(node) = world.node_at(x, y)
                {
                    world.press(node.id);
                }
            }),
            other => self.note(format!("{other:?}"), |_| {}),
        }
        if let Some(trouble) = self.state.lock().unwrap().loses.take() {
            return Err(trouble);
        }
        if let Input::Command(_) = judged.input() {
            return Ok(self.printed());
        }
        Ok(Effect::default())
    }

    async fn can_type(&self, text: &str, _grip: &Grip) -> Result<bool, PhoneError> {
        self.call()?;
        Ok(text.is_ascii() || !self.state.lock().unwrap().plain_keyboard)
    }

    async fn wake(&self, _judged: &Judged, grip: &Grip) -> Result<bool, PhoneError> {
        self.call()?;
        tokio::time::sleep(Duration::from_millis(60)).await;
        let (asleep, locked) = {
            let state = self.state.lock().unwrap();
            (state.asleep, state.locked)
        };
        if !asleep && !locked {
            return Ok(false);
        }
        let _pass = grip.pass().map_err(|_| PhoneError::LeaseLost)?;
        if asleep {
            self.note("wake".into(), |_| {});
            self.state.lock().unwrap().asleep = false;
        }
        if locked {
            return Err(PhoneError::Locked);
        }
        Ok(true)
    }

    async fn script(&self, judged: &Judged, limit: Duration, grip: &Grip) -> Result<ScriptEnd, PhoneError> {
        self.call()?;
        let Input::Script(script) = judged.input() else {
            panic!("no script: {judged:?}");
        };
        let _pass = grip.pass().map_err(|_| PhoneError::LeaseLost)?;
        self.note(format!("script {script:?} for {} s", limit.as_secs()), |_| {});
        let (takes, end) = {
            let state = self.state.lock().unwrap();
            (state.takes, state.says.clone())
        };
        tokio::select! {
            biased;
            () = grip.lost() => Err(PhoneError::LeaseLost),
            () = tokio::time::sleep(takes) => Ok(end),
            () = tokio::time::sleep(limit) => Ok(ScriptEnd { exit: None, timed_out: true, ..end }),
        }
    }

    async fn type_secret(
        &self,
        secret: &SecretString,
        _judged: &Judged,
        grip: &Grip,
    ) -> Result<Effect, PhoneError> {
        self.call()?;
        let _pass = grip.pass().map_err(|_| PhoneError::LeaseLost)?;
        tokio::select! {
            biased;
            () = grip.lost() => return Err(PhoneError::LeaseLost),
            () = tokio::time::sleep(Duration::from_millis(80)) => {}
        }
        self.note("secret typed".into(), |world| world.write(secret.expose_secret()));
        Ok(Effect::default())
    }

    async fn clipboard(&self, _judged: &Judged, grip: &Grip) -> Result<String, PhoneError> {
        self.call()?;
        let _pass = grip.pass().map_err(|_| PhoneError::LeaseLost)?;
        let copied = self.state.lock().unwrap().copied.clone();
        copied.ok_or_else(|| PhoneError::NotSupported("no helper".into()))
    }

    fn takes_files(&self) -> bool {
        true
    }

    async fn give(&self, file: &PickedFile, _judged: &Judged, grip: &Grip) -> Result<String, PhoneError> {
        self.call()?;
        let _pass = grip.pass().map_err(|_| PhoneError::LeaseLost)?;
        tokio::time::sleep(Duration::from_millis(80)).await;
        let folder = if file.picture {
            "Pictures/PocketDeck"
        } else {
            "Download"
        };
        let path = format!("/sdcard/{folder}/{}", file.name);
        self.note(format!("file {path} of {} bytes", file.bytes.len()), |_| {});
        Ok(path)
    }

    fn can_be_placed(&self) -> bool {
        self.state.lock().unwrap().emulator
    }

    async fn place(
        &self,
        latitude: f64,
        longitude: f64,
        _judged: &Judged,
        grip: &Grip,
    ) -> Result<(), PhoneError> {
        self.call()?;
        let _pass = grip.pass().map_err(|_| PhoneError::LeaseLost)?;
        self.note(format!("placed at {latitude}, {longitude}"), |_| {});
        Ok(())
    }

    async fn signers(&self, _package: &str) -> Result<Vec<String>, PhoneError> {
        self.call()?;
        Ok(self.state.lock().unwrap().signers.clone())
    }

    async fn app_version(&self, _package: &str) -> Result<String, PhoneError> {
        self.call()?;
        Ok(self.state.lock().unwrap().version.clone())
    }

    async fn apps(&self) -> Result<Vec<App>, PhoneError> {
        self.call()?;
        let chat = self.state.lock().unwrap().world.page == "chat";
        let messages = chat.then(|| App {
            package: "com.android.messaging".into(),
            label: "Messages".into(),
        });
        Ok(messages
            .into_iter()
            .chain([
                App {
                    package: "com.greenleaf.shop".into(),
                    label: "Greenleaf".into(),
                },
                App {
                    package: "com.northbank.app".into(),
                    label: "Northbank".into(),
                },
            ])
            .collect())
    }
}
