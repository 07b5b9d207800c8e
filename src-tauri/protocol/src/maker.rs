//! Who makes the model that thinks, how it is spoken to, and what it costs.

use crate::space::Space;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whose servers answer. What is known of each is data in room `model`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "names")]
pub enum Maker {
    Openai,
    Anthropic,
    Google,
    Openrouter,
    Ollama,
    LmStudio,
    Vllm,
    Dashscope,
    Zhipu,
    Moonshot,
    Deepseek,
    Groq,
    Mistral,
    Xai,
    Azure,
    /// A server of the person's own choice.
    #[default]
    Custom,
}

/// What a request and its answer look like on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum WireShape {
    /// OpenAI's `POST /chat/completions`, and everybody who speaks it.
    #[default]
    Chat,
    /// OpenAI's `POST /responses`.
    Responses,
    /// Anthropic's `POST /messages`.
    Messages,
    /// Google's `POST /models/NAME:generateContent`.
    GenerateContent,
    /// OpenAI's older `POST /completions`: one text goes on. No pictures and no tools.
    Completions,
}

/// How a model is asked to act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum Acting {
    /// By a native call of one tool.
    #[default]
    Tool,
    /// By one JSON object as text.
    Text,
    /// In the words it was trained on, where it was trained for phones.
    Trained,
}

/// The words models were trained to act in. Any model may be asked in any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum TrainedWords {
    /// AutoGLM-Phone: `do(action="Tap", element=[x,y])`.
    Autoglm,
    /// CogAgent: `Grounded Operation: CLICK(box=[[…]])`.
    Cogagent,
    /// UI-TARS: `Thought: … Action: click(…)`.
    UiTars,
    /// Qwen-VL, GUI-Owl, MAI: the tool `mobile_use`.
    MobileUse,
    /// Hermes: the tool `computer_use`.
    Hermes,
    /// OmniMCP: `{reasoning, action: {action_type, target, parameters}, is_goal_complete}`.
    Omnimcp,
    /// UI-Venus 1.5: `<action>Click(box=(x,y))</action>`.
    UiVenus,
    /// UI-Venus 2: `<action>Click(point=(x,y))</action>`.
    #[serde(rename = "ui_venus_2")]
    UiVenus2,
    /// Step-GUI, GELab-Zero: fields parted by tabs.
    StepGui,
    /// PhoneBuddy: a tool for each verb.
    Verbs,
}

/// Where a model pointed that was shown a marked cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(tag = "aim", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum PointingTest {
    /// It looks at no pictures, so it was not asked.
    NotAsked,
    /// At the cross.
    Hit,
    /// At the cross, if its numbers count something else than they are taken for.
    Otherwise {
        /// What they would have to count for it to be a hit.
        space: Space,
    },
    /// Somewhere else, whatever its numbers count.
    Missed,
    /// It answered with no tap on a point.
    NoPoint,
}

/// What the test of a connection found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct Tried {
    /// Milliseconds until the first answer was whole.
    pub ms: u64,
    /// Whether it points where it means to.
    pub aim: PointingTest,
}

/// Dollars for a million tokens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct Price {
    /// For tokens the model reads.
    pub input: f64,
    /// Read, and kept by the maker since the request before; `input` where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cached_input: Option<f64>,
    /// Read, and kept by the maker for the requests after; `input` where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub kept_input: Option<f64>,
    /// For tokens the model writes.
    pub output: f64,
    /// The day the maker asked this, `2026-11-01`; absent where the person told the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub as_of: Option<String>,
    /// Nobody told it: it is what such a model usually costs, rather more than less.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub is_estimate: bool,
}

/// A model of a maker, as the person chose it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct ChosenModel {
    /// Whose model it is.
    pub maker: Maker,
    /// As the maker writes it, for example `gpt-5.2`. For Azure the deployment's name.
    pub model: String,
    /// The address; the maker's own where it is absent. [`Maker::Custom`] and [`Maker::Azure`] have none of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub base_url: Option<String>,
    /// The maker's own where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub shape: Option<WireShape>,
    /// What is known to suit the model where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub acting: Option<Acting>,
    /// The trained words it is asked in; those it was trained on, if any, where it is absent. Told alone, it acts in
    /// them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub words: Option<TrainedWords>,
    /// What the numbers of its points count; what is known of it where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub points: Option<Space>,
    /// What the person says it costs; what is known of it where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub price: Option<Price>,
    /// The person was told that others in the same network can read everything, and wants plain http to a private
    /// address all the same. Counts for [`Maker::Custom`] alone, and never for an address on the internet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub plain_allowed: bool,
}

/// What a provider card shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct MakerCard {
    /// The maker the card is of.
    pub maker: Maker,
    /// Its name, as it writes it.
    pub name: String,
    /// Its address; absent where the person has to tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub base_url: Option<String>,
    /// It wants a key.
    pub needs_key: bool,
    /// Where it gives keys out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub key_page: Option<String>,
    /// It runs on this computer and costs nothing.
    pub is_here: bool,
    /// What it speaks first.
    pub shape: WireShape,
}

/// One model of a maker's list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase", default)]
pub struct OfferedModel {
    /// As requests name it.
    pub id: String,
    /// As the maker shows it to people, where it tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// Tokens it can read at once, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub context: Option<u64>,
    /// Whether it looks at pictures, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub picture: Option<bool>,
    /// Whether it calls tools, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tool: Option<bool>,
    /// What it costs, where that is known. All zeros for one on this computer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub price: Option<Price>,
    /// Dollars for a short task of ten steps, where the price is known: a hint, not a promise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub short_task: Option<f64>,
    /// The one of its list that is proposed for phones; at most one of a list is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub best: bool,
}

/// A model server found on this computer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "camelCase")]
pub struct NearbyServer {
    /// Whose server it is.
    pub maker: Maker,
    /// Where it listens.
    pub base_url: String,
    /// What it has.
    pub models: Vec<OfferedModel>,
}

/// How far the day's spending is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
#[serde(rename_all = "snake_case")]
pub enum SpendingState {
    /// Below four fifths of the limit.
    #[default]
    Fine,
    /// At four fifths or more: the person is warned.
    Near,
    /// At the limit: tasks pause.
    Reached,
}
