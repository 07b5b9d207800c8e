//! `dumpsys display` (`DisplayManagerService.dumpInternal`) and `dumpsys SurfaceFlinger`.

use crate::fault::Fault;
use crate::phone::Phone;
use crate::tools::screencap::{DISPLAY, SECOND, has_two};

pub(super) fn dump(phone: &Phone) -> String {
    let (display, power) = phone.with(|android| (android.display(), android.power()));
    let (natural_width, natural_height) = phone.profile.size;
    let (width, height, rotation, density) =
        (display.width, display.height, display.rotation, display.density);
    let state = if power.awake { "ON" } else { "OFF" };
    // Folded, the logical display 0 is the outer panel.
    let panel = if phone.has(Fault::Folded) { SECOND } else { DISPLAY };
    let second = if phone.has(Fault::SecondDisplay) {
        format!(
            ", DisplayViewport{{type=INTERNAL, valid=true, isActive=true, displayId=1, uniqueId='local:{SECOND}', \
             physicalPort=1, orientation=0, logicalFrame=Rect(0, 0 - 904, 2316), physicalFrame=Rect(0, 0 - 904, 2316), \
             deviceWidth=904, deviceHeight=2316}}"
        )
    } else {
        String::new()
    };
    let info = |name: &str| {
        format!(
            "{name}=DisplayInfo{{\"Built-in Screen\", displayId 0, displayGroupId 0, FLAG_SECURE, \
             FLAG_SUPPORTS_PROTECTED_BUFFERS, FLAG_TRUSTED, real {width} x {height}, largest app {natural_height} x \
             {natural_height}, smallest app {natural_width} x {natural_width}, appVsyncOff 1000000, presDeadline 11111111, mode 1, \
             defaultMode 1, rotation {rotation}, state {state}, committedState {state}, type INTERNAL, uniqueId \"local:{panel}\", \
             app {width} x {height}, density {density} ({density}.0 x {density}.0) dpi, layerStack 0, brightnessMinimum 0.0, \
             brightnessMaximum 1.0, brightnessDefault 0.39763778}}"
        )
    };
    format!(
        "DISPLAY MANAGER (dumpsys display)\n  mSafeMode=false\n  mPendingTraversal=false\n  mViewports=[DisplayViewport{{type=INTERNAL, \
         valid=true, isActive={on}, displayId=0, uniqueId='local:{panel}', physicalPort=0, orientation={rotation}, \
         logicalFrame=Rect(0, 0 - {width}, {height}), physicalFrame=Rect(0, 0 - {width}, {height}), deviceWidth={width}, \
         deviceHeight={height}}}{second}]\n  mDefaultDisplayDefaultColorMode=0\n  mWifiDisplayScanRequestCount=0\n  \
         mStableDisplaySize=Point({natural_width}, {natural_height})\n  mMinimumBrightnessCurve=[(0.0, 0.0), (2000.0, 50.0)]\n\n\
         Display Adapters: size=1\n  LocalDisplayAdapter\n\nDisplay Devices: size=1\n  DisplayDeviceInfo{{\"Built-in Screen\": \
         uniqueId=\"local:{panel}\", {natural_width} x {natural_height}, modeId 1, renderFrameRate 60.0, density {density}, \
         touch INTERNAL, rotation 0, type INTERNAL, state {state}, committedState {state}}}\n\nLogical Displays: size=1\n  Display \
         0:\n    mDisplayId=0\n    mLayerStack=0\n    mHasContent=true\n    {}\n    {}\n\nDisplay States: size=1\n  Display \
         Id=0\n  Display State={state}\n  Display Brightness=0.39763778\n",
        info("mBaseDisplayInfo"),
        info("mOverrideDisplayInfo"),
        on = power.awake,
    )
}

/// `--display-id` (`SurfaceFlinger::dumpDisplayIdentificationData`); with the warning's fault, a second display.
pub(super) fn flinger(phone: &Phone, words: &[&str]) -> String {
    if words.first() == Some(&"--display-id") {
        let first = format!("Display {DISPLAY} (HWC display 0): port=0 pnpId=GGL displayName=\"\"\n");
        let second = format!("Display {SECOND} (HWC display 1): port=1 pnpId=GGL displayName=\"\"\n");
        return if has_two(phone) { first + &second } else { first };
    }
    if words.first() == Some(&"--list") {
        let windows = phone.with(|android| android.windows());
        return windows
            .iter()
            .map(|window| {
                format!(
                    "{}#{}\n",
                    window.title,
                    crate::tools::name::hash(&window.title) % 1000
                )
            })
            .collect();
    }
    let (width, height) = phone.profile.size;
    format!(
        "Build configuration: [sf PRESENT_TIME_OFFSET=0 FORCE_HWC_FOR_RBG_TO_YUV=0 MAX_VIRT_DISPLAY_DIM=4096 \
         RUNNING_WITHOUT_SYNC_FRAMEWORK=0 NUM_FRAMEBUFFER_SURFACE_BUFFERS=3]\n\nDisplay identification data:\nDisplay {DISPLAY} \
         (HWC display 0): port=0 pnpId=GGL displayName=\"\"\n\nDisplays (1 entries)\n  Display {DISPLAY} ({width}x{height})\n"
    )
}
