//! A person who does anything at any moment.

use super::Corner;
use super::restless::SeededRng;
use crate::support::FakePhone;
use agent::{Grip, Handle};
use protocol::{Answer, Ask, Choice, Event, Op, What};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// After this they want it over.
const END_TIMEOUT: Duration = Duration::from_secs(2 * 3600);

pub(super) struct Person {
    rng: SeededRng,
    handle: Handle,
    phone: Arc<FakePhone>,
    /// Every question so far, answered or not.
    asks: Vec<Ask>,
    /// The hand on the phone.
    grip: Option<Grip>,
    /// How much had reached the phone when the run was told to keep off it.
    kept_off: Option<usize>,
    wrong: Vec<String>,
}

impl Person {
    pub(super) fn new(seed: u64, corner: &Corner) -> Self {
        Self {
            rng: SeededRng::new(seed),
            handle: corner.handle.clone(),
            phone: Arc::clone(&corner.phone),
            asks: Vec::new(),
            grip: None,
            kept_off: None,
            wrong: Vec::new(),
        }
    }

    /// Lives beside the run until it is over; what was wrong meanwhile.
    pub(super) async fn live(mut self, mut told: mpsc::UnboundedReceiver<Event>) -> Vec<String> {
        let began = Instant::now();
        while !self.handle.is_over() {
            let pause = self.rng.pick(&[0, 1, 40, 90, 700, 4_000, 30_000, 400_000]);
            let until = Instant::now() + Duration::from_millis(pause);
            loop {
                tokio::select! {
                    biased;
                    event = told.recv() => match event {
                        Some(event) => self.hears(event),
                        None => break,
                    },
                    () = tokio::time::sleep_until(until) => break,
                }
            }
            self.looks();
            if began.elapsed() > END_TIMEOUT {
                self.stops().await;
            } else {
                self.does_something().await;
            }
        }
        self.wrong
    }

    fn hears(&mut self, event: Event) {
        self.looks();
        if let What::Asked { ask, .. } = event.what {
            // Sometimes at once, before anybody else can move.
            if self.rng.one_in(4) {
                let choice = self.choice(&ask);
                self.answers(&ask, choice);
            }
            self.asks.push(ask);
        }
    }

    /// Nothing reaches a phone that the run was told to keep off.
    fn looks(&mut self) {
        let now = self.phone.record().len();
        if let Some(then) = self.kept_off
            && now != then
        {
            let last = self.phone.record().split_off(then);
            self.wrong
                .push(format!("touched though told to keep off: {last:?}"));
            self.kept_off = Some(now);
        }
    }

    fn keeps_off(&mut self) {
        self.looks();
        self.kept_off.get_or_insert(self.phone.record().len());
    }

    fn lets_go_on(&mut self) {
        self.looks();
        self.kept_off = None;
    }

    async fn stops(&mut self) {
        self.keeps_off();
        self.handle.stop().await;
        self.looks();
        if !self.handle.is_over() {
            self.wrong
                .push("stop returned and the run is not over".to_owned());
        }
    }

    fn choice(&mut self, ask: &Ask) -> Choice {
        if ask.choices.contains(&Choice::Supply) && self.rng.one_in(2) {
            return Choice::Supply;
        }
        self.rng.pick(&[
            Choice::Deny,
            Choice::Approve,
            Choice::Approve,
            Choice::Approve,
            Choice::ApproveTask,
            Choice::ApproveAlways,
            Choice::MoreTime,
            Choice::TakeOver,
            Choice::Supply,
        ])
    }

    fn answers(&mut self, ask: &Ask, choice: Choice) {
        let mut digest = ask.digest.clone();
        if self.rng.one_in(8) {
            digest.push('0');
        }
        for _ in 0..self.rng.pick(&[1, 1, 1, 2, 3]) {
            if choice == Choice::Supply {
                let value = self.rng.pick(&["418027", "000000", ""]).to_owned();
                self.handle.supply(ask.id.clone(), digest.clone(), value.into());
                continue;
            }
            self.handle.answer(Answer {
                ask: ask.id.clone(),
                digest: digest.clone(),
                choice,
                words: None,
                amount: None,
            });
        }
    }

    async fn does_something(&mut self) {
        match self.rng.below(24) {
            0..=7 => {
                // The newest question, or any there ever was.
                let old = self.rng.one_in(5);
                let at = if old {
                    self.rng.below(self.asks.len().max(1) as u64)
                } else {
                    0
                };
                let ask = if old {
                    self.asks.get(usize::try_from(at).unwrap()).cloned()
                } else {
                    self.asks.last().cloned()
                };
                if let Some(ask) = ask {
                    let choice = self.choice(&ask);
                    self.answers(&ask, choice);
                }
            }
            8 => {
                self.handle.steer(Op::Pause).await;
                self.keeps_off();
            }
            9..=11 => {
                self.lets_go_on();
                let op = self.rng.pick(&[0, 1]);
                self.handle
                    .steer(if op == 0 { Op::Resume } else { Op::AskAgain })
                    .await;
            }
            12 => {
                self.grip = Some(self.handle.take_over());
                self.keeps_off();
            }
            13..=15 => {
                self.lets_go_on();
                self.grip = None;
                self.handle.steer(Op::HandBack).await;
            }
            16 if self.rng.one_in(2) => self.phone.go_away(),
            17..=18 => {
                self.lets_go_on();
                self.phone.come_back();
                self.handle.phone_is_back();
            }
            19 => {
                let cents = self.rng.below(99);
                self.phone
                    .change(move |world| world.total = format!("$23.{cents:02}"));
            }
            20 => {
                let page = self.rng.pick(&["shop", "checkout", "chat", "code", "home"]);
                self.phone.change(move |world| world.page = page);
            }
            21 => self.phone.change(|world| world.banner = !world.banner),
            22 => {
                let text = "Go on, please.".to_owned();
                self.handle.steer(Op::Say { text }).await;
            }
            _ => {
                if self.rng.one_in(4) {
                    self.stops().await;
                }
            }
        }
    }
}
