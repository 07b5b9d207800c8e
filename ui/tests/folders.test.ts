import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../src');

/** Which folders each may import, beside itself; what is listed earlier knows nothing of what is listed later. */
const MAY: Record<string, string[]> = {
  words: [],
  kit: ['words'],
  pictures: [],
  state: ['words', 'kit', 'pictures'],
  failures: ['words', 'kit', 'state'],
  phone: ['words', 'kit', 'pictures', 'state', 'failures'],
  run: ['words', 'kit', 'pictures', 'state', 'failures', 'phone'],
  approval: ['words', 'kit', 'pictures', 'state', 'run'],
  history: ['words', 'kit', 'pictures', 'state', 'phone', 'run', 'approval'],
  automations: ['words', 'kit', 'state'],
  settings: ['words', 'kit', 'state', 'failures'],
  onboarding: ['words', 'kit', 'state', 'failures', 'phone', 'run', 'settings'],
  fake: ['words', 'kit', 'pictures', 'state', 'phone'],
  app: ['words', 'kit', 'state', 'failures', 'phone', 'run', 'approval', 'history', 'automations', 'settings', 'onboarding', 'fake'],
};
/** What everybody may import: the program's own types, and the one door to it. */
const BELOW = ['protocol.ts', 'backend.ts', 'modules.d.ts'];

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|svelte)$/.test(name));
const known = new Set(files);

function imports(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  const named = text.matchAll(/(?:from|import|import\()\s*'(\.{1,2}\/[^'?]+)'/g);
  return [...named].flatMap(([, path]) => {
    const at = normalize(join(dirname(file), path as string));
    return ['', '.ts', '/index.ts'].map((ending) => at + ending).filter((name) => known.has(name));
  });
}

const folder = (file: string): string => file.split('/')[0] as string;

it('a folder imports only what lies below it', () => {
  const up = files.flatMap((file) =>
    imports(file)
      .filter((other) => !BELOW.includes(other) && folder(other) !== folder(file))
      .filter((other) => !MAY[folder(file)]?.includes(folder(other)))
      .map((other) => `${file} -> ${other}`),
  );
  expect(up).toEqual([]);
  expect([...new Set(files.map(folder))].filter((name) => !BELOW.includes(name)).sort()).toEqual(Object.keys(MAY).sort());
});

it('the list of folders runs one way', () => {
  const order = Object.keys(MAY);
  for (const [name, others] of Object.entries(MAY)) {
    for (const other of others) expect(order.indexOf(other), `${name} -> ${other}`).toBeLessThan(order.indexOf(name));
  }
});

it('no circle of files', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, way: string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
    if (done.has(file) || way.includes(file)) return;
    for (const other of imports(file)) walk(other, [...way, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
  expect(circles).toEqual([]);
});
