// Whether a phone is heard in this window. Off until somebody wants it; nothing is asked of the phone before.

import type { Backend, MirrorMessage } from '../../backend';
import type { PhoneId } from '../../protocol';
import type { PlainKey } from '../../words/words';
import type { Player } from './player';

/** Told after so many messages. The sender keeps more of them on the way. */
const ACK_EACH = 4;
/** How long a sentence about it stays. */
const READ_MS = 12_000;
/** A message’s own number, before the samples. */
const HEAD = 4;

export class PhoneSound {
  state: 'off' | 'starting' | 'on' = $state('off');
  /** Why there is none, or what is to be known of it. */
  hint: PlainKey | null = $state(null);
  /** Counts up with each wish: what an older one brought is put away. */
  #turn = 0;
  #end: () => void = () => undefined;
  #reading: ReturnType<typeof setTimeout> | undefined;
  readonly #backend: Backend;
  readonly #failed: (error: unknown) => void;

  constructor(backend: Backend, failed: (error: unknown) => void) {
    this.#backend = backend;
    this.#failed = failed;
  }

  toggle(phone: PhoneId): void {
    if (this.state === 'off') void this.#listen(phone);
    else this.stop();
  }

  stop(): void {
    this.#turn += 1;
    this.#end();
    this.#end = () => undefined;
    this.state = 'off';
    this.#tell(null);
  }

  async #listen(phone: PhoneId): Promise<void> {
    this.stop();
    const turn = this.#turn;
    this.state = 'starting';
    let player: Player | null = null;
    let sound: number | null = null;
    let heard = 0;
    let acked = 0;
    const ack = (): void => {
      if (sound === null || heard === acked) return;
      acked = heard;
      // A sound that is over needs no word.
      this.#backend.soundAck(sound, heard).catch(() => undefined);
    };
    const hear = (bytes: MirrorMessage): void => {
      if (turn !== this.#turn) return;
      const buffer = bytes instanceof ArrayBuffer ? bytes : Uint8Array.from(bytes).buffer;
      if (buffer.byteLength <= HEAD) return this.#over('sound.ended');
      heard = new DataView(buffer).getUint32(0, true);
      player?.play(new Int16Array(buffer, HEAD, (buffer.byteLength - HEAD) >> 1));
      if (heard - acked >= ACK_EACH) ack();
    };
    try {
      const { Player } = await import('./player');
      const start = await this.#backend.soundStart(phone, hear);
      const stop = (): void => {
        player?.close();
        if (start.state === 'playing') this.#backend.soundStop(start.sound).catch(() => undefined);
      };
      // Nobody wants it any more.
      if (turn !== this.#turn) return stop();
      if (start.state === 'silent') return this.#over(`sound.${start.why}`);
      sound = start.sound;
      this.#end = stop;
      player = new Player(start.rate, start.channels);
      this.state = 'on';
      ack();
      this.#tell(start.silencesPhone ? 'sound.only_here' : null);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.stop();
      this.#failed(error);
    }
  }

  #over(why: PlainKey): void {
    this.stop();
    this.#tell(why);
  }

  #tell(what: PlainKey | null): void {
    clearTimeout(this.#reading);
    this.hint = what;
    if (what) this.#reading = setTimeout(() => (this.hint = null), READ_MS);
  }
}
