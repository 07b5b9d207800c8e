//! Pictures: scaled, packed, cut, blanked, marked, compared.

use crate::common;
use crate::common::{bounds, paint, pixel, screen};
use crate::long;
use proptest::prelude::*;
use protocol::{Bounds, Frame};
use screen::picture::{
    Difference, PictureError, Scale, Space, crop, decode_jpeg, decode_png, difference, encode_jpeg,
    encode_png, fill, fingerprint, marks, scale, status_bar,
};

/// Thin dark strokes on white, as small text is.
fn page(width: u32, height: u32) -> Frame {
    paint(width, height, |x, y| {
        let stroke = y % 24 > 6 && (x / 3) % 4 == 0 && (x / 90 + y / 24) % 3 != 0;
        if stroke { [20, 24, 28] } else { [252, 251, 249] }
    })
}

fn contrast(frame: &Frame) -> u8 {
    let (low, high) = frame
        .rgba
        .chunks_exact(4)
        .fold((255, 0), |(low, high), p| (p[1].min(low), p[1].max(high)));
    high - low
}

#[test]
fn a_picture_gets_smaller_and_stays_readable() {
    let frame = page(1080, 2400);
    let small = scale(&frame, 1280).unwrap();
    assert_eq!((small.width, small.height), (576, 1280));
    assert_eq!(small.rgba.len(), 576 * 1280 * 4);
    assert!(small.rgba.chunks_exact(4).all(|p| p[3] == 255));
    // Strokes of three pixels at half size: neither lost nor washed out.
    assert!(contrast(&small) > 180, "{}", contrast(&small));
    assert_eq!(
        scale(&page(2400, 1080), 1280).map(|f| (f.width, f.height)),
        Ok((1280, 576))
    );
    // Never larger, and no copy of what fits.
    let same = scale(&frame, 2400).unwrap();
    assert!(std::sync::Arc::ptr_eq(&same.rgba, &frame.rgba));
    assert_eq!(scale(&frame, 9000).unwrap().width, 1080);
    assert_eq!(
        scale(&page(4000, 2), 100).map(|f| (f.width, f.height)),
        Ok((100, 1))
    );
    // One colour stays that colour.
    let flat = scale(&paint(300, 500, |_, _| [13, 130, 250]), 111).unwrap();
    assert!(flat.rgba.chunks_exact(4).all(|p| p == [13, 130, 250, 255]));
}

#[test]
fn a_frame_whose_bytes_do_not_match_is_refused_everywhere() {
    for (width, height, bytes) in [(10, 10, 399), (10, 10, 401), (0, 10, 0), (u32::MAX, u32::MAX, 4)] {
        let mut odd = Frame {
            width,
            height,
            rgba: vec![0; bytes].into(),
        };
        assert_eq!(scale(&odd, 5), Err(PictureError::Shape));
        assert_eq!(encode_png(&odd), Err(PictureError::Shape));
        assert_eq!(encode_jpeg(&odd, 80), Err(PictureError::Shape));
        assert_eq!(crop(&odd, bounds(0, 0, 5, 5)), Err(PictureError::Shape));
        assert!(marks(&odd, &[], one_to_one(10, 10)).is_err());
        assert!(difference(&odd, &odd, &[]).is_none());
        assert_eq!(difference(&odd, &paint(10, 10, |_, _| [0; 3]), &[]).share, 1.0);
        assert!(fingerprint(&odd, &[]).distance(&fingerprint(&odd, &[])).abs() < f64::EPSILON);
        let before = odd.clone();
        fill(&mut odd, bounds(0, 0, 5, 5), [1, 2, 3]);
        assert_eq!(odd, before);
    }
}

#[test]
fn png_is_exact_and_jpeg_is_near() {
    let frame = page(331, 217);
    let png = encode_png(&frame).unwrap();
    assert_eq!(decode_png(&png).unwrap(), frame);
    let jpeg = encode_jpeg(&frame, 85).unwrap();
    let back = decode_jpeg(&jpeg).unwrap();
    assert_eq!((back.width, back.height), (331, 217));
    let off: u64 = back
        .rgba
        .iter()
        .zip(frame.rgba.iter())
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    assert!(off / u64::try_from(frame.rgba.len()).unwrap() < 6);
    // Quality says how much is kept, and odd ones are brought into range.
    assert!(encode_jpeg(&frame, 30).unwrap().len() < jpeg.len());
    assert_eq!(encode_jpeg(&frame, 0), encode_jpeg(&frame, 1));
    assert_eq!(encode_jpeg(&frame, 255), encode_jpeg(&frame, 100));
    let wide = paint(70_000, 1, |_, _| [0; 3]);
    assert_eq!(encode_jpeg(&wide, 80), Err(PictureError::TooLarge));
}

#[test]
fn half_pictures_are_refused() {
    let frame = page(200, 300);
    let (png, jpeg) = (encode_png(&frame).unwrap(), encode_jpeg(&frame, 80).unwrap());
    for part in [0, 1, 8, 40, 50, 90, 99] {
        let cut = |bytes: &[u8]| bytes[..bytes.len() * part / 100].to_vec();
        assert!(
            matches!(
                decode_png(&cut(&png)),
                Err(PictureError::Broken { kind: "PNG", .. })
            ),
            "{part} %"
        );
        assert!(
            matches!(
                decode_jpeg(&cut(&jpeg)),
                Err(PictureError::Broken { kind: "JPEG", .. })
            ),
            "{part} %"
        );
    }
    assert!(decode_png(&jpeg).is_err());
    assert!(decode_jpeg(&png).is_err());
    // Android's CRLF damage: every newline grew.
    let crlf: Vec<u8> = png
        .iter()
        .flat_map(|b| if *b == b'\n' { vec![b'\r', b'\n'] } else { vec![*b] })
        .collect();
    assert!(decode_png(&crlf).is_err());
    // A few bytes may follow.
    assert_eq!(
        decode_jpeg(&[jpeg.as_slice(), b"\n"].concat()).map(|f| f.width),
        Ok(200)
    );
    // A header that promises more than any phone has.
    let mut bomb = png.clone();
    bomb[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
    assert!(decode_png(&bomb).is_err());
}

#[test]
fn a_part_is_cut_out() {
    let frame = paint(40, 30, |x, y| {
        [u8::try_from(x).unwrap(), u8::try_from(y).unwrap(), 7]
    });
    let part = crop(&frame, bounds(5, 6, 9, 8)).unwrap();
    assert_eq!((part.width, part.height), (4, 2));
    assert_eq!((pixel(&part, 0, 0), pixel(&part, 3, 1)), ([5, 6, 7], [8, 7, 7]));
    // What lies outside is left out; nothing left is refused.
    assert_eq!(
        crop(&frame, bounds(-10, 20, 500, 500)).map(|f| (f.width, f.height)),
        Ok((40, 10))
    );
    for nothing in [bounds(40, 0, 50, 10), bounds(5, 5, 5, 9), bounds(9, 9, 5, 5)] {
        assert_eq!(crop(&frame, nothing), Err(PictureError::Nothing));
    }
}

#[test]
fn differences_are_found_where_they_are() {
    let a = page(400, 600);
    let check = |b: &Frame, ignoring: &[Bounds], expected: Option<Bounds>| {
        let found = difference(&a, b, ignoring);
        assert_eq!(found.bounds, expected);
        assert_eq!(found.is_none(), expected.is_none());
        assert_eq!(found.share > 0.0, expected.is_some());
    };
    let with = |spot: Bounds| {
        let mut b = a.clone();
        fill(&mut b, spot, [200, 30, 45]);
        b
    };
    check(&a, &[], None);
    check(
        &with(bounds(101, 202, 119, 213)),
        &[],
        Some(bounds(100, 200, 120, 216)),
    );
    check(
        &with(bounds(101, 202, 119, 213)),
        &[bounds(90, 190, 130, 220)],
        None,
    );
    // The far corner, where the last square is smaller.
    let odd = paint(403, 601, |_, _| [250; 3]);
    let mut corner = odd.clone();
    fill(&mut corner, bounds(402, 600, 403, 601), [0; 3]);
    assert_eq!(
        difference(&odd, &corner, &[]).bounds,
        Some(bounds(400, 600, 403, 601))
    );
    // Noise as video coding makes it.
    let noisy = paint(400, 600, |x, y| {
        let p = pixel(&a, i32::try_from(x).unwrap(), i32::try_from(y).unwrap());
        p.map(|c| c.saturating_add(u8::try_from((x * 7 + y * 13) % 7).unwrap()))
    });
    check(&noisy, &[], None);
    // Another size is another picture.
    let other = difference(&a, &page(600, 400), &[]);
    assert_eq!((other.share, other.bounds), (1.0, Some(bounds(0, 0, 400, 600))));
    // A text cursor is thin and upright; a changed digit is not.
    assert!(difference(&a, &with(bounds(100, 200, 105, 260)), &[]).is_caret());
    assert!(!difference(&a, &with(bounds(100, 200, 124, 240)), &[]).is_caret());
    assert!(!Difference::default().is_caret());
}

#[test]
fn fingerprints_tell_screens_apart_and_forgive_the_clock() {
    let a = page(1080, 2400);
    let bar = [status_bar(1080, 2400)];
    let print = |frame: &Frame| fingerprint(frame, &bar);
    let mut clock = a.clone();
    fill(&mut clock, bounds(40, 30, 200, 100), [0; 3]);
    assert!(print(&a).distance(&print(&clock)).abs() < f64::EPSILON);
    assert!(fingerprint(&a, &[]).distance(&fingerprint(&clock, &[])) > 0.0);
    let mut dialog = a.clone();
    fill(&mut dialog, bounds(100, 900, 980, 1500), [255, 255, 255]);
    assert!(print(&a).distance(&print(&dialog)) > 0.1);
    assert!((print(&a).distance(&print(&page(2400, 1080))) - 1.0).abs() < f64::EPSILON);
    assert_eq!(bar[0], bounds(0, 0, 1080, 120));
}

fn one_to_one(width: u32, height: u32) -> Scale {
    Scale {
        screen: (width, height),
        picture: (width, height),
    }
}

#[test]
fn marks_are_drawn_beside_what_they_name() {
    let on = screen(
        r#"
FrameLayout [0,0][1080,2400]
  Button [200,400][800,600] "Pay" click
  Button [0,0][60,40] "Menu" click
  android.view.View [0,0][1080,2400] click
  Button [1060,2380][1080,2400] "Corner" click
"#,
    );
    let page = paint(1080, 2400, |_, _| [250, 250, 250]);
    for longest in [2400, 1280, 640] {
        let plain = scale(&page, longest).unwrap();
        let lies = Scale {
            screen: (1080, 2400),
            picture: (plain.width, plain.height),
        };
        let marked = marks(&plain, &on.elements, lies).unwrap();
        assert_eq!((marked.width, marked.height), (plain.width, plain.height));
        assert_eq!(plain.rgba[0], 250, "the picture given stays as it was");
        // Every element has a frame of its own colour, and every number its ground of that colour with white digits.
        for e in &on.elements {
            let (x, y) = lies.to_picture(f64::from(e.bounds.left), f64::from(e.bounds.top));
            #[expect(clippy::cast_possible_truncation, reason = "on the picture")]
            let corner = pixel(&marked, x as i32, y as i32);
            assert_ne!(corner, [250, 250, 250], "{} at {longest}", e.label);
        }
    }
}

#[test]
fn numbers_never_cover_their_own_label_nor_each_other() {
    // A list of rows that touch, each with its words at the left and a plain right side.
    let mut drawing = String::from("FrameLayout [0,0][400,600]\n");
    for n in 0..6 {
        drawing.push_str(&format!(
            "  Button [0,{}][400,{}] \"Row {n}\" click\n",
            n * 100,
            n * 100 + 100
        ));
    }
    let tree = screen::Tree::read(&common::xml(&drawing), 400, 600, 100).unwrap();
    let written =
        |x: u32, y: u32| x < 200 && y % 100 > 5 && y % 100 < 95 && (x / 4 + y / 6).is_multiple_of(2);
    let rows = paint(400, 600, |x, y| if written(x, y) { [0; 3] } else { [255; 3] });
    let marked = marks(&rows, &tree.elements, one_to_one(400, 600)).unwrap();
    for y in 0..600 {
        for x in 4..200 {
            // The frames run along the rows' edges; inside, the words are untouched.
            if !(y % 100 > 5 && y % 100 < 95) {
                continue;
            }
            assert_eq!(pixel(&marked, x, y), pixel(&rows, x, y), "{x},{y}");
        }
    }
    // All six numbers are there: each colour fills more than a frame would.
    let count = |colour: [u8; 3]| marked.rgba.chunks_exact(4).filter(|p| p[..3] == colour).count();
    for n in 1..=6 {
        let (x, y) = (0, (n - 1) * 100 + 50);
        let colour = pixel(&marked, x, y);
        assert!(count(colour) > 996 + 40, "{n}: {colour:?} {}", count(colour));
    }
}

#[test]
fn what_coordinates_mean() {
    let lies = Scale {
        screen: (1080, 2400),
        picture: (576, 1280),
    };
    for (space, first, second, expected) in [
        (Space::Screen, 540.0, 1200.0, (540.0, 1200.0)),
        (Space::Picture, 288.0, 640.0, (540.0, 1200.0)),
        (Space::Thousandths, 500.0, 250.0, (540.0, 600.0)),
        (Space::ThousandthsYx, 250.0, 500.0, (540.0, 600.0)),
        (Space::Unit, 0.5, 0.25, (540.0, 600.0)),
    ] {
        assert_eq!(lies.point(space, first, second), expected, "{space:?}");
    }
    let nothing = Scale {
        screen: (1080, 2400),
        picture: (0, 0),
    };
    assert_eq!(nothing.to_screen(7.0, 8.0), (7.0, 8.0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long::times(64)))]

    #[test]
    fn there_and_back_is_within_a_pixel(
        screen in (1..5000_u32, 1..5000_u32), longest in 1..3000_u32, at in (0.0..1.0_f64, 0.0..1.0_f64),
    ) {
        let longer = screen.0.max(screen.1);
        let side = |n: u32| if longer <= longest { n } else { (n * longest / longer).max(1) };
        let lies = Scale { screen, picture: (side(screen.0), side(screen.1)) };
        let (x, y) = (at.0 * f64::from(screen.0), at.1 * f64::from(screen.1));
        let (px, py) = lies.to_picture(x, y);
        let (bx, by) = lies.to_screen(px, py);
        prop_assert!((bx - x).abs() < 1.0 && (by - y).abs() < 1.0);
        prop_assert!(px <= f64::from(lies.picture.0) && py <= f64::from(lies.picture.1));
        // From whole pixels of the picture too.
        let (sx, sy) = lies.to_screen(px.floor(), py.floor());
        let (qx, qy) = lies.to_picture(sx.round(), sy.round());
        prop_assert!((qx - px.floor()).abs() <= 1.0 && (qy - py.floor()).abs() <= 1.0);
    }

    #[test]
    fn filled_is_really_flat(
        left in -20..90_i32, top in -20..90_i32, wide in -5..90_i32, high in -5..90_i32, colour in any::<[u8; 3]>(),
    ) {
        let spot = bounds(left, top, left + wide, top + high);
        let before = page(80, 70);
        let mut frame = before.clone();
        fill(&mut frame, spot, colour);
        for y in 0..70 {
            for x in 0..80 {
                let inside = spot.left <= x && x < spot.right && spot.top <= y && y < spot.bottom;
                let expected = if inside { colour } else { pixel(&before, x, y) };
                prop_assert_eq!(pixel(&frame, x, y), expected);
            }
        }
        prop_assert_eq!(pixel(&before, 0, 0), pixel(&page(80, 70), 0, 0), "a picture others hold stays as it was");
    }

    #[test]
    fn marks_fit_any_picture(
        size in (1..120_u32, 1..120_u32),
        boxes in prop::collection::vec((-50..200_i32, -50..200_i32, 0..200_i32, 0..200_i32), 0..12),
        picture in (1..200_u32, 1..200_u32),
    ) {
        let mut on = screen("Button [0,0][10,10] \"x\" click");
        let one = on.elements.remove(0);
        let elements: Vec<_> = (1..).zip(boxes).map(|(n, (l, t, w, h))| protocol::Element {
            index: n * 97, bounds: bounds(l, t, l + w, t + h), ..one.clone()
        }).collect();
        let frame = page(picture.0, picture.1);
        let marked = marks(&frame, &elements, Scale { screen: size, picture }).unwrap();
        prop_assert_eq!(marked.rgba.len(), frame.rgba.len());
    }

    #[test]
    fn any_bytes_are_a_picture_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200), at in 0..3000_usize, flip in any::<u8>()) {
        let frame = page(60, 40);
        let _ = (decode_png(&bytes), decode_jpeg(&bytes));
        for mut packed in [encode_png(&frame).unwrap(), encode_jpeg(&frame, 70).unwrap()] {
            let n = at % packed.len();
            packed[n] ^= flip;
            for decoded in [decode_png(&packed), decode_jpeg(&packed)].into_iter().flatten() {
                prop_assert_eq!(decoded.rgba.len(), decoded.width as usize * decoded.height as usize * 4);
            }
        }
    }
}

#[test]
fn a_rectangle_of_the_screen_on_a_smaller_picture() {
    let half = Scale {
        screen: (1080, 2400),
        picture: (540, 1200),
    };
    let bounds = |left, top, right, bottom| Bounds {
        left,
        top,
        right,
        bottom,
    };
    for (on_screen, on_picture) in [
        (bounds(0, 0, 1080, 2400), bounds(0, 0, 540, 1200)),
        (bounds(40, 2150, 1040, 2290), bounds(20, 1075, 520, 1145)),
        // Whatever of it is seen lies inside.
        (bounds(41, 2151, 1039, 2289), bounds(20, 1075, 520, 1145)),
        (bounds(7, 7, 8, 8), bounds(3, 3, 4, 4)),
    ] {
        assert_eq!(half.on_picture(on_screen), on_picture, "{on_screen:?}");
    }
}
