// A phone heard in this window: nothing before it is wanted, nothing waits without end, nothing after it was ended.

import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Phone from '../src/app/PhonePage.svelte';
import type { MirrorMessage } from '../src/backend';
import type { SoundStart } from '../src/protocol';
import { has, part, settle, stubApp } from './harness';

/** A context whose clock a test sets, and what it was given to play. */
class Context {
  static all: Context[] = [];
  currentTime = 0;
  destination = {};
  played: { at: number; duration: number; planes: number[][] }[] = [];
  isClosed = false;
  readonly sampleRate: number;

  constructor({ sampleRate }: { sampleRate: number }) {
    this.sampleRate = sampleRate;
    Context.all.push(this);
  }

  resume = async (): Promise<void> => undefined;
  close = async (): Promise<void> => void (this.isClosed = true);
  createBuffer = (channels: number, frames: number, rate: number) => {
    const planes = Array.from({ length: channels }, () => new Float32Array(frames));
    return { duration: frames / rate, planes, getChannelData: (channel: number) => planes[channel] };
  };
  createBufferSource = () => {
    const source = {
      buffer: null as ReturnType<Context['createBuffer']> | null,
      connect: () => undefined,
      start: (at: number) => {
        const { duration = 0, planes = [] } = source.buffer ?? {};
        this.played.push({ at, duration, planes: planes.map((plane) => [...plane]) });
      },
    };
    return source;
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  Context.all = [];
  vi.stubGlobal('AudioContext', Context);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const PLAYING: SoundStart = { state: 'playing', sound: 7, rate: 1000, channels: 2, silencesPhone: false };

/** A message as the program sends it: its number, then these samples. */
function message(seq: number, samples: number[]): ArrayBuffer {
  const bytes = new ArrayBuffer(4 + samples.length * 2);
  new DataView(bytes).setUint32(0, seq, true);
  new Int16Array(bytes, 4).set(samples);
  return bytes;
}

const TWENTY_MS = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 16_384 : -16_384));

async function open(start: SoundStart | Promise<SoundStart> = PLAYING) {
  const harness = stubApp('one');
  harness.app.route = { page: 'phone', phone: 'demo' };
  let tell: (message: MirrorMessage) => void = () => undefined;
  harness.backend.soundStart.mockImplementation(async (_, told) => {
    tell = told;
    return start;
  });
  const page = render(Phone, { props: { id: 'demo' }, context: harness.context });
  await settle();
  const toggle = async (): Promise<void> => {
    await fireEvent.click(part('sound-row'));
    await vi.dynamicImportSettled();
    await settle();
  };
  return { ...harness, page, toggle, tell: (bytes: MirrorMessage) => tell(bytes) };
}

describe('a phone’s sound', () => {
  it('is not asked for before somebody wants it, and is played a moment behind', async () => {
    const { backend, toggle, tell } = await open();
    expect(backend.soundStart).not.toHaveBeenCalled();
    expect(has('sound-sign')).toBe(false);
    await toggle();
    expect(backend.soundStart.mock.calls.map(([phone]) => phone)).toEqual(['demo']);
    expect(part('sound-sign').getAttribute('aria-label')).toBe('Stop playing sound');
    tell(message(1, TWENTY_MS));
    tell(message(2, TWENTY_MS));
    const [context] = Context.all;
    expect(context?.played.map(({ at }) => Math.round(at * 1000))).toEqual([80, 100]);
    expect(context?.played[0]?.planes.map(([first]) => first)).toEqual([0.5, -0.5]);
  });

  it('is never further behind than three tenths of a second, however much comes', async () => {
    const { backend, toggle, tell } = await open();
    await toggle();
    for (let seq = 1; seq <= 100; seq += 1) tell(message(seq, TWENTY_MS));
    const [context] = Context.all as [Context];
    const last = context.played.at(-1);
    expect(context.played.length).toBeLessThan(20);
    expect((last?.at ?? 0) + (last?.duration ?? 0)).toBeLessThan(0.35);
    // All of it is done with: the sender may go on.
    expect(backend.soundAck.mock.calls.at(-1)).toEqual([7, 100]);
    // After a gap it begins anew, from now on.
    context.currentTime = 5;
    tell(message(101, TWENTY_MS));
    expect(context.played.at(-1)?.at).toBeCloseTo(5.08);
  });

  it.each([
    ['the person ends it', async ({ toggle }: Awaited<ReturnType<typeof open>>) => toggle()],
    ['the page is left', async ({ page }: Awaited<ReturnType<typeof open>>) => page.unmount()],
  ])('ends when %s', async (_, end) => {
    const harness = await open();
    await harness.toggle();
    await end(harness);
    expect(harness.backend.soundStop.mock.calls).toEqual([[7]]);
    expect(Context.all[0]?.isClosed).toBe(true);
    harness.tell(message(1, TWENTY_MS));
    expect(Context.all[0]?.played).toEqual([]);
    expect(has('sound-sign')).toBe(false);
  });

  it('that is not wanted any more when it begins is ended', async () => {
    let begin: (start: SoundStart) => void = () => undefined;
    const { backend, toggle } = await open(new Promise((done) => (begin = done)));
    await toggle();
    expect(part('sound-sign').getAttribute('aria-busy')).toBe('true');
    await toggle();
    begin(PLAYING);
    await settle();
    expect(backend.soundStop.mock.calls).toEqual([[7]]);
    expect(Context.all).toEqual([]);
  });

  it.each([
    [{ state: 'silent', why: 'android_too_old' }, 'No sound: that needs Android 11 or newer.', false],
    [{ state: 'silent', why: 'needs_scrcpy' }, 'No sound: that needs the free screen add-on. Get it under Settings, Phones.', false],
    [{ state: 'silent', why: 'task_runs' }, 'No sound while a task is running on this phone.', false],
    [{ state: 'silent', why: 'refused' }, 'No sound: the phone doesn’t allow it right now.', false],
    [{ ...PLAYING, silencesPhone: true }, 'You hear the sound here. The phone itself stays silent meanwhile.', true],
  ] as [SoundStart, string, boolean][])('%j is said', async (start, sentence, plays) => {
    const { toggle } = await open(start);
    await toggle();
    expect(part('stage-hint').textContent).toBe(sentence);
    expect(has('sound-sign')).toBe(plays);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(part('stage-hint').textContent).toBe('');
  });

  it('that the phone ended says so', async () => {
    const { toggle, tell } = await open();
    await toggle();
    tell(message(1, []));
    await settle();
    expect(part('stage-hint').textContent).toBe('The sound stopped: the connection to the phone was lost.');
    expect(has('sound-sign')).toBe(false);
    expect(Context.all[0]?.isClosed).toBe(true);
  });

  it('whose beginning fails is reported', async () => {
    const { app, backend, toggle } = await open();
    backend.soundStart.mockRejectedValue({ code: 'phone_gone' });
    await toggle();
    expect(app.view.troubles.map(({ failure }) => failure.code)).toEqual(['phone_gone']);
    expect(has('sound-sign')).toBe(false);
  });
});
