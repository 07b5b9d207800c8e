//! Numbers on pictures.

use crate::common::{bounds, demo, paint, pixel, read};
use crate::long;
use proptest::prelude::*;
use protocol::{Bounds, CaptureMode, Element, Frame, Role};
use screen::picture::{Mark, Scale, captured, contrast, decode_png, marks, place_marks};

const PICTURES: [(&str, &[u8]); 3] = [
    ("settings", include_bytes!("../data/demo/settings.png")),
    (
        "messages-keyboard",
        include_bytes!("../data/demo/messages-keyboard.png"),
    ),
    ("home-3", include_bytes!("../data/demo/home-3.png")),
];

const SENT: Scale = Scale {
    screen: (1080, 2400),
    picture: (576, 1280),
};

fn one_to_one(frame: &Frame) -> Scale {
    let size = (frame.width, frame.height);
    Scale {
        screen: size,
        picture: size,
    }
}

fn meet(a: Bounds, b: Bounds) -> bool {
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

fn on_picture(mark: &Mark, frame: &Frame) -> bool {
    let (w, h) = (
        i32::try_from(frame.width).unwrap(),
        i32::try_from(frame.height).unwrap(),
    );
    [mark.chip, mark.frame]
        .iter()
        .all(|b| 0 <= b.left && b.right <= w && 0 <= b.top && b.bottom <= h)
}

/// The number that can be read on a chip of the marked picture: each digit's 5 × 7 dots against what ten digits look
/// like on a chip of their own.
fn read_chip(marked: &Frame, mark: &Mark) -> String {
    let digits = mark.number.to_string().len();
    let dot = (mark.chip.bottom - mark.chip.top) / 10;
    let pad = (mark.chip.bottom - mark.chip.top - 7 * dot) / 2;
    let shape = |n: usize| -> Vec<bool> {
        let left = mark.chip.left + pad + i32::try_from(n).unwrap() * 6 * dot;
        (0..35)
            .map(|at| {
                let (x, y) = (left + at % 5 * dot, mark.chip.top + pad + at / 5 * dot);
                let corners = [(0, 0), (dot - 1, dot - 1)];
                let inked = corners.map(|(dx, dy)| pixel(marked, x + dx, y + dy) == mark.ink);
                assert_eq!(inked[0], inked[1], "a dot is of one colour");
                inked[0]
            })
            .collect()
    };
    (0..digits).map(|n| digit(&shape(n))).collect()
}

/// What a person reads in 5 × 7 dots.
fn digit(dots: &[bool]) -> char {
    let drawn = [
        ".###. #...# #...# #...# #...# #...# .###.",
        "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",
        ".###. #...# ....# ..##. .#... #.... #####",
        "##### ...#. ..#.. ...#. ....# #...# .###.",
        "...#. ..##. .#.#. #..#. ##### ...#. ...#.",
        "##### #.... ####. ....# ....# #...# .###.",
        "..##. .#... #.... ####. #...# #...# .###.",
        "##### ....# ...#. ..#.. .#... .#... .#...",
        ".###. #...# #...# .###. #...# #...# .###.",
        ".###. #...# #...# .#### ....# ...#. .##..",
    ];
    let seen: String = dots.iter().map(|dot| if *dot { '#' } else { '.' }).collect();
    let is = |drawing: &str| drawing.chars().filter(|c| *c != ' ').eq(seen.chars());
    let value = drawn.iter().position(|drawing| is(drawing));
    char::from_digit(u32::try_from(value.expect(&seen)).unwrap(), 10).unwrap()
}

/// How far apart the brightest and the darkest pixel are.
fn range(frame: &Frame, b: Bounds) -> u8 {
    let (mut low, mut high) = (255, 0);
    for y in b.top..b.bottom {
        for x in b.left..b.right {
            let [_, green, _] = pixel(frame, x, y);
            (low, high) = (low.min(green), high.max(green));
        }
    }
    high.saturating_sub(low)
}

#[test]
fn real_screens_are_marked_readably() {
    for (name, png) in PICTURES {
        let frame = decode_png(png).unwrap();
        let tree = demo(name);
        let placed = place_marks(&frame, &tree.elements, SENT).unwrap();
        let marked = marks(&frame, &tree.elements, SENT).unwrap();
        assert!(placed.len() > 8, "{name}");
        for (n, mark) in placed.iter().enumerate() {
            let what = format!("{name} {}", mark.number);
            assert!(on_picture(mark, &frame), "{what}");
            assert!(contrast(mark.ground, mark.ink) >= 4.5, "{what}");
            assert_eq!(pixel(&marked, mark.chip.left, mark.chip.top), mark.ink, "{what}");
            assert!(
                placed[n + 1..].iter().all(|other| !meet(mark.chip, other.chip)),
                "{what}"
            );
            // Nothing that is written on its own element is hidden: the ground there is plain.
            let own = bounds(
                mark.chip.left.max(mark.frame.left),
                mark.chip.top.max(mark.frame.top),
                mark.chip.right.min(mark.frame.right),
                mark.chip.bottom.min(mark.frame.bottom),
            );
            assert!(range(&frame, own) < 90, "{what}: {}", range(&frame, own));
            // Not inside another that does not hold it.
            for other in placed.iter().filter(|other| other.number != mark.number) {
                let holds = other.frame.left <= mark.frame.left
                    && other.frame.top <= mark.frame.top
                    && other.frame.right >= mark.frame.right
                    && other.frame.bottom >= mark.frame.bottom;
                assert!(
                    holds || !meet(mark.chip, other.frame),
                    "{what} stands in {}",
                    other.number
                );
            }
        }
    }
}

#[test]
fn every_digit_is_drawn_so_that_it_can_be_read() {
    let one = read("Button [0,0][10,10] \"x\" click").elements.remove(0);
    for ground in [
        [250, 250, 250],
        [0, 0, 0],
        [128, 128, 128],
        [200, 30, 45],
        [255, 214, 10],
        [25, 90, 210],
    ] {
        let frame = paint(640, 1280, |_, _| ground);
        let numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 23, 45, 67, 89, 100, 987];
        let elements: Vec<Element> = (0..)
            .zip(numbers)
            .map(|(n, index)| Element {
                index,
                bounds: bounds(n % 4 * 160, n / 4 * 200, n % 4 * 160 + 140, n / 4 * 200 + 180),
                ..one.clone()
            })
            .collect();
        let placed = place_marks(&frame, &elements, one_to_one(&frame)).unwrap();
        let marked = marks(&frame, &elements, one_to_one(&frame)).unwrap();
        assert_eq!(placed.len(), numbers.len());
        for mark in &placed {
            assert_eq!(read_chip(&marked, mark), mark.number.to_string(), "on {ground:?}");
            assert!(
                contrast(mark.ground, ground) >= 3.0,
                "{:?} on {ground:?}",
                mark.ground
            );
        }
        // Neighbours differ, where enough colours stand out.
        let differ = placed.windows(2).all(|two| two[0].ground != two[1].ground);
        assert!(differ || ground != [250; 3], "{placed:?}");
    }
}

#[test]
fn only_what_can_be_worked_is_marked() {
    let tree = read(
        "TextView [0,300][900,390] \"Only words\"\nButton [0,500][900,600] \"Go\" click\n\
         SeekBar [0,700][900,800] desc=\"Volume\"\nScrollView [0,900][900,1400] #area scroll\n\
         EditText [0,1500][900,1600] hint=\"Name\"\nProgressBar [0,1700][900,1800]\n",
    );
    let frame = paint(1080, 2400, |_, _| [255; 3]);
    let placed = place_marks(&frame, &tree.elements, one_to_one(&frame)).unwrap();
    let roles: Vec<Role> = placed
        .iter()
        .map(|mark| tree.elements[usize::try_from(mark.number).unwrap() - 1].role)
        .collect();
    assert_eq!(roles, [Role::Button, Role::Slider, Role::ScrollArea, Role::Field]);
}

#[test]
fn captures_of_each_kind() {
    let drawing = "EditText [100,400][900,500] #pin password click\nButton [100,700][900,800] \"Go\" click\n\
                   TextView [100,900][900,1000] \"482 913\"\n";
    let tree = read(drawing);
    let noise = |x: u32, y: u32| [u8::try_from((x * 7 + y * 13) % 251).unwrap(), 40, 90];
    let frame = paint(540, 1200, noise);
    let lies = Scale {
        screen: (1080, 2400),
        picture: (540, 1200),
    };
    let secret = [bounds(100, 900, 900, 1000)];
    let take = |mode| captured(mode, &frame, &tree.elements, &secret, lies).unwrap();
    assert_eq!(take(CaptureMode::Ax), None);
    let plain = take(CaptureMode::Vision).unwrap();
    let marked = take(CaptureMode::Som).unwrap();
    // One flat colour over the password and the code, in both; everything else untouched in the plain one.
    let flat = pixel(&plain, 60, 210);
    for (x, y) in [
        (50, 200),
        (449, 249),
        (300, 225),
        (50, 450),
        (449, 499),
        (300, 475),
    ] {
        assert_eq!(pixel(&plain, x, y), flat);
        assert_ne!(flat, pixel(&frame, x, y));
    }
    for (x, y) in [(10, 10), (48, 225), (300, 375), (452, 475), (300, 447)] {
        assert_eq!(pixel(&plain, x, y), pixel(&frame, x, y), "{x},{y}");
    }
    assert_eq!(pixel(&marked, 300, 475), flat);
    let of_secret = |x: i32, y: i32| pixel(&frame, x, y) == pixel(&marked, x, y);
    assert!(!(200..250).any(|y| (50..450).all(|x| of_secret(x, y))));
    let colours: std::collections::HashSet<[u8; 3]> = (206..244)
        .flat_map(|y| (56..444).map(move |x| (x, y)))
        .map(|(x, y)| pixel(&marked, x, y))
        .collect();
    assert!(
        colours.len() <= 4,
        "flat, frame, ground and ink: {}",
        colours.len()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long::times(128)))]

    #[test]
    fn numbers_lie_on_the_picture_and_not_on_each_other(
        boxes in prop::collection::vec((0..900_i32, 0..2200_i32, 4..500_i32, 4..400_i32), 1..12),
        stripes in 2..60_u32, longest in 400..1600_u32,
    ) {
        let one = read("Button [0,0][10,10] \"x\" click").elements.remove(0);
        let elements: Vec<Element> = (1..).zip(&boxes).map(|(index, (l, t, w, h))| Element {
            index: index * 7, bounds: bounds(*l, *t, l + w, t + h), ..one.clone()
        }).collect();
        let (width, height) = (longest * 9 / 20, longest);
        let frame = paint(width, height, |x, y| if (x / stripes + y / 40) % 5 == 0 { [30; 3] } else { [240; 3] });
        let lies = Scale { screen: (1080, 2400), picture: (width, height) };
        let placed = place_marks(&frame, &elements, lies).unwrap();
        prop_assert_eq!(placed.len(), elements.len());
        let marked = marks(&frame, &elements, lies).unwrap();
        for (n, mark) in placed.iter().enumerate() {
            prop_assert!(on_picture(mark, &frame));
            prop_assert!(contrast(mark.ground, mark.ink) >= 4.5);
            prop_assert_eq!(pixel(&marked, mark.chip.left, mark.chip.top), mark.ink);
            for other in &placed[n + 1..] {
                prop_assert!(!meet(mark.chip, other.chip), "{} on {}", mark.number, other.number);
            }
        }
    }
}
