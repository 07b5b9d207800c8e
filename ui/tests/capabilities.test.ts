// Each window asks the program for nothing that its capability does not allow: what is refused is told as a failure of PocketDeck.

import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import PhoneWindow from '../src/app/PhoneWindow.svelte';
import config from '../../tauri.conf.json';
import type { Ask, ClipState, News } from '../src/protocol';
import { asking, latestRun } from '../src/state/view';
import { awake, renderApproval } from './render-approval';
import { NOW, settle, stubApp, transcript, transcripts, viewOf, type Stub } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const CAPABILITIES = config.app.security.capabilities;
const allowed = (window: string): string[] => CAPABILITIES.find((one) => one.identifier === window)?.permissions ?? [];

const CODE = readFileSync(join(import.meta.dirname, '../src/backend.ts'), 'utf8');
/** The permission each method of the backend needs. */
const NEEDS = new Map(
  CODE.slice(CODE.indexOf('export const tauri')).split(/\n  (?=\w+: )/).flatMap((method) => {
    const [, name] = /^(\w+): /.exec(method) ?? [];
    const [, command] = /invoke\('(\w+)'/.exec(method) ?? [];
    return name && command ? [[name, `allow-${command.replaceAll('_', '-')}`]] : [];
  }),
);

/** What the notification plugin's own script asks at the start of every window's page. */
const ASKED_BY_PLUGIN = 'notification:allow-is-permission-granted';

/** Methods this backend was called by, as permissions. */
const asked = (backend: Stub): string[] =>
  Object.entries(backend).flatMap(([name, one]) => (vi.isMockFunction(one) && one.mock.calls.length > 0 ? [NEEDS.get(name) ?? name] : []));

/** Presses every button there is, and those that come by it. */
async function pressAll(): Promise<void> {
  const pressed = new Set<string>();
  for (;;) {
    const next = [...document.querySelectorAll<HTMLElement>('button, summary, [role="menuitem"]')].find((one) => !pressed.has(keyOf(one)));
    if (!next) return;
    pressed.add(keyOf(next));
    await fireEvent.click(next);
    await settle();
  }
}

const keyOf = (one: HTMLElement): string => `${one.dataset.part} ${one.ariaLabel} ${one.textContent}`;

const CLIPS: ClipState[] = [
  { state: 'recording', since: NOW - 1000, sound: 'recorded' },
  { state: 'saved', paths: ['/home/me/Videos/1.mp4'], sound: 'recorded' },
];

it('every command is allowed in some window, and nothing else is', () => {
  const permissions = new Set(CAPABILITIES.flatMap((one) => one.permissions));
  expect([...permissions].sort()).toEqual([...new Set([...NEEDS.values(), ASKED_BY_PLUGIN])].sort());
});

it('every window may answer what the notification plugin asks in it', () => {
  for (const one of CAPABILITIES) expect(one.permissions).toContain(ASKED_BY_PLUGIN);
});

describe('a phone’s own window', () => {
  // One phone of each kind: how it is connected, and how its task stands.
  const kinds = new Map(
    transcripts.flatMap((name) => {
      const view = viewOf(transcript(name));
      return view.phones.map((phone) => {
        const run = latestRun(view, phone.id);
        return [`${phone.state}, ${run?.ending?.how ?? run?.stage ?? 'no task'}`, [name, phone.id]] as const;
      });
    }),
  );
  it.each([...kinds])('asks for what it may: %s', async (_, [name, id]) => {
    const { app, backend } = stubApp('empty');
    const clips = CLIPS.map((clip): News => ({ news: 'clip', phone: id, clip }));
    render(PhoneWindow, { app, id });
    await settle();
    for (const news of [...transcript(name), undefined, ...clips]) {
      if (news) backend.news(news);
      if (!news || news.news === 'clip') {
        await settle();
        await pressAll();
      }
    }
    for (const key of 'abcdefghijklmnopqrstuvwxyz') await fireEvent.keyDown(window, { key });
    await fireEvent.keyDown(window, { key: 'F11' });
    await settle();
    expect(asked(backend).filter((one) => !allowed('phone').includes(one))).toEqual([]);
    expect(asked(backend)).toContain('allow-show-clip');
  });
});

describe('the window of questions', () => {
  const asks = transcripts.flatMap((name) => asking(viewOf(transcript(name))).flatMap((run) => run.asks.map((ask: Ask) => [ask.kind, ask] as const)));
  it.each(asks)('asks for what it may: %s', async (_, ask) => {
    const { backend } = await renderApproval(ask);
    await awake();
    await pressAll();
    expect(asked(backend).filter((one) => !allowed('approval').includes(one))).toEqual([]);
    expect(asked(backend)).toContain('allow-watch-asks');
  });
});
