//! `$x`, `${x:-y}`, `${x#y}`, `$?`, `"$@"`.

use super::expand::{Unit, brought, literal, text};
use super::{Flow, Pattern, Shell};
use brush_parser::word::{Parameter, ParameterExpr, ParameterTestType, SpecialParameter, SubstringMatchKind};

impl Shell {
    /// The value of a variable, also of those the shell makes up.
    pub(super) fn variable(&mut self, name: &str) -> Option<String> {
        match name {
            "RANDOM" => {
                // A small generator (Knuth's), seeded by the process: the same phone tells the same numbers.
                let old = self.variables.get("RANDOM").and_then(|text| text.parse().ok());
                let old: u32 = old.unwrap_or(self.call.process.pid);
                let new = old.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let _ = self.variables.set("RANDOM", new.to_string());
                Some(((new >> 16) & 0x7fff).to_string())
            }
            "SECONDS" => {
                let started = self.call.process.started;
                Some(
                    self.call
                        .phone
                        .clock
                        .now()
                        .saturating_sub(started)
                        .as_secs()
                        .to_string(),
                )
            }
            "EPOCHREALTIME" => {
                let wall = self.call.phone.clock.wall();
                Some(format!("{}.{:06}", wall.as_secs(), wall.subsec_micros()))
            }
            name => self.variables.get(name).map(str::to_owned),
        }
    }

    fn value(&mut self, parameter: &Parameter) -> Option<String> {
        match parameter {
            Parameter::Positional(0) => Some(self.name.clone()),
            Parameter::Positional(number) => {
                let at = usize::try_from(*number).ok()?.checked_sub(1)?;
                self.positional.get(at).cloned()
            }
            Parameter::Named(name) => self.variable(name),
            Parameter::NamedWithIndex { name, index } if index == "0" => self.variable(name),
            Parameter::NamedWithIndex { .. } => None,
            Parameter::NamedWithAllIndices { name, .. } => self.variable(name),
            Parameter::Special(special) => match special {
                SpecialParameter::AllPositionalParameters { .. } => {
                    (!self.positional.is_empty()).then(|| self.positional.join(" "))
                }
                SpecialParameter::PositionalParameterCount => Some(self.positional.len().to_string()),
                SpecialParameter::LastExitStatus => Some(self.status.to_string()),
                SpecialParameter::CurrentOptionFlags => Some(self.flags()),
                SpecialParameter::ProcessId => Some(self.own_pid.to_string()),
                SpecialParameter::LastBackgroundProcessId => self.background.map(|pid| pid.to_string()),
                SpecialParameter::ShellName => Some(self.name.clone()),
            },
        }
    }

    fn flags(&self) -> String {
        let flags = [
            ('e', self.options.errexit),
            ('f', self.options.noglob),
            ('i', self.interactive),
            ('u', self.options.nounset),
            ('x', self.options.xtrace),
        ];
        flags
            .iter()
            .filter(|(_, set)| *set)
            .map(|(flag, _)| *flag)
            .collect()
    }

    pub(super) async fn parameter(
        &mut self,
        expression: &ParameterExpr,
        quoted: bool,
        out: &mut Vec<Unit>,
    ) -> Result<(), Flow> {
        match expression {
            ParameterExpr::Parameter {
                parameter: Parameter::Special(SpecialParameter::AllPositionalParameters { concatenate }),
                ..
            } => {
                self.all_arguments(*concatenate, quoted, out);
                Ok(())
            }
            ParameterExpr::Parameter {
                parameter,
                indirect: false,
            } => {
                match self.value(parameter) {
                    Some(value) => brought(&value, quoted, out),
                    None if self.options.nounset => return self.not_set(parameter).await,
                    None => {}
                }
                Ok(())
            }
            ParameterExpr::ParameterLength { parameter, .. } => {
                let length = match parameter {
                    Parameter::Special(SpecialParameter::AllPositionalParameters { .. }) => {
                        self.positional.len()
                    }
                    parameter => self.value(parameter).unwrap_or_default().chars().count(),
                };
                literal(&length.to_string(), quoted, out);
                Ok(())
            }
            ParameterExpr::UseDefaultValues {
                parameter,
                test_type,
                default_value,
                ..
            } => {
                match self.tested(parameter, test_type) {
                    Some(value) => brought(&value, quoted, out),
                    None => self.alternative(default_value.as_deref(), quoted, out).await?,
                }
                Ok(())
            }
            ParameterExpr::AssignDefaultValues {
                parameter,
                test_type,
                default_value,
                ..
            } => {
                let value = self
                    .assigned(parameter, test_type, default_value.as_deref())
                    .await?;
                brought(&value, quoted, out);
                Ok(())
            }
            ParameterExpr::IndicateErrorIfNullOrUnset {
                parameter,
                test_type,
                error_message,
                ..
            } => {
                let value = self
                    .required(parameter, test_type, error_message.as_deref())
                    .await?;
                brought(&value, quoted, out);
                Ok(())
            }
            ParameterExpr::UseAlternativeValue {
                parameter,
                test_type,
                alternative_value,
                ..
            } => {
                if self.tested(parameter, test_type).is_some() {
                    self.alternative(alternative_value.as_deref(), quoted, out)
                        .await?;
                }
                Ok(())
            }
            ParameterExpr::Substring {
                parameter,
                offset,
                length,
                ..
            } => {
                let part = self
                    .substring(
                        parameter,
                        &offset.value,
                        length.as_ref().map(|length| length.value.as_str()),
                    )
                    .await?;
                brought(&part, quoted, out);
                Ok(())
            }
            ParameterExpr::ReplaceSubstring {
                parameter,
                pattern,
                replacement,
                match_kind,
                ..
            } => {
                let value = self.value(parameter).unwrap_or_default();
                let pattern = self.pattern(pattern).await?;
                let replacement = self.single_or_empty(replacement.as_deref()).await?;
                brought(&replace(&value, &pattern, &replacement, match_kind), quoted, out);
                Ok(())
            }
            _ => match removal(expression) {
                Some((parameter, pattern, end, largest)) => {
                    self.cut(parameter, pattern, end, largest, quoted, out).await
                }
                None => self.bad_substitution("${…}").await,
            },
        }
    }

    /// `${name:=value}`.
    async fn assigned(
        &mut self,
        parameter: &Parameter,
        test: &ParameterTestType,
        default: Option<&str>,
    ) -> Result<String, Flow> {
        if let Some(value) = self.tested(parameter, test) {
            return Ok(value);
        }
        let value = self.single_or_empty(default).await?;
        if let Parameter::Named(name) = parameter
            && let Err(readonly) = self.variables.set(name, value.clone())
        {
            self.complain(readonly).await?;
            return Err(Flow::Exit(2));
        }
        Ok(value)
    }

    /// `${name:?message}`.
    async fn required(
        &mut self,
        parameter: &Parameter,
        test: &ParameterTestType,
        message: Option<&str>,
    ) -> Result<String, Flow> {
        if let Some(value) = self.tested(parameter, test) {
            return Ok(value);
        }
        let message = self.single_or_empty(message).await?;
        let message = if message.is_empty() {
            "parameter null or not set".to_owned()
        } else {
            message
        };
        self.complain(format!("{}: {message}", name(parameter))).await?;
        Err(Flow::Exit(1))
    }

    /// `${name:offset:length}`, in characters.
    async fn substring(
        &mut self,
        parameter: &Parameter,
        offset: &str,
        length: Option<&str>,
    ) -> Result<String, Flow> {
        let value: Vec<char> = self.value(parameter).unwrap_or_default().chars().collect();
        let offset = self.single(offset).await?;
        let start = index(self.calculate(&offset).await?, value.len());
        let end = match length {
            Some(length) => {
                let length = self.single(length).await?;
                match self.calculate(&length).await? {
                    length if length < 0 => index(length, value.len()),
                    length => start.saturating_add(usize::try_from(length).unwrap_or(0)),
                }
            }
            None => value.len(),
        };
        let part = value.get(start..end.clamp(start, value.len()));
        Ok(part.unwrap_or_default().iter().collect())
    }

    async fn not_set(&self, parameter: &Parameter) -> Result<(), Flow> {
        self.complain(format!("{}: parameter not set", name(parameter)))
            .await?;
        Err(Flow::Exit(1))
    }

    fn tested(&mut self, parameter: &Parameter, test: &ParameterTestType) -> Option<String> {
        let value = self.value(parameter)?;
        match test {
            ParameterTestType::UnsetOrNull if value.is_empty() => None,
            _ => Some(value),
        }
    }

    async fn single_or_empty(&mut self, word: Option<&str>) -> Result<String, Flow> {
        match word {
            Some(word) => self.single(word).await,
            None => Ok(String::new()),
        }
    }

    /// The word after `:-` or `:+`: quoted as a whole when the expansion is.
    async fn alternative(
        &mut self,
        word: Option<&str>,
        quoted: bool,
        out: &mut Vec<Unit>,
    ) -> Result<(), Flow> {
        let units = self.units(word.unwrap_or_default()).await?;
        if quoted {
            literal(&text(&units), true, out);
        } else {
            out.extend(units.into_iter().map(|unit| match unit {
                Unit::Character {
                    character,
                    quoted: false,
                } => Unit::Brought(character),
                unit => unit,
            }));
        }
        Ok(())
    }

    fn all_arguments(&self, concatenate: bool, quoted: bool, out: &mut Vec<Unit>) {
        if quoted && concatenate {
            let separator = self
                .variables
                .get("IFS")
                .map_or(Some(' '), |ifs| ifs.chars().next());
            let separator = separator.map(String::from).unwrap_or_default();
            return literal(&self.positional.join(&separator), true, out);
        }
        for (at, argument) in self.positional.iter().enumerate() {
            if at > 0 {
                out.push(Unit::Break);
            }
            if quoted {
                out.push(Unit::Mark);
            }
            brought(argument, quoted, out);
        }
    }

    async fn cut(
        &mut self,
        parameter: &Parameter,
        pattern: Option<&str>,
        affix: Affix,
        largest: bool,
        quoted: bool,
        out: &mut Vec<Unit>,
    ) -> Result<(), Flow> {
        let value: Vec<char> = self.value(parameter).unwrap_or_default().chars().collect();
        let pattern = self.pattern(pattern.unwrap_or_default()).await?;
        let lengths: Box<dyn Iterator<Item = usize> + Send> = if largest {
            Box::new((0..=value.len()).rev())
        } else {
            Box::new(0..=value.len())
        };
        let mut rest = value.as_slice();
        for length in lengths {
            let (cut, left) = match affix {
                Affix::Prefix => value.split_at(length),
                Affix::Suffix => {
                    let (left, cut) = value.split_at(value.len() - length);
                    (cut, left)
                }
            };
            if pattern.fits(cut) {
                rest = left;
                break;
            }
        }
        brought(&rest.iter().collect::<String>(), quoted, out);
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Affix {
    Prefix,
    Suffix,
}

/// `${name%pattern}` and its three kin: of what, which pattern is taken away, where, and whether as much as fits.
fn removal(expression: &ParameterExpr) -> Option<(&Parameter, Option<&str>, Affix, bool)> {
    use ParameterExpr::{
        RemoveLargestPrefixPattern, RemoveLargestSuffixPattern, RemoveSmallestPrefixPattern,
        RemoveSmallestSuffixPattern,
    };
    let (parameter, pattern, affix, largest) = match expression {
        RemoveSmallestSuffixPattern {
            parameter, pattern, ..
        } => (parameter, pattern, Affix::Suffix, false),
        RemoveLargestSuffixPattern {
            parameter, pattern, ..
        } => (parameter, pattern, Affix::Suffix, true),
        RemoveSmallestPrefixPattern {
            parameter, pattern, ..
        } => (parameter, pattern, Affix::Prefix, false),
        RemoveLargestPrefixPattern {
            parameter, pattern, ..
        } => (parameter, pattern, Affix::Prefix, true),
        _ => return None,
    };
    Some((parameter, pattern.as_deref(), affix, largest))
}

fn name(parameter: &Parameter) -> String {
    match parameter {
        Parameter::Named(name)
        | Parameter::NamedWithIndex { name, .. }
        | Parameter::NamedWithAllIndices { name, .. } => name.clone(),
        Parameter::Positional(number) => number.to_string(),
        Parameter::Special(special) => special.to_string(),
    }
}

/// An offset, from the end when it is negative.
fn index(offset: i32, length: usize) -> usize {
    match usize::try_from(offset) {
        Ok(offset) => offset.min(length),
        Err(_) => length.saturating_sub(usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX)),
    }
}

fn replace(value: &str, pattern: &Pattern, replacement: &str, kind: &SubstringMatchKind) -> String {
    let value: Vec<char> = value.chars().collect();
    let mut out = String::new();
    let mut at = 0;
    while at <= value.len() {
        let tail = value.get(at..).unwrap_or_default();
        // The longest match that begins here.
        let found = (1..=tail.len()).rev().find(|length| {
            let ends = at + length == value.len();
            (!matches!(kind, SubstringMatchKind::Suffix) || ends)
                && tail.get(..*length).is_some_and(|part| pattern.fits(part))
        });
        match found {
            Some(length) => {
                out.push_str(replacement);
                at += length;
                if !matches!(kind, SubstringMatchKind::Anywhere) {
                    break;
                }
            }
            None if matches!(kind, SubstringMatchKind::Prefix) => break,
            None => {
                let Some(character) = value.get(at) else { break };
                out.push(*character);
                at += 1;
            }
        }
    }
    out.extend(value.get(at..).unwrap_or_default());
    out
}
