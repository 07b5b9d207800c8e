//! What lies over the pages of any app now and then, or opens in their place.

use crate::common::drawing;

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

/// Their trees; none for a page of the app itself.
pub(crate) fn tree(name: &str, app: &str) -> Option<String> {
    let drawn = match name {
        "launcher" => return Some(drawing::demo_xml("home-3").to_owned()),
        "help" => HELP,
        "rating" => RATING,
        "permission" => PERMISSION,
        "survey" => UNKNOWN,
        _ => return None,
    };
    Some(in_app(drawn, app))
}

/// A drawing as a tree of an app.
pub(crate) fn in_app(drawn: &str, app: &str) -> String {
    drawing::xml(drawn).replace("com.greenleaf.shop", app)
}
