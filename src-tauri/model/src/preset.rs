//! The makers that are known: where they answer, what they speak, what they want. Data.

use crate::address::Address;
use protocol::{ChosenModel, Maker, MakerCard, WireShape};

/// One maker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The maker.
    pub maker: Maker,
    /// Its name, as it writes it.
    pub name: &'static str,
    /// Its address; empty where the person has to tell it.
    pub base_url: &'static str,
    /// It wants a key. A server on this computer may all the same be set up to want one.
    pub needs_key: bool,
    /// Where it gives keys out.
    pub key_page: &'static str,
    /// What it speaks first.
    pub shape: WireShape,
    /// It runs on this computer and costs nothing.
    pub is_here: bool,
    /// Its count of what was used says dollars, too.
    pub tells_cost: bool,
}

const CHAT: Preset = Preset {
    maker: Maker::Custom,
    name: "",
    base_url: "",
    needs_key: true,
    key_page: "",
    shape: WireShape::Chat,
    is_here: false,
    tells_cost: false,
};

/// All of them, in the order they are shown.
pub const PRESETS: &[Preset] = &[
    Preset {
        maker: Maker::Openai,
        name: "OpenAI",
        base_url: "https://api.openai.com/v1",
        key_page: "https://platform.openai.com/api-keys",
        shape: WireShape::Responses,
        ..CHAT
    },
    Preset {
        maker: Maker::Anthropic,
        name: "Anthropic",
        base_url: "https://api.anthropic.com/v1",
        key_page: "https://console.anthropic.com/settings/keys",
        shape: WireShape::Messages,
        ..CHAT
    },
    Preset {
        maker: Maker::Google,
        name: "Google",
        base_url: "https://generativelanguage.googleapis.com/v1beta",
        key_page: "https://aistudio.google.com/apikey",
        shape: WireShape::GenerateContent,
        ..CHAT
    },
    Preset {
        maker: Maker::Openrouter,
        name: "OpenRouter",
        base_url: "https://openrouter.ai/api/v1",
        key_page: "https://openrouter.ai/settings/keys",
        tells_cost: true,
        ..CHAT
    },
    Preset {
        maker: Maker::Ollama,
        name: "Ollama",
        base_url: "http://127.0.0.1:11434/v1",
        needs_key: false,
        is_here: true,
        ..CHAT
    },
    Preset {
        maker: Maker::LmStudio,
        name: "LM Studio",
        base_url: "http://127.0.0.1:1234/v1",
        needs_key: false,
        is_here: true,
        ..CHAT
    },
    Preset {
        maker: Maker::Vllm,
        name: "vLLM",
        base_url: "http://127.0.0.1:8000/v1",
        needs_key: false,
        is_here: true,
        ..CHAT
    },
    Preset {
        maker: Maker::Dashscope,
        name: "DashScope",
        base_url: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        key_page: "https://modelstudio.console.alibabacloud.com/?tab=playground#/api-key",
        ..CHAT
    },
    Preset {
        maker: Maker::Zhipu,
        name: "Z.ai (Zhipu)",
        base_url: "https://api.z.ai/api/paas/v4",
        key_page: "https://z.ai/manage-apikey/apikey-list",
        ..CHAT
    },
    Preset {
        maker: Maker::Moonshot,
        name: "Moonshot",
        base_url: "https://api.moonshot.ai/v1",
        key_page: "https://platform.moonshot.ai/console/api-keys",
        ..CHAT
    },
    Preset {
        maker: Maker::Deepseek,
        name: "DeepSeek",
        base_url: "https://api.deepseek.com/v1",
        key_page: "https://platform.deepseek.com/api_keys",
        ..CHAT
    },
    Preset {
        maker: Maker::Groq,
        name: "Groq",
        base_url: "https://api.groq.com/openai/v1",
        key_page: "https://console.groq.com/keys",
        ..CHAT
    },
    Preset {
        maker: Maker::Mistral,
        name: "Mistral",
        base_url: "https://api.mistral.ai/v1",
        key_page: "https://console.mistral.ai/api-keys",
        ..CHAT
    },
    Preset {
        maker: Maker::Xai,
        name: "xAI",
        base_url: "https://api.x.ai/v1",
        key_page: "https://console.x.ai",
        ..CHAT
    },
    // Its address is the person's own: https://NAME.openai.azure.com/openai/v1
    Preset {
        maker: Maker::Azure,
        name: "Azure OpenAI",
        key_page: "https://ai.azure.com",
        ..CHAT
    },
    Preset {
        maker: Maker::Custom,
        needs_key: false,
        ..CHAT
    },
];

/// What is known of a maker.
#[must_use]
pub fn preset(maker: Maker) -> &'static Preset {
    PRESETS
        .iter()
        .find(|preset| preset.maker == maker)
        .unwrap_or(&CHAT)
}

/// The maker at an address, where it is one of those that are known: what an address that was typed is worth.
#[must_use]
pub fn maker_at(base_url: &str) -> Maker {
    let host = |url: &str| {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        rest.split(['/', '?', '#'])
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase()
    };
    let typed = host(base_url.trim());
    if typed.ends_with(".azure.com") {
        return Maker::Azure;
    }
    PRESETS
        .iter()
        .find(|preset| !preset.base_url.is_empty() && host(preset.base_url) == typed)
        .map_or(Maker::Custom, |preset| preset.maker)
}

/// The model somebody means who typed a maker's name or an address, and a model there. A known maker's address is that
/// maker; of any other, the end of the path may say what it speaks (`…/v1/messages`), else it is found by asking. Nothing for
/// a word that is neither.
#[must_use]
pub fn typed(place: &str, model: &str) -> Option<ChosenModel> {
    let place = place.trim();
    let model = model.trim().to_owned();
    if let Some(maker) = named(place) {
        return Some(ChosenModel {
            maker,
            model,
            ..ChosenModel::default()
        });
    }
    // A maker's name with a letter too few would be asked for as a host.
    if place != "localhost" && !place.contains(['.', ':']) {
        return None;
    }
    let maker = maker_at(place);
    Some(ChosenModel {
        maker,
        model,
        // A maker's own address is the same in every version of this program.
        base_url: (preset(maker).base_url != place.trim_end_matches('/')).then(|| place.to_owned()),
        shape: Address::shape_at_end(place),
        ..ChosenModel::default()
    })
}

/// The maker of this name, as it writes it or as settings do. One without an address of its own is none: it takes more
/// than a name.
fn named(name: &str) -> Option<Maker> {
    let plain = |name: &str| -> String {
        name.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let wanted = plain(name);
    let code = |maker: Maker| serde_json::to_value(maker).ok()?.as_str().map(plain);
    PRESETS
        .iter()
        .filter(|preset| !preset.base_url.is_empty())
        .find(|preset| plain(preset.name) == wanted || code(preset.maker).as_ref() == Some(&wanted))
        .map(|preset| preset.maker)
}

/// The provider cards.
#[must_use]
pub fn cards() -> Vec<MakerCard> {
    let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    PRESETS
        .iter()
        .map(|preset| MakerCard {
            maker: preset.maker,
            name: preset.name.to_owned(),
            base_url: text(preset.base_url),
            needs_key: preset.needs_key,
            key_page: text(preset.key_page),
            is_here: preset.is_here,
            shape: preset.shape,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::PlainHttp;

    #[test]
    fn every_address_can_be_used_and_is_the_makers_alone() {
        for preset in PRESETS {
            assert_eq!(super::preset(preset.maker), preset);
            if preset.base_url.is_empty() {
                continue;
            }
            let address = Address::read(preset.base_url, PlainHttp::Refused).unwrap();
            assert_eq!(address.is_loopback, preset.is_here, "{}", preset.name);
            assert_eq!(maker_at(preset.base_url), preset.maker);
            assert_eq!(preset.needs_key, !preset.key_page.is_empty());
        }
    }

    #[test]
    fn an_address_that_was_typed_is_known() {
        for (typed, expected) in [
            ("https://api.openai.com/v1/chat/completions", Maker::Openai),
            ("api.anthropic.com", Maker::Anthropic),
            ("https://shop.openai.azure.com/openai/v1", Maker::Azure),
            ("https://api.openai.com.example.org/v1", Maker::Custom),
            ("http://192.168.1.4:8000/v1", Maker::Custom),
        ] {
            assert_eq!(maker_at(typed), expected, "{typed}");
        }
    }
    #[test]
    fn a_name_or_an_address_is_enough() {
        let check = |place: &str, maker: Maker, base_url: Option<&str>, shape: Option<WireShape>| {
            let chosen = typed(place, " m ").unwrap();
            let told = (chosen.maker, chosen.base_url.as_deref(), chosen.shape);
            assert_eq!(told, (maker, base_url, shape), "{place}");
            assert_eq!(chosen.model, "m");
        };
        for neither in ["opnai", "", "lm studios", "custom"] {
            assert_eq!(typed(neither, "m"), None, "{neither}");
        }
        check("openai", Maker::Openai, None, None);
        check("Anthropic", Maker::Anthropic, None, None);
        check(" LM Studio ", Maker::LmStudio, None, None);
        check("lm_studio", Maker::LmStudio, None, None);
        check("z.ai (zhipu)", Maker::Zhipu, None, None);
        check("https://api.anthropic.com/v1/", Maker::Anthropic, None, None);
        check(
            "https://api.openai.com/v1/chat/completions",
            Maker::Openai,
            Some("https://api.openai.com/v1/chat/completions"),
            Some(WireShape::Chat),
        );
        check(
            "http://127.0.0.1:8080/v1",
            Maker::Custom,
            Some("http://127.0.0.1:8080/v1"),
            None,
        );
        check(
            "http://127.0.0.1:8080/v1/messages",
            Maker::Custom,
            Some("http://127.0.0.1:8080/v1/messages"),
            Some(WireShape::Messages),
        );
    }
}
