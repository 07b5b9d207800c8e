import { cleanup, fireEvent, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { awake, press, show, type } from './approval-stage';
import { askOf, has, part } from './stage';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a code', () => {
  const ask = askOf('code');

  it('has one field, which has the focus and takes pasted codes as they are written', async () => {
    await show(ask);
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
    const { backend } = await show(ask);
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
    const { backend } = await show(ask);
    await type(part('code-input'), '4');
    expect(backend.noticed).toHaveBeenCalledExactlyOnceWith(ask.id);
  });

  it('is not sent before it is whole', async () => {
    const { backend } = await show(ask);
    await type(part('code-input'), '4180');
    await awake();
    await fireEvent.click(part('approve'));
    expect(backend.supply).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(part('code-input'));
  });

  it.each([4, 8, 10])('of %d characters has as many cells', async (codeLength) => {
    await show({ ...ask, evidence: { ...ask.evidence, codeLength } });
    expect(document.querySelectorAll('[data-part="code-cell"]')).toHaveLength(codeLength);
  });

  it('of unknown length may have four to ten', async () => {
    const { codeLength: _, ...evidence } = ask.evidence;
    const { backend } = await show({ ...ask, evidence });
    await type(part('code-input'), '1234567890123');
    expect((part('code-input') as HTMLInputElement).value).toBe('1234567890');
    await type(part('code-input'), '1234');
    vi.advanceTimersByTime(800);
    await press('Enter');
    await vi.advanceTimersByTimeAsync(1);
    expect(backend.supply).toHaveBeenCalledExactlyOnceWith(ask.id, ask.digest, '1234');
  });

  it('that did not work says so and keeps the focus, each time', async () => {
    const { backend, tell } = await show(ask, { again: [ask.id] });
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
    const { backend } = await show(ask);
    backend.supply.mockRejectedValueOnce({ code: 'phone_gone' });
    await type(part('code-input'), '418023');
    vi.advanceTimersByTime(800);
    await press('Enter');
    await vi.advanceTimersByTimeAsync(1);
    expect(screen.getByText(/no longer connected/)).toBeTruthy();
    expect((part('code-input') as HTMLInputElement).disabled).toBe(false);
  });

  it('Esc is Deny here too', async () => {
    const { backend } = await show(ask);
    await press('Escape');
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ choice: 'deny' }));
  });
});

it('says why a saved password is not filled in by itself', async () => {
  const ask = askOf('password');
  const saved = { ...ask, reason: { by: 'rule' as const, rule: 'saved_unreadable' as const } };
  await show(saved);
  expect(document.querySelector('#claim')?.textContent).toContain('couldn’t be read because the keychain is locked');
});

it('a password is hidden until the person wants to see it', async () => {
  const ask = askOf('password');
  const { backend } = await show(ask);
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

it('what the phone has copied is pasted, for the AI, and Enter is a line of it', async () => {
  const ask = askOf('clipboard');
  const { backend } = await show(ask);
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
