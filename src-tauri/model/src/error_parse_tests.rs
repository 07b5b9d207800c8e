//! One line for each error seen in the makers' documentation or reported by their users.

use super::*;

fn check(status: u16, body: &str, expected: &str) {
    let trouble = read(
        status,
        &HeaderMap::new(),
        body.as_bytes(),
        true,
        Timestamp::UNIX_EPOCH,
    );
    assert_eq!(kind(&trouble), expected, "{status} {body}");
}

fn check_inside(body: &str, expected: &str) {
    let trouble = read_inside(&serde_json::from_str(body).unwrap(), true);
    assert_eq!(kind(&trouble), expected, "{body}");
}

/// The variant's name.
fn kind(trouble: &ModelError) -> String {
    let debug = format!("{trouble:?}");
    debug.split([' ', '(']).next().unwrap_or_default().to_owned()
}

#[test]
fn what_the_makers_say_is_understood() {
    let mut lines = 0;
    for line in include_str!("error_parse_cases.txt").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut parts = line.splitn(3, ' ');
        let (status, expected) = (parts.next().unwrap(), parts.next().unwrap());
        let body = parts.next().unwrap_or_default();
        if status == "inside" {
            check_inside(body, expected);
        } else {
            check(status.parse().unwrap(), body, expected);
        }
        lines += 1;
    }
    assert!(lines > 60, "{lines}");
}

#[test]
fn a_picture_is_blamed_only_when_one_was_sent() {
    let body = br#"{"error":{"message":"Unsupported image"}}"#;
    let trouble = read(400, &HeaderMap::new(), body, false, Timestamp::UNIX_EPOCH);
    assert_eq!(kind(&trouble), "Refused");
}

#[test]
fn the_time_to_wait_is_found_in_the_body_too() {
    let body = br#"[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"40s"}]}}]"#;
    let trouble = read(429, &HeaderMap::new(), body, false, Timestamp::UNIX_EPOCH);
    assert_eq!(trouble.after(), Some(Duration::from_secs(40)));
}

#[test]
fn a_budget_that_fills_again_is_no_empty_purse() {
    let headers: HeaderMap = [(reqwest::header::RETRY_AFTER, "5".parse().unwrap())]
        .into_iter()
        .collect();
    let body = br#"{"error":{"code":402,"message":"In flight budget used","metadata":{"limit_source":"openrouter_in_flight_budget"}}}"#;
    let trouble = read(402, &headers, body, false, Timestamp::UNIX_EPOCH);
    assert_eq!(
        (kind(&trouble).as_str(), trouble.after()),
        ("Busy", Some(Duration::from_secs(5)))
    );
}

#[test]
fn a_server_in_trouble_is_tried_again_whatever_its_budgets_are() {
    let headers = [
        ("x-ratelimit-remaining-tokens", "149984"),
        ("x-ratelimit-reset-tokens", "6m0s"),
    ];
    let headers = headers.map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
    let headers: HeaderMap = headers.into_iter().collect();
    let trouble = read(503, &headers, b"overloaded", false, Timestamp::UNIX_EPOCH);
    assert_eq!((kind(&trouble).as_str(), trouble.after()), ("Server", None));
}

#[test]
fn of_a_refused_field_only_its_name_is_kept() {
    let body = br#"{"detail":[{"loc":["body","messages",0],"msg":"bad","input":"all that was sent"}]}"#;
    let ModelError::Refused(said) = read(422, &HeaderMap::new(), body, false, Timestamp::UNIX_EPOCH) else {
        panic!("refused");
    };
    assert_eq!(said.text, r#"["body","messages",0]: bad"#);
}

proptest::proptest! {
    /// Whatever a server says, something is made of it, and it is bounded.
    #[test]
    fn any_body_is_read(status in 400_u16..600, body in ".{0,200}", deep in 0_usize..200) {
        let nested = format!("{}{body:?}{}", r#"{"error":"#.repeat(deep), "}".repeat(deep));
        for body in [body.as_str(), nested.as_str()] {
            let trouble = read(status, &HeaderMap::new(), body.as_bytes(), true, Timestamp::UNIX_EPOCH);
            proptest::prop_assert!(trouble.to_string().chars().count() < KEPT + 200);
        }
    }
}
