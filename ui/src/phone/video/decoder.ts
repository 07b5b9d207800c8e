// One stream through the web view's decoder: a few units inside at a time, back to the next key frame after a fault,
// and given up after several.

import type { Message } from '../mirror-message';
import { configOf, sameBytes } from './codec';

export type Configuration = Extract<Message, { kind: 'configuration' }>;
export type Unit = Extract<Message, { kind: 'unit' }>;

export interface Decoded {
  /** A picture came out; who is told must close it. Units before its own are done with. */
  shown(frame: VideoFrame, unit: Unit): void;
  /** Nothing will come of the units up to this one. */
  dropped(seq: number): void;
  /** The stream can go on at a key frame only. */
  wantsKey(): void;
  /** This window cannot decode this stream. */
  gaveUp(): void;
}

/** Units in the decoder: more would only make a late picture later. */
const MOST_INSIDE = 6;
/** Units before it: more than the sender keeps on the way. */
const MOST_WAITING = 16;
/** A decoder that keeps what it was given for so long is stuck. */
const STUCK_MS = 3000;
/** While changes come and no key frame, one is asked for this often. */
const ASK_AGAIN_MS = 2000;
/** So many faults in so long are one too many. */
const MOST_FAULTS = 3;
const FAULTS_MS = 60_000;
/** Between two units, by the decoder's own clock: the page draws what comes when it comes. */
const BEAT_US = 16_667;

export class Decoder {
  #decoder: VideoDecoder | null = null;
  #configuration: Configuration | null = null;
  #awaitsKey = true;
  #waiting: Unit[] = [];
  /** By the time they were given. */
  readonly #inside = new Map<number, Unit>();
  #time = 0;
  #asked = -Infinity;
  #faults: number[] = [];
  #watch: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  readonly #to: Decoded;

  constructor(to: Decoded) {
    this.#to = to;
  }

  /** Whether everything that came was given out again, and the next change can be decoded. */
  get isUpToDate(): boolean {
    return !this.#awaitsKey && this.#waiting.length === 0 && this.#inside.size === 0;
  }

  /** What follows is of this form. The same form again changes nothing. */
  configure(configuration: Configuration): void {
    if (this.#isOver) return;
    const known = this.#configuration;
    if (known && this.#decoder && sameBytes(known.avcc, configuration.avcc)) return;
    this.#configuration = configuration;
    this.#forget();
    this.#begin();
  }

  decode(unit: Unit): void {
    if (this.#isOver) return;
    if (!this.#decoder || (this.#awaitsKey && !unit.isKey)) {
      this.#to.dropped(unit.seq);
      this.#askForKey();
      return;
    }
    if (unit.isKey) {
      this.#awaitsKey = false;
      this.#drop(this.#waiting);
      this.#waiting = [unit];
    } else if (this.#waiting.length < MOST_WAITING) {
      this.#waiting.push(unit);
    } else {
      this.#drop([...this.#waiting, unit]);
      this.#waiting = [];
      this.#awaitsKey = true;
      this.#askForKey();
    }
    this.#feed();
  }

  close(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#inside.clear();
    clearTimeout(this.#watch);
    this.#end();
  }

  #begin(): void {
    const config = this.#configuration && configOf(this.#configuration.avcc);
    if (!config) return this.#fail();
    try {
      this.#decoder?.reset();
      this.#decoder ??= this.#made();
      this.#decoder.configure(config);
    } catch {
      this.#fail();
    }
  }

  /** A decoder; what one says after its end is not heard. */
  #made(): VideoDecoder {
    const made: VideoDecoder = new VideoDecoder({
      output: (frame) => {
        if (made === this.#decoder) this.#came(frame);
        else frame.close();
      },
      error: () => {
        if (made === this.#decoder) this.#fail();
      },
    });
    return made;
  }

  #end(): void {
    const decoder = this.#decoder;
    this.#decoder = null;
    if (decoder && decoder.state !== 'closed') decoder.close();
  }

  #feed(): void {
    while (this.#decoder && this.#inside.size < MOST_INSIDE) {
      const unit = this.#waiting.shift();
      if (!unit) break;
      this.#time += BEAT_US;
      this.#inside.set(this.#time, unit);
      try {
        const type = unit.isKey ? 'key' : 'delta';
        this.#decoder.decode(new EncodedVideoChunk({ type, timestamp: this.#time, data: unit.nals }));
      } catch {
        return this.#fail();
      }
    }
    if (this.#inside.size > 0) this.#watch ??= setTimeout(() => this.#fail(), STUCK_MS);
  }

  #came(frame: VideoFrame): void {
    this.#rest();
    const unit = this.#inside.get(frame.timestamp);
    for (const time of [...this.#inside.keys()]) if (time <= frame.timestamp) this.#inside.delete(time);
    if (unit) this.#to.shown(frame, unit);
    else frame.close();
    this.#feed();
  }

  #fail(): void {
    this.#forget();
    this.#end();
    const now = performance.now();
    this.#faults = [...this.#faults.filter((at) => now - at < FAULTS_MS), now];
    if (this.#faults.length >= MOST_FAULTS) {
      this.#isOver = true;
      return this.#to.gaveUp();
    }
    this.#asked = now;
    this.#to.wantsKey();
    if (this.#configuration && configOf(this.#configuration.avcc)) this.#begin();
  }

  /** What was under way is not waited for any more. */
  #forget(): void {
    this.#rest();
    this.#drop([...this.#inside.values(), ...this.#waiting]);
    this.#inside.clear();
    this.#waiting = [];
    this.#awaitsKey = true;
  }

  #rest(): void {
    clearTimeout(this.#watch);
    this.#watch = undefined;
  }

  #drop(units: Unit[]): void {
    const last = units.at(-1);
    if (last) this.#to.dropped(last.seq);
  }

  #askForKey(): void {
    const now = performance.now();
    if (now - this.#asked < ASK_AGAIN_MS) return;
    this.#asked = now;
    this.#to.wantsKey();
  }
}
