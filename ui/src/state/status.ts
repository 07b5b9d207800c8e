// How a phone stands, in one shape, one word and one line. What a tile, a row and a header show.

import { ago, money } from '../words/format';
import type { Ask, Phone, Settings } from '../protocol';
import { isLive, type RunView } from './run';
import { actingSentence, pauseShort } from './step-sentences';
import type { DailySpending } from './view';
import type { Shape } from '../kit/status-shape';
import { t, type Sentence, type WordKey } from '../words/words';
import { wordsOf } from '../words/ask-words';

/** The one button a tile may have. */
export type TileButton = 'review' | 'resume' | 'ask_again' | 'take_over';

export interface Status {
  shape: Shape;
  word: Sentence;
  detail: Sentence | null;
  button: TileButton | null;
}

/** A phone that can take a task now. */
export const isReady = (phone: Phone, run: RunView | undefined): boolean => phone.state === 'device' && !isLive(run);

export function statusOf(phone: Phone, run: RunView | undefined, now: number): Status {
  if (run && isLive(run)) return liveStatus(run);
  if (phone.state !== 'device') return absentStatus(phone);
  if (!run?.ending) return ready({ key: 'tile.nothing' });
  switch (run.ending.how) {
    case 'finished':
      return ready(finished(run.ending.message, run.endedAt ?? now, now));
    case 'stopped':
      return ready({ key: 'tile.last_stopped' });
    case 'failed':
      return stopped(`failures.${run.ending.failure.code}`);
    case 'interrupted':
      return stopped('ended.interrupted');
  }
}

/** What came of the last task, in the AI’s own words where it said something: `Ordered, $23.40`. */
function finished(message: string | undefined, at: number, now: number): Sentence {
  const text = message?.split('\n').map((line) => line.trim()).find((line) => line !== '');
  return text ? { key: 'tile.result', values: { text } } : { key: 'tile.done_when', values: { when: ago(at, now) } };
}

const ready = (detail: Sentence): Status => ({
  shape: 'ready',
  word: { key: 'status.ready' },
  detail,
  button: null,
});

const stopped = (key: WordKey): Status => ({
  shape: 'stopped',
  word: { key: 'status.stopped' },
  detail: { key },
  button: null,
});

/** What brings a phone back: one over Wi‑Fi has no cable to plug in. */
export const absentHelp = ({ state, transport }: Phone): Sentence =>
  state === 'offline' && transport === 'wifi' ? { key: 'states.offline.help_wifi' } : { key: `states.${state}.help` };

const absentStatus = (phone: Phone): Status => ({
  shape: phone.state === 'connecting' || phone.state === 'authorizing' ? 'connecting' : 'offline',
  word: { key: `states.${phone.state}.name` },
  detail: absentHelp(phone),
  button: null,
});

function liveStatus(run: RunView): Status {
  const ask = run.asks[0];
  if (ask) {
    return { shape: 'needs', word: { key: 'status.needs_you' }, detail: askShort(ask), button: 'review' };
  }
  if (run.stage === 'yours') {
    return { shape: 'yours', word: { key: 'status.yours' }, detail: null, button: null };
  }
  if (run.stage === 'paused' && run.paused) return pausedStatus(run.paused.reason);
  return {
    shape: 'working',
    word: run.step > 0 ? { key: 'status.working_step', values: { step: run.step } } : { key: 'status.working' },
    detail: workingDetail(run),
    button: null,
  };
}

function pausedStatus(reason: NonNullable<RunView['paused']>['reason']): Status {
  const detail = pauseShort(reason);
  if (reason.why === 'person') {
    return { shape: 'paused', word: { key: 'status.paused' }, detail, button: 'resume' };
  }
  return { shape: 'needs', word: { key: 'status.needs_you' }, detail, button: pauseButton(reason.why) };
}

/** What helps out of a pause. */
export function pauseButton(why: NonNullable<RunView['paused']>['reason']['why']): TileButton {
  if (why === 'timed_out') return 'ask_again';
  // What was done without a Yes is seen to by the person's own hand.
  return why === 'protected' || why === 'unapproved' ? 'take_over' : 'resume';
}

function workingDetail(run: RunView): Sentence | null {
  if (run.retry) return { key: 'tile.retrying' };
  if (run.unclear) return { key: 'tile.asking_again' };
  return actingSentence(run) ?? { key: 'now.looking' };
}

/** `Approve a $23.40 payment`. */
export function askShort(ask: Ask): Sentence {
  if (ask.kind === 'payment') {
    const amount = ask.evidence.amount?.text;
    return amount ? { key: 'ask.payment.short', values: { amount } } : { key: 'ask.payment.short_bare' };
  }
  return { key: `ask.${wordsOf(ask)}.short`, values: { app: ask.appLabel } };
}

/** What is asked first, as the composer says it: `Asks before payments, installs and 3 more`. */
export function safetySentence(settings: Settings): Sentence {
  if (settings.level === 'everything') return { key: 'composer.asks_everything' };
  const { installing, sending, deleting, shell } = settings.askBefore;
  const switches = { installing, sending, deleting, shell };
  const on = settings.level === 'hard_stops' ? [] : Object.entries(switches).filter(([, value]) => value);
  const first = t('composer.about.payments');
  const next = on[0]?.[0] as keyof typeof switches | undefined;
  if (!next) return { key: 'composer.asks_one', values: { first, rest: 0 } };
  return {
    key: 'composer.asks_two',
    values: { first, second: t(`composer.about.${next}`), rest: on.length - 1 },
  };
}

/** Today's spending as the sidebar shows it. */
export function spentText(spent: DailySpending): string | null {
  return spent.dollars === undefined
    ? null
    : t('spent.of', { spent: spentMoney(spent), limit: money(spent.limit, true) });
}

/** The money alone; an estimate says that it is one. */
export function spentMoney({ dollars = 0, estimated = false }: Pick<DailySpending, 'dollars' | 'estimated'>): string {
  return estimated ? t('spent.about', { spent: money(dollars) }) : money(dollars);
}

