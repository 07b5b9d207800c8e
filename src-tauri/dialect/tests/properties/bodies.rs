//! The properties themselves: each takes data and fails when it finds a fault.

use crate::strategy::Damage;
use dialect::{DIALECTS, Dialect, Parsed, Size};
use protocol::{Act, Action, Target};

/// A screen whose thousandths are whole pixels.
const SCREEN: Size = Size {
    width: 1000,
    height: 2000,
};

/// Characters looked at, for each character of the reply, at most: the looser second reading looks ahead a name's
/// length behind every quote.
const STEPS_A_BYTE: usize = 64;

/// No panic, linear work, and an honest answer, in every dialect and in none.
pub(crate) fn total(raw: &str) {
    for (dialect, _) in DIALECTS {
        total_in(Some(dialect), raw);
    }
    total_in(None, raw);
}

/// The same in none, in the product's own, and in one more that the text itself chooses: for many texts.
pub(crate) fn total_in_some(raw: &str) {
    let chosen = raw
        .bytes()
        .fold(0usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
        % DIALECTS.len();
    total_in(None, raw);
    total_in(Some(Dialect::OpenPocket), raw);
    total_in(Some(DIALECTS[chosen].0), raw);
}

fn total_in(told: Option<Dialect>, raw: &str) {
    let (answer, steps) = dialect::parse_counting(raw, told, None);
    assert!(
        steps <= STEPS_A_BYTE * raw.len() + 1000,
        "{steps} steps for {} bytes",
        raw.len()
    );
    if let Ok(parsed) = answer {
        honest(raw, &parsed);
    }
}

/// Never `finish` unless the reply says so in its dialect's words, never a touch the reply did not place.
fn honest(raw: &str, parsed: &Parsed) {
    assert_eq!(parsed.step.raw, raw);
    let action = &parsed.step.action;
    if matches!(action.act, Act::Finish { .. }) {
        let words = [
            "finish",
            "END",
            "FINISH",
            "goal_complete",
            "success",
            "complete",
            "answer",
        ];
        assert!(words.iter().any(|word| raw.contains(word)), "finished by {raw:?}");
    }
    if action.then_finish {
        assert!(
            ["thenFinish", "then_finish", "<<END>>"]
                .iter()
                .any(|word| raw.contains(word)),
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

/// The action written in the dialect is the action read, as far as the dialect can say it: what is read is written
/// the same again, and what it does is the same.
pub(crate) fn reads_back(dialect: Dialect, thought: &str, action: &Action) {
    let Some(written) = dialect::write_action(dialect, action, SCREEN) else {
        return;
    };
    let reply =
        dialect::write_reply(dialect, thought, action, SCREEN).expect("the same can be said with a thought");
    for reply in [&written, &reply] {
        let parsed =
            dialect::parse(reply, Some(dialect)).unwrap_or_else(|unclear| panic!("{unclear:?} for {reply}"));
        let read = parsed.in_pixels(SCREEN).step.action;
        assert_eq!(
            dialect::write_action(dialect, &read, SCREEN).as_ref(),
            Some(&written),
            "{reply}"
        );
        same_doing(dialect, &read.act, &action.act, reply);
        if dialect == Dialect::OpenPocket {
            assert_eq!(&read, action, "{reply}");
        }
    }
    if dialect == Dialect::OpenPocket {
        assert_eq!(
            dialect::parse(&written, None).map(|parsed| parsed.dialect),
            Ok(dialect),
            "{written}"
        );
    }
}

/// The same kind of act with the same text.
fn same_doing(dialect: Dialect, read: &Act, written: &Act, reply: &str) {
    match (read, written) {
        (Act::Type { text, .. } | Act::SetValue { value: text, .. }, Act::Type { text: same, .. }) => {
            assert_eq!(text, same, "{reply}");
        }
        (Act::Finish { message }, Act::Finish { message: same }) => {
            let has_none = matches!(
                dialect,
                Dialect::CogAgent | Dialect::OmniMcp | Dialect::AndroidWorld | Dialect::AppAgent
            );
            assert!(has_none || message == same, "{reply}");
        }
        // A key may have another name for the same key; Escape is Back where a phone is meant.
        (
            Act::Keyevent { .. } | Act::KeyCombination { .. },
            Act::Keyevent { .. } | Act::KeyCombination { .. },
        ) => {}
        _ => assert_eq!(
            std::mem::discriminant(read),
            std::mem::discriminant(written),
            "{reply}"
        ),
    }
}

/// A reply of any dialect, cut off anywhere: no other end of the run, no half text, no other place.
pub(crate) fn cut_anywhere(dialect: Dialect, action: &Action) {
    let Some(reply) = dialect::write_reply(dialect, "It's time, \"now\".", action, SCREEN) else {
        return;
    };
    let whole =
        dialect::parse(&reply, Some(dialect)).unwrap_or_else(|unclear| panic!("{unclear:?} for {reply}"));
    for (cut, _) in reply.char_indices() {
        let Ok(parsed) = dialect::parse(&reply[..cut], Some(dialect)) else {
            continue;
        };
        let (part, all) = (parsed.step.action, &whole.step.action);
        let beginning = &reply[..cut];
        assert_eq!(
            std::mem::discriminant(&part.act),
            std::mem::discriminant(&all.act),
            "{beginning}"
        );
        assert!(!part.then_finish || all.then_finish, "{beginning}");
        if let (Act::Type { text, .. }, Act::Type { text: same, .. }) = (&part.act, &all.act) {
            assert_eq!(text, same, "{beginning}");
        }
        if let (Act::Swipe { .. }, _) | (Act::Finish { .. }, _) | (Act::Wait { .. }, _) =
            (&part.act, &all.act)
        {
            assert_eq!(part.act, all.act, "{beginning}");
        }
        assert_eq!(place(&part.act), place(&all.act), "{beginning}");
    }
}

type Place = (Option<f64>, Option<f64>, Option<[f64; 4]>, Option<u32>);

fn place(act: &Act) -> Option<Place> {
    match act {
        Act::Tap { x, y, target }
        | Act::DoubleTap { x, y, target }
        | Act::Hover { x, y, target }
        | Act::LongPress { x, y, target, .. } => {
            let target = target.clone().unwrap_or_default();
            Some((*x, *y, target.region, target.element))
        }
        _ => None,
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
