//! Scripts and their verdicts: what is allowed says nothing, what is not says its code.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use super::check;

/// Programs of the list. The last ones are on it although they may not be.
const LIST: &[&str] = &[
    "/usr/bin/date",
    "/usr/bin/cat",
    "/usr/bin/wc",
    "/usr/bin/sleep",
    "/usr/bin/head",
    "/bin/sh",
    "/usr/bin/env",
];

fn verdict(script: &str) -> &'static str {
    let list: Vec<String> = LIST.iter().map(|path| (*path).to_owned()).collect();
    match check(script, &list) {
        Ok(()) => "",
        Err(objection) => objection.code.as_str(),
    }
}

#[track_caller]
fn table(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter(|(script, expected)| verdict(script) != *expected)
        .map(|(script, expected)| format!("{script:?}: {:?}, not {expected:?}", verdict(script)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_script_may_do() {
    let rows = [
        "/usr/bin/date",
        "date -u +%Y",
        "'/usr/bin/date' +%s",
        "\"/usr/bin/date\" \"+%H %M\"",
        "date | wc -l",
        "date && echo yes || echo no",
        "! date; echo $?",
        "date & wait",
        "(date; echo in) ; { date; echo in; }",
        "x=$(date +%s); echo \"$x\" ${x} ${#x} ${x:-none} ${x%3} ${x##1}",
        "echo \"now: $(date | head -c 4)\"",
        "for day in mon tue 'wed'; do echo $day; done",
        "for n in {1..3}; do echo $n; done",
        "for f in *.txt; do cat \"$f\"; done",
        "while read -r line; do echo \"got $line\"; done < in.txt",
        "while IFS= read -r line; do echo \"$line\"; done <<< 'a'",
        "until [ -f done.txt ]; do sleep 1; done",
        "if [ \"$x\" = y ]; then date; elif [ -n \"$x\" ]; then :; else exit 3; fi",
        "if [[ $x == a* && -f $x ]]; then echo a; fi",
        "if test \"$n\" -gt 3; then echo more; fi",
        "case $x in a|b) date;; *) echo other;; esac",
        "say() { echo \"$1\"; }\nsay hello",
        "function say { date; }; say",
        "later; later() { date; }",
        "cat <<'END'\n$(rm -rf /) `id` $((x))\nEND",
        "cat <<END\nit is $(date) in $HOME\nEND",
        "cat <<-END\n\ttabbed\n\tEND",
        "cat > out.txt < in.txt 2>/dev/null",
        "date 2>&1 | cat >> log.txt",
        "date >&2; date &> all.log",
        "printf '%s\\n' \"$x\" one",
        "set -euo pipefail\ndate",
        "set -e; set -u; set -o pipefail; date",
        "a=(one two); echo \"${a[0]}\" \"${a[@]}\" ${#a[@]}",
        "echo 'bash -c \"rm -rf /\"; eval sudo adb'",
        "echo \\$HOME \\; \\`",
        "echo $'a\\tb' ~ ~/x",
        "echo $((1 + 2 * 3))",
        "name=value; name+=more; echo $name",
        "# eval everything\ndate # and sudo",
        "date \\\n  -u",
        "time date",
    ];
    table(&rows.map(|script| (script, "")));
}

#[test]
fn programs_that_are_not_on_the_list_or_may_not_be() {
    table(&[
        ("ls", "script_program"),
        ("/bin/ls", "script_program"),
        ("/usr/bin/../bin/date", "script_program"),
        ("./date", "script_program"),
        ("bin/date", "script_program"),
        ("/usr/bin/dat?", "script_program"),
        ("/usr/bin/{date,ls}", "script_program"),
        ("~/bin/date", "script_program"),
        ("$x", "script_program"),
        ("\"$x\" a", "script_program"),
        ("$(date)", "script_program"),
        ("da\\te", "script_program"),
        ("d'at'e", "script_program"),
        ("/bin/sh -c date", "script_program_unfit"),
        ("bash -c 'date'", "script_program"),
        ("/usr/bin/env date", "script_program_unfit"),
        ("env date", "script_program"),
        ("xargs date", "script_program"),
        ("adb shell input tap 1 2", "script_program"),
        ("sudo date", "script_program"),
        ("deck act --device x '{}'", "script_program"),
        ("python3 -c 'print(1)'", "script_program"),
        ("nohup date", "script_program"),
        // Wherever it stands.
        ("date; ls", "script_program"),
        ("date && ls", "script_program"),
        ("date || ls", "script_program"),
        ("date | ls", "script_program"),
        ("date & ls", "script_program"),
        ("(ls)", "script_program"),
        ("{ ls; }", "script_program"),
        ("! ls", "script_program"),
        ("time ls", "script_program"),
        ("if ls; then date; fi", "script_program"),
        ("if date; then ls; fi", "script_program"),
        ("if date; then date; else ls; fi", "script_program"),
        ("while ls; do date; done", "script_program"),
        ("for x in a; do ls; done", "script_program"),
        ("for x in $(ls); do date; done", "script_program"),
        ("case $(ls) in *) date;; esac", "script_program"),
        ("case a in a) ls;; esac", "script_program"),
        ("echo $(ls)", "script_program"),
        ("echo \"a $(echo $(ls)) b\"", "script_program"),
        ("x=$(ls)", "script_program"),
        ("x=(a $(ls))", "script_program"),
        ("echo ${x:-$(ls)}", "script_program"),
        ("echo \"${x:-$(ls)}\"", "script_program"),
        ("echo ${x%$(ls)}", "script_program"),
        ("cat <<< $(ls)", "script_program"),
        ("cat <<END\n$(ls)\nEND", "script_program"),
        ("cat <<END\nfine\nEND\nls", "script_program"),
        ("[[ -f $(ls) ]]", "script_program"),
        ("say() { ls; }; say", "script_program"),
        ("say() { ls; }", "script_program"),
        ("echo \\\n$(ls)", "script_program"),
        ("date\nls", "script_program"),
        ("echo $'a' $(ls)", "script_program"),
        // A function that is not there leads to the list, and nowhere else.
        ("nothing_here", "script_program"),
    ]);
}

#[test]
fn what_bash_could_run_anything_through() {
    table(&[
        ("eval 'date'", "script_builtin"),
        ("source ./x", "script_builtin"),
        (". ./x", "script_builtin"),
        ("exec date", "script_builtin"),
        ("trap 'date' EXIT", "script_builtin"),
        ("command date", "script_builtin"),
        ("builtin eval date", "script_builtin"),
        ("'eval' date", "script_builtin"),
        ("enable -f ./x.so x", "script_builtin"),
        ("hash -p /bin/ls date", "script_builtin"),
        ("alias date=ls", "script_builtin"),
        ("shopt -s extglob", "script_builtin"),
        ("declare -i x", "script_builtin"),
        ("local x=1", "script_builtin"),
        ("export PATH=/bin", "script_builtin"),
        ("readonly x", "script_builtin"),
        ("unset 'a[$(ls)]'", "script_builtin"),
        ("let 'x=1'", "script_builtin"),
        ("mapfile -C ls x", "script_builtin"),
        ("getopts a x", "script_builtin"),
        ("kill 1", "script_builtin"),
        ("cd /", "script_builtin"),
        ("pushd /", "script_builtin"),
        ("set -x", "script_construct"),
        ("set -a", "script_construct"),
        ("set -- a b", "script_construct"),
        ("wait -p 'a[$(ls)]'", "script_builtin"),
        ("printf -v 'a[$(ls)]' x", "script_construct"),
        ("printf \"$x\" y", "script_construct"),
        ("printf", "script_construct"),
        ("read 'a[$(ls)]'", "script_construct"),
        ("read -p x y", "script_construct"),
        ("read $x", "script_construct"),
        ("[ -v 'a[$(ls)]' ]", "script_construct"),
        ("[ $op \"$x\" ]", "script_construct"),
        ("[ -n $x ]", "script_construct"),
        ("[ \"$@\" ]", "script_construct"),
        ("test \"$op\" \"$x\"", "script_construct"),
        ("[ -f a ] && [ -f b -a -v c ]", "script_construct"),
        ("[[ -v x ]]", "script_construct"),
        ("[[ $x -eq 1 ]]", "script_construct"),
        ("(( x ))", "script_construct"),
        ("for ((i=0;i<3;i++)); do date; done", "script_construct"),
        ("echo $((x + 1))", "script_construct"),
        ("echo $(($x))", "script_construct"),
        ("echo ${!x}", "script_construct"),
        ("echo ${x@P}", "script_construct"),
        ("echo ${x:$y}", "script_construct"),
        ("echo ${x:=5}", "script_construct"),
        ("echo ${a[$x]}", "script_construct"),
        ("echo ${a[b]}", "script_construct"),
        ("echo ${x/a/b}", "script_construct"),
        ("a[$(ls)]=1", "script_construct"),
        ("a[0]=1", "script_construct"),
        ("a=([$(ls)]=1)", "script_construct"),
        ("echo `date`", "script_construct"),
        ("echo \"`date`\"", "script_construct"),
        ("cat <(date)", "script_construct"),
        ("date > >(cat)", "script_construct"),
        ("coproc date", "script_construct"),
        ("echo $\"date\"", "script_construct"),
        ("eval() { date; }", "script_construct"),
        ("if date; then f() { date; }; fi", "script_construct"),
        ("x=$(cat <<E\na\nE\n)", "script_construct"),
        ("x=$(date # )\n)", "script_construct"),
        ("x=$(case a in (a) date;; esac)", "script_construct"),
    ]);
}

#[test]
fn variables_files_and_odd_letters() {
    table(&[
        ("PATH=/bin", "script_variable"),
        ("PATH+=:/bin", "script_variable"),
        ("PATH=/bin date", "script_variable"),
        ("LD_PRELOAD=x.so date", "script_variable"),
        ("X=1 date", "script_variable"),
        ("BASH_ENV=x", "script_variable"),
        ("ENV=x", "script_variable"),
        ("IFS=:", "script_variable"),
        ("IFS=: read -r a", "script_variable"),
        ("PS4='$(ls)'", "script_variable"),
        ("PROMPT_COMMAND=ls", "script_variable"),
        ("HOME=/tmp", "script_variable"),
        ("LC_ALL=C", "script_variable"),
        ("ADB_SERVER_SOCKET=x", "script_variable"),
        ("DBUS_SESSION_BUS_ADDRESS=x", "script_variable"),
        ("for PATH in /bin; do date; done", "script_variable"),
        ("read -r PATH", "script_variable"),
        ("date > /etc/passwd", "script_redirect"),
        ("date > ~/.bashrc", "script_redirect"),
        ("date > ../x", "script_redirect"),
        ("date > .hidden", "script_redirect"),
        ("date > sub/x", "script_redirect"),
        ("date > \"$x\"", "script_redirect"),
        ("date > $(date)", "script_redirect"),
        ("cat < /etc/passwd", "script_redirect"),
        ("cat < /dev/tcp/127.0.0.1/5037", "script_redirect"),
        ("date 3<>/dev/tcp/127.0.0.1/5037", "script_redirect"),
        ("date > /dev/udp/1.2.3.4/5", "script_redirect"),
        ("date 3> x", "script_redirect"),
        ("date >&3", "script_redirect"),
        ("date <&$x", "script_redirect"),
        ("date &> /tmp/x", "script_redirect"),
        ("{ date; } > /tmp/x", "script_redirect"),
        ("say() { date; } > /tmp/x", "script_redirect"),
        ("date\u{a0}-u", "script_unreadable"),
        ("date\r\nls", "script_unreadable"),
        ("date\u{b}ls", "script_unreadable"),
        ("\u{feff}date", "script_unreadable"),
        ("if date", "script_unreadable"),
        ("echo 'open", "script_unreadable"),
        ("date )", "script_unreadable"),
        ("cat <<END\nEN\\\nD\nls\nEND", "script_unreadable"),
        ("cat <<END\n END\nls\nEND", "script_construct"),
        ("cat <<\"E$x\"\na\nE$x", "script_construct"),
        ("echo grün", "script_construct"),
        ("echo 'grün'", ""),
        ("", ""),
    ]);
}

/// However deep or long: an answer, soon.
#[test]
fn a_tangled_script_is_refused_and_not_died_of() {
    for script in [
        "(".repeat(3_000),
        "$(".repeat(3_000),
        "echo ".to_owned() + &"\"$(".repeat(1_000),
        "echo ".to_owned() + &"$(echo ".repeat(60) + &")".repeat(60),
        "if date; then ".repeat(500),
        "{ ".repeat(200) + "date" + &"; }".repeat(200),
        "echo ".to_owned() + &"${x:-".repeat(200) + &"}".repeat(200),
        "[[ ".to_owned() + &"( ".repeat(150) + "a" + &" )".repeat(150) + " ]]",
    ] {
        assert_ne!(verdict(&script), "", "{script}");
    }
    let long = "date; ".repeat(1_900);
    assert_eq!(verdict(&long), "");
}
