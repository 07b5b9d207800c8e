// What a finger (or a mouse) on the mirror means. A pure machine: pointer in, the phone's gesture out.

import type { Point } from '../pictures/mapping';
import type { Hand } from '../protocol';

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
  /** Draws on the phone, is one of two that pinch, or is followed there while it is down. */
  does: 'draw' | 'pinch' | 'follow';
  moved: boolean;
  /** The hold was sent already: nothing more comes of this finger. */
  spent: boolean;
}

export const press = (
  pointer: number,
  start: Point,
  at: Point,
  since: number,
  does: Finger['does'] = 'draw',
): Finger => ({
  pointer,
  start,
  at,
  since,
  does,
  moved: false,
  spent: false,
});

export function move(finger: Finger, at: Point): Finger {
  const far = Math.hypot(at.x - finger.at.x, at.y - finger.at.y) >= SLOP;
  return far && !finger.moved ? { ...finger, moved: true } : finger;
}

/** After `HOLD_MS`: a finger that stayed is a long press, sent while it is still down as on a phone. */
export function hold(finger: Finger): { finger: Finger; hand: Hand | null } {
  if (finger.moved || finger.spent || finger.does !== 'draw') return { finger, hand: null };
  return { finger: { ...finger, spent: true }, hand: { hand: 'long_press', x: finger.start.x, y: finger.start.y } };
}

/** The finger goes up, at `end` of the picture: what it did, whole. */
export function lift(finger: Finger, end: Point, now: number): Hand | null {
  if (finger.spent) return null;
  const took = now - finger.since;
  const durationMs = Math.round(Math.min(MOST_MS, Math.max(50, took)));
  if (finger.does === 'pinch') return pinch(finger.start, end, durationMs);
  const { x, y } = finger.start;
  // One that was followed was held on the phone itself.
  if (!finger.moved) return { hand: finger.does === 'follow' && took >= HOLD_MS ? 'long_press' : 'tap', x, y };
  return { hand: 'drag', x1: x, y1: y, x2: end.x, y2: end.y, durationMs };
}

const MIDDLE: Point = { x: 0.5, y: 0.5 };
const STRONGEST = 5;

/** Two fingers around the middle: as far apart in the end as the pointer went from there, measured by its start. */
function pinch(start: Point, end: Point, durationMs: number): Hand | null {
  const away = (point: Point): number => Math.max(0.02, Math.hypot(point.x - MIDDLE.x, point.y - MIDDLE.y));
  return scaled(MIDDLE, away(end) / away(start), durationMs);
}

function scaled({ x, y }: Point, scale: number, durationMs: number): Hand | null {
  const within = Math.min(STRONGEST, Math.max(1 / STRONGEST, scale));
  return Math.abs(Math.log(within)) < 0.05 ? null : { hand: 'pinch', x, y, scale: within, durationMs };
}

/** A wheel turned by so many notches makes what is under the pointer smaller, or larger. */
export const zoom = (at: Point, down: number): Hand | null => scaled(at, Math.exp(-down * 0.3), 250);

/** Pixels, lines and pages of a wheel's turn in notches (`WheelEvent.deltaMode`). */
export const notches = (delta: number, mode: number): number => delta / ([100, 3, 1][mode] ?? 100);

/** A turned wheel, in notches; nothing for a turn nobody sees. */
export function wheel({ x, y }: Point, across: number, down: number): Hand | null {
  const limit = (n: number): number => Math.min(MOST_NOTCHES, Math.max(-MOST_NOTCHES, n));
  return Math.hypot(across, down) < 0.02 ? null : { hand: 'scroll', x, y, across: limit(across), down: limit(down) };
}

/** The phone takes no larger turn at once. */
const MOST_NOTCHES = 8;
