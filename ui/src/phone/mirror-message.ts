// The form of a mirror's messages. Each is a head of 32 bytes, little endian, and what it is about:
//
// | at | type | is |
// |---|---|---|
// | 0 | u8 | kind: 1 picture (a JPEG file), 2 nothing to see, 3 configuration (what an `avcC` box holds), 4 access unit
//   (NAL units, each behind its length as a big-endian u32), 5 still alive and nothing changed |
// | 1 | u8 | flags: kind 2: 1 black, 2 protected, 3 failed; kind 4: bit 0 a key frame |
// | 2 | u8 | where the pictures come from: 0 captures, 1 the phone's screenrecord, 2 scrcpy |
// | 3 | u8 | why from nowhere better: 0 nothing to say, and `WHY` |
// | 4 | u32 | counts this mirror's messages, from 1 |
// | 8 | u16, u16 | width and height of the picture; 0 for kinds 2 and 5 |
// | 12 | u16, u16 | width and height of the phone's screen as it is turned now; 0 where unknown |
// | 16 | u64 | when it arrived at this computer, milliseconds since 1970 |
// | 24 | u64 | the stream's own time, microseconds; 0 for kinds 1 and 2 |

import type { Rung, Size } from '../pictures/mapping';

/** What every message says. */
export interface Head {
  seq: number;
  rung: Rung;
  /** Why there is no better one; null where there is nothing to say. */
  why: Why | null;
  /** The phone's screen in pixels, as it is turned now; null where unknown. */
  screen: Size | null;
  /** When it arrived at this computer, milliseconds since 1970. */
  at: number;
}

export type Message = Head &
  (
    | { kind: 'picture'; size: Size; jpeg: Uint8Array<ArrayBuffer> }
    | { kind: 'none'; none: NoPicture }
    | { kind: 'configuration'; size: Size; avcc: Uint8Array<ArrayBuffer> }
    | { kind: 'unit'; size: Size; isKey: boolean; nals: Uint8Array<ArrayBuffer> }
    | { kind: 'alive' }
    | { kind: 'unknown' }
  );

export type Why = 'no_server' | 'not_started' | 'ended' | 'no_screenrecord' | 'no_stream' | 'no_decoder';
/** Why there is no picture. */
export type NoPicture = 'black' | 'protected' | 'failed';

export const HEAD = 32;
const RUNGS: readonly Rung[] = ['captures', 'screenrecord', 'scrcpy'];
const WHY: readonly (Why | null)[] = [
  null,
  'no_server',
  'not_started',
  'ended',
  'no_screenrecord',
  'no_stream',
  'no_decoder',
];
const NONE: readonly (NoPicture | undefined)[] = [undefined, 'black', 'protected', 'failed'];
const KEY = 1;

/**
 * Reads one message, whatever it holds: null where there is no whole head. A kind that is not known, or one that
 * promises a picture that is not there, is `unknown`: it is done with as soon as it was read.
 */
export function readMessage(message: ArrayBuffer | ArrayLike<number>): Message | null {
  const buffer = message instanceof ArrayBuffer ? message : Uint8Array.from(message).buffer;
  if (buffer.byteLength < HEAD) return null;
  const view = new DataView(buffer);
  const [kind, flags] = [view.getUint8(0), view.getUint8(1)];
  const head: Head = {
    seq: view.getUint32(4, true),
    rung: RUNGS[view.getUint8(2)] ?? 'captures',
    why: WHY[view.getUint8(3)] ?? null,
    screen: readSize(view, 12),
    at: Number(view.getBigUint64(16, true)),
  };
  if (kind === 2) return { ...head, kind: 'none', none: NONE[flags] ?? 'failed' };
  if (kind === 5) return { ...head, kind: 'alive' };
  const size = readSize(view, 8);
  const payload = new Uint8Array(buffer, HEAD);
  if (size && payload.length > 0) {
    if (kind === 1) return { ...head, kind: 'picture', size, jpeg: payload };
    if (kind === 3) return { ...head, kind: 'configuration', size, avcc: payload };
    if (kind === 4) return { ...head, kind: 'unit', size, isKey: (flags & KEY) !== 0, nals: payload };
  }
  return { ...head, kind: 'unknown' };
}

function readSize(view: DataView, at: number): Size | null {
  const width = view.getUint16(at, true);
  const height = view.getUint16(at + 2, true);
  return width > 0 && height > 0 ? { width, height } : null;
}

const OLD_HEAD = 16;

/**
 * Reads the message of a program that has no streams: `u32 seq, u16 width, u16 height, u64 milliseconds`, little
 * endian, then a JPEG; without one the width says why.
 */
export function readOldMessage(message: ArrayBuffer | ArrayLike<number>): Message | null {
  const buffer = message instanceof ArrayBuffer ? message : Uint8Array.from(message).buffer;
  if (buffer.byteLength < OLD_HEAD) return null;
  const view = new DataView(buffer);
  const head: Head = {
    seq: view.getUint32(0, true),
    rung: 'captures',
    why: null,
    screen: null,
    at: Number(view.getBigUint64(8, true)),
  };
  const size = readSize(view, 4);
  if (buffer.byteLength > OLD_HEAD && size) {
    return { ...head, kind: 'picture', size, jpeg: new Uint8Array(buffer, OLD_HEAD) };
  }
  const code = buffer.byteLength === OLD_HEAD ? view.getUint16(4, true) : 3;
  return { ...head, kind: 'none', none: NONE[code] ?? 'failed' };
}
