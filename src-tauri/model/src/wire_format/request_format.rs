//! What each server takes of a request: begins with all and learns from refusals.

use crate::error::{ModelError, ServerMessage};
use protocol::WireShape;

/// Tokens one answer may have: a long thought and one action, with room for models that think aloud first.
const CAP: u32 = 8192;
/// The same for servers that refuse [`CAP`] and must be told one.
const SMALL_CAP: u32 = 4096;

/// Which of the optional fields this server takes, and in which shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RequestFormat {
    pub(crate) shape: WireShape,
    /// Shapes that were not there, in the order they were tried: the first is the one that was told.
    tried: [Option<WireShape>; 4],
    /// Nobody told what is spoken at this address: every shape may be tried.
    searches: bool,
    pub(super) means: ActionMethod,
    pub(super) cap: LengthLimit,
    /// Tokens one answer may have.
    most: u32,
    /// The other name of the cap was refused already.
    pub(super) is_cap_swapped: bool,
    pub(super) is_cap_small: bool,
    pub(super) stream: bool,
    /// The count of tokens in a stream (chat); the mark of what is to be kept (messages).
    pub(super) usage: bool,
    pub(super) temperature: bool,
    pub(super) effort: bool,
    /// How closely a picture is looked at.
    pub(super) detail: bool,
}

/// How the model is made to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ActionMethod {
    /// It must call the tool.
    ForcedTool,
    /// It may call the tool: some servers know no must.
    OfferedTool,
    /// It writes text.
    Text,
}

/// What limits the answer's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LengthLimit {
    /// The first name; every server but `OpenAI`'s own newer models.
    MaxTokens,
    /// The name since reasoning tokens count too.
    MaxCompletionTokens,
    /// The server's own limit.
    Unsaid,
}

impl LengthLimit {
    fn name(self) -> Option<&'static str> {
        match self {
            Self::MaxTokens => Some("max_tokens"),
            Self::MaxCompletionTokens => Some("max_completion_tokens"),
            Self::Unsaid => None,
        }
    }
}

/// In this order they are looked for.
const SHAPES: [WireShape; 5] = [
    WireShape::Chat,
    WireShape::Responses,
    WireShape::Messages,
    WireShape::GenerateContent,
    WireShape::Completions,
];

/// Words by which a server says what it does not take.
const STREAM_WORDS: &[&str] = &["to stream", "streaming", "'stream'", "`stream`", "(stream)"];
const DETAIL_WORDS: &[&str] = &["mediaresolution", "media_resolution", "media resolution"];
const EFFORT_WORDS: &[&str] = &["reasoning_effort", "reasoning.effort"];
const CAP_VALUE_WORDS: &[&str] = &[
    "too large",
    "at most",
    "less than",
    "maximum value",
    "must be in",
    "range",
    "maximum allowed",
];
const CHOICE_WORDS: &[&str] = &[
    "tool_choice",
    "tool choice",
    "toolchoice",
    "tool_use_failed",
    "did not call a tool",
];
const TOOL_WORDS: &[&str] = &[
    "does not support tools",
    "support tool use",
    "support tool call",
    "support function call",
    "tools is not supported",
    "tools are not supported",
    "tool use is not supported",
    "tool calling is not supported",
    "function calling is not enabled",
    "function calling is not supported",
    "enable-auto-tool-choice",
    "\"tools\"",
    "'tools'",
    "`tools`",
];
const RESPONSES_WORDS: &[&str] = &[
    "v1/responses",
    "responses api",
    "responses endpoint",
    "not a chat model",
];
const CHAT_WORDS: &[&str] = &["v1/chat/completions", "chat completions"];
/// Whoever speaks them names chat's own path beside it.
const COMPLETIONS_WORDS: &[&str] = &["use v1/completions", "use /v1/completions", "`v1/completions`"];

impl RequestFormat {
    /// How often a format can change until nothing is left to change.
    pub(crate) const LESSONS: usize = 12;

    /// The first guess for a server.
    pub(crate) fn new(shape: WireShape, host: &str, means: ActionMethod) -> Self {
        let is_openai = host == "api.openai.com" || host.ends_with(".azure.com");
        Self {
            shape,
            tried: [None; 4],
            searches: false,
            means,
            cap: if is_openai {
                LengthLimit::MaxCompletionTokens
            } else {
                LengthLimit::MaxTokens
            },
            most: CAP,
            is_cap_swapped: false,
            is_cap_small: false,
            stream: true,
            usage: true,
            temperature: true,
            effort: true,
            detail: true,
        }
    }

    /// For an address of which nobody told what is spoken there.
    pub(crate) fn searching(self) -> Self {
        Self {
            searches: true,
            ..self
        }
    }

    /// A model that is known to take none of its own.
    pub(crate) fn without_temperature(self) -> Self {
        Self {
            temperature: false,
            ..self
        }
    }

    /// For answers of at most so many tokens.
    pub(crate) fn at_most(self, most: u32) -> Self {
        Self { most, ..self }
    }

    /// The name and the number of the cap, where one is said.
    pub(super) fn cap(&self) -> Option<(&'static str, u32)> {
        self.cap.name().map(|name| (name, self.cap_told()))
    }

    pub(super) fn cap_told(&self) -> u32 {
        let most = if self.is_cap_small { SMALL_CAP } else { CAP };
        most.min(self.most)
    }

    /// A format without what the server just refused; `None` when the refusal is about something else.
    pub(crate) fn learn(self, trouble: &ModelError) -> Option<Self> {
        let said = match trouble {
            ModelError::Refused(said) => said,
            ModelError::Context(said) => return self.with_less_room(said),
            // Its words may say that it is the shape, or the tool, that is not there.
            ModelError::WrongPath(said) | ModelError::Page(said) | ModelError::ModelMissing(said) => {
                return self.other_means(said).or_else(|| self.other_shape(trouble, said));
            }
            _ => return None,
        };
        let text = said.text.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if let Some(format) = self.other_means(said).or_else(|| self.other_shape(trouble, said)) {
            return Some(format);
        }
        if self.effort && says(EFFORT_WORDS) {
            return Some(Self {
                effort: false,
                ..self
            });
        }
        if self.detail && says(DETAIL_WORDS) {
            return Some(Self {
                detail: false,
                ..self
            });
        }
        if self.usage && self.stream && says(&["stream_options", "include_usage", "cache_control"]) {
            return Some(Self { usage: false, ..self });
        }
        if self.temperature && says(&["temperature"]) {
            return Some(self.without_temperature());
        }
        let is_own_shape = matches!(self.shape, WireShape::Chat | WireShape::Completions);
        if let Some(name) = self.cap.name()
            && (says(&[name])
                || (!is_own_shape && says(&["max_output_tokens", "maxoutputtokens", "max_tokens"])))
        {
            return self.other_cap(says(CAP_VALUE_WORDS));
        }
        if self.stream && says(STREAM_WORDS) {
            return Some(Self {
                stream: false,
                ..self
            });
        }
        None
    }

    fn with_less_room(self, said: &ServerMessage) -> Option<Self> {
        // Some count the room for the answer in: without our own limit it may fit. Where one is required, a small one.
        if self.shape == WireShape::Messages {
            let is_about_cap = said.text.contains("max_tokens");
            return (is_about_cap && !self.is_cap_small).then_some(Self {
                is_cap_small: true,
                ..self
            });
        }
        self.cap.name().map(|_| Self {
            cap: LengthLimit::Unsaid,
            ..self
        })
    }

    fn other_cap(self, is_value: bool) -> Option<Self> {
        match self.shape {
            WireShape::Messages => (!self.is_cap_small).then_some(Self {
                is_cap_small: true,
                ..self
            }),
            WireShape::Responses | WireShape::GenerateContent => Some(Self {
                cap: LengthLimit::Unsaid,
                ..self
            }),
            WireShape::Chat | WireShape::Completions => Some(Self {
                cap: match self.cap {
                    _ if is_value || self.is_cap_swapped => LengthLimit::Unsaid,
                    LengthLimit::MaxTokens => LengthLimit::MaxCompletionTokens,
                    _ => LengthLimit::MaxTokens,
                },
                is_cap_swapped: true,
                ..self
            }),
        }
    }

    /// From must to may, from may to text.
    fn other_means(self, said: &ServerMessage) -> Option<Self> {
        let text = said.text.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let means = match self.means {
            ActionMethod::Text => return None,
            _ if says(TOOL_WORDS) => ActionMethod::Text,
            ActionMethod::ForcedTool if says(CHOICE_WORDS) => ActionMethod::OfferedTool,
            ActionMethod::OfferedTool if says(CHOICE_WORDS) => ActionMethod::Text,
            _ => return None,
        };
        Some(Self { means, ..self })
    }

    /// Between `OpenAI`'s two shapes: where the one is not there or not for this model, the other may be. Where nobody
    /// told the shape, any. Each once.
    fn other_shape(self, trouble: &ModelError, said: &ServerMessage) -> Option<Self> {
        let text = said.text.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let is_path = matches!(trouble, ModelError::WrongPath(_) | ModelError::Page(_));
        let may_be: &[WireShape] = match self.shape {
            _ if self.searches && is_path => &SHAPES,
            WireShape::Chat | WireShape::Responses if says(COMPLETIONS_WORDS) => &[WireShape::Completions],
            WireShape::Chat if is_path || says(RESPONSES_WORDS) => &[WireShape::Responses],
            WireShape::Responses if is_path || says(CHAT_WORDS) => &[WireShape::Chat],
            _ => &[],
        };
        let shape = *may_be
            .iter()
            .find(|shape| **shape != self.shape && !self.tried.contains(&Some(**shape)))?;
        let mut tried = self.tried;
        *tried.iter_mut().find(|place| place.is_none())? = Some(self.shape);
        Some(Self { shape, tried, ..self })
    }

    /// The format before other shapes were tried: none of them was there either.
    pub(crate) fn back(self) -> Self {
        Self {
            shape: self.tried[0].unwrap_or(self.shape),
            tried: [None; 4],
            ..self
        }
    }

    /// A tool is offered, where there is one.
    pub(crate) fn calls_tool(self) -> bool {
        self.means != ActionMethod::Text && self.shape != WireShape::Completions
    }

    /// This format is not of the shape that was told.
    pub(crate) fn is_swapped(self) -> bool {
        self.tried[0].is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::wire_format::{AnswerFormat, Question, body as write};
    use serde_json::Value;

    fn body(format: RequestFormat) -> Value {
        let question = Question {
            model: "m",
            system: "s",
            past: &[],
            now: "u",
            picture: None,
            answer: AnswerFormat::Words,
            tool: None,
            effort: None,
        };
        write(&format, &question)
    }

    fn guess(host: &str) -> RequestFormat {
        RequestFormat::new(WireShape::Chat, host, ActionMethod::Text)
    }

    /// The optional fields that are left after each refusal.
    fn check(host: &str, refusals: &[ModelError], expected: &[&str]) {
        let mut format = guess(host);
        for refusal in refusals {
            format = format
                .learn(refusal)
                .unwrap_or_else(|| panic!("learns from {refusal}"));
        }
        let body = body(format);
        let fields: Vec<&str> = body
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .filter(|name| !["model", "messages"].contains(name))
            .collect();
        assert_eq!(fields, expected);
    }

    fn refused(text: &str) -> ModelError {
        ModelError::Refused(ServerMessage {
            status: Some(400),
            text: text.to_owned(),
        })
    }

    #[test]
    fn forms_fit_themselves_to_the_server() {
        let all = ["stream", "stream_options", "max_tokens", "temperature"];
        check("example.org", &[], &all);
        check(
            "api.openai.com",
            &[],
            &["stream", "stream_options", "max_completion_tokens", "temperature"],
        );
        check(
            "example.org",
            &[refused(
                r#"["body","stream_options"]: Extra inputs are not permitted"#,
            )],
            &["stream", "max_tokens", "temperature"],
        );
        check(
            "example.org",
            &[refused(
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            )],
            &["stream", "stream_options", "max_completion_tokens", "temperature"],
        );
        check(
            "api.openai.com",
            &[refused(
                "[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens')}]",
            )],
            &all,
        );
        check(
            "example.org",
            &[refused(
                "max_tokens is too large: 8192. This model supports at most 4096 completion tokens",
            )],
            &["stream", "stream_options", "temperature"],
        );
        check(
            "example.org",
            &[
                refused("unknown field max_tokens"),
                refused("unknown field max_completion_tokens"),
            ],
            &["stream", "stream_options", "temperature"],
        );
        check(
            "example.org",
            &[refused(
                "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
            )],
            &["stream", "stream_options", "max_tokens"],
        );
        check(
            "example.org",
            &[refused(
                "Your organization must be verified to stream this model.",
            )],
            &["stream", "max_tokens", "temperature"],
        );
        check(
            "example.org",
            &[ModelError::Context(ServerMessage::default())],
            &["stream", "stream_options", "temperature"],
        );
    }

    #[test]
    fn nothing_is_learned_from_other_trouble() {
        let format = guess("example.org");
        assert_eq!(format.learn(&refused("messages: too short")), None);
        assert_eq!(format.learn(&ModelError::Quota(ServerMessage::default())), None);
        assert_eq!(format.learn(&ModelError::Empty), None);
    }

    proptest::proptest! {
        /// However a server complains, it is over after so many lessons.
        #[test]
        fn learning_ends(texts in proptest::collection::vec(
            "(max_tokens|max_completion_tokens|temperature|stream_options|to stream|too large| ){1,6}", 20,
        )) {
            let mut format = guess("example.org");
            let mut lessons = 0;
            for text in &texts {
                if let Some(better) = format.learn(&refused(text)) {
                    proptest::prop_assert_ne!(better, format);
                    format = better;
                    lessons += 1;
                }
            }
            proptest::prop_assert!(lessons <= RequestFormat::LESSONS, "{}", lessons);
        }
    }
}
