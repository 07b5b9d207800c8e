// Every language says everything, takes the same values, and says nothing in another language.

import { cleanup, render } from '@testing-library/svelte';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tick } from 'svelte';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
// By its file: under its name the window's build has no parser.
import {
  isStructurallySame,
  parse,
  TYPE,
  type MessageFormatElement,
} from '../node_modules/@formatjs/icu-messageformat-parser/index.js';
import App from '../src/app/App.svelte';
import '../src/app/ApprovalsPage.svelte';
import '../src/app/AutomationsPage.svelte';
import '../src/app/OpeningPage.svelte';
import '../src/app/PhonePage.svelte';
import '../src/app/SettingsPage.svelte';
import '../src/onboarding/Onboarding.svelte';
import Approval from '../src/approval/Approval.svelte';
import { openScene } from '../src/fake/fake-backend';
import { SCENES } from '../src/fake/scenes';
import { speakForTests } from '../src/fake/test-languages';
import type { News } from '../src/protocol';
import { AppState } from '../src/state/app-state.svelte';
import { clockTime, dayName, money } from '../src/words/format';
import { language } from '../src/words/language.svelte';
import { t } from '../src/words/words';
import { NOW, part, stubApp, transcript, viewOf } from './harness';

/** The first page of a kind is read from many files. */
const SLOW = { timeout: 15_000 };
vi.setConfig({ testTimeout: 180_000 });

const WORDS = join(import.meta.dirname, '../words');
const names = readdirSync(WORDS).map((file) => file.replace('.json', ''));
const read = (name: string): object => JSON.parse(readFileSync(join(WORDS, `${name}.json`), 'utf8')) as object;

function leaves(at: unknown, path = ''): [string, string][] {
  if (typeof at === 'string') return [[path, at]];
  return Object.entries(at as object).flatMap(([name, inner]) => leaves(inner, path ? `${path}.${name}` : name));
}

const english = new Map(leaves(read('en')));

/** Every choice among plural forms in a sentence. */
function plurals(elements: MessageFormatElement[]): string[][] {
  return elements.flatMap((one) => {
    const inner = 'options' in one ? Object.values(one.options).flatMap(({ value }) => plurals(value)) : [];
    return [...(one.type === TYPE.plural ? [Object.keys(one.options)] : []), ...inner];
  });
}

describe.each(names)('%s', (name) => {
  const sentences = leaves(read(name));

  it('has every sentence and none of its own', () => {
    expect(sentences.map(([key]) => key)).toEqual([...english.keys()]);
  });

  it('takes the same values in every sentence', () => {
    for (const [key, text] of sentences) {
      const same = isStructurallySame(parse(english.get(key) ?? ''), parse(text));
      expect(same.success, `${key}: ${same.error?.message}`).toBe(true);
    }
  });

  it('has every plural form it needs, and no other', () => {
    const needed = new Intl.PluralRules(name).resolvedOptions().pluralCategories;
    const found = sentences.flatMap(([key, text]) => plurals(parse(text)).map((forms) => ({ key, forms })));
    expect(found.length).toBeGreaterThan(15);
    for (const { key, forms } of found) {
      const exact = forms.filter((form) => form.startsWith('='));
      const categories = forms.filter((form) => !form.startsWith('='));
      // What is counted from two on needs no form for one.
      const missing = needed.filter((one) => !categories.includes(one) && !/^composer\.asks_/.test(key));
      expect(missing, key).toEqual([]);
      expect(categories.filter((one) => !needed.includes(one as Intl.LDMLPluralRule)), `${key} ${exact.join()}`).toEqual([]);
    }
  });
});

/** What is called the same in every language: makers, programs, addresses, keys and units. */
const ALIKE =
  /PocketDeck|USB|Wi‑Fi|Android(?: \d+)?|Google(?: Pixel)?|Pixel(?: \d+)?|Redmi|POCO|OPPO|realme|vivo|iQOO|MIUI|HONOR|Windows|Linux|GNOME Keyring|KWallet|RSA|VPN|QR|API|PIN|IP|SIM|AI|MB|GB|OS|ADB\w*|scrcpy|Genymobile|Romain Vimont|Apache License|Apache|MIT|ISC|Tauri|Svelte|Lucide|Symphonia|MPL|Anthropic|Python|shell|sudo|adb|find|ssh|token|Northbank|Dana|English|Mi|ANDROID_ADB_SERVER_PORT|(?:https?:\/\/)?[\w/-]+(?:\.[\w/-]+)+(?::\d+)?|\/[\w/]+|zh-CN|csv|Ctrl|Alt|Shift|Esc|Tab|[TSRK]|1x|\bms\b/g;

/** The Latin words a text holds beside those. */
const latin = (text: string): string[] =>
  (text.replaceAll(/\{[a-z]+\}|<\/?b>/g, ' ').replaceAll(ALIKE, ' ').match(/[A-Za-z]{2,}/g) ?? []).filter(
    (word) => word.length > 1,
  );

/** A sentence's own text, without what is filled in and the words of its plural forms. */
function literal(elements: MessageFormatElement[]): string {
  return elements
    .map((one) => {
      if (one.type === TYPE.literal) return one.value;
      if ('options' in one) return Object.values(one.options).map(({ value }) => literal(value)).join(' ');
      return 'children' in one ? literal(one.children) : ' ';
    })
    .join('');
}

describe('Chinese', () => {
  it('has no English sentence, and only names in Latin letters', () => {
    for (const [key, text] of leaves(read('zh'))) {
      const own = literal(parse(text));
      expect(latin(own), key).toEqual([]);
      // Where English has words, Chinese has its own.
      const words = latin(literal(parse(english.get(key) ?? '')));
      if (words.length > 0 && !/^(settings\.(languages\.en|about\.(tauri|svelte|lucide|symphonia|scrcpy))|task.at|export.task.language|approval.last_time_value)$/.test(key)) expect(own, key).toMatch(/\p{Script=Han}/u);
    }
  });

  it('is written with its own marks', () => {
    for (const [key, text] of leaves(read('zh'))) {
      const own = literal(parse(text));
      expect(own, key).not.toMatch(/\p{Script=Han}[,;!?]|\p{Script=Han}\.(?!\w)|[‘’]/u);
      // Whole sentences are written as whole sentences.
      if (/[a-z)]\.$/.test(english.get(key) ?? '')) expect(text, key).toMatch(/[。？！…}”]$/);
    }
  });
});

describe('what is spoken', () => {
  afterEach(cleanup);

  it('changes at once, and back', async () => {
    const { app, backend } = stubApp('one');
    const speaks = (name: 'zh' | 'en'): News => ({ news: 'settings', settings: { ...settings(), language: name } });
    let tell: (news: News) => void = () => undefined;
    backend.watch.mockImplementation(async (told) => {
      tell = told;
      told(speaks('zh'));
    });
    location.hash = '';
    render(App, { app });
    await vi.waitFor(() => expect(document.documentElement.lang).toBe('zh-CN'), SLOW);
    await tick();
    expect(part('nav-phones').textContent).toContain('手机');
    expect(t('composer.run', { n: 2 })).toBe('在 2 部手机上运行');
    expect([money(0.4), clockTime(NOW), dayName(NOW - 86_400_000, NOW)]).toEqual(['$0.40', '9:41', '昨天']);
    expect(localStorage.getItem('language')).toBe('zh');
    tell(speaks('en'));
    await vi.waitFor(() => expect(document.documentElement.lang).toBe('en-US'), SLOW);
    await tick();
    expect(part('nav-phones').textContent).toContain('Phones');
    expect(clockTime(NOW)).toBe('9:41 AM');
    // What is searched for below is found where it is.
    expect(failing(latinTexts(), isNotOurs)).toContain('What should your phone do?');
    expect(failing(latinTexts(), isChinese)).toContain('What should your phone do?');
  });

  it('is what another window chose', async () => {
    await language.begin();
    dispatchEvent(Object.assign(new Event('storage'), { key: 'language', newValue: 'zh' }));
    await vi.waitFor(() => expect(language.tag).toBe('zh-CN'), SLOW);
    dispatchEvent(Object.assign(new Event('storage'), { key: 'language', newValue: 'Klingon' }));
    await vi.waitFor(() => expect(language.tag).toBe('en-US'), SLOW);
  });
});

const settings = () => stubApp('one').app.view.settings as NonNullable<AppState['view']['settings']>;

/** Every text and spoken attribute of the page that has a word in Latin letters. */
function latinTexts(): string[] {
  const found: string[] = [];
  const note = (text: string | null): void => {
    if (text !== null && /[A-Za-z]{2}/.test(text)) found.push(text);
  };
  const walk = (node: Node): void => {
    if (node instanceof Element) {
      if (/^(STYLE|SCRIPT|CODE)$/.test(node.tagName)) return;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-tip']) note(node.getAttribute(name));
      // What is written in a field is the person's; what it is called is ours.
      if (/^(INPUT|TEXTAREA)$/.test(node.tagName)) return;
    }
    if (node.nodeType === Node.TEXT_NODE) note(node.textContent);
    for (const child of node.childNodes) walk(child);
  };
  walk(document.body);
  return found;
}

/** Pages repeat one another: what was found of a text is kept, for it depends on the text alone. */
function once(passes: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const found = known.get(text) ?? passes(text);
    known.set(text, found);
    return found;
  };
}

/** Those that do not pass. */
const failing = (texts: string[], passes: (text: string) => boolean): string[] =>
  texts.filter((text) => !passes(text)).map((text) => text.trim());

/** A text with a sentence of the English window in it. What phones, people and the AI say is theirs. */
const isNotOurs = once((text) => !ENGLISH.test(text));

/** What phones, people and the AI say in the scenes: every text of their transcripts, and those that are made up beside them, around
 * the names in them too.
 * What models are called stands in a list of its own. */
const DATA: string[] = (() => {
  const texts = (at: unknown): string[] =>
    typeof at === 'string' ? [at] : typeof at === 'object' && at !== null ? Object.values(at).flatMap(texts) : [];
  const read = (folder: string, ending: string): string[] =>
    readdirSync(join(import.meta.dirname, folder))
      .filter((name) => name.endsWith(ending))
      .map((name) => readFileSync(join(import.meta.dirname, folder, name), 'utf8'));
  const told = read('../fixtures', '.jsonl').flatMap((file) => file.trim().split('\n').flatMap((line) => texts(JSON.parse(line))));
  const madeUp = [...read('../src/fake', '.ts'), ...read('../src/settings', 'trained-words.ts')].flatMap((file) =>
    [...file.matchAll(/'((?:[^'\\\n]|\\.)+)'|`([^`]+)`/g)].flatMap(([, plain, made]) => plain ?? made?.split(/\$\{[^}]*\}/) ?? []),
  );
  const lines = [...told, ...madeUp].flatMap((text) => [text, ...text.split(/\n|\\n|\{\w+\}/)]).map((text) => text.trim());
  return [...new Set(lines)].filter((text) => /[A-Za-z]{2}/.test(text)).sort((a, b) => b.length - a.length);
})();

/** No two Latin words in a row, but names and what somebody in the scene says. */
const isChinese = once((text) => {
  const latinOnly = /[A-Za-z]{2,}[ ,;:’-]+[A-Za-z]{2,}/;
  if (!latinOnly.test(text.replaceAll(ALIKE, ' '))) return true;
  let rest = text;
  for (const said of DATA) if (rest.includes(said)) rest = rest.replaceAll(said, ' · ');
  return !latinOnly.test(rest.replaceAll(ALIKE, ' '));
});

/** Every piece of an English sentence of two words or more; but not what a person may write or Android's own buttons say. */
const PIECES = [...english]
  .filter(([key]) => !/^(suggestions|export|automations\.example|approval\.allows)\./.test(key))
  .flatMap(([, text]) => literal(parse(text)).split(/\s{2,}/))
  .map((text) => text.trim())
  .filter((text) => text.split(' ').length > 1 && text.length > 7 && latin(text).length > 0);
const ENGLISH = new RegExp(
  [...new Set(PIECES)].map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'),
);

describe('no English sentence is shown in Chinese', () => {
  beforeAll(() => speakForTests('zh'));
  afterEach(cleanup);

  /** What a page holds behind a button that says nothing of it, by that button. */
  const STATES = ['check-phone', 'phone-rename', 'enlarge', 'run-erase', 'step-picture', 'saved-add', 'erase-everything', 'program-choose', 'phone-full', 'full-screen', 'note-add', 'go-on-button', 'automation-new', 'automation-edit', 'automation-run', 'sound-row'];
  const opened = new Set<string>();

  /** The pages that differ from scene to scene; those that do not are drawn once. */
  const ALL = ['', '#/automations', '#/approvals', '#/history', '#/settings', '#/settings/safety', '#/settings/passwords', '#/settings/phones', '#/settings/notifications', '#/settings/privacy', '#/settings/general'];
  const STEPS = ['debugging', 'cable', 'wifi', 'ai', 'ready'].map((step) => `#/connect/${step}`);
  const OF: [RegExp, string[]][] = [
    [/^phones$/, ALL],
    [/^(onboarding|welcome)/, STEPS],
    [/^automations/, ['#/automations', '#/automations/morning', '#/automations/backup']],
    [/^history/, ['#/history', '#/history/run/past-groceries', '#/history/run/past-broken', '#/history/run/nobody']],
    [/^(settings|reach|miscounting|blind|waiting)/, ['#/settings', '#/settings/phones', '#/settings/safety']],
    [/^(approvals|standing)/, ['#/approvals', '#/settings/safety']],
  ];
  /** With the page of each of its phones, but where a hundred are there to be counted. */
  const pagesOf = (scene: string, phones: string[]): string[] => [
    ...(OF.find(([name]) => name.test(scene))?.[1] ?? ['']),
    ...(/^(phones|phone|finished|troubles|ill|one|lying|approvals)$/.test(scene) ? phones.map((id) => `#/phone/${id}`) : []),
  ];
  it.each(Object.keys(SCENES))('scene %s', async (scene) => {
    const { backend, clock } = await openScene(new URLSearchParams(`scene=${scene}&still`));
    const done = new Set<string>();
    // Nothing is drawn here.
    const nothing = async (): Promise<void> => undefined;
    Object.assign(backend, { mirrorStart: async () => 1, picture: async () => new ArrayBuffer(4), ownWindow: nothing });
    const phones = viewOf(transcript(SCENES[scene]?.fixture ?? scene)).phones.map(({ id }) => id);
    for (const page of pagesOf(scene, phones)) {
      location.hash = page;
      render(App, { app: new AppState(backend, clock) });
      await vi.waitFor(() => expect(document.querySelector('[data-part=main]')?.textContent).not.toBe(''), SLOW);
      await vi.dynamicImportSettled();
      await tick();
      speaksChinese(page);
      expect(document.body.textContent).toMatch(/\p{Script=Han}/u);
      await openEverything(page, done);
      cleanup();
    }
    render(Approval, { backend, clock });
    await tick();
    await tick();
    speaksChinese('the approval window');
    await openEverything('the approval window', done);
  });

  it('every state that is named above was there', () => {
    expect(STATES.filter((name) => !opened.has(name))).toEqual([]);
  });

  const speaksChinese = (page: string): void => {
    const texts = latinTexts();
    expect(failing(texts, isNotOurs), page).toEqual([]);
    expect(failing(texts, isChinese), page).toEqual([]);
  };

  /** What is behind menus, disclosures and sheets: each is opened once in a scene, and what it shows is read. */
  async function openEverything(page: string, done: Set<string>): Promise<void> {
    document.querySelectorAll('details').forEach((one) => (one.open = true));
    const opens = (one: HTMLElement): boolean =>
      one.matches('[popovertarget], [aria-expanded=false]') || STATES.includes(one.dataset.part ?? '');
    for (let next = closed(); next; next = closed()) {
      done.add(next.dataset.part ?? next.textContent ?? '');
      opened.add(next.dataset.part ?? '');
      next.click();
      await vi.dynamicImportSettled();
      await tick();
      speaksChinese(`${page}: ${next.dataset.part ?? next.textContent}`);
    }
    function closed(): HTMLElement | undefined {
      // By three selectors instead of one for each state: all elements are looked through for each.
      const all = document.querySelectorAll<HTMLElement>('[popovertarget], [aria-expanded=false], [data-part]');
      return [...all].find((one) => opens(one) && !done.has(one.dataset.part ?? one.textContent ?? ''));
    }
  }
});
