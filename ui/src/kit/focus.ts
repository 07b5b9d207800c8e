// Where the focus goes when what had it is gone: else nothing has it, and whoever uses no mouse begins at the top of the window again.

import { tick } from 'svelte';

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Where nothing has the focus any more: the first of these that is there, else the page’s title. */
export async function refocus(...wanted: string[]): Promise<void> {
  await tick();
  for (const one of [...wanted, 'h1']) {
    if (isLost()) document.querySelector<HTMLElement>(one)?.focus({ preventScroll: true });
  }
}

/** Of the button that takes its line out of a list: with the line gone, that of the next one has the focus. */
export function passesFocus(button: HTMLElement): () => void {
  const list = button.closest('ul');
  const all = (): HTMLElement[] => [...(list?.querySelectorAll<HTMLElement>(`[data-part="${button.dataset['part']}"]`) ?? [])];
  let at = 0;
  button.addEventListener('focus', () => (at = all().indexOf(button)));
  return () => {
    void tick().then(() => {
      const left = all();
      if (isLost()) left[Math.min(at, left.length - 1)]?.focus({ preventScroll: true });
      return refocus();
    });
  };
}
