//! What a change of the settings loosens: what is asked less about, or reaches further. Pure.
//!
//! A change is parted in two: what tightens or is neither is kept at once, what loosens waits for the person, one by one as
//! the approval window shows it. Who thinks, limits, notices and phones over Wi-Fi loosen nothing.

use protocol::{
    AskBefore, AskSwitch, Level, Loosening, Rule, Rules, ScriptSettings, Settings, SettingsPatch,
};

/// What `after` loosens against `before`, in the order it is shown.
#[must_use]
pub fn loosens(before: &Settings, after: &Settings) -> Vec<Loosening> {
    let mut found = Vec::new();
    if rank(after.level) < rank(before.level) {
        found.push(Loosening::Level { to: after.level });
    }
    for off in SWITCHES {
        let (was, is) = (switch(before.ask_before, off), switch(after.ask_before, off));
        found.extend((was && !is).then_some(Loosening::Switch { off }));
    }
    if after.scripts.on_this_computer && !before.scripts.on_this_computer {
        found.push(Loosening::Scripts);
    }
    let programs = new_in(&before.scripts.programs, &after.scripts.programs);
    found.extend(programs.map(|path| Loosening::Program { path }));
    // Without one it is looked for, as it was before anybody named one.
    if after.adb_program != before.adb_program && !after.adb_program.trim().is_empty() {
        let path = after.adb_program.clone();
        found.push(Loosening::Adb { path });
    }
    let servers = new_in(&before.adb_servers, &after.adb_servers);
    found.extend(servers.map(|address| Loosening::Server { address }));
    let (was, is) = (&before.rules, &after.rules);
    found.extend(missing(&is.allowed, &was.allowed).map(|rule| Loosening::Allow { rule }));
    found.extend(missing(&was.never, &is.never).map(|rule| Loosening::Permit { rule }));
    found.extend(missing(&was.ask, &is.ask).map(|rule| Loosening::AskLess { rule }));
    found
}

/// `settings` with these loosened.
#[must_use]
pub fn loosened(mut settings: Settings, loosenings: &[Loosening]) -> Settings {
    for loosening in loosenings {
        match loosening.clone() {
            Loosening::Level { to } => settings.level = to,
            Loosening::Switch { off } => *switch_mut(&mut settings.ask_before, off) = false,
            Loosening::Scripts => settings.scripts.on_this_computer = true,
            Loosening::Program { path } => add(&mut settings.scripts.programs, path),
            Loosening::Adb { path } => settings.adb_program = path,
            Loosening::Server { address } => add(&mut settings.adb_servers, address),
            Loosening::Allow { rule } => {
                settings.rules.allowed.retain(|known| !is_same(known, &rule));
                settings.rules.allowed.push(rule);
            }
            Loosening::Permit { rule } => settings.rules.never.retain(|known| !is_same(known, &rule)),
            Loosening::AskLess { rule } => settings.rules.ask.retain(|known| !is_same(known, &rule)),
        }
    }
    settings
}

/// `after` without what it loosens against `before`.
#[must_use]
pub fn tightened(before: &Settings, mut after: Settings) -> Settings {
    for loosening in loosens(before, &after) {
        match loosening {
            Loosening::Level { .. } => after.level = before.level,
            Loosening::Switch { off } => *switch_mut(&mut after.ask_before, off) = true,
            Loosening::Scripts => after.scripts.on_this_computer = false,
            Loosening::Program { path } => after.scripts.programs.retain(|one| *one != path),
            Loosening::Adb { .. } => after.adb_program.clone_from(&before.adb_program),
            Loosening::Server { address } => after.adb_servers.retain(|one| *one != address),
            Loosening::Allow { rule } => after.rules.allowed.retain(|one| !is_same(one, &rule)),
            Loosening::Permit { rule } => after.rules.never.push(rule),
            Loosening::AskLess { rule } => after.rules.ask.push(rule),
        }
    }
    // When a rule last answered is written down here, whatever a page remembers.
    for rule in &mut after.rules.allowed {
        if let Some(known) = before.rules.allowed.iter().find(|known| is_same(known, rule)) {
            rule.clone_from(known);
        }
    }
    after
}

/// The same patch, made by whoever knew the settings as `before`, for what they are `now`: of a list that another program changed
/// meanwhile only what differs from `before` is changed.
#[must_use]
pub(crate) fn rebased(before: &Settings, now: &Settings, patch: SettingsPatch) -> SettingsPatch {
    SettingsPatch {
        rules: patch.rules.map(|wanted| Rules {
            never: merged(&before.rules.never, wanted.never, &now.rules.never, is_same),
            ask: merged(&before.rules.ask, wanted.ask, &now.rules.ask, is_same),
            allowed: merged(&before.rules.allowed, wanted.allowed, &now.rules.allowed, is_same),
        }),
        scripts: patch.scripts.map(|wanted| ScriptSettings {
            programs: merged(
                &before.scripts.programs,
                wanted.programs,
                &now.scripts.programs,
                PartialEq::eq,
            ),
            ..wanted
        }),
        adb_servers: patch
            .adb_servers
            .map(|wanted| merged(&before.adb_servers, wanted, &now.adb_servers, PartialEq::eq)),
        phones: patch.phones.map(|wanted| {
            merged(&before.phones, wanted, &now.phones, |one, other| {
                one.phone == other.phone
            })
        }),
        notes: patch
            .notes
            .map(|wanted| merged(&before.notes, wanted, &now.notes, PartialEq::eq)),
        ..patch
    }
}

/// `wanted`, with what came into the list since `before`, and without what went.
fn merged<T: Clone>(before: &[T], mut wanted: Vec<T>, now: &[T], is_same: fn(&T, &T) -> bool) -> Vec<T> {
    let has = |list: &[T], one: &T| list.iter().any(|other| is_same(one, other));
    wanted.retain(|one| has(now, one) || !has(before, one));
    let came = now.iter().filter(|one| !has(before, one) && !has(&wanted, one));
    let came: Vec<T> = came.cloned().collect();
    wanted.extend(came);
    wanted
}

/// The same patch, with what `settings` says of what can loosen something.
#[must_use]
pub(crate) fn with(patch: SettingsPatch, settings: &Settings) -> SettingsPatch {
    SettingsPatch {
        ask_before: patch.ask_before.map(|_| settings.ask_before),
        level: patch.level.map(|_| settings.level),
        rules: patch.rules.map(|_| settings.rules.clone()),
        scripts: patch.scripts.map(|_| settings.scripts.clone()),
        adb_program: patch.adb_program.map(|_| settings.adb_program.clone()),
        adb_servers: patch.adb_servers.map(|_| settings.adb_servers.clone()),
        ..patch
    }
}

/// What can loosen something and differs between the two, as a patch.
pub(crate) fn between(before: &Settings, after: &Settings) -> SettingsPatch {
    SettingsPatch {
        ask_before: (before.ask_before != after.ask_before).then_some(after.ask_before),
        level: (before.level != after.level).then_some(after.level),
        rules: (before.rules != after.rules).then(|| after.rules.clone()),
        scripts: (before.scripts != after.scripts).then(|| after.scripts.clone()),
        adb_program: (before.adb_program != after.adb_program).then(|| after.adb_program.clone()),
        adb_servers: (before.adb_servers != after.adb_servers).then(|| after.adb_servers.clone()),
        ..SettingsPatch::default()
    }
}

/// The same decision about the same thing: when it last answered is no part of it.
pub(crate) fn is_same(one: &Rule, other: &Rule) -> bool {
    let bare = |rule: &Rule| {
        let mut rule = rule.clone();
        if let Some(element) = &mut rule.element {
            element.used = 0;
        }
        rule
    };
    bare(one) == bare(other)
}

const SWITCHES: [AskSwitch; 4] = [
    AskSwitch::Sending,
    AskSwitch::Deleting,
    AskSwitch::Installing,
    AskSwitch::Shell,
];

fn switch(mut switches: AskBefore, which: AskSwitch) -> bool {
    *switch_mut(&mut switches, which)
}

fn switch_mut(switches: &mut AskBefore, which: AskSwitch) -> &mut bool {
    match which {
        AskSwitch::Sending => &mut switches.sending,
        AskSwitch::Deleting => &mut switches.deleting,
        AskSwitch::Installing => &mut switches.installing,
        AskSwitch::Shell => &mut switches.shell,
    }
}

/// How much is asked: more is a larger number.
fn rank(level: Level) -> u8 {
    match level {
        Level::Everything => 2,
        Level::WhenItMatters => 1,
        Level::HardStops => 0,
    }
}

fn new_in<'a>(before: &'a [String], after: &'a [String]) -> impl Iterator<Item = String> + 'a {
    after.iter().filter(|one| !before.contains(one)).cloned()
}

fn add(list: &mut Vec<String>, one: String) {
    if !list.contains(&one) {
        list.push(one);
    }
}

/// Those of `of` that are not in `known`.
fn missing<'a>(of: &'a [Rule], known: &'a [Rule]) -> impl Iterator<Item = Rule> + 'a {
    of.iter()
        .filter(|rule| !known.iter().any(|one| is_same(one, rule)))
        .cloned()
}

#[cfg(test)]
mod tests;
