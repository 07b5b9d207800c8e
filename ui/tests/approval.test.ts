import { cleanup, fireEvent, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SettingsChange } from '../src/protocol';
import { awake, move, press, renderApproval, type } from './render-approval';
import { askOf, has, NOW, part } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('words of the person’s own', () => {
  it.each([
    ['payment', 'deny'],
    ['payment', 'approve'],
    ['send', 'take-over'],
    ['code', 'deny'],
    ['contacts', 'deny'],
  ] as const)('go with the answer to %s: %s', async (kind, answer) => {
    const { backend } = await renderApproval(askOf(kind));
    await awake();
    if (has('own-words-open')) await fireEvent.click(part('own-words-open'));
    await tick();
    await fireEvent.input(part('own-words-input'), { target: { value: ' Not this one. ' } });
    await fireEvent.click(part(answer));
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ words: 'Not this one.' }));
  });

  it('go with no code', async () => {
    const { backend } = await renderApproval(askOf('code'));
    await fireEvent.click(part('own-words-open'));
    await tick();
    expect(part('own-words').textContent).toContain('If you say no');
    await fireEvent.input(part('own-words-input'), { target: { value: 'Later.' } });
    await type(part('code-input'), '418023');
    await awake();
    await fireEvent.click(part('approve'));
    await vi.advanceTimersByTimeAsync(1);
    expect(backend.supply).toHaveBeenCalledExactlyOnceWith('ask-code', 'digest-ask-code', '418023');
    expect(backend.answer).not.toHaveBeenCalled();
  });
});

it('what the task itself names is listed, each deed in one line, with the task', async () => {
  const { backend } = await renderApproval(askOf('mandate'));
  await awake();
  const deeds = [...part('deeds').querySelectorAll('li')].map((one) => one.textContent?.trim());
  expect(deeds).toEqual(['Send Dana “on my way” in Messages', 'Delete 34 items in Photos: “screenshots”']);
  expect(document.getElementById('claim')?.textContent).toContain('Send Dana: on my way');
  await fireEvent.click(part('approve'));
  expect(backend.answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ choice: 'approve' }));
});

describe('a setting that loosens something', () => {
  const change: SettingsChange = {
    id: 'settings/1',
    loosens: [{ what: 'switch', off: 'sending' }],
    askedAt: NOW,
    deadline: NOW + 60_000,
  };

  it('comes before every question, calmly, Deny first in focus', async () => {
    const { tell } = await renderApproval(askOf('payment'));
    await tell({ asks: [askOf('payment')], changes: [change] });
    const dialog = screen.getByRole('alertdialog');
    expect(document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')?.textContent).toBe(
      'Stop asking before sending messages?',
    );
    expect(document.activeElement).toBe(part('deny'));
    expect(part('queue').textContent).toBe('1 of 2');
    expect(screen.getByRole('timer').textContent).toBe('1:00');
  });

  it('is not confirmed before 0.8 s and a movement, and then once', async () => {
    const { backend } = await renderApproval(askOf('payment'), { changes: [change] });
    await fireEvent.click(part('confirm'));
    await press('Enter', { ctrlKey: true });
    vi.advanceTimersByTime(2000);
    await fireEvent.click(part('confirm'));
    expect(backend.confirm).not.toHaveBeenCalled();
    expect(part('said').textContent).toContain('Take a moment to look');
    move();
    await tick();
    expect(backend.noticed).toHaveBeenCalledExactlyOnceWith(change.id);
    await fireEvent.click(part('confirm'));
    expect(backend.confirm).toHaveBeenCalledExactlyOnceWith(change.id, true);
    expect(backend.answer).not.toHaveBeenCalled();
  });

  it('is denied at once, by the button and by Esc', async () => {
    const { backend } = await renderApproval(askOf('payment'), { changes: [change] });
    await press('Escape');
    await vi.advanceTimersByTimeAsync(1);
    await fireEvent.click(part('deny'));
    expect(backend.confirm.mock.calls).toEqual([
      [change.id, false],
      [change.id, false],
    ]);
  });

  it('cannot be confirmed when its time is up', async () => {
    const { backend } = await renderApproval(askOf('payment'), { changes: [change] }, change.deadline + 1);
    await awake();
    await press('Enter', { ctrlKey: true });
    expect(backend.confirm).not.toHaveBeenCalled();
    expect(screen.getByText('Time’s up. This counts as no.')).toBeTruthy();
  });

  it('names everything that would be looser, letter for letter', async () => {
    const loosens: SettingsChange['loosens'] = [{ what: 'scripts' }, { what: 'program', path: '/usr/bin/wc' }];
    await renderApproval(askOf('payment'), { changes: [{ ...change, loosens }] });
    expect(document.getElementById('question')?.textContent).toBe('Change these 2 settings?');
    expect(part('means').textContent).toMatch(/run on this computer\?.*start this program\?.*\/usr\/bin\/wc/s);
  });

  it('gives way to the question behind it', async () => {
    const { tell } = await renderApproval(askOf('payment'), { changes: [change] });
    await tell({ asks: [askOf('payment')] });
    expect(part('approval').dataset.kind).toBe('payment');
    expect(document.activeElement).toBe(part('deny'));
  });
});

it('a command is shown word for word', async () => {
  await renderApproval(askOf('shell'));
  expect(part('verbatim').textContent).toContain('dumpsys diskstats');
});

it('without a question there is nothing to answer', async () => {
  const { tell } = await renderApproval(askOf('send'));
  await tell({ asks: [] });
  expect(screen.getByText('Nothing is waiting for you')).toBeTruthy();
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('a script on this computer says where it runs, how long, and every line of it', async () => {
  const ask = askOf('computer_script');
  await renderApproval(ask);
  expect(part('script-place').textContent).toBe('It runs on this computer for up to 120 seconds.');
  expect(part('verbatim').textContent).toContain(ask.evidence.text ?? 'nothing');
});

it('a call for help offers Take over first', async () => {
  await renderApproval(askOf('unknown'));
  expect(part('take-over-first').classList.contains('primary')).toBe(true);
  expect(part('approve').textContent?.trim()).toBe('Continue');
});
