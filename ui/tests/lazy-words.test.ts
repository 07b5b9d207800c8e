// Which sentences are read with which page: a page that says one has read its set, itself or through the page it is opened from.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { LAZY_SETS } from '../words.plugin';

const SRC = join(import.meta.dirname, '../src');
const text = (file: string): string => readFileSync(join(SRC, file), 'utf8');

/** Files this one imports, at once or later; types are nothing at run time. */
function imports(file: string): { now: string[]; later: string[] } {
  const code = text(file).replaceAll(/import\s+type\s[^;]*;/g, '');
  const found = (shape: RegExp): string[] =>
    [...code.matchAll(shape)].flatMap(([, path]) => {
      const at = normalize(join(dirname(file), path as string));
      return ['', '.ts', '/index.ts'].map((ending) => at + ending).filter((name) => /\.(ts|svelte)$/.test(name) && existsSync(join(SRC, name)));
    });
  return { now: found(/(?:from|import)\s*'(\.{1,2}\/[^'?]+)'/g), later: found(/import\(\s*'(\.{1,2}\/[^'?]+)'/g) };
}

/** All that is read together with these files, and what may be read from there. */
function closure(files: string[]): { now: Set<string>; later: Set<string> } {
  const now = new Set(files);
  const later = new Set<string>();
  for (const file of now) {
    const found = imports(file);
    for (const one of found.now) now.add(one);
    for (const one of found.later) later.add(one);
  }
  return { now, later };
}

const setsOf = (file: string): string[] =>
  Object.entries(LAZY_SETS).flatMap(([set, groups]) => (groups.some((group) => new RegExp(`['"\`]${group}\\.`).test(text(file))) ? [set] : []));
const addedBy = (file: string): string[] => [...text(file).matchAll(/en\.json\?(\w+)'/g)].map(([, set]) => set as string);

/** Said by functions that only pages call that have read them. */
const ELSEWHERE = ['state/step-sentences.ts', 'words/placeholders.ts', 'protocol.ts'];

it('every page has read what it says', () => {
  const missing: string[] = [];
  const done = new Set<string>();
  const start = closure(['app/main.ts', 'app/approval-main.ts']);
  const walk = (page: string, files: Set<string>, known: string[]): void => {
    const key = `${page} ${[...known].sort().join()}`;
    if (done.has(key)) return;
    done.add(key);
    const own = [...files].filter((file) => !file.startsWith('fake/') && (page === 'the start' || !start.now.has(file)));
    const added = [...known, ...own.flatMap(addedBy)];
    for (const file of own.filter((one) => !ELSEWHERE.includes(one))) {
      for (const set of setsOf(file)) if (!added.includes(set)) missing.push(`${page}: ${file} says what ${set} holds`);
    }
    for (const file of own) for (const next of imports(file).later) walk(next, closure([next]).now, added);
  };
  walk('the start', start.now, []);
  expect(done.size).toBeGreaterThan(15);
  expect(missing).toEqual([]);
});
