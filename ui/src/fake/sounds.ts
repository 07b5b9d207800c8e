// A phone’s sound without a phone: pieces of silence, one after the other.

import type { Backend } from '../backend';
import type { NoSound } from '../protocol';

const PIECE_MS = 20;
const RATE = 48_000;

export class FakeSounds {
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #silent: () => NoSound | undefined;

  constructor(silent: () => NoSound | undefined) {
    this.#silent = silent;
  }

  start: Backend['soundStart'] = async (_, tell) => {
    const why = this.#silent();
    if (why) return { state: 'silent', why };
    let number = 0;
    this.#timer = setInterval(() => {
      const message = new ArrayBuffer(4 + (RATE / 1000) * PIECE_MS * 4);
      number += 1;
      new DataView(message).setUint32(0, number, true);
      tell(message);
    }, PIECE_MS);
    return { state: 'playing', sound: 1, rate: RATE, channels: 2, silencesPhone: false };
  };

  stop = async (): Promise<void> => clearInterval(this.#timer);
}
