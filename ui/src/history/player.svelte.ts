// A run played as a film: which step is shown, and when the next one comes.

import type { StepFrame } from '../run/step-frames';

export const SPEEDS = [1, 2, 4] as const;

/** A step is shown at least so long and at most so long, in milliseconds at the plain speed: nobody waits through a pause of
 * minutes, and nobody misses a tap. */
const LEAST = 700;
const MOST = 3000;

/** How long a frame is shown before the next. */
export function showFor(frames: StepFrame[], at: number, speed: number): number {
  const [here, next] = [frames[at], frames[at + 1]];
  if (!here || !next) return 0;
  return Math.min(MOST, Math.max(LEAST, next.at - here.at)) / speed;
}

export class Player {
  at = $state(0);
  playing = $state(false);
  speed = $state<(typeof SPEEDS)[number]>(1);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly frames: () => StepFrame[]) {}

  go(to: number): void {
    this.at = Math.min(Math.max(0, this.frames().length - 1), Math.max(0, to));
    if (this.playing) this.#wait();
  }

  /** One forward or back, by hand: the film stops there. */
  step(by: number): void {
    this.pause();
    this.go(this.at + by);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.frames().length < 2) return;
    // From the end it begins anew.
    if (this.at >= this.frames().length - 1) this.at = 0;
    this.playing = true;
    this.#wait();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  faster(): void {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length] ?? 1;
    if (this.playing) this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const frames = this.frames();
    if (this.at >= frames.length - 1) {
      this.playing = false;
      return;
    }
    this.#timer = setTimeout(() => {
      this.at += 1;
      this.#wait();
    }, showFor(frames, this.at, this.speed));
  }
}
