//! `test`, `[ … ]`, `[[ … ]]`.

use super::{Flow, Shell};
use crate::files::FollowLinks;
use crate::process::Call;
use brush_parser::ast::{BinaryPredicate, ExtendedTestExpr, UnaryPredicate};
use futures::FutureExt;
use futures::future::BoxFuture;

/// Evaluates the words of `test` (without `test`, `[` and `]`).
///
/// # Errors
/// What `test` complains of.
pub(crate) fn test(call: &Call, words: &[String]) -> Result<bool, String> {
    let mut parser = ConditionParser {
        call,
        words,
        at: 0,
        depth: 0,
    };
    if words.is_empty() {
        return Ok(false);
    }
    let answer = parser.or()?;
    match words.get(parser.at) {
        None => Ok(answer),
        Some(extra) => Err(format!("{extra}: unexpected operator/operand")),
    }
}

struct ConditionParser<'a> {
    call: &'a Call,
    words: &'a [String],
    at: usize,
    depth: u32,
}

impl ConditionParser<'_> {
    fn peek(&self) -> Option<&str> {
        self.words.get(self.at).map(String::as_str)
    }

    fn or(&mut self) -> Result<bool, String> {
        let mut answer = self.and()?;
        while self.peek() == Some("-o") {
            self.at += 1;
            answer |= self.and()?;
        }
        Ok(answer)
    }

    fn and(&mut self) -> Result<bool, String> {
        let mut answer = self.not()?;
        while self.peek() == Some("-a") {
            self.at += 1;
            answer &= self.not()?;
        }
        Ok(answer)
    }

    fn not(&mut self) -> Result<bool, String> {
        let left = self.words.len() - self.at;
        // `! x`, but not `! = x`.
        if self.peek() == Some("!") && left > 1 && !(left >= 3 && is_binary(self.word(1))) {
            self.at += 1;
            self.depth += 1;
            if self.depth > 64 {
                return Err("expression too complex".to_owned());
            }
            return Ok(!self.not()?);
        }
        self.primary()
    }

    fn word(&self, ahead: usize) -> &str {
        self.words.get(self.at + ahead).map_or("", String::as_str)
    }

    fn primary(&mut self) -> Result<bool, String> {
        let left = self.words.len() - self.at;
        if left == 0 {
            return Err("argument expected".to_owned());
        }
        if left >= 3 && is_binary(self.word(1)) {
            let answer = binary(self.call, self.word(0), self.word(1), self.word(2))?;
            self.at += 3;
            return Ok(answer);
        }
        if self.peek() == Some("(") && left > 2 {
            self.at += 1;
            self.depth += 1;
            if self.depth > 64 {
                return Err("expression too complex".to_owned());
            }
            let answer = self.or()?;
            if self.peek() != Some(")") {
                return Err("missing )".to_owned());
            }
            self.at += 1;
            return Ok(answer);
        }
        if left >= 2
            && let Some(operator) = self.word(0).strip_prefix('-')
            && operator.len() == 1
        {
            if let Some(answer) = unary(self.call, operator, self.word(1)) {
                self.at += 2;
                return Ok(answer);
            }
            return Err(format!("{}: unexpected operator/operand", self.word(0)));
        }
        let answer = !self.word(0).is_empty();
        self.at += 1;
        Ok(answer)
    }
}

fn is_binary(word: &str) -> bool {
    matches!(
        word,
        "=" | "==" | "!=" | "<" | ">" | "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-nt" | "-ot" | "-ef"
    )
}

fn binary(call: &Call, left: &str, operator: &str, right: &str) -> Result<bool, String> {
    let numbers = || -> Result<(i64, i64), String> {
        let number = |word: &str| {
            word.trim()
                .parse::<i64>()
                .map_err(|_| format!("{word}: bad number"))
        };
        Ok((number(left)?, number(right)?))
    };
    let modified = |path: &str| {
        call.phone
            .files
            .stat(&call.path(path), FollowLinks::Yes)
            .ok()
            .map(|stat| stat.modified)
    };
    Ok(match operator {
        "=" | "==" => left == right,
        "!=" => left != right,
        "<" => left < right,
        ">" => left > right,
        "-eq" => numbers().map(|(a, b)| a == b)?,
        "-ne" => numbers().map(|(a, b)| a != b)?,
        "-lt" => numbers().map(|(a, b)| a < b)?,
        "-le" => numbers().map(|(a, b)| a <= b)?,
        "-gt" => numbers().map(|(a, b)| a > b)?,
        "-ge" => numbers().map(|(a, b)| a >= b)?,
        "-nt" => modified(left) > modified(right),
        "-ot" => modified(left) < modified(right),
        _ => {
            let inode = |path: &str| {
                call.phone
                    .files
                    .stat(&call.path(path), FollowLinks::Yes)
                    .ok()
                    .map(|stat| stat.inode)
            };
            inode(left).is_some() && inode(left) == inode(right)
        }
    })
}

fn unary(call: &Call, operator: &str, word: &str) -> Option<bool> {
    let files = &call.phone.files;
    let path = || call.path(word);
    let stat = || files.stat(&path(), FollowLinks::Yes).ok();
    Some(match operator {
        "n" => !word.is_empty(),
        "z" => word.is_empty(),
        "e" | "a" => stat().is_some(),
        "f" => stat().is_some_and(|stat| stat.is_file()),
        "d" => stat().is_some_and(|stat| stat.is_directory()),
        "c" => stat().is_some_and(|stat| stat.is_device()),
        "b" | "p" | "S" | "u" | "g" | "k" => false,
        "L" | "h" => files
            .stat(&path(), FollowLinks::No)
            .is_ok_and(|stat| stat.is_link()),
        "s" => stat().is_some_and(|stat| stat.size > 0),
        "r" => files.may(&path(), 4),
        "w" => files.may(&path(), 2),
        "x" => files.may(&path(), 1),
        "O" => stat().is_some_and(|stat| stat.uid == 2000),
        "G" => stat().is_some_and(|stat| stat.gid == 2000),
        "t" => word
            .parse()
            .ok()
            .and_then(|number| call.descriptors.get(number))
            .is_some_and(|d| d.is_terminal()),
        _ => return None,
    })
}

impl Shell {
    /// `[[ … ]]`.
    pub(super) fn extended_test<'a>(
        &'a mut self,
        expression: &'a ExtendedTestExpr,
    ) -> BoxFuture<'a, Result<bool, Flow>> {
        async move {
            Ok(match expression {
                ExtendedTestExpr::And(left, right) => {
                    self.extended_test(left).await? && self.extended_test(right).await?
                }
                ExtendedTestExpr::Or(left, right) => {
                    self.extended_test(left).await? || self.extended_test(right).await?
                }
                ExtendedTestExpr::Not(inner) => !self.extended_test(inner).await?,
                ExtendedTestExpr::Parenthesized(inner) => self.extended_test(inner).await?,
                ExtendedTestExpr::UnaryTest(predicate, word) => {
                    let word = self.single(&word.value).await?;
                    match letter(predicate) {
                        Some(letter) => unary(&self.call, letter, &word).unwrap_or(false),
                        None => return self.no_such_test().await,
                    }
                }
                ExtendedTestExpr::BinaryTest(predicate, left, right) => {
                    let left = self.single(&left.value).await?;
                    match predicate {
                        BinaryPredicate::StringExactlyMatchesPattern => {
                            self.pattern(&right.value).await?.matches(&left)
                        }
                        BinaryPredicate::StringDoesNotExactlyMatchPattern => {
                            !self.pattern(&right.value).await?.matches(&left)
                        }
                        predicate => {
                            let Some(operator) = operator(predicate) else {
                                return self.no_such_test().await;
                            };
                            let right = self.single(&right.value).await?;
                            match binary(&self.call, &left, operator, &right) {
                                Ok(answer) => answer,
                                Err(problem) => {
                                    self.complain(problem).await?;
                                    false
                                }
                            }
                        }
                    }
                }
            })
        }
        .boxed()
    }

    async fn no_such_test(&self) -> Result<bool, Flow> {
        self.complain("[[: syntax error: unexpected operator/operand")
            .await?;
        Err(Flow::Exit(1))
    }
}

fn letter(predicate: &UnaryPredicate) -> Option<&'static str> {
    Some(match predicate {
        UnaryPredicate::FileExists => "e",
        UnaryPredicate::FileExistsAndIsDir => "d",
        UnaryPredicate::FileExistsAndIsRegularFile => "f",
        UnaryPredicate::FileExistsAndIsCharSpecialFile => "c",
        UnaryPredicate::FileExistsAndIsSymlink => "L",
        UnaryPredicate::FileExistsAndIsNotZeroLength => "s",
        UnaryPredicate::FileExistsAndIsReadable => "r",
        UnaryPredicate::FileExistsAndIsWritable => "w",
        UnaryPredicate::FileExistsAndIsExecutable => "x",
        UnaryPredicate::FdIsOpenTerminal => "t",
        UnaryPredicate::StringHasZeroLength => "z",
        UnaryPredicate::StringHasNonZeroLength => "n",
        _ => return None,
    })
}

fn operator(predicate: &BinaryPredicate) -> Option<&'static str> {
    Some(match predicate {
        BinaryPredicate::StringExactlyMatchesString => "=",
        BinaryPredicate::StringDoesNotExactlyMatchString => "!=",
        BinaryPredicate::LeftSortsBeforeRight => "<",
        BinaryPredicate::LeftSortsAfterRight => ">",
        BinaryPredicate::ArithmeticEqualTo => "-eq",
        BinaryPredicate::ArithmeticNotEqualTo => "-ne",
        BinaryPredicate::ArithmeticLessThan => "-lt",
        BinaryPredicate::ArithmeticLessThanOrEqualTo => "-le",
        BinaryPredicate::ArithmeticGreaterThan => "-gt",
        BinaryPredicate::ArithmeticGreaterThanOrEqualTo => "-ge",
        BinaryPredicate::LeftFileIsNewerOrExistsWhenRightDoesNot => "-nt",
        BinaryPredicate::LeftFileIsOlderOrDoesNotExistWhenRightDoes => "-ot",
        BinaryPredicate::FilesReferToSameDeviceAndInodeNumbers => "-ef",
        _ => return None,
    })
}
