//! The model of the product: it writes one message and sends it, going by what stands on the screen. What it was told was
//! not done, or does not see done, it does; what it sees done it never does again.

use super::stage::{Scene, Stage};
use agent::ports::{Model, ModelCapabilities, Reply, Retrying};
use agent::prompt::{Facts, Prompt};
use async_trait::async_trait;
use protocol::{Bounds, Element, ElementState, Failure, Usage};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What is to be sent: two lines of `input text`, for `%s` would be a blank in one.
pub(super) const TEXT: &str = "Bread, 5%so jam!";
pub(super) const APP: &str = "com.android.messaging";
pub(super) const PAGE: &str = "com.android.messaging/.ui.conversation.ConversationActivity";
/// Looks that tell nothing, before it gives up: what is wrong is made right sooner ([`super::cell`]).
const MAX_WAITS: u32 = 40;
/// Whom it writes to.
pub(super) const TO: &str = "Dana";
/// How often it opens the app again.
const REOPENS: u32 = 2;
const THINKS: Duration = Duration::from_millis(200);
/// Longer than a look stays fresh.
const THINKS_LONG: Duration = Duration::from_millis(1500);

/// What it remembers.
#[derive(Default)]
struct Memory {
    swiped: bool,
    typed: bool,
    sent: bool,
    waited: u32,
    reopened: u32,
    field: Option<Bounds>,
    send: Option<Bounds>,
}

pub(super) struct Writer {
    scene: Arc<Scene>,
    memory: Mutex<Memory>,
}

impl Writer {
    pub(super) fn new(scene: Arc<Scene>) -> Arc<Self> {
        Arc::new(Self {
            scene,
            memory: Mutex::default(),
        })
    }

    fn decide(&self, facts: &Facts) -> Value {
        let mut memory = self.memory.lock().unwrap();
        // Thrown out of the app, it goes back.
        if facts.screen.current_app.contains("launcher") && memory.reopened < REOPENS {
            memory.reopened += 1;
            return json!({"type": "launch_app", "packageName": APP});
        }
        if facts.screen.tree_read {
            memory.on_elements(facts)
        } else {
            memory.on_pixels(facts)
        }
    }
}

fn middle(bounds: Bounds) -> (i32, i32) {
    (
        i32::midpoint(bounds.left, bounds.right),
        i32::midpoint(bounds.top, bounds.bottom),
    )
}

fn is_field(element: &Element) -> bool {
    element.resource_id.ends_with("compose_message_text") && element.states.contains(&ElementState::Editable)
}

impl Memory {
    fn wait(&mut self) -> Value {
        self.waited += 1;
        if self.waited > MAX_WAITS {
            return json!({"type": "finish", "message": "I cannot go on."});
        }
        json!({"type": "wait", "durationMs": 3000})
    }

    fn swipe(&mut self, facts: &Facts) -> Value {
        self.swiped = true;
        // Long enough to be one also where this small display was turned: what is shorter may be a finger held still.
        let (x, high) = (facts.screen.width / 2, facts.screen.height);
        json!({"type": "swipe", "x1": x, "y1": high / 2, "x2": x, "y2": high * 3 / 10, "durationMs": 900})
    }

    fn on_elements(&mut self, facts: &Facts) -> Value {
        let elements = &facts.screen.elements;
        let field = elements.iter().find(|element| is_field(element));
        let (Some(field), APP) = (field, facts.screen.current_app.as_str()) else {
            let row = elements.iter().find(|element| {
                element.states.contains(&ElementState::Clickable) && element.label.contains(TO)
            });
            // The app began with its list.
            return match row.filter(|_| self.reopened > 0 && facts.screen.current_app == APP) {
                Some(row) => json!({"type": "tap", "target": {"element": row.index}}),
                None => self.wait(),
            };
        };
        let send = elements
            .iter()
            .find(|element| element.resource_id.ends_with("send_message_button"));
        self.field = Some(field.bounds);
        self.send = send.map(|send| send.bounds).or(self.send);
        let is_sent = elements
            .iter()
            .any(|element| element.label == TEXT && !is_field(element));
        let written = field.value.as_deref().unwrap_or_default();
        let target = json!({"element": field.index});
        self.waited = 0;
        if is_sent {
            return json!({"type": "finish", "message": "It is sent."});
        }
        if !self.swiped {
            return self.swipe(facts);
        }
        match (written, send) {
            (TEXT, Some(send)) => {
                self.sent = true;
                json!({"type": "tap", "target": {"element": send.index}})
            }
            ("", _) => {
                self.typed = true;
                json!({"type": "type", "text": TEXT, "target": target})
            }
            _ => {
                self.typed = true;
                json!({"type": "set_value", "target": target, "value": TEXT})
            }
        }
    }

    /// Without elements it goes by where things were, and by what it was told; what may have been done is not repeated.
    fn on_pixels(&mut self, facts: &Facts) -> Value {
        let last = facts.history.last().map(|line| line.result.as_str());
        let went_well = last.is_some_and(|told| told.starts_with("done"));
        // What it is told was not begun may be begun now.
        let not_begun = last.is_some_and(|told| told.starts_with("not done"));
        self.sent &= !not_begun;
        let (Some(field), Some(send)) = (self.field, self.send) else {
            return self.wait();
        };
        if facts.screen.current_app != APP {
            return self.wait();
        }
        if !self.swiped {
            self.swipe(facts)
        } else if !self.typed {
            self.typed = true;
            let thousandths = |pixel: i32, of: u32| i64::from(pixel) * 1000 / i64::from(of);
            let (x, y) = middle(field);
            let (x, y) = (
                thousandths(x, facts.screen.width),
                thousandths(y, facts.screen.height),
            );
            json!({"type": "type", "text": TEXT, "target": {"box": [x, y, x, y]}})
        } else if !self.sent && (went_well || not_begun) {
            self.sent = true;
            let (x, y) = middle(send);
            json!({"type": "tap", "x": x, "y": y})
        } else if self.sent && went_well {
            json!({"type": "finish", "message": "It should be sent."})
        } else {
            self.wait()
        }
    }
}

#[async_trait]
impl Model for Writer {
    fn name(&self) -> String {
        "scripted".into()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities {
            picture: false,
            elements: true,
            marks: false,
            longest_side: 64,
            longest_beside: 64,
        }
    }

    fn guard(&self) -> Arc<dyn agent::guard::Guard> {
        Arc::new(crate::guard::Credulous)
    }

    fn pointing(&self) -> agent::pointing::Pointing {
        agent::pointing::Pointing::SCREEN
    }

    async fn think(&self, prompt: &Prompt, _: &Retrying<'_>) -> Result<Reply, Failure> {
        let act = self.decide(&prompt.facts);
        if act["type"] == "tap" && !self.scene.has_struck() {
            self.scene.reached(Stage::Thinking);
            let thinks = if self.scene.has_struck() {
                THINKS_LONG
            } else {
                THINKS
            };
            tokio::time::sleep(thinks).await;
        } else {
            tokio::time::sleep(THINKS).await;
        }
        Ok(Reply {
            text: act.to_string(),
            usage: Usage::default(),
        })
    }
}
