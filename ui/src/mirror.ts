// A phone's live picture: the message's form, and the conversation about it with the backend.

import type { Backend } from './backend';
import type { PhoneId } from './protocol';

/** One message of a mirror. */
export type Picture =
  | { seq: number; at: number; width: number; height: number; jpeg: Uint8Array<ArrayBuffer> }
  | { seq: number; at: number; none: NoPicture };

/** Why there is no picture. */
export type NoPicture = 'black' | 'protected' | 'failed';

const HEADER = 16;
const NONE: Record<number, NoPicture> = { 1: 'black', 2: 'protected', 3: 'failed' };

/**
 * Reads one raw message: `u32 seq, u16 width, u16 height, u64 hostMillis`, little-endian, then a JPEG. Without a
 * JPEG the width is a code; one that says nothing sensible is a picture that failed. Null when there is no header.
 */
export function readPicture(message: ArrayBuffer | ArrayLike<number>): Picture | null {
  const buffer = message instanceof ArrayBuffer ? message : Uint8Array.from(message).buffer;
  if (buffer.byteLength < HEADER) return null;
  const head = new DataView(buffer);
  const seq = head.getUint32(0, true);
  const width = head.getUint16(4, true);
  const height = head.getUint16(6, true);
  const at = Number(head.getBigUint64(8, true));
  if (buffer.byteLength === HEADER) return { seq, at, none: NONE[width] ?? 'failed' };
  if (width === 0 || height === 0) return { seq, at, none: 'failed' };
  return { seq, at, width, height, jpeg: new Uint8Array(buffer, HEADER) };
}

/** How often a picture is drawn at most. */
export const FAST_FPS = 60;
export const TILE_FPS = 15;
export const MANY_TILES_FPS = 5;
export const MANY_TILES = 8;

/** A picture older than this is not live any more. */
export const STALE_MS = 3000;

export interface Mirroring {
  phone: PhoneId;
  longestSide: number;
  /** Pictures a second at most, asked anew for each. */
  fps: () => number;
  /** Draws one picture, and answers when it is on the screen. */
  draw: (picture: Picture) => Promise<void>;
  failed: (error: unknown) => void;
}

/**
 * Opens a mirror and keeps it going until the returned function is called. Each picture is acknowledged once it was
 * drawn, and only then is the next one sent: what is shown is always the newest.
 */
export function openMirror(backend: Backend, mirroring: Mirroring): () => void {
  let closed = false;
  const starting = backend.mirrorStart(mirroring.phone, mirroring.longestSide, (message) => {
    if (!closed) void show(message);
  });
  starting.catch((error: unknown) => {
    if (!closed) mirroring.failed(error);
  });

  async function show(message: ArrayBuffer | ArrayLike<number>): Promise<void> {
    const began = performance.now();
    const picture = readPicture(message);
    try {
      if (picture) await mirroring.draw(picture);
    } catch {
      // A picture that cannot be decoded is skipped; the next one comes after the acknowledgement.
    }
    const rest = 1000 / mirroring.fps() - (performance.now() - began);
    if (rest > 0) await new Promise((done) => setTimeout(done, rest));
    try {
      const mirror = await starting;
      if (!closed && picture) await backend.mirrorAck(mirror, picture.seq);
    } catch (error) {
      if (!closed) mirroring.failed(error);
    }
  }

  return () => {
    closed = true;
    // A mirror that could not be stopped is gone already.
    starting.then((mirror) => backend.mirrorStop(mirror)).catch(() => undefined);
  };
}
