//! The shell, by what a line comes to. Expected values from mksh R59 (Android 14) and POSIX.

use crate::testing::{Outcome, check, phone, run, run_with};
use proptest::prelude::*;

#[path = "../../../../tests/shared/long.rs"]
mod long;

#[tokio::test]
async fn words_are_quoted_split_and_substituted() {
    for (line, out) in [
        (r#"echo a  b   "c  d" 'e  f'"#, "a b c  d e  f\n"),
        (r#"x='a  b'; echo $x "$x""#, "a b a  b\n"),
        (r"echo a\ b \$x '$x' \\", "a b $x $x \\\n"),
        ("echo $(echo a; echo b)-`echo c`", "a b-c\n"),
        (r#"echo "$(printf 'a\n\n\n')"x"#, "ax\n"),
        (r#"echo "a $(echo "b $(echo "c")")""#, "a b c\n"),
        ("echo ${x:-d} ${x-e} ${x:+f} ${x:=g} $x ${#x}", "d e g g 1\n"),
        (
            "x=/a/b/c.txt; echo ${x##*/} ${x%/*} ${x#*/} ${x%%.*} ${x%.txt}",
            "c.txt /a/b a/b/c.txt /a/b/c /a/b/c\n",
        ),
        (
            "x=hello; echo ${x:1:3} ${x: -2} ${x/l/L} ${x//l/L}",
            "ell lo heLlo heLLo\n",
        ),
        (
            "echo $((1 + 2 * 3)) $(( (1+2)*3 )) $((7/2)) $((-7 % 3)) $((1<<4)) $((2147483647 + 1))",
            "7 9 3 -1 16 -2147483648\n",
        ),
        (
            "x=3; echo $((x++ + ++x)) $x; : $((y = x * 2)); echo $y",
            "8 5\n10\n",
        ),
        ("echo {a,b}{1,2} {x} {1..3}", "a1 a2 b1 b2 {x} {1..3}\n"),
        (
            "set -- a 'b c' d; echo $# \"$@\"; for i in \"$@\"; do echo [$i]; done",
            "3 a b c d\n[a]\n[b c]\n[d]\n",
        ),
        ("set --; for i in \"$@\"; do echo no; done; echo $#", "0\n"),
        (
            "IFS=:; x=a:b::c; set -- $x; echo $#; IFS=; echo \"$*\"",
            "4\nabc\n",
        ),
        (r#"x='*'; echo "$x" '*'"#, "* *\n"),
        ("echo ~ ~/x a~", "/ //x a~\n"),
        (r"echo $'a\tb\x41'", "a\tbA\n"),
        ("echo a'b'\"c\"$(echo d)e", "abcde\n"),
        ("echo \"a\\\nb\" c\\\nd", "ab cd\n"),
        ("echo 'ÄÖÜ 你好 🙂'", "ÄÖÜ 你好 🙂\n"),
        ("cat <<< \"here $((1+1))\"", "here 2\n"),
        ("x=1; cat <<EOF\na $x\nEOF\ncat <<'EOF'\nb $x\nEOF", "a 1\nb $x\n"),
        (r"echo 'a\nb'; echo -E 'a\nb'; echo -n x", "a\nb\na\\nb\nx"),
    ] {
        check(line, 0, out, "").await;
    }
}

#[tokio::test]
async fn lists_pipes_and_compounds_run() {
    for (line, status, out) in [
        ("true && echo a || echo b; false && echo c || echo d", 0, "a\nd\n"),
        (
            "false; echo $?; (exit 3); echo $?; sh -c 'exit 300'; echo $?",
            0,
            "1\n3\n44\n",
        ),
        ("! true; echo $?; ! false; echo $?", 0, "1\n0\n"),
        ("echo b a c | tr ' ' '\\n' | sort | head -n 2", 0, "a\nb\n"),
        (
            "if [ -d /sdcard ]; then echo yes; elif true; then echo no; else echo never; fi",
            0,
            "yes\n",
        ),
        (
            "for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done",
            0,
            "1\n3\n",
        ),
        (
            "i=0; while [ $i -lt 10 ]; do i=$((i+1)); [ $i -ge 3 ] && break; done; echo $i",
            0,
            "3\n",
        ),
        ("until false; do echo once; break; done", 0, "once\n"),
        (
            "for a in 1 2; do for b in x y; do [ $b = y ] && continue 2; echo $a$b; done; done",
            0,
            "1x\n2x\n",
        ),
        (
            "case abc in a*) echo star;; *) echo other;; esac; case x in y|x) echo alt;; esac",
            0,
            "star\nalt\n",
        ),
        (
            "f() { local x=2; echo $1 $x; return 5; }; x=1; f a; echo $? $x",
            0,
            "a 2\n5 1\n",
        ),
        (
            "(x=2; cd /sdcard; echo $x $PWD); echo [$x] $PWD",
            0,
            "2 /sdcard\n[] /\n",
        ),
        ("{ echo a; echo b; } | wc -l", 0, "2\n"),
        ("x=$(false); echo $?; x=$(true); echo $?", 0, "1\n0\n"),
        (
            "[[ abc == a* && -n x ]] && echo fits; [[ abc == 'a*' ]] || echo not",
            0,
            "fits\nnot\n",
        ),
        ("(( 2 > 1 )) && echo more", 0, "more\n"),
        (
            "set -e; false || true; if false; then :; fi; false; echo never",
            1,
            "",
        ),
        ("eval 'x=5; echo $x'; echo ${x}", 0, "5\n5\n"),
        ("echo a | while read x; do echo got $x; done", 0, "got a\n"),
        ("echo 'a b c' | { read x y; echo \"$y-$x\"; }", 0, "b c-a\n"),
        (
            "x=1 sh -c 'echo $x'; echo [$x]; export y=2; sh -c 'echo $y'",
            0,
            "1\n[]\n2\n",
        ),
        ("sh -c 'echo $0 $1 $#' name a b", 0, "name a 2\n"),
        ("exit 7", 7, ""),
        ("trap 'echo bye' EXIT; echo hi; exit 4", 4, "hi\nbye\n"),
    ] {
        check(line, status, out, "").await;
    }
}

#[tokio::test]
async fn redirections_reach_the_phones_own_files() {
    for (line, status, out, err) in [
        (
            "cd /data/local/tmp; echo a > f; echo b >> f; cat < f; wc -c < f",
            0,
            "a\nb\n4\n",
            "",
        ),
        (
            "ls /nope 2>&1; ls /nope 2>/dev/null; echo $?",
            0,
            "ls: /nope: No such file or directory\n1\n",
            "",
        ),
        (
            "{ echo out; echo err >&2; } > /sdcard/o 2> /sdcard/e; cat /sdcard/e /sdcard/o",
            0,
            "err\nout\n",
            "",
        ),
        ("echo x &> /sdcard/both; cat /sdcard/both", 0, "x\n", ""),
        (
            "exec 3> /sdcard/three; echo x >&3; exec 3>&-; cat /sdcard/three",
            0,
            "x\n",
            "",
        ),
        (
            "echo x > /system/f",
            1,
            "",
            "/system/bin/sh: can't create /system/f: Read-only file system\n",
        ),
        (
            "cat < /nope",
            1,
            "",
            "/system/bin/sh: can't open /nope: No such file or directory\n",
        ),
        (
            "echo x > /data/f",
            1,
            "",
            "/system/bin/sh: can't create /data/f: Permission denied\n",
        ),
    ] {
        check(line, status, out, err).await;
    }
}

/// A pipe, a device and a file are opened again by their names below `/proc/self/fd`; the daemon's sockets are not.
#[tokio::test]
async fn open_files_are_opened_again_by_name() {
    let socket = "/system/bin/sh: can't create /proc/self/fd/1: No such device or address\n";
    for (line, status, out, err) in [
        ("echo x > /proc/self/fd/1 | cat", 0, "x\n", ""),
        ("{ echo a; echo b > /dev/fd/1; } | cat", 0, "a\nb\n", ""),
        ("echo x > /proc/self/fd/1", 1, "", socket),
    ] {
        check(line, status, out, err).await;
    }
}

#[tokio::test]
async fn new_files_lack_what_the_mask_says() {
    for (line, out) in [
        ("umask", "0000\n"),
        (
            "umask 077; umask; cd /data/local/tmp; echo x > f; stat -c %a f",
            "0077\n600\n",
        ),
        (
            "cd /data/local/tmp; (umask 027; echo x > f); echo x > g; stat -c %a f g",
            "640\n666\n",
        ),
    ] {
        check(line, 0, out, "").await;
    }
}

/// `read -t` waits so long and no longer; a pipe nobody reads ends whoever does not ignore that.
#[tokio::test(start_paused = true)]
async fn waiting_for_a_line_ends() {
    let before = tokio::time::Instant::now();
    check(
        "sleep 60 | { read -r -t 2.5 x; echo $?; echo y | { read -t 5 -r a; echo $a $?; }; }",
        0,
        "1\ny 0\n",
        "",
    )
    .await;
    assert!(before.elapsed().as_secs() < 70);
    check("read -t soon x", 2, "", "/system/bin/sh: read: -t: bad number\n").await;
    check(
        "{ sleep 1; echo gone; echo kept > /sdcard/k; } | true; sleep 3; ls /sdcard/k",
        1,
        "",
        "ls: /sdcard/k: No such file or directory\n",
    )
    .await;
    check("{ trap '' PIPE; sleep 1; echo gone; echo kept > /sdcard/k; } 2>/dev/null | true; sleep 3; cat /sdcard/k", 0, "kept\n", "").await;
}

#[tokio::test]
async fn what_is_not_there_is_said_in_mkshs_words() {
    for (line, status, err) in [
        ("foo", 127, "/system/bin/sh: foo: inaccessible or not found\n"),
        ("./foo", 127, "/system/bin/sh: ./foo: inaccessible or not found\n"),
        (
            "/sdcard",
            126,
            "/system/bin/sh: /sdcard: can't execute: Is a directory\n",
        ),
        (
            "cd /nope",
            2,
            "/system/bin/sh: cd: /nope: No such file or directory\n",
        ),
        ("echo )", 1, "/system/bin/sh: syntax error: unexpected ')'\n"),
        ("echo 'x", 1, "/system/bin/sh: no closing quote\n"),
        ("kill 31999", 1, "/system/bin/sh: kill: 31999: No such process\n"),
        ("kill 1", 1, "/system/bin/sh: kill: 1: Operation not permitted\n"),
        (
            "set -u; echo $nope",
            1,
            "/system/bin/sh: nope: parameter not set\n",
        ),
        ("echo ${x?gone}", 1, "/system/bin/sh: x: gone\n"),
        ("echo $((1/0))", 1, "/system/bin/sh: zero divisor\n"),
        ("readonly x=1; x=2", 2, "/system/bin/sh: read-only: x\n"),
    ] {
        check(line, status, "", err).await;
    }
}

#[tokio::test]
async fn scripts_are_files_or_come_by_standard_input() {
    let phone = phone();
    run(
        &phone,
        "printf 'echo script $1\\nexit 3\\n' > /data/local/tmp/s; chmod 755 /data/local/tmp/s",
    )
    .await;
    let script = Outcome {
        status: 3,
        out: "script x\n".into(),
        err: String::new(),
    };
    assert_eq!(run(&phone, "/data/local/tmp/s x").await, script);
    assert_eq!(run(&phone, "sh /data/local/tmp/s x").await, script);
    let piped = run_with(
        &phone,
        "sh",
        "x=1\nif true; then\necho $x\nfi\ncat\nthis is for cat\n",
    )
    .await;
    assert_eq!(
        piped,
        Outcome {
            status: 0,
            out: "1\nthis is for cat\n".into(),
            err: String::new()
        }
    );
}

#[tokio::test]
async fn loops_without_end_are_ended() {
    let outcome = run(&phone(), "while true; do :; done").await;
    assert_eq!(outcome.status, 1);
    assert!(outcome.err.contains("too many steps"));
    let outcome = run(&phone(), "f() { f; }; f").await;
    assert_eq!(
        (outcome.status, outcome.err.as_str()),
        (1, "/system/bin/sh: recursion too deep\n")
    );
    let outcome = run(&phone(), "x='$x'; f() { eval \"f\"; }; f").await;
    assert_eq!(outcome.status, 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: long::times(64), ..ProptestConfig::default() })]

    /// Whatever a client quotes arrives as it was: here by the `shlex` crate, and in plain single quotes.
    #[test]
    fn quoted_words_arrive_as_they_were(words in proptest::collection::vec("[^\0]{0,24}", 1..4)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let single = |word: &String| format!("'{}'", word.replace('\'', r"'\''"));
        let plain: Vec<String> = words.iter().map(single).collect();
        let by_shlex = shlex::try_join(words.iter().map(String::as_str)).unwrap();
        let expected: String = words.iter().map(|word| format!("[{word}]\n")).collect();
        for line in [plain.join(" "), by_shlex] {
            let outcome = runtime.block_on(run(&phone(), &format!("printf '[%s]\\n' {line}")));
            prop_assert_eq!((outcome.out, outcome.err), (expected.clone(), String::new()), "{}", line);
        }
    }

    /// No text brings the shell down.
    #[test]
    fn any_text_comes_to_an_end(text in r#"[a-z0-9 $(){}\[\]`'"\\;&|<>*?!#~=\n]{0,40}"#) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let phone = phone();
        runtime.block_on(async {
            // `cat` and `read` would wait for nobody here: input is empty.
            let outcome = tokio::time::timeout(std::time::Duration::from_secs(20), run(&phone, &text)).await;
            assert!(outcome.is_ok(), "{text}");
        });
    }
}
