//! What the phone is: `id`, `uname`, `date`, `getprop`, `setprop`, …; and `true`, `false`, `test`, `expr`.

use super::Moment;
use super::options::options;
use crate::fault::Fault;
use crate::process::{Call, ProgramResult};

/// How many properties more a maker brings (`crowded`).
const CROWD: usize = 700;

/// `true`.
pub(super) async fn yes(_: Call) -> ProgramResult {
    Ok(0)
}

/// `false`.
pub(super) async fn no(_: Call) -> ProgramResult {
    Ok(1)
}

/// `test EXPRESSION`.
pub(super) async fn test(call: Call) -> ProgramResult {
    let words = call.arguments().to_vec();
    tested(&call, &words).await
}

/// `[ EXPRESSION ]`.
pub(super) async fn bracket(call: Call) -> ProgramResult {
    let words = call.arguments().to_vec();
    match words.split_last() {
        Some((last, inner)) if last == "]" => tested(&call, inner).await,
        _ => call.fail(2, "Missing ']'").await,
    }
}

async fn tested(call: &Call, words: &[String]) -> ProgramResult {
    match crate::shell::evaluate_test(call, words) {
        Ok(answer) => Ok(i32::from(!answer)),
        Err(problem) => call.fail(2, problem).await,
    }
}

/// `expr A OPERATOR B`, for two numbers or words.
pub(super) async fn expr(call: Call) -> ProgramResult {
    let words: Vec<&str> = call.arguments().iter().map(String::as_str).collect();
    let text = match words.as_slice() {
        [word] => (*word).to_owned(),
        [left, operator, right] => {
            let numbers = left.parse::<i64>().ok().zip(right.parse::<i64>().ok());
            let order = numbers.map_or_else(|| left.cmp(right), |(a, b)| a.cmp(&b));
            let truth = |answer: bool| u8::from(answer).to_string();
            match (*operator, numbers) {
                ("+", Some((a, b))) => a.wrapping_add(b).to_string(),
                ("-", Some((a, b))) => a.wrapping_sub(b).to_string(),
                ("*", Some((a, b))) => a.wrapping_mul(b).to_string(),
                ("/" | "%", Some((_, 0))) => return call.fail(2, "division by zero").await,
                ("/", Some((a, b))) => a.wrapping_div(b).to_string(),
                ("%", Some((a, b))) => a.wrapping_rem(b).to_string(),
                ("=" | "==", _) => truth(order.is_eq()),
                ("!=", _) => truth(order.is_ne()),
                ("<", _) => truth(order.is_lt()),
                ("<=", _) => truth(order.is_le()),
                (">", _) => truth(order.is_gt()),
                (">=", _) => truth(order.is_ge()),
                _ => return call.fail(2, "syntax error").await,
            }
        }
        _ => return call.fail(2, "syntax error").await,
    };
    call.out(format!("{text}\n")).await?;
    Ok(i32::from(text.is_empty() || text == "0"))
}

/// The groups of a shell on Android 14 (`adbd`'s `drop_privileges`, `system/core/adb/daemon/main.cpp`).
const IDENTITY: &str = "uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),\
     1028(sdcard_r),1078(ext_data_rw),1079(ext_obb_rw),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats),\
     3009(readproc),3011(uhid),3012(readtracefs) context=u:r:shell:s0";

/// `id [-ugGnZ]` and `whoami`.
pub(super) async fn id(call: Call) -> ProgramResult {
    let options = options!(call, "ugGnZr");
    let text = match (options.has('u') || options.has('g'), options.has('n')) {
        (true, true) => "shell",
        (true, false) => "2000",
        _ if options.has('Z') => "u:r:shell:s0",
        _ if options.has('G') => "2000 1004 1007 1011 1015 1028 1078 1079 3001 3002 3003 3006 3009 3011 3012",
        _ => IDENTITY,
    };
    call.out(format!("{text}\n")).await?;
    Ok(0)
}

/// `whoami`.
pub(super) async fn whoami(call: Call) -> ProgramResult {
    call.out("shell\n").await?;
    Ok(0)
}

/// `uname [-asnrvmo]`.
pub(super) async fn uname(call: Call) -> ProgramResult {
    let options = options!(call, "asnrvmo");
    let kernel = call.phone.properties.kernel().to_owned();
    let release = kernel.split(' ').nth(2).unwrap_or_default().to_owned();
    let version = kernel
        .find('#')
        .and_then(|at| kernel.get(at..))
        .unwrap_or_default()
        .to_owned();
    let parts = [
        ('s', "Linux".to_owned()),
        ('n', "localhost".to_owned()),
        ('r', release),
        ('v', version),
        ('m', "aarch64".to_owned()),
        ('o', "Android".to_owned()),
    ];
    let asked = |letter| options.has(letter) || (options.has('a'));
    let none = !"asnrvmo".chars().any(|letter| options.has(letter));
    let wanted: Vec<String> = parts
        .into_iter()
        .filter(|(letter, _)| asked(*letter) || (none && *letter == 's'))
        .map(|(_, text)| text)
        .collect();
    call.out(wanted.join(" ") + "\n").await?;
    Ok(0)
}

/// `hostname`.
pub(super) async fn hostname(call: Call) -> ProgramResult {
    call.out("localhost\n").await?;
    Ok(0)
}

/// `date [-u] [-d @SECONDS] [+FORMAT]`. (Setting the clock is refused, as to any shell.)
pub(super) async fn date(call: Call) -> ProgramResult {
    let options = options!(call, "ud:r:D:s:I:");
    let mut seconds = call.phone.clock.wall().as_secs();
    if let Some(given) = options.value('d') {
        match given.strip_prefix('@').and_then(|text| text.parse().ok()) {
            Some(given) => seconds = given,
            None => return call.fail(1, format!("bad date '{given}'")).await,
        }
    }
    let moment = Moment::new(seconds);
    let text = match options.rest.first() {
        None => moment.format("%a %b %e %H:%M:%S %Z %Y"),
        Some(format) => match format.strip_prefix('+') {
            Some(format) => moment.format(format),
            None => return call.fail(1, "cannot set date: Operation not permitted").await,
        },
    };
    call.out(text + "\n").await?;
    Ok(0)
}

/// `uptime [-p|-s]`.
pub(super) async fn uptime(call: Call) -> ProgramResult {
    let options = options!(call, "ps");
    let up = call.phone.clock.uptime();
    let wall = call.phone.clock.wall();
    let (hours, minutes) = (up.as_secs() / 3600, up.as_secs() / 60 % 60);
    let text = if options.has('s') {
        Moment::new(wall.saturating_sub(up).as_secs()).format("%F %T")
    } else if options.has('p') {
        format!("up {hours} hours, {minutes} minutes")
    } else {
        let now = Moment::new(wall.as_secs()).format("%T");
        format!(" {now} up {hours:2}:{minutes:02},  0 users,  load average: 0.31, 0.28, 0.25")
    };
    call.out(text + "\n").await?;
    Ok(0)
}

/// `getprop [-TZ] [NAME [DEFAULT]]` (toolbox `getprop.cpp`).
pub(super) async fn getprop(call: Call) -> ProgramResult {
    match call.arguments() {
        [] => {
            let mut all = call.phone.properties.all();
            if call.phone.has(Fault::Crowded) {
                all.extend(
                    (0..CROWD).map(|at| (format!("vendor.service{at:03}.state"), "stopped".to_owned())),
                );
                all.sort();
            }
            let all: String = all
                .iter()
                .map(|(name, value)| format!("[{name}]: [{value}]\n"))
                .collect();
            call.out(all).await?;
            Ok(0)
        }
        [name, rest @ ..] if !name.starts_with('-') => {
            let value = call.phone.properties.get(name);
            let value = value.or_else(|| rest.first().cloned()).unwrap_or_default();
            call.out(value + "\n").await?;
            Ok(0)
        }
        [flag, ..] => call.fail(1, format!("unknown option {flag}")).await,
    }
}

/// `setprop NAME VALUE` (toolbox `setprop.cpp`).
pub(super) async fn setprop(call: Call) -> ProgramResult {
    use crate::phone::NotSet;
    let [name, value] = call.arguments() else {
        return call.fail(1, "expected 2 arguments").await;
    };
    match call.phone.properties.set(name, value) {
        Ok(()) => Ok(0),
        Err(NotSet::TooLong) => {
            call.fail(
                1,
                format!(
                    "value '{value}' too long; try '{}'",
                    value.chars().take(91).collect::<String>()
                ),
            )
            .await
        }
        Err(NotSet::Denied) => {
            call.err(format!(
                "Failed to set property '{name}' to '{value}'.\nSee dmesg for error reason.\n"
            ))
            .await?;
            Ok(1)
        }
    }
}
