// Money, times and numbers as the language that is spoken writes them.

import { language } from './language.svelte';
import { t } from './words';

/** Dollars: `$0.42`, and `$5` when `trim` is asked for and there are no cents. */
export function money(dollars: number, trim = false): string {
  const shape: Intl.NumberFormatOptions = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' };
  if (trim && Number.isInteger(dollars)) shape.maximumFractionDigits = 0;
  // To whole cents here, as the task's own words do: half a cent is a cent in both, whatever binary fraction stands for it.
  return new Intl.NumberFormat(language.tag, shape).format(Math.round(dollars * 100) / 100);
}

/** `9:41 am`. */
export const clockTime = (at: number): string =>
  new Intl.DateTimeFormat(language.tag, { hour: 'numeric', minute: '2-digit' }).format(at);

/** The year is said where it is not the one of `now`: `May 7`, and `May 7, 2023`. */
const yearOf = (at: number, now: number): Intl.DateTimeFormatOptions =>
  new Date(at).getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' };

/** `May 7`. */
export const day = (at: number, now: number): string =>
  new Intl.DateTimeFormat(language.tag, { month: 'short', day: 'numeric', ...yearOf(at, now) }).format(at);

/** `November 20, 2026`, of `2026-11-20`. */
export function calendarDay(date: string): string {
  const at = Date.parse(date);
  return Number.isNaN(at) ? date : new Intl.DateTimeFormat(language.tag, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
}

/** `Today`, `Yesterday`, `May 7`. */
export function dayName(at: number, now: number): string {
  const midnight = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
  // A day may have 23 or 25 hours.
  const days = Math.round((midnight(now) - midnight(at)) / 86_400_000);
  if (days > 1 || days < 0) return day(at, now);
  const name = new Intl.RelativeTimeFormat(language.tag, { numeric: 'auto' }).format(-days, 'day');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `20 min ago`: minutes, hours, then days. */
export function ago(at: number, now: number): string {
  const minutes = Math.max(0, Math.round((now - at) / 60_000));
  const write = new Intl.RelativeTimeFormat(language.tag, { style: 'short', numeric: 'auto' });
  if (minutes < 60) return write.format(-minutes, 'minute');
  if (minutes < 24 * 60) return write.format(-Math.round(minutes / 60), 'hour');
  return write.format(-Math.round(minutes / (24 * 60)), 'day');
}

/** `0:52`, `4:12`, `1:02:03`. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (n: number): string => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** `2 s`: whole seconds, at least one. */
export const seconds = (ms: number): string => t('time.seconds', { n: Math.max(1, Math.round(ms / 1000)) });

/** `18 s`, `4 min`, `2 hr`: the largest unit, at least a second. */
export function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms < 60_000) return seconds(ms);
  const unit = minutes < 60 ? 'minute' : 'hour';
  const value = minutes < 60 ? minutes : Math.round(minutes / 60);
  return new Intl.NumberFormat(language.tag, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
}

/** `Sunday`. */
export const weekday = (at: number): string => new Intl.DateTimeFormat(language.tag, { weekday: 'long' }).format(at);

/** `May 2024`. */
export const month = (at: number): string =>
  new Intl.DateTimeFormat(language.tag, { month: 'long', year: 'numeric' }).format(at);

/** `9:41:06 am`. */
export const exactTime = (at: number): string =>
  new Intl.DateTimeFormat(language.tag, { hour: 'numeric', minute: '2-digit', second: '2-digit' }).format(at);

/** `May 7 at 9:38 am`. */
export const moment = (at: number, now: number): string =>
  new Intl.DateTimeFormat(language.tag, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', ...yearOf(at, now) }).format(at);

/** Whole days from one moment to another, by the person's midnights: a day may have 23 or 25 hours. */
export function daysBetween(from: number, to: number): number {
  const midnight = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((midnight(to) - midnight(from)) / 86_400_000);
}

/** `0.8`: one digit after the mark that the language has. */
export const tenths = (value: number): string =>
  new Intl.NumberFormat(language.tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);

/** `3.2 MB`: bytes as the system's own pages count them. */
export function bytes(n: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, n)) / 3)));
  const value = n / 1000 ** power;
  const unit = units[power] as (typeof units)[number];
  const digits = power > 0 && value < 10 ? 1 : 0;
  return new Intl.NumberFormat(language.tag, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits }).format(value);
}
