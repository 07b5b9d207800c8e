// What the window shows, folded from what the backend tells. Pure and total: any news, in any order, any number of
// times, gives a view. No component computes state from events.

import { foldRun, startRun, type RunView } from './run';
import type { AutomationCard, ClipState, Event, Failure, Loosening, News, Phone, PhoneId, RunId, Settings, SpendingState } from '../protocol';

export interface DailySpending {
  tokens: number;
  dollars?: number;
  /** A part of them is an estimate: a price is not known. */
  estimated?: boolean;
  limit: number;
  /** How far it is, as the person wants to be told. */
  state?: SpendingState;
}

export interface Trouble {
  /** Counts up, so that one can be put away and the same trouble shown again later. */
  id: number;
  failure: Failure;
}

export interface View {
  /** False until the first list of phones came: an empty list and an unread one differ. */
  ready: boolean;
  looking: boolean;
  phones: Phone[];
  settings: Settings | null;
  /** What would loosen them, and waits for a yes in the approval window. */
  waiting: Loosening[];
  spent: DailySpending | null;
  /** The newest of each code. */
  troubles: Trouble[];
  /** The newest run of each phone, by its id; an older one of the same phone is dropped. */
  runs: Record<RunId, RunView>;
  /** Each phone’s newest clip, until the person put away what became of it. */
  clips: Record<PhoneId, ClipState>;
  /** Null until they were told. */
  automations: AutomationCard[] | null;
}

export const emptyView: View = {
  ready: false,
  looking: false,
  phones: [],
  settings: null,
  waiting: [],
  spent: null,
  troubles: [],
  runs: {},
  clips: {},
  automations: null,
};

/** The view after one piece of news. */
export function fold(view: View, news: News): View {
  switch (news.news) {
    case 'phones':
      return { ...view, ready: true, looking: news.looking, phones: news.phones };
    case 'settings':
      return { ...view, settings: news.settings, waiting: news.waiting ?? [] };
    case 'spent': {
      const { tokens, dollars, limit, state = 'fine', estimated = false } = news;
      const spent = { tokens, limit, state, ...(estimated ? { estimated } : {}) };
      return { ...view, spent: dollars === undefined ? spent : { ...spent, dollars } };
    }
    case 'trouble':
      return { ...view, troubles: addTrouble(view.troubles, news.failure) };
    case 'run':
      return { ...view, runs: foldRuns(view.runs, news.event) };
    case 'erased': {
      const runs = Object.entries(view.runs).filter(([run]) => !news.runs.includes(run));
      return { ...view, runs: Object.fromEntries(runs) };
    }
    case 'clip':
      return news.clip.state === 'stopped'
        ? withoutClip(view, news.phone)
        : { ...view, clips: { ...view.clips, [news.phone]: news.clip } };
    case 'automations':
      return { ...view, automations: news.automations };
    default:
      // News of a newer backend: nothing here knows it, nothing here breaks.
      return view;
  }
}

/** Nothing is said of a phone’s clip any more. */
export const withoutClip = (view: View, phone: PhoneId): View => ({
  ...view,
  clips: Object.fromEntries(Object.entries(view.clips).filter(([one]) => one !== phone)),
});

function addTrouble(troubles: Trouble[], failure: Failure): Trouble[] {
  const id = troubles.reduce((most, trouble) => Math.max(most, trouble.id), 0) + 1;
  return [...troubles.filter((trouble) => trouble.failure.code !== failure.code), { id, failure }];
}

function foldRuns(runs: Record<RunId, RunView>, event: Event): Record<RunId, RunView> {
  const before = runs[event.run] ?? startRun(event);
  const after = foldRun(before, event);
  if (after === before) return runs;
  const all = { ...runs, [event.run]: after };
  return Object.fromEntries(Object.entries(all).filter(([, run]) => !isOutdated(run, all)));
}

/** A newer run of the same phone has begun. One whose beginning is not known yet is neither older nor newer. */
const isOutdated = (run: RunView, all: Record<RunId, RunView>): boolean =>
  Object.values(all).some((other) => other.phone === run.phone && run.seq > 0 && other.seq > 0 && newer(other, run));

const newer = (a: RunView, b: RunView): boolean =>
  a.startedAt > b.startedAt || (a.startedAt === b.startedAt && a.run > b.run);

/** The newest run of a phone, if it ever had one. */
export const latestRun = (view: View, phone: PhoneId): RunView | undefined =>
  Object.values(view.runs).find((run) => run.phone === phone && run.seq > 0);

/** Every run that waits for an answer, oldest question first. */
export const asking = (view: View): RunView[] =>
  Object.values(view.runs)
    .filter((run) => run.asks.length > 0)
    .sort((a, b) => (a.asks[0]?.askedAt ?? 0) - (b.asks[0]?.askedAt ?? 0));
