//! What a node is, in one word.
//!
//! | role | what |
//! |---|---|
//! | `button` | takes taps: buttons, floating buttons, named clickable containers, tappable text of an app |
//! | `link` | tappable text inside a web page |
//! | `text` | words that take no taps |
//! | `field` | text can be typed into it |
//! | `switch` `checkbox` `radio` | on or off; a row whose only purpose is one of them takes its role |
//! | `slider` `progress` `rating` | a value on a line |
//! | `spinner` | opens a list of choices |
//! | `tab` | one of several views, by its class or its id |
//! | `item` | one entry of a list that takes taps |
//! | `image` | a picture, tappable or named |
//! | `list` `scroll_area` `pager` | can be scrolled: rows of the same kind; anything; sideways, as pages are |
//! | `web` | a web page as a whole |
//! | `keyboard_key` | a key of the soft keyboard |
//! | `other` | anything else that can be acted on |

use super::Node;

/// What surrounds a node, where that decides.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around<'a> {
    /// Inside a web page.
    pub(super) web: bool,
    /// The enclosing node.
    pub(super) parent: Option<&'a Node>,
}

/// The role of a node.
pub(super) fn role(node: &Node, around: Around<'_>) -> &'static str {
    let class = node.class_name();
    if is_key(node, class) {
        return "keyboard_key";
    }
    if is_field(node) {
        return "field";
    }
    if let Some(role) = by_class(node, class, around) {
        return role;
    }
    let tappable = node.clickable || node.long_clickable;
    if tappable && is_tab(node, around.parent) {
        return "tab";
    }
    match class {
        "Button" | "ImageButton" | "FloatingActionButton" | "MaterialButton" | "Chip" => "button",
        _ if node.checkable => "checkbox",
        "ImageView" | "Image" => {
            if tappable && !node.description.is_empty() {
                "button"
            } else {
                "image"
            }
        }
        "WebView" => "web",
        _ if node.scrollable => "scroll_area",
        _ if !tappable => "text",
        _ if around.parent.is_some_and(is_rows) => "item",
        _ if around.web => "link",
        _ if class.contains("ImageView") => "image",
        _ if node.clickable => "button",
        _ => "other",
    }
}

/// Roles that the class alone decides.
fn by_class(node: &Node, class: &str, around: Around<'_>) -> Option<&'static str> {
    Some(match class {
        "Switch" | "SwitchCompat" | "SwitchMaterial" | "MaterialSwitch" | "ToggleButton" => "switch",
        "CheckBox" | "AppCompatCheckBox" => "checkbox",
        "RadioButton" | "AppCompatRadioButton" => "radio",
        "SeekBar" | "AppCompatSeekBar" | "Slider" | "RangeSlider" => "slider",
        "RatingBar" => "rating",
        "ProgressBar" => "progress",
        "Spinner" | "AppCompatSpinner" => "spinner",
        "ViewPager" | "ViewPager2" | "HorizontalScrollView" if node.scrollable => "pager",
        "TabView" | "Tab" | "TabLayout$TabView" | "ActionBar$Tab" => "tab",
        "Key" | "Keyboard$Key" => "keyboard_key",
        // ViewPager2 leaves the moving to a list of its own.
        _ if node.scrollable
            && around
                .parent
                .is_some_and(|parent| parent.class_name() == "ViewPager2") =>
        {
            "pager"
        }
        _ if node.scrollable && is_rows(node) => "list",
        _ if class.ends_with("Switch") && node.checkable => "switch",
        _ => return None,
    })
}

/// Text can be typed into it.
pub(super) fn is_field(node: &Node) -> bool {
    let class = node.class_name();
    node.password
        || class.contains("EditText")
        || class.contains("TextInputEdit")
        || matches!(
            class,
            "AutoCompleteTextView" | "MultiAutoCompleteTextView" | "SearchAutoComplete"
        )
        || class.ends_with("$SearchAutoComplete")
}

/// It lays out rows or cells of one kind.
pub(super) fn is_rows(node: &Node) -> bool {
    let class = node.class_name();
    class.contains("RecyclerView") || class.contains("ListView") || class.contains("GridView")
}

/// A choice among views, by its own class or id or by what it sits in.
fn is_tab(node: &Node, parent: Option<&Node>) -> bool {
    fn names_tabs(node: &Node) -> bool {
        let id = node.id_name();
        let class = node.class_name();
        class.contains("TabLayout")
            || class == "TabWidget"
            || class.contains("BottomNavigation")
            || id
                .split('_')
                .any(|word| matches!(word, "tab" | "tabs" | "tabbar" | "tablayout"))
            || id.contains("bottom_nav")
            || id.contains("navigation_bar_item")
    }
    names_tabs(node) || parent.is_some_and(names_tabs)
}

/// A key of a soft keyboard: the window belongs to an input method.
fn is_key(node: &Node, class: &str) -> bool {
    let package = node.package.as_str();
    let keyboard = package.contains("inputmethod")
        || package.contains("honeyboard")
        || package.contains("swiftkey")
        || package.ends_with(".keyboard")
        || package.contains(".keyboard.")
        || package.ends_with(".ime");
    keyboard && (node.clickable || class == "Key" || node.id_name().starts_with("key_pos"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_by_class_flags_and_surroundings() {
        let rows = Node {
            class: "androidx.recyclerview.widget.RecyclerView".into(),
            ..Node::default()
        };
        let tabs = Node {
            class: "android.widget.HorizontalScrollView".into(),
            resource_id: "com.example:id/tabs".into(),
            ..Node::default()
        };
        let plain = Around::default();
        let pager = Node {
            class: "androidx.viewpager2.widget.ViewPager2".into(),
            ..Node::default()
        };
        let in_pager = Around {
            web: false,
            parent: Some(&pager),
        };
        let in_rows = Around {
            web: false,
            parent: Some(&rows),
        };
        let in_tabs = Around {
            web: false,
            parent: Some(&tabs),
        };
        let web = Around {
            web: true,
            parent: None,
        };
        // class · flags (c click, l long, k checkable, s scroll, p password, d described) · around · role
        for (class, flags, around, expected) in [
            ("android.widget.Button", "c", plain, "button"),
            ("android.widget.ImageButton", "c", plain, "button"),
            ("android.widget.TextView", "", plain, "text"),
            ("android.widget.TextView", "c", plain, "button"),
            ("android.widget.TextView", "c", web, "link"),
            ("android.view.View", "c", web, "link"),
            ("android.view.View", "", plain, "text"),
            ("android.view.View", "k", plain, "checkbox"),
            ("android.widget.EditText", "c", plain, "field"),
            ("android.view.View", "cp", plain, "field"),
            ("android.widget.AutoCompleteTextView", "c", plain, "field"),
            ("android.widget.Switch", "ck", plain, "switch"),
            ("com.example.widget.OnSwitch", "ck", plain, "switch"),
            ("android.widget.ToggleButton", "ck", plain, "switch"),
            ("android.widget.CheckBox", "ck", plain, "checkbox"),
            ("android.widget.RadioButton", "ck", plain, "radio"),
            ("android.widget.SeekBar", "", plain, "slider"),
            ("android.widget.RatingBar", "", plain, "rating"),
            ("android.widget.ProgressBar", "", plain, "progress"),
            ("android.widget.Spinner", "c", plain, "spinner"),
            ("android.widget.ImageView", "", plain, "image"),
            ("android.widget.ImageView", "c", plain, "image"),
            ("android.widget.ImageView", "cd", plain, "button"),
            ("android.widget.LinearLayout", "c", plain, "button"),
            ("android.widget.LinearLayout", "l", plain, "other"),
            ("android.widget.LinearLayout", "c", in_rows, "item"),
            ("android.widget.LinearLayout", "c", in_tabs, "tab"),
            ("androidx.appcompat.app.ActionBar$Tab", "c", plain, "tab"),
            ("androidx.recyclerview.widget.RecyclerView", "s", plain, "list"),
            ("android.widget.GridView", "s", plain, "list"),
            ("android.widget.ScrollView", "s", plain, "scroll_area"),
            ("androidx.viewpager.widget.ViewPager", "s", plain, "pager"),
            ("android.widget.HorizontalScrollView", "s", plain, "pager"),
            (
                "androidx.recyclerview.widget.RecyclerView",
                "s",
                in_pager,
                "pager",
            ),
            ("android.webkit.WebView", "s", plain, "web"),
            (
                "android.inputmethodservice.Keyboard$Key",
                "c",
                plain,
                "keyboard_key",
            ),
            ("", "c", plain, "button"),
        ] {
            let has = |flag| flags.contains(flag);
            let node = Node {
                class: class.into(),
                clickable: has('c'),
                long_clickable: has('l'),
                checkable: has('k'),
                scrollable: has('s'),
                password: has('p'),
                description: if has('d') { "Back".into() } else { String::new() },
                ..Node::default()
            };
            assert_eq!(role(&node, around), expected, "{class} {flags}");
        }
        let key = Node {
            class: "android.widget.FrameLayout".into(),
            package: "com.google.android.inputmethod.latin".into(),
            clickable: true,
            ..Node::default()
        };
        assert_eq!(role(&key, plain), "keyboard_key");
    }
}
