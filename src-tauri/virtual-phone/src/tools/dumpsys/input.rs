//! `dumpsys input` (`InputReader::dump`, `TouchInputMapper::dump`): the lines about the display's turn change with the
//! release (sample rotation_06: `SurfaceOrientation` up to 12; `InputDeviceOrientation` from 13; a word from 15).

use crate::phone::Phone;
use crate::tools::screencap::DISPLAY;

/// `InputDispatcher::dumpDispatchStateLocked`; since Android 14 `TouchState::dump`, which tells each window's pointers.
/// What `input` injects is no device's (-1).
fn touches(phone: &Phone, window: &str) -> String {
    if !phone.is_touched() {
        return "  TouchStates: <no displays touched>\n".to_owned();
    }
    match phone.profile.sdk {
        ..=33 => format!(
            "  TouchStatesByDisplay:\n    0: down=true, split=true, deviceId=-1, source=0x00001002\n      Windows:\n        0: \
             name='{window}', pointerIds=0x1, targetFlags=0x105\n"
        ),
        _ => format!(
            "  TouchStatesByDisplay:\n    0 :   Windows:\n        0 : name='{window}', targetFlags=FOREGROUND, \
             mDeviceStates={{-1:touchingPointers=[Pointer(id=0, FINGER)]}}\n"
        ),
    }
}

pub(super) fn dump(phone: &Phone) -> String {
    let (display, windows) = phone.with(|android| (android.display(), android.windows()));
    let (width, height, rotation) = (display.width, display.height, display.rotation);
    let (natural_width, natural_height) = phone.profile.size;
    let orientation = match phone.profile.sdk {
        ..=32 => format!("SurfaceOrientation: {rotation}"),
        33..=34 => format!("InputDeviceOrientation: {rotation}"),
        _ => format!("InputDeviceOrientation: Rotation{}", u32::from(rotation) * 90),
    };
    let focused = windows
        .iter()
        .find(|window| window.focused)
        .map_or("<none>", |window| window.title.as_str());
    format!(
        "INPUT MANAGER (dumpsys input)\n\nInput Manager State:\n  Interactive: true\n  System UI Lights Out: false\n  Pointer \
         Speed: 0\n  Show Touches: false\n  Pointer Capture: Disabled, seq=0\n\nEvent Hub State:\n  BuiltInKeyboardId: -2\n  \
         Devices:\n    -1: Virtual\n      Classes: KEYBOARD | ALPHAKEY | DPAD | VIRTUAL\n    2: fts_ts\n      Classes: TOUCH | \
         TOUCH_MT\n    3: gpio_keys\n      Classes: KEYBOARD\n\nInput Reader State (Nums of device: 3):\n  Device 2: fts_ts\n    \
         EventHub Devices: [ 3 ]\n    Generation: 26\n    IsExternal: false\n    Sources: TOUCHSCREEN\n    Motion Ranges:\n      \
         X: source=TOUCHSCREEN, min=0.000, max={}.000, flat=0.000, fuzz=0.000, resolution=0.000\n      Y: source=TOUCHSCREEN, \
         min=0.000, max={}.000, flat=0.000, fuzz=0.000, resolution=0.000\n    Touch Input Mapper (mode - DIRECT):\n      \
         Parameters:\n        DeviceType: TOUCH_SCREEN\n        AssociatedDisplay: hasAssociatedDisplay=true, isExternal=false, \
         displayId=''\n        OrientationAware: true\n      Viewport INTERNAL: displayId=0, uniqueId=local:{DISPLAY}, port=0, \
         orientation={rotation}, logicalFrame=[0, 0, {width}, {height}], physicalFrame=[0, 0, {width}, {height}], \
         deviceSize=[{width}, {height}], isActive=[1]\n      RawSurfaceWidth: {natural_width}px\n      RawSurfaceHeight: \
         {natural_height}px\n      {orientation}\n\nInput Dispatcher State:\n  DispatchEnabled: true\n  DispatchFrozen: false\n  \
         FocusedDisplayId: 0\n  FocusedWindows:\n    displayId=0, name='{} {focused}'\n{}",
        width - 1,
        height - 1,
        crate::tools::name::code(focused),
        touches(phone, focused),
    )
}
