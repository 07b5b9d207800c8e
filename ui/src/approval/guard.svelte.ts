// Approve sleeps until the question was visible for a while and the person moved the pointer or the focus inside the
// window: nobody approves by a click or a key that was meant for something else. The backend keeps the same rule.

import { SLEEP_MS } from './question';

/** What a question follows in its window: where it follows another, what is still typed is not meant for it. */
export type Before = 'nothing' | 'question' | 'typing';

/** For so long after another question a press was meant for that one: the second of a double click. */
const EARLY_MS = 400;

export class Guard {
  awake = $state(false);
  #slept = false;
  #moved = false;
  #pointer: { x: number; y: number } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #noticed: () => void;
  readonly #begun = performance.now();
  readonly #follows: boolean;

  /** `noticed` is called once, at the first movement. */
  constructor(noticed: () => void, after: Before) {
    this.#noticed = noticed;
    this.#follows = after !== 'nothing';
  }

  /** Nobody has seen this question yet: not even a no is meant for it. */
  get isEarly(): boolean {
    return this.#follows && performance.now() - this.#begun < EARLY_MS;
  }

  /** The question is on the screen from now on; the returned function ends its watch. */
  begin(): () => void {
    const watch = (): void => {
      clearTimeout(this.#timer);
      if (this.#slept || document.visibilityState !== 'visible') return;
      this.#timer = setTimeout(() => {
        this.#slept = true;
        this.#settle();
      }, SLEEP_MS);
    };
    watch();
    document.addEventListener('visibilitychange', watch);
    return () => {
      clearTimeout(this.#timer);
      document.removeEventListener('visibilitychange', watch);
    };
  }

  /** A pointer that did not change its place did not move: web views report such events when a page appears. */
  pointer(event: PointerEvent): void {
    if (!event.isTrusted) return;
    const at = { x: event.screenX, y: event.screenY };
    const before = this.#pointer;
    this.#pointer = at;
    const stepped = event.movementX !== 0 || event.movementY !== 0;
    if (stepped || (before && (before.x !== at.x || before.y !== at.y))) this.#notice();
  }

  /** The person moved the focus: by Tab, a click or a screen reader. Our own first focus is not one. */
  focus(event: FocusEvent): void {
    if (event.isTrusted && event.relatedTarget !== null) this.#notice();
  }

  /** The person typed into the field that holds the focus: that is as deliberate as moving to it. */
  typed(event: Event): void {
    if (event.isTrusted) this.#notice();
  }

  #notice(): void {
    if (this.#moved) return;
    this.#moved = true;
    this.#noticed();
    this.#settle();
  }

  #settle(): void {
    this.awake = this.#slept && this.#moved;
  }
}
