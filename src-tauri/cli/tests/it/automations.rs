//! Tasks that are kept: listed, and begun with what is said for their variables.

use crate::bench::Bench;
use crate::command::run;
use crate::model::ScriptedModel;
use protocol::{
    Automation, AutomationHold, AutomationId, AutomationPhones, AutomationPlan, MissedRun, OccurrenceState,
    RunEndKind, StartedBy, Variable, VariableKind,
};
use serde_json::{Value, json};
use store::KeptAutomation;

const HOME: &str =
    r#"{"thought": "The home screen has it.", "action": {"type": "keyevent", "keycode": "HOME"}}"#;
const DONE: &str = r#"{"type": "finish", "message": "Done."}"#;

fn kept() -> KeptAutomation {
    KeptAutomation {
        automation: Automation {
            id: AutomationId::from("a1"),
            made_at: 1,
            plan: AutomationPlan {
                name: "Late".to_owned(),
                task: "Tell {who} that I am late".to_owned(),
                variables: vec![Variable {
                    name: "who".to_owned(),
                    kind: VariableKind::Text,
                    value: String::new(),
                    ask: true,
                }],
                phones: AutomationPhones::All,
                schedule: None,
                trigger: None,
                missed: MissedRun::Late,
                recorded: None,
            },
            held: Some(AutomationHold::Imported),
            clean_replays: 0,
            quiet: false,
        },
        since: 1,
        failures: 0,
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn an_automation_is_begun_by_its_name() {
    let bench = Bench::new();
    bench.in_store(async |store| store.save_automations(&[kept()]).await.unwrap());
    let listed = bench.call(&["automations"]);
    let [card] = lines(&listed.out).try_into().unwrap();
    assert_eq!(card["automation"]["name"], json!("Late"));
    assert_eq!(card["automation"]["held"], json!("imported"));

    for (wrong, code, said) in [
        (&["--automation", "Early"][..], 1, "there is no automation Early"),
        (&["--automation", "Late"], 1, r#"ValueMissing, variable "who""#),
        (&["--automation", "Late", "--set", "who"], 2, "who=Dana"),
        (&["--automation", "Late", "--goal", "x"], 2, "--goal"),
        (&["--device", "x", "--goal", "y", "--set", "who=Dana"], 2, "--set"),
        (
            &[
                "--device",
                "x",
                "--goal",
                "y",
                "--provider",
                "opnai",
                "--model",
                "m",
            ],
            2,
            "opnai",
        ),
        (
            &[
                "--device",
                "x",
                "--goal",
                "y",
                "--provider",
                "openai",
                "--model",
                " ",
            ],
            2,
            "--model",
        ),
    ] {
        let ended = bench.call(&[&["run"], wrong].concat());
        assert_eq!(ended.code, code, "{}", ended.story());
        assert!(ended.err.contains(said), "{}", ended.story());
    }

    let model = ScriptedModel::saying(&[HOME, DONE]);
    let mut command = bench.deck(&["run", "--automation", "late", "--set", "who=Dana"]);
    command.args(["--provider", model.address(), "--model", "scripted"]);
    let ended = run(command, b"");
    assert_eq!(ended.code, 0, "{}", ended.story());
    let events = lines(&ended.out);
    assert_eq!(events[0]["goal"], json!("Tell Dana that I am late"));
    assert_eq!(
        events[0]["automation"],
        json!({"id": "a1", "name": "Late", "by": "person", "replay": false})
    );
    assert_eq!(events.last().unwrap()["what"], json!("ended"));

    // Begun once by hand, it is held no more; and how it ended is written down with it.
    let id = AutomationId::from("a1");
    let (kept, times) = bench.in_store(async |store| {
        let times = store.occurrences(&id, 10).await.unwrap();
        (store.automations().await.unwrap(), times)
    });
    assert_eq!(kept[0].automation.held, None);
    let [one] = times.try_into().unwrap();
    assert_eq!(one.by, StartedBy::Person);
    assert!(
        matches!(
            &one.state,
            OccurrenceState::Ended {
                end: RunEndKind::Finished,
                ..
            }
        ),
        "{one:?}"
    );
}
