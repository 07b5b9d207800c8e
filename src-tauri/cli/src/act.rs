//! `deck act`: one action, judged and journalled like every other.

use crate::args;
use crate::run::open;
use crate::say::{self, Done};
use desk::OneAction;
use protocol::{Action, Failure, FailureCode, News, What};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) async fn act(data: Option<PathBuf>, args: args::Act) -> Done {
    let action: Action = match serde_json::from_str(&args.action) {
        Ok(action) => action,
        Err(error) => return Ok(say::usage(&format!("the action cannot be read: {error}"))),
    };
    let one = OneAction::new(&action).map_err(|error| Failure {
        code: FailureCode::BadInput,
        values: BTreeMap::new(),
        detail: Some(error.to_string()),
    })?;
    let (desk, phone) = open(data, &args.device).await?;
    let mut news = desk.listen();
    let run = desk.run_with(&phone, "deck act", Arc::new(one), desk.settings())?;
    let mut code = say::FAILED;
    while let Some(one) = news.recv().await {
        let News::Run { event } = one else { continue };
        if event.run != run {
            continue;
        }
        match event.what {
            What::Acted { outcome, took_ms, .. } => {
                code = if outcome.ok { say::FINE } else { say::FAILED };
                say::line(&json!({"outcome": outcome, "tookMs": took_ms}));
            }
            What::Refused {
                code: rule, action, ..
            } => {
                say::line(&json!({"error": {"code": rule, "message": "refused"}, "action": action}));
            }
            What::Unclear {
                code: kind, message, ..
            } => {
                say::line(&json!({"error": {"code": kind, "message": message}}));
            }
            What::Asked { ask, .. } => {
                code = say::NEEDED;
                say::line(&json!({"ask": ask}));
                desk.answer(desk::no(&ask))?;
            }
            What::Paused { reason } => {
                say::line(&json!({"paused": reason}));
                desk.steer(&run, protocol::Op::Stop).await?;
            }
            What::Ended { .. } => break,
            _ => {}
        }
    }
    Ok(code)
}
