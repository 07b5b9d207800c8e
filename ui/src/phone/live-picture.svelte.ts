// What is known of one live picture while it is shown.

import type { Size } from '../pictures/mapping';
import type { Rung } from '../pictures/mapping';
import type { NoPicture, Why } from './mirror-message';
import { STALE_MS } from './mirror-channel';
import type { MirrorNews } from './mirroring';
import type { Failure, PhoneId } from '../protocol';

export class Live {
  /** The screen on the canvas, in pixels there; null before the first picture. */
  size: Size | null = $state.raw(null);
  none: NoPicture | null = $state(null);
  /** When the picture on the screen was known to be the newest; 0 before the first one. */
  at = $state(0);
  failure: Failure | null = $state.raw(null);
  /** Where the pictures come from, and why from nowhere better; null before the first message. */
  rung: Rung | null = $state(null);
  why: Why | null = $state(null);
  /** The picture shows the phone as it is turned now: a touch on it goes where it seems to. */
  asShown = $state(true);

  /** What a mirror told, at `now`. */
  told(told: MirrorNews, now: number): void {
    this.failure = null;
    if (told.news === 'none') this.none = told.none;
    if (told.news === 'current') this.at = told.at ?? now;
    if (told.news === 'heard') {
      this.rung = told.head.rung;
      this.why = told.head.why;
      this.asShown = told.asShown;
    }
  }

  isStale(now: number): boolean {
    return this.at > 0 && now - this.at > STALE_MS;
  }
}

/**
 * Where the newest picture of each phone was drawn, so that a page that opens has something to show before its first
 * one comes. The canvas of a page that is gone keeps its pixels.
 */
const last = new Map<PhoneId, HTMLCanvasElement>();

export const lastPicture = (phone: PhoneId): HTMLCanvasElement | undefined => last.get(phone);

export const keepPicture = (phone: PhoneId, canvas: HTMLCanvasElement): void => void last.set(phone, canvas);
