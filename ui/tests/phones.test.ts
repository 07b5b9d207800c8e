import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import Phones from '../src/app/PhonesPage.svelte';
import '../src/phone/EmptyPhones.svelte';
import Composer from '../src/run/Composer.svelte';
import { has, part, parts, settle, stubApp } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the composer', () => {
  function compose(name = 'phones') {
    const harness = stubApp(name);
    render(Composer, { context: harness.context });
    return { ...harness, text: part('composer-text') as HTMLTextAreaElement };
  }
  const write = async (text: HTMLTextAreaElement, value: string): Promise<void> => {
    await fireEvent.input(text, { target: { value } });
  };

  it('runs the task on the chosen phones, counts them, and is empty afterwards', async () => {
    const { app, backend, text } = compose();
    await write(text, ' Turn on Battery Saver ');
    expect((part('run') as HTMLButtonElement).disabled).toBe(true);
    app.chooseAll();
    await tick();
    expect(parts('chip').map((chip) => chip.textContent?.trim())).toEqual(['Mum’s Galaxy', 'Spare Moto']);
    expect(part('run').textContent).toContain('Run on 2 phones');
    await fireEvent.click(part('run'));
    await settle();
    expect(backend.run).toHaveBeenCalledExactlyOnceWith(['mum', 'moto'], 'Turn on Battery Saver', false);
    expect(text.value).toBe('');
  });

  it.each([
    [{ shiftKey: true }, false],
    [{ isComposing: true }, false],
    // The Enter that confirmed a word, as WebKit on macOS tells it.
    [{ keyCode: 229 }, false],
    [{}, true],
    [{ ctrlKey: true }, true],
  ])('Enter with %j runs: %s', async (more, runs) => {
    const { app, backend, text } = compose();
    app.choose('mum', true);
    await write(text, 'Go');
    await fireEvent.keyDown(text, { key: 'Enter', ...more });
    await settle();
    expect(backend.run.mock.calls).toEqual(runs ? [['mum'.split(' '), 'Go', false]] : []);
    // One phone is watched on its own page.
    expect(location.hash === '#/phone/mum').toBe(runs);
    location.hash = '';
  });

  it('keeps what was typed while a task was on its way, and sends that one once', async () => {
    const { app, backend, text } = compose();
    let begun = (): void => undefined;
    backend.run.mockImplementation(() => new Promise((done) => (begun = () => done(['run']))));
    app.choose('mum', true);
    await write(text, 'Water the plants');
    await fireEvent.click(part('run'));
    // From another place: a suggestion, a result.
    void app.run(['mum'], 'Water the plants');
    await write(text, 'Water the plants, and the fern');
    begun();
    await settle();
    expect(backend.run).toHaveBeenCalledOnce();
    expect(text.value).toBe('Water the plants, and the fern');
    void app.run(['moto'], 'Water the plants');
    expect(backend.run).toHaveBeenCalledTimes(2);
    location.hash = '';
  });

  it('has the keyboard from the start', () => {
    const { text } = compose();
    expect(document.activeElement).toBe(text);
  });

  it('counts phones instead of filling rows with them', async () => {
    const { app } = compose('many');
    app.chooseAll();
    await tick();
    expect(app.chosen.length).toBe(6);
    expect(parts('chip')).toHaveLength(3);
    expect(part('more-phones').textContent?.trim()).toBe('3 more');
  });

  it('keeps the words when it could not begin, and says why', async () => {
    const { app, backend, text } = compose();
    backend.run.mockRejectedValue({ code: 'model_key_missing' });
    app.choose('mum', true);
    await write(text, 'Go');
    await fireEvent.click(part('run'));
    await settle();
    expect(text.value).toBe('Go');
    expect(app.troubles.map((trouble) => trouble.failure.code)).toEqual(['model_key_missing']);
  });

  it('leaves a phone out again by its chip', async () => {
    const { app } = compose();
    app.chooseAll();
    await tick();
    await fireEvent.click(screen.getByRole('button', { name: 'Don’t use Mum’s Galaxy' }));
    expect(app.chosen.map((phone) => phone.id)).toEqual(['moto']);
  });

  it('asks for a phone when there is only a task', async () => {
    const { text } = compose();
    await write(text, 'Go');
    expect(screen.getByText('Choose a phone first')).toBeTruthy();
  });

  it('names the Demo AI, and says when it is of no use', async () => {
    const { app } = compose('one');
    expect(part('demo-ai').textContent?.trim()).toBe('Demo AI');
    expect(app.chosen.map((phone) => phone.id)).toEqual(['demo']);
    const phones = app.view.phones.map((phone) => ({ ...phone, demo: false }));
    app.view = { ...app.view, phones };
    await tick();
    expect(screen.getByText(/only works on the demo phone/)).toBeTruthy();
  });

  it('does not name it when a real AI is chosen', () => {
    compose('phones');
    expect(has('demo-ai')).toBe(false);
  });
});

describe('the phones', () => {
  it('of which there is one are shown at large, with what can be said to it', async () => {
    const { context } = stubApp('one');
    const { container } = render(Phones, { props: { connect: () => undefined }, context });
    expect(container.querySelector('.solo')).toBeTruthy();
    expect(parts('suggestion')).toHaveLength(3);
  });

  it('are a list of links with a tick each; only ready ones can be chosen', async () => {
    const { app, context } = stubApp('phones');
    render(Phones, { props: { connect: () => undefined }, context });
    const tiles = parts('tile');
    expect(tiles).toHaveLength(5);
    expect(
      within(tiles[0] as HTMLElement)
        .getByRole('link')
        .getAttribute('href'),
    ).toBe('#/phone/anna');
    const ticks = screen.getAllByRole('checkbox');
    for (const tick of ticks) await fireEvent.click(tick);
    expect(app.chosen.map((phone) => phone.id)).toEqual(['mum', 'moto']);
    expect(ticks.map((one) => one.getAttribute('aria-disabled'))).toEqual(['true', 'true', 'false', 'false', 'true']);
    expect(ticks[2]?.getAttribute('aria-label')).toBe('Use Mum’s Galaxy for this task');
  });

  it('raise the approval window with Review', async () => {
    const { backend, context } = stubApp('phones');
    render(Phones, { props: { connect: () => undefined }, context });
    expect(part('tile-button').textContent?.trim()).toBe('Review payment');
    await fireEvent.click(part('tile-button'));
    expect(backend.review).toHaveBeenCalledExactlyOnceWith('ask-run-shop');
  });

  it('are walked with the arrows and chosen with Space', async () => {
    const { app, context } = stubApp('phones');
    render(Phones, { props: { connect: () => undefined }, context });
    const links = [...document.querySelectorAll<HTMLElement>('[data-tile-link]')];
    links[1]?.focus();
    await fireEvent.keyDown(links[1] as HTMLElement, { key: 'ArrowRight' });
    expect(document.activeElement).toBe(links[2]);
    await fireEvent.keyDown(links[2] as HTMLElement, { key: ' ' });
    expect(app.chosen.map((phone) => phone.id)).toEqual(['mum']);
    await fireEvent.keyDown(links[2] as HTMLElement, { key: 'ArrowLeft' });
    expect(document.activeElement).toBe(links[1]);
  });

  it('open a mirror for each that is connected, small, and none for the others', async () => {
    const { backend, context } = stubApp('phones');
    render(Phones, { props: { connect: () => undefined }, context });
    await settle();
    const aim = { fps: 15, longestSide: 480 };
    expect(backend.mirrorStart.mock.calls.map(([phone, aim, video]) => [phone, aim, video])).toEqual(
      ['anna', 'shop', 'mum', 'moto'].map((phone) => [phone, aim, false]),
    );
  });

  it('that are many are drawn less often, and as often as before when fewer are left', async () => {
    const { backend, context, app } = stubApp('many');
    render(Phones, { props: { connect: () => undefined }, context });
    await settle();
    expect(app.visible.size).toBeGreaterThan(8);
    expect(backend.mirrorStart).toHaveBeenCalled();
    for (const [, aim] of backend.mirrorStart.mock.calls) expect(aim).toEqual({ fps: 5, longestSide: 480 });
    for (const phone of [...app.visible].slice(8)) app.see(phone, false);
    await settle();
    expect(backend.mirrorAim).toHaveBeenCalled();
    for (const [, aim] of backend.mirrorAim.mock.calls) expect(aim).toEqual({ fps: 15, longestSide: 480 });
  });

  it('are not sent to a window that nobody sees', async () => {
    const { backend, context } = stubApp('phones');
    render(Phones, { props: { connect: () => undefined }, context });
    await settle();
    const turn = async (state: DocumentVisibilityState): Promise<void> => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
      document.dispatchEvent(new Event('visibilitychange'));
      await settle();
    };
    await turn('hidden');
    expect(backend.mirrorStop).toHaveBeenCalledTimes(4);
    await turn('visible');
    expect(backend.mirrorStart).toHaveBeenCalledTimes(8);
  });

  it('that are none offer the demo', async () => {
    const { backend, context } = stubApp('empty');
    const connect = vi.fn();
    render(Phones, { props: { connect }, context });
    await settle();
    await fireEvent.click(part('empty-connect'));
    expect(connect).toHaveBeenCalledOnce();
    await fireEvent.click(part('empty-demo'));
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({ demoPhones: 1 });
  });
});
