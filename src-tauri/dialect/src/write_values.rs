//! Values as several dialects write them.

use crate::space::{Size, middle};
use protocol::{Action, Target};

/// The middle of a box, or the point in thousandths.
pub(crate) fn point(x: Option<f64>, y: Option<f64>, target: Option<&Target>, screen: Size) -> Option<String> {
    let (x, y) = match target.and_then(|target| target.region) {
        Some(region) => {
            middle(&region).map(|(x, y)| (x.round().clamp(0.0, 999.0), y.round().clamp(0.0, 999.0)))?
        }
        None => screen.thousandths(x?, y?),
    };
    Some(format!("[{x},{y}]"))
}

/// The app an action opens, by its name or else its package: the other dialects have one place for both. `None` when it
/// has neither.
pub(crate) fn app_of<'a>(action: &'a Action, package_name: &'a str) -> Option<&'a str> {
    let app = action.app.as_deref().unwrap_or(package_name);
    (!app.trim().is_empty()).then_some(app)
}

/// A number as JSON writes it: whole where it is whole.
pub(crate) fn whole_number(n: f64) -> serde_json::Value {
    protocol::number::serialize(&n, serde_json::value::Serializer).unwrap_or_default()
}
