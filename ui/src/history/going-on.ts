// What the AI is told when a run that was interrupted is gone on with: what was done, and what nobody knows.

import type { StepFrame } from '../run/step-frames';
import { say, t } from '../words/words';
import { listed } from './past-runs';

/** As many steps as are named one by one; the newest ones say where it stands. */
const MOST = 12;

/** The step whose outcome nobody knows: its intent was written down, and nothing after it. */
export const unknownStep = (frames: StepFrame[]): StepFrame | undefined => {
  const last = frames.findLast((frame) => frame.row !== null);
  return last?.row && last.row.outcome === undefined ? last : undefined;
};

export function noteOf(frames: StepFrame[]): string {
  const done = frames.filter((frame) => frame.row?.outcome?.ok === true).slice(-MOST);
  const unknown = unknownStep(frames);
  return [
    t('history.note.begun'),
    done.length > 0
      ? t('history.note.done', { steps: listed(done.map((frame) => say(frame.title))) })
      : t('history.note.nothing'),
    unknown ? t('history.note.unknown', { step: say(unknown.title) }) : '',
    t('history.note.look'),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
