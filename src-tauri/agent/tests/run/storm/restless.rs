//! Random numbers by a seed, and a model that wants anything at any time.

use agent::ports::{Model, ModelCapabilities, Reply, Retrying};
use agent::prompt::Prompt;
use async_trait::async_trait;
use protocol::{Failure, FailureCode, Usage};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// SplitMix64: the same numbers for the same seed, everywhere.
#[derive(Clone, Debug)]
pub(crate) struct SeededRng(u64);

impl SeededRng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }
}

/// What it may want, whatever the screen shows.
const WANTS: &[&str] = &[
    r#"{"type": "tap", "target": {"text": "Checkout"}}"#,
    r#"{"type": "tap", "x": 130, "y": 420}"#,
    r#"{"type": "tap", "x": 130, "y": 520}"#,
    r#"{"type": "tap", "x": 130, "y": 520, "captureAfter": true}"#,
    r#"{"type": "tap", "x": 230, "y": 520}"#,
    r#"{"type": "tap", "target": {"element": 4}}"#,
    r#"{"type": "double_tap", "x": 130, "y": 520}"#,
    r#"{"type": "keyevent", "keycode": "KEYCODE_ENTER"}"#,
    r#"{"type": "keyevent", "keycode": "KEYCODE_BACK"}"#,
    r#"{"type": "type", "text": "On my way"}"#,
    r#"{"type": "type", "text": "On my way\n"}"#,
    r#"{"type": "type", "text": "123456"}"#,
    r#"{"type": "shell", "command": "input tap 130 520"}"#,
    r#"{"type": "run_script", "script": "echo hello"}"#,
    r#"{"type": "swipe", "x1": 130, "y1": 500, "x2": 130, "y2": 100}"#,
    r#"{"type": "wait", "durationMs": 3000}"#,
    r#"{"type": "launch_app", "packageName": "com.greenleaf.shop"}"#,
    r#"{"type": "request_human_auth", "capability": "payment", "instruction": "Pay $23.40?", "timeoutSec": 60}"#,
    r#"{"type": "request_human_auth", "capability": "2fa", "instruction": "The code, please."}"#,
    r#"{"type": "request_human_auth", "capability": "contacts", "instruction": "May I look?"}"#,
    r#"{"type": "tap"}"#,
    "I am not sure what to do.",
];

/// It wants something else each time, and gives up in the end.
pub(super) struct RestlessModel {
    state: Mutex<(SeededRng, u32)>,
}

impl RestlessModel {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            state: Mutex::new((SeededRng::new(seed), 0)),
        }
    }
}

#[async_trait]
impl Model for RestlessModel {
    fn name(&self) -> String {
        "restless".into()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn pointing(&self) -> agent::pointing::Pointing {
        agent::pointing::Pointing::SCREEN
    }

    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities {
            picture: false,
            elements: true,
            marks: false,
            longest_side: 400,
            longest_beside: 400,
        }
    }

    fn guard(&self) -> Arc<dyn agent::guard::Guard> {
        Arc::new(crate::support::guard::Credulous)
    }

    async fn think(&self, _prompt: &Prompt, _retrying: &Retrying<'_>) -> Result<Reply, Failure> {
        let (wants, fails, ms) = {
            let mut state = self.state.lock().unwrap();
            state.1 += 1;
            let ended = state.1 > 14;
            let rng = &mut state.0;
            let wants = if ended {
                r#"{"type": "finish", "message": "Enough."}"#
            } else {
                rng.pick(WANTS)
            };
            (wants, rng.one_in(25), rng.below(6_000))
        };
        tokio::time::sleep(Duration::from_millis(ms)).await;
        if fails {
            return Err(FailureCode::ModelServer.into());
        }
        Ok(Reply {
            text: wants.to_owned(),
            usage: Usage {
                cached_tokens: 0,
                input_tokens: 100,
                output_tokens: 10,
                dollars: None,
                is_estimate: false,
            },
        })
    }
}
