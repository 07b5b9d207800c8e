//! The `CogAgent` dialect: the action-space page operation by operation, and the answers models were published with.

use crate::door::{check_both, check_in};
use dialect::Dialect;
use serde_json::{Value, json};

#[track_caller]
fn check(reply: &str, expected: Value) {
    check_both(Dialect::CogAgent, reply, &expected);
}

/// The operation behind its label, and alone as in a history line.
#[track_caller]
fn check_operation(operation: &str, expected: Value) {
    check(&format!("Grounded Operation: {operation}"), expected.clone());
    if expected.get("error").is_none() {
        check(operation, expected);
    }
}

#[test]
fn every_operation_of_the_page_with_every_parameter() {
    let target =
        json!({"box": [387, 248, 727, 317], "role": "Clickable text", "label": "Click to add Title"});
    let arguments =
        "box=[[387,248,727,317]], element_type='Clickable text', element_info='Click to add Title'";
    for (name, kind) in [
        ("CLICK", "tap"),
        ("DOUBLE_CLICK", "double_tap"),
        ("HOVER", "hover"),
    ] {
        check_operation(
            &format!("{name}({arguments})"),
            json!({"action": {"type": kind, "target": target}}),
        );
    }
    check_operation(
        &format!("RIGHT_CLICK({arguments})"),
        json!({"action": {"type": "long_press", "target": target, "durationMs": 800}, "defaulted": ["durationMs"]}),
    );
    check_operation(
        "TYPE(box=[[387,249,727,317]], text='CogAgent', element_type='Text input box', element_info='CogAgent')",
        json!({"action": {"type": "type", "text": "CogAgent",
               "target": {"box": [387, 249, 727, 317], "role": "Text input box", "label": "CogAgent"}}}),
    );
    for (name, direction) in [
        ("UP", "up"),
        ("DOWN", "down"),
        ("LEFT", "left"),
        ("RIGHT", "right"),
    ] {
        check_operation(
            &format!(
                "SCROLL_{name}(box=[[000,086,999,932]], element_type='Scroll', element_info='Scroll', step_count=5)"
            ),
            json!({"action": {"type": "scroll", "direction": direction, "amount": 5,
                   "target": {"box": [0, 86, 999, 932], "role": "Scroll", "label": "Scroll"}}}),
        );
    }
    check_operation(
        "KEY_PRESS(key='F11')",
        json!({"action": {"type": "keyevent", "keycode": "KEYCODE_F11"}}),
    );
    check_operation(
        "GESTURE(actions=[KEY_DOWN(key='Lcontrol'), KEY_PRESS(key='A'), KEY_UP(key='Lcontrol')])",
        json!({"action": {"type": "key_combination", "keys": ["KEYCODE_CTRL_LEFT", "KEYCODE_A"]}}),
    );
    check_operation(
        "LAUNCH(app='Settings', url='None')",
        json!({"action": {"type": "launch_app", "packageName": "", "app": "Settings"}}),
    );
    check_operation(
        "LAUNCH(app='None', url='baidu.com')",
        json!({"action": {"type": "open_url", "url": "baidu.com"}}),
    );
    check_operation(
        "LAUNCH(app='Chrome', url='baidu.com')",
        json!({"action": {"type": "open_url", "url": "baidu.com"}}),
    );
    check_operation(
        "QUOTE_TEXT(box=[[387,249,727,317]], element_type='Text', element_info='Price after coupon: 17.00', \
         output='__CogName_ProductPrice__', result='17.00');",
        json!({"action": {"type": "read_text", "box": [387, 249, 727, 317], "output": "__CogName_ProductPrice__",
               "autoScroll": false, "result": "17.00"}, "defaulted": ["autoScroll"]}),
    );
    check_operation(
        "QUOTE_TEXT(box=[[000,086,999,932]], auto_scroll=True, element_type='Window', \
         element_info='CogAgent Technical Report Blog', output='__CogName_TechnicalReport__').",
        json!({"action": {"type": "read_text", "box": [0, 86, 999, 932], "output": "__CogName_TechnicalReport__",
               "autoScroll": true}}),
    );
    check_operation(
        "LLM(prompt='Summarize the following content: __CogName_TechnicalReport__', output='__CogName_TechnicalReportSummary__')",
        json!({"action": {"type": "ask_model", "prompt": "Summarize the following content: __CogName_TechnicalReport__",
               "output": "__CogName_TechnicalReportSummary__"}}),
    );
    check_operation(
        r"QUOTE_CLIPBOARD(output='__CogName_QuickSortCode__', result='def quick_sort(arr):\n\tif len(arr) <= 1:\n\t\treturn arr\n\t...')",
        json!({"action": {"type": "read_clipboard", "output": "__CogName_QuickSortCode__",
               "result": "def quick_sort(arr):\n\tif len(arr) <= 1:\n\t\treturn arr\n\t..."}}),
    );
    let finish = json!({"action": {"type": "finish", "message": "Task finished."}, "defaulted": ["message"]});
    for end in ["END", "END()", "END ()", " END\n", "`END()`"] {
        check(&format!("Grounded Operation:{end}"), finish.clone());
    }
    check("END()", finish.clone());
    check("END", finish);
}

#[test]
fn the_pages_own_typing_errors() {
    check_operation(
        "QUOTE_CLIPBORAD(output='__CogName_A__')",
        json!({"action": {"type": "read_clipboard", "output": "__CogName_A__"}}),
    );
    check_operation(
        "LAUNCH(app='None', url='``baidu.com``')",
        json!({"action": {"type": "open_url", "url": "baidu.com"}}),
    );
    check_operation(
        "CLICK(box=[219,186,311,207])",
        json!({"action": {"type": "tap", "target": {"box": [219, 186, 311, 207]}}}),
    );
}

#[test]
fn published_answers() {
    // README of zai-org/CogAgent: decoy boxes in the status, a mark in Chinese.
    check(
        "Status: In the email interface [[0, 2, 998, 905]], the button was clicked [[223, 178, 311, 210]].\n\
         Plan: 1. Read. 2. CLICK it.\n\
         Action: Click the \"Mark all as read\" button at the top.\n\
         Grounded Operation: CLICK(box=[[219,186,311,207]], element_type='Clickable text', element_info='Mark all emails as read')\n\
         <<一般操作>>",
        json!({"thought": "Status: In the email interface [[0, 2, 998, 905]], the button was clicked [[223, 178, 311, 210]].\n\
               Plan: 1. Read. 2. CLICK it.\nAction: Click the \"Mark all as read\" button at the top.",
               "action": {"type": "tap", "target": {"box": [219, 186, 311, 207], "role": "Clickable text", "label": "Mark all emails as read"},
                          "reason": "Click the \"Mark all as read\" button at the top."},
               "sensitivity": "general"}),
    );
    // Its history line: another order of arguments, a claim that is none.
    check(
        "SCROLL_DOWN(box=[[0,209,998,952]], step_count=5, element_info='[None]')",
        json!({"action": {"type": "scroll", "direction": "down", "amount": 5, "target": {"box": [0, 209, 998, 952]}}}),
    );
    // README of THUDM/CogVLM: the first CogAgent.
    check(
        "Plan: 1. Type 'CogVLM' into the search bar.\n\nNext Action: Type it.\n\
         Grounded Operation:[combobox] Search -> TYPE: CogVLM at the box [[212,498,787,564]]",
        json!({"thought": "Plan: 1. Type 'CogVLM' into the search bar.\n\nNext Action: Type it.",
               "action": {"type": "type", "text": "CogVLM", "target": {"box": [212, 498, 787, 564], "role": "combobox", "label": "Search"}},
               "warnings": ["older_form"]}),
    );
    check(
        "Grounded Operation:[button] Go -> CLICK at the box [[1,2,3,4]].",
        json!({"action": {"type": "tap", "target": {"box": [1, 2, 3, 4], "role": "button", "label": "Go"}}, "warnings": ["older_form"]}),
    );
    for place in [
        "at the box [[500,30]].",
        "at the point [[500,30]]",
        "at the point [500, 30]",
    ] {
        check(
            &format!("Grounded Operation:[button] Go -> CLICK {place}"),
            json!({"action": {"type": "tap", "target": {"box": [500, 30, 500, 30], "role": "button", "label": "Go"}}, "warnings": ["older_form"]}),
        );
    }
    check_in(
        Some(Dialect::CogAgent),
        "Grounded Operation:[button] Go -> CLICK at the point [[500,1030]]",
        &json!({"error": "missing_target", "normalized": {"type": "tap", "x": 0, "y": 0}}),
    );
}

#[test]
fn marks_say_how_careful_to_be_and_whether_it_ends() {
    let tap = json!({"type": "tap", "target": {"box": [1, 2, 3, 4]}});
    for (mark, sensitivity, ends) in [
        ("<<敏感操作>>", json!("sensitive"), false),
        ("<<一般操作>>", json!("general"), false),
        ("<<Sensitive Operation>>", json!("sensitive"), false),
        ("<<General Operation>>", json!("general"), false),
        ("<<一般操作>> <<敏感操作>>", json!("sensitive"), false),
        ("<<END>>", Value::Null, true),
        ("<<General Operation>>\n<<END>>", json!("general"), true),
        ("", Value::Null, false),
    ] {
        let mut expected = json!({"action": tap});
        if !sensitivity.is_null() {
            expected["sensitivity"] = sensitivity;
        }
        if ends {
            expected["action"]["thenFinish"] = json!(true);
        }
        check(
            &format!("Grounded Operation: CLICK(box=[[1,2,3,4]])\n{mark}"),
            expected.clone(),
        );
        check(
            &format!("Grounded Operation: CLICK(box=[[1,2,3,4]]) {mark}"),
            expected,
        );
    }
    // Marks inside a text say nothing.
    check_operation(
        "TYPE(box=[[1,2,3,4]], text='<<敏感操作>> <<END>>')",
        json!({"action": {"type": "type", "text": "<<敏感操作>> <<END>>", "target": {"box": [1, 2, 3, 4]}}}),
    );
}

#[test]
fn texts_keep_what_looks_like_structure() {
    for (written, text) in [
        ("'a, b (c) [d] = `e` {f}'", "a, b (c) [d] = `e` {f}"),
        ("'中文，（括号）：“引号”'", "中文，（括号）：“引号”"),
        (r"'it\'s 1\\2\n'", "it's 1\\2\n"),
        (r"'C:\dir\z'", "C:\\dir\\z"),
        ("\"double 'n single\"", "double 'n single"),
        ("'  spaces  '", "  spaces  "),
        ("'None'", "None"),
        ("'Grounded Operation: END'", "Grounded Operation: END"),
        ("'{\"type\":\"finish\"}'", "{\"type\":\"finish\"}"),
        ("'<invoke name=\"x\">'", "<invoke name=\"x\">"),
        ("'__CogName_Price__'", "__CogName_Price__"),
        ("''", ""),
    ] {
        let summary = crate::door::summary(
            &format!("Grounded Operation: TYPE(box=[[1,2,3,4]], text={written}, element_info='It's, here')"),
            Some(Dialect::CogAgent),
        );
        assert_eq!(summary["action"]["text"], text, "{written}: {summary}");
    }
}

#[test]
fn the_label_in_its_spellings() {
    let expected = json!({"action": {"type": "keyevent", "keycode": "KEYCODE_ENTER"}});
    for label in [
        "Grounded Operation:",
        "Grounded Operation: ",
        "Grounded Operation：",
        "grounded operation:",
        "**Grounded Operation:** ",
        "Grounded Operation:\n",
        "### Grounded Operation:\n```\n",
    ] {
        check(&format!("{label}KEY_PRESS(key='Return')"), expected.clone());
    }
    check("Grounded Operation: KEY_PRESS(key='Return'", {
        let mut mended = expected.clone();
        mended["warnings"] = json!(["missing_bracket"]);
        mended
    });
    check(
        "Grounded Operation: KEY_PRESS(key='Return')\nGrounded Operation: END()",
        json!({"action": {"type": "keyevent", "keycode": "KEYCODE_ENTER"}, "warnings": ["several_actions"]}),
    );
    check(
        "<think>CLICK(box=[[1,2,3,4]])</think>Grounded Operation: KEY_PRESS(key='Return')",
        json!({"thought": "CLICK(box=[[1,2,3,4]])", "action": {"type": "keyevent", "keycode": "KEYCODE_ENTER"}}),
    );
}

#[test]
fn what_no_operation_says_is_refused() {
    for (operation, code) in [
        ("", "no_action"),
        ("<<END>>", "no_action"),
        ("SWIPE(box=[[1,2,3,4]])", "unknown_action"),
        ("TEXT_FORMAT(input='a')", "unknown_action"),
        ("KEY_PRESS(key='Foo')", "malformed"),
        ("KEY_PRESS()", "malformed"),
        ("LAUNCH(app='None', url='None')", "malformed"),
        ("LLM(output='__CogName_A__')", "malformed"),
        ("LLM(prompt='a')", "malformed"),
        ("QUOTE_CLIPBOARD()", "malformed"),
        ("TYPE(box=[[1,2,3,4]])", "malformed"),
        ("TYPE(box=[[1,2,3,4]], text='it's here')", "malformed"),
        ("GESTURE(actions=[])", "malformed"),
        (
            "GESTURE(actions=[KEY_DOWN(key='Lcontrol'), KEY_PRESS(key='A')])",
            "malformed",
        ),
        ("GESTURE(actions=['A'])", "malformed"),
        ("CLICK(box=[[1,2,3,4]], box=[[5,6,7,8]])", "malformed"),
        ("CLICK(box=[[1,2,3", "malformed"),
        ("SCROLL_DOWN(box=[[1,2,3,4]], step_count=5", "malformed"),
        ("END(", "malformed"),
        (
            "LAUNCH(app='__CogName_App__', url='None')",
            "variable_not_allowed",
        ),
        (
            "CLICK(box=[[1,2,3,4]], element_info='__CogName_A__')",
            "variable_not_allowed",
        ),
        ("hello", "malformed"),
    ] {
        check(
            &format!("Grounded Operation: {operation}"),
            json!({"error": code}),
        );
    }
    for (operation, normalized) in [
        ("CLICK()", json!({"type": "tap", "x": 0, "y": 0})),
        ("CLICK(box=[[1,2,3]])", json!({"type": "tap", "x": 0, "y": 0})),
        (
            "CLICK(box=[[540,1200,600,1300]])",
            json!({"type": "tap", "x": 0, "y": 0}),
        ),
        ("TYPE(text='a')", json!({"type": "type", "text": "a"})),
        (
            "QUOTE_TEXT(output='__CogName_A__', auto_scroll=False)",
            json!({"type": "read_text", "output": "__CogName_A__", "autoScroll": false}),
        ),
    ] {
        check(
            &format!("Grounded Operation: {operation}"),
            json!({"error": "missing_target", "normalized": normalized}),
        );
    }
}
