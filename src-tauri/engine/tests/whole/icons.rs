//! The icon beside an app's name in a question, from the phone to whoever asks the engine for it.

use crate::rig::{Rig, Says, at, finish, on, say};
use engine::{Engine, Keychain};
use protocol::{Ask, Choice, PhoneId, What};
use serde_json::json;
use std::sync::Arc;
use virtual_phone::system::{Basket, System};
use virtual_phone::{Host, Options, Speed};

const BANK: &str = "com.northbank.mobile";

/// An icon is there or is not; when it is, it is a PNG of this size.
async fn check(engine: &Engine, phone: &PhoneId, package: &str, expected: bool) {
    let icon = engine.app_icon(phone, package).await;
    let size = icon.map(|png| {
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "{package}");
        // The header's width and height.
        (png[16..20].to_vec(), png[20..24].to_vec())
    });
    let side = vec![0, 0, 0, 96];
    assert_eq!(size, expected.then(|| (side.clone(), side)), "{package}");
}

/// Until a question is asked.
async fn asked(rig: &mut Rig, run: &protocol::RunId) -> Ask {
    loop {
        match rig.next(run).await.what {
            What::Asked { ask, .. } => return ask,
            What::Ended { ending, .. } => panic!("{ending:?}"),
            _ => {}
        }
    }
}

/// While a question waits, its app's icon comes; what came once is there when the phone is gone.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_shows_the_icon_of_its_app() {
    let host = Arc::new(Host::new());
    let attached = Options {
        speed: Speed::Phone,
        ..Options::default()
    };
    let mut options = at("com.greenleaf.shop/.CheckoutActivity");
    options.basket = Basket::Usual;
    let handle = host.add(Box::new(System::try_new(options).unwrap()), attached);
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let mut rig = Rig::of_phone(host, handle, Keychain::absent(), folder).await;
    let (engine, phone) = (rig.engine.clone(), rig.phone.clone());
    let key = |name: &str| say(json!({"type": "keyevent", "keycode": name}));
    let model = Says::new(vec![
        key("KEYCODE_NOTIFICATION"),
        key("KEYCODE_BACK"),
        // It may have been asked with the picture alone: now the tree is there.
        say(json!({"type": "wait", "durationMs": 100})),
        on("Pay $", json!({"type": "tap"})),
        finish(),
    ]);
    // Nothing was read on it yet.
    check(&engine, &phone, "com.greenleaf.shop", false).await;
    let run = rig.run(&model, engine.settings());
    let ask = asked(&mut rig, &run).await;
    assert_eq!(ask.phone, phone);
    check(&engine, &ask.phone, &ask.app, true).await;
    check(&engine, &ask.phone, "com.example.nobody", false).await;
    check(&engine, &PhoneId::from("nobody"), &ask.app, false).await;
    rig.answer(&ask, Choice::Deny).await;
    engine.close().await;
    rig.handle.unplug();
    check(&engine, &ask.phone, &ask.app, true).await;
    check(&engine, &ask.phone, BANK, false).await;
}
