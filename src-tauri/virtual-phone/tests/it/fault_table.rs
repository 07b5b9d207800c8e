//! Every fault of the table: what is met while it is set, and that all is as before once it is cleared.

use crate::client::{Outcome, finish, one_system, open, shell};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, sleep, timeout};
use virtual_phone::{Fault, Host, PhoneHandle};

/// What shows a fault.
#[derive(Clone, Copy, Debug)]
enum Probe {
    /// A request to the server.
    Ask(&'static str),
    /// A command line.
    Shell(&'static str),
    /// What still runs a second after the client of `sleep 30` went away.
    Left,
    /// What scrcpy's server says, and whether its video goes on for three seconds.
    Video,
}

/// A fault as it is written, and what shows it. A fault without a line here fails the test.
fn probe(name: &str) -> (String, Probe) {
    use Probe::{Ask, Left, Shell, Video};
    const CAPTURE: &str = "screencap | head -c 4000000 | tail -c 100000 | md5sum";
    const TREE: &str = "uiautomator dump; wc -c < /sdcard/window_dump.xml";
    const TOUCH: &str = "input tap 1 1";
    // Two trees are asked for: whether the second one's answer comes.
    const READER: &str = "printf 'dex\\n' > /data/local/tmp/r.dex; \
                          printf '\\0\\0\\0\\015\\001AAAA12345678\\0\\0\\0\\015\\001BBBB12345678' | \
                          CLASSPATH=/data/local/tmp/r.dex app_process / pocketdeck.Reader /data/local/tmp/r.dex | \
                          grep -c BBBB";
    const STREAM: &str = "screenrecord --output-format=h264 --size 96x208 --time-limit 1 - | wc -c";
    let stem = name.split([':', '[']).next().unwrap();
    let (argument, probe) = match stem {
        "unauthorized" | "offline" | "authorizing" | "connecting" | "no_permissions" | "bootloader"
        | "recovery" | "rescue" | "sideload" | "host" | "detached" | "unknown" | "server_wedged" => {
            ("", Ask("host:devices"))
        }
        "server_restarts" => (":0", Ask("host:devices")),
        "old_server" | "no_mdns" => ("", Ask("host:mdns:check")),
        "no_shell_v2" => ("", Ask("host:features")),
        "cr_lf" => ("", Shell("wm size")),
        "stray_words" => ("", Shell("dumpsys window displays")),
        "latency" => (":300", Shell("echo late")),
        "bandwidth" => (":2", Shell("getprop")),
        "half_answer" | "silence" | "disconnect" => (":getprop", Shell("getprop ro.serialno")),
        "half_capture" => ("", Shell("screencap | wc -c")),
        "black_capture" | "secure" | "folded" => ("", Shell(CAPTURE)),
        "capture_fails" | "capture_warning" | "second_display" => {
            ("", Shell("screencap | head -c 4 | md5sum"))
        }
        "tree_idle_error" | "tree_null_root" | "tree_stack_trace" | "tree_stale" | "tree_slow"
        | "tree_killed" => ("", Shell(TREE)),
        "tree_unlabelled" => ("", Shell(TREE)),
        "huge_dumps" => ("", Shell("dumpsys window | wc -c")),
        "work_profile" => (
            "",
            Shell(
                "dumpsys window | grep -c ' u10 '; pm list users; am get-current-user; pm list packages -U --user 10",
            ),
        ),
        "second_user" => (
            "",
            Shell("am get-current-user; pm list packages --user current | wc -l"),
        ),
        "crowded" => ("", Shell("pm list packages | wc -l; getprop | wc -l")),
        "autocorrect" | "pinyin" => ("", Shell("settings get secure default_input_method")),
        "split_screen" => (
            "",
            Shell("dumpsys activity activities | grep -c topResumedActivity"),
        ),
        "not_responding" => ("", Shell("dumpsys window | grep mCurrentFocus=")),
        "dozing" => ("", Shell("dumpsys power | grep mWakefulness=")),
        "occluded" => ("", Shell("dumpsys window policy | grep occluded=")),
        "tree_needs_file" => ("", Shell("uiautomator dump /proc/self/fd/1 | wc -c")),
        "inject_events" => ("", Shell(TOUCH)),
        "slow" => (":4", Shell(TOUCH)),
        "old_input" => ("", Shell("input motionevent CANCEL")),
        "services_restarting" => ("", Shell("wm size")),
        "unplug_after" => (":0", Shell("echo in")),
        "rotate_after" => (":0", Shell("dumpsys display | grep -c 'orientation=1'")),
        "remote_lingers" => ("", Left),
        "low_storage" => ("", Shell("echo x > /sdcard/x; echo $?")),
        "locked" => ("", Shell("dumpsys window policy | grep showing=")),
        "keyguard_pin" => ("", Shell("dumpsys window policy | grep ' secure='")),
        "screen_off" => ("", Shell("dumpsys power | grep mWakefulness=")),
        "clipboard_silent" => ("", Shell("cmd clipboard set x")),
        "clock_skew" => (":-34560000", Shell("date +%Y")),
        "stutter" => (":1000", Shell(STREAM)),
        "stream_stall" => (":0", Shell(STREAM)),
        "encoder_limit" => (":64", Shell(STREAM)),
        "stream_waits" | "encoder_fails" | "no_screenrecord" | "screenrecord_fails" => ("", Shell(STREAM)),
        "reader_dies" => (":0", Shell(READER)),
        "reader_missing" | "reader_forbidden" | "reader_taken" | "reader_stale" | "reader_slow"
        | "reader_cut" => ("", Shell(READER)),
        "scrcpy_dies" => (":0", Video),
        "scrcpy_mismatch" => ("", Video),
        other => panic!("what shows the fault {other}?"),
    };
    (format!("{stem}{argument}"), probe)
}

/// What a client met, and in how many tenths of a second.
async fn meet(host: &Host, phone: &PhoneHandle, probe: Probe) -> (String, u128) {
    let before = Instant::now();
    let met = async {
        match probe {
            Probe::Ask(request) => crate::client::raw(host, request).await,
            Probe::Shell(line) => match open(host, &format!("shell,v2,raw:{line}")).await {
                Ok(stream) => {
                    let Outcome { status, out, err } = finish(stream).await;
                    format!("{status:?} {} {err}", String::from_utf8_lossy(&out))
                }
                Err(why) => format!("refused: {why}"),
            },
            Probe::Video => {
                let mut server =
                    crate::stream::start_scrcpy(host, "3.3.4", "max_size=208 control=false").await;
                let words = async {
                    let mut words = String::new();
                    let _ = server.read_to_string(&mut words).await;
                    words
                };
                let video = async {
                    let Some(mut video) = crate::stream::connect(host).await else {
                        return "nobody listens";
                    };
                    let ended = async { while let Ok(1..) = video.read(&mut [0; 4096]).await {} };
                    match timeout(Duration::from_secs(3), ended).await {
                        Ok(()) => "ended",
                        Err(_) => "goes on",
                    }
                };
                let (words, video) = tokio::join!(words, video);
                format!("{words}{video}")
            }
            Probe::Left => {
                drop(open(host, "shell,v2,raw:sleep 30").await);
                sleep(Duration::from_secs(1)).await;
                format!("{}", phone.processes().len())
            }
        }
    };
    let met = timeout(Duration::from_secs(60), met).await;
    let tenths = before.elapsed().as_millis() / 100;
    (met.unwrap_or_else(|_| "nothing".to_owned()), tenths)
}

#[tokio::test(start_paused = true)]
async fn every_fault_is_met_and_goes_again() {
    let (host, phone) = one_system();
    // A tree that is there already, for the one that stays stale.
    shell(&host, "uiautomator dump").await;
    for (name, _) in Fault::list() {
        let (text, probe) = probe(name);
        let fault: Fault = text.parse().unwrap();
        let well = meet(&host, &phone, probe).await;
        phone.set_fault(fault);
        let ill = meet(&host, &phone, probe).await;
        assert_ne!(ill, well, "{text}: {probe:?} does not show it");
        phone.clear_fault(fault);
        phone.replug();
        // A server that restarts is away for a second; a process that lingers, for two.
        sleep(Duration::from_secs(3)).await;
        assert_eq!(phone.faults(), [], "{text}");
        assert_eq!(meet(&host, &phone, probe).await, well, "{text}: not as before");
    }
}

#[tokio::test(start_paused = true)]
async fn a_tree_that_stays_stale_is_the_last_one() {
    let (host, phone) = one_system();
    let line = "uiautomator dump >/dev/null; md5sum < /sdcard/window_dump.xml";
    let first = shell(&host, line).await;
    phone.set_fault(Fault::TreeStale);
    shell(&host, "am start -n com.android.settings/.Settings").await;
    let stale = shell(&host, line).await;
    assert_eq!(stale.text(), first.text());
    assert!(stale.err.contains("ERROR: null root node"), "{}", stale.err);
    phone.clear_fault(Fault::TreeStale);
    assert_ne!(shell(&host, line).await.text(), first.text());
}

#[tokio::test(start_paused = true)]
async fn a_half_answer_is_half_and_has_no_end() {
    let (host, phone) = one_system();
    let whole = shell(&host, "getprop").await;
    phone.set_fault(Fault::HalfAnswer(None));
    let half = shell(&host, "getprop").await;
    assert_eq!((half.status, whole.status), (None, Some(0)));
    assert!(half.out.len() < whole.out.len() && whole.out.starts_with(&half.out));
}

#[tokio::test(start_paused = true)]
async fn one_programs_silence_is_no_others() {
    let (host, phone) = one_system();
    phone.set_fault("silence:screencap".parse().unwrap());
    assert_eq!(shell(&host, "echo heard").await.text(), "heard\n");
    let mut silent = open(&host, "exec:screencap -p").await.unwrap();
    assert!(
        timeout(Duration::from_secs(50), silent.read(&mut [0; 1]))
            .await
            .is_err()
    );
}

#[tokio::test(start_paused = true)]
async fn a_pin_opens_the_lock_by_touch_and_by_keys() {
    let (host, phone) = one_system();
    phone.set_fault(Fault::KeyguardPin);
    let locked = || phone.state()["screen"]["locked"].clone();
    // A swipe and `wm dismiss-keyguard` ask for it; neither opens.
    shell(&host, "wm dismiss-keyguard").await;
    assert_eq!(locked(), true);
    for (line, open) in [
        ("input keyevent 8 9 66", false),
        ("input text 1379 && input keyevent KEYCODE_ENTER", true),
    ] {
        shell(&host, line).await;
        assert_eq!(locked(), !open, "{line}");
    }
    shell(
        &host,
        "input keyevent 223 224 && input swipe 540 2395 540 900 200",
    )
    .await;
    let tree = shell(&host, "uiautomator dump >/dev/null; cat /sdcard/window_dump.xml").await;
    for digit in ["key1", "key3", "key7", "key9", "key_enter"] {
        let (_, rest) = tree.text().split_once(&format!("id/{digit}\"")).unwrap();
        let (_, rest) = rest.split_once("bounds=\"[").unwrap();
        let numbers: Vec<u32> = rest
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|number| number.parse().ok())
            .take(4)
            .collect();
        let (x, y) = ((numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2);
        assert_eq!(locked(), true, "before {digit}");
        shell(&host, &format!("input tap {x} {y}")).await;
    }
    assert_eq!(locked(), false);
}
