//! `ls`.

use super::Moment;
use super::options::options;
use super::space::human;
use super::status::{bits, group_name, user_name};
use crate::files::{FollowLinks, Stat};
use crate::process::{Call, ProgramResult, Signal};
use std::fmt::Write as _;

/// A terminal is so wide.
const WIDTH: usize = 80;
/// Directories are gone into so deep.
const DEPTH: u32 = 32;

/// `ls [-1AaCdFfhiLlnopRrSstgZ] [FILE…]` (toybox `ls.c`).
pub(super) async fn main(call: Call) -> ProgramResult {
    let options = options!(call, "1AaCdFfhiLlnogpRrSstHbqxmcuZ");
    let roots = if options.rest.is_empty() {
        vec![".".to_owned()]
    } else {
        options.rest.clone()
    };
    let terminal = call.descriptors.get(1).is_some_and(|output| output.is_terminal());
    let listing = Listing {
        call: &call,
        options: &options,
        columns: terminal && !options.has('1') || options.has('C'),
    };
    let follow = if options.has('l') || options.has('d') {
        FollowLinks::No
    } else {
        FollowLinks::Yes
    };
    let (mut files, mut directories, mut code) = (Vec::new(), Vec::new(), 0);
    for root in roots {
        let path = call.path(&root);
        let follow = if root.ends_with('/') {
            FollowLinks::Yes
        } else {
            follow
        };
        // A link to nothing is still a name.
        let stat = call
            .phone
            .files
            .stat(&path, follow)
            .or_else(|_| call.phone.files.stat(&path, FollowLinks::No));
        match stat {
            Ok(stat) if stat.is_directory() && !options.has('d') => directories.push((root, stat)),
            Ok(stat) => files.push((root, stat)),
            Err(errno) => code = call.fail(1, format!("{root}: {errno}")).await?,
        }
    }
    listing.print(&mut files).await?;
    let several = directories.len() > 1 || !files.is_empty() || options.has('R');
    let mut first = files.is_empty();
    listing.sort(&mut directories);
    for (directory, _) in directories {
        code |= listing.directory(&directory, several, &mut first, 0).await?;
    }
    Ok(code)
}

struct Listing<'a> {
    call: &'a Call,
    options: &'a super::Options,
    columns: bool,
}

type Entry = (String, Stat);

impl Listing<'_> {
    fn directory<'b>(
        &'b self,
        path: &'b str,
        titled: bool,
        first: &'b mut bool,
        depth: u32,
    ) -> futures::future::BoxFuture<'b, Result<i32, Signal>> {
        Box::pin(async move {
            let full = self.call.path(path);
            let mut entries = match self.call.phone.files.list(&full) {
                Ok(entries) => entries,
                Err(errno) => return self.call.fail(1, format!("{path}: {errno}")).await,
            };
            entries
                .retain(|(name, _)| self.options.has('a') || self.options.has('A') || !name.starts_with('.'));
            if self.options.has('a') || self.options.has('f') {
                for name in [".", ".."] {
                    if let Ok(stat) = self
                        .call
                        .phone
                        .files
                        .stat(&self.call.path(&format!("{full}/{name}")), FollowLinks::Yes)
                    {
                        entries.push((name.to_owned(), stat));
                    }
                }
            }
            if titled {
                let gap = if *first { "" } else { "\n" };
                self.call.out(format!("{gap}{path}:\n")).await?;
            }
            *first = false;
            if self.is_long() || self.options.has('s') {
                let blocks: u64 = entries.iter().map(|(_, stat)| kilobytes(stat)).sum();
                self.call.out(format!("total {blocks}\n")).await?;
            }
            self.print(&mut entries).await?;
            let mut code = 0;
            if self.options.has('R') && depth < DEPTH {
                for (name, _) in entries
                    .iter()
                    .filter(|(name, stat)| stat.is_directory() && name != "." && name != "..")
                {
                    let inner = format!("{}/{name}", path.trim_end_matches('/'));
                    code |= self.directory(&inner, true, first, depth + 1).await?;
                }
            }
            Ok(code)
        })
    }

    fn is_long(&self) -> bool {
        "lnog".chars().any(|letter| self.options.has(letter))
    }

    fn sort(&self, entries: &mut [Entry]) {
        entries.sort_by(|(a, a_stat), (b, b_stat)| {
            let by_name = a.cmp(b);
            if self.options.has('S') {
                b_stat.size.cmp(&a_stat.size).then(by_name)
            } else if self.options.has('t') {
                b_stat.modified.cmp(&a_stat.modified).then(by_name)
            } else {
                by_name
            }
        });
        if self.options.has('r') {
            entries.reverse();
        }
    }

    async fn print(&self, entries: &mut [Entry]) -> Result<(), Signal> {
        self.sort(entries);
        let names: Vec<String> = entries.iter().map(|(name, stat)| self.name(name, stat)).collect();
        let out = if self.is_long() {
            self.long(entries, &names)
        } else if self.columns && !names.is_empty() {
            columns(&names)
        } else {
            let mut out = String::new();
            for ((_, stat), name) in entries.iter().zip(&names) {
                if self.options.has('s') {
                    let _ = write!(out, "{} ", kilobytes(stat));
                }
                if self.options.has('i') {
                    let _ = write!(out, "{} ", stat.inode);
                }
                let _ = writeln!(out, "{name}");
            }
            out
        };
        self.call.out(out).await
    }

    fn name(&self, name: &str, stat: &Stat) -> String {
        let mark = match stat {
            stat if stat.is_directory() && (self.options.has('F') || self.options.has('p')) => "/",
            stat if stat.is_link() && self.options.has('F') => "@",
            stat if stat.is_file() && stat.mode & 0o111 != 0 && self.options.has('F') => "*",
            _ => "",
        };
        format!("{name}{mark}")
    }

    fn long(&self, entries: &[Entry], names: &[String]) -> String {
        let numeric = self.options.has('n');
        let user = |stat: &Stat| {
            if numeric {
                stat.uid.to_string()
            } else {
                user_name(stat.uid)
            }
        };
        let group = |stat: &Stat| {
            if numeric {
                stat.gid.to_string()
            } else {
                group_name(stat.gid)
            }
        };
        let size = |stat: &Stat| {
            if stat.is_device() {
                "1,   3".to_owned()
            } else if self.options.has('h') {
                human(stat.size)
            } else {
                stat.size.to_string()
            }
        };
        let widest = |text: &dyn Fn(&Stat) -> String| {
            entries
                .iter()
                .map(|(_, stat)| text(stat).len())
                .max()
                .unwrap_or(0)
        };
        let links = widest(&|stat| stat.links.to_string());
        let (users, groups, sizes) = (widest(&user), widest(&group), widest(&size));
        let mut out = String::new();
        for ((_, stat), name) in entries.iter().zip(names) {
            if self.options.has('i') {
                let _ = write!(out, "{} ", stat.inode);
            }
            let _ = write!(out, "{} {:>links$}", bits(stat.mode), stat.links);
            if !self.options.has('g') {
                let _ = write!(out, " {:<users$}", user(stat));
            }
            if !self.options.has('o') {
                let _ = write!(out, " {:<groups$}", group(stat));
            }
            let _ = write!(
                out,
                " {:>sizes$} {} {name}",
                size(stat),
                Moment::new(stat.modified).format("%F %H:%M")
            );
            if let Some(link) = &stat.link {
                let _ = write!(out, " -> {link}");
            }
            out.push('\n');
        }
        out
    }
}

fn kilobytes(stat: &Stat) -> u64 {
    stat.size.div_ceil(4096) * 4
}

/// Columns, filled downwards.
fn columns(names: &[String]) -> String {
    let length = |name: &String| name.chars().count();
    for count in (2..=names.len().min(WIDTH / 2)).rev() {
        let height = names.len().div_ceil(count);
        let widths: Vec<usize> = names
            .chunks(height)
            .map(|column| column.iter().map(length).max().unwrap_or(0))
            .collect();
        if widths.iter().sum::<usize>() + widths.len() > WIDTH {
            continue;
        }
        let mut out = String::new();
        for row in 0..height {
            let mut line = String::new();
            for (column, width) in names.chunks(height).zip(&widths) {
                if let Some(name) = column.get(row) {
                    let _ = write!(line, "{name}{}", " ".repeat(width - length(name) + 1));
                }
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
        return out;
    }
    names.iter().map(|name| format!("{name}\n")).collect()
}
