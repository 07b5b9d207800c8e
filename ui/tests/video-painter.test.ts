import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Acks } from '../src/phone/video/acks';
import { AVCC, QUARTERS, SIDE, UNITS } from '../src/phone/video/clip';
import { Painter, type Frame } from '../src/phone/video/painter';
import { FakeDecoder, FakeFrame, stubDecoder } from './codec';

beforeEach(() => {
  vi.useFakeTimers();
  stubDecoder();
  // The painter remembers the last press in its window. One of other tests was made at another clock, where it may be later than now:
  // here the last one was long ago.
  window.dispatchEvent(new Event('pointerdown'));
  vi.advanceTimersByTime(1000);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the painter', () => {
  function begin(fps = 60) {
    const told: string[] = [];
    const painter = new Painter<{ seq: number }>(
      (_, { seq }) => told.push(`drew ${seq}`),
      ({ seq }) => told.push(`done ${seq}`),
      () => fps,
    );
    let time = 0;
    const offer = (seq: number): void => {
      time += 1;
      painter.offer(new FakeFrame(time) as unknown as Frame, { seq });
    };
    return { painter, told, offer };
  }

  it('draws the newest when the window draws, and lets the others go', async () => {
    const { told, offer } = begin();
    for (const seq of [1, 2, 3]) offer(seq);
    expect(told).toEqual(['done 1', 'done 2']);
    expect(FakeFrame.open).toBe(1);
    await vi.advanceTimersByTimeAsync(20);
    expect(told).toEqual(['done 1', 'done 2', 'drew 3', 'done 3']);
    expect(FakeFrame.open).toBe(0);
  });

  it('draws no older picture after a newer one, and none that is not to be seen any more', async () => {
    const { painter, told, offer } = begin();
    offer(5);
    offer(4);
    await vi.advanceTimersByTimeAsync(20);
    offer(6);
    painter.skip(7);
    offer(7);
    await vi.advanceTimersByTimeAsync(20);
    expect(told).toEqual(['done 4', 'drew 5', 'done 5', 'done 6', 'done 7']);
    expect(FakeFrame.open).toBe(0);
  });

  it.each([
    [60, 55],
    [15, 14],
    [5, 5],
  ])('at %d a second draws no more than that, and hardly less', async (fps, least) => {
    const { told, offer } = begin(fps);
    for (let seq = 1; seq <= 120; seq += 1) {
      offer(seq);
      await vi.advanceTimersByTimeAsync(1000 / 120);
    }
    const drawn = told.filter((one) => one.startsWith('drew')).length;
    expect(drawn).toBeGreaterThanOrEqual(least);
    // The window's own beat here is one of 16 ms.
    expect(drawn).toBeLessThanOrEqual(fps * 1.05 + 1);
  });

  it.each([
    [15, true],
    [60, false],
  ])('at %d a second several draw at the same moments: %s', async (fps, shared) => {
    const moments = [new Set<number>(), new Set<number>(), new Set<number>()];
    const painters = moments.map(
      (drawn) => new Painter<{ seq: number }>(() => drawn.add(performance.now()), () => {}, () => fps),
    );
    for (let seq = 1; seq <= 200; seq += 1) {
      painters[seq % 3]!.offer(new FakeFrame(seq) as unknown as Frame, { seq });
      await vi.advanceTimersByTimeAsync(7);
    }
    for (const painter of painters) painter.close();
    const all = new Set(moments.flatMap((drawn) => [...drawn]));
    const most = Math.max(...moments.map((drawn) => drawn.size));
    // Their first pictures are drawn at once.
    expect(all.size <= most + 2).toBe(shared);
  });

  it.each([
    ['a tile waits', 15, 1, [true, false, true]],
    ['a large mirror does not', 60, 1, [true, true, true]],
    ['nobody who types stops a tile', 15, 30, [true, true, true]],
  ])('after a press %s', async (_, fps, presses, expected) => {
    const { told, offer } = begin(fps);
    const drawn: boolean[] = [];
    let seq = 0;
    const pass = async (ms: number): Promise<void> => {
      const before = told.length;
      for (let at = 0; at < ms; at += 10) {
        offer((seq += 1));
        await vi.advanceTimersByTimeAsync(10);
      }
      drawn.push(told.slice(before).some((one) => one.startsWith('drew')));
    };
    await pass(200);
    for (let press = 0; press < presses; press += 1) {
      window.dispatchEvent(new Event(presses > 1 ? 'keydown' : 'pointerdown'));
      await pass(80);
    }
    await pass(200);
    expect([drawn[0], drawn.slice(1, -1).some(Boolean), drawn.at(-1)]).toEqual(expected);
  });

  // The window's beat is here one of 16 ms that begins after what was drawn: 38, 13 and 5 without a pause.
  it.each([
    [10, 37, 39],
    [60, 9, 11],
    [200, 3, 4],
  ])('where a drawn picture takes the window %d ms leaves it time for the person', async (cost, least, most) => {
    let spent = 0;
    let drawn = 0;
    const clock = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => clock() + spent);
    const painter = new Painter<{ seq: number }>(
      () => {
        drawn += 1;
        spent += cost;
      },
      () => {},
      () => 60,
    );
    const until = performance.now() + 1000;
    for (let seq = 1; performance.now() < until; seq += 1) {
      painter.offer(new FakeFrame(seq) as unknown as Frame, { seq });
      await vi.advanceTimersByTimeAsync(5);
    }
    painter.close();
    vi.restoreAllMocks();
    expect(drawn).toBeGreaterThanOrEqual(least);
    expect(drawn).toBeLessThanOrEqual(most);
  });

  it('of a window that does not draw itself keeps one picture, not all', () => {
    vi.stubGlobal('requestAnimationFrame', () => 1);
    const { told, offer } = begin();
    for (let seq = 1; seq <= 500; seq += 1) offer(seq);
    expect(FakeFrame.open).toBe(1);
    expect(told).toHaveLength(499);
  });

  it('closed keeps nothing and draws nothing', async () => {
    const { painter, told, offer } = begin();
    offer(1);
    painter.close();
    offer(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(told).toEqual(['done 2']);
    expect(FakeFrame.open).toBe(0);
  });
});

describe('acknowledgements', () => {
  function begin() {
    const told: number[] = [];
    return { told, acks: new Acks((seq) => told.push(seq)) };
  }

  it('go out for four messages or after a tenth of a second', async () => {
    const { told, acks } = begin();
    for (let seq = 1; seq <= 6; seq += 1) {
      acks.heard(seq, true);
      acks.done(seq);
    }
    expect(told).toEqual([4]);
    await vi.advanceTimersByTimeAsync(99);
    expect(told).toEqual([4]);
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toEqual([4, 6]);
  });

  it('say at once what the sender waits for', () => {
    const { told, acks } = begin();
    acks.heard(1, true);
    acks.done(1, true);
    expect(told).toEqual([1]);
  });

  it('count what is not drawn once everything before it was', async () => {
    const { told, acks } = begin();
    acks.heard(1, false);
    acks.heard(2, true);
    acks.heard(3, false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).toEqual([]);
    acks.done(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(told).toEqual([3]);
  });

  it('never promise what is still to be drawn, never go back, and in the end say all', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ owed: fc.boolean(), done: fc.boolean(), wait: fc.integer({ min: 0, max: 60 }) })),
        async (steps) => {
          const { told, acks } = begin();
          const owed: number[] = [];
          for (const [at, step] of steps.entries()) {
            acks.heard(at + 1, step.owed);
            if (step.owed) owed.push(at + 1);
            if (step.done && owed.length > 0) acks.done(owed.shift() as number);
            await vi.advanceTimersByTimeAsync(step.wait);
            expect(told.at(-1) ?? 0).toBeLessThan(owed[0] ?? Infinity);
          }
          for (const seq of owed) acks.done(seq);
          await vi.advanceTimersByTimeAsync(200);
          expect(told.at(-1) ?? 0).toBe(steps.length);
          expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
          // Four of them at once, or some in a tenth of a second.
          const lasted = steps.reduce((sum, step) => sum + step.wait, 0) + 200;
          expect(told.length).toBeLessThanOrEqual(steps.length / 4 + lasted / 100 + 1);
        },
      ),
    );
  });
});

describe('the test of this window', () => {
  /** A canvas that shows the colours of the picture it was given last. */
  function stubCanvas(colours: (frame: FakeFrame) => readonly (readonly number[])[]): void {
    let shown: readonly (readonly number[])[] = [];
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
      drawImage: (frame: FakeFrame) => {
        shown = colours(frame);
      },
      getImageData: (x: number, y: number) => ({
        data: [...(shown[(x < SIDE / 2 ? 0 : 1) + (y < SIDE / 2 ? 0 : 2)] ?? []), 255],
      }),
    } as never);
  }
  const right = (frame: FakeFrame): readonly (readonly number[])[] => QUARTERS[frame.timestamp === 0 ? 0 : 1] ?? [];

  let windows = 0;
  async function decodes(): Promise<{ answer: boolean | undefined; again: () => Promise<boolean> }> {
    // A window finds the answer once: a copy of the module for each, and none that other tests are given.
    windows += 1;
    const file = `../src/phone/video/selftest.ts?window=${windows}`;
    const module = (await import(/* @vite-ignore */ file)) as typeof import('../src/phone/video/selftest');
    let answer: boolean | undefined;
    void module.decodes().then((yes) => (answer = yes));
    await vi.advanceTimersByTimeAsync(4000);
    return { answer, again: module.decodes };
  }

  it('is a clip of two units whose record says how long they are', () => {
    for (const text of UNITS) {
      const bytes = Buffer.from(text, 'base64');
      expect(bytes.readUInt32BE(0)).toBe(bytes.length - 4);
    }
    expect(AVCC.length + UNITS.join('').length).toBeLessThan(2048);
  });

  it('passes with both pictures and right colours, once', async () => {
    stubCanvas(right);
    const { answer, again } = await decodes();
    expect(answer).toBe(true);
    expect(FakeDecoder.last.config).toMatchObject({ codec: 'avc1.64000b', optimizeForLatency: true });
    expect(await again()).toBe(true);
    expect(FakeDecoder.made).toHaveLength(1);
    expect(FakeDecoder.last.state).toBe('closed');
    expect(FakeFrame.open).toBe(0);
  });

  it.each<[string, () => void]>([
    ['there is no decoder', () => vi.stubGlobal('VideoDecoder', undefined)],
    ['it refuses the form', () => (FakeDecoder.refuses = () => 'throws')],
    ['it fails later', () => (FakeDecoder.refuses = () => 'fails')],
    ['it keeps the pictures', () => (FakeDecoder.delay = null)],
    ['the pictures are grey', () => stubCanvas(() => QUARTERS[0]?.map(() => [128, 128, 128]) ?? [])],
    ['a picture cannot be looked at', () => vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({} as never)],
    ['the second is the first again', () => stubCanvas(() => QUARTERS[0] ?? [])],
  ])('fails where %s', async (_, spoil) => {
    stubCanvas(right);
    spoil();
    expect((await decodes()).answer).toBe(false);
  });

  it('that is late counts from then on, and nobody waits a second time', async () => {
    stubCanvas(right);
    FakeDecoder.delay = 9000;
    const { answer, again } = await decodes();
    expect(answer).toBe(false);
    expect(await again()).toBe(false);
    await vi.advanceTimersByTimeAsync(6000);
    expect(await again()).toBe(true);
  });
});
