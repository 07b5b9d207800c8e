//! What a server of adb 36 does beside listing phones: states, pairing, mDNS, several ways to one phone, going down.

use crate::client::{answer, ask, one, one_system, options, raw, send, shell, text};
use crate::fake::Fake;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::{sleep, timeout};
use virtual_phone::{Fault, Host, Options, Pairing, Speed, Transport};

#[tokio::test]
async fn every_state_stands_in_the_list_and_refuses_in_its_words() {
    let (host, phone) = one(Speed::Instant);
    let udev = "no permissions (missing udev rules? user is in the plugdev group); see \
                [http://developer.android.com/tools/device.html]";
    let no_permissions = "insufficient permissions for device: missing udev rules? user is in the plugdev group\n\
                          See [http://developer.android.com/tools/device.html] for more information";
    for (fault, word, refusal) in [
        ("authorizing", "authorizing", "device still authorizing"),
        ("connecting", "connecting", "device still connecting"),
        ("no_permissions", udev, no_permissions),
        // These answer, but offer no shell.
        ("bootloader", "bootloader", "closed"),
        ("recovery", "recovery", "closed"),
        ("rescue", "rescue", "closed"),
        ("sideload", "sideload", "closed"),
        ("host", "host", "closed"),
        ("detached", "detached", "device offline"),
        ("unknown", "unknown", "device offline"),
    ] {
        let fault: Fault = fault.parse().unwrap();
        phone.set_fault(fault);
        let list = ask(&host, "host:devices").await.unwrap();
        assert_eq!(list, format!("28161FDH2001A7\t{word}\n"));
        let long = ask(&host, "host:devices-l").await.unwrap();
        assert!(
            long.starts_with(&format!("28161FDH2001A7         {word} usb:1-1 ")),
            "{long}"
        );
        let refused = crate::client::open(&host, "shell:echo").await.unwrap_err();
        assert_eq!(refused, refusal, "{word}");
        phone.clear_fault(fault);
        assert_eq!(shell(&host, "echo well").await.text(), "well\n");
    }
}

fn pairing(lasts: Option<Duration>) -> Pairing {
    Pairing {
        code: "123456".to_owned(),
        address: "192.168.1.20:37241".to_owned(),
        service: Some("studio-x7".to_owned()),
        lasts,
    }
}

#[tokio::test(start_paused = true)]
async fn pairing_fails_in_adbs_words_and_succeeds_once() {
    let (host, phone) = one(Speed::Instant);
    let pair = |code: &str, address: &str| format!("host:pair:{code}:{address}");
    let failed = |words: &str| format!("OKAYFAIL{:04x}{words}", words.len());
    let nobody = failed("Failed: Unable to start pairing client.");
    assert_eq!(raw(&host, &pair("123456", "192.168.1.20:37241")).await, nobody);
    phone.offer_pairing(pairing(Some(Duration::from_secs(120))));
    assert_eq!(
        ask(&host, "host:mdns:services").await.unwrap(),
        "studio-x7\t_adb-tls-pairing._tcp\t192.168.1.20:37241\n"
    );
    assert_eq!(
        raw(&host, &pair("123456", "192.168.1.20")).await,
        failed("Invalid port while parsing address [192.168.1.20]")
    );
    assert_eq!(
        raw(&host, &pair("654321", "192.168.1.20:37241")).await,
        failed("Failed: Wrong password or connection was dropped.")
    );
    assert_eq!(
        raw(&host, "host:pair:123456").await,
        "FAIL0022unknown host service 'pair:123456'"
    );
    // Not paired: the phone ends the handshake.
    assert_eq!(
        ask(&host, "host:connect:192.168.1.20:37242").await.unwrap(),
        "failed to connect to 192.168.1.20:37242"
    );
    sleep(Duration::from_secs(121)).await;
    assert_eq!(
        raw(&host, &pair("123456", "192.168.1.20:37241")).await,
        nobody,
        "the page closed"
    );
    phone.offer_pairing(pairing(None));
    let guid = "adb-28161FDH2001A7-vWgJpq";
    assert_eq!(
        ask(&host, &pair("123456", "192.168.1.20:37241")).await.unwrap(),
        format!("Successfully paired to 192.168.1.20:37241 [guid={guid}]")
    );
    // A server with mDNS connects by itself: one phone, two lines.
    let serial = format!("{guid}._adb-tls-connect._tcp");
    assert_eq!(
        ask(&host, "host:devices").await.unwrap(),
        format!("28161FDH2001A7\tdevice\n{serial}\tdevice\n")
    );
    assert_eq!(
        ask(&host, "host:mdns:services").await.unwrap(),
        format!("{guid}\t_adb-tls-connect._tcp\t192.168.1.20:37242\n")
    );
    assert_eq!(
        ask(&host, "host:connect:192.168.1.20:37242").await.unwrap(),
        "connected to 192.168.1.20:37242"
    );
    assert_eq!(
        raw(&host, &pair("123456", "192.168.1.20:37241")).await,
        nobody,
        "once only"
    );
}

/// Its wireless debugging is turned off and on: another port, the same name.
#[tokio::test]
async fn a_paired_phone_that_moves_is_found_by_its_name() {
    let (host, phone) = one(Speed::Instant);
    phone.offer_pairing(pairing(None));
    ask(&host, "host:pair:123456:192.168.1.20:37241").await.unwrap();
    let name = "adb-28161FDH2001A7-vWgJpq._adb-tls-connect._tcp";
    ask(&host, "host:connect:192.168.1.20:37242").await.unwrap();
    phone.move_wireless("192.168.1.77:40001");
    assert_eq!(
        ask(&host, "host:devices").await.unwrap(),
        "28161FDH2001A7\tdevice\n"
    );
    assert_eq!(
        ask(&host, "host:connect:192.168.1.20:37242").await.unwrap(),
        "failed to connect to '192.168.1.20:37242': Connection refused"
    );
    assert_eq!(
        ask(&host, "host:mdns:services").await.unwrap(),
        "adb-28161FDH2001A7-vWgJpq\t_adb-tls-connect._tcp\t192.168.1.77:40001\n"
    );
    let by_name = format!("host:connect:{name}");
    assert_eq!(
        ask(&host, &by_name).await.unwrap(),
        format!("connected to {name}")
    );
    assert_eq!(
        ask(&host, "host:connect:192.168.1.77:40001").await.unwrap(),
        "connected to 192.168.1.77:40001"
    );
    phone.set_fault(Fault::NoMdns);
    phone.move_wireless("192.168.1.78:40002");
    let refused = ask(&host, &by_name).await.unwrap();
    assert!(refused.starts_with("failed to connect to"), "{refused}");
}

#[tokio::test]
async fn an_old_server_and_one_without_mdns_say_so() {
    let (host, phone) = one(Speed::Instant);
    assert_eq!(
        ask(&host, "host:mdns:check").await.unwrap(),
        "mdns daemon version [Openscreen discovery 0.0.0]"
    );
    assert!(
        ask(&host, "host:host-features")
            .await
            .unwrap()
            .contains("openscreen_mdns")
    );
    assert!(raw(&host, "host:server-status").await.contains("36.0.0"));
    phone.set_fault(Fault::NoMdns);
    assert_eq!(
        ask(&host, "host:mdns:check").await.unwrap(),
        "ERROR: mdns discovery disabled"
    );
    phone.set_fault(Fault::OldServer);
    for request in [
        "host:mdns:check",
        "host:mdns:services",
        "host:pair:1:1.2.3.4:5",
        "host:server-status",
        "host:nope",
    ] {
        assert_eq!(
            ask(&host, request).await.unwrap_err(),
            "unknown host service",
            "{request}"
        );
    }
}

#[tokio::test]
async fn one_phone_by_cable_and_by_network_is_two_lines_and_one_phone() {
    let host = Host::new();
    let phone = host.add(Fake::boxed(), options(Speed::Instant));
    let wireless = phone.attach("10.0.0.9:5555", Transport::Network);
    let serial = async |serial: &str| {
        let mut stream = host.open();
        send(&mut stream, &format!("host:transport:{serial}")).await;
        answer(&mut stream).await?;
        send(&mut stream, "exec:getprop ro.serialno").await;
        answer(&mut stream).await?;
        let mut out = String::new();
        stream.read_to_string(&mut out).await.unwrap();
        Ok::<_, String>(out)
    };
    assert_eq!(serial("10.0.0.9:5555").await, serial(phone.serial()).await);
    let mut lasting = host.open();
    send(&mut lasting, "host:transport:10.0.0.9:5555").await;
    answer(&mut lasting).await.unwrap();
    send(&mut lasting, "exec:sleep 5; echo still here").await;
    answer(&mut lasting).await.unwrap();
    phone.unplug();
    assert_eq!(
        ask(&host, "host:devices").await.unwrap(),
        "10.0.0.9:5555\tdevice\n"
    );
    let mut out = String::new();
    lasting.read_to_string(&mut out).await.unwrap();
    assert_eq!(out, "still here\n", "the other cable's end is not this one's");
    wireless.unplug();
    assert_eq!(ask(&host, "host:devices").await.unwrap(), "");
    phone.replug();
    assert_eq!(
        ask(&host, "host:devices").await.unwrap(),
        format!("{}\tdevice\n", phone.serial())
    );
}

#[tokio::test]
async fn a_server_that_goes_down_drops_everybody_and_comes_back() {
    let host = Host::new();
    let _phone = host.add(
        Fake::boxed(),
        Options {
            ..options(Speed::Instant)
        },
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = host.serve(listener).unwrap();
    let mut tracker = host.open();
    send(&mut tracker, "host:track-devices").await;
    answer(&mut tracker).await.unwrap();
    text(&mut tracker).await;
    host.stop_server();
    assert_eq!(tracker.read(&mut [0; 1]).await.unwrap(), 0);
    assert_eq!(raw(&host, "host:version").await, "");
    let refused = async {
        while tokio::net::TcpStream::connect(address).await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(20), refused).await.unwrap();
    host.start_server();
    let back = async {
        while tokio::net::TcpStream::connect(address).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(20), back).await.unwrap();
    assert_eq!(ask(&host, "host:version").await.unwrap(), "0029");
}

/// The middle of what the tree calls by a text.
fn middle(tree: &str, words: &str) -> (u32, u32) {
    let (_, rest) = tree.split_once(&format!("text=\"{words}\"")).unwrap();
    let (_, rest) = rest.split_once("bounds=\"[").unwrap();
    let numbers: Vec<u32> = rest
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .take(4)
        .collect();
    ((numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2)
}

#[tokio::test(start_paused = true)]
async fn allow_on_the_phones_own_screen_makes_it_a_device() {
    use virtual_phone::android::FingerAction;
    for always in [true, false] {
        let (host, phone) = one_system();
        phone.set_fault(Fault::Unauthorized);
        let mut tracker = host.open();
        send(&mut tracker, "host:track-devices").await;
        answer(&mut tracker).await.unwrap();
        assert!(text(&mut tracker).await.ends_with("\tunauthorized\n"));
        let tap = |words: &str| {
            phone.with(|android| {
                let (x, y) = middle(&android.hierarchy().unwrap(), words);
                android.finger(FingerAction::Down, x as f32, y as f32);
                android.finger(FingerAction::Up, x as f32, y as f32);
            });
        };
        let tree = phone.with(|android| android.hierarchy().unwrap());
        assert!(
            tree.contains("Allow USB debugging?") && tree.contains("5D:0E:61:B7"),
            "{tree}"
        );
        if !always {
            tap("Always allow from this computer");
        }
        tap("Allow");
        assert!(text(&mut tracker).await.ends_with("\tdevice\n"));
        phone.unplug();
        phone.replug();
        let state = raw(&host, "host:devices").await;
        assert_eq!(state.contains("unauthorized"), !always, "{state}");
    }
}

#[tokio::test]
async fn adb_keyboard_is_heard_of_after_a_while_and_writes_anything() {
    let host = Host::new();
    let start = virtual_phone::system::SystemOptions {
        start: Some("com.android.notes/.EditorActivity".to_owned()),
        ..Default::default()
    };
    let system = virtual_phone::system::System::new(start);
    let phone = host.add(Box::new(system), options(Speed::Instant));
    let ime = "com.android.adbkeyboard/.AdbIME";
    let run = async |line: &str| {
        let outcome = shell(&host, line).await;
        format!("{}{}", outcome.text(), outcome.err)
    };
    let unknown = format!("Unknown input method {ime} cannot be enabled for user #0\n");
    assert_eq!(run(&format!("ime enable {ime}")).await, unknown);
    run("printf 'PK\\003\\004 adbkeyboard' > /data/local/tmp/k.apk").await;
    assert_eq!(run("pm install /data/local/tmp/k.apk").await, "Success\n");
    assert!(
        run("pm list packages")
            .await
            .contains("package:com.android.adbkeyboard\n")
    );
    // Right after, the input method manager has not heard of it.
    assert_eq!(run(&format!("ime enable {ime}")).await, unknown);
    run("uiautomator dump >/dev/null").await;
    assert!(run("ime list -a -s").await.contains(ime));
    assert!(!run("ime list -s").await.contains(ime));
    assert_eq!(
        run(&format!("ime enable {ime}")).await,
        format!("Input method {ime}: now enabled for user #0\n")
    );
    let written = |phone: &virtual_phone::PhoneHandle| phone.state()["notes"].to_string();
    let send = "am broadcast -a ADB_INPUT_B64 --es msg QcOp5ryi8J+Zgg==";
    let before = written(&phone);
    assert!(run(send).await.ends_with("Broadcast completed: result=0\n"));
    assert_eq!(written(&phone), before, "it is not the chosen one");
    assert_eq!(
        run(&format!("ime set {ime}")).await,
        format!("Input method {ime} selected for user #0\n")
    );
    run(send).await;
    assert!(written(&phone).contains("Aé漢🙂"), "{}", written(&phone));
    run("am broadcast -a ADB_CLEAR_TEXT").await;
    run("am broadcast -a ADB_INPUT_TEXT --es msg 'plain é'").await;
    assert!(written(&phone).contains("plain "), "{}", written(&phone));
    assert!(!written(&phone).contains("plain é"));
    run("ime set com.android.inputmethod.latin/.LatinIME").await;
    assert_eq!(
        run("settings get secure default_input_method").await,
        "com.android.inputmethod.latin/.LatinIME\n"
    );
}
