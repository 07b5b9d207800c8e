//! `ui/src/protocol.ts` is exactly what these types say.
//!
//! `PROTOCOL_TS=write cargo test -p protocol` writes it; without, the test compares.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test"
)]

use protocol::{
    AdbProgram, Answer, AskRecord, AutomationPlan, AutomationProposal, Closing, CredentialWish, Dropped,
    EraseAlso, Examining, ExportForm, Fetching, Hand, HistoryPage, HistoryQuery, InstalledApp, KeyStatus,
    Loosening, MakerCard, MirrorServer, ModelStepOutput, Nearby, NearbyServer, News, Op, OpenAsks, Opening,
    Pairing, PairingOffer, PlanFault, RunStory, ScreenSnapshot, SettingsPatch, SoundStart, SpaceUsed, Target,
    Tried, Unclear,
};
use std::path::Path;
use ts_rs::{Config, TS};

#[test]
fn the_typescript_side_is_fresh() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/protocol.ts");
    let folder = tempfile::tempdir().unwrap();
    let config = Config::new().with_large_int("number").with_out_dir(folder.path());
    // Whatever these reach is exported with them.
    News::export_all(&config).unwrap();
    OpenAsks::export_all(&config).unwrap();
    Opening::export_all(&config).unwrap();
    Answer::export_all(&config).unwrap();
    AskRecord::export_all(&config).unwrap();
    Op::export_all(&config).unwrap();
    Hand::export_all(&config).unwrap();
    SettingsPatch::export_all(&config).unwrap();
    Loosening::export_all(&config).unwrap();
    KeyStatus::export_all(&config).unwrap();
    ModelStepOutput::export_all(&config).unwrap();
    ScreenSnapshot::export_all(&config).unwrap();
    Target::export_all(&config).unwrap();
    MakerCard::export_all(&config).unwrap();
    NearbyServer::export_all(&config).unwrap();
    Tried::export_all(&config).unwrap();
    Unclear::export_all(&config).unwrap();
    PairingOffer::export_all(&config).unwrap();
    Pairing::export_all(&config).unwrap();
    Nearby::export_all(&config).unwrap();
    Fetching::export_all(&config).unwrap();
    AdbProgram::export_all(&config).unwrap();
    MirrorServer::export_all(&config).unwrap();
    SoundStart::export_all(&config).unwrap();
    Dropped::export_all(&config).unwrap();
    Examining::export_all(&config).unwrap();
    CredentialWish::export_all(&config).unwrap();
    InstalledApp::export_all(&config).unwrap();
    HistoryQuery::export_all(&config).unwrap();
    HistoryPage::export_all(&config).unwrap();
    RunStory::export_all(&config).unwrap();
    SpaceUsed::export_all(&config).unwrap();
    EraseAlso::export_all(&config).unwrap();
    ExportForm::export_all(&config).unwrap();
    AutomationPlan::export_all(&config).unwrap();
    AutomationProposal::export_all(&config).unwrap();
    Closing::export_all(&config).unwrap();
    PlanFault::export_all(&config).unwrap();
    let fresh = std::fs::read_to_string(folder.path().join("protocol.ts")).unwrap();
    if std::env::var_os("PROTOCOL_TS").is_some_and(|mode| mode == "write") {
        std::fs::write(&committed, &fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&committed)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    assert!(
        fresh == committed,
        "ui/src/protocol.ts is stale: run PROTOCOL_TS=write cargo test -p protocol"
    );
}
