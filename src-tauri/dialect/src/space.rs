//! What the numbers of a point count.
use crate::notes::Refusal;
use crate::point_fields::PointFields;
use crate::value::Value;
use protocol::{Act, Action, Space, Target};

/// A screen's width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "two sides")]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

impl Size {
    /// A place in thousandths → pixels: rounded half up and kept on the screen.
    #[must_use]
    pub fn pixels(self, x: f64, y: f64) -> (f64, f64) {
        let on = |n: f64, side: u32| {
            let last = f64::from(side.saturating_sub(1));
            (n * f64::from(side) / 1000.0 + 0.5).floor().clamp(0.0, last)
        };
        (on(x, self.width), on(y, self.height))
    }

    /// Pixels → thousandths, whole, 0…999: what models that count so were trained on.
    #[must_use]
    pub fn thousandths(self, x: f64, y: f64) -> (f64, f64) {
        let of = |n: f64, side: u32| (n * 1000.0 / f64::from(side.max(1))).round().clamp(0.0, 999.0);
        (of(x, self.width), of(y, self.height))
    }
}

/// The action with its plain coordinates in pixels of a screen of this size. Targets stay as they are.
pub(crate) fn in_pixels(action: &Action, size: Size) -> Action {
    let mut action = action.clone();
    if let Act::Swipe { x1, y1, x2, y2, .. } = &mut action.act {
        (*x1, *y1) = size.pixels(*x1, *y1);
        (*x2, *y2) = size.pixels(*x2, *y2);
    }
    action
}

/// Two or four numbers as the spot they mean: a point, or a box's centre. In thousandths it is carried as a box.
pub(crate) fn spot_of(numbers: Option<&[f64]>, space: Space) -> PointFields {
    let Some((x, y)) = numbers.and_then(middle) else {
        return PointFields {
            trouble: Some("a place is two numbers, or four".into()),
            ..PointFields::default()
        };
    };
    match space {
        Space::Thousandths => {
            let four: Vec<f64> = numbers
                .unwrap_or_default()
                .iter()
                .copied()
                .cycle()
                .take(4)
                .collect();
            match <[f64; 4]>::try_from(four) {
                Ok(region) if region.iter().all(in_thousandths) => PointFields {
                    target: Some(Target {
                        region: Some(region),
                        ..Target::default()
                    }),
                    ..PointFields::default()
                },
                _ => PointFields {
                    trouble: Some("a place is in thousandths of the screen, 0 to 1000".into()),
                    ..PointFields::default()
                },
            }
        }
        _ => PointFields {
            x: Some(x),
            y: Some(y),
            ..PointFields::default()
        },
    }
}

/// The point two or four numbers mean.
pub(crate) fn middle(numbers: &[f64]) -> Option<(f64, f64)> {
    match numbers {
        [x, y] => Some((*x, *y)),
        [x1, y1, x2, y2] => Some((f64::midpoint(*x1, *x2), f64::midpoint(*y1, *y2))),
        _ => None,
    }
}

fn in_thousandths(n: &f64) -> bool {
    (0.0..=1000.0).contains(n)
}

/// A finger's way from one place to another, its coordinates in the space they were written in.
///
/// # Errors
/// When an end is missing or outside its space; `needs` says in the dialect's words what would have been one.
pub(crate) fn way(
    from: Option<&[f64]>,
    to: Option<&[f64]>,
    space: Space,
    duration_ms: f64,
    needs: &str,
) -> Result<Act, Refusal> {
    let ends = [from.and_then(middle), to.and_then(middle)];
    let [(x1, y1), (x2, y2)] = ends.map(|end| end.unwrap_or((0.0, 0.0)));
    let act = Act::Swipe {
        x1,
        y1,
        x2,
        y2,
        duration_ms,
    };
    let fits = space == Space::Picture || [x1, y1, x2, y2].iter().all(in_thousandths);
    if ends.iter().all(Option::is_some) && fits {
        Ok(act)
    } else {
        Err(Refusal::missing_target(
            format!("it points nowhere: it needs {needs}"),
            act,
        ))
    }
}

/// The numbers of a place in any of the spellings models use: `[1,2]`, `(1,2)`, `'1 2'`, `<point>1 2</point>`,
/// `<bbox>1 2 3 4</bbox>`, `<|box_start|>(1,2)<|box_end|>`. Nothing else may stand among them.
pub(crate) fn place_numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::List(list) if list.closed => match list.items.as_slice() {
            [inner @ Value::List(_)] => place_numbers(inner),
            items => items.iter().map(Value::as_number).collect(),
        },
        // A text whose end was lost must at least have the end of its own mark, or a digit may be missing.
        Value::Text(text) if text.mended && !text.value.trim_end().ends_with([')', ']', '>']) => None,
        Value::Text(text) => numbers_among_marks(&text.value),
        _ => None,
    }
    .filter(|numbers: &Vec<f64>| numbers.len() == 2 || numbers.len() == 4)
}

/// All numbers of a place however deep its lists: `[[1, 2], [3, 4]]` are four. `None` where anything else stands there, or
/// a list lost its end.
pub(crate) fn flat_numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::List(list) if list.closed => {
            let parts = list.items.iter().map(flat_numbers).collect::<Option<Vec<_>>>()?;
            Some(parts.concat())
        }
        Value::Number(_) => Some(vec![value.as_number()?]),
        Value::Text(text) if !text.mended => numbers_among_marks(&text.value),
        _ => None,
    }
}

/// Two or four numbers written as text, in any of [`place_numbers`]' spellings.
pub(crate) fn numbers_in(text: &str) -> Option<Vec<f64>> {
    numbers_among_marks(text).filter(|numbers| numbers.len() == 2 || numbers.len() == 4)
}

fn numbers_among_marks(text: &str) -> Option<Vec<f64>> {
    const TAGS: [&str; 8] = [
        "<|box_start|>",
        "<|box_end|>",
        "<|point_start|>",
        "<|point_end|>",
        "<point>",
        "</point>",
        "<bbox>",
        "</bbox>",
    ];
    let mut bare = text.to_owned();
    for tag in TAGS {
        bare = bare.replace(tag, " ");
    }
    bare.split(|c: char| c.is_whitespace() || matches!(crate::lexer::plain(c), ',' | '(' | ')' | '[' | ']'))
        .filter(|part| !part.is_empty())
        .map(crate::value::number_in)
        .collect()
}
