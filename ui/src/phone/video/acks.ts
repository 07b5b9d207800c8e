// What the sender is told of: up to which message everything was drawn, or will never be. Not of each by itself.

/** Told after this many messages, or this long. */
const MOST = 4;
const BATCH_MS = 100;

export class Acks {
  /** The newest message there was, and the newest that is a picture. */
  #heard = 0;
  #owed = 0;
  #done = 0;
  #told = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #tell: (seq: number) => void;

  constructor(tell: (seq: number) => void) {
    this.#tell = tell;
  }

  /** Whether every picture that came is done with. */
  get isEven(): boolean {
    return this.#owed <= this.#done;
  }

  /** A message came; `isOwed` when it is to be drawn first. */
  heard(seq: number, isOwed: boolean): void {
    this.#heard = Math.max(this.#heard, seq);
    if (isOwed) this.#owed = Math.max(this.#owed, seq);
    this.#settle(false);
  }

  /** This message and all before it are done with; `atOnce` where the sender waits for each. */
  done(seq: number, atOnce = false): void {
    this.#done = Math.max(this.#done, seq);
    this.#settle(atOnce);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#told = Infinity;
  }

  #settle(atOnce: boolean): void {
    const upTo = this.#upTo;
    if (upTo <= this.#told) return;
    if (atOnce || upTo - this.#told >= MOST) this.#say();
    else this.#timer ??= setTimeout(() => this.#say(), BATCH_MS);
  }

  get #upTo(): number {
    return this.isEven ? Math.max(this.#heard, this.#done) : this.#done;
  }

  #say(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#upTo <= this.#told) return;
    this.#told = this.#upTo;
    this.#tell(this.#told);
  }
}
