//! What a step sends, in tokens: `cargo test -p model tokens -- --include-ignored --nocapture` prints the table of the README.
//!
//! Text is counted by OpenAI's own tokenizer (Anthropic's and Google's are not public). Pictures by what their makers
//! document, in the size they were really sent:
//! - OpenAI: <https://platform.openai.com/docs/guides/images-vision>: squares of 32 pixels, 1.2 tokens each;
//! - Anthropic: <https://platform.claude.com/docs/en/build-with-claude/vision>: squares of 28 pixels. Its own words that
//!   make a model call a tool, 313 tokens: <https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview>;
//! - Google: <https://ai.google.dev/gemini-api/docs/media-resolution>, Gemini 3 and later.

use super::support::{Says, Setup};
use super::*;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protocol::Maker;
use std::collections::HashMap;

/// What may be sent with a step.
const MOST: usize = 2_000;
/// Of ten steps.
const TEN_STEPS: (usize, usize) = (20_000, 1_500_000);

struct MakerOf {
    name: &'static str,
    maker: Maker,
    model: &'static str,
    shape: Shape,
    picture: fn(u32, u32, &Value) -> usize,
    /// What the maker adds of its own.
    own: usize,
}

const MAKERS: [MakerOf; 3] = [
    MakerOf {
        name: "OpenAI",
        maker: Maker::Openai,
        model: "gpt-5.5",
        shape: Shape::Responses,
        picture: |width, height, _| (width.div_ceil(32) * height.div_ceil(32)) as usize * 6 / 5,
        own: 10,
    },
    MakerOf {
        name: "Anthropic",
        maker: Maker::Anthropic,
        model: "claude-sonnet-5-5",
        shape: Shape::Messages,
        picture: |width, height, _| (width.div_ceil(28) * height.div_ceil(28)) as usize,
        own: 313,
    },
    MakerOf {
        name: "Google",
        maker: Maker::Google,
        model: "gemini-3.8-flash",
        shape: Shape::Gemini,
        picture: |_, _, body| match body["generationConfig"]["mediaResolution"].as_str() {
            Some("MEDIA_RESOLUTION_LOW") => 280,
            Some("MEDIA_RESOLUTION_MEDIUM") => 560,
            _ => 1_120,
        },
        own: 10,
    },
];

/// What is sent of a screen: a picture, marks on it, the list.
const WAYS: [(&str, [bool; 3]); 4] = [
    ("picture only", [true, false, false]),
    ("picture with marks", [true, true, false]),
    ("list only", [false, false, true]),
    ("list and small picture", [true, false, true]),
];

fn tasks() -> Vec<Setup> {
    vec![
        Setup::new("Order the weekly groceries and pay").says([Says::Yes]),
        Setup::new("Text Dana that I’m running 10 minutes late and offer to bring her a coffee")
            .says([Says::Yes]),
        Setup::new("Sign in to Northbank").says([Says::Code]),
        Setup::new("Install the waiting app updates, then turn on Battery Saver").says([Says::Yes]),
    ]
}

/// Tokens, of lines counted once: most of a request is in the one before too, and the tokenizer is slow.
#[derive(Default)]
struct Tokens {
    of_line: HashMap<String, usize>,
}

impl Tokens {
    fn of(&mut self, text: &str) -> usize {
        lines(text)
            .map(|line| {
                if let Some(&tokens) = self.of_line.get(line) {
                    return tokens;
                }
                let tokens = whole(line);
                self.of_line.insert(line.to_owned(), tokens);
                tokens
            })
            .sum()
    }
}

fn whole(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

/// Cut where no token can lie across: behind the end of a line, before what is neither blank nor a slash.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let cut = rest.match_indices('\n').map(|(at, _)| at + 1).find(|&at| {
            let next = rest[at..].chars().next();
            next.is_some_and(|next| !next.is_whitespace() && next != '/')
        });
        let (line, after) = rest.split_at(cut.unwrap_or(rest.len()));
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

#[test]
fn lines_have_as_many_tokens_as_the_whole() {
    for text in [
        "# How to act\n\n- one\n  two\n\n\t three \n/slash\n//\r\n{\"a\":\n1}\n \n…\nGrüße\n你好",
        "",
        "\n",
        "a\n\n\nb",
        "!!!\n/\n!!",
    ] {
        assert_eq!(lines(text).collect::<String>(), text);
        assert_eq!(Tokens::default().of(text), whole(text), "{text:?}");
    }
}

/// The tokens of one request.
fn count(maker: &MakerOf, body: &Value, tokens: &mut Tokens) -> usize {
    let tools = body.get("tools").map_or(0, |tools| tokens.of(&tools.to_string()));
    let own = if tools > 0 { maker.own } else { 10 };
    let picture = Shape::picture(body).map_or(0, |base64| {
        let bytes = STANDARD.decode(base64).unwrap();
        let frame = if bytes.starts_with(b"\x89PNG") {
            screen::picture::decode_png(&bytes)
        } else {
            screen::picture::decode_jpeg(&bytes)
        };
        let frame = frame.unwrap();
        (maker.picture)(frame.width, frame.height, body)
    });
    tokens.of(&Shape::text(body)) + tools + own + picture
}

/// The tokens and the bytes of each step of every task.
async fn measure(
    maker: &MakerOf,
    capabilities: Option<[bool; 3]>,
    tokens: &mut Tokens,
) -> Vec<(usize, usize)> {
    let mut steps = Vec::new();
    for task in tasks() {
        let chosen = ChosenModel {
            maker: maker.maker,
            model: maker.model.to_owned(),
            ..ChosenModel::default()
        };
        let mut faulty_model = FaultyModel::new(chosen, maker.shape);
        if let Some([picture, marks, elements]) = capabilities {
            let usual = faulty_model.remote.capabilities();
            faulty_model.remote = faulty_model.remote.with_capabilities(ModelCapabilities {
                picture,
                marks,
                elements,
                ..usual
            });
        }
        let server = Arc::clone(&faulty_model.server);
        let outcome = task.with_pictures().thinks(Arc::new(faulty_model)).run().await;
        assert!(!outcome.message().is_empty());
        let asked = server.asked.lock().unwrap().clone();
        check_prefix(maker, &asked);
        let last = Shape::text(&asked.last().unwrap().body);
        if capabilities.is_none() {
            assert_eq!(tokens.of(&last), whole(&last), "line by line as all at once");
        }
        steps.extend(
            asked
                .iter()
                .map(|asked| (count(maker, &asked.body, tokens), asked.bytes)),
        );
    }
    steps
}

/// Each request begins with all of the one before but its last part, the screen.
fn check_prefix(maker: &MakerOf, asked: &[RecordedRequest]) {
    let parts = |body: &Value| -> (Value, Vec<Value>) {
        let mut body = body.clone();
        let said = match maker.shape {
            Shape::Responses => body["input"][0]["content"].take(),
            Shape::Messages => body["messages"][0]["content"].take(),
            _ => body["contents"][0]["parts"].take(),
        };
        // Only where the marks of what is to be kept are differs, and how closely a picture is looked at.
        let mut said = said.as_array().unwrap().clone();
        said.retain(|part| Shape::picture(part).is_none());
        for part in &mut said {
            part.as_object_mut().unwrap().shift_remove("cache_control");
        }
        if let Some(config) = body["generationConfig"].as_object_mut() {
            config.shift_remove("mediaResolution");
        }
        (body, said)
    };
    for pair in asked.windows(2) {
        let (before, after) = (parts(&pair[0].body), parts(&pair[1].body));
        assert_eq!(before.0, after.0, "{}: the frame stays", maker.name);
        let kept = |parts: &[Value]| -> String {
            let past = parts[..parts.len() - 1].iter();
            past.map(|part| part["text"].as_str().unwrap()).collect()
        };
        let (before, after) = (kept(&before.1), kept(&after.1));
        assert!(
            after.starts_with(&before) && after.len() >= before.len(),
            "{}:\n{before}\n---\n{after}",
            maker.name
        );
    }
}

fn median(mut numbers: Vec<usize>) -> usize {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

#[tokio::test(start_paused = true)]
async fn a_step_sends_little() {
    let mut counted = Tokens::default();
    for maker in &MAKERS {
        let steps = measure(maker, None, &mut counted).await;
        let tokens = median(steps.iter().map(|step| step.0).collect());
        let most = steps.iter().map(|step| step.0).max().unwrap();
        let ten =
            |part: fn(&(usize, usize)) -> usize| steps.iter().map(part).sum::<usize>() * 10 / steps.len();
        let (ten_tokens, ten_bytes) = (ten(|step| step.0), ten(|step| step.1));
        println!(
            "{} as it comes: {} steps, median {tokens} tokens, at most {most}; ten steps {ten_tokens} tokens, {} kB",
            maker.name,
            steps.len(),
            ten_bytes / 1_000
        );
        assert!(tokens <= MOST, "{}: {tokens}", maker.name);
        assert!(
            ten_tokens <= TEN_STEPS.0 && ten_bytes <= TEN_STEPS.1,
            "{}: {ten_tokens}, {ten_bytes}",
            maker.name
        );
    }
}

/// Every way to send a screen, for a table; the usual run counts what is sent as it comes.
mod long {
    use super::*;

    #[ignore = "a table that is read by eye"]
    #[tokio::test(start_paused = true)]
    async fn each_way_to_send_a_screen() {
        let mut counted = Tokens::default();
        println!("| what is sent of the screen | OpenAI | Anthropic | Google | kB a step |");
        println!("|---|---|---|---|---|");
        for (name, way) in WAYS {
            let mut row = format!("| {name} |");
            let mut bytes = Vec::new();
            for maker in &MAKERS {
                let steps = measure(maker, Some(way), &mut counted).await;
                row.push_str(&format!(
                    " {} |",
                    median(steps.iter().map(|step| step.0).collect())
                ));
                bytes.extend(steps.iter().map(|step| step.1));
            }
            println!("{row} {} |", median(bytes) / 1_000);
        }
    }
}
