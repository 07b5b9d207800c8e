//! Where a pointing action points: plain coordinates, or a target. Never a default.

use crate::action::finds_something;
use crate::fields::Fields;
use crate::notes::Refusal;
use crate::value::Value;
use protocol::{Act, Target, WarningCode};

/// One end of a pointing action, as far as the reply gives it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PointFields {
    pub(crate) x: Option<f64>,
    pub(crate) y: Option<f64>,
    pub(crate) target: Option<Target>,
    /// Why what stands there cannot be used.
    pub(crate) trouble: Option<String>,
}

impl PointFields {
    /// Both coordinates, or something to find.
    pub(crate) fn points(&self) -> bool {
        self.target.is_some() || (self.x.is_some() && self.y.is_some())
    }

    /// The action at this spot, or the refusal that keeps what the schema's defaults (0, 0) would have made of it.
    /// `needs` says in the dialect's words what would have pointed.
    pub(crate) fn act(
        self,
        needs: &str,
        act: impl Fn(Option<f64>, Option<f64>, Option<Target>) -> Act,
    ) -> Result<Act, Refusal> {
        if self.points() {
            return Ok(act(self.x, self.y, self.target));
        }
        let normalized = act(Some(self.x.unwrap_or(0.0)), Some(self.y.unwrap_or(0.0)), None);
        Err(Refusal::missing_target(self.why(needs), normalized))
    }

    /// Why it does not point.
    pub(crate) fn why(&self, needs: &str) -> String {
        let trouble = self
            .trouble
            .as_ref()
            .map(|trouble| format!(" ({trouble})"))
            .unwrap_or_default();
        format!("it points nowhere: it needs {needs}{trouble}")
    }
}

/// What an `OpenPocket` touch needs.
pub(crate) const NEEDS: &str = "x and y as numbers, or a `target`";

/// Names of one end's fields.
pub(crate) struct PointFieldNames<'n> {
    pub(crate) x: &'n str,
    pub(crate) y: &'n str,
    pub(crate) target: &'n str,
    /// Lists of two that some models write instead, in order of precedence.
    pub(crate) pairs: &'n [&'n str],
    /// Fields of the target that stand beside it instead of in it.
    pub(crate) inlined: bool,
}

/// The one spot of a tap and its like.
pub(crate) const SPOT: PointFieldNames<'_> = PointFieldNames {
    x: "x",
    y: "y",
    target: "target",
    pairs: &["coordinate", "position"],
    inlined: true,
};

impl Fields<'_> {
    /// One end. Coordinates that are both numbers stand as they are; else the first of the pairs that is there stands
    /// for both, and is not completed by another.
    ///
    /// # Errors
    /// When a text to be found is not quoted soundly.
    pub(crate) fn spot(&mut self, names: &PointFieldNames<'_>) -> Result<PointFields, Refusal> {
        let mut spot = PointFields {
            x: self.number(names.x),
            y: self.number(names.y),
            ..PointFields::default()
        };
        if (spot.x.is_none() || spot.y.is_none())
            && let Some(pair) = names.pairs.iter().find_map(|name| self.find(name))
        {
            (spot.x, spot.y) = two_of(pair);
            self.notes.listed = true;
        }
        (spot.target, spot.trouble) = self.target(names)?;
        if spot.target.is_some() && spot.x.is_some() != spot.y.is_some() {
            self.notes.warn(
                WarningCode::HalfPoint,
                Some(if spot.x.is_some() { names.y } else { names.x }),
                "one coordinate alone was left out: the target says where",
            );
            (spot.x, spot.y) = (None, None);
        }
        Ok(spot)
    }

    /// The target, or why what stands there is none.
    fn target(&mut self, names: &PointFieldNames<'_>) -> Result<(Option<Target>, Option<String>), Refusal> {
        match self.find(names.target) {
            Some(Value::Object(object)) => Fields::new(object, self.notes).target_fields(true),
            Some(number @ (Value::Number(_) | Value::Text(_))) if number.as_count().is_some() => {
                self.notes.warn(
                    WarningCode::TargetInlined,
                    Some(names.target),
                    "a number alone was read as the element's",
                );
                let target = Target {
                    element: number.as_count(),
                    ..Target::default()
                };
                Ok((Some(target), None))
            }
            Some(_) => Ok((None, Some(format!("`{}` is not an object", names.target)))),
            None if names.inlined => {
                let (target, trouble) = self.target_fields(false)?;
                if target.is_some() {
                    self.notes.warn(
                        WarningCode::TargetInlined,
                        Some(names.target),
                        "the target's fields stood beside the action's",
                    );
                }
                Ok((target, trouble))
            }
            None => Ok((None, None)),
        }
    }

    /// `{trackId?, element?, text?, box?, role?, label?}`; beside an action's own fields only those that cannot be
    /// the action's.
    fn target_fields(&mut self, own_object: bool) -> Result<(Option<Target>, Option<String>), Refusal> {
        let mut trouble = None;
        let mut target = Target {
            track_id: self.name("trackId"),
            ..Target::default()
        };
        if let Some(element) = self.find("element") {
            target.element = element.as_count();
            if target.element.is_none() {
                trouble = Some("elements are numbered from 1".to_owned());
            }
        }
        if own_object {
            target.text = self.exact_text("text")?.filter(|text| !text.trim().is_empty());
            target.role = self.words("role");
            target.label = self.words("label");
        }
        if let Some(value) = self.find("box") {
            match region(value) {
                Ok(region) => target.region = Some(region),
                Err(why) => trouble = Some(why.to_owned()),
            }
        }
        if finds_something(&target) {
            if let Some(trouble) = trouble.take() {
                self.notes.warn(
                    WarningCode::TargetPart,
                    Some("target"),
                    format!("a part of the target was left out: {trouble}"),
                );
            }
            return Ok((Some(target), None));
        }
        if target.role.is_some() || target.label.is_some() {
            trouble = trouble.or_else(|| Some("role and label alone find nothing".into()));
        }
        Ok((None, trouble))
    }
}

/// The two coordinates of a list of two, each by itself.
pub(crate) fn two_of(pair: &Value) -> (Option<f64>, Option<f64>) {
    if let Some([x, y]) = pair.as_list() {
        return (x.as_number(), y.as_number());
    }
    match numbers(pair).as_deref() {
        Some([x, y]) => (Some(*x), Some(*y)),
        _ => (None, None),
    }
}

/// The numbers of a list, or of a list written as text (`"[540, 1200]"`, `'[[1,2,3,4]]'`). `None` when any of them is none.
pub(crate) fn numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::List(list) if list.closed => list.items.iter().map(Value::as_number).collect(),
        Value::Text(text) => {
            let inside = text.value.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
            let inside = match inside.strip_prefix('[') {
                Some(inner) => inner.strip_suffix(']')?,
                None => inside,
            };
            inside.split(',').map(crate::value::number_in).collect()
        }
        _ => None,
    }
}

/// Four numbers within 0…1000, also in a list of one: `[[387,248,727,317]]`.
///
/// # Errors
/// Why it is no box.
pub(crate) fn region(value: &Value) -> Result<[f64; 4], &'static str> {
    let value = match value.as_list() {
        Some([only @ Value::List(_)]) => only,
        _ => value,
    };
    let Some(four) = numbers(value).and_then(|numbers| <[f64; 4]>::try_from(numbers).ok()) else {
        return Err("a box is four numbers");
    };
    in_thousandths(four)
}

/// The box, if all of it is within 0…1000.
///
/// # Errors
/// Why it is no box.
pub(crate) fn in_thousandths(four: [f64; 4]) -> Result<[f64; 4], &'static str> {
    if four.iter().any(|n| !(0.0..=1000.0).contains(n)) {
        return Err("a box is in thousandths of the screen");
    }
    Ok(four)
}
