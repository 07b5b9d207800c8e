import { describe, expect, it } from 'vitest';
import { neededSize, type Content, type WindowSize } from '../src/approval/window-fit';

const NOTHING: WindowSize = { width: 0, height: 0 };

describe('the window size a question needs', () => {
  const check = (shown: Partial<Content>, asked: WindowSize, expected: WindowSize | null): void =>
    expect(neededSize({ text: 32, width: 1040, height: 640, hidden: 0, ...shown }, asked)).toEqual(expected);

  it.each<[string, Partial<Content>, WindowSize, WindowSize | null]>([
    ['is what it was opened with, where all of it is in sight', { text: 16, width: 520 }, NOTHING, null],
    ['is more where a line is hidden, in text as usual too', { text: 16, width: 520, hidden: 34 }, NOTHING, { width: 520, height: 674 }],
    ['is as wide as it was opened with in smaller text', { text: 12, width: 520, hidden: 34 }, NOTHING, { width: 520, height: 674 }],
    ['is width first: so high as now says nothing yet', { width: 520, hidden: 900 }, NOTHING, { width: 1040, height: 640 }],
    ['is enough where nothing has to be scrolled to', {}, { width: 1040, height: 640 }, null],
    ['is what has to be scrolled to', { hidden: 200 }, { width: 1040, height: 640 }, { width: 1040, height: 840 }],
    ['is not asked for again on a screen that has it not', { height: 700, hidden: 140 }, { width: 1040, height: 840 }, null],
    ['goes on with the width a small screen has', { width: 900, hidden: 200 }, { width: 1040, height: 640 }, { width: 1040, height: 840 }],
    ['grows with a text half as large again', { text: 24, width: 520 }, NOTHING, { width: 780, height: 640 }],
  ])('%s', (_, shown, asked, expected) => check(shown, asked, expected));
});
