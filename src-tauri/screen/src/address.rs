//! Which site a browser shows, where its address can be read for certain.

use crate::tree::{Node, Tree};

/// Browsers, and what the field with the address is called in them; nothing where nobody looked.
const BARS: &[(&str, &str)] = &[
    ("com.UCMobile.intl", ""),
    ("com.android.browser", "url_bar"),
    ("com.android.chrome", "url_bar"),
    ("com.brave.browser", "url_bar"),
    ("com.chrome.beta", "url_bar"),
    ("com.coloros.browser", ""),
    ("com.duckduckgo.mobile.android", "omnibarTextInput"),
    ("com.heytap.browser", ""),
    ("com.huawei.browser", ""),
    ("com.kiwibrowser.browser", "url_bar"),
    ("com.mi.globalbrowser", ""),
    ("com.microsoft.emmx", "url_bar"),
    ("com.opera.browser", "url_field"),
    ("com.opera.gx", "url_field"),
    ("com.opera.mini.native", "url_field"),
    ("com.tencent.mtt", ""),
    ("com.sec.android.app.sbrowser", "location_bar_edit_text"),
    ("com.vivaldi.browser", "url_bar"),
    ("com.vivo.browser", ""),
    ("com.yandex.browser", ""),
    ("org.chromium.chrome", "url_bar"),
    ("org.mozilla.fenix", "mozac_browser_toolbar_url_view"),
    ("org.mozilla.firefox", "mozac_browser_toolbar_url_view"),
    ("org.mozilla.focus", "mozac_browser_toolbar_url_view"),
];

/// Whether this app shows any site: what is meant for one of them is not for the app.
#[must_use]
pub fn is_browser(package: &str) -> bool {
    BARS.iter().any(|(browser, _)| *browser == package)
}

/// Whether a browser calls its own field with the address so.
#[must_use]
pub fn is_address_bar(resource_id: &str) -> bool {
    let bar = resource_id.split_once(":id/");
    bar.is_some_and(|bar| !bar.1.is_empty() && BARS.contains(&bar))
}

/// The site a browser shows, as [`host`] writes it. None where nobody can be sure: no known browser, no address bar or
/// several (a page may name its own fields as it likes), an address that is being typed, a page without a site.
#[must_use]
pub fn address(tree: &Tree) -> Option<String> {
    let mut bars = tree.nodes.iter().filter(|node| is_bar(node));
    let bar = bars.next()?;
    if bars.next().is_some() || bar.focused || !bar.visible || is_in_page(tree, bar) {
        return None;
    }
    host(&bar.text)
}

fn is_bar(node: &Node) -> bool {
    let package = node.resource_id.split_once(":id/").map(|(package, _)| package);
    package == Some(node.package.as_str()) && is_address_bar(&node.resource_id)
}

/// Whether a page drew it, and not the browser.
fn is_in_page(tree: &Tree, node: &Node) -> bool {
    let mut above = node.parent;
    while let Some(parent) = above.and_then(|at| tree.nodes.get(at)) {
        if parent.class_name().contains("WebView") {
            return true;
        }
        above = parent.parent;
    }
    false
}

/// The site of an address: small letters, without `www.`, with its port where it has one of its own. None for what is no
/// site's address, for an open connection (`http:`), and for letters that look like others.
#[must_use]
pub fn host(address: &str) -> Option<String> {
    let address = address.trim();
    let rest = match address.split_once("://") {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => rest,
        Some(_) => return None,
        None => address,
    };
    let site = rest.split(['/', '?', '#']).next()?.to_ascii_lowercase();
    let site = site.strip_suffix(":443").unwrap_or(&site);
    let site = site.strip_prefix("www.").unwrap_or(site);
    let (name, port) = match site.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (site, None),
    };
    let is_label =
        |label: &str| !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let is_port = |port: &str| (1..=5).contains(&port.len()) && port.chars().all(|c| c.is_ascii_digit());
    (name.contains('.') && name.split('.').all(is_label) && port.is_none_or(is_port)).then(|| site.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_read_from_what_a_bar_shows() {
        for (shown, expected) in [
            ("northbank.example", Some("northbank.example")),
            (
                "https://www.Northbank.example/sign-in?x=1#y",
                Some("northbank.example"),
            ),
            ("northbank.example:443/a", Some("northbank.example")),
            ("northbank.example:8443", Some("northbank.example:8443")),
            ("http://northbank.example", None),
            ("northbank.example@evil.example", None),
            ("about:blank", None),
            ("Search or type web address", None),
            ("nоrthbank.example", None),
            ("northbank.example.", None),
            ("northbank", None),
            ("", None),
        ] {
            assert_eq!(host(shown).as_deref(), expected, "{shown}");
        }
    }

    fn node(id: &str, class: &str, text: &str, more: &str, inner: &str) -> String {
        format!(
            r#"<node index="0" text="{text}" resource-id="com.android.chrome:id/{id}" class="{class}" package="com.android.chrome" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" {more} scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][400,100]">{inner}</node>"#
        )
    }

    #[track_caller]
    fn check(nodes: &str, expected: Option<&str>) {
        let xml = format!(
            "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">{nodes}</hierarchy>"
        );
        let tree = Tree::read(&xml, 400, 800, 100).unwrap();
        assert_eq!(address(&tree).as_deref(), expected, "{nodes}");
    }

    #[test]
    fn only_the_browsers_own_bar_says_where_it_is() {
        let bar = |more| {
            node(
                "url_bar",
                "android.widget.EditText",
                "northbank.example/login",
                more,
                "",
            )
        };
        let still = bar(r#"focused="false""#);
        check(&still, Some("northbank.example"));
        // Somebody is typing in it.
        check(&bar(r#"focused="true""#), None);
        // A page that calls its own field so: beside the bar, and where the bar is hidden.
        let page = node("page", "android.webkit.WebView", "", r#"focused="false""#, &still);
        check(&format!("{still}{page}"), None);
        check(&page, None);
        check(
            &node("title", "android.widget.TextView", "northbank.example", "", ""),
            None,
        );
    }
}
