import { cleanup, fireEvent } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { READY_SHOWN_MS, SLOW_MS } from '../src/onboarding/connection-checklist';
import type { Nearby, Pairing } from '../src/protocol';
import { has, part, parts, settle } from './harness';
import { click, renderApp, title, turn, type RenderOptions } from './render-app';

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('over Wi‑Fi', () => {
  async function pairing(found: Nearby[] = [], more: Partial<RenderOptions> = {}) {
    const told: { pairing: (one: Pairing) => void; nearby: (all: Nearby[]) => void } = {
      pairing: () => undefined,
      nearby: () => undefined,
    };
    const harness = await renderApp({
      hash: '#/connect/wifi',
      ...more,
      change: (backend) => {
        backend.pairingStart.mockImplementation(async (tell) => {
          told.pairing = tell;
          return { svg: '<svg/>', network: 'Maple House Wi‑Fi' };
        });
        backend.nearby.mockImplementation(async (tell) => {
          told.nearby = tell;
          tell(found);
        });
        more.change?.(backend);
      },
    });
    return { ...harness, told };
  }
  const type = async (code: string): Promise<void> => {
    await fireEvent.input(part('pairing-input'), { target: { value: code } });
    await settle();
  };
  const state = (): string => part('pairing-state').textContent?.trim() ?? '';
  const one: Nearby = { service: 'a', address: '192.168.1.20:37123', pairs: true };
  const other: Nearby = { service: 'b', address: '192.168.1.21:40001', pairs: true };

  it('draws a picture, looks on the network by its name, and ends both with the page', async () => {
    const { backend } = await pairing();
    expect(part('qr').querySelector('img')?.getAttribute('src')).toBe('blob:picture');
    expect(part('qr').querySelector('img')?.getAttribute('alt')).toContain('QR code');
    expect(state()).toBe('Looking for your phone on “Maple House Wi‑Fi”…');
    expect(backend.pairingStop).not.toHaveBeenCalled();
    await click('onboarding-back');
    expect(backend.pairingStop).toHaveBeenCalledOnce();
  });

  it('tells how far it is, and goes on when it is done', async () => {
    const { told } = await pairing();
    told.pairing({ stage: 'pairing' });
    await settle();
    expect(state()).toContain('Pairing…');
    told.pairing({ stage: 'connecting' });
    await settle();
    expect(state()).toBe('Paired. Connecting…');
    told.pairing({ stage: 'done', serial: '192.168.1.20:40000' });
    await settle();
    expect(state()).toBe('Connected.');
    await vi.advanceTimersByTimeAsync(READY_SHOWN_MS);
    await turn();
    expect(title()).toBe('Choose an AI');
  });

  it('sends six digits to the one phone that shows some, without another press', async () => {
    const { backend } = await pairing([one, { ...other, pairs: false }]);
    await type('482 91');
    expect(backend.pairByCode).not.toHaveBeenCalled();
    await type('482 913');
    expect(backend.pairByCode).toHaveBeenCalledExactlyOnceWith('482913', one.address);
    expect((part('pairing-input') as HTMLInputElement).disabled).toBe(true);
  });

  it('waits with the digits for the phone, or takes the address it shows', async () => {
    const { backend, told } = await pairing();
    await type('482913');
    expect(part('pairing-address').textContent).toContain('No phone on this network is showing a code');
    await fireEvent.input(part('pairing-address-field'), { target: { value: 'nowhere' } });
    await click('pairing-send');
    expect(part('pairing-address').textContent).toContain('Type it exactly as the phone shows it');
    expect(backend.pairByCode).not.toHaveBeenCalled();
    await fireEvent.input(part('pairing-address-field'), { target: { value: ' 10.0.0.7:37123 ' } });
    await click('pairing-send');
    expect(backend.pairByCode).toHaveBeenCalledExactlyOnceWith('482913', '10.0.0.7:37123');
    told.pairing({ stage: 'failed', failure: { code: 'pairing_code' } });
    await turn();
    await type('111222');
    told.nearby([one]);
    await settle();
    expect(backend.pairByCode).toHaveBeenLastCalledWith('111222', one.address);
  });

  it('asks which, where several phones show a code', async () => {
    const { backend } = await pairing([one, other]);
    await type('482913');
    expect(parts('pairing-which').map((button) => button.textContent)).toEqual([one.address, other.address]);
    await fireEvent.click(parts('pairing-which')[1] as HTMLElement);
    await settle();
    expect(backend.pairByCode).toHaveBeenCalledExactlyOnceWith('482913', other.address);
  });

  it.each([
    ['pairing_code', 'This code didn’t work.', true],
    ['pairing_closed', 'The phone stopped waiting.', true],
    ['wireless_unreachable', 'The phone can’t be reached.', false],
  ] as const)('a code that fails (%s) is told, and may be typed again', async (code, sentence, silent) => {
    const { backend, told } = await pairing([one]);
    await type('000000');
    told.pairing({ stage: 'failed', failure: { code } });
    await settle();
    expect(state()).toContain(sentence);
    expect(has('pairing-renew')).toBe(!silent);
    expect((part('pairing-input') as HTMLInputElement).value).toBe('');
    expect((part('pairing-input') as HTMLInputElement).disabled).toBe(false);
    expect(backend.pairingStart).toHaveBeenCalledTimes(2);
    await type('482913');
    expect(backend.pairByCode).toHaveBeenLastCalledWith('482913', one.address);
  });

  it('a call that is refused is told like a failure of the phone', async () => {
    await pairing([one], {
      change: (backend) => backend.pairByCode.mockRejectedValue({ code: 'wireless_unreachable' }),
    });
    await type('482913');
    await settle();
    expect(state()).toContain('The phone can’t be reached.');
  });

  it('a picture that failed is drawn anew by a button, and its late news is not heard', async () => {
    const { backend, told } = await pairing();
    const first = told.pairing;
    first({ stage: 'failed', failure: { code: 'adb_silent' } });
    await settle();
    expect(state()).toContain('isn’t responding');
    expect(backend.pairingStart).toHaveBeenCalledOnce();
    await click('pairing-renew');
    expect(backend.pairingStart).toHaveBeenCalledTimes(2);
    first({ stage: 'connecting' });
    await settle();
    expect(state()).toContain('Looking for your phone');
  });

  it('an old program is told of at once, with the button for a new one', async () => {
    await pairing([], {
      change: (backend) => backend.adbProgram.mockResolvedValue({ path: '/adb', version: '28.0.2', pairs: false }),
    });
    expect(state()).toContain('too old for pairing');
    expect(part('fetch-adb').textContent).toContain('Download the latest version');
  });

  it('after a while it says what may hide the phone', async () => {
    await pairing();
    await vi.advanceTimersByTimeAsync(SLOW_MS);
    expect(state()).toContain('A VPN or firewall');
  });

  it('helps to find the page on the phone', async () => {
    await pairing();
    await click('lost');
    expect((part('lost-dialog') as HTMLDialogElement).open).toBe(true);
    expect(part('lost-dialog').textContent).toContain('Android 11 or newer');
  });

  it('leads who connects for the first time to the options, where each maker has them', async () => {
    await pairing();
    expect(part('qr-card').textContent).toContain('First time? Turn on Developer options first: show me how.');
    await click('lost-first');
    const dialog = part('lost-dialog') as HTMLDialogElement;
    expect(dialog.open).toBe(true);
    await fireEvent.change(part('brand-select'), { target: { value: 'samsung' } });
    await settle();
    const steps = [...dialog.querySelectorAll('li')].map((one) => one.textContent);
    expect(steps[0]).toContain('Software information');
    expect(steps[1]).toContain('search for “Wireless debugging”');
    expect(steps[2]).toContain('Auto Blocker');
    // What is said of a cable is not said here.
    await fireEvent.change(part('brand-select'), { target: { value: 'huawei' } });
    await settle();
    expect(dialog.textContent).not.toContain('charge only');
  });

  it('never holds the picture’s text or the password in the page', async () => {
    await pairing([], { change: (backend) => backend.pairingStart.mockResolvedValue({ svg: '<svg>hunter2</svg>' }) });
    expect(document.documentElement.innerHTML).not.toContain('hunter2');
  });
});
