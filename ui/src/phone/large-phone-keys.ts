// T, S, R and K while the large phone is in sight.

import { phoneShortcut, takesText } from '../kit/keyboard';
import type { Phone } from '../protocol';
import type LargePhone from './LargePhone.svelte';

/** Does what a single key means; says whether it meant something. */
export function handlePhoneKey(event: KeyboardEvent, largePhone: LargePhone, phone: Phone): boolean {
  const wanted = phoneShortcut(event, takesText(event.target));
  if (!wanted) return false;
  if (wanted === 'take_over') largePhone.takeOver();
  else if (phone.state === 'device') {
    if (wanted === 'screenshot') void largePhone.screenshot();
    else if (wanted === 'rotate') largePhone.rotate();
    else largePhone.keyboard();
  }
  return true;
}
