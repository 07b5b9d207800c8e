// The list of past runs: in groups by day, each with how it came out. Pure: data in, a sentence's name out.

import type { Event, AskRecord, HistoryQuery, PastRun, Phone, RunEndKind } from '../protocol';
import { knownName } from '../state/phone-name';
import { endLabel, type EndLabel, startRun, foldRun, type RunView } from '../state/run';
import type { Shape } from '../kit/status-shape';
import { clockTime, day, dayName, daysBetween, month, weekday } from '../words/format';
import { t } from '../words/words';

export interface Group {
  name: string;
  runs: PastRun[];
}

/** What stands over a run in the list: a day of this week, the week before, a month. */
function groupName(at: number, now: number): string {
  const days = daysBetween(at, now);
  if (days < 2) return dayName(at, now);
  if (days < 7) return weekday(at);
  return days < 14 ? t('history.last_week') : month(at);
}

/** In the order they came, the newest first. */
export function byDay(runs: PastRun[], now: number): Group[] {
  const groups: Group[] = [];
  for (const run of runs) {
    const name = groupName(run.startedAt, now);
    const last = groups.at(-1);
    if (last?.name === name) last.runs.push(run);
    else groups.push({ name, runs: [run] });
  }
  return groups;
}

/** When, as far as its group does not say it. */
export const timeOf = (run: PastRun, now: number): string =>
  daysBetween(run.startedAt, now) < 7 ? clockTime(run.startedAt) : day(run.startedAt, now);

const SHAPES: Record<EndLabel, Shape> = {
  going: 'working',
  finished: 'ready',
  declined: 'offline',
  stopped: 'offline',
  failed: 'stopped',
  interrupted: 'needs',
  unknown: 'offline',
};

export const shapeOf = (run: PastRun, waits: boolean): Shape => (waits ? 'needs' : SHAPES[endLabel(run.end, run.ending)]);

/** The answer's first line; else how it ended. */
export function outcomeOf(run: PastRun, waits: boolean): string {
  if (waits) return t('history.rows.waiting');
  const { ending } = run;
  if (ending?.how === 'failed') return t(`failures.${ending.failure.code}`);
  if (ending?.how === 'finished' && ending.message.trim() !== '') return ending.message.trim().split('\n')[0] ?? '';
  const end = endLabel(run.end, ending);
  return end === 'failed' ? t('history.ends.failed') : t(`history.rows.${end}`);
}

/** As it is called now, else as it was then. */
export const phoneOf = (run: Pick<PastRun, 'phone' | 'phoneName'>, phones: Phone[]): string =>
  knownName(phones, run.phone) ?? (run.phoneName || t('history.phone_unknown'));

export const ENDS: Exclude<RunEndKind, 'unknown'>[] = ['going', 'finished', 'stopped', 'failed', 'interrupted'];

/** What a day of the filter is called, and from when until when it is. */
export interface DayChoice {
  value: string;
  name: string;
  from: number;
  until?: number;
}

/** The last seven days by name, and the last thirty together. */
export function dayChoices(now: number): DayChoice[] {
  const midnight = (back: number): number => {
    const date = new Date(now);
    return new Date(date.getFullYear(), date.getMonth(), date.getDate() - back).getTime();
  };
  const days = Array.from({ length: 7 }, (_, back) => {
    const from = midnight(back);
    const name = back < 2 ? dayName(from, now) : weekday(from);
    return { value: `day-${back}`, name, from, until: midnight(back - 1) };
  });
  return [...days, { value: 'last-30', name: t('history.last_30'), from: midnight(29) }];
}

/** What the person looks for. */
export interface Wanted {
  text: string;
  phone: string;
  end: string;
  day: string;
}

export const NOTHING: Wanted = { text: '', phone: '', end: '', day: '' };

export function queryOf(wanted: Wanted, now: number): HistoryQuery {
  const query: HistoryQuery = { text: wanted.text.trim() };
  if (wanted.phone !== '') query.phone = wanted.phone;
  const end = ENDS.find((one) => one === wanted.end);
  if (end) query.end = end;
  const chosen = dayChoices(now).find((one) => one.value === wanted.day);
  if (chosen) query.from = chosen.from;
  if (chosen?.until !== undefined) query.until = chosen.until;
  return query;
}

/** A run as the window folds every run. */
export function viewOf(events: Event[]): RunView | null {
  const [first] = events;
  return first ? events.reduce(foldRun, startRun(first)) : null;
}

/** The questions of a run with their answers, the first one first. */
export function questionsOf(events: Event[]): AskRecord[] {
  const records: AskRecord[] = [];
  for (const event of events) {
    if (event.what === 'asked') records.push({ ask: event.ask });
    const record = records.find(({ ask }) => 'ask' in event && event.ask === ask.id);
    if (!record) continue;
    if (event.what === 'answered' && !record.end) {
      const outcome =
        event.outcome === 'supplied' ? { outcome: event.outcome, characters: event.characters } : { outcome: event.outcome };
      record.end = { at: event.at, reach: 'once', ...outcome };
    } else if (event.what === 'allowed' && record.end) record.end.reach = event.reach;
    else if (event.what === 'voided') record.voided = true;
    else if (event.what === 'extended') record.ask = { ...record.ask, deadline: event.deadline };
  }
  return records;
}
