//! An emulator's console: the place gets there, past the adb server, and nowhere without the word.

use crate::judged::judged;
use adb::{AdbPhone, AdbServer, Device, Link};
use agent::lease::Lease;
use agent::ports::{Phone, PhoneError};
use judge::Input;
use protocol::PhoneId;
use tokio::net::TcpListener;
use virtual_phone::system::System;
use virtual_phone::{Host, Options};

#[tokio::test]
async fn an_emulator_is_told_where_it_is() {
    let home = std::env::home_dir().unwrap_or_default();
    let token = std::fs::read_to_string(home.join(".emulator_console_auth_token")).unwrap_or_default();
    // Whatever word this computer's emulators ask for is the one that is shown.
    for (word, works) in [
        (token.trim().to_owned(), true),
        (format!("{}-another", token.trim()), false),
    ] {
        let console = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = console.local_addr().unwrap().port();
        let host = Host::new();
        let options = Options {
            serial: Some(format!("emulator-{port}")),
            ..Options::default()
        };
        let handle = host.add(Box::new(System::try_new(crate::rig::small()).unwrap()), options);
        handle.serve_console(console, &word).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = host.serve(listener).unwrap();
        let server = AdbServer::new(Link::Tcp(address.to_string()));
        let phone = AdbPhone::new(PhoneId::from("emulator"), Device::new(server, handle.serial()));
        assert!(phone.can_be_placed());
        let grip = Lease::new().take();
        let placed = phone
            .place(
                52.52,
                -13.405,
                &judged(Input::Location {
                    place: "52.52, -13.405".into(),
                }),
                &grip,
            )
            .await;
        if works {
            placed.unwrap();
            assert_eq!(handle.placed(), Some((52.52, -13.405)));
            // Another place than the one that was judged, and another input.
            for other in [
                Input::Location {
                    place: "52.52, 13.405".into(),
                },
                Input::Wake,
            ] {
                let placed = phone.place(52.52, -13.4, &judged(other), &grip).await;
                assert!(matches!(placed, Err(PhoneError::NotSupported(_))), "{placed:?}");
            }
            assert_eq!(handle.placed(), Some((52.52, -13.405)));
            assert!(matches!(
                phone.place(123.0, 0.0, &judged(Input::Location { place: "123, 0".into() }), &grip).await,
                Err(PhoneError::Refused(why)) if why.contains("invalid latitude")
            ));
        } else {
            assert!(matches!(placed, Err(PhoneError::Refused(_))), "{placed:?}");
            assert_eq!(handle.placed(), None);
        }
        host.stop().await;
    }
}

#[tokio::test]
async fn a_phone_is_where_it_is() {
    let rig = crate::rig::Rig::socket(crate::rig::Setup::at("")).await;
    assert!(!rig.phone.can_be_placed());
    let placed = rig
        .phone
        .place(
            52.52,
            13.405,
            &judged(Input::Location {
                place: "52.52, 13.405".into(),
            }),
            &rig.lease.take(),
        )
        .await;
    assert!(matches!(placed, Err(PhoneError::NotSupported(_))));
}
