// Runs of the past, made up: the ones of the picture, each with its steps.

import type { Action, Bounds, Ending, Event, EraseAlso, HistoryPage, HistoryQuery, PastRun, RunEndKind, RunStory, SpaceUsed } from '../protocol';
import type { ScreenName } from './screens';

interface FakeStep {
  action: Action;
  thought: string;
  screen: ScreenName;
  label?: string;
  appLabel?: string;
  ring?: Bounds;
}

interface Made {
  run: string;
  phone: string;
  phoneName: string;
  goal: string;
  at: number;
  steps: FakeStep[];
  ending: Ending;
  /** A question was answered with yes before this step. */
  paid?: number;
  /** The last step has no outcome. */
  unknown?: boolean;
}

/** The transcripts' own day: Tuesday, May 14. */
const NOW = Date.UTC(2024, 4, 14, 9, 41);
const DAY = 86_400_000;

const tap = (screen: ScreenName, label: string, thought: string, top: number, left = 40, right = 1040): FakeStep => ({
  action: { type: 'tap', x: (left + right) / 2, y: top + 60 } as Action,
  thought,
  screen,
  label,
  ring: { left, top, right, bottom: top + 120 },
});

const open = (packageName: string, appLabel: string, screen: ScreenName): FakeStep => ({
  action: { type: 'launch_app', packageName } as Action,
  thought: `The task is done in ${appLabel}.`,
  screen,
  appLabel,
});

const GROCERIES: FakeStep[] = [
  open('com.greenleaf.shop', 'Greenleaf', 'sunset'),
  tap('search', 'Your usual order', 'Your usual order is offered at the top.', 520),
  tap('checkout', 'Basket', 'All eight items are in the basket.', 300),
  tap('checkout', 'Go to checkout', 'The basket is as usual, so I go on.', 2100),
  tap('settings', 'Thursday, 6–8 pm', 'This is the time you had last week.', 900),
  tap('settings', 'Continue', 'The time is chosen.', 2100),
  { action: { type: 'scroll', direction: 'down', amount: 3 } as Action, thought: 'I look at the total before I ask you.', screen: 'checkout' },
  tap('checkout', 'Pay $21.85', 'The total matches your usual order and you approved the payment, so I’m pressing Pay.', 2130, 47, 1033),
];

const CHAT: FakeStep[] = [
  open('com.android.messages', 'Messages', 'messages'),
  tap('people', 'Dana', 'Dana is the first of your contacts.', 600),
  { action: { type: 'type', text: 'Running about 10 minutes late, sorry!' } as Action, thought: 'A short message in your own tone.', screen: 'chat' },
  tap('chat', 'Send', 'You said I may send it.', 2180, 900, 1040),
];

const finished = (message: string): Ending => ({ how: 'finished', message });

const MADE: Made[] = [
  { run: 'past-late', phone: 'mum', phoneName: 'Mum’s Galaxy', goal: 'Text Dana I’m running late', at: NOW - 60_000, steps: CHAT, ending: finished('Sent: “Running about 10 minutes late, sorry!”') },
  { run: 'past-morning', phone: 'mum', phoneName: 'Mum’s Galaxy', goal: 'Morning summary for Mum', at: NOW - 2.7 * 3_600_000, steps: CHAT.slice(0, 2), ending: finished('Good morning! Here is your day:\n\n• 10:00 Doctor Weiss, Alder Street 4\n• 13:30 Lunch with Ruth\n• Rain from four o’clock: take the umbrella.\n\nTwo new messages, both from Anna: she asks about Sunday and sends a photo of the garden.') },
  { run: 'past-updates', phone: 'moto', phoneName: 'Spare Moto', goal: 'Install security updates', at: NOW - 2 * DAY - 7 * 3_600_000, steps: [open('com.android.settings', 'Settings', 'settings')], ending: { how: 'failed', failure: { code: 'phone_locked' } } },
  { run: 'past-broken', phone: 'moto', phoneName: 'Spare Moto', goal: 'Pay the electricity bill', at: NOW - 3 * DAY, steps: [...GROCERIES.slice(0, 3), tap('checkout', 'Pay $64.10', 'Everything is filled in.', 2130)], ending: { how: 'interrupted', unknown_effect: true }, unknown: true },
  { run: 'past-screenshots', phone: 'anna', phoneName: 'Anna’s Pixel', goal: 'Clear out old screenshots', at: NOW - 3 * DAY - 3_600_000, steps: [open('com.android.photos', 'Photos', 'teal'), tap('teal', 'Screenshots', 'They have an album of their own.', 700)], ending: finished('34 removed') },
  { run: 'past-groceries', phone: 'shop', phoneName: 'Shop phone', goal: 'Order the weekly groceries', at: NOW - 7 * DAY, steps: GROCERIES, ending: finished('$21.85 paid'), paid: 8 },
  { run: 'past-train', phone: 'moto', phoneName: 'Spare Moto', goal: 'Find a train for Friday', at: NOW - 8 * DAY, steps: [open('com.rail', 'Rail', 'search')], ending: { how: 'stopped' } },
];

function eventsOf(made: Made): Event[] {
  const { run, phone } = made;
  const events: Event[] = [];
  let { at } = made;
  const tell = (after: number, what: object): void => {
    at += after;
    events.push({ run, phone, seq: events.length + 1, at, ...what } as Event);
  };
  const usage = { inputTokens: 1580, outputTokens: 60, dollars: 0.0068 };
  tell(0, { what: 'started', goal: made.goal, model: 'gpt-5.2', demoAi: false });
  made.steps.forEach(({ action, thought, label, appLabel, ring }, n) => {
    const step = n + 1;
    tell(1200, { what: 'looked', step, frame: `${run}/${step}`, app: 'com.a', width: 1080, height: 2400, capture: 'ok', elements: 20 });
    tell(9000, { what: 'decided', step, thought, action, dialect: 'openpocket', usage });
    if (made.paid === step) ask(made, step, tell);
    const about = { ...(label ? { label } : {}), ...(appLabel ? { appLabel } : {}), ...(ring ? { ring } : {}) };
    tell(6000, { what: 'acting', step, action, ...about });
    if (made.unknown && step === made.steps.length) return;
    tell(900, { what: 'acted', step, outcome: { ok: true, code: 'done', changed: true }, tookMs: 900 });
  });
  if (!made.unknown) {
    const step = made.steps.length + 1;
    tell(1500, { what: 'looked', step, frame: `${run}/${step}`, app: 'com.a', width: 1080, height: 2400, capture: 'ok', elements: 9 });
  }
  tell(7000, { what: 'ended', ending: made.ending });
  return events;
}

function ask(made: Made, step: number, tell: (after: number, what: object) => void): void {
  const id = `${made.run}/ask`;
  const ring = { left: 47, top: 2130, right: 1033, bottom: 2250 };
  const amount = { text: '$21.85', minor: 2185, currency: '$' };
  const evidence = { frame: `${made.run}/${step}`, width: 1080, height: 2400, ring, label: 'Pay $21.85', amount, payee: 'Greenleaf Groceries' };
  const claim = { says: 'Your usual 8 items are in the basket.', amount };
  const about = { run: made.run, phone: made.phone, phoneName: made.phoneName, goal: made.goal, app: 'com.greenleaf.shop', appLabel: 'Greenleaf' };
  tell(100, {
    what: 'asked',
    step,
    ask: { id, ...about, kind: 'payment', reason: { by: 'rule', rule: 'pay_button' }, evidence, claim, choices: ['deny', 'approve'], digest: 'd', askedAt: made.at + 60_000, deadline: made.at + 360_000 },
  });
  tell(24_000, { what: 'answered', ask: id, outcome: 'allowed' });
}

/** What each picture of them shows. */
export const PAST_FRAMES: Record<string, ScreenName> = Object.fromEntries(
  MADE.flatMap(({ run, steps }) => [
    ...steps.map(({ screen }, n) => [`${run}/${n + 1}`, screen] as const),
    [`${run}/${steps.length + 1}`, steps.at(-1)?.screen ?? 'sunset'] as const,
  ]),
);

const short = (events: Event[], phoneName: string): PastRun | null => {
  const [first] = events;
  if (first?.what !== 'started') return null;
  const ended = events.find((event) => event.what === 'ended');
  const steps = events.filter((event) => event.what === 'acting').length;
  const { run, phone, goal, model, demoAi, at: startedAt } = first;
  const end: RunEndKind = ended?.what === 'ended' ? (ended.ending.how as RunEndKind) : 'going';
  const more = ended?.what === 'ended' ? { endedAt: ended.at, ending: ended.ending } : {};
  return { run, phone, phoneName, goal, model, demoAi, startedAt, end, steps, ...more };
};

export class FakePast {
  #stories: RunStory[] = [];

  constructor(some: boolean, own: Event[][], nameOf: (phone: string) => string) {
    const made = some ? MADE.map((one) => eventsOf(one)) : [];
    for (const events of [...own, ...made]) {
      const run = short(events, nameOf(events[0]?.phone ?? ''));
      if (run) this.#stories.push({ run, events });
    }
    this.#stories.sort((a, b) => b.run.startedAt - a.run.startedAt);
  }

  page(query: HistoryQuery): HistoryPage {
    const words = query.text.toLowerCase().split(/\s+/).filter((word) => word !== '');
    const fits = ({ run }: RunStory): boolean => {
      const text = `${run.goal} ${run.phoneName} ${run.ending?.how === 'finished' ? run.ending.message : ''}`.toLowerCase();
      return (
        words.every((word) => text.includes(word)) &&
        (query.phone === undefined || run.phone === query.phone) &&
        (query.end === undefined || run.end === query.end) &&
        run.startedAt >= (query.from ?? 0) &&
        run.startedAt < (query.until ?? Infinity)
      );
    };
    const found = this.#stories.filter(fits).map(({ run }) => run);
    const from = query.before === undefined ? 0 : found.findIndex(({ run }) => run === query.before) + 1;
    const limit = query.limit ?? 50;
    const phones = new Map(this.#stories.map(({ run }) => [run.phone, run.phoneName]));
    return {
      runs: found.slice(from, from + limit),
      more: found.length > from + limit,
      phones: [...phones].map(([id, name]) => ({ id, name })),
    };
  }

  story(run: string): RunStory | undefined {
    return this.#stories.find((one) => one.run.run === run);
  }

  erase(run: string): void {
    this.#stories = this.#stories.filter((one) => one.run.run !== run);
  }

  eraseAll(_: EraseAlso): number {
    this.#stories = this.#stories.filter(({ run }) => run.end === 'going');
    return this.#stories.length;
  }

  space(): SpaceUsed {
    const pictures = this.#stories.reduce((sum, { events }) => sum + events.filter((event) => event.what === 'looked').length, 0);
    return { runs: this.#stories.length, pictures, bytes: 40_000 + pictures * 110_000 };
  }
}
