//! Which models count how.

use protocol::Space;

/// A family of models: how its numbers are to be read, and which picture it sees as it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// A stable word for settings: `gemini`, `qwen2.5-vl`, …
    pub name: &'static str,
    /// What stands in the names of its models, in small letters.
    pub marks: &'static [&'static str],
    /// What its numbers count.
    pub space: Space,
    /// The picture it takes without scaling it again.
    pub fit: Fit,
}

/// How large a picture may be so that the model sees each of its pixels. Where a model counts pixels, one it scales
/// itself would shift every point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The longer side at most.
    pub longest: u32,
    /// The shorter side at most.
    pub shortest: u32,
    /// Width times height at most.
    pub most_pixels: u64,
    /// Both sides are multiples of this.
    pub multiple: u32,
}

impl Fit {
    /// The picture as it is, its longer side at most so long.
    #[must_use]
    pub const fn whole(longest: u32) -> Self {
        Self {
            longest,
            shortest: longest,
            most_pixels: u64::MAX,
            multiple: 1,
        }
    }

    /// For models that count in parts of the picture, whatever its size.
    const ANY: Self = Self {
        longest: 1568,
        shortest: 1568,
        most_pixels: 1_200_000,
        multiple: 1,
    };
    /// Qwen2.5-VL and what is built on it scales to multiples of 28 and at most this many pixels.
    const PATCHES_OF_28: Self = Self {
        longest: 2048,
        shortest: 2048,
        most_pixels: 1_003_520,
        multiple: 28,
    };

    /// The size to send a screen in: no larger than it is, its sides in proportion as far as `multiple` allows.
    #[must_use]
    pub fn size(self, width: u32, height: u32) -> (u32, u32) {
        let (w, h) = (f64::from(width.max(1)), f64::from(height.max(1)));
        #[expect(clippy::cast_precision_loss, reason = "some millions")]
        let pixels = self.most_pixels as f64;
        let ratio = (f64::from(self.longest) / w.max(h))
            .min(f64::from(self.shortest) / w.min(h))
            .min((pixels / (w * h)).sqrt())
            .min(1.0);
        let step = self.multiple.max(1);
        let side = |n: f64| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "no larger than a screen's side"
            )]
            let whole = (n * ratio / f64::from(step) + 1e-9).floor() as u32;
            whole.max(1) * step
        };
        (side(w), side(h))
    }
}

/// The families, those that are parts of others first.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "ui-tars-1.5",
        marks: &["ui-tars-1.5", "ui-tars-1-5", "ui_tars_1.5", "ui-tars-1p5"],
        space: Space::Picture,
        fit: Fit::PATCHES_OF_28,
    },
    Family {
        name: "ui-tars",
        marks: &[
            "ui-tars", "ui_tars", "uitars", "doubao", "seed-1", "seed1", "seed-2", "seed2", "seed-oss",
            "seed_oss",
        ],
        space: Space::Thousandths,
        fit: Fit::ANY,
    },
    Family {
        name: "gui-owl-1.5",
        marks: &["gui-owl-1.5", "gui-owl-1-5", "gui_owl_1.5"],
        space: Space::Thousandths,
        fit: Fit::ANY,
    },
    Family {
        // Built on Qwen3-VL and later, and count as those do.
        name: "mai-ui",
        marks: &[
            "mai-ui",
            "mai_ui",
            "gui-plus-2026",
            "gui_plus_2026",
            "qwen-ui-agent",
            "bluelm",
            "phonebuddy",
            "phone-buddy",
        ],
        space: Space::Thousandths,
        fit: Fit::ANY,
    },
    Family {
        name: "qwen2.5-vl",
        marks: &[
            "qwen2.5-vl",
            "qwen2-5-vl",
            "qwen2.5vl",
            "qwen25-vl",
            "gui-owl",
            "gui-plus",
            // The first generations; the later ones count thousandths.
            "ui-venus-navi",
            "ui-venus-ground",
            "holo1",
            "holo-1",
        ],
        space: Space::Picture,
        fit: Fit::PATCHES_OF_28,
    },
    Family {
        name: "ui-venus",
        marks: &["ui-venus", "ui_venus", "uivenus"],
        space: Space::Thousandths,
        fit: Fit::ANY,
    },
    Family {
        name: "step-gui",
        marks: &["step-gui", "step_gui", "stepgui", "gelab"],
        space: Space::Thousandths,
        fit: Fit::ANY,
    },
    Family {
        name: "holo",
        marks: &["holo2", "holo-2", "holo3", "holo-3"],
        space: Space::Thousandths,
        fit: Fit::ANY,
    },
    Family {
        name: "qwen",
        marks: &["qwen"],
        space: Space::Thousandths,
        fit: Fit::ANY,
    },
    Family {
        name: "gemini",
        marks: &["gemini"],
        space: Space::ThousandthsYx,
        fit: Fit::ANY,
    },
    Family {
        name: "glm",
        marks: &["glm", "cogagent", "cogvlm"],
        space: Space::Thousandths,
        fit: Fit::ANY,
    },
    Family {
        name: "kimi",
        marks: &["kimi", "moonshot"],
        space: Space::Unit,
        fit: Fit::ANY,
    },
    Family {
        name: "claude",
        marks: &["claude"],
        space: Space::Picture,
        fit: Fit {
            longest: 1568,
            shortest: 1568,
            most_pixels: 1_150_000,
            multiple: 1,
        },
    },
    Family {
        name: "gpt",
        marks: &["gpt", "computer-use-preview", "chatgpt"],
        space: Space::Picture,
        fit: Fit {
            longest: 2048,
            shortest: 768,
            most_pixels: 1_572_864,
            multiple: 1,
        },
    },
];

/// The family of a model, by its name as the provider writes it (`google/gemini-2.5-pro`). Absent for a model nobody
/// knows: then its numbers count the pixels of the picture as it was sent, which is what a prompt can tell it.
#[must_use]
pub fn family(model: &str) -> Option<&'static Family> {
    let model = model.to_lowercase();
    FAMILIES
        .iter()
        .find(|family| family.marks.iter().any(|mark| model.contains(mark)))
}
