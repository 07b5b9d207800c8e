//! What a plan may say, what its names become, and the file it is written to.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use proptest::prelude::*;
use protocol::{
    AutomationPhones, AutomationPlan, ClockTime, MissedRun, PhoneId, PlanFault, RunId, Schedule, Trigger,
    Variable, VariableKind, Weekday,
};
use schedule::{ExchangeError, FillError, export, fill, import, values_of};
use std::collections::BTreeMap;

fn variable(name: &str, kind: VariableKind, value: &str) -> Variable {
    Variable {
        name: name.to_owned(),
        kind,
        value: value.to_owned(),
        ask: true,
    }
}

fn plan() -> AutomationPlan {
    AutomationPlan {
        name: "Late again".to_owned(),
        task: "Text {who} that I am {minutes} minutes late".to_owned(),
        variables: vec![
            variable("who", VariableKind::Text, "Dana"),
            variable("minutes", VariableKind::Number, "10"),
        ],
        phones: AutomationPhones::These {
            phones: vec![PhoneId::from("R58M123")],
        },
        schedule: Some(Schedule::Week {
            days: vec![Weekday::Monday, Weekday::Friday],
            at: ClockTime { hour: 7, minute: 30 },
        }),
        trigger: None,
        missed: MissedRun::Skip,
        recorded: None,
    }
}

fn check(change: impl FnOnce(&mut AutomationPlan), expected: Result<(), PlanFault>) {
    let mut changed = plan();
    change(&mut changed);
    assert_eq!(schedule::check(&changed), expected, "{changed:#?}");
}

#[test]
fn a_plan_is_kept_only_whole() {
    check(|_| {}, Ok(()));
    for name in ["", "  ", " Late", "a\nb", &"x".repeat(81)] {
        check(|plan| plan.name = name.to_owned(), Err(PlanFault::Name));
    }
    check(|plan| plan.name = "年".repeat(80), Ok(()));
    check(|plan| plan.task = " \n".to_owned(), Err(PlanFault::Task));
    check(|plan| plan.task.push_str(" {why}"), Err(PlanFault::Variables));
    check(
        |plan| plan.task = "Text {who}".to_owned(),
        Err(PlanFault::Variables),
    );
    check(
        |plan| plan.variables.push(variable("who", VariableKind::Text, "Ana")),
        Err(PlanFault::Variables),
    );
    let secret = |plan: &mut AutomationPlan, value: &str| {
        plan.task.push_str(" with {pin}");
        plan.variables.push(variable("pin", VariableKind::Secret, value));
    };
    check(|plan| secret(plan, ""), Ok(()));
    check(|plan| secret(plan, "1234"), Err(PlanFault::SecretValue));
    check(
        |plan| plan.phones = AutomationPhones::These { phones: Vec::new() },
        Err(PlanFault::Phones),
    );
    check(|plan| plan.phones = AutomationPhones::All, Ok(()));
}

#[test]
fn a_schedule_has_days_and_hours_that_exist() {
    let bad = |schedule| check(|plan| plan.schedule = Some(schedule), Err(PlanFault::Schedule));
    let noon = ClockTime { hour: 12, minute: 0 };
    bad(Schedule::Week {
        days: Vec::new(),
        at: noon,
    });
    bad(Schedule::Week {
        days: vec![Weekday::Monday],
        at: ClockTime { hour: 24, minute: 0 },
    });
    bad(Schedule::Month { day: 0, at: noon });
    bad(Schedule::Month { day: 32, at: noon });
    bad(Schedule::Hours { hours: 5 });
    bad(Schedule::Hours { hours: 0 });
    for date in ["2026-02-30", "tomorrow", "20261224", "2026-12-24T10:00"] {
        bad(Schedule::Once {
            date: date.to_owned(),
            at: noon,
        });
    }
}

#[test]
fn what_begins_by_itself_has_every_value() {
    let without = |plan: &mut AutomationPlan| plan.variables[0].value.clear();
    check(without, Err(PlanFault::ValueMissing));
    let by_hand = |plan: &mut AutomationPlan| {
        without(plan);
        plan.schedule = None;
    };
    check(by_hand, Ok(()));
    let by_phone = |plan: &mut AutomationPlan| {
        by_hand(plan);
        plan.trigger = Some(Trigger::Connected);
    };
    check(by_phone, Err(PlanFault::ValueMissing));
    check(
        |plan| plan.variables[1].value = "ten".to_owned(),
        Err(PlanFault::ValueMissing),
    );
}

fn filled(task: &str, values: &[(&str, &str)], expected: Result<&str, FillError>) {
    let mut variables = plan().variables;
    variables.push(variable("pin", VariableKind::Secret, ""));
    variables.push(variable("why", VariableKind::Text, ""));
    let values: BTreeMap<String, String> = values
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    assert_eq!(
        fill(task, &variables, &values),
        expected.map(str::to_owned),
        "{task}"
    );
}

#[test]
fn names_in_braces_get_what_stands_for_them() {
    filled("Text {who}, {minutes} min", &[], Ok("Text Dana, 10 min"));
    filled("Text {who}{who}", &[("who", " Ana ")], Ok("Text AnaAna"));
    // What comes in is no task: a name in it stays what it is.
    filled("Text {who}", &[("who", "{minutes}")], Ok("Text {minutes}"));
    filled(
        "{ who } {} {who {a-b} {who}}",
        &[],
        Ok("{ who } {} {who {a-b} Dana}"),
    );
    filled(
        "Type {{secret:Bank}} and {{who}}",
        &[],
        Ok("Type {{secret:Bank}} and {{who}}"),
    );
    filled("Sign in with {pin}", &[], Ok("Sign in with pin"));
    filled(
        "Sign in with {pin}",
        &[("pin", "1234")],
        Err(FillError::Secret("pin".to_owned())),
    );
    filled(
        "Text {who}",
        &[("whom", "Ana")],
        Err(FillError::Unknown("whom".to_owned())),
    );
    filled("Text {whom}", &[], Err(FillError::Unknown("whom".to_owned())));
    filled("Say {why}", &[], Err(FillError::Missing("why".to_owned())));
    filled(
        "Say {why}",
        &[("why", "  ")],
        Err(FillError::Missing("why".to_owned())),
    );
    filled("{minutes}", &[("minutes", "1 000,5")], Ok("1 000,5"));
    filled(
        "{minutes}",
        &[("minutes", "soon")],
        Err(FillError::NotANumber("minutes".to_owned())),
    );
}

#[test]
fn the_file_reads_as_a_person_would_write_it() {
    let mut recorded = plan();
    recorded.recorded = Some(RunId("0001-0002".to_owned()));
    insta::assert_snapshot!(export(&[recorded]));
}

#[test]
fn a_file_is_taken_whole_or_not_at_all() {
    let of = |change: fn(&mut AutomationPlan)| {
        let mut other = plan();
        other.name = "Other".to_owned();
        change(&mut other);
        import(&export(&[plan(), other]))
    };
    assert_eq!(of(|_| {}).unwrap().len(), 2);
    let fault = |name: &str, fault| {
        Err(ExchangeError::Plan {
            name: name.to_owned(),
            fault,
        })
    };
    assert_eq!(of(|plan| plan.task.clear()), fault("Other", PlanFault::Task));
    assert_eq!(
        of(|plan| plan.name = "late AGAIN".to_owned()),
        fault("late AGAIN", PlanFault::NameTaken)
    );
    let secret: fn(&mut AutomationPlan) = |plan| {
        plan.task = "Use {pin}".to_owned();
        plan.variables = vec![variable("pin", VariableKind::Secret, "1234")];
    };
    assert_eq!(of(secret), fault("Other", PlanFault::SecretValue));
    let newer = export(&[]).replace("\"version\": 1", "\"version\": 2");
    assert_eq!(import(&newer), Err(ExchangeError::Newer { found: 2 }));
    for text in ["", "{}", "[]", &export(&[]).replace("PocketDeck", "Other")] {
        assert!(
            matches!(import(text), Err(ExchangeError::Unreadable(_))),
            "{text}"
        );
    }
    assert_eq!(import(&" ".repeat(1_000_001)), Err(ExchangeError::TooLarge));
}

proptest! {
    #[test]
    fn any_text_is_read_to_its_end(text in "[{}a-z_ é]{0,40}") {
        let variables: Vec<Variable> = schedule::fill::names(&text)
            .map(|name| variable(name, VariableKind::Text, name))
            .collect();
        let filled = fill(&text, &variables, &BTreeMap::new()).unwrap();
        let plain = |text: &str| text.replace(['{', '}'], "");
        prop_assert_eq!(plain(&filled), plain(&text));
        let _ = import(&text);
    }

    #[test]
    fn what_is_written_is_read_again(names in proptest::collection::btree_set("[a-z]{1,12}", 0..6)) {
        let plans: Vec<AutomationPlan> = names
            .into_iter()
            .map(|name| AutomationPlan { name, ..plan() })
            .collect();
        prop_assert_eq!(import(&export(&plans)), Ok(plans));
    }
}

#[test]
fn what_stood_for_the_names_is_read_back() {
    let check = |task: &str, filled: &str, expected: Option<&[(&str, &str)]>| {
        let expected = expected.map(|all| {
            let all = all
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            all.collect::<BTreeMap<_, _>>()
        });
        assert_eq!(values_of(task, filled), expected, "{task}: {filled}");
    };
    let late = "Text {who} that I am {n} minutes late";
    check(
        late,
        "Text Dana W. that I am 10 minutes late",
        Some(&[("who", "Dana W."), ("n", "10")]),
    );
    check(late, "Text Dana that I am late", None);
    check(late, "Text  that I am 10 minutes late", None);
    check("Open {app}", "Open Maps", Some(&[("app", "Maps")]));
    check("Turn it off", "Turn it off", Some(&[]));
    check("Turn it off", "Turn it off now", None);
    check("{a} and {a}", "x and x", Some(&[("a", "x")]));
    check("{a} and {a}", "x and y", None);
    check("{a}{b}", "xy", None);
}
