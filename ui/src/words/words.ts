// Every sentence a person reads comes from `words/` through here, in the language that is spoken. A key that does not exist
// does not compile, neither does a template such as `failures.${code}` that lacks a sentence for one of its codes, nor a
// sentence without what its placeholders stand for.

import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import en from '../../words/en.json';
import type { Placeholders } from './placeholders';
import { language } from './language.svelte';

type Leaves<T, Path extends string = ''> = T extends string
  ? Path
  : { [K in keyof T & string]: Leaves<T[K], Path extends '' ? K : `${Path}.${K}`> }[keyof T & string];

/** The name of one sentence, for example `tile.nothing`. Notifications are written by the program itself. */
export type WordKey = Leaves<Omit<typeof en, 'export' | 'notices' | 'deck'>>;

/** The name of a sentence that is said as it is. */
export type PlainKey = Exclude<WordKey, keyof Placeholders>;

/** What a sentence's placeholders stand for. Numbers choose plurals; money and dates come already written. */
export type Values = Record<string, string | number>;

type Named<Key extends WordKey> = Key extends keyof Placeholders ? Placeholders[Key] : never;
/** The values a sentence takes: all it names; of a template, all that any of its sentences names. */
type Given<Key extends WordKey> = [Named<Key>] extends [never]
  ? [values?: Values]
  : [values: Values & Record<Named<Key>, string | number>];

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

/** A sentence as the build left it: plain, or in parts where something is to be filled in. */
type Written = string | MessageFormatElement[];

function find(sentences: object, key: string): Written | undefined {
  let at: unknown = sentences;
  for (const name of key.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return typeof at === 'string' || Array.isArray(at) ? at : undefined;
}

/** Whether a name made of an open word (an outcome's code, a key's name) has a sentence. */
export const exists = (key: string): key is WordKey => find(en, key) !== undefined;

/** More sentences, for a page that is opened now. */
export const addWords = (more: object): void => void Object.assign(en, more);

/** What was read already, of the language that is spoken. */
const cache = { of: en as object, known: new Map<WordKey, IntlMessageFormat | string>() };

function message(key: WordKey): IntlMessageFormat | string {
  const sentences = language.sentences ?? en;
  if (cache.of !== sentences) Object.assign(cache, { of: sentences, known: new Map() });
  let known = cache.known.get(key);
  if (known === undefined) {
    const found = find(sentences, key) ?? key;
    known = typeof found === 'string' ? found : new IntlMessageFormat(found, language.tag);
    cache.known.set(key, known);
  }
  return known;
}

/** The sentence of that name. */
export const t = <Key extends WordKey>(key: Key, ...[values]: Given<Key>): string => say({ key, values });

/** A sentence handed over as data. */
export const say = (sentence: { key: WordKey; values?: Values | undefined }): string =>
  parts(sentence)
    .map((part) => part.text)
    .join('');

/** A headline as a sentence of its own: one without a mark at its end gets one before another sentence follows. */
export const ended = (text: string): string =>
  text === '' || /[.?!…:。？！：]["”’»）)]?$/u.test(text) ? text : t('app.sentence', { text });

/** Sentences one after the other, each ended; Chinese ones stand without a blank between them. */
export const inARow = (sentences: string[]): string =>
  sentences
    .filter((text) => text !== '')
    .map(ended)
    .join(language.tag.startsWith('zh') ? '' : ' ');

/** The sentence with its bold runs apart. */
export function parts({ key, values = {} }: { key: WordKey; values?: Values | undefined }): Part[] {
  const known = message(key);
  if (typeof known === 'string') return [{ text: known, bold: false }];
  const bold = (chunks: unknown[]): Part => ({ text: chunks.join(''), bold: true });
  const whole = known.format<Part>({ ...values, b: bold as never });
  return (Array.isArray(whole) ? whole : [whole]).map((part) =>
    typeof part === 'object' && part !== null && 'text' in part ? part : { text: String(part), bold: false },
  );
}
