// The page of automations, as a person uses it.

import { cleanup, fireEvent, render } from '@testing-library/svelte';
import axe from 'axe-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../src/app/App.svelte';
import AutomationsPage from '../src/app/AutomationsPage.svelte';
import HistoryPage from '../src/app/HistoryPage.svelte';
import PhonePage from '../src/app/PhonePage.svelte';
import ShortcutsDialog from '../src/app/ShortcutsDialog.svelte';
import { ALL, IN_TROUBLE } from '../src/fake/automations';
import { FakePast } from '../src/fake/past';
import { readRoute } from '../src/state/route';
import { t } from '../src/words/words';
import { names, press, renderAutomationsPage, row, stubAutomations, type } from './render-automations';
import { has, part, parts, settle, stubApp, tellTranscript } from './harness';

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  location.hash = '';
});

describe('the list', () => {
  it('is in groups by what begins them', async () => {
    await renderAutomationsPage();
    expect(parts('automations-schedule')[0]?.textContent).toContain('On a schedule');
    expect(names()).toEqual([
      'Order the weekly groceries',
      'Morning summary for Mum',
      'Install security updates',
      'Tell me about parcels',
      'Quiet phones for the night',
      'Clear out old screenshots',
      'Text that I’m late',
    ]);
  });

  it.each([
    ['groceries', ['Every Tuesday at 9:30 AM', 'Next: May 21, 9:30 AM', 'Shop phone', 'Waiting for you', 'Approve a $23.40 payment', 'Review']],
    ['morning', ['Every day at 7:00 AM', 'Next: Tomorrow, 7:00 AM', 'Replay without AI', 'Done', 'Today, 7:00 AM · 18 s', 'Run']],
    ['updates', ['Second Sunday of every month at 2:00 AM', 'Mum’s Galaxy', 'Spare Moto', 'Couldn’t finish', 'The phone is locked.', 'Try again']],
    ['parcel', ['When Messages shows “parcel”', 'Your parcel comes on Wednesday']],
    ['quiet', ['Silence the phone and dim its screen', 'All phones']],
    ['late', ['Never run', 'Saved today']],
  ])('%s', async (id, expected) => {
    await renderAutomationsPage();
    for (const words of expected) expect(row(id).text).toContain(words);
  });

  it.each([
    ['backup', ['Paused after three failures in a row', 'The last one: The phone is locked.', 'switch it on again']],
    ['bank', ['Imported: not started yet', 'Run it once yourself and watch.']],
    ['charge', ['Waiting', 'Unlock Old Nexus, then it starts.']],
  ])('in trouble: %s', async (id, expected) => {
    await renderAutomationsPage(IN_TROUBLE);
    for (const words of expected) expect(row(id).text).toContain(words);
  });

  it('is looked through by words', async () => {
    await renderAutomationsPage();
    await type('automations-search', 'PHONE night');
    expect(names()).toEqual(['Quiet phones for the night']);
    await type('automations-search', 'zebra');
    expect(part('automations-nothing').textContent).toBe('No automation matches');
    await fireEvent.keyDown(part('automations-search'), { key: 'Escape' });
    expect(names()).toHaveLength(ALL.length);
  });

  it('says so while it is read, and when it could not be', async () => {
    const { backend, context } = stubAutomations();
    backend.automations.mockReturnValueOnce(new Promise(() => undefined));
    render(AutomationsPage, { context });
    await settle();
    expect(has('automations-loading')).toBe(true);
    cleanup();
    backend.automations.mockRejectedValueOnce({ code: 'store_broken' });
    render(AutomationsPage, { context });
    await settle();
    expect([has('automations-unread'), has('trouble')]).toEqual([true, true]);
    await press('automations-again');
    expect(names()).toHaveLength(ALL.length);
  });

  it('that is empty has examples, each of which opens the sheet', async () => {
    const { backend } = await renderAutomationsPage([]);
    expect(part('automations-empty').textContent).toContain('Finished a task you liked? Save it here.');
    expect(part('automations-to-history').getAttribute('href')).toBe('#/history');
    expect(parts('automation-example')).toHaveLength(3);
    expect(part('automations').textContent).not.toMatch(/[{}]/);
    await fireEvent.click(parts('automation-example')[1] as HTMLElement);
    await settle();
    expect(parts('variable-name').map((one) => (one as HTMLInputElement).value)).toEqual(['who', 'minutes']);
    await press('plan-everywhere');
    await press('plan-save');
    const plan = backend.saveAutomation.mock.calls[0]?.[1];
    expect(plan).toMatchObject({ name: 'Running late', task: 'Text {who} that I’m running {minutes} minutes late', phones: { on: 'all' } });
    expect(names()).toEqual(['Running late']);
  });
});

describe('what is done with one', () => {
  it('off and on; one that was imported waits for its first run', async () => {
    const { backend } = await renderAutomationsPage();
    await fireEvent.click(row('morning').inside('automation-switch'));
    await settle();
    expect(backend.holdAutomation).toHaveBeenLastCalledWith('morning', true);
    expect(row('morning').inside<HTMLInputElement>('automation-switch').checked).toBe(false);
    await fireEvent.click(row('morning').inside('automation-switch'));
    expect(backend.holdAutomation).toHaveBeenLastCalledWith('morning', false);
    cleanup();
    await renderAutomationsPage(IN_TROUBLE);
    expect(row('bank').inside<HTMLInputElement>('automation-switch').disabled).toBe(true);
  });

  it('is run, and not a second time while it runs', async () => {
    const { backend } = await renderAutomationsPage();
    await fireEvent.click(row('quiet').inside('automation-run'));
    await settle();
    expect(backend.runAutomation).toHaveBeenCalledWith('quiet', {});
    expect(row('quiet').text).toContain('Running');
    expect(row('quiet').inside<HTMLButtonElement>('automation-run').disabled).toBe(true);
    expect(part('automations-said').textContent).toBe('Started “Quiet phones for the night”');
  });

  it.each([
    ['of its row', '#/automations', () => row('quiet').inside<HTMLButtonElement>('automation-run')],
    ['of its own page', '#/automations/quiet', () => part('automation-run') as HTMLButtonElement],
  ])('is run once by a double click on the button %s, and may be run again where that failed', async (_, hash, button) => {
    const { backend } = await renderAutomationsPage(ALL, hash);
    let fail: (why: object) => void = () => undefined;
    backend.runAutomation.mockReturnValue(new Promise((_, reject) => (fail = reject)));
    button().click();
    button().click();
    await settle();
    expect(backend.runAutomation).toHaveBeenCalledExactlyOnceWith('quiet', {});
    expect(button().disabled).toBe(true);
    fail({ code: 'store_broken' });
    await settle();
    expect(button().disabled).toBe(false);
    button().click();
    await settle();
    expect(backend.runAutomation).toHaveBeenCalledTimes(2);
  });

  it('is watched where nobody saw its steps repeated, and may run quietly after three clean times', async () => {
    const first = await renderAutomationsPage();
    const [card] = first.app.view.automations!.filter(({ automation }) => automation.recorded !== undefined);
    const id = card!.automation.id;
    const as = (cleanReplays: number) => {
      const automation = { ...card!.automation, cleanReplays, phones: { on: 'these' as const, phones: ['mum'] } };
      first.app.view = { ...first.app.view, automations: [{ ...card!, automation }] };
    };
    first.app.route = { page: 'automations', id };
    as(1);
    await settle();
    expect(part('automation-quiet').textContent).toContain('After 2 more runs without help');
    as(3);
    await settle();
    await fireEvent.click(part('automation-quiet-switch'));
    expect(first.backend.quietAutomation).toHaveBeenCalledExactlyOnceWith(id, true);
    as(0);
    await settle();
    await fireEvent.click(part('automation-run'));
    await settle();
    expect(location.hash).toBe('#/phone/mum');
  });

  it('is run with values for this once', async () => {
    const { backend } = await renderAutomationsPage();
    await fireEvent.click(row('late').inside('automation-run'));
    await settle();
    expect(part('run-form').textContent).toContain('Text who that I’m running minutes minutes late');
    const [who, minutes] = parts('run-value') as HTMLInputElement[];
    expect([who?.value, minutes?.value]).toEqual(['Dana', '10']);
    await fireEvent.input(who as HTMLElement, { target: { value: ' Ruth ' } });
    await fireEvent.input(minutes as HTMLElement, { target: { value: 'ten' } });
    await press('run-begin');
    expect(backend.runAutomation).not.toHaveBeenCalled();
    expect(part('run-form').textContent).toContain('Enter a number.');
    await fireEvent.input(minutes as HTMLElement, { target: { value: '20' } });
    await press('run-begin');
    expect(backend.runAutomation).toHaveBeenCalledWith('late', { who: 'Ruth', minutes: '20' });
    expect(has('run-form')).toBe(false);
  });

  it('keeps the values for this once where it could not begin, and says why', async () => {
    const { backend } = await renderAutomationsPage();
    await fireEvent.click(row('late').inside('automation-run'));
    await settle();
    backend.runAutomation.mockRejectedValueOnce({ code: 'phone_busy' });
    await press('run-begin');
    expect(part('run-refused').textContent).toBe(t('failures.phone_busy'));
    expect((parts('run-value')[0] as HTMLInputElement).value).toBe('Dana');
    await press('run-begin');
    expect(has('run-form')).toBe(false);
  });

  it('asks for what it waits for, by the question’s own window', async () => {
    const { backend } = await renderAutomationsPage();
    await fireEvent.click(row('groceries').inside('automation-run'));
    expect(backend.review).toHaveBeenCalledWith('ask-run-shop');
    expect(backend.runAutomation).not.toHaveBeenCalled();
  });

  it('is deleted after it was asked once', async () => {
    const { backend } = await renderAutomationsPage();
    await fireEvent.click(row('late').inside('automation-delete'));
    await settle();
    expect(part('confirm').textContent).toContain('Delete “Text that I’m late”?');
    await press('confirm-no');
    expect(backend.deleteAutomation).not.toHaveBeenCalled();
    await fireEvent.click(row('late').inside('automation-delete'));
    await settle();
    await press('confirm-yes');
    expect(backend.deleteAutomation).toHaveBeenCalledWith('late');
    expect(names()).not.toContain('Text that I’m late');
  });

  it('goes out as a file and comes in as one', async () => {
    const { backend, kept } = await renderAutomationsPage();
    await fireEvent.click(row('late').inside('automation-export'));
    await settle();
    expect(backend.exportAutomations).toHaveBeenCalledWith(['late'], 'PocketDeck automations.json');
    expect(part('automations-said').textContent).toBe('Saved as Documents/automations.json');
    backend.exportAutomations.mockResolvedValueOnce(null);
    await press('automations-export');
    expect(backend.exportAutomations.mock.lastCall?.[0]).toHaveLength(ALL.length);

    const read = async (text: string): Promise<string> => {
      Object.defineProperty(part('automations-file'), 'files', { value: [new File([text], 'a.json')], configurable: true });
      await fireEvent.change(part('automations-file'));
      await settle();
      return part('automations-said').textContent ?? '';
    };
    expect(await read('no file of ours')).toBe('This file couldn’t be imported. Choose a file that was exported from PocketDeck.');
    backend.importAutomations.mockRejectedValueOnce({ code: 'bad_input', values: { why: 'newer' } });
    expect(await read('{}')).toBe('This file comes from a newer version of PocketDeck. Update PocketDeck, then try again.');
    expect(await read('x'.repeat(1_000_001))).toBe('This file is too large to be a file of automations.');
    backend.importAutomations.mockRejectedValueOnce({ code: 'bad_input', values: { name: 'Late', fault: 'schedule' } });
    expect(await read('{}')).toBe('“Late” in this file can’t be saved: Choose a valid day and time.');
    expect(await read(kept.export(['late']))).toBe('Imported 1 automation. It waits until you run it once.');
    expect(names().filter((name) => name === 'Text that I’m late')).toHaveLength(2);
    expect(row('made-1').text).toContain('Imported: not started yet');
  });
});

describe('an automation’s own page', () => {
  it('tells each time it was due, with the way to its steps', async () => {
    const { backend } = await renderAutomationsPage(ALL, '#/automations/morning');
    expect(part('automation-title').textContent).toBe('Morning summary for Mum');
    expect(part('automation-facts').textContent).toContain('Run once when it wakes up');
    expect(part('automation-facts').textContent).toContain('Replay without AI');
    expect(backend.occurrences).toHaveBeenCalledWith('morning');
    const told = parts('occurrence').map((one) => one.textContent?.replaceAll(/\s+/g, ' ').replaceAll('\u202f', ' ').trim());
    expect(told).toEqual([
      'Today, 7:00 AM Mum’s Galaxy · On schedule Done 18 s See the steps',
      'Yesterday, 7:00 AM Mum’s Galaxy · On schedule Not done The computer was asleep or PocketDeck was closed.',
      'Sunday, 7:00 AM Mum’s Galaxy · On schedule Done 19 s See the steps',
      'Saturday, 7:00 AM Mum’s Galaxy · On schedule You stopped it 9 s See the steps',
      'Friday, 7:00 AM Mum’s Galaxy · On schedule Not done PocketDeck was closed while this was starting. Check the phone: we couldn’t confirm how far it got.',
    ]);
    expect(part('occurrence-run').getAttribute('href')).toBe('#/history/run/past-morning');
  });

  it('tells of a run that was begun here', async () => {
    const { backend } = await renderAutomationsPage(ALL, '#/automations/quiet');
    expect(parts('occurrence')).toHaveLength(1);
    await press('automation-run');
    await settle();
    expect(backend.occurrences).toHaveBeenCalledTimes(2);
    expect(parts('occurrence').map((one) => one.dataset['state'])).toEqual(['running', 'running', 'ended']);
  });

  it('says that nothing was yet, and that one is gone', async () => {
    await renderAutomationsPage(ALL, '#/automations/late');
    expect(part('automation-no-times').textContent).toBe('It hasn’t run yet.');
    expect(parts('variable-chip').map((one) => one.textContent)).toEqual(['who', 'minutes']);
    cleanup();
    await renderAutomationsPage(ALL, '#/automations/none');
    expect(part('automation-gone').textContent).toBe('This automation has been deleted.');
  });
});

describe('from a task to an automation', () => {
  it('a past run opens the sheet with its task', async () => {
    const { app, backend, context } = stubAutomations(ALL, '#/history/run/past-groceries');
    const past = new FakePast(true, [], () => '');
    backend.history.mockImplementation(async (query) => past.page(query));
    backend.runStory.mockImplementation(async (run) => past.story(run) ?? Promise.reject({ code: 'not_found' }));
    render(HistoryPage, { context });
    await settle();
    await settle();
    await press('run-automate');
    cleanup();
    expect(location.hash).toBe('#/automations');
    app.route = readRoute(location.hash);
    render(AutomationsPage, { context });
    await settle();
    expect((part('plan-task') as HTMLTextAreaElement).value).toBe('Order the weekly groceries');
    await type('plan-name', 'Groceries');
    await press('plan-save');
    expect(backend.saveAutomation.mock.lastCall?.[1]).toMatchObject({
      name: 'Groceries',
      task: 'Order the weekly groceries',
      phones: { on: 'these', phones: ['shop'] },
    });
    expect(backend.saveAutomation.mock.lastCall?.[1]).not.toHaveProperty('recorded');
    expect(app.draft).toBeNull();
  });

  it('repeats that run without AI only where that is switched on', async () => {
    const { app, backend, context } = stubAutomations();
    backend.proposeAutomation.mockResolvedValue({
      task: 'Order the {text}',
      variables: [{ name: 'text', kind: 'text', value: 'weekly groceries', ask: false }],
    });
    await app.automate('shop', 'Order the weekly groceries', 'past-groceries');
    app.route = readRoute(location.hash);
    render(AutomationsPage, { context });
    await settle();
    expect((part('plan-replays') as HTMLInputElement).checked).toBe(false);
    await press('plan-replays');
    await type('plan-name', 'Groceries');
    await press('plan-save');
    // Words that were typed or touched are proposed as what may be other ones next time.
    expect(backend.proposeAutomation).toHaveBeenCalledExactlyOnceWith('past-groceries');
    expect(backend.saveAutomation.mock.lastCall?.[1]).toMatchObject({
      recorded: 'past-groceries',
      task: 'Order the {text}',
      variables: [{ name: 'text', value: 'weekly groceries' }],
    });
  });

  it('so does the card of a result', async () => {
    const { app, context } = stubApp('finished');
    render(PhonePage, { context, props: { id: 'mum' } });
    await settle();
    await press('result-automate');
    expect(app.draft).toMatchObject({ phones: { on: 'these', phones: ['mum'] } });
    expect(location.hash).toBe('#/automations');
  });
});

describe('the way there', () => {
  it('is the second of the sidebar and of the keys', async () => {
    const { app, backend, kept } = stubAutomations();
    backend.watch.mockImplementation((tell) => tellTranscript(tell, 'phones'));
    location.hash = '';
    render(App, { app });
    await settle();
    expect(part('nav-automations').getAttribute('href')).toBe('#/automations');
    await fireEvent.keyDown(window, { key: '2', ctrlKey: true });
    await settle();
    expect(location.hash).toBe('#/automations');
    await fireEvent(window, new Event('hashchange'));
    await settle();
    await settle();
    expect(document.title).toBe('Automations – PocketDeck');
    expect(names()).toHaveLength(kept.cards().length);
  });

  it('stands in the list of keys', () => {
    const { context } = stubAutomations();
    render(ShortcutsDialog, { context, props: { closed: () => undefined } });
    const lines = [...document.querySelectorAll('dl > div')].map((one) => one.textContent?.replaceAll(/\s+/g, ' ').trim());
    expect(lines.slice(0, 5)).toEqual(['Phones Ctrl1', 'Automations Ctrl2', 'History Ctrl3', 'Approvals Ctrl4', 'Settings Ctrl5']);
  });
});

describe('axe finds nothing on', () => {
  const steps: [string, Parameters<typeof stubAutomations>[0], string, string[]][] = [
    ['the list', ALL, '#/automations', []],
    ['the list in trouble', IN_TROUBLE, '#/automations', []],
    ['the empty list', [], '#/automations', []],
    ['one', ALL, '#/automations/morning', []],
    ['one that is gone', ALL, '#/automations/none', []],
    ['the empty sheet and its faults', ALL, '#/automations', ['automation-new', 'plan-save']],
    ['the sheet of a schedule', ALL, '#/automations/groceries', ['automation-edit']],
    ['the sheet of a notification', ALL, '#/automations/parcel', ['automation-edit']],
    ['the sheet with variables', ALL, '#/automations/late', ['automation-edit']],
    ['the values of a run', ALL, '#/automations/late', ['automation-run']],
    ['the question before it is deleted', ALL, '#/automations/late', ['automation-delete']],
  ];

  it.each(steps)('%s', async (_, made, hash, presses) => {
    const { app, backend } = stubAutomations(made);
    backend.watch.mockImplementation((tell) => tellTranscript(tell, 'phones'));
    location.hash = hash;
    render(App, { app });
    await settle();
    await settle();
    for (const name of presses) await press(name);
    vi.useRealTimers();
    const { violations, passes } = await axe.run(document, {
      rules: { 'color-contrast': { enabled: false }, 'html-has-lang': { enabled: false } },
    });
    expect(passes.length).toBeGreaterThan(10);
    expect(violations.flatMap((found) => found.nodes.map((node) => `${found.id}: ${node.target.join(' ')}`))).toEqual([]);
  });
});
