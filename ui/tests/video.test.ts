import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readMessage } from '../src/phone/mirror-message';
import { configOf } from '../src/phone/video/codec';
import { Decoder, type Configuration, type Unit } from '../src/phone/video/decoder';
import { FakeDecoder, FakeFrame, stubDecoder } from './codec';
import { mirrorMessage } from './harness';

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
