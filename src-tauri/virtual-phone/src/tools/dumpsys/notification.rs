//! `dumpsys notification` (`NotificationManagerService.dumpImpl`): words only where `--noredact` asks for them.

use crate::phone::Phone;
use std::fmt::Write as _;

pub(super) fn dump(phone: &Phone, words: &[&str]) -> String {
    let posted = phone.with(|android| android.notifications());
    let plain = words.contains(&"--noredact");
    let said = |text: &str| match plain {
        true => format!("String ({text})"),
        false => format!("String [length={}]", text.chars().count()),
    };
    let mut out = String::from("Current Notification Manager state:\n  Notification List:\n");
    // Each keeps its number while newer ones come before it.
    for (number, one) in posted.iter().rev().enumerate().rev() {
        let key = format!("0|{}|{number}|null|10086", one.package);
        let at = one.at.as_millis();
        let _ = write!(
            out,
            "    NotificationRecord(0x0a1b{number:04x}: pkg={} user=UserHandle{{0}} id={number} tag=null importance=4 key={key}: \
             Notification(channel=default shortcut=null contentView=null vibrate=null sound=null defaults=0x0 flags=0x10 \
             color=0xff1a73e8 category=msg vis=PRIVATE))\n      uid=10086 userId=0\n      opPkg={}\n      flags=0x10\n      \
             pri=0\n      key={key}\n      when={at}\n      extras={{\n          android.title={}\n          \
             android.subText=null\n          android.showWhen=Boolean (true)\n          android.text={}\n      }}\n",
            one.package,
            one.package,
            said(&one.title),
            said(&one.text)
        );
    }
    out.push_str("  mArchive=Archive (0 notifications)\n");
    out
}
