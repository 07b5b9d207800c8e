//! `>`, `<`, `>>`, `2>&1`, `<<EOF`, `<<<`, `&>`.

use super::{Flow, Shell};
use crate::files::{Errno, OpenMode};
use crate::process::{Descriptor, Descriptors};
use brush_parser::ast::{IoFileRedirectKind, IoFileRedirectTarget, IoRedirect};
use std::sync::Arc;

impl Shell {
    /// The open files after these redirections; none when one failed (and was complained of).
    pub(super) async fn redirected(&mut self, redirects: &[IoRedirect]) -> Result<Option<Descriptors>, Flow> {
        let mut descriptors = self.call.descriptors.clone();
        for redirect in redirects {
            if !self.redirect(redirect, &mut descriptors).await? {
                return Ok(None);
            }
        }
        Ok(Some(descriptors))
    }

    async fn redirect(&mut self, redirect: &IoRedirect, descriptors: &mut Descriptors) -> Result<bool, Flow> {
        match redirect {
            IoRedirect::File(number, kind, target) => {
                let number = number.unwrap_or(match kind {
                    IoFileRedirectKind::Read
                    | IoFileRedirectKind::ReadAndWrite
                    | IoFileRedirectKind::DuplicateInput => 0,
                    _ => 1,
                });
                match target {
                    IoFileRedirectTarget::Filename(word) => {
                        let path = self.single(&word.value).await?;
                        let (mode, verb) = match kind {
                            IoFileRedirectKind::Read => (OpenMode::READ, "open"),
                            IoFileRedirectKind::Append => (OpenMode::APPEND, "create"),
                            IoFileRedirectKind::ReadAndWrite => (OpenMode::BOTH, "create"),
                            _ => (OpenMode::WRITE, "create"),
                        };
                        self.open_onto(&path, mode, verb, &[number], descriptors).await
                    }
                    IoFileRedirectTarget::Fd(from) => self.duplicate(*from, number, descriptors).await,
                    IoFileRedirectTarget::Duplicate(word) => {
                        let word = self.single(&word.value).await?;
                        if word == "-" {
                            descriptors.close(number);
                            return Ok(true);
                        }
                        match word.parse() {
                            Ok(from) => self.duplicate(from, number, descriptors).await,
                            Err(_) => {
                                self.complain(format!("{word}: bad file descriptor")).await?;
                                Ok(false)
                            }
                        }
                    }
                    IoFileRedirectTarget::ProcessSubstitution(..) => {
                        self.complain("syntax error: unexpected '('").await?;
                        Err(Flow::Exit(1))
                    }
                }
            }
            IoRedirect::HereDocument(number, document) => {
                let body = if document.requires_expansion {
                    self.here_document(&document.doc.value).await?
                } else {
                    document.doc.value.clone()
                };
                self.here(body, number.unwrap_or(0), descriptors).await
            }
            IoRedirect::HereString(number, word) => {
                let body = self.single(&word.value).await? + "\n";
                self.here(body, number.unwrap_or(0), descriptors).await
            }
            IoRedirect::OutputAndError(word, append) => {
                let path = self.single(&word.value).await?;
                let mode = if *append {
                    OpenMode::APPEND
                } else {
                    OpenMode::WRITE
                };
                self.open_onto(&path, mode, "create", &[1, 2], descriptors).await
            }
        }
    }

    async fn open_onto(
        &mut self,
        path: &str,
        mode: OpenMode,
        verb: &str,
        numbers: &[i32],
        descriptors: &mut Descriptors,
    ) -> Result<bool, Flow> {
        match self.call.open(path, mode) {
            Ok(opened) => {
                for number in numbers {
                    descriptors.set(*number, Arc::clone(&opened));
                }
                Ok(true)
            }
            Err(errno) => {
                self.complain(format!("can't {verb} {path}: {errno}")).await?;
                Ok(false)
            }
        }
    }

    async fn duplicate(
        &mut self,
        from: i32,
        number: i32,
        descriptors: &mut Descriptors,
    ) -> Result<bool, Flow> {
        match descriptors.get(from) {
            Some(descriptor) => {
                descriptors.set(number, descriptor);
                Ok(true)
            }
            None => {
                self.complain(format!("{from}: {}", Errno::BadDescriptor)).await?;
                Ok(false)
            }
        }
    }

    async fn here(&mut self, body: String, number: i32, descriptors: &mut Descriptors) -> Result<bool, Flow> {
        match self.call.phone.files.anonymous(body.as_bytes()) {
            Ok(file) => {
                descriptors.set(number, Arc::new(Descriptor::File(file)));
                Ok(true)
            }
            Err(errno) => {
                self.complain(format!("can't create temporary file: {errno}"))
                    .await?;
                Ok(false)
            }
        }
    }
}
