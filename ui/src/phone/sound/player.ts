// Plays a phone’s sound as it comes: a moment behind, never more. Read when somebody first listens.

/** What waits before the first of it sounds: what comes a little later than the rest makes no gap. */
const LEAD_S = 0.08;
/** More never waits: the phone’s clock and this computer’s are not the same, and what is late is left out. */
const MOST_S = 0.3;

const FULL_SCALE = 32_768;

export class Player {
  readonly #context: AudioContext;
  readonly #channels: number;
  /** When the next of it sounds, on the context’s clock. */
  #next = 0;

  constructor(rate: number, channels: number) {
    this.#context = new AudioContext({ sampleRate: rate, latencyHint: 'interactive' });
    this.#channels = channels;
    // Where the system has no way out for sound just now, this goes on when it has.
    this.#context.resume().catch(() => undefined);
  }

  /** Samples of 16 bits, those of one moment beside each other. */
  play(samples: Int16Array): void {
    const frames = Math.floor(samples.length / this.#channels);
    const now = this.#context.currentTime;
    if (this.#next <= now) this.#next = now + LEAD_S;
    if (frames === 0 || this.#next - now > MOST_S) return;
    const buffer = this.#context.createBuffer(this.#channels, frames, this.#context.sampleRate);
    for (let channel = 0; channel < this.#channels; channel += 1) {
      const plane = buffer.getChannelData(channel);
      for (let frame = 0; frame < frames; frame += 1) {
        plane[frame] = (samples[frame * this.#channels + channel] ?? 0) / FULL_SCALE;
      }
    }
    const source = this.#context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.#context.destination);
    source.start(this.#next);
    this.#next += buffer.duration;
  }

  close(): void {
    this.#context.close().catch(() => undefined);
  }
}
