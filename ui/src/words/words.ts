// Every sentence a person reads comes from `words/en.json` through here. A key that does not exist does not compile,
// and neither does a template such as `failures.${code}` that lacks a sentence for one of its codes.

import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import en from '../../words/en.json';

type Leaves<T, Path extends string = ''> = T extends string
  ? Path
  : { [K in keyof T & string]: Leaves<T[K], Path extends '' ? K : `${Path}.${K}`> }[keyof T & string];

/** The name of one sentence, for example `tile.nothing`. Notifications are written by the program itself. */
export type WordKey = Leaves<Omit<typeof en, 'export' | 'notices'>>;

/** What a sentence's placeholders stand for. Numbers choose plurals; money and dates come already written. */
export type Values = Record<string, string | number>;

/** A sentence not yet spoken: what pure code hands to components. */
export interface Sentence {
  key: WordKey;
  values?: Values;
}

/** A run of text in a sentence with `<b>…</b>` in it. */
export interface Part {
  text: string;
  bold: boolean;
}

const LANGUAGE = 'en';

/** A sentence as the build left it: plain, or in parts where something is to be filled in. */
const find = (key: string): string | MessageFormatElement[] | undefined => {
  let at: unknown = en;
  for (const name of key.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return typeof at === 'string' || Array.isArray(at) ? at : undefined;
};

/** Whether a name made of an open word (an outcome's code, a key's name) has a sentence. */
export const exists = (key: string): key is WordKey => find(key) !== undefined;

/** More sentences, for a page that is opened now. */
export const learn = (more: object): void => void Object.assign(en, more);

const cache = new Map<WordKey, IntlMessageFormat | string>();

function message(key: WordKey): IntlMessageFormat | string {
  let known = cache.get(key);
  if (known === undefined) {
    const found = find(key) ?? key;
    known = typeof found === 'string' ? found : new IntlMessageFormat(found, LANGUAGE);
    cache.set(key, known);
  }
  return known;
}

/** The sentence of that name. */
export function t(key: WordKey, values?: Values): string {
  return parts(key, values)
    .map((part) => part.text)
    .join('');
}

/** A sentence handed over as data. */
export const say = (sentence: Sentence): string => t(sentence.key, sentence.values);

/** A headline as a sentence of its own: one without a mark at its end gets one before another sentence follows. */
export const ended = (text: string): string =>
  text === '' || /[.?!…:]["”’»)]?$/u.test(text) ? text : t('app.sentence', { text });

/** The sentence with its bold runs apart. */
export function parts(key: WordKey, values: Values = {}): Part[] {
  const known = message(key);
  if (typeof known === 'string') return [{ text: known, bold: false }];
  const bold = (chunks: unknown[]): Part => ({ text: chunks.join(''), bold: true });
  const whole = known.format<Part>({ ...values, b: bold as never });
  return (Array.isArray(whole) ? whole : [whole]).map((part) =>
    typeof part === 'object' && part !== null && 'text' in part ? part : { text: String(part), bold: false },
  );
}
