//! Apps' icons as their phones draw them: each is asked for once.

use crate::Engine;
use crate::icon_cache::Icon;
use protocol::PhoneId;

impl Engine {
    /// An app's icon as its phone draws it: a PNG of at most 96 pixels a side. Nothing where the phone is not there or gives none within
    /// a second; it may when it is asked again. One that came is kept for as long as the program runs.
    pub async fn app_icon(&self, phone: &PhoneId, package: &str) -> Option<Vec<u8>> {
        let icons = &self.inner.icons;
        if let Some(png) = icons.get(phone, package) {
            return Some(png);
        }
        let png = self.inner.roster.phone(phone)?.icon(package).await?;
        icons.keep(Icon {
            phone: phone.clone(),
            package: package.to_owned(),
            png: png.clone(),
        });
        Some(png)
    }
}
