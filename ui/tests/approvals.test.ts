import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Approval from '../src/approval/Approval.svelte';
import { about, byDay, outcomeSummary } from '../src/approval/approval-history';
import { describe as describeRow } from '../src/run/event-sentences';
import { describeRule } from '../src/approval/standing-answers';
import { say } from '../src/words/words';
import { Clock } from '../src/kit/clock.svelte';
import Approvals from '../src/app/ApprovalsPage.svelte';
import SettingsPage from '../src/app/SettingsPage.svelte';
import '../src/settings/NoticeSettings.svelte';
import Sidebar from '../src/app/Sidebar.svelte';
import type { Ask, AskRecord, Rule, Settings, StandingAnswer } from '../src/protocol';
import { fold } from '../src/state/view';
import { askOf, has, NOW, part, parts, settle, stubApp, stubBackend, type Stub } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const ended = (kind: Ask['kind'], end: object, more: Partial<AskRecord> = {}): AskRecord =>
  ({ ask: askOf(kind), end: { at: NOW, reach: 'once', ...end }, ...more }) as AskRecord;

describe('what came of a question', () => {
  it.each([
    ['payment', { outcome: 'allowed' }, 'ask.payment.allowed', 'yes', []],
    ['payment', { outcome: 'denied' }, 'ask.payment.denied', 'no', []],
    ['act', { outcome: 'allowed', reach: 'task' }, 'ask.act.allowed', 'yes', ['approvals.reach.task']],
    ['act', { outcome: 'allowed', reach: 'always' }, 'ask.act.allowed', 'yes', ['approvals.reach.always']],
    ['code', { outcome: 'supplied', characters: 6 }, 'ask.code.allowed', 'yes', ['answers.supplied_note']],
    ['shell', { outcome: 'timed_out' }, 'answers.timed_out', 'question', ['answers.timed_out_note']],
    ['install', { outcome: 'withdrawn' }, 'rows.withdrawn', 'no', []],
  ] as const)('%s %o', (kind, end, title, mark, notes) => {
    const summary = outcomeSummary(ended(kind, end));
    expect(summary?.title.key).toBe(title);
    expect(summary?.icon).toBe(mark);
    expect(summary?.notes.map((note) => note.key)).toEqual(notes);
  });

  it('can be read although the question cannot', () => {
    const record = ended('unknown', { outcome: 'denied' }, { unreadable: true });
    expect(outcomeSummary(record)?.title.key).toBe('approvals.unreadable');
    const open = { ask: askOf('unknown'), unreadable: true } as AskRecord;
    expect(outcomeSummary(open)?.title.key).toBe('approvals.unreadable');
    expect(byDay([open, record], NOW)[0]?.records.length).toBe(2);
  });

  it('of a call is a call', () => {
    const action = { type: 'open_url', url: 'tel:+15550100' } as const;
    const record = ended('send', { outcome: 'allowed' });
    expect(outcomeSummary({ ...record, ask: { ...record.ask, action } as Ask })?.title.key).toBe('ask.call.allowed');
  });

  it('is no yes where the screen had changed', () => {
    const summary = outcomeSummary(ended('payment', { outcome: 'allowed' }, { voided: true }));
    expect([summary?.icon, summary?.tone, summary?.notes.at(-1)?.key]).toEqual(['again', 'amber', 'rows.voided']);
  });

  it('is told apart by days, and what waits is not among them', () => {
    const yesterday = { ...askOf('send'), askedAt: NOW - 20 * 3_600_000 };
    const records = [ended('payment', { outcome: 'denied' }), { ask: askOf('code') }, { ...ended('send', {}), ask: yesterday }];
    expect(byDay(records, NOW).map((day) => [day.name, day.records.length])).toEqual([
      ['Today', 1],
      ['Yesterday', 1],
    ]);
  });

  it('says what it was about, money first', () => {
    expect(about(askOf('payment'))).toEqual(['$23.40', 'Greenleaf Groceries']);
    expect(about(askOf('send'))[0]).toBe('Dana Whitlock');
    const payment = askOf('payment');
    const { amount: _, ...evidence } = payment.evidence;
    const several = { ...payment, evidence: { ...evidence, otherAmounts: [{ text: '$1', currency: '$' }, { text: '$2', currency: '$' }] } };
    expect(about(several)[0]).toBe('$1, $2');
    expect(about(several, '$2')[0]).toBe('$2');
  });
});

describe('the page of approvals', () => {
  async function open(records: AskRecord[], name = 'asks', change: (backend: Stub) => void = () => undefined) {
    const backend = stubBackend();
    backend.approvals.mockResolvedValue(records);
    change(backend);
    const harness = stubApp(name, backend);
    render(Approvals, { context: harness.context });
    await settle();
    return harness;
  }

  it('says so where nothing waits', async () => {
    await open([], 'empty');
    expect(part('nothing-waits').textContent).toContain('Nothing is waiting for you');
    expect(has('export')).toBe(false);
  });

  it('lists what waits with the way to it', async () => {
    const { backend } = await open([]);
    expect(parts('waiting').length).toBeGreaterThan(10);
    expect(parts('waiting')[0]?.textContent).toContain('Approve a $23.40 payment');
    await fireEvent.click(parts('review')[0] as HTMLElement);
    expect(backend.review).toHaveBeenCalledExactlyOnceWith('ask-payment');
  });

  it('shows a question with its picture, the AI’s words and its times when it is opened', async () => {
    await open([ended('payment', { outcome: 'allowed' })], 'empty');
    const row = part('asked');
    expect(row.textContent).toContain('You approved the payment');
    expect(row.textContent).toContain('Shop phone · Greenleaf · $23.40 · Greenleaf Groceries');
    expect(has('evidence')).toBe(false);
    (row.querySelector('details') as HTMLDetailsElement).open = true;
    row.querySelector('details')?.dispatchEvent(new Event('toggle'));
    await settle();
    expect(part('evidence')).toBeTruthy();
    expect(row.textContent).toContain('Your usual 8 items are in the basket.');
    expect(row.textContent).toContain('Asked at 9:41');
  });

  it('asks anew when a question ends, and for older ones when told', async () => {
    const fifty = Array.from({ length: 50 }, (_, n) => {
      const record = ended('payment', { outcome: 'denied' });
      return { ...record, ask: { ...record.ask, id: `a-${n}`, askedAt: NOW - n } };
    });
    const { backend, app } = await open(fifty);
    expect(backend.approvals).toHaveBeenCalledExactlyOnceWith(null, 50);
    const event = { run: 'run-shop', phone: 'k-payment', seq: 6, at: NOW, what: 'answered', ask: 'ask-payment' };
    app.view = fold(app.view, { news: 'run', event: { ...event, outcome: 'denied' } as never });
    await settle();
    expect(backend.approvals).toHaveBeenCalledTimes(2);
    await fireEvent.click(part('older'));
    await settle();
    expect(backend.approvals).toHaveBeenLastCalledWith([NOW - 49, 'a-49'], 50);
  });

  it('is exported, and says where to', async () => {
    const { backend } = await open([ended('payment', { outcome: 'denied' })]);
    await fireEvent.click(part('export'));
    await settle();
    expect(backend.exportApprovals).toHaveBeenCalledOnce();
    expect(screen.getByText('Saved in Documents/PocketDeck approvals')).toBeTruthy();
  });

  it('has a badge with the number of open questions', () => {
    const { context, app } = stubApp('asks');
    const open = Object.values(app.view.runs).reduce((sum, run) => sum + run.asks.length, 0);
    render(Sidebar, { context });
    expect(part('nav-approvals').querySelector('[data-part="badge"]')?.textContent).toBe(String(open));
    expect(parts('badge')).toHaveLength(1);
  });
});

describe('what is always allowed', () => {
  const DAY = 86_400_000;
  const element = { signer: 'sum 1', version: '1', page: 'p', resourceId: 'send', role: 'button' as const, label: 'Send', used: NOW - 2 * DAY };
  const rule = (more: Partial<Rule> = {}): Rule => ({
    kind: 'send',
    app: 'com.android.messages',
    appLabel: 'Messages',
    phone: 'mum',
    since: NOW - 60 * DAY,
    element,
    ...more,
  });
  const old = (({ element: _, ...rest }: Rule): Rule => rest)(rule());

  it.each<[string, Rule, string, string, boolean]>([
    ['used', rule(), '“Send” in Messages, on Mum’s Galaxy', 'Last used May 12', true],
    [
      'not used yet',
      rule({ since: NOW - DAY, element: { ...element, used: NOW - DAY } }),
      '“Send” in Messages, on Mum’s Galaxy',
      'Allowed on May 13, not used yet',
      true,
    ],
    [
      'on a phone nobody knows, without a name of its own',
      rule({ phone: 'gone', appLabel: '', element: { ...element, label: '' } }),
      'One thing in com.android.messages, on gone',
      'Last used May 12',
      true,
    ],
    [
      'not used for 30 days',
      rule({ element: { ...element, used: NOW - 30 * DAY - 1 } }),
      '“Send” in Messages, on Mum’s Galaxy',
      'Not used since Apr 14, so it asks again',
      false,
    ],
    [
      'of an older kind',
      old,
      'Everything of one kind in Messages, on Mum’s Galaxy',
      'No longer in effect. You can now allow single buttons instead of a whole app.',
      false,
    ],
  ])('%s', (_, one, title, note, holds) => {
    const shown = describeRule(one, stubApp('phones').app.view.phones, NOW);
    expect([shown.title, say(shown.note), shown.holds]).toEqual([title, note, holds]);
  });

  function standing(page: typeof SettingsPage | typeof Approvals) {
    const { app, backend, context } = stubApp('phones');
    const allowed = [rule(), old];
    const rules = { never: [rule({ kind: 'delete' })], ask: [], allowed };
    app.view = fold(app.view, { news: 'settings', settings: { ...(app.view.settings as Settings), rules } });
    app.route = { page: 'settings', tab: 'safety' };
    render(page, { context });
    return { backend, allowed };
  }

  it.each([
    ['the settings', SettingsPage],
    ['the page of approvals', Approvals],
  ])('is listed in %s, and taken back there', async (_, page) => {
    const { backend, allowed } = standing(page);
    const [first, second] = parts('standing-revoke') as HTMLElement[];
    expect(first?.getAttribute('aria-label')).toBe('Stop allowing: “Send” in Messages, on Mum’s Galaxy');
    expect(second?.textContent).toBe('Remove');
    await fireEvent.click(first as HTMLElement);
    // That one, and not the list as this window knows it: another may have come meanwhile.
    expect(backend.takeBack).toHaveBeenCalledExactlyOnceWith(allowed[0]);
    expect(backend.patchSettings).not.toHaveBeenCalled();
  });

  it('is told of in the task that was not asked', () => {
    const row = (standing: StandingAnswer): string => say(describeRow({ kind: 'unasked', at: NOW, standing }).title);
    expect(row({ by: 'rule', rule: rule() })).toBe('Didn’t ask: you always allow “Send” here');
    expect(row({ by: 'rule', rule: rule({ element: { ...element, label: '' } }) })).toBe('Didn’t ask: you always allow this here');
    const deed = { kind: 'send', app: 'a', appLabel: 'A', recipient: 'Mum', text: 'hi', count: 0 } as const;
    expect(row({ by: 'mandate', deed })).toBe('Didn’t ask: you approved this before the task started');
  });
});

describe('the settings', () => {
  it('turn the sound off', async () => {
    const { app, backend, context } = stubApp('phones');
    app.route = { page: 'settings', tab: 'notifications' };
    render(SettingsPage, { context });
    await settle();
    expect((part('notice-sound') as HTMLInputElement).checked).toBe(true);
    await fireEvent.click(part('notice-sound'));
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({
      notices: { sound: false, done: true, failed: true, needsYou: true },
    });
  });
});

describe('the question’s window', () => {
  async function show(kind: Ask['kind']): Promise<Stub> {
    const backend = stubBackend();
    render(Approval, { backend, clock: new Clock(() => NOW) });
    await tick();
    backend.asks({ asks: [askOf(kind)] });
    await tick();
    await tick();
    for (const x of [10, 40]) {
      const event = new PointerEvent('pointermove', { bubbles: true });
      Object.defineProperty(event, 'isTrusted', { value: true });
      Object.defineProperty(event, 'screenX', { value: x });
      window.dispatchEvent(event);
    }
    vi.advanceTimersByTime(800);
    await tick();
    return backend;
  }

  it('says in words how far a yes would reach before it is given', async () => {
    const backend = await show('act');
    expect(part('always').textContent).toContain('Always allow this button here');
    expect(part('always').textContent).not.toContain('without asking');
    await fireEvent.click(part('always-choice'));
    await tick();
    expect(part('always').textContent).toContain('“Battery” on this screen of Settings on Anna’s Pixel without asking');
    expect(part('approve').textContent).toContain('Always allow');
    await fireEvent.click(part('approve'));
    expect(backend.answer.mock.calls[0]?.[0].choice).toBe('approve_always');
  });

  it('offers no further reach for money, codes and scripts', async () => {
    for (const kind of ['payment', 'code', 'password', 'send', 'delete', 'script', 'computer_script', 'shell', 'permission'] as const) {
      await show(kind);
      expect(has('always'), kind).toBe(false);
      cleanup();
    }
  });

  it('gives the person’s own words with the yes', async () => {
    const backend = await show('contacts');
    await fireEvent.input(part('own-words-input'), { target: { value: ' Only Dana’s. ' } });
    await fireEvent.click(part('approve'));
    expect(backend.answer.mock.calls[0]?.[0]).toMatchObject({ choice: 'approve', words: 'Only Dana’s.' });
  });

  it('puts a picked picture on the phone, and not before the yes', async () => {
    const backend = await show('camera');
    const input = part('pick-input') as HTMLInputElement;
    const file = new File(['abc'], 'Mum’s cat.png', { type: 'image/png' });
    Object.defineProperty(input, 'files', { value: [file] });
    await fireEvent.change(input);
    expect(part('picked').textContent).toContain('Mum’s cat.png');
    expect(backend.give).not.toHaveBeenCalled();
    expect(part('approve').textContent).toContain('Copy to the phone');
    await fireEvent.click(part('approve'));
    await settle();
    expect(backend.give).toHaveBeenCalledOnce();
    expect(backend.give.mock.calls[0]?.slice(0, 3)).toEqual(['ask-camera', 'digest-ask-camera', 'Mum’s cat.png']);
    expect(backend.answer).not.toHaveBeenCalled();
  });

  it('asks in Android’s own words where its dialog is shown', async () => {
    await show('permission');
    expect(document.getElementById('question')?.textContent).toBe('“Allow Maps to access this device’s location?”');
    expect(part('approve').textContent).toContain('While using the app');
  });
});
