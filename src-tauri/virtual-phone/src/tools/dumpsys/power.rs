//! `dumpsys power` (`PowerManagerService.dumpInternal`).

use crate::fault::Fault;
use crate::phone::Phone;

pub(super) fn dump(phone: &Phone) -> String {
    let (power, battery, saver, timeout, stay) = phone.with(|android| {
        (
            android.power(),
            android.battery(),
            android.setting("global", "low_power").as_deref() == Some("1"),
            android
                .setting("system", "screen_off_timeout")
                .and_then(|text| text.parse::<u64>().ok()),
            android
                .setting("global", "stay_on_while_plugged_in")
                .and_then(|text| text.parse::<u32>().ok()),
        )
    });
    let on = power.awake;
    let (word, state) = match (on, phone.has(Fault::Dozing)) {
        (true, _) => ("Awake", "ON"),
        (false, true) => ("Dozing", "DOZE_SUSPEND"),
        (false, false) => ("Asleep", "OFF"),
    };
    let timeout = timeout.unwrap_or(60_000);
    let stay = stay.unwrap_or(0);
    // Sample power_06: some makers' builds print an object where the state would stand.
    let state = match phone.profile.manufacturer.to_lowercase().as_str() {
        "huawei" | "honor" => "Display Power: com.android.server.power.PowerManagerService$1@abc".to_owned(),
        _ => format!("Display Power: state={state}"),
    };
    let uptime = phone.clock.uptime().as_millis();
    format!(
        "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mDirty=0x0\n  mWakefulness={word}\n  \
         mWakefulnessChanging=false\n  mIsPowered={charging}\n  mPlugType={}\n  mBatteryLevel={}\n  \
         mDreamsBatteryLevelDrain=0\n  mDockState=0\n  mStayOn={}\n  mProximityPositive=false\n  mBootCompleted=true\n  \
         mSystemReady=true\n  mEnhancedDischargeTimeElapsed=0\n  mLastEnhancedDischargeTimeUpdatedElapsed=0\n  \
         mEnhancedDischargePredictionIsPersonalized=false\n  mUseFaceDown=true\n  mHalAutoSuspendModeEnabled={}\n  \
         mHalInteractiveModeEnabled={on}\n  mWakeLockSummary=0x0\n  mNotifyLongScheduled=(none)\n  mUserActivitySummary=0x{}\n  \
         mRequestWaitForNegativeProximity=false\n  mInterceptedPowerKeyForProximity=false\n  mSandmanScheduled=false\n  \
         mBatteryLevelLow={}\n  mLightDeviceIdleMode=false\n  mDeviceIdleMode=false\n  mLastWakeTime={} (ago)\n  \
         mHoldingWakeLockSuspendBlocker=false\n  mHoldingDisplaySuspendBlocker={on}\n  mLastFlipTime=0\n  mIsFaceDown=false\n\n\
         Settings and Configuration:\n  mDecoupleHalAutoSuspendModeFromDisplayConfig=false\n  \
         mWakeUpWhenPluggedOrUnpluggedConfig=true\n  mSuspendWhenScreenOffDueToProximityConfig=false\n  \
         mDreamsSupportedConfig=true\n  mLowPowerModeSetting={saver}\n  mAutoLowPowerModeConfigured=false\n  \
         mMinimumScreenOffTimeoutConfig=10000\n  mMaximumScreenDimDurationConfig=7000\n  mScreenOffTimeoutSetting={timeout}\n  \
         mSleepTimeoutSetting=-1\n  mStayOnWhilePluggedInSetting={stay}\n  mDoubleTapWakeEnabled=false\n\nScreen off timeout: \
         {timeout} ms\nScreen dim duration: 7000 ms\n\nWake Locks: size=0\n\nSuspend Blockers: size=3\n  \
         PowerManagerService.WakeLocks: ref count=0\n  PowerManagerService.Display: ref count={}\n  \
         PowerManagerService.Broadcasts: ref count=0\n\n{state}\n\nBattery Saver State machine:\n  \
         Enabled={saver}\n    full={saver}\n    adaptive=false\n",
        if battery.charging { 2 } else { 0 },
        battery.level,
        stay != 0 && battery.charging,
        !on,
        if on { "1" } else { "0" },
        battery.level <= 15,
        uptime.saturating_sub(41_000),
        u8::from(on),
        charging = battery.charging,
    )
}
