// Automations, made up: those of the picture, and some in trouble.

import type { AutomationCard, AutomationHold, AutomationPlan, Failure, Occurrence, OccurrenceState, PhoneId, RunId, StartedBy } from '../protocol';

/** The transcripts' own day: Tuesday, May 14, as the window's clock shows it. */
const at = (day: number, hour: number, minute = 0): number => new Date(2024, 4, day, hour, minute).getTime();

interface Made {
  id: string;
  plan: AutomationPlan;
  madeAt: number;
  held?: AutomationHold;
  next?: number;
  /** Newest first. */
  times?: Omit<Occurrence, 'automation'>[];
}

const NAMES: Record<PhoneId, string> = {
  anna: 'Anna’s Pixel',
  shop: 'Shop phone',
  mum: 'Mum’s Galaxy',
  moto: 'Spare Moto',
  nexus: 'Old Nexus',
};

const time = (phone: PhoneId, due: number, by: StartedBy, state: OccurrenceState, took = 0): Omit<Occurrence, 'automation'> => ({
  phone,
  phoneName: NAMES[phone] ?? '',
  due,
  by,
  state,
  at: due + took,
});

const done = (run: RunId, message: string, took: number): OccurrenceState => ({
  state: 'ended',
  run,
  end: 'finished',
  ending: { how: 'finished', message },
  took,
});

const failed = (run: RunId, code: Failure['code'], took = 4000): OccurrenceState => ({
  state: 'ended',
  run,
  end: 'failed',
  ending: { how: 'failed', failure: { code } },
  took,
});

const on = (...phones: PhoneId[]): AutomationPlan['phones'] => ({ on: 'these', phones });

const plan = (name: string, task: string, phones: AutomationPlan['phones'], more: Partial<AutomationPlan> = {}): AutomationPlan => ({
  name,
  task,
  variables: [],
  phones,
  missed: 'late',
  ...more,
});

const GROCERIES: Made = {
  id: 'groceries',
  madeAt: at(1, 10),
  plan: plan('Order the weekly groceries', 'Order the weekly groceries', on('shop'), {
    schedule: { every: 'week', days: ['tuesday'], at: { hour: 9, minute: 30 } },
  }),
  next: at(21, 9, 30),
  times: [
    time('shop', at(14, 9, 30), 'schedule', { state: 'running', run: 'run-shop' }),
    time('shop', at(7, 9, 30), 'schedule', done('past-groceries', '$21.85 paid', 222_000), 222_000),
    time('shop', at(1, 10, 4), 'person', { state: 'skipped', because: 'phone_missing' }, 600_000),
  ],
};

const MORNING: Made = {
  id: 'morning',
  madeAt: at(2, 18),
  plan: plan('Morning summary for Mum', 'Read my calendar and new messages, and tell me what today brings', on('mum'), {
    schedule: { every: 'week', days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'], at: { hour: 7, minute: 0 } },
    recorded: 'past-morning',
  }),
  next: at(15, 7),
  times: [
    time('mum', at(14, 7), 'schedule', done('past-morning', '', 18_000), 18_000),
    time('mum', at(13, 7), 'schedule', { state: 'skipped', because: 'asleep' }),
    time('mum', at(12, 7), 'schedule', done('past-morning-12', '', 19_000), 19_000),
    time('mum', at(11, 7), 'schedule', { state: 'ended', run: 'past-morning-11', end: 'stopped', ending: { how: 'stopped' }, took: 9000 }, 9000),
    time('mum', at(10, 7), 'schedule', { state: 'skipped', because: 'interrupted' }),
  ],
};

const UPDATES: Made = {
  id: 'updates',
  madeAt: at(1, 9),
  plan: plan('Install security updates', 'Install security updates', on('mum', 'moto'), {
    schedule: { every: 'month_weekday', which: 'second', day: 'sunday', at: { hour: 2, minute: 0 } },
    missed: 'skip',
  }),
  next: new Date(2024, 5, 9, 2).getTime(),
  times: [
    time('moto', at(12, 2), 'schedule', failed('past-updates', 'phone_locked')),
    time('mum', at(12, 2), 'schedule', done('past-updates-mum', 'Up to date', 90_000), 90_000),
  ],
};

const PARCEL: Made = {
  id: 'parcel',
  madeAt: at(3, 12),
  plan: plan('Tell me about parcels', 'Open the message about the parcel and tell me when it comes', on('anna'), {
    trigger: { when: 'notification', app: 'com.android.messages', label: 'Messages', words: 'parcel' },
  }),
  times: [time('anna', at(13, 16, 12), 'trigger', done('past-parcel', 'Your parcel comes on Wednesday between 10 and 12.', 31_000), 31_000)],
};

const QUIET: Made = {
  id: 'quiet',
  madeAt: at(4, 22),
  plan: plan('Quiet phones for the night', 'Silence the phone and dim its screen', { on: 'all' }, { recorded: 'past-quiet' }),
  times: [time('mum', at(13, 22, 31), 'person', done('past-quiet', '', 9000), 9000)],
};

const SCREENSHOTS: Made = {
  id: 'screenshots',
  madeAt: at(5, 12),
  plan: plan('Clear out old screenshots', 'Delete screenshots older than {days} days', on('anna'), {
    variables: [{ name: 'days', kind: 'number', value: '30', ask: false }],
  }),
  times: [time('anna', at(11, 8, 41), 'person', done('past-screenshots', '34 removed', 40_000), 40_000)],
};

const LATE: Made = {
  id: 'late',
  madeAt: at(14, 8),
  plan: plan('Text that I’m late', 'Text {who} that I’m running {minutes} minutes late', on('mum'), {
    variables: [
      { name: 'who', kind: 'text', value: 'Dana', ask: true },
      { name: 'minutes', kind: 'number', value: '10', ask: true },
    ],
  }),
};

const BANK: Made = {
  id: 'bank',
  madeAt: at(6, 8),
  plan: plan('Check the balance', 'Sign in to Northbank with {password} and read me the balance', on('anna'), {
    variables: [{ name: 'password', kind: 'secret', value: '', ask: true }],
    schedule: { every: 'once', date: '2024-05-31', at: { hour: 18, minute: 0 } },
  }),
  next: at(31, 18),
  held: 'imported',
};

const BACKUP: Made = {
  id: 'backup',
  madeAt: at(6, 9),
  plan: plan('Back up photos', 'Open Photos and back up everything new', on('moto'), { schedule: { every: 'hours', hours: 4 } }),
  held: 'failures',
  times: [
    time('moto', at(14, 8), 'schedule', failed('past-backup-3', 'phone_locked')),
    time('moto', at(14, 4), 'schedule', failed('past-backup-2', 'phone_locked')),
    time('moto', at(14, 0), 'schedule', failed('past-backup-1', 'phone_locked')),
  ],
};

const CHARGE: Made = {
  id: 'charge',
  madeAt: at(6, 10),
  plan: plan('Free up space when it connects', 'Show me what uses the most storage', on('nexus'), { trigger: { when: 'connected' } }),
  times: [time('nexus', at(14, 9, 20), 'trigger', { state: 'waiting', because: 'locked' })],
};

const RENT: Made = {
  id: 'rent',
  madeAt: at(6, 11),
  plan: plan('Pay the rent', 'Transfer the rent as every month', on('anna'), { schedule: { every: 'month', day: 31, at: { hour: 9, minute: 0 } } }),
  held: 'person',
};

export const ALL = [GROCERIES, MORNING, UPDATES, PARCEL, QUIET, SCREENSHOTS, LATE];
export const IN_TROUBLE = [BACKUP, BANK, RENT, CHARGE, UPDATES];

/** What a file of automations begins with. */
const FORMAT = 'PocketDeck automations';

export class FakeAutomations {
  #made: Made[];
  #last = 0;

  /** `tell` hears of every change; `run` begins a task. */
  constructor(
    made: readonly Made[],
    readonly tell: (cards: AutomationCard[]) => void,
    readonly run: (phones: PhoneId[], goal: string) => Promise<RunId[]>,
    readonly phones: () => PhoneId[],
    readonly now: () => number,
  ) {
    this.#made = [...made];
  }

  cards(): AutomationCard[] {
    return this.#made.map((made) => cardOf(made));
  }

  save(id: string | null, plan: AutomationPlan): AutomationCard {
    const taken = this.#made.some((one) => one.id !== id && one.plan.name.toLowerCase() === plan.name.toLowerCase());
    if (taken) throw { code: 'bad_input', values: { fault: 'name_taken' } } satisfies Failure;
    const before = this.#made.find((one) => one.id === id);
    const made = before ? { ...before, plan } : this.#new(plan);
    this.#made = before ? this.#made.map((one) => (one === before ? made : one)) : [...this.#made, made];
    this.tell(this.cards());
    return cardOf(made);
  }

  delete(id: string): void {
    this.#made = this.#made.filter((one) => one.id !== id);
    this.tell(this.cards());
  }

  hold(id: string, held: boolean): void {
    this.#change(id, ({ held: _, ...made }) => (held ? { ...made, held: 'person' } : made));
  }

  quiet(id: string, quiet: boolean): void {
    this.#change(id, (made) => ({ ...made, quiet }));
  }

  async begin(id: string, values: Record<string, string>): Promise<void> {
    const made = this.#find(id);
    const goal = made.plan.variables.reduce(
      (text, { name, value }) => text.replaceAll(`{${name}}`, values[name] ?? value),
      made.plan.task,
    );
    const phones = made.plan.phones.on === 'all' ? this.phones() : made.plan.phones.phones;
    const runs = await this.run(phones, goal);
    const now = this.now();
    const times = phones.map((phone, n) => time(phone, now, 'person', { state: 'running', run: runs[n] ?? '' }));
    this.#change(id, ({ held, ...one }) => ({
      ...one,
      ...(held === undefined || held === 'imported' ? {} : { held }),
      times: [...times, ...(one.times ?? [])],
    }));
  }

  occurrences(id: string): Occurrence[] {
    return (this.#find(id).times ?? []).map((one) => ({ ...one, automation: id }));
  }

  import(text: string): AutomationCard[] {
    const read = parse(text);
    if (read?.format !== FORMAT) throw { code: 'bad_input' } satisfies Failure;
    const made = read.automations.map((plan): Made => ({ ...this.#new(plan), held: 'imported' }));
    this.#made = [...this.#made, ...made];
    this.tell(this.cards());
    return made.map(cardOf);
  }

  export(ids: string[]): string {
    const automations = this.#made.filter(({ id }) => ids.includes(id)).map(({ plan: { recorded: _, ...plan } }) => plan);
    return `${JSON.stringify({ format: FORMAT, version: 1, automations }, null, 2)}\n`;
  }

  #new(plan: AutomationPlan): Made {
    this.#last += 1;
    return { id: `made-${this.#last}`, madeAt: this.now(), plan };
  }

  #find(id: string): Made {
    const made = this.#made.find((one) => one.id === id);
    if (!made) throw { code: 'not_found' } satisfies Failure;
    return made;
  }

  #change(id: string, change: (made: Made) => Made): void {
    this.#made = this.#made.map((one) => (one.id === id ? change(one) : one));
    this.tell(this.cards());
  }
}

function parse(text: string): { format: string; automations: AutomationPlan[] } | null {
  try {
    return JSON.parse(text) as { format: string; automations: AutomationPlan[] };
  } catch {
    return null;
  }
}

/** The newest time on each phone. */
function cardOf({ id, plan, madeAt, held, next, times = [] }: Made): AutomationCard {
  const latest = times.filter((one, n) => times.findIndex(({ phone }) => phone === one.phone) === n);
  return {
    automation: { id, madeAt, cleanReplays: plan.recorded === undefined ? 0 : 3, ...plan, ...(held ? { held } : {}) },
    ...(next !== undefined && held === undefined ? { next } : {}),
    latest: latest.map((one) => ({ ...one, automation: id })),
  };
}
