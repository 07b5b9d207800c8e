import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announcer } from '../src/announce';
import { hold, lift, move, press, wheel } from '../src/gesture';
import { givesKeysBack, phoneKey, phoneShortcut, shortcut } from '../src/keys';
import type { Hand } from '../src/protocol';
import { inOrder } from '../src/typing';

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

it('a turned wheel draws inside the picture, the other way', () => {
  expect(wheel({ x: 0.5, y: 0.5 }, 0, 0.2)).toMatchObject({ hand: 'drag', y1: 0.5, y2: 0.3 });
  expect(wheel({ x: 0.5, y: 0.5 }, 0, 0.001)).toBeNull();
  const n = fc.double({ min: -9, max: 9, noNaN: true });
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      n,
      n,
      (x, y, across, down) => {
        const hand = wheel({ x, y }, across, down);
        if (hand?.hand !== 'drag') return;
        for (const value of [hand.x1, hand.y1, hand.x2, hand.y2]) expect(value).toBeGreaterThan(0);
        for (const value of [hand.x1, hand.y1, hand.x2, hand.y2]) expect(value).toBeLessThan(1);
      },
    ),
  );
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
    for (const hand of [type('a'), type('b'), type('c'), enter, type('d')]) send(hand);
    expect(sent).toEqual([type('a')]);
    for (let i = 0; i < 4; i += 1) {
      waiting.shift()?.();
      await vi.runAllTimersAsync();
    }
    expect(sent).toEqual([type('a'), type('bc'), enter, type('d')]);
  });

  it('goes on after a gesture the phone refused', async () => {
    const sent: Hand[] = [];
    const send = inOrder(async (hand) => {
      sent.push(hand);
      if (sent.length === 1) throw new Error('refused');
    });
    send({ hand: 'key', key: 'back' });
    send({ hand: 'key', key: 'home' });
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
