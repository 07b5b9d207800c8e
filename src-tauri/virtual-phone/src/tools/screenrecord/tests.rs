use super::*;

/// Options of one Android.
fn check(sdk: u32, line: &str, expected: Result<Options, Refused>) {
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    assert_eq!(
        Version { sdk }.read(&words, &[DISPLAY]),
        expected,
        "{sdk}: {line}"
    );
}

fn plain(sdk: u32) -> Options {
    Options {
        size: None,
        bit_rate: Version { sdk }.bit_rate(),
        limit: Some(180),
        format: "h264".to_owned(),
        display: None,
        verbose: false,
        file: "-".to_owned(),
    }
}

#[test]
fn options_are_read_as_getopt_does() {
    check(34, "--output-format=h264 -", Ok(plain(34)));
    check(26, "--output-format h264 -", Ok(plain(26)));
    check(34, "- --output=h264", Ok(plain(34)));
    let all = Options {
        size: Some((576, 1280)),
        bit_rate: 4_000_000,
        limit: None,
        display: Some(DISPLAY.to_owned()),
        verbose: true,
        file: "/sdcard/x".to_owned(),
        ..plain(34)
    };
    check(
        34,
        &format!(
            "--size 576x1280 --bit-rate=4M --time-limit 0 --display-id {DISPLAY} --verbose --output-format=h264 -- /sdcard/x"
        ),
        Ok(all),
    );
    check(
        34,
        "--output-format=h264 --time-limit 7 -",
        Ok(Options {
            limit: Some(7),
            ..plain(34)
        }),
    );
}

#[test]
fn what_is_wrong_is_said_as_the_source_says_it() {
    for (sdk, line, text) in [
        (34, "--size 576 -", "Invalid size '576', must be width x height\n"),
        (
            34,
            "--size=0x20 -",
            "Invalid size 0x20, width and height may not be zero\n",
        ),
        (34, "--bit-rate x -", "Unrecognized value: x\n"),
        (
            34,
            "--bit-rate 1000 -",
            "Bit rate 1000bps outside acceptable range [100000,200000000]\n",
        ),
        (
            33,
            "--time-limit 0 -",
            "Time limit 0s outside acceptable range [1,180]\n",
        ),
        (
            33,
            "--time-limit 181 -",
            "Time limit 181s outside acceptable range [1,180]\n",
        ),
        (34, "--time-limit soon -", "Error parsing time limit argument\n"),
        (
            34,
            "--time-limit -1 -",
            "Time limit -1s outside acceptable range [0,4294967295] seconds\n",
        ),
        (34, "--output-format=avi -", "Unknown format 'avi'\n"),
        (34, "--display-id 1 -", "Invalid physical display ID\n"),
        (
            29,
            "--display-id 1 -",
            "screenrecord: unknown option -- display-id\n",
        ),
        (34, "--version", "screenrecord: unknown option -- version\n"),
        (34, "--show -", "screenrecord: ambiguous option -- show\n"),
        (
            34,
            "--size",
            "screenrecord: option requires an argument -- size\n",
        ),
        (34, "-x -", "screenrecord: unknown option -- x\n"),
        (34, "", "Must specify output file (see --help).\n"),
        (34, "a b", "Must specify output file (see --help).\n"),
    ] {
        check(sdk, line, Err(Refused(2, text.to_owned())));
    }
    check(36, "--version", Err(Refused(0, "1.4\n".to_owned())));
}

#[test]
fn the_help_says_what_a_version_can() {
    for (sdk, number, has, lacks) in [
        (26, "v1.2.", "Default 4Mbps.", "--display-id"),
        (29, "v1.2.", "Default 20Mbps.", "--display-id"),
        (33, "v1.3.", "Default / maximum is 180.", "Set to 0"),
        (
            34,
            "v1.3.",
            "Set to 0\n    to remove the time limit.",
            "--version",
        ),
        (36, "v1.4.", "--version\n", "maximum"),
    ] {
        let Err(Refused(0, text)) = Version { sdk }.read(&["--help".to_owned()], &[]) else {
            unreachable!("help ends it")
        };
        assert!(text.contains(number) && text.contains(has), "{sdk}: {text}");
        // `maximum recording time` stands in all of them.
        assert!(
            !text.replace("Set the maximum recording", "").contains(lacks),
            "{sdk}: {text}"
        );
    }
}
