//! The request, and what each server takes of it:
//! <https://platform.openai.com/docs/api-reference/chat/create>

use crate::trouble::Trouble;
use serde_json::{Map, Value, json};

/// Tokens one answer may have: a long thought and one action, with room for models that think aloud first.
const CAP: u32 = 8192;

/// What is asked, the same for every try.
pub(super) struct Question<'a> {
    pub(super) model: &'a str,
    pub(super) system: &'a str,
    pub(super) user: &'a str,
    /// A data URL.
    pub(super) picture: Option<&'a str>,
}

/// Which of the optional fields this server takes. Begins with all and learns from refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    cap: Cap,
    /// The other name of the cap was refused already.
    is_cap_swapped: bool,
    stream: bool,
    usage: bool,
    temperature: bool,
}

/// What limits the answer's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cap {
    /// The first name; every server but OpenAI's own newer models.
    MaxTokens,
    /// The name since reasoning tokens count too.
    MaxCompletionTokens,
    /// The server's own limit.
    Unsaid,
}

impl Cap {
    fn name(self) -> Option<&'static str> {
        match self {
            Self::MaxTokens => Some("max_tokens"),
            Self::MaxCompletionTokens => Some("max_completion_tokens"),
            Self::Unsaid => None,
        }
    }
}

impl Form {
    /// How often a form can change until nothing is left to change.
    pub(super) const LESSONS: usize = 5;

    /// The first guess for a server.
    pub(super) fn guess(host: &str) -> Self {
        let is_openai = host == "api.openai.com" || host.ends_with(".azure.com");
        Self {
            cap: if is_openai {
                Cap::MaxCompletionTokens
            } else {
                Cap::MaxTokens
            },
            is_cap_swapped: false,
            stream: true,
            usage: true,
            temperature: true,
        }
    }

    /// A form without what the server just refused; `None` when the refusal is about something else.
    pub(super) fn learn(self, trouble: &Trouble) -> Option<Self> {
        let (said, is_length) = match trouble {
            Trouble::Refused(said) => (said, false),
            Trouble::Context(said) => (said, true),
            _ => return None,
        };
        let text = said.text.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if is_length {
            // Some count the room for the answer in: without our own limit it may fit.
            return self.cap.name().map(|_| Self {
                cap: Cap::Unsaid,
                ..self
            });
        }
        if self.usage && self.stream && says(&["stream_options", "include_usage"]) {
            return Some(Self { usage: false, ..self });
        }
        if self.temperature && says(&["temperature"]) {
            return Some(Self {
                temperature: false,
                ..self
            });
        }
        if let Some(name) = self.cap.name()
            && says(&[name])
        {
            let is_value = says(&[
                "too large",
                "at most",
                "less than",
                "maximum value",
                "must be in",
                "range",
            ]);
            let cap = match self.cap {
                _ if is_value || self.is_cap_swapped => Cap::Unsaid,
                Cap::MaxTokens => Cap::MaxCompletionTokens,
                _ => Cap::MaxTokens,
            };
            return Some(Self {
                cap,
                is_cap_swapped: true,
                ..self
            });
        }
        if self.stream && says(&["to stream", "streaming", "'stream'", "`stream`", "(stream)"]) {
            return Some(Self {
                stream: false,
                ..self
            });
        }
        None
    }

    /// The body of the request.
    pub(super) fn body(self, question: &Question<'_>) -> String {
        let mut body = Map::new();
        body.insert("model".to_owned(), question.model.into());
        let user = match question.picture {
            // A plain string where there is no picture: some servers take nothing else.
            None => Value::from(question.user),
            Some(url) => json!([
                {"type": "text", "text": question.user},
                {"type": "image_url", "image_url": {"url": url}},
            ]),
        };
        body.insert(
            "messages".to_owned(),
            json!([
                {"role": "system", "content": question.system},
                {"role": "user", "content": user},
            ]),
        );
        body.insert("stream".to_owned(), self.stream.into());
        if self.stream && self.usage {
            body.insert("stream_options".to_owned(), json!({"include_usage": true}));
        }
        if let Some(name) = self.cap.name() {
            body.insert(name.to_owned(), CAP.into());
        }
        if self.temperature {
            // The same screen deserves the same answer.
            body.insert("temperature".to_owned(), 0.into());
        }
        Value::Object(body).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trouble::Said;

    fn body(form: Form) -> Value {
        let question = Question {
            model: "m",
            system: "s",
            user: "u",
            picture: None,
        };
        serde_json::from_str(&form.body(&question)).unwrap()
    }

    /// The optional fields that are left after each refusal.
    fn check(host: &str, refusals: &[Trouble], expected: &[&str]) {
        let mut form = Form::guess(host);
        for refusal in refusals {
            form = form
                .learn(refusal)
                .unwrap_or_else(|| panic!("learns from {refusal}"));
        }
        let body = body(form);
        let fields: Vec<&str> = body
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .filter(|name| !["model", "messages"].contains(name))
            .collect();
        assert_eq!(fields, expected);
    }

    fn refused(text: &str) -> Trouble {
        Trouble::Refused(Said {
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
            &[Trouble::Context(Said::default())],
            &["stream", "stream_options", "temperature"],
        );
    }

    #[test]
    fn nothing_is_learned_from_other_trouble() {
        let form = Form::guess("example.org");
        assert_eq!(form.learn(&refused("messages: too short")), None);
        assert_eq!(form.learn(&Trouble::Quota(Said::default())), None);
        assert_eq!(form.learn(&Trouble::Empty), None);
    }

    proptest::proptest! {
        /// However a server complains, it is over after so many lessons.
        #[test]
        fn learning_ends(texts in proptest::collection::vec(
            "(max_tokens|max_completion_tokens|temperature|stream_options|to stream|too large| ){1,6}", 20,
        )) {
            let mut form = Form::guess("example.org");
            let mut lessons = 0;
            for text in &texts {
                if let Some(better) = form.learn(&refused(text)) {
                    proptest::prop_assert_ne!(better, form);
                    form = better;
                    lessons += 1;
                }
            }
            proptest::prop_assert!(lessons <= Form::LESSONS, "{}", lessons);
        }
    }
}
