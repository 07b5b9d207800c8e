import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import SettingsPage from '../src/app/SettingsPage.svelte';
import '../src/settings/GeneralSettings.svelte';
import '../src/settings/NoteSettings.svelte';
import '../src/settings/NoticeSettings.svelte';
import '../src/settings/PrivacySettings.svelte';
import '../src/settings/SavedSettings.svelte';
import type { Note, PointingTest } from '../src/protocol';
import type { SettingsTab } from '../src/state/route';
import { fold } from '../src/state/view';
import { has, part, parts, settle, stubApp, stubBackend, type Stub } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('settings', () => {
  function open(tab?: SettingsTab, change: (backend: Stub) => void = () => undefined) {
    const backend = stubBackend();
    change(backend);
    const harness = stubApp('phones', backend);
    harness.app.route = tab ? { page: 'settings', tab } : { page: 'settings' };
    render(SettingsPage, { context: harness.context });
    return harness;
  }

  it('have no switch for payments, and one for everything else', async () => {
    const { backend } = open('safety');
    expect(within(part('switches')).getAllByRole('switch')).toHaveLength(4);
    await fireEvent.click(part('switch-sending'));
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({
      askBefore: { sending: false, deleting: true, installing: true, shell: true },
    });
    expect((part('switch-sending') as HTMLInputElement).checked).toBe(true);
  });

  it('show the level that is kept, also where another one is refused or waits for a yes', async () => {
    const { app, backend } = open('safety');
    const radio = (level: string): HTMLInputElement => within(part(`level-${level}`)).getByRole('radio');
    const checked = (): boolean[] => ['everything', 'when_it_matters', 'hard_stops'].map((level) => radio(level).checked);
    await fireEvent.click(radio('hard_stops'));
    await settle();
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({ level: 'hard_stops' });
    expect(checked()).toEqual([false, true, false]);
    app.view = { ...app.view, settings: { ...app.view.settings!, level: 'hard_stops' } };
    await settle();
    expect(checked()).toEqual([false, false, true]);
  });

  it('keep notes for the AI, about everything, a phone or an app, and no secret', async () => {
    const { app, backend } = open();
    await settle();
    await settle();
    expect(part('notes').textContent).toContain('None yet.');
    await fireEvent.click(part('note-add'));
    await settle();
    expect((part('note-save') as HTMLButtonElement).disabled).toBe(true);
    await fireEvent.input(part('note-text'), { target: { value: ' Mum is Anna ' } });
    await fireEvent.change(part('note-about'), { target: { value: 'app' } });
    await settle();
    await fireEvent.input(part('note-app'), { target: { value: 'WhatsApp' } });
    const whatsApp = { text: 'Mum is Anna', about: 'app', app: 'WhatsApp' } as const;
    await fireEvent.submit(part('note-form'));
    await settle();
    expect(backend.patchSettings).toHaveBeenLastCalledWith({ notes: [whatsApp] });
    expect(has('note-form')).toBe(false);

    app.view = { ...app.view, settings: { ...app.view.settings!, notes: [whatsApp, { text: 'The old one', about: 'phone', phone: 'mum' }] } };
    await settle();
    expect(parts('note').map((one) => one.textContent)).toEqual([
      expect.stringContaining('In WhatsApp'),
      expect.stringContaining('Tasks on Mum’s Galaxy'),
    ]);
    await fireEvent.click(parts('note-edit')[1]!);
    await settle();
    expect((part('note-about') as HTMLSelectElement).value).toBe('phone:mum');
    backend.patchSettings.mockRejectedValueOnce({ code: 'bad_input', values: { why: 'secret' } });
    await fireEvent.input(part('note-text'), { target: { value: 'PIN 4821' } });
    await fireEvent.submit(part('note-form'));
    await settle();
    expect(part('note-hint').textContent).toContain('isn’t saved');
    expect(part('note-hint').getAttribute('role')).toBe('alert');
    await fireEvent.click(parts('note-remove')[0]!);
    await settle();
    expect(backend.patchSettings).toHaveBeenLastCalledWith({ notes: [{ text: 'The old one', about: 'phone', phone: 'mum' }] });
  });

  it.each<[string, Note[]]>([
    ['two phones', [{ text: 'Reply in German', about: 'phone', phone: 'mum' }, { text: 'Reply in German', about: 'phone', phone: 'moto' }]],
    ['two apps', [{ text: 'Reply in German', about: 'app', app: 'WhatsApp' }, { text: 'Reply in German', about: 'app', app: 'Signal' }]],
    ['everything and an app', [{ text: 'Reply in German', about: 'everything' }, { text: 'Reply in German', about: 'app', app: 'Signal' }]],
  ])('keep the same note about %s apart, and remove the one that is meant', async (_, notes) => {
    const { app, backend } = open();
    await settle();
    await settle();
    app.view = { ...app.view, settings: { ...app.view.settings!, notes } };
    await settle();
    expect(parts('note')).toHaveLength(2);
    await fireEvent.click(parts('note-remove')[1]!);
    await settle();
    expect(backend.patchSettings).toHaveBeenLastCalledWith({ notes: [notes[0]] });
  });

  it('let it start with the computer, and say what closing means', async () => {
    const { backend } = open('general');
    await settle();
    await settle();
    const starts = (): HTMLInputElement => part('start-with-computer') as HTMLInputElement;
    expect([starts().checked, starts().disabled]).toEqual([false, false]);
    await fireEvent.click(starts());
    await settle();
    expect(backend.startWithComputer).toHaveBeenCalledExactlyOnceWith(true);
    expect(starts().checked).toBe(true);
    expect(part('closed-ask').querySelector('input')?.checked).toBe(true);
    await fireEvent.click(part('closed-keep_running').querySelector('input')!);
    expect(backend.patchSettings).toHaveBeenLastCalledWith({ whenClosed: 'keep_running' });
  });

  it('say where a change that loosens something waits, as long as it waits, and beside what was pressed', async () => {
    const { app } = open('safety');
    const settings = app.view.settings!;
    const told = (): string[] => parts('confirming').map((one) => one.textContent?.trim() ?? '');
    expect(told().every((text) => text === '')).toBe(true);
    app.view = fold(app.view, { news: 'settings', settings, waiting: [{ what: 'switch', off: 'sending' }] });
    await settle();
    expect(told().filter((text) => text !== '')).toEqual([
      'PocketDeck is asking you about this in a separate window. It changes when you say yes there.',
    ]);
    expect(part('switches').closest('.all')?.textContent).toContain('is asking you about this');
    app.view = fold(app.view, { news: 'settings', settings, waiting: [{ what: 'program', path: '/usr/bin/wc' }] });
    await settle();
    expect(part('scripts').textContent).toContain('is asking you about this');
    app.view = fold(app.view, { news: 'settings', settings });
    await settle();
    expect(told().every((text) => text === '')).toBe(true);
  });

  it('stand beside what they are about, each subject in two columns', () => {
    open('safety');
    const sections = [...document.querySelectorAll('section')];
    expect(sections.length).toBe(3);
    for (const section of sections) expect(section.children).toHaveLength(2);
  });

  it('keep a limit that is a number, and tell when it is none', async () => {
    const { backend } = open();
    const field = part('limit-dollars') as HTMLInputElement;
    expect(field.value).toBe('5.00');
    await fireEvent.input(field, { target: { value: 'much' } });
    await fireEvent.change(field);
    expect(backend.patchSettings).not.toHaveBeenCalled();
    expect(screen.getByRole('alert').textContent).toContain('Enter a number');
    await fireEvent.input(field, { target: { value: '7,50' } });
    await fireEvent.change(field);
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({
      limits: { steps: 50, minutes: 30, dollarsADay: 7.5, repeats: 3 },
    });
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
    expect(part('key-stored').textContent?.trim()).toBe('Saved · ends in 7Qx2');
  });

  it('say when a key is kept for this run only', async () => {
    open(undefined, (backend) =>
      backend.keyStatus.mockResolvedValue({
        key: 'this_run_only',
        endsIn: '7Qx2',
        failure: { code: 'keychain_missing' },
      }),
    );
    await settle();
    expect(screen.getByText(/This computer has no safe place for passwords, so the key isn’t saved/)).toBeTruthy();
  });

  it('list saved passwords by name and place, and remove them', async () => {
    const { backend, app } = open('passwords');
    await settle();
    expect(part('saved-none')).toBeTruthy();
    app.view = {
      ...app.view,
      settings: {
        ...app.view.settings!,
        credentials: [
          {
            name: 'Northbank password',
            kind: 'password',
            place: { at: 'app', package: 'com.northbank.mobile', appLabel: 'Northbank', signers: ['sum 1'] },
            since: 1,
          },
          { name: 'Forum', kind: 'password', place: { at: 'host', host: 'forum.example' }, since: 1 },
        ],
      },
    };
    await settle();
    const shown = part('saved').textContent ?? '';
    for (const one of ['Northbank password', 'Only in Northbank', 'Forum', 'Only on forum.example']) expect(shown).toContain(one);
    expect(shown).not.toContain('sum 1');
    await fireEvent.click(screen.getByRole('button', { name: 'Remove Northbank password' }));
    expect(backend.forgetCredential).toHaveBeenCalledExactlyOnceWith('Northbank password');
    backend.forgetCredential.mockRejectedValue({ code: 'keychain_refused' });
    await fireEvent.click(screen.getByRole('button', { name: 'Remove Forum' }));
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('safe place for passwords is locked');
  });

  it('send a password once, for an app or a site, and forget it at once', async () => {
    const { backend, app } = open('passwords');
    await settle();
    await fireEvent.click(part('saved-add'));
    await settle();
    const fill = async (name: string, value: string): Promise<void> => {
      await fireEvent.input(part(name), { target: { value } });
    };
    const save = part('saved-save') as HTMLButtonElement;
    expect(save.disabled).toBe(true);
    await fill('saved-name', ' Northbank password ');
    expect((part('saved-value') as HTMLInputElement).type).toBe('password');
    await fill('saved-value', ' harbour-9');
    await fireEvent.change(part('saved-app'), { target: { value: 'com.northbank.mobile' } });
    await settle();
    expect(save.disabled).toBe(false);
    backend.saveCredential.mockRejectedValueOnce({ code: 'keychain_missing' });
    await fireEvent.submit(part('saved-form'));
    expect((part('saved-value') as HTMLInputElement).value).toBe('');
    await settle();
    const phone = app.view.phones.find((one) => one.state === 'device')?.id;
    const wish = { at: 'app', phone, package: 'com.northbank.mobile' };
    expect(backend.saveCredential).toHaveBeenCalledExactlyOnceWith('Northbank password', 'password', wish, ' harbour-9');
    expect(screen.getByRole('alert').textContent).toContain('This computer has no safe place for passwords');

    await fireEvent.change(part('saved-place'), { target: { value: '' } });
    await settle();
    await fill('saved-site', 'northbank.example');
    await fill('saved-value', 'harbour-9');
    await fireEvent.submit(part('saved-form'));
    await settle();
    const site = { at: 'host', host: 'northbank.example' };
    expect(backend.saveCredential).toHaveBeenLastCalledWith('Northbank password', 'password', site, 'harbour-9');
    expect(document.querySelector('[data-part="saved-form"]')).toBeNull();
  });

  it('test the connection and tell how it went', async () => {
    const { backend } = open();
    await settle();
    await fireEvent.click(part('test'));
    await settle();
    expect(part('test-result').textContent).toContain('It works. The AI answered in 0.8 seconds.');
    expect(part('test-result').textContent).toContain('Its taps land where they should.');
    backend.tryModel.mockRejectedValue({ code: 'model_key' });
    await fireEvent.click(part('test'));
    await settle();
    expect(part('test-result').textContent).toContain('The key wasn’t accepted.');
  });

  it('say where the AI points, and count as it does', async () => {
    const { backend } = open();
    await settle();
    const tried = (aim: PointingTest): void => void backend.tryModel.mockResolvedValue({ ms: 1200, aim });
    for (const [aim, words] of [
      [{ aim: 'missed' }, 'it may tap the wrong place'],
      [{ aim: 'no_point' }, 'it may not be able to operate a phone'],
      [{ aim: 'otherwise', space: 'thousandths' }, 'But its taps miss. PocketDeck can correct that.'],
    ] as const) {
      tried(aim);
      await fireEvent.click(part('test'));
      await settle();
      expect(part('aim').textContent).toContain(words);
    }
    backend.patchSettings.mockClear();
    tried({ aim: 'hit' });
    await fireEvent.click(part('aim-use'));
    await settle();
    expect(backend.patchSettings.mock.calls[0]?.[0].provider).toMatchObject({ kind: 'model', points: 'thousandths' });
    expect(document.querySelector('[data-part=aim]')).toBeNull();
    expect(part('test-result').textContent).toContain('Its taps land where they should.');
  });

  it('keep scripts off this computer until they are switched on', async () => {
    const { backend } = open('safety');
    await settle();
    expect((part('switch-scripts') as HTMLInputElement).checked).toBe(false);
    expect(document.querySelector('[data-part=program-field]')).toBeNull();
    await fireEvent.click(part('switch-scripts'));
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({ scripts: { onThisComputer: true, programs: [] } });
  });

  it('add a program, take one away, and say in plain words why one is refused', async () => {
    const { backend, app } = open('safety');
    const settings = app.view.settings;
    if (!settings) throw new Error('no settings');
    const told = { ...settings, scripts: { onThisComputer: true, programs: ['/usr/bin/date', '/usr/bin/wc'] } };
    app.view = { ...app.view, settings: told };
    await settle();
    expect(within(part('programs')).getAllByRole('listitem')).toHaveLength(2);

    const field = part('program-field') as HTMLInputElement;
    backend.patchSettings.mockRejectedValueOnce({
      code: 'bad_input',
      values: { input: 'program', program: '/bin/bash', why: 'shell' },
    });
    await fireEvent.input(field, { target: { value: ' /bin/bash ' } });
    await fireEvent.click(part('program-add'));
    await settle();
    expect(backend.patchSettings).toHaveBeenLastCalledWith({
      scripts: { onThisComputer: true, programs: ['/usr/bin/date', '/usr/bin/wc', '/bin/bash'] },
    });
    expect(part('program-said').textContent).toBe(
      'This runs any command it’s given, so the list would have no effect.',
    );
    expect(field.value).toBe(' /bin/bash ');

    await fireEvent.input(field, { target: { value: '/usr/bin/sha256sum' } });
    await fireEvent.click(part('program-add'));
    await settle();
    expect(document.querySelector('[data-part=program-said]')).toBeNull();
    expect(field.value).toBe('');

    await fireEvent.click(screen.getByRole('button', { name: 'Remove /usr/bin/date' }));
    expect(backend.patchSettings).toHaveBeenLastCalledWith({
      scripts: { onThisComputer: true, programs: ['/usr/bin/wc'] },
    });
  });

  it('lose no program of the list where two are taken away at once', async () => {
    const { backend, app } = open('safety');
    const settings = app.view.settings!;
    app.view = { ...app.view, settings: { ...settings, scripts: { onThisComputer: true, programs: ['/bin/a', '/bin/b', '/bin/c'] } } };
    await settle();
    backend.patchSettings.mockImplementation(async (patch) => {
      await new Promise((done) => setTimeout(done, 5));
      return { ...app.view.settings!, ...patch };
    });
    for (const path of ['/bin/a', '/bin/c']) await fireEvent.click(screen.getByRole('button', { name: `Remove ${path}` }));
    await settle();
    expect(backend.patchSettings.mock.calls.map(([patch]) => patch.scripts?.programs)).toEqual([['/bin/b', '/bin/c'], ['/bin/b']]);
  });

  it('keep past tasks as long as the person says', async () => {
    const { backend } = open('privacy');
    await settle();
    const days = part('keep-days') as HTMLInputElement;
    expect(days.value).toBe('30');
    await fireEvent.input(days, { target: { value: '7' } });
    await fireEvent.change(days);
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({ keep: { days: 7, megabytes: 1000 } });
  });

  it('say which version this is, and open the licence of what is not ours', async () => {
    const { backend } = open('general');
    await settle();
    expect(part('version').textContent).toMatch(/^Version \d+\.\d+\.\d+$/);
    await fireEvent.click(screen.getByRole('button', { name: /scrcpy/ }));
    expect(backend.openPage).toHaveBeenCalledExactlyOnceWith('scrcpy_licence');
  });

  it('have a switch for each notification of a task', async () => {
    const { backend } = open('notifications');
    await settle();
    for (const [name, key] of [['done', 'done'], ['failed', 'failed'], ['needs', 'needsYou']] as const) {
      await fireEvent.click(part(`notice-${name}`));
      expect(backend.patchSettings.mock.lastCall?.[0].notices).toMatchObject({ sound: true, [key]: false });
    }
  });
});
