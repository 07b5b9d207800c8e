// The time of day as the window knows it: it changes once a second, for countdowns and "20 min ago".

export class Clock {
  now = $state(0);
  readonly #read: () => number;

  /** `read` is the time of day in milliseconds. */
  constructor(read: () => number = Date.now) {
    this.#read = read;
    this.now = read();
  }

  /** Begins ticking; the returned function ends it. */
  start(): () => void {
    const timer = setInterval(() => {
      this.now = this.#read();
    }, 1000);
    return () => clearInterval(timer);
  }
}
