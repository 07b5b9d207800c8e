// What a machine can find of what a person with other senses or hands would trip over. Contrast needs a real
// window: it is measured there.

import { cleanup, render } from '@testing-library/svelte';
import axe from 'axe-core';
import { tick } from 'svelte';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import App from '../src/app/App.svelte';
import Approval from '../src/approval/Approval.svelte';
import { Clock } from '../src/kit/clock.svelte';
import '../src/onboarding/Onboarding.svelte';
import '../src/onboarding/AiStep.svelte';
import '../src/app/OpeningPage.svelte';
import type { Remedy } from '../src/protocol';
import '../src/app/ApprovalsPage.svelte';
import '../src/app/AutomationsPage.svelte';
import '../src/app/HistoryPage.svelte';
import { openScene } from '../src/fake/fake-backend';
import { FakePast } from '../src/fake/past';
import { speakForTests } from '../src/fake/test-languages';
import { AppState } from '../src/state/app-state.svelte';
import '../src/app/PhonePage.svelte';
import '../src/app/SettingsPage.svelte';
import '../src/settings/GeneralSettings.svelte';
import '../src/settings/NoticeSettings.svelte';
import '../src/settings/PhoneSettings.svelte';
import '../src/settings/PrivacySettings.svelte';
import '../src/settings/SavedSettings.svelte';
import { askOf, NOW, stubApp, stubBackend, tellTranscript, transcript, viewOf } from './harness';

afterEach(cleanup);

async function findings(): Promise<string[]> {
  await tick();
  await new Promise((done) => setTimeout(done, 30));
  const { violations, passes } = await axe.run(document, {
    rules: { 'color-contrast': { enabled: false }, 'html-has-lang': { enabled: false } },
  });
  expect(passes.length).toBeGreaterThan(10);
  return violations.flatMap((found) => found.nodes.map((node) => `${found.id}: ${node.target.join(' ')}`));
}

describe('axe finds nothing on', () => {
  it.each([
    ['phones', ''],
    ['phones', '#/settings'],
    ['phone', '#/phone/mum'],
    ['finished', '#/phone/mum'],
    ['many', ''],
    ['many', '#/phone/many-7'],
    ['one', '#/phone/demo'],
    ['one', '#/settings'],
    ['empty', ''],
    ['empty', '#/connect/debugging'],
    ['empty', '#/connect/cable'],
    ['empty', '#/connect/wifi'],
    ['empty', '#/connect/ai'],
    ['empty', '#/connect/ready'],
    ['one', '#/connect/ready'],
    ['phones', '#/connect/cable'],
    ['phones', '#/settings/phones'],
    ...['safety', 'passwords', 'notifications', 'privacy', 'general'].map((tab) => ['phones', `#/settings/${tab}`]),
    ['asks', '#/approvals'],
    ['empty', '#/approvals'],
    ...['t1', 't3', 't4', 't5', 't9', 't13', 't15', 't18', 't19', 't20'].map((id) => ['troubles', `#/phone/${id}`]),
  ])('%s %s', async (name, hash) => {
    const { app, backend } = stubApp('empty');
    backend.watch.mockImplementation((tell) => tellTranscript(tell, name as string));
    location.hash = hash as string;
    render(App, { app });
    expect(await findings()).toEqual([]);
  });

  it.each(['#/history', '#/history/run/past-groceries', '#/history/run/past-broken', '#/history/run/nobody', '#/settings/privacy'])('%s', async (hash) => {
    const { app, backend } = stubApp('empty');
    const past = new FakePast(true, [], () => '');
    backend.watch.mockImplementation((tell) => tellTranscript(tell, 'phones'));
    backend.history.mockImplementation(async (query) => past.page(query));
    backend.runStory.mockImplementation(async (run) => past.story(run) ?? Promise.reject({ code: 'not_found' }));
    location.hash = hash;
    render(App, { app });
    expect(await findings()).toEqual([]);
  });

  it.each(['store_broken', 'journal_locked', 'adb_address'] as const)('a start without data: %s', async (code) => {
    const { app, backend } = stubApp('empty');
    const remedies: Remedy[] = ['again', 'fresh', 'folder'];
    const failure = { code, detail: 'd' };
    backend.watchOpening.mockImplementation(async (tell) => tell({ opening: 'failed', failure, folder: '/data', remedies }));
    render(App, { app });
    expect(await findings()).toEqual([]);
  });

  const kinds = Object.values(viewOf(transcript('asks')).runs).flatMap((run) => run.asks.map((ask) => ask.kind));

  it('a change of the settings', async () => {
    const backend = stubBackend();
    render(Approval, { backend, clock: new Clock(() => NOW) });
    const loosens = [{ what: 'scripts' as const }, { what: 'adb' as const, path: '/tmp/adb' }];
    backend.asks({ asks: [], changes: [{ id: 'settings/1', loosens, askedAt: NOW, deadline: NOW + 60_000 }] });
    expect(await findings()).toEqual([]);
  });

  it('a payment of one of several amounts', async () => {
    const backend = stubBackend();
    render(Approval, { backend, clock: new Clock(() => NOW) });
    const ask = askOf('payment');
    const otherAmounts = [{ text: '$1', currency: '$' }, { text: '$2', currency: '$' }];
    backend.asks({ asks: [{ ...ask, evidence: { ...ask.evidence, otherAmounts } }] });
    expect(await findings()).toEqual([]);
  });

  it.each(kinds)('the question about %s', async (kind) => {
    const backend = stubBackend();
    render(Approval, { backend, clock: new Clock(() => NOW) });
    backend.asks({ asks: [askOf(kind), askOf('payment')] });
    expect(await findings()).toEqual([]);
  });
});

describe('axe finds nothing in Chinese on', () => {
  beforeAll(() => speakForTests('zh'));
  afterAll(() => speakForTests('en'));

  it.each([
    ['phones', ''],
    ['phones', '#/settings'],
    ['phone', '#/phone/mum'],
    ['finished', '#/phone/mum'],
    ['approvals', '#/approvals'],
    ['history', '#/history/run/past-groceries'],
    ['history_removed', '#/history/run/past-groceries'],
    ['automations', '#/automations'],
    ['automations', '#/automations/morning'],
    ['automations_trouble', '#/automations'],
    ['welcome', '#/connect/cable'],
    ['welcome', '#/connect/ai'],
  ])('%s %s', async (scene, hash) => {
    const { backend, clock } = await openScene(new URLSearchParams({ scene, still: '' }));
    // Nothing is drawn here.
    Object.assign(backend, { mirrorStart: async () => 1, picture: async () => new ArrayBuffer(4) });
    location.hash = hash;
    render(App, { app: new AppState(backend, clock) });
    expect(await findings()).toEqual([]);
  });
});
