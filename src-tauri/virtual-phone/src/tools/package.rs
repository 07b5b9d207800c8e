//! `pm` (`services/core/java/com/android/server/pm/PackageManagerShellCommand.java`).

use super::intent::read;
use super::name::{apk, short};
use super::reply::Reply;
use super::users;
use crate::android::{Component, Intent, Package};
use crate::fault::Fault;
use crate::files::OpenMode;
use crate::phone::Phone;
use crate::process::Call;

const ON_COMMAND: &str =
    "com.android.server.pm.PackageManagerShellCommand.onCommand(PackageManagerShellCommand.java:236)";
const LAUNCHER: &str = "android.intent.category.LAUNCHER";
/// How many packages without an icon a maker brings (`crowded`).
const CROWD: usize = 400;

/// `cmd package COMMAND …`.
pub(super) async fn command(call: &Call, command: &str, words: Vec<String>) -> Reply {
    let phone = &call.phone;
    match command {
        "list" => list(phone, words),
        "path" => {
            let name = last(&words);
            match find(phone, &name) {
                Some(package) => Reply::out(format!("package:{}\n", apk(&package.name, package.system))),
                None => Reply {
                    code: 1,
                    ..Reply::default()
                },
            }
        }
        "resolve-activity" => resolve(phone, words),
        "query-activities" => query(phone, words),
        "clear" => {
            let name = last(&words);
            let done = phone.with(|android| android.clear_data(&name));
            Reply {
                out: if done { "Success\n" } else { "Failed\n" }.to_owned(),
                code: i32::from(!done),
                ..Reply::default()
            }
        }
        "uninstall" => {
            let name = last(&words);
            let failure = match find(phone, &name) {
                None => "Failure [not installed for 0]\n",
                Some(_) if phone.with(|android| android.uninstall(&name)) => "",
                Some(_) => "Failure [DELETE_FAILED_INTERNAL_ERROR]\n",
            };
            if failure.is_empty() {
                Reply::out("Success\n")
            } else {
                Reply {
                    out: failure.to_owned(),
                    code: 1,
                    ..Reply::default()
                }
            }
        }
        "install" => install(call, words).await,
        "has-feature" => {
            let there = FEATURES.contains(&last(&words).as_str());
            Reply {
                out: format!("{there}\n"),
                code: i32::from(!there),
                ..Reply::default()
            }
        }
        "get-max-users" => Reply::out("Maximum supported users: 4\n"),
        "" | "help" | "-h" => Reply::failed(HELP),
        other => Reply::unknown(other),
    }
}

/// The last word that is no option (the options with values come before it).
fn last(words: &[String]) -> String {
    words
        .iter()
        .rfind(|word| !word.starts_with('-'))
        .cloned()
        .unwrap_or_default()
}

fn find(phone: &Phone, name: &str) -> Option<Package> {
    installed(phone).into_iter().find(|package| package.name == name)
}

/// Every package, those included that a maker brings and nobody sees.
pub(super) fn installed(phone: &Phone) -> Vec<Package> {
    let mut all = phone.with(|android| android.packages());
    if phone.has(Fault::Crowded) {
        all.extend((0..CROWD).map(|at| Package {
            name: format!("com.vendor.service{at:03}"),
            label: format!("Service {at}"),
            launcher: None,
            system: true,
            version: "1.0.0".to_owned(),
        }));
    }
    all
}

const FEATURES: [&str; 8] = [
    "android.hardware.camera",
    "android.hardware.bluetooth",
    "android.hardware.location",
    "android.hardware.telephony",
    "android.hardware.touchscreen",
    "android.hardware.touchscreen.multitouch",
    "android.hardware.wifi",
    "android.software.webview",
];

fn list(phone: &Phone, words: Vec<String>) -> Reply {
    let mut words = words.into_iter();
    match words.next().as_deref() {
        Some("packages" | "package") => {}
        Some("features") => return Reply::out(FEATURES.map(|name| format!("feature:{name}\n")).concat()),
        Some("users") => return Reply::out(users::list(phone)),
        Some(other) => return Reply::error(format!("Error: unknown list type '{other}'")),
        None => return Reply::error("Error: didn't specify type of data to list"),
    }
    let (mut third, mut system, mut path, mut with_uid, mut installer, mut version) =
        (false, false, false, false, false, false);
    let mut filter = None;
    let mut user = None;
    while let Some(word) = words.next() {
        match word.as_str() {
            "-3" => third = true,
            "-s" => system = true,
            "-f" => path = true,
            "-U" => with_uid = true,
            "-i" => installer = true,
            "--show-versioncode" => version = true,
            // All of this phone's packages are enabled, installed and no one else's.
            "-d" => return Reply::done(),
            "-e" | "-a" | "-u" | "-l" | "--match-libraries" | "--apex-only" | "--factory-only" => {}
            "--user" => user = words.next(),
            "--uid" => {
                words.next();
            }
            word if word.starts_with('-') => return Reply::error(format!("Error: Unknown option: {word}")),
            _ => filter = Some(word),
        }
    }
    let user = match user.as_deref() {
        None | Some("all") => 0,
        Some("current" | "cur") => users::current(phone),
        Some(number) => match number.parse() {
            Ok(number) => number,
            Err(_) => return Reply::error(format!("Error: Bad user number: {number}")),
        },
    };
    // Nobody by that number has any (`PackageManagerService.getInstalledPackages`).
    if !users::exists(phone, user) {
        return Reply::done();
    }
    let theirs = users::packages(phone);
    let line = |package: &Package| {
        let mut line = "package:".to_owned();
        if path {
            line.push_str(&format!("{}=", apk(&package.name, package.system)));
        }
        line.push_str(&package.name);
        if version {
            line.push_str(&format!(" versionCode:{}", version_code(&package.version)));
        }
        if installer {
            let from = if package.system {
                "null"
            } else {
                "com.android.vending"
            };
            line.push_str(&format!("  installer={from}"));
        }
        if with_uid {
            line.push_str(&format!(" uid:{}", users::uid_of(&package.name, user)));
        }
        line + "\n"
    };
    let packages = installed(phone);
    let wanted = packages.iter().filter(|package| {
        // Everybody has what the system brings, and what was installed for them.
        (user == 0 || package.system || theirs.contains(&package.name))
            && (!third || !package.system)
            && (!system || package.system)
            && filter
                .as_ref()
                .is_none_or(|filter| package.name.contains(filter.as_str()))
    });
    Reply::out(wanted.map(line).collect::<String>())
}

/// `1.4.2` → 10402.
pub(super) fn version_code(version: &str) -> u64 {
    version
        .split('.')
        .take(3)
        .fold(0, |code, part| code * 100 + part.parse::<u64>().unwrap_or(0))
}

/// What an intent and the options of a query come to.
struct Query {
    intent: Intent,
    brief: bool,
    components: bool,
}

fn parse(command: &str, words: Vec<String>) -> Result<Query, Reply> {
    let (mut brief, mut components) = (false, false);
    let mut own = |word: &str, rest: &mut std::vec::IntoIter<String>| -> bool {
        match word {
            "--brief" => brief = true,
            "--components" => components = true,
            "--query-flags" | "--user" => {
                rest.next();
            }
            _ => return false,
        }
        true
    };
    match read(words, &mut own) {
        Ok(written) if written.is_empty() => {
            let thrown = "java.lang.IllegalArgumentException: No intent supplied";
            Err(Reply::exception(command, thrown, &[ON_COMMAND]))
        }
        Ok(written) => Ok(Query {
            intent: written.intent,
            brief,
            components,
        }),
        Err(problem) => {
            let thrown = format!("java.lang.IllegalArgumentException: {problem}");
            Err(Reply::exception(command, thrown, &[ON_COMMAND]))
        }
    }
}

/// Every activity that answers; what stands in the launcher, for a question about that.
fn answers(phone: &Phone, intent: &Intent) -> Vec<Component> {
    if intent.categories.iter().any(|category| category == LAUNCHER) && intent.component.is_none() {
        let packages = phone.with(|android| android.packages());
        let asked = |package: &Package| intent.package.as_ref().is_none_or(|name| *name == package.name);
        return packages
            .into_iter()
            .filter(asked)
            .filter_map(|package| package.launcher)
            .collect();
    }
    phone.with(|android| android.answers(intent))
}

fn resolve(phone: &Phone, words: Vec<String>) -> Reply {
    let query = match parse("resolve-activity", words) {
        Ok(query) => query,
        Err(reply) => return reply,
    };
    let found = answers(phone, &query.intent);
    let chosen = match found.as_slice() {
        [] => return Reply::out("No activity found\n"),
        // Several answer a question that names no package: the chooser does.
        [_, _, ..] if query.intent.package.is_none() => Component {
            package: "android".to_owned(),
            class: "com.android.internal.app.ResolverActivity".to_owned(),
        },
        [first, ..] => first.clone(),
    };
    Reply::out(told(phone, &query, &chosen, ""))
}

fn query(phone: &Phone, words: Vec<String>) -> Reply {
    let query = match parse("query-activities", words) {
        Ok(query) => query,
        Err(reply) => return reply,
    };
    let found = answers(phone, &query.intent);
    if found.is_empty() {
        return Reply::out("No activities found\n");
    }
    if query.components {
        return Reply::out(
            found
                .iter()
                .map(|component| short(component) + "\n")
                .collect::<String>(),
        );
    }
    let mut out = format!("{} activities found:\n", found.len());
    for (at, component) in found.iter().enumerate() {
        out.push_str(&format!(
            "  Activity #{at}:\n{}",
            told(phone, &query, component, "    ")
        ));
    }
    Reply::out(out)
}

/// One answer, brief or not (`printResolveInfo`).
fn told(phone: &Phone, query: &Query, component: &Component, indent: &str) -> String {
    if query.components {
        return format!("{indent}{}\n", short(component));
    }
    let line = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true";
    if query.brief {
        return format!("{indent}{line}\n{indent}{}\n", short(component));
    }
    let system = find(phone, &component.package).is_none_or(|package| package.system);
    format!(
        "{indent}{line}\n{indent}ActivityInfo:\n{indent}  name={}\n{indent}  packageName={}\n{indent}  enabled=true \
         exported=true directBootAware=false\n{indent}  ApplicationInfo:\n{indent}    packageName={}\n{indent}    \
         sourceDir={}\n",
        component.class,
        component.package,
        component.package,
        apk(&component.package, system)
    )
}

/// What is no package is called so; what this phone does not know is declined, as by its owner.
async fn install(call: &Call, words: Vec<String>) -> Reply {
    let size = words
        .iter()
        .position(|word| word == "-S")
        .and_then(|at| words.get(at + 1)?.parse::<usize>().ok());
    let file = words
        .iter()
        .rfind(|word| !word.starts_with('-') && word.parse::<usize>().is_err());
    let mut all = Vec::new();
    match (file, size) {
        (Some(file), _) => match call.open(file, OpenMode::READ) {
            Ok(input) => {
                while let Ok(Some(bytes)) = input.read(64 * 1024).await {
                    all.extend_from_slice(&bytes);
                }
            }
            Err(_) => {
                let thrown = format!("java.lang.IllegalArgumentException: Error: Can't open file: {file}");
                return Reply::exception("install", thrown, &[ON_COMMAND]);
            }
        },
        (None, Some(size)) => {
            let mut left = size;
            let Some(input) = call.descriptors.get(0) else {
                return Reply::error("Error: must specify either a package size or an APK file");
            };
            while left > 0 {
                let Ok(Some(bytes)) = input.read(left.min(64 * 1024)).await else {
                    break;
                };
                left -= bytes.len();
                all.extend_from_slice(&bytes);
            }
        }
        (None, None) => return Reply::error("Error: must specify either a package size or an APK file"),
    }
    if all.starts_with(b"PK\x03\x04") && call.phone.with(|android| android.install(&all)) {
        return Reply::out("Success\n");
    }
    let failure = if all.starts_with(b"PK\x03\x04") {
        "Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]\n"
    } else {
        "Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse /data/app/vmdl1405213478.tmp/base.apk]\n"
    };
    Reply {
        out: failure.to_owned(),
        code: 1,
        ..Reply::default()
    }
}

const HELP: &str = "Package manager (package) commands:\n  help\n    Print this help text.\n\n  path [--user USER_ID] \
     PACKAGE\n    Print the path to the .apk of the given PACKAGE.\n\n  list packages [-f] [-d] [-e] [-s] [-3] [-i] [-l] [-u] \
     [-U] [--show-versioncode] [FILTER]\n    Prints all packages.\n\n  resolve-activity [--brief] [--components] INTENT\n    \
     Prints the activity that resolves to the given INTENT.\n\n  query-activities [--brief] [--components] INTENT\n    Prints \
     all activities that can handle the given INTENT.\n\n  uninstall PACKAGE\n    Remove the given package name from the \
     system.\n\n  clear PACKAGE\n    Deletes all data associated with a package.\n";
