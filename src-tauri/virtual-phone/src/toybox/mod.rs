//! toybox: the small commands. Behaviour, words and exit codes after its sources (`toys/*/*.c`), each to the depth
//! its own table row in the room's README tells; options beyond that are refused as toybox refuses unknown ones.

#[cfg(feature = "bed")]
mod archive;
mod calendar;
#[cfg(feature = "bed")]
mod copy;
#[cfg(feature = "bed")]
mod encode;
#[cfg(feature = "bed")]
mod fields;
#[cfg(feature = "bed")]
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
#[cfg(feature = "bed")]
mod sed;
#[cfg(feature = "bed")]
mod sort;
mod space;
mod status;
mod system;
#[cfg(feature = "bed")]
mod xargs;

pub(crate) use calendar::Moment;
pub(crate) use options::Options;
pub(crate) use processes::send_signals;

use crate::process::{Program, program};

/// Every command of toybox (and toolbox's `getprop`, `setprop`): what asks a phone uses these; the bed has more.
pub(crate) const PROGRAMS: &[Program] = &[
    program!("[", system::bracket),
    #[cfg(feature = "bed")]
    program!("base64", encode::base64),
    program!("basename", name::basename),
    program!("cat", lines::cat),
    program!("chmod", status::chmod),
    program!("clear", print::clear),
    #[cfg(feature = "bed")]
    program!("cp", copy::cp),
    #[cfg(feature = "bed")]
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
    #[cfg(feature = "bed")]
    program!("find", find::main),
    program!("getprop", system::getprop),
    program!("grep", grep::main),
    #[cfg(feature = "bed")]
    program!("gunzip", archive::gunzip),
    #[cfg(feature = "bed")]
    program!("gzip", archive::gzip),
    program!("head", lines::head),
    program!("hostname", system::hostname),
    program!("id", system::id),
    program!("kill", processes::kill),
    #[cfg(feature = "bed")]
    program!("ln", copy::ln),
    program!("ls", list::main),
    #[cfg(feature = "bed")]
    program!("md5sum", encode::md5sum),
    program!("mkdir", remove::mkdir),
    #[cfg(feature = "bed")]
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
    #[cfg(feature = "bed")]
    program!("sed", sed::main),
    program!("seq", print::seq),
    program!("setprop", system::setprop),
    program!("setsid", flow::setsid),
    #[cfg(feature = "bed")]
    program!("sha256sum", encode::sha256sum),
    program!("sleep", flow::sleep),
    #[cfg(feature = "bed")]
    program!("sort", sort::sort),
    program!("stat", status::stat),
    program!("tail", lines::tail),
    program!("tee", lines::tee),
    program!("test", system::test),
    program!("timeout", flow::timeout),
    program!("touch", remove::touch),
    #[cfg(feature = "bed")]
    program!("tr", fields::tr),
    program!("true", system::yes),
    program!("uname", system::uname),
    #[cfg(feature = "bed")]
    program!("uniq", sort::uniq),
    program!("uptime", system::uptime),
    program!("wc", lines::wc),
    program!("which", name::which),
    program!("whoami", system::whoami),
    #[cfg(feature = "bed")]
    program!("xargs", xargs::main),
];

#[cfg(test)]
mod tests;
