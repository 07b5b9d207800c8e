// What this computer runs, where a person must do something else on each.

export type System = 'linux' | 'mac' | 'windows';

export function systemOf(agent: string): System {
  if (/windows/i.test(agent)) return 'windows';
  return /mac/i.test(agent) ? 'mac' : 'linux';
}

export const system: System = systemOf(globalThis.navigator?.userAgent ?? '');

/**
 * Lets whoever sits at a Linux computer use phones over USB: any device with adb's interface (class ff, subclass 42,
 * protocol 01). Before `73-seat-late.rules`, where `uaccess` is read.
 */
export const UDEV_COMMAND =
  `echo 'SUBSYSTEM=="usb", ENV{ID_USB_INTERFACES}=="*:ff4201:*", TAG+="uaccess"'` +
  ' | sudo tee /etc/udev/rules.d/70-android-phones.rules && sudo udevadm control --reload && sudo udevadm trigger';
