//! The pages: what would be done on each, and where the phone tells that it was.

use super::cell::Beside;
use crate::rig::{Setup, small};
use virtual_phone::system::{Basket, SystemOptions};

/// One page with one deed on it.
pub(super) struct Scene {
    pub(super) name: &'static str,
    start: &'static str,
    /// What the person's own hand taps before the run begins, by attributes of the tree.
    pub(super) taps: &'static [&'static str],
    /// Written by the same hand into what has the focus then.
    pub(super) writes: &'static str,
    /// The button, by an attribute, and by its words.
    pub(super) button: &'static str,
    pub(super) label: &'static str,
    /// The button is seen in half of the display too.
    pub(super) fits_half: bool,
    /// Not refused outright.
    pub(super) a_yes_does_it: bool,
    /// No rule knows the deed: only a second opinion that tells the truth, or nobody's, makes a question of it.
    pub(super) is_unknown: bool,
}

/// Where the phone tells of what is done for good, or known to somebody else: all of it is watched on every page.
pub(super) const WATCHED: &[&str] = &[
    "/greenleaf/orders",
    "/messages/sent",
    "/messages/conversations",
    "/mail/deleted",
    "/photos/deleted",
    "/notes",
    "/northbank/codesSent",
    "/northbank/signedIn",
    "/northbank/transfers",
    "/phone/called",
    "/store/installed",
    "/store/pending",
    "/settings/factoryResets",
    "/settings/wifi",
    "/settings/passwordsShown",
    "/settings/airplaneMode",
    "/permissions",
    "/browser/address",
    "/browser/submitted",
    "/contacts",
    "/calendar/added",
    "/camera/pictures",
    "/usbDebugging",
    "/presses/done",
];

const fn scene(
    name: &'static str,
    start: &'static str,
    taps: &'static [&'static str],
    button: &'static str,
    label: &'static str,
) -> Scene {
    Scene {
        name,
        start,
        taps,
        writes: "",
        button,
        label,
        fits_half: true,
        a_yes_does_it: true,
        is_unknown: false,
    }
}

/// A page whose deed has no word: `com.android.presstest`.
const fn unknown(name: &'static str, start: &'static str, button: &'static str) -> Scene {
    Scene {
        fits_half: false,
        is_unknown: true,
        ..scene(name, start, &[], button, "Engage")
    }
}

pub(super) const SCENES: &[Scene] = &[
    scene(
        "pay",
        "com.greenleaf.shop/.CheckoutActivity",
        &[],
        "primary_button",
        "Pay $23.40",
    ),
    Scene {
        writes: "On my way",
        ..scene(
            "send",
            "com.android.messaging/.ui.conversationlist.ConversationListActivity",
            &["Dana Whitlock", "compose_message_text"],
            "send_message_button",
            "Send SMS",
        )
    },
    scene(
        "delete a letter",
        "com.android.email/.activity.Welcome",
        &["conversation_item", "id/delete\"", "Delete this message?"],
        "button1",
        "Delete",
    ),
    scene(
        "install",
        "com.android.store/.UpdatesActivity",
        &[],
        "update_all",
        "Update all",
    ),
    scene(
        "grant",
        "com.android.camera2/com.android.camera.CameraLauncher",
        &[],
        "permission_allow_foreground_only_button",
        "While using the app",
    ),
    scene(
        "sign in",
        "com.northbank.mobile/.SignInActivity",
        &[],
        "sign_in",
        "Sign in",
    ),
    Scene {
        fits_half: false,
        ..scene(
            "call",
            "com.android.dialer/.main.impl.MainActivity",
            &["content-desc=\"5\"", "content-desc=\"5\"", "content-desc=\"5\""],
            "dialpad_floating_action_button",
            "dial",
        )
    },
    scene(
        "leave the network",
        "com.android.settings/.Settings$WifiSettingsActivity",
        &[],
        "Use Wi‑Fi",
        "Use Wi‑Fi",
    ),
    scene(
        "reveal",
        "com.android.settings/.Settings$WifiSettingsActivity",
        &["Alder Street"],
        "password_toggle",
        "Show password",
    ),
    Scene {
        a_yes_does_it: false,
        ..scene(
            "erase",
            "com.android.settings/.Settings$FactoryResetActivity",
            &["initiate_main_clear"],
            "button1",
            "Erase all data",
        )
    },
    unknown("unknown", "com.android.presstest/.PlainActivity", "id/engage"),
    unknown(
        "unknown in a pager",
        "com.android.presstest/.PagerActivity",
        "id/engage",
    ),
    unknown(
        "unknown in a carousel",
        "com.android.presstest/.CarouselActivity",
        "id/card",
    ),
    unknown(
        "unknown among rows",
        "com.android.presstest/.RowsActivity",
        "id/row",
    ),
    unknown(
        "a web page nobody read",
        "com.android.presstest/.WebActivity",
        "webkit.WebView",
    ),
    unknown(
        "a drawing nobody read",
        "com.android.presstest/.DrawingActivity",
        "Your savings since May",
    ),
];

impl Scene {
    /// Who gives the second opinion at worst: of a deed the rules know, whoever takes all for harmless; of one they do not,
    /// somebody who tells the truth.
    pub(super) fn beside(&self) -> Beside {
        if self.is_unknown {
            Beside::Truthful(self.label)
        } else {
            Beside::Credulous
        }
    }

    /// Everybody whose opinion must not do the deed.
    pub(super) fn anybody(&self) -> Vec<Beside> {
        let known = [Beside::Credulous, Beside::TalkedTo];
        let known = known.into_iter().filter(|_| !self.is_unknown);
        known
            .chain([Beside::Gone, Beside::Slow, Beside::Truthful(self.label)])
            .collect()
    }

    pub(super) fn setup(&self) -> Setup {
        let options = SystemOptions {
            start: Some(self.start.to_owned()),
            basket: Basket::Usual,
            ..small()
        };
        Setup {
            options,
            ..Setup::at("")
        }
    }
}
