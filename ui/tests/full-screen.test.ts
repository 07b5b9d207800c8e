import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import axe from 'axe-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../src/app/App.svelte';
import PhoneWindow from '../src/app/PhoneWindow.svelte';
import '../src/app/PhonePage.svelte';
import type { Event } from '../src/protocol';
import type { AppState } from '../src/state/app-state.svelte';
import { fold, latestRun } from '../src/state/view';
import { has, NOW, part, settle, stubApp, transcript } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  // Which of them hid the steps.
  localStorage.clear();
});

async function open(name = 'phone', id = 'mum') {
  const harness = stubApp('empty');
  harness.backend.watch.mockImplementation(async (tell) => transcript(name).forEach(tell));
  location.hash = `#/phone/${id}`;
  render(App, { app: harness.app });
  await settle();
  return harness;
}

/** The phone is gone, as the program tells. */
async function unplug({ app }: Awaited<ReturnType<typeof open>>): Promise<void> {
  const phones = app.view.phones.filter(({ id }) => id !== 'mum');
  app.view = fold(app.view, { news: 'phones', phones, looking: true });
  await settle();
}

/** Its task fails, as the program tells. */
async function end(app: AppState): Promise<void> {
  const { run, seq } = latestRun(app.view, 'mum')!;
  const ending = { how: 'failed' as const, failure: { code: 'phone_gone' as const } };
  app.view = fold(app.view, { news: 'run', event: { run, phone: 'mum', seq: seq + 1, at: NOW, what: 'ended', ending } as Event });
  await settle();
}

const press = async (key: string): Promise<void> => {
  await fireEvent.keyDown(document.body, { key });
  await settle();
};

describe('a phone on the whole screen', () => {
  it('is alone with the controls of its task', async () => {
    const { backend } = await open();
    await fireEvent.click(part('phone-full'));
    await settle();
    expect(backend.fullScreen.mock.calls).toEqual([[true]]);
    expect([has('sidebar'), has('phone-header'), has('task'), has('stage'), has('controls')]).toEqual([false, false, false, true, true]);
    expect(document.activeElement).toBe(part('leave-full'));
    await fireEvent.click(part('leave-full'));
    await settle();
    expect([has('sidebar'), has('phone-header'), has('task')]).toEqual([true, true, true]);
    expect(document.activeElement).toBe(part('phone-more'));
    expect(location.hash).toBe('#/phone/mum');
  });

  const hide = async (how: string): Promise<void> => {
    if (how === 'the whole screen') return press('F11');
    await fireEvent.click(part('panel'));
    await settle();
  };

  it.each(['the whole screen', 'hidden steps'])('says what a task waits for, and helps: with %s', async (how) => {
    const harness = await open('phones', 'shop');
    expect(has('needs-you')).toBe(false);
    await hide(how);
    expect(has('needs-you')).toBe(!harness.app.full);
    await fireEvent.click(within(part('banner-ask')).getByRole('button'));
    expect(harness.backend.review).toHaveBeenCalledExactlyOnceWith('ask-run-shop');
  });

  it.each(['the whole screen', 'hidden steps'])('says why a task is paused, and asks again: with %s', async (how) => {
    const { backend } = await open('troubles', 't4');
    await hide(how);
    expect(part('banner-paused').textContent).toContain('Nobody answered in time. Nothing was installed.');
    await fireEvent.click(part('banner-help'));
    expect(backend.steer).toHaveBeenCalledExactlyOnceWith('run-t4', { op: 'ask_again' });
  });

  it.each(['the whole screen', 'hidden steps'])('says how a task ended in sight, and runs it again: with %s', async (how) => {
    const { app, backend } = await open();
    await hide(how);
    await end(app);
    expect(part('banner-ended').textContent).toContain('The task couldn’t continue. The phone is no longer connected.');
    expect(app.spoken).toContain('The task couldn’t continue.');
    await fireEvent.click(part('banner-again'));
    expect(backend.run).toHaveBeenCalledExactlyOnceWith(['mum'], latestRun(app.view, 'mum')?.goal, false);
  });

  it('has no word of a task that ended before', async () => {
    const { app } = await open();
    await end(app);
    await press('F11');
    expect(has('banner-ended')).toBe(false);
  });

  it('comes and goes with F11, and goes with Esc before the page does', async () => {
    const { app, backend } = await open();
    await press('F11');
    expect(app.full).toBe(true);
    await press('Escape');
    expect([app.full, location.hash]).toEqual([false, '#/phone/mum']);
    await press('F11');
    await press('F11');
    expect(app.full).toBe(false);
    expect(backend.fullScreen.mock.calls.flat()).toEqual([true, false, true, false]);
    await press('Escape');
    dispatchEvent(new Event('hashchange'));
    await settle();
    expect(location.hash).toBe('#/phones');
  });

  it('ends with its page, and where the system ends it', async () => {
    const { app, backend } = await open();
    await press('F11');
    dispatchEvent(new Event('resize'));
    backend.fullScreen.mockResolvedValueOnce(true);
    await vi.advanceTimersByTimeAsync(400);
    expect(app.full).toBe(true);
    dispatchEvent(new Event('resize'));
    backend.fullScreen.mockResolvedValueOnce(false);
    await vi.advanceTimersByTimeAsync(400);
    expect(app.full).toBe(false);
    await press('F11');
    app.go({ page: 'settings' });
    dispatchEvent(new Event('hashchange'));
    await settle();
    expect([app.full, backend.fullScreen.mock.lastCall]).toEqual([false, [false]]);
  });

  it.each(['Escape', 'F11'])('is left by %s once its phone is gone, and not entered then', async (key) => {
    const harness = await open();
    await press('F11');
    await unplug(harness);
    expect(screen.getByText('This phone is no longer connected.')).toBeTruthy();
    await press(key);
    expect([harness.app.full, has('sidebar'), harness.backend.fullScreen.mock.lastCall]).toEqual([false, true, [false]]);
    await press('F11');
    expect(harness.app.full).toBe(false);
  });

  it('is not, where the system does not let it', async () => {
    const { app, backend } = await open();
    backend.fullScreen.mockRejectedValueOnce({ code: 'not_now' });
    await press('F11');
    expect([app.full, has('sidebar'), has('trouble')]).toEqual([false, true, true]);
  });
});

describe('a phone in a window of its own', () => {
  async function openOwn(id: string, name = 'phone') {
    const harness = stubApp('empty');
    harness.backend.watch.mockImplementation(async (tell) => transcript(name).forEach(tell));
    render(PhoneWindow, { app: harness.app, id });
    await settle();
    return harness;
  }

  it('is opened from its menu', async () => {
    const { backend } = await open();
    await fireEvent.click(part('phone-own'));
    expect(backend.ownWindow).toHaveBeenCalledExactlyOnceWith('mum');
  });

  it('has its name, its screen and the controls of its task', async () => {
    const { backend } = await openOwn('mum');
    expect(document.title).toBe('Mum’s Galaxy');
    expect([has('stage'), has('controls'), has('sidebar')]).toEqual([true, true, false]);
    await fireEvent.click(part('pause'));
    expect(backend.steer).toHaveBeenCalledExactlyOnceWith('run-mum', { op: 'pause' });
  });

  it('leads to the question that waits', async () => {
    const { backend } = await openOwn('shop');
    await fireEvent.click(part('review'));
    expect(backend.review).toHaveBeenCalledExactlyOnceWith('ask-run-shop');
  });

  it('says why its task is paused, and asks again', async () => {
    const { backend } = await openOwn('t4', 'troubles');
    expect(part('banner-paused').textContent).toContain('Nobody answered in time.');
    await fireEvent.click(part('banner-help'));
    expect(backend.steer).toHaveBeenCalledExactlyOnceWith('run-t4', { op: 'ask_again' });
  });

  it('hears single keys', async () => {
    const { backend } = await openOwn('moto', 'phones');
    await press('s');
    expect(backend.screenshot).toHaveBeenCalledExactlyOnceWith('moto');
  });

  it('says when the phone is gone', async () => {
    await openOwn('nobody');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This phone is no longer connected.');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['Esc', () => press('Escape')],
    ['F11', () => press('F11')],
    ['its button', () => fireEvent.click(part('leave-full'))],
  ])('leaves the whole screen by %s once the phone is gone', async (_, leave) => {
    const harness = await openOwn('mum');
    await press('F11');
    await unplug(harness);
    expect([harness.app.full, has('stage'), document.activeElement]).toEqual([true, false, part('leave-full')]);
    await leave();
    await settle();
    expect([harness.app.full, has('leave-full'), harness.backend.fullScreen.mock.lastCall]).toEqual([false, false, [false]]);
    await press('F11');
    expect(harness.app.full).toBe(false);
  });

  it.each(['mum', 'shop', 'nobody'])('leaves axe nothing to find: %s', async (id) => {
    await openOwn(id);
    vi.useRealTimers();
    const { violations } = await axe.run(document, { rules: { 'color-contrast': { enabled: false }, 'html-has-lang': { enabled: false } } });
    expect(violations.flatMap((found) => found.nodes.map((node) => `${found.id}: ${node.target.join(' ')}`))).toEqual([]);
  });
});
