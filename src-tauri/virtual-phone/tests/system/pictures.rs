//! Pictures: what is drawn where, what is black, what costs nothing.

use crate::hand::Hand;
use std::sync::Arc;
use virtual_phone::android::{Android, FingerAction, Picture};
use virtual_phone::system::{Basket, SystemOptions, demo_profiles};

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let at = ((y * picture.width + x) * 4) as usize;
    [picture.rgba[at], picture.rgba[at + 1], picture.rgba[at + 2]]
}

fn near(one: [u8; 3], other: [u8; 3]) -> bool {
    one.iter().zip(other).all(|(a, b)| a.abs_diff(b) <= 6)
}

fn at_checkout() -> Hand {
    Hand::new(SystemOptions {
        basket: Basket::Usual,
        start: Some("com.greenleaf.shop/.CheckoutActivity".to_owned()),
        ..SystemOptions::default()
    })
}

#[test]
fn every_pixel_is_opaque() {
    for profile in demo_profiles() {
        let picture = Hand::new(SystemOptions::of(profile)).phone.picture();
        assert_eq!((picture.width, picture.height), (1080, 2400));
        assert!(picture.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255));
    }
}

#[test]
fn colours_stand_where_the_drawings_have_them() {
    let mut hand = at_checkout();
    let pay = hand.must_find("Pay $23.40").bounds;
    let picture = hand.phone.picture();
    let left_of_words = pixel(&picture, pay[0] as u32 + 120, (pay[1] + 20) as u32);
    assert!(near(left_of_words, [0x1F, 0x7A, 0x45]), "{left_of_words:?}");
    assert!(near(pixel(&picture, 8, 1200), [0xF7, 0xF8, 0xF3]));
    assert!(near(pixel(&picture, 540, 63), [0, 0, 0]), "the camera hole");
    let mut hand = Hand::at("com.android.settings/.Settings");
    assert!(near(pixel(&hand.phone.picture(), 700, 200), [0xFB, 0xF8, 0xFF]));
    let mut hand = Hand::at("com.northbank.mobile/.ConfirmCodeActivity");
    assert!(near(pixel(&hand.phone.picture(), 900, 300), [0x12, 0x32, 0x5E]));
}

#[test]
fn the_same_phone_draws_the_same_picture() {
    let picture = || at_checkout().phone.picture().rgba;
    assert!(picture() == picture());
}

#[test]
fn an_unchanged_screen_is_not_drawn_again() {
    let mut hand = at_checkout();
    let generation = hand.phone.generation();
    let first = hand.phone.picture();
    hand.wait(5000);
    assert_eq!(hand.phone.generation(), generation, "time alone changes nothing");
    assert!(Arc::ptr_eq(&first.rgba, &hand.phone.picture().rgba));
    hand.phone.hierarchy().unwrap();
    hand.phone.state();
    hand.phone.windows();
    assert_eq!(hand.phone.generation(), generation, "looking changes nothing");
}

#[test]
fn whenever_the_picture_differs_the_generation_does() {
    let mut hand = Hand::new(SystemOptions::default());
    let mut before = (hand.phone.generation(), hand.phone.picture().rgba);
    for script in [
        "open com.android.settings",
        "tap Battery",
        "key BACK",
        "tap Search settings",
        "write b",
        "key LEFT",
        "key BACK",
        "key BACK",
        "key VOLUME_UP",
        "wait 4000",
        "key NOTIFICATION",
        "key BACK",
        "key RECENTS",
        "key HOME",
        "key POWER",
        "key WAKEUP",
    ] {
        hand.play(script);
        let after = (hand.phone.generation(), hand.phone.picture().rgba);
        assert!(before.1 != after.1, "{script} shows");
        assert!(before.0 < after.0, "{script} counts");
        before = after;
    }
}

#[test]
fn a_press_shows_and_goes() {
    let mut hand = Hand::at("com.android.settings/.Settings");
    let rest = hand.phone.picture().rgba;
    let (x, y) = hand.must_find("Battery").center();
    hand.phone.finger(FingerAction::Down, x, y);
    let pressed = hand.phone.picture();
    assert!(
        near(pixel(&pressed, 1000, y as u32), [0xE6, 0xE6, 0xF5]),
        "{:?}",
        pixel(&pressed, 1000, y as u32)
    );
    hand.phone.finger(FingerAction::Cancel, x, y);
    assert!(hand.phone.picture().rgba == rest);
}

#[test]
fn a_protected_screen_is_black_under_the_bars_signs() {
    let mut hand = Hand::new(SystemOptions::default());
    hand.play("open com.northbank.mobile\ntap Sign in\nwait 8000\ntap 6-digit code");
    let code = hand.code();
    hand.write(&code);
    hand.play("tap Confirm");
    assert!(!hand.phone.picture().secure);
    hand.play("tap Account details");
    let picture = hand.phone.picture();
    assert!(picture.secure);
    let black = picture
        .rgba
        .chunks_exact(4)
        .filter(|pixel| pixel[..3] == [0, 0, 0])
        .count();
    let all = (picture.width * picture.height) as usize;
    assert!(black * 100 >= all * 98 && black < all, "{black} of {all}");
    assert!(
        hand.phone
            .windows()
            .iter()
            .any(|window| window.secure && window.focused)
    );
    hand.key("RECENTS");
    assert!(!hand.phone.picture().secure, "recent apps show nothing of it");
}

#[test]
fn a_display_that_is_off_is_black_and_not_protected() {
    let mut hand = Hand::new(SystemOptions {
        asleep: true,
        ..SystemOptions::default()
    });
    let picture = hand.phone.picture();
    assert!(!picture.secure);
    assert!(picture.rgba.chunks_exact(4).all(|pixel| pixel == [0, 0, 0, 255]));
}

#[test]
fn what_always_moves_is_drawn_moving() {
    let mut hand = Hand::new(SystemOptions {
        endless_animation: true,
        ..SystemOptions::default()
    });
    let first = hand.phone.picture().rgba;
    hand.wait(200);
    assert!(hand.phone.picture().rgba != first);
}

#[test]
fn every_demo_phone_looks_different() {
    let pictures: Vec<_> = demo_profiles()
        .map(|profile| Hand::new(SystemOptions::of(profile)).phone.picture().rgba)
        .to_vec();
    for (index, one) in pictures.iter().enumerate() {
        assert!(pictures.iter().skip(index + 1).all(|other| one != other));
    }
}
