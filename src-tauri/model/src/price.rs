//! What models cost: dated data, and the sums.
//!
//! The person's own price goes first, then what a maker's list of models says, then the table in `data/prices.json`, then
//! an estimate, which says that it is one: what the same model costs elsewhere, else what three quarters of the models in
//! the table cost no more than. Only a server of one's own house is taken to cost nothing that could be counted.

use crate::wire_format::Tokens;
use protocol::{Maker, Price, Usage};
use serde_json::Value;
use std::sync::LazyLock;

/// What is known of one model of a maker.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownModel {
    /// Whose model it is.
    pub maker: Maker,
    /// As requests name it.
    pub model: String,
    /// What it costs.
    pub price: Price,
    /// Tokens it can read at once.
    pub context: Option<u64>,
    /// Whether it looks at pictures.
    pub picture: bool,
    /// Whether it calls tools.
    pub tool: bool,
    /// It answers in the shape of Responses only.
    pub responses_only: bool,
}

/// The table, read once. A test holds that it reads.
static TABLE: LazyLock<Vec<KnownModel>> =
    LazyLock::new(|| read(include_str!("../data/prices.json")).unwrap_or_default());

/// Tokens of one step at default settings: read (half of them kept from the step before), and written.
const STEP: Tokens = Tokens {
    input: 2_000,
    cached: 1_000,
    kept: 0,
    output: 120,
    dollars: None,
};
/// Steps of a short task.
const SHORT_TASK: f64 = 10.0;

/// What is known of a model: by its name, or by its name without the date behind it. Makers that sell others' models
/// (OpenRouter, Azure, a server of one's own) have their own prices, so nothing is known of theirs here.
#[must_use]
pub fn known(maker: Maker, model: &str) -> Option<&'static KnownModel> {
    let model = model.strip_prefix("models/").unwrap_or(model);
    let of_maker = || TABLE.iter().filter(|known| known.maker == maker);
    of_maker().find(|known| known.model == model).or_else(|| {
        of_maker()
            .filter(|known| model.strip_prefix(known.model.as_str()).is_some_and(is_date))
            .max_by_key(|known| known.model.len())
    })
}

/// The day the table's prices were taken.
#[must_use]
pub fn as_of() -> Option<&'static str> {
    TABLE.first().and_then(|known| known.price.as_of.as_deref())
}

/// The price of a model on this computer.
#[must_use]
pub(crate) fn free() -> Price {
    Price::default()
}

/// What a model costs of which no price is known; also of one that answers from this computer, which may only pass on what
/// another bills. Every request has its money like this, so that a task and the day are counted alike.
pub(crate) fn estimate(model: &str) -> Option<Price> {
    let price = elsewhere(model).or_else(usual)?;
    Some(Price {
        is_estimate: true,
        ..price
    })
}

/// The dearest price of a model of that name, as routers write it (`anthropic/claude-opus-4.6:beta`); of names that begin
/// alike the longest, as [`known`] has it.
fn elsewhere(model: &str) -> Option<Price> {
    let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    let name = name.split(':').next().unwrap_or(&name);
    let plain = |name: &str| name.replace(['.', '_'], "-");
    let wanted = plain(name);
    let same = |known: &&KnownModel| {
        let known = plain(&known.model);
        let rest = wanted.strip_prefix(known.as_str());
        rest.is_some_and(|rest| rest.is_empty() || is_date(rest))
    };
    let prices = TABLE
        .iter()
        .filter(same)
        .map(|known| (known.model.len(), &known.price));
    prices
        .max_by(|(a, one), (b, other)| a.cmp(b).then(one.input.total_cmp(&other.input)))
        .map(|(_, price)| price.clone())
}

/// What three quarters of the models in the table cost no more than, read and written each.
fn usual() -> Option<Price> {
    let quartile = |of: fn(&Price) -> f64| {
        let mut all: Vec<f64> = TABLE.iter().map(|known| of(&known.price)).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() * 3 / 4).copied()
    };
    Some(Price {
        input: quartile(|price| price.input)?,
        output: quartile(|price| price.output)?,
        as_of: as_of().map(str::to_owned),
        ..Price::default()
    })
}

/// `-2026-03-17`, `-20260317`, `-0731`, `-latest`: another day's name of the same.
fn is_date(rest: &str) -> bool {
    rest.starts_with('-')
        && (rest == "-latest" || rest.chars().skip(1).all(|c| c.is_ascii_digit() || c == '-'))
        && rest.len() > 4
}

/// A price of which every number can be reckoned with.
pub(crate) fn sound(price: &Price) -> Option<Price> {
    let fine = |n: &f64| n.is_finite() && *n >= 0.0;
    let is_sound = fine(&price.input)
        && fine(&price.output)
        && price.cached_input.as_ref().is_none_or(fine)
        && price.kept_input.as_ref().is_none_or(fine);
    is_sound.then(|| price.clone())
}

/// Dollars for `tokens`.
pub(crate) fn dollars(price: &Price, tokens: Tokens) -> f64 {
    let fresh = tokens.input.saturating_sub(tokens.cached + tokens.kept);
    let sum = |n: u64, price: f64| n as f64 * price;
    (sum(fresh, price.input)
        + sum(tokens.cached, price.cached_input.unwrap_or(price.input))
        + sum(tokens.kept, price.kept_input.unwrap_or(price.input))
        + sum(tokens.output, price.output))
        / 1e6
}

/// Dollars for a short task: a hint.
pub(crate) fn short_task(price: &Price) -> f64 {
    dollars(price, STEP) * SHORT_TASK
}

/// What was used: what the server says it took goes before what is reckoned, and no money is told where nothing was
/// counted or no price is known or estimated.
pub(crate) fn usage(price: Option<&Price>, tells_cost: bool, tokens: Tokens) -> Usage {
    let is_counted = tokens.input > 0 || tokens.output > 0;
    let told = tokens.dollars.filter(|_| tells_cost);
    let reckoned = price.filter(|_| is_counted).map(|price| dollars(price, tokens));
    Usage {
        input_tokens: tokens.input,
        cached_tokens: tokens.cached,
        output_tokens: tokens.output,
        dollars: told.or(reckoned),
        is_estimate: told.is_none() && price.is_some_and(|price| price.is_estimate),
    }
}

/// About what an answer took whose server counts nothing: four characters a token, and a picture as Anthropic reckons it.
/// The limit of a day would never be reached else.
pub(crate) fn uncounted(characters: usize, picture: Option<(u32, u32)>, answer: &str) -> Tokens {
    let pixels = picture.map_or(0, |(width, height)| u64::from(width) * u64::from(height));
    Tokens {
        input: characters.div_ceil(4) as u64 + pixels.div_ceil(750),
        output: answer.chars().count().div_ceil(4) as u64,
        ..Tokens::default()
    }
}

fn read(json: &str) -> Option<Vec<KnownModel>> {
    let table: Value = serde_json::from_str(json).ok()?;
    let as_of = table["asOf"].as_str()?.to_owned();
    let models = table["models"].as_array()?.iter();
    models
        .map(|entry| {
            let number = |name: &str| entry[name].as_f64();
            Some(KnownModel {
                maker: serde_json::from_value(entry["maker"].clone()).ok()?,
                model: entry["model"].as_str()?.to_owned(),
                price: Price {
                    input: number("input")?,
                    cached_input: number("cached"),
                    kept_input: number("kept"),
                    output: number("output")?,
                    as_of: Some(as_of.clone()),
                    is_estimate: false,
                },
                context: entry["context"].as_u64(),
                picture: entry["picture"].as_bool()?,
                tool: entry["tool"].as_bool()?,
                responses_only: entry["responses"].as_bool() == Some(true),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_reads_and_is_dated() {
        let table = read(include_str!("../data/prices.json")).unwrap();
        assert!(table.len() > 200, "{}", table.len());
        assert!(as_of().unwrap().parse::<jiff::civil::Date>().is_ok());
        for known in &table {
            assert_eq!(sound(&known.price), Some(known.price.clone()), "{}", known.model);
            let cached = known.price.cached_input.unwrap_or(0.0);
            assert!(cached <= known.price.input, "{}: kept costs no more", known.model);
        }
    }

    #[test]
    fn models_are_known_by_their_names_and_dates() {
        let check = |maker, model: &str, expected: Option<&str>| {
            assert_eq!(
                known(maker, model).map(|known| known.model.as_str()),
                expected,
                "{model}"
            );
        };
        check(Maker::Openai, "gpt-5.2", Some("gpt-5.2"));
        check(Maker::Openai, "gpt-5.2-2029-01-01", Some("gpt-5.2"));
        check(Maker::Openai, "gpt-5.2-pro", Some("gpt-5.2-pro"));
        check(Maker::Openai, "gpt-5.2-unheard-of", None);
        check(Maker::Google, "models/gemini-2.5-pro", Some("gemini-2.5-pro"));
        check(
            Maker::Anthropic,
            "claude-haiku-4-5-20991231",
            Some("claude-haiku-4-5"),
        );
        check(Maker::Openrouter, "openai/gpt-5.2", None);
        check(Maker::Custom, "gpt-5.2", None);
    }

    #[test]
    fn what_was_kept_costs_what_it_costs() {
        let price = Price {
            input: 3.0,
            cached_input: Some(0.3),
            kept_input: Some(3.75),
            output: 15.0,
            as_of: None,
            is_estimate: false,
        };
        let tokens = Tokens {
            input: 10_000,
            cached: 6_000,
            kept: 1_000,
            output: 100,
            dollars: None,
        };
        // 3,000 fresh at 3, 6,000 kept before at 0.3, 1,000 kept now at 3.75, 100 written at 15.
        let expected = (9_000.0 + 1_800.0 + 3_750.0 + 1_500.0) / 1e6;
        assert!((dollars(&price, tokens) - expected).abs() < 1e-12);
        let usage = usage(Some(&price), false, tokens);
        assert_eq!(
            (usage.input_tokens, usage.cached_tokens, usage.output_tokens),
            (10_000, 6_000, 100)
        );
    }

    #[test]
    fn what_is_not_known_is_estimated_and_says_so() {
        let check = |model: &str, expected: Option<(f64, f64)>| {
            let price = estimate(model);
            assert_eq!(price.as_ref().map(|p| (p.input, p.output)), expected, "{model}");
            assert!(price.is_none_or(|price| price.is_estimate), "{model}");
        };
        let of =
            |maker, model: &str| known(maker, model).map(|known| (known.price.input, known.price.output));
        let opus = of(Maker::Anthropic, "claude-opus-5-5");
        for name in [
            "claude-opus-5-5",
            "anthropic/claude-opus-5.5",
            "anthropic/claude-opus-5.5:beta",
            "claude-opus-5-5-20260901",
        ] {
            check(name, opus);
        }
        let usual = usual().map(|price| (price.input, price.output));
        check("nobody-knows-7b", usual);
        let (input, output) = usual.unwrap();
        let dearer = TABLE
            .iter()
            .filter(|known| known.price.input > input || known.price.output > output)
            .count();
        assert!(
            dearer * 2 < TABLE.len(),
            "rather more than less: {dearer} are dearer"
        );
        let tokens = Tokens {
            input: 1_000_000,
            ..Tokens::default()
        };
        let used = super::usage(estimate("nobody-knows-7b").as_ref(), false, tokens);
        assert_eq!((used.dollars, used.is_estimate), (Some(input), true));
        // What the server says it took is none.
        let told = Tokens {
            dollars: Some(0.5),
            ..tokens
        };
        let used = super::usage(estimate("nobody-knows-7b").as_ref(), true, told);
        assert_eq!((used.dollars, used.is_estimate), (Some(0.5), false));
    }

    #[test]
    fn what_the_server_says_it_took_goes_first_where_it_is_to_be_believed() {
        let tokens = Tokens {
            input: 10,
            output: 1,
            dollars: Some(0.5),
            ..Tokens::default()
        };
        assert_eq!(usage(None, true, tokens).dollars, Some(0.5));
        assert_eq!(usage(None, false, tokens).dollars, None);
        assert_eq!(
            usage(Some(&free()), false, tokens).dollars,
            Some(0.0),
            "free is told as free"
        );
        assert_eq!(usage(Some(&free()), false, Tokens::default()).dollars, None);
    }
}
