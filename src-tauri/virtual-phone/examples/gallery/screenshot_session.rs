//! A phone, and hands to work it with.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use virtual_phone::android::{Android, FingerAction, Intent};
use virtual_phone::system::{System, SystemOptions};

/// A phone, its time, and where its pictures go.
pub(crate) struct ScreenshotSession {
    pub(crate) phone: System,
    now: Duration,
    folder: PathBuf,
    pub(crate) slowest: Duration,
}

impl ScreenshotSession {
    pub(crate) fn new(options: SystemOptions, folder: &Path) -> Self {
        Self {
            phone: System::new(options),
            now: Duration::ZERO,
            folder: folder.to_owned(),
            slowest: Duration::ZERO,
        }
    }

    pub(crate) fn wait(&mut self, millis: u64) {
        for _ in 0..millis.div_ceil(16) {
            self.now += Duration::from_millis(16);
            self.phone.tick(self.now);
        }
    }

    pub(crate) fn shoot(&mut self, name: &str) -> Result<(), Box<dyn Error>> {
        let start = Instant::now();
        let picture = self.phone.picture();
        self.slowest = self.slowest.max(start.elapsed());
        let file = self.folder.join(format!("{name}.png"));
        image::save_buffer(
            &file,
            &picture.rgba,
            picture.width,
            picture.height,
            image::ColorType::Rgba8,
        )?;
        if let Ok(tree) = self.phone.hierarchy() {
            std::fs::write(self.folder.join(format!("{name}.xml")), tree)?;
        }
        Ok(())
    }

    /// Taps the first node whose text or description is this.
    pub(crate) fn tap(&mut self, words: &str) -> Result<(), Box<dyn Error>> {
        let tree = self
            .phone
            .hierarchy()
            .map_err(|error| format!("no tree: {error:?}"))?;
        let quoted = words.replace('&', "&amp;");
        let found = ["text", "content-desc", "resource-id"]
            .iter()
            .find_map(|name| tree.find(&format!(" {name}=\"{quoted}\"")))
            .ok_or_else(|| format!("nothing says {words:?}"))?;
        let bounds = tree[found..]
            .split("bounds=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .unwrap_or_default();
        let numbers: Vec<f32> = bounds
            .split(['[', ']', ','])
            .filter_map(|number| number.parse().ok())
            .collect();
        let [left, top, right, bottom] = numbers[..] else {
            return Err("no bounds".into());
        };
        self.tap_at((left + right) / 2.0, (top + bottom) / 2.0);
        Ok(())
    }

    pub(crate) fn tap_at(&mut self, x: f32, y: f32) {
        self.phone.finger(FingerAction::Down, x, y);
        self.phone.finger(FingerAction::Up, x, y);
        self.wait(32);
    }

    pub(crate) fn swipe(&mut self, from: (f32, f32), to: (f32, f32), millis: u64) {
        self.phone.finger(FingerAction::Down, from.0, from.1);
        let steps = millis.div_ceil(16).max(2);
        for step in 1..=steps {
            self.wait(16);
            let part = step as f32 / steps as f32;
            self.phone.finger(
                FingerAction::Move,
                from.0 + (to.0 - from.0) * part,
                from.1 + (to.1 - from.1) * part,
            );
        }
        self.phone.finger(FingerAction::Up, to.0, to.1);
    }

    pub(crate) fn write(&mut self, words: &str) {
        for character in words.chars() {
            self.phone.character(character);
        }
    }

    pub(crate) fn open(&mut self, package: &str) -> Result<(), Box<dyn Error>> {
        let intent = Intent {
            action: Some("android.intent.action.MAIN".to_owned()),
            categories: vec!["android.intent.category.LAUNCHER".to_owned()],
            package: Some(package.to_owned()),
            ..Intent::default()
        };
        self.phone
            .start(&intent)
            .map_err(|error| format!("{package}: {error:?}"))?;
        self.wait(32);
        Ok(())
    }
}
