//! A world without a way out: a test starts itself again in a network namespace where every address leads back into it,
//! and every packet to another computer and every name that is looked up is written down.
//!
//! It needs Linux, `unshare` and `ip`, and a kernel that lets this user have a namespace; where it does not, that is said.

#![allow(dead_code, reason = "each test uses its part")]

use rustix::net::sockopt::{Timeout, set_socket_recv_buffer_size_force, set_socket_timeout};
use rustix::net::{AddressFamily, Protocol, RecvFlags, SocketFlags, SocketType, recv, socket_with};
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};
use std::num::NonZeroU32;
use std::os::fd::OwnedFd;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Set for the test that runs inside.
const INSIDE: &str = "POCKETDECK_SEALED";
/// Who is asked for names; it leads back into this world like every address.
const RESOLVER: Ipv4Addr = Ipv4Addr::new(10, 53, 53, 53);
/// Where every name leads.
pub(crate) const EVERYBODY: Ipv4Addr = Ipv4Addr::new(10, 1, 1, 1);
/// A packet to it shows that packets are seen.
const CONTROL: (Ipv4Addr, u16) = (Ipv4Addr::new(10, 9, 9, 9), 9);

/// What makes the world: every address is this computer's, names are asked of the resolver alone.
const MAKE: &str = r#"
set -e
ip link set lo up
ip route add local default dev lo
ip -6 route add local default dev lo 2>/dev/null || true
printf 'nameserver 10.53.53.53\noptions timeout:1 attempts:1\n' > "$1/resolv.conf"
printf 'hosts: files dns\n' > "$1/nsswitch.conf"
mount --bind "$1/resolv.conf" /etc/resolv.conf
if [ -e /etc/nsswitch.conf ]; then mount --bind "$1/nsswitch.conf" /etc/nsswitch.conf; fi
shift
exec "$@"
"#;

/// Whether this is the test inside.
pub(crate) fn is_inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

/// Runs the test of this name of this program inside. An error says why this computer does not let us.
pub(crate) fn enter(test: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let make = |command: &[&str]| {
        let mut unshare = Command::new("unshare");
        unshare.args([
            "--map-root-user",
            "--net",
            "--mount",
            "--",
            "sh",
            "-c",
            MAKE,
            "sealed",
        ]);
        unshare.arg(folder.path()).args(command);
        unshare
    };
    match make(&["true"]).output() {
        Ok(output) if output.status.success() => {}
        Ok(output) => {
            let why = String::from_utf8_lossy(&output.stderr);
            return Err(format!("no network namespace: {}", why.trim()));
        }
        Err(error) => return Err(format!("no unshare: {error}")),
    }
    let program = std::env::current_exe().unwrap();
    let mut command = make(&[
        program.to_str().unwrap(),
        "--exact",
        test,
        "--ignored",
        "--nocapture",
    ]);
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        command.env_remove(name).env_remove(name.to_uppercase());
    }
    let output = command.env(INSIDE, "1").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}");
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

/// What left this computer, or would have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Left {
    /// Names that were looked up.
    pub(crate) names: BTreeSet<String>,
    /// Other computers that something was sent to: `tcp 10.1.1.1:443`.
    pub(crate) places: BTreeSet<String>,
}

/// Writes down what leaves, from now on.
pub(crate) struct Recorder {
    left: Arc<Mutex<Left>>,
    controls: Arc<Mutex<usize>>,
    ends: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Recorder {
    pub(crate) fn start() -> Self {
        let left: Arc<Mutex<Left>> = Arc::default();
        let controls: Arc<Mutex<usize>> = Arc::default();
        let ends: Arc<AtomicBool> = Arc::default();
        let names = {
            let (left, ends) = (Arc::clone(&left), Arc::clone(&ends));
            let socket = UdpSocket::bind((RESOLVER, 53)).unwrap();
            socket.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
            std::thread::spawn(move || answer_names(&socket, &left, &ends))
        };
        let packets = {
            let (left, controls, ends) = (Arc::clone(&left), Arc::clone(&controls), Arc::clone(&ends));
            let socket = packet_socket();
            std::thread::spawn(move || watch(&socket, &left, &controls, &ends))
        };
        let recorder = Self {
            left,
            controls,
            ends,
            threads: vec![names, packets],
        };
        recorder.control();
        recorder
    }

    /// A packet of our own is seen: so all that were sent before it were, too.
    fn control(&self) {
        let before = *self.controls.lock().unwrap();
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).or_else(|_| UdpSocket::bind("0.0.0.0:0"));
        let socket = socket.unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        while *self.controls.lock().unwrap() == before {
            assert!(Instant::now() < until, "packets are seen");
            let _ = socket.send_to(b"control", CONTROL);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// All that left since the last time.
    pub(crate) fn take(&self) -> Left {
        self.control();
        std::mem::take(&mut self.left.lock().unwrap())
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::SeqCst);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Every packet of every interface.
fn packet_socket() -> OwnedFd {
    // ETH_P_ALL, in the network's order.
    let every = Protocol::from_raw(NonZeroU32::new(u32::from(3_u16.to_be())).unwrap());
    let socket = socket_with(
        AddressFamily::PACKET,
        SocketType::RAW,
        SocketFlags::CLOEXEC,
        Some(every),
    )
    .unwrap();
    // Pictures of ten megabytes pass by; none may push out what is looked for.
    let _ = set_socket_recv_buffer_size_force(&socket, 128 << 20);
    set_socket_timeout(&socket, Timeout::Recv, Some(Duration::from_millis(100))).unwrap();
    socket
}

fn watch(socket: &OwnedFd, left: &Mutex<Left>, controls: &Mutex<usize>, ends: &AtomicBool) {
    let mut packet = [0; 128];
    while !ends.load(Ordering::SeqCst) {
        let Ok((length, _)) = recv(socket, &mut packet[..], RecvFlags::empty()) else {
            continue;
        };
        match destination(&packet[..length]) {
            Some((_, ip, port)) if (ip, port) == (IpAddr::V4(CONTROL.0), CONTROL.1) => {
                *controls.lock().unwrap() += 1;
            }
            Some((kind, ip, port)) if !is_here(ip) => {
                left.lock().unwrap().places.insert(format!("{kind} {ip}:{port}"));
            }
            _ => {}
        }
    }
}

/// This computer, or the resolver, whose names are written down themselves.
fn is_here(ip: IpAddr) -> bool {
    ip.is_loopback() || ip == IpAddr::V4(RESOLVER)
}

/// Where a frame goes: only the beginning of a TCP connection counts, as its answers go the other way.
fn destination(frame: &[u8]) -> Option<(&'static str, IpAddr, u16)> {
    let at = |n: usize| frame.get(n).copied();
    let word = |n: usize| Some(u16::from_be_bytes([at(n)?, at(n + 1)?]));
    let (protocol, ip, inner) = match word(12)? {
        0x0800 => {
            let head = usize::from(at(14)? & 0x0f) * 4;
            let ip: [u8; 4] = frame.get(30..34)?.try_into().ok()?;
            (at(23)?, IpAddr::V4(Ipv4Addr::from(ip)), 14 + head)
        }
        0x86dd => {
            let ip: [u8; 16] = frame.get(38..54)?.try_into().ok()?;
            (at(20)?, IpAddr::V6(Ipv6Addr::from(ip)), 54)
        }
        _ => return None,
    };
    let port = word(inner + 2)?;
    match protocol {
        6 => {
            let flags = at(inner + 13)?;
            let begins = flags & 0x02 != 0 && flags & 0x10 == 0;
            begins.then_some(("tcp", ip, port))
        }
        17 => {
            // The resolver's answers come from its port.
            let answers = word(inner)? == 53;
            (!answers).then_some(("udp", ip, port))
        }
        // ICMP tells what could not be reached.
        1 | 58 => None,
        _ => Some(("other", ip, 0)),
    }
}

/// Writes each name down and says that it leads to everybody.
fn answer_names(socket: &UdpSocket, left: &Mutex<Left>, ends: &AtomicBool) {
    let mut question = [0; 512];
    while !ends.load(Ordering::SeqCst) {
        let Ok((length, from)) = socket.recv_from(&mut question) else {
            continue;
        };
        let question = &question[..length];
        let Some((name, end)) = name_in(question) else {
            continue;
        };
        left.lock().unwrap().names.insert(name);
        let is_v4 = question.get(end..end + 2) == Some(&[0, 1]);
        let mut answer = question[..end + 4].to_vec();
        // An answer, without an error; one record where an IPv4 address was asked for.
        answer[2..12].copy_from_slice(&[0x81, 0x80, 0, 1, 0, u8::from(is_v4), 0, 0, 0, 0]);
        if is_v4 {
            answer.extend([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]);
            answer.extend(EVERYBODY.octets());
        }
        let _ = socket.send_to(&answer, from);
    }
}

/// The name a DNS question asks for, and where its type stands.
fn name_in(question: &[u8]) -> Option<(String, usize)> {
    let mut at = 12;
    let mut labels = Vec::new();
    loop {
        let length = usize::from(*question.get(at)?);
        at += 1;
        if length == 0 {
            break;
        }
        labels.push(String::from_utf8_lossy(question.get(at..at + length)?).into_owned());
        at += length;
    }
    question.get(at..at + 4)?;
    Some((labels.join("."), at))
}
