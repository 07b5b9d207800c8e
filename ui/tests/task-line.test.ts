import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Phone from '../src/app/PhonePage.svelte';
import { renderPhonePage, tell } from './render-phone-page';
import { has, part, settle, stubApp } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the line of a phone', () => {
  const label = (): string | null => part('task-line').querySelector('input')!.getAttribute('aria-label');
  const type = (value: string): Promise<boolean> => fireEvent.input(part('task-line').querySelector('input')!, { target: { value } });
  const submit = async (): Promise<void> => {
    await fireEvent.submit(part('task-line'));
    await settle();
  };
  const begun = { run: 'run-new', seq: 1, what: 'started', goal: 'Back up photos', model: 'gpt-5.2', demoAi: false };
  const ended = { what: 'ended', ending: { how: 'stopped' } };
  const sent = ({ backend }: ReturnType<typeof stubApp>): unknown[] => [...backend.steer.mock.calls, ...backend.run.mock.calls];
  const NEW = 'A new task for Mum’s Galaxy';
  const DETAIL = 'Add a detail or correct the AI';

  it.each<[string, string, string, object[], string, unknown[]]>([
    ['a run that ended meanwhile', 'phone', 'mum', [ended], NEW, [['mum'], 'No emoji', false]],
    ['no run, while one begins', 'one', 'demo', [begun], DETAIL, ['run-new', { op: 'say', text: 'No emoji' }]],
    ['a run that another one followed', 'phone', 'mum', [ended, begun], DETAIL, ['run-new', { op: 'say', text: 'No emoji' }]],
  ])('sends what was typed for %s only after it showed where it goes', async (_, name, id, happens, shown, call) => {
    const harness = await renderPhonePage(name, id);
    await type('No');
    for (const what of happens) await tell(harness, what, id);
    await type('No emoji');
    expect(has('task-line-turned')).toBe(false);
    await submit();
    expect(sent(harness)).toEqual([]);
    // One sentence at a time: the end was told a moment ago.
    await vi.advanceTimersByTimeAsync(2000);
    expect([label(), part('task-line-turned').textContent, harness.app.spoken]).toEqual([shown, shown, shown]);
    expect(part('task-line').querySelector('input')?.value).toBe('No emoji');
    await submit();
    expect(sent(harness)).toEqual([call]);
    expect(has('task-line-turned')).toBe(false);
  });

  it('keeps its words where it goes and comes back, and those typed while others were sent', async () => {
    const harness = await renderPhonePage('phone', 'mum');
    await type('No');
    cleanup();
    render(Phone, { props: { id: 'mum' }, context: harness.context });
    await settle();
    expect(part('task-line').querySelector('input')?.value).toBe('No');
    let went = (): void => undefined;
    harness.backend.steer.mockImplementation(() => new Promise((done) => (went = done)));
    await submit();
    await type('No emoji');
    went();
    await settle();
    expect(part('task-line').querySelector('input')?.value).toBe('No emoji');
    await tell(harness, ended);
    await submit();
    expect(harness.backend.steer).toHaveBeenCalledOnce();
    expect(has('task-line-turned')).toBe(true);
  });

  it('sends at once what is typed anew, and what stays for the same run', async () => {
    const harness = await renderPhonePage('phone', 'mum');
    await type('No emoji');
    await submit();
    await type('And no');
    await tell(harness, ended);
    await submit();
    await type('');
    expect(has('task-line-turned')).toBe(false);
    await type('Back up photos');
    await submit();
    expect(sent(harness)).toEqual([
      ['run-mum', { op: 'say', text: 'No emoji' }],
      [['mum'], 'Back up photos', false],
    ]);
  });
});
