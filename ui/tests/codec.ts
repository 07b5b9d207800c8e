// A web view's decoder for tests: it gives out what it was given after a while, or does what a test says instead.

import { vi } from 'vitest';

export class FakeFrame {
  static open = 0;
  isOpen = true;
  constructor(
    readonly timestamp: number,
    readonly displayWidth = 432,
    readonly displayHeight = 960,
  ) {
    FakeFrame.open += 1;
  }
  close(): void {
    if (this.isOpen) FakeFrame.open -= 1;
    this.isOpen = false;
  }
}

interface Chunk {
  type: 'key' | 'delta';
  timestamp: number;
  data: Uint8Array;
}

interface Init {
  output: (frame: FakeFrame) => void;
  error: (error: Error) => void;
}

export class FakeDecoder {
  /** Every one there was. */
  static made: FakeDecoder[] = [];
  /** Milliseconds from the unit to its picture; null: it keeps it. */
  static delay: number | null = 2;
  /** What it says of a configuration. */
  static refuses: (config: VideoDecoderConfig) => 'no' | 'throws' | 'fails' = () => 'no';
  /** Pixels of what comes out. */
  static size: [number, number] = [432, 960];

  state: 'unconfigured' | 'configured' | 'closed' = 'unconfigured';
  config: VideoDecoderConfig | null = null;
  readonly given: Chunk[] = [];
  #pending: Chunk[] = [];
  #needsKey = true;

  constructor(readonly init: Init) {
    FakeDecoder.made.push(this);
  }

  static get last(): FakeDecoder {
    const last = FakeDecoder.made.at(-1);
    if (!last) throw new Error('no decoder was made');
    return last;
  }

  configure(config: VideoDecoderConfig): void {
    if (this.state === 'closed') throw new Error('closed');
    const refuses = FakeDecoder.refuses(config);
    if (refuses === 'throws') throw new TypeError('not a configuration');
    this.config = config;
    this.state = 'configured';
    this.#needsKey = true;
    if (refuses === 'fails') setTimeout(() => this.fail());
  }

  decode(chunk: Chunk): void {
    if (this.state !== 'configured') throw new Error('not configured');
    if (this.#needsKey && chunk.type !== 'key') throw new Error('a key frame is required');
    this.#needsKey = false;
    this.given.push(chunk);
    this.#pending.push(chunk);
    if (FakeDecoder.delay !== null) setTimeout(() => this.emit(chunk), FakeDecoder.delay);
  }

  /** Gives out one unit's picture, where it still has it. */
  emit(chunk = this.#pending[0]): void {
    if (this.state !== 'configured' || !chunk || !this.#pending.includes(chunk)) return;
    this.#pending = this.#pending.filter((one) => one !== chunk);
    this.init.output(new FakeFrame(chunk.timestamp, ...FakeDecoder.size));
  }

  /** A picture that comes although nobody waits for it, as from a decoder that is slow to end. */
  stray(timestamp = 1): void {
    this.init.output(new FakeFrame(timestamp));
  }

  /** It cannot go on. */
  fail(): void {
    if (this.state === 'closed') return;
    this.close();
    this.init.error(new Error('EncodingError'));
  }

  reset(): void {
    if (this.state === 'closed') throw new Error('closed');
    this.state = 'unconfigured';
    this.#pending = [];
  }

  close(): void {
    if (this.state === 'closed') throw new Error('closed twice');
    this.state = 'closed';
    this.#pending = [];
  }
}

/** Puts it where the pages look for one. */
export function stubDecoder(): void {
  FakeDecoder.made = [];
  FakeDecoder.delay = 2;
  FakeDecoder.refuses = () => 'no';
  FakeDecoder.size = [432, 960];
  FakeFrame.open = 0;
  vi.stubGlobal('VideoDecoder', FakeDecoder);
  vi.stubGlobal(
    'EncodedVideoChunk',
    class {
      constructor(chunk: Chunk) {
        Object.assign(this, chunk);
      }
    },
  );
}
