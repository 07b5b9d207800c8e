import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../src/app/App.svelte';
// Read when they are opened: here at once, so that no test waits for a file.
import '../src/onboarding/Onboarding.svelte';
import '../src/app/ApprovalsPage.svelte';
import '../src/app/ClosingDialog.svelte';
import '../src/app/PhonePage.svelte';
import '../src/app/SettingsPage.svelte';
import '../src/app/ShortcutsDialog.svelte';
import { watchUncaught } from '../src/app/uncaught';
import type { Settings } from '../src/protocol';
import { fold } from '../src/state/view';
import { has, part, parts, settle, stubApp, transcript } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the window', () => {
  async function open(name = 'phones', hash = '') {
    const harness = stubApp('empty');
    harness.backend.watch.mockImplementation(async (tell) => transcript(name).forEach(tell));
    location.hash = hash;
    render(App, { app: harness.app });
    await settle();
    return harness;
  }

  it('has only pages that are built', async () => {
    await open();
    expect(parts('sidebar')[0]?.querySelectorAll('.page')).toHaveLength(5);
  });

  it('rebuilds itself from what it is told', async () => {
    await open('phone', '#/phone/mum');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Mum’s Galaxy');
    expect(document.title).toBe('Mum’s Galaxy – PocketDeck');
  });

  it('tells the document its language and its title only when they change', async () => {
    const { app } = await open();
    const told: string[] = [];
    const watcher = new MutationObserver((changes) => changes.forEach((one) => told.push(one.attributeName ?? one.type)));
    watcher.observe(document.documentElement, { attributes: true, attributeFilter: ['lang', 'dir'] });
    watcher.observe(document.head, { childList: true, characterData: true, subtree: true });
    const spend = async (dollars: number, language?: Settings['language']) => {
      app.view = fold(app.view, { news: 'spent', tokens: 1, dollars, limit: 5, state: 'fine' });
      if (language && app.view.settings) app.view = { ...app.view, settings: { ...app.view.settings, language } };
      await settle();
      return told.splice(0);
    };
    expect(await spend(1)).toEqual([]);
    expect(await spend(2)).toEqual([]);
    expect(await spend(2, 'en')).toContain('lang');
    watcher.disconnect();
  });

  it('says what nothing in it caught, once', async () => {
    const { app } = await open();
    const stop = watchUncaught((error) => app.report(error));
    // A browser's own remark has no error.
    dispatchEvent(new ErrorEvent('error', { message: 'ResizeObserver loop completed with undelivered notifications.' }));
    await settle();
    expect(has('trouble')).toBe(false);
    dispatchEvent(new ErrorEvent('error', { error: new TypeError('a is undefined') }));
    dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: new TypeError('b is undefined') }));
    await settle();
    expect(parts('trouble').map((one) => one.dataset.failure)).toEqual(['internal']);
    stop();
    dispatchEvent(new ErrorEvent('error', { error: new TypeError('c is undefined') }));
    expect(app.view.troubles.map((one) => one.failure.detail)).toEqual(['b is undefined']);
  });

  it('asks what becomes of it where it is closed while something goes on', async () => {
    const { backend } = await open();
    backend.closes({ hasTray: true, running: 1, planned: 2 });
    await settle();
    await settle();
    expect(part('closing').textContent).toContain('A task is still running.');
    expect(part('closing').textContent).toContain('2 automations are waiting');
    expect(document.activeElement).toBe(part('closing-keep'));
    await fireEvent.click(part('closing-keep'));
    await settle();
    expect(backend.closeWindow).toHaveBeenCalledExactlyOnceWith('keep_running', false);
    expect(has('closing')).toBe(false);

    backend.closes({ hasTray: false, running: 0, planned: 1 });
    await settle();
    await settle();
    expect(part('closing-place').textContent).toContain('with its window minimized');
    expect(part('closing-keep').textContent).toBe('Minimize');
    await fireEvent.click(part('closing-remember'));
    await fireEvent.click(part('closing-quit'));
    await settle();
    expect(backend.closeWindow).toHaveBeenLastCalledWith('quit', true);
    backend.closes({ hasTray: true, running: 0, planned: 1 });
    await settle();
    await settle();
    await fireEvent.click(part('closing-cancel'));
    await settle();
    expect(backend.closeWindow).toHaveBeenCalledTimes(2);
  });

  it('calls for a person on every page but where the question is in sight', async () => {
    const { backend } = await open('phones', '#/settings');
    expect(part('needs-you').textContent).toContain('Shop phone needs you: Approve a $23.40 payment');
    await fireEvent.click(within(part('needs-you')).getByRole('button'));
    expect(backend.review).toHaveBeenCalledExactlyOnceWith('ask-run-shop');
    location.hash = '#/phones';
    dispatchEvent(new Event('hashchange'));
    await settle();
    expect(has('needs-you')).toBe(false);
  });

  it('leads who wants to raise the limit to its field, also from the settings themselves', async () => {
    const { app } = await open();
    app.view = fold(app.view, { news: 'spent', tokens: 1, dollars: 5, limit: 5, state: 'reached' });
    await settle();
    expect(part('notices').textContent).toContain('You’ve reached $5 today. Raise the limit, or continue tomorrow.');
    for (const hash of ['#/settings', '#/settings/safety', '#/settings']) {
      await fireEvent.click(part('raise'));
      location.hash = '#/settings';
      dispatchEvent(new Event('hashchange'));
      await settle();
      await settle();
      expect((document.activeElement as HTMLElement).dataset.part, hash).toBe('limit-dollars');
      location.hash = hash;
      dispatchEvent(new Event('hashchange'));
      await settle();
      part('raise').focus();
    }
  });

  it('goes to pages and to the composer by keys', async () => {
    await open();
    await fireEvent.keyDown(document.body, { key: '5', ctrlKey: true });
    dispatchEvent(new Event('hashchange'));
    await settle();
    expect(location.hash).toBe('#/settings');
    await fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    dispatchEvent(new Event('hashchange'));
    await settle();
    expect(document.activeElement?.id).toBe('composer');
  });

  it('goes back with Esc, and shows its keys on ?', async () => {
    await open('phones', '#/settings');
    await fireEvent.keyDown(document.body, { key: 'Escape' });
    dispatchEvent(new Event('hashchange'));
    await settle();
    expect(location.hash).toBe('#/phones');
    document.querySelector<HTMLElement>('main h1')?.focus();
    await fireEvent.keyDown(document.body, { key: '?', shiftKey: true });
    await settle();
    await settle();
    expect(part('shortcuts').textContent).toContain('Pause all phones');
    expect(part('shortcuts').textContent).toMatch(/Stop typing on the phone\s*CtrlAltEsc/);
  });

  it('pauses every run with one key', async () => {
    const { backend } = await open('phone');
    await fireEvent.keyDown(document.body, { key: '>', code: 'Period', ctrlKey: true, shiftKey: true });
    expect(backend.steer.mock.calls.map(([run, op]) => [run, op.op]).sort()).toEqual([
      ['run-mum', 'pause'],
      ['run-shop', 'pause'],
    ]);
  });

  it('pauses what waits for its phone with that key, too', async () => {
    const { backend } = await open('troubles');
    await fireEvent.keyDown(document.body, { key: '>', code: 'Period', ctrlKey: true, shiftKey: true });
    const paused = backend.steer.mock.calls.map(([run]) => run);
    // Its phone is away; it is locked; it stands before a limit. Two were paused by the person.
    expect(paused).toEqual(expect.arrayContaining(['run-t10', 'run-t20', 'run-t8']));
    expect(paused).not.toContain('run-t3');
    expect(paused).not.toContain('run-t17');
  });

  it('shows a trouble until it is put away', async () => {
    await open('many');
    expect(screen.getByText(/connects phones isn’t responding/)).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(has('trouble')).toBe(false);
  });

  it('warns from 80 % of the day’s limit on', async () => {
    const { app } = await open('finished');
    expect(part('spending').textContent).toContain('You’ve used $4.20 of $5 today.');
    app.view = fold(app.view, { news: 'spent', tokens: 1, dollars: 5, limit: 5, state: 'reached' });
    await tick();
    expect(part('spending').textContent).toContain('You’ve reached $5 today.');
    // Whoever switched the warning off is not warned.
    app.view = fold(app.view, { news: 'spent', tokens: 1, dollars: 4.9, limit: 5, state: 'fine' });
    await tick();
    expect(has('spending')).toBe(false);
  });

  it('offers demo phones up to five', async () => {
    const { app, backend } = await open('one');
    await fireEvent.click(part('connect'));
    dispatchEvent(new Event('hashchange'));
    await settle();
    await fireEvent.click(part('add-demo'));
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({ demoPhones: 2 });
    location.hash = '#/connect/cable';
    dispatchEvent(new Event('hashchange'));
    await settle();
    app.view = fold(app.view, { news: 'settings', settings: { ...(app.view.settings as Settings), demoPhones: 5 } });
    await tick();
    expect(has('add-demo')).toBe(false);
    expect(part('way-demo').textContent).toContain('You already have 5 demo phones, the most there can be.');
  });
});
