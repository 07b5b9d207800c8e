//! Ctrl-C, and the system's other ways of asking a program to end.
//!
//! Listened for from one place for as long as there is something to wind up, so that none is lost between two waits.

use std::io;

/// Every request to end, from the moment this was made.
pub(crate) struct Interrupts {
    #[cfg(unix)]
    keyboard: tokio::signal::unix::Signal,
    /// `kill`, or the system shutting down.
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    /// The terminal was closed.
    #[cfg(unix)]
    hangup: tokio::signal::unix::Signal,
    #[cfg(windows)]
    keyboard: tokio::signal::windows::CtrlC,
    /// The console window was closed.
    #[cfg(windows)]
    close: tokio::signal::windows::CtrlClose,
}

impl Interrupts {
    /// Begins to listen: from now on none of them ends the program by itself. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// When the system refuses.
    #[cfg(unix)]
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            keyboard: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// The same on Windows.
    #[cfg(windows)]
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            keyboard: tokio::signal::windows::ctrl_c()?,
            close: tokio::signal::windows::ctrl_close()?,
        })
    }

    /// Returns at the next one, or at once when one came since the last call.
    pub(crate) async fn next(&mut self) {
        #[cfg(unix)]
        tokio::select! {
            _ = self.keyboard.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
        }
        #[cfg(windows)]
        tokio::select! {
            _ = self.keyboard.recv() => {}
            _ = self.close.recv() => {}
        }
    }
}
