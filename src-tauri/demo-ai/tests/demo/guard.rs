//! The second opinion beside the demo AI, on the demo phone's own pages.

use agent::guard::Guard;
use demo_ai::DemoGuard;
use judge::guard::{Page, Question, Say};
use protocol::{AskKind, CaptureResult, PhoneId, Screen};
use std::time::Duration;
use virtual_phone::android::Android;
use virtual_phone::system::{System, SystemOptions};

/// On the page of an activity, what pressing the things with these labels or ids does; absent: nobody is asked.
async fn check(component: &str, expected: Option<&[(&str, Say)]>) {
    let mut system = System::new(SystemOptions {
        start: Some(component.to_owned()),
        ..SystemOptions::default()
    });
    system.tick(Duration::from_secs(2));
    let display = system.display();
    let tree = screen::Tree::read(&system.hierarchy().unwrap(), display.width, display.height, 1000).unwrap();
    let screen = Screen {
        phone: PhoneId("demo".to_owned()),
        current_app: system.focused_app().unwrap().package,
        window: None,
        width: display.width,
        height: display.height,
        captured_at: 0,
        capture: CaptureResult::Ok,
        frame: None,
        elements: tree.elements,
        tree_read: true,
        tree_bounds: None,
        totals: tree.totals,
        keyboard_shown: false,
    };
    let page = Page {
        screen: &screen,
        task: "order my usual",
        app: "",
        site: None,
        version: "",
        signers: &[],
        eyes: false,
    };
    let question = Question::of(&page).unwrap();
    let reply = DemoGuard.opinion(&question, None).await.unwrap();
    let opinion = question.read(&reply.text);
    assert_eq!(
        opinion.is_some(),
        expected.is_some(),
        "{component}: {}",
        question.text()
    );
    for (name, say) in expected.unwrap_or_default() {
        let is_meant = |label: &str, id: &str| label == *name || id == *name;
        let asked = question
            .asked()
            .iter()
            .find(|asked| is_meant(&asked.label, &asked.id));
        let index = asked
            .unwrap_or_else(|| panic!("{component}: no {name}:\n{}", question.text()))
            .index;
        assert_eq!(
            opinion.as_ref().map(|opinion| opinion.says(index)),
            Some(*say),
            "{component}: {name}"
        );
    }
}

#[tokio::test]
async fn the_demo_phones_pages_are_known() {
    let pays = Say::Commits(AskKind::Payment);
    check(
        "com.greenleaf.shop/.MainActivity",
        Some(&[
            ("basket", Say::Moves),
            ("usual_order", Say::Moves),
            ("category", Say::Moves),
        ]),
    )
    .await;
    check(
        "com.greenleaf.shop/.CheckoutActivity",
        Some(&[("primary_button", pays), ("Back", Say::Moves)]),
    )
    .await;
    check(
        "com.greenleaf.shop/.BasketActivity",
        Some(&[("primary_button", Say::Moves)]),
    )
    .await;
    let signs_in = Say::Commits(AskKind::Oauth);
    check(
        "com.northbank.mobile/.HomeActivity",
        Some(&[("username", Say::Edits), ("sign_in", signs_in)]),
    )
    .await;
    check(
        "com.android.settings/.Settings",
        Some(&[("search_bar", Say::Moves)]),
    )
    .await;
    check("com.android.gallery3d/.app.GalleryActivity", None).await;
}
