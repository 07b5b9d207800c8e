import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../src/App.svelte';
import Composer from '../src/parts/Composer.svelte';
import type { News, Settings } from '../src/protocol';
import Phone from '../src/pages/Phone.svelte';
import Phones from '../src/pages/Phones.svelte';
import SettingsPage from '../src/pages/Settings.svelte';
import { fold } from '../src/view';
import { NOW, pictureMessage, stubBackend, stubDesk, transcript, type Stub } from './stage';

beforeEach(() => {
  vi.useFakeTimers();
  location.hash = '';
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const part = (name: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-part="${name}"]`);
  if (!found) throw new Error(`no ${name}`);
  return found;
};
const parts = (name: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`[data-part="${name}"]`)];
const has = (name: string): boolean => parts(name).length > 0;
const settle = async (): Promise<void> => {
  await vi.advanceTimersByTimeAsync(20);
  await tick();
};

describe('the composer', () => {
  function compose(name = 'phones') {
    const stage = stubDesk(name);
    render(Composer, { context: stage.context });
    return { ...stage, text: part('composer-text') as HTMLTextAreaElement };
  }
  const write = async (text: HTMLTextAreaElement, value: string): Promise<void> => {
    await fireEvent.input(text, { target: { value } });
  };

  it('runs the task on the chosen phones, counts them, and is empty afterwards', async () => {
    const { desk, backend, text } = compose();
    await write(text, ' Turn on Battery Saver ');
    expect((part('run') as HTMLButtonElement).disabled).toBe(true);
    desk.chooseAll();
    await tick();
    expect(parts('chip').map((chip) => chip.textContent?.trim())).toEqual(['Mum’s Galaxy', 'Spare Moto']);
    expect(part('run').textContent).toContain('Run on 2 phones');
    await fireEvent.click(part('run'));
    await settle();
    expect(backend.run).toHaveBeenCalledExactlyOnceWith(['mum', 'moto'], 'Turn on Battery Saver');
    expect(text.value).toBe('');
  });

  it('runs with Ctrl+Enter, not with Enter', async () => {
    const { desk, backend, text } = compose();
    desk.choose('mum', true);
    await write(text, 'Go');
    await fireEvent.keyDown(text, { key: 'Enter' });
    expect(backend.run).not.toHaveBeenCalled();
    await fireEvent.keyDown(text, { key: 'Enter', ctrlKey: true });
    await settle();
    expect(backend.run).toHaveBeenCalledExactlyOnceWith(['mum'], 'Go');
  });

  it('keeps the words when it could not begin, and says why', async () => {
    const { desk, backend, text } = compose();
    backend.run.mockRejectedValue({ code: 'model_key_missing' });
    desk.choose('mum', true);
    await write(text, 'Go');
    await fireEvent.click(part('run'));
    await settle();
    expect(text.value).toBe('Go');
    expect(desk.troubles.map((trouble) => trouble.failure.code)).toEqual(['model_key_missing']);
  });

  it('leaves a phone out again by its chip', async () => {
    const { desk } = compose();
    desk.chooseAll();
    await tick();
    await fireEvent.click(screen.getByRole('button', { name: 'Do not use Mum’s Galaxy' }));
    expect(desk.chosen.map((phone) => phone.id)).toEqual(['moto']);
  });

  it('asks for a phone when there is only a task', async () => {
    const { text } = compose();
    await write(text, 'Go');
    expect(screen.getByText('Choose a phone first')).toBeTruthy();
  });

  it('names the Demo AI, and says when it is of no use', async () => {
    const { desk } = compose('one');
    expect(part('demo-ai').textContent?.trim()).toBe('Demo AI');
    expect(desk.chosen.map((phone) => phone.id)).toEqual(['demo']);
    const phones = desk.view.phones.map((phone) => ({ ...phone, demo: false }));
    desk.view = { ...desk.view, phones };
    await tick();
    expect(screen.getByText(/only knows the demo phone/)).toBeTruthy();
  });

  it('does not name it when a real AI is chosen', () => {
    compose('phones');
    expect(has('demo-ai')).toBe(false);
  });
});

describe('the phones', () => {
  it('are a list of links with a tick each; only ready ones can be chosen', async () => {
    const { desk, context } = stubDesk('phones');
    render(Phones, { props: { connect: () => undefined }, context });
    const tiles = parts('tile');
    expect(tiles).toHaveLength(5);
    expect(within(tiles[0] as HTMLElement).getByRole('link').getAttribute('href')).toBe('#/phone/anna');
    const ticks = screen.getAllByRole('checkbox');
    for (const tick of ticks) await fireEvent.click(tick);
    expect(desk.chosen.map((phone) => phone.id)).toEqual(['mum', 'moto']);
    expect(ticks.map((one) => one.getAttribute('aria-disabled'))).toEqual(['true', 'true', 'false', 'false', 'true']);
    expect(ticks[2]?.getAttribute('aria-label')).toBe('Use Mum’s Galaxy for this task');
  });

  it('raise the approval window with Review', async () => {
    const { backend, context } = stubDesk('phones');
    render(Phones, { props: { connect: () => undefined }, context });
    expect(part('tile-button').textContent?.trim()).toBe('Review payment');
    await fireEvent.click(part('tile-button'));
    expect(backend.review).toHaveBeenCalledExactlyOnceWith('ask-run-shop');
  });

  it('are walked with the arrows and chosen with Space', async () => {
    const { desk, context } = stubDesk('phones');
    render(Phones, { props: { connect: () => undefined }, context });
    const links = [...document.querySelectorAll<HTMLElement>('[data-tile-link]')];
    links[1]?.focus();
    await fireEvent.keyDown(links[1] as HTMLElement, { key: 'ArrowRight' });
    expect(document.activeElement).toBe(links[2]);
    await fireEvent.keyDown(links[2] as HTMLElement, { key: ' ' });
    expect(desk.chosen.map((phone) => phone.id)).toEqual(['mum']);
    await fireEvent.keyDown(links[2] as HTMLElement, { key: 'ArrowLeft' });
    expect(document.activeElement).toBe(links[1]);
  });

  it('open a mirror for each that is connected, small, and none for the others', () => {
    const { backend, context } = stubDesk('phones');
    render(Phones, { props: { connect: () => undefined }, context });
    expect(backend.mirrorStart.mock.calls.map(([phone, longest]) => [phone, longest])).toEqual([
      ['anna', 480], ['shop', 480], ['mum', 480], ['moto', 480],
    ]);
  });

  it('that are none offer the demo', async () => {
    const { backend, context } = stubDesk('empty');
    const connect = vi.fn();
    render(Phones, { props: { connect }, context });
    await fireEvent.click(part('empty-connect'));
    expect(connect).toHaveBeenCalledOnce();
    await fireEvent.click(part('empty-demo'));
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({ demoPhones: 1 });
  });
});

describe('a phone’s page', () => {
  async function open(name: string, id: string, picture: [number, number] = [1080, 2400]): Promise<ReturnType<typeof stubDesk>> {
    const stage = stubDesk(name);
    stage.backend.mirrorStart.mockImplementation(async (_phone, _side, tell) => {
      setTimeout(() => tell(pictureMessage(...picture)));
      return 1;
    });
    stage.desk.route = { page: 'phone', phone: id };
    render(Phone, { props: { id }, context: stage.context });
    await settle();
    await settle();
    return stage;
  }
  const tell = async (stage: ReturnType<typeof stubDesk>, what: object): Promise<void> => {
    const run = Object.values(stage.desk.view.runs).find((one) => one.phone === 'mum');
    const event = { run: run?.run, phone: 'mum', seq: (run?.seq ?? 0) + 1, at: NOW, ...what };
    stage.desk.view = fold(stage.desk.view, { news: 'run', event } as News);
    await tick();
  };

  it('is look-only while a run is live: a touch offers Take over and is not sent', async () => {
    const { backend } = await open('phone', 'mum');
    await fireEvent.click(part('cover'));
    expect(screen.getByRole('dialog').textContent).toContain('Take over to touch it yourself');
    expect(backend.hand).not.toHaveBeenCalled();
    await fireEvent.click(part('offer-yes'));
    expect(backend.steer).toHaveBeenCalledExactlyOnceWith('run-mum', { op: 'take_over' });
    expect(has('offer')).toBe(false);
  });

  it.each(['key-back', 'key-home', 'key-recents', 'tool-rotate', 'tool-keyboard'])('%s offers it too', async (name) => {
    const { backend } = await open('phone', 'mum');
    await fireEvent.click(part(name));
    expect(has('offer')).toBe(true);
    expect(backend.hand).not.toHaveBeenCalled();
    await fireEvent.keyDown(part('offer'), { key: 'Escape' });
    expect(has('offer')).toBe(false);
    expect(backend.steer).not.toHaveBeenCalled();
  });

  it('looking is always allowed', async () => {
    const { backend } = await open('phone', 'mum');
    await fireEvent.click(part('tool-screenshot'));
    await settle();
    expect(backend.screenshot).toHaveBeenCalledExactlyOnceWith('mum');
    expect(part('stage-hint').textContent).toContain('Saved to Pictures/1.png');
  });

  it('takes the hand once it was taken over, and gives it back', async () => {
    const stage = await open('phone', 'mum');
    await tell(stage, { what: 'taken_over' });
    await fireEvent.click(part('key-back'));
    expect(stage.backend.hand).toHaveBeenCalledExactlyOnceWith('mum', { hand: 'key', key: 'back' });
    expect(part('take-over').textContent?.trim()).toBe('Hand back');
    await fireEvent.click(part('take-over'));
    expect(stage.backend.steer).toHaveBeenCalledExactlyOnceWith('run-mum', { op: 'hand_back' });
    await tell(stage, { what: 'handed_back' });
    expect(has('cover')).toBe(true);
    expect(has('touch-pad')).toBe(false);
  });

  it('taps and draws where the finger is, with nothing running', async () => {
    const { backend } = await open('one', 'demo');
    const pad = part('touch-pad');
    pad.getBoundingClientRect = () => ({ left: 10, top: 20, width: 270, height: 600, right: 280, bottom: 620, x: 10, y: 20, toJSON: () => ({}) });
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
    expect(backend.hand.mock.calls.map(([, hand]) => hand)).toEqual([
      { hand: 'tap', x: 0.5, y: 0.5 },
      { hand: 'drag', x1: 0.5, y1: 0.75, x2: 1, y2: 0.25, durationMs: expect.any(Number) },
    ]);
  });

  it('holds a finger while it is still down', async () => {
    const { backend } = await open('one', 'demo');
    const pad = part('touch-pad');
    pad.getBoundingClientRect = () => ({ left: 0, top: 0, width: 270, height: 600, right: 270, bottom: 600, x: 0, y: 0, toJSON: () => ({}) });
    const at = { pointerId: 1, button: 0, clientX: 135, clientY: 300 };
    await fireEvent.pointerDown(pad, at);
    await vi.advanceTimersByTimeAsync(500);
    expect(backend.hand).toHaveBeenCalledExactlyOnceWith('demo', { hand: 'long_press', x: 0.5, y: 0.5 });
    await fireEvent.pointerUp(pad, at);
    await settle();
    expect(backend.hand).toHaveBeenCalledOnce();
  });

  it('types what is typed and pasted; Ctrl+Alt+Esc gives the keys back', async () => {
    const { backend } = await open('one', 'demo');
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
    expect(backend.hand.mock.calls.map(([, hand]) => hand)).toEqual([
      { hand: 'type', text: 'Grüße 🌿' },
      { hand: 'key', key: 'enter' },
    ]);
    expect(document.activeElement).toBe(part('touch-pad'));
    expect(field.value).toBe('');
  });

  it('tells the AI a word while it works, and starts a task when nothing runs', async () => {
    const working = await open('phone', 'mum');
    await fireEvent.input(screen.getByLabelText('Add a detail or correct the AI'), { target: { value: 'No emoji' } });
    await fireEvent.submit(part('task-line'));
    expect(working.backend.steer).toHaveBeenCalledExactlyOnceWith('run-mum', { op: 'say', text: 'No emoji' });
    cleanup();
    const idle = await open('one', 'demo');
    expect(parts('suggestion')).toHaveLength(3);
    await fireEvent.click(parts('suggestion')[0] as HTMLElement);
    expect(idle.backend.run).toHaveBeenCalledExactlyOnceWith(['demo'], 'Order the weekly groceries and pay');
  });

  it('has Pause, Take over and Stop right after the header in the order of the tab key', async () => {
    const { backend } = await open('phone', 'mum');
    const buttons = [...document.querySelectorAll('header ~ * button')].slice(0, 3);
    expect(buttons.map((button) => button.textContent?.trim())).toEqual(['Pause', 'Take over', 'Stop']);
    for (const button of buttons) await fireEvent.click(button);
    expect(backend.steer.mock.calls.map(([, op]) => op.op)).toEqual(['pause', 'take_over', 'stop']);
  });

  it('tells each step in a sentence, quotes long text, and says why', async () => {
    await open('phone', 'mum');
    const rows = [...part('timeline').children].map((row) => row.textContent?.replaceAll(/\s+/g, ' ').trim());
    expect(rows[0]).toMatch(/^1 Opened Messages/);
    expect(rows[3]).toMatch(/Wrote in ‘Text message’.*“Running about 10 minutes late, sorry!/);
    expect(rows[4]).toMatch(/^You approved sending it/);
    expect(part('thought').textContent).toMatch(/^The message is written and you approved it/);
    expect(rows.at(-1)).toBe('Deciding what to do next…');
    await fireEvent.click(parts('why')[0] as HTMLElement);
    expect(parts('thought')[0]?.textContent).toBe('The message goes out from Messages.');
  });

  it('asks for a picture around what was touched', async () => {
    const { backend } = await open('phone', 'mum');
    // ‘Send’ stands at the right edge of its screen.
    const crops = backend.picture.mock.calls.filter(([frame]) => frame === 'run-mum/5').map(([, , crop]) => crop);
    expect(crops).toContainEqual({ left: 302, top: expect.any(Number), right: 1080, bottom: 2400 });
  });

  it.each([
    ['t4', 'ask_again', 'Ask again'],
    ['t13', 'take_over', 'Take over'],
  ])('the pause of %s offers %s', async (id, op, label) => {
    const { backend } = await open('troubles', id);
    expect(part('banner-help').textContent?.trim()).toBe(label);
    await fireEvent.click(part('banner-help'));
    expect(backend.steer).toHaveBeenCalledExactlyOnceWith(`run-${id}`, { op });
  });

  it.each(['t3', 't8', 't10', 't11'])('the pause of %s is resumed', async (id) => {
    const { backend } = await open('troubles', id);
    expect(part('pause').classList.contains('primary')).toBe(true);
    await fireEvent.click(part('pause'));
    expect(backend.steer).toHaveBeenCalledExactlyOnceWith(`run-${id}`, { op: 'resume' });
  });

  it('counts down to the next try', async () => {
    await open('troubles', 't2');
    expect(part('banner-retry').textContent).toContain('The AI isn’t answering. Trying again in 5 s.');
  });

  it.each([
    ['t', 'steer'],
    ['s', 'screenshot'],
  ])('%s alone is a shortcut, unless it is typed or switched off', async (key, call) => {
    const { desk, backend } = await open('phone', 'mum');
    const line = document.getElementById('task-line') as HTMLElement;
    await fireEvent.keyDown(line, { key });
    desk.setSingleKeys(false);
    await fireEvent.keyDown(document.body, { key });
    expect(backend[call as 'steer']).not.toHaveBeenCalled();
    desk.setSingleKeys(true);
    await fireEvent.keyDown(document.body, { key });
    expect(backend[call as 'steer']).toHaveBeenCalledOnce();
  });

  it('says one sentence for a new step, not for those that were there', async () => {
    const stage = await open('phone', 'mum');
    expect(stage.desk.spoken).toBe('');
    await tell(stage, { what: 'acting', step: 6, action: { type: 'keyevent', keycode: 'BACK' } });
    await tell(stage, { what: 'acted', step: 6, outcome: { ok: true, code: 'done' }, tookMs: 5 });
    expect(stage.desk.spoken).toBe('Pressed Back');
  });

  it('of a phone that is gone says so', async () => {
    await open('phone', 'nobody');
    expect(screen.getByText('This phone is not connected any more.')).toBeTruthy();
  });
});

describe('settings', () => {
  function open(name = 'phones', change: (backend: Stub) => void = () => undefined) {
    const backend = stubBackend();
    change(backend);
    const stage = stubDesk(name, backend);
    render(SettingsPage, { context: stage.context });
    return stage;
  }

  it('have no switch for payments, and one for everything else', async () => {
    const { backend } = open();
    expect(screen.getAllByRole('switch')).toHaveLength(4);
    await fireEvent.click(part('switch-sending'));
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({
      askBefore: { sending: false, deleting: true, installing: true, shell: true },
    });
    expect((part('switch-sending') as HTMLInputElement).checked).toBe(true);
  });

  it('keep a limit that is a number, and tell when it is none', async () => {
    const { backend } = open();
    const field = part('limit-dollars') as HTMLInputElement;
    expect(field.value).toBe('5.00');
    await fireEvent.input(field, { target: { value: 'much' } });
    await fireEvent.change(field);
    expect(backend.patchSettings).not.toHaveBeenCalled();
    expect(screen.getByRole('alert').textContent).toContain('Type a number');
    await fireEvent.input(field, { target: { value: '7,50' } });
    await fireEvent.change(field);
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({ limits: { steps: 50, minutes: 30, dollarsADay: 7.5, repeats: 3 } });
  });

  it('send the key once and forget it at once', async () => {
    const { backend } = open();
    await settle();
    const field = part('key-field') as HTMLInputElement;
    expect(field.type).toBe('password');
    await fireEvent.input(field, { target: { value: ' sk-secret-7Qx2 ' } });
    backend.keyStatus.mockResolvedValue({ key: 'stored', endsIn: '7Qx2' });
    await fireEvent.submit(part('key'));
    expect(document.body.innerHTML).not.toContain('sk-secret');
    await settle();
    expect(backend.saveKey).toHaveBeenCalledExactlyOnceWith('sk-secret-7Qx2');
    expect(part('key-stored').textContent?.trim()).toBe('Stored · ends in 7Qx2');
  });

  it('say when a key is kept for this run only', async () => {
    open('phones', (backend) =>
      backend.keyStatus.mockResolvedValue({ key: 'this_run_only', endsIn: '7Qx2', failure: { code: 'keychain_missing' } }),
    );
    await settle();
    expect(screen.getByText(/No keychain answers on this computer, so the key is not stored/)).toBeTruthy();
  });

  it('test the connection and tell how it went', async () => {
    const { backend } = open();
    await fireEvent.click(part('test'));
    await settle();
    expect(part('test-result').textContent).toContain('It works. The AI answered in 0.8 seconds.');
    backend.tryModel.mockRejectedValue({ code: 'model_key' });
    await fireEvent.click(part('test'));
    await settle();
    expect(part('test-result').textContent).toContain('The key was not accepted.');
  });

  it('keep a provider of one’s own once address and model are there', async () => {
    const { backend } = open('one');
    await fireEvent.click(within(part('provider-own')).getByRole('radio'));
    expect(backend.patchSettings).not.toHaveBeenCalled();
    await fireEvent.input(part('provider-address'), { target: { value: ' https://example.org/v1 ' } });
    await fireEvent.change(part('provider-address'));
    expect(backend.patchSettings).not.toHaveBeenCalled();
    await fireEvent.input(part('provider-model'), { target: { value: 'small' } });
    await fireEvent.change(part('provider-model'));
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({
      provider: { kind: 'openai_compatible', baseUrl: 'https://example.org/v1', model: 'small' },
    });
  });
});

describe('the window', () => {
  async function open(name = 'phones', hash = '') {
    const stage = stubDesk('empty');
    stage.backend.watch.mockImplementation(async (tell) => transcript(name).forEach(tell));
    location.hash = hash;
    render(App, { desk: stage.desk });
    await settle();
    return stage;
  }

  it('has only pages that are built', async () => {
    await open();
    expect(parts('sidebar')[0]?.querySelectorAll('.page')).toHaveLength(2);
  });

  it('rebuilds itself from what it is told', async () => {
    await open('phone', '#/phone/mum');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Mum’s Galaxy');
    expect(document.title).toBe('Mum’s Galaxy – PocketDeck');
  });

  it('calls for a person on every page but where the question is in sight', async () => {
    const { backend } = await open('phones', '#/settings');
    expect(part('needs-you').textContent).toContain('Shop phone needs you: Approve a $23.40 payment');
    await fireEvent.click(within(part('needs-you')).getByRole('button'));
    expect(backend.review).toHaveBeenCalledExactlyOnceWith('ask-run-shop');
    location.hash = '#/phones';
    dispatchEvent(new Event('hashchange'));
    await settle();
    expect(has('needs-you')).toBe(false);
  });

  it('goes to pages and to the composer by keys', async () => {
    await open();
    await fireEvent.keyDown(document.body, { key: '5', ctrlKey: true });
    dispatchEvent(new Event('hashchange'));
    await settle();
    expect(location.hash).toBe('#/settings');
    await fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    dispatchEvent(new Event('hashchange'));
    await settle();
    expect(document.activeElement?.id).toBe('composer');
  });

  it('pauses every run with one key', async () => {
    const { backend } = await open('phone');
    await fireEvent.keyDown(document.body, { key: '>', code: 'Period', ctrlKey: true, shiftKey: true });
    expect(backend.steer.mock.calls.map(([run, op]) => [run, op.op]).sort()).toEqual([['run-mum', 'pause'], ['run-shop', 'pause']]);
  });

  it('shows a trouble until it is put away', async () => {
    await open('many');
    expect(screen.getByText(/talks to phones does not answer/)).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(has('trouble')).toBe(false);
  });

  it('warns from 80 % of the day’s limit on', async () => {
    const { desk } = await open('finished');
    expect(part('spending').textContent).toContain('You have used $4.20 of $5 today.');
    desk.view = fold(desk.view, { news: 'spent', tokens: 1, dollars: 5, limit: 5 });
    await tick();
    expect(part('spending').textContent).toContain('You reached $5 today.');
  });

  it('offers demo phones up to five', async () => {
    const { desk, backend } = await open('one');
    await fireEvent.click(part('connect'));
    await fireEvent.click(part('add-demo'));
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({ demoPhones: 2 });
    desk.view = fold(desk.view, { news: 'settings', settings: { ...(desk.view.settings as Settings), demoPhones: 5 } });
    await tick();
    expect(has('add-demo')).toBe(false);
    expect(part('connect-dialog').textContent).toContain('There are 5 demo phones. That is the most.');
  });
});
