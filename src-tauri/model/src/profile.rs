//! What suits which model: how it acts, what it is sent, in which words. Data.
//!
//! Which coordinates a model counts in is room `screen`'s ([`screen::FAMILIES`]): a profile names the family.

use crate::picture::Packing;
use crate::price;
use agent::ports::ModelCapabilities;
use protocol::{Acting, Maker, TrainedWords};

/// How one model is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// What stands in the names of its models, in small letters; those that are parts of others first.
    pub marks: &'static [&'static str],
    /// The family of [`screen::FAMILIES`] its numbers are read by; absent for models nobody knows.
    pub family: Option<&'static str>,
    /// How it acts.
    pub acting: Acting,
    /// The words it was trained on, for [`Acting::Trained`].
    pub training: Option<TrainedWords>,
    /// Whether it looks at pictures.
    pub picture: bool,
    /// How they are packed.
    pub packing: Packing,
    /// The longer side of a picture at most, in pixels.
    pub longest_side: u32,
    /// The same for a picture beside the list of elements.
    pub longest_beside: u32,
    /// How closely a picture is to be looked at, in the maker's words: beside the list, and alone.
    pub detail: Option<[&'static str; 2]>,
    /// Whether it is sent the list of elements.
    pub elements: bool,
    /// Tokens it reads at once, where the table of prices does not say.
    pub context: u64,
    /// It has one temperature of its own and refuses or suffers from another.
    pub own_temperature: bool,
    /// How hard it should think first.
    pub effort: Option<&'static str>,
    /// In which language its prompt is written.
    pub language: Language,
    /// It can be made to call a tool; else one is only offered.
    pub must_call: bool,
}

/// In which language a prompt is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Whatever language the person writes.
    English,
    /// In Chinese where the person writes Chinese: trained on a prompt in each.
    ChineseOrEnglish,
}

/// For models nobody knows: tools first (a server that has none says so once), pictures and elements.
pub(crate) const UNKNOWN: Profile = Profile {
    marks: &[],
    family: None,
    acting: Acting::Tool,
    training: None,
    picture: true,
    packing: Packing::Smaller,
    // Text of a phone is legible at this height, and makers bill it as a few hundred to 1,500 tokens.
    longest_side: 1280,
    // What stands on it is in the list: body text can still be read, and it is billed as 260 to 430 tokens.
    longest_beside: 768,
    detail: None,
    elements: true,
    context: 32_768,
    own_temperature: false,
    effort: None,
    language: Language::English,
    must_call: true,
};

/// Trained to operate phones by what they see: no list, every pixel, their own words.
const PHONE: Profile = Profile {
    acting: Acting::Trained,
    packing: Packing::Png,
    elements: false,
    ..UNKNOWN
};

/// The profiles.
pub const PROFILES: &[Profile] = &[
    Profile {
        marks: &["autoglm"],
        family: Some("glm"),
        training: Some(TrainedWords::Autoglm),
        context: 25_480,
        language: Language::ChineseOrEnglish,
        ..PHONE
    },
    Profile {
        marks: &["cogagent"],
        family: Some("glm"),
        training: Some(TrainedWords::Cogagent),
        context: 8_192,
        ..PHONE
    },
    Profile {
        marks: &["ui-tars-1.5", "ui-tars-1-5", "ui_tars_1.5", "ui-tars-1p5"],
        family: Some("ui-tars-1.5"),
        training: Some(TrainedWords::UiTars),
        ..PHONE
    },
    Profile {
        marks: &["ui-tars", "ui_tars", "uitars"],
        family: Some("ui-tars"),
        training: Some(TrainedWords::UiTars),
        ..PHONE
    },
    Profile {
        marks: &["gui-owl-1.5", "gui-owl-1-5", "gui_owl_1.5"],
        family: Some("gui-owl-1.5"),
        training: Some(TrainedWords::MobileUse),
        ..PHONE
    },
    Profile {
        marks: &[
            "mai-ui",
            "mai_ui",
            "gui-plus-2026",
            "gui_plus_2026",
            "qwen-ui-agent",
            "bluelm",
        ],
        family: Some("mai-ui"),
        training: Some(TrainedWords::MobileUse),
        ..PHONE
    },
    Profile {
        marks: &["phonebuddy", "phone-buddy"],
        family: Some("mai-ui"),
        training: Some(TrainedWords::Verbs),
        ..PHONE
    },
    Profile {
        marks: &["gui-owl", "gui-plus"],
        family: Some("qwen2.5-vl"),
        training: Some(TrainedWords::MobileUse),
        ..PHONE
    },
    Profile {
        marks: &["ui-venus-navi", "ui-venus-ground"],
        family: Some("qwen2.5-vl"),
        training: Some(TrainedWords::UiVenus),
        ..PHONE
    },
    Profile {
        marks: &["ui-venus-2", "ui_venus_2", "uivenus2"],
        family: Some("ui-venus"),
        training: Some(TrainedWords::UiVenus2),
        ..PHONE
    },
    Profile {
        marks: &["ui-venus", "ui_venus", "uivenus"],
        family: Some("ui-venus"),
        training: Some(TrainedWords::UiVenus),
        ..PHONE
    },
    Profile {
        marks: &["step-gui", "step_gui", "stepgui", "gelab"],
        family: Some("step-gui"),
        training: Some(TrainedWords::StepGui),
        language: Language::ChineseOrEnglish,
        ..PHONE
    },
    Profile {
        // Its own words are for browsers: on a phone it is asked in plain ones.
        marks: &["holo1", "holo-1"],
        family: Some("qwen2.5-vl"),
        acting: Acting::Text,
        ..UNKNOWN
    },
    Profile {
        marks: &["holo2", "holo-2", "holo3", "holo-3"],
        family: Some("holo"),
        acting: Acting::Text,
        context: 131_072,
        ..UNKNOWN
    },
    Profile {
        marks: &["qwen2.5-vl", "qwen2-5-vl", "qwen2.5vl", "qwen25-vl"],
        family: Some("qwen2.5-vl"),
        training: Some(TrainedWords::MobileUse),
        ..PHONE
    },
    Profile {
        marks: &["qwen3-vl", "qwen3vl"],
        family: Some("qwen"),
        training: Some(TrainedWords::MobileUse),
        packing: Packing::Smaller,
        context: 131_072,
        ..PHONE
    },
    Profile {
        marks: &["qwen"],
        family: Some("qwen"),
        context: 131_072,
        ..UNKNOWN
    },
    Profile {
        marks: &["seed-oss", "seed_oss"],
        family: Some("ui-tars"),
        picture: false,
        context: 524_288,
        ..UNKNOWN
    },
    Profile {
        marks: &["doubao", "seed-1", "seed1", "seed-2", "seed2"],
        family: Some("ui-tars"),
        ..UNKNOWN
    },
    Profile {
        marks: &["glm", "cogvlm"],
        family: Some("glm"),
        ..UNKNOWN
    },
    Profile {
        marks: &["kimi", "moonshot"],
        family: Some("kimi"),
        context: 131_072,
        own_temperature: true,
        ..UNKNOWN
    },
    Profile {
        // Its makers advise against any temperature but its own: it would think in circles.
        marks: &["gemini-3", "gemini-4", "gemini-pro-latest", "gemini-flash-latest"],
        family: Some("gemini"),
        // 280 tokens, and 1,120: <https://ai.google.dev/gemini-api/docs/media-resolution>
        detail: Some(["MEDIA_RESOLUTION_LOW", "MEDIA_RESOLUTION_HIGH"]),
        context: 1_048_576,
        own_temperature: true,
        ..UNKNOWN
    },
    Profile {
        marks: &["gemini"],
        family: Some("gemini"),
        // 256 tokens, and those of as many cut-outs.
        detail: Some(["MEDIA_RESOLUTION_MEDIUM", "MEDIA_RESOLUTION_HIGH"]),
        context: 1_048_576,
        ..UNKNOWN
    },
    Profile {
        // They refuse to be made to call a tool: <https://docs.anthropic.com/en/release-notes/api>.
        marks: &[
            "claude-fable-5-1",
            "claude-fable-5.1",
            "claude-mythos-5-1",
            "claude-mythos-5.1",
        ],
        family: Some("claude"),
        context: 1_000_000,
        must_call: false,
        ..UNKNOWN
    },
    Profile {
        marks: &["claude"],
        family: Some("claude"),
        context: 200_000,
        ..UNKNOWN
    },
    Profile {
        // A maker's open model, served by many, without eyes.
        marks: &["gpt-oss"],
        family: Some("gpt"),
        picture: false,
        context: 131_072,
        ..UNKNOWN
    },
    Profile {
        marks: &["gpt-4", "chatgpt", "computer-use-preview"],
        family: Some("gpt"),
        context: 128_000,
        ..UNKNOWN
    },
    Profile {
        // One step on a phone needs no long thought, and thoughts are paid for.
        marks: &["gpt"],
        family: Some("gpt"),
        context: 272_000,
        own_temperature: true,
        effort: Some("low"),
        ..UNKNOWN
    },
    Profile {
        marks: &["deepseek"],
        picture: false,
        context: 65_536,
        ..UNKNOWN
    },
];

impl Profile {
    /// The profile of a model, by its name as the maker writes it, and by what the table says of it.
    #[must_use]
    pub fn of(maker: Maker, model: &str) -> Self {
        let name = model.to_lowercase();
        let found = PROFILES
            .iter()
            .find(|profile| profile.marks.iter().any(|mark| name.contains(mark)));
        let mut profile = *found.unwrap_or(&UNKNOWN);
        if let Some(known) = price::known(maker, model) {
            profile.context = known.context.unwrap_or(profile.context);
            profile.picture = known.picture;
            if !known.tool && profile.acting == Acting::Tool {
                profile.acting = Acting::Text;
            }
        }
        // OpenAI's own thinkers without GPT in their names.
        let thinks = |mark: &str| name == mark || name.starts_with(&format!("{mark}-"));
        if maker == Maker::Openai && (thinks("o1") || thinks("o3") || thinks("o4-mini")) {
            profile.own_temperature = true;
            profile.family = Some("gpt");
        }
        profile
    }

    /// What it wants to be sent with each step.
    #[must_use]
    pub fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities {
            picture: self.picture,
            // Without eyes the list is all there is.
            elements: self.elements || !self.picture,
            marks: false,
            longest_side: self.longest_side,
            longest_beside: self.longest_beside,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_name_the_family_that_the_screen_reads_by() {
        for profile in PROFILES {
            for mark in profile.marks {
                let family = screen::family(mark).map(|family| family.name);
                assert_eq!(profile.family, family, "{mark}");
            }
        }
    }

    #[test]
    fn every_mark_is_reached() {
        for profile in PROFILES {
            for mark in profile.marks {
                let found = Profile::of(Maker::Custom, mark);
                assert_eq!(
                    found.marks, profile.marks,
                    "{mark} stands behind one it is part of"
                );
            }
        }
    }

    #[test]
    fn what_is_trained_has_its_words() {
        for profile in PROFILES {
            assert_eq!(
                profile.acting == Acting::Trained,
                profile.training.is_some(),
                "{:?}",
                profile.marks
            );
        }
    }

    #[test]
    fn models_have_the_profile_that_suits_them() {
        let check = |maker, model: &str| {
            let p = Profile::of(maker, model);
            (p.family, p.acting, p.picture, p.own_temperature)
        };
        use Acting::{Text, Tool, Trained};
        assert_eq!(check(Maker::Openai, "gpt-5.2"), (Some("gpt"), Tool, true, true));
        assert_eq!(check(Maker::Openai, "gpt-4.1"), (Some("gpt"), Tool, true, false));
        assert_eq!(check(Maker::Openai, "o3-mini"), (Some("gpt"), Tool, false, true));
        assert_eq!(
            check(Maker::Openai, "gpt-5-chat"),
            (Some("gpt"), Text, true, true)
        );
        assert_eq!(
            check(Maker::Anthropic, "claude-sonnet-4-5"),
            (Some("claude"), Tool, true, false)
        );
        assert_eq!(
            check(Maker::Google, "gemini-3-flash-preview"),
            (Some("gemini"), Tool, true, true)
        );
        assert_eq!(
            check(Maker::Zhipu, "autoglm-phone-multilingual"),
            (Some("glm"), Trained, true, false)
        );
        assert_eq!(
            check(Maker::Openrouter, "bytedance/ui-tars-1.5-7b"),
            (Some("ui-tars-1.5"), Trained, true, false)
        );
        assert_eq!(
            check(Maker::Ollama, "gpt-oss:20b"),
            (Some("gpt"), Tool, false, false)
        );
        assert_eq!(
            check(Maker::Custom, "MAI-UI-8B"),
            (Some("mai-ui"), Trained, true, false)
        );
        assert_eq!(
            check(Maker::Dashscope, "gui-plus-2026-02-26"),
            (Some("mai-ui"), Trained, true, false)
        );
        assert_eq!(
            check(Maker::Custom, "UI-Venus-1.5-8B"),
            (Some("ui-venus"), Trained, true, false)
        );
        assert_eq!(
            check(Maker::Custom, "doubao-seed-2-0-pro"),
            (Some("ui-tars"), Tool, true, false)
        );
        assert_eq!(
            check(Maker::Custom, "holo3.1-35b-a3b"),
            (Some("holo"), Text, true, false)
        );
        assert_eq!(check(Maker::Custom, "some-model"), (None, Tool, true, false));
        let words = |model: &str| Profile::of(Maker::Custom, model).training;
        assert_eq!(words("UI-Venus-2.0-9B"), Some(TrainedWords::UiVenus2));
        assert_eq!(words("UI-Venus-1.5-30B-A3B"), Some(TrainedWords::UiVenus));
        assert_eq!(words("GELab-Zero-4B-preview"), Some(TrainedWords::StepGui));
        assert_eq!(words("PhoneBuddy-4B"), Some(TrainedWords::Verbs));
        assert_eq!(words("BlueLM-GUI-35B-A3B"), Some(TrainedWords::MobileUse));
        let blind = Profile::of(Maker::Deepseek, "deepseek-chat").capabilities();
        assert!(!blind.picture && blind.elements);
    }
}
