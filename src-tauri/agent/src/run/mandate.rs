//! One question before the first step about what the task itself names, so that it need not be asked about when it is done.

use super::halt::Halt;
use super::question::{PersonAnswer, Question};
use super::side_request::blank_screen;
use super::state::Run;
use crate::mandate;
use protocol::{AskKind, AskReason, Choice, Evidence, Level, Mandate, Screen};
use std::time::Duration;

/// How long the card waits, as any question of ours.
const WAIT: Duration = Duration::from_secs(300);

impl Run {
    /// Asks for what the task names, where it names something that would be asked about. A No: each of it is asked about.
    pub(super) async fn agree_beforehand(&mut self) -> Result<(), Halt> {
        let deeds = self.named_deeds().await?;
        if deeds.is_empty() {
            return Ok(());
        }
        let screen = Screen {
            current_app: String::new(),
            ..blank_screen(&self.task.phone)
        };
        let question = Question {
            kind: AskKind::Mandate,
            reason: AskReason::Task { deeds: deeds.clone() },
            action: None,
            target: None,
            screen: &screen,
            frame: None,
            about: Vec::new(),
            site: None,
            says: "",
            wait: WAIT,
            evidence: Evidence::default(),
            choices: Some(vec![
                Choice::Deny,
                Choice::Approve,
                Choice::TakeOver,
                Choice::MoreTime,
            ]),
        };
        if let PersonAnswer::Yes(_) = self.ask(question).await? {
            self.permissions.agree(deeds);
        }
        Ok(())
    }

    /// What the task names, as the model reads it, of what the person would be asked about.
    async fn named_deeds(&mut self) -> Result<Vec<Mandate>, Halt> {
        let (level, asked) = (self.task.settings.level, self.task.settings.ask_before);
        let asks = level == Level::WhenItMatters && (asked.sending || asked.deleting);
        if !asks || !self.ports.model.reads_tasks() || !judge::tells_to_send_or_delete(&self.task.goal) {
            return Ok(Vec::new());
        }
        self.check_limits().await?;
        self.know_apps().await?;
        let goal = self.task.goal.clone();
        let question = mandate::question(&goal, self.conversation.apps());
        let mut deeds = match self.ask_aside(mandate::SYSTEM, &question, None).await? {
            Ok(reply) => mandate::read(&reply.text, &goal, self.conversation.apps()),
            Err(failure) => {
                // What it names is asked about when it is done, then.
                tracing::info!(?failure, "the task could not be read beforehand");
                Vec::new()
            }
        };
        deeds.retain(|deed| {
            if deed.kind == AskKind::Send {
                asked.sending
            } else {
                asked.deleting
            }
        });
        Ok(deeds)
    }
}
