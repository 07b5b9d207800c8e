//! Every line of the table is read as it says, and what holds for all lines.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use judge::command::{Reading, command, script};
use proptest::prelude::*;

const TABLE: &str = include_str!("commands.txt");

/// The lines of the table with their readings.
fn table() -> Vec<(&'static str, &'static str)> {
    let mut reading = "";
    let mut rows = Vec::new();
    for line in TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        match line.strip_prefix("== ") {
            Some(next) => reading = next,
            None => rows.push((reading, line)),
        }
    }
    rows
}

/// The line with what its marks stand for.
fn marks(line: &str) -> String {
    let marks = [
        ("⏎", "\n"),
        ("␉", "\t"),
        ("␍", "\r"),
        ("␠", "\u{a0}"),
        ("␛", "\u{1b}"),
        ("␤", "\u{2003}"),
        ("▯", "\u{200b}"),
    ];
    marks
        .iter()
        .fold(line.to_owned(), |line, (mark, meant)| line.replace(mark, meant))
}

fn read(line: &str) -> Reading {
    let line = marks(line);
    match line.strip_prefix("$ ") {
        Some(text) => script(text),
        None => command(&shlex::split(&line).unwrap_or_else(|| panic!("{line}"))),
    }
}

fn show(reading: &Reading) -> String {
    let about = |risks: &[judge::command::Risk]| {
        let kinds = risks.iter().map(|(kind, _)| format!("{kind:?}").to_lowercase());
        kinds.collect::<Vec<_>>().join("+")
    };
    match reading {
        Reading::Reads => "reads".to_owned(),
        Reading::Touches(inputs) => format!("touches {inputs:?}"),
        Reading::Asks(risks) => format!("asks {}", about(risks)),
        Reading::Always(risks) => format!("always {}", about(risks)),
        Reading::Never(rule) => format!("never {rule}"),
    }
}

fn check(line: &str, expected: &str) -> Result<(), String> {
    let (line, expected) = match line.split_once(" => ") {
        Some((line, inputs)) => (line, format!("{expected} {inputs}")),
        None => (line, expected.to_owned()),
    };
    let found = show(&read(line));
    if found == expected {
        Ok(())
    } else {
        Err(format!("{line}\n    is {found}, not {expected}"))
    }
}

/// How much may happen unasked: the less, the greater.
fn grade(reading: &Reading) -> u8 {
    match reading {
        Reading::Reads => 0,
        Reading::Touches(_) => 1,
        Reading::Asks(_) => 2,
        Reading::Always(_) => 3,
        Reading::Never(_) => 4,
    }
}

/// The commands that are never run.
fn never() -> impl Iterator<Item = &'static str> {
    let commands = table().into_iter();
    let never = commands.filter(|(reading, line)| reading.starts_with("never") && !line.starts_with("$ "));
    never.map(|(_, line)| line)
}

fn quoted(words: &[String]) -> String {
    shlex::try_join(words.iter().map(String::as_str)).unwrap()
}

#[test]
fn every_line_of_the_table_is_read_as_it_says() {
    let table = table();
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(reading, line)| check(line, reading).err())
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        table.len(),
        wrong.join("\n")
    );
}

/// Ways to have a command run by something else, as words before it.
const PREFIXES: &[&str] = &[
    "adb shell",
    "adb -s emulator-5554 shell",
    "adb -d shell",
    "adb -t 3 shell",
    "adb exec-out",
    "env",
    "env -i",
    "env -u X A=b",
    "A=b",
    "LD_PRELOAD=/data/local/tmp/x.so",
    "timeout 5",
    "timeout -s KILL 5",
    "timeout -k 1 --foreground 5",
    "nice",
    "nice -n 5",
    "ionice -c 2 -n 4",
    "chrt -f 1",
    "taskset 1",
    "nohup",
    "setsid",
    "setsid -w",
    "toybox",
    "busybox",
    "toolbox",
    "/system/bin/toybox",
    "exec",
    "exec -a x",
    "command",
    "command -p",
    "builtin",
    "time",
    "time -p",
    "su -c",
    "su 0",
    "run-as com.example",
    "chroot /",
    "xargs",
    "xargs -n 1 -I {}",
    "find / -exec",
    "find /sdcard -name x -execdir",
    "flock /x",
    "strace -f",
    "unshare -m",
    "nsenter -t 1",
    "stdbuf -o0",
    "watch -n 1",
    "eval",
    "eval exec",
    "trap",
    "!",
    "{",
    "if",
    "then",
    "do",
    "coproc",
    "logwrapper",
    "app_process /system/bin x",
    "something-new --option",
    "nohup nice timeout 5 env A=b",
    "busybox nohup toybox",
];

#[test]
fn what_is_never_run_is_never_run_behind_any_prefix() {
    let with = |line: &'static str| PREFIXES.iter().map(move |prefix| format!("{prefix} {line}"));
    let lines = never().flat_map(with);
    let run: Vec<String> = lines
        .filter(|line| !matches!(read(line), Reading::Never(_)))
        .collect();
    assert_eq!(run, [""; 0]);
}

/// Places in a script where a command may stand.
const PLACES: &[&str] = &[
    "{}",
    "ls; {}",
    "ls\n{}\n",
    "ls && {} && ls",
    "false || {}",
    "ls | {}",
    "{} | cat",
    "{} &",
    "( {} )",
    "{ {}; }",
    "! {}",
    "time {}",
    "if {}; then ls; fi",
    "if ls; then {}; fi",
    "if ls; then ls; else {}; fi",
    "while {}; do ls; done",
    "until ls; do {}; done",
    "for x in 1 2; do {}; done",
    "case x in x) {};; esac",
    "f() { {}; }; f",
    "function f { {}; }",
    "x=$({})",
    "x=`{}`",
    "echo \"a $({}) b\"",
    "ls $(echo $({}))",
    "cat <({})",
    "A=b {}",
    "2>/dev/null {}",
    "{} >/dev/null 2>&1",
    "nohup {} &",
    "sh <<E\n{}\nE",
    "cat <<E\n$({})\nE",
    "# a remark\n{} # another",
    "true; # a remark with a ' quote\n{}",
    "ls \\\n-l\n{}",
    "((x=1)); {}",
    "[ -f x ] && {}",
    "[[ -f x && -n y ]] && {}",
    "set -e\n{}",
    "cd /sdcard\n{}",
];

#[test]
fn what_is_never_run_is_never_run_anywhere_in_a_script() {
    let within = |line: &'static str| {
        let quoted = quoted(&shlex::split(line).unwrap());
        PLACES.iter().map(move |place| place.replace("{}", &quoted))
    };
    let texts = never().flat_map(within);
    let run: Vec<String> = texts
        .filter(|text| !matches!(script(text), Reading::Never(_)))
        .collect();
    assert_eq!(run, [""; 0]);
}

#[test]
fn a_shell_around_it_loosens_nothing() {
    for (_, line) in table() {
        let line = line.split(" => ").next().unwrap();
        let before = read(line);
        let text = match line.strip_prefix("$ ") {
            Some(_) => marks(line)["$ ".len()..].to_owned(),
            None => quoted(&shlex::split(&marks(line)).unwrap()),
        };
        let shell = ["sh", "/system/bin/sh", "mksh", "bash"][line.len() % 4];
        let words = [shell, "-c", &text].map(str::to_owned);
        for after in [command(&words), script(&quoted(&words))] {
            assert!(
                grade(&after) >= grade(&before).max(3),
                "{line}: {before:?}, then {after:?}"
            );
        }
    }
}

#[test]
fn a_script_that_does_what_is_never_run_in_base64_is_never_run() {
    for (_, line) in table()
        .iter()
        .filter(|(reading, line)| reading.starts_with("never") && !line.starts_with("$ "))
    {
        let plain = quoted(&shlex::split(line).unwrap());
        let hex: String = plain.bytes().map(|b| format!("{b:02x}")).collect();
        let escaped: String = plain.bytes().map(|b| format!("\\x{b:02x}")).collect();
        let backwards: String = plain.chars().rev().collect();
        let backwards = shlex::try_quote(&backwards).unwrap();
        let ways = [
            format!("echo {} | base64 -d | sh", base64(plain.as_bytes())),
            format!("echo {hex} | xxd -r -p | sh"),
            format!("printf '{escaped}' | sh"),
            format!("echo -e $'{escaped}' > /data/local/tmp/x; . /data/local/tmp/x"),
            format!("echo {backwards} | rev | sh"),
        ];
        let text = &ways[line.len() % 5];
        assert!(
            matches!(script(text), Reading::Never(_)),
            "{text}: {:?}",
            script(text)
        );
        let words = ["sh", "-c", text].map(str::to_owned);
        assert!(matches!(command(&words), Reading::Never(_)), "{text}");
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits =
            three.iter().fold(0_usize, |bits, b| bits << 8 | usize::from(*b)) << (8 * (3 - three.len()));
        for at in 0..4 {
            let letter = char::from(LETTERS[bits >> (18 - 6 * at) & 63]);
            out.push(if at <= three.len() { letter } else { '=' });
        }
    }
    out
}

/// However long or deep: an answer, soon, and no less than a question.
#[test]
fn a_tangled_script_is_asked_about_and_not_died_of() {
    for text in [
        "(".repeat(3_000),
        "( ".repeat(3_000),
        "$(".repeat(3_000),
        "$((".repeat(3_000),
        "${x:-".repeat(3_000),
        "`".repeat(3_001),
        "{ ".repeat(3_000),
        "\"$(".repeat(1_000),
        "echo ".to_owned() + &"$(echo ".repeat(40) + &")".repeat(40),
        "echo ".to_owned() + &"$((".repeat(40) + &"))".repeat(40),
        "echo ".to_owned() + &"${x:-".repeat(40) + &"}".repeat(40),
        "if a; then ".repeat(1_000),
        "case x in x) ".repeat(1_000),
        "sh -c '".repeat(1_000),
        "[[ ( ".repeat(1_000),
        "cat <<E\n".repeat(2_000),
        "a=aa;".to_owned() + &"a=$a$a;".repeat(1_000) + "$a",
        "x $x ".repeat(3_000),
        "su ".repeat(30_000).replace("su", "pm"),
        "unknown 'a;b' ".repeat(7_000),
        "pm list packages -3\n".repeat(5_000),
        "a".repeat(100_000),
        "'".repeat(100_001),
        "\\".repeat(100_001),
        "echo 'ls; ls' | sh\n".repeat(1_000),
        "\u{1f600}".repeat(25_000),
        // The tokenizer never comes back from these.
        "; <<$((  ~ ".to_owned(),
        "x=$(cat <<E".to_owned(),
        "sh -c 'x=$(cat <<E'".to_owned(),
        "${x:-<<".to_owned(),
        "((<<\n$(".to_owned(),
    ] {
        let before = std::time::Instant::now();
        assert!(grade(&script(&text)) >= 3, "{text}");
        let words = ["sh".to_owned(), "-c".to_owned(), text.clone()];
        assert!(grade(&command(&words)) >= 3, "{text}");
        let long: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let _any = command(&long);
        // Milliseconds where it is built to be fast; what grows without end takes minutes, on any machine.
        assert!(
            before.elapsed().as_secs() < 60,
            "{:?}: {text:.60}",
            before.elapsed()
        );
    }
}

fn piece() -> impl Strategy<Value = String> {
    let words = "pm disable com.android.vending sh -c eval su ls echo base64 -d xargs find -exec input tap 5 am start $x ${x} \
        $( ) ` ' \" \\ { } ( ) [ ]] [[ (( )) $(( ; & && | || < > << <<< >> # ! = a= IFS=, $'\\x70' ~ * ? if then fi for in do \
        done case esac function \u{a0} \r \u{0} é 日 \u{202e} %s -";
    let words: Vec<&'static str> = words.split(' ').chain([" ", "\n", "\t"]).collect();
    prop::sample::select(words).prop_map(str::to_owned)
}

/// Programs some of whose arguments only read, with words that read, change, or are no business of theirs.
fn asked() -> impl Strategy<Value = Vec<String>> {
    let programs =
        "pm cmd settings dumpsys wm ime appops device_config am ip service find uiautomator date cat";
    let words = "package activity window settings list path dump get put delete reset set enable disable clear grant \
        install uninstall overlay role size density 720x1280 secure global x com.example -exec -delete -fprint + ; addr \
        link show up down flush battery notification clipboard check call start broadcast -a -d /sdcard/x /system/x +%s -s";
    let words: Vec<&'static str> = words.split_whitespace().collect();
    let programs: Vec<&'static str> = programs.split(' ').collect();
    let rest = prop::collection::vec(prop::sample::select(words), 0..5);
    (prop::sample::select(programs), rest).prop_map(|(program, rest)| {
        let words = std::iter::once(program).chain(rest);
        words.map(str::to_owned).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// What stands where a verb stands. After `list`, `get` and their like comes a name, which may be any word.
    #[test]
    fn what_only_reads_has_no_verb_that_changes(words in asked()) {
        let changes = "put delete reset set enable disable clear grant install uninstall 720x1280 -exec -delete -fprint up down \
            flush notification clipboard call start broadcast /sdcard/x";
        let names = ["list", "path", "dump", "get", "check", "show"];
        let verbs = words.iter().take_while(|word| !names.contains(&word.as_str()));
        let changing: Vec<_> = verbs.filter(|word| changes.split_whitespace().any(|one| one == *word)).collect();
        if command(&words) == Reading::Reads && !["find", "cat"].contains(&words[0].as_str()) && !changing.is_empty() {
            // The services and packages `dumpsys` is asked about are names too.
            prop_assert!(words[0] == "dumpsys" && words.len() == 3 && words[1] == "package", "{:?}", words);
        }
        if words[0] == "find" && words.iter().any(|word| ["-exec", "-delete", "-fprint", "-s"].contains(&word.as_str())) {
            prop_assert_ne!(command(&words), Reading::Reads);
        }
        if words[0] == "date" && words.iter().any(|word| word == "-s") {
            prop_assert_ne!(command(&words), Reading::Reads);
        }
        if words[0] == "cat" && words.iter().any(|word| word == "/sdcard/x") {
            prop_assert_ne!(command(&words), Reading::Reads);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the text: an answer, and never less than a question about a script.
    #[test]
    fn any_text_is_read(pieces in prop::collection::vec((piece(), any::<bool>()), 0..40)) {
        let text: String = pieces.iter().map(|(piece, apart)| piece.clone() + if *apart { " " } else { "" }).collect();
        prop_assert!(grade(&script(&text)) >= 3);
        let words: Vec<String> = pieces.iter().map(|(piece, _)| piece.clone()).collect();
        let before = grade(&command(&words));
        let mut wrapped = vec!["sh".to_owned(), "-c".to_owned(), text];
        prop_assert!(grade(&command(&wrapped)) >= 3);
        wrapped.splice(0..3, ["nohup".to_owned()].into_iter().chain(words));
        prop_assert!(grade(&command(&wrapped)) >= before.min(3));
    }

    #[test]
    fn any_letters_are_read(text in "\\PC{0,60}", words in prop::collection::vec(any::<String>(), 0..6)) {
        prop_assert!(grade(&script(&text)) >= 3);
        let _any = command(&words);
    }

    /// A line that is never run stays so, whatever stands before and after it in a script.
    #[test]
    fn neighbours_hide_nothing(row in any::<prop::sample::Index>(), before in prop::sample::select(PLACES), prefix in prop::sample::select(PREFIXES)) {
        let rows: Vec<&str> = never().collect();
        let line = format!("{prefix} {}", row.get(&rows));
        let text = before.replace("{}", &quoted(&shlex::split(&line).unwrap()));
        prop_assert!(matches!(script(&text), Reading::Never(_)), "{}: {:?}", text, script(&text));
    }
}
