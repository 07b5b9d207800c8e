import { cleanup, fireEvent, render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import App from '../src/app/App.svelte';
// Read when they are opened: here at once, so that no test waits for a file.
import '../src/app/PhonePage.svelte';
import '../src/phone/Deliveries.svelte';
import type { Dropped, DroppedFile } from '../src/protocol';
import { has, part, parts, settle, stubApp } from './harness';

beforeEach(() => {
  vi.useFakeTimers();
  HTMLDialogElement.prototype.showModal = function showModal(): void {
    this.open = true;
  };
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  location.hash = '';
});

const file = (name: string, kind: DroppedFile['kind'] = 'file'): DroppedFile => ({ name, bytes: 5, kind });

describe('files dropped on a phone', () => {
  async function open() {
    const harness = stubApp('phones');
    render(App, { props: { app: harness.app } });
    await settle();
    /** What stands at a place: the tile of a phone, or something else. */
    const stand = (phone: string | null): void => {
      const tile = phone && document.querySelector(`[data-phone="${phone}"] canvas, [data-phone="${phone}"]`);
      document.elementFromPoint = () => (phone ? (tile as Element) : document.body);
    };
    const tell = async (files: Dropped): Promise<void> => {
      harness.backend.drops(files);
      await settle();
    };
    const drop = (...dropped: DroppedFile[]): Promise<void> => tell({ files: 'here', drop: 3, x: 1, y: 1, dropped });
    return { ...harness, stand, tell, drop };
  }
  const told = (): string[] => parts('delivery').map((one) => one.textContent?.trim() ?? '');

  it('say where they would go, and nothing over anything else', async () => {
    const { stand, tell } = await open();
    stand('mum');
    await tell({ files: 'over', x: 5, y: 5 });
    expect(document.body.textContent).toContain('Drop to send to Mum’s Galaxy');
    await tell({ files: 'away' });
    expect(document.body.textContent).not.toContain('Drop to send');
    stand(null);
    await tell({ files: 'over', x: 5, y: 5 });
    expect(document.body.textContent).not.toContain('Drop to send');
  });

  it('are told of over the phone that stands at large, and elsewhere at the foot of the window', async () => {
    const { app, backend, stand, drop } = await open();
    backend.sendFile.mockImplementation(() => new Promise(() => undefined));
    stand('mum');
    await drop(file('a.pdf'));
    expect(part('delivery').closest('.foot')).not.toBeNull();
    app.go({ page: 'phone', phone: 'mum' });
    dispatchEvent(new HashChangeEvent('hashchange'));
    await settle();
    await settle();
    expect(parts('delivery').map((one) => one.closest('[data-part=stage]') !== null)).toEqual([true]);
  });

  it('go there one after the other, and say when they are there', async () => {
    const { backend, stand, drop } = await open();
    const waiting: ((name: string) => void)[] = [];
    backend.sendFile.mockImplementation((_phone, _drop, _file, _install, percent) => {
      percent(40);
      return new Promise((done) => waiting.push(done));
    });
    stand('mum');
    await drop(file('a.jpg'), file('b.pdf'));
    expect(told()).toEqual(['Sending a.jpg to Mum’s Galaxy…']);
    expect(part('delivery').querySelector('progress')?.value).toBe(40);
    waiting[0]?.('a (2).jpg');
    await settle();
    expect(told()).toEqual(['a (2).jpg is in Downloads on Mum’s Galaxy.', 'Sending b.pdf to Mum’s Galaxy…']);
    expect(backend.sendFile.mock.calls.map((call) => call.slice(0, 4))).toEqual([
      ['mum', 3, 0, false],
      ['mum', 3, 1, false],
    ]);
    await vi.advanceTimersByTimeAsync(8000);
    expect(told()).toEqual(['Sending b.pdf to Mum’s Galaxy…']);
  });

  it('that are an app are installed after a question, and only after a Yes', async () => {
    const { backend, stand, drop } = await open();
    stand('moto');
    await drop(file('Game.apk', 'app'));
    expect(part('install').textContent).toContain('Install Game.apk on Spare Moto?');
    expect(backend.sendFile).not.toHaveBeenCalled();
    const answer = async (value: string): Promise<void> => {
      const dialog = part('install') as HTMLDialogElement;
      dialog.returnValue = value;
      await fireEvent(dialog, new Event('close'));
      await settle();
    };
    await answer('');
    expect([has('install'), has('delivery'), backend.sendFile.mock.calls.length]).toEqual([false, false, 0]);
    await drop(file('Game.apk', 'app'));
    await answer('install');
    expect(backend.sendFile).toHaveBeenCalledExactlyOnceWith('moto', 3, 0, true, expect.any(Function));
    expect(told()).toEqual(['file is installed on Spare Moto.']);
  });

  it('an app that could not be installed is told as one', async () => {
    const { backend, stand, drop } = await open();
    backend.sendFile.mockRejectedValueOnce({ code: 'phone_full' });
    stand('moto');
    await drop(file('Game.apk', 'app'));
    const dialog = part('install') as HTMLDialogElement;
    dialog.returnValue = 'install';
    await fireEvent(dialog, new Event('close'));
    await settle();
    expect(told()[0]).toContain('Game.apk couldn’t be installed on Spare Moto. The phone is full.');
  });

  it('that fail say why until they are put away, and the next still goes', async () => {
    const { backend, stand, drop } = await open();
    backend.sendFile.mockRejectedValueOnce({ code: 'phone_full' });
    stand('mum');
    await drop(file('film.mkv'), file('Photos', 'neither'), file('b.pdf'));
    expect(told()[0]).toBe(
      'film.mkv couldn’t be sent to Mum’s Galaxy. The phone is full. Free up some space on it, then try again.',
    );
    expect(told()[1]).toContain('Photos is a folder or can’t be read.');
    expect(told()).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(told()).toHaveLength(1);
    await fireEvent.click(part('delivery').querySelector('button') as HTMLElement);
    await tick();
    expect(has('delivery')).toBe(false);
  });

  it('on nothing, or on a phone that is away, go nowhere', async () => {
    const { backend, stand, drop } = await open();
    stand(null);
    await drop(file('a.jpg'));
    stand('nexus');
    await drop(file('a.jpg'));
    expect(backend.sendFile).not.toHaveBeenCalled();
    expect(has('delivery')).toBe(false);
  });
});
