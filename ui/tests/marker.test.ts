import { describe, expect, it } from 'vitest';
import type { Action, News } from '../src/protocol';
import { fold, latestRun } from '../src/state/view';
import { markerOf } from '../src/state/step-sentences';
import { NOW, transcript, viewOf } from './harness';

const RING = { left: 0, top: 0, right: 540, bottom: 1200 };

describe('the marker over the live picture', () => {
  /** After a step was begun, and maybe done: the step it is of. */
  function check(action: object, done: boolean, expected: number | null): void {
    let view = viewOf(transcript('phone'));
    const { run, seq, step } = latestRun(view, 'mum') as NonNullable<ReturnType<typeof latestRun>>;
    const tell = (n: number, what: object): void => {
      view = fold(view, { news: 'run', event: { run, phone: 'mum', seq: seq + n, at: NOW, step: step + 1, ...what } } as News);
    };
    tell(1, { what: 'acting', action: action as Action, ring: RING });
    if (done) tell(2, { what: 'acted', outcome: { ok: true }, tookMs: 900 });
    expect(markerOf(latestRun(view, 'mum'))?.step ?? null).toBe(expected && step + expected);
  }

  it.each<[string, object, boolean, number | null]>([
    ['is where the finger goes', { type: 'tap', x: 1, y: 1 }, false, 1],
    ['stays where the finger was', { type: 'tap', x: 1, y: 1 }, true, 1],
    ['is on the field while it is typed into', { type: 'type', text: 'Milk' }, false, 1],
    ['goes when the text is there: the field moved with the keyboard', { type: 'type', text: 'Milk' }, true, null],
  ])('%s', (_, action, done, expected) => check(action, done, expected));
});
