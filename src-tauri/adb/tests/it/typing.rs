//! Text, with and without the letters for it; secrets.

use crate::doing::{perform, sent};
use crate::support::{Fake, Reply, until};
use adb::Command;
use agent::lease::Lease;
use agent::ports::{Effect, Phone, PhoneError};
use base64::Engine;
use protocol::ActMethod;
use secrecy::SecretString;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[tokio::test(start_paused = true)]
async fn text_goes_in_chunks_and_newlines_as_keys() {
    let (via, lines) = sent(Command::Text(format!("it's $(x)\n{}", "y".repeat(60)))).await;
    assert_eq!(via, Some(ActMethod::InputText));
    assert_eq!(
        lines,
        [
            "dumpsys input_method".to_owned(),
            r"input text 'it'\''s%s$(x)'".to_owned(),
            "input keyevent 66".to_owned(),
            format!("input text '{}'", "y".repeat(50)),
            format!("input text '{}'", "y".repeat(10)),
        ]
    );
    assert_eq!(sent(Command::Text(String::new())).await.1, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_field_is_emptied_by_selecting_or_key_by_key() {
    let (via, lines) = sent(Command::ClearText).await;
    assert_eq!(via, Some(ActMethod::SelectAll));
    assert_eq!(lines, ["input keycombination 113 29", "input keyevent 67"]);
    let fake = Fake::new();
    fake.answers(
        "input keycombination",
        Reply::says("Unknown command: keycombination\n"),
    );
    let done = perform(&fake, Command::ClearText).await.unwrap();
    assert_eq!(done.via, Some(ActMethod::DeleteKeys));
    let keys: usize = fake
        .commands()
        .iter()
        .map(|line| line.matches(" 67").count())
        .sum();
    assert_eq!(keys, 200);
}

const NO_SUCH_KEYS: &str = include_str!("../data/input_01_npe_hebrew.txt");

/// A phone whose key map is ASCII, with ADBKeyboard on it or not.
fn hebrew(installed: bool) -> (Fake, Arc<Mutex<String>>) {
    const OURS: &str = "com.android.adbkeyboard/.AdbIME";
    let chosen = Arc::new(Mutex::new("com.gboard/.Ime".to_owned()));
    let enabled = Mutex::new(0_u32);
    let fake = Fake::new();
    fake.on(|line| {
        (line.starts_with("input text") && !line.is_ascii()).then(|| Reply::fails(255, NO_SUCH_KEYS))
    });
    let state = Arc::clone(&chosen);
    fake.on(move |line| {
        let mut chosen = state.lock().unwrap();
        let mut enabled = enabled.lock().unwrap();
        Some(Reply::says(match line {
            "ime list -a -s" if installed => format!("com.gboard/.Ime\n{OURS}\n"),
            // It takes a moment to be listed.
            "ime list -s" if *enabled > 1 => format!("com.gboard/.Ime\n{OURS}\n"),
            "ime list -s" => {
                *enabled += u32::from(*enabled > 0);
                "com.gboard/.Ime\n".to_owned()
            }
            "ime list -a -s" => "com.gboard/.Ime\n".to_owned(),
            "settings get secure default_input_method" => format!("{chosen}\n"),
            "dumpsys input_method" => format!("mCurMethodId={chosen} mInputShown=true\n"),
            _ if line.starts_with("ime set ") => {
                *chosen = shlex::split(line)?.pop()?;
                format!("Input method {chosen} selected for user #0\n")
            }
            _ if line.starts_with("ime enable") => {
                *enabled = 1;
                "Input method enabled\n".to_owned()
            }
            _ if line.starts_with("ime ") || line.starts_with("am broadcast") => {
                "Broadcast completed: result=0\n".to_owned()
            }
            _ => return None,
        }))
    });
    (fake, chosen)
}

#[tokio::test(start_paused = true)]
async fn letters_the_key_map_lacks_go_through_an_installed_keyboard() {
    let (fake, chosen) = hebrew(true);
    let done = perform(&fake, Command::Text("שלום; עולם\nok".to_owned()))
        .await
        .unwrap();
    assert_eq!(done.via, Some(ActMethod::AdbKeyboard));
    assert_eq!(
        *chosen.lock().unwrap(),
        "com.gboard/.Ime",
        "the old keyboard is back"
    );
    let after = fake.commands();
    let back = after
        .iter()
        .rposition(|line| line.starts_with("ime set 'com.gboard"))
        .unwrap();
    let typed = after
        .iter()
        .rposition(|line| line.starts_with("am broadcast"))
        .unwrap();
    assert!(back > typed);
    let put_away = |line: &&String| line.contains("ime disable");
    assert_eq!(after.iter().filter(put_away).count(), 1);
    let typed: String = fake
        .commands()
        .iter()
        .filter_map(|line| {
            line.strip_prefix("am broadcast -a ADB_INPUT_B64 -p com.android.adbkeyboard --es msg ")
        })
        .map(|packed| base64::engine::general_purpose::STANDARD.decode(packed).unwrap())
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .collect();
    assert_eq!(typed, "שלום; עולםok");
    assert_eq!(fake.commands_like("input keyevent 66").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn without_one_it_is_told() {
    let (fake, _) = hebrew(false);
    let done = perform(&fake, Command::Text("שלום".to_owned())).await;
    assert_eq!(done, Err(PhoneError::CannotType));
    assert_eq!(fake.commands_like("ime set"), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn the_old_keyboard_comes_back_although_the_lease_is_lost() {
    let (fake, chosen) = hebrew(true);
    fake.on(|line| {
        line.starts_with("am broadcast")
            .then(|| Reply::says("Broadcast completed\n").after(300))
    });
    let lease = Lease::new();
    let grip = lease.take();
    let phone = fake.phone();
    let text = "ש".repeat(2500);
    let work = tokio::spawn(async move { phone.by_hand(&Command::Text(text), &grip).await });
    until(|| !fake.commands_like("am broadcast").is_empty()).await;
    lease.revoke();
    assert!(lease.drained(Duration::from_secs(2)).await);
    assert_eq!(*chosen.lock().unwrap(), "com.gboard/.Ime");
    assert_eq!(work.await.unwrap(), Err(PhoneError::LeaseLost));
    assert_eq!(fake.commands_like("am broadcast").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_secret_is_typed_and_never_told() {
    let secret = SecretString::from("hunter2 'x' %s");
    let fake = Fake::new();
    let lease = Lease::new();
    let phone = fake.phone();
    let done = phone
        .type_secret(&secret, &crate::judged::secret(), &lease.take())
        .await
        .unwrap();
    assert_eq!(
        done,
        Effect {
            via: Some(ActMethod::InputText),
            ..Effect::default()
        }
    );
    assert_eq!(
        fake.commands(),
        [r"input text 'hunter2%s'\''x'\''%s%'", "input text 's'"]
    );

    for reply in [
        Reply::fails(1, "Error: Invalid arguments: hunter2"),
        Reply::says("Unknown command: hunter2"),
        Reply::fails(255, "INJECT_EVENTS hunter2"),
        Reply {
            hangs: true,
            ..Reply::default()
        },
    ] {
        let fake = Fake::new();
        fake.answers("input text", reply);
        let told = fake
            .phone()
            .type_secret(&secret, &crate::judged::secret(), &lease.take())
            .await
            .unwrap_err();
        assert!(!format!("{told:?} {told}").contains("hunter2"), "{told:?}");
    }
    // By the key map or not at all: a broadcast can be overheard.
    let (fake, _) = hebrew(true);
    let told = fake
        .phone()
        .type_secret(
            &SecretString::from("סוד"),
            &crate::judged::secret(),
            &lease.take(),
        )
        .await;
    assert_eq!(told, Err(PhoneError::CannotType));
    assert_eq!(fake.commands(), [""; 0]);
}

/// An older phone tells what `cat` complains of as if it were the file's text: nothing was left there to be put back.
#[tokio::test(start_paused = true)]
async fn a_complaint_is_no_keyboard_to_put_back() {
    const LEFT: &str = "cat /data/local/tmp/pocketdeck-keyboard";
    for (left, put_back) in [
        (
            "/system/bin/cat: /data/local/tmp/pocketdeck-keyboard: No such file or directory\n",
            false,
        ),
        ("/system/bin/sh: 1\n", false),
        ("com.gboard/.Ime 1\n", true),
    ] {
        let fake = Fake::new();
        fake.features("cmd").answers(LEFT, Reply::says(left));
        perform(&fake, Command::Tap { x: 1, y: 1 }).await.unwrap();
        let lines = fake.commands();
        assert_eq!(
            lines.iter().any(|line| line.contains("ime ")),
            put_back,
            "{left}: {lines:?}"
        );
    }
}
