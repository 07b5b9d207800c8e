//! Lists as the makers' documentation shows them.

use super::*;

/// A model's name, whether it sees, whether it calls tools, how much it reads.
type Row<'a> = (&'a str, Option<bool>, Option<bool>, Option<u64>);

fn check(maker: Maker, is_here: bool, list: &str, expected: &[Row<'_>]) {
    let json: Value = serde_json::from_str(list).unwrap();
    let models = read(maker, is_here, &json);
    let read: Vec<_> = models
        .iter()
        .map(|m| (m.id.as_str(), m.picture, m.tool, m.context))
        .collect();
    assert_eq!(read, expected);
}

#[test]
fn every_makers_list_is_read() {
    check(
        Maker::Openai,
        false,
        r#"{"object":"list","data":[
            {"id":"text-embedding-3-small","object":"model","created":1705948997,"owned_by":"system"},
            {"id":"gpt-4.1","object":"model","created":1744316542,"owned_by":"system"},
            {"id":"gpt-5.2","object":"model","created":1765000000,"owned_by":"system"},
            {"id":"gpt-image-1","object":"model","created":1745517030,"owned_by":"system"}]}"#,
        &[
            ("gpt-5.2", Some(true), Some(true), Some(272_000)),
            ("gpt-4.1", Some(true), Some(true), Some(1_047_576)),
        ],
    );
    check(
        Maker::Anthropic,
        false,
        r#"{"data":[{"type":"model","id":"claude-sonnet-4-5-20250929","display_name":"Claude Sonnet 4.5","created_at":"2025-09-29T00:00:00Z"}],"has_more":false,"first_id":"a","last_id":"a"}"#,
        &[(
            "claude-sonnet-4-5-20250929",
            Some(true),
            Some(true),
            Some(200_000),
        )],
    );
    check(
        Maker::Google,
        false,
        r#"{"models":[
            {"name":"models/gemini-2.5-flash","displayName":"Gemini 2.5 Flash","inputTokenLimit":1048576,"supportedGenerationMethods":["generateContent","countTokens"]},
            {"name":"models/imagen-4.0","supportedGenerationMethods":["predict"]}]}"#,
        &[("gemini-2.5-flash", Some(true), Some(true), Some(1_048_576))],
    );
    check(
        Maker::Mistral,
        false,
        r#"{"data":[{"id":"new-model","capabilities":{"completion_chat":true,"function_calling":true,"vision":false},"max_context_length":131072},
                    {"id":"new-reader","capabilities":{"completion_chat":false}}]}"#,
        &[("new-model", Some(false), Some(true), Some(131_072))],
    );
    check(
        Maker::LmStudio,
        true,
        r#"{"object":"list","data":[
            {"id":"qwen2-vl-7b-instruct","object":"model","type":"vlm","state":"not-loaded","max_context_length":32768,"capabilities":["tool_use"]},
            {"id":"text-embedding-nomic","type":"embeddings"}]}"#,
        &[("qwen2-vl-7b-instruct", Some(true), Some(true), Some(32_768))],
    );
    check(
        Maker::Vllm,
        true,
        r#"{"object":"list","data":[{"id":"x","object":"model","created":1,"max_model_len":8192}]}"#,
        &[("x", None, None, Some(8_192))],
    );
    check(Maker::Custom, false, "{}", &[]);
    check(Maker::Custom, false, "[]", &[]);
    check(
        Maker::Custom,
        false,
        r#"{"data":[7,{"id":""},{"id":"a"},{"id":"a"}]}"#,
        &[("a", None, None, None)],
    );
}

#[test]
fn openrouters_prices_are_its_own() {
    let json: Value = serde_json::from_str(
        r#"{"data":[{"id":"maker/m","name":"Maker: M","created":1,"context_length":128000,
            "architecture":{"input_modalities":["text","image"],"output_modalities":["text"]},
            "pricing":{"prompt":"0.000003","completion":"0.000015","input_cache_read":"0.0000003"},
            "supported_parameters":["tools","temperature"]},
           {"id":"maker/painter","architecture":{"input_modalities":["text"],"output_modalities":["image"]}}]}"#,
    )
    .unwrap();
    let models = read(Maker::Openrouter, false, &json);
    assert_eq!(models.len(), 1);
    let price = models[0].price.as_ref().unwrap();
    assert_eq!(
        (price.input, price.cached_input, price.output),
        (3.0, Some(0.3), 15.0)
    );
    assert_eq!(models[0].name.as_deref(), Some("Maker: M"));
    assert!(
        (models[0].short_task.unwrap() - 0.051).abs() < 1e-9,
        "{:?}",
        models[0].short_task
    );
    assert_eq!((models[0].picture, models[0].tool), (Some(true), Some(true)));
}

#[test]
fn what_runs_here_is_free() {
    let json: Value =
        serde_json::from_str(r#"{"models":[{"name":"qwen3-vl:8b","model":"qwen3-vl:8b"}]}"#).unwrap();
    let models = read(Maker::Ollama, true, &json);
    assert_eq!(models[0].price, Some(Price::default()));
    assert_eq!(models[0].short_task, Some(0.0));
    assert_eq!(
        read(Maker::Custom, true, &json)[0].price,
        None,
        "not known to be free"
    );
}
