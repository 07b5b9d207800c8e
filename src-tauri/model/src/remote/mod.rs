//! A model behind a server, whatever shape it speaks.

mod ask;
mod pointing_test;
mod think;
mod usage_meter;

use crate::address::{Address, PlainHttp};
use crate::backoff::Jitter;
use crate::error::{BadAddress, ModelError};
use crate::exchange::WaitOptions;
use crate::http::Http;
use crate::keys::Keys;
use crate::picture::Picture;
use crate::preset::{Preset, maker_at, preset};
use crate::price;
use crate::profile::Profile;
use crate::report::Report;
use crate::timeouts::Timeouts;
use crate::trained::{self, TrainedPrompt};
use crate::transport::Transport;
use crate::wire_format::{ActionMethod, AnswerFormat, Question, RequestFormat, Tokens};
use agent::guard::Guard;
use agent::pointing::Pointing;
use agent::ports::ModelCapabilities;
use agent::prompt::Prompt;
use protocol::{
    Acting, ChosenModel, Failure, Frame, Maker, PointingTest, Price, TrainedWords, Tried, Usage, WireShape,
};
use secrecy::SecretString;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};
use tokio::time::Instant;

/// A model behind a server. Keep one for as long as the settings stay the same: it holds the connection, and what it
/// learned of the server: its shape, the fields it takes, whether it calls tools.
pub struct Remote {
    address: Address,
    chosen: ChosenModel,
    preset: &'static Preset,
    profile: Profile,
    acting: Acting,
    /// The trained words it is asked in, where it acts in some.
    words: Option<TrainedWords>,
    pointing: Pointing,
    /// Absent where it is not known.
    price: Option<Price>,
    keys: Arc<dyn Keys>,
    transport: Box<dyn Transport>,
    timeouts: Timeouts,
    jitter: Jitter,
    capabilities: ModelCapabilities,
    format: Mutex<RequestFormat>,
    /// Opened when it is first wanted.
    second: OnceLock<Arc<dyn Guard>>,
    /// What questions cost that brought no answer.
    unanswered: Mutex<Vec<Usage>>,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Remote({} at {})", self.chosen.model, self.address.host())
    }
}

impl Remote {
    /// A model at its maker's address, or at one of the person's own. Opens no connection and reads no key; both
    /// happen when it is asked.
    ///
    /// # Errors
    /// `model_address` when the address cannot be used, `model_offline` with reason `roots` when this computer
    /// trusts no certificates.
    pub fn open(chosen: ChosenModel, keys: Arc<dyn Keys>) -> Result<Self, Failure> {
        let failure = |host: &str, trouble: &ModelError| {
            let model = &chosen.model;
            Report {
                host,
                model,
                key: None,
            }
            .failure(trouble)
        };
        let address = address(&chosen).map_err(|bad| failure("", &ModelError::Address(bad)))?;
        let timeouts = if address.is_loopback {
            Timeouts::LOCAL
        } else {
            Timeouts::REMOTE
        };
        let http =
            Http::new(&address, timeouts.connect).map_err(|trouble| failure(address.host(), &trouble))?;
        Ok(Self::over(address, chosen, keys, timeouts, Box::new(http)))
    }

    fn over(
        address: Address,
        chosen: ChosenModel,
        keys: Arc<dyn Keys>,
        timeouts: Timeouts,
        transport: Box<dyn Transport>,
    ) -> Self {
        // An address that was typed may be one that is known.
        let maker = match (chosen.maker, &chosen.base_url) {
            (Maker::Custom, Some(base_url)) => maker_at(base_url),
            (maker, _) => maker,
        };
        let preset = preset(maker);
        let profile = Profile::of(maker, &chosen.model);
        let known = price::known(maker, &chosen.model);
        let shape = chosen.shape.unwrap_or(match (chosen.maker, known) {
            // At an address of the person's own every shape is told, or is the one everybody speaks.
            (Maker::Custom, _) => WireShape::Chat,
            (_, Some(known)) if known.responses_only => WireShape::Responses,
            _ => preset.shape,
        });
        let words = chosen.words.or(profile.training);
        // Whoever is told the words alone is asked in them.
        let told = chosen.acting.or(chosen.words.map(|_| Acting::Trained));
        let acting = match told.unwrap_or(profile.acting) {
            Acting::Trained if words.is_none() => Acting::Tool,
            acting => acting,
        };
        let words = words.filter(|_| acting == Acting::Trained);
        let means = match acting {
            Acting::Tool if profile.must_call => ActionMethod::ForcedTool,
            Acting::Tool => ActionMethod::OfferedTool,
            Acting::Text | Acting::Trained => ActionMethod::Text,
        };
        let mut format = RequestFormat::new(shape, address.host(), means);
        if profile.own_temperature {
            format = format.without_temperature();
        }
        if chosen.maker == Maker::Custom && chosen.shape.is_none() {
            format = format.searching();
        }
        let told = chosen.price.as_ref().and_then(price::sound);
        let price = match (told, known) {
            (Some(told), _) => Some(told),
            (None, _) if preset.is_here && address.is_loopback => Some(price::free()),
            (None, Some(known)) => Some(known.price.clone()),
            // So that the limit on spending holds all the same.
            (None, None) => price::estimate(&chosen.model),
        };
        let family = profile
            .family
            .and_then(|name| screen::FAMILIES.iter().find(|family| family.name == name));
        let pointing = family.map_or(Pointing::UNKNOWN, Pointing::of_family);
        Self {
            address,
            preset,
            acting,
            pointing: chosen.points.map_or(pointing, |told| pointing.counting(told)),
            price,
            keys,
            transport,
            timeouts,
            jitter: Box::new(fastrand::f64),
            capabilities: capabilities(&profile, words, shape),
            profile,
            words,
            format: Mutex::new(format),
            second: OnceLock::new(),
            unanswered: Mutex::default(),
            chosen,
        }
    }

    /// The same model with other time limits. The limit for connecting stays as it was.
    #[must_use]
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// The same model, sent something else with each step.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn with_capabilities(mut self, capabilities: ModelCapabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// The same model for answers of at most so many tokens.
    #[must_use]
    pub(crate) fn at_most(mut self, tokens: u32) -> Self {
        let format = self.format().at_most(tokens);
        self.format = Mutex::new(format);
        self
    }

    /// What suits it.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// What it costs, where that is known or can be estimated: all zeros on this computer.
    #[must_use]
    pub fn price(&self) -> Option<&Price> {
        self.price.as_ref()
    }

    /// Asks for one word; then, where pictures are to its capabilities, to tap a marked cross. Each once: for "Test connection".
    /// Gives the time until the first answer was whole, and where it pointed.
    ///
    /// # Errors
    /// As [`Model::think`], at the first trouble. An answer that is empty or too long is an answer here.
    pub async fn try_it(&self) -> Result<Tried, Failure> {
        let start = Instant::now();
        let key = self.key().await.map_err(|trouble| self.failure(&trouble, None))?;
        let key = key.as_ref();
        let question = Question {
            model: &self.chosen.model,
            system: "This is a test of the connection.",
            past: &[],
            now: "Answer with one word: ready",
            picture: None,
            answer: AnswerFormat::Words,
            tool: None,
            effort: self.profile.effort,
        };
        let mut tokens = Tokens::default();
        let timeouts = self.timeouts;
        match self
            .ask(&question, key, &mut tokens, &WaitOptions::quietly(timeouts))
            .await
        {
            Ok(_) | Err(ModelError::Empty | ModelError::Length) => {}
            Err(trouble) => return Err(self.failure(&trouble, key)),
        }
        let took = start.elapsed();
        let aim = self
            .aim(key)
            .await
            .map_err(|trouble| self.failure(&trouble, key))?;
        Ok(Tried {
            ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            aim,
        })
    }

    /// Shows it a cross, as it is shown every screen, and looks where it taps.
    async fn aim(&self, key: Option<&SecretString>) -> Result<PointingTest, ModelError> {
        if !self.capabilities.picture {
            return Ok(PointingTest::NotAsked);
        }
        let prompt = pointing_test::prompt(self.capabilities, self.pointing);
        let picture = self.pack(prompt.picture.as_ref()).await?;
        match self
            .once(
                &prompt,
                picture.as_ref(),
                key,
                &mut Tokens::default(),
                &WaitOptions::quietly(self.timeouts),
            )
            .await
        {
            Ok(text) => Ok(pointing_test::aim(&text, self.pointing, prompt.size)),
            Err(ModelError::Empty | ModelError::Length) => Ok(PointingTest::NoPoint),
            Err(trouble) => Err(trouble),
        }
    }

    async fn pack(&self, frame: Option<&Frame>) -> Result<Option<Picture>, ModelError> {
        match frame {
            Some(frame) => {
                let detail = self.profile.detail.map(|[beside, alone]| {
                    let is_small = frame.width.max(frame.height) <= self.capabilities.longest_beside;
                    if is_small { beside } else { alone }
                });
                let picture = Picture::pack(frame.clone(), self.profile.packing).await?;
                Ok(Some(Picture { detail, ..picture }))
            }
            None => Ok(None),
        }
    }

    /// The words the model was trained on, where it was and a step is asked for: a question beside a task, which has no
    /// screen, is asked in plain words.
    fn trained(&self, prompt: &Prompt) -> Option<TrainedPrompt> {
        let words = self.words.filter(|_| is_step(prompt))?;
        let picture = prompt.picture.as_ref().map(|frame| (frame.width, frame.height));
        let space = self.pointing.space;
        Some(trained::ask(
            words,
            &prompt.facts,
            space,
            picture,
            self.profile.language,
        ))
    }

    fn failure(&self, trouble: &ModelError, key: Option<&SecretString>) -> Failure {
        let report = Report {
            host: self.address.host(),
            model: &self.chosen.model,
            key,
        };
        report.failure(trouble)
    }

    fn usage(&self, tokens: Tokens) -> Usage {
        price::usage(self.price.as_ref(), self.preset.tells_cost, tokens)
    }

    /// One try of one prompt.
    async fn once(
        &self,
        prompt: &Prompt,
        picture: Option<&Picture>,
        key: Option<&SecretString>,
        tokens: &mut Tokens,
        waiting: &WaitOptions<'_>,
    ) -> Result<String, ModelError> {
        let trained = self.trained(prompt);
        let (system, past, now, answer) = match &trained {
            Some(words) => (&words.system, &[][..], &words.user, AnswerFormat::Words),
            None if !is_step(prompt) => (&prompt.system, &prompt.past[..], &prompt.now, AnswerFormat::Words),
            None if self.acting == Acting::Tool => {
                (&prompt.system, &prompt.past[..], &prompt.now, AnswerFormat::Call)
            }
            None => (&prompt.system, &prompt.past[..], &prompt.now, AnswerFormat::Json),
        };
        let question = Question {
            model: &self.chosen.model,
            system,
            past,
            now,
            picture,
            answer,
            tool: None,
            effort: self.profile.effort,
        };
        self.ask(&question, key, tokens, waiting).await
    }
}

/// What is sent: as its profile has it, and as its words and its shape need it.
fn capabilities(profile: &Profile, words: Option<TrainedWords>, shape: WireShape) -> ModelCapabilities {
    let usual = profile.capabilities();
    // One text has no place for a picture.
    let picture = usual.picture && shape != WireShape::Completions;
    ModelCapabilities {
        picture,
        elements: usual.elements || !picture || words.is_some_and(trained::lists),
        ..usual
    }
}

/// It is about a screen, and wants an action.
fn is_step(prompt: &Prompt) -> bool {
    prompt.facts.screen.width > 0
}

/// Where a chosen model answers.
pub(crate) fn address(chosen: &ChosenModel) -> Result<Address, BadAddress> {
    let own = chosen
        .base_url
        .as_deref()
        .map(str::trim)
        .filter(|own| !own.is_empty());
    let plain = if chosen.maker == Maker::Custom && chosen.plain_allowed {
        PlainHttp::Allowed
    } else {
        PlainHttp::Refused
    };
    Address::read(own.unwrap_or(preset(chosen.maker).base_url), plain)
}

#[cfg(test)]
mod tests;
