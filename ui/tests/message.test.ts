import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEAD, readMessage, readOldMessage, type Message } from '../src/phone/mirror-message';

/** A message as the program writes it. */
function written(kind: number, more: { flags?: number; rung?: number; why?: number } = {}, body = ''): number[] {
  const { flags = 0, rung = 0, why = 0 } = more;
  const seq = 1;
  const picture = kind === 2 || kind === 5 ? [0, 0, 0, 0] : [0x1c, 0x02, 0xb0, 0x04];
  const screen = [0x38, 0x04, 0x60, 0x09];
  const at = [1, 2, 3, 4, 5, 0, 0, 0];
  const time = [9, 0, 0, 0, 0, 0, 0, 0];
  const bytes = body.split('').map((one) => one.charCodeAt(0));
  return [kind, flags, rung, why, seq, 0, 0, 0, ...picture, ...screen, ...at, ...time, ...bytes];
}

const HEADED = { seq: 1, rung: 'captures', why: null, screen: { width: 1080, height: 2400 }, at: 0x0504030201 };
const SIZE = { width: 540, height: 1200 };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a message', () => {
  it.each<[string, number[], object | null]>([
    ['a picture', written(1, {}, 'jpeg'), { kind: 'picture', size: SIZE, jpeg: bytes('jpeg') }],
    ['black', written(2, { flags: 1 }), { kind: 'none', none: 'black' }],
    ['protected', written(2, { flags: 2 }), { kind: 'none', none: 'protected' }],
    ['failed', written(2, { flags: 3 }), { kind: 'none', none: 'failed' }],
    ['nothing, for no known reason', written(2, { flags: 77 }), { kind: 'none', none: 'failed' }],
    ['a configuration', written(3, {}, 'avcC'), { kind: 'configuration', size: SIZE, avcc: bytes('avcC') }],
    ['a key frame', written(4, { flags: 1 }, 'nals'), { kind: 'unit', size: SIZE, isKey: true, nals: bytes('nals') }],
    ['a change', written(4, { flags: 2 }, 'nals'), { kind: 'unit', size: SIZE, isKey: false, nals: bytes('nals') }],
    ['alive', written(5, { flags: 1 }), { kind: 'alive' }],
    ['alive, with too much', written(5, {}, 'more'), { kind: 'alive' }],
    ['screenrecord', written(5, { rung: 1, why: 1 }), { kind: 'alive', rung: 'screenrecord', why: 'no_server' }],
    ['scrcpy', written(5, { rung: 2 }), { kind: 'alive', rung: 'scrcpy' }],
    ['a rung of tomorrow', written(5, { rung: 9, why: 99 }), { kind: 'alive', rung: 'captures', why: null }],
    ['no decoder', written(5, { why: 6 }), { kind: 'alive', why: 'no_decoder' }],
    ['a picture that is not there', written(1), { kind: 'unknown' }],
    ['a unit that is not there', written(4, { flags: 1 }), { kind: 'unknown' }],
    ['a kind of tomorrow', written(200, {}, 'body'), { kind: 'unknown' }],
    ['a picture of no size', [...written(1).fill(0, 8, 12), 1], { kind: 'unknown' }],
    ['no screen size', written(5).fill(0, 12, 14), { kind: 'alive', screen: null }],
    [
      'the largest numbers',
      written(5).fill(255, 4, 32),
      { kind: 'alive', seq: 4294967295, screen: { width: 65535, height: 65535 }, at: 2 ** 64 },
    ],
    ['half a head', written(1).slice(0, HEAD - 1), null],
    ['nothing at all', [], null],
  ])('says %s', (_, message, expected) => {
    expect(readMessage(message)).toEqual(expected && { ...HEADED, ...expected });
    // As the web view hands it over, and as it does for short ones.
    expect(readMessage(Uint8Array.from(message).buffer)).toEqual(readMessage(message));
  });

  it('is read whatever its bytes are, and never shows what was not sent', () => {
    const any = fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc
        .tuple(fc.integer({ min: 0, max: 6 }), fc.uint8Array({ minLength: HEAD - 1, maxLength: 80 }))
        .map(([kind, rest]) => Uint8Array.of(kind, ...rest)),
    );
    fc.assert(
      fc.property(any, (message) => {
        const read = readMessage(message);
        expect(read === null).toBe(message.length < HEAD);
        if (!read) return;
        expect(read.seq).toBe(message.slice(4, 8).reduceRight((sum, byte) => sum * 256 + byte, 0));
        if (read.screen) expect(read.screen.width * read.screen.height).toBeGreaterThan(0);
        const body = payload(read);
        if (body) expect([...body]).toEqual([...message.slice(HEAD)]);
        if (body) expect(body.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });
});

function payload(message: Message): Uint8Array | null {
  if (message.kind === 'picture') return message.jpeg;
  if (message.kind === 'configuration') return message.avcc;
  return message.kind === 'unit' ? message.nals : null;
}

describe('a message of a program without streams', () => {
  /** `u32 seq, u16 width, u16 height, u64 milliseconds`, then a JPEG. */
  const old = (width: number, height: number, body: number[] = []): number[] => {
    const sides = [width & 255, width >> 8, height & 255, height >> 8];
    return [7, 0, 0, 0, ...sides, 210, 4, 0, 0, 0, 0, 0, 0, ...body];
  };

  it.each<[number[], object | null]>([
    [old(480, 1066, [1]), { kind: 'picture', seq: 7, at: 1234, size: { width: 480, height: 1066 } }],
    [old(1, 0), { kind: 'none', none: 'black' }],
    [old(2, 0), { kind: 'none', none: 'protected' }],
    [old(3, 0), { kind: 'none', none: 'failed' }],
    [old(9, 0), { kind: 'none', none: 'failed' }],
    [old(0, 5, [1]), { kind: 'none', none: 'failed' }],
    [old(480, 1066).slice(1), null],
  ])('%j is %j', (message, expected) => {
    const read = readOldMessage(message);
    if (expected) expect(read).toMatchObject(expected);
    else expect(read).toBeNull();
  });
});
