//! What touching a view means to the screen that made it.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

trait Message: Any + Debug + Send + Sync {
    fn any(&self) -> &dyn Any;
}

impl<T: Any + Debug + Send + Sync> Message for T {
    fn any(&self) -> &dyn Any {
        self
    }
}

/// A message of a screen to itself. Every screen has its own type of message; the toolkit only carries it.
#[derive(Clone, Debug)]
pub(crate) struct ScreenMessage(Arc<dyn Message>);

impl ScreenMessage {
    pub(crate) fn new(message: impl Any + Debug + Send + Sync) -> Self {
        Self(Arc::new(message))
    }

    /// The message, if it is one of this type.
    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        // The message itself: an `Arc` of one would be a message too.
        (*self.0).any().downcast_ref()
    }
}

/// A message that depends on what was done: the text written, the value set.
#[derive(Clone)]
pub(crate) struct Reply<T>(Arc<dyn Fn(T) -> ScreenMessage + Send + Sync>);

impl<T> Reply<T> {
    pub(crate) fn new<M: Any + Debug + Send + Sync>(reply: impl Fn(T) -> M + Send + Sync + 'static) -> Self {
        Self(Arc::new(move |value| ScreenMessage::new(reply(value))))
    }

    pub(crate) fn to(&self, value: T) -> ScreenMessage {
        (self.0)(value)
    }
}

impl<T> Debug for Reply<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reply")
    }
}

/// A stage of a view being pulled about by a finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DragPhase {
    Move,
    Drop,
}

/// How far a finger has pulled a view, in dp from where it touched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DragEvent {
    pub(crate) phase: DragPhase,
    pub(crate) x: f32,
    pub(crate) y: f32,
}
