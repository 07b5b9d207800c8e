import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Phone from '../src/app/PhonePage.svelte';
import '../src/run/LargePictures.svelte';
import '../src/run/NoteProposal.svelte';
import { aimFor, LARGE, TILE } from '../src/phone/mirror-channel';
import type { Ending } from '../src/protocol';
import { cost, duration } from '../src/run/result';
import type { RunView } from '../src/state/run';
import { latestRun } from '../src/state/view';
import { say } from '../src/words/words';
import { has, part, parts, settle, stubApp } from './harness';

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The page of a phone whose run is otherwise than the transcript has it. */
async function open(name: string, id: string, change: (run: RunView) => Partial<RunView> = () => ({})) {
  const harness = stubApp(name);
  const run = latestRun(harness.app.view, id);
  if (!run) throw new Error('no run');
  harness.app.view = { ...harness.app.view, runs: { ...harness.app.view.runs, [run.run]: { ...run, ...change(run) } } };
  render(Phone, { props: { id }, context: harness.context });
  await settle();
  return { ...harness, run };
}

const ended = (ending: Ending) => (run: RunView): Partial<RunView> => ({
  ending,
  rows: run.rows.map((row) => (row.kind === 'ended' ? { ...row, ending } : row)),
});

describe('a result', () => {
  it('is the answer with its lines, what it took, and the same again', async () => {
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const { backend, run } = await open('finished', 'mum', ended({ how: 'finished', message: 'Two trains:\n9:10\n9:40' }));
    expect(part('answer').textContent).toBe('Two trains:\n9:10\n9:40');
    expect([...part('effort').children].map((one) => one.textContent)).toEqual(['Took 22 seconds', 'Cost 2 cents']);
    // Once, and not in the list of the steps again.
    expect(part('timeline').textContent).not.toContain('Two trains');
    await fireEvent.click(part('result-copy'));
    expect(copied).toHaveBeenCalledExactlyOnceWith('Two trains:\n9:10\n9:40');
    await fireEvent.click(part('run-again'));
    expect(backend.run).toHaveBeenCalledExactlyOnceWith(['mum'], run.goal, false);
  });

  it('after a no is told without praise', async () => {
    await open('finished', 'mum', ended({ how: 'finished', message: 'You said no. Nothing was paid.', declined: true }));
    expect(part('result').querySelector('h3')?.textContent?.trim()).toBe('Finished');
    expect(part('result').classList).not.toContain('done');
    expect(part('timeline').lastElementChild?.textContent).toContain('Finished');
    expect(part('answer').textContent).toBe('You said no. Nothing was paid.');
  });

  it('that is none says why, and leads to what helps', async () => {
    await open('finished', 'mum', ended({ how: 'failed', failure: { code: 'model_key' } }));
    expect(part('result').textContent).toContain('The key wasn’t accepted');
    expect(part('run-again').textContent?.trim()).toBe('Try again');
    expect(part('result-settings').getAttribute('href')).toBe('#/settings');
    expect(has('result-copy')).toBe(false);
  });

  it.each([
    [400, '1 second'],
    [22_400, '22 seconds'],
    [60_000, '1 minute'],
    [200_000, '3 minutes'],
    [7_300_000, '2 hours'],
  ])('took %d ms: %s', (ms, words) => expect(say(duration(ms))).toBe(words));

  it.each([
    [{ demoAi: true, dollars: 0, estimated: false }, 'Free'],
    [{ demoAi: false, dollars: null, estimated: false }, null],
    [{ demoAi: false, dollars: 0.002, estimated: false }, 'Cost less than a cent'],
    [{ demoAi: false, dollars: 0.012, estimated: false }, 'Cost 1 cent'],
    [{ demoAi: false, dollars: 0.2, estimated: true }, 'Cost about 20 cents'],
    [{ demoAi: false, dollars: 1.5, estimated: false }, 'Cost $1.50'],
  ])('cost %j: %s', (run, words) => {
    const sentence = cost(run);
    expect(sentence && say(sentence)).toBe(words);
  });
});

describe('the steps', () => {
  it('are opened large, and gone through with the arrows', async () => {
    HTMLDialogElement.prototype.showModal ??= () => undefined;
    await open('phone', 'mum');
    await fireEvent.click(parts('step-picture')[2] as HTMLElement);
    // It is fetched when it is first asked for.
    const viewer = await vi.waitFor(() => part('large-pictures'), { timeout: 20_000 });
    expect(viewer.textContent).toContain('Step 3 of');
    await fireEvent.keyDown(viewer, { key: 'ArrowRight' });
    expect(viewer.textContent).toContain('Step 4 of');
    await fireEvent.keyDown(viewer, { key: 'ArrowLeft' });
    await fireEvent.keyDown(viewer, { key: 'ArrowLeft' });
    expect(viewer.textContent).toContain('Step 2 of');
    for (let n = 0; n < 9; n += 1) await fireEvent.keyDown(viewer, { key: 'ArrowLeft' });
    expect((part('large-previous') as HTMLButtonElement).disabled).toBe(true);
  });

  it('of a long run begin with the newest; the others are behind one line', async () => {
    const many = (run: RunView): Partial<RunView> => {
      const step = run.rows.find((row) => row.kind === 'step');
      return step ? { rows: Array.from({ length: 60 }, (_, n) => ({ ...step, step: n + 1 })) } : {};
    };
    await open('phone', 'mum', many);
    expect(part('earlier').textContent?.trim()).toBe('40 earlier steps');
    expect(parts('timeline')[0]?.querySelectorAll('[data-row=step]')).toHaveLength(20);
    await fireEvent.click(part('earlier'));
    expect(parts('timeline')[0]?.querySelectorAll('[data-row=step]')).toHaveLength(60);
  });

  it('are put away and come back, with the controls in reach all the while', async () => {
    const { app } = await open('phone', 'mum');
    await fireEvent.click(part('panel'));
    await tick();
    expect(has('task')).toBe(false);
    expect(has('stop')).toBe(true);
    app.setPanel(true);
    await tick();
    expect(has('task')).toBe(true);
    expect(parts('stop')).toHaveLength(1);
  });

  it('a question is amber, with its sign', async () => {
    await open('phones', 'shop');
    expect(document.querySelector('[data-row=now]')?.classList.contains('waits')).toBe(true);
  });

  it('a long task is cut with a sign that it is', async () => {
    const { run } = await open('phone', 'mum', () => ({ goal: 'Look at every message. '.repeat(12) }));
    expect(run.goal.length).toBeLessThan(140);
    expect(part('goal').classList.contains('short')).toBe(true);
    await fireEvent.click(part('goal-all'));
    expect(part('goal').classList.contains('short')).toBe(false);
  });
});

it.each([
  [TILE, 381, 1, 480],
  [TILE, 381, 2, 800],
  [TILE, 560, 1, 640],
  [LARGE, 640, 1, 1280],
  [LARGE, 640, 2, 1440],
  [LARGE, 630, 2, 1280],
  [LARGE, 1200, 3, 2560],
])('a picture for %j, shown %d high at density %d, is asked for with %d', (least, shown, density, side) => {
  const { longestSide } = aimFor(least, shown, density);
  expect(longestSide).toBe(side);
  // Never fewer pixels than are shown, up to the most there are.
  expect(longestSide).toBeGreaterThanOrEqual(Math.min(2560, shown * density));
});

describe('what the AI would remember', () => {
  const TEXT = 'My usual shop is <b>Greenleaf</b>';
  const proposed = (fromScreen: boolean) => (): Partial<RunView> => ({ proposed: { text: TEXT, fromScreen } });

  it('is shown word for word, and kept at a press alone', async () => {
    const { app, backend } = await open('finished', 'mum', proposed(false));
    expect(part('note-text').textContent).toBe(TEXT);
    expect(has('note-doubt')).toBe(false);
    expect(backend.patchSettings).not.toHaveBeenCalled();
    await fireEvent.click(part('note-keep'));
    await settle();
    const before = app.view.settings?.notes ?? [];
    const notes = [...before, { text: TEXT, about: 'everything' as const }];
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({ notes });

    if (!app.view.settings) throw new Error('no settings');
    app.view = { ...app.view, settings: { ...app.view.settings, notes } };
    await settle();
    expect(part('note-proposal').textContent).toContain('The AI remembers this');
    expect(has('note-keep')).toBe(false);
  });

  it('says where it comes from, what cannot be kept, and goes away with a no', async () => {
    const { backend } = await open('finished', 'mum', proposed(true));
    expect(part('note-doubt').textContent).toContain('on the phone’s screen');
    backend.patchSettings.mockRejectedValueOnce({ code: 'bad_input', values: { why: 'secret' } });
    await fireEvent.click(part('note-keep'));
    await settle();
    expect(part('note-proposal').textContent).toContain('Passwords and codes never are');
    await fireEvent.click(part('note-not-now'));
    expect(has('note-proposal')).toBe(false);
    expect(backend.patchSettings).toHaveBeenCalledOnce();
  });

  it('is nothing where nothing was proposed', async () => {
    await open('finished', 'mum');
    expect(has('note-proposal')).toBe(false);
  });
});
