import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../src/app/App.svelte';
import '../src/app/PhonePage.svelte';
import '../src/app/OpeningPage.svelte';
import '../src/failures/TypingOffer.svelte';
import { startRun, foldRun } from '../src/state/run';
import { emptyView } from '../src/state/view';
import type { Ask, Event, FailureCode, Remedy, RuleName } from '../src/protocol';
import { describe as tell } from '../src/run/event-sentences';
import { ended, t } from '../src/words/words';
import { named, wordsOf } from '../src/words/ask-words';
import { askOf, has, part, settle, stubApp, stubBackend, transcript } from './harness';

beforeEach(() => {
  location.hash = '';
});
afterEach(cleanup);

/** What was promised is done, and the page shows it. */
async function said(): Promise<void> {
  await new Promise((done) => setTimeout(done));
  await tick();
}

const REMEDIES: [FailureCode, Remedy[]][] = [
  ['store_broken', ['again', 'fresh', 'folder']],
  ['store_newer', ['again', 'fresh', 'folder']],
  ['store_folder', ['again', 'folder']],
  ['disk_full', ['again', 'folder']],
  ['journal_locked', ['again']],
  ['adb_address', ['own_server']],
];

async function open(code: FailureCode, remedies: Remedy[], folder = '/home/anna/.local/share/pocketdeck') {
  const { app, backend } = stubApp('empty');
  backend.watchOpening.mockImplementation(async (tell) => {
    backend.opens = tell;
    tell({ opening: 'failed', failure: { code, detail: 'technical' }, folder, remedies });
  });
  backend.watch.mockImplementation(async (tell) => transcript('one').forEach(tell));
  render(App, { app });
  await vi.waitFor(() => expect(has('opening')).toBe(true));
  return { app, backend };
}

describe('a start without data', () => {
  it.each(REMEDIES)('%s says what happened and offers what helps', async (code, remedies) => {
    const { backend } = await open(code, remedies);
    expect(part('opening-why').textContent).toBe(t(`failures.${code}`));
    expect(screen.getByRole('heading', { level: 1 }).textContent).not.toBe(t('opening.titles.other'));
    const offered = [...document.querySelectorAll('[data-part^="remedy-"]')].map((one) => one.getAttribute('data-part'));
    expect(offered).toEqual(remedies.map((remedy) => `remedy-${remedy}`));
    // Nothing else is asked for while nothing is open, and nothing else is shown.
    expect(backend.watch).not.toHaveBeenCalled();
    expect(has('composer')).toBe(false);
    for (const remedy of remedies) {
      await fireEvent.click(part(`remedy-${remedy}`));
      expect(backend.remedy).toHaveBeenLastCalledWith(remedy);
    }
  });

  it('goes on where it would have begun, once it is open', async () => {
    const { backend } = await open('store_broken', ['again', 'fresh']);
    backend.opens({ opening: 'trying' });
    await said();
    expect(part('opening-trying').textContent).toContain(t('opening.trying'));
    expect(part('remedy-again')).toHaveProperty('disabled', true);
    // What went wrong stays in sight meanwhile.
    expect(part('opening-why').textContent).toBe(t('failures.store_broken'));
    backend.opens({ opening: 'open' });
    await vi.waitFor(() => expect(has('composer')).toBe(true));
    expect(has('opening')).toBe(false);
    expect(backend.watch).toHaveBeenCalledOnce();
  });

  it.each([
    [400, false],
    [600, true],
  ])('is not told of one that is open after %d ms: %s', async (ms, isTold) => {
    vi.useFakeTimers();
    const { app, backend } = stubApp('empty');
    app.view = emptyView;
    backend.watchOpening.mockImplementation(async (tell) => {
      backend.opens = tell;
      tell({ opening: 'trying' });
    });
    backend.watch.mockImplementation(async (tell) => transcript('one').forEach(tell));
    render(App, { app });
    const composer = part('composer');
    await vi.advanceTimersByTimeAsync(ms);
    await tick();
    expect(has('composer')).toBe(!isTold);
    backend.opens({ opening: 'open' });
    await settle();
    expect(has('opening')).toBe(false);
    expect(part('composer') === composer).toBe(!isTold);
    vi.useRealTimers();
  });

  it('shows the folder only where there is one', async () => {
    await open('adb_address', ['own_server'], '');
    expect(document.querySelector('.folder')).toBeNull();
  });
});

describe('a line nobody can read', () => {
  const event = (seq: number, what: object): Event => ({ run: 'r', phone: 'p', seq, at: seq, ...what }) as Event;

  it('is a row of its own, and hides no other', () => {
    const events = [
      event(1, { what: 'started', goal: 'g', model: 'm', demoAi: false }),
      event(2, { what: 'unreadable', was: 'dreaming' }),
      event(3, { what: 'said', text: 'hello' }),
    ];
    const run = events.reduce(foldRun, startRun(events[0] as Event));
    expect(run.rows.map((row) => row.kind)).toEqual(['unreadable', 'said']);
    expect(run.stage).toBe('starting');
    const row = run.rows[0];
    if (row?.kind !== 'unreadable') throw new Error('no row');
    expect(tell(row).title.key).toBe('rows.unreadable');
  });

  it('ends its run where it was the end', () => {
    const events = [
      event(1, { what: 'started', goal: 'g', model: 'm', demoAi: false }),
      event(2, { what: 'unreadable', was: 'ended' }),
    ];
    const run = events.reduce(foldRun, startRun(events[0] as Event));
    expect([run.stage, run.endedAt]).toEqual(['ended', 2]);
  });
});

describe('a question is called by what it is', () => {
  const ask = (more: Partial<Ask>): Ask => ({ ...askOf('send'), ...more });
  const byRule = (rule: RuleName | 'of_another_version') => ({ by: 'rule', rule }) as Ask['reason'];

  it.each([
    [{ action: { type: 'open_url', url: 'tel:+15550100' } }, 'call'],
    [{ action: { type: 'open_url', url: ' TEL:911' } }, 'call'],
    [{ action: { type: 'open_url', url: 'sip:dana@example.org' } }, 'call'],
    [{ action: { type: 'open_url', url: 'sms:+15550100' } }, 'send'],
    [{ action: { type: 'open_url', url: 'https://a.example/?q=tel:1' } }, 'send'],
    [{ action: { type: 'shell', command: 'am start -a android.intent.action.CALL -d tel:911' } }, 'call'],
    [{ reason: byRule('calls') }, 'call'],
    [{ reason: byRule('answers') }, 'incoming'],
    [{ reason: byRule('call_key') }, 'call'],
    [{ reason: byRule('answers_call') }, 'incoming'],
    [{ kind: 'unknown', reason: byRule('model_flag') }, 'marked'],
    [{ kind: 'unknown', reason: byRule('of_another_version') }, 'unread'],
  ] as [Partial<Ask>, string][])('%o', (more, words) => {
    expect(wordsOf(ask(more))).toBe(words);
  });

  it('and Android’s own programs are Android', () => {
    for (const app of ['com.android.permissioncontroller', 'com.google.android.permissioncontroller', 'android']) {
      expect(named(ask({ app, appLabel: 'permissioncontroller' })).appLabel).toBe('Android');
    }
    expect(named(ask({ app: 'com.android.settings', appLabel: 'Settings' })).appLabel).toBe('Settings');
  });

  it('a title before a sentence is a sentence', () => {
    expect(ended('The AI needs your help')).toBe('The AI needs your help.');
    expect(ended('Send this message?')).toBe('Send this message?');
    expect(ended('Type the code from “Northbank”')).toBe('Type the code from “Northbank”.');
    expect(ended('')).toBe('');
  });
});

describe('a task with characters a phone cannot type', () => {
  const FAILURE = { code: 'needs_typing', values: { characters: 'é中', phone: 'Mum’s Galaxy' } } as const;

  async function refused() {
    const backend = stubBackend();
    backend.run.mockImplementation(async (_phones, _goal, anyway) => {
      if (!anyway && !here) throw FAILURE;
      return ['run'];
    });
    let here = false;
    const { app } = stubApp('one', backend);
    backend.watch.mockImplementation(async (tell) => transcript('one').forEach(tell));
    render(App, { app });
    await vi.waitFor(() => expect(has('composer')).toBe(true));
    app.goal = 'Write “é中” into a note';
    await tick();
    await fireEvent.submit(part('composer'));
    await vi.waitFor(() => expect(has('typing-offer')).toBe(true));
    return { app, backend, fetched: () => (here = true) };
  }

  it('is told so before it begins, and begins when the person wants it nevertheless', async () => {
    const { app, backend } = await refused();
    expect(part('typing-offer').textContent).toContain('é中');
    expect(part('typing-offer').textContent).toContain('Mum’s Galaxy');
    expect(app.goal).toBe('Write “é中” into a note');
    expect(app.troubles).toEqual([]);
    await fireEvent.click(part('typing-anyway'));
    await said();
    expect(backend.run).toHaveBeenLastCalledWith(['demo'], 'Write “é中” into a note', true);
    await vi.waitFor(() => expect([app.goal, has('typing-offer')]).toEqual(['', false]));
  });

  it('begins once what types them is fetched', async () => {
    const { app, backend, fetched } = await refused();
    backend.fetchMirrorServer.mockImplementation(async (tell) => {
      fetched();
      tell({ stage: 'done' });
    });
    await fireEvent.click(part('typing-fetch'));
    await said();
    await fireEvent.click(part('typing-start'));
    await said();
    expect(backend.run).toHaveBeenLastCalledWith(['demo'], 'Write “é中” into a note', false);
    await vi.waitFor(() => expect([app.goal, has('typing-offer')]).toEqual(['', false]));
  });
});
