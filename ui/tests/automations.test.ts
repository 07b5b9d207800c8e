// What automations say: when each begins, what became of it, and what is wrong with a plan.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastResult, resultOf } from '../src/automations/occurrence-words';
import {
  askedFor,
  draftOf,
  faultIn,
  faultsOf,
  freeName,
  namesIn,
  piecesOf,
  planIn,
  planOf,
  readTime,
  variablesIn,
  type Draft,
  type Fault,
} from '../src/automations/plan';
import { beginsWhen, phonesOf, scheduleName, triggerName, whenName, WEEKDAYS } from '../src/automations/schedule-words';
import { ALL, FakeAutomations, IN_TROUBLE } from '../src/fake/automations';
import { speakForTests } from '../src/fake/test-languages';
import type { AutomationCard, AutomationPlan, Failure, Occurrence, OccurrenceState, Schedule, Trigger, Variable } from '../src/protocol';
import { readRoute, writeRoute } from '../src/state/route';
import { fold } from '../src/state/view';
import { language } from '../src/words/language.svelte';
import { NOW, transcript, viewOf } from './harness';

const at = { hour: 7, minute: 30 };
const night = { hour: 21, minute: 5 };
/** Some systems put a narrow space before AM. */
const plain = (text: string): string => text.replaceAll('\u202f', ' ');

const SCHEDULES: [Schedule, string, string][] = [
  [{ every: 'once', date: '2024-12-24', at }, 'Once, on December 24, 2024 at 7:30 AM', '仅一次：2024年12月24日 7:30'],
  [{ every: 'week', days: WEEKDAYS, at }, 'Every day at 7:30 AM', '每天 7:30'],
  [{ every: 'week', days: WEEKDAYS.slice(0, 5), at }, 'Every weekday at 7:30 AM', '星期一至星期五 7:30'],
  [{ every: 'week', days: ['sunday', 'saturday'], at: night }, 'Every Saturday and Sunday at 9:05 PM', '每星期六和星期日 21:05'],
  [{ every: 'week', days: ['tuesday'], at }, 'Every Tuesday at 7:30 AM', '每星期二 7:30'],
  [
    { every: 'week', days: ['friday', 'monday', 'wednesday'], at },
    'Every Monday, Wednesday, and Friday at 7:30 AM',
    '每星期一、星期三和星期五 7:30',
  ],
  [{ every: 'month', day: 1, at }, 'Every month on day 1 at 7:30 AM', '每月 1 日 7:30'],
  [{ every: 'month', day: 31, at }, 'Every month on day 31, or the last day, at 7:30 AM', '每月 31 日（没有则为最后一天）7:30'],
  [{ every: 'month_weekday', which: 'first', day: 'sunday', at }, 'First Sunday of every month at 7:30 AM', '每月第一个星期日 7:30'],
  [{ every: 'month_weekday', which: 'second', day: 'monday', at }, 'Second Monday of every month at 7:30 AM', '每月第二个星期一 7:30'],
  [{ every: 'month_weekday', which: 'third', day: 'monday', at }, 'Third Monday of every month at 7:30 AM', '每月第三个星期一 7:30'],
  [{ every: 'month_weekday', which: 'fourth', day: 'monday', at }, 'Fourth Monday of every month at 7:30 AM', '每月第四个星期一 7:30'],
  [{ every: 'month_weekday', which: 'last', day: 'friday', at: night }, 'Last Friday of every month at 9:05 PM', '每月最后一个星期五 21:05'],
  [{ every: 'hours', hours: 1 }, 'Every hour', '每小时'],
  [{ every: 'hours', hours: 4 }, 'Every 4 hours', '每 4 小时'],
];

const message: Trigger = { when: 'notification', app: 'com.android.messages', label: 'Messages', words: ' parcel ' };
const TRIGGERS: [Trigger, string[], string, string][] = [
  [{ when: 'connected' }, ['Mum’s Galaxy'], 'When Mum’s Galaxy connects', 'Mum’s Galaxy连接时'],
  [{ when: 'connected' }, ['Mum’s Galaxy', 'Spare Moto'], 'When Mum’s Galaxy or Spare Moto connects', 'Mum’s Galaxy或Spare Moto连接时'],
  [{ when: 'connected' }, [], 'When any phone connects', '任意手机连接时'],
  [message, [], 'When Messages shows “parcel”', 'Messages的通知里出现“parcel”时'],
  [{ ...message, words: '' }, [], 'When Messages shows a notification', '收到Messages的通知时'],
];

const HOUR = 3_600_000;
const WHENS: [number, string, string][] = [
  [NOW + HOUR, 'Today, 10:41 AM', '今天 10:41'],
  [NOW + 24 * HOUR, 'Tomorrow, 9:41 AM', '明天 9:41'],
  [NOW - 24 * HOUR, 'Yesterday, 9:41 AM', '昨天 9:41'],
  [NOW + 3 * 24 * HOUR, 'Friday, 9:41 AM', '星期五 9:41'],
  [NOW + 7 * 24 * HOUR, 'May 21, 9:41 AM', '5月21日 9:41'],
];

function check(found: string, expected: string): void {
  expect(plain(found)).toBe(expected);
}

describe('when it begins, in English', () => {
  it.each(SCHEDULES)('%j', (schedule, english) => check(scheduleName(schedule), english));
  it.each(TRIGGERS)('%j %j', (trigger, phones, english) => check(triggerName(trigger, phones), english));
  it.each(WHENS)('%d', (time, english) => check(whenName(time, NOW), english));

  it('says all that begins it, and nothing where only the person does', () => {
    check(beginsWhen({ schedule: { every: 'hours', hours: 1 }, trigger: { when: 'connected' } }, []) ?? '', 'Every hour · When any phone connects');
    expect(beginsWhen({}, [])).toBeNull();
  });

  it('calls a phone as it is called now, else as it was, else a phone', () => {
    const phones = viewOf(transcript('phones')).phones;
    const names = phonesOf({ phones: { on: 'these', phones: ['mum', 'old', 'none'] } }, phones, new Map([['old', 'Old tablet']]));
    expect(names).toEqual(['Mum’s Galaxy', 'Old tablet', 'A phone']);
    expect(phonesOf({ phones: { on: 'all' } }, phones, new Map())).toEqual([]);
  });
});

describe('when it begins, in Chinese', () => {
  beforeAll(() => speakForTests('zh'));
  afterAll(() => language.fix('en-US', null));

  it.each(SCHEDULES)('%j', (schedule, _, chinese) => check(scheduleName(schedule), chinese));
  it.each(TRIGGERS)('%j %j', (trigger, phones, _, chinese) => check(triggerName(trigger, phones), chinese));
  it.each(WHENS)('%d', (time, _, chinese) => check(whenName(time, NOW), chinese));
});

describe('what became of it', () => {
  const view = viewOf(transcript('phones'));
  const occurrence = (state: OccurrenceState, more: Partial<Occurrence> = {}): Occurrence => ({
    automation: 'a',
    phone: 'mum',
    phoneName: 'Mum’s Galaxy',
    due: NOW - HOUR,
    by: 'schedule',
    state,
    at: NOW - HOUR,
    ...more,
  });
  const ended = (end: 'finished' | 'stopped' | 'failed' | 'interrupted' | 'unknown', took = 18_000): OccurrenceState => ({ state: 'ended', run: 'r', end, took });

  it.each<[OccurrenceState, string, string, string]>([
    [{ state: 'waiting', because: 'busy' }, 'plain', 'Waiting', 'Mum’s Galaxy is busy with another task. This one starts when that’s done.'],
    [{ state: 'waiting', because: 'missing' }, 'plain', 'Waiting', 'Connect Mum’s Galaxy, then it starts.'],
    [{ state: 'waiting', because: 'locked' }, 'plain', 'Waiting', 'Unlock Mum’s Galaxy, then it starts.'],
    [{ state: 'waiting', because: 'low_battery' }, 'plain', 'Waiting', 'The battery of Mum’s Galaxy is almost empty. Charge it, then it starts.'],
    [{ state: 'running', run: 'r' }, 'plain', 'Running', 'On Mum’s Galaxy'],
    [{ state: 'running', run: 'run-shop' }, 'amber', 'Waiting for you', 'Approve a $23.40 payment'],
    [ended('finished'), 'green', 'Done', '18 s'],
    [ended('finished', 240_000), 'green', 'Done', '4 min'],
    [{ ...ended('finished'), ending: { how: 'finished', message: ' 34 removed\nAll of them old' } } as OccurrenceState, 'green', 'Done', '34 removed'],
    [{ ...ended('finished'), ending: { how: 'finished', message: 'Nothing was paid.', declined: true } } as OccurrenceState, 'plain', 'Not approved', 'Nothing was paid.'],
    [ended('stopped'), 'plain', 'You stopped it', '18 s'],
    [{ ...ended('failed'), ending: { how: 'failed', failure: { code: 'phone_locked' } } } as OccurrenceState, 'red', 'Couldn’t finish', 'The phone is locked. Unlock it to continue.'],
    [ended('interrupted'), 'amber', 'Interrupted', '18 s'],
    [ended('unknown'), 'plain', 'Result unknown', '18 s'],
    [{ state: 'skipped', because: 'asleep' }, 'plain', 'Not done', 'The computer was asleep or PocketDeck was closed.'],
    [{ state: 'skipped', because: 'phone_missing' }, 'red', 'Not done', 'Mum’s Galaxy wasn’t connected in time.'],
    [{ state: 'skipped', because: 'phone_locked' }, 'red', 'Not done', 'Mum’s Galaxy stayed locked.'],
    [{ state: 'skipped', because: 'low_battery' }, 'red', 'Not done', 'The battery of Mum’s Galaxy was almost empty.'],
    [{ state: 'skipped', because: 'still_running' }, 'plain', 'Not done', 'The previous run wasn’t finished yet.'],
    [{ state: 'skipped', because: 'interrupted' }, 'amber', 'Not done', 'PocketDeck was closed while this was starting. Check the phone: we couldn’t confirm how far it got.'],
    [{ state: 'skipped', because: 'could_not_begin' }, 'red', 'Not done', 'It couldn’t start.'],
    [{ state: 'skipped', because: 'could_not_begin', failure: 'phone_locked' }, 'red', 'Not done', 'The phone is locked. Unlock it to continue.'],
  ])('%j', (state, tone, word, note) => {
    const found = resultOf(occurrence(state), view);
    expect([found.tone, found.word, found.note]).toEqual([tone, word, note]);
  });

  const card = (latest: Occurrence[]): AutomationCard => {
    const plan: AutomationPlan = { name: 'A', task: 'b', variables: [], phones: { on: 'all' }, missed: 'late' };
    return { automation: { id: 'a', madeAt: NOW - HOUR, cleanReplays: 0, ...plan }, latest };
  };

  it.each<[string, Occurrence[], object]>([
    ['never', [], { word: 'Never run', note: 'Saved today', button: 'run' }],
    ['done', [occurrence(ended('finished'))], { word: 'Done', note: 'Today, 8:41 AM · 18 s', button: 'run' }],
    ['failed on one of two phones', [occurrence(ended('finished')), occurrence(ended('failed'), { phone: 'moto' })], { word: 'Couldn’t finish', button: 'again' }],
    ['failed the time before', [occurrence(ended('finished')), occurrence(ended('failed'), { phone: 'moto', due: NOW - 9 * HOUR })], { word: 'Done', button: 'run' }],
    ['asks', [occurrence(ended('finished')), occurrence({ state: 'running', run: 'run-shop' }, { phone: 'shop' })], { word: 'Waiting for you', button: 'review', phone: 'shop' }],
    ['goes on', [occurrence({ state: 'running', run: 'r' })], { word: 'Running', button: 'run' }],
  ])('last: %s', (_, latest, expected) => {
    const found = lastResult(card(latest), view, NOW);
    expect({ ...found, note: plain(found.note) }).toMatchObject(expected);
  });
});

describe('a task with names in it', () => {
  it.each([
    ['Text {who} that I am {minutes} late, {who}', ['who', 'minutes']],
    ['No {} name, no {two words}, no {{secret}}', []],
    ['{{half}', ['half']],
    ['告诉{收件人}', ['收件人']],
    ['{a}{b}', ['a', 'b']],
  ])('%s', (task, names) => expect(namesIn(task)).toEqual(names));

  it('keeps what was said of a name, and asks for a new one', () => {
    const known: Variable = { name: 'who', kind: 'secret', value: '', ask: true };
    expect(variablesIn('{who} {when}', [known])).toEqual([known, { name: 'when', kind: 'text', value: '', ask: true }]);
    expect(piecesOf('To {who}!')).toEqual([{ text: 'To ', name: false }, { text: 'who', name: true }, { text: '!', name: false }]);
    expect([freeName('value', []), freeName('value', ['value', 'value2'])]).toEqual(['value', 'value3']);
  });

  it('is asked for what has no value and what is to be asked; never for a secret', () => {
    const one = (name: string, more: Partial<Variable>): Variable => ({ name, kind: 'text', value: 'v', ask: false, ...more });
    const asked = askedFor([one('kept', {}), one('asked', { ask: true }), one('empty', { value: ' ' }), one('pin', { kind: 'secret', value: '', ask: true })]);
    expect(asked.map(({ name }) => name)).toEqual(['asked', 'empty']);
  });
});

describe('a plan', () => {
  const good: Draft = { ...draftOf({ name: 'Late', task: 'Text {who}', phones: { on: 'all' } }, NOW), variables: [{ name: 'who', kind: 'text', value: 'Dana', ask: true }] };
  const variable = (more: Partial<Variable>): Partial<Draft> => ({ variables: [{ name: 'who', kind: 'text', value: '', ask: true, ...more }] });

  it.each<[string, Partial<Draft>, Fault[]]>([
    ['as it should be', {}, []],
    ['no name', { name: ' ' }, ['name']],
    ['a long name', { name: 'x'.repeat(81) }, ['name']],
    ['the longest name', { name: 'é'.repeat(80) }, []],
    ['a name that is taken', { name: 'morning SUMMARY' }, ['name_taken']],
    ['no task', { task: '\n' }, ['task']],
    ['no phone', { everywhere: false }, ['phones']],
    ['no day', { scheduled: true, days: [] }, ['schedule']],
    ['no time', { scheduled: true, time: '' }, ['schedule']],
    ['no such time', { scheduled: true, time: '24:00' }, ['schedule']],
    ['no such date', { scheduled: true, every: 'once', date: '2026-02-30' }, ['schedule']],
    ['a date', { scheduled: true, every: 'once', date: '2026-02-28' }, []],
    ['by hours no time is needed', { scheduled: true, every: 'hours', time: '' }, []],
    ['no app', { triggered: true, when: 'notification' }, ['trigger']],
    ['not a number', variable({ kind: 'number', value: 'ten' }), ['number']],
    ['a name that cannot be one', { ...variable({ value: 'Dana' }), misnamed: { who: 'who else' } }, ['badly_called']],
    ['numbers as people write them', variable({ kind: 'number', value: '-1 234,50' }), []],
    ['a value that is asked for', variable({}), []],
    ['nobody to ask', { ...variable({}), scheduled: true }, ['value_missing']],
    ['a secret is the phone’s question', { ...variable({ kind: 'secret' }), scheduled: true }, []],
    ['everything at once', { name: '', task: '', everywhere: false }, ['name', 'task', 'phones']],
  ])('%s', (_, change, faults) => expect(faultsOf({ ...good, ...change }, ['Morning summary'])).toEqual(faults));

  it('comes back from its fields as it was', () => {
    const tell = (): void => undefined;
    const fake = new FakeAutomations([...ALL, ...IN_TROUBLE], tell, async () => [], () => [], () => NOW);
    const plans = fake.cards().map(({ automation }) => planIn(automation));
    expect(plans.map((plan) => planOf(draftOf(plan, NOW, true)))).toEqual(plans);
    for (const [schedule] of SCHEDULES) {
      const plan = { ...(plans[0] as AutomationPlan), schedule };
      const days = schedule.every === 'week' ? { days: WEEKDAYS.filter((day) => schedule.days.includes(day)) } : {};
      expect(planOf(draftOf(plan, NOW, true)).schedule).toEqual({ ...schedule, ...days });
    }
  });

  it('holds no secret, and repeats a run only where that was chosen', () => {
    const draft = { ...good, ...variable({ kind: 'secret', value: 'hunter2' }), run: 'r', replays: false };
    expect(JSON.stringify(planOf(draft))).not.toMatch(/hunter2|recorded/);
    expect(planOf({ ...draft, replays: true }).recorded).toBe('r');
  });

  it.each<[Failure, string | null]>([
    [{ code: 'bad_input', values: { fault: 'name_taken' } }, 'name_taken'],
    [{ code: 'bad_input', values: { fault: 'of a newer version' } }, null],
    [{ code: 'bad_input' }, null],
    [{ code: 'disk_full' }, null],
  ])('refused: %j', (failure, fault) => expect(faultIn(failure)).toBe(fault));

  it.each([
    ['07:30', { hour: 7, minute: 30 }],
    ['7:05', { hour: 7, minute: 5 }],
    ['23:59:00', { hour: 23, minute: 59 }],
    ['7.30', null],
    ['24:00', null],
  ])('time %s', (text, time) => expect(readTime(text)).toEqual(time));
});

it('the list is what was told last, and one has an address', () => {
  const view = viewOf(transcript('phones'));
  expect(view.automations).toBeNull();
  expect(fold(view, { news: 'automations', automations: [] }).automations).toEqual([]);
  const route = { page: 'automations', id: 'a/b c' } as const;
  expect(readRoute(writeRoute(route))).toEqual(route);
  expect(readRoute('#/automations')).toEqual({ page: 'automations' });
});
