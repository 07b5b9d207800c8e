//! The properties themselves: each takes data and fails when it finds a fault.

use crate::strategy::Damage;
use dialect::{DIALECTS, Dialect, Parsed};
use protocol::{Act, Action, Target};

/// Characters looked at, for each character of the reply, at most: the looser second reading looks ahead a name's
/// length behind every quote.
const STEPS_A_BYTE: usize = 64;

/// No panic, linear work, and an honest answer, in every dialect and in none.
pub(crate) fn total(raw: &str) {
    let told = DIALECTS.iter().map(|(dialect, _)| Some(*dialect));
    for told in told.chain([None]) {
        let (answer, steps) = dialect::parse_counting(raw, told);
        assert!(
            steps <= STEPS_A_BYTE * raw.len() + 1000,
            "{steps} steps for {} bytes",
            raw.len()
        );
        if let Ok(parsed) = answer {
            honest(raw, &parsed);
        }
    }
}

/// Never `finish` unless the reply says so in its dialect's words, never a touch the reply did not place.
fn honest(raw: &str, parsed: &Parsed) {
    assert_eq!(parsed.step.raw, raw);
    let action = &parsed.step.action;
    if matches!(action.act, Act::Finish { .. }) {
        assert!(raw.contains("finish"), "finished by {raw:?}");
    }
    if action.then_finish {
        assert!(
            raw.contains("thenFinish") || raw.contains("then_finish"),
            "finished by {raw:?}"
        );
    }
    let finds = |target: &Option<Target>| {
        target.as_ref().is_some_and(|t| {
            t.track_id.is_some() || t.element.is_some() || t.text.is_some() || t.region.is_some()
        })
    };
    let points = match &action.act {
        Act::Tap { x, y, target }
        | Act::DoubleTap { x, y, target }
        | Act::Hover { x, y, target }
        | Act::LongPress { x, y, target, .. } => (x.is_some() && y.is_some()) || finds(target),
        Act::Drag {
            x1,
            y1,
            x2,
            y2,
            target,
            to_target,
            ..
        } => {
            ((x1.is_some() && y1.is_some()) || finds(target))
                && ((x2.is_some() && y2.is_some()) || finds(to_target))
        }
        Act::SetValue { target, .. } => finds(&Some(target.clone())),
        Act::Type { target, .. } => target.is_none() || finds(target),
        _ => true,
    };
    assert!(points, "points nowhere: {action:?} from {raw:?}");
    if matches!(
        action.act,
        Act::Tap { .. } | Act::Swipe { .. } | Act::DoubleTap { .. } | Act::LongPress { .. }
    ) {
        let defaulted = ["x", "y", "x1", "y1", "x2", "y2"];
        assert!(
            !parsed
                .defaulted
                .iter()
                .any(|field| defaulted.contains(&field.as_str())),
            "{raw:?}"
        );
    }
}

/// The action written in the dialect is the action read.
pub(crate) fn reads_back(dialect: Dialect, action: &Action) {
    let written = dialect::write_action(dialect, action).expect("can be said");
    for told in [Some(dialect), None] {
        let parsed =
            dialect::parse(&written, told).unwrap_or_else(|unclear| panic!("{unclear:?} for {written}"));
        assert_eq!(&parsed.step.action, action, "{written}");
        assert_eq!(parsed.dialect, dialect);
    }
}

/// The same action, whatever harmless damage its reply has.
pub(crate) fn survives_damage(action: &Action, damage: &Damage) {
    if damage.hides(action) {
        return;
    }
    let reply = damage.apply(action).reply;
    let parsed = dialect::parse(&reply, None).unwrap_or_else(|unclear| panic!("{unclear:?} for {reply}"));
    assert_eq!(&parsed.step.action, action, "{reply}");
}

/// A reply cut off anywhere gives no action, or the one that had been read whole.
pub(crate) fn beginnings(action: &Action, damage: &Damage) {
    if damage.hides(action) {
        return;
    }
    let damaged = damage.apply(action);
    for (cut, _) in damaged
        .reply
        .char_indices()
        .filter(|(cut, _)| *cut >= damaged.known_from)
    {
        let beginning = &damaged.reply[..cut];
        if let Ok(parsed) = dialect::parse(beginning, None) {
            assert_eq!(&parsed.step.action, action, "{beginning}");
            assert!(
                cut >= damaged.action_ends,
                "acted before the action was whole: {beginning}"
            );
        }
    }
}
