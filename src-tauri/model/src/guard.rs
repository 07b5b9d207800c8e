//! The second opinion, asked of the person's own maker: of a small model where one is known, else of the same.

use crate::keys::Keys;
use crate::preset::maker_at;
use crate::price;
use crate::remote::Remote;
use crate::timeouts::Timeouts;
use agent::guard::Guard;
use agent::ports::Reply;
use async_trait::async_trait;
use judge::guard::Question;
use protocol::{ChosenModel, Failure, FailureCode, Frame, Maker, Usage};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The small model of each maker that answers. A test holds that each is priced, and looks at pictures.
const SMALL: &[(Maker, &str)] = &[
    (Maker::Openai, "gpt-5.6-luna"),
    (Maker::Anthropic, "claude-haiku-5-5"),
    (Maker::Google, "gemini-3.5-flash-lite"),
    (Maker::Dashscope, "qwen3.8-flash"),
    (Maker::Zhipu, "glm-5.3-flash"),
    (Maker::Mistral, "mistral-small-latest"),
    (Maker::Deepseek, "deepseek-flash"),
];
/// Tokens of one answer at most: forty lines take three hundred, and some think first.
const ANSWER: u32 = 2048;
/// Nobody waits for an opinion as long as for a step.
const OPINION_TIMEOUTS: Timeouts = Timeouts {
    first: Duration::from_secs(30),
    stall: Duration::from_secs(15),
    whole: Duration::from_secs(45),
    ..Timeouts::REMOTE
};

/// Answers that are remembered at most.
const ANSWERS: usize = 128;
/// For how long: a task that is repeated every day comes upon its pages once.
const HOLDS: Duration = Duration::from_secs(36 * 60 * 60);

/// What was answered, by the whole question, letter for letter: the same words about the same page of the same task. Of a
/// question that went with a picture nothing is kept.
#[derive(Debug, Default)]
struct AnswerCache(Mutex<VecDeque<(String, String, Instant)>>);

impl AnswerCache {
    fn get(&self, question: &str) -> Option<String> {
        let mut all = self.all();
        all.retain(|(_, _, at)| at.elapsed() < HOLDS);
        let known = all.iter().find(|(known, _, _)| known == question);
        known.map(|(_, answer, _)| answer.clone())
    }

    fn insert(&self, question: &str, answer: &str) {
        let mut all = self.all();
        if all.len() >= ANSWERS {
            all.pop_front();
        }
        all.push_back((question.to_owned(), answer.to_owned(), Instant::now()));
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<(String, String, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who gives the second opinion beside a chosen model. Keep one as long as the settings stay the same.
#[derive(Debug)]
pub struct GuardModel {
    small: Option<Remote>,
    /// The person's own model, for accounts and servers that have no other.
    own: Remote,
    has_no_small: AtomicBool,
    answers: AnswerCache,
}

impl GuardModel {
    /// Opens no connection and reads no key.
    ///
    /// # Errors
    /// As [`Remote::open`].
    pub fn open(chosen: ChosenModel, keys: Arc<dyn Keys>) -> Result<Self, Failure> {
        let open = |chosen| {
            let remote = Remote::open(chosen, Arc::clone(&keys))?;
            Ok::<Remote, Failure>(remote.with_timeouts(OPINION_TIMEOUTS).at_most(ANSWER))
        };
        Ok(Self::of(small(&chosen).map(open).transpose()?, open(chosen)?))
    }

    pub(crate) fn of(small: Option<Remote>, own: Remote) -> Self {
        Self {
            small,
            own,
            has_no_small: AtomicBool::new(false),
            answers: AnswerCache::default(),
        }
    }

    fn small(&self) -> Option<&Remote> {
        self.small
            .as_ref()
            .filter(|_| !self.has_no_small.load(Ordering::Relaxed))
    }
}

/// The small model at the maker's own address; none where the chosen one costs no more.
fn small(chosen: &ChosenModel) -> Option<ChosenModel> {
    let (maker, model) = *SMALL.iter().find(|(maker, _)| *maker == chosen.maker)?;
    let own_address = chosen.base_url.as_deref().filter(|url| !url.trim().is_empty());
    if own_address.is_some_and(|url| maker_at(url) != maker) {
        return None;
    }
    let cost = |model: &str| Some(price::short_task(&price::known(maker, model)?.price));
    let is_cheaper = cost(&chosen.model).is_none_or(|own| cost(model).is_some_and(|small| small < own));
    is_cheaper.then(|| ChosenModel {
        maker,
        model: model.to_owned(),
        base_url: chosen.base_url.clone(),
        shape: chosen.shape,
        ..ChosenModel::default()
    })
}

#[async_trait]
impl Guard for GuardModel {
    fn has_eyes(&self) -> bool {
        self.small().unwrap_or(&self.own).profile().picture
    }

    fn take_unanswered(&self) -> Vec<Usage> {
        let small = self.small.as_ref().map(Remote::take_unanswered);
        let own = self.own.take_unanswered();
        small.into_iter().flatten().chain(own).collect()
    }

    async fn opinion(&self, question: &Question, picture: Option<&Frame>) -> Result<Reply, Failure> {
        let text = question.text();
        if picture.is_some() {
            return self.answer(question.system(), text, picture).await;
        }
        if let Some(text) = self.answers.get(text) {
            let usage = Usage::default();
            return Ok(Reply { text, usage });
        }
        let reply = self.answer(question.system(), text, None).await?;
        // What cannot be read is no answer, and asked for anew.
        if question.read(&reply.text).is_some() {
            self.answers.insert(text, &reply.text);
        }
        Ok(reply)
    }
}

impl GuardModel {
    async fn answer(&self, system: &str, text: &str, picture: Option<&Frame>) -> Result<Reply, Failure> {
        if let Some(small) = self.small() {
            match small.answer(system, text, picture).await {
                Err(failure) if failure.code == FailureCode::ModelMissing => {
                    self.has_no_small.store(true, Ordering::Relaxed);
                }
                answer => return answer,
            }
        }
        self.own.answer(system, text, picture).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(maker: Maker, model: &str, base_url: Option<&str>, expected: Option<&str>) {
        let chosen = ChosenModel {
            maker,
            model: model.to_owned(),
            base_url: base_url.map(str::to_owned),
            ..ChosenModel::default()
        };
        let found = small(&chosen);
        assert_eq!(found.map(|small| small.model).as_deref(), expected, "{model}");
    }

    #[test]
    fn an_answer_is_remembered_by_the_whole_question() {
        let answers = AnswerCache::default();
        assert_eq!(answers.get("a page"), None);
        answers.insert("a page", "1 moves");
        assert_eq!(answers.get("a page").as_deref(), Some("1 moves"));
        assert_eq!(answers.get("a page "), None);
        for n in 0..ANSWERS {
            answers.insert(&n.to_string(), "1 edits");
        }
        assert_eq!((answers.get("a page"), answers.all().len()), (None, ANSWERS));
    }

    #[test]
    fn a_small_model_is_asked_where_it_is_smaller() {
        check(Maker::Openai, "gpt-5.6-sol", None, Some("gpt-5.6-luna"));
        check(Maker::Openai, "gpt-5-nano", None, None);
        check(Maker::Openai, "a-model-of-tomorrow", None, Some("gpt-5.6-luna"));
        check(
            Maker::Anthropic,
            "claude-sonnet-4-5",
            None,
            Some("claude-haiku-5-5"),
        );
        check(
            Maker::Google,
            "gemini-4-argon",
            None,
            Some("gemini-3.5-flash-lite"),
        );
        check(
            Maker::Openai,
            "m",
            Some("https://eu.api.openai.com.example.org/v1"),
            None,
        );
        check(
            Maker::Openai,
            "m",
            Some("https://api.openai.com/v1"),
            Some("gpt-5.6-luna"),
        );
        check(Maker::Ollama, "qwen3:8b", None, None);
        check(Maker::Openrouter, "openai/gpt-5.6-sol", None, None);
        check(Maker::Custom, "m", Some("http://127.0.0.1:1/v1"), None);
    }

    #[test]
    fn small_models_are_known() {
        for (maker, model) in SMALL {
            let known = price::known(*maker, model).unwrap();
            assert!(known.picture && !known.responses_only, "{model}");
            assert_eq!(
                SMALL.iter().filter(|(other, _)| other == maker).count(),
                1,
                "{model}"
            );
        }
    }
}
