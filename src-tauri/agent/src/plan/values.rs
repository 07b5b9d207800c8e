//! Text that goes into a variable: read off the screen, answered by the model, copied on the phone.

use super::aim::rectangle;
use super::doing::{Plan, PlannedEffect, Refusal, bare};
use protocol::{Act, OutcomeCode, Screen};

/// Plans reading a text, a question to the model, and the clipboard. What the model wrote itself is kept as it is.
pub(super) fn plan(act: &Act, now: &Screen) -> Result<Plan, Refusal> {
    match act {
        Act::ReadText {
            region,
            x1,
            y1,
            x2,
            y2,
            output,
            auto_scroll,
            result,
        } => {
            if let Some(keep) = keep(output, result.as_deref()) {
                return Ok(bare(keep));
            }
            let edges = x1.zip(*y1).zip(x2.zip(*y2));
            let region = rectangle(*region, edges.map(|((l, t), (r, b))| [l, t, r, b]), now)?;
            Ok(Plan {
                ring: Some(region),
                ..bare(PlannedEffect::Read {
                    region,
                    output: output.clone(),
                    scrolls: *auto_scroll,
                })
            })
        }
        Act::AskModel {
            prompt,
            output,
            result,
        } => Ok(bare(keep(output, result.as_deref()).unwrap_or_else(|| {
            PlannedEffect::AskModel {
                prompt: prompt.clone(),
                output: output.clone(),
            }
        }))),
        Act::ReadClipboard { output, result } => {
            Ok(bare(keep(output, result.as_deref()).unwrap_or_else(|| {
                PlannedEffect::Clipboard {
                    output: output.clone(),
                }
            })))
        }
        _ => Ok(bare(PlannedEffect::Nothing {
            code: OutcomeCode::NotATouch,
        })),
    }
}

/// The text the model gave itself, where it is whole.
fn keep(output: &str, result: Option<&str>) -> Option<PlannedEffect> {
    let text = result.filter(|text| is_whole(text))?;
    Some(PlannedEffect::Keep {
        output: output.to_owned(),
        text: text.to_owned(),
        via: None,
    })
}

/// A quotation that holds an ellipsis was cut short by the model, at its end or in its middle.
fn is_whole(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains('…') && !text.contains("...")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_with_an_ellipsis_anywhere_is_not_the_whole_text() {
        for (result, whole) in [
            ("17.00", true),
            ("Mr. Lee. 5 p.m.", true),
            ("def quick_sort(arr):\n\tif len(arr) <= 1:...", false),
            ("The first line … and the last", false),
            ("The first line ... and the last", false),
            ("…", false),
            (" ", false),
        ] {
            assert_eq!(keep("a", Some(result)).is_some(), whole, "{result:?}");
        }
    }
}
