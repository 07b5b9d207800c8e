//! toybox: the small commands. Behaviour, words and exit codes after its sources (`toys/*/*.c`), each to the depth
//! its own table row in the room's README tells; options beyond that are refused as toybox refuses unknown ones.

#[cfg(feature = "test-support")]
mod archive;
mod calendar;
#[cfg(feature = "test-support")]
mod copy;
#[cfg(feature = "test-support")]
mod encode;
#[cfg(feature = "test-support")]
mod fields;
#[cfg(feature = "test-support")]
mod find;
mod flow;
mod grep;
mod lines;
mod list;
mod name;
mod options;
mod print;
mod processes;
mod remove;
#[cfg(feature = "test-support")]
mod sed;
#[cfg(feature = "test-support")]
mod sort;
mod space;
mod status;
mod system;
#[cfg(feature = "test-support")]
mod xargs;

pub(crate) use calendar::Moment;
pub(crate) use options::Options;
pub(crate) use processes::send_signals;

use crate::process::{Program, program};

/// Every command of toybox (and toolbox's `getprop`, `setprop`): what asks a phone uses these; with test support there are more.
pub(crate) const PROGRAMS: &[Program] = &[
    program!("[", system::bracket),
    #[cfg(feature = "test-support")]
    program!("base64", encode::base64),
    program!("basename", name::basename),
    program!("cat", lines::cat),
    program!("chmod", status::chmod),
    program!("clear", print::clear),
    #[cfg(feature = "test-support")]
    program!("cp", copy::cp),
    #[cfg(feature = "test-support")]
    program!("cut", fields::cut),
    program!("date", system::date),
    program!("df", space::df),
    program!("dirname", name::dirname),
    program!("du", status::du),
    program!("echo", print::echo),
    program!("egrep", grep::main),
    program!("env", flow::env),
    program!("expr", system::expr),
    program!("false", system::no),
    program!("fgrep", grep::main),
    #[cfg(feature = "test-support")]
    program!("find", find::main),
    program!("getprop", system::getprop),
    program!("grep", grep::main),
    #[cfg(feature = "test-support")]
    program!("gunzip", archive::gunzip),
    #[cfg(feature = "test-support")]
    program!("gzip", archive::gzip),
    program!("head", lines::head),
    program!("hostname", system::hostname),
    program!("id", system::id),
    program!("kill", processes::kill),
    #[cfg(feature = "test-support")]
    program!("ln", copy::ln),
    program!("ls", list::main),
    #[cfg(feature = "test-support")]
    program!("md5sum", encode::md5sum),
    program!("mkdir", remove::mkdir),
    #[cfg(feature = "test-support")]
    program!("mv", copy::mv),
    program!("nohup", flow::nohup),
    program!("pidof", processes::pidof),
    program!("pkill", processes::pkill),
    program!("printenv", flow::printenv),
    program!("printf", print::printf),
    program!("ps", processes::ps),
    program!("pwd", name::pwd),
    program!("readlink", name::readlink),
    program!("realpath", name::realpath),
    program!("rm", remove::rm),
    program!("rmdir", remove::rmdir),
    #[cfg(feature = "test-support")]
    program!("sed", sed::main),
    program!("seq", print::seq),
    program!("setprop", system::setprop),
    program!("setsid", flow::setsid),
    #[cfg(feature = "test-support")]
    program!("sha256sum", encode::sha256sum),
    program!("sleep", flow::sleep),
    #[cfg(feature = "test-support")]
    program!("sort", sort::sort),
    program!("stat", status::stat),
    program!("tail", lines::tail),
    program!("tee", lines::tee),
    program!("test", system::test),
    program!("timeout", flow::timeout),
    program!("touch", remove::touch),
    #[cfg(feature = "test-support")]
    program!("tr", fields::tr),
    program!("true", system::yes),
    program!("uname", system::uname),
    #[cfg(feature = "test-support")]
    program!("uniq", sort::uniq),
    program!("uptime", system::uptime),
    program!("wc", lines::wc),
    program!("which", name::which),
    program!("whoami", system::whoami),
    #[cfg(feature = "test-support")]
    program!("xargs", xargs::main),
];

#[cfg(test)]
mod tests;
