import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Phone from '../src/app/PhonePage.svelte';
import type { Hand } from '../src/protocol';
import { renderPhonePage, tell } from './render-phone-page';
import { handed, has, mirrorMessage, part, parts, pictureMessage, settle, stubApp, type Written } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a phone’s page', () => {
  it('is look-only while a run is live: a touch offers Take over and is not sent', async () => {
    const { backend } = await renderPhonePage('phone', 'mum');
    await fireEvent.click(part('cover'));
    expect(screen.getByRole('dialog').textContent).toContain('Take over to use it yourself');
    expect(handed(backend)).toEqual([]);
    await fireEvent.click(part('offer-yes'));
    expect(backend.steer).toHaveBeenCalledExactlyOnceWith('run-mum', { op: 'take_over' });
    expect(has('offer')).toBe(false);
  });

  it.each(['key-back', 'key-home', 'key-recents', 'tool-rotate', 'tool-keyboard'])('%s offers it too', async (name) => {
    const { backend } = await renderPhonePage('phone', 'mum');
    await fireEvent.click(part(name));
    expect(has('offer')).toBe(true);
    expect(handed(backend)).toEqual([]);
    await fireEvent.keyDown(part('offer'), { key: 'Escape' });
    expect(has('offer')).toBe(false);
    expect(backend.steer).not.toHaveBeenCalled();
  });

  it('looking is always allowed', async () => {
    const { backend } = await renderPhonePage('phone', 'mum');
    await fireEvent.click(part('tool-screenshot'));
    await settle();
    expect(backend.screenshot).toHaveBeenCalledExactlyOnceWith('mum');
    expect(part('stage-hint').textContent).toBe('Screenshot saved Pictures/1.png');
    // Each is said as long, whatever was said before it.
    await vi.advanceTimersByTimeAsync(9000);
    backend.screenshot.mockResolvedValueOnce('Pictures/2.png');
    await fireEvent.click(part('tool-screenshot'));
    await vi.advanceTimersByTimeAsync(9000);
    expect(part('stage-hint').textContent).toBe('Screenshot saved Pictures/2.png');
    await vi.advanceTimersByTimeAsync(1000);
    expect(part('stage-hint').textContent).toBe('');
  });

  it('takes the hand once it was taken over, and gives it back', async () => {
    const harness = await renderPhonePage('phone', 'mum');
    await tell(harness, { what: 'taken_over' });
    await fireEvent.click(part('key-back'));
    expect(handed(harness.backend)).toEqual([['mum', { hand: 'key', key: 'back' }]]);
    expect(part('take-over').textContent?.trim()).toBe('Hand back');
    await fireEvent.click(part('take-over'));
    expect(harness.backend.steer).toHaveBeenCalledExactlyOnceWith('run-mum', { op: 'hand_back' });
    await tell(harness, { what: 'handed_back' });
    expect(has('cover')).toBe(true);
    expect(has('touch-pad')).toBe(false);
  });

  it('taps and draws where the finger is, with nothing running', async () => {
    const { backend } = await renderPhonePage('one', 'demo');
    const pad = part('touch-pad');
    pad.getBoundingClientRect = () => ({
      left: 10,
      top: 20,
      width: 270,
      height: 600,
      right: 280,
      bottom: 620,
      x: 10,
      y: 20,
      toJSON: () => ({}),
    });
    const at = (x: number, y: number): object => ({ pointerId: 1, button: 0, clientX: x, clientY: y });
    await fireEvent.pointerDown(pad, at(145, 320));
    await fireEvent.pointerUp(pad, at(146, 321));
    await settle();
    await fireEvent.pointerDown(pad, at(145, 470));
    await fireEvent.pointerMove(pad, at(145, 300));
    await fireEvent.pointerUp(pad, at(900, 170));
    await settle();
    await fireEvent.pointerDown(pad, at(5, 320));
    await fireEvent.pointerUp(pad, at(5, 320));
    await settle();
    expect(handed(backend).map(([, hand]) => hand)).toEqual([
      { hand: 'tap', x: 0.5, y: 0.5 },
      { hand: 'drag', x1: 0.5, y1: 0.75, x2: 1, y2: 0.25, durationMs: expect.any(Number) },
    ]);
  });

  describe('on a pad of 270 × 600', () => {
    async function onPad(follows: boolean, sends?: (hand: Hand) => void) {
      const harness = stubApp('one');
      harness.backend.hand.mockImplementation(async (_, hand) => {
        if (hand.hand === 'ready' && !follows) throw { code: 'needs_scrcpy' };
        sends?.(hand);
      });
      harness.backend.mirrorStart.mockImplementation(async (_phone, _aim, _video, hear) => {
        setTimeout(() => hear(pictureMessage(1080, 2400)));
        return 1;
      });
      harness.app.route = { page: 'phone', phone: 'demo' };
      render(Phone, { props: { id: 'demo' }, context: harness.context });
      await settle();
      await settle();
      const pad = part('touch-pad');
      pad.getBoundingClientRect = () => new DOMRect(0, 0, 270, 600);
      const at = (clientX: number, clientY: number, more: object = {}): object => ({
        ...{ pointerId: 1, button: 0, clientX, clientY },
        ...more,
      });
      const hands = (): Hand[] => handed(harness.backend).map(([, hand]) => hand);
      return { ...harness, pad, at, hands };
    }

    it('a phone that follows is told of the finger as it moves', async () => {
      const { pad, at, hands } = await onPad(true);
      await fireEvent.pointerDown(pad, at(135, 300));
      await settle();
      await fireEvent.pointerMove(pad, at(135, 150));
      await settle();
      await fireEvent.pointerUp(pad, at(270, 150));
      await settle();
      expect(hands()).toEqual([
        { hand: 'finger', phase: 'down', x: 0.5, y: 0.5 },
        { hand: 'finger', phase: 'move', x: 0.5, y: 0.25 },
        { hand: 'finger', phase: 'up', x: 1, y: 0.25 },
      ]);
    });

    it('a phone that does not after all is told of the whole, once, and of the next whole alone', async () => {
      const { pad, at, hands, backend } = await onPad(true, (hand) => {
        if (hand.hand === 'finger') throw { code: 'needs_scrcpy' };
      });
      for (const x of [27, 54]) {
        await fireEvent.pointerDown(pad, at(x, 300));
        await settle();
        await fireEvent.pointerUp(pad, at(x, 300));
        await settle();
      }
      expect(hands().filter(({ hand }) => hand !== 'finger')).toEqual([
        { hand: 'tap', x: 0.1, y: 0.5 },
        { hand: 'tap', x: 0.2, y: 0.5 },
      ]);
      expect(hands().filter(({ hand }) => hand === 'finger')).toHaveLength(2);
      expect(backend.hand).toHaveBeenCalled();
    });

    it('a finger of a page that goes is lifted where it was', async () => {
      const { pad, at, hands } = await onPad(true);
      await fireEvent.pointerDown(pad, at(135, 300));
      await fireEvent.pointerMove(pad, at(135, 450));
      await settle();
      cleanup();
      await settle();
      expect(hands().at(-1)).toEqual({ hand: 'finger', phase: 'up', x: 0.5, y: 0.75 });
    });

    it('two fingers come of the modifier, by pointer and by wheel; a wheel alone scrolls', async () => {
      const { pad, at, hands } = await onPad(false);
      // The tests’ window has wheels without a place.
      const turn = (deltaY: number, ctrlKey = false): Promise<boolean> => {
        const event = new MouseEvent('wheel', { clientX: 27, clientY: 300, ctrlKey, bubbles: true, cancelable: true });
        return fireEvent(pad, Object.assign(event, { deltaX: 0, deltaY, deltaMode: 0 }));
      };
      await fireEvent.pointerDown(pad, at(135, 240, { ctrlKey: true }));
      await fireEvent.pointerUp(pad, at(135, 180, { ctrlKey: true }));
      await settle();
      await turn(-100, true);
      await vi.advanceTimersByTimeAsync(100);
      await turn(100);
      await turn(100);
      await vi.advanceTimersByTimeAsync(100);
      expect(hands()).toEqual([
        { hand: 'pinch', x: 0.5, y: 0.5, scale: expect.closeTo(2, 5), durationMs: 50 },
        { hand: 'pinch', x: 0.1, y: 0.5, scale: expect.closeTo(Math.exp(0.3), 5), durationMs: 250 },
        { hand: 'scroll', x: 0.1, y: 0.5, across: 0, down: 2 },
      ]);
    });
  });

  it('holds a finger while it is still down', async () => {
    const { backend } = await renderPhonePage('one', 'demo');
    const pad = part('touch-pad');
    pad.getBoundingClientRect = () => ({
      left: 0,
      top: 0,
      width: 270,
      height: 600,
      right: 270,
      bottom: 600,
      x: 0,
      y: 0,
      toJSON: () => ({}),
    });
    const at = { pointerId: 1, button: 0, clientX: 135, clientY: 300 };
    await fireEvent.pointerDown(pad, at);
    await vi.advanceTimersByTimeAsync(500);
    expect(handed(backend)).toEqual([['demo', { hand: 'long_press', x: 0.5, y: 0.5 }]]);
    await fireEvent.pointerUp(pad, at);
    await settle();
    expect(handed(backend)).toHaveLength(1);
  });

  it('types what is typed and pasted; Ctrl+Alt+Esc gives the keys back', async () => {
    const { backend } = await renderPhonePage('one', 'demo');
    await fireEvent.click(part('tool-keyboard'));
    const field = part('typing') as HTMLTextAreaElement;
    expect(document.activeElement).toBe(field);
    expect(part('stage-hint').textContent).toContain('Ctrl+Alt+Esc');
    await fireEvent.input(field, { target: { value: 'Grüße 🌿' } });
    await settle();
    await fireEvent.keyDown(field, { key: 'Enter' });
    await settle();
    await fireEvent.keyDown(field, { key: 'Escape', ctrlKey: true, altKey: true });
    await settle();
    expect(handed(backend).map(([, hand]) => hand)).toEqual([
      { hand: 'type', text: 'Grüße 🌿' },
      { hand: 'key', key: 'enter' },
    ]);
    expect(document.activeElement).toBe(part('touch-pad'));
    expect(field.value).toBe('');
  });

  it('tells the AI a word while it works, and starts a task when nothing runs', async () => {
    const working = await renderPhonePage('phone', 'mum');
    await fireEvent.input(screen.getByLabelText('Add a detail or correct the AI'), { target: { value: 'No emoji' } });
    await fireEvent.submit(part('task-line'));
    expect(working.backend.steer).toHaveBeenCalledExactlyOnceWith('run-mum', { op: 'say', text: 'No emoji' });
    cleanup();
    const idle = await renderPhonePage('one', 'demo');
    expect(parts('suggestion')).toHaveLength(3);
    // “…or start with one of these.”
    expect(part('suggestions').previousElementSibling?.textContent).toContain('start with one of these');
    await fireEvent.click(parts('suggestion')[0] as HTMLElement);
    expect(idle.backend.run).toHaveBeenCalledExactlyOnceWith(['demo'], 'Order the weekly groceries and pay', false);
  });

  it('has Pause, Take over and Stop right after the header in the order of the tab key', async () => {
    const { backend } = await renderPhonePage('phone', 'mum');
    const buttons = [...document.querySelectorAll('header ~ * button')].slice(0, 3);
    expect(buttons.map((button) => button.textContent?.trim())).toEqual(['Pause', 'Take over', 'Stop']);
    for (const button of buttons) await fireEvent.click(button);
    expect(backend.steer.mock.calls.map(([, op]) => op.op)).toEqual(['pause', 'take_over', 'stop']);
  });

  it('tells each step in a sentence, quotes long text, and says why', async () => {
    await renderPhonePage('phone', 'mum');
    const rows = [...part('timeline').children].map((row) => row.textContent?.replaceAll(/\s+/g, ' ').trim());
    expect(rows[0]).toMatch(/^1 Opened Messages/);
    expect(rows[3]).toMatch(/Wrote in ‘Text message’.*“Running about 10 minutes late, sorry!/);
    expect(rows[4]).toMatch(/^You approved sending it/);
    expect(part('thought').textContent).toMatch(/^The message is written and you approved it/);
    expect(rows.at(-1)).toBe('Deciding what to do next…');
    await fireEvent.click(parts('why')[0] as HTMLElement);
    expect(parts('thought')[0]?.textContent).toBe('The message goes out from Messages.');
  });

  it('does not open why in the task that follows', async () => {
    const harness = await renderPhonePage('phone', 'mum');
    const closed = parts('why').find((one) => one.getAttribute('aria-expanded') === 'false')!;
    await fireEvent.click(closed);
    const at = [...part('timeline').children].indexOf(closed.closest('li')!);
    const run = Object.values(harness.app.view.runs).find(({ phone }) => phone === 'mum')!;
    // Its first steps came in one go.
    harness.app.view = { ...harness.app.view, runs: { next: { ...run, run: 'next' } } };
    await tick();
    expect(part('timeline').children[at]?.querySelector('[data-part=why]')?.getAttribute('aria-expanded')).toBe('false');
  });

  it('asks for a picture around what was touched', async () => {
    const { backend } = await renderPhonePage('phone', 'mum');
    // ‘Send’ stands at the right edge of its screen.
    const crops = backend.picture.mock.calls.filter(([frame]) => frame === 'run-mum/5').map(([, , crop]) => crop);
    expect(crops).toContainEqual({ left: 302, top: expect.any(Number), right: 1080, bottom: 2400 });
  });

  it.each([
    ['t4', 'ask_again', 'Ask again'],
    ['t13', 'take_over', 'Take over'],
  ])('the pause of %s offers %s', async (id, op, label) => {
    const { backend } = await renderPhonePage('troubles', id);
    expect(part('banner-help').textContent?.trim()).toBe(label);
    await fireEvent.click(part('banner-help'));
    expect(backend.steer).toHaveBeenCalledExactlyOnceWith(`run-${id}`, { op });
  });

  it.each(['t3', 't8', 't10', 't11'])('the pause of %s is resumed', async (id) => {
    const { backend } = await renderPhonePage('troubles', id);
    expect(part('pause').classList.contains('primary')).toBe(true);
    await fireEvent.click(part('pause'));
    expect(backend.steer).toHaveBeenCalledExactlyOnceWith(`run-${id}`, { op: 'resume' });
  });

  it('says of a locked phone that unlocking it is enough', async () => {
    await renderPhonePage('troubles', 't20');
    expect(part('banner-paused').textContent).toContain('Unlock it and the task continues automatically.');
    // Once: among the steps it stands only when it is over.
    expect(part('timeline').textContent).not.toContain('Unlock it');
  });

  it('offers Take over under what the phone takes from nobody, until somebody takes it', async () => {
    const harness = await renderPhonePage('troubles', 't19');
    const row = (): Element | null | undefined => part('step-take-over').closest('li');
    expect(row()?.textContent).toContain('can’t type these characters');
    expect(row()?.textContent).toContain('on the phone’s own keyboard');
    await fireEvent.click(part('step-take-over'));
    expect(harness.backend.steer).toHaveBeenCalledExactlyOnceWith('run-t19', { op: 'take_over' });
    await tell(harness, { what: 'taken_over' }, 't19');
    expect(has('step-take-over')).toBe(false);
    await tell(harness, { what: 'handed_back' }, 't19');
    expect(has('step-take-over')).toBe(false);
  });

  it('offers it once, and not when the AI found another way', async () => {
    const harness = await renderPhonePage('troubles', 't19');
    const type = { type: 'type', text: 'ま' };
    const failed = { ok: false, code: 'cannot_type' };
    await tell(harness, { what: 'acting', step: 3, action: type }, 't19');
    await tell(harness, { what: 'acted', step: 3, outcome: failed, tookMs: 5 }, 't19');
    expect(parts('step-take-over')).toHaveLength(1);
    expect(harness.app.spoken).toContain('can’t type these characters');
    await tell(harness, { what: 'acting', step: 4, action: { type: 'tap', target: { element: 3 } } }, 't19');
    await tell(harness, { what: 'acted', step: 4, outcome: { ok: true, code: 'done' }, tookMs: 5 }, 't19');
    expect(parts('step-take-over')).toHaveLength(1);
    await tell(harness, { what: 'acting', step: 5, action: { ...type, text: 'Late' } }, 't19');
    await tell(harness, { what: 'acted', step: 5, outcome: { ok: true, code: 'done' }, tookMs: 5 }, 't19');
    expect(has('step-take-over')).toBe(false);
  });

  it('of touches that are forbidden offers it in the pause', async () => {
    const harness = await renderPhonePage('troubles', 't19');
    await tell(harness, { what: 'acting', step: 3, action: { type: 'tap', target: { element: 3 } } }, 't19');
    await tell(harness, { what: 'acted', step: 3, outcome: { ok: false, code: 'touch_forbidden' }, tookMs: 5 }, 't19');
    const failure = { code: 'touch_forbidden' };
    await tell(harness, { what: 'paused', reason: { why: 'look', failure } }, 't19');
    expect(part('step-take-over').closest('li')?.textContent).toContain('do it on the phone');
    await tell(harness, { what: 'ended', ending: { how: 'stopped' } }, 't19');
    expect(has('step-take-over')).toBe(false);
  });

  it('counts down to the next try', async () => {
    await renderPhonePage('troubles', 't2');
    expect(part('banner-retry').textContent).toContain('The AI isn’t responding. Trying again in 5 s.');
  });

  it.each([
    ['t', 'steer'],
    ['s', 'screenshot'],
  ])('%s alone is a shortcut, unless it is typed or switched off', async (key, call) => {
    const { app, backend } = await renderPhonePage('phone', 'mum');
    const line = document.getElementById('task-line') as HTMLElement;
    await fireEvent.keyDown(line, { key });
    app.setSingleKeys(false);
    await fireEvent.keyDown(document.body, { key });
    expect(backend[call as 'steer']).not.toHaveBeenCalled();
    app.setSingleKeys(true);
    await fireEvent.keyDown(document.body, { key });
    expect(backend[call as 'steer']).toHaveBeenCalledOnce();
  });

  it('says one sentence for a new step, not for those that were there', async () => {
    const harness = await renderPhonePage('phone', 'mum');
    expect(harness.app.spoken).toBe('');
    await tell(harness, { what: 'acting', step: 6, action: { type: 'keyevent', keycode: 'BACK' } });
    await tell(harness, { what: 'acted', step: 6, outcome: { ok: true, code: 'done' }, tookMs: 5 });
    expect(harness.app.spoken).toBe('Pressed Back');
  });

  it('says why a task waits and how it ended, not what was so before', async () => {
    const harness = await renderPhonePage('troubles', 't4');
    expect(harness.app.spoken).toBe('');
    await tell(harness, { what: 'resumed' }, 't4');
    await tell(harness, { what: 'paused', reason: { why: 'protected' } }, 't4');
    expect(harness.app.spoken).toBe('This app hides its screen. Take over to continue.');
    await vi.advanceTimersByTimeAsync(2000);
    await tell(harness, { what: 'ended', ending: { how: 'finished', message: 'All good', declined: true } }, 't4');
    expect(harness.app.spoken).toBe('Finished: All good.');
  });

  it('does not say that something is done before it is', async () => {
    const harness = await renderPhonePage('phone', 'mum');
    const tap = { type: 'tap', target: { element: 3 } };
    await tell(harness, { what: 'acting', step: 6, action: tap, label: 'OK' });
    expect(part('timeline').lastElementChild?.textContent).toContain('Tapping ‘OK’');
    await tell(harness, { what: 'taken_over' });
    expect(part('timeline').textContent).not.toContain('Tapped ‘OK’');
    await tell(harness, { what: 'acted', step: 6, outcome: { ok: false, code: 'lease_lost' }, tookMs: 5 });
    expect(part('timeline').textContent).not.toContain('Tapped ‘OK’');
    expect(part('timeline').textContent).not.toContain('Tapping ‘OK’');
    expect(part('timeline').textContent).toContain('Tap ‘OK’');
    expect(part('timeline').textContent).toContain('This was stopped on the way, so we couldn’t confirm it.');
  });

  it('says why there is no picture, and tries again by itself', async () => {
    const harness = stubApp('one');
    harness.backend.mirrorStart.mockRejectedValueOnce({ code: 'phone_slow' });
    render(Phone, { props: { id: 'demo' }, context: harness.context });
    await settle();
    expect(part('veil').textContent).toContain('The phone took too long to respond.');
    expect(harness.backend.mirrorStart).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(2000);
    expect(harness.backend.mirrorStart).toHaveBeenCalledTimes(2);
    cleanup();
    await settle();
    expect(harness.backend.mirrorStop).toHaveBeenCalledOnce();
  });

  it.each([
    [1, 'The phone’s screen is off.'],
    [2, 'This app hides its screen, so there’s no picture.'],
    [3, 'Couldn’t get a picture from the phone.'],
  ])('without a picture (%d) says: %s', async (code, words) => {
    const harness = stubApp('one');
    harness.backend.mirrorStart.mockImplementation(async (_phone, _aim, _video, show) => {
      setTimeout(() => show(mirrorMessage(2, { flags: code })));
      return 1;
    });
    render(Phone, { props: { id: 'demo' }, context: harness.context });
    await settle();
    await settle();
    expect(part('veil').textContent).toContain(words);
    expect(part('live').textContent).toContain('Not live');
  });

  it.each([
    [2, 0, 'scrcpy', 'Live'],
    [1, 0, 'screenrecord', 'Live'],
    [1, 2, 'screenrecord', 'Live'],
    [0, 1, 'captures', 'Live Make it smoother'],
    [0, 6, 'captures', 'Live'],
  ])('is live however its pictures come (%d, %d: %s), and says %s', async (rung, why, way, words) => {
    const harness = stubApp('one');
    harness.backend.mirrorStart.mockImplementation(async (_phone, _aim, _video, show) => {
      setTimeout(() => show(mirrorMessage(1, { rung, why, size: [432, 960], body: [1] })));
      return 1;
    });
    render(Phone, { props: { id: 'demo' }, context: harness.context });
    await settle();
    await settle();
    expect(part('live').textContent?.trim().replace(/\s+/g, ' ')).toBe(words);
    expect(part('live').dataset.rung).toBe(way);
  });

  it('does not take a touch on a picture from before the phone was turned', async () => {
    const harness = stubApp('one');
    let tell: (message: ArrayBuffer) => void = () => undefined;
    harness.backend.mirrorStart.mockImplementation(async (_phone, _aim, _video, show) => {
      tell = show;
      return 1;
    });
    render(Phone, { props: { id: 'demo' }, context: harness.context });
    await settle();
    const upright = { size: [1080, 2400], screen: [1080, 2400], body: [1] } satisfies Written;
    tell(mirrorMessage(1, upright));
    await settle();
    const pad = part('touch-pad');
    pad.getBoundingClientRect = () => new DOMRect(0, 0, 270, 600);
    const tap = async (): Promise<void> => {
      await fireEvent.pointerDown(pad, { pointerId: 1, button: 0, clientX: 135, clientY: 300 });
      await fireEvent.pointerUp(pad, { pointerId: 1, button: 0, clientX: 135, clientY: 300 });
      await settle();
    };
    await tap();
    tell(mirrorMessage(5, { screen: [2400, 1080] }));
    await tap();
    expect(handed(harness.backend)).toEqual([['demo', { hand: 'tap', x: 0.5, y: 0.5 }]]);
  });

  it('of a phone that is gone says so', async () => {
    await renderPhonePage('phone', 'nobody');
    expect(screen.getByText('This phone is no longer connected.')).toBeTruthy();
  });
});
