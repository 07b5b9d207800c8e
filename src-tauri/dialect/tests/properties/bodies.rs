//! The properties themselves: each takes data and fails when it finds a fault.

use crate::sayable::{same_keys, sayable};
use crate::strategy::Damage;
use dialect::{Dialect, Size};
use protocol::{Act, Action};

/// A screen whose thousandths are whole pixels.
const SCREEN: Size = Size {
    width: 1000,
    height: 2000,
};

/// The action written in the dialect and read back is what the dialect can say of it, no more and no less.
pub(crate) fn reads_back(dialect: Dialect, thought: &str, action: &Action, screen: Size) {
    let expected = sayable(dialect, action, screen);
    let keys = same_keys(&action.act);
    let Some(written) = dialect::write_action(dialect, action, screen) else {
        // Not every key has a name in every dialect; the commonest have one wherever there are keys.
        let may_be_nameless = keys.is_some() && !common_keys(dialect, &action.act);
        assert!(
            expected.is_none() || may_be_nameless,
            "{dialect} has words for {action:?}"
        );
        return;
    };
    let expected =
        expected.unwrap_or_else(|| panic!("{dialect} has no words for {action:?}, but wrote {written}"));
    let reply =
        dialect::write_reply(dialect, thought, action, screen).expect("the same can be said with a thought");
    for reply in [&written, &reply] {
        let parsed =
            dialect::parse(reply, Some(dialect)).unwrap_or_else(|unclear| panic!("{unclear:?} for {reply}"));
        let mut read = parsed.in_pixels(screen).step.action;
        let mut expected = expected.clone();
        if dialect == Dialect::CogAgent && reply != &written && !matches!(read.act, Act::Finish { .. }) {
            expected.reason = Some(thought.into());
        }
        if keys.is_some() {
            assert_eq!(same_keys(&read.act), keys, "{reply}");
            read.act = expected.act.clone();
        }
        assert_eq!(read, expected, "{dialect}: {reply}");
    }
    if dialect == Dialect::OpenPocket {
        assert_eq!(
            dialect::parse(&written, None).map(|parsed| parsed.dialect),
            Ok(dialect),
            "{written}"
        );
    }
}

/// Keys the dialect's page names, alone or, where it has combinations, one of them held.
fn common_keys(dialect: Dialect, act: &Act) -> bool {
    let has = |keys: &[&str], code: &str| keys.contains(&code.strip_prefix("KEYCODE_").unwrap_or(code));
    let named = [
        "ENTER",
        "SPACE",
        "TAB",
        "DPAD_UP",
        "A",
        "7",
        "F11",
        "CTRL_LEFT",
        "SHIFT_LEFT",
        "META_LEFT",
        "HOME",
    ];
    match act {
        Act::Keyevent { keycode } => match dialect {
            Dialect::AutoGlm => has(&["BACK", "HOME"], keycode),
            Dialect::AppAgent | Dialect::StepGui => false,
            _ => has(&named, keycode),
        },
        Act::KeyCombination { keys } => {
            let all = keys.iter().all(|key| has(&named, key));
            all && keys.len() == 2
                && has(&["CTRL_LEFT", "SHIFT_LEFT", "META_LEFT"], &keys[0])
                && matches!(
                    dialect,
                    Dialect::CogAgent
                        | Dialect::OmniMcp
                        | Dialect::Hermes
                        | Dialect::UiTars
                        | Dialect::UiVenus
                )
        }
        _ => false,
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

/// A reply that is a thought and a few words gives no action, whatever the thought holds.
pub(crate) fn only_thought(inner: &str, tag: usize) {
    // A thought that closes itself, or opens another, is another matter.
    let inner = inner.replace("</", "< ").replace("<think>", "< think>");
    let (open, close) = [("<think>", "</think>"), ("[THINK]", "[/THINK]"), ("", "</think>")][tag];
    let (before, behind) = if open.is_empty() {
        ("", "")
    } else {
        ("Well. ", "\nThat is all.")
    };
    let raw = format!("{before}{open}{inner}{close}{behind}");
    for told in dialect::DIALECTS
        .iter()
        .map(|(dialect, _)| Some(*dialect))
        .chain([None])
    {
        if let Ok(parsed) = dialect::parse(&raw, told) {
            panic!(
                "{told:?} did what was only thought: {:?} from {raw:?}",
                parsed.step.action
            );
        }
    }
}
