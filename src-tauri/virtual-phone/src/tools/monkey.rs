//! `monkey` (`development/cmds/monkey`: the script `monkey`, `Monkey.java`, `MonkeySourceRandom.java`).
//!
//! It starts an app, as phones are mostly asked to (`monkey -p PKG -c LAUNCHER 1`). Its random events are not modelled.

use crate::android::{Component, Intent};
use crate::fault::Fault;
use crate::process::{Call, ProgramResult, Signal};

const LAUNCHER: &str = "android.intent.category.LAUNCHER";
/// A virtual machine is started for it.
const MILLIS: u64 = 32;

/// `monkey [-p PACKAGE]… [-c CATEGORY]… [-v]… [OPTION…] COUNT`.
pub(super) async fn main(call: Call) -> ProgramResult {
    // The script says `trap "" HUP`.
    call.process.ignore(Signal::HUP);
    let words = call.arguments().to_vec();
    let echoed: String = words.iter().map(|word| format!("  bash arg: {word}\n")).collect();
    call.out(echoed).await?;
    call.phone.clock.work(MILLIS).await;
    let listed: String = words.iter().map(|word| format!(" arg: \"{word}\"\n")).collect();
    call.err(format!("args: [{}]\n{listed}", words.join(", ")))
        .await?;
    let (mut packages, mut categories, mut verbose, mut count) = (Vec::new(), Vec::new(), 0, None);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let valued = matches!(
            word.as_str(),
            "-p" | "-c" | "-s" | "--throttle" | "-f" | "--port" | "--pkg-blacklist-file"
        ) || word.starts_with("--pct-");
        if valued {
            let Some(value) = rest.next() else {
                call.err(format!("** Error: Option {word} needs an argument\n"))
                    .await?;
                return Ok(255);
            };
            call.err(format!("data=\"{value}\"\n")).await?;
            match word.as_str() {
                "-p" => packages.push(value.clone()),
                "-c" => categories.push(value.clone()),
                _ => {}
            }
        } else if word == "-v" {
            verbose += 1;
        } else if word.starts_with('-') && !KNOWN.contains(&word.as_str()) {
            call.err(format!("** Error: Unknown option: {word}\n")).await?;
            call.err(USAGE).await?;
            return Ok(255);
        } else if !word.starts_with('-') {
            count = word.parse::<u64>().ok();
            if count.is_none() {
                call.err(format!("** Error: Count is not a number: \"{word}\"\n"))
                    .await?;
                call.err(USAGE).await?;
                return Ok(255);
            }
        }
    }
    let Some(count) = count else {
        call.err("** Error: Count not specified\n").await?;
        call.err(USAGE).await?;
        return Ok(255);
    };
    if call.phone.has(Fault::ServicesRestarting) {
        call.err("** Error: Unable to connect to activity manager; is the system running?\n")
            .await?;
        return Ok(253);
    }
    if categories.is_empty() {
        categories.push(LAUNCHER.to_owned());
    }
    if verbose > 0 {
        call.out(format!(":Monkey: seed=1699172016183 count={count}\n"))
            .await?;
        for package in &packages {
            call.out(format!(":AllowPackage: {package}\n")).await?;
        }
        for category in &categories {
            call.out(format!(":IncludeCategory: {category}\n")).await?;
        }
    }
    let mains = mains(&call, &packages, &categories);
    let Some(main) = mains.first() else {
        call.out("** No activities found to run, monkey aborted.\n")
            .await?;
        return Ok(252);
    };
    let intent = Intent {
        action: Some("android.intent.action.MAIN".to_owned()),
        categories: vec![LAUNCHER.to_owned()],
        component: Some(format!("{}/{}", main.package, main.class)),
        ..Intent::default()
    };
    if call.phone.start(&intent).is_err() {
        call.err("** Permissions error starting activity\n").await?;
    }
    call.out(format!(
        "Events injected: {count}\n## Network stats: elapsed time=26ms (0ms mobile, 0ms wifi, 26ms not connected)\n"
    ))
    .await?;
    if verbose > 0 {
        call.out("// Monkey finished\n").await?;
    }
    Ok(0)
}

/// The activities of these packages in these categories (`getMainApps`).
fn mains(call: &Call, packages: &[String], categories: &[String]) -> Vec<Component> {
    if !categories.iter().any(|category| category == LAUNCHER) {
        let intent = |category: &String| Intent {
            action: Some("android.intent.action.MAIN".to_owned()),
            categories: vec![category.clone()],
            ..Intent::default()
        };
        let found = categories
            .iter()
            .flat_map(|category| call.phone.with(|android| android.answers(&intent(category))));
        return found
            .filter(|main| packages.is_empty() || packages.contains(&main.package))
            .collect();
    }
    let all = call.phone.with(|android| android.packages());
    let asked = |name: &String| packages.is_empty() || packages.contains(name);
    all.into_iter()
        .filter(|package| asked(&package.name))
        .filter_map(|package| package.launcher)
        .collect()
}

const KNOWN: [&str; 9] = [
    "--ignore-crashes",
    "--ignore-timeouts",
    "--ignore-security-exceptions",
    "--ignore-native-crashes",
    "--kill-process-after-error",
    "--monitor-native-crashes",
    "--dbg-no-events",
    "--hprof",
    "--randomize-throttle",
];

const USAGE: &str = "usage: monkey [-p ALLOWED_PACKAGE [-p ALLOWED_PACKAGE] ...]\n              [-c MAIN_CATEGORY [-c \
     MAIN_CATEGORY] ...]\n              [--ignore-crashes] [--ignore-timeouts]\n              [-v [-v] ...]\n              \
     [--throttle MILLISEC] [--randomize-throttle]\n              [-s SEED]\n              COUNT\n";
