//! `stat`, `chmod`, `du`, and the names of users, groups and bits.

use super::Moment;
use super::options::options;
use crate::files::{FollowLinks, Stat};
use crate::process::{Call, ProgramResult};

/// User names (`system/core/libcutils/include/private/android_filesystem_config.h`).
pub(crate) fn user_name(uid: u32) -> String {
    match uid {
        10_000.. => format!("u0_a{}", uid - 10_000),
        uid => group_name(uid),
    }
}

/// Group names, from the same list.
pub(crate) fn group_name(gid: u32) -> String {
    match gid {
        0 => "root",
        1000 => "system",
        1001 => "radio",
        1004 => "input",
        1007 => "log",
        1011 => "adb",
        1015 => "sdcard_rw",
        1023 => "media_rw",
        1028 => "sdcard_r",
        1078 => "ext_data_rw",
        1079 => "ext_obb_rw",
        2000 => "shell",
        3001 => "net_bt_admin",
        3002 => "net_bt",
        3003 => "inet",
        3006 => "net_bw_stats",
        3009 => "readproc",
        3011 => "uhid",
        3012 => "readtracefs",
        10_000.. => return format!("u0_a{}", gid - 10_000),
        other => return other.to_string(),
    }
    .to_owned()
}

/// `drwxr-x---`.
pub(super) fn bits(mode: u32) -> String {
    let kind = match mode & 0o170_000 {
        0o040_000 => 'd',
        0o120_000 => 'l',
        0o020_000 => 'c',
        _ => '-',
    };
    let mut text = String::from(kind);
    for (shift, special, letter) in [(6, 0o4000, 's'), (3, 0o2000, 's'), (0, 0o1000, 't')] {
        let part = mode >> shift;
        text.push(if part & 4 != 0 { 'r' } else { '-' });
        text.push(if part & 2 != 0 { 'w' } else { '-' });
        text.push(match (mode & special != 0, part & 1 != 0) {
            (true, true) => letter,
            (true, false) => letter.to_ascii_uppercase(),
            (false, true) => 'x',
            (false, false) => '-',
        });
    }
    text
}

/// What `stat` prints unasked (toybox `stat.c`).
const FORMAT: &str = "  File: %N\n  Size: %s\t Blocks: %b\t IO Blocks: %B\t%F\nDevice: %Dh/%dd\t Inode: %i\t Links: %h\n\
     Access: (%a/%A)\tUid: (%u/%U)\tGid: (%g/%G)\nAccess: %x\nModify: %y\nChange: %z";

/// `stat [-L] [-c FORMAT] FILE…`.
pub(super) async fn stat(call: Call) -> ProgramResult {
    let options = options!(call, "c:Lt");
    if options.rest.is_empty() {
        return call.fail(1, "Needs 1 argument").await;
    }
    let format = options.value('c').unwrap_or(FORMAT).to_owned();
    let follow = if options.has('L') {
        FollowLinks::Yes
    } else {
        FollowLinks::No
    };
    let mut code = 0;
    for file in &options.rest {
        match call.phone.files.stat(&call.path(file), follow) {
            Ok(stat) => call.out(described(&format, file, &stat) + "\n").await?,
            Err(errno) => code = call.fail(1, format!("'{file}': {errno}")).await?,
        }
    }
    Ok(code)
}

fn described(format: &str, name: &str, stat: &Stat) -> String {
    let mut out = String::new();
    let mut rest = format.chars();
    let time = |seconds| Moment::new(seconds).format("%F %T.000000000 +0000");
    while let Some(character) = rest.next() {
        if character != '%' {
            out.push(character);
            continue;
        }
        let Some(kind) = rest.next() else { break };
        let text = match kind {
            'a' => format!("{:o}", stat.mode & 0o7777),
            'A' => bits(stat.mode),
            'b' => (stat.size.div_ceil(4096) * 8).to_string(),
            'B' => "512".to_owned(),
            'd' => stat.device.to_string(),
            'D' => format!("{:x}", stat.device),
            'f' => format!("{:x}", stat.mode),
            'F' => match stat {
                stat if stat.is_directory() => "directory",
                stat if stat.is_link() => "symbolic link",
                stat if stat.is_device() => "character device",
                stat if stat.size == 0 => "regular empty file",
                _ => "regular file",
            }
            .to_owned(),
            'g' => stat.gid.to_string(),
            'G' => format!("{:>8}", group_name(stat.gid)),
            'h' => stat.links.to_string(),
            'i' => stat.inode.to_string(),
            'n' => name.to_owned(),
            'N' => match &stat.link {
                Some(link) => format!("`{name}' -> `{link}'"),
                None => format!("`{name}'"),
            },
            'o' => "4096".to_owned(),
            's' => stat.size.to_string(),
            'u' => stat.uid.to_string(),
            'U' => format!("{:>8}", user_name(stat.uid)),
            'x' | 'y' => time(stat.modified),
            'z' => time(stat.changed),
            'X' | 'Y' => stat.modified.to_string(),
            'Z' => stat.changed.to_string(),
            '%' => "%".to_owned(),
            _ => "?".to_owned(),
        };
        out.push_str(&text);
    }
    out
}

/// `chmod [-R] MODE FILE…`: octal, or `[ugoa][+-=][rwx]`.
pub(super) async fn chmod(call: Call) -> ProgramResult {
    let words: Vec<String> = call
        .arguments()
        .iter()
        .filter(|word| *word != "-R" && *word != "-f")
        .cloned()
        .collect();
    let [mode, files @ ..] = words.as_slice() else {
        return call.fail(1, "Needs 2 arguments").await;
    };
    if files.is_empty() {
        return call.fail(1, "Needs 2 arguments").await;
    }
    let mut code = 0;
    for file in files {
        let path = call.path(file);
        let old = match call.phone.files.stat(&path, FollowLinks::Yes) {
            Ok(stat) => stat,
            Err(errno) => {
                code = call.fail(1, format!("{file}: {errno}")).await?;
                continue;
            }
        };
        let Some(new) = changed(mode, old.mode & 0o7777) else {
            return call.fail(1, format!("bad mode '{mode}'")).await;
        };
        if let Err(errno) = call.phone.files.set_attributes(&path, Some(new), None) {
            code = call
                .fail(1, format!("chmod '{file}' to {new:04o}: {errno}"))
                .await?;
        }
    }
    Ok(code)
}

fn changed(mode: &str, old: u32) -> Option<u32> {
    if mode.chars().all(|c| c.is_digit(8)) {
        return u32::from_str_radix(mode, 8).ok().filter(|bits| *bits <= 0o7777);
    }
    let mut now = old;
    for clause in mode.split(',') {
        let at = clause.find(['+', '-', '='])?;
        let (who, rest) = clause.split_at(at);
        let mut rest = rest.chars();
        let operator = rest.next()?;
        let mut wanted = 0;
        for letter in rest {
            wanted |= match letter {
                'r' => 0o444,
                'w' => 0o222,
                'x' | 'X' => 0o111,
                _ => return None,
            };
        }
        let mut mask = 0;
        for letter in if who.is_empty() { "a" } else { who }.chars() {
            mask |= match letter {
                'u' => 0o700,
                'g' => 0o070,
                'o' => 0o007,
                'a' => 0o777,
                _ => return None,
            };
        }
        now = match operator {
            '+' => now | (wanted & mask),
            '-' => now & !(wanted & mask),
            _ => (now & !mask) | (wanted & mask),
        };
    }
    Some(now)
}

/// `du [-shk] [FILE…]`.
pub(super) async fn du(call: Call) -> ProgramResult {
    let options = options!(call, "shkcamx");
    let roots = if options.rest.is_empty() {
        vec![".".to_owned()]
    } else {
        options.rest.clone()
    };
    let mut code = 0;
    for root in roots {
        let mut lines = Vec::new();
        match blocks(&call, &root, 0, &mut lines) {
            Some(total) => {
                if options.has('s') {
                    lines = vec![(total, root)];
                }
                for (kilobytes, path) in lines {
                    let size = if options.has('h') {
                        super::space::human(kilobytes * 1024)
                    } else {
                        kilobytes.to_string()
                    };
                    call.out(format!("{size}\t{path}\n")).await?;
                }
            }
            None => {
                code = call
                    .fail(1, format!("{root}: {}", crate::files::Errno::NotFound))
                    .await?
            }
        }
    }
    Ok(code)
}

/// Kilobytes below a path; every directory's sum is noted.
fn blocks(call: &Call, path: &str, depth: u32, lines: &mut Vec<(u64, String)>) -> Option<u64> {
    let full = call.path(path);
    let stat = call.phone.files.stat(&full, FollowLinks::No).ok()?;
    let mut total = stat.size.div_ceil(4096) * 4;
    if stat.is_directory() && depth < 64 {
        for (name, _) in call.phone.files.list(&full).unwrap_or_default() {
            let inner = format!("{}/{name}", path.trim_end_matches('/'));
            total += blocks(call, &inner, depth + 1, lines).unwrap_or(0);
        }
        lines.push((total, path.to_owned()));
    } else if depth == 0 {
        lines.push((total, path.to_owned()));
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::{bits, changed};

    #[test]
    fn modes_are_read_and_shown() {
        assert_eq!(bits(0o040_771), "drwxrwx--x");
        assert_eq!(bits(0o102_660), "-rw-rwS---");
        assert_eq!(changed("755", 0), Some(0o755));
        assert_eq!(changed("u+x,go-w", 0o666), Some(0o744));
        assert_eq!(changed("z+x", 0), None);
    }
}
