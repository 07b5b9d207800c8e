//! What a model's numbers mean on the screen.

use crate::long;
use proptest::prelude::*;
use protocol::{Act, Action};
use screen::{Display, FAMILIES, Misplaced, Space, View, action_on_screen, family};

const ALL: [Space; 5] = Space::ALL;

fn display(width: u32, height: u32, rotation: u8) -> Display {
    Display {
        width,
        height,
        rotation,
    }
}

#[test]
fn each_space_on_the_picture_that_was_sent() {
    let small = View::of((576, 1280), 1080, 2400);
    for (space, first, second, expected) in [
        (Space::Screen, 540.0, 1200.0, Ok((540, 1200))),
        (Space::Screen, 1079.4, 2399.4, Ok((1079, 2399))),
        (Space::Screen, 1080.0, 2400.0, Ok((1079, 2399))),
        (Space::Picture, 288.0, 640.0, Ok((540, 1200))),
        (Space::Picture, 575.0, 1279.0, Ok((1078, 2398))),
        (Space::Picture, 576.0, 1280.0, Ok((1079, 2399))),
        // Pixels of the screen, written by a model that was shown a smaller picture: not on it.
        (
            Space::Picture,
            900.0,
            100.0,
            Err(Misplaced::Outside {
                first: 900.0,
                second: 100.0,
            }),
        ),
        (Space::Thousandths, 500.0, 250.0, Ok((540, 600))),
        (Space::Thousandths, 999.0, 999.0, Ok((1079, 2398))),
        (Space::Thousandths, 1000.0, 1000.0, Ok((1079, 2399))),
        (
            Space::Thousandths,
            1001.0,
            0.0,
            Err(Misplaced::Outside {
                first: 1001.0,
                second: 0.0,
            }),
        ),
        (Space::ThousandthsYx, 250.0, 500.0, Ok((540, 600))),
        (Space::ThousandthsYx, 1000.0, 0.0, Ok((0, 2399))),
        (Space::Unit, 0.5, 0.25, Ok((540, 600))),
        (Space::Unit, 1.0, 1.0, Ok((1079, 2399))),
        (
            Space::Unit,
            0.0,
            -0.01,
            Err(Misplaced::Outside {
                first: 0.0,
                second: -0.01,
            }),
        ),
        // Thousandths from a model that may write parts of one; no part of one is more than one.
        (Space::Unit, 500.0, 250.0, Ok((540, 600))),
        (Space::Unit, 999.0, 1.0, Ok((1079, 2))),
        (Space::Unit, 0.0, 1.0, Ok((0, 2399))),
        (
            Space::Unit,
            1.5,
            0.5,
            Err(Misplaced::Outside {
                first: 1.5,
                second: 0.5,
            }),
        ),
        (
            Space::Unit,
            1001.0,
            0.0,
            Err(Misplaced::Outside {
                first: 1001.0,
                second: 0.0,
            }),
        ),
    ] {
        assert_eq!(
            small.to_screen(space, first, second),
            expected,
            "{space:?} {first}, {second}"
        );
    }
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(small.to_screen(Space::Unit, odd, 0.0), Err(Misplaced::NotANumber));
        assert_eq!(
            small.to_screen(Space::Screen, 0.0, odd),
            Err(Misplaced::NotANumber)
        );
    }
    assert!(
        View::of((576, 1280), 0, 0)
            .to_screen(Space::Unit, 0.0, 0.0)
            .is_err()
    );
}

#[test]
fn the_same_place_of_the_glass_when_the_phone_is_turned() {
    // A tall phone; the model points near its top right corner.
    let turned = |rotation: u8| {
        let now = if rotation % 2 == 1 {
            display(2400, 1080, rotation)
        } else {
            display(1080, 2400, rotation)
        };
        View {
            picture: (540, 1200),
            taken: display(1080, 2400, 0),
            now,
        }
    };
    for (rotation, expected) in [
        (0, (1000, 100)),
        (1, (100, 79)),
        (2, (79, 2299)),
        (3, (2299, 1000)),
    ] {
        let view = turned(rotation);
        assert_eq!(
            view.to_screen(Space::Picture, 500.0, 50.0),
            Ok(expected),
            "{rotation}"
        );
        assert_eq!(view.has_turned(), rotation != 0);
    }
    // Wide, and nothing says which way.
    let unknown = View {
        now: display(2400, 1080, 0),
        ..turned(0)
    };
    assert_eq!(unknown.to_screen(Space::Unit, 0.5, 0.5), Err(Misplaced::Turned));
    // Another resolution of the same screen: in proportion.
    let finer = View {
        now: display(1440, 3200, 0),
        ..turned(0)
    };
    assert_eq!(finer.to_screen(Space::Picture, 270.0, 600.0), Ok((720, 1600)));
}

#[test]
fn families_by_the_names_providers_write() {
    for (model, name, space) in [
        ("google/gemini-2.5-pro", "gemini", Space::ThousandthsYx),
        ("gemini-3-flash-preview", "gemini", Space::ThousandthsYx),
        ("autoglm-phone-9b", "glm", Space::Thousandths),
        ("glm-4.6v", "glm", Space::Thousandths),
        ("cogagent-9b-20241220", "glm", Space::Thousandths),
        ("doubao-1-5-ui-tars-250428", "ui-tars", Space::Thousandths),
        ("ByteDance-Seed/UI-TARS-1.5-7B", "ui-tars-1.5", Space::Picture),
        ("UI-TARS-72B-DPO", "ui-tars", Space::Thousandths),
        ("Qwen/Qwen2.5-VL-72B-Instruct", "qwen2.5-vl", Space::Picture),
        ("qwen3-vl-plus", "qwen", Space::Thousandths),
        ("GUI-Owl-1.5-8B-Thinking", "gui-owl-1.5", Space::Thousandths),
        ("GUI-Owl-7B", "qwen2.5-vl", Space::Picture),
        ("kimi-k2.5", "kimi", Space::Unit),
        ("Tongyi-MAI/MAI-UI-8B", "mai-ui", Space::Thousandths),
        ("gui-plus", "qwen2.5-vl", Space::Picture),
        ("gui-plus-2026-02-26", "mai-ui", Space::Thousandths),
        ("Qwen-UI-Agent", "mai-ui", Space::Thousandths),
        ("vivo-ai/BlueLM-GUI-35B-A3B", "mai-ui", Space::Thousandths),
        ("PhoneBuddyAI/PhoneBuddy-4B", "mai-ui", Space::Thousandths),
        ("doubao-seed-2-0-pro-260215", "ui-tars", Space::Thousandths),
        ("seed-2.1-pro", "ui-tars", Space::Thousandths),
        (
            "ByteDance-Seed/Seed-OSS-36B-Instruct",
            "ui-tars",
            Space::Thousandths,
        ),
        ("inclusionAI/UI-Venus-Navi-7B", "qwen2.5-vl", Space::Picture),
        ("UI-Venus-1.5-30B-A3B", "ui-venus", Space::Thousandths),
        ("stepfun-ai/GELab-Zero-4B-preview", "step-gui", Space::Thousandths),
        ("Step-GUI-8B", "step-gui", Space::Thousandths),
        ("Hcompany/Holo1.5-7B", "qwen2.5-vl", Space::Picture),
        ("Hcompany/Holo2-8B", "holo", Space::Thousandths),
        ("holo3.1-35b-a3b", "holo", Space::Thousandths),
        ("glm-5.3-flash", "glm", Space::Thousandths),
        ("claude-sonnet-4-5", "claude", Space::Picture),
        ("openai/gpt-5.2", "gpt", Space::Picture),
    ] {
        let found = family(model).unwrap();
        assert_eq!((found.name, found.space), (name, space), "{model}");
    }
    // A place written by such a model is the place it means.
    let middle = |model: &str| {
        let space = family(model).unwrap().space;
        View::of((576, 1280), 1080, 2400).to_screen(space, 500.0, 500.0)
    };
    assert_eq!(middle("mai-ui-8b"), Ok((540, 1200)));
    assert_eq!(middle("gui-plus-2026-02-26"), Ok((540, 1200)));
    assert_eq!(family("llava-1.6"), None);
    let mut names: Vec<_> = FAMILIES.iter().map(|family| family.name).collect();
    names.dedup();
    assert_eq!(names.len(), FAMILIES.len());
    // Every mark finds its own family: no earlier one hides it.
    for family_ in FAMILIES {
        for mark in family_.marks {
            assert_eq!(family(mark).unwrap().name, family_.name, "{mark}");
        }
    }
}

#[test]
fn pictures_fit_what_a_model_takes_as_it_is() {
    for (model, screen, expected) in [
        ("qwen2.5-vl", (1080, 2400), (672, 1484)),
        ("claude", (1080, 2400), (705, 1568)),
        ("gpt", (1080, 2400), (768, 1706)),
        ("gemini", (1440, 3060), (737, 1568)),
        ("claude", (320, 640), (320, 640)),
        ("qwen2.5-vl", (20, 20), (28, 28)),
    ] {
        let (width, height) = screen;
        assert_eq!(
            family(model).unwrap().fit.size(width, height),
            expected,
            "{model} {screen:?}"
        );
    }
}

#[test]
fn a_whole_action() {
    let view = View::of((576, 1280), 1080, 2400);
    let read = |json: &str| serde_json_action(json);
    for (space, before, after) in [
        (
            Space::Picture,
            r#"{"type":"tap","x":288,"y":640,"reason":"it is there"}"#,
            r#"{"type":"tap","x":540,"y":1200,"reason":"it is there"}"#,
        ),
        (
            Space::ThousandthsYx,
            r#"{"type":"swipe","x1":800,"y1":500,"x2":200,"y2":500,"durationMs":300}"#,
            r#"{"type":"swipe","x1":540,"y1":1920,"x2":540,"y2":480,"durationMs":300}"#,
        ),
        (
            Space::Unit,
            r#"{"type":"drag","x1":0,"y1":0,"x2":1,"y2":1,"durationMs":500}"#,
            r#"{"type":"drag","x1":0,"y1":0,"x2":1079,"y2":2399,"durationMs":500}"#,
        ),
        // Targets and everything that points nowhere stay.
        (
            Space::Thousandths,
            r#"{"type":"tap","target":{"box":[0,0,500,500],"text":"Pay"}}"#,
            r#"{"type":"tap","target":{"box":[0,0,500,500],"text":"Pay"}}"#,
        ),
        (
            Space::Unit,
            r#"{"type":"type","text":"0.5"}"#,
            r#"{"type":"type","text":"0.5"}"#,
        ),
        (
            Space::Thousandths,
            r#"{"type":"scroll","direction":"down","amount":3,"x":500,"y":500}"#,
            r#"{"type":"scroll","direction":"down","amount":3,"x":540,"y":1200}"#,
        ),
    ] {
        assert_eq!(
            action_on_screen(&read(before), space, &view),
            Ok(read(after)),
            "{before}"
        );
    }
    let far = read(r#"{"type":"long_press","x":1200,"y":5}"#);
    assert!(action_on_screen(&far, Space::Thousandths, &view).is_err());
    let half = read(r#"{"type":"tap","x":1200}"#);
    assert_eq!(action_on_screen(&half, Space::Unit, &view), Ok(half));
}

fn serde_json_action(json: &str) -> Action {
    let action: Action = serde_json::from_str(json).unwrap();
    assert!(!matches!(action.act, Act::Wait { .. }));
    action
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long::times(2_000)))]

    #[test]
    fn there_and_back_is_the_same_pixel(
        screen in (1..5000_u32, 1..5000_u32), picture in (1..3000_u32, 1..3000_u32), at in (0.0..1.0_f64, 0.0..1.0_f64),
    ) {
        let view = View::of(picture, screen.0, screen.1);
        #[expect(clippy::cast_possible_truncation, reason = "on the screen")]
        let (x, y) = ((at.0 * f64::from(screen.0)) as i32, (at.1 * f64::from(screen.1)) as i32);
        for space in ALL {
            let (first, second) = view.to_model(space, x, y);
            prop_assert_eq!(view.to_screen(space, first, second), Ok((x, y)), "{:?}", space);
            // In whole numbers, as models write them: within half a unit and the half pixel of rounding.
            if space != Space::Unit {
                let (bx, by) = view.to_screen(space, first.round(), second.round()).unwrap();
                let unit = |size: u32, parts: u32| f64::from(size) / f64::from(parts) / 2.0 + 0.5;
                let (ux, uy) = match space {
                    Space::Screen | Space::Unit => (0.5, 0.5),
                    Space::Picture => (unit(screen.0, picture.0), unit(screen.1, picture.1)),
                    _ => (unit(screen.0, 1000), unit(screen.1, 1000)),
                };
                prop_assert!(f64::from((bx - x).abs()) <= ux + 1e-6, "{:?} {} {}", space, bx, x);
                prop_assert!(f64::from((by - y).abs()) <= uy + 1e-6, "{:?} {} {}", space, by, y);
            }
        }
    }

    #[test]
    fn never_beside_the_screen(
        taken in (1..4000_u32, 1..4000_u32, 0..4_u8), now in (1..4000_u32, 1..4000_u32, 0..4_u8),
        picture in (0..2000_u32, 0..2000_u32), first in -2000.0..3000.0_f64, second in prop::num::f64::ANY,
    ) {
        let view = View {
            picture,
            taken: display(taken.0, taken.1, taken.2),
            now: display(now.0, now.1, now.2),
        };
        for space in ALL {
            for (a, b) in [(first, second), (second, first), (first / 1000.0, first / 2000.0)] {
                if let Ok((x, y)) = view.to_screen(space, a, b) {
                    prop_assert!(0 <= x && i64::from(x) < i64::from(now.0));
                    prop_assert!(0 <= y && i64::from(y) < i64::from(now.1));
                }
            }
        }
    }

    #[test]
    fn four_turns_are_none(x in 0..1080_i32, y in 0..2400_i32, start in 0..4_u8) {
        let at = |rotation: u8| {
            if rotation % 2 == 1 { display(2400, 1080, rotation % 4) } else { display(1080, 2400, rotation % 4) }
        };
        let (mut px, mut py) = if start % 2 == 1 { (y, x) } else { (x, y) };
        let before = (px, py);
        for n in 0..4 {
            let view = View { picture: (1, 1), taken: at(start + n), now: at(start + n + 1) };
            (px, py) = view.to_screen(Space::Screen, f64::from(px), f64::from(py)).unwrap();
        }
        prop_assert_eq!((px, py), before);
        // And two turns at once are one after the other.
        let view = View { picture: (1, 1), taken: at(start), now: at(start + 2) };
        let (w, h) = (i32::try_from(at(start).width).unwrap(), i32::try_from(at(start).height).unwrap());
        prop_assert_eq!(view.to_screen(Space::Screen, f64::from(px), f64::from(py)), Ok((w - 1 - px, h - 1 - py)));
    }

    #[test]
    fn a_fit_is_never_larger_and_fits(width in 1..6000_u32, height in 1..6000_u32) {
        for family in FAMILIES {
            let fit = family.fit;
            let (w, h) = fit.size(width, height);
            prop_assert!(w % fit.multiple == 0 && h % fit.multiple == 0 && w > 0 && h > 0);
            let slim = w == fit.multiple || h == fit.multiple;
            prop_assert!(slim || (u64::from(w) * u64::from(h) <= fit.most_pixels && w.max(h) <= fit.longest));
            prop_assert!((w <= width || w == fit.multiple) && (h <= height || h == fit.multiple));
        }
    }
}
