// When an automation begins, in words. Pure: a plan in, a sentence out.

import type { AutomationPlan, ClockTime, Phone, Schedule, Trigger, Weekday } from '../protocol';
import { knownName } from '../state/phone-name';
import { clockTime, daysBetween, moment } from '../words/format';
import { language } from '../words/language.svelte';
import { t } from '../words/words';

export const WEEKDAYS: Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** A Monday; the days after it are its week. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

const write = (at: number, shape: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language.tag, { ...shape, timeZone: 'UTC' }).format(at);

/** `Monday`, or `Mon`. */
export const weekdayName = (day: Weekday, weekday: 'long' | 'short' = 'long'): string =>
  write(MONDAY + WEEKDAYS.indexOf(day) * DAY_MS, { weekday });

/** `7:30 AM`. */
export const timeName = ({ hour, minute }: ClockTime): string =>
  write(MONDAY + (hour * 60 + minute) * 60_000, { hour: 'numeric', minute: '2-digit' });

/** `December 24, 2026`; a date that does not exist as it is written. */
function dateName(date: string): string {
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) ? date : write(at, { dateStyle: 'long' });
}

/** `Monday, Wednesday, and Friday`; `one or other` for a disjunction. */
export const joined = (names: string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat(language.tag, { type }).format(names);

const WORKDAYS = WEEKDAYS.slice(0, 5);
const isSame = (days: Weekday[], others: Weekday[]): boolean =>
  days.length === others.length && others.every((day) => days.includes(day));

function weekName(days: Weekday[], time: string): string {
  const inOrder = WEEKDAYS.filter((day) => days.includes(day));
  if (inOrder.length === 7) return t('automations.every.day', { time });
  if (isSame(inOrder, WORKDAYS)) return t('automations.every.weekday', { time });
  if (isSame(inOrder, ['saturday', 'sunday'])) return t('automations.every.weekend', { time });
  return t('automations.every.days', { days: joined(inOrder.map((day) => weekdayName(day))), time });
}

/** `Every weekday at 7:30 AM`. */
export function scheduleName(schedule: Schedule): string {
  switch (schedule.every) {
    case 'once':
      return t('automations.every.once', { date: dateName(schedule.date), time: timeName(schedule.at) });
    case 'week':
      return weekName(schedule.days, timeName(schedule.at));
    case 'month': {
      const values = { n: schedule.day, time: timeName(schedule.at) };
      // Not every month has it.
      return t(schedule.day > 28 ? 'automations.every.month_end' : 'automations.every.month', values);
    }
    case 'month_weekday':
      return t(`automations.every.${schedule.which}`, { day: weekdayName(schedule.day), time: timeName(schedule.at) });
    case 'hours':
      return t('automations.every.hours', { n: schedule.hours });
  }
}

/** `When Mum’s Galaxy connects`; without phones it is any of them. */
export function triggerName(trigger: Trigger, phones: string[]): string {
  if (trigger.when === 'connected') {
    return phones.length === 0
      ? t('automations.when.any_connects')
      : t('automations.when.connects', { phone: joined(phones, 'disjunction') });
  }
  const { label: app, words } = trigger;
  return words.trim() === '' ? t('automations.when.notifies', { app }) : t('automations.when.shows', { app, words: words.trim() });
}

/** All that begins it; null where only the person does. */
export function beginsWhen(plan: Pick<AutomationPlan, 'schedule' | 'trigger'>, phones: string[]): string | null {
  const all = [
    ...(plan.schedule ? [scheduleName(plan.schedule)] : []),
    ...(plan.trigger ? [triggerName(plan.trigger, phones)] : []),
  ];
  return all.length === 0 ? null : all.join(' · ');
}

/** What the phones of a plan are called; none for all of them. `known`: what they were called where they are not listed any more. */
export const phonesOf = (plan: Pick<AutomationPlan, 'phones'>, phones: Phone[], known: ReadonlyMap<string, string>): string[] =>
  plan.phones.on === 'all'
    ? []
    : plan.phones.phones.map(
        (id) => knownName(phones, id) ?? known.get(id) ?? t('automations.phone_unknown'),
      );

/** `Today, 7:00 AM`, `Thursday, 7:00 AM`, `May 7, 9:38 AM`. */
export function whenName(at: number, now: number): string {
  const days = daysBetween(now, at);
  if (Math.abs(days) > 6) return moment(at, now);
  const name =
    Math.abs(days) < 2
      ? new Intl.RelativeTimeFormat(language.tag, { numeric: 'auto' }).format(days, 'day')
      : new Intl.DateTimeFormat(language.tag, { weekday: 'long' }).format(at);
  return t('automations.day_time', { day: name.charAt(0).toUpperCase() + name.slice(1), time: clockTime(at) });
}
