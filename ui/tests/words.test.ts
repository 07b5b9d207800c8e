import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseComponent } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';
// By its file: under its name the window's build has no parser.
import { parse as parseMessage } from '../node_modules/@formatjs/icu-messageformat-parser/index.js';
import { describe as told } from '../src/run/event-sentences';
import type { Action } from '../src/protocol';
import type { Row } from '../src/state/run';
import { doing, done, keyName, swipeDirection, todo } from '../src/state/step-sentences';
import { exists, parts, say, t, type WordKey } from '../src/words/words';
import { placeholders } from './placeholders';
import { transcript, transcripts, viewOf } from './harness';

const UI = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(UI, path), 'utf8');
const words = JSON.parse(read('words/en.json')) as Record<string, unknown>;

function leaves(at: unknown, path = ''): [string, string][] {
  if (typeof at === 'string') return [[path, at]];
  return Object.entries(at as object).flatMap(([name, inner]) => leaves(inner, path ? `${path}.${name}` : name));
}

const sentences = leaves(words);

const files = (folder: string, ending: string): string[] =>
  readdirSync(join(UI, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

/** For people who know: prices and scripts, and what Android or a maker calls by that name. */
const TECHNICAL =
  /^settings\.(prices_|programs_hint|phones\.mirror_licence)|^onboarding\.(brands|screen|wifi)\.|^settings\.about\.scrcpy$|^failures\.pairing_closed/;

const components = files('src', '.svelte');
const sources = [...components, ...files('src', '.ts')].filter((path) => !path.endsWith('protocol.ts'));

/** The variants of a type of `protocol.ts`: its strings, or the tags of its objects. */
function variants(type: string, tag?: string): string[] {
  const types = read('src/protocol.ts').split(/^export type /m);
  const own = types.find((text) => text.startsWith(`${type} = `)) ?? '';
  const found = own.matchAll(tag ? new RegExp(`"${tag}": "([^"]+)"`, 'g') : /"([^"]+)"/g);
  return [...found].map((match) => match[1] as string);
}

it('what each sentence is to be given is written down', async () => {
  await expect(placeholders(words)).toMatchFileSnapshot('../src/words/placeholders.ts');
});

describe('every sentence', () => {
  it.each(['en', 'zh'])('stands in its file once: %s', (name) => {
    const text = read(`words/${name}.json`);
    const named = (at: unknown): number =>
      typeof at === 'string' ? 0 : Object.values(at as object).reduce<number>((sum, inner) => sum + 1 + named(inner), 0);
    expect(text.match(/"(?:[^"\\]|\\.)*"\s*:/g)).toHaveLength(named(JSON.parse(text)));
  });

  it('can be read, and is written with real quotes', () => {
    for (const [key, text] of sentences) {
      expect(() => parseMessage(text), key).not.toThrow();
      expect(text.trim(), key).toBe(text);
      expect(text, key).not.toMatch(/['"]|^$/);
    }
  });

  it('that the program reads by itself is plain', () => {
    for (const [key, text] of sentences.filter(([name]) => /^(notices|failures|export|doctor\.(checks|verdicts|advice))\./.test(name))) {
      expect(text.replaceAll(/\{[a-z]+\}/g, ''), key).not.toMatch(/[{}<>#]/);
    }
  });

  it('says nothing a family would not', () => {
    for (const [key, text] of sentences.filter(([name]) => !TECHNICAL.test(name)))
      expect(text, key).not.toMatch(
        /\b(whatever matters|told|stands|nobody|is here|just now|scrcpy|tokens?|shells?|adb|dialect|device|payload|session)\b/,
      );
  });

  /** Over a field stands what it is for. */
  const ORDERS = ['ask.code.question', 'ask.password.question'];

  it('that is a question’s title ends with a question mark', () => {
    const titles = sentences.filter(([key]) => !ORDERS.includes(key) && /^(ask|confirm)\..*\.?question$|^headlines\./.test(key));
    expect(titles.length).toBeGreaterThan(40);
    for (const [key, text] of titles) expect(text.replaceAll('}', ''), key).toMatch(/\?$/);
  });

  it('is used somewhere', () => {
    const code = sources.map(read).join('\n');
    const shapes = templates(code);
    const used = (key: string): boolean => {
      if (code.includes(`'${key}'`) || code.includes(`"${key}"`)) return true;
      // Names built in code: `failures.${code}`, `ask.${kind}.header`, `${tense}.tap.label`.
      return shapes.some((shape) => shape.test(key));
    };
    const unused = sentences.map(([key]) => key).filter((key) => !/^(notices|export|deck)\./.test(key) && !used(key));
    expect(unused).toEqual([]);
  });
});

/** Every template string that names sentences, as a pattern over whole names. */
function templates(code: string): RegExp[] {
  return [...code.matchAll(/`([a-z_]+\.[^`\s]*|\$\{tense\}[^`\s]*|\$\{group\}[^`\s]*)`/g)].map(
    ([, shape]) =>
      new RegExp(
        `^${(shape ?? '')
          .replaceAll('.', '\\.')
          .replace('${tense}', '(doing|done|do)')
          .replace('${group}', '(outcomes|refusals)')
          .replaceAll(/\$\{[^}]*\}/g, '[\\w ]+')}$`,
      ),
  );
}

describe('there is a sentence for every', () => {
  const cases: [string, string[], (name: string) => string[]][] = [
    ['failure', variants('FailureCode'), (code) => [`failures.${code}`]],
    [
      'pause',
      variants('PauseReason', 'why'),
      (why) =>
        why === 'limit' ? ['paused.limit.other', 'paused.limit.short'] : [`paused.${why}.title`, `paused.${why}.short`],
    ],
    [
      'question',
      variants('AskKind'),
      (kind) => [
        ...['header', 'question', 'approve', 'nothing', 'short', 'review', 'allowed', 'denied'].map(
          (part) => `ask.${kind}.${part}`,
        ),
        `notices.${kind}`,
      ],
    ],
    ['state of a phone', variants('PhoneState'), (state) => [`states.${state}.name`, `states.${state}.help`]],
    ['transport', variants('Transport'), (transport) => [`transports.${transport}`]],
    ['place', variants('Place'), (place) => [`places.${place}`]],
    ['unclear reply', variants('UnclearCode'), (code) => [`unclear.${code}`]],
    ['check', variants('Check'), (check) => [`doctor.checks.${check}`]],
    ['verdict', variants('Verdict'), (verdict) => [`doctor.verdicts.${verdict}`]],
    ['advice', variants('Advice'), (advice) => [`doctor.advice.${advice}`]],
    ['level', variants('Level'), (level) => [`settings.levels.${level}.name`, `settings.levels.${level}.note`]],
    [
      'direction',
      variants('Direction'),
      (way) => ['doing.scroll', 'done.scroll', 'do.scroll', 'doing.swipe', 'done.swipe', 'do.swipe'].map((verb) => `${verb}.${way}`),
    ],
  ];

  it.each(cases)('%s', (_, names, keys) => {
    expect(names.length).toBeGreaterThan(2);
    for (const key of names.flatMap(keys))
      expect(
        sentences.map(([name]) => name),
        key,
      ).toContain(key);
  });

  it('limit that is named', () => {
    for (const limit of ['steps', 'minutes', 'dollars']) expect(exists(`paused.limit.${limit}`)).toBe(true);
  });

  it('action, now, done and not done', () => {
    const types = new Set(variants('Action', 'type'));
    expect(types.size).toBe(24);
    for (const type of types) {
      const action = { ...SAMPLE, type } as unknown as Action;
      for (const about of [
        {},
        { label: 'Send' },
        { place: 'top_right' as const },
        { appLabel: 'Messages' },
        { secretCharacters: 6 },
      ]) {
        for (const sentence of [doing(action, about), done(action, about), todo(action, about)]) {
          expect(exists(sentence.key), sentence.key).toBe(true);
          expect(say(sentence)).toMatch(/^[A-Z]/);
          expect(say(sentence)).not.toMatch(/[{}]|undefined/);
        }
      }
    }
  });

  it('row of a timeline', () => {
    const rows = transcripts.flatMap((name) => Object.values(viewOf(transcript(name)).runs)).flatMap((run) => run.rows);
    for (const row of rows.filter((one): one is Exclude<Row, { kind: 'step' }> => one.kind !== 'step')) {
      const { title, notes } = told(row);
      for (const sentence of [title, ...notes]) expect(say(sentence)).toMatch(/^\S/);
    }
  });
});

const SAMPLE = {
  text: 'Hello',
  keycode: 'KEYCODE_BACK',
  keys: ['CTRL_LEFT', 'A'],
  x1: 0,
  y1: 900,
  x2: 0,
  y2: 100,
  direction: 'down',
  durationMs: 2000,
  url: 'https://example.org/',
  value: 'on',
  packageName: 'com.android.messages',
  target: {},
};

describe('a step is called', () => {
  it.each([
    [{ type: 'tap' }, { label: 'Send' }, 'Tapping ‘Send’', 'Tapped ‘Send’', 'Tap ‘Send’'],
    [{ type: 'tap' }, { place: 'top_right' }, 'Tapping near the top right', 'Tapped near the top right', 'Tap near the top right'],
    [{ type: 'tap', x: 540, y: 1200 }, {}, 'Tapping the screen', 'Tapped the screen', 'Tap the screen'],
    [{ type: 'swipe', x1: 500, y1: 1800, x2: 480, y2: 600 }, {}, 'Scrolling down', 'Scrolled down', 'Scroll down'],
    [{ type: 'type', text: 'Dana' }, { label: 'Search' }, 'Writing “Dana”', 'Wrote “Dana”', 'Write “Dana”'],
    [
      { type: 'type', text: 'Running about 10 minutes late' },
      { label: 'Message' },
      'Writing in ‘Message’',
      'Wrote in ‘Message’',
      'Write in ‘Message’',
    ],
    [{ type: 'type', text: '' }, { secretCharacters: 6 }, 'Entering what you typed', 'Entered what you typed', 'Enter what you typed'],
    [{ type: 'keyevent', keycode: '4' }, {}, 'Pressing Back', 'Pressed Back', 'Press Back'],
    [
      { type: 'launch_app', packageName: 'com.android.settings' },
      { appLabel: 'Settings' },
      'Opening Settings',
      'Opened Settings',
      'Open Settings',
    ],
    [{ type: 'wait', durationMs: 2000 }, {}, 'Waiting for the page', 'Waited 2 seconds', 'Wait for the page'],
    [{ type: 'wait', durationMs: 900 }, {}, 'Waiting for the page', 'Waited 1 second', 'Wait for the page'],
    [{ type: 'shell', command: 'ls' }, {}, 'Running a technical command', 'Ran a technical command', 'Run a technical command'],
    [{ type: 'dance' }, {}, 'Tapping the screen', 'Tapped the screen', 'Tap the screen'],
  ])('%j with %j', (action, about, now, then, not) => {
    expect(say(doing(action as unknown as Action, about as object))).toBe(now);
    expect(say(done(action as unknown as Action, about as object))).toBe(then);
    expect(say(todo(action as unknown as Action, about as object))).toBe(not);
  });

  it('without coordinates, ever', () => {
    expect(say(done({ type: 'long_press', x: 900, y: 300, durationMs: 800 }))).not.toMatch(/\d/);
  });

  it.each([
    ['KEYCODE_APP_SWITCH', 'Recents'],
    ['66', 'Enter'],
    ['back', 'Back'],
    ['KEYCODE_MEDIA_REWIND', 'Media rewind'],
    ['9999', ''],
  ])('key %s is %s', (code, name) => expect(keyName(code)).toBe(name));

  it.each([
    [{ x1: 0, y1: 100, x2: 0, y2: 0 }, 'down'],
    [{ x1: 0, y1: 0, x2: 0, y2: 100 }, 'up'],
    [{ x1: 100, y1: 0, x2: 0, y2: 0 }, 'right'],
    [{ x1: 0, y1: 0, x2: 100, y2: 0 }, 'left'],
  ])('a finger drawn %j scrolls %s', (swipe, way) => expect(swipeDirection(swipe)).toBe(way));
});

describe('a sentence', () => {
  it('counts, and keeps what it is given as it is', () => {
    expect(t('composer.run', { n: 1 })).toBe('Run');
    expect(t('composer.run', { n: 2 })).toBe('Run on 2 phones');
    expect(t('bar.one', { phone: '<b>{x}</b>', what: '$&' })).toBe('<b>{x}</b> needs you: $&');
  });

  it('has its bold runs apart', () => {
    expect(parts({ key: 'states.unauthorized.help' })).toEqual([
      { text: 'Unlock your phone and tap ', bold: false },
      { text: 'Allow', bold: true },
    ]);
  });

  it('that does not exist shows its name', () => {
    expect(say({ key: 'no.such.name' as WordKey })).toBe('no.such.name');
  });
});

describe('a component', () => {
  it.each(components)('%s holds no sentence of its own, no inline style and no raw HTML', (path) => {
    const code = read(path);
    expect(code).not.toMatch(/\{@html/);
    expect(code).not.toMatch(/\sstyle="/);
    expect(code.split('\n').length).toBeLessThan(300);
    expect(literals(parseComponent(code, { modern: true }).fragment)).toEqual([]);
  });

  it('never imports Tauri: one file does', () => {
    const importing = sources.filter((path) => read(path).includes('@tauri-apps'));
    expect(importing).toEqual([join('src', 'backend.ts')]);
  });
});

const SPOKEN = new Set(['aria-label', 'aria-description', 'title', 'alt', 'placeholder', 'data-tip', 'label']);

/** Text with letters in it, anywhere a person would meet it. */
function literals(node: unknown, spoken = true): string[] {
  if (Array.isArray(node)) return node.flatMap((one) => literals(one, spoken));
  if (typeof node !== 'object' || node === null) return [];
  const one = node as { type?: string; name?: string; data?: string; value?: unknown };
  if (one.type === 'Text') return spoken && /\p{L}/u.test(one.data ?? '') ? [one.data as string] : [];
  if (one.type === 'Attribute') return literals(one.value, SPOKEN.has(one.name ?? ''));
  return Object.entries(node)
    .filter(([key]) => key !== 'css')
    .flatMap(([, inner]) => literals(inner, spoken));
}
