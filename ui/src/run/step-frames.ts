// A run as a row of pictures: one for each step, and the screen at its end. Pure: data in, data out.

import { middle, type Point } from '../pictures/mapping';
import type { RunView, Shot, StepRow } from '../state/run';
import { stepPicture, titleOf } from '../state/step-sentences';
import type { Sentence } from '../words/words';
import { describe } from './event-sentences';

export interface StepFrame {
  /** Null: the end of the run. */
  step: number | null;
  at: number;
  row: StepRow | null;
  shot: Shot | null;
  /** Where the finger was, as a fraction of the picture. */
  mark: Point | null;
  title: Sentence;
  /** The person said yes before it. */
  approvedAt: number | null;
}

export function framesOf(run: RunView): StepFrame[] {
  const frames: StepFrame[] = [];
  let approvedAt: number | null = null;
  for (const row of run.rows) {
    if (row.kind === 'answer') {
      const isYes = row.outcome.outcome === 'allowed' || row.outcome.outcome === 'supplied';
      approvedAt = isYes ? row.at : approvedAt;
    } else if (row.kind === 'voided') {
      approvedAt = null;
    } else if (row.kind === 'step') {
      const shot = stepPicture(row);
      const mark = row.ring && shot && shot === row.before ? middle(row.ring, shot) : null;
      frames.push({ step: row.step, at: row.at, row, shot, mark, title: titleOf(row, run), approvedAt });
      approvedAt = null;
    } else if (row.kind === 'ended') {
      frames.push({ step: null, at: row.at, row: null, shot: run.shot, mark: null, title: describe(row).title, approvedAt: null });
    }
  }
  return frames;
}
