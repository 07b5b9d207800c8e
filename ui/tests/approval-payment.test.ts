import { cleanup, fireEvent, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { awake, move, press, renderApproval } from './render-approval';
import { askOf, has, part } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a payment', () => {
  const ask = askOf('payment');

  it('shows what was approved the time before, where that is repeated and is another now', async () => {
    const { backend } = await renderApproval({ ...ask, evidence: { ...ask.evidence, recorded: 'then/4' } });
    await tick();
    expect(part('replay-differs').textContent).toBe('This isn’t what you approved last time.');
    expect(part('recorded-picture').textContent).toContain('What you approved last time');
    expect(JSON.stringify(backend.picture.mock.calls)).toContain('then/4');
    cleanup();
    await renderApproval(ask);
    expect(has('recorded-picture')).toBe(false);
  });

  it('is an alert dialog named by its question and described by the AI’s words, Deny first in focus', async () => {
    await renderApproval(ask);
    const dialog = screen.getByRole('alertdialog');
    expect(document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')?.textContent).toBe(
      'Approve this payment?',
    );
    expect(document.getElementById(dialog.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(
      /^Your usual 8 items/,
    );
    expect(document.activeElement).toBe(part('deny'));
    expect(part('amount').textContent).toBe('$23.40');
    expect(part('payee').textContent).toMatch(/^To: Greenleaf Groceries\s*Pay with Visa •••• 4821$/);
  });

  it('names the app it is paid in where nobody read who is paid', async () => {
    const { payee: _, account: _1, ...evidence } = ask.evidence;
    await renderApproval({ ...ask, evidence });
    expect(part('payee').textContent?.trim()).toBe('In Greenleaf');
  });

  it('is not approved before 0.8 s and a movement', async () => {
    const { backend } = await renderApproval(ask);
    await fireEvent.click(part('approve'));
    vi.advanceTimersByTime(2000);
    await fireEvent.click(part('approve'));
    expect(backend.answer).not.toHaveBeenCalled();
    expect(screen.getByText(/Take a moment to look/)).toBeTruthy();
    move();
    await tick();
    await fireEvent.click(part('approve'));
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith({ ask: ask.id, digest: ask.digest, choice: 'approve' });
  });

  it('is not approved by a movement alone before 0.8 s are over', async () => {
    const { backend } = await renderApproval(ask);
    move();
    vi.advanceTimersByTime(799);
    await fireEvent.click(part('approve'));
    expect(backend.answer).not.toHaveBeenCalled();
    expect(part('approve').getAttribute('aria-disabled')).toBe('true');
  });

  it('tells the backend once that the person moved', async () => {
    const { backend } = await renderApproval(ask);
    expect(backend.noticed).not.toHaveBeenCalled();
    move();
    move();
    expect(backend.noticed).toHaveBeenCalledExactlyOnceWith(ask.id);
  });

  it('is not moved by an event that no person made, nor by a pointer that stands still', async () => {
    const { backend } = await renderApproval(ask);
    await fireEvent.pointerMove(window, { screenX: 1 });
    await fireEvent.pointerMove(window, { screenX: 90 });
    const still = (): void => {
      const event = new PointerEvent('pointermove', { bubbles: true });
      Object.defineProperty(event, 'isTrusted', { value: true });
      window.dispatchEvent(event);
    };
    still();
    still();
    expect(backend.noticed).not.toHaveBeenCalled();
  });

  it('Esc is Deny, at once', async () => {
    const { backend } = await renderApproval(ask);
    await press('Escape');
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith({ ask: ask.id, digest: ask.digest, choice: 'deny' });
  });

  it('Ctrl+Enter is Approve, when it is awake', async () => {
    const { backend } = await renderApproval(ask);
    await press('Enter', { ctrlKey: true });
    expect(backend.answer).not.toHaveBeenCalled();
    await awake();
    await press('Enter', { ctrlKey: true });
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ choice: 'approve' }));
  });

  it('plain Enter is left to the focused button: it never approves by itself', async () => {
    const { backend } = await renderApproval(ask);
    await awake();
    const passed = await press('Enter');
    expect(passed).toBe(true);
    expect(backend.answer).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(part('deny'));
  });

  it('offers more time, and to take over instead', async () => {
    const { backend } = await renderApproval(ask);
    await fireEvent.click(part('more-time'));
    await vi.advanceTimersByTimeAsync(1);
    await fireEvent.click(part('take-over'));
    expect(backend.answer.mock.calls.map(([answer]) => answer.choice)).toEqual(['more_time', 'take_over']);
  });

  it('is answered once: nothing is sent while an answer is on its way', async () => {
    const { backend } = await renderApproval(ask);
    backend.answer.mockReturnValue(new Promise(() => undefined));
    await press('Escape');
    await press('Escape');
    expect(backend.answer).toHaveBeenCalledOnce();
  });

  it('says why an answer was refused, and may be answered again', async () => {
    const { backend } = await renderApproval(ask);
    backend.answer.mockRejectedValueOnce({ code: 'not_now' });
    await press('Escape');
    await vi.advanceTimersByTimeAsync(1);
    expect(screen.getByText(/isn’t possible right now/)).toBeTruthy();
    await press('Escape');
    expect(backend.answer).toHaveBeenCalledTimes(2);
  });

  it('cannot be answered any more when its time is up', async () => {
    const { backend } = await renderApproval(ask, {}, ask.deadline + 1);
    expect(screen.getByText('Time’s up. This counts as no.')).toBeTruthy();
    await press('Escape');
    expect(backend.answer).not.toHaveBeenCalled();
  });

  it('shows how many wait behind it, and the next one starts asleep', async () => {
    const next = askOf('send');
    const { backend, tell } = await renderApproval(ask, { asks: [ask, next] });
    expect(part('queue').textContent).toBe('1 of 2');
    await awake();
    await tell({ asks: [next] });
    expect(screen.getByText('Send this to Dana Whitlock?')).toBeTruthy();
    expect(document.activeElement).toBe(part('deny'));
    await fireEvent.click(part('approve'));
    expect(backend.answer).not.toHaveBeenCalled();
  });

  it('says when others may listen on the way to the phone', async () => {
    const { tell } = await renderApproval(ask, { remote: ['another/1'] });
    expect(screen.queryByText('Over the network – not private')).toBeNull();
    await tell({ asks: [ask], remote: [ask.id] });
    expect(screen.getByText('Over the network – not private')).toBeTruthy();
  });

  it('counts down in a timer that is not read out by itself', async () => {
    await renderApproval(ask, {}, ask.deadline - 252_000);
    const timer = screen.getByRole('timer');
    expect(timer.textContent?.trim()).toBe('4:12');
    expect(timer.getAttribute('aria-live')).toBe('off');
  });
});

it('a payment the AI names otherwise shows both amounts, and is approved by the one on the screen', async () => {
  const ask = askOf('payment', 'differs');
  const { backend } = await renderApproval(ask);
  await awake();
  expect(part('amount-trouble').textContent).toMatch(/\$23\.40.*\$18\.40.*you pay what the screen says: \$23\.40/);
  expect(part('approve').textContent?.trim()).toBe('Approve $23.40');
  await press('Enter', { ctrlKey: true });
  expect(backend.answer).toHaveBeenCalledExactlyOnceWith({ ask: ask.id, digest: ask.digest, choice: 'approve' });
});

describe('a payment of one of several amounts', () => {
  const payment = askOf('payment');
  const { amount: _, ...evidence } = payment.evidence;
  const otherAmounts = ['$23.40', '$230.40'].map((text) => ({ text, currency: '$' }));
  const ask = { ...payment, evidence: { ...evidence, otherAmounts } };

  it('is not approved before one is picked, and then by that one', async () => {
    const { backend } = await renderApproval(ask);
    await awake();
    expect(part('approve').getAttribute('aria-disabled')).toBe('true');
    await fireEvent.click(part('approve'));
    await press('Enter', { ctrlKey: true });
    expect(backend.answer).not.toHaveBeenCalled();
    expect(part('said').textContent).toBe('Choose the amount first.');
    await fireEvent.click(screen.getByRole('radio', { name: '$230.40' }));
    expect(part('approve').textContent?.trim()).toBe('Approve $230.40');
    await fireEvent.click(part('approve'));
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith({
      ask: ask.id,
      digest: ask.digest,
      choice: 'approve',
      amount: '$230.40',
    });
  });

  it('is denied with none, whatever was picked', async () => {
    const { backend } = await renderApproval(ask);
    await fireEvent.click(screen.getByRole('radio', { name: '$23.40' }));
    await fireEvent.click(part('deny'));
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith({ ask: ask.id, digest: ask.digest, choice: 'deny' });
  });

  it('may be taken over instead', async () => {
    const { backend } = await renderApproval(ask);
    expect(part('amount-trouble').textContent).toContain('None of these? Take over and pay yourself.');
    await fireEvent.click(part('take-over'));
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ choice: 'take_over' }));
  });
});

describe('a payment whose amount was not read', () => {
  const payment = askOf('payment');
  const { amount: _, ...evidence } = payment.evidence;
  const ask = { ...payment, evidence };

  it('is approved by eye: with its picture large, and not before that is there', async () => {
    const { backend } = await renderApproval(ask);
    await awake();
    expect(part('amount-trouble').textContent).toContain('Find it in the picture before you answer.');
    await fireEvent.click(part('approve'));
    expect(backend.answer).not.toHaveBeenCalled();
    expect(part('said').textContent).toContain('Wait for the picture.');
    await vi.advanceTimersByTimeAsync(20);
    const crop = backend.picture.mock.calls[0]?.[2];
    expect(crop).toMatchObject({ left: 0, right: 1080 });
    await fireEvent.load(document.querySelector('[data-part="evidence"] img') as HTMLElement);
    await fireEvent.click(part('approve'));
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ choice: 'approve' }));
  });

  it('is not approved where there is no picture either', async () => {
    const { frame: __, ...blind } = evidence;
    const { backend } = await renderApproval({ ...ask, evidence: blind });
    await awake();
    expect(has('approve')).toBe(false);
    await press('Enter', { ctrlKey: true });
    expect(backend.answer).not.toHaveBeenCalled();
    await fireEvent.click(part('take-over-first'));
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ choice: 'take_over' }));
  });
});
