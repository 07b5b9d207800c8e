//! Hearing and telling: every wait is raced against the inbox, and everything told is written down first.

use super::halt::{Halt, Interrupt};
use super::handle::Message;
use super::inbox::InboxEvent;
use super::state::Run;
use protocol::{Op, What};

impl Run {
    /// Where the time of the step that is over went, for whoever wants to know.
    pub(super) fn tell_timing(&mut self) {
        if let Some(timing) = self.timeline.end() {
            // Nobody has to listen.
            let _ = self.timings.send(timing);
        }
    }

    /// Told in any case, and written when it can be.
    pub(super) async fn insist(&mut self, what: What) {
        if let Some(replay) = &mut self.replay {
            replay.hear(&what);
        }
        // Whatever is to be done next is written down first, and finds the journal closed.
        let _told = self.recorder.insist(what).await;
    }

    pub(super) async fn record(&mut self, what: What) -> Result<(), Halt> {
        let begins = matches!(what, What::Acting { .. });
        if let Some(replay) = &mut self.replay {
            replay.hear(&what);
        }
        self.recorder.record(what).await.map_err(Halt::journal)?;
        if begins {
            self.conversation.take_undone();
        }
        Ok(())
    }

    /// Waits for `work`, hearing meanwhile. Words for the AI are kept and do not disturb it.
    pub(super) async fn race<T>(&mut self, work: impl Future<Output = T>) -> Result<T, Halt> {
        tokio::pin!(work);
        loop {
            tokio::select! {
                biased;
                message = self.inbox.recv() => {
                    self.hear(message).await?;
                }
                out = &mut work => return Ok(out),
            }
        }
    }

    pub(super) async fn hear_next(&mut self) -> Result<InboxEvent, Halt> {
        let message = self.inbox.next().await;
        self.hear(message).await
    }

    /// Takes one message in.
    pub(super) async fn hear(&mut self, message: Option<Message>) -> Result<InboxEvent, Halt> {
        // Nobody is left who could ever stop it: it stops.
        let message = message.unwrap_or(Message::Op(Op::Stop));
        match message {
            Message::Op(Op::Stop) => {
                self.inbox.hear_stop();
                Err(Halt::Interrupted(Interrupt::Stop))
            }
            Message::Op(Op::Pause) => Err(Halt::Interrupted(Interrupt::Pause)),
            Message::Op(Op::TakeOver) => Err(Halt::Interrupted(Interrupt::TakeOver)),
            Message::Op(Op::Resume) => Ok(InboxEvent::Resume),
            Message::Op(Op::AskAgain) => Ok(InboxEvent::AskAgain),
            Message::Op(Op::HandBack) => Ok(InboxEvent::HandBack),
            Message::Op(Op::Say { text }) => {
                self.add_words(text).await?;
                Ok(InboxEvent::Said)
            }
            Message::Answer(answer) => Ok(InboxEvent::Answer(answer)),
            Message::Supply { ask, digest, value } => Ok(InboxEvent::Supply { ask, digest, value }),
            Message::Give { ask, digest, file } => Ok(InboxEvent::Give { ask, digest, file }),
            Message::PhoneBack => Ok(InboxEvent::PhoneBack),
            Message::Settings(settings) => {
                self.budget.follow(settings.limits);
                self.task.settings = *settings;
                Ok(InboxEvent::Settings)
            }
        }
    }
}
