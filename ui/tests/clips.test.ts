import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Phone from '../src/app/PhonePage.svelte';
import type { ClipState } from '../src/protocol';
import { fold } from '../src/state/view';
import { has, NOW, part, settle, stubApp } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const PATH = '/home/me/Videos/Demo phone 1.mp4';

async function open(clip?: ClipState) {
  const harness = stubApp('one');
  harness.app.route = { page: 'phone', phone: 'demo' };
  if (clip) harness.app.view = fold(harness.app.view, { news: 'clip', phone: 'demo', clip });
  render(Phone, { props: { id: 'demo' }, context: harness.context });
  await settle();
  return harness;
}

/** What the page says of a clip: over the screen, below it, and in the menu. */
async function check(clip: ClipState | undefined, expected: (string | null)[]): Promise<void> {
  await open(clip);
  const said = (name: string): string | null => {
    if (!has(name)) return null;
    const [texts, walker] = [[] as string[], document.createTreeWalker(part(name), NodeFilter.SHOW_TEXT)];
    while (walker.nextNode()) texts.push(walker.currentNode.textContent?.trim() ?? '');
    return texts.filter((text) => text !== '').join(' ');
  };
  expect([said('clip-sign'), said('clip-over'), said('clip-row')]).toEqual(expected);
  cleanup();
}

describe('a clip of a phone’s screen', () => {
  it('is said in every state, with what it lacks', async () => {
    const since = NOW - 72_000;
    const failure = { code: 'phone_gone', values: {} } as const;
    await check(undefined, [null, null, 'Record a clip']);
    await check({ state: 'starting' }, ['Starting…', null, 'Stop recording']);
    await check({ state: 'recording', since, sound: 'recorded' }, ['Recording 1:12', null, 'Stop recording']);
    await check({ state: 'recording', since, sound: 'android_too_old' }, [
      'Recording 1:12 No sound: that needs Android 11 or newer.',
      null,
      'Stop recording',
    ]);
    await check({ state: 'saved', paths: [PATH], sound: 'recorded' }, [
      null,
      `Saved to ${PATH} Show in folder`,
      'Record a clip',
    ]);
    await check({ state: 'saved', paths: [PATH, PATH], sound: 'refused' }, [
      null,
      'Saved as 2 clips in /home/me/Videos. A new one starts when the screen turns. No sound: the phone doesn’t allow it right now. Show in folder',
      'Record a clip',
    ]);
    await check({ state: 'saved', paths: [PATH], sound: 'recorded', failure }, [
      null,
      `The phone is no longer connected. Plug it in again, or check that it’s on the same Wi‑Fi. Saved to ${PATH} Show in folder`,
      'Record a clip',
    ]);
    await check({ state: 'failed', failure: { code: 'no_video', values: {} } }, [
      null,
      'The clip couldn’t be recorded. The phone isn’t sending any video. Unlock it and try again.',
      'Record a clip',
    ]);
    await check({ state: 'stopped' }, [null, null, 'Record a clip']);
  });

  it('begins and ends at the press of a button', async () => {
    const { app, backend } = await open();
    await fireEvent.click(part('clip-row'));
    expect(backend.recordClip).toHaveBeenCalledExactlyOnceWith('demo');
    app.view = fold(app.view, { news: 'clip', phone: 'demo', clip: { state: 'starting' } });
    await tick();
    await fireEvent.click(part('clip-row'));
    await fireEvent.click(part('clip-stop'));
    expect(backend.stopClip.mock.calls).toEqual([['demo'], ['demo']]);
    const saved: ClipState = { state: 'saved', paths: [PATH], sound: 'recorded' };
    app.view = fold(app.view, { news: 'clip', phone: 'demo', clip: saved });
    await tick();
    await fireEvent.click(part('clip-show'));
    expect(backend.showClip).toHaveBeenCalledExactlyOnceWith('demo');
    await vi.advanceTimersByTimeAsync(19_000);
    expect(has('clip-over')).toBe(true);
    await fireEvent.click(part('clip-dismiss'));
    expect(has('clip-over')).toBe(false);
  });
});
