import { describe, expect, it } from 'vitest';
import { tooltipPosition } from '../src/kit/tooltip-position';

describe('where a tooltip lies', () => {
  const tip = { width: 80, height: 28 };
  const window = { width: 1280, height: 820 };
  const button = (left: number, top: number) => ({ left, top, width: 32, height: 32 });

  it.each<[string, [number, number], 'top' | 'left' | 'right', { left: number; top: number }]>([
    ['over its button', [600, 400], 'top', { left: 576, top: 364 }],
    ['under it at the upper edge', [600, 10], 'top', { left: 576, top: 50 }],
    ['under it in the upper right corner', [1236, 10], 'top', { left: 1192, top: 50 }],
    ['behind it', [600, 400], 'right', { left: 640, top: 402 }],
    ['before it at the right edge', [1216, 10], 'right', { left: 1128, top: 12 }],
    ['before it where the page runs from the right', [600, 400], 'left', { left: 512, top: 402 }],
    ['behind it at the left edge', [16, 400], 'left', { left: 56, top: 402 }],
  ])('%s', (_, [left, top], side, expected) => {
    expect(tooltipPosition(button(left, top), tip, window, side)).toEqual(expected);
  });

  it('stays in a window that is narrower than it needs', () => {
    expect(tooltipPosition(button(40, 100), tip, { width: 110, height: 300 }, 'right')).toEqual({ left: 22, top: 102 });
  });
});
