//! A model behind a server, whatever shape it speaks.

mod ask;

use crate::address::{Address, Plain};
use crate::backoff::{Backoff, Dice};
use crate::http::Http;
use crate::keys::Keys;
use crate::patience::Patience;
use crate::picture::Picture;
use crate::preset::{Preset, maker_at, preset};
use crate::price;
use crate::profile::Profile;
use crate::report::Report;
use crate::shape::{Form, Means, Question, Tokens};
use crate::tool;
use crate::transport::Transport;
use crate::trouble::{BadAddress, Trouble};
use agent::pointing::Pointing;
use agent::ports::{Model, Reply, Retrying, Taste};
use agent::prompt::{self, Prompt};
use async_trait::async_trait;
use protocol::{Acting, ChosenModel, Failure, Frame, Maker, Price, Usage, WireShape};
use secrecy::SecretString;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use tracing::debug;

/// How often the history is shortened when too much was sent.
const SHORTENINGS: usize = 4;

/// A model behind a server. Keep one for as long as the settings stay the same: it holds the connection, and what it
/// learned of the server: its shape, the fields it takes, whether it calls tools.
pub struct Remote {
    address: Address,
    chosen: ChosenModel,
    preset: &'static Preset,
    profile: Profile,
    acting: Acting,
    pointing: Pointing,
    /// Absent where it is not known.
    price: Option<Price>,
    keys: Arc<dyn Keys>,
    transport: Box<dyn Transport>,
    patience: Patience,
    dice: Dice,
    taste: Taste,
    form: Mutex<Form>,
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
        let failure = |host: &str, trouble: &Trouble| {
            let model = &chosen.model;
            Report {
                host,
                model,
                key: None,
            }
            .failure(trouble)
        };
        let address = address(&chosen).map_err(|bad| failure("", &Trouble::Address(bad)))?;
        let patience = if address.is_loopback {
            Patience::LOCAL
        } else {
            Patience::REMOTE
        };
        let http =
            Http::new(&address, patience.connect).map_err(|trouble| failure(address.host(), &trouble))?;
        Ok(Self::over(address, chosen, keys, patience, Box::new(http)))
    }

    fn over(
        address: Address,
        chosen: ChosenModel,
        keys: Arc<dyn Keys>,
        patience: Patience,
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
        let acting = match chosen.acting.unwrap_or(profile.acting) {
            Acting::Trained if profile.training.is_none() => Acting::Tool,
            acting => acting,
        };
        let means = match acting {
            Acting::Tool => Means::ForcedTool,
            Acting::Text | Acting::Trained => Means::Text,
        };
        let mut form = Form::new(shape, address.host(), means);
        if profile.own_temperature {
            form = form.without_temperature();
        }
        let told = chosen.price.as_ref().and_then(price::sound);
        let price = match (told, known) {
            (Some(told), _) => Some(told),
            (None, _) if preset.is_here && address.is_loopback => Some(price::free()),
            (None, known) => known.map(|known| known.price.clone()),
        };
        let family = profile
            .family
            .and_then(|name| screen::FAMILIES.iter().find(|family| family.name == name));
        Self {
            address,
            preset,
            acting,
            pointing: family.map_or(Pointing::UNKNOWN, Pointing::of_family),
            price,
            keys,
            transport,
            patience,
            dice: Box::new(fastrand::f64),
            taste: profile.taste(),
            profile,
            form: Mutex::new(form),
            chosen,
        }
    }

    /// The same model with other time limits. The limit for connecting stays as it was.
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    /// The same model, sent something else with each step.
    #[must_use]
    pub fn with_taste(mut self, taste: Taste) -> Self {
        self.taste = taste;
        self
    }

    /// What suits it.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// What it costs, where that is known: all zeros on this computer.
    #[must_use]
    pub fn price(&self) -> Option<&Price> {
        self.price.as_ref()
    }

    /// Asks for one word, with a small picture when pictures are to its taste, once: for "Test connection".
    /// Gives the time until the answer was whole.
    ///
    /// # Errors
    /// As [`Model::think`], at the first trouble. An answer that is empty or too long is an answer here.
    pub async fn try_it(&self) -> Result<Duration, Failure> {
        let grey = Frame {
            width: 64,
            height: 64,
            rgba: vec![128; 64 * 64 * 4].into(),
        };
        let start = Instant::now();
        let key = self.key().await.map_err(|trouble| self.failure(&trouble, None))?;
        let mut tokens = Tokens::default();
        let result = async {
            let picture = self.pack(self.taste.picture.then_some(&grey)).await?;
            let question = Question {
                model: &self.chosen.model,
                system: "This is a test of the connection.",
                user: "Answer with one word: ready",
                picture: picture.as_ref(),
                tool: None,
                effort: self.profile.effort,
            };
            self.ask(&question, key.as_ref(), &mut tokens).await
        };
        match result.await {
            Ok(_) | Err(Trouble::Empty | Trouble::Length) => Ok(start.elapsed()),
            Err(trouble) => Err(self.failure(&trouble, key.as_ref())),
        }
    }

    async fn pack(&self, frame: Option<&Frame>) -> Result<Option<Picture>, Trouble> {
        match frame {
            Some(frame) => Picture::pack(frame.clone(), self.profile.packing).await.map(Some),
            None => Ok(None),
        }
    }

    /// The words of one prompt: the agent's own, or those the model was trained on. A question beside a task, which has
    /// no screen, is asked in plain words.
    fn words<'a>(&self, prompt: &'a Prompt) -> (Cow<'a, str>, Cow<'a, str>, bool) {
        let is_step = prompt.facts.screen.width > 0;
        let plain = (
            Cow::Borrowed(prompt.system.as_str()),
            Cow::Borrowed(prompt.user.as_str()),
            false,
        );
        match (self.acting, self.profile.training) {
            _ if !is_step => plain,
            (Acting::Trained, Some(training)) => {
                let picture = prompt.picture.as_ref().map(|frame| (frame.width, frame.height));
                let words = training.words(&prompt.facts, self.pointing.space, picture);
                (words.system.into(), words.user.into(), false)
            }
            (Acting::Tool, _) => (plain.0, plain.1, true),
            _ => plain,
        }
    }

    fn failure(&self, trouble: &Trouble, key: Option<&SecretString>) -> Failure {
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
    ) -> Result<String, Trouble> {
        let (system, user, by_tool) = self.words(prompt);
        let tool = by_tool.then(|| tool::tool(self.shape(), self.pointing.space));
        let question = Question {
            model: &self.chosen.model,
            system: &system,
            user: &user,
            picture,
            tool: tool.as_ref(),
            effort: self.profile.effort,
        };
        self.ask(&question, key, tokens).await
    }
}

/// Where a chosen model answers.
pub(crate) fn address(chosen: &ChosenModel) -> Result<Address, BadAddress> {
    let own = chosen
        .base_url
        .as_deref()
        .map(str::trim)
        .filter(|own| !own.is_empty());
    let plain = if chosen.maker == Maker::Custom && chosen.plain_allowed {
        Plain::Allowed
    } else {
        Plain::Refused
    };
    Address::read(own.unwrap_or(preset(chosen.maker).base_url), plain)
}

#[async_trait]
impl Model for Remote {
    fn name(&self) -> String {
        self.chosen.model.clone()
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn taste(&self) -> Taste {
        self.taste
    }

    fn pointing(&self) -> Pointing {
        self.pointing
    }

    async fn think(&self, prompt: &Prompt, retrying: &Retrying<'_>) -> Result<Reply, Failure> {
        let key = self.key().await.map_err(|trouble| self.failure(&trouble, None))?;
        let key = key.as_ref();
        let picture = self
            .pack(prompt.picture.as_ref())
            .await
            .map_err(|trouble| self.failure(&trouble, key))?;
        // Tokens of tries that failed were paid for too.
        let mut tokens = Tokens::default();
        let mut backoff = Backoff::new(self.patience.backoff, &self.dice);
        let mut prompt = Cow::Borrowed(prompt);
        let mut shortenings = 0;
        loop {
            let trouble = match self.once(&prompt, picture.as_ref(), key, &mut tokens).await {
                Ok(text) => {
                    let usage = self.usage(tokens);
                    return Ok(Reply { text, usage });
                }
                Err(trouble) => trouble,
            };
            // Too much was sent: less of what was done long ago will do, and takes no wait.
            if matches!(trouble, Trouble::Context(_))
                && shortenings < SHORTENINGS
                && let Some(shorter) = prompt::shorter(&prompt)
            {
                debug!(host = self.address.host(), "shortened");
                shortenings += 1;
                prompt = Cow::Owned(shorter);
                continue;
            }
            let failure = self.failure(&trouble, key);
            let Some(wait) = backoff.next(&trouble) else {
                return Err(failure);
            };
            retrying(&failure, wait);
            sleep(wait).await;
        }
    }
}

#[cfg(test)]
mod tests;
