// A plan while it is written: what the fields hold, what is wrong with it, and what is sent. Pure.

import type {
  AutomationPlan,
  ClockTime,
  Failure,
  MissedRun,
  Nth,
  PhoneId,
  PlanFault,
  RunId,
  Schedule,
  Trigger,
  Variable,
  Weekday,
} from '../protocol';
import { WEEKDAYS } from './schedule-words';

/** What may be wrong with the fields: what the program finds, and what only they know. */
export type Fault = PlanFault | 'trigger' | 'badly_called' | 'number';

export type Every = Schedule['every'];
export const EVERY: Every[] = ['week', 'month', 'month_weekday', 'hours', 'once'];
export const NTH: Nth[] = ['first', 'second', 'third', 'fourth', 'last'];
/** Hours that divide a day, so that every day has the same times. */
export const HOURS = [1, 2, 3, 4, 6, 8, 12];
const LONGEST_NAME = 80;

/** The fields of the editor: what is not chosen just now is remembered. */
export interface Draft {
  name: string;
  task: string;
  variables: Variable[];
  /** What was typed as the name of a variable and cannot be one, by the name it has. */
  misnamed: Record<string, string>;
  everywhere: boolean;
  phones: PhoneId[];
  scheduled: boolean;
  every: Every;
  /** `2026-12-24`. */
  date: string;
  /** `07:30`. */
  time: string;
  days: Weekday[];
  day: number;
  which: Nth;
  weekday: Weekday;
  hours: number;
  triggered: boolean;
  when: Trigger['when'];
  app: string;
  label: string;
  words: string;
  missed: MissedRun;
  /** The run whose steps may be repeated, and whether they are. */
  run: RunId | undefined;
  replays: boolean;
}

const two = (n: number): string => String(n).padStart(2, '0');
const written = ({ hour, minute }: ClockTime): string => `${two(hour)}:${two(minute)}`;

/** What is chosen before anybody chose, on the day of `now`. */
function blank(now: number): Draft {
  const tomorrow = new Date(now);
  tomorrow.setDate(tomorrow.getDate() + 1);
  return {
    name: '',
    task: '',
    variables: [],
    misnamed: {},
    everywhere: false,
    phones: [],
    scheduled: false,
    every: 'week',
    date: `${tomorrow.getFullYear()}-${two(tomorrow.getMonth() + 1)}-${two(tomorrow.getDate())}`,
    time: '07:30',
    days: WEEKDAYS.slice(0, 5),
    day: 1,
    which: 'first',
    weekday: 'sunday',
    hours: 4,
    triggered: false,
    when: 'connected',
    app: '',
    label: '',
    words: '',
    missed: 'late',
    run: undefined,
    replays: false,
  };
}

function scheduleFields(schedule: Schedule): Partial<Draft> {
  const time = schedule.every === 'hours' ? {} : { time: written(schedule.at) };
  const more = { scheduled: true, every: schedule.every, ...time };
  switch (schedule.every) {
    case 'once':
      return { ...more, date: schedule.date };
    case 'week':
      return { ...more, days: schedule.days };
    case 'month':
      return { ...more, day: schedule.day };
    case 'month_weekday':
      return { ...more, which: schedule.which, weekday: schedule.day };
    case 'hours':
      return { ...more, hours: schedule.hours };
  }
}

/** The fields of a plan, or of what is known of one. `kept`: it is one already, and repeats what it says. */
export function draftOf(plan: Partial<AutomationPlan>, now: number, kept = false): Draft {
  const { schedule, trigger, phones } = plan;
  return {
    ...blank(now),
    name: plan.name ?? '',
    task: plan.task ?? '',
    variables: plan.variables ?? [],
    everywhere: phones?.on === 'all',
    phones: phones?.on === 'these' ? phones.phones : [],
    ...(schedule ? scheduleFields(schedule) : {}),
    ...(trigger ? { triggered: true, ...trigger } : {}),
    missed: plan.missed ?? 'late',
    run: plan.recorded,
    replays: kept && plan.recorded !== undefined,
  };
}

/** `07:30` as a time; null where it is none. */
export function readTime(text: string): ClockTime | null {
  const found = /^(\d{1,2}):(\d{2})/.exec(text.trim());
  const [hour, minute] = [Number(found?.[1] ?? NaN), Number(found?.[2] ?? NaN)];
  return hour < 24 && minute < 60 ? { hour, minute } : null;
}

/** Whether the calendar has it. */
function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** The schedule the fields say; null where they say none that exists. */
export function scheduleOf(draft: Draft): Schedule | null {
  const { every } = draft;
  if (every === 'hours') return { every, hours: draft.hours };
  const at = readTime(draft.time);
  if (!at) return null;
  switch (every) {
    case 'once':
      return isDate(draft.date) ? { every, date: draft.date, at } : null;
    case 'week':
      return draft.days.length > 0 ? { every, days: WEEKDAYS.filter((day) => draft.days.includes(day)), at } : null;
    case 'month':
      return Number.isInteger(draft.day) && draft.day >= 1 && draft.day <= 31 ? { every, day: draft.day, at } : null;
    case 'month_weekday':
      return { every, which: draft.which, day: draft.weekday, at };
  }
}

/** What begins it on the phone; null where no app was chosen. */
export function triggerOf({ when, app, label, words }: Draft): Trigger | null {
  if (when === 'connected') return { when };
  return app === '' ? null : { when, app, label: label || app, words: words.trim() };
}

/** The names in braces of a task, in order, each once. What is in two pairs of braces is none, as the program reads it. */
export function namesIn(task: string): string[] {
  const found = [...task.matchAll(/\{([\p{Alphabetic}\p{N}_]+)\}/gu)].filter(({ 0: all, index }) => {
    const isDoubled = task[index - 1] === '{' && task[index + all.length] === '}';
    return !isDoubled;
  });
  return [...new Set(found.map(([, name]) => name as string))];
}

/** Whether it can stand in braces. */
export const isName = (text: string): boolean => /^[\p{Alphabetic}\p{N}_]+$/u.test(text);

/** `value`, else `value2`, `value3`, … */
export function freeName(base: string, taken: string[]): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? base : `${base}${n}`;
    if (!taken.includes(name)) return name;
  }
}

/** A piece of a task: words, or a name in braces. */
export interface Piece {
  text: string;
  name: boolean;
}

export function piecesOf(task: string): Piece[] {
  const names = namesIn(task);
  return task
    .split(/(\{[\p{Alphabetic}\p{N}_]+\})/u)
    .filter((text) => text !== '')
    .map((text) => (names.includes(text.slice(1, -1)) && text.startsWith('{') ? { text: text.slice(1, -1), name: true } : { text, name: false }));
}

/** The variables of a task: those that are known keep what was said of them. */
export const variablesIn = (task: string, known: Variable[]): Variable[] =>
  namesIn(task).map((name) => known.find((one) => one.name === name) ?? { name, kind: 'text', value: '', ask: true });

/** Digits, with a sign before and points, commas or spaces between, as the program reads them. */
export const isNumber = (text: string): boolean => /^[-+]?\p{N}(?:[\p{N}., \u00a0\u202f']*\p{N})?$/u.test(text.trim());

/** Whether a value can stand for it. */
export const isValue = ({ kind }: Variable, value: string): boolean =>
  kind === 'secret' || (value.trim() !== '' && (kind !== 'number' || isNumber(value)));

/** All that is wrong, as far as it is known here; `taken`: the names of the others. */
export function faultsOf(draft: Draft, taken: string[]): Fault[] {
  const found = new Set<Fault>();
  const name = draft.name.trim();
  if (name === '' || [...name].length > LONGEST_NAME) found.add('name');
  else if (taken.some((one) => one.toLowerCase() === name.toLowerCase())) found.add('name_taken');
  if (draft.task.trim() === '') found.add('task');
  if (!draft.everywhere && draft.phones.length === 0) found.add('phones');
  if (draft.scheduled && !scheduleOf(draft)) found.add('schedule');
  if (draft.triggered && !triggerOf(draft)) found.add('trigger');
  const given = draft.variables.filter(({ value }) => value.trim() !== '');
  if (given.some((one) => !isValue(one, one.value))) found.add('number');
  if (draft.variables.some((one) => draft.misnamed[one.name] !== undefined)) found.add('badly_called');
  const byItself = draft.scheduled || draft.triggered;
  if (byItself && draft.variables.some((one) => one.kind !== 'secret' && one.value.trim() === '')) found.add('value_missing');
  return [...found];
}

/** What is sent. Nothing of a secret is in it. */
export function planOf(draft: Draft): AutomationPlan {
  const schedule = draft.scheduled ? scheduleOf(draft) : null;
  const trigger = draft.triggered ? triggerOf(draft) : null;
  const variables = variablesIn(draft.task, draft.variables);
  return {
    name: draft.name.trim(),
    task: draft.task.trim(),
    variables: variables.map((one) => ({ ...one, value: one.kind === 'secret' ? '' : one.value.trim() })),
    phones: draft.everywhere ? { on: 'all' } : { on: 'these', phones: draft.phones },
    ...(schedule ? { schedule } : {}),
    ...(trigger ? { trigger } : {}),
    missed: draft.missed,
    ...(draft.replays && draft.run !== undefined ? { recorded: draft.run } : {}),
  };
}

const FAULTS: PlanFault[] = ['name', 'name_taken', 'task', 'variables', 'secret_value', 'phones', 'schedule', 'value_missing'];

/** The fault a refused plan came back with; null where it was refused for another reason. */
export const faultIn = ({ values }: Failure): PlanFault | null => FAULTS.find((one) => one === values?.['fault']) ?? null;

/** The plan of an automation, without what is not edited. */
export function planIn({ name, task, variables, phones, schedule, trigger, missed, recorded }: AutomationPlan): AutomationPlan {
  return {
    name,
    task,
    variables,
    phones,
    ...(schedule ? { schedule } : {}),
    ...(trigger ? { trigger } : {}),
    missed,
    ...(recorded === undefined ? {} : { recorded }),
  };
}

/** What is asked before a run that a person begins: what is always asked, and what has no value. Secrets are the phone’s own question. */
export const askedFor = (variables: Variable[]): Variable[] =>
  variables.filter((one) => one.kind !== 'secret' && (one.ask || one.value.trim() === ''));
