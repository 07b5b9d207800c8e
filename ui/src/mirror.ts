// The conversation with the backend about a phone's live picture.

import type { Backend } from './backend';
import { readMessage, readOldMessage, type Message } from './message';
import type { PhoneId } from './protocol';

/** Whether the program behind the window sends streams, and heads of their form. */
const HAS_STREAMS = false;
const read = HAS_STREAMS ? readMessage : readOldMessage;

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
  /** Shows one message, and answers when it is on the screen. */
  draw: (message: Message) => Promise<void>;
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
    const one = read(message);
    try {
      if (one) await mirroring.draw(one);
    } catch {
      // A picture that cannot be decoded is skipped; the next one comes after the acknowledgement.
    }
    const rest = 1000 / mirroring.fps() - (performance.now() - began);
    if (rest > 0) await new Promise((done) => setTimeout(done, rest));
    try {
      const mirror = await starting;
      if (!closed && one) await backend.mirrorAck(mirror, one.seq);
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
