//! The shop's pages on the day the run was recorded, and the recording.

use crate::common::{Run, SHOP, drawing, element, page, tap, values};
use protocol::{Act, AskKind, Screen};
use replay::{Recording, record};

const HOME: &str = r#"
FrameLayout [0,0][1080,2400]
  TextView [90,150][500,250] #logo "Greenleaf"
  ImageButton [700,140][820,260] #orders desc="Your orders" click
  ImageButton [900,140][1020,260] #basket desc="Basket" click
  ScrollView [0,300][1080,2337] #home_list
    LinearLayout [50,320][1030,450] #search_bar click
      TextView [150,350][900,420] #search_hint "Search groceries"
    FrameLayout [50,480][1030,900] #usual_order click
      TextView [100,520][700,590] #usual_title "Your usual order"
      TextView [100,600][700,650] #usual_summary "8 items · $23.40"
      Button [100,700][600,820] #add_all "Add all to basket" click
    TextView [60,940][500,1010] "Browse"
"#;

const PLACED: &str = r#"
FrameLayout [0,0][1080,2400]
  TextView [200,700][880,800] #order_title "Order placed"
  TextView [200,820][880,880] #order_slot "Thursday, 6–8 pm"
  TextView [200,900][880,960] #order_number "Order 4711 · $23.40 paid with Visa •••• 4821"
  Button [50,2132][1030,2292] #primary_button "Back to shop" click
"#;

const HELP: &str = r#"
FrameLayout [0,0][1080,2400]
  TextView [166,179][1051,252] #help_title "What is new"
  TextView [100,400][900,700] "Fresh bread every morning"
  ImageView [100,800][900,1500] #help_picture desc="A loaf"
"#;

const RATING: &str = r#"
FrameLayout [100,900][980,1500]
  TextView [150,950][900,1050] #android:id/alertTitle "Enjoying Greenleaf?"
  TextView [150,1060][900,1150] #android:id/message "Rate this app in the store"
  Button [150,1350][500,1450] #android:id/button2 "Not now" click
  Button [600,1350][900,1450] #android:id/button1 "Rate" click
"#;

const PERMISSION: &str = r#"
FrameLayout [100,900][980,1500]
  TextView [150,950][900,1050] package=com.android.permissioncontroller #permission_message "Allow Greenleaf to send you notifications?"
  Button [150,1150][900,1250] package=com.android.permissioncontroller #permission_allow_button "Allow" click
  Button [150,1350][900,1450] package=com.android.permissioncontroller #permission_deny_button "Don’t allow" click
"#;

const UNKNOWN: &str = r#"
FrameLayout [100,900][980,1500]
  TextView [150,950][900,1050] #survey "How old are you?"
  Button [150,1350][500,1450] #survey_skip "Send answer" click
  Button [600,1350][900,1450] #survey_later "Not now" click
"#;

/// The page's tree on the day it was recorded.
pub(crate) fn tree(name: &str) -> String {
    match name {
        "home" => drawing::xml(HOME),
        "placed" => drawing::xml(PLACED),
        "help" => drawing::xml(HELP),
        "rating" => drawing::xml(RATING),
        "permission" => drawing::xml(PERMISSION),
        "survey" => drawing::xml(UNKNOWN),
        "launcher" => drawing::demo_xml("home-3").to_owned(),
        other => drawing::demo_xml(&format!("greenleaf-{other}")).to_owned(),
    }
}

pub(crate) fn shown(name: &str, xml: &str, size: (u32, u32)) -> Screen {
    let app = match name {
        "launcher" => "com.android.launcher3",
        "permission" => "com.android.permissioncontroller",
        _ => SHOP,
    };
    page(xml, app, name, size)
}

pub(crate) const SIZE: (u32, u32) = (1080, 2400);

pub(crate) fn recording() -> Recording {
    let mut run = Run::default();
    let at = |name: &str| shown(name, &tree(name), SIZE);
    let launcher = at("launcher");
    let package_name = SHOP.to_owned();
    run.does(&launcher, None, Act::LaunchApp { package_name }, "done");
    for (name, touched, kind) in [
        ("home", "add_all", None),
        ("basket", "primary_button", None),
        ("checkout", "primary_button", Some(AskKind::Payment)),
    ] {
        let screen = at(name);
        let touched = element(&screen, touched);
        run.asks(&screen, Some(touched), tap(touched.index), "done", kind);
    }
    run.ends(&at("placed"));
    record(&run.events, &run.screens, &values(&[])).unwrap()
}
