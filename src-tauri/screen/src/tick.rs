//! Counts steps in the room's own tests, so that "linear" is measured without a clock. Elsewhere it does nothing.

/// One more step of a loop.
#[cfg(not(test))]
#[inline]
pub(crate) fn step() {}

#[cfg(test)]
pub(crate) use counting::{step, steps_of};

#[cfg(test)]
mod counting {
    use std::cell::Cell;

    thread_local! {
        static STEPS: Cell<u64> = const { Cell::new(0) };
    }

    pub(crate) fn step() {
        STEPS.with(|steps| steps.set(steps.get() + 1));
    }

    /// How many steps something takes.
    pub(crate) fn steps_of<T>(work: impl FnOnce() -> T) -> u64 {
        STEPS.with(|steps| steps.set(0));
        drop(work());
        STEPS.with(Cell::get)
    }
}
