// What a finger (or a mouse) on the mirror means. A pure machine: pointer in, the phone's gesture out.

import type { Point } from './mapping';
import type { Hand } from './protocol';

/** Held this long without moving, a finger is holding. */
export const HOLD_MS = 500;
/** Moved less than this many CSS pixels, a finger did not move. */
export const SLOP = 8;
/** The phone takes no longer gesture. */
const MOST_MS = 10_000;

/** A finger that is down. */
export interface Finger {
  pointer: number;
  /** Fraction of the picture, and CSS pixels, where it went down. */
  start: Point;
  at: Point;
  since: number;
  moved: boolean;
  /** The hold was sent already: nothing more comes of this finger. */
  spent: boolean;
}

export const press = (pointer: number, start: Point, at: Point, since: number): Finger => ({
  pointer,
  start,
  at,
  since,
  moved: false,
  spent: false,
});

export function move(finger: Finger, at: Point): Finger {
  const far = Math.hypot(at.x - finger.at.x, at.y - finger.at.y) >= SLOP;
  return far && !finger.moved ? { ...finger, moved: true } : finger;
}

/** After `HOLD_MS`: a finger that stayed is a long press, sent while it is still down as on a phone. */
export function hold(finger: Finger): { finger: Finger; hand: Hand | null } {
  if (finger.moved || finger.spent) return { finger, hand: null };
  return { finger: { ...finger, spent: true }, hand: { hand: 'long_press', x: finger.start.x, y: finger.start.y } };
}

/** The finger goes up, at `end` of the picture. */
export function lift(finger: Finger, end: Point, now: number): Hand | null {
  if (finger.spent) return null;
  if (!finger.moved) return { hand: 'tap', x: finger.start.x, y: finger.start.y };
  return {
    hand: 'drag',
    x1: finger.start.x,
    y1: finger.start.y,
    x2: end.x,
    y2: end.y,
    durationMs: Math.round(Math.min(MOST_MS, Math.max(50, now - finger.since))),
  };
}

/** How far one turn of the wheel may draw the finger, as a fraction of the picture. */
const WHEEL_MOST = 0.35;

/** A turned wheel draws a finger the other way, from where the pointer is and inside the picture. */
export function wheel(at: Point, across: number, down: number): Hand | null {
  const limit = (n: number): number => Math.min(WHEEL_MOST, Math.max(-WHEEL_MOST, n));
  const inside = (n: number): number => Math.min(0.98, Math.max(0.02, n));
  const x1 = inside(at.x);
  const y1 = inside(at.y);
  const x2 = inside(x1 - limit(across));
  const y2 = inside(y1 - limit(down));
  if (Math.hypot(x2 - x1, y2 - y1) < 0.01) return null;
  return { hand: 'drag', x1, y1, x2, y2, durationMs: 200 };
}
