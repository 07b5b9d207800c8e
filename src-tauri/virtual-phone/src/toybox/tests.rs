//! The small commands, by what a line comes to (toybox 0.8 on Android 14).

use crate::testing::{check, phone, run};

#[tokio::test]
async fn texts_are_cut_counted_sorted_and_searched() {
    for (line, status, out) in [
        (
            "seq 5 | head -n 2; seq 5 | head -2; seq 5 | head -n -3; seq 3 | head -c 3; echo; seq 3 | head -c -2",
            0,
            "1\n2\n1\n2\n1\n2\n1\n2\n1\n2\n",
        ),
        (
            "seq 5 | tail -n 2; seq 5 | tail -n +4; printf abc | tail -c 2",
            0,
            "4\n5\n4\n5\nbc",
        ),
        (
            "printf 'a b\\nc\\n' | wc; printf 'ä' | wc -cm; seq 3 > /sdcard/f; wc -l /sdcard/f",
            0,
            "      2       3       6\n      2       1\n3 /sdcard/f\n",
        ),
        (
            "printf 'b\\na\\nb\\n10\\n9\\n' | sort -u; printf '10\\n9\\n' | sort -n; printf 'a 2\\nb 1\\n' | sort -k 2",
            0,
            "10\n9\na\nb\n9\n10\nb 1\na 2\n",
        ),
        (
            "printf 'a\\na\\nb\\n' | uniq -c; printf 'a\\na\\nb\\n' | uniq -d",
            0,
            "      2 a\n      1 b\na\n",
        ),
        (
            "echo a:b:c | cut -d : -f 2; echo a:b:c | cut -d: -f2-; echo abcdef | cut -c 2-4,6",
            0,
            "b\nb:c\nbcdf\n",
        ),
        (
            "echo hello | tr a-y b-z; echo 'a  b' | tr -s ' '; echo a1b2 | tr -d 0-9; echo AbC | tr '[:upper:]' '[:lower:]'",
            0,
            "ifmmp\na b\nab\nabc\n",
        ),
        (
            "printf 'x=1\\ny=2\\n' | grep -E '^(x|y)=1'; printf 'A\\na\\n' | grep -i -c a; printf 'a\\nb\\n' | grep -v a; printf 'foo bar\\n' | grep -o 'b.*'",
            0,
            "x=1\n2\nb\nbar\n",
        ),
        (
            "printf 'a\\nb\\nc\\nd\\ne\\n' | grep -n -A1 b; printf 'a\\nb\\nc\\n' | grep -B1 c; seq 9 | grep -C1 -e 2 -e 8",
            0,
            "2:b\n3-c\nb\nc\n1\n2\n3\n--\n7\n8\n9\n",
        ),
        (
            "echo a.b | grep -F .; echo ab | grep -F . ; echo $?; grep -q x /sdcard/none; echo $?; seq 100 | grep -m 2 1",
            0,
            "a.b\n1\n2\n1\n10\n",
        ),
        ("echo hello | sed 's/l/L/g'; seq 3 | sed -n 2p", 0, "heLLo\n2\n"),
        (
            "echo 'a b c' | xargs -n 1 echo -; printf 'x\\ny\\n' | xargs -I {} echo [{}]; echo | xargs echo none",
            0,
            "- a\n- b\n- c\n[x]\n[y]\nnone\n",
        ),
        (
            "echo hello | base64; echo aGVsbG8= | base64 -d; echo; echo x | gzip | gunzip",
            0,
            "aGVsbG8K\nhello\nx\n",
        ),
        (
            "printf hello | md5sum; printf hello | sha256sum -b",
            0,
            "5d41402abc4b2a76b9719d911017c592  -\n2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\n",
        ),
    ] {
        let outcome = run(&phone(), line).await;
        assert_eq!(
            (outcome.status, outcome.out.as_str()),
            (status, out),
            "{line}: {}",
            outcome.err
        );
    }
}

#[tokio::test]
async fn files_are_made_moved_listed_and_removed() {
    for (line, status, out, err) in [
        (
            "cd /sdcard; mkdir -p a/b; touch a/b/f; ls -R a; rm -r a; ls a",
            1,
            "a:\nb\n\na/b:\nf\n",
            "ls: a: No such file or directory\n",
        ),
        (
            "cd /sdcard; echo 1 > x; cp x y; mv y z; cat z; cp -r . /data/local/tmp/all; ls /data/local/tmp/all | tail -n 2; mv x /data/local/tmp/; ls x",
            1,
            "1\nx\nz\n",
            "ls: x: No such file or directory\n",
        ),
        (
            "cd /data/local/tmp; echo hello > f; chmod 640 f; ls -l f; stat -c '%a %s %F %U' f; ln -s f l; ls -l l; readlink l; realpath l",
            0,
            "-rw-r----- 1 shell shell 6 2023-11-05 08:12 f\n640 6 regular file    shell\nlrwxrwxrwx 1 shell shell 1 2023-11-05 08:12 l -> f\nf\n/data/local/tmp/f\n",
            "",
        ),
        (
            "rm /sdcard/none",
            1,
            "",
            "rm: /sdcard/none: No such file or directory\n",
        ),
        (
            "rm -f /sdcard/none; rmdir /sdcard/DCIM",
            1,
            "",
            "rmdir: /sdcard/DCIM: Directory not empty\n",
        ),
        ("mkdir /sdcard", 1, "", "mkdir: '/sdcard': File exists\n"),
        (
            "cp /none /sdcard; touch /system/x",
            1,
            "",
            "cp: bad '/none': No such file or directory\ntouch: '/system/x': Read-only file system\n",
        ),
        ("ls /data", 1, "", "ls: /data: Permission denied\n"),
        ("cat -q", 1, "", "cat: Unknown option 'q' (see \"cat --help\")\n"),
        (
            "find /sdcard -name 'D*'; find /sdcard/ -maxdepth 1 -name 'D*'; find /sdcard/DCIM -type d",
            0,
            "/sdcard/DCIM\n/sdcard/Documents\n/sdcard/Download\n/sdcard/DCIM\n/sdcard/DCIM/Camera\n",
            "",
        ),
        (
            "cd /sdcard; for i in 1 2 3; do echo $i > n$i.txt; done; echo n*.txt; cat n[12].txt; ls n?.txt | wc -l",
            0,
            "n1.txt n2.txt n3.txt\n1\n2\n3\n",
            "",
        ),
        (
            "basename /a/b.txt .txt; dirname /a/b.txt; which ls; which nope",
            1,
            "b\n/a\n/system/bin/ls\n",
            "",
        ),
        ("echo x | tee /sdcard/t; cat /sdcard/t", 0, "x\nx\n", ""),
        (
            "nope=1; [ -f /sdcard/none ] || echo none; test 3 -gt 2 && echo more; [ a = b -o 1 -eq 1 ] && echo or",
            0,
            "none\nmore\nor\n",
            "",
        ),
    ] {
        check(line, status, out, err).await;
    }
}

#[tokio::test]
async fn the_phone_says_what_it_is() {
    for (line, out) in [
        (
            "id -u; id -un; whoami; uname; uname -m; hostname",
            "2000\nshell\nshell\nLinux\naarch64\nlocalhost\n",
        ),
        (
            "date; date -u '+%Y-%m-%d %H:%M'; date -d @0 +%s",
            "Sun Nov  5 08:12:31 UTC 2023\n2023-11-05 08:12\n0\n",
        ),
        (
            "echo $HOSTNAME $TMPDIR $ANDROID_DATA; env | grep -c =; printenv EXTERNAL_STORAGE; env -i X=1 printenv",
            "panther /data/local/tmp /data\n20\n/sdcard\nX=1\n",
        ),
        (
            "expr 2 + 3; expr a = a; seq 1 2 5; printf '%03d|%-3s|%x\\n' 7 a 255",
            "5\n1\n1\n3\n5\n007|a  |ff\n",
        ),
        (
            "ps -o PID,ARGS | head -n 1; ps -A | grep -c zygote; pidof system_server",
            "  PID CMD                        \n1\n1320\n",
        ),
    ] {
        check(line, 0, out, "").await;
    }
}
