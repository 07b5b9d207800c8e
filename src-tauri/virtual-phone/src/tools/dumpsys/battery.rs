//! `dumpsys battery` (`BatteryService.dumpInternal`).

use crate::phone::Phone;

pub(super) fn dump(phone: &Phone) -> String {
    let battery = phone.with(|android| android.battery());
    let charging = battery.charging;
    // `BatteryManager`: 2 charging, 3 discharging, 5 full.
    let status = match (charging, battery.level) {
        (true, 100..) => 5,
        (true, _) => 2,
        (false, _) => 3,
    };
    let level = u32::from(battery.level);
    format!(
        "Current Battery Service state:\n  AC powered: false\n  USB powered: {charging}\n  Wireless powered: false\n  Dock \
         powered: false\n  Max charging current: {}\n  Max charging voltage: {}\n  Charge counter: {}\n  status: {status}\n  \
         health: 2\n  present: true\n  level: {level}\n  scale: 100\n  voltage: {}\n  temperature: 263\n  technology: Li-ion\n",
        if charging { 500_000 } else { 0 },
        if charging { 5_000_000 } else { 0 },
        level * 43_550,
        3500 + level * 8,
    )
}
