//! What a node is.

use super::node::Node;
use protocol::Role;

/// What surrounds a node, where that decides.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeContext<'a> {
    /// Inside a web page.
    pub(super) web: bool,
    /// The enclosing node.
    pub(super) parent: Option<&'a Node>,
}

/// The role of a node.
pub(super) fn role(node: &Node, around: NodeContext<'_>) -> Role {
    let class = node.class_name();
    if is_key(node, class) {
        return Role::KeyboardKey;
    }
    if node.is_field() {
        return Role::Field;
    }
    if let Some(role) = by_class(node, class, around) {
        return role;
    }
    let tappable = node.clickable || node.long_clickable;
    if tappable && is_tab(node, around.parent) {
        return Role::Tab;
    }
    match class {
        "Button" | "ImageButton" | "FloatingActionButton" | "MaterialButton" | "Chip" => Role::Button,
        _ if node.checkable => Role::Checkbox,
        "ImageView" | "Image" => {
            if tappable && !node.description.is_empty() {
                Role::Button
            } else {
                Role::Image
            }
        }
        "WebView" => Role::Web,
        _ if node.scrollable => Role::ScrollArea,
        _ if !tappable => Role::Text,
        _ if around.parent.is_some_and(is_rows) => Role::Item,
        _ if around.web => Role::Link,
        _ if class.contains("ImageView") => Role::Image,
        _ if node.clickable => Role::Button,
        _ => Role::Other,
    }
}

/// Roles that the class alone decides.
fn by_class(node: &Node, class: &str, around: NodeContext<'_>) -> Option<Role> {
    Some(match class {
        "Switch" | "SwitchCompat" | "SwitchMaterial" | "MaterialSwitch" | "ToggleButton" => Role::Switch,
        "CheckBox" | "AppCompatCheckBox" => Role::Checkbox,
        "RadioButton" | "AppCompatRadioButton" => Role::Radio,
        "SeekBar" | "AppCompatSeekBar" | "Slider" | "RangeSlider" => Role::Slider,
        "RatingBar" => Role::Rating,
        "ProgressBar" => Role::Progress,
        "Spinner" | "AppCompatSpinner" => Role::Spinner,
        "ViewPager" | "ViewPager2" | "HorizontalScrollView" if node.scrollable => Role::Pager,
        "TabView" | "Tab" | "TabLayout$TabView" | "ActionBar$Tab" => Role::Tab,
        "Key" | "Keyboard$Key" => Role::KeyboardKey,
        // ViewPager2 leaves the moving to a list of its own.
        _ if node.scrollable
            && around
                .parent
                .is_some_and(|parent| parent.class_name() == "ViewPager2") =>
        {
            Role::Pager
        }
        _ if node.scrollable && is_rows(node) => Role::List,
        _ if class.ends_with("Switch") && node.checkable => Role::Switch,
        _ => return None,
    })
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
        let plain = NodeContext::default();
        let pager = Node {
            class: "androidx.viewpager2.widget.ViewPager2".into(),
            ..Node::default()
        };
        let in_pager = NodeContext {
            web: false,
            parent: Some(&pager),
        };
        let in_rows = NodeContext {
            web: false,
            parent: Some(&rows),
        };
        let in_tabs = NodeContext {
            web: false,
            parent: Some(&tabs),
        };
        let web = NodeContext {
            web: true,
            parent: None,
        };
        // class · flags (c click, l long, k checkable, s scroll, p password, d described) · around · role
        for (class, flags, around, expected) in [
            ("android.widget.Button", "c", plain, Role::Button),
            ("android.widget.ImageButton", "c", plain, Role::Button),
            ("android.widget.TextView", "", plain, Role::Text),
            ("android.widget.TextView", "c", plain, Role::Button),
            ("android.widget.TextView", "c", web, Role::Link),
            ("android.view.View", "c", web, Role::Link),
            ("android.view.View", "", plain, Role::Text),
            ("android.view.View", "k", plain, Role::Checkbox),
            ("android.widget.EditText", "c", plain, Role::Field),
            ("android.view.View", "cp", plain, Role::Field),
            ("android.widget.AutoCompleteTextView", "c", plain, Role::Field),
            ("android.widget.Switch", "ck", plain, Role::Switch),
            ("com.example.widget.OnSwitch", "ck", plain, Role::Switch),
            ("android.widget.ToggleButton", "ck", plain, Role::Switch),
            ("android.widget.CheckBox", "ck", plain, Role::Checkbox),
            ("android.widget.RadioButton", "ck", plain, Role::Radio),
            ("android.widget.SeekBar", "", plain, Role::Slider),
            ("android.widget.RatingBar", "", plain, Role::Rating),
            ("android.widget.ProgressBar", "", plain, Role::Progress),
            ("android.widget.Spinner", "c", plain, Role::Spinner),
            ("android.widget.ImageView", "", plain, Role::Image),
            ("android.widget.ImageView", "c", plain, Role::Image),
            ("android.widget.ImageView", "cd", plain, Role::Button),
            ("android.widget.LinearLayout", "c", plain, Role::Button),
            ("android.widget.LinearLayout", "l", plain, Role::Other),
            ("android.widget.LinearLayout", "c", in_rows, Role::Item),
            ("android.widget.LinearLayout", "c", in_tabs, Role::Tab),
            ("androidx.appcompat.app.ActionBar$Tab", "c", plain, Role::Tab),
            (
                "androidx.recyclerview.widget.RecyclerView",
                "s",
                plain,
                Role::List,
            ),
            ("android.widget.GridView", "s", plain, Role::List),
            ("android.widget.ScrollView", "s", plain, Role::ScrollArea),
            ("androidx.viewpager.widget.ViewPager", "s", plain, Role::Pager),
            ("android.widget.HorizontalScrollView", "s", plain, Role::Pager),
            (
                "androidx.recyclerview.widget.RecyclerView",
                "s",
                in_pager,
                Role::Pager,
            ),
            ("android.webkit.WebView", "s", plain, Role::Web),
            (
                "android.inputmethodservice.Keyboard$Key",
                "c",
                plain,
                Role::KeyboardKey,
            ),
            ("", "c", plain, Role::Button),
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
        assert_eq!(role(&key, plain), Role::KeyboardKey);
    }
}
