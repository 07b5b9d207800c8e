//! What `logcat -d` prints. Nothing a person wrote is ever in it, nor anything sent to them.

use std::collections::VecDeque;
use std::time::Duration;

const MAX_LINES: usize = 400;

/// The newest lines of the log, in the format `threadtime`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(VecDeque<String>);

impl Log {
    /// Adds a line. The day begins at 9:41 on 14 May.
    pub(crate) fn write(&mut self, now: Duration, tag: &str, message: &str) {
        let (seconds, millis) = (now.as_secs() + 9 * 3600 + 41 * 60, now.subsec_millis());
        let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
        if self.0.len() >= MAX_LINES {
            self.0.pop_front();
        }
        self.0.push_back(format!(
            "05-14 {hour:02}:{minute:02}:{second:02}.{millis:03}  1487  1512 I {tag}: {message}"
        ));
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        std::iter::once("--------- beginning of main".to_owned())
            .chain(self.0.iter().cloned())
            .collect()
    }
}
