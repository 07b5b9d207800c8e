// The build stops when the window grows too heavy, or points anywhere outside of itself.

import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** Bytes of all scripts that both windows begin with, packed. */
const MOST = 80 * 1024;
/** Bytes of a page that is read when it is opened, with what it alone needs, packed. */
const MOST_LAZY = 32 * 1024;

/** Scripts a window begins with: each is one more question to the program before anything is drawn. */
const MOST_FILES = 4;

/** Addresses that are names or examples, never fetched. */
const NAMES = [
  /^http:\/\/www\.w3\.org\//,
  /^https:\/\/svelte\.dev\/e\//,
  /^https:\/\/api\.example\.com\/v1$/,
  /^https:\/\/NAME\.openai\.azure\.com\/openai\/v1$/,
  /^https:\/\/(www\.)?formatjs\.(io|github\.io)/,
];

type Bundle = Rolldown.OutputBundle;

/** These files, and every file they import at once. */
function reached(bundle: Bundle, names: string[]): Set<string> {
  const all = new Set(names);
  for (const name of all) {
    const file = bundle[name];
    if (file?.type === 'chunk') for (const one of file.imports) all.add(one);
  }
  return all;
}

const begunWith = (bundle: Bundle): Set<string> =>
  reached(
    bundle,
    Object.entries(bundle).flatMap(([name, file]) => (file.type === 'chunk' && file.isEntry ? [name] : [])),
  );

export function budget(): Plugin {
  return {
    name: 'budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const first = begunWith(bundle);
      let packed = 0;
      const later = new Map<string, number>();
      for (const [name, file] of Object.entries(bundle)) {
        const text = file.type === 'chunk' ? file.code : String(file.source);
        if (file.type === 'chunk') {
          const bytes = gzipSync(text).length;
          if (first.has(name)) packed += bytes;
          else later.set(name, bytes);
        }
        const strange = [...text.matchAll(/https?:\/\/[^\s"'`\\)>]*/g)]
          .map(([url]) => url)
          .filter((url) => !NAMES.some((known) => known.test(url)));
        if (strange.length > 0) this.error(`${name} points outside: ${strange.join(', ')}`);
      }
      for (const [name, file] of Object.entries(bundle)) {
        const files = file.type === 'chunk' && file.isEntry ? reached(bundle, [name]).size : 0;
        if (files > MOST_FILES) this.error(`${name} begins with ${files} scripts, more than ${MOST_FILES}`);
      }
      if (packed > MOST) this.error(`${packed} bytes of packed script are more than ${MOST}`);
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type !== 'chunk' || !file.isDynamicEntry) continue;
        const own = [...reached(bundle, [name])].reduce((sum, one) => sum + (later.get(one) ?? 0), 0);
        if (own > MOST_LAZY) this.error(`${own} bytes of packed script for ${name} are more than ${MOST_LAZY}`);
      }
    },
  };
}
