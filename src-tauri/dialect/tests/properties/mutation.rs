//! Replies made of other replies: cut, joined, repeated, with pieces of every dialect put in.

/// Pieces that mean something to some reader.
const PIECES: [&str; 133] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    "\\",
    ":",
    ",",
    "=",
    "\n",
    " ",
    "`",
    "<",
    ">",
    "<<",
    ">>",
    "#",
    "//",
    "/*",
    "*/",
    "{\"type\":\"",
    "\"tap\"",
    "\"finish\"",
    "\"x\":1",
    "\"y\":2",
    "\"x\":null",
    "\"target\":{",
    "\"element\":3",
    "\"text\":\"",
    "\"thought\":\"",
    "\"action\":",
    "\"thenFinish\":true",
    "\"message\":\"done\"",
    "\"coordinate\":[1,2]",
    "<think>",
    "</think>",
    "<answer>",
    "</answer>",
    "[think]",
    "◁/think▷",
    "<|begin_of_box|>",
    "<|end_of_box|>",
    "```json\n",
    "```",
    "：",
    "，",
    "“",
    "”",
    "｛",
    "（",
    "）",
    "１",
    "\u{200b}",
    "\u{feff}",
    "é",
    "确定",
    "\u{1f600}",
    "\\n",
    "\\u0031",
    "\\ud83d\\ude00",
    "\\x41",
    "\\\"",
    "null",
    "None",
    "True",
    "true",
    "NaN",
    "1e999",
    "-0",
    "0x1F",
    "999",
    "Grounded Operation: ",
    "Status: ",
    "Plan: ",
    "Action: ",
    "Thought: ",
    "CLICK(box=[[1,2,3,4]])",
    "TYPE(",
    "box=[[1,2,3,4]]",
    "text='",
    "END",
    "END()",
    "<<END>>",
    "<<敏感操作>>",
    "GESTURE(actions=[",
    "KEY_DOWN(key='Lcontrol')",
    "__CogName_A__",
    "do(action=\"Tap\", element=[1,2])",
    "do(action=\"Type\", text=\"",
    "finish(message=\"",
    "click(start_box='(1,2)')",
    "finished(content='",
    "type(content='",
    "tap(5)",
    "text(\"",
    "FINISH",
    "computer_use(action=\"",
    "{\"action\":\"click\",",
    "{\"action_type\":\"",
    "\"goal_status\":\"complete\"",
    "\"is_goal_complete\":true",
    "\"parameters\":{",
    "\"bbox\":[0.1,0.2,0.3,0.4]",
    "<tool_call>",
    "</tool_call>",
    "{\"name\":\"mobile_use\",\"arguments\":",
    "{\"name\":\"phone\",\"arguments\":\"",
    "[TOOL_CALLS]",
    "<invoke name=\"click\">",
    "<parameter name=\"index\">3</parameter>",
    "</invoke>",
    "<function=click>",
    "<｜DSML｜",
    "<action>",
    "</action>",
    "Click(box=(1,2))",
    "Finished(content='",
    "Type(content='",
    "<THINK>",
    "</TINK>",
    "\taction:CLICK",
    "\tpoint:1,2",
    "\tvalue:",
    "\tsummary:",
    "action:COMPLETE\treturn:",
    "{\"name\":\"click\",\"arguments\":",
    "\"points\":[[1,2]]",
    "Operation: ",
    "Click (1, 2)",
    "\"command\":[\"a\",\"",
];

/// Longer replies are cut: what they could show, shorter ones show.
const LONGEST: usize = 1_000;

/// A stream of mutations, the same for the same seed. Numbers by xorshift64*.
pub(crate) struct Mutation(u64);

impl Mutation {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(high).unwrap_or(0) % end.max(1)
    }

    /// One of the replies, changed once to six times.
    pub(crate) fn of<T: AsRef<str>>(&mut self, replies: &[T]) -> String {
        let mut reply = self.one_of(replies).to_owned();
        for _ in 0..=self.below(6) {
            self.change(&mut reply, replies);
        }
        while reply.len() > LONGEST {
            reply.pop();
        }
        reply
    }

    fn one_of<'r, T: AsRef<str>>(&mut self, replies: &'r [T]) -> &'r str {
        replies.get(self.below(replies.len())).map_or("", AsRef::as_ref)
    }

    /// A byte at which a character begins.
    fn place(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    fn range(&mut self, text: &str) -> std::ops::Range<usize> {
        let (a, b) = (self.place(text), self.place(text));
        // Mostly short ones.
        let (start, mut end) = (a.min(b), a.max(b));
        if self.below(4) > 0 {
            end = end.min(start + 1 + self.below(12));
            while !text.is_char_boundary(end) {
                end += 1;
            }
        }
        start..end
    }

    fn change<T: AsRef<str>>(&mut self, reply: &mut String, replies: &[T]) {
        let at = self.place(reply);
        let range = self.range(reply);
        match self.below(10) {
            0 | 1 => reply.insert_str(at, PIECES[self.below(PIECES.len())]),
            2 => reply.replace_range(range, PIECES[self.below(PIECES.len())]),
            3 => reply.replace_range(range, ""),
            4 => {
                let piece = reply[range].to_owned();
                reply.insert_str(at, &piece);
            }
            5 => {
                let piece = reply[range].repeat(1 + self.below(20));
                reply.insert_str(at, &piece);
            }
            6 => {
                let other = self.one_of(replies);
                let piece = other[self.range(other)].to_owned();
                reply.insert_str(at, &piece);
            }
            7 => {
                let other = self.one_of(replies);
                let from = self.place(other);
                reply.truncate(at);
                reply.push_str(&other[from..]);
            }
            8 => reply.truncate(at),
            _ => {
                let code = u32::try_from(self.below(0x3100)).unwrap_or(0);
                reply.insert(at, char::from_u32(code).unwrap_or(' '));
            }
        }
    }
}

/// Every reply that is written down: those of the pages' tables, and each file of the corpus.
pub(crate) fn corpus() -> Vec<String> {
    let tests = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let texts = |folder: &str| -> Vec<String> {
        let mut files: Vec<_> = std::fs::read_dir(tests.join(folder))
            .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
            .unwrap_or_default();
        files.sort();
        files
            .iter()
            .filter_map(|file| std::fs::read_to_string(file).ok())
            .collect()
    };
    let mut replies = Vec::new();
    for page in texts("pages") {
        for line in page.lines() {
            if let Some(reply) = line.strip_prefix("< ") {
                replies.push(reply.to_owned());
            } else if let (Some(more), Some(reply)) = (line.strip_prefix("| "), replies.last_mut()) {
                reply.push('\n');
                reply.push_str(more);
            }
        }
    }
    replies.extend(texts("corpus"));
    replies
}
