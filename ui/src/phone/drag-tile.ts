// Drag and drop of tiles: one is dragged to another place by the pointer. A line shows where it would land; Esc puts it back.

import type { AppState } from '../state/app-state.svelte';
import type { Point, Rect } from '../pictures/mapping';
import { SLOP } from './gesture';
import { putAt } from './place';

/** Half of the room between two tiles. */
const ASIDE = 10;

/** Before which of the tiles a point is, in the order they are read; behind the last: how many there are. */
export function gapAt(boxes: Rect[], { x, y }: Point, rtl: boolean): number {
  const middle = (box: Rect): Point => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
  const far = boxes.map((box) => Math.hypot(x - middle(box).x, y - middle(box).y));
  const nearest = far.indexOf(Math.min(...far));
  const box = boxes[nearest];
  if (!box) return 0;
  return x > middle(box).x !== rtl ? nearest + 1 : nearest;
}

/** The place a tile has that is taken from `from` and put into that gap. */
export const placeIn = (gap: number, from: number): number => (gap > from ? gap - 1 : gap);

/** The line between two tiles. */
function showGap(line: HTMLElement, boxes: Rect[], gap: number, rtl: boolean): void {
  const before = boxes[gap];
  const box = before ?? boxes[gap - 1];
  if (!box) return;
  const starts = (before !== undefined) !== rtl;
  line.style.left = `${starts ? box.left - ASIDE : box.left + box.width + ASIDE}px`;
  line.style.top = `${box.top}px`;
  line.style.height = `${box.height}px`;
}

/** Follows the pointer that went down on a tile of `grid`, until it goes up. */
export function dragTile(app: AppState, grid: HTMLElement, down: PointerEvent): void {
  const tiles = [...grid.querySelectorAll<HTMLElement>('[data-part=tile]')];
  const tile = down.target instanceof Element ? down.target.closest<HTMLElement>('[data-part=tile]') : null;
  const from = tile ? tiles.indexOf(tile) : -1;
  const phone = app.view.phones[from];
  if (!tile || !phone) return;
  const rtl = document.dir === 'rtl';
  const boxes = tiles.map((one) => one.getBoundingClientRect());
  const line = Object.assign(document.createElement('i'), { className: 'landing', ariaHidden: 'true' });
  line.dataset.part = 'landing';
  const over = new AbortController();
  let to: number | null = null;

  const follow = (event: PointerEvent): void => {
    if (event.pointerId !== down.pointerId) return;
    // It went up before anybody listened.
    if (event.buttons === 0) return over.abort();
    const by = { x: event.clientX - down.clientX, y: event.clientY - down.clientY };
    if (to === null) {
      if (Math.hypot(by.x, by.y) < SLOP) return;
      tile.classList.add('carried');
      document.body.append(line);
    }
    const gap = gapAt(boxes, { x: event.clientX, y: event.clientY }, rtl);
    to = placeIn(gap, from);
    tile.style.translate = `${by.x}px ${by.y}px`;
    line.hidden = to === from;
    showGap(line, boxes, gap, rtl);
  };

  const drop = (event: PointerEvent): void => {
    if (event.pointerId !== down.pointerId) return;
    const target = to;
    over.abort();
    if (target === null) return;
    // The click that follows would open the phone.
    const still = (click: Event): void => {
      click.preventDefault();
      click.stopPropagation();
    };
    addEventListener('click', still, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', still, { capture: true }));
    if (target !== from) void putAt(app, phone, target);
  };

  over.signal.addEventListener('abort', () => {
    line.remove();
    tile.classList.remove('carried');
    tile.style.translate = '';
    to = null;
  });
  const { signal } = over;
  addEventListener('pointermove', follow, { signal });
  addEventListener('pointerup', drop, { signal });
  addEventListener('pointercancel', () => over.abort(), { signal });
  // Where the page scrolls, every box is elsewhere.
  addEventListener('wheel', () => over.abort(), { signal });
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      over.abort();
    },
    { signal, capture: true },
  );
}
