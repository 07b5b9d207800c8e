//! A small world of screens: a shop, a bank, a messenger.

use super::form::Form;
use std::fmt::Write as _;

/// Screens are this wide and high: small, so that pictures cost nothing.
pub(crate) const WIDTH: i32 = 270;
pub(crate) const HEIGHT: i32 = 600;

/// One thing on a page.
#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) class: &'static str,
    pub(crate) id: &'static str,
    pub(crate) text: String,
    pub(crate) flags: &'static [&'static str],
    pub(crate) top: i32,
    pub(crate) bottom: i32,
    pub(crate) left: i32,
    pub(crate) right: i32,
}

pub(crate) fn node(class: &'static str, id: &'static str, text: &str, top: i32) -> Node {
    let flags: &[&str] = match class {
        "Button" => &["clickable"],
        "EditText" => &["clickable", "focusable"],
        "CheckedTextView" | "Spinner" | "SeekBar" => &["clickable"],
        "RecyclerView" | "ListView" | "ViewPager" => &["scrollable"],
        _ => &[],
    };
    Node {
        class,
        id,
        text: text.to_owned(),
        flags,
        top,
        bottom: top + 40,
        left: 10,
        right: 260,
    }
}

/// Everything that can be true in this world. Fields are set by tests before the start, and by touches after.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) page: &'static str,
    /// From which card it is paid.
    pub(crate) card: &'static str,
    /// What the basket costs, as the shop writes it.
    pub(crate) total: String,
    /// The total changes to this when the next question is being asked (set by the test).
    pub(crate) paid: Vec<String>,
    pub(crate) sent: Vec<String>,
    pub(crate) draft: String,
    pub(crate) code: String,
    /// More text on every page: what a hostile screen says.
    pub(crate) notice: String,
    /// A banner comes and goes.
    pub(crate) banner: bool,
    /// A dialog lies over the page: its window is all that is read.
    pub(crate) dialog: bool,
    /// The package of its window; the page's own app where it is not said.
    pub(crate) dialog_of: Option<&'static str>,
    pub(crate) signed_in: bool,
    /// The sign-in form, and which field of it has the keyboard.
    pub(crate) user: String,
    pub(crate) password: String,
    pub(crate) focus: &'static str,
    /// What was answered to Android's own question, by the button that was pressed.
    pub(crate) permission: Option<&'static str>,
    /// What the form holds, and how far its list is scrolled.
    pub(crate) form: Form,
    /// With whom the conversation is, and who comes to the front as soon as something is written.
    pub(crate) with: &'static str,
    pub(crate) then_with: Option<&'static str>,
    /// The page that comes as soon as something is written.
    pub(crate) then_page: Option<&'static str>,
    /// A field that is touched does not get the focus.
    pub(crate) focus_stays: bool,
    /// A page says what was done on it.
    pub(crate) tells: bool,
}

impl Default for World {
    fn default() -> Self {
        Self {
            page: "shop",
            card: "Visa •••• 4821",
            total: "$23.40".into(),
            paid: vec![],
            sent: vec![],
            draft: String::new(),
            code: String::new(),
            notice: String::new(),
            banner: false,
            dialog: false,
            dialog_of: None,
            signed_in: false,
            form: Form::default(),
            user: "anna".into(),
            password: String::new(),
            focus: "user",
            permission: None,
            with: "Dana Whitlock",
            then_with: None,
            then_page: None,
            focus_stays: false,
            tells: false,
        }
    }
}

impl World {
    pub(crate) fn on(page: &'static str) -> Self {
        Self {
            page,
            ..Self::default()
        }
    }

    pub(crate) fn app(&self) -> &'static str {
        match self.page {
            "code" | "account" | "sign_in" => "com.northbank.app",
            "chat" => "com.android.messaging",
            "home" => "com.android.launcher3",
            "permission" => "com.android.permissioncontroller",
            "BiometricPrompt" => "com.android.systemui",
            _ => "com.greenleaf.shop",
        }
    }

    fn nodes(&self) -> Vec<Node> {
        if self.dialog {
            return vec![
                node("TextView", "title", "Enjoying Greenleaf?", 300),
                node("Button", "not_now", "Cancel", 500),
            ];
        }
        let mut nodes = match self.page {
            "shop" => vec![
                node("TextView", "title", "Greenleaf", 30),
                node("Button", "open_checkout", "Checkout", 400),
            ],
            "checkout" => vec![
                node("TextView", "title", "Checkout", 30),
                node("TextView", "card", self.card, 120),
                node("TextView", "total", &format!("Total {}", self.total), 200),
                node("Button", "pay", &format!("Pay {}", self.total), 500),
            ],
            "paid" => vec![
                node("TextView", "title", "Thank you", 30),
                node("Button", "more", "Keep shopping", 400),
            ],
            "code" => {
                let mut field = node("EditText", "code", &self.code, 250);
                field.flags = &["clickable", "focusable", "focused"];
                vec![
                    node("TextView", "title", "Confirm it’s you", 30),
                    node(
                        "TextView",
                        "hint",
                        "We sent a 6-digit code by text message to the number ending in 44.",
                        120,
                    ),
                    field,
                    node("Button", "verify", "Verify", 400),
                ]
            }
            "sign_in" => {
                let field = |id: &'static str, text: &str, top, flags: [&'static [&'static str]; 2]| {
                    let mut field = node("EditText", id, text, top);
                    field.flags = flags[usize::from(self.focus == id)];
                    field
                };
                vec![
                    node("TextView", "title", "Sign in", 30),
                    node("TextView", "hint", "We’ll text a 6-digit code to your phone.", 80),
                    field(
                        "user",
                        &self.user,
                        150,
                        [
                            &["clickable", "focusable"],
                            &["clickable", "focusable", "focused"],
                        ],
                    ),
                    field(
                        "password",
                        &"•".repeat(self.password.chars().count()),
                        250,
                        [
                            &["clickable", "focusable", "password"],
                            &["clickable", "focusable", "password", "focused"],
                        ],
                    ),
                    node("Button", "sign_in", "Sign in", 400),
                ]
            }
            "account" => vec![node("TextView", "title", "Your accounts", 30)],
            "chat" => {
                let mut field = node("EditText", "compose", &self.draft, 500);
                field.flags = &["clickable", "focusable", "focused"];
                field.right = 200;
                let mut send = node("Button", "send_message", "Send", 500);
                send.left = 205;
                vec![node("TextView", "title", self.with, 30), field, send]
            }
            "home" => vec![node("TextView", "app", "Greenleaf", 300)],
            // What it does has no word, and is as good as sent.
            "engine" | "leaf" => {
                let mut around = node("ViewPager", "leaves", "", 100);
                around.bottom = 560;
                let mut engage = node("Button", "engage", "Engage", 120);
                engage.bottom = 420;
                let end = node("Button", "more", "Keep shopping", 500);
                let title = node("TextView", "title", "Engine", 30);
                let pager = (self.page == "leaf").then_some(around);
                [title].into_iter().chain(pager).chain([engage, end]).collect()
            }
            "request" => vec![
                node("TextView", "title", "Join request", 30),
                node("TextView", "who", self.with, 200),
                node("Button", "engage", "Accept", 500),
            ],
            "two_pays" => vec![
                node("TextView", "title", "Checkout", 30),
                node("TextView", "card", self.card, 120),
                node("TextView", "total", &format!("Total {}", self.total), 200),
                node("Button", "pay", &format!("Pay {}", self.total), 400),
                node("Button", "engage", &format!("Pay {} every week", self.total), 500),
            ],
            // A web page of which nothing is told but its name.
            "web" => {
                let mut web = node("WebView", "web", "Alder Bank", 30);
                web.bottom = HEIGHT;
                vec![web]
            }
            "permission" => vec![
                node(
                    "TextView",
                    "permission_message",
                    "Allow Maps to access this device’s location?",
                    200,
                ),
                node(
                    "Button",
                    "permission_allow_foreground_only_button",
                    "While using the app",
                    300,
                ),
                node(
                    "Button",
                    "permission_allow_one_time_button",
                    "Only this time",
                    350,
                ),
                node("Button", "permission_deny_button", "Don’t allow", 400),
            ],
            "BiometricPrompt" => vec![
                node("TextView", "title", "Confirm it’s you", 300),
                node("Button", "button_negative", "Cancel", 500),
            ],
            "form" | "list" | "sorts" => self.form.nodes(self.page),
            other => panic!("no page {other}"),
        };
        if !self.notice.is_empty() {
            nodes.push(node("TextView", "notice", &self.notice, 300));
        }
        if self.banner {
            nodes.push(node("TextView", "banner", "Free delivery this week", 350));
        }
        nodes
    }

    /// What `uiautomator` would write.
    pub(crate) fn xml(&self) -> String {
        let mut out = String::from(
            "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">",
        );
        let package = self.dialog_of.filter(|_| self.dialog).unwrap_or(self.app());
        let _ = write!(
            out,
            "<node index=\"0\" text=\"\" resource-id=\"\" class=\"android.widget.FrameLayout\" package=\"{package}\" \
             content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"false\" enabled=\"true\" focusable=\"false\" \
             focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" \
             bounds=\"[0,0][{WIDTH},{HEIGHT}]\">"
        );
        for (index, node) in self.nodes().iter().enumerate() {
            let on = |flag: &str| node.flags.contains(&flag);
            let text = node
                .text
                .replace('&', "&amp;")
                .replace('"', "&quot;")
                .replace('<', "&lt;");
            let _ = write!(
                out,
                "<node index=\"{index}\" text=\"{text}\" resource-id=\"{package}:id/{}\" class=\"android.widget.{}\" \
                 package=\"{package}\" content-desc=\"\" checkable=\"{}\" checked=\"{}\" clickable=\"{}\" enabled=\"true\" \
                 focusable=\"{}\" focused=\"{}\" scrollable=\"{}\" long-clickable=\"false\" password=\"{}\" \
                 selected=\"false\" bounds=\"[{},{}][{},{}]\" />",
                node.id,
                node.class,
                on("checkable"),
                on("checked"),
                on("clickable"),
                on("focusable"),
                on("focused"),
                on("scrollable"),
                on("password"),
                node.left,
                node.top,
                node.right,
                node.bottom,
            );
        }
        out.push_str("</node></hierarchy>");
        out
    }

    /// Everything painted as blocks: enough for "does it look the same?", and for finding a secret's characters.
    pub(crate) fn paint(&self) -> Vec<u8> {
        let (width, height) = (usize::try_from(WIDTH).unwrap(), usize::try_from(HEIGHT).unwrap());
        let mut rgba = [250, 250, 250, 255].repeat(width * height);
        for node in self.nodes() {
            for (n, byte) in node.text.bytes().chain([7]).enumerate() {
                let left = usize::try_from(node.left).unwrap() + (n % 30) * 8;
                let top = usize::try_from(node.top).unwrap() + (n / 30) * 12;
                for y in top..(top + 10).min(height) {
                    for x in left..(left + 6).min(width) {
                        let at = (y * width + x) * 4;
                        rgba[at..at + 3].copy_from_slice(&[byte, byte.wrapping_mul(3), 40]);
                    }
                }
            }
        }
        rgba
    }

    /// Everything painted as one patch each, at a fifth of the size: any other letter gives another colour.
    pub(crate) fn paint_small(&self) -> (u32, u32, Vec<u8>) {
        let (width, height) = (
            usize::try_from(WIDTH / 5).unwrap(),
            usize::try_from(HEIGHT / 5).unwrap(),
        );
        let mut rgba = [250, 250, 250, 255].repeat(width * height);
        for node in self.nodes() {
            let sum = node.text.bytes().fold(node.text.len(), |sum, byte| {
                sum.wrapping_mul(31).wrapping_add(usize::from(byte))
            });
            let colour = [sum % 200, sum / 7 % 200, sum / 49 % 200].map(|part| u8::try_from(part).unwrap());
            for y in node.top / 5..(node.bottom / 5).min(HEIGHT / 5) {
                for x in node.left / 5..(node.right / 5).min(WIDTH / 5) {
                    let at = (usize::try_from(y).unwrap() * width + usize::try_from(x).unwrap()) * 4;
                    rgba[at..at + 3].copy_from_slice(&colour);
                }
            }
        }
        (
            u32::try_from(width).unwrap(),
            u32::try_from(height).unwrap(),
            rgba,
        )
    }

    pub(crate) fn node_at(&self, x: i32, y: i32) -> Option<Node> {
        self.nodes()
            .into_iter()
            .rev()
            .find(|n| x >= n.left && x < n.right && y >= n.top && y < n.bottom)
    }

    /// What a finger put down on a thing does.
    pub(crate) fn touch(&mut self, node: &Node, x: i32) {
        match self.form.touch(self.page, node, x) {
            Some(page) => self.page = page,
            None => self.press(node.id),
        }
    }

    /// What a touch on a thing does.
    pub(crate) fn press(&mut self, id: &str) {
        match id {
            "open_checkout" => self.page = "checkout",
            "pay" => {
                self.paid.push(self.total.clone());
                self.page = "paid";
            }
            "more" => self.page = "shop",
            "engage" | "web" => {
                self.sent.push("engaged".to_owned());
                self.tell();
            }
            "verify" if self.code == "418027" => {
                self.signed_in = true;
                self.page = "account";
            }
            "send_message" => {
                let text = std::mem::take(&mut self.draft);
                self.sent.push(text);
                self.tell();
            }
            "app" => self.page = "shop",
            "permission_allow_one_time_button" => self.answer("Only this time"),
            "permission_allow_foreground_only_button" => self.answer("While using the app"),
            "permission_deny_button" => self.answer("Don’t allow"),
            "user" | "password" if self.focus_stays => {}
            "user" | "password" => self.focus = if id == "user" { "user" } else { "password" },
            _ => {}
        }
    }

    fn tell(&mut self) {
        if self.tells {
            self.notice = "Message sent".to_owned();
        }
    }

    /// Android's own question is answered, and the app that asked is there again.
    fn answer(&mut self, button: &'static str) {
        self.permission = Some(button);
        self.page = "shop";
    }

    /// What Enter does.
    pub(crate) fn enter(&mut self) {
        match self.page {
            "checkout" => self.press("pay"),
            "chat" => self.press("send_message"),
            "code" => self.press("verify"),
            _ => {}
        }
    }

    pub(crate) fn write(&mut self, text: &str) {
        match self.page {
            "chat" => self.draft.push_str(text),
            "code" => self.code.push_str(text),
            "form" => self.form.name.push_str(text),
            "sign_in" if self.focus == "user" => self.user.push_str(text),
            "sign_in" => self.password.push_str(text),
            _ => {}
        }
        self.with = self.then_with.take().unwrap_or(self.with);
        self.page = self.then_page.take().unwrap_or(self.page);
    }
}
