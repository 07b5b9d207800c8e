//! Phones of other makers and other Androids than the demo phones': what differs on the wire follows from manufacturer and
//! `sdk` (`phone::properties`, `tools::dumpsys`). Models are real ones; serials invented.

use super::profiles::{PhoneProfile, demo_profiles};
use crate::fault::Fault;
use std::str::FromStr;

/// A maker's way with Android.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brand {
    /// Google: Android as its sources have it.
    Pixel,
    /// One UI.
    Samsung,
    /// HyperOS, MIUI before it: no injected input until "USB debugging (Security settings)" is on.
    Xiaomi,
    /// EMUI.
    Huawei,
    /// MagicOS.
    Honor,
}

/// A name that is no brand's, or an Android that is not modelled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchPhone {
    /// Not one of [`Brand::NAMES`].
    #[error("no brand is called {0:?}; known: pixel, samsung, xiaomi, huawei, honor")]
    Brand(String),
    /// Not 8 to 16.
    #[error("Android {0} is not modelled; 8 to 16 are")]
    Android(u32),
}

impl Brand {
    /// Every brand by name.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("pixel", Self::Pixel),
        ("samsung", Self::Samsung),
        ("xiaomi", Self::Xiaomi),
        ("huawei", Self::Huawei),
        ("honor", Self::Honor),
    ];

    /// A phone of this maker's with an Android of 8 to 16.
    ///
    /// # Errors
    /// [`NoSuchPhone::Android`] for any other.
    pub fn profile(self, android: u32) -> Result<PhoneProfile, NoSuchPhone> {
        let sdk = match android {
            8 => 26,
            9..=12 => 19 + android,
            13..=16 => 20 + android,
            _ => return Err(NoSuchPhone::Android(android)),
        };
        let [mut profile, ..] = demo_profiles();
        let (serial, maker, model, device, size) = match self {
            Self::Pixel => ("37181FDJH004A1", "Google", "Pixel 8", "shiba", (1080, 2400)),
            Self::Samsung => ("R5CX10QW2ZB", "samsung", "SM-S156V", "a15x", (1080, 2340)),
            Self::Xiaomi => ("7c1e90ab", "Xiaomi", "23127PN0CG", "houji", (1200, 2670)),
            Self::Huawei => ("5ERNW19B18001234", "HUAWEI", "ELS-NX9", "HWELS", (1200, 2640)),
            Self::Honor => ("AKYVBB3C24000357", "HONOR", "ALT-NX1", "HNALT-Q", (1080, 2412)),
        };
        let phone = &mut profile.phone;
        serial.clone_into(&mut phone.serial);
        maker.clone_into(&mut phone.manufacturer);
        model.clone_into(&mut phone.model);
        device.clone_into(&mut phone.device);
        phone.size = size;
        phone.sdk = sdk;
        phone.release = match android {
            8 => "8.0.0".to_owned(),
            android => android.to_string(),
        };
        Ok(profile)
    }

    /// What is difficult about such a phone as it comes.
    #[must_use]
    pub fn faults(self) -> &'static [Fault] {
        match self {
            Self::Xiaomi if crate::test_support::TEST_SUPPORT => &[Fault::InjectEvents],
            _ => &[],
        }
    }
}

impl FromStr for Brand {
    type Err = NoSuchPhone;

    fn from_str(text: &str) -> Result<Self, NoSuchPhone> {
        let found = Self::NAMES.iter().find(|(name, _)| *name == text);
        found
            .map(|(_, brand)| *brand)
            .ok_or_else(|| NoSuchPhone::Brand(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Brand, NoSuchPhone};

    #[test]
    fn every_android_has_its_api_level() {
        for (android, sdk) in [
            (8, 26),
            (9, 28),
            (10, 29),
            (11, 30),
            (12, 31),
            (13, 33),
            (14, 34),
            (15, 35),
            (16, 36),
        ] {
            assert_eq!(Brand::Samsung.profile(android).unwrap().phone.sdk, sdk);
        }
        assert_eq!(Brand::Pixel.profile(7).unwrap_err(), NoSuchPhone::Android(7));
        for (name, brand) in Brand::NAMES {
            assert_eq!(name.parse(), Ok(brand));
        }
        assert!("nokia".parse::<Brand>().is_err());
    }
}
