import { cleanup, render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Approvals from '../src/app/ApprovalsPage.svelte';
import type { Backend } from '../src/backend';
import { openScene } from '../src/fake/fake-backend';
import type { Ask } from '../src/protocol';
import { renderApproval } from './render-approval';
import { askOf, part, parts, settle, stubApp, stubBackend } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

type Gives = 'an icon' | 'none' | 'a failure';
const GIVES: Record<Gives, Backend['appIcon']> = {
  'an icon': async () => new ArrayBuffer(8),
  none: async () => new ArrayBuffer(0),
  'a failure': async () => Promise.reject(new Error('gone')),
};

/** What the box in a part of the page shows: the icon, or this letter. Its size is the box’s own, whatever stands in it. */
function check(box: HTMLElement, expected: 'icon' | string): void {
  const picture = box.querySelector('img');
  expect(picture ? 'icon' : box.textContent?.trim()).toBe(expected);
  expect(box.classList.contains('letter')).toBe(expected !== 'icon');
  // The name stands beside it: nobody is read the same twice.
  expect(box.getAttribute('aria-hidden')).toBe('true');
  expect(picture?.getAttribute('alt') ?? '').toBe('');
}

describe('the app of a question in the approval window', () => {
  it.each([
    ['payment', 'an icon', 'icon'],
    ['payment', 'none', 'G'],
    ['payment', 'a failure', 'G'],
    ['send', 'an icon', 'icon'],
    ['code', 'none', 'N'],
  ] as const)('%s: the phone gives %s', async (kind, gives, expected) => {
    const ask = askOf(kind);
    const { backend } = await renderApproval(ask, {}, undefined, (stub) => stub.appIcon.mockImplementation(GIVES[gives]));
    await settle();
    check(part('app-icon'), expected);
    expect(part('ask-line').textContent).toContain(ask.appLabel);
    expect(backend.appIcon).toHaveBeenCalledWith(ask.phone, ask.app);
  });

  it('is a letter until the icon comes, in the same box', async () => {
    let give: (png: ArrayBuffer) => void = () => undefined;
    const waits = new Promise<ArrayBuffer>((done) => (give = done));
    await renderApproval(askOf('payment'), {}, undefined, (stub) => stub.appIcon.mockImplementation(() => waits));
    const box = part('app-icon');
    check(box, 'G');
    give(new ArrayBuffer(8));
    await settle();
    check(box, 'icon');
  });

  it('is asked for once, those of the questions behind it too, and again only where none came', async () => {
    const [first, second] = [askOf('payment'), askOf('send')];
    const other: Ask = { ...second, id: 'other', phone: 'another' };
    const { backend, tell } = await renderApproval(first, {}, undefined, (stub) =>
      stub.appIcon.mockImplementation((phone) => GIVES[phone === 'another' ? 'none' : 'an icon'](phone, '')),
    );
    await tell({ asks: [first, second, other] });
    await settle();
    await tell({ asks: [second, other] });
    await settle();
    check(part('app-icon'), 'icon');
    const calls = backend.appIcon.mock.calls.map(([phone]) => phone);
    expect(calls).toEqual([first.phone, second.phone, 'another', 'another']);
  });

  it('is not asked for where no app is named', async () => {
    const { backend } = await renderApproval({ ...askOf('payment'), app: '', appLabel: '' });
    expect(backend.appIcon).not.toHaveBeenCalled();
    expect(parts('app-icon')).toEqual([]);
  });
});

it.each([
  ['an icon', 'icon'],
  ['none', 'G'],
] as const)('a question in the list: the phone gives %s', async (gives, expected) => {
  const backend = stubBackend();
  backend.appIcon.mockImplementation(GIVES[gives]);
  const { context } = stubApp('asks', backend);
  render(Approvals, { context });
  await settle();
  await tick();
  const row = parts('waiting')[0] as HTMLElement;
  check(row.querySelector('[data-part="app-icon"]') as HTMLElement, expected);
  expect(row.textContent).toContain('Greenleaf');
});

it('without a canvas the made-up program gives none', async () => {
  vi.stubGlobal('OffscreenCanvas', class { getContext = (): null => null });
  const { backend } = await openScene(new URLSearchParams('scene=payment&still'));
  expect((await backend.appIcon('k-payment', 'com.greenleaf.shop')).byteLength).toBe(0);
});
