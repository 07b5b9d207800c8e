import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readMessage } from '../src/phone/mirror-message';
import { Acks } from '../src/phone/video/acks';
import { AVCC, QUARTERS, SIDE, UNITS } from '../src/phone/video/clip';
import { configOf } from '../src/phone/video/codec';
import { Decoder, type Configuration, type Unit } from '../src/phone/video/decoder';
import { Painter, type Frame } from '../src/phone/video/painter';
import { FakeDecoder, FakeFrame, stubDecoder } from './codec';
import { mirrorMessage } from './stage';

beforeEach(() => {
  vi.useFakeTimers();
  stubDecoder();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const SIZE: [number, number] = [432, 960];

const unit = (seq: number, isKey = false): Unit =>
  readMessage(mirrorMessage(4, { seq, flags: isKey ? 1 : 0, size: SIZE, body: [0, 0, 0, 1, seq & 255] })) as Unit;

const configuration = (seq = 1, last = 30): Configuration =>
  readMessage(mirrorMessage(3, { seq, size: SIZE, body: [1, 0x42, 0xc0, last] })) as Configuration;

describe('a stream’s record', () => {
  it.each([
    [[1, 0x42, 0xe0, 0x1e], 'avc1.42e01e'],
    [[1, 0x64, 0x00, 0x0b, 0xff], 'avc1.64000b'],
    [[0, 0x64, 0x00, 0x28], null],
    [[1, 0x64, 0x00], null],
    [[], null],
  ])('%j is %s', (bytes, codec) => {
    const config = configOf(Uint8Array.from(bytes));
    expect(config?.codec ?? null).toBe(codec);
    if (config) expect(config).toMatchObject({ optimizeForLatency: true, description: Uint8Array.from(bytes) });
  });
});

describe('a decoder', () => {
  function begin() {
    const told: string[] = [];
    const decoder = new Decoder({
      shown: (frame, { seq }) => {
        told.push(`shown ${seq}`);
        frame.close();
      },
      dropped: (seq) => told.push(`dropped ${seq}`),
      wantsKey: () => told.push('key'),
      gaveUp: () => told.push('gave up'),
    });
    const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
    return { decoder, told, pass };
  }

  it('gives out what it is given, in order, and leaves nothing open', async () => {
    const { decoder, told, pass } = begin();
    decoder.configure(configuration());
    for (let seq = 2; seq < 6; seq += 1) decoder.decode(unit(seq, seq === 2));
    await pass(10);
    expect(told).toEqual(['shown 2', 'shown 3', 'shown 4', 'shown 5']);
    expect(FakeFrame.open).toBe(0);
    expect(FakeDecoder.made).toHaveLength(1);
    expect(FakeDecoder.last.given.map(({ type }) => type)).toEqual(['key', 'delta', 'delta', 'delta']);
  });

  it('takes a few units at a time', async () => {
    FakeDecoder.delay = null;
    const { decoder, pass } = begin();
    decoder.configure(configuration());
    for (let seq = 2; seq < 12; seq += 1) decoder.decode(unit(seq, seq === 2));
    expect(FakeDecoder.last.given).toHaveLength(6);
    FakeDecoder.last.emit();
    await pass(0);
    expect(FakeDecoder.last.given).toHaveLength(7);
  });

  it('waits for a key frame, and asks for one at once and then every two seconds', async () => {
    const { decoder, told, pass } = begin();
    decoder.configure(configuration());
    for (let seq = 2; seq < 8; seq += 1) {
      decoder.decode(unit(seq));
      await pass(500);
    }
    expect(told.filter((one) => one === 'key')).toHaveLength(2);
    decoder.decode(unit(8, true));
    await pass(10);
    expect(told.slice(-2)).toEqual(['dropped 7', 'shown 8']);
  });

  it('has nothing to decode before it knows the form', () => {
    const { decoder, told } = begin();
    decoder.decode(unit(1, true));
    expect(told).toEqual(['dropped 1', 'key']);
    expect(FakeDecoder.made).toHaveLength(0);
  });

  it('leaves what waits for a newer key frame', async () => {
    FakeDecoder.delay = null;
    const { decoder, told, pass } = begin();
    decoder.configure(configuration());
    for (let seq = 2; seq < 11; seq += 1) decoder.decode(unit(seq, seq === 2));
    decoder.decode(unit(11, true));
    expect(told).toEqual(['dropped 10']);
    for (let i = 0; i < 7; i += 1) FakeDecoder.last.emit();
    await pass(1);
    expect(told.slice(1)).toEqual(['shown 2', 'shown 3', 'shown 4', 'shown 5', 'shown 6', 'shown 7', 'shown 11']);
  });

  it('holds no more than it may, whoever sends', () => {
    FakeDecoder.delay = null;
    const { decoder, told } = begin();
    decoder.configure(configuration());
    for (let seq = 2; seq < 60; seq += 1) decoder.decode(unit(seq, seq === 2));
    expect(FakeDecoder.last.given).toHaveLength(6);
    expect(told.slice(0, 3)).toEqual(['dropped 24', 'key', 'dropped 25']);
  });

  it('begins anew with another form, and shows nothing of the old one', async () => {
    FakeDecoder.delay = null;
    const { decoder, told, pass } = begin();
    decoder.configure(configuration(1));
    decoder.decode(unit(2, true));
    decoder.decode(unit(3));
    decoder.configure(configuration(4, 31));
    expect(told).toEqual(['dropped 3']);
    expect(FakeDecoder.made).toHaveLength(1);
    expect(FakeDecoder.last.config?.codec).toBe('avc1.42c01f');
    FakeDecoder.last.stray();
    FakeDecoder.delay = 2;
    decoder.decode(unit(5, true));
    await pass(10);
    expect(told).toEqual(['dropped 3', 'shown 5']);
    expect(FakeFrame.open).toBe(0);
  });

  it('goes on when the same form is told again', async () => {
    const { decoder, told, pass } = begin();
    decoder.configure(configuration(1));
    decoder.decode(unit(2, true));
    decoder.configure(configuration(3));
    decoder.decode(unit(4));
    await pass(10);
    expect(told).toEqual(['shown 2', 'shown 4']);
  });

  it('begins anew after a fault, at a key frame', async () => {
    const { decoder, told, pass } = begin();
    decoder.configure(configuration());
    decoder.decode(unit(2, true));
    await pass(10);
    decoder.decode(unit(3));
    decoder.decode(unit(4));
    FakeDecoder.last.fail();
    expect(told).toEqual(['shown 2', 'dropped 4', 'key']);
    decoder.decode(unit(5));
    decoder.decode(unit(6, true));
    await pass(10);
    expect(told.slice(3)).toEqual(['dropped 5', 'shown 6']);
    expect(FakeDecoder.made).toHaveLength(2);
  });

  it('gives up after three faults in a minute, and does nothing from then on', async () => {
    const { decoder, told, pass } = begin();
    decoder.configure(configuration());
    for (let fault = 0; fault < 3; fault += 1) {
      decoder.decode(unit(2 + fault, true));
      await pass(100);
      FakeDecoder.last.fail();
    }
    expect(told.filter((one) => one === 'key')).toHaveLength(2);
    expect(told.at(-1)).toBe('gave up');
    decoder.configure(configuration(9, 31));
    decoder.decode(unit(10, true));
    await pass(60_000);
    expect(told.at(-1)).toBe('gave up');
    expect(FakeDecoder.made).toHaveLength(3);
  });

  it('forgives a fault after a minute', async () => {
    const { decoder, told, pass } = begin();
    decoder.configure(configuration());
    for (let fault = 0; fault < 9; fault += 1) {
      decoder.decode(unit(2 + fault, true));
      await pass(30_001);
      FakeDecoder.last.fail();
    }
    expect(told).not.toContain('gave up');
  });

  it.each(['throws', 'fails'] as const)('gives up a form it %s at', async (how) => {
    FakeDecoder.refuses = () => how;
    const { decoder, told, pass } = begin();
    decoder.configure(configuration());
    await pass(100);
    expect(told).toEqual(['key', 'key', 'gave up']);
    expect(FakeDecoder.made.every(({ state }) => state === 'closed')).toBe(true);
  });

  it('counts a record that is none as a fault, and waits for another', async () => {
    const { decoder, told, pass } = begin();
    decoder.configure(readMessage(mirrorMessage(3, { size: SIZE, body: [7] })) as Configuration);
    expect(told).toEqual(['key']);
    decoder.configure(configuration(2));
    decoder.decode(unit(3, true));
    await pass(10);
    expect(told).toEqual(['key', 'shown 3']);
  });

  it('that keeps what it was given has a fault', async () => {
    FakeDecoder.delay = null;
    const { decoder, told, pass } = begin();
    decoder.configure(configuration());
    decoder.decode(unit(2, true));
    await pass(2999);
    expect(told).toEqual([]);
    await pass(1);
    expect(told).toEqual(['dropped 2', 'key']);
  });

  it('with nothing to do is not taken for stuck', async () => {
    const { decoder, told, pass } = begin();
    decoder.configure(configuration());
    decoder.decode(unit(2, true));
    await pass(100_000);
    expect(told).toEqual(['shown 2']);
  });

  it('closed while it decodes shows nothing more', async () => {
    const { decoder, told, pass } = begin();
    decoder.configure(configuration());
    decoder.decode(unit(2, true));
    const last = FakeDecoder.last;
    decoder.close();
    last.stray();
    decoder.decode(unit(3));
    decoder.configure(configuration(4, 31));
    await pass(10_000);
    expect(told).toEqual([]);
    expect(FakeFrame.open).toBe(0);
    expect(last.state).toBe('closed');
  });

  it('answers for every unit, and shows each once, whatever comes', async () => {
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.constant('delta') },
      { weight: 3, arbitrary: fc.constant('key') },
      { weight: 1, arbitrary: fc.constant('form') },
      { weight: 1, arbitrary: fc.constant('fail') },
      { weight: 3, arbitrary: fc.constant('wait') },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        stubDecoder();
        const { decoder, told, pass } = begin();
        decoder.configure(configuration());
        let seq = 1;
        let last = 0;
        for (const [at, what] of steps.entries()) {
          seq += 1;
          if (what === 'wait') await pass(5);
          else if (what === 'form') decoder.configure(configuration(seq, at));
          else if (what === 'fail') FakeDecoder.last.fail();
          else decoder.decode(unit((last = seq), what === 'key'));
        }
        await pass(10_000);
        const shown = told.filter((one) => one.startsWith('shown')).map((one) => Number(one.slice(6)));
        expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b));
        const answered = told.map((one) => Number(one.split(' ')[1] ?? 0)).filter((one) => one > 0);
        if (!told.includes('gave up')) expect(Math.max(0, ...answered)).toBe(last);
        // No change is ever given to a decoder before its key frame: that would be a fault of ours.
        expect(FakeFrame.open).toBe(0);
        for (const { given } of FakeDecoder.made) expect(given[0]?.type ?? 'key').toBe('key');
        if (told.includes('gave up')) expect(steps.filter((one) => one === 'fail').length).toBeGreaterThanOrEqual(3);
      }),
      { numRuns: 200 },
    );
  });
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

  async function decodes(): Promise<{ answer: boolean | undefined; again: () => Promise<boolean> }> {
    vi.resetModules();
    const module = await import('../src/phone/video/selftest');
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
