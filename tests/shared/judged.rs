//! Inputs as a run has them: judged, with a Yes where one is needed.

use judge::{Case, Input, Judged, Verdict, Yes, after_yes, judge};
use protocol::{Answer, Ask, CaptureResult, Choice, PhoneId, Screen, Settings, Totals};
use serde_json::json;

/// One input that may be sent now.
pub(crate) fn judged(input: Input) -> Judged {
    let screen = Screen {
        phone: PhoneId("phone".into()),
        current_app: "com.android.notes".into(),
        window: None,
        width: 360,
        height: 800,
        captured_at: 0,
        capture: CaptureResult::Ok,
        frame: None,
        elements: Vec::new(),
        tree_read: true,
        tree_bounds: None,
        totals: Totals::default(),
        keyboard_shown: false,
    };
    let (inputs, settings) = ([input], Settings::default());
    let now = tokio::time::Instant::now().into_std();
    let case = Case::new(&inputs, &screen, &settings, 0, now);
    let allowed = match judge(&case) {
        Verdict::Allow(judged) => Some(judged),
        Verdict::Ask(pending) => {
            let ask: Ask = serde_json::from_value(json!({
                "id": "run/1", "run": "run", "phone": "phone", "phoneName": "", "goal": "", "kind": pending.kind(),
                "reason": {"by": "rule", "rule": pending.rule()}, "app": "", "appLabel": "",
                "evidence": {"width": 360, "height": 800, "otherAmounts": []}, "claim": {"says": ""},
                "choices": ["deny", "approve"], "digest": "digest", "askedAt": 0, "deadline": 0,
            }))
            .unwrap();
            let answer = Answer {
                ask: ask.id.clone(),
                digest: ask.digest.clone(),
                choice: Choice::Approve,
                amount: None,
                words: None,
            };
            let yes = Yes::read(&ask, &answer).unwrap();
            after_yes(&case, &pending.asked_as("digest"), &yes)
        }
        Verdict::Refuse { rule } => panic!("{rule}"),
    };
    allowed.unwrap().remove(0)
}

/// A secret into the field that has the focus.
pub(crate) fn secret() -> Judged {
    judged(Input::Secret { at: (180, 400) })
}

/// What was copied, read.
pub(crate) fn clipboard() -> Judged {
    judged(Input::ReadClipboard)
}

/// A screen lit and swept clear.
pub(crate) fn wake() -> Judged {
    judge::wake(tokio::time::Instant::now().into_std())
}
