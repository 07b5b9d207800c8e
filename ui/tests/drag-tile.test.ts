import { cleanup, fireEvent, render } from '@testing-library/svelte';
import axe from 'axe-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../src/app/App.svelte';
import { gapAt, placeIn } from '../src/phone/drag-tile';
import { has, part, parts, settle, stubApp, transcript } from './harness';

/** Tiles of 100 × 200 in rows of three, 20 apart. */
const boxOf = (n: number) => ({ left: (n % 3) * 120, top: Math.floor(n / 3) * 220, width: 100, height: 200 });
const boxes = [0, 1, 2, 3, 4].map(boxOf);

describe('a place', () => {
  const check = (x: number, y: number, from: number, gap: number, place: number, rtl = false): void => {
    const found = gapAt(boxes, { x, y }, rtl);
    expect([found, placeIn(found, from)]).toEqual([gap, place]);
  };

  it.each([
    ['before the first', 10, 100, 2, 0, 0],
    ['between two, carried forwards', 115, 100, 0, 1, 0],
    ['between two, carried backwards', 115, 100, 4, 1, 1],
    ['in the next row', 130, 300, 0, 4, 3],
    ['behind the last', 900, 900, 0, 5, 4],
    ['its own', 160, 120, 1, 1, 1],
  ])('%s', (_, x, y, from, gap, place) => check(x, y, from, gap, place));

  it('is counted from the right where one reads so', () => check(10, 100, 2, 1, 1, true));
});

describe('a tile', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
      return { ...boxOf(parts('tile').indexOf(this)) } as DOMRect;
    });
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  async function open() {
    const harness = stubApp('empty');
    harness.backend.watch.mockImplementation(async (tell) => transcript('phones').forEach(tell));
    location.hash = '';
    render(App, { app: harness.app });
    await settle();
    return { ...harness, order: harness.app.view.phones.map(({ id }) => id) };
  }

  const pointer = (name: string, target: Element, x: number, y: number, buttons = 1) =>
    fireEvent(target, new PointerEvent(name, { bubbles: true, cancelable: true, clientX: x, clientY: y, pointerId: 1, button: 0, buttons, pointerType: 'mouse' }));

  async function take(n: number, x: number, y: number): Promise<HTMLElement> {
    const tile = parts('tile')[n] as HTMLElement;
    await pointer('pointerdown', tile, boxOf(n).left + 50, boxOf(n).top + 100);
    await settle();
    await pointer('pointermove', tile, x, y);
    return tile;
  }

  it('lands where the line is, and does not open', async () => {
    const { app, backend, order } = await open();
    const tile = await take(0, 115, 300);
    expect([tile.classList.contains('carried'), part('landing').hidden]).toEqual([true, false]);
    vi.useRealTimers();
    const { violations } = await axe.run(document, { rules: { 'color-contrast': { enabled: false }, 'html-has-lang': { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
    vi.useFakeTimers();
    await pointer('pointerup', tile, 115, 300, 0);
    await fireEvent.click(tile.querySelector('a') as HTMLElement);
    await settle();
    expect([tile.classList.contains('carried'), has('landing'), location.hash]).toEqual([false, false, '']);
    const moved = [...order.slice(1, 4), order[0], ...order.slice(4)];
    expect(backend.patchSettings.mock.lastCall?.[0].phones?.map(({ phone }) => phone)).toEqual(moved);
    await vi.advanceTimersByTimeAsync(3000);
    expect(app.spoken).toContain('is now 4 of 5.');
  });

  it('goes back with Esc, and stays for less than a drag', async () => {
    const { backend } = await open();
    const tile = await take(0, 115, 300);
    await fireEvent.keyDown(document.body, { key: 'Escape' });
    expect([tile.classList.contains('carried'), has('landing')]).toEqual([false, false]);
    await pointer('pointerup', tile, 115, 300, 0);
    await take(0, 53, 100);
    expect(has('landing')).toBe(false);
    await pointer('pointerup', tile, 53, 100, 0);
    // A button that went up unseen is no drag.
    await take(1, 171, 100);
    await pointer('pointermove', tile, 400, 400, 0);
    expect(has('landing')).toBe(false);
    expect(backend.patchSettings).not.toHaveBeenCalled();
  });
});
