// Where a tooltip lies: beside its button or over it, and on the other side where the window ends there. Pushed back into
// the window instead, it would cover the button it speaks of.

interface Size {
  width: number;
  height: number;
}

interface Rect extends Size {
  left: number;
  top: number;
}

/** Pixels between a tip and its button, and around it. */
const GAP = 8;

export function tooltipPosition(at: Rect, tip: Size, window: Size, side: 'top' | 'left' | 'right'): { left: number; top: number } {
  let left = at.left + (at.width - tip.width) / 2;
  let top = at.top + (at.height - tip.height) / 2;
  if (side === 'top') {
    top = at.top - tip.height - GAP;
    if (top < GAP) top = at.top + at.height + GAP;
  } else {
    const before = at.left - tip.width - GAP;
    const after = at.left + at.width + GAP;
    const fits = { left: before >= GAP, right: after + tip.width <= window.width - GAP };
    if (side === 'left') left = fits.left || !fits.right ? before : after;
    else left = fits.right || !fits.left ? after : before;
  }
  return { left: within(left, window.width - tip.width), top: within(top, window.height - tip.height) };
}

const within = (n: number, most: number): number => Math.max(GAP, Math.min(n, most - GAP));
