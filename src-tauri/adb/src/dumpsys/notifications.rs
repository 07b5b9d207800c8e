//! The notifications a phone shows, as `dumpsys notification --noredact` prints them.
//!
//! Titles and texts are the apps' own and stand there as they are, over several lines where they have several: one that
//! imitates the dump can pass for another app's. Nothing is granted for what is read here.

use super::value_of;

/// What every notification begins with.
const HEAD: &str = "NotificationRecord(";

/// One notification.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Notification {
    /// What the phone tells it apart by: `0|com.android.messaging|1|null|10086`.
    pub key: String,
    /// Whose it is.
    pub package: String,
    /// When it was last posted, as the phone prints it; empty where it does not.
    pub posted: String,
    /// Its title; empty where it has none, or the phone hides it.
    pub title: String,
    /// Its text, the longer one behind the short one where there are two.
    pub text: String,
}

/// Every notification in the dump, in its order, each once.
#[must_use]
pub fn read(text: &str) -> Vec<Notification> {
    let mut found: Vec<Notification> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        if let Some(head) = trimmed.strip_prefix(HEAD) {
            found.extend(headed(head));
            continue;
        }
        let Some(one) = found.last_mut() else { continue };
        if let Some(time) = trimmed
            .strip_prefix("mUpdateTimeMs=")
            .or_else(|| trimmed.strip_prefix("when="))
            && one.posted.is_empty()
        {
            time.trim().clone_into(&mut one.posted);
            continue;
        }
        let Some((name, first)) = extra(trimmed) else {
            continue;
        };
        let mut value = first.to_owned();
        while let Some(next) = lines.next_if(|next| !is_next(next)) {
            value.push('\n');
            value.push_str(next);
        }
        let value = said(&value);
        match name {
            "android.title" if one.title.is_empty() => one.title = value,
            "android.text" if one.text.is_empty() => one.text = value,
            "android.bigText" if !value.is_empty() && value != one.text => {
                if !one.text.is_empty() {
                    one.text.push('\n');
                }
                one.text.push_str(&value);
            }
            _ => {}
        }
    }
    // What waits to be shown is listed a second time.
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|one| seen.insert(one.key.clone()));
    found
}

/// A head: `0x0a1b: pkg=com.a user=UserHandle{0} id=1 tag=null importance=4 key=0|com.a|1|null|10086: Notification(…`.
fn headed(head: &str) -> Option<Notification> {
    let about = head.split(": Notification(").next()?;
    let package = value_of(about, "pkg")?;
    // Before Android 5 there is no key: the rest of the line is as good, without the address in memory.
    let key = match about.split_once(" key=") {
        Some((_, key)) => key,
        None => about.split_once(": ").map_or(about, |(_, rest)| rest),
    };
    Some(Notification {
        key: key.to_owned(),
        package: package.to_owned(),
        ..Notification::default()
    })
}

/// A line of the extras that is read: `android.title=String (Dana)`.
fn extra(line: &str) -> Option<(&'static str, &str)> {
    ["android.title", "android.text", "android.bigText"]
        .into_iter()
        .find_map(|name| Some((name, line.strip_prefix(name)?.strip_prefix('=')?)))
}

/// Whether a line begins something else: another of the extras, their end, or another notification.
fn is_next(line: &str) -> bool {
    let trimmed = line.trim();
    let is_named = trimmed.split_once('=').is_some_and(|(name, value)| {
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_');
        !name.is_empty() && name.contains('.') && name.chars().all(is_name) && !value.is_empty()
    });
    is_named || trimmed == "}" || trimmed.starts_with(HEAD)
}

/// What stands in the parentheses behind a type: `String (See you at 8)`. Nothing for `null` and `String [length=12]`.
fn said(value: &str) -> String {
    let inside = value.split_once(" (").map(|(_, inside)| inside.trim_end());
    let inside = inside.map(|inside| inside.strip_suffix(')').unwrap_or(inside));
    inside.unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str, &str, &str, &str)]) {
        let found = read(text);
        let found: Vec<_> = found
            .iter()
            .map(|one| {
                (
                    one.key.as_str(),
                    one.package.as_str(),
                    one.posted.as_str(),
                    one.title.as_str(),
                    one.text.as_str(),
                )
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    /// As Android 13 prints it, with a message of two lines, one without words, and one listed twice.
    #[test]
    fn each_notification_is_read_with_its_words() {
        let text = "Current Notification Manager state:
  Notification List:
    NotificationRecord(0x0a1b2c3d: pkg=com.android.messaging user=UserHandle{0} id=1 tag=a tag importance=4 key=0|com.android.messaging|1|a tag|10086: Notification(channel=chat shortcut=null contentView=null vibrate=null sound=null defaults=0x0 flags=0x10 color=0xff1a73e8 category=msg vis=PRIVATE))
      uid=10086 userId=0
      opPkg=com.android.messaging
      flags=0x10
      key=0|com.android.messaging|1|a tag|10086
      when=1764100000000
      extras={
          android.title=String (Dana (work))
          android.subText=null
          android.showWhen=Boolean (true)
          android.text=SpannableString (See you at 8 (or 9)
  and bring a = b)
          android.template=String (android.app.Notification$MessagingStyle)
          android.bigText=String (See you at 8, says Dana)
      }
      mUpdateTimeMs=1764100000001
    NotificationRecord(0x0b: pkg=com.greenleaf user=UserHandle{0} id=7 tag=null importance=2 key=0|com.greenleaf|7|null|10090: Notification(channel=x))
      extras={
          android.title=null
          android.text=String [length=12]
      }
  Enqueued Notification List:
    NotificationRecord(0x0b: pkg=com.greenleaf user=UserHandle{0} id=7 tag=null importance=2 key=0|com.greenleaf|7|null|10090: Notification(channel=x))
      extras={
          android.title=String (Twice)
      }
  mArchive=Archive (1 notification)
";
        check(
            text,
            &[
                (
                    "0|com.android.messaging|1|a tag|10086",
                    "com.android.messaging",
                    "1764100000000",
                    "Dana (work)",
                    "See you at 8 (or 9)\n  and bring a = b\nSee you at 8, says Dana",
                ),
                ("0|com.greenleaf|7|null|10090", "com.greenleaf", "", "", ""),
            ],
        );
    }

    /// As Android 4.4 prints it, without a key; and what is no such dump.
    #[test]
    fn old_and_odd_dumps_are_read_as_far_as_they_go() {
        let old = "    NotificationRecord(0x41f: pkg=com.a user=UserHandle{0} id=3 tag=null score=0: Notification(pri=0))
      extras={
        android.title=String (A)";
        check(
            old,
            &[(
                "pkg=com.a user=UserHandle{0} id=3 tag=null score=0",
                "com.a",
                "",
                "A",
                "",
            )],
        );
        for text in [
            "",
            "Can't find service: notification\n",
            "NotificationRecord(",
            "android.title=String (x)\n}",
        ] {
            check(text, &[]);
        }
    }
}
