import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Approval from '../src/approval/Approval.svelte';
import { Clock } from '../src/kit/clock.svelte';
import type { Ask, OpenAsks, SettingsChange } from '../src/protocol';
import { askOf, has, NOW, part, stubBackend, type Stub } from './stage';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** The person moves the pointer: trusted, and from one place to another. */
function move(): void {
  for (const x of [10, 40]) {
    const event = new PointerEvent('pointermove', { screenX: x, screenY: 10, bubbles: true } as PointerEventInit);
    Object.defineProperty(event, 'isTrusted', { value: true });
    Object.defineProperty(event, 'screenX', { value: x });
    window.dispatchEvent(event);
  }
}

async function type(input: HTMLElement, value: string): Promise<void> {
  (input as HTMLInputElement).value = value;
  const event = new Event('input', { bubbles: true });
  Object.defineProperty(event, 'isTrusted', { value: true });
  input.dispatchEvent(event);
  await tick();
}

const press = (key: string, more: object = {}): Promise<boolean> =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more }) as unknown as Promise<boolean>;

interface Shown {
  backend: Stub;
  tell: (open: OpenAsks) => Promise<void>;
  clock: Clock;
}

async function show(ask: Ask, more: Partial<OpenAsks> = {}, now = NOW): Promise<Shown> {
  const backend = stubBackend();
  const clock = new Clock(() => now);
  render(Approval, { backend, clock });
  await tick();
  const tell = async (open: OpenAsks): Promise<void> => {
    backend.asks(open);
    await tick();
    if (open.changes) await vi.dynamicImportSettled();
    await tick();
  };
  await tell({ asks: [ask], ...more });
  return { backend, tell, clock };
}

const awake = async (): Promise<void> => {
  move();
  vi.advanceTimersByTime(800);
  await tick();
};

describe('a payment', () => {
  const ask = askOf('payment');

  it('shows what was approved the time before, where that is repeated and is another now', async () => {
    const { backend } = await show({ ...ask, evidence: { ...ask.evidence, recorded: 'then/4' } });
    await tick();
    expect(part('replay-differs').textContent).toBe('This isn’t what you approved last time.');
    expect(part('recorded-picture').textContent).toContain('What you approved last time');
    expect(JSON.stringify(backend.picture.mock.calls)).toContain('then/4');
    cleanup();
    await show(ask);
    expect(has('recorded-picture')).toBe(false);
  });

  it('is an alert dialog named by its question and described by the AI’s words, Deny first in focus', async () => {
    await show(ask);
    const dialog = screen.getByRole('alertdialog');
    expect(document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')?.textContent).toBe(
      'Approve this payment?',
    );
    expect(document.getElementById(dialog.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(
      /^Your usual 8 items/,
    );
    expect(document.activeElement).toBe(part('deny'));
    expect(part('amount').textContent).toBe('$23.40');
    expect(part('payee').textContent).toMatch(/Greenleaf Groceries.*Visa •••• 4821/);
  });

  it('is not approved before 0.8 s and a movement', async () => {
    const { backend } = await show(ask);
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
    const { backend } = await show(ask);
    move();
    vi.advanceTimersByTime(799);
    await fireEvent.click(part('approve'));
    expect(backend.answer).not.toHaveBeenCalled();
    expect(part('approve').getAttribute('aria-disabled')).toBe('true');
  });

  it('tells the backend once that the person moved', async () => {
    const { backend } = await show(ask);
    expect(backend.noticed).not.toHaveBeenCalled();
    move();
    move();
    expect(backend.noticed).toHaveBeenCalledExactlyOnceWith(ask.id);
  });

  it('is not moved by an event that no person made, nor by a pointer that stands still', async () => {
    const { backend } = await show(ask);
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
    const { backend } = await show(ask);
    await press('Escape');
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith({ ask: ask.id, digest: ask.digest, choice: 'deny' });
  });

  it('Ctrl+Enter is Approve, when it is awake', async () => {
    const { backend } = await show(ask);
    await press('Enter', { ctrlKey: true });
    expect(backend.answer).not.toHaveBeenCalled();
    await awake();
    await press('Enter', { ctrlKey: true });
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ choice: 'approve' }));
  });

  it('plain Enter is left to the focused button: it never approves by itself', async () => {
    const { backend } = await show(ask);
    await awake();
    const passed = await press('Enter');
    expect(passed).toBe(true);
    expect(backend.answer).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(part('deny'));
  });

  it('offers more time, and to take over instead', async () => {
    const { backend } = await show(ask);
    await fireEvent.click(part('more-time'));
    await vi.advanceTimersByTimeAsync(1);
    await fireEvent.click(part('take-over'));
    expect(backend.answer.mock.calls.map(([answer]) => answer.choice)).toEqual(['more_time', 'take_over']);
  });

  it('is answered once: nothing is sent while an answer is on its way', async () => {
    const { backend } = await show(ask);
    backend.answer.mockReturnValue(new Promise(() => undefined));
    await press('Escape');
    await press('Escape');
    expect(backend.answer).toHaveBeenCalledOnce();
  });

  it('says why an answer was refused, and may be answered again', async () => {
    const { backend } = await show(ask);
    backend.answer.mockRejectedValueOnce({ code: 'not_now' });
    await press('Escape');
    await vi.advanceTimersByTimeAsync(1);
    expect(screen.getByText(/isn’t possible right now/)).toBeTruthy();
    await press('Escape');
    expect(backend.answer).toHaveBeenCalledTimes(2);
  });

  it('cannot be answered any more when its time is up', async () => {
    const { backend } = await show(ask, {}, ask.deadline + 1);
    expect(screen.getByText('Time’s up. This counts as no.')).toBeTruthy();
    await press('Escape');
    expect(backend.answer).not.toHaveBeenCalled();
  });

  it('shows how many wait behind it, and the next one starts asleep', async () => {
    const next = askOf('send');
    const { backend, tell } = await show(ask, { asks: [ask, next] });
    expect(part('queue').textContent).toBe('1 of 2');
    await awake();
    await tell({ asks: [next] });
    expect(screen.getByText('Send this to Dana Whitlock?')).toBeTruthy();
    expect(document.activeElement).toBe(part('deny'));
    await fireEvent.click(part('approve'));
    expect(backend.answer).not.toHaveBeenCalled();
  });

  it('says when others may listen on the way to the phone', async () => {
    const { tell } = await show(ask, { remote: ['another/1'] });
    expect(screen.queryByText('Over the network – not private')).toBeNull();
    await tell({ asks: [ask], remote: [ask.id] });
    expect(screen.getByText('Over the network – not private')).toBeTruthy();
  });

  it('counts down in a timer that is not read out by itself', async () => {
    await show(ask, {}, ask.deadline - 252_000);
    const timer = screen.getByRole('timer');
    expect(timer.textContent?.trim()).toBe('4:12');
    expect(timer.getAttribute('aria-live')).toBe('off');
  });
});

it('a payment the AI names otherwise shows both amounts, and is approved by the one on the screen', async () => {
  const ask = askOf('payment', 'differs');
  const { backend } = await show(ask);
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
    const { backend } = await show(ask);
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
    const { backend } = await show(ask);
    await fireEvent.click(screen.getByRole('radio', { name: '$23.40' }));
    await fireEvent.click(part('deny'));
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith({ ask: ask.id, digest: ask.digest, choice: 'deny' });
  });

  it('may be taken over instead', async () => {
    const { backend } = await show(ask);
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
    const { backend } = await show(ask);
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
    const { backend } = await show({ ...ask, evidence: blind });
    await awake();
    expect(has('approve')).toBe(false);
    await press('Enter', { ctrlKey: true });
    expect(backend.answer).not.toHaveBeenCalled();
    await fireEvent.click(part('take-over-first'));
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ choice: 'take_over' }));
  });
});

describe('words of the person’s own', () => {
  it.each([
    ['payment', 'deny'],
    ['payment', 'approve'],
    ['send', 'take-over'],
    ['code', 'deny'],
    ['contacts', 'deny'],
  ] as const)('go with the answer to %s: %s', async (kind, answer) => {
    const { backend } = await show(askOf(kind));
    await awake();
    if (has('own-words-open')) await fireEvent.click(part('own-words-open'));
    await tick();
    await fireEvent.input(part('own-words-input'), { target: { value: ' Not this one. ' } });
    await fireEvent.click(part(answer));
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ words: 'Not this one.' }));
  });

  it('go with no code', async () => {
    const { backend } = await show(askOf('code'));
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
  const { backend } = await show(askOf('mandate'));
  await awake();
  const deeds = [...part('deeds').querySelectorAll('li')].map((one) => one.textContent?.trim());
  expect(deeds).toEqual(['Send Dana “on my way” in Messages', 'Delete 34 in Photos: “screenshots”']);
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
    const { tell } = await show(askOf('payment'));
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
    const { backend } = await show(askOf('payment'), { changes: [change] });
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
    const { backend } = await show(askOf('payment'), { changes: [change] });
    await press('Escape');
    await vi.advanceTimersByTimeAsync(1);
    await fireEvent.click(part('deny'));
    expect(backend.confirm.mock.calls).toEqual([
      [change.id, false],
      [change.id, false],
    ]);
  });

  it('cannot be confirmed when its time is up', async () => {
    const { backend } = await show(askOf('payment'), { changes: [change] }, change.deadline + 1);
    await awake();
    await press('Enter', { ctrlKey: true });
    expect(backend.confirm).not.toHaveBeenCalled();
    expect(screen.getByText('Time’s up. This counts as no.')).toBeTruthy();
  });

  it('names everything that would be looser, letter for letter', async () => {
    const loosens: SettingsChange['loosens'] = [{ what: 'scripts' }, { what: 'program', path: '/usr/bin/wc' }];
    await show(askOf('payment'), { changes: [{ ...change, loosens }] });
    expect(document.getElementById('question')?.textContent).toBe('Change these 2 settings?');
    expect(part('means').textContent).toMatch(/run on this computer\?.*start this program\?.*\/usr\/bin\/wc/s);
  });

  it('gives way to the question behind it', async () => {
    const { tell } = await show(askOf('payment'), { changes: [change] });
    await tell({ asks: [askOf('payment')] });
    expect(part('approval').dataset.kind).toBe('payment');
    expect(document.activeElement).toBe(part('deny'));
  });
});

it('a command is shown word for word', async () => {
  await show(askOf('shell'));
  expect(part('verbatim').textContent).toContain('dumpsys diskstats');
});

it('without a question there is nothing to answer', async () => {
  const { tell } = await show(askOf('send'));
  await tell({ asks: [] });
  expect(screen.getByText('Nothing is waiting for you')).toBeTruthy();
  expect(screen.queryByRole('alertdialog')).toBeNull();
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

it('a script on this computer says where it runs, how long, and every line of it', async () => {
  const ask = askOf('computer_script');
  await show(ask);
  expect(part('script-place').textContent).toBe('It runs on this computer for up to 120 seconds.');
  expect(part('verbatim').textContent).toContain(ask.evidence.text ?? 'nothing');
});

it('a call for help offers Take over first', async () => {
  await show(askOf('unknown'));
  expect(part('take-over-first').classList.contains('primary')).toBe(true);
  expect(part('approve').textContent?.trim()).toBe('Continue');
});
