//! The action set as one native tool, within each maker's limits.
//!
//! Its fields are room `dialect`'s, where a test holds them to `protocol::Action`; what differs by maker is which words
//! of JSON Schema it takes.

use crate::wire_format::Tool;
use dialect::{TOOL, openai_tool};
use protocol::WireShape;
use serde_json::Value;
use std::sync::LazyLock;

/// How a model answers that calls the tool: goes behind the system part.
pub(crate) const BY_CALL: &str = "Call the tool `phone` once, with the action's type and fields and your thought: what you \
                                  see and why, in a sentence.\n";

/// Words of JSON Schema that Google's subset of OpenAPI has: <https://ai.google.dev/api/caching#Schema>
const GOOGLES: &[&str] = &[
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "maxItems",
    "minItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "anyOf",
    "propertyOrdering",
    "items",
    "minimum",
    "maximum",
];

/// As most shapes take it. It is the same for every request: described once.
static TOLD: LazyLock<Tool> = LazyLock::new(|| {
    let mut described = openai_tool();
    let function = &mut described["function"];
    Tool {
        name: TOOL,
        description: function["description"].as_str().unwrap_or_default().to_owned(),
        parameters: function["parameters"].take(),
    }
});

/// As Google's shape takes it.
static TOLD_GOOGLE: LazyLock<Tool> = LazyLock::new(|| {
    let mut tool = TOLD.clone();
    keep(&mut tool.parameters);
    tool
});

/// The tool, as a shape takes it. What its fields are for, and what its coordinates count, is in the prompt.
pub(crate) fn tool(shape: WireShape) -> &'static Tool {
    match shape {
        WireShape::GenerateContent => &TOLD_GOOGLE,
        _ => &TOLD,
    }
}

/// Takes out what Google's subset does not have.
fn keep(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else {
        return;
    };
    fields.retain(|name, _| GOOGLES.contains(&name.as_str()));
    if let Some(properties) = fields.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(keep);
    }
    for name in ["items"] {
        if let Some(inner) = fields.get_mut(name) {
            keep(inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Act, Action};

    /// Every field of every action on the wire is a property of the tool, and every property is some action's.
    #[test]
    fn the_tool_says_what_the_protocol_says() {
        let tool = tool(WireShape::Chat);
        let properties = tool.parameters["properties"].as_object().unwrap();
        let types = properties["type"]["enum"].as_array().unwrap();
        // The pages' types are generated from the protocol: each variant of `Act` is a line of them.
        let generated = include_str!("../../../ui/src/protocol.ts");
        let acts = generated
            .split("export type Action = ")
            .nth(1)
            .unwrap()
            .split("export type")
            .next()
            .unwrap();
        let words = |marker: &str| -> Vec<String> {
            acts.match_indices(marker)
                .map(|(at, _)| {
                    let rest = &acts[at + marker.len()..];
                    rest.split('"').next().unwrap().to_owned()
                })
                .collect()
        };
        let acts_named = words("\"type\": \"");
        assert!(acts_named.len() >= 20, "{acts_named:?}");
        for name in &acts_named {
            assert!(
                types.iter().any(|known| known == name),
                "{name} is missing in the tool"
            );
        }
        assert_eq!(types.len(), acts_named.len());
    }

    /// Fields by example: one action of each kind with everything it can carry.
    #[test]
    fn every_field_of_an_action_can_be_said() {
        let tool = tool(WireShape::Chat);
        let properties = tool.parameters["properties"].as_object().unwrap();
        let names = |action: &Action| -> Vec<String> {
            let json = serde_json::to_value(action).unwrap();
            json.as_object().unwrap().keys().cloned().collect()
        };
        for json in [
            r#"{"type":"tap","x":1,"y":2,"target":{"element":1}}"#,
            r#"{"type":"swipe","x1":1,"y1":2,"x2":3,"y2":4,"durationMs":5}"#,
            r#"{"type":"drag","x1":1,"y1":2,"x2":3,"y2":4,"durationMs":5,"target":{"element":1},"toTarget":{"element":2}}"#,
            r#"{"type":"type","text":"a"}"#,
            r#"{"type":"scroll","direction":"up","amount":2}"#,
            r#"{"type":"run_script","script":"a","timeoutSec":5}"#,
            r#"{"type":"request_human_auth","capability":"sms","instruction":"a","timeoutSec":60}"#,
            r#"{"type":"read_text","box":[1,2,3,4],"output":"a","autoScroll":true}"#,
            r#"{"type":"capture","mode":"ax","maxElements":5}"#,
            r#"{"type":"launch_app","packageName":"a","app":"b"}"#,
            r#"{"type":"set_value","target":{"element":1},"value":"a"}"#,
            r#"{"type":"key_combination","keys":["A"]}"#,
            r#"{"type":"open_url","url":"a"}"#,
            r#"{"type":"ask_model","prompt":"a","output":"b"}"#,
            r#"{"type":"finish","message":"a"}"#,
        ] {
            let action: Action = serde_json::from_str(json).unwrap();
            assert!(!matches!(action.act, Act::ListApps));
            for name in names(&action) {
                assert!(properties.contains_key(&name), "{name} of {json}");
            }
        }
        for target in ["target", "toTarget"] {
            for name in ["element", "trackId", "text"] {
                assert!(
                    properties[target]["properties"][name].is_object(),
                    "{name} of {target}"
                );
            }
        }
    }

    #[test]
    fn makers_limits_are_kept() {
        let google = &tool(WireShape::GenerateContent).parameters;
        fn check(schema: &Value) {
            for (name, inner) in schema.as_object().unwrap() {
                assert!(GOOGLES.contains(&name.as_str()), "{name}");
                match name.as_str() {
                    "properties" => inner.as_object().unwrap().values().for_each(check),
                    "items" => check(inner),
                    _ => {}
                }
            }
        }
        check(google);
        // An object without properties is refused there.
        for name in ["target", "toTarget"] {
            assert!(google["properties"][name]["properties"]["element"].is_object());
        }
        // OpenAI: at most 100 properties, 120,000 characters of names and enum values; 1,024 of a description.
        for shape in [WireShape::Chat, WireShape::Responses, WireShape::Messages] {
            let tool = tool(shape);
            assert!(tool.parameters["properties"].as_object().unwrap().len() <= 100);
            assert!(tool.description.len() <= 1024 && tool.parameters.to_string().len() < 8_000);
        }
    }
}
