//! One fault at every step of a run: it is recovered from, or told in one failure after which the run goes on; and the
//! phone is touched exactly as without it.

use super::support::{Outcome, Says, Setup};
use super::*;
use protocol::Ending;

/// A task of more than ten steps, with a payment.
fn task() -> Setup {
    Setup::new("Order the weekly groceries and pay, then turn on Battery Saver").says([Says::Yes])
}

/// Steps until the payment is asked about, that one included.
const ASKED: usize = 6;

fn faulty_model(shape: Shape) -> FaultyModel {
    let chosen = ChosenModel {
        model: "some-model".to_owned(),
        base_url: Some("https://models.example.org/v1".to_owned()),
        price: Some(Price {
            input: 2.0,
            cached_input: Some(0.5),
            output: 10.0,
            ..Price::default()
        }),
        ..ChosenModel::default()
    };
    FaultyModel::new(chosen, shape)
}

async fn run(faulty_model: FaultyModel, setup: Setup) -> (Outcome, Arc<Server>) {
    let server = Arc::clone(&faulty_model.server);
    (setup.thinks(Arc::new(faulty_model)).run().await, server)
}

/// Each shape is found by itself, and what is told was used is what the server billed.
#[tokio::test(start_paused = true)]
async fn a_task_through_every_shape_costs_what_the_server_counts() {
    let plain = task().run().await;
    for shape in Shape::ALL {
        let (outcome, server) = run(faulty_model(shape), task()).await;
        assert_eq!(outcome.message(), plain.message(), "{shape:?}");
        assert_eq!(outcome.done(), plain.done(), "{shape:?}");
        let billed = *server.billed.lock().unwrap();
        let told = outcome.usages().into_iter().fold(Count::default(), |sum, usage| {
            sum.and(Count {
                input: usage.input_tokens,
                cached: usage.cached_tokens,
                output: usage.output_tokens,
            })
        });
        assert_eq!(told, billed, "{shape:?}");
        let dollars: f64 = outcome.usages().iter().filter_map(|usage| usage.dollars).sum();
        assert!(
            (dollars - billed.dollars(2.0, 0.5, 10.0)).abs() < 1e-9,
            "{shape:?}"
        );
    }
}

type Case = (&'static str, fn() -> Vec<Fault>, Option<FailureCode>);

const CASES: [Case; 11] = [
    ("429", || vec![Fault::Status(429, "3", "{}")], None),
    (
        "429 for an hour",
        || vec![Fault::Status(429, "3600", "{}")],
        Some(FailureCode::ModelLater),
    ),
    ("500", || vec![Fault::Status(500, "", "{}")], None),
    (
        "500 for good",
        || vec![Fault::Status(500, "", "{}"); 5],
        Some(FailureCode::ModelServer),
    ),
    ("no answer", || vec![Fault::Silence], None),
    ("a stall", || vec![Fault::Stall], None),
    (
        "stalls for good",
        || vec![Fault::Stall; 2],
        Some(FailureCode::ModelSlow),
    ),
    ("a cut stream", || vec![Fault::Cut], None),
    (
        "a refused picture",
        || {
            let words = r#"{"error":{"message":"This model does not support image input"}}"#;
            vec![Fault::Status(400, "", words)]
        },
        Some(FailureCode::ModelPicture),
    ),
    (
        "empty answers",
        || vec![Fault::Nothing; 2],
        Some(FailureCode::ModelEmpty),
    ),
    (
        "a wrong key",
        || {
            vec![Fault::Status(
                401,
                "",
                r#"{"error":{"message":"Incorrect API key"}}"#,
            )]
        },
        Some(FailureCode::ModelKey),
    ),
];

#[tokio::test(start_paused = true)]
async fn one_fault_at_every_step_is_survived_and_nothing_is_done_twice() {
    let plain = task().run().await;
    let touches = plain.done();
    let steps = plain.usages().len();
    assert!(steps >= 10, "{steps}");
    let mut runs = 0;
    // Every fault at every step, in one shape after the other: in all of them at each is `wires`.
    let mut shapes = [Shape::Chat, Shape::Responses, Shape::Messages, Shape::Gemini]
        .into_iter()
        .cycle();
    for (name, faults, expected) in CASES {
        for (at, shape) in (0..steps).zip(shapes.by_ref()) {
            // Whoever is told of a failure lets the run go on.
            let patient = task().says([Says::Resumes, Says::Yes]);
            let setup = match expected {
                Some(_) if at < ASKED => patient,
                Some(_) => task().says([Says::Yes, Says::Resumes]),
                None => task(),
            };
            let (outcome, _) = run(faulty_model(shape).with_faults(at, faults()), setup).await;
            let place = format!("{shape:?}, {name}, step {at}:\n{}", outcome.transcript());
            let told: Vec<FailureCode> = outcome.failures().iter().map(|failure| failure.code).collect();
            assert_eq!(told, expected.into_iter().collect::<Vec<_>>(), "{place}");
            assert_eq!(outcome.message(), plain.message(), "{place}");
            assert_eq!(outcome.done(), touches, "{place}");
            for part in ["/greenleaf/orders", "/settings", "/messages/sent"] {
                assert_eq!(outcome.state(part), plain.state(part), "{place}");
            }
            runs += 1;
        }
    }
    println!(
        "{runs} runs of {steps} steps with one fault each: {} touches every time",
        touches.len()
    );
}

/// At every step: a request nobody answers is gone as soon as the person says Stop.
#[tokio::test(start_paused = true)]
async fn a_cancelled_request_is_gone_at_once_at_every_step() {
    let steps = task().run().await.usages().len();
    let mut longest = Duration::ZERO;
    for fault in [Fault::Silence, Fault::Stall] {
        for at in 0..steps {
            let stops = Says::StopsAt(u32::try_from(at).unwrap() + 1);
            let setup = task().says([stops, Says::Yes]);
            let faulty_model = faulty_model(Shape::Messages).with_faults(at, vec![fault.clone()]);
            let (outcome, server) = run(faulty_model, setup).await;
            assert_eq!(outcome.end, Some(Ending::Stopped), "{}", outcome.transcript());
            assert_eq!(server.held.load(Ordering::SeqCst), 0, "step {at}: let go");
            longest = longest.max(outcome.stopped_in.unwrap());
        }
    }
    println!(
        "stopped at each of {steps} steps while the server was silent: gone within {longest:?} of virtual time"
    );
    assert_eq!(longest, Duration::ZERO);
}
