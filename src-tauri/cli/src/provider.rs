//! The AI that was typed: a maker's name or an address, and a model there.

use crate::args::Schema;
use engine::{Engine, ModelChoice};

/// The AI that was typed, else the one of the settings.
///
/// # Errors
/// What is wrong with it, in a line.
pub(crate) fn choice(
    place: Option<String>,
    model: Option<String>,
    schema: Option<Schema>,
) -> Result<ModelChoice, String> {
    let Some((place, model)) = place.zip(model) else {
        return Ok(ModelChoice::Settings);
    };
    if model.trim().is_empty() {
        return Err("--model is empty: name a model of that provider".to_owned());
    }
    ModelChoice::typed(&place, &model, schema.map(Into::into)).ok_or_else(|| {
        let makers = Engine::makers()
            .into_iter()
            .filter(|maker| maker.base_url.is_some());
        let names: Vec<String> = makers.map(|maker| maker.name).collect();
        format!(
            "--provider {place:?} is no address and none of {}",
            names.join(", ")
        )
    })
}
