//! One look: what is there, and what of it may be told.

use super::likeness;
use crate::ports::{PictureSource, RawObservation, ScreenMark, TreeMark};
use crate::secrets::{MaskLevel, Masked};
use protocol::{Bounds, Element, FrameId, Screen};
use screen::{Change, MayDiffer, Scope};
use tokio::time::Instant;

/// Which look, counted over the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LookNumber(pub u64);

/// One look. Copies share their pictures.
#[derive(Clone)]
pub(super) struct Observation {
    /// As it is, for judging and acting.
    pub screen: Screen,
    /// As it may be told, stored and sent.
    pub shown: Masked,
    /// The stored picture.
    pub frame: Option<FrameId>,
    /// Which look it is.
    pub number: LookNumber,
    /// Its tree is proven to be of its picture.
    pub whole: bool,
    /// When its picture was taken, or was last found to be still true.
    pub at: Instant,
    /// How the phone was turned, in quarter turns; absent where nothing said so.
    pub rotation: Option<u8>,
    /// The site in front, where it is a browser's and can be read.
    pub address: Option<String>,
    /// What somebody else thinks of this page; absent until it was heard.
    pub opinion: Option<judge::guard::Opinion>,
    /// Where something goes on changing on it.
    pub restless: Option<Bounds>,
    /// Where its picture comes from.
    pub source: PictureSource,
    /// What the phone can tell of what was drawn since.
    pub mark: Option<ScreenMark>,
    /// What it can tell of what became of the tree since.
    pub tree_mark: Option<TreeMark>,
    /// What was kept from whoever looks when it was made.
    pub mask_level: MaskLevel,
}

impl Observation {
    /// As the phone gave it.
    pub(super) fn raw(&self) -> RawObservation {
        RawObservation {
            capture: self.screen.capture,
            frame: self.screen.frame.clone(),
            width: self.screen.width,
            height: self.screen.height,
            app: self.screen.current_app.clone(),
            window: self.screen.window.clone(),
            keyboard_shown: self.screen.keyboard_shown,
            at: self.screen.captured_at,
            quiet: true,
            restless: self.restless,
            source: self.source,
            mark: self.mark,
        }
    }
}

impl Observation {
    /// What a question is about, as the phone shows it: the question's own copy may be masked.
    pub(super) fn as_it_is(&self, told: Option<&Element>) -> Option<&Element> {
        let told = told?;
        self.screen
            .elements
            .iter()
            .find(|element| element.index == told.index)
    }

    /// What makes a Yes void that was said on this look, about `told` of the question: what changed until `later`.
    pub(super) fn voided_by(&self, later: &Self, told: Option<&Element>) -> Option<Change> {
        let but = MayDiffer {
            restless: self.restless,
            field: None,
        };
        self.changed_until(later, self.as_it_is(told), but)
    }

    /// The same for a Yes to write in a field: what that holds may differ.
    pub(super) fn voided_for(&self, later: &Self, field: &Element) -> Option<Change> {
        let but = MayDiffer {
            restless: self.restless,
            field: Some(field),
        };
        self.changed_until(later, None, but)
    }

    /// A page of another site may say the same words.
    fn changed_until(&self, later: &Self, target: Option<&Element>, but: MayDiffer<'_>) -> Option<Change> {
        if self.address != later.address {
            return Some(Change::Site);
        }
        screen::changed_but(&self.screen, &later.screen, target, but)
    }

    /// What an act on `told` of the question is about: the words around it.
    pub(super) fn about(&self, told: Option<&Element>) -> Vec<String> {
        let scope = Scope::of(&self.screen, self.as_it_is(told), self.restless);
        scope.texts().to_vec()
    }

    /// Whether a sight shows something else, where that can be told.
    pub(super) fn changed(&self, sight: &RawObservation) -> Option<bool> {
        likeness::of_sight(&self.screen, self.source, sight).changed()
    }
}

/// What has become of a look.
pub(super) enum LookCheck {
    /// It still shows what is there.
    Same(Box<Observation>),
    /// The screen shows something else, or may: this is its picture now.
    Other(Box<RawObservation>),
}
