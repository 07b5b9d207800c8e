//! Thinking and reading: the model's reply, read into one action or honestly not.

use super::ahead::{self, PendingTree};
use super::conversation::sum;
use super::halt::Halt;
use super::inbox::InboxEvent;
use super::likeness::{Pictured, of_pictures};
use super::observation::Observation;
use super::state::Run;
use crate::ports::{ModelCapabilities, PictureSource, Reply};
use crate::prompt::{self, Added, Prompt, PromptParts};
use crate::secrets::Masked;
use crate::timing::Waited;
use protocol::{Act, Action, Failure, PauseReason, Sensitivity, Unclear, Usage, WarningCode, What};
use screen::Space;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// What the model wants done.
pub(super) struct PlannedAction {
    pub action: Action,
    pub thought: String,
    /// How it pointed; absent where the action is in pixels of the screen already.
    pub pointed: Option<ReplyCoordinates>,
}

/// What a reply's plain coordinates count, and on which picture.
#[derive(Clone, Copy)]
pub(super) struct ReplyCoordinates {
    pub space: Space,
    /// As it was sent; the screen's size where none was.
    pub picture: (u32, u32),
}

impl Run {
    /// Asks the model what to do. None: its answer was unclear, it will be asked again.
    pub(super) async fn think(&mut self, seen: &Observation) -> Result<Option<PlannedAction>, Halt> {
        self.ask_opinion(seen);
        self.record(What::Thinking {
            step: self.budget.step(),
        })
        .await?;
        let (reply, picture) = self.reply(&seen.shown, seen.source, None).await?;
        let wanted = self.understand(reply, picture).await;
        if matches!(wanted, Err(Halt::End(_))) {
            // Whoever repeats it knows by that how it ended.
            self.keep_screen(None, seen);
        }
        wanted
    }

    /// The reply read. None: it was unclear, the model will be asked again.
    pub(super) async fn understand(
        &mut self,
        reply: Reply,
        picture: (u32, u32),
    ) -> Result<Option<PlannedAction>, Halt> {
        match self.ports.model.pointing().read(&reply.text, None) {
            Ok(written) => {
                let pointed = ReplyCoordinates {
                    space: written.space,
                    picture,
                };
                let wanted = self.decided(written.parsed, &reply).await?;
                Ok(wanted.map(|(action, thought)| PlannedAction {
                    action,
                    thought,
                    pointed: Some(pointed),
                }))
            }
            Err(unclear) => self.unclear(&unclear, &reply).await.map(|()| None),
        }
    }

    async fn decided(
        &mut self,
        parsed: dialect::Parsed,
        reply: &Reply,
    ) -> Result<Option<(Action, String)>, Halt> {
        let said = parsed.step.action;
        let note = parsed.note;
        let is_unknown = parsed
            .warnings
            .iter()
            .any(|warning| warning.code == WarningCode::UnknownType);
        self.permissions
            .flag(parsed.sensitivity == Some(Sensitivity::Sensitive));
        let thought = parsed.step.thought;
        self.conversation.intends(&said);
        // Nothing is told after this of a task that is done.
        self.spend_opinions();
        let aside = match said.act {
            Act::Finish { .. } => self.conversation.take_spent(),
            _ => None,
        };
        self.record(What::Decided {
            step: self.budget.step(),
            thought: self.secrets.hide(&thought),
            action: said.clone(),
            dialect: parsed.dialect.to_string(),
            sensitivity: parsed.sensitivity,
            defaulted: parsed.defaulted,
            warnings: parsed.warnings,
            raw: self.raw(reply),
            usage: sum(reply.usage, aside.unwrap_or_default()),
        })
        .await?;
        let action = match dialect::fill(&said, self.conversation.variables()) {
            Ok(action) => action,
            Err(unclear) => {
                self.conversation.take_undone();
                // The reply and what it cost are written down already.
                let reply = Reply {
                    text: String::new(),
                    usage: Usage::default(),
                };
                return self.unclear(&unclear, &reply).await.map(|()| None);
            }
        };
        // A type nobody knows is a wait, as its schema says, and still no answer that could be done.
        if !is_unknown {
            self.conversation.is_clear();
        } else if self.conversation.was_unclear() {
            return Err(Halt::Pause(PauseReason::Unclear));
        }
        if let Act::Finish { message } = action.act {
            self.propose_note(note).await?;
            return Err(Halt::End(self.questions.finished(message)));
        }
        Ok(Some((action, thought)))
    }

    /// The reply as it came, without what must not be kept.
    fn raw(&self, reply: &Reply) -> Option<String> {
        let text = Some(reply.text.as_str()).filter(|text| !text.is_empty());
        text.map(|text| self.secrets.hide_read(text))
    }

    /// The model is shown that its answer could not be read; the third time in a row the run waits.
    async fn unclear(&mut self, unclear: &Unclear, reply: &Reply) -> Result<(), Halt> {
        let what = What::Unclear {
            step: self.budget.step(),
            code: unclear.code,
            message: unclear.message.clone(),
            raw: self.raw(reply),
            usage: reply.usage,
        };
        self.record(what).await?;
        self.conversation.tell(
            self.budget.step(),
            format!(
                "Your answer could not be read ({}). Nothing was done. Answer with one action.",
                unclear.message
            ),
        );
        if self.conversation.was_unclear() {
            return Err(Halt::Pause(PauseReason::Unclear));
        }
        Ok(())
    }

    /// One answer, and the size of the picture its points count by. When the person says something meanwhile, the model is
    /// asked anew with it. A tree that is still being read is read meanwhile.
    pub(super) async fn reply(
        &mut self,
        shown: &Masked,
        source: PictureSource,
        mut ahead: Option<&mut PendingTree>,
    ) -> Result<(Reply, (u32, u32)), Halt> {
        let model = Arc::clone(&self.ports.model);
        loop {
            let prompt = self.prompt(shown, source, ahead.is_some());
            let asked_at = Instant::now();
            let words = self.conversation.said().len();
            let (sender, mut retries) = mpsc::unbounded_channel::<(Failure, Duration)>();
            let retrying = move |failure: &Failure, after: Duration| {
                let _ = sender.send((failure.clone(), after));
            };
            let thinking = model.think(&prompt, &retrying);
            tokio::pin!(thinking);
            let answer = loop {
                tokio::select! {
                    biased;
                    message = self.inbox.recv() => {
                        if matches!(self.hear(message).await?, InboxEvent::Said) {
                            break None;
                        }
                    }
                    Some((failure, after)) = retries.recv() => {
                        let after_ms = u64::try_from(after.as_millis()).unwrap_or(u64::MAX);
                        self.record(What::Retrying { failure, after_ms }).await?;
                    }
                    answer = &mut thinking => break Some(answer),
                    () = self.opinions.progress() => {}
                    () = self.torn_read.progress() => {}
                    tree = ahead::tree_of(ahead.as_deref_mut()) => {
                        if let Some(ahead) = ahead.as_deref_mut() {
                            self.take_in(ahead, tree).await?;
                        }
                        if self.conversation.said().len() > words {
                            break None;
                        }
                    }
                }
            };
            self.timeline.waited(Waited::Model, asked_at);
            match answer {
                Some(Ok(reply)) => {
                    let sent = shown.picture.clone().filter(|_| prompt.picture.is_some());
                    self.conversation.was_sent(sent.map(|frame| (frame, source)));
                    return Ok((reply, prompt.size));
                }
                Some(Err(failure)) => return Err(Halt::Pause(PauseReason::Model { failure })),
                None => {}
            }
        }
    }

    /// The prompt of this step. Ahead of its tree, it says that nothing is listed.
    fn prompt(&self, shown: &Masked, source: PictureSource, is_ahead: bool) -> Prompt {
        let apps: Vec<(String, String)> = self
            .conversation
            .apps()
            .iter()
            .map(|app| (app.package.clone(), app.label.clone()))
            .collect();
        let picture = shown.picture.as_ref();
        let is_same = |frame, before| {
            let now = picture.map(|frame| Pictured { frame, source });
            let sent = Pictured {
                frame,
                source: before,
            };
            now.is_some_and(|now| of_pictures(sent, now).is_same())
        };
        let scripts = &self.task.settings.scripts;
        let wanted = self.ports.model.capabilities();
        let capabilities = ModelCapabilities {
            elements: wanted.elements && !is_ahead,
            ..wanted
        };
        let mut prompt = prompt::build(&PromptParts {
            goal: &self.task.goal,
            said: self.conversation.said(),
            step: (self.budget.step(), self.budget.steps()),
            history: self.conversation.history(),
            screen: &shown.screen,
            picture,
            is_same: self
                .conversation
                .sent()
                .is_some_and(|(frame, source)| is_same(frame, *source)),
            apps: self.conversation.listed_after().map(|after| Added {
                after,
                what: apps.as_slice(),
            }),
            show: self.conversation.show(),
            scripts_here: scripts.on_this_computer.then_some(scripts.programs.as_slice()),
            notes: self.conversation.notes(),
            saved: self.matching_credentials.names(),
            capabilities,
            pointing: self.ports.model.pointing(),
        });
        if is_ahead && wanted.elements {
            prompt.now.push_str(prompt::UNLISTED);
        }
        prompt
    }
}
