// Two languages that nobody speaks, made of the English sentences: `en-XA` is longer and accented, so that cut and untranslated
// text is seen; `ar-XB` runs from right to left, so that a page that does not mirror is seen. For tests and a plain browser.

import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { language } from '../words/language.svelte';

type Written = string | MessageFormatElement[];

const PLAIN = 'aceilnorsuyACEILNOSUYdgtzDGTZ';
const ACCENTED = 'áçéíĺñóŕšúýÁÇÉÍĹÑÓŠÚÝďğťžĎĞŤŽ';
const accented = (text: string): string =>
  [...text].map((letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter).join('');

/** Unicode's own marks: what stands between them runs from right to left. */
const turned = (text: string): string => (text.trim() === '' ? text : `\u202e${text}\u202c`);

/** How long a sentence is, without what is filled in; of several forms the longest. */
function lengthOf(written: Written): number {
  if (typeof written === 'string') return written.length;
  const of = (one: MessageFormatElement): number => {
    if ('options' in one) return Math.max(...Object.values(one.options).map(({ value }) => lengthOf(value)));
    if ('children' in one) return lengthOf(one.children);
    return one.type === 0 ? one.value.length : 0;
  };
  return written.reduce((sum, one) => sum + of(one), 0);
}

/** Every piece of text in a sentence, changed; what is filled in stays. */
function changed(written: Written, change: (text: string) => string): Written {
  if (typeof written === 'string') return change(written);
  return written.map((one): MessageFormatElement => {
    const inner = (elements: MessageFormatElement[]) => changed(elements, change) as MessageFormatElement[];
    if (one.type === 0) return { ...one, value: change(one.value) };
    if ('children' in one) return { ...one, children: inner(one.children) };
    if (!('options' in one)) return one;
    const options = Object.entries(one.options).map(([name, option]) => [name, { ...option, value: inner(option.value) }]);
    return { ...one, options: Object.fromEntries(options) } as MessageFormatElement;
  });
}

/** Accents, brackets at both ends, and two fifths more of it. */
function lengthened(written: Written): Written {
  const more = ` ${'~'.repeat(Math.ceil(lengthOf(written) * 0.4))}]`;
  const text = changed(written, accented);
  if (typeof text === 'string') return `[${text}${more}`;
  return [{ type: 0, value: '[' }, ...text, { type: 0, value: more }] as MessageFormatElement[];
}

/** A group of sentences, each made over. */
function every(sentences: unknown, make: (written: Written) => Written): unknown {
  if (typeof sentences === 'string' || Array.isArray(sentences)) return make(sentences as Written);
  return Object.fromEntries(Object.entries(sentences as object).map(([name, inner]) => [name, every(inner, make)]));
}

/** Speaks a language of tests, or one of the real ones, whatever the settings say. */
export async function speakForTests(tag: string): Promise<void> {
  if (tag === 'zh') language.fix('zh-CN', (await import('../../words/zh.json?all')).default);
  else if (tag === 'en') language.fix('en-US', null);
  else {
    const english = (await import('../../words/en.json?all')).default;
    if (tag === 'en-XA') language.fix(tag, every(english, lengthened) as object);
    // Its numbers and plurals stay English: only the direction is tried.
    if (tag === 'ar-XB') language.fix('en-XB', every(english, (one) => changed(one, turned)) as object, 'rtl');
  }
}
