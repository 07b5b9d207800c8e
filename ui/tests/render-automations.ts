// Renders the page of automations, with a program behind it that keeps them.

import { fireEvent, render } from '@testing-library/svelte';
import AutomationsPage from '../src/app/AutomationsPage.svelte';
import { ALL, FakeAutomations } from '../src/fake/automations';
import { readRoute } from '../src/state/route';
import { fold } from '../src/state/view';
import { NOW, part, parts, settle, stubApp, type Stub } from './harness';

/** An app whose program keeps automations. */
export function stubAutomations(made: ConstructorParameters<typeof FakeAutomations>[0] = ALL, hash = '#/automations') {
  const { app, backend, context } = stubApp('phones');
  const tell = (automations: ReturnType<FakeAutomations['cards']>): void => {
    app.view = fold(app.view, { news: 'automations', automations });
  };
  const kept = new FakeAutomations(made, tell, async (phones) => phones.map((phone) => `run-of-${phone}`), () => ['mum', 'moto'], () => NOW);
  serve(backend, kept);
  app.route = readRoute(hash);
  return { app, backend, context, kept };
}

export function serve(backend: Stub, kept: FakeAutomations): void {
  backend.automations.mockImplementation(async () => kept.cards());
  backend.saveAutomation.mockImplementation(async (id, plan) => kept.save(id, plan));
  backend.deleteAutomation.mockImplementation(async (id) => kept.delete(id));
  backend.holdAutomation.mockImplementation(async (id, held) => kept.hold(id, held));
  backend.runAutomation.mockImplementation((id, values) => kept.begin(id, values));
  backend.occurrences.mockImplementation(async (id) => kept.occurrences(id));
  backend.importAutomations.mockImplementation(async (text) => kept.import(text));
}

export async function renderAutomationsPage(made?: Parameters<typeof stubAutomations>[0], hash?: string) {
  const stubbed = stubAutomations(made, hash);
  render(AutomationsPage, { context: stubbed.context });
  await settle();
  return stubbed;
}

/** What one row says and holds. */
export function row(id: string) {
  const found = document.querySelector<HTMLElement>(`[data-automation="${id}"]`);
  if (!found) throw new Error(`no ${id}`);
  const inside = <T extends HTMLElement = HTMLElement>(name: string): T => {
    const one = found.querySelector<T>(`[data-part="${name}"]`);
    if (!one) throw new Error(`no ${name} in ${id}`);
    return one;
  };
  return { text: found.textContent?.replaceAll(/\s+/g, ' ').replaceAll('\u202f', ' ') ?? '', inside };
}

export const names = (): (string | null)[] => parts('automation-name').map((one) => one.textContent);
export const type = (name: string, value: string): Promise<boolean> => fireEvent.input(part(name), { target: { value } });
export const choose = (name: string, value: string): Promise<boolean> => fireEvent.change(part(name), { target: { value } });
export const faults = (): (string | undefined)[] => parts('plan-fault').map((one) => one.dataset['fault']);

export async function press(name: string): Promise<void> {
  await fireEvent.click(part(name));
  await settle();
}
