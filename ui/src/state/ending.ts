// How a run ended, as it is told. Pure.

import type { Ending, RunEndKind } from '../protocol';

/** It finished, and the last thing the person was asked was not allowed: what was asked about was left undone. */
export const isDeclined = (ending: Ending | null | undefined): boolean =>
  ending?.how === 'finished' && ending.declined === true;

/** By what its word and its sign are found. */
export type EndLabel = RunEndKind | 'declined';

/** Nothing is praised as done where the person had the last word and it was no. */
export const endLabel = (end: RunEndKind, ending: Ending | null | undefined): EndLabel =>
  isDeclined(ending) ? 'declined' : end;
