//! The other ways to a command: `shell:`, `exec:`, a terminal with a person at it.

use crate::client::{all, one, open};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use virtual_phone::{Fault, Speed};

#[tokio::test(start_paused = true)]
async fn without_the_protocol_both_outputs_are_one_and_no_code_comes() {
    let (host, _phone) = one(Speed::Phone);
    for service in ["shell:", "exec:"] {
        assert_eq!(
            all(&host, &format!("{service}echo out; nope; exit 3")).await,
            b"out\n/system/bin/sh: nope: inaccessible or not found\n"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_raw_terminal_opens_dev_tty_and_leaves_bytes_alone() {
    let (host, _phone) = one(Speed::Phone);
    let out = all(&host, "exec:uiautomator dump /dev/tty").await;
    let expected = format!("{}UI hierchary dumped to: /dev/tty\n", crate::fake::TREE);
    assert_eq!(String::from_utf8(out).unwrap(), expected);
    assert_eq!(all(&host, "exec:screencap").await.len(), 16 + 1080 * 2400 * 4);
    assert_eq!(all(&host, "exec:[ -t 1 ]; echo $?").await, b"0\n");
    assert_eq!(
        all(&host, "shell,v2,raw:[ -t 1 ]; echo $?").await,
        b"\x01\x02\0\0\x001\n\x03\x01\0\0\0\0"
    );
}

#[tokio::test(start_paused = true)]
async fn android_five_speaks_an_older_shell() {
    let (host, phone) = one(Speed::Phone);
    phone.set_fault(Fault::NoShellV2);
    assert_eq!(
        crate::client::ask(&host, "host:features").await,
        Ok(String::new())
    );
    assert_eq!(open(&host, "shell,v2,raw:echo").await.unwrap_err(), "closed");
    assert_eq!(
        all(&host, "shell:wm size; exit 9").await,
        b"Physical size: 1080x2400\r\n"
    );
    assert_eq!(all(&host, "exec:printf 'a\\nb'").await, b"a\nb");
}

#[tokio::test(start_paused = true)]
async fn a_person_at_a_terminal_gets_a_prompt_an_echo_and_their_code() {
    let (host, _phone) = one(Speed::Phone);
    let mut stream = open(&host, "shell:").await.unwrap();
    let mut seen = String::new();
    for (typed, until) in [
        ("", "panther:/ $ "),
        ("ecjo\x7f\x7f\x7fcho hi\r", "hi\r\npanther:/ $ "),
        ("sleep 100\r", "sleep 100\r\n"),
        ("\x03", "130|panther:/ $ "),
        ("cd sdcard\r", "panther:/sdcard $ "),
        ("if true\r", "> "),
        ("then echo yes; fi\r", "yes\r\npanther:/sdcard $ "),
    ] {
        stream.write_all(typed.as_bytes()).await.unwrap();
        seen.clear();
        while !seen.ends_with(until) {
            let mut bytes = [0; 256];
            let count = stream.read(&mut bytes).await.unwrap();
            assert!(count > 0, "{seen:?}");
            seen.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
        }
    }
    stream.write_all(b"exit 7\r").await.unwrap();
    let mut rest = String::new();
    stream.read_to_string(&mut rest).await.unwrap();
    assert_eq!(rest, "exit 7\r\n");
}

#[tokio::test(start_paused = true)]
async fn a_script_can_be_piped_into_a_shell() {
    let (host, _phone) = one(Speed::Phone);
    let mut stream = open(&host, "shell,v2,raw:").await.unwrap();
    crate::client::packet(&mut stream, 0, b"x=1\necho $x").await;
    crate::client::packet(&mut stream, 0, b" two\nexit 4\n").await;
    let outcome = crate::client::finish(stream).await;
    assert_eq!((outcome.status, outcome.text()), (Some(4), "1 two\n"));
}

#[tokio::test(start_paused = true)]
async fn the_framebuffer_comes_with_its_header() {
    let (host, _phone) = one(Speed::Phone);
    let bytes = all(&host, "framebuffer:").await;
    let number = |at: usize| u32::from_le_bytes(bytes[at * 4..at * 4 + 4].try_into().unwrap());
    assert_eq!((number(0), number(1), number(4), number(5)), (2, 32, 1080, 2400));
    assert_eq!(bytes.len(), 14 * 4 + number(3) as usize);
}

#[tokio::test(start_paused = true)]
async fn an_abstract_socket_is_closed_until_something_listens() {
    let (host, phone) = one(Speed::Phone);
    assert_eq!(open(&host, "localabstract:camera").await.unwrap_err(), "closed");
    let mut listener = phone.sockets().listen("camera");
    let mut client = open(&host, "localabstract:camera").await.unwrap();
    let mut server = listener.accept().await.unwrap();
    server.write_all(b"frame").await.unwrap();
    let mut bytes = [0; 5];
    client.read_exact(&mut bytes).await.unwrap();
    assert_eq!(&bytes, b"frame");
    client.write_all(b"ok").await.unwrap();
    let mut bytes = [0; 2];
    server.read_exact(&mut bytes).await.unwrap();
    drop(server);
    assert_eq!(client.read(&mut [0; 1]).await.unwrap(), 0);
    drop(listener);
    assert_eq!(open(&host, "localabstract:camera").await.unwrap_err(), "closed");
}

#[tokio::test(start_paused = true)]
async fn a_production_build_stays_a_shells() {
    let (host, _phone) = one(Speed::Phone);
    assert_eq!(
        all(&host, "root:").await,
        b"adbd cannot run as root in production builds\n"
    );
    assert_eq!(all(&host, "unroot:").await, b"adbd not running as root\n");
    assert_eq!(all(&host, "tcpip:0").await, b"invalid port 0\n");
    for service in ["jdwp:1", "tcp:80", "dev:/dev/null", "abb_exec:package", "nope"] {
        assert_eq!(open(&host, service).await.unwrap_err(), "closed", "{service}");
    }
}
