// A phone's live picture: what is wanted of it, what is told of it, and how it is opened.

import type { Aim, Backend } from './backend';
import type { Rect } from './mapping';
import type { Head, NoPicture } from './message';
import type { PhoneId } from './protocol';
import type { Frame } from './video/painter';

export const LARGE: Aim = { fps: 60, longestSide: 1280 };
export const TILE: Aim = { fps: 15, longestSide: 480 };
/** Many tiles share the rate. */
export const MANY_TILES = 8;
export const CROWDED: Aim = { ...TILE, fps: 5 };

/** A picture older than this is not live any more. */
export const STALE_MS = 3000;

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

/** Opens a mirror and keeps it going until it is closed. What is shown is always the newest. */
export function openMirror(backend: Backend, mirroring: Mirroring): Mirror {
  let reader: Mirror | null = null;
  let isClosed = false;
  let { aim } = mirroring;
  import('./video').then(({ Reader }) => {
    if (!isClosed) reader = new Reader(backend, { ...mirroring, aim });
  }, mirroring.failed);
  return {
    aim: (other) => {
      aim = other;
      reader?.aim(aim);
    },
    close: () => {
      isClosed = true;
      reader?.close();
    },
  };
}
