import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../src/app/App.svelte';
import HistoryPage from '../src/app/HistoryPage.svelte';
import PhonePage from '../src/app/PhonePage.svelte';
import PrivacySettings from '../src/settings/PrivacySettings.svelte';
import { FakePast } from '../src/fake/past';
import { canContinue, unknownSteps } from '../src/history/continue-run';
import { byDay, dayChoices, NOTHING, outcomeOf, queryOf, questionsOf, timeOf, viewOf } from '../src/history/past-runs';
import { Player, showFor } from '../src/history/player.svelte';
import type { HistoryQuery, PastRun, Settings } from '../src/protocol';
import { framesOf } from '../src/run/step-frames';
import { readRoute, writeRoute } from '../src/state/route';
import { fold, latestRun } from '../src/state/view';
import { bytes } from '../src/words/format';
import { say } from '../src/words/words';
import '../src/words/lazy-words';
import { has, NOW, part, parts, settle, stubApp } from './harness';

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  location.hash = '';
});

const past = new FakePast(true, [], () => '');
const storyOf = (run: string): ReturnType<FakePast['story']> & object => {
  const story = past.story(run);
  if (!story) throw new Error(`no ${run}`);
  return story;
};
const framesFor = (run: string): ReturnType<typeof framesOf> => {
  const view = viewOf(storyOf(run).events);
  if (!view) throw new Error('no view');
  return framesOf(view);
};
const all = past.page({ text: '' }).runs;
const runOf = (run: string): PastRun => storyOf(run).run;

function stubHistory(hash = '#/history') {
  const made = stubApp('phones');
  made.backend.history.mockImplementation(async (query) => past.page(query));
  made.backend.runStory.mockImplementation(async (run) => storyOf(run));
  made.app.route = readRoute(hash);
  return made;
}

describe('the list of past runs', () => {
  it('is in groups by day, each run with what came of it', () => {
    const groups = byDay(all, NOW).map(({ name, runs }) => [name, runs.map(({ run }) => run)]);
    expect(groups).toEqual([
      ['Today', ['past-late', 'past-morning']],
      ['Sunday', ['past-updates']],
      ['Saturday', ['past-broken', 'past-screenshots']],
      ['Last week', ['past-groceries', 'past-train']],
    ]);
  });

  it.each<[string, boolean, string]>([
    ['past-groceries', false, '$21.85 paid'],
    ['past-morning', false, 'Good morning! Here is your day:'],
    ['past-train', false, 'you stopped it'],
    ['past-broken', false, 'PocketDeck was closed in the middle'],
    ['past-updates', true, 'waiting for you'],
  ])('%s', (run, waits, expected) => {
    expect(outcomeOf(runOf(run), waits)).toBe(expected);
  });

  it('says the time of this week and the day of any other', () => {
    expect(timeOf(runOf('past-late'), NOW)).toMatch(/^9:40/);
    expect(timeOf(runOf('past-groceries'), NOW)).toBe('May 7');
  });

  it('asks for what was chosen', () => {
    const [, yesterday] = dayChoices(NOW);
    const check = (wanted: object, expected: HistoryQuery): void => expect(queryOf({ ...NOTHING, ...wanted }, NOW)).toEqual(expected);
    check({}, { text: '' });
    check({ text: ' milk ', phone: 'mum', end: 'failed' }, { text: 'milk', phone: 'mum', end: 'failed' });
    check({ day: 'day-1' }, { text: '', from: Date.UTC(2024, 4, 13), until: Date.UTC(2024, 4, 14) });
    check({ day: 'last-30' }, { text: '', from: Date.UTC(2024, 3, 15) });
    expect(yesterday?.name).toBe('Yesterday');
  });
});

describe('a run as pictures', () => {
  it('has one for each step and one for the end, and knows where a yes was said', () => {
    const frames = framesFor('past-groceries');
    expect(frames.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, null]);
    expect(frames.map(({ approvedAt }) => approvedAt !== null)).toEqual([...Array(7).fill(false), true, false]);
    expect(say(frames[7]?.title ?? { key: 'task.none' })).toBe('Tapped ‘Pay $21.85’');
    expect(frames[7]?.mark?.x).toBeCloseTo(0.5);
    expect(questionsOf(storyOf('past-groceries').events)).toMatchObject([{ ask: { kind: 'payment' }, end: { outcome: 'allowed' } }]);
  });

  it('knows of which steps nobody knows whether they were done', () => {
    expect(unknownSteps(framesFor('past-broken')).map(({ step }) => step)).toEqual([4]);
    expect(unknownSteps(framesFor('past-train'))).toEqual([]);
    const [first, ...others] = framesFor('past-groceries');
    const lost = { ...first!, row: { ...first!.row!, outcome: { ok: false, code: 'phone_gone' as const, foundBy: [], warnings: [] } } };
    expect(unknownSteps([lost, ...others])).toEqual([lost]);
    const ends = ['going', 'finished', 'stopped', 'failed', 'interrupted', 'unknown'] as const;
    expect(ends.filter((end) => canContinue({ end }))).toEqual(['stopped', 'failed', 'interrupted']);
  });
});

describe('the film', () => {
  it('shows each step as long as it took, within bounds, and ends at the end', () => {
    const frames = framesFor('past-groceries');
    expect(showFor(frames, 0, 1)).toBe(3000);
    expect(showFor(frames, 0, 4)).toBe(750);
    expect(showFor(frames, frames.length - 1, 1)).toBe(0);
    const player = new Player(() => frames);
    player.go(99);
    expect(player.at).toBe(8);
    player.toggle();
    expect([player.at, player.playing]).toEqual([0, true]);
    vi.advanceTimersByTime(3000);
    expect(player.at).toBe(1);
    player.step(1);
    expect([player.at, player.playing]).toEqual([2, false]);
    vi.advanceTimersByTime(60_000);
    expect(player.at).toBe(2);
    player.play();
    vi.advanceTimersByTime(60_000);
    expect([player.at, player.playing]).toEqual([8, false]);
    player.faster();
    player.faster();
    player.faster();
    expect(player.speed).toBe(1);
  });
});

describe('the page', () => {
  async function open(hash?: string) {
    const made = stubHistory(hash);
    render(HistoryPage, { context: made.context });
    await settle();
    await settle();
    return made;
  }

  it('says so while it looks, and where there is nothing', async () => {
    const { backend, context } = stubHistory();
    backend.history.mockReturnValue(new Promise(() => undefined));
    render(HistoryPage, { context });
    await settle();
    expect(has('history-loading')).toBe(true);
    cleanup();
    backend.history.mockResolvedValue({ runs: [], more: false, phones: [] });
    render(HistoryPage, { context });
    await settle();
    await settle();
    expect(part('history-empty').textContent).toContain('Past tasks appear here');
    expect(part('history-empty').textContent).toContain('30 days');
  });

  it('finds, leaves out, and shows all again', async () => {
    const { backend } = await open();
    expect(parts('past-run')).toHaveLength(all.length);
    await fireEvent.input(part('history-search'), { target: { value: 'zebra' } });
    await vi.advanceTimersByTimeAsync(200);
    await settle();
    expect(backend.history).toHaveBeenLastCalledWith({ text: 'zebra', limit: 50 });
    expect(part('history-nothing').textContent).toContain('No task matches');
    await fireEvent.click(part('history-clear'));
    await settle();
    await settle();
    expect(parts('past-run')).toHaveLength(all.length);
    await fireEvent.change(part('history-end'), { target: { value: 'failed' } });
    await settle();
    await settle();
    expect(parts('past-run').map((row) => row.dataset.end)).toEqual(['failed']);
  });

  it('of one phone, reached from its page', async () => {
    const { backend } = await open('#/history/phone/shop');
    expect(backend.history).toHaveBeenLastCalledWith({ text: '', phone: 'shop', limit: 50 });
    expect(parts('past-run')).toHaveLength(1);
  });

  it('asks for older ones by the last it has', async () => {
    const { backend } = await open();
    backend.history.mockImplementation(async (query) => past.page({ ...query, limit: 3 }));
    await fireEvent.change(part('history-day'), { target: { value: 'last-30' } });
    await settle();
    await settle();
    await fireEvent.click(part('history-older'));
    await settle();
    const asked = backend.history.mock.calls.map(([query]) => query);
    expect(asked.map(({ before }) => before)).toContain('past-updates');
    expect(asked.at(-1)).toMatchObject({ text: '', from: Date.UTC(2024, 3, 15), limit: 50 });
    expect(parts('past-run').length).toBeGreaterThan(3);
  });

  it('stays as long as it was read when a run begins or ends', async () => {
    const { app, backend } = await open();
    const [one] = all;
    const longer = Array.from({ length: 70 }, (_, n) => ({ ...one!, run: `run-${n}` }));
    backend.history.mockImplementation(async ({ limit = 50, before }) => {
      const from = longer.findIndex(({ run }) => run === before) + 1;
      return { runs: longer.slice(from, from + limit), more: from + limit < 70, phones: [] };
    });
    await fireEvent.change(part('history-day'), { target: { value: 'last-30' } });
    await settle();
    // Its end comes into view, and more with it.
    await settle();
    expect(parts('past-run')).toHaveLength(70);
    const { run, seq } = latestRun(app.view, 'anna')!;
    app.view = fold(app.view, { news: 'run', event: { run, phone: 'anna', seq: seq + 1, at: NOW, what: 'ended', ending: { how: 'stopped' } } });
    await settle();
    await settle();
    expect(backend.history.mock.lastCall?.[0]).toMatchObject({ limit: 70 });
    expect(parts('past-run')).toHaveLength(70);
    await fireEvent.change(part('history-day'), { target: { value: '' } });
    await settle();
    expect(backend.history.mock.lastCall?.[0]).toMatchObject({ limit: 50 });
  });

  it('that could not be read says so, and is read again', async () => {
    const { backend, context } = stubHistory();
    backend.history.mockRejectedValueOnce({ code: 'store_gone' });
    render(HistoryPage, { context });
    await settle();
    await settle();
    expect([has('history-empty'), has('history-loading')]).toEqual([false, false]);
    expect(part('history-unread').textContent).toContain('Your past tasks couldn’t be loaded.');
    await fireEvent.click(part('history-again'));
    await settle();
    expect([has('history-unread'), parts('past-run').length]).toEqual([false, all.length]);
  });

  it('a run that could not be read says so, and is read again', async () => {
    const { backend, context } = stubHistory('#/history/run/past-groceries');
    backend.runStory.mockRejectedValueOnce({ code: 'store_gone' });
    render(HistoryPage, { context });
    await settle();
    await settle();
    expect(part('run-unread').textContent).toContain('This task couldn’t be loaded.');
    await fireEvent.click(part('run-read-again'));
    await settle();
    expect([has('run-unread'), has('run-goal')]).toEqual([false, true]);
  });

  it('reads a run that goes on one time after the other, and once more for all that came meanwhile', async () => {
    const { app, backend, context } = stubHistory('#/history/run/run-anna');
    app.route = { page: 'history', run: latestRun(app.view, 'anna')!.run };
    const waiting: (() => void)[] = [];
    backend.runStory.mockImplementation(async () => {
      await new Promise<void>((done) => waiting.push(done));
      return storyOf('past-groceries');
    });
    render(HistoryPage, { context });
    await settle();
    for (let n = 0; n < 3; n += 1) {
      const { run, seq } = latestRun(app.view, 'anna')!;
      app.view = fold(app.view, { news: 'run', event: { run, phone: 'anna', seq: seq + 1, at: NOW, what: 'said', text: 'And quickly' } });
      await settle();
    }
    expect(backend.runStory).toHaveBeenCalledTimes(1);
    waiting[0]!();
    await settle();
    expect(backend.runStory).toHaveBeenCalledTimes(2);
    waiting[1]!();
    await settle();
    expect(backend.runStory).toHaveBeenCalledTimes(2);
  });

  it('opens a run at its end, with the answer as it was written', async () => {
    await open('#/history/run/past-morning');
    expect(part('run-goal').textContent).toBe('Morning summary for Mum');
    expect(part('answer').querySelector('p')?.textContent).toContain('day:\n\n• 10:00 Doctor Weiss');
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await fireEvent.click(part('copy-answer'));
    expect(written.mock.calls[0]?.[0]).toContain('take the umbrella.');
  });

  it('goes from step to step by the keys, and shows why and what was asked', async () => {
    await open('#/history/run/past-groceries');
    await fireEvent.keyDown(window, { key: 'ArrowLeft' });
    expect(part('step-title').textContent).toBe('Tapped ‘Pay $21.85’');
    expect(part('step-why').textContent).toContain('The total matches your usual order');
    expect(part('step-stage').textContent).toContain('You approved the payment');
    await fireEvent.keyDown(window, { key: 'Home' });
    expect(part('step-title').textContent).toBe('Opened Greenleaf');
    expect(parts('film-frame').map((frame) => frame.getAttribute('aria-current'))[0]).toBe('step');
    await fireEvent.keyDown(window, { key: 'End' });
    expect(has('answer')).toBe(true);
    await fireEvent.keyDown(window, { key: ' ' });
    expect(part('play').getAttribute('aria-label')).toBe('Pause');
    await fireEvent.keyDown(window, { key: ' ' });
    expect(part('play').getAttribute('aria-label')).toBe('Play');
    await fireEvent.input(part('scrub'), { target: { value: '2' } });
    expect(part('step-title').textContent).toBe('Tapped ‘Basket’');
    await fireEvent.click(part('see-large'));
    await tick();
    await fireEvent.keyDown(part('large-pictures'), { key: 'ArrowRight' });
    expect(part('large-pictures').textContent).toContain('Step 4 of 9 · Tapped ‘Go to checkout’');
  });

  it('runs a task again from the composer', async () => {
    const { app } = await open('#/history/run/past-groceries');
    await fireEvent.click(part('run-again'));
    expect(app.goal).toBe('Order the weekly groceries');
    expect(location.hash).toBe('#/phones');
  });

  it('exports, and says where', async () => {
    const { backend } = await open('#/history/run/past-groceries');
    await fireEvent.click(part('export-training'));
    await settle();
    expect(backend.exportRun).toHaveBeenCalledExactlyOnceWith('past-groceries', 'training');
    expect(part('run-head').textContent).toContain('Saved in Documents/PocketDeck');
  });

  it('erases after a yes alone', async () => {
    const { backend } = await open('#/history/run/past-groceries');
    await fireEvent.click(part('run-erase'));
    await tick();
    await fireEvent.click(part('confirm-no'));
    expect(backend.eraseRun).not.toHaveBeenCalled();
    cleanup();
    const again = await open('#/history/run/past-groceries');
    await fireEvent.click(part('run-erase'));
    await tick();
    await fireEvent.click(part('confirm-yes'));
    await settle();
    expect(again.backend.eraseRun).toHaveBeenCalledExactlyOnceWith('past-groceries');
    expect(parts('past-run').map((row) => row.getAttribute('href'))).not.toContain('#/history/run/past-groceries');
  });

  it('goes on with what was interrupted: says what nobody knows, and takes a word of the person’s', async () => {
    const { backend } = await open('#/history/run/past-broken');
    expect(has('go-on-unknown')).toBe(false);
    await fireEvent.click(part('go-on-button'));
    await tick();
    // The picture of the last step is the one that is shown beside it.
    expect(part('go-on-unknown').textContent).toContain('Pay $64.10');
    const note = part('go-on-note') as HTMLTextAreaElement;
    expect(note.value).toBe('');
    await fireEvent.input(note, { target: { value: 'It was not paid.' } });
    await fireEvent.click(part('go-on-button'));
    await settle();
    expect(backend.goOn).toHaveBeenCalledExactlyOnceWith('past-broken', 'It was not paid.');
    expect(location.hash).toBe('#/phone/moto');
  });

  it('says that a run or a picture is gone', async () => {
    const { backend, context } = stubHistory('#/history/run/past-groceries');
    backend.picture.mockRejectedValue({ code: 'not_found' });
    render(HistoryPage, { context });
    await settle();
    await settle();
    await settle();
    expect(parts('picture-gone').map((one) => one.textContent)).toContain('Picture removed after 30 days');
    cleanup();
    const other = stubHistory('#/history/run/nobody');
    other.backend.runStory.mockRejectedValue({ code: 'not_found' });
    render(HistoryPage, { context: other.context });
    await settle();
    await settle();
    expect(part('run-gone').textContent).toContain('no longer kept');
    expect(other.app.troubles).toEqual([]);
  });
});

describe('elsewhere', () => {
  it('a step’s picture opens large on the phone’s page', async () => {
    const { context } = stubApp('finished');
    render(PhonePage, { props: { id: 'mum' }, context });
    await settle();
    await fireEvent.click(parts('step-picture')[0] as HTMLElement);
    await vi.waitFor(() => expect(has('large-pictures')).toBe(true));
    expect(part('earlier-tasks').getAttribute('href')).toBe('#/history/phone/mum');
  });

  it('an erased run is shown no more', () => {
    const { app } = stubApp('finished');
    const [run] = Object.keys(app.view.runs);
    expect(fold(app.view, { news: 'erased', runs: [run as string] }).runs).toEqual({});
  });

  it.each(['#/history', '#/history/run/a%2Fb', '#/history/phone/mum'])('%s', (hash) => {
    expect(writeRoute(readRoute(hash))).toBe(hash);
  });

  it('is in the sidebar', async () => {
    const { app } = stubApp('phones');
    render(App, { app });
    await tick();
    expect(part('nav-history').getAttribute('href')).toBe('#/history');
  });

  it.each([
    [0, '0 byte'],
    [999, '999 byte'],
    [3_240_000, '3.2 MB'],
    [40_000_000, '40 MB'],
  ])('%i bytes', (n, text) => {
    expect(bytes(n)).toBe(text);
  });
});

describe('what is kept', () => {
  it('is changed, counted and erased, keys and passwords only where they are named', async () => {
    const { backend, context, app } = stubApp('phones');
    backend.spaceUsed.mockResolvedValue({ runs: 12, pictures: 200, bytes: 21_000_000 });
    render(PrivacySettings, { props: { settings: app.view.settings as Settings }, context });
    await settle();
    expect(part('space').textContent).toContain('12 past tasks take 21 MB on this computer.');
    const days = part('keep-days') as HTMLInputElement;
    await fireEvent.input(days, { target: { value: '7' } });
    await fireEvent.change(days);
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({ keep: { days: 7, megabytes: 1000 } });
    await fireEvent.click(part('erase-everything'));
    await tick();
    await fireEvent.click(part('erase-passwords'));
    await fireEvent.click(part('confirm-yes'));
    await settle();
    expect(backend.eraseEverything).toHaveBeenCalledExactlyOnceWith({ keys: false, passwords: true });
  });
});
