// From pictures that come when they come to a canvas: only the newest is drawn, when the window next draws itself and
// no more often than is wanted. Never where a decoder hands it over: several streams drawn there hold the window up.

/** A picture that takes memory until it is closed. */
export type Frame = VideoFrame | ImageBitmap;

/** A little early is on time: the window draws in beats of its own. */
const SLACK_MS = 8;
/** Up to so many pictures a second, several streams draw at the same moments: the window then draws itself once for all. */
const SHARED_FPS = 30;
/** So long after a press they wait, for what the person did is answered first; but nobody who types stops them. */
const AFTER_PRESS_MS = 100;
const WAITED_MS = 400;
/** So long the window may take to draw itself: two of its beats. */
const QUICK_MS = 34;

let pressed = -Infinity;
for (const press of ['pointerdown', 'keydown'] as const) {
  window.addEventListener(press, () => (pressed = performance.now()), { capture: true, passive: true });
}

export class Painter<Of extends { seq: number }> {
  #next: { frame: Frame; of: Of } | null = null;
  #last = -Infinity;
  /** Until then the window is the person's. */
  #break = -Infinity;
  /** Nothing up to this message is drawn any more. */
  #past = 0;
  #wait: ReturnType<typeof setTimeout> | undefined;
  #beat: number | undefined;
  readonly #draw: (frame: Frame, of: Of) => void;
  readonly #done: (of: Of) => void;
  readonly #fps: () => number;

  /** `draw` puts a picture on the screen, `done` hears of each that was drawn or will not be. */
  constructor(draw: (frame: Frame, of: Of) => void, done: (of: Of) => void, fps: () => number) {
    this.#draw = draw;
    this.#done = done;
    this.#fps = fps;
  }

  get #isShared(): boolean {
    return this.#fps() <= SHARED_FPS;
  }

  get isIdle(): boolean {
    return this.#next === null;
  }

  /** A picture for the screen, unless a newer one is there already. The painter closes it. */
  offer(frame: Frame, of: Of): void {
    if (of.seq <= this.#past) {
      frame.close();
      this.#done(of);
      return;
    }
    this.#past = of.seq;
    this.#clear();
    this.#next = { frame, of };
    if (this.#wait !== undefined || this.#beat !== undefined) return;
    this.#rest(performance.now());
  }

  /** Waits until the next picture may be drawn. */
  #rest(now: number): void {
    const rest = this.#isShared ? this.#early(now) : this.#break - now;
    // A timer may end just after the window drew itself: what is drawn as often as the window is waits for the window.
    if (rest <= 0) this.#await();
    else this.#wait = setTimeout(() => this.#await(), rest);
  }

  /** Milliseconds until the next picture may be drawn. */
  #early(now: number): number {
    const beat = 1000 / this.#fps();
    const held = this.#held(now);
    // What begins to move is shown at once.
    if (!this.#isShared || (now - this.#last >= 2 * beat && held <= 0)) return this.#last + beat - SLACK_MS - now;
    // Twice as many moments as pictures: one that comes about when the others are drawn is late, not lost.
    const half = beat / 2;
    const next = Math.floor((now + Math.max(held, 0)) / half) + 1;
    const least = Math.floor((this.#last + SLACK_MS) / half) + 2;
    return half * Math.max(next, least) - now;
  }

  /** Milliseconds for which a press goes first. */
  #held(now: number): number {
    return this.#isShared && now - this.#last < WAITED_MS ? pressed + AFTER_PRESS_MS - now : 0;
  }

  /** What came up to this message is not to be seen any more. */
  skip(seq: number): void {
    this.#past = Math.max(this.#past, seq);
    if (this.#next && this.#next.of.seq <= seq) this.#clear();
  }

  close(): void {
    clearTimeout(this.#wait);
    if (this.#beat !== undefined) cancelAnimationFrame(this.#beat);
    this.#past = Infinity;
    this.#next?.frame.close();
    this.#next = null;
  }

  #await(): void {
    this.#wait = undefined;
    this.#beat = requestAnimationFrame(() => {
      this.#beat = undefined;
      const next = this.#next;
      if (!next) return;
      const now = performance.now();
      const wait = this.#isShared ? this.#held(now) : Math.max(this.#early(now), this.#break - now);
      if (wait > 0) return this.#rest(now);
      this.#next = null;
      this.#last = now;
      if (!this.#isShared) this.#leave(now);
      try {
        this.#draw(next.frame, next.of);
      } finally {
        next.frame.close();
        this.#done(next.of);
      }
    });
  }

  /**
   * Leaves the window time for the person: where it takes long to draw itself, as on a dense display without a graphics card,
   * what it took too long since `from` passes once more before the next picture. A stream would else fill its one thread, and a
   * press wait behind it.
   */
  #leave(from: number): void {
    // It comes once the window has drawn itself.
    setTimeout(() => {
      const now = performance.now();
      this.#break = now + Math.max(0, now - from - QUICK_MS);
    });
  }

  #clear(): void {
    const before = this.#next;
    this.#next = null;
    if (!before) return;
    before.frame.close();
    this.#done(before.of);
  }
}
