//! What works on a phone, and what to do about what does not. Facts and codes; the sentences are the caller's.
//!
//! What only looks comes first. Then a key that means nothing is pressed, and a text is typed into the search field of
//! the phone's own settings, looked for there, and taken away again.

use crate::dumpsys::properties;
use crate::error::AdbError;
use crate::input::command::Command;
use crate::input::{adb_keyboard, field};
use crate::phone::AdbPhone;
use agent::lease::Grip;
use agent::ports::{Effect, Phone, PhoneError};
use protocol::{ActMethod, Advice, CaptureResult, Check, Examining, Finding, Verdict};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::{Instant, sleep};

/// Letters of every kind that peers lose: an accent, another script, an emoji, `%s`, both quotes and a dollar.
pub const PROBE: &str = "Aé漢🙂 %s \"'$";

const MOMENT: Duration = Duration::from_secs(5);
/// How long a page may take to come up.
const COMES_UP: Duration = Duration::from_millis(1200);
/// Round trips of which the middle one counts.
const TRIPS: usize = 5;
/// A phone behind a good cable answers in some 10 ms, over Wi-Fi in 30 to 100.
const SLOW_MS: u128 = 300;
/// Below this a phone stops taking pictures and updates.
const LITTLE_ROOM: u64 = 500 * 1024;
/// Further off than this and codes made of the time are refused.
const SKEW_S: u64 = 90;

/// Everything that is looked at, in order.
pub const CHECKS: [Check; 12] = [
    Check::Latency,
    Check::Android,
    Check::Storage,
    Check::Battery,
    Check::Animations,
    Check::Clock,
    Check::Lock,
    Check::Keyboard,
    Check::Input,
    Check::Capture,
    Check::Tree,
    Check::Typing,
];

/// How a finding is put together.
trait Draft: Sized {
    fn new(check: Check, verdict: Verdict) -> Self;
    fn advise(self, advice: Advice) -> Self;
    fn with(self, name: &str, value: impl ToString) -> Self;
}

impl Draft for Finding {
    fn new(check: Check, verdict: Verdict) -> Self {
        Self {
            check,
            verdict,
            advice: None,
            values: BTreeMap::new(),
        }
    }

    fn advise(mut self, advice: Advice) -> Self {
        self.advice = Some(advice);
        self
    }

    fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.values.insert(name.to_owned(), value.to_string());
        self
    }
}

/// Looks at everything, in order. Tells what is looked at ([`Examining::Looking`]) and what was found
/// ([`Examining::Found`]) until it is done or `tell` breaks; the check that is under way is finished first, so that nothing
/// stays behind on the phone.
///
/// # Errors
/// When the phone cannot be asked at all, or somebody else takes it.
pub async fn examine(
    phone: &AdbPhone,
    grip: &Grip,
    mut tell: impl FnMut(Examining) -> ControlFlow<()> + Send,
) -> Result<(), AdbError> {
    let mut found: Vec<Finding> = Vec::new();
    for check in CHECKS {
        if tell(Examining::Looking { check }).is_break() {
            return Ok(());
        }
        let finding = look(phone, grip, check, &found).await?;
        // What was not done because the phone is another's now says nothing about the phone.
        if !grip.holds() {
            return Err(AdbError::LeaseLost);
        }
        found.push(finding.clone());
        if tell(Examining::Found { finding }).is_break() {
            return Ok(());
        }
    }
    Ok(())
}

async fn look(phone: &AdbPhone, grip: &Grip, check: Check, found: &[Finding]) -> Result<Finding, AdbError> {
    let earlier = |check: Check| found.iter().find(|one| one.check == check);
    let is_fine = |check| earlier(check).is_some_and(|one| one.verdict == Verdict::Fine);
    match check {
        // Whoever answers is connected.
        Check::Connection => Ok(Finding::new(check, Verdict::Fine)),
        Check::Latency => latency(phone).await,
        Check::Android => android(phone).await,
        Check::Storage => storage(phone).await,
        Check::Battery => battery_saver(phone).await,
        Check::Animations => animations(phone).await,
        Check::Clock => clock(phone).await,
        Check::Lock => lock(phone).await,
        Check::Keyboard => keyboard(phone).await,
        Check::Input => {
            let brand = earlier(Check::Android).and_then(|one| one.values.get("brand"));
            input(phone, grip, brand.map_or("", String::as_str)).await
        }
        Check::Capture => capture(phone).await,
        Check::Tree => tree(phone).await,
        Check::Typing if !is_fine(Check::Input) => {
            Ok(Finding::new(check, Verdict::Unknown).advise(Advice::TouchesFirst))
        }
        Check::Typing if !is_fine(Check::Lock) => {
            Ok(Finding::new(check, Verdict::Unknown).advise(Advice::Unlock))
        }
        Check::Typing => typing(phone, grip).await,
    }
}

async fn say(phone: &AdbPhone, line: &str) -> Result<String, AdbError> {
    Ok(phone.device().look(line, MOMENT).await?.text())
}

async fn latency(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let mut trips = Vec::new();
    // The first asks what the phone can do, too.
    say(phone, "echo").await?;
    for _ in 0..TRIPS {
        let began = Instant::now();
        say(phone, "echo").await?;
        trips.push(began.elapsed().as_millis());
    }
    trips.sort_unstable();
    let middle = trips[TRIPS / 2];
    let found = if middle > SLOW_MS {
        Finding::new(Check::Latency, Verdict::Attention).advise(Advice::BetterConnection)
    } else {
        Finding::new(Check::Latency, Verdict::Fine)
    };
    Ok(found.with("ms", middle))
}

async fn android(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let all = properties::read(&say(phone, "getprop").await?);
    let get = |keys: &[&str]| {
        let found = keys.iter().find_map(|key| all.get(*key));
        found.cloned().unwrap_or_default()
    };
    let brand = get(&["ro.product.brand", "ro.product.manufacturer"]).to_lowercase();
    let sdk = get(&["ro.build.version.sdk"]).trim().parse::<u32>().ok();
    let found = match sdk {
        None => Finding::new(Check::Android, Verdict::Unknown),
        // Before Android 7 no command tells how it ended.
        Some(..24) => Finding::new(Check::Android, Verdict::Attention).advise(Advice::OldAndroid),
        Some(_) => Finding::new(Check::Android, Verdict::Fine),
    };
    Ok(found
        .with("version", get(&["ro.build.version.release"]))
        .with("brand", brand)
        .with("model", get(&["ro.product.model"])))
}

async fn storage(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let free = free_room(&say(phone, "df -k /data").await?);
    Ok(match free {
        None => Finding::new(Check::Storage, Verdict::Unknown),
        Some(free) if free < LITTLE_ROOM => Finding::new(Check::Storage, Verdict::Attention)
            .advise(Advice::FreeStorage)
            .with("freeMb", free / 1024),
        Some(free) => Finding::new(Check::Storage, Verdict::Fine).with("freeMb", free / 1024),
    })
}

/// The fourth column of `df -k`, of the line that ends in the place; toybox breaks long names over two lines.
fn free_room(df: &str) -> Option<u64> {
    let line = df
        .lines()
        .rfind(|line| line.trim_end().contains('%') && !line.contains("Use%"))?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let percent = words.iter().position(|word| word.ends_with('%'))?;
    words.get(percent.checked_sub(1)?)?.parse().ok()
}

/// One setting; nothing when it was never set.
async fn setting(phone: &AdbPhone, table: &str, name: &str) -> Result<Option<String>, AdbError> {
    let line = format!("settings get {table} {name}");
    let value = phone.device().look(&line, MOMENT).await?.answer();
    let told = !value.is_empty() && value != "null" && !value.contains(' ');
    Ok(told.then_some(value))
}

async fn battery_saver(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let saver = setting(phone, "global", "low_power").await?;
    let charge = properties::battery(&say(phone, "dumpsys battery").await?);
    let found = match (saver.as_deref(), charge) {
        (Some("1"), _) => Finding::new(Check::Battery, Verdict::Attention).advise(Advice::BatterySaverOff),
        (_, Some(charge)) if charge.percent < 10 && !charge.charging => {
            Finding::new(Check::Battery, Verdict::Attention).advise(Advice::Charge)
        }
        (None, None) => Finding::new(Check::Battery, Verdict::Unknown),
        _ => Finding::new(Check::Battery, Verdict::Fine),
    };
    Ok(match charge {
        Some(charge) => found.with("percent", charge.percent),
        None => found,
    })
}

async fn animations(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let mut slowest: f64 = 0.0;
    for name in [
        "window_animation_scale",
        "transition_animation_scale",
        "animator_duration_scale",
    ] {
        let scale = setting(phone, "global", name).await?;
        // What was never set is 1.
        let scale = scale.map_or(Some(1.0), |scale| scale.parse().ok());
        let Some(scale) = scale else {
            return Ok(Finding::new(Check::Animations, Verdict::Unknown));
        };
        slowest = slowest.max(scale);
    }
    let found = if slowest > 1.0 {
        Finding::new(Check::Animations, Verdict::Attention).advise(Advice::AnimationsOff)
    } else {
        Finding::new(Check::Animations, Verdict::Fine)
    };
    Ok(found.with("scale", slowest))
}

async fn clock(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let said = phone.device().look("date +%s", MOMENT).await?.answer();
    let Ok(theirs) = said.parse::<u64>() else {
        return Ok(Finding::new(Check::Clock, Verdict::Unknown));
    };
    let ours = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let skew = theirs.abs_diff(ours.as_secs());
    let found = if skew > SKEW_S {
        Finding::new(Check::Clock, Verdict::Attention).advise(Advice::SetClock)
    } else {
        Finding::new(Check::Clock, Verdict::Fine)
    };
    Ok(found.with("seconds", skew))
}

async fn lock(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let now = phone.condition().await?;
    Ok(match (now.awake, now.locked) {
        (_, Some(true)) => Finding::new(Check::Lock, Verdict::Attention).advise(Advice::Unlock),
        (Some(false), _) => Finding::new(Check::Lock, Verdict::Attention).advise(Advice::Wake),
        (Some(true), Some(false)) => Finding::new(Check::Lock, Verdict::Fine),
        _ => Finding::new(Check::Lock, Verdict::Unknown),
    })
}

async fn keyboard(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let Some(chosen) = setting(phone, "secure", "default_input_method").await? else {
        return Ok(Finding::new(Check::Keyboard, Verdict::Unknown).advise(Advice::ChooseKeyboard));
    };
    let ours = adb_keyboard::is_ours(&chosen);
    let found = if ours {
        // Left behind by a program that did not put things back: the person has no letters on the screen.
        Finding::new(Check::Keyboard, Verdict::Attention).advise(Advice::ChooseKeyboard)
    } else {
        Finding::new(Check::Keyboard, Verdict::Fine)
    };
    let scrcpy = phone.scrcpy_version().await;
    let found = match scrcpy {
        Some(version) => found.with("scrcpy", version),
        None => found,
    };
    Ok(found.with("keyboard", chosen))
}

async fn input(phone: &AdbPhone, grip: &Grip, brand: &str) -> Result<Finding, AdbError> {
    let began = Instant::now();
    // KEYCODE_UNKNOWN: injected like every other key, and nobody does anything about it.
    let pressed = phone.by_hand(&Command::Key("0".to_owned()), grip).await;
    Ok(match pressed {
        Ok(_) => Finding::new(Check::Input, Verdict::Fine).with("ms", began.elapsed().as_millis()),
        Err(PhoneError::TouchForbidden(said)) => Finding::new(Check::Input, Verdict::Failed)
            .advise(security_settings(brand))
            .with("said", said),
        Err(trouble) => Finding::new(Check::Input, Verdict::Failed)
            .advise(Advice::Replug)
            .with("said", trouble),
    })
}

/// Where the switch *USB debugging (Security settings)*, or what a maker calls it, is found.
fn security_settings(brand: &str) -> Advice {
    match brand {
        "xiaomi" | "redmi" | "poco" | "blackshark" => Advice::SecuritySettingsXiaomi,
        "oppo" | "realme" | "oneplus" => Advice::SecuritySettingsOppo,
        "vivo" | "iqoo" => Advice::SecuritySettingsVivo,
        "huawei" | "honor" => Advice::SecuritySettingsHuawei,
        "meizu" => Advice::SecuritySettingsMeizu,
        _ => Advice::SecuritySettings,
    }
}

async fn capture(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let began = Instant::now();
    let sight = match phone.see().await {
        Ok(sight) => sight,
        Err(trouble) => {
            return Ok(Finding::new(Check::Capture, Verdict::Failed)
                .advise(Advice::Replug)
                .with("said", trouble));
        }
    };
    let found = match sight.capture {
        CaptureResult::Ok => Finding::new(Check::Capture, Verdict::Fine),
        CaptureResult::Black => Finding::new(Check::Capture, Verdict::Attention).advise(Advice::Wake),
        CaptureResult::Protected => {
            Finding::new(Check::Capture, Verdict::Attention).advise(Advice::LeaveProtected)
        }
        CaptureResult::Failed => Finding::new(Check::Capture, Verdict::Failed).advise(Advice::Replug),
    };
    Ok(found
        .with("ms", began.elapsed().as_millis())
        .with("width", sight.width)
        .with("height", sight.height))
}

async fn tree(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let began = Instant::now();
    Ok(match phone.read().await {
        Ok(xml) => Finding::new(Check::Tree, Verdict::Fine)
            .with("ms", began.elapsed().as_millis())
            .with("nodes", xml.matches("<node ").count()),
        Err(trouble) => Finding::new(Check::Tree, Verdict::Attention)
            .advise(Advice::StillScreen)
            .with("said", trouble),
    })
}

/// Ways to a search field that is the system's own.
const SEARCHES: [&str; 3] = [
    "am start -a android.settings.APP_SEARCH_SETTINGS",
    "am start -n com.android.settings.intelligence/.search.SearchActivity",
    "am start -a android.settings.SETTINGS",
];

async fn typing(phone: &AdbPhone, grip: &Grip) -> Result<Finding, AdbError> {
    let found = match search_field(phone, grip).await {
        Ok(true) => type_there(phone, grip).await,
        Ok(false) => Finding::new(Check::Typing, Verdict::Unknown).advise(Advice::OpenAField),
        Err(trouble) => Finding::new(Check::Typing, Verdict::Failed).with("said", trouble),
    };
    // Away from it, whatever came of it.
    for _ in 0..2 {
        let _ = phone.by_hand(&Command::Key("HOME".to_owned()), grip).await;
    }
    Ok(found)
}

async fn type_there(phone: &AdbPhone, grip: &Grip) -> Finding {
    let began = Instant::now();
    let typed = phone.by_hand(&Command::Text(PROBE.to_owned()), grip).await;
    let ms = began.elapsed().as_millis();
    let shown = phone.read().await.ok().and_then(|xml| field::focused(&xml));
    let _ = phone.by_hand(&Command::ClearText, grip).await;
    let shown = shown.map(|field| field.text);
    match (typed, shown) {
        (Ok(effect), Some(shown)) if shown == PROBE || effect.seen == Some(true) => {
            Finding::new(Check::Typing, Verdict::Fine).with("by", way(&effect))
        }
        (Ok(effect), Some(shown)) => Finding::new(Check::Typing, Verdict::Attention)
            .advise(Advice::TypingDiffers)
            .with("by", way(&effect))
            .with("shown", shown),
        (Ok(effect), None) => Finding::new(Check::Typing, Verdict::Unknown).with("by", way(&effect)),
        // English is typed; for the rest there is no way yet.
        (Err(PhoneError::CannotType), _) => {
            Finding::new(Check::Typing, Verdict::Attention).advise(Advice::InstallScrcpy)
        }
        (Err(trouble), _) => Finding::new(Check::Typing, Verdict::Failed).with("said", trouble),
    }
    .with("ms", ms)
}

/// Which way the text went.
fn way(effect: &Effect) -> &'static str {
    effect.via.map_or("", ActMethod::as_str)
}

/// Opens a search field of the system's; whether one has the focus.
async fn search_field(phone: &AdbPhone, grip: &Grip) -> Result<bool, PhoneError> {
    for line in SEARCHES {
        let words = line.split(' ').map(str::to_owned).collect();
        let opened = phone.by_hand(&Command::Shell(words), grip).await?;
        let said = opened.stderr.unwrap_or_default() + &opened.output.unwrap_or_default();
        if said.contains("Error") || said.contains("Exception") || said.contains("unable to resolve") {
            continue;
        }
        sleep(COMES_UP).await;
        if has_field(phone).await {
            return Ok(true);
        }
        // The page's own search, where it has one.
        phone.by_hand(&Command::Key("SEARCH".to_owned()), grip).await?;
        sleep(COMES_UP).await;
        if has_field(phone).await {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn has_field(phone: &AdbPhone) -> bool {
    let Ok(xml) = phone.read().await else {
        return false;
    };
    field::has_editor(&xml)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_room_is_read_from_every_df() {
        for (df, free) in [
            (
                "Filesystem     1K-blocks     Used Available Use% Mounted on\n/dev/block/dm-52 113211372 35614496  77465804  32% \
                 /data\n",
                Some(77_465_804),
            ),
            (
                "Filesystem 1K-blocks Used Available Use% Mounted on\r\n/dev/block/bootdevice/by-name/userdata\r\n  100 60 40 60% \
                 /data\r\n",
                Some(40),
            ),
            ("df: /data: Permission denied\n", None),
            ("Filesystem Size Used Free Blksize\n/data 25G 9G 16G 4096\n", None),
            ("", None),
        ] {
            assert_eq!(free_room(df), free, "{df}");
        }
    }

    #[test]
    fn the_switch_is_where_the_maker_put_it() {
        assert_eq!(security_settings("redmi"), Advice::SecuritySettingsXiaomi);
        assert_eq!(security_settings("google"), Advice::SecuritySettings);
    }
}
