// Renders the whole app at an address, with these phones and no other.

import { fireEvent, render, screen } from '@testing-library/svelte';
import App from '../src/app/App.svelte';
// Read when they are opened: here at once, so that no test waits for a file.
import '../src/onboarding/Onboarding.svelte';
import '../src/onboarding/AiStep.svelte';
import '../src/app/PhonePage.svelte';
import '../src/app/SettingsPage.svelte';
import type { Phone, PhoneState, Provider, Settings } from '../src/protocol';
import { fold } from '../src/state/view';
import { part, settle, stubApp, stubBackend, transcript, type Stub } from './harness';

export const phone = (state: PhoneState, more: Partial<Phone> = {}): Phone => ({
  id: 'new',
  name: 'Pixel 8',
  state,
  transport: 'usb',
  demo: false,
  ...more,
});

export interface RenderOptions {
  name?: string;
  hash?: string;
  phones?: Phone[];
  provider?: Provider;
  change?: (backend: Stub) => void;
}

export const REAL: Provider = { kind: 'model', maker: 'custom', baseUrl: 'https://example.org/v1', model: 'small' };

/** The window, with these phones and no other. */
export async function renderApp({ hash = '#/connect/cable', phones = [], provider, change }: RenderOptions = {}) {
  const backend = stubBackend();
  change?.(backend);
  const harness = stubApp('empty', backend);
  backend.watch.mockImplementation(async (tell) => {
    transcript('empty').forEach(tell);
    const { settings } = harness.app.view;
    if (provider) tell({ news: 'settings', settings: { ...(settings as Settings), provider } });
    tell({ news: 'phones', phones, looking: false });
  });
  // As a program that starts does: nothing is known before the first news.
  location.hash = hash;
  harness.app.view = { ...harness.app.view, phones, looking: true };
  render(App, { app: harness.app });
  await turn();
  const plug = async (...all: Phone[]): Promise<void> => {
    harness.app.view = fold(harness.app.view, { news: 'phones', phones: all, looking: false });
    await turn();
  };
  return { ...harness, plug };
}

/** What was promised happens, and the address is followed. */
export async function turn(): Promise<void> {
  await settle();
  dispatchEvent(new Event('hashchange'));
  await settle();
  await settle();
}

export async function click(name: string): Promise<void> {
  await fireEvent.click(part(name));
  await turn();
}

export const title = (): string => screen.getByRole('heading', { level: 1 }).textContent ?? '';
