// A phone's live picture: how large it is asked for, and how it is opened.

import type { Aim, Backend } from '../backend';
import type { Mirror, Mirroring } from './mirroring';

export const LARGE: Aim = { fps: 60, longestSide: 1280 };
export const TILE: Aim = { fps: 15, longestSide: 480 };
/** Many tiles share the rate. */
export const MANY_TILES = 8;
export const CROWDED: Aim = { ...TILE, fps: 5 };

/** Asked for in steps of this many pixels: a window that is dragged asks a few times, not at each pixel. */
const STEP = 160;
/** Pixels of the longer side at most: more is not seen, and costs. */
const MOST = 2560;
/** Phones send whole blocks of eight: their shorter side may lose four pixels, the longer one three times that. */
const BLOCKS = 12;

/** `least`, or as many pixels as are shown: `shown` CSS pixels of the longer side, each `density` pixels of the display. */
export const aimFor = (least: Aim, shown: number, density: number): Aim => ({
  ...least,
  longestSide: Math.max(least.longestSide, Math.min(MOST, Math.ceil((shown * density + BLOCKS) / STEP) * STEP)),
});

/** A picture older than this is not live any more. */
export const STALE_MS = 3000;

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
