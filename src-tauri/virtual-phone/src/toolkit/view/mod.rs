//! A view: one box of a screen, what is in it, what happens when it is touched, and how it is told to accessibility.

mod content;
mod layout_style;
mod make;
mod message;
mod modify;

pub(crate) use content::{Content, Field, ImeAction, InputKind, Painter, Picture};
pub(crate) use layout_style::{
    Axis, BoxStyle, CrossAxisAlignment, Edges, Inset, LayoutStyle, Length, MainAxisAlignment,
};
pub(crate) use make::{
    button, checkbox, column, emoji, field, gap, icon, painting, picture, progress, radio, rich, row, scroll,
    slider, spinner, spring, stack, switch, text,
};
pub(crate) use message::{DragEvent, DragPhase, Reply, ScreenMessage};

/// Android's class names, as the accessibility tree gives them.
pub(crate) mod class {
    pub(crate) const VIEW: &str = "android.view.View";
    pub(crate) const GROUP: &str = "android.view.ViewGroup";
    pub(crate) const FRAME: &str = "android.widget.FrameLayout";
    pub(crate) const LINEAR: &str = "android.widget.LinearLayout";
    pub(crate) const RELATIVE: &str = "android.widget.RelativeLayout";
    pub(crate) const RECYCLER: &str = "androidx.recyclerview.widget.RecyclerView";
    pub(crate) const SCROLL: &str = "android.widget.ScrollView";
    pub(crate) const HORIZONTAL: &str = "android.widget.HorizontalScrollView";
    pub(crate) const TEXT: &str = "android.widget.TextView";
    pub(crate) const BUTTON: &str = "android.widget.Button";
    pub(crate) const IMAGE: &str = "android.widget.ImageView";
    pub(crate) const IMAGE_BUTTON: &str = "android.widget.ImageButton";
    pub(crate) const EDIT: &str = "android.widget.EditText";
    pub(crate) const SWITCH: &str = "android.widget.Switch";
    pub(crate) const CHECK: &str = "android.widget.CheckBox";
    pub(crate) const RADIO: &str = "android.widget.RadioButton";
    pub(crate) const SEEK: &str = "android.widget.SeekBar";
    pub(crate) const PROGRESS: &str = "android.widget.ProgressBar";
    pub(crate) const SPINNER: &str = "android.widget.Spinner";
    pub(crate) const LIST: &str = "android.widget.ListView";
    pub(crate) const WEB: &str = "android.webkit.WebView";
}

/// One box of a screen.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// Resource entry: `title` is told as `<package>:id/title`, one with a colon (`android:id/content`) as it stands.
    pub(crate) id: &'static str,
    /// What the view is called between two trees, for scroll position, focus and caret; else its place in the tree.
    pub(crate) key: Option<String>,
    pub(crate) class: &'static str,
    /// `content-desc`.
    pub(crate) desc: String,
    /// What the tree tells as `text`, where it is not the content's own.
    pub(crate) says: Option<String>,
    pub(crate) shape: LayoutStyle,
    pub(crate) skin: BoxStyle,
    pub(crate) content: Content,
    pub(crate) click: Option<ScreenMessage>,
    pub(crate) long: Option<ScreenMessage>,
    pub(crate) double: Option<ScreenMessage>,
    pub(crate) pull: Option<Reply<DragEvent>>,
    pub(crate) enabled: bool,
    pub(crate) selected: bool,
    /// `Some` makes it checkable.
    pub(crate) checked: Option<bool>,
    pub(crate) scroll: Option<Axis>,
    /// A list that opens at its end and stays there (a conversation).
    pub(crate) from_end: bool,
    /// Takes the focus when a key asks for one and nothing has it.
    pub(crate) default_focus: bool,
    /// Its children are parts of its picture, not views in the accessibility tree.
    pub(crate) flat: bool,
    pub(crate) children: Vec<View>,
}

impl View {
    pub(crate) fn new(class: &'static str, content: Content) -> Self {
        Self {
            id: "",
            key: None,
            class,
            desc: String::new(),
            says: None,
            shape: LayoutStyle::default(),
            skin: BoxStyle::default(),
            content,
            click: None,
            long: None,
            double: None,
            pull: None,
            enabled: true,
            selected: false,
            checked: None,
            scroll: None,
            from_end: false,
            default_focus: false,
            flat: false,
            children: Vec::new(),
        }
    }

    /// What the tree tells as `text`: a field's hint stands for its missing text, as Android's `TextView` does.
    pub(crate) fn spoken(&self) -> String {
        if let Some(says) = &self.says {
            return says.clone();
        }
        match &self.content {
            Content::Text { spans, .. } => spans.iter().map(|span| span.text.as_str()).collect(),
            Content::Field(field) if field.text.is_empty() => field.hint.clone(),
            Content::Field(field) => field.shown(),
            _ => String::new(),
        }
    }
}
