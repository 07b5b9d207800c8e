// What came of a run: what it is called, how long it took and what it cost, in words.

import '../words/task-words';
import type { Ending } from '../protocol';
import type { Row, RunView } from '../state/run';
import { money } from '../words/format';
import { say, t, type Sentence } from '../words/words';

export const endedRow = (run: RunView): Extract<Row, { kind: 'ended' }> | undefined =>
  run.rows.findLast((row) => row.kind === 'ended');

/** `22 seconds`, `3 minutes`, `1 hour`. */
export function duration(ms: number): Sentence {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return { key: 'result.seconds', values: { n: seconds } };
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return { key: 'result.minutes', values: { n: minutes } };
  return { key: 'result.hours', values: { n: Math.round(minutes / 60) } };
}

/** What it cost in plain words; null where that is not known. */
export function cost({ demoAi, dollars, estimated }: Pick<RunView, 'demoAi' | 'dollars' | 'estimated'>): Sentence | null {
  if (demoAi || dollars === 0) return { key: 'result.cost.free' };
  if (dollars === null) return null;
  const cents = Math.round(dollars * 100);
  if (cents < 1) return { key: 'result.cost.tiny' };
  if (cents < 100) return { key: estimated ? 'result.cost.about_cents' : 'result.cost.cents', values: { n: cents } };
  return { key: estimated ? 'result.cost.about_dollars' : 'result.cost.dollars', values: { dollars: money(dollars) } };
}

/** `Took 22 seconds`, `Cost 2 cents`. */
export function effort(run: RunView): string[] {
  const said = [t('result.took', { time: say(duration((run.endedAt ?? run.startedAt) - run.startedAt)) })];
  const paid = cost(run);
  return paid ? [...said, say(paid)] : said;
}

/** The answer itself, with its lines. */
export const answerOf = (ending: Ending | null): string =>
  ending?.how === 'finished' ? (ending.message ?? '').trim() : '';

/** What failed has to do with the AI: its settings may help. */
export const isAboutAi = (ending: Ending | null): boolean =>
  ending?.how === 'failed' && ending.failure.code.startsWith('model_');
