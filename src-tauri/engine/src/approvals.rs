//! What was asked and answered: the open questions' answers go in here, and the audit trail comes out.

use crate::pictures::{fresh_folder, stamp};
use crate::{Engine, EngineError, words};
use agent::ports::PickedFile;
use protocol::{
    AnswerLifetime, AskEnd, AskId, AskKind, AskOutcome, AskRecord, Failure, FailureCode, FrameId, Millis,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// No picture is larger, and no phone's user waits longer.
pub const LARGEST_FILE: usize = 100 * 1024 * 1024;
/// Questions read in one go while exporting.
const PAGE: u32 = 200;

impl Engine {
    /// Questions of the past and present, newest first: older than `before`, at most `limit`.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn approvals(
        &self,
        before: Option<(Millis, AskId)>,
        limit: u32,
    ) -> Result<Vec<AskRecord>, Failure> {
        let records = self.inner.store.asks(before, limit).await;
        Ok(records.map_err(EngineError::from)?)
    }

    /// A picture or file the person picked, on its way to the phone.
    ///
    /// # Errors
    /// When there is no such question, or the file is too large.
    pub fn give(&self, ask: AskId, digest: String, name: String, bytes: &[u8]) -> Result<(), Failure> {
        if bytes.len() > LARGEST_FILE {
            return Err(FailureCode::FileTooLarge.into());
        }
        let (handle, kind) = self.asked(&ask)?;
        let file = PickedFile {
            name,
            bytes: bytes.into(),
            picture: kind == AskKind::Camera,
        };
        handle.give(ask, digest, file);
        Ok(())
    }

    /// Everything asked and answered as a table with its pictures, in a folder of the person's documents; says which.
    ///
    /// # Errors
    /// When there is nothing to export, or it cannot be read or written.
    pub async fn export_approvals(&self) -> Result<PathBuf, Failure> {
        let documents = crate::documents_folder().ok_or(EngineError::NoFolder)?;
        self.export_approvals_to(&documents).await
    }

    /// The same, into a folder made in `documents`.
    ///
    /// # Errors
    /// As [`Engine::export_approvals`].
    pub async fn export_approvals_to(&self, documents: &Path) -> Result<PathBuf, Failure> {
        // Nothing was ever asked: no folder is made for that.
        if self.approvals(None, 1).await?.is_empty() {
            return Err(FailureCode::NotFound.into());
        }
        let name = words::fill("export.folder", &[("date", &stamp())]);
        let folder = fresh_folder(documents, &name).await.map_err(EngineError::from)?;
        let pictures = folder.join(words::get("export.pictures"));
        std::fs::create_dir_all(&pictures).map_err(EngineError::from)?;
        let mut table = line(&COLUMNS.map(|column| words::get(&format!("export.columns.{column}"))));
        let mut named: BTreeMap<FrameId, String> = BTreeMap::new();
        let mut before = None;
        loop {
            let page = self.approvals(before.clone(), PAGE).await?;
            for record in &page {
                let picture = match &record.ask.evidence.frame {
                    Some(frame) => self.export_picture(frame, &pictures, &mut named).await?,
                    None => String::new(),
                };
                table.push_str(&row(record, &picture));
            }
            let last = page
                .last()
                .map(|record| (record.ask.asked_at, record.ask.id.clone()));
            if page.len() < PAGE as usize || last == before {
                break;
            }
            before = last;
        }
        let file = folder.join(words::get("export.file"));
        // A spreadsheet knows by the mark that it is UTF-8.
        std::fs::write(&file, format!("\u{feff}{table}")).map_err(EngineError::from)?;
        Ok(folder)
    }

    /// One picture a screen, however many questions were about it.
    async fn export_picture(
        &self,
        frame: &FrameId,
        folder: &Path,
        named: &mut BTreeMap<FrameId, String>,
    ) -> Result<String, Failure> {
        if let Some(name) = named.get(frame) {
            return Ok(name.clone());
        }
        match self.inner.store.frame(frame).await {
            Ok(picture) => {
                let name = format!("{}.{}", named.len() + 1, picture.ending());
                std::fs::write(folder.join(&name), picture.bytes).map_err(EngineError::from)?;
                named.insert(frame.clone(), name.clone());
                Ok(name)
            }
            Err(store::StoreError::NotFound(_)) => Ok(String::new()),
            Err(error) => Err(EngineError::from(error).into()),
        }
    }
}

const COLUMNS: [&str; 11] = [
    "asked", "phone", "app", "task", "question", "about", "claim", "answer", "answered", "reach", "picture",
];

fn row(record: &AskRecord, picture: &str) -> String {
    let ask = &record.ask;
    let values = [("app", words::app_of(ask)), ("phone", ask.phone_name.as_str())];
    let evidence = &ask.evidence;
    let picked = record.end.as_ref().and_then(|end| end.amount.as_deref());
    let amount = picked.or(evidence.amount.as_ref().map(|amount| amount.text.as_str()));
    let about: Vec<&str> = [
        amount,
        evidence.payee.as_deref(),
        evidence.account.as_deref(),
        evidence.recipient.as_deref(),
        evidence.text.as_deref(),
        evidence.label.as_deref(),
        evidence.hint.as_deref(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let end = record.end.as_ref();
    line(&[
        moment(ask.asked_at),
        ask.phone_name.clone(),
        words::app_of(ask).to_owned(),
        ask.goal.clone(),
        if record.unreadable {
            words::get("export.unreadable")
        } else {
            words::fill(&format!("ask.{}.question", words::words_of(ask)), &values)
        },
        about.join(" · "),
        ask.claim.says.clone(),
        answer(end, record.voided),
        end.map(|end| moment(end.at)).unwrap_or_default(),
        end.map(reach).unwrap_or_default(),
        picture.to_owned(),
    ])
}

fn answer(end: Option<&AskEnd>, voided: bool) -> String {
    let Some(end) = end else {
        return words::get("export.answers.open");
    };
    match &end.outcome {
        AskOutcome::Allowed if voided => words::get("export.answers.voided"),
        AskOutcome::Allowed => words::get("export.answers.allowed"),
        AskOutcome::Denied => words::get("export.answers.denied"),
        AskOutcome::Supplied { characters } => {
            words::fill("export.answers.supplied", &[("n", &characters.to_string())])
        }
        AskOutcome::TimedOut => words::get("export.answers.timed_out"),
        AskOutcome::Withdrawn => words::get("export.answers.withdrawn"),
    }
}

fn reach(end: &AskEnd) -> String {
    match (&end.outcome, end.reach) {
        (AskOutcome::Allowed, AnswerLifetime::Once) => words::get("export.reach.once"),
        (AskOutcome::Allowed, AnswerLifetime::Task) => words::get("export.reach.task"),
        (AskOutcome::Allowed, AnswerLifetime::Always) => words::get("export.reach.always"),
        _ => String::new(),
    }
}

/// The person's own date and time.
pub(crate) fn moment(at: Millis) -> String {
    let at = i64::try_from(at).unwrap_or(i64::MAX);
    jiff::Timestamp::from_millisecond(at)
        .map(|at| {
            let local = at.to_zoned(jiff::tz::TimeZone::system());
            local.strftime("%Y-%m-%d %H:%M:%S").to_string()
        })
        .unwrap_or_default()
}

/// One line of the table: RFC 4180, every cell quoted.
fn line<const N: usize>(cells: &[String; N]) -> String {
    let mut out = String::new();
    for (n, cell) in cells.iter().enumerate() {
        let comma = if n == 0 { "" } else { "," };
        let _ = write!(out, "{comma}\"{}\"", harmless(cell).replace('"', "\"\""));
    }
    out.push_str("\r\n");
    out
}

/// What stands on a phone's screen may begin like a formula, and a spreadsheet would work it out.
fn harmless(cell: &str) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{cell}")
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_a_cell_and_never_a_formula() {
        for (cell, written) in [
            ("Pay $23.40", "\"Pay $23.40\"\r\n"),
            ("say \"yes\", now", "\"say \"\"yes\"\", now\"\r\n"),
            (
                "=HYPERLINK(\"http://x\")",
                "\"'=HYPERLINK(\"\"http://x\"\")\"\r\n",
            ),
            ("@SUM(1)", "\"'@SUM(1)\"\r\n"),
            ("two\nlines", "\"two\nlines\"\r\n"),
        ] {
            assert_eq!(line(&[cell.to_owned()]), written);
        }
    }

    #[test]
    fn every_word_of_the_table_is_in_the_words() {
        for column in COLUMNS {
            let name = format!("export.columns.{column}");
            assert_ne!(words::get(&name), name);
        }
        for answer in [
            "open",
            "voided",
            "allowed",
            "denied",
            "supplied",
            "timed_out",
            "withdrawn",
        ] {
            let name = format!("export.answers.{answer}");
            assert_ne!(words::get(&name), name);
        }
    }
}
