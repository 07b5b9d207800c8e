//! Fields an action cannot be without.

use crate::fields::Fields;
use crate::notes::Refusal;

pub(super) fn lacks(kind: &str, field: &str) -> Refusal {
    Refusal::malformed(format!("`{kind}` needs `{field}`"))
}

pub(super) fn output(kind: &str, fields: &mut Fields<'_>) -> Result<String, Refusal> {
    fields.name("output").ok_or_else(|| lacks(kind, "output"))
}
