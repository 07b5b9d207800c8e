import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import '../src/settings/GeneralSettings.svelte';
import '../src/settings/NoticeSettings.svelte';
import '../src/settings/PhoneSettings.svelte';
import '../src/settings/PrivacySettings.svelte';
import '../src/settings/SavedSettings.svelte';
import SettingsPage from '../src/app/SettingsPage.svelte';
import Notices from '../src/failures/Notices.svelte';
import type { Phone, Settings } from '../src/protocol';
import { fold } from '../src/state/view';
import { has, part, parts, settle, stubApp, stubBackend, type Stub } from './harness';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const HOME = { name: 'Shop phone', address: '192.168.1.21:37123', service: 'adb-SHOP' };
const AWAY = { name: 'Tablet', address: '192.168.1.22:37123', service: 'adb-TABLET' };

async function open(more: object = {}, change: (backend: Stub) => void = () => undefined) {
  const backend = stubBackend();
  change(backend);
  const harness = stubApp('phones', backend);
  const settings = { ...(harness.app.view.settings as Settings), ...more };
  harness.app.view = { ...harness.app.view, settings };
  harness.app.route = { page: 'settings', tab: 'phones' };
  render(SettingsPage, { context: harness.context });
  await settle();
  await settle();
  return harness;
}

it('settings have a tab for each page that is built', async () => {
  const { app } = await open();
  const tabs = [...part('tabs').querySelectorAll('a')].map((tab) => [tab.textContent, tab.getAttribute('href')]);
  expect(tabs).toEqual([
    ['AI', '#/settings'],
    ['Safety', '#/settings/safety'],
    ['Passwords', '#/settings/passwords'],
    ['Phones', '#/settings/phones'],
    ['Notifications', '#/settings/notifications'],
    ['Privacy', '#/settings/privacy'],
    ['General', '#/settings/general'],
  ]);
  expect((part('advanced') as HTMLDetailsElement).open).toBe(false);
  expect(part('tab-phones').getAttribute('aria-current')).toBe('page');
  expect(has('provider-demo')).toBe(false);
  app.route = { page: 'settings' };
  await settle();
  expect(part('tab-ai').getAttribute('aria-current')).toBe('page');
  expect(has('provider-openai')).toBe(true);
  expect(has('program')).toBe(false);
});

describe('the adb program', () => {
  it('that is missing or too old is told with the way to the button that gets it', async () => {
    for (const code of ['adb_missing', 'adb_too_old'] as const) {
      const { app, context } = stubApp('phones');
      app.view = fold(app.view, { news: 'trouble', failure: { code } });
      render(Notices, { context });
      expect(part('trouble').textContent).toContain('from Google under Settings, Phones');
      expect(part('get-program').getAttribute('href')).toBe('#/settings/phones');
      cleanup();
    }
    // Where the button is, the sentence is not said twice; once it is here, it is not said any more.
    const { app } = await open({}, (backend) => {
      backend.adbProgram.mockResolvedValue(null);
      backend.fetchAdb.mockImplementation(async (tell) => tell({ stage: 'done' }));
    });
    app.view = fold(app.view, { news: 'trouble', failure: { code: 'adb_missing' } });
    await settle();
    expect(has('trouble')).toBe(false);
    await fireEvent.click(part('fetch-adb'));
    await settle();
    expect(app.troubles).toEqual([]);
  });

  it('is shown with its place and version, and another may be used', async () => {
    const { backend } = await open();
    expect(part('program').textContent).toMatch(/Version 36\.0\.0\s*\/adb/);
    expect(has('fetch-adb')).toBe(false);
    await fireEvent.click(part('program-choose'));
    await settle();
    await fireEvent.input(part('program-path'), { target: { value: ' /opt/adb ' } });
    backend.adbProgram.mockResolvedValue({ path: '/opt/adb', pairs: false });
    await fireEvent.click(part('program-save'));
    await settle();
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({ adbProgram: '/opt/adb' });
    expect(part('program').textContent).toContain('Version unknown.');
    expect(part('program').textContent).toContain('Too old to connect phones over Wi‑Fi.');
    expect(part('fetch-adb').textContent).toContain('Download the latest version');
  });

  it('that was refused stays asked for, and why is told', async () => {
    const { backend } = await open();
    backend.patchSettings.mockRejectedValue({ code: 'bad_input' });
    await fireEvent.click(part('program-choose'));
    await settle();
    await fireEvent.click(part('program-save'));
    await settle();
    expect(screen.getByRole('alert').textContent).toContain('This can’t be used as it is.');
    expect(has('program-path')).toBe(true);
  });

  it('that is nowhere can be fetched', async () => {
    const { backend } = await open({}, (stub) => stub.adbProgram.mockResolvedValue(null));
    expect(part('program').textContent).toContain('Not found on this computer.');
    backend.fetchAdb.mockImplementation(async (tell) => {
      backend.adbProgram.mockResolvedValue({ path: '/adb', version: '36.0.0', pairs: true });
      tell({ stage: 'done' });
    });
    await fireEvent.click(part('fetch-adb'));
    await settle();
    expect(part('program').textContent).toContain('Version 36.0.0');
  });
});

describe('the scrcpy server', () => {
  it('is told by its release, with its licence', async () => {
    const { backend } = await open();
    expect(part('mirror-server').textContent).toContain('The screen add-on is installed (version 4.1).');
    expect(has('fetch-mirror-server')).toBe(false);
    await fireEvent.click(part('mirror-licence'));
    expect(backend.openPage).toHaveBeenCalledExactlyOnceWith('scrcpy_licence');
  });

  it('that is nowhere is fetched by one button, and why it was not is told', async () => {
    const { backend } = await open({}, (stub) => stub.mirrorServer.mockResolvedValue({ offered: '4.1' }));
    expect(part('mirror-server').textContent).toContain('Not installed.');
    backend.fetchMirrorServer.mockImplementation(async (tell) =>
      tell({ stage: 'failed', failure: { code: 'download_wrong' } }),
    );
    await fireEvent.click(part('fetch-mirror-server'));
    await settle();
    expect(screen.getByRole('alert').textContent).not.toBe('');
    expect(part('fetch-mirror-server').textContent).toContain('Try again');
    backend.fetchMirrorServer.mockImplementation(async (tell) => {
      backend.mirrorServer.mockResolvedValue({ found: '4.1', offered: '4.1' });
      tell({ stage: 'done' });
    });
    await fireEvent.click(part('fetch-mirror-server'));
    await settle();
    expect(part('mirror-server').textContent).toContain('The screen add-on is installed (version 4.1).');
  });
});

describe('phones over Wi‑Fi', () => {
  it('are connected and forgotten, each by its name', async () => {
    const { backend } = await open({ wireless: [HOME, AWAY] });
    expect(part('wireless-phones').textContent).toMatch(/Shop phone\s*Connected.*Tablet\s*Not nearby/);
    expect(parts('wireless-connect')).toHaveLength(1);
    await fireEvent.click(screen.getByRole('button', { name: 'Connect Tablet' }));
    await settle();
    expect(backend.connectWireless).toHaveBeenCalledExactlyOnceWith(AWAY);
    await fireEvent.click(screen.getByRole('button', { name: 'Forget Shop phone' }));
    await settle();
    expect(backend.forgetWireless).toHaveBeenCalledExactlyOnceWith(HOME);
  });

  it('are connected where they are the phone, whatever it is called', async () => {
    const harness = await open();
    const shop = harness.app.view.phones.find(({ name }) => name === HOME.name) as Phone;
    expect(shop.transport).toBe('wifi');
    const state = async (phone: object): Promise<string> => {
      const settings = { ...(harness.app.view.settings as Settings), wireless: [{ ...HOME, ...phone }] };
      harness.app.view = { ...harness.app.view, settings };
      await settle();
      return part('wireless-phones').querySelector('[role=status]')?.textContent?.trim() ?? '';
    };
    expect(await state({ phone: shop.id })).toBe('Connected');
    expect(await state({ phone: shop.id, name: 'Before it was renamed' })).toBe('Connected');
    expect(await state({ phone: 'another of that name' })).toBe('Not nearby');
    // Remembered by an earlier version.
    expect(await state({})).toBe('Connected');
    expect(await state({ name: 'Before it was renamed' })).toBe('Not nearby');
  });

  it('say beside the phone why it did not work', async () => {
    const { backend } = await open({ wireless: [AWAY] });
    backend.connectWireless.mockRejectedValue({ code: 'wireless_unreachable' });
    await fireEvent.click(part('wireless-connect'));
    await settle();
    expect(part('wireless-phones').querySelector('[role=alert]')?.textContent).toContain('can’t be reached');
  });

  it('may be those at the cable, with what that means said first', async () => {
    const { backend } = await open();
    expect(part('phones-wifi').textContent).toContain('anyone on the same network can ask it for access');
    expect(parts('over-wifi-button')).toHaveLength(3);
    await fireEvent.click(parts('over-wifi-button')[1] as HTMLElement);
    await settle();
    expect(backend.overWifi).toHaveBeenCalledExactlyOnceWith('mum');
  });
});

describe('other computers', () => {
  it('are added by their address and removed, and never without the warning', async () => {
    const { backend, app } = await open({ adbServers: ['192.168.1.30:5037'] });
    expect(part('server-warning').textContent).toContain('The connection isn’t private');
    expect(part('server-field').getAttribute('aria-describedby')).toContain('server-warning');
    const phones: Phone[] = [{ ...(app.view.phones[0] as Phone), remote: '192.168.1.30:5037' }];
    app.view = { ...app.view, phones };
    await settle();
    expect(part('servers').textContent).toMatch(/192\.168\.1\.30:5037\s*1 phone/);
    await fireEvent.input(part('server-field'), { target: { value: ' studio:5037 ' } });
    await fireEvent.click(part('server-add'));
    await settle();
    expect(backend.patchSettings).toHaveBeenLastCalledWith({ adbServers: ['192.168.1.30:5037', 'studio:5037'] });
    expect((part('server-field') as HTMLInputElement).value).toBe('');
    await fireEvent.click(screen.getByRole('button', { name: 'Remove 192.168.1.30:5037' }));
    expect(backend.patchSettings).toHaveBeenLastCalledWith({ adbServers: [] });
  });

  it('that are removed one right after the other are both gone', async () => {
    const { backend, app } = await open({ adbServers: ['a:1', 'b:2', 'c:3'] });
    backend.patchSettings.mockImplementation(async (patch) => {
      await new Promise((done) => setTimeout(done, 5));
      return { ...(app.view.settings as Settings), ...patch };
    });
    for (const address of ['a:1', 'b:2']) await fireEvent.click(screen.getByRole('button', { name: `Remove ${address}` }));
    await settle();
    expect(backend.patchSettings.mock.calls).toEqual([[{ adbServers: ['b:2', 'c:3'] }], [{ adbServers: ['c:3'] }]]);
    expect(parts('server-remove')).toHaveLength(1);
  });

  it.each([
    ['studio', 'Enter a name or numbers'],
    ['192.168.1.30:5037', 'already listed'],
  ])('%s is not added', async (typed, why) => {
    const { backend } = await open({ adbServers: ['192.168.1.30:5037'] });
    await fireEvent.input(part('server-field'), { target: { value: typed } });
    await fireEvent.click(part('server-add'));
    await settle();
    expect(backend.patchSettings).not.toHaveBeenCalled();
    expect(screen.getByRole('alert').textContent).toContain(why);
  });
});

it('demo phones are added up to five and taken away', async () => {
  const { backend, app } = await open({ demoPhones: 4 });
  await fireEvent.click(part('demo-add'));
  expect(backend.patchSettings).toHaveBeenLastCalledWith({ demoPhones: 5 });
  await fireEvent.click(part('demo-remove'));
  expect(backend.patchSettings).toHaveBeenLastCalledWith({ demoPhones: 3 });
  app.view = { ...app.view, settings: { ...(app.view.settings as Settings), demoPhones: 5 } };
  await settle();
  expect(has('demo-add')).toBe(false);
  expect(part('demo-phones').textContent).toContain('the most there can be.');
});
