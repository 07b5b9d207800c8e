//! Northbank: signing in with a code, the balance, a transfer, and an account page that hides its screen.
//!
//! The password is `harbour-9`; the user name is `anna`. A code is six digits, new for every request, and goes out by
//! text message.

mod account;
mod code;
mod data;
mod home;
mod parts;
mod signin;
mod transfer;

pub(crate) use data::Data;

use crate::android::Intent;
use crate::system::{Activity, ActivityDeclaration, Icon, Manifest, Sign, World};
use crate::toolkit::color::Color;

const PACKAGE: &str = "com.northbank.mobile";
const SIGN_IN: &str = "com.northbank.mobile.SignInActivity";
const CODE: &str = "com.northbank.mobile.ConfirmCodeActivity";
const HOME: &str = "com.northbank.mobile.HomeActivity";
const TRANSFER: &str = "com.northbank.mobile.TransferActivity";
const ACCOUNT: &str = "com.northbank.mobile.AccountActivity";

pub(crate) static MANIFEST: Manifest = Manifest {
    package: PACKAGE,
    label: "Northbank",
    version: "2024.5.0",
    system: false,
    icon: Some(Icon {
        sign: Sign::Outline(lucide_icons::Icon::CreditCard),
        disc: Color::rgb(0x12325E),
        ink: Color::WHITE,
    }),
    activities: &[
        ActivityDeclaration::main(SIGN_IN),
        ActivityDeclaration::inner(CODE),
        ActivityDeclaration::inner(HOME),
        ActivityDeclaration::inner(TRANSFER),
        ActivityDeclaration::inner(ACCOUNT),
    ],
    open,
};

fn open(class: &str, _: &Intent, world: &mut World) -> Option<Box<dyn Activity>> {
    // Who is not signed in sees the sign-in page, whatever was asked for; a code page alone asks for a code first.
    let signed_in = world.apps.northbank.signed_in;
    match class {
        CODE => {
            world.apps.northbank.ask_for_code();
            code::send_code(world);
            Some(Box::new(code::Code::default()))
        }
        HOME | SIGN_IN if signed_in => Some(Box::new(home::Home::default())),
        TRANSFER if signed_in => Some(Box::new(transfer::Transfer::default())),
        ACCOUNT if signed_in => Some(Box::new(account::Account)),
        _ => Some(Box::new(signin::SignIn::of(world))),
    }
}
