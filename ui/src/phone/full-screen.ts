// One phone on the whole screen, and back: F11, Esc, or the window's own way out.

import type { AppState } from '../state/app-state.svelte';

/** The system tells of a new size while it still changes it. */
const SETTLES_MS = 300;

export class FullScreen {
  #asking: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly app: AppState) {}

  async set(on: boolean): Promise<void> {
    const is = await this.app.call(this.app.backend.fullScreen(on));
    this.app.full = is ?? false;
  }

  /** F11 turns it on and off, Esc only off; says whether the key was meant. Without a phone it is only left. */
  key(event: KeyboardEvent, hasPhone: boolean): boolean {
    if (!hasPhone && !this.app.full) return false;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    const meant = event.key === 'F11' || (event.key === 'Escape' && this.app.full && !document.querySelector(':popover-open'));
    if (meant) void this.set(event.key === 'F11' && !this.app.full);
    return meant;
  }

  /** The window has another size: where the system ended it, this page does. */
  resized(): void {
    if (!this.app.full) return;
    clearTimeout(this.#asking);
    this.#asking = setTimeout(() => {
      this.app.backend.fullScreen(null).then(
        (is) => (this.app.full &&= is),
        // Then it stays until the person ends it.
        () => undefined,
      );
    }, SETTLES_MS);
  }

  /** The page that shows the phone goes. */
  leave(): void {
    clearTimeout(this.#asking);
    if (this.app.full) void this.set(false);
  }
}
