//! `$(( … ))`: 32-bit integers that wrap, as in mksh.

use super::{Flow, Shell};
use brush_parser::ast::{
    ArithmeticExpr, ArithmeticTarget, BinaryOperator, UnaryAssignmentOperator, UnaryOperator,
};

/// Variables may name expressions that name variables, so deep.
const DEPTH: u32 = 16;
/// An expression may be so long: a sum of a hundred thousand terms is a tree as deep.
const LONGEST: usize = 2000;

impl Shell {
    /// Evaluates expanded text.
    pub(super) async fn calculate(&mut self, text: &str) -> Result<i32, Flow> {
        match self.evaluate_arithmetic(text, 0) {
            Ok(value) => Ok(value),
            Err(problem) => {
                self.complain(problem).await?;
                Err(Flow::Exit(1))
            }
        }
    }

    fn evaluate_arithmetic(&mut self, text: &str, depth: u32) -> Result<i32, String> {
        if depth > DEPTH || text.len() > LONGEST || super::parse::depth(text) > super::parse::DEEPEST {
            return Err(format!("{text}: expression recurses on parameter"));
        }
        let expression = brush_parser::arithmetic::parse(text)
            .map_err(|_| format!("{text}: unexpected '{}'", text.trim()))?;
        self.number(&expression, depth)
    }

    fn number(&mut self, expression: &ArithmeticExpr, depth: u32) -> Result<i32, String> {
        match expression {
            #[allow(
                clippy::cast_possible_truncation,
                reason = "mksh's numbers are 32-bit and wrap"
            )]
            ArithmeticExpr::Literal(value) => Ok(*value as i32),
            ArithmeticExpr::Reference(target) => self.look_up(target, depth),
            ArithmeticExpr::UnaryOp(operator, operand) => {
                let value = self.number(operand, depth)?;
                Ok(match operator {
                    UnaryOperator::UnaryPlus => value,
                    UnaryOperator::UnaryMinus => value.wrapping_neg(),
                    UnaryOperator::BitwiseNot => !value,
                    UnaryOperator::LogicalNot => i32::from(value == 0),
                })
            }
            ArithmeticExpr::BinaryOp(BinaryOperator::LogicalAnd, left, right) => Ok(i32::from(
                self.number(left, depth)? != 0 && self.number(right, depth)? != 0,
            )),
            ArithmeticExpr::BinaryOp(BinaryOperator::LogicalOr, left, right) => Ok(i32::from(
                self.number(left, depth)? != 0 || self.number(right, depth)? != 0,
            )),
            ArithmeticExpr::BinaryOp(operator, left, right) => {
                let (left, right) = (self.number(left, depth)?, self.number(right, depth)?);
                binary(*operator, left, right)
            }
            ArithmeticExpr::Conditional(condition, yes, no) => {
                let chosen = if self.number(condition, depth)? != 0 {
                    yes
                } else {
                    no
                };
                self.number(chosen, depth)
            }
            ArithmeticExpr::Assignment(target, value) => {
                let value = self.number(value, depth)?;
                self.assign(target, value)
            }
            ArithmeticExpr::BinaryAssignment(operator, target, value) => {
                let (left, right) = (self.look_up(target, depth)?, self.number(value, depth)?);
                let value = binary(*operator, left, right)?;
                self.assign(target, value)
            }
            ArithmeticExpr::UnaryAssignment(operator, target) => {
                let old = self.look_up(target, depth)?;
                let (new, result) = match operator {
                    UnaryAssignmentOperator::PrefixIncrement => (old.wrapping_add(1), old.wrapping_add(1)),
                    UnaryAssignmentOperator::PrefixDecrement => (old.wrapping_sub(1), old.wrapping_sub(1)),
                    UnaryAssignmentOperator::PostfixIncrement => (old.wrapping_add(1), old),
                    UnaryAssignmentOperator::PostfixDecrement => (old.wrapping_sub(1), old),
                };
                self.assign(target, new)?;
                Ok(result)
            }
        }
    }

    fn look_up(&mut self, target: &ArithmeticTarget, depth: u32) -> Result<i32, String> {
        let ArithmeticTarget::Variable(name) = target else {
            return Err(format!("{target}: arrays are not here"));
        };
        let text = self.variable(name).unwrap_or_default();
        if text.trim().is_empty() {
            return Ok(0);
        }
        self.evaluate_arithmetic(&text, depth + 1)
    }

    fn assign(&mut self, target: &ArithmeticTarget, value: i32) -> Result<i32, String> {
        let ArithmeticTarget::Variable(name) = target else {
            return Err(format!("{target}: arrays are not here"));
        };
        self.variables
            .set(name, value.to_string())
            .map_err(|readonly| readonly.to_string())?;
        Ok(value)
    }
}

fn binary(operator: BinaryOperator, left: i32, right: i32) -> Result<i32, String> {
    let shift = right.cast_unsigned() & 31;
    Ok(match operator {
        BinaryOperator::Power => left.wrapping_pow(u32::try_from(right).map_err(|_| "negative exponent")?),
        BinaryOperator::Multiply => left.wrapping_mul(right),
        BinaryOperator::Divide | BinaryOperator::Modulo if right == 0 => {
            return Err("zero divisor".to_owned());
        }
        BinaryOperator::Divide => left.wrapping_div(right),
        BinaryOperator::Modulo => left.wrapping_rem(right),
        BinaryOperator::Comma => right,
        BinaryOperator::Add => left.wrapping_add(right),
        BinaryOperator::Subtract => left.wrapping_sub(right),
        BinaryOperator::ShiftLeft => left.wrapping_shl(shift),
        BinaryOperator::ShiftRight => left.wrapping_shr(shift),
        BinaryOperator::LessThan => i32::from(left < right),
        BinaryOperator::LessThanOrEqualTo => i32::from(left <= right),
        BinaryOperator::GreaterThan => i32::from(left > right),
        BinaryOperator::GreaterThanOrEqualTo => i32::from(left >= right),
        BinaryOperator::Equals => i32::from(left == right),
        BinaryOperator::NotEquals => i32::from(left != right),
        BinaryOperator::BitwiseAnd => left & right,
        BinaryOperator::BitwiseXor => left ^ right,
        BinaryOperator::BitwiseOr => left | right,
        BinaryOperator::LogicalAnd => i32::from(left != 0 && right != 0),
        BinaryOperator::LogicalOr => i32::from(left != 0 || right != 0),
    })
}
