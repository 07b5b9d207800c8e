import { cleanup, fireEvent, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Ask, Choice } from '../src/protocol';
import { awake, press, renderApproval, type } from './render-approval';
import { askOf, has, NOW, part } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a code', () => {
  const ask = askOf('code');

  it('has one field, which has the focus and takes pasted codes as they are written', async () => {
    await renderApproval(ask);
    const input = part('code-input') as HTMLInputElement;
    expect(document.activeElement).toBe(input);
    expect(input.getAttribute('autocomplete')).toBe('one-time-code');
    await type(input, ' 418-023 ');
    expect(input.value).toBe('418023');
    expect([...document.querySelectorAll('[data-part="code-cell"]')].map((cell) => cell.textContent?.trim())).toEqual([
      '4',
      '1',
      '8',
      '0',
      '2',
      '3',
    ]);
  });

  it('goes to the phone with Enter, and is gone from the window before it is on its way', async () => {
    const { backend } = await renderApproval(ask);
    const input = part('code-input') as HTMLInputElement;
    let inWindow = '';
    backend.supply.mockImplementation(async () => {
      await tick();
      inWindow = `${input.value}${document.body.innerHTML}`;
    });
    await type(input, '418023');
    vi.advanceTimersByTime(800);
    await press('Enter');
    await vi.advanceTimersByTimeAsync(1);
    expect(backend.supply).toHaveBeenCalledExactlyOnceWith(ask.id, ask.digest, '418023');
    expect(inWindow).not.toContain('418023');
    expect(inWindow).toContain('Sending to the phone…');
    expect(backend.answer).not.toHaveBeenCalled();
  });

  it('counts typing as being there, so that the backend takes it', async () => {
    const { backend } = await renderApproval(ask);
    await type(part('code-input'), '4');
    expect(backend.noticed).toHaveBeenCalledExactlyOnceWith(ask.id);
  });

  it('is not sent before it is one', async () => {
    const { backend } = await renderApproval(ask);
    await type(part('code-input'), '418');
    await awake();
    await fireEvent.click(part('approve'));
    await fireEvent.click(part('approve'));
    expect(backend.supply).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(part('code-input'));
  });

  it.each([5, 10])('of six characters goes whole where the screen seems to want %d, once the person says so', async (codeLength) => {
    const { backend } = await renderApproval({ ...ask, evidence: { ...ask.evidence, codeLength } });
    await type(part('code-input'), '418023');
    await awake();
    await press('Enter');
    expect(part('said').textContent).toBe(`The screen seems to ask for ${codeLength} characters. Send this code anyway?`);
    expect(document.activeElement).toBe(part('code-input'));
    expect(backend.supply).not.toHaveBeenCalled();
    await press('Enter');
    await vi.advanceTimersByTimeAsync(1);
    expect(backend.supply).toHaveBeenCalledExactlyOnceWith(ask.id, ask.digest, '418023');
  });

  it.each([4, 8, 10])('of %d characters has as many cells', async (codeLength) => {
    await renderApproval({ ...ask, evidence: { ...ask.evidence, codeLength } });
    expect(document.querySelectorAll('[data-part="code-cell"]')).toHaveLength(codeLength);
  });

  it('of unknown length may have four to ten', async () => {
    const { codeLength: _, ...evidence } = ask.evidence;
    const { backend } = await renderApproval({ ...ask, evidence });
    await type(part('code-input'), '1234567890123');
    expect((part('code-input') as HTMLInputElement).value).toBe('1234567890');
    await type(part('code-input'), '1234');
    vi.advanceTimersByTime(800);
    await press('Enter');
    await vi.advanceTimersByTimeAsync(1);
    expect(backend.supply).toHaveBeenCalledExactlyOnceWith(ask.id, ask.digest, '1234');
  });

  it('that did not work says so and keeps the focus, each time', async () => {
    const { backend, tell } = await renderApproval(ask, { again: [ask.id] });
    expect(screen.getByText('That code didn’t work. Check the latest message.')).toBeTruthy();
    expect(document.activeElement).toBe(part('code-input'));
    await type(part('code-input'), '418023');
    vi.advanceTimersByTime(800);
    await press('Enter');
    await vi.advanceTimersByTimeAsync(1);
    expect(backend.supply).toHaveBeenCalledOnce();
    await tell({ asks: [ask], again: [ask.id] });
    expect(screen.getByText('That code didn’t work. Check the latest message.')).toBeTruthy();
    expect(document.activeElement).toBe(part('code-input'));
  });

  it('that could not be handed over can be typed again', async () => {
    const { backend } = await renderApproval(ask);
    backend.supply.mockRejectedValueOnce({ code: 'phone_gone' });
    await type(part('code-input'), '418023');
    vi.advanceTimersByTime(800);
    await press('Enter');
    await vi.advanceTimersByTimeAsync(1);
    expect(screen.getByText(/no longer connected/)).toBeTruthy();
    expect((part('code-input') as HTMLInputElement).disabled).toBe(false);
  });

  it('Esc is Deny here too', async () => {
    const { backend } = await renderApproval(ask);
    await press('Escape');
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ choice: 'deny' }));
  });
});

describe('a question that takes the place of another', () => {
  const other = (kind: Ask['kind']): Ask => ({ ...askOf(kind), id: 'ask-other', digest: 'digest-other' });
  const heading = (): HTMLElement => document.getElementById('question')!;
  const deny = (): HTMLElement => part('deny');

  it.each<[string, Ask['kind'], Ask['kind'], () => HTMLElement]>([
    ['of a code after one in whose field was typed', 'code', 'code', heading],
    ['of a password after a code', 'code', 'password', heading],
    ['of a clipboard after a password', 'password', 'clipboard', heading],
    ['of a code after one with Yes and No', 'payment', 'code', heading],
    ['with Yes and No after one in whose field was typed', 'code', 'payment', heading],
    ['with Yes and No after another', 'payment', 'send', deny],
  ])('%s: what is still typed goes nowhere', async (_, before, kind, focused) => {
    const { backend, tell } = await renderApproval(askOf(before));
    const moved = vi.fn<(event: FocusEvent) => void>();
    window.addEventListener('focusin', moved);
    await tell({ asks: [other(kind)] });
    window.removeEventListener('focusin', moved);
    expect(document.activeElement).toBe(focused());
    // A focus that comes from elsewhere in the window counts as the person’s.
    expect(moved.mock.calls.map(([event]) => event.relatedTarget)).toEqual([null]);
    expect(backend.noticed).not.toHaveBeenCalled();
  });

  it('has its field by a click or Tab, and takes what is typed then', async () => {
    const { backend, tell } = await renderApproval(askOf('code'));
    await type(part('code-input'), '41');
    await tell({ asks: [other('code')] });
    expect((part('code-input') as HTMLInputElement).value).toBe('');
    part('code-input').focus();
    await type(part('code-input'), '418023');
    expect(backend.noticed).toHaveBeenLastCalledWith('ask-other');
    vi.advanceTimersByTime(800);
    await press('Enter');
    await vi.advanceTimersByTimeAsync(1);
    expect(backend.supply).toHaveBeenCalledExactlyOnceWith('ask-other', 'digest-other', '418023');
  });

  it('has no field in focus though nothing waited in between', async () => {
    const { tell } = await renderApproval(askOf('code'));
    await tell({ asks: [] });
    await tell({ asks: [other('code')] });
    expect(document.activeElement).toBe(heading());
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a second click on Deny', () => fireEvent.click(deny())],
    ['a second click on Take over', () => fireEvent.click(part('take-over'))],
    ['a second Esc', () => press('Escape')],
  ])('is not answered by %s, which was meant for the one before', async (_, again) => {
    const { backend, tell } = await renderApproval(askOf('payment'));
    await again();
    await vi.advanceTimersByTimeAsync(100);
    await tell({ asks: [other('send')] });
    backend.answer.mockClear();
    await vi.advanceTimersByTimeAsync(250);
    await again();
    expect(backend.answer).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    await again();
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ ask: 'ask-other' }));
  });

  it('nor is a change of the settings that comes then', async () => {
    const { backend, tell } = await renderApproval(askOf('payment'));
    const change = {
      id: 'change',
      loosens: [{ what: 'scripts' as const }],
      askedAt: NOW,
      deadline: NOW + 60_000,
    };
    await tell({ asks: [askOf('payment')], changes: [change] });
    await press('Escape');
    expect(backend.confirm).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(400);
    await press('Escape');
    expect(backend.confirm).toHaveBeenCalledExactlyOnceWith('change', false);
  });

  it.each([
    ['Escape', {}],
    ['Enter', {}],
    ['Enter', { ctrlKey: true }],
  ])('is not answered by a key that is still held: %s %o', async (key, more) => {
    const { backend, tell } = await renderApproval(askOf('payment'));
    await press(key, more);
    await tell({ asks: [other('send')] });
    await awake();
    backend.answer.mockClear();
    expect(await press(key, { repeat: true, ...more })).toBe(false);
    expect(backend.answer).not.toHaveBeenCalled();
    await press('Escape');
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ ask: 'ask-other', choice: 'deny' }));
  });
});

it('says why a saved password is not filled in by itself', async () => {
  const ask = askOf('password');
  const saved = { ...ask, reason: { by: 'rule' as const, rule: 'saved_unreadable' as const } };
  await renderApproval(saved);
  expect(document.querySelector('#claim')?.textContent).toContain('couldn’t be read, because this computer’s safe place for passwords is locked');
});

it('a password is hidden until the person wants to see it', async () => {
  const ask = askOf('password');
  const { backend } = await renderApproval(ask);
  const input = part('password-input') as HTMLInputElement;
  expect(document.activeElement).toBe(input);
  expect(input.type).toBe('password');
  await fireEvent.click(screen.getByRole('button', { name: 'Show' }));
  expect(input.type).toBe('text');
  await type(input, 'fern & plant');
  vi.advanceTimersByTime(800);
  await press('Enter');
  await vi.advanceTimersByTimeAsync(1);
  expect(backend.supply).toHaveBeenCalledExactlyOnceWith(ask.id, ask.digest, 'fern & plant');
  expect(input.value).toBe('');
  expect(input.type).toBe('password');
});

it('what the phone tells by itself is read after a yes, and nothing is to be pasted', async () => {
  const ask = {
    ...askOf('clipboard'),
    choices: ['deny', 'approve', 'take_over', 'more_time'] as Choice[],
    reason: { by: 'rule', rule: 'clipboard_read' } as const,
  };
  const { backend } = await renderApproval(ask);
  expect(has('clipboard-input')).toBe(false);
  expect(document.body.textContent).toContain(`Let the AI read what was last copied on ${ask.phoneName}?`);
  expect(document.body.textContent).toContain('Say no if you last copied a password.');
  expect(part('approve').textContent.trim()).toBe('Let it read');
  expect(backend.answer).not.toHaveBeenCalled();
});

it('what the phone has copied is pasted, for the AI, and Enter is a line of it', async () => {
  const ask = askOf('clipboard');
  const { backend } = await renderApproval(ask);
  const input = part('clipboard-input') as HTMLTextAreaElement;
  expect(document.activeElement).toBe(input);
  expect(part('told').textContent).toContain('The AI will see what you paste');
  expect(has('straight')).toBe(false);
  await type(input, 'Elm Street 12\nGarden gate');
  vi.advanceTimersByTime(800);
  await press('Enter');
  expect(backend.supply).not.toHaveBeenCalled();
  await press('Enter', { ctrlKey: true });
  await vi.advanceTimersByTimeAsync(1);
  expect(backend.supply).toHaveBeenCalledExactlyOnceWith(ask.id, ask.digest, 'Elm Street 12\nGarden gate');
});
