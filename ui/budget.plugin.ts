// The build stops when the window grows too heavy, or points anywhere outside of itself.

import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Bytes of all scripts of both windows together, packed. */
const MOST = 80 * 1024;

/** Addresses that are names or examples, never fetched. */
const NAMES = [
  /^http:\/\/www\.w3\.org\//,
  /^https:\/\/svelte\.dev\/e\//,
  /^https:\/\/api\.openai\.com\/v1$/,
  /^https:\/\/(www\.)?formatjs\.(io|github\.io)/,
];

export function budget(): Plugin {
  return {
    name: 'budget',
    apply: 'build',
    generateBundle(_, bundle) {
      let packed = 0;
      for (const [name, file] of Object.entries(bundle)) {
        const text = file.type === 'chunk' ? file.code : String(file.source);
        if (file.type === 'chunk') packed += gzipSync(text).length;
        const strange = [...text.matchAll(/https?:\/\/[^\s"'`\\)>]*/g)]
          .map(([url]) => url)
          .filter((url) => !NAMES.some((known) => known.test(url)));
        if (strange.length > 0) this.error(`${name} points outside: ${strange.join(', ')}`);
      }
      if (packed > MOST) this.error(`${packed} bytes of packed script are more than ${MOST}`);
    },
  };
}
