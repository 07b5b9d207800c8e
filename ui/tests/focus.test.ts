// What had the focus is gone: something else has it, so that whoever uses no mouse goes on where they were.

import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import HistoryPage from '../src/app/HistoryPage.svelte';
import Phone from '../src/app/PhonePage.svelte';
import SettingsPage from '../src/app/SettingsPage.svelte';
import '../src/settings/NoteSettings.svelte';
import '../src/settings/PhoneSettings.svelte';
import '../src/settings/PrivacySettings.svelte';
import '../src/settings/SavedSettings.svelte';
import { FakePast } from '../src/fake/past';
import type { Event, Settings } from '../src/protocol';
import { readRoute, type SettingsTab } from '../src/state/route';
import { fold, latestRun } from '../src/state/view';
import { NOW, part, parts, pictureMessage, settle, stubApp } from './harness';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  location.hash = '';
});

const focused = (): string | undefined => {
  const { dataset, localName } = document.activeElement as HTMLElement;
  return dataset['part'] ?? localName;
};

/** As a person presses it who uses no mouse. */
async function press(element: HTMLElement): Promise<void> {
  element.focus();
  await fireEvent.click(element);
  await settle();
}

describe('the focus, on a phone’s page,', () => {
  async function open() {
    const harness = stubApp('phone');
    harness.backend.mirrorStart.mockImplementation(async (_phone, _aim, _video, tell) => {
      setTimeout(() => tell(pictureMessage(1080, 2400)));
      return 1;
    });
    harness.app.route = { page: 'phone', phone: 'mum' };
    render(Phone, { props: { id: 'mum' }, context: harness.context });
    await settle();
    await settle();
    const tell = async (what: object): Promise<void> => {
      const { run, seq } = latestRun(harness.app.view, 'mum')!;
      harness.app.view = fold(harness.app.view, { news: 'run', event: { run, phone: 'mum', seq: seq + 1, at: NOW, ...what } as Event });
      await settle();
    };
    return tell;
  }

  it('is on the phone’s name after Stop', async () => {
    const tell = await open();
    await press(part('stop'));
    await tell({ what: 'ended', ending: { how: 'stopped' } });
    expect(focused()).toBe('h1');
  });

  it('is on the screen after Take over there', async () => {
    const tell = await open();
    await press(part('cover'));
    await press(part('offer-yes'));
    await tell({ what: 'taken_over' });
    expect(focused()).toBe('touch-pad');
  });
});

it('the focus is on the page’s title after a run was erased', async () => {
  const past = new FakePast(true, [], () => '');
  const { app, backend, context } = stubApp('phones');
  backend.history.mockImplementation(async (query) => past.page(query));
  backend.runStory.mockImplementation(async (run) => past.story(run)!);
  app.route = readRoute('#/history/run/past-groceries');
  render(HistoryPage, { context });
  await settle();
  await settle();
  await press(part('run-erase'));
  await press(part('confirm-yes'));
  app.route = { page: 'history' };
  await settle();
  expect(focused()).toBe('h1');
});

describe('the focus, in the settings,', () => {
  async function open(tab: SettingsTab | undefined, part: Partial<Settings>) {
    const harness = stubApp('phones');
    const now = (change: Partial<Settings>): void => {
      harness.app.view = { ...harness.app.view, settings: { ...harness.app.view.settings!, ...change } };
    };
    now(part);
    harness.app.route = tab ? { page: 'settings', tab } : { page: 'settings' };
    render(SettingsPage, { context: harness.context });
    await settle();
    await settle();
    return { ...harness, now };
  }

  const password = (name: string) => ({ name, kind: 'password' as const, place: { at: 'host' as const, host: 'forum.example' }, since: 1 });
  const rule = (label: string) => ({ kind: 'shell' as const, app: 'com.example', appLabel: 'Example', label, phone: 'mum', since: 1 });

  it.each<[string, SettingsTab | undefined, string, (names: string[]) => Partial<Settings>]>([
    ['password', 'passwords', 'saved-remove', (names) => ({ credentials: names.map(password) })],
    ['note', undefined, 'note-remove', (names) => ({ notes: names.map((text) => ({ text, about: 'everything' as const })) })],
    ['server', 'phones', 'server-remove', (names) => ({ adbServers: names })],
    ['line that is always allowed', 'safety', 'standing-revoke', (names) => ({ rules: { allowed: names.map(rule) } }) as never],
  ])('goes to the next %s, and after the last to the title', async (_, tab, button, settings) => {
    const { now } = await open(tab, settings(['one', 'two', 'three']));
    const remove = async (at: number, left: string[]): Promise<void> => {
      await press(parts(button)[at]!);
      now(settings(left));
      await settle();
    };
    await remove(1, ['one', 'three']);
    expect(document.activeElement).toBe(parts(button)[1]);
    await remove(1, ['one']);
    expect(document.activeElement).toBe(parts(button)[0]);
    await remove(0, []);
    expect(focused()).toBe('h1');
  });

  it('is in the first field of a password that is added, and back on the button after', async () => {
    await open('passwords', {});
    await press(part('saved-add'));
    expect(focused()).toBe('saved-name');
    await press(part('saved-cancel'));
    expect(focused()).toBe('saved-add');
  });

  it('is back on the button once everything is erased', async () => {
    await open('privacy', {});
    await press(part('erase-everything'));
    await press(part('confirm-yes'));
    expect(focused()).toBe('erase-everything');
  });
});
