//! AutoGLM-Phone: <https://github.com/zai-org/Open-AutoGLM>, its prompts and `phone_agent/actions/handler.py`.

use super::wording::{TrainedPrompt, done, lines, result, task};
use agent::prompt::Facts;
use dialect::Dialect;
use screen::Space;
use std::fmt::Write as _;

const ENGLISH: &str = include_str!("autoglm.en.md");
const CHINESE: &str = include_str!("autoglm.zh.md");

pub(super) fn words(facts: &Facts, chinese: bool) -> TrainedPrompt {
    let (system, added, before) = if chinese {
        (CHINESE, "用户补充：", "已执行的操作：")
    } else {
        (ENGLISH, "The user added: ", "Actions so far:")
    };
    let mut user = task(facts, added);
    user.push('\n');
    let lines = lines(facts);
    if !lines.is_empty() {
        let _ = write!(user, "\n{before}\n");
    }
    for line in lines {
        let done = done(line, Dialect::AutoGlm, Space::Thousandths).unwrap_or_default();
        let _ = writeln!(user, "{}. {done} → {}", line.step, result(line));
    }
    let app = serde_json::json!({"current_app": facts.screen.current_app});
    let _ = write!(user, "\n** Screen Info **\n\n{app}");
    TrainedPrompt {
        system: system.to_owned(),
        user,
    }
}
