//! Notifications.

use super::options::{InjectionSite, SystemOptions};
use crate::android::Intent;
use std::time::Duration;

/// How long a new notification stays in front of everything.
const HEADS_UP: Duration = Duration::from_secs(5);

/// One notification.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub(crate) package: &'static str,
    pub(crate) app: &'static str,
    pub(crate) title: String,
    pub(crate) text: String,
    /// What touching it starts.
    pub(crate) opens: Intent,
    /// When it came.
    pub(crate) at: Duration,
}

impl Notice {
    pub(crate) fn message(sender: &str, text: &str, conversation: usize) -> Self {
        Self {
            package: "com.android.messaging",
            app: "Messages",
            title: sender.to_owned(),
            text: text.to_owned(),
            opens: Intent {
                component: Some("com.android.messaging/.ui.conversation.ConversationActivity".to_owned()),
                extras: vec![("conversation".to_owned(), conversation.to_string())],
                ..Intent::default()
            },
            at: Duration::ZERO,
        }
    }
}

/// All notifications, newest first, and the one that just arrived.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notices {
    pub(crate) all: Vec<Notice>,
    heads_up_until: Option<Duration>,
}

impl Notices {
    pub(crate) fn begin(&mut self, options: &SystemOptions) {
        for text in options.injected(InjectionSite::Notification) {
            self.all.push(Notice {
                package: "com.android.store",
                app: "App store",
                title: "Notice".to_owned(),
                text: text.to_owned(),
                opens: super::world::main_intent("com.android.store"),
                at: Duration::ZERO,
            });
        }
    }

    pub(crate) fn post(&mut self, notice: Notice, now: Duration) {
        self.all.insert(0, Notice { at: now, ..notice });
        self.heads_up_until = Some(now + HEADS_UP);
    }

    /// The notification in front of everything.
    pub(crate) fn heads_up(&self, now: Duration) -> Option<&Notice> {
        self.heads_up_until
            .filter(|until| *until > now)
            .and(self.all.first())
    }

    pub(crate) fn has_heads_up(&self) -> bool {
        self.heads_up_until.is_some()
    }

    pub(crate) fn end_heads_up(&mut self) {
        self.heads_up_until = None;
    }

    /// Takes a notification away; gives what it opens.
    pub(crate) fn take(&mut self, index: usize) -> Option<Intent> {
        self.end_heads_up();
        (index < self.all.len()).then(|| self.all.remove(index).opens)
    }

    /// Takes away what an app has to say about one of its things, once the person is looking at it.
    pub(crate) fn forget(&mut self, package: &str, title: &str) {
        self.all
            .retain(|notice| notice.package != package || notice.title != title);
    }
}
