//! What a phone says of itself when it is first seen.

use crate::connect::server::Device;
use crate::dumpsys::{properties, screen};
use crate::error::AdbError;
use crate::exec::nonce::nonce;
use protocol::Battery;
use std::collections::BTreeMap;
use std::time::Duration;

/// How long a phone may take to introduce itself.
const LIMIT: Duration = Duration::from_secs(10);

/// Serial numbers that many phones share.
const PLACEHOLDERS: [&str; 6] = [
    "",
    "unknown",
    "null",
    "0123456789abcdef",
    "1234567890abcdef",
    "123456789",
];

/// Who a phone is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// Its own serial number, where it has one of its own.
    pub serial_number: Option<String>,
    /// What the person calls it, or its maker and model.
    pub name: Option<String>,
    /// Its model, as it says itself.
    pub model: Option<String>,
    /// Android's version.
    pub android: Option<String>,
    /// Pixels.
    pub size: Option<(u32, u32)>,
    /// Its charge.
    pub battery: Option<Battery>,
    /// It is an emulator: many of them share one serial number.
    pub emulator: bool,
}

/// Asks once, in one shell.
///
/// # Errors
/// When the phone cannot be asked, or says nothing of itself (it is still starting).
pub(crate) async fn ask(device: &Device) -> Result<Details, AdbError> {
    let rule = format!("pocketdeck-{}", nonce());
    let line = format!(
        "getprop; echo {rule}; settings get global device_name; echo {rule}; wm size; echo {rule}; dumpsys battery"
    );
    let output = device.look(&line, LIMIT).await?;
    let text = output.text();
    let mut parts = text.split(rule.as_str());
    let mut next = || parts.next().unwrap_or("");
    let details = read(next(), next(), next(), next());
    details.ok_or_else(|| AdbError::Refused("the phone says nothing of itself".to_owned()))
}

/// Asks for the charge alone.
///
/// # Errors
/// When the phone cannot be asked.
pub(crate) async fn battery(device: &Device) -> Result<Option<Battery>, AdbError> {
    let output = device.look("dumpsys battery", LIMIT).await?;
    Ok(properties::battery(&output.text()))
}

/// Reads what the four commands printed; nothing when there are no properties at all.
#[must_use]
pub fn read(getprop: &str, device_name: &str, wm_size: &str, battery: &str) -> Option<Details> {
    let properties = properties::read(getprop);
    if properties.is_empty() {
        return None;
    }
    let get = |keys: &[&str]| first(&properties, keys);
    let model = get(&[
        "ro.product.model",
        "ro.product.vendor.model",
        "ro.product.odm.model",
    ]);
    let maker = get(&["ro.product.manufacturer", "ro.product.brand"]);
    let given = device_name.trim();
    // An older phone's complaints come out among its answers.
    let odd = given.is_empty()
        || given == "null"
        || given.contains('\n')
        || ["xception", "Can't find service", "not found"]
            .iter()
            .any(|complaint| given.contains(complaint));
    let name = if odd {
        maker_and_model(maker, model)
    } else {
        Some(given.to_owned())
    };
    let serial = get(&["ro.serialno", "ro.boot.serialno"]);
    Some(Details {
        serial_number: serial.filter(|serial| is_own(serial)).map(str::to_owned),
        name,
        model: model.map(str::to_owned),
        android: get(&["ro.build.version.release", "ro.build.version.release_or_codename"])
            .map(str::to_owned),
        size: screen::size(wm_size),
        battery: properties::battery(battery),
        emulator: get(&["ro.kernel.qemu", "ro.boot.qemu"]) == Some("1"),
    })
}

fn first<'a>(properties: &'a BTreeMap<String, String>, keys: &[&str]) -> Option<&'a str> {
    keys.iter()
        .filter_map(|key| properties.get(*key))
        .map(|value| value.trim())
        .find(|value| !value.is_empty())
}

fn is_own(serial: &str) -> bool {
    let low = serial.to_ascii_lowercase();
    !PLACEHOLDERS.contains(&low.as_str()) && low.chars().any(|c| c != '0')
}

/// *Google Pixel 8*; a model that begins with its maker's name stands alone.
fn maker_and_model(maker: Option<&str>, model: Option<&str>) -> Option<String> {
    let model = model?;
    let Some(maker) = maker else {
        return Some(model.to_owned());
    };
    if model.to_lowercase().starts_with(&maker.to_lowercase()) {
        return Some(model.to_owned());
    }
    let mut letters = maker.chars();
    let capital: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect();
    Some(format!("{capital} {model}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_introduces_itself() {
        let getprop = "[ro.serialno]: [R58M]\r\n[ro.product.manufacturer]: [samsung]\r\n[ro.product.model]: [SM-S156V]\r\n\
                       [ro.build.version.release]: [16]\r\n";
        let details = read(
            getprop,
            "Mum's Galaxy\r\n",
            "Physical size: 1080x2340\r\nOverride size: 720x1560\r\n",
            "Current Battery Service state:\r\n  AC powered: false\r\n  USB powered: true\r\n  status: 2\r\n  level: 87\r\n  \
             scale: 100\r\n",
        )
        .unwrap();
        assert_eq!(
            details,
            Details {
                serial_number: Some("R58M".to_owned()),
                name: Some("Mum's Galaxy".to_owned()),
                model: Some("SM-S156V".to_owned()),
                android: Some("16".to_owned()),
                size: Some((720, 1560)),
                battery: Some(Battery {
                    percent: 87,
                    charging: true
                }),
                emulator: false,
            }
        );
    }

    #[test]
    fn what_is_not_said_is_not_known() {
        assert_eq!(read("", "", "", ""), None);
        assert_eq!(read("sh: getprop: not found", "x", "", ""), None);
        let starting = "cmd: Can't find service: settings";
        assert_eq!(read("[a]: [b]", starting, "", "").unwrap().name, None);
        let bare = read("[ro.product.model]: [Pixel 8]", "null", "", "").unwrap();
        assert_eq!(bare.name.as_deref(), Some("Pixel 8"));
        assert_eq!((bare.serial_number, bare.size, bare.battery), (None, None, None));
    }

    #[test]
    fn names_are_made_of_maker_and_model() {
        for (maker, model, expected) in [
            (Some("samsung"), Some("SM-A515F"), Some("Samsung SM-A515F")),
            (Some("Google"), Some("Pixel 8"), Some("Google Pixel 8")),
            (Some("OnePlus"), Some("ONEPLUS A6013"), Some("ONEPLUS A6013")),
            (None, Some("Pixel"), Some("Pixel")),
            (Some("Google"), None, None),
        ] {
            assert_eq!(maker_and_model(maker, model).as_deref(), expected);
        }
    }

    #[test]
    fn a_number_many_phones_share_is_nobodys() {
        for shared in ["", "unknown", "0123456789ABCDEF", "0000000000"] {
            assert!(!is_own(shared), "{shared}");
        }
        assert!(is_own("R58M"));
    }
}
