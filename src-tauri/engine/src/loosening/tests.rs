use super::*;
use proptest::prelude::*;
use protocol::{AskKind, ElementBinding, PhoneId, Role, Rules, ScriptSettings};

fn rule(kind: AskKind, label: &str, used: u64) -> Rule {
    Rule {
        kind,
        app: Some("com.android.messages".into()),
        app_label: "Messages".into(),
        phone: Some(PhoneId("p".into())),
        since: 1,
        element: Some(ElementBinding {
            signer: "sum 1".into(),
            version: "1".into(),
            page: "chat".into(),
            resource_id: "send".into(),
            role: Role::Button,
            label: label.into(),
            used,
        }),
    }
}

/// What this change, made to the settings as they come, loosens; and that undoing it loosens nothing more than it tightened.
#[track_caller]
fn check(change: impl Fn(&mut Settings), expected: &[Loosening]) {
    check_from(Settings::default(), change, expected);
}

#[track_caller]
fn check_from(before: Settings, change: impl Fn(&mut Settings), expected: &[Loosening]) {
    let mut after = before.clone();
    change(&mut after);
    assert_eq!(loosens(&before, &after), expected);
    let kept = tightened(&before, after.clone());
    assert_eq!(
        loosens(&before, &kept),
        [],
        "what is kept at once loosens nothing"
    );
    assert_eq!(
        loosened(kept, expected),
        after,
        "a Yes to each leads where the change led"
    );
}

fn settings(change: impl Fn(&mut Settings)) -> Settings {
    let mut settings = Settings::default();
    change(&mut settings);
    settings
}

#[test]
fn less_is_asked() {
    let level = |to| Loosening::Level { to };
    let everything = settings(|s| s.level = Level::Everything);
    let hard = settings(|s| s.level = Level::HardStops);
    check(|s| s.level = Level::HardStops, &[level(Level::HardStops)]);
    check(|s| s.level = Level::Everything, &[]);
    check_from(
        everything.clone(),
        |s| s.level = Level::WhenItMatters,
        &[level(Level::WhenItMatters)],
    );
    check_from(
        everything,
        |s| s.level = Level::HardStops,
        &[level(Level::HardStops)],
    );
    check_from(hard.clone(), |s| s.level = Level::WhenItMatters, &[]);
    check_from(hard, |s| s.level = Level::HardStops, &[]);
    let off = |off| Loosening::Switch { off };
    check(|s| s.ask_before.sending = false, &[off(AskSwitch::Sending)]);
    check(|s| s.ask_before.deleting = false, &[off(AskSwitch::Deleting)]);
    check(|s| s.ask_before.installing = false, &[off(AskSwitch::Installing)]);
    check(|s| s.ask_before.shell = false, &[off(AskSwitch::Shell)]);
    let quiet = settings(|s| s.ask_before.sending = false);
    check_from(quiet, |s| s.ask_before.sending = true, &[]);
}

#[test]
fn more_is_reached() {
    let programs = |list: &[&str]| ScriptSettings {
        on_this_computer: false,
        programs: list.iter().map(|one| (*one).to_owned()).collect(),
    };
    let program = |path: &str| Loosening::Program { path: path.into() };
    check(|s| s.scripts.on_this_computer = true, &[Loosening::Scripts]);
    check(
        |s| s.scripts = programs(&["/usr/bin/wc"]),
        &[program("/usr/bin/wc")],
    );
    let two = settings(|s| s.scripts = programs(&["/usr/bin/wc", "/usr/bin/date"]));
    check_from(two.clone(), |s| s.scripts = programs(&["/usr/bin/date"]), &[]);
    check_from(
        two,
        |s| s.scripts = programs(&["/usr/bin/date", "/usr/bin/sort"]),
        &[program("/usr/bin/sort")],
    );
    let adb = |path: &str| Loosening::Adb { path: path.into() };
    let named = settings(|s| s.adb_program = "/opt/adb".into());
    check(|s| s.adb_program = "/tmp/adb".into(), &[adb("/tmp/adb")]);
    check_from(
        named.clone(),
        |s| s.adb_program = "/tmp/adb".into(),
        &[adb("/tmp/adb")],
    );
    check_from(named, |s| s.adb_program = String::new(), &[]);
    let server = |address: &str| Loosening::Server {
        address: address.into(),
    };
    check(|s| s.adb_servers = vec!["a:1".into()], &[server("a:1")]);
    let one = settings(|s| s.adb_servers = vec!["a:1".into()]);
    check_from(one.clone(), |s| s.adb_servers.clear(), &[]);
    check_from(one, |s| s.adb_servers = vec!["b:1".into()], &[server("b:1")]);
}

#[test]
fn a_rule_allows_forbids_or_asks() {
    let send = rule(AskKind::Send, "Send", 7);
    let archive = rule(AskKind::Act, "Archive", 7);
    let allow = |rule: &Rule| Loosening::Allow { rule: rule.clone() };
    let permit = |rule: &Rule| Loosening::Permit { rule: rule.clone() };
    let ask_less = |rule: &Rule| Loosening::AskLess { rule: rule.clone() };
    let all = settings(|s| {
        s.rules = Rules {
            never: vec![send.clone()],
            ask: vec![archive.clone()],
            allowed: vec![send.clone(), archive.clone()],
        };
    });
    check(|s| s.rules.allowed = vec![send.clone()], &[allow(&send)]);
    check(|s| s.rules.never = vec![send.clone()], &[]);
    check(|s| s.rules.ask = vec![send.clone()], &[]);
    check_from(all.clone(), |s| s.rules.allowed = vec![archive.clone()], &[]);
    check_from(all.clone(), |s| s.rules.never.clear(), &[permit(&send)]);
    check_from(all.clone(), |s| s.rules.ask.clear(), &[ask_less(&archive)]);
    // On another button, of another signer, without the phone: another rule.
    for other in [
        rule(AskKind::Send, "Send all", 7),
        Rule {
            phone: None,
            ..send.clone()
        },
        Rule {
            element: None,
            ..send.clone()
        },
        Rule {
            app: None,
            ..send.clone()
        },
    ] {
        check_from(
            all.clone(),
            |s| s.rules.allowed.push(other.clone()),
            &[allow(&other)],
        );
    }
}

/// A page that remembers an older moment takes nothing back by it, and one that names a later one makes nothing hold longer.
#[test]
fn when_a_rule_last_answered_is_the_programs_own_word() {
    let before = settings(|s| s.rules.allowed = vec![rule(AskKind::Send, "Send", 7)]);
    for used in [0, 6, 8, u64::MAX] {
        let after = settings(|s| s.rules.allowed = vec![rule(AskKind::Send, "Send", used)]);
        assert_eq!(loosens(&before, &after), []);
        assert_eq!(tightened(&before, after), before);
    }
}

#[test]
fn a_change_is_parted_in_two() {
    let before = settings(|s| s.ask_before.deleting = false);
    let after = settings(|s| {
        s.level = Level::Everything;
        s.ask_before.sending = false;
        s.scripts.on_this_computer = true;
        s.limits.steps = 9;
    });
    let kept = settings(|s| {
        s.level = Level::Everything;
        s.limits.steps = 9;
    });
    assert_eq!(tightened(&before, after.clone()), kept);
    let off = AskSwitch::Sending;
    assert_eq!(
        loosens(&before, &after),
        [Loosening::Switch { off }, Loosening::Scripts]
    );
}

fn any_settings() -> impl Strategy<Value = Settings> {
    let level = prop::sample::select(vec![Level::Everything, Level::WhenItMatters, Level::HardStops]);
    let names = || prop::sample::subsequence(vec!["/a".to_owned(), "/b".into(), "/c".into()], 0..=3);
    let kinds = || prop::sample::subsequence(vec![AskKind::Send, AskKind::Delete, AskKind::Act], 0..=3);
    let switches = any::<(bool, bool, bool, bool, bool)>();
    let adb = prop::sample::select(vec!["", "/x/adb", "/y/adb"]);
    let rules = (kinds(), kinds(), kinds(), 0..3u64);
    (level, switches, names(), names(), adb, rules).prop_map(
        |(level, on, programs, adb_servers, adb, rules)| {
            let list = |kinds: Vec<AskKind>| kinds.into_iter().map(|kind| rule(kind, "x", rules.3)).collect();
            settings(|s| {
                s.level = level;
                (
                    s.ask_before.sending,
                    s.ask_before.deleting,
                    s.ask_before.installing,
                ) = (on.0, on.1, on.2);
                (s.ask_before.shell, s.scripts.on_this_computer) = (on.3, on.4);
                s.scripts.programs.clone_from(&programs);
                s.adb_servers.clone_from(&adb_servers);
                s.adb_program = adb.into();
                s.rules = Rules {
                    never: list(rules.0.clone()),
                    ask: list(rules.1.clone()),
                    allowed: list(rules.2.clone()),
                };
            })
        },
    )
}

/// Lists in one order, and no moments: what two settings allow is compared, not how they are written.
fn sorted(mut settings: Settings) -> Settings {
    for rules in [
        &mut settings.rules.never,
        &mut settings.rules.ask,
        &mut settings.rules.allowed,
    ] {
        rules.sort_by_key(|rule| rule.kind);
        rules.iter_mut().for_each(|rule| rule.element = None);
    }
    settings.scripts.programs.sort();
    settings.adb_servers.sort();
    settings
}

proptest! {
    #[test]
    fn whatever_is_changed_nothing_loosens_without_a_yes(before in any_settings(), after in any_settings()) {
        let found = loosens(&before, &after);
        let kept = tightened(&before, after.clone());
        prop_assert_eq!(loosens(&before, &kept), vec![]);
        prop_assert_eq!(sorted(loosened(kept, &found)), sorted(after));
    }
}
