//! The action set as one native tool, within each maker's limits.
//!
//! Its description and fields are room `dialect`'s, where a test holds them to `protocol::Action`; what differs by
//! model is what its coordinates count, and what differs by maker is which words of JSON Schema it takes.

use crate::shape::Tool;
use dialect::{TOOL, openai_tool};
use protocol::WireShape;
use screen::Space;
use serde_json::Value;

/// What is said of the JSON of the system part where a tool is called instead.
pub(crate) const INSTEAD: &str = "Do not write that JSON object as text: call the tool `phone` once, with the fields of \
                                  the action and `thought` as its arguments.";

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

/// The tool for a model whose numbers count `space`.
pub(crate) fn tool(shape: WireShape, space: Space) -> Tool {
    let mut described = openai_tool();
    let function = described["function"].take();
    let mut parameters = function["parameters"].clone();
    if let Some(properties) = parameters["properties"].as_object_mut() {
        for (name, about) in coordinates(space) {
            if let Some(property) = properties.get_mut(*name) {
                property["description"] = about.as_str().into();
            }
        }
    }
    if shape == WireShape::GenerateContent {
        keep(&mut parameters);
    }
    Tool {
        name: TOOL,
        description: function["description"].as_str().unwrap_or_default().to_owned(),
        parameters,
    }
}

/// What is said of each coordinate. The first number a family writes goes into the first field.
fn coordinates(space: Space) -> &'static [(&'static str, String)] {
    use std::sync::LazyLock;
    type Said = Vec<(&'static str, String)>;
    fn said(first: &str, second: &str) -> Said {
        let mut all = vec![("x", first.to_owned()), ("y", second.to_owned())];
        for (place, a, b) in [("Start", "x1", "y1"), ("End", "x2", "y2")] {
            all.push((a, format!("{place}: {}", lower(first))));
            all.push((b, format!("{place}: {}", lower(second))));
        }
        all
    }
    fn lower(text: &str) -> String {
        text.chars()
            .enumerate()
            .map(|(n, c)| if n == 0 { c.to_ascii_lowercase() } else { c })
            .collect()
    }
    static SCREEN: LazyLock<Said> = LazyLock::new(|| said("Pixels from the left.", "Pixels from the top."));
    static PICTURE: LazyLock<Said> = LazyLock::new(|| {
        said(
            "Pixels of the picture from the left.",
            "Pixels of the picture from the top.",
        )
    });
    static THOUSANDTHS: LazyLock<Said> = LazyLock::new(|| {
        said(
            "Thousandths of the width, from the left: 0 to 1000.",
            "Thousandths of the height, from the top: 0 to 1000.",
        )
    });
    static UNIT: LazyLock<Said> = LazyLock::new(|| {
        said(
            "Part of the width, from the left: 0 to 1.",
            "Part of the height, from the top: 0 to 1.",
        )
    });
    match space {
        Space::Screen => &SCREEN,
        Space::Picture => &PICTURE,
        Space::Thousandths | Space::ThousandthsYx => &THOUSANDTHS,
        Space::Unit => &UNIT,
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
        let tool = tool(WireShape::Chat, Space::Screen);
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
        let tool = tool(WireShape::Chat, Space::Screen);
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
    }

    #[test]
    fn what_coordinates_count_is_said() {
        let about = |space| {
            let tool = tool(WireShape::Messages, space);
            tool.parameters["properties"]["x2"]["description"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        assert_eq!(about(Space::Screen), "End: pixels from the left.");
        assert_eq!(
            about(Space::Thousandths),
            "End: thousandths of the width, from the left: 0 to 1000."
        );
    }

    #[test]
    fn makers_limits_are_kept() {
        let google = tool(WireShape::GenerateContent, Space::ThousandthsYx).parameters;
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
        check(&google);
        // OpenAI: at most 100 properties, 120,000 characters of names and enum values; 1,024 of a description.
        for shape in [WireShape::Chat, WireShape::Responses, WireShape::Messages] {
            let tool = tool(shape, Space::Screen);
            assert!(tool.parameters["properties"].as_object().unwrap().len() <= 100);
            assert!(tool.description.len() <= 1024 && tool.parameters.to_string().len() < 8_000);
        }
    }
}
