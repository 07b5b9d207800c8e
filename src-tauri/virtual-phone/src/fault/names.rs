//! A fault by its name, and its name.

use super::Fault;
use super::table::{ALIASES, ROWS, Row, Shape};
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// A name that is no fault's, or an argument that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no fault is called {0:?}; {known}", known = known())]
pub struct NoSuchFault(pub String);

fn known() -> String {
    if !crate::test_support::TEST_SUPPORT {
        return "this program was built without test support (the feature virtual-phone/test-support), and knows none"
            .to_owned();
    }
    let names: Vec<&str> = Fault::list().iter().map(|(name, _)| *name).collect();
    format!("known: {}", names.join(", "))
}

static LIST: LazyLock<Vec<(&'static str, &'static str)>> =
    LazyLock::new(|| rows().iter().map(|row| (row.name, row.what)).collect());

/// Every fault there is: without test support, none.
fn rows() -> &'static [Row] {
    if crate::test_support::TEST_SUPPORT {
        &ROWS
    } else {
        &[]
    }
}

impl Fault {
    /// Every fault's name (with its argument's) and what it does, for a help text; none without test support.
    #[must_use]
    pub fn list() -> &'static [(&'static str, &'static str)] {
        &LIST
    }

    /// What one argument of each shape makes of a row: enough to tell whose row it is.
    fn is_of(self, shape: Shape) -> bool {
        match shape {
            Shape::Plain(fault) => fault == self,
            Shape::Count(make) => make(0).is_like(self),
            Shape::Factor(make) => make(1.0).is_like(self),
            Shape::Seconds(make) => make(0).is_like(self),
            Shape::Where(make) => make(None).is_like(self),
        }
    }

    fn argument(self) -> Option<String> {
        match self {
            Self::UnplugAfter(count)
            | Self::RotateAfter(count)
            | Self::ServerRestarts(count)
            | Self::Latency(count)
            | Self::Bandwidth(count)
            | Self::Stutter(count)
            | Self::StreamStall(count)
            | Self::EncoderLimit(count)
            | Self::ScrcpyDies(count)
            | Self::ReaderDies(count) => Some(count.to_string()),
            Self::Slow(factor) => Some(factor.to_string()),
            Self::ClockSkew(seconds) => Some(seconds.to_string()),
            Self::HalfAnswer(program) | Self::Silence(program) | Self::Disconnect(program) => {
                program.map(str::to_owned)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = rows().iter().find(|row| self.is_of(row.shape));
        f.write_str(row.map_or("", Row::stem))?;
        match self.argument() {
            Some(argument) => write!(f, ":{argument}"),
            None => Ok(()),
        }
    }
}

/// A program of the phone's, or a service of its daemon's, by name.
fn program(name: &str) -> Option<&'static str> {
    const SERVICES: [&str; 4] = ["sync", "framebuffer", "localabstract", "reboot"];
    crate::programs::names()
        .chain(SERVICES)
        .find(|known| *known == name)
}

impl FromStr for Fault {
    type Err = NoSuchFault;

    fn from_str(text: &str) -> Result<Self, NoSuchFault> {
        let (name, argument) = match text.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text, None),
        };
        let name = ALIASES
            .iter()
            .filter(|_| crate::test_support::TEST_SUPPORT)
            .find(|(alias, _)| *alias == name)
            .map_or(name, |(_, name)| name);
        let read = || {
            let row = rows().iter().find(|row| row.stem() == name)?;
            match (row.shape, argument) {
                (Shape::Plain(fault), None) => Some(fault),
                (Shape::Count(make), Some(argument)) => argument.parse().ok().map(make),
                (Shape::Seconds(make), Some(argument)) => argument.parse().ok().map(make),
                (Shape::Factor(make), Some(argument)) => argument
                    .parse()
                    .ok()
                    .filter(|factor| *factor > 0.0 && *factor <= 1000.0)
                    .map(make),
                (Shape::Where(make), None) => Some(make(None)),
                (Shape::Where(make), Some(argument)) => program(argument).map(|name| make(Some(name))),
                _ => None,
            }
        };
        read().ok_or_else(|| NoSuchFault(text.to_owned()))
    }
}
