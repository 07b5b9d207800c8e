// Whether a run can be continued, and what nobody knows of it.

import type { OutcomeCode, PastRun } from '../protocol';
import type { StepFrame } from '../run/step-frames';

/** What was not done to its end: it was broken off, stopped, or could not go on. */
export const canContinue = ({ end }: Pick<PastRun, 'end'>): boolean => end === 'interrupted' || end === 'failed' || end === 'stopped';

/** Codes of an act that the phone may have done, and never said so. */
const UNKNOWN: OutcomeCode[] = ['unknown', 'lease_lost', 'phone_gone', 'adb_silent', 'phone_slow', 'phone_unusable'];

/** The steps whose outcome nobody knows: their intent was written down, and nothing after it that says more. */
export const unknownSteps = (frames: StepFrame[]): StepFrame[] =>
  frames.filter(({ row }) => row !== null && (row.outcome === undefined || (!row.outcome.ok && UNKNOWN.includes(row.outcome.code))));
