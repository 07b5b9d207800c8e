// Between the pointer on the mirror and the phone's picture. The picture is always shown whole, in the middle of its box.

import type { Bounds } from '../protocol';

/** Where pictures come from, the worst first. */
export type Rung = 'captures' | 'screenrecord' | 'scrcpy';

export interface Size {
  width: number;
  height: number;
}

export interface Rect extends Size {
  left: number;
  top: number;
}

export interface Point {
  x: number;
  y: number;
}

/** Where a picture lies in a box that shows it whole; null when either has no area. */
export function fit(box: Rect, picture: Size): Rect | null {
  if (!(box.width > 0 && box.height > 0 && picture.width > 0 && picture.height > 0)) return null;
  const scale = Math.min(box.width / picture.width, box.height / picture.height);
  const width = picture.width * scale;
  const height = picture.height * scale;
  return { left: box.left + (box.width - width) / 2, top: box.top + (box.height - height) / 2, width, height };
}

/** How far a picture's shape may be from the screen's: its sides are whole numbers, some a multiple of 8 or 16. */
const SHAPE_SLACK = 0.1;

/**
 * The part of a picture that is the phone's screen; null where the picture shows the screen as it was turned before.
 *
 * Captures and scrcpy fill their picture with the screen. The phone's screenrecord puts it whole and undistorted in the
 * middle of its picture, with bars beside it where their shapes differ (`setDisplayProjection` in AOSP's
 * `screenrecord.cpp`).
 */
export function screenIn(picture: Size, of: { screen: Size | null; rung: Rung }): Rect | null {
  const whole = { left: 0, top: 0, width: picture.width, height: picture.height };
  if (!of.screen) return whole;
  if (of.rung === 'screenrecord') return fit(whole, of.screen);
  const off = Math.log(picture.width / picture.height) - Math.log(of.screen.width / of.screen.height);
  return Math.abs(off) <= SHAPE_SLACK ? whole : null;
}

/**
 * A point on the page as a fraction of the picture, 0…1 from its left and top.
 *
 * Beside the picture there is no phone: null, unless `held` (a finger that began inside and slid over the edge
 * stays at the edge).
 */
export function toFraction(point: Point, box: Rect, picture: Size, held = false): Point | null {
  const shown = fit(box, picture);
  if (!shown) return null;
  const x = (point.x - shown.left) / shown.width;
  const y = (point.y - shown.top) / shown.height;
  if (held) return { x: clamp(x), y: clamp(y) };
  return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? { x, y } : null;
}

/** The other way: where a fraction of the picture lies on the page. */
export function toPage(fraction: Point, box: Rect, picture: Size): Point | null {
  const shown = fit(box, picture);
  return shown && { x: shown.left + fraction.x * shown.width, y: shown.top + fraction.y * shown.height };
}

/** The middle of a rectangle in pixels of a picture, as a fraction of it. */
export const middle = (bounds: Bounds, picture: Size): Point => ({
  x: clamp((bounds.left + bounds.right) / 2 / picture.width),
  y: clamp((bounds.top + bounds.bottom) / 2 / picture.height),
});

const clamp = (n: number): number => Math.min(1, Math.max(0, n));

/** What stands above every app says nothing about a step. */
const STATUS_BAR = 0.04;

/**
 * The part of a picture to show in a frame of the shape `aspect` (width by height): as wide as `share` of the
 * picture, around `ring` where there is one, else at the top under the status bar, and never over the edge.
 */
export function cropAround(ring: Bounds | undefined, picture: Size, aspect: number, share = 1): Bounds {
  const width = Math.min(picture.width * share, picture.height * aspect);
  const height = width / aspect;
  const centre = ring
    ? { x: (ring.left + ring.right) / 2, y: (ring.top + ring.bottom) / 2 }
    : { x: width / 2, y: picture.height * STATUS_BAR + height / 2 };
  const left = Math.round(between(centre.x - width / 2, 0, picture.width - width));
  const top = Math.round(between(centre.y - height / 2, 0, picture.height - height));
  return {
    left,
    top,
    right: Math.min(picture.width, left + Math.max(1, Math.round(width))),
    bottom: Math.min(picture.height, top + Math.max(1, Math.round(height))),
  };
}

const between = (n: number, least: number, most: number): number => Math.min(Math.max(n, least), Math.max(least, most));

/** A ring inside a crop, in hundredths of it; null when nothing of it is inside. */
export function within(ring: Bounds, crop: Bounds): Rect | null {
  const width = crop.right - crop.left;
  const height = crop.bottom - crop.top;
  const left = Math.max(ring.left, crop.left);
  const top = Math.max(ring.top, crop.top);
  const right = Math.min(ring.right, crop.right);
  const bottom = Math.min(ring.bottom, crop.bottom);
  if (right <= left || bottom <= top || width <= 0 || height <= 0) return null;
  return {
    left: ((left - crop.left) / width) * 100,
    top: ((top - crop.top) / height) * 100,
    width: ((right - left) / width) * 100,
    height: ((bottom - top) / height) * 100,
  };
}

/** The drawn phones, which show no picture, are this wide for their height. */
const BODY = 304 / 640;

/** What a body has around its glass, on every side: a part of its shorter side. As `PhoneBody` draws it. */
const BEZEL = 0.027;

/** Width by height of the body drawn around a phone's screen. A phone on its side lies on its side. */
export function bodyShape(screen: Size | null): number {
  if (!screen || !(screen.width > 0 && screen.height > 0)) return BODY;
  const aspect = screen.width / screen.height;
  const upright = Math.min(aspect, 1 / aspect);
  // The glass has the very shape of the picture, and its bezel is as wide on each side.
  const body = 1 / ((1 - 2 * BEZEL) / between(upright, 0.3, 1) + 2 * BEZEL);
  return aspect <= 1 ? body : 1 / body;
}
