// Reads the sentences at build time: the window gets them parsed, and no parser with them.

import { parse } from '@formatjs/icu-messageformat-parser';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** For other readers only: notifications and exports. */
export const NOT_SHOWN_HERE = ['notices', 'export'];
/** For pages that are read when they are opened, each set by its name: `en.json?later`. Another language is read whole: `zh.json?all`. */
export const LAZY_SETS: Record<string, string[]> = {
  /** The settings, the way to a phone, a page without one, files that are dropped, and what is open over a page. */
  later: ['closing', 'empty', 'files', 'onboarding', 'opening', 'settings', 'shortcuts'],
  /** A task step by step, now and in the past, with what was asked in it. */
  task: ['approvals', 'clip', 'done', 'labels', 'offers', 'outcomes', 'phone', 'refusals', 'refused', 'result', 'retrying', 'rows', 'sound', 'transports', 'typing', 'unanswered', 'unclear'],
  history: ['history'],
  automations: ['automations'],
  /** What was looked at on a phone that has trouble. */
  check: ['doctor'],
  /** A setting that would loosen something, in the window that asks. */
  change: ['confirm'],
};

/** The set a group is read with; none where the window begins with it. */
const setOf = (group: string): string | undefined =>
  Object.entries(LAZY_SETS).find(([, groups]) => groups.includes(group))?.[0];

/** Which words a file is asked for by: one set, or all. */
const ASKED = new RegExp(`/words/\\w+\\.json(?:\\?(${[...Object.keys(LAZY_SETS), 'all'].join('|')}))?$`);

/** A sentence without placeholders stays a string; any other becomes its parts. */
function compile(at: unknown): unknown {
  if (typeof at === 'string') return /[{<']/.test(at) ? parse(at, { captureLocation: false }) : at;
  return Object.fromEntries(Object.entries(at as object).map(([name, inner]) => [name, compile(inner)]));
}

export function words(): Plugin {
  return {
    name: 'words',
    enforce: 'pre',
    config: () => ({
      resolve: {
        alias: [
          {
            find: /^@formatjs\/icu-messageformat-parser$/,
            replacement: fileURLToPath(
              new URL('node_modules/@formatjs/icu-messageformat-parser/no-parser.js', import.meta.url),
            ),
          },
        ],
      },
    }),
    transform(code, id) {
      const match = ASKED.exec(id);
      if (!match) return null;
      const [, set] = match;
      const all = Object.entries(JSON.parse(code) as object)
        .filter(([group]) => !NOT_SHOWN_HERE.includes(group))
        .filter(([group]) => set === 'all' || setOf(group) === set);
      // As a string it is read several times faster than as code, and it stays one string in the bundle.
      const text = JSON.stringify(compile(Object.fromEntries(all)));
      return { code: `export default JSON.parse(${JSON.stringify(text)})`, moduleType: 'js', map: null };
    },
  };
}
