// What each sentence is to be given, read from the sentences themselves.

// By its file: under its name the window's build has no parser.
import { parse, TYPE, type MessageFormatElement } from '../node_modules/@formatjs/icu-messageformat-parser/index.js';
import { NOT_SHOWN_HERE } from '../words.plugin';

/** The names of the values a sentence takes. */
function names(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((one) => {
    const own = one.type === TYPE.argument || one.type === TYPE.plural || one.type === TYPE.select ? [one.value] : [];
    const inner = 'options' in one ? Object.values(one.options).flatMap(({ value }) => names(value)) : [];
    return [...own, ...inner, ...('children' in one ? names(one.children) : [])];
  });
}

/** `src/words/placeholders.ts`: what each sentence of these is to be given. A test holds it to `en.json`. */
export function placeholders(sentences: object): string {
  const lines = (at: unknown, path: string): string[] => {
    if (typeof at === 'object') return Object.entries(at as object).flatMap(([name, inner]) => lines(inner, path ? `${path}.${name}` : name));
    const found = [...new Set(names(parse(at as string)))].map((name) => `'${name}'`);
    return found.length > 0 ? [`  '${path}': ${found.join(' | ')};`] : [];
  };
  const shown = Object.fromEntries(Object.entries(sentences).filter(([group]) => !NOT_SHOWN_HERE.includes(group)));
  return [
    '// Made of `words/en.json` by `npx vitest run words -u`: what a sentence’s placeholders are called.',
    '',
    'export interface Placeholders {',
    ...lines(shown, ''),
    '}',
    '',
  ].join('\n');
}
