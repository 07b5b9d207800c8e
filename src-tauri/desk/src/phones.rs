//! Following the phones: the list goes to the board, and a run whose phone is back hears of it.

use crate::board::Board;
use crate::seat::Seats;
use adb::Listing;
use protocol::{Failure, PhoneId, PhoneState, Server};
use std::collections::BTreeSet;
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

pub(crate) fn follow(
    mut listing: watch::Receiver<Listing>,
    board: Board,
    seats: Seats,
) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        let mut there: BTreeSet<PhoneId> = BTreeSet::new();
        let mut troubles: Vec<(Server, Failure)> = Vec::new();
        loop {
            let now = listing.borrow_and_update().clone();
            let usable: BTreeSet<PhoneId> = now
                .phones
                .iter()
                .filter(|p| p.state == PhoneState::Device)
                .map(|p| p.id.clone())
                .collect();
            for back in usable.difference(&there) {
                if let Some(run) = seats.at(back).live() {
                    run.phone_is_back();
                }
            }
            there = usable;
            for (server, failure) in &now.troubles {
                if !troubles
                    .iter()
                    .any(|(s, f)| s == server && f.code == failure.code)
                {
                    tracing::info!(?server, ?failure, "an adb server cannot be asked");
                    board.trouble(failure.clone());
                }
            }
            troubles = now.troubles;
            board.set_phones(now.phones, now.looking);
            if listing.changed().await.is_err() {
                return;
            }
        }
    }))
}
