import { cleanup, fireEvent, screen, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemOf, UDEV_COMMAND } from '../src/kit/operating-system';
import { readAddress, readCode } from '../src/kit/server-address';
import { BRANDS, steps } from '../src/onboarding/brands';
import { checklist, connectingPhone, READY_SHOWN_MS, SLOW_MS } from '../src/onboarding/connection-checklist';
import { knownName, nameOf } from '../src/state/phone-name';
import type { Failure, Fetching, KeyStatus, Phone, PhoneState, Provider, Tried } from '../src/protocol';
import { fold } from '../src/state/view';
import { say } from '../src/words/words';
import { has, part, parts, type Stub } from './harness';
import { click, phone, REAL, renderApp, title, turn } from './render-app';

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const STATES: PhoneState[] = [
  'device',
  'offline',
  'unauthorized',
  'authorizing',
  'connecting',
  'no permissions',
  'bootloader',
  'recovery',
  'rescue',
  'sideload',
  'host',
  'detached',
  'unknown',
];

/** The three lines as they are read. */
const told = (one: Phone | undefined, more: Partial<Parameters<typeof checklist>[1]> = {}): string[] =>
  checklist(one, { missing: false, slow: false, system: 'linux', ...more }).map(
    ({ stage, title, body, help, fix }) =>
      `${stage}: ${say(title)} | ${body.map(say).join(' ')}${help ? ` ?${help}` : ''}${fix ? ` !${fix}` : ''}`,
  );

describe('the lines say', () => {
  it.each(['37181FDJH004A1', '127.0.0.1:5037/37181FDJH004A1', '127.0.0.1:5037/37181FDJH004A1#2'])(
    'your phone, of one that has no name but its number: %s',
    (id) => {
      const one = phone('device', { id, name: '37181FDJH004A1' });
      expect(told(one).map((line) => line.split(' | ')[1])).toEqual([
        'Your phone is plugged in.',
        'Your phone trusts this computer now.',
        'Your phone is ready.',
      ]);
      expect(nameOf(one)).toBe('New phone');
      expect(knownName([one], id)).toBeUndefined();
      expect(nameOf(phone('device', { id }))).toBe('Pixel 8');
    },
  );

  it('that nothing is there yet, and after a while why that may be', () => {
    expect(told(undefined)).toEqual([
      'now: Looking for a cable… | Plug in the phone and we’ll take it from there. ?no_phone',
      'later: Tap Allow on your phone | A message will appear on the phone.',
      'later: Ready | Your phone’s screen will appear here.',
    ]);
    expect(told(undefined, { slow: true })[0]).toContain('Some cables can only charge: try another one.');
  });

  it('that the program is missing, and fix it', () => {
    expect(told(undefined, { missing: true })[0]).toMatch(/^needs: One more download .*!program$/);
  });

  it.each<[PhoneState, string]>([
    [
      'unauthorized',
      'now: Tap Allow on your phone | Unlock it. It asks whether to allow USB debugging. Check “Always allow from this computer”, then tap Allow. ?no_message',
    ],
    ['authorizing', 'now: Waiting for the phone | Waiting for the phone to respond ?no_message'],
    ['offline', 'needs: Something needs fixing | It can’t be reached. Plug the cable in again, even if it looks connected'],
    [
      'no permissions',
      'needs: Something needs fixing | Linux doesn’t let programs use a phone until you allow it once. !permissions',
    ],
    ['bootloader', 'needs: Something needs fixing | The phone is in its startup menu. Restart it to use it here'],
    ['device', 'done: Allowed | Pixel 8 trusts this computer now.'],
  ])('of a phone that is %s what to do', (state, expected) => {
    expect(told(phone(state))[1]).toBe(expected);
    expect(told(phone(state))[0]).toBe('done: Cable found | Pixel 8 is plugged in.');
  });

  it('something of every state, and exactly one line is the one to look at', () => {
    for (const state of STATES) {
      const list = checklist(phone(state), { missing: true, slow: true, system: 'windows' });
      const open = list.filter((one) => one.stage === 'now' || one.stage === 'needs');
      expect(open.length, state).toBe(state === 'device' ? 0 : 1);
      expect(list.some((one) => one.fix === 'permissions')).toBe(false);
    }
  });

  it('of a phone on the network that it was found there', () => {
    expect(told(phone('device', { transport: 'wifi' }))[0]).toBe('done: Phone found | Pixel 8 is on your network.');
  });
});

describe('the phone that is watched', () => {
  const old = phone('device', { id: 'old' });
  it.each<[string, Phone[], string | undefined]>([
    ['none', [], undefined],
    ['none, where all were there before', [old], undefined],
    ['none that is made up', [phone('device', { demo: true })], undefined],
    ['the new one', [old, phone('unauthorized')], 'new'],
    ['the one that is nearest to ready', [phone('bootloader', { id: 'b' }), phone('device'), phone('offline', { id: 'o' })], 'new'],
    ['the later one of two', [phone('offline', { id: 'first' }), phone('offline')], 'new'],
  ])('is %s', (_, phones, expected) => expect(connectingPhone(phones, new Set(['old']))?.id).toBe(expected));
});

it.each([
  ['192.168.1.20:37123', '192.168.1.20:37123'],
  [' studio.local:5037 ', 'studio.local:5037'],
  ['[fe80::1%eth0]:5037', null],
  ['[fe80::1]:5037', '[fe80::1]:5037'],
  ['192.168.1.20', null],
  ['192.168.1.20:', null],
  ['192.168.1.20:0', null],
  ['192.168.1.20:65536', null],
  ['a b:1', null],
  ['http://a:1', null],
  ['', null],
])('the address %j is %j', (text, expected) => expect(readAddress(text)).toBe(expected));

it.each([
  ['482 913', '482913'],
  ['48-29-13-9', '482913'],
  ['4829', '4829'],
  ['abc', ''],
])('the code %j is %j', (text, expected) => expect(readCode(text)).toBe(expected));

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15', 'linux'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'mac'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'windows'],
])('%s runs %s', (agent, expected) => expect(systemOf(agent)).toBe(expected));

it('every maker has its way to the switch', () => {
  for (const brand of BRANDS) expect(steps(brand).length).toBeGreaterThan(1);
});

describe('a first start without a phone', () => {
  it('leads to one, without a sidebar, and not again once it was put off', async () => {
    const { app } = await renderApp({ hash: '' });
    expect(location.hash).toBe('#/connect/debugging');
    expect(title()).toBe('Turn on USB debugging');
    expect(has('sidebar')).toBe(false);
    await click('onboarding-back');
    expect(location.hash).toBe('#/phones');
    expect(has('empty-connect')).toBe(true);
    expect(app.isNew).toBe(false);
    cleanup();
    await renderApp({ hash: '' });
    expect(location.hash).toBe('');
    expect(has('empty-connect')).toBe(true);
  });

  it('with a phone it does not', async () => {
    await renderApp({ hash: '', phones: [phone('device')] });
    expect(location.hash).toBe('');
    expect(has('tile')).toBe(true);
  });

  it('tries the demo phone with one press, by the name every page gives it', async () => {
    const { backend } = await renderApp({ hash: '' });
    expect(part('add-demo').textContent?.trim()).toBe('Try the demo phone');
    await click('add-demo');
    expect(backend.patchSettings).toHaveBeenCalledExactlyOnceWith({ demoPhones: 1 });
    expect(location.hash).toBe('#/phones');
  });
});

describe('the way to a phone', () => {
  it('begins at the phones page, with and without a cable', async () => {
    await renderApp({ hash: '#/phones' });
    cleanup();
    localStorage.setItem('met', 'yes');
    await renderApp({ hash: '#/phones' });
    await click('empty-connect');
    expect(title()).toBe('Turn on USB debugging');
    await click('use-wifi');
    expect(title()).toBe('Connect over Wi‑Fi');
    await click('onboarding-back');
    expect(title()).toBe('Connect your phone');
  });

  it('tells each maker’s own way', async () => {
    await renderApp({ hash: '#/connect/debugging' });
    await fireEvent.change(part('brand-select'), { target: { value: 'samsung' } });
    await tick();
    expect(part('onboarding-card').textContent).toContain('Software information');
    expect(part('onboarding-card').textContent).toContain('Auto Blocker');
  });

  it('goes on by itself: plugged in, allowed, ready, an AI', async () => {
    const { backend, plug } = await renderApp({ hash: '#/connect/debugging' });
    await plug(phone('unauthorized'));
    expect(title()).toBe('Connect your phone');
    expect(part('line-found').textContent).toContain('Pixel 8 is plugged in.');
    expect(part('line-allow').getAttribute('aria-current')).toBe('step');
    expect((part('onboarding-continue') as HTMLButtonElement).disabled).toBe(true);
    await plug(phone('authorizing'));
    await plug(phone('device', { id: 'its-own' }));
    expect(part('line-ready').textContent).toContain('Pixel 8 is ready.');
    expect((part('onboarding-continue') as HTMLButtonElement).disabled).toBe(false);
    await vi.advanceTimersByTimeAsync(READY_SHOWN_MS);
    await turn();
    expect(title()).toBe('Choose an AI');
    // The demo AI operates no phone of anybody's: it is not chosen, and does not lead on.
    expect(has('provider-demo')).toBe(false);
    expect((part('onboarding-continue') as HTMLButtonElement).disabled).toBe(true);
    backend.saveKey.mockImplementation(async () => void backend.keyStatus.mockResolvedValue({ key: 'stored', endsIn: '7Qx2' }));
    backend.offeredModels.mockResolvedValue([{ id: 'm', best: true }]);
    await fireEvent.input(part('key-field'), { target: { value: 'sk-1' } });
    await fireEvent.submit(part('key'));
    await turn();
    await turn();
    expect((part('onboarding-continue') as HTMLButtonElement).disabled).toBe(false);
    await click('onboarding-continue');
    expect(title()).toBe('Pixel 8 is ready');
    expect(parts('suggestion')).toHaveLength(3);
  });

  describe('the AI it goes on with', () => {
    const STORED: KeyStatus = { key: 'stored', endsIn: '7Qx2' };
    const EYES = { id: 'eyes', picture: true, best: true };
    const why = (): string => part('onboarding-why').textContent ?? '';
    const mayGoOn = (): boolean => !(part('onboarding-continue') as HTMLButtonElement).disabled;
    const pick = async (maker: string): Promise<void> => {
      if (has('provider-others')) await click('provider-others');
      await fireEvent.click(within(part(`provider-${maker}`)).getByRole('radio'));
      await turn();
      await turn();
    };
    const start = async (change: (backend: Stub) => void = () => undefined, provider?: Provider) => {
      const harness = await renderApp({ hash: '#/connect/ai', phones: [phone('device')], change, ...(provider && { provider }) });
      await turn();
      return harness;
    };
    const kept = (backend: Stub): void => {
      backend.keyStatus.mockResolvedValue(STORED);
      backend.offeredModels.mockResolvedValue([EYES]);
    };
    const local = (backend: Stub): void => {
      backend.serversNearby.mockResolvedValue([{ maker: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: [EYES] }]);
      backend.offeredModels.mockResolvedValue([EYES]);
    };

    it('wants a key', async () => {
      const { backend } = await start();
      expect([mayGoOn(), why()]).toEqual([false, 'Add a key to continue']);
      await pick('openai');
      expect([mayGoOn(), why()]).toEqual([false, 'Add a key to continue']);
      expect(backend.tryModel).not.toHaveBeenCalled();
    });

    it('is no demo on somebody’s own phone', async () => {
      await start();
      await pick('demo');
      expect([mayGoOn(), why()]).toEqual([false, 'The Demo AI only works on the demo phone']);
    });

    it('is tried as its card is pressed: one on this computer', async () => {
      const { backend } = await start(local);
      await pick('ollama');
      expect(backend.tryModel).toHaveBeenCalledOnce();
      expect([mayGoOn(), why()]).toEqual([true, '']);
    });

    it('is not tried where it does not run, and that is said', async () => {
      const { backend } = await start();
      await pick('ollama');
      expect(backend.tryModel).not.toHaveBeenCalled();
      expect([mayGoOn(), why()]).toEqual([false, 'Ollama isn’t running on this computer. Start it, then check again.']);
    });

    it('is tried as its card is pressed: one whose key is kept', async () => {
      const { backend } = await start(kept);
      await pick('openai');
      expect(backend.tryModel).toHaveBeenCalledOnce();
      expect([mayGoOn(), why()]).toEqual([true, '']);
    });

    it('is tried at once where it was chosen before', async () => {
      const { backend } = await start(kept, { kind: 'model', maker: 'openai', model: 'eyes' });
      expect(backend.tryModel).toHaveBeenCalledOnce();
      expect(mayGoOn()).toBe(true);
    });

    it('is tried by the person where it is a server of their own', async () => {
      const { backend } = await start();
      await pick('custom');
      expect(why()).toBe('Fill in the missing fields to use this provider.');
      await fireEvent.change(part('provider-address'), { target: { value: 'http://127.0.0.1:1/v1' } });
      await turn();
      await fireEvent.change(part('provider-model'), { target: { value: 'words' } });
      await turn();
      expect(backend.tryModel).not.toHaveBeenCalled();
      expect([mayGoOn(), why()]).toEqual([false, 'Press Test connection to continue']);
      await click('test');
      await turn();
      expect([mayGoOn(), why()]).toEqual([true, '']);
    });

    it('is the last that was pressed, and no two are tried at once', async () => {
      const answers: ((tried: Tried) => void)[] = [];
      const { backend } = await start((backend) => {
        local(backend);
        kept(backend);
        backend.tryModel.mockImplementation(() => new Promise((answer) => answers.push(answer)));
      });
      await pick('ollama');
      expect([answers.length, mayGoOn(), why()]).toEqual([1, false, '']);
      await pick('openai');
      await pick('google');
      expect(answers).toHaveLength(1);
      // What the first finds says nothing of the last; the one between is not asked at all.
      answers[0]?.({ ms: 1, aim: { aim: 'hit' } });
      await turn();
      expect([answers.length, mayGoOn()]).toEqual([2, false]);
      answers[1]?.({ ms: 1, aim: { aim: 'hit' } });
      await turn();
      expect([answers.length, mayGoOn()]).toEqual([2, true]);
      expect(backend.patchSettings.mock.lastCall?.[0].provider).toMatchObject({ maker: 'google' });
    });
  });

  it('lets somebody look around with the demo phone, without any key', async () => {
    const { backend } = await renderApp({ hash: '#/connect/ai', phones: [phone('device')] });
    await click('onboarding-demo');
    expect(backend.patchSettings.mock.calls.map(([patch]) => patch)).toEqual([
      { demoPhones: 1 },
      { provider: { kind: 'demo' } },
    ]);
    expect(location.hash).toBe('#/phones');
  });

  it('goes past the AI where one is chosen', async () => {
    const { plug } = await renderApp({ provider: REAL });
    await plug(phone('device'));
    await click('onboarding-continue');
    expect(title()).toBe('Pixel 8 is ready');
  });

  it('stays when the person went back, until another phone comes', async () => {
    const { plug } = await renderApp({ phones: [] });
    await plug(phone('unauthorized'));
    await click('onboarding-back');
    expect(title()).toBe('Turn on USB debugging');
    await plug(phone('unauthorized'));
    expect(title()).toBe('Turn on USB debugging');
    await plug();
    await plug(phone('unauthorized', { id: 'another' }));
    expect(title()).toBe('Connect your phone');
  });

  it('ends on the phone’s page with its first task', async () => {
    const { app, backend, plug } = await renderApp({ hash: '#/connect/ready', provider: REAL });
    await plug(phone('device'));
    await fireEvent.click(parts('suggestion')[0] as HTMLElement);
    expect(backend.run).toHaveBeenCalledExactlyOnceWith(['new'], 'Turn on Battery Saver', false);
    const event = { run: 'r', phone: 'new', seq: 1, at: 1, what: 'started', goal: 'g', model: 'm', demoAi: false } as const;
    app.view = fold(app.view, { news: 'run', event });
    await turn();
    expect(location.hash).toBe('#/phone/new');
  });

  it('says after a while that some cables only charge', async () => {
    await renderApp();
    await vi.advanceTimersByTimeAsync(SLOW_MS);
    expect(part('line-found').textContent).toContain('Some cables can only charge');
    expect(part('help').textContent).toContain('Try another cable');
  });

  it('hands out the line that lets Linux use phones', async () => {
    const write = vi.fn(async () => undefined);
    vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText: write } } }));
    const { plug } = await renderApp();
    await plug(phone('no permissions'));
    await click('copy-rule');
    expect(write).toHaveBeenCalledExactlyOnceWith(UDEV_COMMAND);
    expect(part('copy-rule').textContent?.trim()).toBe('Copied');
    vi.unstubAllGlobals();
  });

  it('shows the phone as it looks at each step, to eyes and ears', async () => {
    await renderApp({ hash: '#/connect/debugging' });
    expect(part('phone-half').textContent).toContain('Developer options');
    await click('onboarding-continue');
    expect(part('allow-dialog').closest('[aria-hidden="true"]')).toBeTruthy();
    expect(screen.getByText('A message on the phone: Allow USB debugging? The Allow button is highlighted.')).toBeTruthy();
    await click('use-wifi');
    expect(part('phone-half').textContent).toContain('Pair device with QR code');
    await fireEvent.focus(part('pairing-input'));
    await tick();
    expect(part('phone-half').textContent).toContain('Wi‑Fi pairing code');
  });
});

describe('the program that talks to phones', () => {
  const none = { code: 'adb_missing' } as const;
  async function without(change: (backend: Stub) => void = () => undefined) {
    const harness = await renderApp({
      change: (backend) => {
        backend.adbProgram.mockResolvedValue(null);
        change(backend);
      },
    });
    harness.app.view = fold(harness.app.view, { news: 'trouble', failure: none });
    await turn();
    return harness;
  }

  it('is fetched with one button, and told how far it is', async () => {
    let tell: (fetching: Fetching) => void = () => undefined;
    const { backend } = await without((stub) =>
      stub.fetchAdb.mockImplementation(async (now) => {
        tell = now;
      }),
    );
    expect(part('line-found').textContent).toContain('One more download');
    expect(has('trouble')).toBe(false);
    await click('fetch-adb');
    tell({ stage: 'loading', done: 2_140_000, total: 8_200_000 });
    await tick();
    expect(part('fetch').textContent).toContain('Downloading: 2.1 of 8.2 MB');
    const bar = part('fetch').querySelector('progress') as HTMLProgressElement;
    expect([bar.value, bar.max]).toEqual([2_140_000, 8_200_000]);
    tell({ stage: 'unpacking' });
    await tick();
    expect(part('fetch').textContent).toContain('Downloaded. Installing…');
    backend.adbProgram.mockResolvedValue({ path: '/adb', version: '36.0.0', pairs: true });
    tell({ stage: 'done' });
    await turn();
    expect(part('line-found').textContent).toContain('Looking for a cable…');
  });

  it.each(['download_offline', 'download_broken', 'download_wrong', 'download_none', 'disk_full'])(
    'that does not come (%s) is told, with the maker’s page',
    async (code) => {
      const failure = { code } as unknown as Failure;
      const { backend } = await without((stub) =>
        stub.fetchAdb.mockImplementation(async (tell) => tell({ stage: 'failed', failure })),
      );
      await click('fetch-adb');
      expect(part('fetch').querySelector('[role=alert]')?.textContent?.length).toBeGreaterThan(20);
      expect(part('fetch-adb').textContent).toContain('Try again');
      await click('tools-page');
      expect(backend.openPage).toHaveBeenCalledExactlyOnceWith('platform_tools');
    },
  );

  it('is not asked for where phones are seen', async () => {
    const { plug } = await without();
    await plug(phone('unauthorized'));
    expect(has('fetch-adb')).toBe(false);
  });
});
