// What became of an automation, in words. Pure: what was told in, sentences out.

import type { Shape } from '../kit/status-shape';
import type { AutomationCard, Occurrence, Phone, PhoneId, RunId, SkipReason } from '../protocol';
import { knownName } from '../state/phone-name';
import { endLabel, type EndLabel } from '../state/run';
import { day, daysBetween, duration } from '../words/format';
import { language } from '../words/language.svelte';
import { askShort } from '../state/status';
import type { View } from '../state/view';
import { say, t } from '../words/words';
import { whenName } from './schedule-words';

export type Tone = 'plain' | 'green' | 'amber' | 'red';

/** How one time stands: a word, and what there is to say beside it. */
export interface Result {
  shape: Shape;
  tone: Tone;
  word: string;
  note: string;
}

/** What the button of a row does. */
export type RowButton = 'run' | 'again' | 'review';

export interface LastResult extends Result {
  button: RowButton;
  /** Whose question waits. */
  phone?: PhoneId;
}

const phoneName = ({ phone, phoneName: then }: Occurrence, phones: Phone[]): string =>
  knownName(phones, phone) ?? (then || t('automations.phone_unknown'));

/** The run of an occurrence, where it has one. */
export const runOf = ({ state }: Occurrence): RunId | undefined => ('run' in state ? state.run : undefined);

/** The question of its run that waits. */
const questionOf = (one: Occurrence, view: View): string | null => {
  if (one.state.state !== 'running') return null;
  const ask = view.runs[one.state.run]?.asks[0];
  return ask ? say(askShort(ask)) : null;
};

type Ended = Extract<Occurrence['state'], { state: 'ended' }>;

const SHAPES: Record<EndLabel, [Shape, Tone]> = {
  going: ['working', 'plain'],
  finished: ['ready', 'green'],
  declined: ['offline', 'plain'],
  stopped: ['offline', 'plain'],
  failed: ['stopped', 'red'],
  interrupted: ['needs', 'amber'],
  unknown: ['offline', 'plain'],
};

/** What was chosen, what went wrong, and what has to be looked at. */
const SKIPPED: Record<SkipReason, [Shape, Tone]> = {
  asleep: ['offline', 'plain'],
  phone_missing: ['stopped', 'red'],
  phone_locked: ['stopped', 'red'],
  low_battery: ['stopped', 'red'],
  still_running: ['offline', 'plain'],
  interrupted: ['needs', 'amber'],
  could_not_begin: ['stopped', 'red'],
};

/** The answer’s first line, why it could not go on, or how long it took. */
function endNote({ ending, took }: Ended): string {
  if (ending?.how === 'failed') return t(`failures.${ending.failure.code}`);
  const answer = ending?.how === 'finished' ? (ending.message.trim().split('\n')[0] ?? '') : '';
  return answer === '' ? duration(took) : answer;
}

/** How one time stands. */
export function resultOf(one: Occurrence, view: View): Result {
  const { state } = one;
  const phone = phoneName(one, view.phones);
  switch (state.state) {
    case 'waiting':
      return { shape: 'paused', tone: 'plain', word: t('automations.waits'), note: t(`automations.waiting.${state.because}`, { phone }) };
    case 'running': {
      const question = questionOf(one, view);
      return question === null
        ? { shape: 'working', tone: 'plain', word: t('automations.running'), note: t('automations.running_on', { phone }) }
        : { shape: 'needs', tone: 'amber', word: t('automations.asks'), note: question };
    }
    case 'ended': {
      const end = endLabel(state.end, state.ending);
      const [shape, tone] = SHAPES[end];
      return { shape, tone, word: t(`automations.ends.${end}`), note: endNote(state) };
    }
    case 'skipped': {
      const note = state.failure ? t(`failures.${state.failure}`) : t(`automations.skipped.${state.because}`, { phone });
      const [shape, tone] = SKIPPED[state.because];
      return { shape, tone, word: t('automations.not_done'), note };
    }
  }
}

/** What is said first of several phones: what needs the person, what goes on, what went wrong. */
const RANK: Record<Shape, number> = { needs: 0, working: 1, connecting: 1, yours: 1, paused: 2, stopped: 3, offline: 4, ready: 5 };

/** `today`, `yesterday`, `May 7`: inside a sentence. */
function dayIn(at: number, now: number): string {
  const days = daysBetween(at, now);
  return days < 2 ? new Intl.RelativeTimeFormat(language.tag, { numeric: 'auto' }).format(-days, 'day') : day(at, now);
}

/** What a card says of its newest time. */
export function lastResult({ automation, latest }: AutomationCard, view: View, now: number): LastResult {
  const newest = latest[0];
  if (!newest) {
    const note = t('automations.made', { day: dayIn(automation.madeAt, now) });
    return { shape: 'offline', tone: 'plain', word: t('automations.never'), note, button: 'run' };
  }
  const going = (one: Occurrence): boolean => one.state.state === 'running' || one.state.state === 'waiting';
  const told = latest
    .filter((one) => one.due === newest.due || going(one))
    .map((one) => ({ one, result: resultOf(one, view) }))
    .sort((a, b) => RANK[a.result.shape] - RANK[b.result.shape])[0];
  const { one, result } = told ?? { one: newest, result: resultOf(newest, view) };
  if (questionOf(one, view) !== null) return { ...result, button: 'review', phone: one.phone };
  if (going(one)) return { ...result, button: 'run' };
  const note = t('automations.when_what', { when: whenName(one.at, now), what: result.note });
  return { ...result, note, button: result.tone === 'red' || result.tone === 'amber' ? 'again' : 'run' };
}

/** Whether one of its times waits or runs. */
export const isBusy = ({ latest }: AutomationCard): boolean =>
  latest.some(({ state }) => state.state === 'running' || state.state === 'waiting');

/** Why it was paused, as the newest failure says it; null where none does. */
export function lastFailure({ latest }: AutomationCard, view: View): string | null {
  const failed = latest.map((one) => resultOf(one, view)).find(({ tone }) => tone === 'red');
  return failed ? failed.note : null;
}

/** Phones as they were called when they were last used. */
export const knownNames = (latest: Occurrence[]): Map<PhoneId, string> => new Map(latest.map((one) => [one.phone, one.phoneName]));
