// What is asked of a live picture, and what is told of it.

import type { Aim } from '../backend';
import type { Rect } from '../pictures/mapping';
import type { PhoneId } from '../protocol';
import type { Head, NoPicture } from './mirror-message';
import type { Frame } from './video/painter';

export interface Mirroring {
  phone: PhoneId;
  aim: Aim;
  /** Draws this part of a picture; it is closed afterwards. */
  paint: (frame: Frame, part: Rect) => void;
  told: (news: MirrorNews) => void;
  failed: (error: unknown) => void;
  /** This mirror shows nothing more; one opened now would. */
  again: () => void;
}

export type MirrorNews =
  /** Something came. `asShown`: what is on the screen shows the phone as it is turned now. */
  | { news: 'heard'; head: Head; asShown: boolean }
  /** What is on the screen was so at that moment; null: now. */
  | { news: 'current'; at: number | null }
  | { news: 'none'; none: NoPicture };

export interface Mirror {
  aim(aim: Aim): void;
  close(): void;
}
