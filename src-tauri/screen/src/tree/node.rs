//! One node of the UI tree.

use protocol::Bounds;

/// One node of the tree, as `uiautomator` writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the dump's own flags")]
pub struct Node {
    /// The enclosing node's place in [`Tree::nodes`].
    pub parent: Option<usize>,
    /// `android.widget.Button`.
    pub class: String,
    /// `com.example.shop`.
    pub package: String,
    /// `com.example.shop:id/pay`, or empty.
    pub resource_id: String,
    /// What is written on it, entities resolved; empty for a password.
    pub text: String,
    /// What a screen reader would say (`content-desc`).
    pub description: String,
    /// What an empty field asks for; only newer phones tell.
    pub hint: String,
    /// Pixels, not clipped.
    pub bounds: Bounds,
    /// False where the dump says it cannot be seen.
    pub visible: bool,
    /// It can be checked.
    pub checkable: bool,
    /// It is checked.
    pub checked: bool,
    /// It takes taps.
    pub clickable: bool,
    /// It takes long presses.
    pub long_clickable: bool,
    /// It is not greyed out.
    pub enabled: bool,
    /// It can have the focus.
    pub focusable: bool,
    /// It has the focus.
    pub focused: bool,
    /// Its content can be scrolled.
    pub scrollable: bool,
    /// It hides what is typed.
    pub password: bool,
    /// It is the chosen one among its like.
    pub selected: bool,
}

impl Node {
    /// The class without its package: `Button`.
    #[must_use]
    pub fn class_name(&self) -> &str {
        self.class.rsplit('.').next().unwrap_or(&self.class)
    }

    /// The resource id without its package: `pay`.
    #[must_use]
    pub fn id_name(&self) -> &str {
        self.resource_id.rsplit('/').next().unwrap_or(&self.resource_id)
    }

    /// Whether text can be typed into it.
    #[must_use]
    pub fn is_field(&self) -> bool {
        let class = self.class_name();
        self.password
            || class.contains("EditText")
            || class.contains("TextInputEdit")
            || matches!(
                class,
                "AutoCompleteTextView" | "MultiAutoCompleteTextView" | "SearchAutoComplete"
            )
            || class.ends_with("$SearchAutoComplete")
    }
}
