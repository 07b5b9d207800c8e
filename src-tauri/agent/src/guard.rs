//! The second opinion during a run: the port it comes through, and what the run keeps of it.
//!
//! A page is asked about when it is first seen, while the acting model thinks. Whoever judges waits for the answer a short
//! time at most; what did not come, or cannot be read, is no opinion, and then the rules stand alone.

mod picture_fingerprint;

use crate::ports::Reply;
pub use crate::ports::{Guard, NoGuard};
use futures::FutureExt;
use futures::future::BoxFuture;
use judge::guard::{Opinion, PageKey, Question};
use picture_fingerprint::PictureFingerprint;
use protocol::{Failure, Frame, Usage};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Whoever judges waits so long for an answer that is on its way.
pub const WAIT: Duration = Duration::from_secs(8);
/// Pages whose opinion is remembered.
const PAGES: usize = 256;
/// After so many questions in a row without an answer none is waited for, until one comes.
const MAX_UNANSWERED: u32 = 3;
/// The longer side of a picture that goes along, in pixels: icons can still be told apart.
const PICTURE: u32 = 768;

/// How often it was asked, and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GuardCounts {
    /// Questions sent.
    pub asked: u32,
    /// Answers that could be read.
    pub answered: u32,
    /// Answers that could not.
    pub unread: u32,
    /// Questions nobody answered.
    pub failed: u32,
    /// Questions that were waited for in vain; the answer may have come later.
    pub late: u32,
    /// Tokens of all answers, read and written.
    pub tokens: u64,
}

/// The opinions of one run.
pub struct Opinions {
    guard: Arc<dyn Guard>,
    kept: VecDeque<(GuardedPage, Opinion)>,
    asking: Option<Asking>,
    /// The page that got no answer last: it is not asked about again while it stays.
    silent: Option<GuardedPage>,
    unanswered: u32,
    counts: GuardCounts,
    spent: Vec<Usage>,
}

/// A page as it was looked at: what it is, and how what has no words on it was drawn.
#[derive(Clone)]
struct GuardedPage {
    page: PageKey,
    fingerprint: PictureFingerprint,
}

impl GuardedPage {
    fn of(question: &Question, picture: Option<&Frame>) -> Self {
        Self {
            page: question.key().clone(),
            fingerprint: PictureFingerprint::of(question, picture),
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        self.page == other.page && self.fingerprint.is_like(&other.fingerprint)
    }
}

/// A question on its way.
struct Asking {
    question: Question,
    look: GuardedPage,
    reply: BoxFuture<'static, Result<Reply, Failure>>,
    is_late: bool,
}

impl Opinions {
    /// Of one guard.
    #[must_use]
    pub fn new(guard: Arc<dyn Guard>) -> Self {
        Self {
            guard,
            kept: VecDeque::new(),
            asking: None,
            silent: None,
            unanswered: 0,
            counts: GuardCounts::default(),
            spent: Vec::new(),
        }
    }

    /// Whether pictures can go along ([`judge::guard::Page::eyes`]).
    #[must_use]
    pub fn has_eyes(&self) -> bool {
        self.guard.has_eyes()
    }

    /// Puts a question on its way: [`Opinions::progress`] moves it, and a question about another page gives it up. Nothing
    /// happens where the opinion is known, is on its way, or did not come just before.
    pub fn begin(&mut self, question: &Question, picture: Option<&Frame>) {
        let look = GuardedPage::of(question, picture);
        let asking = self.asking.as_ref().map(|asking| &asking.look);
        let is_like = |one: Option<&GuardedPage>| one.is_some_and(|one| one.is_like(&look));
        if is_like(asking) || is_like(self.silent.as_ref()) || self.kept(&look).is_some() {
            return;
        }
        self.silent = None;
        self.counts.asked += 1;
        let picture = picture
            .filter(|_| question.has_picture())
            .map(|frame| screen::picture::scale(frame, PICTURE));
        let guard = Arc::clone(&self.guard);
        let asked = question.clone();
        self.asking = Some(Asking {
            question: question.clone(),
            look,
            reply: async move { guard.opinion(&asked, picture.and_then(Result::ok).as_ref()).await }.boxed(),
            is_late: false,
        });
    }

    /// Moves the question that is on its way, and returns when its answer was kept; never where there is none. It may be
    /// dropped at any time without harm.
    pub async fn progress(&mut self) {
        match &mut self.asking {
            Some(asking) => {
                let reply = (&mut asking.reply).await;
                self.settle(reply);
            }
            None => std::future::pending().await,
        }
    }

    /// The opinion on the page of this question as the picture shows it: a known one at once, one on its way within [`WAIT`].
    /// `None`: ask the person, for nobody else knows.
    pub async fn opinion(&mut self, question: &Question, picture: Option<&Frame>) -> Option<Opinion> {
        let look = GuardedPage::of(question, picture);
        if let Some(asking) = self.asking.as_ref().filter(|asking| asking.look.is_like(&look)) {
            // Waited for once, and not at all from one who never answers.
            let wait = if asking.is_late || self.unanswered >= MAX_UNANSWERED {
                Duration::ZERO
            } else {
                WAIT
            };
            if timeout(wait, self.progress()).await.is_err() && !wait.is_zero() {
                self.counts.late += 1;
                self.unanswered += 1;
                self.asking.iter_mut().for_each(|asking| asking.is_late = true);
            }
        }
        self.kept(&look).map(|opinion| question.again(opinion))
    }

    /// What came of the questions so far.
    #[must_use]
    pub fn counts(&self) -> GuardCounts {
        self.counts
    }

    /// What each answer cost since this was called last, and each question without one.
    pub fn spent(&mut self) -> Vec<Usage> {
        self.spent.extend(self.guard.take_unanswered());
        std::mem::take(&mut self.spent)
    }

    /// What is thought of the page of this question, where that is known.
    pub(crate) fn known(&self, question: &Question, picture: Option<&Frame>) -> Option<Opinion> {
        let opinion = self.kept(&GuardedPage::of(question, picture))?;
        Some(question.again(opinion))
    }

    fn kept(&self, look: &GuardedPage) -> Option<&Opinion> {
        let (_, opinion) = self.kept.iter().find(|(one, _)| one.is_like(look))?;
        Some(opinion)
    }

    fn settle(&mut self, reply: Result<Reply, Failure>) {
        let Some(Asking {
            question,
            look,
            is_late,
            ..
        }) = self.asking.take()
        else {
            return;
        };
        let opinion = match reply {
            Ok(reply) => {
                self.counts.tokens += reply.usage.input_tokens + reply.usage.output_tokens;
                self.spent.push(reply.usage);
                let opinion = question.read(&reply.text);
                let count = if opinion.is_some() {
                    &mut self.counts.answered
                } else {
                    &mut self.counts.unread
                };
                *count += 1;
                opinion
            }
            Err(failure) => {
                tracing::debug!(code = ?failure.code, "no second opinion");
                self.counts.failed += 1;
                None
            }
        };
        match opinion {
            Some(opinion) => {
                self.unanswered = 0;
                self.kept.push_back((look, opinion));
                if self.kept.len() > PAGES {
                    self.kept.pop_front();
                }
            }
            None => {
                self.unanswered += u32::from(!is_late);
                self.silent = Some(look);
            }
        }
    }
}
