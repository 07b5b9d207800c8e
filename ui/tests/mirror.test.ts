import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Live } from '../src/phone/live-picture.svelte';
import type { Rect } from '../src/pictures/mapping';
import { LARGE, TILE } from '../src/phone/mirror-channel';
import type { MirrorNews } from '../src/phone/mirroring';
import { Reader } from '../src/phone/video';
import type { Frame } from '../src/phone/video/painter';
import { FakeDecoder, FakeFrame, stubDecoder } from './codec';
import { mirrorMessage, NOW, pictureMessage, stubBackend, type Written } from './harness';

let decodes = true;

beforeEach(() => {
  vi.useFakeTimers();
  stubDecoder();
  vi.stubGlobal('createImageBitmap', async () => ({ width: 480, height: 1066, close() {} }));
  decodes = true;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms = 40): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

let phones = 0;

function open(phone = `phone ${(phones += 1)}`, backend = stubBackend()) {
  let tell: (message: ArrayBuffer) => void = () => undefined;
  backend.mirrorStart.mockImplementation(async (_phone, _aim, _video, listener) => {
    tell = listener;
    return 5;
  });
  const live = new Live();
  const painted: string[] = [];
  const news: MirrorNews[] = [];
  const [failed, again] = [vi.fn(), vi.fn()];
  const told = {
    phone,
    aim: LARGE,
    paint: (frame: Frame, part: Rect) => {
      const { timestamp } = frame as unknown as FakeFrame;
      painted.push([timestamp, part.left, part.top, part.width, part.height].map((n) => Math.round(n ?? 0)).join(' '));
    },
    told: (one: MirrorNews) => {
      news.push(one);
      live.told(one, NOW);
    },
    failed,
    again,
  };
  const mirror = new Reader(backend, told, async () => decodes);
  const hear = (kind: number, written: Written = {}): void => tell(mirrorMessage(kind, written));
  return { backend, mirror, live, painted, news, failed, again, hear, phone, tell: (m: ArrayBuffer) => tell(m) };
}

const SIZE = { size: [432, 960] as [number, number], screen: [1080, 2400] as [number, number], rung: 2 };
const RECORD = { ...SIZE, body: [1, 0x42, 0xc0, 0x1e] };
const KEY = { ...SIZE, flags: 1, body: [0, 0, 0, 1, 0x65] };
const CHANGE = { ...SIZE, body: [0, 0, 0, 1, 0x41] };

describe('a mirror', () => {
  it('of a window that decodes asks for a stream, decodes it and draws what is newest', async () => {
    const { backend, phone, hear, live, painted } = open();
    await pass();
    expect(backend.mirrorStart).toHaveBeenCalledExactlyOnceWith(phone, LARGE, true, expect.any(Function));
    hear(3, { ...RECORD, seq: 1 });
    hear(4, { ...KEY, seq: 2, at: NOW - 10 });
    hear(4, { ...CHANGE, seq: 3, at: NOW - 5 });
    await pass();
    expect(painted).toHaveLength(1);
    expect(live).toMatchObject({ rung: 'scrcpy', why: null, at: NOW - 5, asShown: true });
    await pass(100);
    expect(backend.mirrorAck.mock.calls).toEqual([[5, 3]]);
    expect(FakeFrame.open).toBe(0);
  });

  it('of a window that does not, or of a program without streams, takes pictures', async () => {
    decodes = false;
    const without = open();
    await pass();
    expect(without.backend.mirrorStart).toHaveBeenCalledWith(without.phone, LARGE, false, expect.any(Function));
    decodes = true;
    const backend = stubBackend();
    backend.hasStreams = false;
    const old = open('old', backend);
    await pass();
    expect(backend.mirrorStart).toHaveBeenCalledWith('old', LARGE, false, expect.any(Function));
    old.tell(Uint8Array.from([3, 0, 0, 0, 224, 1, 42, 4, 210, 4, 0, 0, 0, 0, 0, 0, 9, 9]).buffer);
    await pass();
    expect(old.painted).toHaveLength(1);
    expect(backend.mirrorAck).toHaveBeenCalledExactlyOnceWith(5, 3);
    old.mirror.aim(TILE);
    await pass();
    expect(backend.mirrorAim).not.toHaveBeenCalled();
  });

  it('asks for the next picture as soon as one was drawn, and skips those that came meanwhile', async () => {
    const unpacking: (() => void)[] = [];
    vi.stubGlobal('createImageBitmap', () => {
      return new Promise((done) => unpacking.push(() => done({ width: 480, height: 1066, close() {} })));
    });
    const { backend, tell, painted } = open();
    await pass();
    for (const seq of [1, 2, 3]) tell(pictureMessage(480, 1066, NOW, seq));
    for (let i = 0; i < 2; i += 1) {
      unpacking.shift()?.();
      await pass(1);
    }
    expect(unpacking).toHaveLength(0);
    await pass();
    expect(painted).toHaveLength(1);
    expect(backend.mirrorAck).toHaveBeenLastCalledWith(5, 3);
  });

  it('goes on after a picture that could not be unpacked', async () => {
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('half a picture')));
    const { backend, tell } = open();
    await pass();
    tell(pictureMessage(480, 1066, NOW, 4));
    await pass();
    expect(backend.mirrorAck).toHaveBeenCalledExactlyOnceWith(5, 4);
  });

  it('is stopped once, and says and draws nothing afterwards', async () => {
    const { backend, mirror, hear, painted, news } = open();
    await pass();
    hear(3, { ...RECORD, seq: 1 });
    hear(4, { ...KEY, seq: 2 });
    mirror.close();
    const told = news.length;
    hear(4, { ...KEY, seq: 3 });
    await pass(5000);
    mirror.close();
    await pass();
    expect(backend.mirrorStop).toHaveBeenCalledExactlyOnceWith(5);
    expect([painted.length, news.length, FakeFrame.open]).toEqual([0, told, 0]);
    expect(backend.mirrorAck).not.toHaveBeenCalled();
  });

  it('that cannot be opened says why', async () => {
    const backend = stubBackend();
    backend.mirrorStart.mockRejectedValue({ code: 'phone_gone' });
    const failed = vi.fn();
    const silent = { paint: vi.fn(), told: vi.fn(), again: vi.fn() };
    new Reader(backend, { phone: 'p', aim: TILE, failed, ...silent }, async () => true);
    await pass();
    expect(failed).toHaveBeenCalledExactlyOnceWith({ code: 'phone_gone' });
  });

  it('says what is wanted when it begins, and when that changes', async () => {
    const { backend, mirror } = open();
    mirror.aim(TILE);
    await pass();
    expect(backend.mirrorStart.mock.calls[0]?.[1]).toEqual(TILE);
    mirror.aim({ ...TILE });
    await pass();
    expect(backend.mirrorAim).not.toHaveBeenCalled();
    mirror.aim(LARGE);
    await pass();
    expect(backend.mirrorAim).toHaveBeenCalledExactlyOnceWith(5, LARGE);
  });

  it('whose stream fails three times is opened again for pictures, and that phone keeps to them', async () => {
    const { backend, hear, again, phone } = open();
    await pass();
    hear(3, { ...RECORD, seq: 1 });
    for (let seq = 2; seq < 5; seq += 1) {
      hear(4, { ...KEY, seq });
      await pass();
      FakeDecoder.last.fail();
    }
    await pass();
    expect(backend.mirrorKey.mock.calls).toEqual([[5], [5]]);
    expect(again).toHaveBeenCalledOnce();
    const second = open(phone);
    await pass();
    expect(second.backend.mirrorStart).toHaveBeenCalledWith(phone, LARGE, false, expect.any(Function));
  });

  it('draws the screen alone where the phone records it with bars', async () => {
    const { hear, painted } = open();
    FakeDecoder.size = [480, 960];
    await pass();
    hear(3, { ...RECORD, seq: 1, rung: 1 });
    hear(4, { ...KEY, seq: 2, rung: 1 });
    await pass();
    expect(painted[0]?.split(' ').slice(1).map(Number)).toEqual([24, 0, 432, 960]);
  });

  it('does not take a touch between a turn and its first picture', async () => {
    const { hear, live } = open();
    await pass();
    hear(3, { ...RECORD, seq: 1 });
    hear(4, { ...KEY, seq: 2 });
    await pass();
    expect(live.asShown).toBe(true);
    hear(5, { seq: 2, rung: 2, screen: [2400, 1080] });
    expect(live.asShown).toBe(false);
    FakeDecoder.size = [960, 432];
    const turned = { screen: [2400, 1080] as [number, number], size: [960, 432] as [number, number] };
    hear(3, { ...RECORD, ...turned, seq: 3, body: [1, 0x42, 0xc0, 0x1f] });
    hear(4, { ...KEY, ...turned, seq: 4 });
    expect(live.asShown).toBe(false);
    await pass();
    hear(5, { seq: 4, rung: 2, screen: [2400, 1080] });
    expect(live.asShown).toBe(true);
  });
});

describe('a picture is current', () => {
  async function begin() {
    const mirror = open();
    await pass();
    mirror.hear(3, { ...RECORD, seq: 1 });
    mirror.hear(4, { ...KEY, seq: 2, at: NOW - 20_000 });
    await pass();
    return mirror;
  }

  it('as of when it came, and as long as nothing changes', async () => {
    const { hear, live } = await begin();
    expect(live.isStale(NOW)).toBe(true);
    hear(5, { seq: 2, at: NOW - 20_000 });
    expect(live.at).toBe(NOW);
    expect(live.isStale(NOW + 3000)).toBe(false);
    expect(live.isStale(NOW + 3001)).toBe(true);
  });

  it('not while changes are lost', async () => {
    const { hear, live } = await begin();
    FakeDecoder.last.fail();
    hear(4, { ...CHANGE, seq: 3 });
    hear(5, { seq: 3 });
    await pass();
    expect(live.at).toBe(NOW - 20_000);
    hear(4, { ...KEY, seq: 4 });
    hear(5, { seq: 4 });
    expect(live.at).toBe(NOW - 20_000);
    await pass();
    expect(live.at).toBe(NOW);
  });

  it('not while one that came is not drawn', async () => {
    const { hear, live } = await begin();
    vi.stubGlobal('requestAnimationFrame', () => 1);
    hear(4, { ...CHANGE, seq: 3 });
    await pass(1000);
    hear(5, { seq: 3 });
    expect(live.at).toBe(NOW - 20_000);
  });

  it('and is none where the phone says so; an older one does not come back', async () => {
    const { hear, live, painted } = await begin();
    hear(4, { ...CHANGE, seq: 3 });
    hear(2, { seq: 4, flags: 2 });
    await pass();
    expect(live.none).toBe('protected');
    expect(painted).toHaveLength(1);
    hear(4, { ...CHANGE, seq: 5 });
    await pass();
    expect(painted).toHaveLength(2);
  });
});
