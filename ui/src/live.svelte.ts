// What is known of one live picture while it is shown.

import type { Size } from './mapping';
import type { NoPicture } from './message';
import type { Failure, PhoneId } from './protocol';

export class Live {
  /** The picture's size in pixels; null before the first one. */
  size: Size | null = $state.raw(null);
  none: NoPicture | null = $state(null);
  /** When the newest picture was taken; 0 before the first one. */
  at = $state(0);
  failure: Failure | null = $state.raw(null);
}

/** The last picture of each phone, so that a page that opens has something to show before its first one comes. */
const last = new Map<PhoneId, ImageBitmap>();

export const lastPicture = (phone: PhoneId): ImageBitmap | undefined => last.get(phone);

export function keepPicture(phone: PhoneId, picture: ImageBitmap): void {
  const before = last.get(phone);
  last.set(phone, picture);
  if (before !== picture) before?.close();
}
