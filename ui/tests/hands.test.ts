import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announcer } from '../src/kit/announce';
import { hold, lift, move, notches, press, wheel, zoom, type Finger } from '../src/phone/gesture';
import { givesKeysBack, phoneKey, phoneShortcut, shortcut } from '../src/kit/keyboard';
import type { Hand } from '../src/protocol';
import { inOrder } from '../src/phone/input-queue';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('a finger', () => {
  const down = press(1, { x: 0.5, y: 0.25 }, { x: 100, y: 100 }, 0);

  it('that hardly moves taps', () => {
    expect(lift(move(down, { x: 104, y: 103 }), { x: 0.51, y: 0.26 }, 90)).toEqual({ hand: 'tap', x: 0.5, y: 0.25 });
  });

  it('that stays is a long press, once, while it is still down', () => {
    const held = hold(down);
    expect(held.hand).toEqual({ hand: 'long_press', x: 0.5, y: 0.25 });
    expect(hold(held.finger).hand).toBeNull();
    expect(lift(held.finger, { x: 0.5, y: 0.25 }, 900)).toBeNull();
  });

  it('that moves draws, and never for longer than the phone takes', () => {
    const moved = move(down, { x: 100, y: 300 });
    expect(hold(moved).hand).toBeNull();
    expect(lift(moved, { x: 0.5, y: 0.75 }, 240)).toEqual({
      hand: 'drag',
      x1: 0.5,
      y1: 0.25,
      x2: 0.5,
      y2: 0.75,
      durationMs: 240,
    });
    expect(lift(moved, { x: 0.5, y: 0.75 }, 60_000)).toMatchObject({ durationMs: 10_000 });
  });
});

describe('a finger that', () => {
  const from = (does: Finger['does'], x: number, y: number): Finger => press(1, { x, y }, { x: 0, y: 0 }, 0, does);

  it('is followed is told whole for a phone that does not follow after all', () => {
    const down = from('follow', 0.2, 0.4);
    expect(hold(down).hand).toBeNull();
    expect(lift(down, { x: 0.2, y: 0.4 }, 90)).toEqual({ hand: 'tap', x: 0.2, y: 0.4 });
    expect(lift(down, { x: 0.2, y: 0.4 }, 700)).toEqual({ hand: 'long_press', x: 0.2, y: 0.4 });
    expect(lift(move(down, { x: 0, y: 90 }), { x: 0.2, y: 0.9 }, 700)).toMatchObject({ hand: 'drag', y2: 0.9 });
  });

  it.each([
    [0.5, 0.4, 0.5, 0.3, 2],
    [0.5, 0.3, 0.5, 0.4, 0.5],
    [0.5, 0.49, 0.5, 0, 5],
    [0.5, 0.5, 0.5, 0.5, null],
  ])('pinches from (%d, %d) to (%d, %d) makes things %s as large', (x, y, toX, toY, scale) => {
    const hand = lift(from('pinch', x, y), { x: toX, y: toY }, 300);
    if (scale === null) expect(hand).toBeNull();
    else expect(hand).toMatchObject({ hand: 'pinch', x: 0.5, y: 0.5, scale: expect.closeTo(scale, 5), durationMs: 300 });
  });
});

describe('a wheel', () => {
  it.each([
    [100, 0, 1],
    [-250, 0, -2.5],
    [3, 1, 1],
    [1, 2, 1],
    [200, 9, 2],
  ])('turned by %d (mode %d) is turned by %d notches', (delta, mode, expected) => {
    expect(notches(delta, mode)).toBeCloseTo(expected, 5);
  });

  it('is told in notches, where it is turned, and within what a phone takes', () => {
    expect(wheel({ x: 0.5, y: 0.25 }, 0, 1)).toEqual({ hand: 'scroll', x: 0.5, y: 0.25, across: 0, down: 1 });
    expect(wheel({ x: 0.5, y: 0.5 }, 0, 0.01)).toBeNull();
    const n = fc.double({ min: -99, max: 99, noNaN: true });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, n, n, (x, y, across, down) => {
        const hand = wheel({ x, y }, across, down);
        if (hand?.hand !== 'scroll') return;
        expect([hand.x, hand.y]).toEqual([x, y]);
        expect(Math.max(Math.abs(hand.across), Math.abs(hand.down))).toBeLessThanOrEqual(8);
        expect(Math.sign(hand.down)).toBe(Math.sign(down));
      }),
    );
  });

  it('with the modifier makes things larger when it is turned away, and back again', () => {
    const hands = [zoom({ x: 0.3, y: 0.7 }, -1), zoom({ x: 0.3, y: 0.7 }, 1)];
    const scales = hands.map((hand) => (hand?.hand === 'pinch' ? hand.scale : NaN));
    expect(scales[0]).toBeGreaterThan(1);
    expect((scales[0] ?? 0) * (scales[1] ?? 0)).toBeCloseTo(1, 5);
    expect(zoom({ x: 0, y: 0 }, 0.01)).toBeNull();
    expect(zoom({ x: 0, y: 0 }, -99)).toMatchObject({ scale: 5 });
  });
});

describe('a key', () => {
  const key = (name: string, more: Partial<KeyboardEvent> = {}) => ({
    key: name,
    code: '',
    ctrlKey: false,
    altKey: false,
    metaKey: false,
    shiftKey: false,
    ...more,
  });

  it('that the phone has goes there; letters come as text', () => {
    expect(phoneKey(key('Enter'))).toEqual({ hand: 'key', key: 'enter' });
    expect(phoneKey(key('ArrowUp'))).toEqual({ hand: 'key', key: 'up' });
    expect(phoneKey(key('a'))).toBeNull();
    expect(phoneKey(key('Enter', { ctrlKey: true }))).toBeNull();
  });

  it('gives the keys back with Ctrl+Alt+Esc and nothing less', () => {
    expect(givesKeysBack(key('Escape', { ctrlKey: true, altKey: true }))).toBe(true);
    expect(givesKeysBack(key('Escape'))).toBe(false);
    expect(givesKeysBack(key('Escape', { ctrlKey: true }))).toBe(false);
  });

  it.each([
    ['k', { ctrlKey: true }, true, 'composer'],
    ['/', {}, false, 'composer'],
    ['/', {}, true, null],
    ['.', { ctrlKey: true }, true, 'pause'],
    ['>', { ctrlKey: true, shiftKey: true, code: 'Period' }, true, 'pause_all'],
    ['5', { ctrlKey: true }, false, 'page_5'],
    ['5', {}, false, null],
    ['?', { shiftKey: true }, false, 'help'],
    ['?', { shiftKey: true }, true, null],
    ['Escape', {}, false, 'back'],
    ['Escape', {}, true, null],
    ['Escape', { ctrlKey: true, altKey: true }, false, null],
    ['k', { ctrlKey: true, altKey: true }, false, null],
  ])('%s with %j (in text: %s) is %s', (name, more, inText, expected) => {
    expect(shortcut(key(name, more), inText)).toBe(expected);
  });

  it('T, S, R and K work outside of text alone', () => {
    expect(['t', 's', 'r', 'k', 'x'].map((name) => phoneShortcut(key(name), false))).toEqual([
      'take_over',
      'screenshot',
      'rotate',
      'keyboard',
      null,
    ]);
    expect(phoneShortcut(key('t'), true)).toBeNull();
    expect(phoneShortcut(key('t', { ctrlKey: true }), false)).toBeNull();
  });
});

describe('what a hand does', () => {
  it('reaches the phone in order, one call at a time, letters together', async () => {
    const sent: Hand[] = [];
    const waiting: (() => void)[] = [];
    const send = inOrder((hand) => {
      sent.push(hand);
      return new Promise((done) => waiting.push(done));
    });
    const type = (text: string): Hand => ({ hand: 'type', text });
    const enter: Hand = { hand: 'key', key: 'enter' };
    for (const hand of [type('a'), type('b'), type('c'), enter, type('d')]) void send(hand);
    expect(sent).toEqual([type('a')]);
    for (let i = 0; i < 4; i += 1) {
      waiting.shift()?.();
      await vi.runAllTimersAsync();
    }
    expect(sent).toEqual([type('a'), type('bc'), enter, type('d')]);
  });

  it('of a finger’s way, only where it is now', async () => {
    const sent: Hand[] = [];
    let first: () => void = () => undefined;
    const send = inOrder((hand) => {
      sent.push(hand);
      return sent.length === 1 ? new Promise((done) => (first = done)) : Promise.resolve();
    });
    const finger = (phase: 'down' | 'move' | 'up', x: number): Hand => ({ hand: 'finger', phase, x, y: 0 });
    const done = ['down', 'move', 'move', 'move', 'up'].map((phase, x) => send(finger(phase as 'down', x / 10)));
    first();
    await Promise.all(done);
    expect(sent).toEqual([finger('down', 0), finger('move', 0.3), finger('up', 0.4)]);
  });

  it.each([
    ['needs_scrcpy', ['finger', 'tap']],
    ['phone_gone', ['finger']],
  ])('is done the other way where the phone does not follow fingers, and never twice: %s', async (code, expected) => {
    const sent: string[] = [];
    const send = inOrder(async ({ hand }) => {
      sent.push(hand);
      if (hand === 'finger') throw { code };
    });
    await send({ hand: 'finger', phase: 'up', x: 0, y: 0 }, { hand: 'tap', x: 0, y: 0 });
    expect(sent).toEqual(expected);
  });

  it('goes on after a gesture the phone refused', async () => {
    const sent: Hand[] = [];
    const send = inOrder(async (hand) => {
      sent.push(hand);
      if (sent.length === 1) throw new Error('refused');
    });
    void send({ hand: 'key', key: 'back' });
    void send({ hand: 'key', key: 'home' });
    await vi.runAllTimersAsync();
    expect(sent).toHaveLength(2);
  });
});

it('a screen reader is told at most one sentence in two seconds, the newest', () => {
  const told: string[] = [];
  const announce = announcer((sentence) => told.push(sentence));
  announce('one');
  announce('two');
  announce('three');
  expect(told).toEqual(['one']);
  vi.advanceTimersByTime(2000);
  expect(told).toEqual(['one', 'three']);
  vi.advanceTimersByTime(10_000);
  announce('four');
  expect(told).toEqual(['one', 'three', 'four']);
});
