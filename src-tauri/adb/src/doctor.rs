//! What works on a phone, and what to do about what does not. Facts and codes; the sentences are the caller's.
//!
//! What only looks comes first. Then a key that means nothing is pressed, and a text is typed into the search field of
//! the phone's own settings, looked for there, and taken away again.

use crate::dumpsys::properties;
use crate::error::AdbError;
use crate::phone::AdbPhone;
use crate::{adb_keyboard, field};
use agent::lease::Grip;
use agent::ports::{Command, Phone, PhoneTrouble};
use protocol::CaptureResult;
use std::collections::BTreeMap;
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

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What: `input`, `capture`, `tree`, `typing`, …
    pub check: &'static str,
    /// How it stands.
    pub verdict: Verdict,
    /// What to do, by code; nothing where nothing is to be done.
    pub advice: Option<&'static str>,
    /// Facts, by name.
    pub values: BTreeMap<&'static str, String>,
}

/// How a thing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Fine.
    Fine,
    /// It works, and could be better.
    Attention,
    /// It does not work.
    Failed,
    /// The phone does not tell.
    Unknown,
}

impl Verdict {
    /// Its name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Attention => "attention",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }
}

impl Finding {
    fn new(check: &'static str, verdict: Verdict) -> Self {
        Self {
            check,
            verdict,
            advice: None,
            values: BTreeMap::new(),
        }
    }

    fn advise(mut self, advice: &'static str) -> Self {
        self.advice = Some(advice);
        self
    }

    fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.values.insert(name, value.to_string());
        self
    }
}

/// Looks at everything, in order, and tells each finding as it is known.
///
/// # Errors
/// When the phone cannot be asked at all.
pub async fn examine(
    phone: &AdbPhone,
    grip: &Grip,
    mut tell: impl FnMut(Finding) + Send,
) -> Result<(), AdbError> {
    tell(latency(phone).await?);
    let (android, brand) = android(phone).await?;
    tell(android);
    tell(storage(phone).await?);
    tell(battery_saver(phone).await?);
    tell(animations(phone).await?);
    tell(clock(phone).await?);
    let lock = lock(phone).await?;
    let locked = lock.verdict != Verdict::Fine;
    tell(lock);
    tell(keyboard(phone).await?);
    let input = input(phone, grip, &brand).await?;
    let touches = input.verdict == Verdict::Fine;
    tell(input);
    tell(capture(phone).await?);
    tell(tree(phone).await?);
    tell(match (touches, locked) {
        (false, _) => Finding::new("typing", Verdict::Unknown).advise("touches_first"),
        (_, true) => Finding::new("typing", Verdict::Unknown).advise("unlock"),
        _ => typing(phone, grip).await?,
    });
    Ok(())
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
        Finding::new("latency", Verdict::Attention).advise("better_connection")
    } else {
        Finding::new("latency", Verdict::Fine)
    };
    Ok(found.with("ms", middle))
}

async fn android(phone: &AdbPhone) -> Result<(Finding, String), AdbError> {
    let all = properties::read(&say(phone, "getprop").await?);
    let get = |keys: &[&str]| {
        let found = keys.iter().find_map(|key| all.get(*key));
        found.cloned().unwrap_or_default()
    };
    let brand = get(&["ro.product.brand", "ro.product.manufacturer"]).to_lowercase();
    let sdk = get(&["ro.build.version.sdk"]).trim().parse::<u32>().ok();
    let found = match sdk {
        None => Finding::new("android", Verdict::Unknown),
        // Before Android 7 no command tells how it ended.
        Some(..24) => Finding::new("android", Verdict::Attention).advise("old_android"),
        Some(_) => Finding::new("android", Verdict::Fine),
    };
    let found = found
        .with("version", get(&["ro.build.version.release"]))
        .with("brand", &brand)
        .with("model", get(&["ro.product.model"]));
    Ok((found, brand))
}

async fn storage(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let free = free_room(&say(phone, "df -k /data").await?);
    Ok(match free {
        None => Finding::new("storage", Verdict::Unknown),
        Some(free) if free < LITTLE_ROOM => Finding::new("storage", Verdict::Attention)
            .advise("free_storage")
            .with("freeMb", free / 1024),
        Some(free) => Finding::new("storage", Verdict::Fine).with("freeMb", free / 1024),
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
    let said = say(phone, &format!("settings get {table} {name}")).await?;
    let value = said.trim();
    let told = !value.is_empty() && value != "null" && !value.contains(' ');
    Ok(told.then(|| value.to_owned()))
}

async fn battery_saver(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let saver = setting(phone, "global", "low_power").await?;
    let charge = properties::battery(&say(phone, "dumpsys battery").await?);
    let found = match (saver.as_deref(), charge) {
        (Some("1"), _) => Finding::new("battery", Verdict::Attention).advise("battery_saver_off"),
        (_, Some(charge)) if charge.percent < 10 && !charge.charging => {
            Finding::new("battery", Verdict::Attention).advise("charge")
        }
        (None, None) => Finding::new("battery", Verdict::Unknown),
        _ => Finding::new("battery", Verdict::Fine),
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
            return Ok(Finding::new("animations", Verdict::Unknown));
        };
        slowest = slowest.max(scale);
    }
    let found = if slowest > 1.0 {
        Finding::new("animations", Verdict::Attention).advise("animations_off")
    } else {
        Finding::new("animations", Verdict::Fine)
    };
    Ok(found.with("scale", slowest))
}

async fn clock(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let said = say(phone, "date +%s").await?;
    let Ok(theirs) = said.trim().parse::<u64>() else {
        return Ok(Finding::new("clock", Verdict::Unknown));
    };
    let ours = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let skew = theirs.abs_diff(ours.as_secs());
    let found = if skew > SKEW_S {
        Finding::new("clock", Verdict::Attention).advise("set_clock")
    } else {
        Finding::new("clock", Verdict::Fine)
    };
    Ok(found.with("seconds", skew))
}

async fn lock(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let now = phone.condition().await?;
    Ok(match (now.awake, now.locked) {
        (_, Some(true)) => Finding::new("lock", Verdict::Attention).advise("unlock"),
        (Some(false), _) => Finding::new("lock", Verdict::Attention).advise("wake"),
        (Some(true), Some(false)) => Finding::new("lock", Verdict::Fine),
        _ => Finding::new("lock", Verdict::Unknown),
    })
}

async fn keyboard(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let Some(chosen) = setting(phone, "secure", "default_input_method").await? else {
        return Ok(Finding::new("keyboard", Verdict::Unknown).advise("choose_keyboard"));
    };
    let ours = adb_keyboard::is_ours(&chosen);
    let found = if ours {
        // Left behind by a program that did not put things back: the person has no letters on the screen.
        Finding::new("keyboard", Verdict::Attention).advise("choose_keyboard")
    } else {
        Finding::new("keyboard", Verdict::Fine)
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
    let pressed = phone.perform(&Command::Key("0".to_owned()), grip).await;
    Ok(match pressed {
        Ok(_) => Finding::new("input", Verdict::Fine).with("ms", began.elapsed().as_millis()),
        Err(PhoneTrouble::TouchForbidden(said)) => Finding::new("input", Verdict::Failed)
            .advise(security_settings(brand))
            .with("said", said),
        Err(trouble) => Finding::new("input", Verdict::Failed)
            .advise("replug")
            .with("said", trouble),
    })
}

/// Where the switch *USB debugging (Security settings)*, or what a maker calls it, is found.
fn security_settings(brand: &str) -> &'static str {
    match brand {
        "xiaomi" | "redmi" | "poco" | "blackshark" => "security_settings_xiaomi",
        "oppo" | "realme" | "oneplus" => "security_settings_oppo",
        "vivo" | "iqoo" => "security_settings_vivo",
        "huawei" | "honor" => "security_settings_huawei",
        "meizu" => "security_settings_meizu",
        _ => "security_settings",
    }
}

async fn capture(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let began = Instant::now();
    let sight = match phone.see().await {
        Ok(sight) => sight,
        Err(trouble) => {
            return Ok(Finding::new("capture", Verdict::Failed)
                .advise("replug")
                .with("said", trouble));
        }
    };
    let found = match sight.capture {
        CaptureResult::Ok => Finding::new("capture", Verdict::Fine),
        CaptureResult::Black => Finding::new("capture", Verdict::Attention).advise("wake"),
        CaptureResult::Protected => Finding::new("capture", Verdict::Attention).advise("leave_protected"),
        CaptureResult::Failed => Finding::new("capture", Verdict::Failed).advise("replug"),
    };
    Ok(found
        .with("ms", began.elapsed().as_millis())
        .with("width", sight.width)
        .with("height", sight.height))
}

async fn tree(phone: &AdbPhone) -> Result<Finding, AdbError> {
    let began = Instant::now();
    Ok(match phone.read().await {
        Ok(xml) => Finding::new("tree", Verdict::Fine)
            .with("ms", began.elapsed().as_millis())
            .with("nodes", xml.matches("<node ").count()),
        Err(trouble) => Finding::new("tree", Verdict::Attention)
            .advise("still_screen")
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
        Ok(false) => Finding::new("typing", Verdict::Unknown).advise("open_a_field"),
        Err(trouble) => Finding::new("typing", Verdict::Failed).with("said", trouble),
    };
    // Away from it, whatever came of it.
    for _ in 0..2 {
        let _ = phone.perform(&Command::Key("HOME".to_owned()), grip).await;
    }
    Ok(found)
}

async fn type_there(phone: &AdbPhone, grip: &Grip) -> Finding {
    let began = Instant::now();
    let typed = phone.perform(&Command::Text(PROBE.to_owned()), grip).await;
    let ms = began.elapsed().as_millis();
    let shown = phone.read().await.ok().and_then(|xml| field::focused(&xml));
    let _ = phone.perform(&Command::ClearText, grip).await;
    let shown = shown.map(|field| field.text);
    match (typed, shown) {
        (Ok(effect), Some(shown)) if shown == PROBE || effect.seen == Some(true) => {
            Finding::new("typing", Verdict::Fine).with("by", effect.rung.unwrap_or_default())
        }
        (Ok(effect), Some(shown)) => Finding::new("typing", Verdict::Attention)
            .advise("typing_differs")
            .with("by", effect.rung.unwrap_or_default())
            .with("shown", shown),
        (Ok(effect), None) => {
            Finding::new("typing", Verdict::Unknown).with("by", effect.rung.unwrap_or_default())
        }
        // English is typed; for the rest there is no way yet.
        (Err(PhoneTrouble::CannotType), _) => {
            Finding::new("typing", Verdict::Attention).advise("install_scrcpy")
        }
        (Err(trouble), _) => Finding::new("typing", Verdict::Failed).with("said", trouble),
    }
    .with("ms", ms)
}

/// Opens a search field of the system's; whether one has the focus.
async fn search_field(phone: &AdbPhone, grip: &Grip) -> Result<bool, PhoneTrouble> {
    for line in SEARCHES {
        let words = line.split(' ').map(str::to_owned).collect();
        let opened = phone.perform(&Command::Shell(words), grip).await?;
        let said = opened.stderr.unwrap_or_default() + &opened.output.unwrap_or_default();
        if said.contains("Error") || said.contains("Exception") || said.contains("unable to resolve") {
            continue;
        }
        sleep(COMES_UP).await;
        if has_field(phone).await {
            return Ok(true);
        }
        // The page's own search, where it has one.
        phone.perform(&Command::Key("SEARCH".to_owned()), grip).await?;
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
        assert_eq!(security_settings("redmi"), "security_settings_xiaomi");
        assert_eq!(security_settings("google"), "security_settings");
    }
}
